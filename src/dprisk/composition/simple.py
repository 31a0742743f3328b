"""The simple rules of composition: parameters add, and are rounded up once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dprisk._numeric.exact import root_up, rounded_up, total
from dprisk.accountant.citations import BASIC
from dprisk.composition.composed import Composed
from dprisk.errors import Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee, Neighbors, in_words
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP
from dprisk.sources import Theorem
from dprisk.text import english, fill

CONCENTRATED = Theorem("P0", "Theorem 2.9", english("theorems.rhos"))
RENYI = Theorem("Mironov 2017", "Proposition 1", english("theorems.divergences"))
GAUSSIAN = Theorem("Dong 2022", "Corollary 3.3", english("theorems.mus"))

Number = float | Fraction


def adds_up(guarantees: Sequence[Guarantee]) -> bool:
    """Whether, with certainty, epsilons that add up say all there is."""
    return all("pure" in each.summands for each in guarantees)


def simple(parts: Sequence[Guarantee], times: Sequence[int]) -> Composed | None:
    """By the first rule that adds the parameters of all of these, where there is one."""
    for definition in RULES:
        if all(definition in part.summands for part in parts):
            return summed(parts, times, definition)
    return None


def summed(parts: Sequence[Guarantee], times: Sequence[int], definition: str) -> Composed:
    """By the rule of a definition that each of these can be read as."""
    rule = RULES[definition]
    each = [part.summands[definition] for part in parts]
    common = set.intersection(*(set(one.numbers) for one in each))
    sums = {
        name: _sum(times, [one.numbers[name] for one in each])
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


def _sum(times: Sequence[int], values: Sequence[Number]) -> Number:
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
        raise Meaningless(fill("composition.no-common-order"))
    orders = sorted(sums)
    return RenyiDP(orders, [_up(sums[order]) for order in orders], neighbors=neighbors)


class SummingRule(NamedTuple):
    """How what is promised by one definition adds up."""

    theorem: Theorem
    whole: Callable[[Mapping[Any, Number], Neighbors], Guarantee]


RULES: Mapping[str, SummingRule] = {
    "pure": SummingRule(BASIC, _pure),
    "gaussian": SummingRule(GAUSSIAN, _gaussian),
    "approximate": SummingRule(BASIC, _approximate),
    "concentrated": SummingRule(CONCENTRATED, _concentrated),
    "renyi": SummingRule(RENYI, _renyi),
}
"""The strongest first; a guarantee says by `summands` which of them serve it."""
