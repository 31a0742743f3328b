"""The composition rules of the textbooks, each a valid upper bound, none of them the truth."""

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

Form = Literal["exponential", "tanh"]

FORMS: Final[tuple[Form, ...]] = get_args(Form)


def basic(
    epsilons: npt.ArrayLike, deltas: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[float, float]:
    """Basic composition (P0 Theorem 2.8(1)): epsilons add, deltas add."""
    epsilon, delta, count = _releases(epsilons, deltas, counts)
    return _sum(epsilon, count), min(_sum(delta, count), 1.0)


def advanced(
    epsilons: npt.ArrayLike,
    deltas: npt.ArrayLike,
    counts: npt.ArrayLike,
    slack: float,
    form: Form = "exponential",
) -> tuple[float, float]:
    """Advanced composition: the mean of the privacy loss and a deviation that has chance
    `slack`."""
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
    """Optimal composition of equal parameters, read off the lattice of Kairouz 2015, Theorem
    3.3."""
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
