"""Any losses at all: sums over vertical lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Lattice, Loss
from dprisk.losses.chords import enclosed, tail_by_chords
from dprisk.losses.composed import ComposedLoss
from dprisk.losses.line import Bracket, Line
from dprisk.losses.moments import Moments
from dprisk.losses.pieces import Pieces
from dprisk.losses.round_lattice import smooth_number
from dprisk.progress import report

__all__ = ["MANY", "QUICK", "ByLines"]

STRIDES = (8, 4, 2, 1)  # of the abscissas in use, the coarsest that costs little
SLACK = 4.0  # nats of cancellation that a coarser choice may cost, among many questions
TIGHT = 0.5  # and among few, where lines are cheap
FEW_QUESTIONS = 8
MANY_QUESTIONS = 128
NEGLIGIBLE = 46.0  # nats below the largest term
ROUND = 2**22  # nodes once round a lattice, at most
MANY = 2**18  # nodes elsewhere, at most
BLOCK = 2**19  # nodes in memory at a time, before it is seen which matter
QUICK = 2**13  # nodes where many questions are asked
FEW = 2**12  # nodes that need no thought
TINY = 1e-300
LONGEST = 1.0  # nats: a chord
TURN = 2.0 * np.pi


@final
@dataclass(frozen=True, eq=False)
class ByLines(ComposedLoss):
    """Sum of independent privacy losses, one ordered pair of distributions each.

    Parameters
    ----------
    parts : tuple of (Loss, int)
        Each loss, and how often it occurs. At least one.
    accuracy : float
        How wide a bracket may become, in nats of epsilon, where a choice exists. (0, 1]
    whole : Moments, optional
        Of the sum that this is only a part of: the accuracy is relative to that.
    nodes : int
        On one line at most, where no lattice needs more; the brackets become wider instead.
    """

    parts: tuple[tuple[Loss, int], ...]
    accuracy: float = 1e-9
    whole: Moments | None = None
    nodes: int = MANY
    _lines: dict[int, Line] = field(default_factory=dict, repr=False)

    @cached_property
    def _moments(self) -> Moments:
        return Moments(self.parts, self.nodes // 4)

    @property
    def infinite(self) -> float:
        """Probability under P that some loss is infinite."""
        return self._moments.infinite

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite loss, rounded outwards."""
        return self._moments.support

    def delta(self, x: Floats) -> Bracket:
        """By the line that suits each x; many at once by polynomials, where it is smooth."""
        if x.size >= MANY_QUESTIONS and self._pieces is not None:
            return self._pieces.delta(x)
        return self._directly(x)

    def _directly(self, x: Floats) -> Bracket:
        return self._with_infinite(x, self._finite(x))

    @cached_property
    def _pieces(self) -> Pieces | None:
        if not self.reach()[2] > 0.0:
            return None
        if self._moments.lattice is not None and any(line.lattice for line in self._some_lines()):
            return None
        return Pieces(self, self._directly, self._by_line, self._moments.profile)

    def _some_lines(self) -> list[Line]:
        """Those that are there, or one where delta is neither large nor small."""
        if not self._lines and self.reach()[2] > 0.0:
            mean, deviation, most = self.reach()
            self._line(int(self._chosen(np.array([min(mean + deviation, 0.999 * most)]), SLACK)[0]))
        return list(self._lines.values())

    def epsilon(self, delta: Floats) -> Bracket:
        """Newton on log delta, then a step to either safe side."""
        top = max(self.support[1], 0.0)
        low, high = np.zeros_like(delta), np.zeros_like(delta)
        revealed = self.infinite
        high[delta < revealed * (1.0 + 4 * ULP)] = np.inf
        low[delta < revealed * (1.0 - 4 * ULP)] = np.inf
        none = (delta <= revealed) & np.isfinite(low)
        low[none], high[none] = top * (1.0 - 8 * ULP), top if not revealed else np.inf
        if not np.isfinite(self._moments.unit):
            zero = np.where(np.isfinite(high), 0.0, high)
            return Bracket(np.where(np.isfinite(low), 0.0, low), zero)
        some = np.flatnonzero((delta > revealed) & (delta < 1.0))
        if some.size:
            low[some], high[some] = self._searched(delta[some])
        return Bracket(np.minimum(low, high), high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """On a lattice exactly; else from the slope of delta."""
        if not np.isfinite(self._moments.unit):
            return self._with_infinite(x, Bracket(np.zeros_like(x), np.zeros_like(x)))
        if self._moments.lattice is not None and self._is_round(x):
            most = self._moments.tails
            finite = self._asked(x, lambda line, e: line.tail(e, most, other), "tails")
            if other:
                finite = Bracket(finite.lower, np.minimum(finite.upper, np.exp(-x)))
        else:
            here = self._finite(x)
            spread = (here.upper - here.lower) / np.maximum(here.upper, TINY)
            away = np.sqrt(spread + 1e-14) / self._moments.theta[self._chosen(x)]
            finite = tail_by_chords(self._finite, x, np.minimum(away, LONGEST), other)
        return finite if other else self._with_infinite(x, finite)

    def corners(self, most: int) -> Floats | None:
        """The points of the lattice."""
        if not np.isfinite(self._moments.unit):
            return np.zeros(0)
        if self._moments.lattice is None:
            return None
        origin, spacing = self._moments.lattice
        first = np.floor(-origin / spacing) + 1.0
        last = np.ceil((self.reach()[2] - origin) / spacing)
        if not last - first < most:
            return None
        found = np.asarray(origin + spacing * np.arange(first, last + 1.0))
        return found[found > 0.0]

    def quick(self) -> ComposedLoss:
        """With fewer nodes, where that makes a difference; by polynomials, where it is smooth."""
        few = max(QUICK, self.nodes // (MANY // QUICK))
        heavy = any(len(line.s) > few for line in self._some_lines())
        cheap = replace(self, nodes=few, _lines={}) if heavy else self
        return cheap._pieces or cheap

    def reach(self) -> tuple[float, float, float]:
        """By the moments."""
        return self._reach

    @cached_property
    def _reach(self) -> tuple[float, float, float]:
        moments = self._moments
        if not np.isfinite(moments.unit):
            return 0.0, 0.0, 0.0
        mean = float((moments.at_theta[0] - np.log1p(-moments.infinite)) / moments.theta[0])
        tiny = (moments.profile.bound[1:] + 735.0) / moments.theta
        most = min(float(tiny.min()), max(self.support[1], 0.0))
        return max(mean, 0.0), 1.0 / moments.unit, most

    def _with_infinite(self, x: Floats, finite: Bracket) -> Bracket:
        if not self.infinite and (finite.upper < 0.5).all():  # far from what is certain
            return finite
        unlikely = np.maximum(self._moments.complement(x), ULP)
        whole = self.infinite + float(np.exp(self._moments.ends[0])) * (1.0 - 8 * ULP)
        low = np.maximum(self.infinite * (1.0 - 4 * ULP) + finite.lower, whole - unlikely)
        high = np.minimum(self.infinite * (1.0 + 4 * ULP) + finite.upper, 1.0)
        return Bracket(np.clip(low, 0.0, high), high)

    def _finite(self, x: Floats) -> Bracket:
        return self._asked(x, lambda line, e: line.delta(e, self._moments.profile), "profile")

    def _asked(
        self, x: Floats, ask: Callable[[Line, Floats], Bracket], bound: Literal["profile", "tails"]
    ) -> Bracket:
        """By lines where they reach; beyond, at most what Chernoff's inequality says."""
        low, high = np.zeros_like(x), np.zeros_like(x)
        far = (x >= self.reach()[2]) & (x < self.support[1])
        if far.any():
            high[far] = getattr(self._moments, bound).tail(x[far])
        for line, some in self._by_line(x):
            low[some], high[some] = ask(line, x[some])
        return Bracket(low, high)

    def _by_line(self, x: Floats) -> Iterator[tuple[Line, npt.NDArray[np.intp]]]:
        """Each line that is needed, and the points within reach that it suits."""
        inside = np.flatnonzero(x < self.reach()[2])
        if inside.size:
            chosen = self._chosen(x[inside])
            for index in sorted(set(chosen.tolist())):
                yield self._line(index), inside[chosen == index]

    def _is_round(self, x: Floats) -> bool:
        return all(line.lattice is not None for line, _ in self._by_line(x))

    def _searched(self, delta: Floats) -> Bracket:
        """Newton's method on log delta, then far enough to either side; 0 < delta - infinite."""
        most = max(self.support[1], 0.0)
        goal = np.log(np.maximum(delta - self.infinite, TINY))
        x = np.clip(self._estimate(goal), 0.0, most * (1.0 - 1e-12))  # beyond, there is only noise
        slope = np.zeros_like(x)
        for line, some in self._by_line(x):
            x[some], slope[some] = self._newton(line, x[some], goal[some], self.reach()[2])
        return self._certified(x, slope, delta, most)

    def _newton(self, line: Line, x: Floats, goal: Floats, most: float) -> tuple[Floats, Floats]:
        """Where the logarithm of delta, as computed on one line, is `goal`; the slope there."""
        left, right, last = np.zeros_like(x), np.full_like(x, most), np.full_like(x, np.inf)
        for _ in range(80):
            value, slope = line.rough(x)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                off = np.log(value) - goal
                new = x - off * value / slope
            left = np.where(off > 0.0, np.maximum(left, x), left)
            right = np.where(off <= 0.0, np.minimum(right, x), right)
            between = (left + np.minimum(right, 2.0 * left + 1.0 / self._moments.unit)) / 2.0
            good = np.isfinite(new) & (new <= right) & (slope < 0.0)
            good &= (new >= left * (1.0 - 1e-9)) | (left == 0.0)  # else back over a corner
            new = np.where(good, np.maximum(new, left), between)
            step, x = np.abs(new - x), new
            rounding = (step <= 1e-7 * np.abs(x)) & (step >= last / 2.0)  # no nearer any more
            if np.all(rounding | (step <= 1e-8 * np.abs(x))):  # squared, that is nothing
                break
            last = step
        return x, slope

    def _certified(self, x: Floats, slope: Floats, delta: Floats, most: float) -> Bracket:
        """About as far to either side of x as the bracket of delta reaches, then checked."""
        here = self.delta(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            up, down = (here.upper - delta) / -slope, (delta - here.lower) / -slope
        step = 1.0 / self._moments.unit
        up, down = (np.clip(np.where(far < np.inf, far, 0.0), 0.0, step) for far in (up, down))
        blur = 4 * ULP * np.abs(x)
        return enclosed(
            self.delta,
            np.clip(x - 1.05 * down - blur, 0.0, most),
            np.clip(x + 1.05 * up + blur, 0.0, most),
            delta,
            most,
        )

    def _estimate(self, goal: Floats) -> Floats:
        """x at which a saddle-point expansion at the abscissas has the logarithm `goal`."""
        moments = self._moments
        theta, log_m = moments.theta, moments.at_theta
        slope = np.gradient(log_m, theta)
        curve = np.maximum(np.gradient(slope, theta), TINY)
        size = log_m - theta * slope - np.log1p(theta) - np.log1p(theta * np.sqrt(TURN * curve))
        rising = np.minimum.accumulate(size)[::-1]
        bound = ((moments.profile.bound[1:, None] - goal) / theta[:, None]).min(axis=0)
        found = np.interp(goal, rising, slope[::-1])
        return np.asarray(np.minimum(found, np.maximum(bound, 0.0)))

    def slope(self, x: Floats) -> Floats:
        """As computed on the lines."""
        found = np.zeros_like(x)
        for line, some in self._by_line(x):
            found[some] = line.rough(x[some])[1]
        return found

    # --- lines -------------------------------------------------------------------------------

    def _chosen(self, x: Floats, slack: float | None = None) -> npt.NDArray[np.intp]:
        """Index of the abscissa for each x: on the coarsest stride that is nearly the best."""
        size, theta = self._sizes, self._moments.theta
        best, chosen = np.zeros(x.shape), np.zeros(x.shape, dtype=np.intp)
        if slack is None:
            slack = TIGHT if x.size <= FEW_QUESTIONS and self.whole is None else SLACK
        for stride, turns in reversed(self._turns):  # from the finest on: the last that is good
            at = np.searchsorted(turns, x) * stride
            found = size[at] - theta[at] * x
            best = found if stride == 1 else best
            chosen = np.where(found <= best + slack, at, chosen)
        return np.minimum(chosen, len(theta) - 2)

    @cached_property
    def _sizes(self) -> Floats:
        """log of the integrand of delta on the real axis, without e^(-theta x)."""
        theta = self._moments.theta
        return np.asarray(self._moments.at_theta - np.log(theta) - np.log1p(theta))

    @cached_property
    def _turns(self) -> list[tuple[int, Floats]]:
        """For each stride, the x at which the next of its abscissas becomes the better one."""
        theta, size = self._moments.theta, self._sizes
        found = []
        for stride in STRIDES:
            turns = np.diff(size[::stride]) / np.diff(theta[::stride])
            found.append((stride, np.maximum.accumulate(turns)))
        return found

    def _line(self, index: int) -> Line:
        if index not in self._lines:
            self._lines[index] = self._made(index)
        return self._lines[index]

    def _made(self, index: int) -> Line:
        moments = self._moments
        theta, scale = float(moments.theta[index]), float(moments.at_theta[index])
        near = [max(index - STRIDES[0], 0), index, min(index + STRIDES[0], len(moments.theta) - 1)]
        width = np.diff(moments.theta[near])
        x = np.diff(moments.at_theta[near])[width > 0] / width[width > 0]
        curve = moments.curvature(index)
        size = np.log(theta) + np.log1p(theta) + 0.5 * np.log1p(2 * np.pi * curve)
        small = scale - theta * x - size - NEGLIGIBLE * 0.8
        period = moments.profile.period(theta, x, small)
        lattice = moments.lattice
        if lattice is not None:
            line = self._round_lattice(theta, scale, period, lattice, curve)
            if line is not None:
                return line
        return self._up_to_decay(theta, scale, period, curve)

    def _round_lattice(
        self, theta: float, scale: float, period: float, lattice: Lattice, curve: float
    ) -> Line | None:
        """All nodes of a circle, or those up to where the moment is negligible; if not too many."""
        nodes = max(2, int(np.ceil(min(period / lattice.spacing, 2.0**60))))
        if self._moments.transformed:
            nodes = smooth_number(nodes)
        period = nodes * lattice.spacing
        step, half = 2 * np.pi / period, nodes // 2
        start, need = self._start(theta, curve, half * step), NEGLIGIBLE
        if start is None and half > FEW:
            need = self._enough(theta, curve, lattice.spacing)
            start = self._start(theta, curve, half * step, need=need)
        last = half if start is None else min(half, int(np.ceil(start / step)))
        most = max(ROUND, self.nodes)
        if nodes > most and last > FEW and self._moments.transformed:
            # a wide bracket is better than no end
            return self._round_lattice(theta, scale, most * lattice.spacing, lattice, curve)
        if last > most:
            return None
        n = np.arange(last + 1)
        s: Complexes = np.asarray(theta + 1j * step * n, dtype=np.complex128)
        terms, error = self._moments.sampled(s, scale, nodes if nodes <= most else 0)
        terms[(n > 0) & (2 * n < nodes)] *= 2.0
        size = np.abs(terms)
        kept = size > np.exp(-NEGLIGIBLE - 14.0)
        left_out = float(size[~kept].sum()) + 2.0 * (half - last) * float(np.exp(-need))
        return Line(
            theta,
            period,
            scale,
            s[kept],
            terms[kept] / nodes,
            error[kept],
            0.0,
            beyond_flat=left_out / nodes,
            lattice=lattice,
        )

    def _enough(self, theta: float, curve: float, width: float) -> float:
        """Nats by which the moment has to be small from some point on, for the accuracy.

        What is left out may be 1 / (theta (1 + theta) width) as large as the moment is there.
        """
        size = np.sqrt(1.0 + TURN * curve) / width
        return min(float(np.log(10.0 * size / (theta * self._tolerance(theta)))), NEGLIGIBLE)

    def _up_to_decay(self, theta: float, scale: float, period: float, curve: float) -> Line:
        step = 2 * np.pi / period
        start, stop, left, smoothing = self._cut(theta, curve, step)
        flat = left / np.pi * (stop + 1.0 / (smoothing * stop)) if smoothing else 0.0
        blocks = list(self._blocks(theta, scale, period, int(np.ceil(start / step)), smoothing))
        return Line(
            theta,
            period,
            scale,
            np.concatenate([block[0] for block in blocks]),
            np.concatenate([block[1] for block in blocks]),
            np.concatenate([block[2] for block in blocks]),
            2.0 * left / (np.pi * start) + sum(block[3] for block in blocks) / period,
            beyond_flat=flat + sum(block[4] for block in blocks) / period,
            smoothing=smoothing,
        )

    def _blocks(
        self, theta: float, scale: float, period: float, last: int, smoothing: float
    ) -> Iterator[tuple[Complexes, Complexes, Floats, float, float]]:
        """Nodes that matter with terms and errors, a block at a time; and the others' sums."""
        count, least = last // BLOCK + 1, 0.0
        for i in range(count):
            n = np.arange(i * BLOCK, min((i + 1) * BLOCK, last + 1))
            s: Complexes = np.asarray(theta + 2j * np.pi / period * n, dtype=np.complex128)
            terms, error = self._moments.sampled(s, scale, 0, smoothing)
            terms[n > 0] *= 2.0
            size, flat = np.abs(terms / s**2), np.abs(terms)
            least = float(np.exp(-NEGLIGIBLE - 8.0) * size[0]) if i == 0 else least
            kept = size > least
            yield s[kept], terms[kept] / period, error[kept], size[~kept].sum(), flat[~kept].sum()
            if count > 1:
                report("sampling", i + 1, count)

    def _cut(self, theta: float, curve: float, step: float) -> tuple[float, float, float, float]:
        """Where the line is left, until where that is known, how little is there; smoothing."""
        moments, little = self._moments, float(np.exp(-NEGLIGIBLE))
        if not moments.returns:
            start = self._start(theta, curve, np.inf)
            if start is not None and start <= FEW * step:
                return start, np.inf, little, 0.0
            start, left = self._slow_start(theta, curve, step)
            if start is not None:
                return start, np.inf, left, 0.0
        least = self._tolerance(theta) / (100.0 * (1.0 + theta) ** 2)
        stop = min(float(np.sqrt(2.0 * NEGLIGIBLE / least)), moments.horizon(theta))
        smoothing = 2.0 * NEGLIGIBLE / stop**2
        first = np.sqrt(2.0 * NEGLIGIBLE / curve)
        enough = self._enough(theta, curve, np.pi * first / (2.0 * theta * (1.0 + theta)))
        for need in (NEGLIGIBLE, enough):
            start = self._start(theta, curve, stop, smoothing, need)
            if start is not None:
                return start, stop, float(np.exp(-need)), smoothing
        # nothing helps but the smoothing itself, as much as memory asks for
        smoothing = max(least, 2.0 * NEGLIGIBLE / (self.nodes * step) ** 2)
        stop = float(np.sqrt(2.0 * NEGLIGIBLE / smoothing))
        return stop, stop, little, smoothing

    def _tolerance(self, theta: float) -> float:
        """The accuracy, larger where this is but a small part of the whole."""
        if self.whole is None:
            return self.accuracy
        at = np.array([theta])
        share = float(self._moments.real(at)[0] - self.whole.real(at)[0])
        return self.accuracy * float(np.exp(np.clip(-share, 0.0, 300.0)))

    def _slow_start(self, theta: float, curve: float, step: float) -> tuple[float | None, float]:
        """Where what is cut off is within the accuracy, and how small the moment is from there."""
        size = 2.0 / np.pi * theta * (1.0 + theta) * np.sqrt(1.0 + 2.0 * np.pi * curve)
        goal = self._tolerance(theta) * theta / 100.0
        t = np.sqrt(2.0 * NEGLIGIBLE / curve)
        while t < self.nodes * step:
            lost, need = self._moments.decay(theta, t), np.log(size / (t * goal))
            if lost >= need:
                return float(t), float(np.exp(-lost))
            t *= np.clip(np.sqrt(need / max(lost, 1e-3)), 1.2, 2.0)  # as a normal loss would
        return None, 1.0

    def _start(
        self,
        theta: float,
        curve: float,
        stop: float,
        smoothing: float = 0.0,
        need: float = NEGLIGIBLE,
    ) -> float | None:
        """Where the moment has become negligible, and stays so until `stop`."""
        t = 1.02 * np.sqrt(2.0 * NEGLIGIBLE / (curve + smoothing))
        if not (smoothing or self._moments.fades):
            return None
        for _ in range(40):
            if t >= stop:
                return None
            if self._moments.is_quiet(theta, t, stop, need, 0.0):
                return float(t)
            t *= 1.15
        return None
