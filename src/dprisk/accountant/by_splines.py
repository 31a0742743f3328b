"""One Laplace mechanism again and again, atoms and all: polynomials on pieces, nothing by lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.accountant.b_splines import UNDERFLOW, Spline, spline
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.from_profile import enclosed
from dprisk.losses.base import ULP
from dprisk.losses.laplace import LaplaceLoss
from dprisk.theorems import SPLINES, Theorem

NEWTON_STEPS = 40  # of Newton's method, at most
NEWTON_GAP = 1e-14  # of a piece


class Place(NamedTuple):
    """On which piece, and how far down it."""

    piece: npt.NDArray[np.intp]
    t: Floats


@final
@dataclass(frozen=True, eq=False)
class BySplines(ComposedLoss):
    """`count` times the same Laplace loss."""

    theorem: ClassVar[Theorem] = SPLINES

    loss: LaplaceLoss
    count: int
    pieces: Spline

    @property
    def infinite(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """All at the same atom."""
        # one rounding, of a product
        most = self.pieces.top * (1.0 + 4 * ULP)
        return -most, most

    def delta(self, x: Floats) -> Bracket:
        """By the piece, which may lie a little off."""
        laid, place = self.pieces, self._placed(x)
        value, piece = self._value(laid.profile, place), place.piece
        off = value * laid.profile_off[piece] + self._off * laid.steep[piece] + UNDERFLOW
        low, high = np.maximum(value - off, 0.0), np.minimum(value + off, 1.0)
        high = np.where(x < self._bottom, 1.0, high)
        inside = x < self.support[1]
        return Bracket(np.where(inside, low, 0.0), np.where(inside, high, 0.0))

    def slope(self, x: Floats) -> Floats:
        """Minus e^x Q[Z > x]."""
        found = -self._value(self.pieces.other, self._placed(x))
        return np.where(x < self.support[1], found, 0.0)

    def epsilon(self, delta: Floats) -> Bracket:
        """By Newton's method on one piece, then a step to either safe side."""
        top, x = self.support[1], self._inverse(delta)
        here, slope = self.delta(x), self.slope(x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            up, down = (here.upper - delta) / -slope, (delta - here.lower) / -slope
        up, down = (np.where(np.isfinite(far), far, 0.0) for far in (up, down))
        # to begin with: both ends are tried, whatever was rounded
        blur = 0.05 * np.maximum(up + down, 0.0) + 4 * ULP * np.abs(x)
        low, high = np.minimum(x - down, x + up) - blur, np.maximum(x - down, x + up) + blur
        low, high = (np.clip(end, 0.0, top) for end in (low, high))
        found = enclosed(self.delta, low, high, delta, top)
        least = np.where(delta == 0.0, max(self.largest, 0.0), found.lower)
        most = np.where(delta == 0.0, top, np.where(delta >= 1.0, 0.0, found.upper))
        return Bracket(np.minimum(least, most), most)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """By the pieces; an atom that equals x up to rounding is not beyond it."""
        laid, inside = self.pieces, x + self.near < self.support[1]
        place = self._placed(x + self.near)
        value, piece = self._value(laid.other, place), place.piece
        off = value * laid.other_off[piece] + 2.0 * self.near * laid.density[piece] + UNDERFLOW
        if not other:
            more = self._value(laid.profile, place)
            value, off = value + more, off + more * laid.profile_off[piece]
        low, high = np.maximum(value - off, 0.0), value + off
        if laid.lost:  # with 1 - e^-1 of it or more in delta a nat earlier
            high = high + laid.lost * np.where(
                x < 1.0, 1.0, self.delta(np.maximum(x - 1.0, 0.0)).upper
            )
        high = np.where(x < self._bottom, 1.0, np.minimum(high, 1.0))
        if other:
            low = low * np.exp(-np.maximum(x, self._bottom)) * (1.0 - 8 * ULP - 2.0 * self.near)
            high = np.minimum(high * np.exp(-x) * (1.0 + 8 * ULP), 1.0)
        return Bracket(np.where(inside, low, 0.0), np.where(inside, high, 0.0))

    def kinks(self, most: int) -> Floats | None:
        """Those at the atoms are not all that is to be known."""
        return None

    def cheap(self) -> ComposedLoss:
        """Itself."""
        return self

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Mean and variance of one loss are known."""
        c = self.loss.ratio
        mean, square = c + np.expm1(-c), c * c - 2.0 * c + 4.0 - np.exp(-c) * (2.0 * c + 4.0)
        if c < 1e-3:
            mean, square = c * c / 2.0 - c**3 / 6.0, c * c - c**3 / 3.0
        spread = float(np.sqrt(self.count * (square - mean * mean)))
        return float(self.count * mean), spread, self.support[1]

    def roughly_beyond(self, t: Floats) -> Floats:
        """Q[Z > t] at any t, as computed."""
        size = np.abs(t)
        place = self._placed(size)
        under_q = self._value(self.pieces.other, place)
        under_p = under_q + self._value(self.pieces.profile, place)
        return np.where(t >= 0.0, under_q * np.exp(-size), 1.0 - under_p)

    @property
    def _off(self) -> float:
        """How far a piece may lie off."""
        # a sum, a difference and a quotient: three roundings, of the largest loss
        return 8 * ULP * self.pieces.top

    @property
    def near(self) -> float:
        """So near an atom counts as equal."""
        return 4.0 * self._off

    @property
    def _bottom(self) -> float:
        """Lower end of the last piece; below, little is left to be probable."""
        laid = self.pieces
        return max(laid.top - laid.length * float(laid.profile.shape[1]), 0.0)

    def _placed(self, x: Floats) -> Place:
        laid = self.pieces
        down = np.maximum(laid.top - np.maximum(x, self._bottom), 0.0) / laid.length
        piece = np.minimum(down, laid.profile.shape[1] - 1.0).astype(np.intp)
        return Place(piece, down - piece)

    def _value(self, coefficients: Floats, place: Place) -> Floats:
        """Value of a polynomial, without the factor e^d."""
        piece, t = place
        found = coefficients[-1].take(piece)
        for row in coefficients[-2::-1]:
            found = found * t + row.take(piece)
        return np.asarray(found * np.exp(-self.pieces.length * t))

    def _inverse(self, delta: Floats) -> Floats:
        """About where delta is reached."""
        laid = self.pieces
        ends = laid.profile[0]
        piece = np.clip(np.searchsorted(ends, delta, side="right") - 1, 0, len(ends) - 1)
        left, right = np.zeros_like(delta), np.ones_like(delta)
        t, open_ = np.full_like(delta, 0.5), np.ones(delta.shape, dtype=bool)
        for _ in range(NEWTON_STEPS):
            place = Place(piece, t)
            value = self._value(laid.profile, place)
            slope = laid.length * self._value(laid.other, place)
            left, right = np.where(value < delta, t, left), np.where(value < delta, right, t)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                new = t - (value - delta) / slope
            new = np.where((new >= left) & (new <= right), new, (left + right) / 2.0)
            open_ &= np.abs(new - t) > NEWTON_GAP  # each by itself, whatever else is asked
            if not open_.any():
                break
            t = np.where(open_, new, t)
        return np.clip(laid.top - laid.length * (piece + t), 0.0, self.support[1])


def as_splines(parts: Parts) -> BySplines | None:
    """One Laplace loss, if that is all there is, and not too often."""
    loss, count = parts[0]
    if len(parts) != 1 or not isinstance(loss, LaplaceLoss):
        return None
    pieces = spline(count, loss.ratio)
    return None if pieces is None else BySplines(loss, count, pieces)
