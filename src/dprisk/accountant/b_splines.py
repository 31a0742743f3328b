"""The profile of one Laplace loss again and again, as polynomials on short pieces."""

from __future__ import annotations

from itertools import accumulate
from math import comb, exp, factorial
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP

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
UNDERFLOW = 1e-300  # more than all that underflows


class Spline(NamedTuple):
    """Pieces of one length from the largest loss down; on each, t runs from 0 to 1 downwards."""

    top: float
    length: float
    profile: Floats
    other: Floats
    profile_off: Floats
    other_off: Floats
    steep: Floats
    density: Floats
    lost: float


def spline(count: int, ratio: float) -> Spline | None:
    """Of `count` Laplace losses; None where they are too many for that."""
    few = count <= COUNTED_EACH or count * ratio / 2.0 <= COUNTED
    heavy = count > MOST_DRAWS or count * np.log1p(ratio / 2.0) > MOST_LOG_WEIGHT
    if ratio < LEAST_RATIO or heavy or not few:
        return None
    length = min(TURN / (count / 4.0 + 1.0), WIDEST)
    parts = 2 ** max(0, int(np.ceil(np.log2(2.0 * ratio / length))))
    length = 2.0 * ratio / parts
    depth = min(2.0 * (count + 13.0 * np.sqrt(count) + 60.0), count * ratio)  # P[Z] is beyond
    cells = max(1, int(np.ceil(depth / (2.0 * ratio))))
    shares = np.arange(min(parts, int(np.ceil(depth / length)))) / parts
    if cells * len(shares) > PIECES:
        return None
    draws, lost = _draws(count, ratio)
    g, off = _taylor(count, ratio, draws, (np.arange(cells + 1.0)[:, None] + shares), parts)
    place = (np.arange(float(cells))[:, None] + shares).ravel()
    down = np.exp(-ratio * place) / parts
    # e^z: one rounding of z, two of the exponential; places are exact
    blur = ULP * (2.0 + ratio * place)
    density, error = _density(g, off, down, blur, length)
    atoms = np.zeros((cells + 1, len(shares)))
    atoms[:, 0] = [comb(count, i) / 2.0**count * exp(-ratio * i) for i in range(cells + 1)]
    return _laid(count * ratio, length, density, error, atoms.ravel()[: len(place) + 1], lost)


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
    sums = _binomial(count - draws, len(place)) @ sums.reshape(order + 1, len(place), -1)
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
    """From piece to piece: probabilities of Q so far, e^z of them, and delta."""
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
    return Spline(top, length, profile, other, profile_off, other_off, *slopes, lost)


def _so_far(under_q: Floats, under_p: Floats, first: float, length: float) -> tuple[Floats, Floats]:
    """From piece to piece: the probability of Q, and delta, where these are added on each."""
    fading, rise = np.exp(-length), -np.expm1(-length)
    steps = [first, *under_q.tolist()]
    scaled = np.array(list(accumulate(steps, lambda total, more: total * fading + more)))
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
