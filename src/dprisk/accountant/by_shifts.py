"""Losses that add up to few values, together with others whose sum is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import sum_up
from dprisk.accountant.base import AddUp, ComposedLoss, Parts, Sides
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_atoms import ByAtoms, as_atoms
from dprisk.accountant.by_contour import ByContour
from dprisk.accountant.by_discretization import as_discretization
from dprisk.accountant.by_lattice import ByLattice, as_lattice
from dprisk.accountant.by_splines import BySplines, as_splines
from dprisk.accountant.from_profile import inverse, nearby_slope, tail_by_chords
from dprisk.accountant.mgf import ComposedMGF
from dprisk.accountant.subsampled_once import SubsampledOnce, as_subsampled_once
from dprisk.losses.base import ULP, Loss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.theorems import Theorem

MOST_SHIFTS, MOST_EASY = 2**6, 2**12  # values of A, where a question about B takes long or not
MOST_VALUES = 2**10  # values of A, where delta of B has a closed form
MOST_CORNERS = 2**14  # of B on a lattice
FEW_POINTS = 2**12  # of a common lattice to either side, so that lines are as good
BLOCK = 2**14  # numbers at a time: what fits the cache
DRAWN = (LaplaceLoss, SubsampledNormalLoss)
LIKELY = 0.01  # a last value from which a search begins
LARGEST_LOSS = 1e300  # nats: no probability is beyond that is not at infinity
CHORD = 1e-6  # of a standard deviation: length of a chord


@final
@dataclass(frozen=True, eq=False)
class ByShifts(ComposedLoss):
    """The sum of `few` and `many`; `back` is the reverse of the latter, or the same object."""

    few: ByAtoms
    many: ComposedLoss
    back: ComposedLoss

    @property
    def theorem(self) -> Theorem:
        """That of the many, of which the few shift delta."""
        return self.many.theorem

    @property
    def infinite(self) -> float:
        """Of either."""
        both = self.few.infinite, self.many.infinite
        return min(float(sum_up(*both)), 1.0) if all(both) else max(both)

    @property
    def support(self) -> tuple[float, float]:
        """From both."""
        low, high = (a + b for a, b in zip(self.few.support, self.many.support, strict=True))
        ends = np.array([*self.few.support, *self.many.support])
        # one rounding, of a sum of what was rounded outwards
        blur = 2 * ULP * float(np.abs(ends[np.isfinite(ends)]).max())
        return low - blur, high + blur

    @property
    def largest(self) -> float:
        """From both."""
        few, many = self.few.largest, self.many.largest
        # one rounding, of a sum of what was rounded downwards
        return few + many - 2 * ULP * (abs(few) + abs(many)) if np.isfinite(many) else many

    def delta(self, x: Floats) -> Bracket:
        """Value by value of the few, which may lie a little off."""
        x = np.minimum(x, LARGEST_LOSS)
        # a difference up to twice as large: one rounding; and one of x
        off = self.few.off + 2 * ULP * (max(map(abs, self.few.support)) + x)
        low, high = self._mean(x + off, False), self._mean(x - off, True)
        blur = self.few._relative
        low = np.maximum(low * (1.0 - blur) - self.few._faint, 0.0)
        low = low + self.few.mass_at_infinity * (1.0 - blur)
        high = np.where(x < self.support[1], high * (1.0 + blur) + self.few._faint, 0.0)
        beyond = np.where(x < self.support[1], self.few.infinite, self.infinite)
        return Bracket(np.minimum(low, 1.0), np.minimum(high + beyond, 1.0))

    def slope(self, x: Floats) -> Floats:
        """From delta nearby."""
        return nearby_slope(self, x)

    def epsilon(self, delta: Floats) -> Bracket:
        """By search, above what is revealed."""
        revealed = self.few.mass_at_infinity * (1.0 - self.few._relative)
        sure, top = delta > self.infinite, max(self.support[1], 0.0)
        found = self._searched(np.where(sure, delta, 1.0)) if sure.any() else Bracket(delta, delta)
        least = max(self.largest, 0.0) if np.isfinite(top) and not self.many.infinite else 0.0
        never = (delta < revealed) | ((delta == 0.0) & np.isinf(top))
        low = np.where(never, np.inf, least)
        high = np.where((delta == 0.0) & (self.infinite == 0.0), top, np.inf)
        return Bracket(np.where(sure, found.lower, low), np.where(sure, found.upper, high))

    def _searched(self, delta: Floats) -> Bracket:
        """Between two shifts by the last value a: p delta_B(x - a) and delta_B(x - a)."""
        share, last = float(self.few.masses[-1]), float(self.few.losses[-1])
        known = None
        if share >= LIKELY:  # or else they are too far apart to begin with
            ends = self.many.epsilon(np.minimum(np.append(delta / share, delta), 1.0))
            known = Bracket(*np.split((ends.lower + ends.upper) / 2.0 + last, 2))
        found, kept = inverse(self, delta, known), delta >= self.delta(np.zeros(1)).upper
        return Bracket(*(np.where(kept, 0.0, end) for end in found))

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """From the slope of delta."""
        away = np.full_like(x, CHORD * self.mean_sd_range()[1])
        return tail_by_chords(self.delta, x, away, other)

    def kinks(self, most: int) -> Floats | None:
        """None: there are too many."""
        return None

    def cheap(self) -> ComposedLoss:
        """With the many in brackets that are cheap for many questions."""
        return self._cheap

    @cached_property
    def _cheap(self) -> ByShifts:
        return self.beside(self.many.cheap(), self.back.cheap())

    def beside(self, many: ComposedLoss, back: ComposedLoss) -> ByShifts:
        """The few with other losses."""
        if many is self.many and back is self.back:
            return self
        return replace(self, many=many, back=back)

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Means and variances add up."""
        few, many = self.few.mean_sd_range(), self.many.mean_sd_range()
        most = min(self.support[1], self.few.support[1] + many[2])
        return few[0] + many[0], float(np.hypot(few[1], many[1])), max(most, 0.0)

    def _mean(self, x: Floats, upper: bool) -> Floats:
        """E[delta_B(x - A); A finite], at least or at most."""
        total = np.empty_like(x)
        rows = max(1, BLOCK // max(len(self.few.losses), 1))
        for start in range(0, len(x), rows):
            block = slice(start, start + rows)
            away = np.subtract.outer(x[block], self.few.losses)
            found = self._shifted(away.ravel(), upper).reshape(away.shape)
            total[block] = (found * self.few.masses).sum(axis=1)
        return total

    def _shifted(self, x: Floats, upper: bool) -> Floats:
        """delta of the many at any x: below 0 by the reverse pair."""
        if isinstance(self.many, ByLattice):
            return self.many.anywhere(x, upper)
        there, under = self._either(np.abs(x), x < 0.0), np.minimum(x, 0.0)
        end = there.upper if upper else there.lower
        # six roundings: two of expm1, two of exp, a product and a sum
        blur = 8 * ULP if upper else -8 * ULP
        return np.asarray((-np.expm1(under) + np.exp(under) * end) * (1.0 + blur))

    def _either(self, x: Floats, turned: npt.NDArray[np.bool_]) -> Bracket:
        """delta of the many, or of the reverse pair, at x >= 0."""
        if self.back is self.many:
            return self.many.delta(x)
        found = Bracket(np.empty_like(x), np.empty_like(x))
        for loss, some in ((self.many, ~turned), (self.back, turned)):
            if some.any():
                found.lower[some], found.upper[some] = loss.delta(x[some])
        return found


def as_shifts(parts: Parts, accuracy: float, finer: float, add_up: AddUp) -> ByShifts | None:
    """Losses of which delta is quickly known, beside others that add up to few values."""
    return _drawn(parts, accuracy, finer, add_up) or _on_lattice(parts, accuracy)


def _drawn(parts: Parts, accuracy: float, finer: float, add_up: AddUp) -> ByShifts | None:
    """One Laplace loss, or few subsampled normal ones."""
    drawn = tuple(part for part in parts if isinstance(part[0], DRAWN))
    rest = tuple(part for part in parts if not isinstance(part[0], DRAWN))
    if not drawn or not rest:
        return None
    back = tuple((loss.reverse(), count) for loss, count in drawn)
    many, turned = (
        as_splines(each)
        or as_subsampled_once(each)
        or as_discretization(each, accuracy, finer, add_up)
        for each in (drawn, back)
    )
    few = None if many is None or turned is None else as_atoms(rest)
    closed = isinstance(many, BySplines | SubsampledOnce)
    most = MOST_VALUES if closed else MOST_SHIFTS
    if many is None or turned is None or few is None or not 0 < len(few.losses) <= most:
        return None
    return ByShifts(few, many, many if isinstance(many, BySplines) else turned)


def _on_lattice(parts: Parts, accuracy: float) -> ByShifts | None:
    """Discrete Gaussians on one lattice, unless all together are on one with few points."""
    on = tuple(part for part in parts if isinstance(part[0], DiscreteGaussianLoss))
    rest = tuple(part for part in parts if not isinstance(part[0], DiscreteGaussianLoss))
    if not on or not rest:
        return None
    common = ComposedMGF(parts).lattice
    many: ComposedLoss | None = as_lattice(on, accuracy, MOST_CORNERS)
    most = MOST_EASY
    if many is None:
        many, most = _too_fine(on, accuracy), MOST_SHIFTS if common is None else MOST_EASY
    few = None if many is None else as_atoms(rest)
    if many is None or few is None or not 0 < len(few.losses) <= most:
        return None
    shifted = ByShifts(few, many, many)
    if common is not None and shifted.mean_sd_range()[2] < FEW_POINTS * common.spacing:
        return None
    return shifted


def _too_fine(on: Parts, accuracy: float) -> ByContour | None:
    """Lines of the noise alone, where too many points of its lattice are within reach."""
    lines = ByContour(on, accuracy)
    return None if lines.moments.lattice is None or lines.kinks(MOST_CORNERS) is not None else lines


def as_shifted(
    parts: tuple[tuple[tuple[Loss, Loss], int], ...], known: Sides, back: Sides
) -> Sides | None:
    """Losses that are known and add up to few values, beside sums and their reverses."""
    few = as_atoms(tuple((loss, count) for (loss, _), count in parts))
    most = MOST_EASY if isinstance(known[1], ByAtoms | BySplines) else MOST_SHIFTS
    if few is None or not 0 < len(few.losses) <= most:
        return None
    below, above = (ByShifts(few, *both) for both in zip(known, back, strict=True))
    return (above, above) if known[0] is known[1] else (below, above)
