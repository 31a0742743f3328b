"""The largest promise that keeps a limit; and a sheet of promises, rules and noise for several."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Final, Literal, NamedTuple, final

from dprisk._checks import FINITE_POSITIVE, PROBABILITY, one_of, scalar, whole
from dprisk._numeric.exact import rounded_up
from dprisk._values import members, plain, result
from dprisk.budget.limits import Limit, checked_limits, failure_of, unprotected_by
from dprisk.budget.noise import Calibrated, Noise, NoiseCost, calibrate, noise_for
from dprisk.budget.search import LimitSolution, Search, Together, as_together, counted, only_bounded
from dprisk.budget.solving import Status
from dprisk.composition.basis import Contradiction
from dprisk.composition.composing import Rule
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.laplace import LaplaceDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.risk.adversary import DEFAULT_CONFIDENCE
from dprisk.text import count, english

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


class Refused(NamedTuple):
    """A promise or noise about which there is no answer, and why, as a sentence."""

    what: str
    reason: str


@final
@result
@dataclass(frozen=True, repr=False)
class BudgetSheet:
    """The largest promises and the least noise that keep several limits. Made by `budgets`."""

    limits: tuple[Limit, ...]  # every one has to be kept
    neighbors: Neighbors
    together: Together  # how many releases, and what was spent before
    sensitivity: float  # most by which the one number of each release can differ. (0, 10^9]
    promises: tuple[Allowed, ...]  # for each definition and each rule, the limit that binds
    costs: tuple[tuple[NoiseCost, ...], ...]  # for each of the promises, the noise that keeps it
    noise: tuple[Calibrated, ...]  # for each mechanism asked for, the limit that binds
    refused: tuple[Refused, ...]  # what there is no answer about
    people: int | None = None  # the data are about. [1, 10^9]
    contradicted: tuple[Contradiction, ...] = ()  # statements that cannot be kept: used for nothing

    @property
    def kept(self) -> bool:
        """Whether everything asked for is possible, and all statements can be kept."""
        return self.status != "infeasible" and not self.contradicted

    @property
    def status(self) -> Status:
        """``infeasible`` if anything that was asked for is; ``no limit`` if nothing binds."""
        found = {each.status for each in (*self.promises, *self.noise)}
        if "infeasible" in found or not found:
            return "infeasible"
        return "limited" if "limited" in found else "no limit"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there is no number, each once."""
        found = [each.reason for each in (*self.promises, *self.noise)]
        found += [each.reason for each in self.refused]
        return tuple(dict.fromkeys(reason for reason in found if reason))

    @property
    def unprotected(self) -> tuple[str, ...]:
        """Sentences on what the limits leave unprotected."""
        return tuple(unprotected_by(self.limits))

    @property
    def on_delta(self) -> tuple[str, ...]:
        """Sentences on what the deltas mean for everybody in the data; empty without a delta."""
        return tuple(dict.fromkeys(said for each in self.promises for said in self._on(each)))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Assumptions behind all promises and noise, each once."""
        lists = [each.value.assumptions for each in (*self.promises, *self.noise)]
        return tuple(dict.fromkeys(said for each in lists for said in each))

    def delta_times_people(self, found: Allowed) -> float | None:
        """How many people's records may be revealed on average, with what was spent, at most.

        None where there is no delta, or nobody said how many people there are.
        """
        if not found.delta or self.people is None:
            return None
        return rounded_up((self._of_these(found.delta) + self._of_spent) * self.people)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the keys are those of ``dprisk budget --json``."""
        spent = [{"guarantee": repr(part), "count": n} for part, n in self.together.spent]
        return {
            "schema": "dprisk/budget/1",
            **members(self, "status", "reasons", "limits", "neighbors"),
            **members(self.together, "releases", "at_delta"),
            "spent": spent,
            "sensitivity": self.sensitivity,
            "people": self.people,
            "budgets": [
                promise.to_dict()
                | {"noise": plain(costs), "delta_times_people": self.delta_times_people(promise)}
                for promise, costs in zip(self.promises, self.costs, strict=True)
            ],
            "mechanisms": plain(self.noise),
            "refused": [members(each, "what", "reason") for each in self.refused],
            **members(self, "on_delta", "unprotected", "assumptions", "contradicted"),
        }

    def _of_these(self, delta: float) -> Fraction:
        return Fraction(delta) * self.together.releases

    @property
    def _of_spent(self) -> Fraction:
        """The deltas of what was spent before: with what probability a record is revealed."""
        spent = ((Fraction(float(part.delta(math.inf))), n) for part, n in self.together.spent)
        return sum((delta * count for delta, count in spent), Fraction(0))

    def _on(self, found: Allowed) -> Iterator[str]:
        delta, expected = found.delta, self.delta_times_people(found)
        if not delta:
            return
        if expected is None or self.people is None:
            yield english("budget.on-delta.unknown", delta=_short(delta))
            yield english("delta.people.full")
            return
        number, people = self.together.releases, count(self.people)
        alone = _three_digits(float(self._of_these(delta) * self.people))
        times = "once" if number == 1 else "times"
        words = {"people": people, "expected": alone, "delta": _short(delta)}
        yield english(f"budget.on-delta.{times}", number=count(number), **words)
        if self._of_spent:
            yield english("budget.on-delta.before", expected=_three_digits(expected))
        if expected > 0.01 * (1.0 + 1e-12):  # more than `chosen_delta` leaves
            yield english("budget.on-delta.many", people=people)


def budgets(
    limits: Sequence[Limit],
    *,
    definitions: Sequence[Definition] = (),
    rules: Sequence[Rule] = (),
    noises: Sequence[Noise] = (),
    neighbors: Neighbors = "add-remove",
    delta: float | None = None,
    releases: int | Together = 1,
    sensitivity: float = 1.0,
    people: int | None = None,
) -> BudgetSheet:
    """The largest promises, and the least noise, that keep several limits at once.

    Parameters
    ----------
    limits : sequence of Limit
        At least one; all of them have to be kept.
    definitions : sequence of {"pure", "approximate", "concentrated", "gaussian", "laplace"}
        What each release may promise. Left out, which of the first four can keep the limits;
        nothing, if noise is asked for.
    rules : sequence of {"best", "simple", "advanced", "optimal"}
        How releases are composed, each on its own. Left out, the rule of `releases`.
    noises : sequence of {"geometric", "laplace", "gaussian", "discrete-gaussian"}
        Noise to be calibrated to the limits themselves.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    delta : float, optional
        Of approximate DP, for each release. [0, 1]. Left out, as for `largest_budget`.
    releases : int or Together
        How many releases, and so on. [1, 10^9]
    sensitivity : float
        Most by which the one number of each release can differ. (0, 10^9]
    people : int, optional
        How many people the data are about. [1, 10^9]

    Returns
    -------
    BudgetSheet
        With the limit that binds for each, and what is not protected.

    Raises
    ------
    InvalidInput
        If there is no limit, a word is unknown, or there is a `delta` or `people` though nothing
        asked for has a delta.
    Meaningless
        If there is no answer about any of it.

    Examples
    --------
    >>> from dprisk.budget import AttackLimit, InformedLimit, budgets
    >>> limits = [
    ...     InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99),
    ...     AttackLimit("power", 0.2, level=0.05),
    ... ]
    >>> sheet = budgets(limits, definitions=["gaussian"], noises=["discrete-gaussian"])
    >>> for found in sheet.promises:
    ...     print(found.parameter, round(found.value.value, 4), found.limit.metric)
    mu 0.4692 posterior
    >>> print(round(sheet.noise[0].value.value, 4), sheet.noise[0].cost.off_by)
    2.092 4.0
    """
    asked, how = checked_limits(limits), as_together(releases)
    scalar("sensitivity", sensitivity, FINITE_POSITIVE)
    if delta is not None:
        scalar("delta", delta, PROBABILITY)
    if people is not None:
        people = whole("people", people, 1)
    wanted = list(definitions) or ([] if noises else _natural(asked, delta))
    if "approximate" not in wanted:
        refuse_delta(", ".join(wanted or noises), delta=delta, people=people)

    unanswered: list[tuple[str, Meaningless]] = []

    def answered(what: str, find: Callable[[Limit], Any]) -> list[Any]:
        """Found for each of the limits; nothing where there is no answer about one."""
        try:
            return [find(limit) for limit in asked]
        except Meaningless as error:
            unanswered.append((what, error))
            return []

    found: list[Allowed] = []
    for name, rule in product(wanted, rules or [how.rule]):
        promise = partial(
            largest_budget,
            definition=name,
            neighbors=neighbors,
            delta=delta if name == "approximate" else None,
            releases=replace(how, rule=rule),
            people=people,
        )
        found += sorted(answered(name, promise), key=lambda each: float(each.value))[:1]
    best = replace(how, rule="best", at_delta=None)
    made: list[Calibrated] = []
    for kind in noises:
        noise = partial(calibrate, kind=kind, sensitivity=sensitivity, neighbors=neighbors)
        widths = answered(kind, partial(noise, releases=best))
        made += sorted(widths, key=lambda each: -float(each.value))[:1]
    if unanswered and not found and not made:
        raise unanswered[-1][1]
    costs = tuple(
        () if each.guarantee is None else noise_for(each.guarantee, sensitivity) for each in found
    )
    refused = tuple(Refused(what, str(error)) for what, error in unanswered)
    answers = tuple(found), costs, tuple(made), refused
    return BudgetSheet(asked, neighbors, how, sensitivity, *answers, people)


def _natural(limits: tuple[Limit, ...], delta: float | None) -> list[Definition]:
    """The definitions that can keep the limits, as far as they are known to be asked for."""
    if any(limit.certain for limit in limits):
        return ["pure"]
    chosen = delta is not None or all(limit.confidence is not None for limit in limits)
    return [name for name in DEFINITIONS if chosen or name != "approximate"]


def _three_digits(amount: float) -> str:
    """Upwards, but for what the last digits of a double add to the decimals that were meant."""
    with localcontext(prec=3, rounding=ROUND_CEILING):
        return _short(float(+Decimal(f"{amount:.12g}")))


def _short(number: float) -> str:
    """Write a number as one does by hand: 1e-6."""
    return f"{number:g}".replace("e-0", "e-")
