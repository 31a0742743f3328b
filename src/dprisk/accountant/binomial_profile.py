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
from functools import lru_cache
from typing import NamedTuple

import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers, scalar
from dprisk._numeric.weights import log_weight
from dprisk.accountant.contour import Bracket
from dprisk.accountant.randomized_response import Responses, checked, elementwise

__all__ = ["Tails", "delta", "epsilon", "lattice_index", "log_atom", "tails"]

ANY = Domain(-math.inf, math.inf)


class Tails(NamedTuple):
    """Probabilities of the same losses under P and under Q."""

    p: Bracket
    q: Bracket


def delta(k: int, epsilon0: float, delta0: float, epsilon: npt.ArrayLike) -> Bracket:
    """Privacy profile of k-fold randomized response.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]
    epsilon : array_like of float
        Privacy loss limit. [0, inf], nats

    Returns
    -------
    Bracket
        delta is at least `lower` and at most `upper`, same shape as `epsilon`.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.accountant.binomial_profile import delta
    >>> round(float(delta(1000, 0.1, 0.0, 10.0).upper), 12)
    0.033313825692
    """
    responses = _repeated(k, epsilon0, delta0)
    return elementwise(responses.delta, numbers("epsilon", epsilon, NONNEGATIVE))


def epsilon(k: int, epsilon0: float, delta0: float, delta: npt.ArrayLike) -> Bracket:
    """Inverse of the profile: the least epsilon at which delta is small enough.

    As computed, the upper `delta` at the upper epsilon is at most `delta`.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]
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
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.accountant.binomial_profile import epsilon
    >>> round(float(epsilon(1000, 0.1, 0.0, 1e-6).upper), 9)
    19.344671448
    """
    responses = _repeated(k, epsilon0, delta0)
    return elementwise(responses.epsilon, numbers("delta", delta, PROBABILITY))


def tails(k: int, epsilon0: float, epsilon: npt.ArrayLike, *, strict: bool = True) -> Tails:
    """P[Z > epsilon] and Q[Z > epsilon] for k-fold randomized response that reveals nothing.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    epsilon : array_like of float
        Privacy loss limit. [-inf, inf], nats
    strict : bool
        Whether a loss of exactly `epsilon` is left out.

    Returns
    -------
    Tails
        A bracket for each, same shape as `epsilon`.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.accountant.binomial_profile import tails
    >>> beyond = tails(2, 1.0, 0.0)
    >>> round(float(beyond.p.upper), 6), round(float(beyond.q.upper), 6)
    (0.534447, 0.072329)
    """
    responses = _repeated(k, epsilon0)
    x = numbers("epsilon", epsilon, ANY)
    return Tails(
        elementwise(lambda one: responses.at_most(responses.last_above(one, strict)), x),
        elementwise(lambda one: responses.at_least(k - responses.last_above(one, strict)), x),
    )


def log_atom(k: int, epsilon0: float, wrong: int) -> float:
    """log P[Z = (k - 2 wrong) epsilon0] for k-fold randomized response, to the last digit or so.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    wrong : int
        How many speak for the wrong dataset. [0, k]

    Returns
    -------
    float
        The logarithm under P; under Q it is that of ``k - wrong``.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.accountant.binomial_profile import log_atom
    >>> round(log_atom(2, 1.0, 0), 9)
    -0.626523375
    """
    count, each, _ = checked(k, epsilon0, 0.0)
    return float(log_weight(count, int(scalar("wrong", wrong, Domain(0, count))), each))


def lattice_index(k: int, epsilon0: float, delta0: float, delta: float) -> int:
    """The largest l for which (k - 2 l) epsilon0 is known to be enough, of 0, ..., floor(k / 2).

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]
    delta : float
        Additive slack. [0, 1]

    Returns
    -------
    int
        The index in Kairouz 2015, Theorem 3.3; -1 if more than `delta` is revealed.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.accountant.binomial_profile import lattice_index
    >>> lattice_index(1000, 0.1, 0.0, 1e-6)
    403
    """
    responses = _repeated(k, epsilon0, delta0)
    return responses.lattice_index(scalar("delta", delta, PROBABILITY))


def _repeated(k: int, epsilon0: float, delta0: float = 0.0) -> Responses:
    """What was just asked about is likely to be asked about again."""
    return _remembered(*checked(k, epsilon0, delta0))


@lru_cache(maxsize=16)
def _remembered(k: int, epsilon0: float, delta0: float) -> Responses:
    return Responses(k, epsilon0, delta0)
