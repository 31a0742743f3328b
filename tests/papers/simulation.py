"""The likelihood-ratio test by simulation (P1, Section 6.3), sharing no code with exact powers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv
from scipy.stats import binom


class Simulated(NamedTuple):
    """Powers at levels, as counted, and the ends of a confidence interval for each."""

    power: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def holds(self, lower, upper):
        """Whether a bracket and the interval have a point in common, level by level."""
        return (np.asarray(upper) >= self.lower) & (np.asarray(lower) <= self.upper)


def simulate(exposure, levels=(0.01, 0.05, 0.1), *, draws=100_000, seed=0, confidence=0.99):
    """Power of the likelihood-ratio test, by drawing the noise of all cells that move.

    Four events, each with a quarter of the error probability, bound the power from both sides: the
    right threshold lies between two order statistics of the draws without the change (binomial
    bounds on their ranks), and the share of the other draws beyond each has a Clopper-Pearson
    bound. Ties count on the side that widens the interval.
    """
    tables, off = _tables(exposure)
    random = np.random.default_rng(seed)
    without, changed = (np.sort(_ratios(random, tables, draws, moved)) for moved in (0, 1))
    power, lower, upper = intervals(without, changed, np.ravel(levels), 1.0 - confidence, off)
    return Simulated(power, np.maximum(lower - off, 0.0), np.minimum(upper + off, 1.0))


def _tables(exposure):
    """For each width: cumulative weights, variance, cells; and how far all of it may be off."""
    cells = {}
    for query in exposure.queries:
        variance = float(query.moves / (2 * query.amount))
        cells[variance] = cells.get(variance, 0) + query.moves
    found, off = [], 0.0
    for variance, number in cells.items():
        k = np.arange(-_reach(variance), _reach(variance) + 1.0)
        found.append((np.cumsum(np.exp(-(k**2) / (2.0 * variance))), variance, number))
        off += number * len(k) ** 2 * float(np.finfo(float).eps)  # every sum, every outcome
    return found, off


def _reach(variance):
    return int(np.ceil(12.0 * np.sqrt(variance))) + 1  # beyond lies less than e^-71


def _ratios(random, tables, size, moved):
    """Log-likelihood ratios of whole tables, with `moved` added to every cell."""
    total = np.zeros(size)
    for weights, variance, cells in tables:
        for _ in range(cells):
            drawn = np.searchsorted(weights, random.uniform(0.0, weights[-1], size), side="right")
            noise = np.minimum(drawn, len(weights) - 1) - _reach(variance)
            total += (2.0 * (noise + moved) - 1.0) / (2.0 * variance)
    return total


def intervals(without, changed, levels, error, off):
    """Both samples sorted upwards; thresholds by rank from the top, powers by counting."""
    n, each = len(without), error / 4.0
    most = binom.isf(each, n, np.minimum(levels + off, 1.0))  # P[Bin > most] <= each
    least = binom.ppf(each, n, np.maximum(levels - off, 0.0))  # P[Bin < least] <= each
    low = _from_top(without, np.asarray(most) + 1.0)
    high = _from_top(without, np.asarray(least))
    above = n - np.searchsorted(changed, high, side="right")
    reached = n - np.searchsorted(changed, low, side="left")
    lower = np.where(above > 0, betaincinv(np.maximum(above, 1), n - above + 1, each), 0.0)
    rest = np.maximum(n - reached, 1)
    upper = np.where(reached < n, betaincinv(reached + 1, rest, 1.0 - each), 1.0)
    middle = _from_top(without, np.rint(n * levels))
    power = (n - np.searchsorted(changed, middle, side="right")) / n
    return power, np.asarray(lower), np.asarray(upper)


def _from_top(values, rank):
    """The rank-th largest; infinite beyond either end."""
    inside = np.clip(len(values) - rank, 0, len(values) - 1).astype(int)
    found = np.where(rank > len(values), -np.inf, values[inside])
    return np.where(rank < 1, np.inf, found)
