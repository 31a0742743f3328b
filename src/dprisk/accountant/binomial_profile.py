"""Randomized response repeated: the exact profile, between two doubles that bracket it.

Every (epsilon0, delta0)-DP mechanism is a post-processing of randomized response with parameter
epsilon0 that reveals the truth with probability delta0 (Kairouz 2015, Theorem 3.3). After k of
them, m the number of answers that speak for the wrong dataset,

    Z = (k - 2 m) epsilon0,   m ~ Binomial(k, 1 / (1 + e^epsilon0)),

with probability (1 - delta0)^k, and Z is infinite otherwise. With a the last m at which
Z > epsilon,

    delta(epsilon) = P[Z > epsilon] - e^epsilon Q[Z > epsilon]
                   = sum over m <= a of P(m) (1 - e^(epsilon - Z(m))),

a sum of positive terms, linear in e^epsilon from one value of Z to the next.

Symbols: docs/notation.md.
"""

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

__all__ = ["RepeatedResponse", "Tails"]

ANY = Domain(-math.inf, math.inf)


class Tails(NamedTuple):
    """Probabilities of the same losses under P and under Q."""

    p: Bracket
    q: Bracket


@final
@dataclass(frozen=True)
class RepeatedResponse:
    """k-fold randomized response.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]

    Raises
    ------
    OutOfRange
        If a number is outside its range.
    """

    k: int
    epsilon0: float
    delta0: float = 0.0

    def __post_init__(self) -> None:
        for name, value in zip(("k", "epsilon0", "delta0"), checked(*self._given), strict=True):
            object.__setattr__(self, name, value)

    def delta(self, epsilon: npt.ArrayLike) -> Bracket:
        """Privacy profile.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Bracket
            delta is at least `lower` and at most `upper`, same shape as `epsilon`.

        Raises
        ------
        OutOfRange
            If `epsilon` is outside its range.

        Examples
        --------
        >>> from dprisk.accountant.binomial_profile import RepeatedResponse
        >>> round(float(RepeatedResponse(1000, 0.1).delta(10.0).upper), 12)
        0.033313825692
        """
        return elementwise(self._responses.delta, numbers("epsilon", epsilon, NONNEGATIVE))

    def epsilon(self, delta: npt.ArrayLike) -> Bracket:
        """Inverse of the profile: the least epsilon at which delta is small enough.

        As computed, the upper `delta` at the upper epsilon is at most `delta`.

        Parameters
        ----------
        delta : array_like of float
            Additive slack. [0, 1]

        Returns
        -------
        Bracket
            epsilon is at least `lower` and at most `upper`, same shape as `delta`; infinite where
            more than `delta` is revealed.

        Raises
        ------
        OutOfRange
            If `delta` is outside its range.

        Examples
        --------
        >>> from dprisk.accountant.binomial_profile import RepeatedResponse
        >>> round(float(RepeatedResponse(1000, 0.1).epsilon(1e-6).upper), 9)
        19.344671448
        """
        return elementwise(self._responses.epsilon, numbers("delta", delta, PROBABILITY))

    def tails(self, epsilon: npt.ArrayLike, *, strict: bool = True) -> Tails:
        """P[Z > epsilon] and Q[Z > epsilon], Z finite.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [-inf, inf], nats
        strict : bool
            Whether a loss of exactly `epsilon` is left out.

        Returns
        -------
        Tails
            A bracket for each, same shape as `epsilon`, given that nothing is revealed.

        Raises
        ------
        OutOfRange
            If `epsilon` is outside its range.

        Examples
        --------
        >>> from dprisk.accountant.binomial_profile import RepeatedResponse
        >>> beyond = RepeatedResponse(2, 1.0).tails(0.0)
        >>> round(float(beyond.p.upper), 6), round(float(beyond.q.upper), 6)
        (0.534447, 0.072329)
        """
        found, x = self._responses, numbers("epsilon", epsilon, ANY)
        return Tails(
            elementwise(lambda one: found.at_most(found.last_above(one, strict)), x),
            elementwise(lambda one: found.at_least(self.k - found.last_above(one, strict)), x),
        )

    def log_atom(self, wrong: int) -> float:
        """log P[Z = (k - 2 wrong) epsilon0] where nothing is revealed, to the last digit or so.

        Parameters
        ----------
        wrong : int
            How many speak for the wrong dataset. [0, k]

        Returns
        -------
        float
            The logarithm under P; under Q it is that of ``k - wrong``.

        Raises
        ------
        OutOfRange
            If `wrong` is outside its range.

        Examples
        --------
        >>> from dprisk.accountant.binomial_profile import RepeatedResponse
        >>> round(RepeatedResponse(2, 1.0).log_atom(0), 9)
        -0.626523375
        """
        m = int(scalar("wrong", wrong, Domain(0, self.k)))
        return float(log_weight(self.k, m, self.epsilon0))

    def lattice_index(self, delta: float) -> int:
        """The largest l for which (k - 2 l) epsilon0 is known to be enough, up to floor(k / 2).

        Parameters
        ----------
        delta : float
            Additive slack. [0, 1]

        Returns
        -------
        int
            The index in Kairouz 2015, Theorem 3.3; -1 if more than `delta` is revealed.

        Raises
        ------
        OutOfRange
            If `delta` is outside its range.

        Examples
        --------
        >>> from dprisk.accountant.binomial_profile import RepeatedResponse
        >>> RepeatedResponse(1000, 0.1).lattice_index(1e-6)
        403
        """
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
