"""Losses that add up to few values, together with others whose sum is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST, sum_up
from dprisk.accountant.contour import PLACE
from dprisk.accountant.loss_sum import (
    LARGEST_LOSS,
    Bracket,
    LossSum,
    Parts,
    Sides,
    Spread,
    inverse,
    tail_by_chords,
)
from dprisk.accountant.methods.by_atoms import ByAtoms, as_atoms
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.by_splines import as_splines
from dprisk.accountant.methods.subsampled_once import as_subsampled_once
from dprisk.accountant.mgf import ComposedMGF
from dprisk.losses.base import ULP, Loss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.theorems import LATTICE_CORNERS, Theorem

MOST_SHIFTS, MOST_EASY = 2**6, 2**12  # values of A, where a question about B takes long or not
MOST_VALUES = 2**10  # values of A, where delta of B has a closed form
FEW_POINTS = 2**12  # of a common lattice to either side, so that lines are as good
BLOCK = 2**14  # numbers at a time: what fits the cache
DRAWN = (LaplaceLoss, SubsampledNormalLoss)
LIKELY = 0.01  # a last value from which a search begins
MOST_POINTS = 2**14  # of a lattice, from each to the next of which delta is a line
FARTHEST = 300.0  # nats
NARROWEST = 1.0  # sigma: below, probabilities of neighbors differ by too much for a common slack
SCALE = 2.0**600  # of delta, so that no slope in e^x is too small or too large for a float
UNSEEN = 751.0  # nats: what is so rare is less than any float
# of e^x, and of a corner in it: two roundings each, and one of a product
SHIFT = 4 * ULP
# of a value between two corners, relative to the larger one: six roundings, four of a mirror image
BETWEEN = 8 * ULP
CHORD = 1e-6  # of a standard deviation: length of a chord


class Polygon(NamedTuple):
    """Values times `SCALE` at rising u = e^x, the first of them at 0; and the one beyond."""

    u: Floats
    values: Floats
    beyond: float

    @classmethod
    def of(cls, before: Floats, after: Floats, values: Floats, blur: float) -> Polygon:
        """Place delta at rising x >= 0 at `after`, and its mirror image at minus `before`."""
        below = -np.expm1(-after[1:]) + np.exp(-after[1:]) * values[1:]
        u = np.concatenate([[0.0], np.exp(-before[:0:-1]), np.exp(after)])
        whole = SCALE * np.concatenate([[1.0], below[::-1], values])
        whole = whole + blur * (whole + np.append(SCALE, whole[:-1]))
        return cls(u, whole, SCALE * float(values[-1]))

    def value(self, u: Floats) -> Floats:
        """The value at any u, as computed."""
        return np.interp(u, self.u, self.values, right=self.beyond) / SCALE


class Polygons(NamedTuple):
    """delta of a sum on a lattice, its own reverse: a line in e^x from a corner to the next."""

    low: Polygon
    high: Polygon

    @classmethod
    def of(cls, lines: ByContour) -> Polygons | None:
        """Read delta past each corner; None off a lattice, or if those are too many or far."""
        lattice, chernoff = lines.moments.lattice, lines.moments.profile
        corners = lines.positive_values(MOST_POINTS)
        if lattice is None or corners is None or not lines.spread.reach < FARTHEST:
            return None
        corners = corners[corners > lattice.spacing / 4.0]  # 0 is one anyway
        end = float(((chernoff.bound[1:] + UNSEEN) / chernoff.theta[1:]).min())
        x = np.concatenate([[0.0], corners, [max(end, 1.01 * float(corners[-1]))]])
        off = PLACE * (x + abs(lattice.origin))
        low, high = lines.delta(np.append(0.0, x + off))
        low = np.append(low[1:-2], [0.0, 0.0])  # of which the mirror image is at most 1 - e^x
        after = np.append(0.0, (x + off)[1:])
        return cls(
            Polygon.of(x + off, x - off, low, -BETWEEN),
            Polygon.of(after, after, np.append(high[0], high[2:]), BETWEEN),
        )

    def delta(self, x: Floats, upper: bool) -> Floats:
        """delta at any x, negative or not, at least or at most."""
        with np.errstate(over="ignore"):
            u = np.exp(x)
        if upper:
            return np.minimum(self.high.value(u * (1.0 - SHIFT)) + SMALLEST, 1.0)
        return np.maximum(self.low.value(u * (1.0 + SHIFT)) - SMALLEST, 0.0)


@final
@dataclass(frozen=True, eq=False)
class ByShifts(LossSum):
    """The sum of `few` and `many`; `back` is the reverse of the latter, or the same object."""

    few: ByAtoms
    many: LossSum
    back: LossSum
    polygons: Polygons | None = None

    @property
    def theorem(self) -> Theorem:
        """The theorem of the many, whose delta the few shift."""
        return LATTICE_CORNERS if self.polygons else self.many.theorem

    @property
    def mass_at_infinity(self) -> float:
        """Probability that either sum is infinite, at most."""
        both = self.few.mass_at_infinity, self.many.mass_at_infinity
        return min(float(sum_up(*both)), 1.0) if all(both) else max(both)

    @property
    def support(self) -> tuple[float, float]:
        """The sum of both supports, rounded outwards."""
        low, high = (a + b for a, b in zip(self.few.support, self.many.support, strict=True))
        ends = np.array([*self.few.support, *self.many.support])
        # one rounding, of a sum of what was rounded outwards
        blur = 2 * ULP * float(np.abs(ends[np.isfinite(ends)]).max())
        return low - blur, high + blur

    @property
    def largest(self) -> float:
        """The sum of both largest losses, rounded downwards."""
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
        low = low + self.few.known_infinite * (1.0 - blur)
        high = np.where(x < self.support[1], high * (1.0 + blur) + self.few._faint, 0.0)
        beyond = np.where(x < self.support[1], self.few.mass_at_infinity, self.mass_at_infinity)
        return Bracket(np.minimum(low, 1.0), np.minimum(high + beyond, 1.0))

    def epsilon(self, delta: Floats) -> Bracket:
        """epsilon by search, above what is revealed."""
        revealed = self.few.known_infinite * (1.0 - self.few._relative)
        sure, top = delta > self.mass_at_infinity, max(self.support[1], 0.0)
        found = self._searched(np.where(sure, delta, 1.0)) if sure.any() else Bracket(delta, delta)
        least = (
            max(self.largest, 0.0) if np.isfinite(top) and not self.many.mass_at_infinity else 0.0
        )
        never = (delta < revealed) | ((delta == 0.0) & np.isinf(top))
        low = np.where(never, np.inf, least)
        high = np.where((delta == 0.0) & (self.mass_at_infinity == 0.0), top, np.inf)
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
        """The tail, from the slope of delta."""
        away = np.full_like(x, CHORD * self.spread.deviation)
        return tail_by_chords(self.delta, x, away, other)

    def coarse(self) -> LossSum:
        """The same sum with the many in coarse brackets."""
        many, back = self.many.coarse(), self.back.coarse()
        return self if many is self.many or self.polygons else replace(self, many=many, back=back)

    @property
    def spread(self) -> Spread:
        """Means and variances add up."""
        few, many = self.few.spread, self.many.spread
        most = min(self.support[1], self.few.support[1] + many.reach)
        deviation = float(np.hypot(few.deviation, many.deviation))
        return Spread(few.mean + many.mean, deviation, max(most, 0.0))

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
        if self.polygons is not None:
            return self.polygons.delta(x, upper)
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


def as_shifts(parts: Parts, accuracy: float) -> ByShifts | None:
    """Losses of which delta is quickly known, beside others that add up to few values."""
    return _drawn(parts) or _on_lattice(parts, accuracy)


def _drawn(parts: Parts) -> ByShifts | None:
    """One Laplace loss, or one subsampled normal one."""
    drawn = tuple(part for part in parts if isinstance(part[0], DRAWN))
    rest = tuple(part for part in parts if not isinstance(part[0], DRAWN))
    if not drawn or not rest:
        return None
    back = tuple((loss.reverse(), count) for loss, count in drawn)
    many, turned = (as_splines(each) or as_subsampled_once(each) for each in (drawn, back))
    few = None if many is None or turned is None else as_atoms(rest)
    if many is None or turned is None or few is None or not 0 < len(few.losses) <= MOST_VALUES:
        return None
    return ByShifts(few, many, many if drawn == back else turned)


def _on_lattice(parts: Parts, accuracy: float) -> ByShifts | None:
    """Discrete Gaussians on one lattice, unless all together are on one with few points."""
    noise = [(loss, n) for loss, n in parts if isinstance(loss, DiscreteGaussianLoss)]
    on: Parts = tuple(noise)
    rest = tuple(part for part in parts if not isinstance(part[0], DiscreteGaussianLoss))
    if not on or not rest:
        return None
    common, few = ComposedMGF(parts).lattice, as_atoms(rest)
    if few is None or not 0 < len(few.losses) <= MOST_EASY:
        return None
    many, least = ByContour(on, accuracy), min(loss.sigma for loss, _ in noise)
    if many.moments.lattice is None:
        return None
    shifted = ByShifts(few, many, many, Polygons.of(many) if least >= NARROWEST else None)
    if common is not None and shifted.spread.reach < FEW_POINTS * common.spacing:
        return None
    return shifted


def as_shifted(
    parts: tuple[tuple[tuple[Loss, Loss], int], ...], known: Sides, back: Sides
) -> Sides | None:
    """Losses that are known and add up to few values, beside sums and their reverses."""
    few = as_atoms(tuple((loss, count) for (loss, _), count in parts))
    most = MOST_EASY if known[1].has_closed_form else MOST_SHIFTS
    if few is None or not 0 < len(few.losses) <= most:
        return None
    below, above = (ByShifts(few, *both) for both in zip(known, back, strict=True))
    return (above, above) if known[0] is known[1] else (below, above)
