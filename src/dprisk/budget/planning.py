"""How many more releases there may be: by every rule, with what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

from dprisk._checks import whole
from dprisk._values import brief, members, plain, result
from dprisk.budget.composition_plan import Together
from dprisk.budget.counting import Fitting, Known, counted, is_run, parts_of
from dprisk.budget.limits import Limit
from dprisk.budget.sheet import checked_limits
from dprisk.budget.status import Status
from dprisk.composition.basis import Contradiction, contradicted
from dprisk.composition.composing import RULES
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms.base import Mechanism, in_words
from dprisk.releases.release import Release

PLAN: Final = "dprisk/plan/1"


@final
@result
@dataclass(frozen=True, repr=False)
class Plan:
    """How many more releases keep several limits, rule by rule. Made by `plan`.

    Parameters
    ----------
    subject : str
        What is released each time.
    limits : tuple of Limit
        What everything together has to keep, every one of them, with the confidence that counts.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    done : int
        How many such releases there have been already. [0, 10^9]
    fittings : tuple of Fitting
        For each rule, the limit that binds.
    rule : str, optional
        The rule of an account of a ledger, which is the first of them, if it is asked for.
    contradicted : tuple of Contradiction
        Statements of these releases that they cannot keep; used for nothing.
    """

    subject: str
    limits: tuple[Limit, ...]
    neighbors: str
    done: int
    fittings: tuple[Fitting, ...]
    rule: str = ""
    contradicted: tuple[Contradiction, ...] = ()

    def __repr__(self) -> str:
        number = "any number" if self.status == "no limit" else f"at most {self.best.number}"
        return f"<Plan for {brief(self.subject)}: {number} after {self.done} releases>"

    @property
    def best(self) -> Fitting:
        """The rule that counts: the one that allows most, unless one is asked for."""
        if self.rule:
            return self.fittings[0]
        return max(self.fittings, key=lambda each: each.number)

    @property
    def kept(self) -> bool:
        """Whether one more release keeps the limits, and all statements can be kept."""
        return self.status != "infeasible" and not self.contradicted

    @property
    def status(self) -> Status:
        """``infeasible`` if not one more release keeps the limits."""
        return self.best.status

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk plan``.
        """
        unprotected = (said for limit in self.limits for said in limit.unprotected())
        return {
            "schema": PLAN,
            **members(self, "subject", "neighbors", "limits", "done", "status", "best.number"),
            "best": self.fittings.index(self.best),
            "rules": plain(self.fittings),
            **members(self, "contradicted"),
            "unprotected": list(dict.fromkeys(unprotected)),
        }


def plan(
    limits: Sequence[Limit],
    each: Guarantee | Mechanism | Release,
    *,
    done: int = 0,
    spent: Sequence[Guarantee | Mechanism | Release] = (),
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
        The delta at which rules about promises are read. (0, 1). Left out, the whole curve is used
        and advanced composition, which needs one, is left out.

    Returns
    -------
    Plan
        For each rule the largest number, what is limited then, and after one release more.

    Raises
    ------
    InvalidInput
        If there is no limit, or `each` is something else.
    OutOfRange
        If a number is outside its range.
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
    everything = Together(at_delta=at_delta).counted([(part, 1) for part in promised])
    asked = tuple(limit.read_with(*everything) for limit in checked_limits(limits))
    before = whole("done", done, 0)
    found: list[Fitting] = []
    last: Meaningless | None = None
    before_last: Together | None = None
    known: Known = {}
    for rule, own in (*((rule, False) for rule in (*RULES[1:], "best")), ("best", True)):
        if (rule == "advanced" and at_delta is None) or (own and not is_run(each)):
            continue
        so_far = _spent(each, before, spent, own or (rule == "best" and not is_run(each)))
        how = Together(1, rule, None if rule == "best" else at_delta, spent=so_far)
        if own or before_last != replace(how, rule="optimal"):
            known = {}  # what the optimal rule composes is the best that is known
        before_last = how
        try:
            found.append(_fitting(asked, each, how, own, known, found))
        except Meaningless as error:
            last = error
    if not found and last is not None:
        raise last
    neighbors = found[0].each[0][0].neighbors
    name = subject_named(each)
    return Plan(name, asked, neighbors, before, tuple(found), "", contradicted(each, *spent))


def subject_named(each: Guarantee | Mechanism | Release) -> str:
    """What is released each time, by its name or by its numbers."""
    return each.name if isinstance(each, Release) else in_words(each)


def _spent(
    each: Guarantee | Mechanism | Release,
    done: int,
    spent: Sequence[Guarantee | Mechanism | Release],
    own: bool,
) -> tuple[tuple[Guarantee, int], ...]:
    lists = [parts_of(one, own) for one in spent]
    parts = [(part, count) for parts in lists for part, count in parts]
    if done:
        parts += [(part, count * done) for part, count in parts_of(each, own)]
    return tuple(parts)


def _fitting(
    limits: tuple[Limit, ...],
    each: Guarantee | Mechanism | Release,
    how: Together,
    own: bool,
    known: Known,
    others: Sequence[Fitting],
) -> Fitting:
    """The limit that binds by one rule; the search starts at what other rules found."""
    about = max((one.number for one in others), default=0)
    found = [counted(limit, each, how, own, known=known, about=about) for limit in limits]
    return min(found, key=lambda one: one.number)
