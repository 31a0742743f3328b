"""One inverter: it returns the end of the bracket that keeps the promise."""

from __future__ import annotations

from collections.abc import Callable

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
