"""Randomized response repeated: the exact profile, between two doubles that bracket it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, final

import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers, scalar
from dprisk._numeric.weights import log_weight
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.randomized_response import Responses, checked, elementwise

ANY = Domain(-math.inf, math.inf)


class Tails(NamedTuple):
    """Probabilities of the same losses under P and under Q."""

    p: Bracket
    q: Bracket


@final
@dataclass(frozen=True)
class RepeatedResponse:
    """k-fold randomized response."""

    k: int
    epsilon0: float
    delta0: float = 0.0

    def __post_init__(self) -> None:
        for name, value in zip(("k", "epsilon0", "delta0"), checked(*self._given), strict=True):
            object.__setattr__(self, name, value)

    def delta(self, epsilon: npt.ArrayLike) -> Bracket:
        """Privacy profile."""
        return elementwise(self._responses.delta, numbers("epsilon", epsilon, NONNEGATIVE))

    def epsilon(self, delta: npt.ArrayLike) -> Bracket:
        """Inverse of the profile: the least epsilon at which delta is small enough."""
        return elementwise(self._responses.epsilon, numbers("delta", delta, PROBABILITY))

    def tails(self, epsilon: npt.ArrayLike, *, strict: bool = True) -> Tails:
        """P[Z > epsilon] and Q[Z > epsilon], Z finite."""
        found, x = self._responses, numbers("epsilon", epsilon, ANY)
        return Tails(
            elementwise(lambda one: found.at_most(found.last_above(one, strict)), x),
            elementwise(lambda one: found.at_least(self.k - found.last_above(one, strict)), x),
        )

    def log_atom(self, wrong: int) -> float:
        """log P[Z = (k - 2 wrong) epsilon0] where nothing is revealed, to the last digit or so."""
        m = int(scalar("wrong", wrong, Domain(0, self.k)))
        return float(log_weight(self.k, m, self.epsilon0))

    def lattice_index(self, delta: float) -> int:
        """The largest l for which (k - 2 l) epsilon0 is known to be enough, up to floor(k / 2)."""
        return self._responses.lattice_index(scalar("delta", delta, PROBABILITY))

    @property
    def _given(self) -> tuple[int, float, float]:
        return self.k, self.epsilon0, self.delta0

    @property
    def _responses(self) -> Responses:
        return _remembered(*self._given)


@lru_cache(maxsize=16)
def _remembered(k: int, epsilon0: float, delta0: float) -> Responses:
    """What was just asked about is likely to be asked about again."""
    return Responses(k, epsilon0, delta0)
