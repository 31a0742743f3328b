"""Sums of many independent copies of a number on a lattice: powers of a Fourier transform.

Masses are enclosed point by point. Where they are small, the copies are tilted first, so that
rounding is small beside them; what wraps around is bounded by Chernoff's bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from scipy.fft import next_fast_len

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes

LEFT_OUT = 75.0  # e^-75 may lie outside a window
TILTED_TO = (10.0, 35.0)  # tilts for what is as rare as e^-10 and e^-35
DEEPER = (60.0,)  # and e^-60, where that costs little
FEW = 2**18  # points
NEGLIGIBLE_POWER = 1e-25  # of a transform: smaller powers count as 0
GROWTH = 1.02  # of blocks of points
STEEPEST = 600.0  # of exponents over all points
LARGEST = 690.0  # exponents of what floats hold
SLOPES = np.geomspace(1e-7, 1.0, 160)
DOWN = np.geomspace(1e-7, 1e4, 300)


class Window(NamedTuple):
    """The first and the last point of a sum that are worth looking at, and tilts for its tails."""

    first: float
    last: float
    tilts: tuple[float, ...]


class Enclosed(NamedTuple):
    """Masses of a sum at points from `first` on, at least and at most; and what lies outside."""

    first: int
    below: Floats
    above: Floats
    outside: tuple[float, float]


@final
@dataclass(frozen=True, eq=False)
class FewPoints:
    """Few points of nearly the same moments: masses spread with their mean, so none is smaller."""

    at: Floats
    masses: Floats

    @classmethod
    def of(cls, masses: Floats) -> FewPoints:
        """Masses at the points 0, 1, 2 and so on."""
        last, ends = len(masses) - 1, [0]
        while ends[-1] < last:
            ends.append(min(max(ends[-1] + 1, int(ends[-1] * GROWTH)), last))
        edges = np.array(ends if len(ends) > 1 else [0, 1])
        whole = np.add.reduceat(masses, edges[:-1])
        first = np.add.reduceat(masses * np.arange(len(masses)), edges[:-1])
        return cls.between(edges.astype(float), whole, first)

    @classmethod
    def between(cls, edges: Floats, masses: Floats, means: Floats) -> FewPoints:
        """Masses between edges, and their means times the masses."""
        right = np.clip((means - masses * edges[:-1]) / np.diff(edges), 0.0, masses)
        found = np.append(masses - right, 0.0)
        found[1:] += right
        return cls(edges[found > 0.0], found[found > 0.0])

    @cached_property
    def _logs(self) -> Floats:
        return np.log(self.masses)

    @property
    def rises(self) -> Floats:
        """Slopes of exponents that are worth trying."""
        return np.asarray(SLOPES * (STEEPEST / self.at[-1]))

    @property
    def falls(self) -> Floats:
        """The same downwards."""
        return np.asarray(-DOWN * (STEEPEST / self.at[-1]))

    def log_moment(self, theta: Floats) -> Floats:
        """log E[e^(theta x)], at most."""
        exponent = self._logs + np.multiply.outer(theta, self.at)
        top = exponent.max(axis=-1)
        return np.asarray(top + np.log(np.exp(exponent - top[..., None]).sum(axis=-1)))

    def tilted_mean(self, theta: Floats) -> Floats:
        """Mean of x under weights e^(theta x)."""
        exponent = self._logs + np.multiply.outer(theta, self.at)
        weights = np.exp(exponent - exponent.max(axis=-1)[..., None])
        return np.asarray((weights * self.at).sum(axis=-1) / weights.sum(axis=-1))

    def window(self, count: int, rare: tuple[float, ...] = TILTED_TO) -> Window:
        """The points between which the sum of so many lies, but for e^-75."""
        up, down = self.rises, self.falls
        above, below = (count * self.log_moment(each) for each in (up, down))
        last = min(float(((above + LEFT_OUT) / up).min()), count * float(self.at[-1]))
        first = max(float(((below + LEFT_OUT) / down).max()), count * float(self.at[0]))
        tilts = [0.0]
        for theta, moment in ((up, above), (down, below)):
            rarity = theta * count * self.tilted_mean(theta) - moment
            tilts += [float(theta[rarity >= each][0]) for each in rare if rarity[-1] >= each]
        return Window(first, last, tuple(tilts))

    def beyond(
        self, count: int, first: float, last: float, tilt: float = 0.0, size: float = 0.0
    ) -> tuple[float, float]:
        """Chernoff's bound for e^(tilt x - size) below and above a window."""
        found = []
        for theta, end in ((self.falls, first), (self.rises, last)):
            exponent = count * self.log_moment(tilt + theta) - theta * end - size
            found.append(math.exp(min(float(exponent.min()), 0.0)))
        return (found[0] if first > count * self.at[0] else 0.0), found[1]


def summed(masses: Floats, count: int, size: int, tails: bool = True) -> Enclosed:
    """The masses of the sum of so many copies, at `size` points that hold nearly all of it."""
    about = FewPoints.of(masses)
    window = about.window(count, TILTED_TO + (DEEPER if size <= FEW else ()))
    first = max(math.floor((window.first + window.last - size) / 2.0), 0)
    last = first + size - 1
    below, above = np.zeros(size), np.full(size, np.inf)
    for tilt in window.tilts if tails else (0.0,):
        low, high = _tilted(masses, count, (first, size), tilt, about)
        np.maximum(below, low, out=below)
        np.minimum(above, high, out=above)
    return Enclosed(first, below, above, about.beyond(count, first, last))


def plus(one: Enclosed, two: Enclosed) -> Enclosed:
    """The sum of two of these."""
    length = len(one.above) + len(two.above) - 1
    size = next_fast_len(length, real=True)
    low, off = _product(one.below, two.below, size)
    high, more = _product(one.above, two.above, size)
    outside = (one.outside[0] + two.outside[0], one.outside[1] + two.outside[1])
    below, above = np.maximum(low - off, 0.0), np.maximum(high, 0.0) + more
    return Enclosed(one.first + two.first, below[:length], above[:length], outside)


def _product(one: Floats, two: Floats, size: int) -> tuple[Floats, float]:
    """Masses of a sum, and how far each may be off."""
    first, second = np.fft.rfft(one, size), np.fft.rfft(two, size)
    rounding = _rounding(size)
    sizes = np.abs(first) * float(two.sum()) + np.abs(second) * float(one.sum())
    both = first * second
    # roundings of both factors; of their product, six half ulps, and of the way back
    error = 2.0 * float((sizes * rounding + np.abs(both) * (rounding + 3.0 * ULP)).sum()) / size
    return np.fft.irfft(both, size), error


def _rounding(size: int) -> float:
    """Rounding of a transform, relative to the sum of its terms."""
    # each stage: roundings of a complex product (2.3 half ulps), of its factor, and of a sum
    return 3.0 * ULP * math.log2(size)


def _tilted(
    masses: Floats, count: int, place: tuple[int, int], tilt: float, about: FewPoints
) -> tuple[Floats, Floats]:
    """The masses at most and at least, from copies with weights e^(tilt x)."""
    first, size = place
    start = len(masses) - 1 if tilt > 0.0 else 0
    weighted = masses * np.exp(tilt * (np.arange(len(masses)) - start)) if tilt else masses
    total = float(weighted.sum())
    log_total = math.log(total) + tilt * start
    transform = np.fft.rfft(weighted / total, size)
    rounding = _rounding(size)
    sizes = np.minimum(np.abs(transform) + rounding, 1.0)
    kept = np.flatnonzero(sizes >= NEGLIGIBLE_POWER ** (1.0 / count))
    powers = np.zeros(len(transform), dtype=np.complex128)
    powers[kept] = _power(transform[kept], count)
    # a power moves by its exponent times what its base is off; products have six roundings
    lost = count * (rounding + 6.0 * ULP) + rounding
    error = 2.0 * lost * float((sizes[kept] ** (count - 1)).sum()) / size + 2.0 * NEGLIGIBLE_POWER
    found = np.roll(np.fft.irfft(powers, size), -(first % size))
    around = sum(about.beyond(count, first, first + size - 1, tilt, count * log_total))
    log_scale = count * log_total - tilt * (first + np.arange(size))
    scale = np.exp(np.minimum(log_scale, LARGEST))
    low = np.where(log_scale < LARGEST, np.maximum(found - error - around, 0.0) * scale, 0.0)
    return low, (np.maximum(found, 0.0) + error) * scale


def _power(base: Complexes, count: int) -> Complexes:
    """Squares and products: fewer roundings than the exponent has."""
    found = np.ones(len(base), dtype=np.complex128)
    while count:
        if count & 1:
            found *= base
        count >>= 1
        if count:
            base = base * base
    return found
