"""Probabilities p e^(r l) at real rates r: their sums, and how far off these are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP
from dprisk.losses.phase_digits import BASE, Whole, grown

BLOCK = 2**18  # numbers in memory at a time
AT_ONCE = 8  # rates
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
    rows = max(1, min(AT_ONCE, BLOCK // len(points.losses)))
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
