"""Inversion of monotone functions: what is returned keeps the promise as computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.errors import NotConverged
from dprisk.text import fill

BISECTIONS = 240  # from the smallest float to infinity
FINE = (1e-6, 1e6)  # steps between these are doubled: most answers are of their size

Bools = npt.NDArray[np.bool_]


def keep(
    value: Floats,
    holds: Callable[[Floats], Bools],
    upward: bool = True,
    step: Floats | float = 0.0,
) -> Floats:
    """Move `value` by the few units in the last place that rounding took, until `holds` says so."""
    value = np.array(value, dtype=float)
    size = np.where(np.isfinite(value), np.abs(value), 1.0)
    step = np.maximum(np.spacing(np.maximum(size, np.finfo(float).tiny)), step)
    sign = 1.0 if upward else -1.0
    for turn in range(BISECTIONS):
        broken = ~holds(value) & np.isfinite(value)
        if not broken.any():
            return value
        value = np.where(broken, value + sign * step, value)
        with np.errstate(over="ignore"):  # none is enough: it goes to infinity
            fast = (turn >= 40) & ((step < FINE[0]) | (step > FINE[1]))
            step = np.where(broken, np.where(fast, 2.0**16, 2.0) * step, step)
    worst = float(value[np.argmax(broken)])
    raise NotConverged(fill("errors.search.safe-side"), (worst - float(step.max()), worst))


def solve_decreasing(
    excess: Callable[..., Floats], low: Floats, high: Floats, *arguments: Floats
) -> Floats:
    """Smallest x in [low, high] with ``excess(x, *arguments) <= 0``, from the safe side."""
    from scipy.optimize import elementwise

    low, high, *arguments = np.broadcast_arrays(low, high, *arguments)  # type: ignore[assignment]
    done = excess(low, *arguments) <= 0
    answer = np.where(done, low, high).astype(float)
    todo = ~done & (excess(high, *arguments) < 0)
    if todo.any():
        # 4 ulps between the ends: no rounding is bounded, both ends were tried
        found = elementwise.find_root(
            excess,
            (low[todo], high[todo]),
            args=tuple(a[todo] for a in arguments),
            tolerances={"xatol": 0.0, "xrtol": 4 * np.finfo(float).eps, "fatol": 0.0, "frtol": 0.0},
            maxiter=500,
        )
        left, right = found.bracket
        if not np.all(found.success):
            bad = int(np.argmin(found.success))
            raise NotConverged(fill("errors.search.root"), (float(left[bad]), float(right[bad])))
        answer[todo] = np.where(found.f_bracket[0] <= 0, left, right)
    return answer


MOST_TURNS = 200
CLOSE_ENDS = 1e-20  # of where it was looked

Whole = npt.NDArray[np.intp]
Judge = Callable[[Floats, Whole], tuple[Floats, Floats]]


def enclose(judge: Judge, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The last point that is surely short of zero, and the first that surely reaches it."""
    every = np.arange(len(low))
    first, last = judge(low, every), judge(high, every)
    left = np.where(first[1] < 0.0, low, -np.inf)
    right = np.where(last[0] >= 0.0, high, np.inf)
    sure = every[np.isfinite(left) & np.isfinite(right)]
    centre, step = _approached(judge, sure, (left, right), (first, last))
    for end, unsure, at in ((left, last, high), (right, first, low)):
        some = np.isfinite(end) & _open(unsure)
        centre[some], step[some] = at[some], 4.0 * np.spacing(np.abs(high - low)[some])
    _step_out(judge, centre, step, left, -1.0)
    _step_out(judge, centre, step, right, 1.0)
    return np.where(last[1] < 0.0, np.inf, left), np.where(first[0] >= 0.0, -np.inf, right)


def _open(found: tuple[Floats, Floats]) -> npt.NDArray[np.bool_]:
    """Neither short of zero nor there, for all that is known."""
    return (found[0] < 0.0) & (found[1] >= 0.0)


def _approached(
    judge: Judge,
    todo: Whole,
    ends: tuple[Floats, Floats],
    values: tuple[tuple[Floats, Floats], tuple[Floats, Floats]],
) -> tuple[Floats, Floats]:
    """Moves the ends together; where it becomes unsure, the point and a length to step by."""
    middle = tuple((low + high) / 2.0 for low, high in values)
    centre, step = np.full(len(ends[0]), np.nan), np.zeros(len(ends[0]))
    halve = np.zeros(len(ends[0]), dtype=bool)
    close = CLOSE_ENDS * (ends[1] - ends[0])
    for _ in range(MOST_TURNS):
        left, right = (end[todo] for end in ends)
        size = np.maximum(np.abs(left), np.abs(right))
        wide = right - left > np.maximum(4.0 * np.spacing(size), close[todo])
        todo, left, right = todo[wide], left[wide], right[wide]
        if not todo.size:
            break
        share = middle[0][todo] / (middle[0][todo] - middle[1][todo])
        share = np.where(halve[todo] | ~((share > 0.0) & (share < 1.0)), 0.5, share)
        point = np.clip(left + share * (right - left), np.nextafter(left, right), right)
        low, high = judge(point, todo)
        for end, value, some in zip(ends, middle, (high < 0.0, low >= 0.0), strict=True):
            end[todo[some]], value[todo[some]] = point[some], (low + high)[some] / 2.0
        halve[todo] = (ends[1] - ends[0])[todo] > (right - left) / 2.0
        unsure = _open((low, high))
        slope = (middle[1] - middle[0])[todo] / (right - left)
        centre[todo[unsure]] = point[unsure]
        step[todo[unsure]] = (0.6 * (high - low) / np.maximum(slope, 1e-300))[unsure]
        todo = todo[~unsure]
    return centre, step


def _step_out(judge: Judge, centre: Floats, step: Floats, end: Floats, sign: float) -> None:
    """Moves an end to near the centre, where there is one, as far as it stays sure."""
    todo = np.flatnonzero(np.isfinite(centre) & np.isfinite(end))
    least = 4.0 * np.spacing(np.abs(centre))
    unsure = np.zeros(len(end))  # so far from the centre
    while todo.size:
        room = sign * (end - centre)[todo]
        away = np.where(unsure[todo] > 0.0, 2.0 * unsure[todo], np.minimum(step[todo], room / 8.0))
        away = np.maximum(away, least[todo])
        todo, away = todo[away < room], away[away < room]
        point = centre[todo] + sign * away
        low, high = judge(point, todo)
        sure = high < 0.0 if sign < 0.0 else low >= 0.0
        end[todo[sure]] = point[sure]
        unsure[todo[~sure]] = away[~sure]
        todo = todo[~sure | (unsure[todo] == 0.0)]


# --- where what is limited reaches a limit, in as few calls as it takes ---------------------------

TRIES: Final = 400  # steps; halving 1400 down to an ulp takes 63

Closeness = tuple[float, bool]
"""A relative tolerance, and whether both ends have to be that close, or the kept one only."""
Seen = tuple[float, float]
"""A logarithm, and how far the measure is over the limit there: at most 0 where it is kept."""


def odds(probability: float) -> float:
    """Strength of a measure that ends at 1."""
    return probability / (1.0 - probability) if probability < 1.0 else math.inf


def nearest(
    measure: Callable[[float], float],
    most: float,
    start: float,
    *,
    rising: bool = True,
    whole: bool = False,
    strength: Callable[[float], float] = odds,
    degree: float = 1.0,
    closeness: Callable[[float], Closeness] = lambda _: (1e-12, True),
    ends: tuple[float, float] = (1e-300, 1e300),
) -> tuple[float, float]:
    """The number nearest to the limit that keeps it, and one just beyond that does not.

    A search in logarithms: it steps outwards from `start`, and then narrows the interval with
    secants through what adds up (`strength`), which grows about as the number to the `degree`.
    """
    start = min(max(start, ends[0]), ends[1])
    line = _Line(measure, most, start, rising, whole, strength, closeness)
    low, high = (math.log(end / line.start) for end in ends)
    if not rising:
        low, high = -high, -low
    left, right = _bracket(line, low, high, degree)
    if left is not None and right is not None:
        left, right = _narrow(line, left, right)
    none, all_ = (0.0, math.inf) if rising else (math.inf, 0.0)
    kept = none if left is None else line.number(left[0])
    return kept, all_ if right is None else line.number(right[0])


class _Line(NamedTuple):
    measure: Callable[[float], float]
    most: float
    start: float
    rising: bool
    whole: bool
    strength: Callable[[float], float]
    close: Callable[[float], Closeness]

    def closeness(self, w: float) -> Closeness:
        return self.close(self.number(w))

    def number(self, w: float) -> float:
        up = w if self.rising else -w
        x = self.start * math.exp(min(max(up, -700.0), 700.0))  # still finite
        return float(round(x)) if self.whole else x

    def between(self, w: float, low: float = -math.inf, high: float = math.inf) -> float:
        """The place itself; or that of the nearest whole number strictly between both."""
        if not self.whole:
            return w
        least = 1.0 if low == -math.inf else self.number(low) + 1.0
        most = math.inf if high == math.inf else self.number(high) - 1.0
        if least > most:
            return low
        return math.log(min(max(self.number(w), least), most) / self.start)

    def at(self, w: float) -> Seen:
        found = self.measure(self.number(w))
        over = self._straight(found) - self._straight(self.most)
        # NaN is inf - inf; more than e^1000, such as infinity, tells no secant more
        over = 0.0 if math.isnan(over) else min(max(over, -1e3), 1e3)
        return w, min(over, 0.0) if found <= self.most else max(over, 1e-300)

    def _straight(self, value: float) -> float:
        found = self.strength(value)
        return math.log(found) if 0.0 < found < math.inf else math.copysign(math.inf, found - 1.0)


def _bracket(
    line: _Line, low: float, high: float, degree: float
) -> tuple[Seen | None, Seen | None]:
    """The last that keeps the limit and the first that does not, stepping out from 0."""
    here = line.at(0.0)
    up, tolerance = here[1] <= 0.0, line.closeness(0.0)[0]
    step = min(max(abs(here[1]) / degree, tolerance / 2.0), 3.0)
    for _ in range(TRIES):
        end = high if up else low
        if here[0] == end:
            return (here, None) if up else (None, here)
        if up:
            w = min(line.between(here[0] + step, low=here[0]), end)
        else:
            w = max(line.between(here[0] - step, high=here[0]), end)
        there = line.at(w)
        if (there[1] <= 0.0) != up:
            return (here, there) if up else (there, here)
        moved = abs(there[1] - here[1])
        further = 1.0 if line.whole else 1.1  # than a straight line would go
        wanted = further * abs(there[1]) * step / moved if moved > 0.0 else 8.0 * step
        least = 2.0 * step if step < 1e-6 else 0.01 * step
        step = min(max(wanted, least, tolerance / 2.0), 8.0 * step)
        here = there
    raise NotConverged("a budget", (low, high))


def _narrow(line: _Line, left: Seen, right: Seen) -> tuple[Seen, Seen]:
    """Secants through the two places nearest to the limit, halving where they do not get on."""
    near, far = sorted((left, right), key=_distance)
    slow = 0
    for _ in range(TRIES):
        (tolerance, both), width = line.closeness(near[0]), right[0] - left[0]
        root = _root(near, far, left, right)
        if width <= tolerance or (not both and root - left[0] <= tolerance):
            return left, right
        edge = min(tolerance, width) / 2.0
        aim = root - (0.0 if both else edge) if slow < 3 else (left[0] + right[0]) / 2.0
        w = min(max(aim, left[0] + edge), right[0] - edge)
        w = line.between(w, left[0], right[0])
        if not left[0] < w < right[0]:
            return left, right
        seen = line.at(w)
        near, far = sorted((near, far, seen), key=_distance)[:2]
        left, right = (seen, right) if seen[1] <= 0.0 else (left, seen)
        slow = 0 if right[0] - left[0] < width / 2.0 else slow + 1
    raise NotConverged("a budget", (left[0], right[0]))


def _root(near: Seen, far: Seen, left: Seen, right: Seen) -> float:
    """Place where the line through two places meets the limit; always between the ends."""
    for one, other in ((near, far), (left, right)):
        rise = (other[1] - one[1]) / (other[0] - one[0])
        found = one[0] - one[1] / rise if rise > 0.0 else math.inf
        if left[0] <= found <= right[0]:
            return found
    return (left[0] + right[0]) / 2.0


def _distance(seen: Seen) -> float:
    return abs(seen[1])
