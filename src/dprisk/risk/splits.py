"""The split of what may fail between one step and two that is best at a pair of priors.

One step (in the data or not) may fail with d1, two steps (the value) with d2, where d1 + d2 is what
may fail in all (dprisk, Proposition 16).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import down
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.risk.ratio_tails import mixture

Splits = Callable[[Floats], tuple[Floats, Floats]]
"""From shares of the failure that one step takes to the shifts of one step and of two."""

SHARES: Final = np.unique([*2.0 ** -np.arange(1, 27), *1.0 - 2.0 ** -np.arange(2, 27), 1.0])
BETWEEN: Final = np.linspace(0.0, 1.0, 33)[1:-1]
AT_ONE_PAIR: Final = 1e-9  # relative, for one pair of priors
ROUNDS_AT_PAIR: Final = 4  # each of them 32 times closer
LEAST: Final = float(np.finfo(float).tiny)
NEAR: Final = 2.0 * float(np.log(2.0))


class Shifts(NamedTuple):
    """How far the log-odds may move in one step (in the data or not) and in two (the value)."""

    one: float
    two: float

    def times(self, factor: float) -> Shifts:
        """Both, multiplied."""
        return Shifts(self.one * factor, self.two * factor)

    @property
    def near(self) -> bool:
        """Whether both are so small that differences from 1 are asked about."""
        return self.two < NEAR


def for_mixtures(guarantee: Guarantee) -> Guarantee:
    """Return what holds for one who does not know the other records: for mixtures of neighbors."""
    return guarantee if guarantee.holds_for_any_rest else mixture(guarantee).kept


def splits_of(guarantee: Guarantee, failure: float, sides: Sides) -> Splits:
    """The shifts that a guarantee for add-remove neighbors and mixtures of them allows."""
    return partial(_split, guarantee, guarantee.for_neighbors("replace-one"), failure, sides)


def _split(
    guarantee: Guarantee, twice: Guarantee, failure: float, sides: Sides, shares: Floats
) -> tuple[Floats, Floats]:
    """The shifts of one step and of two where these shares of the failure are for the first."""
    first = failure * shares
    one = np.asarray(guarantee.loss_bound(first, sides=sides).value)
    left = np.maximum(down(failure - first), 0.0)
    return one, np.asarray(twice.loss_bound(left, sides=sides).value)


class Tried(NamedTuple):
    """Shares of the failure that one step takes, rising, and the shifts."""

    shares: Floats
    one: Floats
    two: Floats

    @classmethod
    def of(cls, splits: Splits, shares: Floats = SHARES) -> Tried:
        return cls(shares, *splits(shares))

    @property
    def even(self) -> int:
        """Index at which both are least, as under pure DP; or else the first of them."""
        larger = self.larger
        return int(np.argmin(larger if np.isfinite(larger).any() else self.one))

    @property
    def larger(self) -> Floats:
        """Epsilon of pure DP at which it allows both shifts."""
        return np.maximum(self.one, self.two / 2.0)

    @property
    def unit(self) -> float:
        """Shift that the others are compared with."""
        one, two = self.shifts(self.even)
        return max(one, two / 2.0) if np.isfinite(two) else one

    def shifts(self, at: int) -> Shifts:
        """Both; where that of two is less than that of one, that of one counts."""
        one = max(float(self.one[at]), LEAST)
        return Shifts(one, max(float(self.two[at]), one))


class Weights(NamedTuple):
    """Weights of one step and of two, and what their shifts are multiplied by."""

    first: float
    second: float
    times: float = 1.0
    rising: bool = False  # whether two steps count as one where they move less

    @classmethod
    def at(cls, p: float, q: float, times: float = 1.0, rising: bool = False) -> Weights:
        """Weights of a membership prior p and a value prior q."""
        return cls(1.0 - p, p * (1.0 - q), times, rising)

    def kept(self, one: Any, two: Any) -> Any:
        """Sum of what is left of the alternatives."""
        two = np.maximum(one, two) if self.rising else two
        return self.first * np.exp(-self.times * one) + self.second * np.exp(-self.times * two)


def closer(
    tried: Tried,
    splits: Splits,
    weights: Weights,
    least: Callable[[Shifts], float] | None = None,
) -> tuple[Tried, int, Weights]:
    """More splits, the index of that which keeps most at some priors, and its weights.

    `least`: how much the shifts of a split may at least be multiplied by.
    """
    for level in range(ROUNDS_AT_PAIR + 1):
        kept = weights.kept(tried.one, tried.two)
        at = int(np.argmax(kept))
        ends = np.arange(max(at - 1, 0), min(at + 2, len(kept)))
        most = weights.kept(tried.one[ends[1:]], tried.two[ends[:-1]])  # one falls, two rises
        same = AT_ONE_PAIR * min(kept[at], max(sum(weights[:2]) - kept[at], 0.0))
        flat = kept[at] - np.sort(kept)[-3] <= same
        if level == ROUNDS_AT_PAIR or flat or np.all(most - kept[at] <= same):
            break
        if least is not None:
            weights = weights._replace(times=max(weights.times, least(tried.shifts(at))))
        between = [low + (high - low) * BETWEEN for low, high in pairwise(tried.shares[ends])]
        new = Tried.of(splits, np.concatenate(between))
        both = [np.concatenate(each) for each in zip(tried, new, strict=True)]
        order = np.argsort(both[0])
        tried = Tried(*(each[order] for each in both))
    return tried, at, weights
