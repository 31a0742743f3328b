"""Losses that add up to few values, together with one Laplace loss again and again.

With A the sum of the former and B that of the latter, delta(x) = E[delta_B(x - A)]: a sum of
positive terms, each read off a polynomial.

Symbols: docs/notation.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_atoms import ByAtoms, as_atoms
from dprisk.accountant.by_splines import BySplines, as_splines
from dprisk.accountant.citations import SPLINES
from dprisk.accountant.from_profile import inverse, nearby_slope, tail_by_chords
from dprisk.losses.base import ULP
from dprisk.losses.laplace import LaplaceLoss
from dprisk.sources import Theorem

__all__ = ["ByAtomsAndSplines", "as_atoms_and_splines"]

MOST_VALUES = 2**9  # values of A
BLOCK = 2**16  # numbers in memory at a time
AWAY = 1e-6  # of a standard deviation: length of a chord


@final
@dataclass(frozen=True, eq=False)
class ByAtomsAndSplines(ComposedLoss):
    """The sum of `few` and `many`, the latter its own reverse."""

    theorem: ClassVar[Theorem] = SPLINES

    few: ByAtoms
    many: BySplines

    @property
    def infinite(self) -> float:
        """Of the few."""
        return self.few.infinite

    @property
    def support(self) -> tuple[float, float]:
        """From both."""
        ends = zip(self.few.support, self.many.support, strict=True)
        low, high = (a + b for a, b in ends)
        blur = 2 * ULP * max(abs(low), abs(high))
        return low - blur, high + blur

    @property
    def largest(self) -> float:
        """From both."""
        return self.few.largest + self.many.largest - 2 * ULP * max(map(abs, self.support))

    def delta(self, x: Floats) -> Bracket:
        """Value by value of the few, which may lie a little off."""
        off = self.few.off + 2 * ULP * max(map(abs, self.support))  # beyond that there is nothing
        low, high = self._mean(x + off).lower, self._mean(x - off).upper
        blur = self.few._relative
        low = np.maximum(low * (1.0 - blur) - self.few._faint, 0.0)
        low = low + self.few.mass_at_infinity * (1.0 - blur)
        high = np.where(x < self.support[1], high * (1.0 + blur) + self.few._faint, 0.0)
        return Bracket(np.minimum(low, 1.0), np.minimum(high + self.infinite, 1.0))

    def slope(self, x: Floats) -> Floats:
        """From delta nearby."""
        return nearby_slope(self, x)

    def epsilon(self, delta: Floats) -> Bracket:
        """By search, above what is revealed."""
        revealed = self.few.mass_at_infinity * (1.0 - self.few._relative)
        sure = delta > self.infinite
        found = inverse(self, np.where(sure, delta, 1.0))
        top = max(self.support[1], 0.0)
        low = np.where(delta < revealed, np.inf, top * (1.0 - 16 * ULP))
        high = np.where((delta == 0.0) & (self.infinite == 0.0), top, np.inf)
        return Bracket(np.where(sure, found.lower, low), np.where(sure, found.upper, high))

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """From the slope of delta."""
        away = np.full_like(x, AWAY * self.mean_sd_range()[1])
        return tail_by_chords(self.delta, x, away, other)

    def kinks(self, most: int) -> Floats | None:
        """None: there are too many."""
        return None

    def cheap(self) -> ComposedLoss:
        """Itself."""
        return self

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Means and variances add up."""
        few, many = self.few.mean_sd_range(), self.many.mean_sd_range()
        return few[0] + many[0], float(np.hypot(few[1], many[1])), max(self.support[1], 0.0)

    def _mean(self, x: Floats) -> Bracket:
        """E[delta_B(x - A); A finite]."""
        low, high = np.empty_like(x), np.empty_like(x)
        rows = max(1, BLOCK // max(len(self.few.losses), 1))
        for start in range(0, len(x), rows):
            block = slice(start, start + rows)
            away = np.subtract.outer(x[block], self.few.losses)
            for end, found in zip((low, high), self._shifted(away.ravel()), strict=True):
                end[block] = (found.reshape(away.shape) * self.few.masses).sum(axis=1)
        return Bracket(low, high)

    def _shifted(self, x: Floats) -> Bracket:
        """delta of the many at any x: below 0 by the reverse pair, which is the same."""
        there, under = self.many.delta(np.abs(x)), np.minimum(x, 0.0)
        down, rest = np.exp(under), -np.expm1(under)
        low, high = rest + down * there.lower, rest + down * there.upper
        return Bracket(np.maximum(low * (1.0 - 8 * ULP), 0.0), high * (1.0 + 8 * ULP))


def as_atoms_and_splines(parts: Parts) -> ByAtomsAndSplines | None:
    """One Laplace loss, and others that add up to few values."""
    drawn = tuple(part for part in parts if isinstance(part[0], LaplaceLoss))
    rest = tuple(part for part in parts if not isinstance(part[0], LaplaceLoss))
    if len(drawn) != 1 or not rest:
        return None
    few = as_atoms(rest)
    if few is None or not 0 < len(few.losses) <= MOST_VALUES:
        return None
    many = as_splines(drawn)
    return None if many is None else ByAtomsAndSplines(few, many)
