"""The composition rules of the textbooks, each a valid upper bound, none of them the truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, PROBABILITY, numbers, scalar
from dprisk._numeric.binomial import offset
from dprisk._numeric.exact import root_up, rounded_up, total
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import UNIT
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Composed, Guarantee, Neighbors
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from dprisk.guarantees.words import in_words
from dprisk.losses.normal import ResponseLoss
from dprisk.text import english
from dprisk.theorems import (
    BASIC_COMPOSITION,
    GAUSSIAN_COMPOSITION,
    RENYI_COMPOSITION,
    ZCDP_COMPOSITION,
    Theorem,
)

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
    from dprisk.accountant.methods.by_binomial import ByBinomial

    epsilon0, delta0 = scalar("epsilon0", epsilon0, LIMITED), scalar("delta0", delta0, PROBABILITY)
    whole = ByBinomial(ResponseLoss(epsilon0, delta0), k)
    index = whole.lattice_index(scalar("delta", delta, PROBABILITY))
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
        raise InvalidInput("counts", counts, "whole numbers in [1, 1e15]")
    try:
        epsilon, delta, count = np.broadcast_arrays(*map(np.ravel, given))
    except ValueError:
        sizes = tuple(array.size for array in given)
        name = "epsilons, deltas, counts"
        raise InvalidInput(name, sizes, "as many of each") from None
    return epsilon, delta, count


def _sum(values: Floats, counts: Floats) -> float:
    return rounded_up(total(values.tolist(), counts.tolist()))


Number = float | Fraction


def adds_up(guarantees: Sequence[Guarantee]) -> bool:
    """Whether, with certainty, epsilons that add up say all there is."""
    return all("pure" in each.additive_parameters for each in guarantees)


def simple(parts: Sequence[Guarantee], times: Sequence[int]) -> Composed | None:
    """By the first rule that adds the parameters of all of these, where there is one."""
    for definition in SUMMING:
        if all(definition in part.additive_parameters for part in parts):
            return summed(parts, times, definition)
    return None


def summed(parts: Sequence[Guarantee], times: Sequence[int], definition: str) -> Composed:
    """By the rule of a definition that each of these can be read as."""
    rule = SUMMING[definition]
    each = [part.additive_parameters[definition] for part in parts]
    common = set.intersection(*(set(one.numbers) for one in each))
    sums = {
        name: _sum_of(times, [one.numbers[name] for one in each])
        for name in each[0].numbers
        if name in common
    }
    lossy = [
        english("composition.was", part=in_words(part), read=one.read_as)
        for part, one in zip(parts, each, strict=True)
        if one.read_as
    ]
    whole = rule.whole(sums, parts[0].neighbors)
    return Composed(whole, rule.theorem, tuple(dict.fromkeys(lossy)))


def _sum_of(times: Sequence[int], values: Sequence[Number]) -> Number:
    return total(values, times) if max(values) < math.inf else math.inf


def _up(amount: Number) -> float:
    return rounded_up(amount) if isinstance(amount, Fraction) else amount


def _pure(sums: Mapping[Any, Number], neighbors: Neighbors) -> Guarantee:
    return PureDP(_up(sums["epsilon"]), neighbors=neighbors)


def _approximate(sums: Mapping[Any, Number], neighbors: Neighbors) -> Guarantee:
    return ApproxDP(_up(sums["epsilon"]), min(_up(sums["delta"]), 1.0), neighbors=neighbors)


def _gaussian(sums: Mapping[Any, Number], neighbors: Neighbors) -> Guarantee:
    return GaussianDP(root_up(Fraction(sums["mu_squared"])), neighbors=neighbors)


def _concentrated(sums: Mapping[Any, Number], neighbors: Neighbors) -> Guarantee:
    rho, xi, delta = (_up(sums[name]) for name in ("rho", "xi", "delta"))
    return ZeroConcentratedDP(rho, xi=xi, delta=min(delta, 1.0), neighbors=neighbors)


def _renyi(sums: Mapping[Any, Number], neighbors: Neighbors) -> Guarantee:
    if not sums:
        raise Meaningless(
            "These Rényi guarantees have no order in common, and divergences add only at one "
            "order. State them at a common order."
        )
    orders = sorted(sums)
    return RenyiDP(orders, [_up(sums[order]) for order in orders], neighbors=neighbors)


class SummingRule(NamedTuple):
    """How what is promised by one definition adds up."""

    theorem: Theorem
    whole: Callable[[Mapping[Any, Number], Neighbors], Guarantee]


SUMMING: Mapping[str, SummingRule] = {
    "pure": SummingRule(BASIC_COMPOSITION, _pure),
    "gaussian": SummingRule(GAUSSIAN_COMPOSITION, _gaussian),
    "approximate": SummingRule(BASIC_COMPOSITION, _approximate),
    "concentrated": SummingRule(ZCDP_COMPOSITION, _concentrated),
    "renyi": SummingRule(RENYI_COMPOSITION, _renyi),
}
"""The strongest first; a guarantee says by `additive_parameters` which of them serve it."""
