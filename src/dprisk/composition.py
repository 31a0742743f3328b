"""Several releases about the same people, by the simple rules: parameters add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any, final

import numpy as np

from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP
from dprisk.sources import Theorem

__all__ = ["Composed", "compose"]

BASIC = Theorem("P0", "Theorem 2.8(1)", "epsilons add, deltas add")
CONCENTRATED = Theorem("P0", "Theorem 2.9", "rhos add")
RENYI = Theorem("Mironov 2017", "Proposition 1", "divergences of one order add")
GAUSSIAN = Theorem("Dong 2022", "Corollary 3.3", "squares of mu add")
ALONE = Theorem("P0", "Definition 2.1", "one release, as stated")


@final
@dataclass(frozen=True)
class Composed:
    """The guarantee of all releases together. Made by `compose`.

    Parameters
    ----------
    guarantee : Guarantee
        What everything published keeps, as a whole.
    theorem : Theorem
        The rule that was used.
    lossy : tuple of str
        Which parts were first weakened to a common definition, and how.
    """

    guarantee: Guarantee
    theorem: Theorem
    lossy: tuple[str, ...] = ()


def compose(guarantees: Sequence[Guarantee], counts: Sequence[int] | None = None) -> Composed:
    """Guarantee of releases about the same people, chosen even after seeing earlier ones.

    Parameters
    ----------
    guarantees : sequence of Guarantee
        One for each release. At least one, all with the same neighbors.
    counts : sequence of int, optional
        How often each is released. [1, inf), one for each guarantee

    Returns
    -------
    Composed
        Pure and approximate (and probabilistic, read as approximate) DP add epsilon and delta;
        zCDP adds rho, xi and delta; Rényi DP adds gamma at the orders in common; Gaussian DP adds
        the squares of mu. Where definitions are mixed, pure and Gaussian parts are read as zCDP.
        An upper bound.

    Raises
    ------
    InvalidInput
        If nothing is given, or a count is not a positive integer.
    Meaningless
        If neighbors differ, or no simple rule combines the definitions; the message says what to
        do.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.composition import compose
    >>> compose([PureDP(0.25, neighbors="add-remove")], [4]).guarantee
    PureDP(epsilon=1.0, neighbors='add-remove')
    """
    parts = list(guarantees)
    times = [1] * len(parts) if counts is None else list(counts)
    _check(parts, times)
    if len(parts) == 1 and times[0] == 1:
        return Composed(parts[0], ALONE)
    kinds = {type(part) for part in parts}
    if ProbabilisticDP in kinds:
        parts = [_as_approximate(part) for part in parts]
        done = compose(parts, times)
        note = "probabilistic DP was read as approximate DP with the same numbers (P0 Theorem 2.5)"
        return Composed(done.guarantee, done.theorem, (note, *done.lossy))
    for allowed, rule in RULES:
        if kinds <= allowed:
            return rule(parts, times)
    names = ", ".join(sorted(part.definition for part in parts))
    raise Meaningless(
        f"No simple rule composes these definitions with one another: {names}. Convert them to one "
        "definition first (dprisk convert), at a delta of your choice."
    )


def _check(parts: list[Guarantee], times: list[int]) -> None:
    if not parts:
        raise InvalidInput("guarantees", parts, "at least one guarantee")
    if len(times) != len(parts):
        raise InvalidInput("counts", len(times), f"one for each of the {len(parts)} guarantees")
    for count in times:
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise InvalidInput("count", count, "a whole number of at least 1")
    relations = sorted({part.neighbors for part in parts})
    if len(relations) > 1:
        raise Meaningless(
            "These guarantees are about different neighbors (add-remove and replace-one) and do "
            'not compose. Bring the add-remove ones over with .for_neighbors("replace-one").'
        )


def _as_approximate(part: Guarantee) -> Guarantee:
    if not isinstance(part, ProbabilisticDP):
        return part
    return ApproxDP(part.stated_epsilon, part.stated_delta, neighbors=part.neighbors)


def _pure(parts: Sequence[Any], times: list[int]) -> Composed:
    total = _sum(times, [part.stated_epsilon for part in parts])
    return Composed(PureDP(total, neighbors=parts[0].neighbors), BASIC)


def _approximate(parts: Sequence[Any], times: list[int]) -> Composed:
    epsilon = _sum(times, [part.stated_epsilon for part in parts])
    delta = _sum(times, [getattr(part, "stated_delta", 0.0) for part in parts])
    return Composed(ApproxDP(epsilon, min(delta, 1.0), neighbors=parts[0].neighbors), BASIC)


def _gaussian(parts: Sequence[Any], times: list[int]) -> Composed:
    total = float(np.sqrt(_sum(times, [part.mu for part in parts], power=2)))
    return Composed(GaussianDP(total, neighbors=parts[0].neighbors), GAUSSIAN)


def _concentrated(parts: Sequence[Any], times: list[int]) -> Composed:
    rho, xi, lossy = [], [], []
    for part in parts:
        if isinstance(part, PureDP):
            lossy.append(f"{part!r} was read as zCDP with rho = epsilon^2 / 2 (Bun and Steinke)")
            rho.append(part.stated_epsilon**2 / 2.0)
        elif isinstance(part, GaussianDP):
            lossy.append(f"{part!r} was read as zCDP with rho = mu^2 / 2")
            rho.append(part.mu**2 / 2.0)
        else:
            rho.append(part.rho)
        xi.append(getattr(part, "xi", 0.0))
    delta = _sum(times, [getattr(part, "stated_delta", 0.0) for part in parts])
    total = ZeroConcentratedDP(
        _sum(times, rho),
        xi=_sum(times, xi),
        delta=min(delta, 1.0),
        neighbors=parts[0].neighbors,
    )
    return Composed(total, CONCENTRATED, tuple(lossy))


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


def _sum(times: list[int], values: list[float], power: int = 1) -> float:
    """Sum of powers in decimal arithmetic, so that twelve times 0.1 is 1.2."""
    with localcontext(prec=60):
        terms = (
            count * Decimal(repr(float(v))) ** power for count, v in zip(times, values, strict=True)
        )
        return float(sum(terms, Decimal(0)))


Rule = Callable[[Sequence[Any], list[int]], Composed]
RULES: tuple[tuple[set[type[Guarantee]], Rule], ...] = (
    ({PureDP}, _pure),
    ({GaussianDP}, _gaussian),
    ({PureDP, ApproxDP}, _approximate),
    ({PureDP, GaussianDP, ZeroConcentratedDP}, _concentrated),
    ({RenyiDP}, _renyi),
)
