"""A sheet of promises, rules, noise and training runs for several limits at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple, final

from dprisk._checks import FINITE_POSITIVE, PROBABILITY, scalar, whole
from dprisk._numeric.exact import rounded_up
from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.budget.largest import DEFINITIONS, Allowed, Definition, largest_budget, refuse_delta
from dprisk.budget.limits import Limit, ProfileLimit, checked_limits, unprotected_by
from dprisk.budget.noise import Calibrated, Noise, NoiseCost, calibrate, noise_for
from dprisk.budget.profile import Profile
from dprisk.budget.search import Together, as_together
from dprisk.budget.solving import Status
from dprisk.budget.training import TrainingFound, solve_training
from dprisk.composition.basis import Contradiction
from dprisk.composition.composing import Rule
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.releases.notes import Note, notes_data
from dprisk.releases.training import Training
from dprisk.text import count, english
from dprisk.text.rounding import short


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
    trainings: tuple[TrainingFound, ...] = ()  # with DP-SGD, the limit that binds
    people: int | None = None  # the data are about. [1, 10^9]
    contradicted: tuple[Contradiction, ...] = ()  # statements that cannot be kept: used for nothing

    @property
    def kept(self) -> bool:
        """Whether everything asked for is possible, and all statements can be kept."""
        return self.status != "infeasible" and not self.contradicted

    @property
    def status(self) -> Status:
        """``infeasible`` if anything that was asked for is; ``no limit`` if nothing binds."""
        found = {each.status for each in (*self.promises, *self.noise, *self.trainings)}
        if "infeasible" in found or not found:
            return "infeasible"
        return "limited" if "limited" in found else "no limit"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there is no number, each once."""
        found = [each.reason for each in (*self.promises, *self.noise, *self.trainings)]
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
        all_found = (*self.promises, *self.noise, *self.trainings)
        lists = [each.value.assumptions for each in all_found]
        return tuple(dict.fromkeys(said for each in lists for said in each))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Warnings about the training runs that were found, each once."""
        runs = (each.release for each in self.trainings if each.training is not None)
        return tuple(dict.fromkeys(note for run in runs for note in run.notes))

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
            "trainings": plain(self.trainings),
            "refused": [members(each, "what", "reason") for each in self.refused],
            **members(self, "on_delta", "unprotected", "assumptions", "contradicted"),
            "notes": notes_data(self.notes),
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
    noises: Sequence[Noise | Training | tuple[Noise, float]] = (),
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
    noises : sequence of str, (str, float) or Training
        Noise to be calibrated to the limits themselves, as for `calibrate`; with the rate of a
        sample, (0, 1]. Or a training with DP-SGD, of which one number is left out.
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
        refuse_delta(", ".join(wanted or map(_named, noises)), delta=delta, people=people)

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
    trained: list[TrainingFound] = []
    for each in noises:
        if isinstance(each, Training):
            ways = answered("dp-sgd", partial(solve_training, training=each, releases=best))
            rising = -1.0 if ways and ways[0].unknown == "noise_multiplier" else 1.0
            trained += sorted(ways, key=lambda way: rising * float(way.value))[:1]
            continue
        kind, more = (each, {}) if isinstance(each, str) else (each[0], {"rate": each[1]})
        noise = partial(calibrate, kind=kind, sensitivity=sensitivity, neighbors=neighbors)
        widths = answered(kind, partial(noise, releases=best, **more))
        made += sorted(widths, key=lambda one: -float(one.value))[:1]
    if unanswered and not found and not made and not trained:
        raise unanswered[-1][1]
    costs = tuple(
        () if each.guarantee is None else noise_for(each.guarantee, sensitivity) for each in found
    )
    refused = tuple(Refused(what, str(error)) for what, error in unanswered)
    answers = tuple(found), costs, tuple(made), refused
    return BudgetSheet(asked, neighbors, how, sensitivity, *answers, tuple(trained), people)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Justification:
    """The budget of a risk profile, and whether a guarantee keeps it. Made by `justify`."""

    limit: ProfileLimit  #: The profile, with the confidence with which it is kept.
    sheet: BudgetSheet  #: The largest promises that keep it, and their noise.
    #: E of Proposition 16: the guarantee counts as pure DP with this epsilon. [0, inf], nats
    measured: Answer

    @property
    def kept(self) -> bool:
        """Whether the guarantee certainly keeps the profile."""
        return float(self.measured) <= self.limit.most

    @property
    def used(self) -> float | None:
        """Share of the epsilon that the profile allows, about; None if that is 0. [0, inf]"""
        return float(self.measured) / self.limit.most if self.limit.most > 0.0 else None

    @property
    def others(self) -> dict[str, float]:
        """Epsilon by other rules at the priors that bind, about; each has a question of its own.

        ``half``: half the logarithm of the ratio. ``left_out``: which person was left out, from the
        same prior to the same posterior (Lee and Clifton 2011). ``with_data``: with the data and
        without (Wood et al. 2018). [0, inf], nats; empty where nothing binds.
        """
        binding = self.limit.budget.binding
        if binding is None or not 1.0 <= binding.ratio < math.inf:
            return {}
        prior = binding.membership_prior * binding.value_prior
        after, ratio = min(binding.ratio * prior, 1.0), math.log(binding.ratio)
        odds = ratio + math.log1p(-prior) - math.log1p(-after) if after < 1.0 else math.inf
        return {"half": ratio / 2.0, "left_out": odds, "with_data": odds / 2.0}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "profile": self.limit.to_dict(),
            **members(self, "kept", "used"),
            "measured": plain(float(self.measured)),
            "other_rules": plain(self.others),
            "sheet": self.sheet.to_dict(),
        }


def justify(
    profile: Profile, guarantee: Guarantee, confidence: float | None = None
) -> Justification:
    """The budget that a risk profile allows one release, and whether a guarantee keeps it.

    Parameters
    ----------
    profile : Profile
        The ratios of posterior to prior that are tolerated.
    guarantee : Guarantee
        What a release promises.
    confidence : float, optional
        Probability with which the profile is kept. (0, 1). Left out: only pure DP is looked for.

    Returns
    -------
    Justification
        With the largest promises, their noise, other rules, and what is left unprotected.

    Raises
    ------
    Meaningless
        For replace-one neighbors, unless the profile is about the membership prior 1 alone.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.budget import justify, ratio_or_posterior
    >>> survey = ratio_or_posterior(3.0, 0.025, membership_prior=0.05)
    >>> made = justify(survey, ZeroConcentratedDP(0.05, neighbors="add-remove"), 0.99)
    >>> made.kept, round(float(made.measured), 3), round(made.limit.most, 3)
    (True, 1.01, 1.087)
    """
    limit = ProfileLimit(profile, confidence)
    measured = limit.measured(guarantee)
    sheet = budgets([limit], neighbors=guarantee.neighbors)
    return Justification(limit, sheet, measured)


def _named(noise: Noise | Training | tuple[Noise, float]) -> str:
    """Its kind."""
    if isinstance(noise, Training):
        return "dp-sgd"
    return noise if isinstance(noise, str) else noise[0]


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
    """Six digits, as written by hand: 1e-6."""
    return short(float(f"{number:g}"))
