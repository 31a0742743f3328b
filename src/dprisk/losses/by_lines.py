"""Any losses at all: sums over vertical lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Lattice, Loss
from dprisk.losses.chords import moved, tail_by_chords
from dprisk.losses.composed import ComposedLoss
from dprisk.losses.line import Bracket, Line
from dprisk.losses.moments import Moments

__all__ = ["ByLines"]

STRIDES = (8, 4, 2, 1)  # of the abscissas in use, the coarsest that costs little
SLACK = 4.0  # nats of cancellation that a coarser choice may cost
NEGLIGIBLE = 46.0  # nats below the largest term
ROUND = 2**22  # nodes once round a lattice, at most
MANY = 2**18  # nodes elsewhere, at most
FEW = 2**12  # nodes that need no thought
TINY = 1e-300


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
    """

    parts: tuple[tuple[Loss, int], ...]
    accuracy: float = 1e-9
    _lines: dict[int, Line] = field(default_factory=dict, repr=False)

    @cached_property
    def _moments(self) -> Moments:
        return Moments(self.parts)

    @property
    def infinite(self) -> float:
        """Probability under P that some loss is infinite."""
        return self._moments.infinite

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite loss, rounded outwards."""
        return self._moments.support

    def delta(self, x: Floats) -> Bracket:
        """By the line that suits each x."""
        return self._with_infinite(x, self._finite(x))

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
        some = np.flatnonzero((delta > revealed) & (delta < self.delta(np.zeros(1)).upper[0]))
        if some.size:
            low[some], high[some] = self._searched(delta[some])
        return Bracket(np.minimum(low, high), high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """On a lattice exactly; else from the slope of delta."""
        if self._moments.lattice is not None and self._is_round(x):
            finite = self._asked(x, lambda line, e: line.tail(e, self._moments.tails, other))
        else:
            here = self._finite(x)
            spread = (here.upper - here.lower) / np.maximum(here.upper, TINY)
            away = np.sqrt(spread + 1e-14) / self._moments.theta[self._chosen(x)]
            finite = tail_by_chords(self._finite, x, away, other)
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

    def reach(self) -> tuple[float, float, float]:
        """By the moments."""
        moments = self._moments
        if not np.isfinite(moments.unit):
            return 0.0, 0.0, 0.0
        mean = float((moments.at_theta[0] - np.log1p(-moments.infinite)) / moments.theta[0])
        tiny = (moments.profile.bound[1:] + 735.0) / moments.theta
        most = min(float(tiny.min()), max(self.support[1], 0.0))
        return max(mean, 0.0), 1.0 / moments.unit, most

    def _with_infinite(self, x: Floats, finite: Bracket) -> Bracket:
        unlikely = np.maximum(self._moments.complement(x), ULP)
        whole = self.infinite + float(np.exp(self._moments.ends[0])) * (1.0 - 8 * ULP)
        low = np.maximum(self.infinite * (1.0 - 4 * ULP) + finite.lower, whole - unlikely)
        high = np.minimum(self.infinite * (1.0 + 4 * ULP) + finite.upper, 1.0)
        return Bracket(np.clip(low, 0.0, high), high)

    def _finite(self, x: Floats) -> Bracket:
        return self._asked(x, lambda line, e: line.delta(e, self._moments.profile))

    def _asked(self, x: Floats, ask: Callable[[Line, Floats], Bracket]) -> Bracket:
        low, high = np.zeros_like(x), np.zeros_like(x)
        for line, some in self._by_line(x):
            low[some], high[some] = ask(line, x[some])
        return Bracket(low, high)

    def _by_line(self, x: Floats) -> Iterator[tuple[Line, npt.NDArray[np.intp]]]:
        """Each line that is needed, and the points within the support that it suits."""
        inside = np.flatnonzero((x < self.support[1]) & np.isfinite(x))
        if inside.size and np.isfinite(self._moments.unit):
            chosen = self._chosen(x[inside])
            for index in np.unique(chosen):
                yield self._line(int(index)), inside[chosen == index]

    def _is_round(self, x: Floats) -> bool:
        return all(line.lattice is not None for line, _ in self._by_line(x))

    def _searched(self, delta: Floats) -> Bracket:
        """From the Chernoff bound on; 0 < delta - infinite."""
        target = np.maximum(delta - self.infinite, TINY)
        moments, most = self._moments, max(self.support[1], 0.0)
        bound = (moments.profile.bound[1:, None] - np.log(target)) / moments.theta[:, None]
        right = np.minimum(np.maximum(bound.min(axis=0), 0.0), most)
        left, x = np.zeros_like(right), right.copy()
        goal = np.log(target)
        for _ in range(80):
            value, slope = self._rough(x)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                off = np.log(value) - goal
                new = x - off * value / slope
            left = np.where(off > 0.0, np.maximum(left, x), left)
            right = np.where(off <= 0.0, np.minimum(right, x), right)
            poor = ~np.isfinite(new) | (new < left) | (new > right)
            new = np.where(poor, (left + right) / 2.0, new)
            stride = np.abs(new - x)
            x = new
            if np.all(stride <= 1e-12 * np.abs(x)):
                break
        aside = self._half_width(x)
        return Bracket(
            moved(x - aside, delta, lambda e, d: self.delta(e).lower >= d, -1.0, most),
            moved(x + aside, delta, lambda e, d: self.delta(e).upper <= d, 1.0, most),
        )

    def _half_width(self, x: Floats) -> Floats:
        """About how far in x the bracket of delta reaches."""
        here = self._finite(x)
        value, slope = self._rough(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.maximum(here.upper - value, value - here.lower) / -slope
        return np.where(np.isfinite(far), 1.01 * np.maximum(far, 0.0), 0.0) + 2 * ULP * np.abs(x)

    def _rough(self, x: Floats) -> tuple[Floats, Floats]:
        value, slope = np.zeros_like(x), np.zeros_like(x)
        for line, some in self._by_line(x):
            value[some], slope[some] = line.rough(x[some])
        return value, slope

    # --- lines -------------------------------------------------------------------------------

    def _chosen(self, x: Floats) -> npt.NDArray[np.intp]:
        """Index of the abscissa for each x: on the coarsest stride that is nearly the best."""
        moments = self._moments
        theta = moments.theta[:, None]
        size = (moments.at_theta - np.log(moments.theta) - np.log1p(moments.theta))[:, None]
        size = size - theta * x
        best = size.min(axis=0)
        chosen, columns = np.zeros(x.shape, dtype=np.intp), np.arange(len(x))
        done = np.zeros(x.shape, dtype=bool)
        for stride in STRIDES:
            at = size[::stride].argmin(axis=0) * stride
            fine = ~done & (size[at, columns] <= best + SLACK)
            chosen[fine] = at[fine]
            done |= fine
        return chosen

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
        if lattice is not None and period <= ROUND * lattice.spacing:
            return self._round_lattice(theta, scale, period, lattice, curve)
        return self._up_to_decay(theta, scale, period, curve)

    def _round_lattice(
        self, theta: float, scale: float, period: float, lattice: Lattice, curve: float
    ) -> Line:
        nodes = max(2, int(np.ceil(period / lattice.spacing)))
        period = nodes * lattice.spacing
        step, half = 2 * np.pi / period, nodes // 2
        start = self._start(theta, curve, half * step)
        last = half if start is None else min(half, int(np.ceil(start / step)))
        n = np.arange(last + 1)
        s: Complexes = np.asarray(theta + 1j * step * n, dtype=np.complex128)
        terms, error = self._moments.sampled(s, scale, nodes)
        terms[(n > 0) & (2 * n < nodes)] *= 2.0
        size = np.abs(terms)
        kept = size > np.exp(-NEGLIGIBLE - 14.0)
        left_out = float(size[~kept].sum()) + 2.0 * (half - last) * float(np.exp(-NEGLIGIBLE))
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

    def _up_to_decay(self, theta: float, scale: float, period: float, curve: float) -> Line:
        step, smoothing, flat = 2 * np.pi / period, 0.0, 0.0
        start, left = self._start(theta, curve, np.inf), float(np.exp(-NEGLIGIBLE))
        if start is None or start > FEW * step:
            start, left = self._slow_start(theta, curve, step)
        if start is None:
            smoothing, left = self._smoothing(theta, step), float(np.exp(-NEGLIGIBLE))
            stop = float(np.sqrt(2.0 * NEGLIGIBLE / smoothing))
            start = min(self._start(theta, curve, stop, smoothing) or stop, stop)
            flat = left / np.pi * (stop + 1.0 / (smoothing * stop))
        n = np.arange(int(np.ceil(start / step)) + 1)
        s: Complexes = np.asarray(theta + 1j * step * n, dtype=np.complex128)
        terms, error = self._moments.sampled(s, scale, 0, smoothing)
        terms[1:] *= 2.0
        size = np.abs(terms / s**2)
        kept = size > np.exp(-NEGLIGIBLE - 8.0) * size[0]
        return Line(
            theta,
            period,
            scale,
            s[kept],
            terms[kept] / period,
            error[kept],
            2.0 * left / (np.pi * start) + float(size[~kept].sum()) / period,
            beyond_flat=flat + float(np.abs(terms[~kept]).sum()) / period,
            smoothing=smoothing,
        )

    def _smoothing(self, theta: float, step: float) -> float:
        """Variance that costs no more than the accuracy, or as much as memory asks for."""
        least = 2.0 * NEGLIGIBLE / (MANY * step) ** 2
        return float(max(self.accuracy / (2.0 * (1.0 + theta)), least))

    def _slow_start(self, theta: float, curve: float, step: float) -> tuple[float | None, float]:
        """Where what is cut off is within the accuracy, and how small the moment is from there."""
        size = 2.0 / np.pi * theta * (1.0 + theta) * np.sqrt(1.0 + 2.0 * np.pi * curve)
        t = np.sqrt(2.0 * NEGLIGIBLE / curve)
        while t < MANY * step:
            left = float(np.exp(-self._moments.decay(theta, t)))
            if left * size / t <= self.accuracy * theta / 20.0:
                return float(t), left
            t *= 1.2
        return None, 1.0

    def _start(
        self, theta: float, curve: float, stop: float, smoothing: float = 0.0
    ) -> float | None:
        """Where the moment has become negligible, and stays so until `stop`."""
        t = np.sqrt(2.0 * NEGLIGIBLE / (curve + smoothing))
        for _ in range(24):
            if t >= stop:
                return None
            if self._moments.is_quiet(theta, t, stop, NEGLIGIBLE, smoothing):
                return float(t)
            t *= 1.3
        return None
