"""Probabilities p e^(r l) at real rates r: their sums, and how far off these are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from dprisk._numeric.logspace import Floats, log
from dprisk.losses.base import ULP, Complexes
from dprisk.losses.exponential_sums import BASE, FACTORIALS, TERMS, Whole, grown, moments
from dprisk.losses.laplace import log_one_plus

BLOCK = 2**18  # numbers in memory at a time
RATES_AT_ONCE = 8  # rates
GROWTH = 600.0  # nats from the first point to the last
FAINT_SUM = 1e-250  # beside it what underflows is nothing
SPARE = 45.0  # nats below the sum: less than a rounding


class Weighted(NamedTuple):
    """Probabilities at losses."""

    losses: Floats
    masses: Floats
    logs: Floats
    places: Whole | None = None
    spacing: float = 0.0


def log_sums(points: Weighted, rate: Floats) -> tuple[Floats, Floats]:
    """Logarithm of the sum of p e^(r l) for each rate r, and how far it is off."""
    value, error = np.full(rate.shape, -np.inf), np.zeros(rate.shape)
    there = np.flatnonzero(points.masses)
    if not there.size:
        return value, error
    todo = np.ones(rate.shape, dtype=bool)
    if points.places is not None:
        some, *found = _by_digits(points, points.places, rate)
        value[some], error[some] = found
        todo[some] = False
    left = np.flatnonzero(todo)
    left = left[np.argsort(rate[left])]
    rows = max(1, min(RATES_AT_ONCE, BLOCK // len(points.losses)))
    for start in range(0, len(left), rows):
        some = left[start : start + rows]
        value[some], error[some] = _directly(_near_end(points, there, rate[some]), rate[some])
    return value, error


def _by_digits(points: Weighted, places: Whole, rate: Floats) -> tuple[Whole, Floats, Floats]:
    """At rates at which each term is within what floats hold: which, logarithm and error."""
    low, high = points.losses[0], points.losses[-1]
    some = np.flatnonzero(np.abs(rate) * (high - low) <= GROWTH)
    size = grown(points.masses, places, rate[some] * points.spacing)
    some, size = some[size >= FAINT_SUM], size[size >= FAINT_SUM]
    power = np.abs(rate[some])
    start = rate[some] * np.where(rate[some] > 0.0, high, low)
    value = np.log(size) + start
    steps = BASE + np.log2(len(places)) + power * (high - low + BASE * points.spacing)
    # sums of `steps` roundings; a product, a logarithm and a sum: four more
    return some, value, 4.0 * ULP * (steps + np.abs(start) + np.abs(value))


def _near_end(points: Weighted, there: Whole, rate: Floats) -> Weighted:
    """Only what matters at rates so large: the others are less than the last one by far."""
    least = float(np.abs(rate).min())
    if least == 0.0 or (rate[0] > 0.0) != (rate[-1] > 0.0):
        return points
    end = int(there[-1 if rate[0] > 0.0 else 0])
    total = float(np.log(points.masses.sum()))
    reach = (total - float(points.logs[end]) + SPARE) / least
    if rate[0] > 0.0:
        part = slice(int(np.searchsorted(points.losses, points.losses[end] - reach)), end + 1)
    else:
        part = slice(end, int(np.searchsorted(points.losses, points.losses[end] + reach)) + 1)
    return Weighted(points.losses[part], points.masses[part], points.logs[part])


def _directly(points: Weighted, rate: Floats) -> tuple[Floats, Floats]:
    """Each around its largest term."""
    losses, _, logs = points[:3]
    exponent = rate[:, None] * losses
    exponent += logs
    largest = exponent.max(axis=1)
    exponent -= largest[:, None]
    weights = np.exp(exponent, out=exponent)
    size = weights.sum(axis=1)
    inside = 2.0 * np.abs(rate) * np.einsum("kn,n->k", weights, np.abs(losses))
    inside += np.einsum("kn,n->k", weights, np.where(np.isfinite(logs), np.abs(logs), 0.0))
    steps = 8.0 + np.log2(len(losses)) + inside / size
    value = largest + np.log(size)
    # `steps` counts roundings of exponents and sums; those of the largest: two
    return value, np.log1p(4.0 * ULP * steps) + 4.0 * ULP * np.abs(largest)


def tilted(masses: Floats, exponent: Floats) -> Floats:
    """p e^x, also where e^x alone is too large."""
    half = np.exp(np.clip(exponent / 2.0, -700.0, 700.0))
    return np.asarray(half * masses * half)


def excess(losses: Floats, masses: Floats, reverse_masses: Floats) -> Floats:
    """p (e^-l - 1 + l), as a power series where it is small."""
    small = np.abs(losses) < 1.0
    x = np.where(small, -losses, 0.0)
    series = np.zeros_like(x)
    for n in range(20, 2, -1):  # the rest is below 1 / 20!
        series = (series + 1.0) * x / n
    large = reverse_masses - masses + masses * losses
    return np.where(small, masses * (series + 1.0) * x * x / 2.0, large)


LEAST_SCALE = 1e-290  # losses: smaller ones are measured by this


@final
@dataclass(frozen=True, eq=False)
class MomentSeries:
    """The series of one loss."""

    losses: Floats
    masses: Floats
    reverse_masses: Floats
    infinite: float
    reverse_infinite: float

    def log_moment(self, s: Complexes) -> tuple[Complexes, Floats]:
        """log M(s) within the radius, and its error."""
        z, c = s * self.widest, self._coefficients[:TERMS]
        powers = np.vander(z, TERMS, increasing=True)
        total = np.einsum("kn,n->k", powers.real, c) + 1j * np.einsum("kn,n->k", powers.imag, c)
        near_one: Complexes = np.asarray(log_one_plus(total / self._finite), np.complex128)
        roundings = 16.0 + 4.0 * np.log2(len(self.losses)) + 4.0 * np.arange(TERMS)
        sizes = np.vander(np.abs(z), TERMS, increasing=True)
        off = np.einsum("kn,n->k", sizes, self._sizes[:TERMS] * roundings)
        known = abs(self._log_finite) if self.infinite < 0.5 else 1.0 + abs(self._log_finite)
        # each term has a few roundings, and so has M(0)
        return near_one + self._log_finite, ULP * (2.0 * off + roundings[0] * known)

    @cached_property
    def radius(self) -> float:
        """For abs(s) up to there M is M(0) up to a half, and the power series is all of it."""
        if not self._finite > 0.0:
            return 0.0
        size = 2.0 ** np.arange(-8.0, 4.5, 0.25)
        powers = np.vander(size, TERMS + 1, increasing=True)
        rest = powers[:, -1] * self._sizes[-1] * np.exp(size)
        # no rounding: what the series leaves out is far below an ulp
        good = (np.einsum("kn,n->k", powers, self._sizes) <= 0.5) & (
            rest <= 0.01 * ULP * powers[:, 2] * self._sizes[2]
        )
        return float(size[good].max(initial=0.0)) / self.widest

    @cached_property
    def widest(self) -> float:
        """Largest absolute loss; at least LEAST_SCALE, by which a probability can be divided."""
        return max(float(np.abs(self.losses).max(initial=0.0)), LEAST_SCALE)

    @cached_property
    def _finite(self) -> float:
        """M(0), without cancellation."""
        return 1.0 - self.infinite if self.infinite < 0.5 else float(self.masses.sum())

    @cached_property
    def _log_finite(self) -> float:
        return float(np.log1p(-self.infinite) if self.infinite < 0.5 else log(self._finite))

    @cached_property
    def _coefficients(self) -> Floats:
        """Each c_n in M(s) = M(0) + sum of c_n (s widest)^n, n = 0, 1, ...; the first is unused."""
        found = moments([self.masses], self.losses / self.widest)[0] / FACTORIALS
        sure = max(self.infinite, self.reverse_infinite) < 0.5
        parts = excess(self.losses, self.masses, self.reverse_masses)
        gap = self.reverse_infinite - self.infinite
        mean = parts.sum() + gap if sure else (self.masses * self.losses).sum()
        found[0], found[1] = 0.0, float(mean) / self.widest if self.losses.any() else 0.0
        return np.asarray(found)

    @cached_property
    def _sizes(self) -> Floats:
        """Magnitude behind each c_n / M(0): absolute moments, odd ones by their neighbors."""
        sizes = np.abs(self._coefficients) / self._finite
        n = np.arange(3, TERMS, 2)
        sizes[n] = np.sqrt(sizes[n - 1] * sizes[n + 1] * (n + 1.0) / n)
        if not self.losses.any():
            return sizes  # M is M(0), and no mean is to be found
        apart = self.infinite + self.reverse_infinite
        if max(self.infinite, self.reverse_infinite) >= 0.5:
            apart += float((self.masses * np.abs(self.losses)).sum())
        sizes[1] += apart / (self.widest * self._finite)
        return sizes
