"""The largest promise of each release that keeps a limit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, final

from dprisk._checks import PROBABILITY, scalar, whole
from dprisk._values import members, plain, result
from dprisk.budget.limits import Limit, failure_of
from dprisk.budget.search import LimitSolution, Search, Together, as_together, counted, only_bounded
from dprisk.errors import InvalidInput, one_of
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.laplace import LaplaceDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.risk.adversary import DEFAULT_CONFIDENCE
from dprisk.text import english

Definition = Literal["pure", "approximate", "concentrated", "gaussian", "laplace"]
DEFINITIONS: Final[tuple[Definition, ...]] = ("pure", "approximate", "concentrated", "gaussian")
"""Those that are looked for where none is named."""
PROMISES: Final[dict[Definition, Callable[..., Guarantee]]] = {
    "pure": PureDP,
    "approximate": ApproxDP,
    "concentrated": ZeroConcentratedDP,
    "gaussian": GaussianDP,
    "laplace": LaplaceDP,
}
Family = Callable[[float], Guarantee]
ENDS: Final = (1e-300, 9e8)


@final
@result
@dataclass(frozen=True, repr=False)
class Allowed(LimitSolution):
    """The largest promise for each release that keeps a limit. Made by `largest_budget`."""

    definition: str  # of what each release promises
    parameter: str  # the one that was looked for: epsilon, rho or mu
    guarantee: Guarantee | None  # the promise of each release at that value

    @property
    def delta(self) -> float:
        """The delta of each release; 0 where its promise has none."""
        return 0.0 if self.guarantee is None else self.guarantee.parameters.get("delta", 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: `at_most` is the other end of the bracket of the value."""
        inner = {} if self.guarantee is None else self.guarantee.parameters
        return {
            **members(self, "definition", "status", "limit", "parameter"),
            "value": plain(float(self.value)),
            "bound": self.value.bound,
            "at_most": plain(self.value.bracket[1]),
            "parameters": {k: v for k, v in inner.items() if not isinstance(v, float) or v < 1e308},
            **members(self, "together.releases", "together.rule", "together.at_delta"),
            "measured": None if self.measured is None else plain(float(self.measured)),
            "composition": None if self.whole is None else str(self.whole.theorem),
            "lossy": [] if self.whole is None else list(self.whole.lossy),
            **self._cited(),
            "assumptions": list(self.value.assumptions),
        }


def chosen_delta(confidence: float, releases: int = 1, people: int | None = None) -> float:
    """The delta of each release where none is given: small beside the failure and the people."""
    failure = failure_of(confidence)
    if people is not None:
        failure = min(failure, 1.0 / whole("people", people, 1))
    return failure * 0.01 / whole("releases", releases, 1)


def largest_budget(
    limit: Limit,
    definition: Definition | Family,
    *,
    neighbors: Neighbors = "add-remove",
    delta: float | None = None,
    releases: int | Together = 1,
    people: int | None = None,
) -> Allowed:
    """The largest epsilon, rho or mu of each release that keeps a limit.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep.
    definition : {"pure", "approximate", "concentrated", "gaussian", "laplace"} or callable
        What each release promises; or a function from a number in (0, 10^9) to a guarantee, the
        weaker the larger the number.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    delta : float, optional
        Of approximate DP, for each release. [0, 1]. Left out, a hundredth of the failure, shared
        out, and far below one over the people.
    releases : int or Together
        How many releases; or that with how they are composed and what was spent before. [1, 10^9]
    people : int, optional
        How many people the data are about. [1, 10^9]

    Returns
    -------
    Allowed
        The value keeps the limit as computed; the other end of its bracket, mostly 10^-9 above,
        does not.

    Raises
    ------
    InvalidInput
        If a word is unknown, or a delta is needed.
    Meaningless
        If the limit has no meaning under these neighbors, or only a bounded loss keeps it.

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
    how = as_together(releases)
    one_of("neighbors", neighbors, NEIGHBORS)
    if callable(definition):
        name, parameter, family = definition(1.0).definition, "parameter", definition
    else:
        name = one_of("definition", definition, tuple(PROMISES))
        given = _delta(limit, name, delta, how.releases, people)
        family = partial(PROMISES[name], **given, neighbors=neighbors)
        parameter = next(iter(family(1.0).parameters))
    example = family(1.0)
    limit = limit.read_with(*counted(how, example))
    search = Search(
        limit, how, example.neighbors, lambda x: how.of(family(x), certain=limit.certain)
    )
    if not callable(definition) and "approximate" not in example.additive_parameters:
        only_bounded(limit, example)

    def start() -> float:
        mu = search.start(pure=example.composes_by == "losses")
        return mu * mu / 2.0 if example.composes_by == "orders" else mu

    found = search.solve(family, start, ENDS, partial(_why_none, search, family))
    one = family(float(found[1])) if found[0] == "limited" else None
    return Allowed(*found, name, parameter, one)


def _delta(
    limit: Limit, definition: str, delta: float | None, releases: int, people: int | None
) -> dict[str, float]:
    """Delta of a promise of approximate DP, given or chosen; other definitions have none."""
    if definition != "approximate":
        refuse_delta(definition, delta=delta)
        return {}
    if delta is not None:
        return {"delta": scalar("delta", delta, PROBABILITY)}
    confidence = limit.confidence
    if confidence is None and limit.takes_confidence:
        confidence = DEFAULT_CONFIDENCE
    if confidence is None:
        fix = "There is no confidence to choose one from: give it, such as 1e-6."
        raise InvalidInput("delta", None, str(PROBABILITY), fix)
    return {"delta": chosen_delta(confidence, releases, people)}


def refuse_delta(definition: str, **given: float | None) -> None:
    """Refuse what only a promise that has a delta would use."""
    for key, value in given.items():
        if value is not None:
            fix = "Only approximate DP has a δ for each release: ask for it, or leave this out."
            raise InvalidInput(key, value, f"left out: no δ is chosen for {definition}", fix)


def _why_none(search: Search, family: Family) -> str:
    """No budget above 0: because of what was spent, because of the delta, or because of all."""
    limit, how = search.limit, search.how
    nothing = PureDP(0.0, neighbors=search.neighbors)
    if how.spent and not limit.kept_by(how.of(nothing, 0, certain=limit.certain).guarantee):
        return english("budget.spent")
    least = family(ENDS[0])
    given = float(least.delta(math.inf))
    if given > 0.0 and not limit.kept_by(how.of(least).guarantee):
        times = "times" if how.releases > 1 else "once"
        return english(f"budget.delta-breaks.{times}", delta=f"{given:g}", number=how.releases)
    if how.at_delta is not None:
        return english("budget.at-delta-breaks", delta=f"{how.at_delta:g}")
    return english("budget.only-silence")
