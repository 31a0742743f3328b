"""One Laplace mechanism again and again, atoms and all: polynomials on pieces, nothing by lines."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, exp, factorial
from typing import ClassVar, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, exp_capped
from dprisk.accountant.loss_sum import (
    UNDERFLOW,
    Bracket,
    Formula,
    LossSum,
    Parts,
    Spread,
    complement,
    enclosed,
)
from dprisk.losses.base import ULP
from dprisk.losses.laplace import LaplaceLoss
from dprisk.theorems import SPLINES, Theorem

NEWTON_STEPS = 40  # of Newton's method, at most
NEWTON_GAP = 1e-14  # of a piece
MOST_DRAWS = 1000  # losses: 2^-1000 is a double
COUNTED_EACH = 128  # up to here each number of draws from the density counts
LEAST_RATIO = 1e-290  # nats
MOST_LOG_WEIGHT = 400.0  # nats: the logarithm of all weights together
COUNTED = 40.0  # otherwise as long as no more than e^40 of them are expected, in a sense
ORDER = 20  # derivatives of g
TERMS = 22  # coefficients of a polynomial
FURTHER = 6.0  # times a piece: where the rest of a series is bounded
TURN = 1.9  # of a piece, times the rate at which a density changes
WIDEST = 0.5  # nats
PIECES = 2**15
LOST_DRAWS = 1e-20  # of the probability, by draws that are not counted
LARGEST_SHARE = 1e300  # what is so unsure is either 0 or anything


class Spline(NamedTuple):
    """Pieces of one length from `top` down to `bottom`; on each, t runs from 0 to 1 downwards."""

    top: float
    bottom: float
    length: float
    profile: Floats
    other: Floats
    profile_off: Floats
    other_off: Floats
    steep: Floats
    density: Floats
    lost: float


class Place(NamedTuple):
    """On which piece, and how far down it."""

    piece: npt.NDArray[np.intp]
    t: Floats


@final
@dataclass(frozen=True, eq=False)
class BySplines(LossSum):
    """`count` times the same Laplace loss."""

    theorem: ClassVar[Theorem] = SPLINES

    loss: LaplaceLoss
    count: int
    pieces: Spline

    @property
    def mass_at_infinity(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """All at the same atom."""
        # one rounding, of a product
        most = self.pieces.top * (1.0 + 4 * ULP)
        return -most, most

    def delta(self, x: Floats) -> Bracket:
        """delta by the piece of x, which may lie a little off."""
        laid, place = self.pieces, self._placed(x)
        value, piece = self._value(laid.profile, place), place.piece
        off = value * laid.profile_off[piece] + self._off * laid.steep[piece] + UNDERFLOW
        low, high = np.maximum(value - off, 0.0), np.minimum(value + off, 1.0)
        high = np.where(x < self.pieces.bottom, 1.0, high)
        inside = x < self.support[1]
        return Bracket(np.where(inside, low, 0.0), np.where(inside, high, 0.0))

    @property
    def has_closed_form(self) -> bool:
        """Polynomials."""
        return True

    @property
    def formula(self) -> Formula | None:
        """Once, under P, Z <= t has probability e^((t - c) / 2) / 2 for -c <= t < c."""
        c = self.loss.ratio
        # a place up to c: two roundings; an exponent, and the exponential: five
        near, blur = 4 * ULP * c, 8 * ULP * (1.0 + c)

        def formula(t: Floats, other: bool) -> tuple[Bracket, Bracket]:
            t = np.clip(t, -2.0 * c, 2.0 * c)
            rising = exp_capped(-(t + c if other else c - t) / 2.0) / 2.0
            part = Bracket(rising * (1.0 - blur), np.minimum(rising * (1.0 + blur), 0.5))
            rest = complement(part)
            below, above = (rest, part) if other else (part, rest)
            before, after = t < -c - near, t >= c - near
            return tuple(  # type: ignore[return-value]
                Bracket(*(np.where(before, start, np.where(after, end, each)) for each in ends))
                for ends, start, end in ((below, 0.0, 1.0), (above, 1.0, 0.0))
            )

        return formula if self.count == 1 else None

    def epsilon(self, delta: Floats) -> Bracket:
        """epsilon by Newton's method on one piece, then a step to either safe side."""
        top, x = self.support[1], self._inverse(delta)
        here, slope = self.delta(x), -self._value(self.pieces.other, self._placed(x))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            up, down = (here.upper - delta) / -slope, (delta - here.lower) / -slope
        up, down = (np.where(np.isfinite(far), far, 0.0) for far in (up, down))
        # to begin with: both ends are tried, whatever was rounded
        blur = 0.05 * np.maximum(up + down, 0.0) + 4 * ULP * np.abs(x)
        low, high = np.minimum(x - down, x + up) - blur, np.maximum(x - down, x + up) + blur
        low, high = (np.clip(end, 0.0, top) for end in (low, high))
        found = enclosed(self.delta, low, high, delta, top)
        least, most = found.lower, np.where(delta >= 1.0, 0.0, found.upper)
        none = delta == 0.0
        if none.any():
            least, most = np.where(none, max(self.largest, 0.0), least), np.where(none, top, most)
        return Bracket(np.minimum(least, most), most)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """The tail by the pieces; an atom that equals x up to rounding is not beyond it."""
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
        high = np.where(x < self.pieces.bottom, 1.0, np.minimum(high, 1.0))
        if other:
            low = (
                low * np.exp(-np.maximum(x, self.pieces.bottom)) * (1.0 - 8 * ULP - 2.0 * self.near)
            )
            high = np.minimum(high * np.exp(-x) * (1.0 + 8 * ULP), 1.0)
        return Bracket(np.where(inside, low, 0.0), np.where(inside, high, 0.0))

    def coarse(self) -> LossSum:
        """Itself."""
        return self

    @property
    def spread(self) -> Spread:
        """Mean and variance of one loss are known."""
        c = self.loss.ratio
        mean, square = c + np.expm1(-c), c * c - 2.0 * c + 4.0 - np.exp(-c) * (2.0 * c + 4.0)
        if c < 1e-3:
            mean, square = c * c / 2.0 - c**3 / 6.0, c * c - c**3 / 3.0
        deviation = float(np.sqrt(self.count * (square - mean * mean)))
        return Spread(float(self.count * mean), deviation, self.support[1])

    @property
    def _off(self) -> float:
        """How far a piece may lie off."""
        # a sum, a difference and a quotient: three roundings, of the largest loss
        return 8 * ULP * self.pieces.top

    @property
    def near(self) -> float:
        """So near an atom counts as equal."""
        return 4.0 * self._off

    def _placed(self, x: Floats) -> Place:
        laid = self.pieces
        down = np.maximum(laid.top - np.maximum(x, self.pieces.bottom), 0.0) / laid.length
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
        """The x at which delta is reached, roughly."""
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
    """One Laplace loss, if that is all there is, not too often, and not too small."""
    loss, count = parts[0]
    if len(parts) != 1 or not isinstance(loss, LaplaceLoss):
        return None
    ratio = loss.ratio
    few = count <= COUNTED_EACH or count * ratio / 2.0 <= COUNTED
    heavy = count > MOST_DRAWS or count * np.log1p(ratio / 2.0) > MOST_LOG_WEIGHT
    if ratio < LEAST_RATIO or heavy or not few:
        return None
    length = min(TURN / (count / 4.0 + 1.0), WIDEST)
    cuts = 2 ** max(0, int(np.ceil(np.log2(2.0 * ratio / length))))
    length = 2.0 * ratio / cuts
    depth = min(2.0 * (count + 13.0 * np.sqrt(count) + 60.0), count * ratio)  # P[Z] is beyond
    cells = max(1, int(np.ceil(depth / (2.0 * ratio))))
    shares = np.arange(min(cuts, int(np.ceil(depth / length)))) / cuts
    if cells * len(shares) > PIECES:
        return None
    draws, lost = _draws(count, ratio)
    g, off = _taylor(count, ratio, draws, (np.arange(cells + 1.0)[:, None] + shares), cuts)
    place = (np.arange(float(cells))[:, None] + shares).ravel()
    down = np.exp(-ratio * place) / cuts
    # e^z: one rounding of z, two of the exponential; places are exact
    blur = ULP * (2.0 + ratio * place)
    density, error = _density(g, off, down, blur, length)
    atoms = np.zeros((cells + 1, len(shares)))
    atoms[:, 0] = [comb(count, i) / 2.0**count * exp(-ratio * i) for i in range(cells + 1)]
    atoms = atoms.ravel()[: len(place) + 1]
    laid = _laid(count * ratio, length, density, error, atoms, lost)
    return BySplines(loss, count, laid)


def _draws(count: int, ratio: float) -> tuple[Floats, float]:
    """Weights of 1, 2, ... draws from the density, and what the others add relative to none."""
    j = np.arange(1.0, count + 1.0)
    weights = np.cumprod((count + 1.0 - j) / j * (ratio / 2.0))
    rest = np.append(np.cumsum(weights[::-1])[::-1][1:], 0.0)
    kept = count if count <= COUNTED_EACH else int(np.argmax(rest <= LOST_DRAWS)) + 1
    return np.asarray(weights[:kept], dtype=float), float(rest[kept - 1]) * 2.0


def _taylor(
    count: int, ratio: float, weights: Floats, place: Floats, parts: int
) -> tuple[Floats, Floats]:
    """Coefficients of g on each piece in powers of t; and how far g may be off."""
    draws, order = len(weights), min(len(weights), ORDER)
    splines = np.zeros((draws + order, *place.shape))  # B_draws, ..., B_1, 0, ..., 0
    sums = np.zeros((order + 1, *place.shape))  # of the B-splines so many orders below
    splines[draws - 1] = (place >= 0.0) & (place < 1.0)
    for j in range(1, draws + 1):
        at = splines[draws - j : draws - j + order + 1]
        if j > 1:
            at[0] = place * at[1]
            at[0, 1:] += (j - place[1:]) * at[1, :-1]
            at[0] /= j - 1.0
        sums[:, 1:] += sums[:, :-1].copy()
        sums *= 0.5
        sums[: len(at)] += weights[j - 1] * at
    sums = sums.reshape(order + 1, len(place), -1)
    if count > draws:
        sums = _binomial(count - draws, len(place)) @ sums
    change, size = sums, sums.copy()
    for m in range(1, order + 1):
        change[m:, 1:] -= change[m:, :-1].copy()
        size[m:, 1:] += size[m:, :-1].copy()
    powers = [float(parts) ** -m / factorial(m) for m in range(order + 1)]
    # four operations to a draw, one to a cell, all terms positive: roundings
    rounding = ULP * (12.0 * draws + 2.0 * len(place) + 64.0)
    off = rounding * np.tensordot(powers[:-1], size[:-1], 1)
    knots = size[order, :, 0]  # a B-spline between two knots is at most the sum of both
    off = off[:-1] + (powers[-1] * (knots[:-1] + knots[1:]))[:, None]
    g = change[:-1, :-1] * np.array(powers[:-1])[:, None, None]
    return g.reshape(order, -1), off.ravel()


def _binomial(count: int, rows: int) -> Floats:
    """((1 + S) / 2)^count on so many rows."""
    i = np.arange(rows)
    weights = np.array(
        [comb(count, one) / 2**count if one <= count else 0.0 for one in range(rows)]
    )
    back = i[:, None] - i
    return np.asarray(np.where(back >= 0, weights[np.maximum(back, 0)], 0.0))


def _density(
    g: Floats, off: Floats, down: Floats, blur: Floats, length: float
) -> tuple[Floats, Floats]:
    """Coefficients of e^d times the density of P, and how far it may be off at most."""
    grown = [(length / 2.0) ** m / factorial(m) for m in range(TERMS)]
    found = np.zeros((TERMS, g.shape[1]))
    for m, row in enumerate(g):
        found[m:] += np.array(grown[: TERMS - m])[:, None] * row
    size = np.abs(g)
    powers = FURTHER ** np.arange(len(g))
    rest = FURTHER ** (1.0 - TERMS) * np.exp(FURTHER * length / 2.0) * (powers @ size)
    near = np.exp(length / 2.0)
    # a product and a sum for each of TERMS, and of two powers: roundings
    error = near * off + rest + (blur + ULP * (2.0 * TERMS + 8.0)) * near * size.sum(axis=0)
    return found * down, error * down


def _laid(
    top: float, length: float, density: Floats, error: Floats, atoms: Floats, lost: float
) -> Spline:
    """Lay the pieces end to end: probabilities of Q so far, e^z of them, and delta."""
    pieces = density.shape[1]
    other = np.zeros((TERMS, pieces))
    other[1:] = density[:-1] / np.arange(1.0, TERMS)[:, None]
    profile = np.zeros((TERMS, pieces))
    for n in range(1, TERMS):
        profile[n] = (profile[n - 1] + other[n - 1]) * (length / n)
    fading = np.exp(-length)
    under_q, under_p = fading * other.sum(axis=0), fading * profile.sum(axis=0)
    below, delta = _so_far(under_q + atoms[1:], under_p, float(atoms[0]), length)
    below_off, delta_off = _so_far(fading * error, length * error, 0.0, length)
    own = below + delta
    other[0], profile[0] = below[:-1], delta[:-1]
    rising = np.array([length**n / factorial(n) for n in range(1, TERMS)])
    profile[1:] += rising[:, None] * own[:-1]

    # of each piece so far: three products and two sums are rounded
    steps = ULP * (8.0 * np.arange(pieces) + 64.0)
    # a polynomial: two roundings a term, four times that
    slack = ULP * 4.0 * TERMS
    grown = FURTHER ** (1.0 - TERMS) * np.exp(FURTHER * length)
    reach = (own[:-1] + FURTHER * _at(np.abs(density), FURTHER)) * 2.0 * grown
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(delta > 0.0, delta_off / delta, 0.0)[:-1]
        share = np.maximum(share, ((delta_off + below_off) / own)[:-1])
        curved = np.abs(profile[1:]).sum(axis=0) / (length * own[:-1])
        local = (np.exp(length) * error + reach) / own[:-1]
        profile_off = share + local + steps + slack * (1.0 + curved) + lost
        bent = np.abs(other[1:]).sum(axis=0) / below[:-1]
        other_off = (below_off[:-1] + error) / below[:-1] + steps + slack * (1.0 + bent)
    profile_off, other_off = (
        np.where(np.isfinite(each), np.minimum(each, LARGEST_SHARE), LARGEST_SHARE)
        for each in (profile_off, other_off)
    )
    slopes = _slopes(own, other, length, lost)
    bottom = max(top - length * float(pieces), 0.0)  # below, little is left to be probable
    return Spline(top, bottom, length, profile, other, profile_off, other_off, *slopes, lost)


def _so_far(under_q: Floats, under_p: Floats, first: float, length: float) -> tuple[Floats, Floats]:
    """Accumulate the probability of Q, and delta, from piece to piece."""
    fading, rise = np.exp(-length), -np.expm1(-length)
    steps = [first, *under_q.tolist()]
    total, found = 0.0, []
    for more in steps:
        total = total * fading + more
        found.append(total)
    scaled = np.array(found)
    return scaled, np.append(0.0, np.cumsum(rise * scaled[:-1] + under_p))


def _slopes(own: Floats, other: Floats, length: float, lost: float) -> tuple[Floats, Floats]:
    """On each piece and those beside it, at most: how steep delta is, and the density of Q."""
    pieces = other.shape[1]
    far = min(int(1.0 / length) + 3, pieces + 1)  # so many pieces are longer than a nat
    uncounted = lost * np.append(own, np.ones(far))[far : far + pieces + 1]
    steep = np.append(np.minimum(own * (1.0 + 1e-6) + uncounted, 1.0)[2:], 1.0)
    powers = np.arange(1.0, TERMS) / length
    dense = np.pad((1.0 + 1e-6) * (powers @ np.abs(other[1:])), 1)
    return steep, np.asarray(np.maximum.reduce([dense[:-2], dense[1:-1], dense[2:]]))


def _at(coefficients: Floats, t: float) -> Floats:
    return np.asarray((t ** np.arange(len(coefficients))) @ coefficients)
