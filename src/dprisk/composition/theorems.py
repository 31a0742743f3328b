"""The composition rules of the textbooks, each a valid upper bound, none of them the truth.

The truth, for parameters that are all the same, is `dprisk.accountant.binomial_profile`.

Symbols: docs/notation.md.
"""

from __future__ import annotations

import math
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, PROBABILITY, numbers, one_of
from dprisk._numeric.binomial import offset
from dprisk._numeric.exact import rounded_up, total
from dprisk._numeric.logspace import Floats
from dprisk._numeric.weights import UNIT
from dprisk.accountant.binomial_profile import RepeatedResponse
from dprisk.errors import InvalidInput, refused
from dprisk.text import fill

__all__ = ["advanced", "basic", "optimal_lattice"]

Form = Literal["exponential", "tanh"]

FORMS: Final[tuple[Form, ...]] = get_args(Form)


def basic(
    epsilons: npt.ArrayLike, deltas: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[float, float]:
    """Basic composition (P0 Theorem 2.8(1)): epsilons add, deltas add.

    Parameters
    ----------
    epsilons : array_like of float
        Parameter of each release. [0, 1e9], nats
    deltas : array_like of float
        Additive slack of each. [0, 1]
    counts : array_like of int
        How often each is released. [1, 1e15]

    Returns
    -------
    tuple of float
        epsilon and delta of all together, an upper bound: the sums of the floats, rounded up.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or they do not go together.

    Examples
    --------
    >>> from dprisk.composition.theorems import basic
    >>> basic([0.25, 0.5], [0.125, 0.0], [3, 1])
    (1.25, 0.375)
    """
    epsilon, delta, count = _releases(epsilons, deltas, counts)
    return _sum(epsilon, count), min(_sum(delta, count), 1.0)


def advanced(
    epsilons: npt.ArrayLike,
    deltas: npt.ArrayLike,
    counts: npt.ArrayLike,
    slack: float,
    form: Form = "exponential",
) -> tuple[float, float]:
    """Advanced composition: the mean of the privacy loss and a deviation that has chance `slack`.

    Parameters
    ----------
    epsilons : array_like of float
        Parameter of each release. [0, 1e9], nats
    deltas : array_like of float
        Additive slack of each. [0, 1]
    counts : array_like of int
        How often each is released. [1, 1e15]
    slack : float
        What is added to the sum of the deltas. [0, 1]
    form : {"exponential", "tanh"}
        The mean of each loss: at most epsilon (e^epsilon - 1), as in P0 Theorem 2.8(2), or at most
        epsilon tanh(epsilon / 2), its value for randomized response, as in Kairouz 2015, Theorems
        3.4 and 3.5.

    Returns
    -------
    tuple of float
        epsilon and delta of all together, an upper bound. It can exceed the sum of the epsilons.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or they do not go together.

    Notes
    -----
    A loss between -epsilon and epsilon of that mean has e^(s (Z - mean)) at most e^(s^2 epsilon^2
    / 2) on average (Hoeffding), whence the deviation sqrt(2 log(1 / slack) sum epsilon^2).

    Examples
    --------
    >>> from dprisk.composition.theorems import advanced
    >>> round(advanced([0.05], [0.0], [51], 1e-3, form="tanh")[0], 6)
    1.390943
    """
    one_of("form", form, FORMS)
    epsilon, delta, count = _releases(epsilons, deltas, counts)
    chance = float(numbers("slack", slack, PROBABILITY))
    with np.errstate(over="ignore"):
        rise = np.expm1(epsilon) if form == "exponential" else np.tanh(epsilon / 2.0)
        mean = float(np.sum(count * epsilon * rise))
    square = float(np.sum(count * epsilon * epsilon))
    logarithm = -math.log(chance) if chance > 0.0 else math.inf
    deviation = math.sqrt(2.0 * logarithm * square) if square > 0.0 else 0.0
    most = (mean + deviation) * (1.0 + 128.0 * UNIT)  # rounded up
    return most, min(_sum(np.append(delta, chance), np.append(count, 1.0)), 1.0)


def optimal_lattice(k: int, epsilon0: float, delta: float, *, delta0: float = 0.0) -> float:
    """Optimal composition of equal parameters, read off the lattice of Kairouz 2015, Theorem 3.3.

    Parameters
    ----------
    k : int
        How many releases. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta : float
        Additive slack of all together. [0, 1]
    delta0 : float
        Additive slack of each. [0, 1]

    Returns
    -------
    float
        The least (k - 2 l) epsilon0 that is enough, an upper bound; infinite if none is. The
        exact curve lies up to 2 epsilon0 below.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.composition.theorems import optimal_lattice
    >>> round(optimal_lattice(42, 0.05, 1e-6), 9)
    1.4
    """
    index = RepeatedResponse(k, epsilon0, delta0).lattice_index(delta)
    if index < 0:
        return math.inf
    value = (k - 2 * index) * float(epsilon0)
    above = offset(k - 2 * index, float(epsilon0), value) > 0.0
    return math.nextafter(value, math.inf) if above else value


def _releases(
    epsilons: npt.ArrayLike, deltas: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[Floats, Floats, Floats]:
    """One row each, or what is wrong with them."""
    given = (
        numbers("epsilons", epsilons, LIMITED),
        numbers("deltas", deltas, PROBABILITY),
        np.atleast_1d(np.asarray(counts, dtype=float)),
    )
    count = given[2]
    if not (count.size and np.all((count >= 1) & (count <= 1e15) & (count == np.floor(count)))):
        raise InvalidInput("counts", counts, fill("composition.advanced.counts"))
    try:
        epsilon, delta, count = np.broadcast_arrays(*map(np.ravel, given))
    except ValueError:
        sizes = tuple(array.size for array in given)
        name = "epsilons, deltas, counts"
        raise refused("composition.advanced.rows", name, sizes) from None
    return epsilon, delta, count


def _sum(values: Floats, counts: Floats) -> float:
    return rounded_up(total(values.tolist(), counts.tolist()))
