"""The largest promise of each release that keeps a limit, for all releases together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, final

from dprisk._checks import PROBABILITY, one_of, scalar
from dprisk._values import result
from dprisk.answer import Answer
from dprisk.budget.composition_plan import ADAPTIVE, Together, settled
from dprisk.budget.monotone_search import nearest
from dprisk.budget.search_limits import (
    BY_ORDERS,
    ROUNDED,
    Status,
    certainly_broken,
    closeness,
    ended_early,
)
from dprisk.budget.tolerances import Tolerance, failure_of
from dprisk.composition import Composed
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.mechanisms.base import whole
from dprisk.risk.certainty import DEFAULT_CONFIDENCE

__all__ = ["DEFINITIONS", "PARAMETERS", "Allowed", "Definition", "chosen_delta", "largest_budget"]

Definition = Literal["pure", "approximate", "concentrated", "gaussian"]
DEFINITIONS: tuple[Definition, ...] = ("pure", "approximate", "concentrated", "gaussian")
PARAMETERS: dict[str, str] = {
    "pure": "epsilon",
    "approximate": "epsilon",
    "concentrated": "rho",
    "gaussian": "mu",
}
Family = Callable[[float], Guarantee]

SHARE: Final = 0.01
ENDS: Final = (1e-300, 9e8)


@final
@result
@dataclass(frozen=True, repr=False)
class Allowed:
    """The largest promise for each release that keeps a limit. Made by `largest_budget`.

    Parameters
    ----------
    limit : Tolerance
        What has to be kept by all releases together, with the confidence that counts.
    definition : str
        What each release promises.
    parameter : str
        Its parameter that was looked for: epsilon, rho or mu.
    status : {"limited", "no limit", "infeasible"}
        ``no limit``: every value keeps the limit. ``infeasible``: none above 0 does.
    value : Answer
        The largest value, never above the truth, at which the limit is kept as computed; the other
        end of its bracket does not keep it, where that is known. inf without a limit, 0 where
        infeasible.
    guarantee : Guarantee or None
        The promise of each release at that value.
    whole : Composed or None
        What all releases keep then.
    measured : Answer or None
        What is limited, there.
    together : Together
        How the releases were composed.
    reason : str
        Why it is infeasible, or why nothing is limited; empty otherwise.
    """

    limit: Tolerance
    definition: str
    parameter: str
    status: Status
    value: Answer
    guarantee: Guarantee | None
    whole: Composed | None
    measured: Answer | None
    together: Together
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            `value` is None without a limit; `at_most` is the other end of its bracket.
        """
        value, (_, upper) = float(self.value), self.value.bracket
        inner = {} if self.guarantee is None else self.guarantee.parameters
        measured = None if self.measured is None else float(self.measured)
        theorem = self.value.theorem
        return {
            "definition": self.definition,
            "status": self.status,
            "limit": self.limit.to_dict(),
            "parameter": self.parameter,
            "value": value if math.isfinite(value) else None,
            "bound": self.value.bound,
            "at_most": upper if upper is not None and math.isfinite(upper) else None,
            "parameters": {k: v for k, v in inner.items() if not isinstance(v, float) or v < 1e308},
            "releases": self.together.releases,
            "rule": self.together.rule,
            "at_delta": self.together.at_delta,
            "measured": measured if measured is not None and math.isfinite(measured) else None,
            "composition": None if self.whole is None else str(self.whole.theorem),
            "lossy": [] if self.whole is None else list(self.whole.lossy),
            "reason": self.reason,
            "theorem": str(theorem),
            "citation": theorem.citation,
            "assumptions": list(self.value.assumptions),
        }


def chosen_delta(confidence: float, releases: int = 1) -> float:
    """The delta of each release where none is given: a hundredth of the failure, in equal shares.

    Parameters
    ----------
    confidence : float
        Probability with which a limit has to be kept. (0, 1)
    releases : int
        How many releases share it. [1, 10^9]

    Returns
    -------
    float
        (1 - confidence) / (100 releases). At 1 in 100 of the failure the step from epsilon to the
        shift of the log-odds (P0, Theorem 3.9) costs about 0.02 nats; a smaller delta costs noise.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Notes
    -----
    A delta also allows a mechanism to publish somebody's record with that probability: with n
    people in the data, choose one far below 1/n whatever this says.

    Examples
    --------
    >>> from dprisk.budget import chosen_delta
    >>> chosen_delta(0.99, 10)
    1e-05
    """
    return failure_of(confidence) * SHARE / whole("releases", releases, 1)


def largest_budget(
    limit: Tolerance,
    definition: Definition | Family,
    *,
    neighbors: Neighbors = "add-remove",
    delta: float | None = None,
    releases: int | Together = 1,
) -> Allowed:
    """The largest epsilon, rho or mu of each release that keeps a limit.

    Parameters
    ----------
    limit : Tolerance
        What all releases together have to keep.
    definition : {"pure", "approximate", "concentrated", "gaussian"} or callable
        What each release promises; or, for any other promise, a function from a number in
        (0, 10^9) to a guarantee, the weaker the larger the number.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    delta : float, optional
        Of approximate DP, for each release. [0, 1]. Left out, `chosen_delta`.
    releases : int or Together
        How many releases; or that with how they are composed and what was spent before.
        [1, 10^9]

    Returns
    -------
    Allowed
        The value keeps the limit as computed; the other end of its bracket, mostly 10^-9 above,
        does not.

    Raises
    ------
    InvalidInput
        If a word is unknown, or a delta is needed.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If the limit has no meaning under these neighbors, or only a bounded loss keeps it.

    Notes
    -----
    One search serves every definition: what is limited never falls as the budget grows, so the
    forward answer is followed to where it comes up to the limit. P0, Example 4.2, prints 0.135 for
    what is 0.0678 (Examples of `InformedLimit`): 0.135 belongs to a delta near 0.009.

    References
    ----------
    .. [1] P0, Section 4.3.

    Examples
    --------
    >>> from dprisk.budget import InformedLimit, largest_budget
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> for definition in ("pure", "approximate", "gaussian"):
    ...     found = largest_budget(limit, definition, releases=30)
    ...     print(definition, found.parameter, round(found.value.value, 4))
    pure epsilon 0.1057
    approximate epsilon 0.1047
    gaussian mu 0.1051
    """
    how = settled(releases)
    one_of("neighbors", neighbors, NEIGHBORS)
    if callable(definition):
        name, parameter, family = definition(1.0).definition, "parameter", definition
    else:
        name = one_of("definition", definition, DEFINITIONS)
        parameter = PARAMETERS[name]
        family = _family(name, neighbors, _delta(limit, name, delta, how.releases))
    limit = limit.read_with(*how.counted(family(1.0)))
    if limit.certain and name not in ("pure", "approximate") and not callable(definition):
        raise Meaningless(NOT_CERTAIN.format(name=NAMES[name]))
    return _searched(limit, name, parameter, family, how)


NAMES: Final = {"concentrated": "Zero-concentrated DP", "gaussian": "Gaussian DP"}
NOT_CERTAIN: Final = (
    "{name} bounds the privacy loss only up to a probability, so nothing that has to hold with "
    "certainty follows from it. Say with which confidence the limit has to be kept, such as 0.99."
)


def _delta(limit: Tolerance, definition: str, delta: float | None, releases: int) -> float:
    if definition != "approximate":
        if delta is not None:
            fix = "Only approximate DP has one for each release."
            raise InvalidInput("delta", delta, f"left out for {definition} DP", fix)
        return 0.0
    if delta is not None:
        return scalar("delta", delta, PROBABILITY)
    confidence = limit.confidence
    if confidence is None and limit.takes_confidence:
        confidence = DEFAULT_CONFIDENCE
    if confidence is None:
        fix = "There is no confidence to choose one from: give it, such as 1e-6."
        raise InvalidInput("delta", None, "a number in [0, 1]", fix)
    return chosen_delta(confidence, releases)


def _family(definition: str, neighbors: Neighbors, delta: float) -> Family:
    if definition == "pure":
        return lambda x: PureDP(x, neighbors=neighbors)
    if definition == "approximate":
        return lambda x: ApproxDP(x, delta, neighbors=neighbors)
    if definition == "concentrated":
        return lambda x: ZeroConcentratedDP(x, neighbors=neighbors)
    return lambda x: GaussianDP(x, neighbors=neighbors)


def _searched(
    limit: Tolerance, name: str, parameter: str, family: Family, how: Together
) -> Allowed:
    example = family(1.0)
    ended = ended_early(limit, example.neighbors)
    if ended is not None:
        status, reason = ended
        end = math.inf if status == "no limit" else 0.0
        return _ended(limit, name, parameter, status, end, how, reason, example)
    seen: dict[float, Answer] = {}

    def measure(x: float) -> float:
        if x not in seen:
            seen[x] = limit.measured(how.of(family(x), certain=limit.certain).guarantee)
        return float(seen[x])

    start = _start(limit, name, example.neighbors, how.releases)
    base = float(limit.measured(PureDP(0.0, neighbors=example.neighbors)))
    measure(start)
    found = nearest(
        measure,
        limit.most,
        start,
        base=base,
        curvature=limit.curvature,
        tolerance=closeness(seen[start], base),
        ends=ENDS,
    )
    if found.kept == 0.0:
        reason = _why_none(limit, family, how)
        return _ended(limit, name, parameter, "infeasible", 0.0, how, reason, example)
    one = family(found.kept)
    made, at = how.of(one, certain=limit.certain), seen[found.kept]
    tight = how.is_tight(one) and not made.lossy
    rounded = BY_ORDERS if one.composes_by == "orders" else ROUNDED
    other = certainly_broken(measure, seen, limit.most, base, found, rounded) if tight else None
    lines = (*at.assumptions, *((ADAPTIVE,) if how.releases > 1 or how.spent else ()))
    value = Answer(found.kept, "lower", at.theorem, lines, other)
    return Allowed(limit, name, parameter, "limited", value, one, made, at, how, "")


def _ended(
    limit: Tolerance,
    name: str,
    parameter: str,
    status: Status,
    value: float,
    how: Together,
    reason: str,
    example: Guarantee,
) -> Allowed:
    theorem = limit.measured(PureDP(0.0, neighbors=example.neighbors)).theorem
    answer = Answer(value, "exact", theorem, (f"Neighbors: {example.neighbors}.",))
    return Allowed(limit, name, parameter, status, answer, None, None, None, how, reason)


def _why_none(limit: Tolerance, family: Family, how: Together) -> str:
    """No budget above 0: because of what was spent, because of the delta, or because of all."""
    neighbors = family(1.0).neighbors
    nothing = PureDP(0.0, neighbors=neighbors)
    if how.spent and not limit.kept_by(how.of(nothing, certain=limit.certain).guarantee):
        return "What has been released before does not keep the limit: nothing is left to spend."
    least = family(ENDS[0])
    given = getattr(least, "stated_delta", 0.0)
    if given > 0.0 and not limit.kept_by(how.of(least).guarantee):
        times = f" {how.releases} times over" if how.releases > 1 else ""
        return (
            f"A delta of {given:g}{times} breaks the limit at any epsilon: it allows outputs that "
            "reveal everything with about that probability. Give a smaller delta, or less "
            "confidence."
        )
    if how.at_delta is not None:
        return (
            f"Read at the one delta of {how.at_delta:g} no budget keeps the limit: give another, "
            "or leave it out."
        )
    return "Only a release that says nothing keeps it: no budget above 0 does."


def _start(limit: Tolerance, name: str, neighbors: Neighbors, releases: int) -> float:
    mu = limit.separation(neighbors) / math.sqrt(releases)
    if name == "concentrated":
        mu = mu * mu / 2.0
    elif name != "gaussian":
        mu = max(mu, limit.shift(neighbors) / releases)
    return min(max(mu, ENDS[0]), ENDS[1]) if 0.0 < mu < math.inf else 1.0
