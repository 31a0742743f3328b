"""Everything about one budget on one sheet: promises, rules, noise, and what is not protected."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from typing import Any, Final, final

from dprisk._checks import FINITE_POSITIVE, PROBABILITY, scalar, whole
from dprisk._numeric.exact import rounded_up
from dprisk._values import members, plain, result
from dprisk.budget.calibrating import Calibrated, calibrate
from dprisk.budget.composition_plan import Together, settled
from dprisk.budget.largest import DEFINITIONS, Allowed, Definition, largest_budget
from dprisk.budget.limits import Limit
from dprisk.budget.noise import Noise, NoiseCost, noise_for
from dprisk.budget.status import Status
from dprisk.composition.basis import Contradiction
from dprisk.composition.composing import Rule
from dprisk.errors import Meaningless, refused
from dprisk.guarantees.base import Neighbors
from dprisk.text import count, english

SHEET: Final = "dprisk/budget/1"
MANY: Final = 0.01
"""Of delta times people: more than a delta leaves that is chosen for them (`chosen_delta`)."""


@final
@result
@dataclass(frozen=True, repr=False)
class Refused:
    """A promise or noise about which there is no answer. Made by `budgets`.

    Parameters
    ----------
    what : str
        Which one.
    reason : str
        Why, as a sentence.
    """

    what: str
    reason: str


@final
@result
@dataclass(frozen=True, repr=False)
class BudgetSheet:
    """The largest promises and the least noise that keep several limits. Made by `budgets`.

    Parameters
    ----------
    limits : tuple of Limit
        What all releases together have to keep, every one of them.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    together : Together
        How many releases, and what was spent before.
    sensitivity : float
        Most by which the one number of each release can differ. (0, 10^9]
    promises : tuple of Allowed
        For each definition, and for each rule, the limit that binds.
    costs : tuple of tuple of NoiseCost
        For each of the promises, the noise that keeps it.
    noise : tuple of Calibrated
        For each mechanism asked for, the limit that binds.
    refused : tuple of Refused
        What there is no answer about, and why.
    people : int, optional
        How many people the data are about. [1, 10^9]
    contradicted : tuple of Contradiction
        Statements of what was spent before that they cannot keep; used for nothing.
    """

    limits: tuple[Limit, ...]
    neighbors: Neighbors
    together: Together
    sensitivity: float
    promises: tuple[Allowed, ...]
    costs: tuple[tuple[NoiseCost, ...], ...]
    noise: tuple[Calibrated, ...]
    refused: tuple[Refused, ...]
    people: int | None = None
    contradicted: tuple[Contradiction, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether everything asked for is possible, and all statements can be kept."""
        return self.status != "infeasible" and not self.contradicted

    @property
    def status(self) -> Status:
        """``infeasible`` if anything that was asked for is; ``no limit`` if nothing binds."""
        found = {each.status for each in self.promises} | {each.status for each in self.noise}
        if "infeasible" in found or not found:
            return "infeasible"
        return "limited" if "limited" in found else "no limit"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there is no number, each once."""
        found = [each.reason for each in self.promises] + [each.reason for each in self.noise]
        found += [each.reason for each in self.refused]
        return tuple(dict.fromkeys(reason for reason in found if reason))

    @property
    def unprotected(self) -> tuple[str, ...]:
        """What the limits leave unprotected, in sentences."""
        lists = [limit.unprotected() for limit in self.limits]
        return tuple(dict.fromkeys(said for each in lists for said in each))

    @property
    def on_delta(self) -> tuple[str, ...]:
        """What the deltas mean for everybody in the data, in sentences; empty where none is."""
        return tuple(dict.fromkeys(said for each in self.promises for said in self._on(each)))

    def delta_times_people(self, found: Allowed) -> float | None:
        """How many people's records may be revealed on average, by all releases, at most.

        What was spent before counts with its own delta.

        Parameters
        ----------
        found : Allowed
            One of the promises.

        Returns
        -------
        float or None
            Rounded upwards. None where there is no delta, or nobody said how many people there are.
        """
        delta = _delta(found)
        if not delta or self.people is None:
            return None
        return rounded_up((self._of_these(delta) + self._of_spent) * self.people)

    def _of_these(self, delta: float) -> Fraction:
        return Fraction(delta) * self.together.releases

    @property
    def _of_spent(self) -> Fraction:
        """The deltas of what was spent before: with what probability a record is revealed."""
        spent = ((Fraction(float(part.delta(math.inf))), n) for part, n in self.together.spent)
        return sum((delta * count for delta, count in spent), Fraction(0))

    def _on(self, found: Allowed) -> Iterator[str]:
        delta, expected = _delta(found), self.delta_times_people(found)
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
        if expected > MANY * (1.0 + 1e-12):
            yield english("budget.on-delta.many", people=people)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What all of it takes for granted, each once."""
        lists = [each.value.assumptions for each in self.promises]
        lists += [each.width.assumptions for each in self.noise]
        return tuple(dict.fromkeys(said for each in lists for said in each))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk budget``.
        """
        pairs = zip(self.promises, self.costs, strict=True)
        return {
            "schema": SHEET,
            **members(self, "status", "reasons", "limits", "neighbors"),
            **members(self.together, "releases", "at_delta"),
            "spent": [
                {"guarantee": repr(part), "count": count} for part, count in self.together.spent
            ],
            "sensitivity": self.sensitivity,
            "people": self.people,
            "budgets": [
                promise.to_dict()
                | {"noise": plain(costs), "delta_times_people": self.delta_times_people(promise)}
                for promise, costs in pairs
            ],
            "mechanisms": plain(self.noise),
            "refused": [members(each, "what", "reason") for each in self.refused],
            **members(self, "on_delta", "unprotected", "assumptions", "contradicted"),
        }


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
        Of approximate DP, for each release. [0, 1]. Left out, `chosen_delta`.
    releases : int or Together
        How many releases, and so on. [1, 10^9]
    sensitivity : float
        Most by which the one number of each release can differ. (0, 10^9]
    people : int, optional
        How many people the data are about: a delta that is chosen is far below one over that.
        [1, 10^9]

    Returns
    -------
    BudgetSheet
        With the limit that binds for each, and what is not protected.

    Raises
    ------
    InvalidInput
        If there is no limit, a word is unknown, or there is a `delta` or `people` though nothing
        asked for has a delta.
    OutOfRange
        If a number is outside its range.
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
    >>> print(round(sheet.noise[0].width.value, 4), sheet.noise[0].cost.off_by)
    2.092 4.0
    """
    asked, how = checked_limits(limits), settled(releases)
    scalar("sensitivity", sensitivity, FINITE_POSITIVE)
    if delta is not None:
        scalar("delta", delta, PROBABILITY)
    if people is not None:
        people = whole("people", people, 1)
    wanted = list(definitions) or ([] if noises else _natural(asked, delta))
    if "approximate" not in wanted:
        _no_delta(", ".join(wanted or noises), delta=delta, people=people)
    found: list[Allowed] = []
    unanswered: list[Refused] = []
    last: Meaningless | None = None
    for name in wanted:
        for rule in rules or [how.rule]:
            try:
                found.append(
                    _promise(asked, name, neighbors, delta, replace(how, rule=rule), people)
                )
            except Meaningless as error:
                unanswered.append(Refused(name, str(error)))
                last = error
    made: list[Calibrated] = []
    for kind in noises:
        try:
            made.append(_noise(asked, kind, sensitivity, neighbors, how))
        except Meaningless as error:
            unanswered.append(Refused(kind, str(error)))
            last = error
    if last is not None and not found and not made:
        raise last
    costs = tuple(_costs(each, sensitivity) for each in found)
    given = tuple(found), costs, tuple(made), tuple(unanswered)
    return BudgetSheet(asked, neighbors, how, sensitivity, *given, people)


def _no_delta(asked: str, **given: float | None) -> None:
    """Refuse what only a promise that has a delta would use."""
    for key, value in given.items():
        if value is not None:
            raise refused("budget.no-delta", key, value, definition=asked)


def checked_limits(limits: Sequence[Limit]) -> tuple[Limit, ...]:
    """At least one, and nothing else."""
    found = tuple(limits)
    wrong = [each for each in found if not isinstance(each, Limit)]
    if not found or wrong:
        raise refused("budget.limits", "limits", wrong[0] if wrong else None)
    return found


def _natural(limits: tuple[Limit, ...], delta: float | None) -> list[Definition]:
    """The definitions that can keep the limits, as far as they are known to be asked for."""
    if any(limit.certain for limit in limits):
        return ["pure"]
    chosen = delta is not None or all(limit.confidence is not None for limit in limits)
    return [name for name in DEFINITIONS if chosen or name != "approximate"]


def _promise(
    limits: tuple[Limit, ...],
    name: Definition,
    neighbors: Neighbors,
    delta: float | None,
    how: Together,
    people: int | None,
) -> Allowed:
    given = delta if name == "approximate" else None
    found = [
        largest_budget(limit, name, neighbors=neighbors, delta=given, releases=how, people=people)
        for limit in limits
    ]
    return min(found, key=lambda each: float(each.value))


def _noise(
    limits: tuple[Limit, ...],
    kind: Noise,
    sensitivity: float,
    neighbors: Neighbors,
    how: Together,
) -> Calibrated:
    plain = replace(how, rule="best", at_delta=None)
    found = [
        calibrate(limit, kind, sensitivity, neighbors=neighbors, releases=plain) for limit in limits
    ]
    return max(found, key=lambda each: float(each.width))


def _costs(found: Allowed, sensitivity: float) -> tuple[NoiseCost, ...]:
    return () if found.guarantee is None else noise_for(found.guarantee, sensitivity)


def _delta(found: Allowed) -> float:
    """That of each release; 0 where its promise has none."""
    return 0.0 if found.guarantee is None else found.guarantee.parameters.get("delta", 0.0)


def _three_digits(amount: float) -> str:
    """Upwards, but for what the last digits of a double add to the decimals that were meant."""
    meant = Decimal(f"{amount:.12g}")
    with localcontext(prec=3, rounding=ROUND_CEILING):
        return _short(float(+meant))


def _short(number: float) -> str:
    """As it is written by hand: 1e-6."""
    return f"{number:g}".replace("e-0", "e-")
