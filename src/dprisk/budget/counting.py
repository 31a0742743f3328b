"""How many more releases limits allow: by one rule of composition, and by every one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, final

from dprisk._checks import whole
from dprisk._values import brief, members, plain, result
from dprisk.answer import Answer
from dprisk.budget.limits import Limit, checked_limits, unprotected_by
from dprisk.budget.search import (
    LimitSolution,
    Search,
    Spent,
    Together,
    counted,
    is_tight,
    mu_squared,
    only_bounded,
)
from dprisk.budget.solving import Status
from dprisk.composition.basis import Contradiction, basis_of, contradicted
from dprisk.composition.composing import RULES
from dprisk.composition.theorems import adds_up
from dprisk.errors import Meaningless, refused
from dprisk.guarantees.base import Composed, Guarantee
from dprisk.mechanisms.base import Mechanism, in_words
from dprisk.releases.release import Release
from dprisk.text import english

MOST_RELEASES: Final = 10**9

Released = Guarantee | Mechanism | Release
Composing = Callable[[bool, int], Composed]
"""Function from a reading, with certainty or not, and a number of releases to what they keep."""


@final
@result
@dataclass(frozen=True, repr=False)
class Fitting(LimitSolution):
    """The most further releases that keep a limit. Made by `most_releases`."""

    whole: Composed
    measured: Answer
    each: Spent  # what one more release adds, part by part, and how often. [1, 10^9]
    own: bool  # whether what is run was used for it, and not only what is promised
    one_more: Answer | None  # what is limited after one release more; None without a limit
    rule: str = ""  # of an account of a ledger, if releases do not add up as in `together`

    @property
    def number(self) -> int:
        """Further releases: so many keep the limit as computed. [0, 10^9]"""
        return int(float(self.value))

    @property
    def certain(self) -> bool:
        """Whether one release more certainly breaks the limit, or is only not known to keep it."""
        more = replace(self.together, releases=2)
        if self.one_more is None or not is_tight(more, self.each) or self.whole.lossy:
            return False
        low = self.one_more.bracket[0]
        return low is not None and float(low) > self.limit.most

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; infinite numbers are None."""
        return {
            "rule": self.rule or self.together.rule,
            "holds_for": "mechanism" if self.own else "promise",
            **members(self, "together.at_delta", "status", "number", "certain", "limit"),
            "at_most": plain(float(self.measured)),
            "one_more_at_most": None if self.one_more is None else plain(float(self.one_more)),
            **members(self, "whole.guarantee.definition", composition=self.whole.theorem),
            **members(self, "whole.lossy", "measured.theorem", "measured.theorem.citation"),
            **members(self, "measured.assumptions", "reason"),
        }


def most_releases(
    limit: Limit,
    each: Released,
    *,
    releases: Together | None = None,
    own: bool = True,
) -> Fitting:
    """How many releases keep a limit, after what has been released already.

    Parameters
    ----------
    limit : Limit
        What everything together has to keep.
    each : Guarantee, Mechanism or Release
        What one release promises, or what is run.
    releases : Together, optional
        How they are composed, and what was spent before; its number of releases is not used.
    own : bool
        Whether to use the loss of what is run, where it is known (rule ``best``), or its promise.

    Returns
    -------
    Fitting
        The largest number that keeps the limit as computed, and what is limited after one more.

    Raises
    ------
    InvalidInput
        If `each` is something else.
    Meaningless
        If the rule does not compose this, or the limit has no meaning under these neighbors.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.budget import InformedLimit, most_releases
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> most_releases(limit, PureDP(0.05, neighbors="add-remove")).number
    133
    """
    how = releases if releases is not None else Together()
    return _count(limit, each, how, own, _composing(each, how, own))


def _composing(each: Released, how: Together, own: bool) -> Composing:
    """Compositions of any number of releases, each made once."""

    @cache
    def compose(certain: bool, number: int) -> Composed:
        return how.of(_one(each, how, own, certain), number, certain=certain)

    return compose


def _one(each: Released, how: Together, own: bool, certain: bool) -> Spent:
    """Parts that one release adds to a composition, each with its count."""
    promised = parts_of(each, False)
    sums = certain and adds_up([part for part, _ in promised])
    return promised if sums else parts_of(each, _uses_run(each, how, own))


def _uses_run(each: Released, how: Together, own: bool) -> bool:
    return own and how.rule == "best" and is_run(each)


def _count(
    limit: Limit,
    each: Released,
    how: Together,
    own: bool,
    compose: Composing,
    *,
    about: int = 0,
) -> Fitting:
    """The most releases by one rule; there are about so many."""
    promised = parts_of(each, False)
    limit = limit.read_with(*counted(how, promised))
    one, run = _one(each, how, own, limit.certain), _uses_run(each, how, own)
    neighbors = promised[0][0].neighbors
    search = Search(limit, how, neighbors, lambda number: compose(limit.certain, int(number)))

    def fitting(status: Status, number: int, at: int, over: int | None, reason: str) -> Fitting:
        now, more = search.measured(at), None if over is None else search.measured(over)
        value = Answer(float(number), "lower", now.theorem, now.assumptions)
        given = status, value, reason, limit, search.composed(at), now, how
        return Fitting(*given, one, run, more)

    status, reason = search.ended() or ("limited", english("budget.spent"))
    for part, _ in one:
        only_bounded(limit, part)
    last = MOST_RELEASES
    if status == "no limit":
        return fitting("no limit", last, 1, None, reason)
    if status == "infeasible" or search.size(0) > limit.most:
        return fitting("infeasible", 0, 0, 1, reason)
    if all(float(part.delta(0.0)) == 0.0 for part, _ in one):
        return fitting("no limit", last, 0, None, english("budget.silent"))
    start = max(about, _guess(limit, one, how.spent))
    number = search.last_kept(min(start, last), last)
    if number == last:
        return fitting("no limit", last, last, None, english("budget.more-than", number=last))
    reason = "" if number else english("budget.not-one-more")
    return fitting("limited" if number else "infeasible", number, number, number + 1, reason)


def one_release(each: Guarantee | Mechanism) -> Guarantee:
    """The strongest that is known of one release; of normal noise Gaussian DP says it all."""
    if isinstance(each, Guarantee):
        return each
    promise = each.guarantee()
    return promise if promise.composes_by == "parameters" else each.loss()


def is_run(each: Released) -> bool:
    """Whether something is known about what is run."""
    if isinstance(each, Release):
        return any(part.mechanism is not None for part in basis_of(each).parts)
    return isinstance(each, Mechanism)


def parts_of(each: Released, own: bool) -> Spent:
    """Parts of one release and their counts: as run if `own` and known, otherwise as promised."""
    if isinstance(each, Guarantee):
        return ((each, 1),)
    if isinstance(each, Mechanism):
        return ((one_release(each) if own else each.guarantee(), 1),)
    if not isinstance(each, Release):
        raise refused("errors.promise", "each", each)
    parts = basis_of(each.must_be_unconditional()).parts
    if not parts:
        raise refused("errors.release.no-parts", "each", each.name, name=each.name)
    return tuple(
        (
            one_release(part.mechanism) if own and part.mechanism else part.guarantee,
            part.count * each.releases,
        )
        for part in parts
    )


def _guess(limit: Limit, one: Spent, spent: Spent) -> int:
    """Guess the number of releases that normal noise with the same advantages would allow."""
    steps, mu = limit.steps(one[0][0].neighbors), mu_squared(one)
    apart = (limit.mu(limit.most) / steps) ** 2
    if not 0.0 < mu < math.inf or not 0.0 < apart < math.inf:
        return 1
    return int(min(max((apart - mu_squared(spent)) / mu, 1.0), float(MOST_RELEASES)))


# --- by every rule -------------------------------------------------------------------------------


@final
@result
@dataclass(frozen=True, repr=False)
class Plan:
    """How many more releases keep several limits, rule by rule. Made by `plan`."""

    subject: str  # what is released each time
    limits: tuple[Limit, ...]  # every one has to be kept, with the confidence that counts
    neighbors: str
    done: int  # how many such releases there have been already. [0, 10^9]
    fittings: tuple[Fitting, ...]  # for each rule, the limit that binds
    rule: str = ""  # of an account of a ledger, the first of them, if it is asked for
    contradicted: tuple[Contradiction, ...] = ()  # statements that cannot be kept: used for nothing

    def __repr__(self) -> str:
        number = "any number" if self.status == "no limit" else f"at most {self.best.number}"
        return f"<Plan for {brief(self.subject)}: {number} after {self.done} releases>"

    @property
    def best(self) -> Fitting:
        """The rule that counts: the one that allows most, unless one is asked for."""
        return self.fittings[0] if self.rule else max(self.fittings, key=lambda each: each.number)

    @property
    def kept(self) -> bool:
        """Whether one more release keeps the limits, and all statements can be kept."""
        return self.status != "infeasible" and not self.contradicted

    @property
    def status(self) -> Status:
        """``infeasible`` if not one more release keeps the limits."""
        return self.best.status

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the keys are those of ``dprisk plan --json``."""
        return {
            "schema": "dprisk/plan/1",
            **members(self, "subject", "neighbors", "limits", "done", "status", "best.number"),
            "best": self.fittings.index(self.best),
            "rules": plain(self.fittings),
            **members(self, "contradicted"),
            "unprotected": unprotected_by(self.limits),
        }


def plan(
    limits: Sequence[Limit],
    each: Released,
    *,
    done: int = 0,
    spent: Sequence[Released] = (),
    at_delta: float | None = None,
) -> Plan:
    """How many more releases keep several limits, by every composition rule that applies.

    Parameters
    ----------
    limits : sequence of Limit
        At least one; all of them have to be kept.
    each : Guarantee, Mechanism or Release
        What is released each time.
    done : int
        How many such releases there have been already. [0, 10^9]
    spent : sequence of Guarantee, Mechanism or Release
        What else has been released about the same people.
    at_delta : float, optional
        The delta at which promises are read. (0, 1). Left out: the whole curve, and no advanced
        composition, which needs one.

    Returns
    -------
    Plan
        For each rule the largest number, what is limited then, and after one release more.

    Raises
    ------
    InvalidInput
        If there is no limit, or `each` is something else.
    Meaningless
        If no rule gives an answer.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.budget import InformedLimit, plan
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> made = plan([limit], PureDP(0.05, neighbors="add-remove"), done=30, at_delta=1e-6)
    >>> [(found.together.rule, found.number) for found in made.fittings]
    [('simple', 0), ('advanced', 0), ('optimal', 14), ('best', 103)]
    """
    promised = [part for one in (each, *spent) for part, _ in parts_of(one, False)]
    everything = counted(Together(at_delta=at_delta), [(part, 1) for part in promised])
    asked = tuple(limit.read_with(*everything) for limit in checked_limits(limits))
    before = whole("done", done, 0)
    found: list[Fitting] = []
    last: Meaningless | None = None
    earlier: tuple[Together, Composing] | None = None
    for rule, own in (*((rule, False) for rule in (*RULES[1:], "best")), ("best", True)):
        if (rule == "advanced" and at_delta is None) or (own and not is_run(each)):
            continue
        by_run = own or (rule == "best" and not is_run(each))
        so_far = tuple(pair for one in spent for pair in parts_of(one, by_run))
        if before:
            so_far += tuple((part, count * before) for part, count in parts_of(each, by_run))
        how = Together(1, rule, None if rule == "best" else at_delta, spent=so_far)
        compose = _composing(each, how, own)
        if not own and earlier is not None and earlier[0] == replace(how, rule="optimal"):
            compose = earlier[1]  # what the optimal rule composes is the best that is known
        earlier = None
        about = max((one.number for one in found), default=0)  # what other rules found
        try:
            counts = [_count(limit, each, how, own, compose, about=about) for limit in asked]
            found.append(min(counts, key=lambda one: one.number))
            earlier = how, compose
        except Meaningless as error:
            last = error
    if not found and last is not None:
        raise last
    neighbors = found[0].each[0][0].neighbors
    false = contradicted(each, *spent)
    return Plan(subject_named(each), asked, neighbors, before, tuple(found), "", false)


def subject_named(each: Released) -> str:
    """Name of what is released each time, or its numbers in words."""
    return each.name if isinstance(each, Release) else in_words(each)
