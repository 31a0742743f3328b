"""How many more releases a limit allows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final, final

from dprisk._checks import whole
from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.budget.composition_plan import Spent, Together
from dprisk.budget.limits import Limit
from dprisk.budget.search import Search, only_bounded, squared
from dprisk.budget.status import Status
from dprisk.composition.basis import basis_of
from dprisk.composition.theorems import adds_up
from dprisk.errors import refused
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.composed import Composed
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.release import Release
from dprisk.text import english

MOST_RELEASES: Final = 10**9

Known = dict[tuple[bool, int], Composed]
"""What so many releases keep, read with certainty or not."""


@final
@result
@dataclass(frozen=True, repr=False)
class Fitting:
    """The most further releases that keep a limit. Made by `most_releases`.

    Parameters
    ----------
    limit : Limit
        What everything together has to keep, with the confidence that counts.
    each : tuple of (Guarantee, int)
        What one more release adds, part by part, and how often it uses each. [1, 10^9]
    own : bool
        Whether what is run was used for it, and not only what is promised.
    status : {"limited", "no limit", "infeasible"}
        ``no limit``: as many as were looked at, and more. ``infeasible``: not one more.
    number : int
        Further releases: so many keep the limit as computed. [0, 10^9]
    whole : Composed
        What everything keeps then.
    measured : Answer
        What is limited, then.
    one_more : Answer or None
        What is limited after one release more; None without a limit.
    together : Together
        What was released before, and how all is composed.
    reason : str
        Why there is no number, or none above 0; empty otherwise.
    rule : str, optional
        How releases add up, if not as in `together`: the rule of an account of a ledger.
    """

    limit: Limit
    each: Spent
    own: bool
    status: Status
    number: int
    whole: Composed
    measured: Answer
    one_more: Answer | None
    together: Together
    reason: str
    rule: str = ""

    @property
    def certain(self) -> bool:
        """Whether one release more certainly breaks the limit, for some releases that promise so.

        Otherwise it is only not known to keep it.
        """
        more = replace(self.together, releases=2)
        if self.one_more is None or not more.is_tight(self.each) or self.whole.lossy:
            return False
        low = self.one_more.bracket[0]
        return low is not None and float(low) > self.limit.most

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Infinite numbers are None.
        """
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
    each: Guarantee | Mechanism | Release,
    *,
    releases: Together | None = None,
    own: bool = True,
    most: int = MOST_RELEASES,
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
        Whether to use the privacy loss of what is run, where that is known, or only its promise;
        rules other than ``best`` know promises only.
    most : int
        The largest number that is looked at. [1, 10^9]

    Returns
    -------
    Fitting
        The largest number that keeps the limit as computed, with what is limited then and after one
        release more.

    Raises
    ------
    InvalidInput
        If `each` is something else.
    OutOfRange
        If `most` is outside its range.
    Meaningless
        If the rule does not compose this, or the limit has no meaning under these neighbors.

    Notes
    -----
    For the bounds of P0, Section 4.2, one theorem beside the other, ask `dprisk.curves.ladder`.

    Where losses simply add up, numbers count as they are written: ten times 0.1 keeps 1.

    References
    ----------
    .. [1] P0, Section 4.2.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.budget import InformedLimit, most_releases
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> most_releases(limit, PureDP(0.05, neighbors="add-remove")).number
    133
    """
    how = releases if releases is not None else Together()
    return counted(limit, each, how, own, whole("most", most, 1))


def counted(
    limit: Limit,
    each: Guarantee | Mechanism | Release,
    how: Together,
    own: bool,
    last: int = MOST_RELEASES,
    known: Known | None = None,
    about: int = 0,
) -> Fitting:
    """As `most_releases`, with what was composed for other limits; about how many there are."""
    known = {} if known is None else known
    run = own and how.rule == "best" and is_run(each)
    promised = parts_of(each, False)
    limit = limit.read_with(*how.counted(promised))
    sums = limit.certain and adds_up([part for part, _ in promised])
    one = promised if sums else parts_of(each, run)

    def make(number: float) -> Composed:
        key = limit.certain, int(number)
        if key not in known:
            known[key] = how.of(one, key[1], certain=key[0])
        return known[key]

    search = Search(limit, how, promised[0][0].neighbors, make)

    def fitting(status: Status, number: int, at: int, over: int | None, reason: str) -> Fitting:
        more = None if over is None else search.at(over)[1]
        return Fitting(limit, one, run, status, number, *search.at(at), more, how, reason)

    ended = search.ended()
    for part, _ in one:
        only_bounded(limit, part)
    if ended is not None and ended.status == "no limit":
        return fitting("no limit", last, 1, None, ended.reason)
    if ended is not None or search.measured(0) > limit.most:
        reason = english("budget.spent") if ended is None else ended.reason
        return fitting("infeasible", 0, 0, 1, reason)
    if all(float(part.delta(0.0)) == 0.0 for part, _ in one):
        return fitting("no limit", last, 0, None, english("budget.silent"))
    start = max(about, _guess(limit, one, how.spent))
    number = search.last_kept(min(start, last), last)
    if number == last:
        reason = english("budget.more-than", number=last) if last == MOST_RELEASES else ""
        return fitting("no limit", last, last, None, reason)
    reason = "" if number else english("budget.not-one-more")
    return fitting("limited" if number else "infeasible", number, number, number + 1, reason)


def one_release(each: Guarantee | Mechanism) -> Guarantee:
    """The strongest that is known of one release; of normal noise Gaussian DP says it all."""
    if isinstance(each, Guarantee):
        return each
    promise = each.guarantee()
    return promise if promise.composes_by == "parameters" else each.loss()


def is_run(each: Guarantee | Mechanism | Release) -> bool:
    """Whether something is known about what is run."""
    if isinstance(each, Release):
        return any(part.mechanism is not None for part in basis_of(each).parts)
    return isinstance(each, Mechanism)


def parts_of(each: Guarantee | Mechanism | Release, own: bool) -> Spent:
    """What one release adds, part by part."""
    if isinstance(each, Guarantee):
        return ((each, 1),)
    if isinstance(each, Mechanism):
        return ((one_release(each) if own else each.guarantee(), 1),)
    if not isinstance(each, Release):
        raise refused("errors.promise", "each", each)
    parts = basis_of(each).parts
    if not parts:
        raise refused("errors.release.no-parts", "each", each.name, name=each.name)
    return tuple(
        (
            one_release(part.mechanism) if own and part.mechanism else part.guarantee,
            part.count * each.releases,
        )
        for part in parts
    )


def used_by(release: Release) -> Spent:
    """What a release has used up: the strongest that is known of each part, and how often."""
    return parts_of(release, True)


def _guess(limit: Limit, one: Spent, spent: Spent) -> int:
    """As many as normal noise with the same advantages allows."""
    steps, mu = limit.steps(one[0][0].neighbors), squared(one)
    apart = (limit.mu(limit.most) / steps) ** 2
    if not 0.0 < mu < math.inf or not 0.0 < apart < math.inf:
        return 1
    return int(min(max((apart - squared(spent)) / mu, 1.0), float(MOST_RELEASES)))
