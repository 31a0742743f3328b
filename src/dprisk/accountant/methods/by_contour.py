"""Any losses at all: sums over vertical lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import ndtr
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.abscissas import MOST_NODES, Abscissas
from dprisk.accountant.contour import PLACE, TURN, Contour
from dprisk.accountant.loss_sum import (
    MOST_CORNERS,
    SHARP_BRACKET,
    UNDERFLOW,
    Bracket,
    Formula,
    LossSum,
    Parts,
    Spread,
    certified,
    inverse,
    revealed_off,
    tail_by_chords,
)
from dprisk.accountant.mgf import ComposedMGF
from dprisk.losses.base import ULP
from dprisk.theorems import CONTOUR, Theorem

COARSE = 2**13  # nodes of a coarse sum
FAR_OFF = 1e-2  # of a deviation: so wide a bracket is looked at once more
ERFC = 2e-13  # relative error of a normal tail, at most
SMALL_STEP = 1e-5  # of x, and of a standard deviation: after such a step the next one can be told


@final
@dataclass(frozen=True, eq=False)
class ByContour(LossSum):
    """Sum of independent privacy losses, one ordered pair of distributions each."""

    theorem: ClassVar[Theorem] = CONTOUR

    parts: Parts
    accuracy: float = 1e-9
    nodes: int = MOST_NODES
    most: float = np.inf

    @cached_property
    def moments(self) -> ComposedMGF:
        """The moment generating function of the finite sum."""
        return ComposedMGF(self.parts)

    @cached_property
    def _lines(self) -> Abscissas:
        most = min(self.most, self.spread.reach)
        return Abscissas(self.moments, self.accuracy, self.nodes, most)

    @property
    def mass_at_infinity(self) -> float:
        """Probability under P that some loss is infinite."""
        return self.moments.infinite

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite loss, rounded outwards."""
        return self.moments.support

    @property
    def largest(self) -> float:
        """Largest finite loss, rounded downwards."""
        return self.moments.largest

    def delta(self, x: Floats) -> Bracket:
        """delta, by the line that suits each x."""
        return self._with_infinite(x, self._finite(x))

    @property
    def _usual_line(self) -> Contour:
        """One where delta is neither large nor small."""
        mean, deviation, most = self.spread
        return self._lines.usual(min(mean + deviation, 0.999 * most))

    def epsilon(self, delta: Floats) -> Bracket:
        """Newton on log delta, then a step to either safe side."""
        top, off = max(self.support[1], 0.0), revealed_off(self.parts)
        least, most = (self.mass_at_infinity * side for side in (1.0 - off, 1.0 + off))
        low, high = np.where(delta < least, np.inf, 0.0), np.where(delta < 1.0, top, 0.0)
        if np.isfinite(self.moments.unit):  # else constant, as far as floats can tell
            at = np.maximum(delta, most)  # it is no less where all of delta may be revealed
            low[at == 0.0] = max(self.largest, 0.0)
            some = np.flatnonzero((delta >= least) & (at > 0.0) & (at < 1.0))
            if some.size:
                low[some], high[some] = self._searched(at[some])
        high[delta < most] = np.inf
        return Bracket(np.minimum(low, high), high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """The tail: on a lattice exactly, else from the slope of delta."""
        if not np.isfinite(self.moments.unit):
            return self._constant_tail(x, other)
        if self.moments.lattice is not None and self._is_round(x):
            most = self.moments.tails
            finite = self._asked(x, lambda line, e: line.tail(e, most, other), "tails")
            if other:
                finite = Bracket(finite.lower, np.minimum(finite.upper, np.exp(-x)))
        else:
            here = self._finite(x)
            spread = (here.upper - here.lower) / np.maximum(here.upper, UNDERFLOW)
            away = np.sqrt(spread + 1e-14) / self._lines.abscissas(x)
            finite = tail_by_chords(self._finite, x, away, other)
        return finite if other else self._with_infinite(x, finite)

    def _constant_tail(self, x: Floats, other: bool) -> Bracket:
        """Tail of a sum that looks constant in floats: between the ends of its support."""
        least, most = self.support
        if other:
            low = np.where(x < least, self.moments.least_finite * np.exp(-max(most, 0.0)), 0.0)
            # two roundings of the exponential
            high = np.where(x < most, np.exp(-x) * (1.0 + 4 * ULP) + SMALLEST, 0.0)
            # a product and an exponential: three roundings
            return Bracket(low * (1.0 - 4 * ULP), np.minimum(high, 1.0))
        whole = self.moments.least_finite
        shown = 1.0 - self.mass_at_infinity * (1.0 - revealed_off(self.parts))
        return self._with_infinite(
            x, Bracket(np.where(x < least, whole, 0.0), np.where(x < most, shown, 0.0))
        )

    @property
    def corners(self) -> Floats | None:
        """The points of the lattice."""
        return self.positive_values(MOST_CORNERS)

    def positive_values(self, most: int) -> Floats | None:
        """All values above 0, if they are on a lattice, and at most so many."""
        if not np.isfinite(self.moments.unit):
            return np.array([x for x in self.support[1:] if x > 0.0])
        if self.moments.lattice is None:
            return None
        origin, spacing = self.moments.lattice
        first = np.floor(-origin / spacing) + 1.0
        last = np.ceil((self.spread.reach - origin) / spacing)
        if not last - first < most:
            return None
        found = np.asarray(origin + spacing * np.arange(first, last + 1.0))
        return found[found > 0.0]

    @property
    def corners_off(self) -> float:
        """By the roundings of where the lattice begins, or of the one value there is."""
        begins = [
            count * (loss.lattice.origin if loss.lattice else max(loss.support, key=abs))
            for loss, count in self.parts
        ]
        return PLACE * sum(map(abs, begins))

    @property
    def has_density(self) -> bool:
        """One loss with a density is enough."""
        return any(loss.has_density for loss, _ in self.parts)

    @cached_property
    def formula(self) -> Formula | None:
        """Normal losses add up to one: mean +-mu^2 / 2, variance mu^2."""
        each = [
            loss.normal_mu * math.sqrt(count)
            for loss, count in self.parts
            if loss.normal_mu is not None
        ]
        mu = math.hypot(*each)
        if len(each) < len(self.parts) or mu == 0.0:
            return None

        def formula(t: Floats, other: bool) -> tuple[Bracket, Bracket]:
            with np.errstate(over="ignore"):
                z = t / mu
            # two roundings for each loss; a root, a quotient, a sum: eight more
            blur = (8.0 + len(each)) * ULP * (np.where(np.isfinite(z), np.abs(z), 0.0) + mu)
            z = z + mu / 2.0 if other else z - mu / 2.0
            return _normal_tails(z, blur), _normal_tails(-z, blur)

        return formula

    def coarse(self) -> LossSum:
        """The same sum with fewer nodes, where that makes a difference."""
        return self._coarse

    @cached_property
    def _coarse(self) -> ByContour:
        few = max(COARSE, self.nodes // (MOST_NODES // COARSE))
        if not self.spread.reach > 0.0 or len(self._usual_line.s) <= few:
            return self
        found = replace(self, nodes=few)
        vars(found)["moments"] = self.moments
        return found

    @cached_property
    def spread(self) -> Spread:
        """Mean, deviation and reach, from the moments."""
        moments = self.moments
        if not np.isfinite(moments.unit):
            return Spread(max(self.support[0], 0.0), 0.0, max(self.support[1], 0.0))
        mean = float((moments.at_theta[0] - np.log1p(-moments.infinite)) / moments.theta[0])
        tiny = (moments.profile.bound[1:] + 735.0) / moments.theta
        most = min(float(tiny.min()), max(self.support[1], 0.0))
        return Spread(max(mean, 0.0), 1.0 / moments.unit, most)

    def _with_infinite(self, x: Floats, finite: Bracket) -> Bracket:
        if not self.mass_at_infinity and (finite.upper < 0.5).all():  # far from what is certain
            return finite
        blur = revealed_off(self.parts)
        low = self.mass_at_infinity * (1.0 - blur) + finite.lower
        high = np.minimum(self.mass_at_infinity * (1.0 + blur) + finite.upper, 1.0)
        whole = self.mass_at_infinity * (1.0 - blur) + self.moments.least_finite
        # two differences of numbers up to 1, and one exponential: three roundings
        certain = whole - np.maximum(self.moments.complement(x), ULP) - 2 * ULP
        low = np.maximum(low, np.minimum(certain, 1.0))
        return Bracket(np.clip(low, 0.0, high), high)

    def _finite(self, x: Floats) -> Bracket:
        return self._asked(x, lambda line, e: line.delta(e, self.moments.profile), "profile")

    def _asked(
        self,
        x: Floats,
        ask: Callable[[Contour, Floats], Bracket],
        bound: Literal["profile", "tails"],
    ) -> Bracket:
        """By lines where they reach; beyond, at most what Chernoff's inequality says."""
        low, high = np.zeros_like(x), np.zeros_like(x)
        far = (x >= self.spread.reach) & (x < self.support[1])
        if far.any():
            high[far] = getattr(self.moments, bound).tail(x[far])
        for line, some in self._by_line(x):
            low[some], high[some] = ask(line, x[some])
        return Bracket(low, high)

    def _by_line(self, x: Floats) -> Iterator[tuple[Contour, npt.NDArray[np.intp]]]:
        """Each line that is needed, and the points within reach that it suits."""
        inside = np.flatnonzero(x < self.spread.reach)
        for line, some in self._lines.suiting(x[inside]):
            yield line, inside[some]

    def _is_round(self, x: Floats) -> bool:
        return all(line.lattice is not None for line, _ in self._by_line(x))

    def _searched(self, delta: Floats) -> Bracket:
        """Newton's method on log delta, then far enough to either side; 0 < delta - infinite."""
        most = max(self.support[1], 0.0)
        goal = np.log(np.maximum(delta - self.mass_at_infinity, UNDERFLOW))
        x = np.clip(self._estimate(goal), 0.0, most * (1.0 - 1e-12))  # beyond, there is only noise
        slope = np.zeros_like(x)
        for line, some in self._by_line(x):
            x[some], slope[some] = self._newton(line, x[some], goal[some], self.spread.reach)
        found = certified(self, x, slope, delta, most)
        far = np.flatnonzero(found.upper - found.lower > FAR_OFF * self.spread.deviation)
        if far.size:  # heavy tails: a line that is good next to the guess is poor elsewhere
            middle = self.delta((found.lower[far] + found.upper[far]) / 2.0)
            far = far[middle.upper - middle.lower <= SHARP_BRACKET * middle.upper]
        if far.size:
            nearer = inverse(self, delta[far], Bracket(found.lower[far], found.upper[far]))
            found.lower[far] = np.maximum(found.lower[far], nearer.lower)
            found.upper[far] = np.minimum(found.upper[far], nearer.upper)
        return found

    def rough_epsilon(self, delta: Floats) -> Floats:
        """The x at which delta is reached, roughly; infinite where it never is."""
        goal = np.log(np.maximum(delta - self.mass_at_infinity, UNDERFLOW))
        return np.where(delta > self.mass_at_infinity, self._estimate(goal), np.inf)

    def _newton(self, line: Contour, x: Floats, goal: Floats, most: float) -> tuple[Floats, Floats]:
        """Points where log delta, as computed on one line, is `goal`; and delta's slope there."""
        left, right, last = np.zeros_like(x), np.full_like(x, most), np.full_like(x, np.inf)
        deviation = 1.0 / self.moments.unit
        for _ in range(80):
            value, slope = line.rough(x)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                off = np.log(value) - goal
                new = x - off * value / slope
            left = np.where(off > 0.0, np.maximum(left, x), left)
            right = np.where(off <= 0.0, np.minimum(right, x), right)
            between = (left + np.minimum(right, 2.0 * left + deviation)) / 2.0
            good = np.isfinite(new) & (new <= right) & (slope < 0.0)
            good &= (new >= left * (1.0 - 1e-9)) | (left == 0.0)  # else back over a corner
            new = np.where(good, np.maximum(new, left), between)
            step, x = np.abs(new - x), new
            rounding = (step <= 1e-7 * np.abs(x)) & (step >= last / 2.0)  # no nearer any more
            if np.all(rounding | (step <= SMALL_STEP * np.minimum(np.abs(x), deviation))):
                break
            last = step
        return x, slope

    def _estimate(self, goal: Floats) -> Floats:
        """x at which a saddle-point expansion at the abscissas has the logarithm `goal`."""
        moments = self.moments
        theta, log_m = moments.theta, moments.at_theta
        slope = slopes(log_m, theta)
        curve = np.maximum(slopes(slope, theta), UNDERFLOW)
        size = log_m - theta * slope - np.log1p(theta) - np.log1p(theta * np.sqrt(TURN * curve))
        rising = np.minimum.accumulate(size)[::-1]
        bound = ((moments.profile.bound[1:, None] - goal) / theta[:, None]).min(axis=0)
        found = np.interp(goal, rising, slope[::-1])
        return np.asarray(np.minimum(found, np.maximum(bound, 0.0)))


def slopes(y: Floats, x: Floats) -> Floats:
    """Derivative at each x, from its neighbors."""
    steps = np.diff(y) / np.diff(x)
    return np.concatenate([steps[:1], (steps[1:] + steps[:-1]) / 2.0, steps[-1:]])


def _normal_tails(z: Floats, blur: Floats) -> Bracket:
    low, high = ndtr(z - blur) * (1.0 - ERFC), ndtr(z + blur) * (1.0 + ERFC)
    high = np.where(z > -37.0, np.minimum(high, 1.0), np.maximum(high, 1e-298))  # underflows
    low = np.where(np.isposinf(z), 1.0, np.where(z > -37.0, low, 0.0))
    return Bracket(low, np.where(np.isneginf(z), 0.0, high))
