"""The simple rules of composition: parameters add, and are rounded up once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from dprisk._numeric.exact import root_up, rounded_up, total
from dprisk.composition.values import Composed
from dprisk.errors import Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP
from dprisk.sources import Theorem
from dprisk.text import english

__all__ = ["simple"]

BASIC = Theorem("P0", "Theorem 2.8(1)", english("theorems.basic"))
CONCENTRATED = Theorem("P0", "Theorem 2.9", english("theorems.rhos"))
RENYI = Theorem("Mironov 2017", "Proposition 1", english("theorems.divergences"))
GAUSSIAN = Theorem("Dong 2022", "Corollary 3.3", english("theorems.mus"))
READ = "probabilistic DP was read as approximate DP with the same numbers (P0 Theorem 2.5)"


def simple(parts: Sequence[Guarantee], times: Sequence[int]) -> Composed | None:
    """By the rule that adds the parameters of these definitions, where there is one."""
    if any(isinstance(part, ProbabilisticDP) for part in parts):
        done = simple([_as_approximate(part) for part in parts], times)
        return None if done is None else Composed(done.guarantee, done.theorem, (READ, *done.lossy))
    kinds = {type(part) for part in parts}
    for allowed, rule in RULES:
        if kinds <= allowed:
            return rule(parts, list(times))
    return None


def _as_approximate(part: Guarantee) -> Guarantee:
    if not isinstance(part, ProbabilisticDP):
        return part
    return ApproxDP(part.stated_epsilon, part.stated_delta, neighbors=part.neighbors)


def _pure(parts: Sequence[Any], times: list[int]) -> Composed:
    epsilon = _sum(times, [part.stated_epsilon for part in parts])
    return Composed(PureDP(epsilon, neighbors=parts[0].neighbors), BASIC)


def _approximate(parts: Sequence[Any], times: list[int]) -> Composed:
    epsilon = _sum(times, [part.stated_epsilon for part in parts])
    delta = _sum(times, [getattr(part, "stated_delta", 0.0) for part in parts])
    return Composed(ApproxDP(epsilon, min(delta, 1.0), neighbors=parts[0].neighbors), BASIC)


def _gaussian(parts: Sequence[Any], times: list[int]) -> Composed:
    square = total([Fraction(part.mu) ** 2 for part in parts], times)
    return Composed(GaussianDP(root_up(square), neighbors=parts[0].neighbors), GAUSSIAN)


def _concentrated(parts: Sequence[Any], times: list[int]) -> Composed:
    rho: list[float | Fraction] = []
    xi, lossy = [], []
    for part in parts:
        if isinstance(part, PureDP):
            lossy.append(f"{part!r} was read as zCDP with rho = epsilon^2 / 2 (Bun and Steinke)")
            rho.append(_square(part.stated_epsilon) / 2)
        elif isinstance(part, GaussianDP):
            lossy.append(f"{part!r} was read as zCDP with rho = mu^2 / 2")
            rho.append(_square(part.mu) / 2)
        else:
            rho.append(part.rho)
        xi.append(getattr(part, "xi", 0.0))
    delta = _sum(times, [getattr(part, "stated_delta", 0.0) for part in parts])
    whole = ZeroConcentratedDP(
        _sum(times, rho),
        xi=_sum(times, xi),
        delta=min(delta, 1.0),
        neighbors=parts[0].neighbors,
    )
    return Composed(whole, CONCENTRATED, tuple(lossy))


def _renyi(parts: Sequence[Any], times: list[int]) -> Composed:
    common = sorted(set.intersection(*(set(part.alpha) for part in parts)))
    if not common:
        raise Meaningless(
            "These Rényi guarantees have no order in common, and divergences add only at one "
            "order. State them at a common order."
        )
    limits = [dict(zip(part.alpha, part.gamma, strict=True)) for part in parts]
    gamma = [_sum(times, [limit[order] for limit in limits]) for order in common]
    return Composed(RenyiDP(common, gamma, neighbors=parts[0].neighbors), RENYI)


def _square(value: float) -> float | Fraction:
    return Fraction(value) ** 2 if value < math.inf else value


def _sum(times: list[int], values: Sequence[float | Fraction]) -> float:
    return rounded_up(total(values, times)) if max(values) < math.inf else math.inf


Rule = Callable[[Sequence[Any], list[int]], Composed]
RULES: tuple[tuple[set[type[Guarantee]], Rule], ...] = (
    ({PureDP}, _pure),
    ({GaussianDP}, _gaussian),
    ({PureDP, ApproxDP}, _approximate),
    ({PureDP, GaussianDP, ZeroConcentratedDP}, _concentrated),
    ({RenyiDP}, _renyi),
)
