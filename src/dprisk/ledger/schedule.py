"""A schedule fixed in advance: privacy losses are composed.

Outputs may decide what is asked next, but not how much noise is added or how often (Zhu et al.
2022, Theorem 10): otherwise a filter is needed (dprisk Proposition 25). A release is let through
only if a certified upper bound keeps every limit; a cheaper bound may say so first, and what it
does not let through is always composed in full.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple, final

from dprisk._numeric.exact import as_written_up
from dprisk.accountant.citations import LOSSES
from dprisk.answer import Answer
from dprisk.budget.counting import one_release
from dprisk.budget.limits import Limit
from dprisk.budget.search import squared
from dprisk.composition import compose
from dprisk.composition.values import Composed
from dprisk.errors import OutOfRange
from dprisk.guarantees import Guarantee, PureDP
from dprisk.ledger.accounts import Account, RuleName
from dprisk.ledger.amounts import stated
from dprisk.ledger.decisions import (
    MOST,
    AccountRule,
    Counts,
    Decision,
    LimitReading,
    Repeated,
    Standing,
    added,
)
from dprisk.ledger.filters import ConcentratedFilter
from dprisk.releases.release import Part
from dprisk.sources import Theorem
from dprisk.text import english

__all__ = ["Schedule"]

REMEMBERED: Final = 8  # sums
COVERS: Final = 4
GROWTH: Final = (17 / 16, 2.0, 16.0, *[256.0] * 16)  # from one guess of how many fit to the next
FINE: Final = 16  # the share of them within which it ends
SHARE: Final = 0.4  # of the room there seems to be that is tried at once
NOTHING: Final = Theorem("P0", "Definition 2.1", english("theorems.nothing"))

Key = frozenset[tuple[Part, int]]


class Whole(NamedTuple):
    """What releases keep together, and what is limited then."""

    composed: Composed
    answers: tuple[Answer, ...]


@final
@dataclass(frozen=True, eq=False)
class Schedule(AccountRule):
    """The rule of an account whose releases were all fixed in advance.

    Parameters
    ----------
    account : Account
        With its limits; they have a confidence, where they take one.
    """

    account: Account
    _wholes: OrderedDict[Key, Whole] = field(default_factory=OrderedDict, repr=False)
    _covers: deque[Counts] = field(default_factory=lambda: deque(maxlen=COVERS), repr=False)

    name: ClassVar[RuleName] = "fixed"

    def decide(self, spent: Counts, more: Counts) -> Decision:
        each, asked = Repeated.of(more)
        total = added(spent, each, asked)
        if self._is_covered(total) or self._is_small(total):
            return self._decided(asked, asked)
        whole = self._whole(total)
        if self._keeps(whole):
            self._look_ahead(total, each, whole)
            return self._decided(asked, asked, after=whole)
        fits = self._fitting(spent, each, asked)
        return self._decided(asked, fits, self._whole(spent), whole)

    def standing(self, spent: Counts, like: Counts | None = None) -> Standing:
        whole = self._whole(spent)
        left = None
        if like is not None:
            left = self._fitting(spent, like, MOST + 1)
        made = whole.composed
        readings = self._readings(whole, None)
        return Standing(self.name, made.guarantee, readings, (), None, left, made.theorem)

    def _decided(
        self, asked: int, fits: int, now: Whole | None = None, after: Whole | None = None
    ) -> Decision:
        readings = self._readings(now, after)
        return Decision(self.name, fits >= asked, asked, fits, readings, (), LOSSES)

    def _readings(self, now: Whole | None, after: Whole | None) -> tuple[LimitReading, ...]:
        none = (None,) * len(self.account.limits)
        known = ((none if each is None else each.answers) for each in (now, after))
        return tuple(
            LimitReading(limit, "schedule", *found)
            for limit, *found in zip(self.account.limits, *known, strict=True)
        )

    def _whole(self, counts: Counts) -> Whole:
        """Composed from scratch, unless these were composed just before."""
        key = frozenset(counts.items())
        if key not in self._wholes:
            made = _composed(counts, self.account)
            sure = _summed(counts, self.account)
            limits = self.account.limits
            read = (sure if limit.certain and sure else made.guarantee for limit in limits)
            pairs = zip(limits, read, strict=True)
            self._wholes[key] = Whole(made, tuple(limit.measured(each) for limit, each in pairs))
            if len(self._wholes) > REMEMBERED:
                self._wholes.popitem(last=False)
        return self._wholes[key]

    def _keeps(self, whole: Whole) -> bool:
        pairs = zip(whole.answers, self.account.limits, strict=True)
        return all(float(found) <= limit.most for found, limit in pairs)

    def _is_kept(self, counts: Counts) -> bool:
        return self._is_covered(counts) or self._keeps(self._whole(counts))

    def _is_covered(self, counts: Counts) -> bool:
        """Whether more than this is certainly kept: to leave something out only hides more."""
        return any(
            all(count <= cover.get(part, 0) for part, count in counts.items())
            for cover in self._covers
        )

    def _is_small(self, counts: Counts) -> bool:
        """Whether sums of rho and delta, which are cheap, keep every limit already."""
        cheap = ConcentratedFilter(self.account)
        sums = {"rho": Fraction(0), "delta": Fraction(0)}
        for part, count in counts.items():
            found = cheap.priced(part)
            if found is None:
                return False
            sums = {name: amount + count * found[name] for name, amount in sums.items()}
        try:
            whole = cheap.whole(sums)
        except OutOfRange:  # there is no such promise
            return False
        return all(limit.kept_by(whole) for limit in self.account.limits)

    def _look_ahead(self, total: Counts, each: Counts, whole: Whole) -> None:
        """Compose as much more as there seems to be room for: what comes next needs no sum then."""
        pairs = zip(whole.answers, self.account.limits, strict=True)
        room = min((_room(limit, float(found)) for found, limit in pairs), default=0.0)
        times = int(min(SHARE * room * sum(total.values()) / sum(each.values()), MOST))
        grown = {part: count + int(count * min(SHARE * room, 1.0)) for part, count in total.items()}
        cover = added(grown, each, times)
        if times and self._keeps(self._whole(cover)):
            self._covers.append(cover)

    def _fitting(self, spent: Counts, each: Counts, high: int) -> int:
        """How many more are certainly kept: below `high`, and nearly as many as there are."""
        low, last, at = 0, high, self._guess(spent, each)
        for growth in GROWTH:
            if high - low <= max(1, low // FINE):
                break
            at = min(max(at, low + 1), high - 1)
            if self._is_kept(added(spent, each, at)):
                low, at = at, math.isqrt(at * high) if high < last else int(at * growth) + 1
            else:
                high, at = at, math.isqrt(low * at) or at // 2
        return low

    def _guess(self, spent: Counts, each: Counts) -> int:
        """As many as normal noise with the same advantages allows."""
        once, before = (squared(_counted(counts)) for counts in (each, spent))
        steps = 2.0 if self.account.neighbors == "add-remove" else 1.0
        apart = min(
            ((limit.separation / (steps if limit.secret == "attribute" else 1.0)) ** 2 - before)
            for limit in self.account.limits
        )
        return int(min(max(apart / once, 1.0), MOST)) if once and apart < math.inf else 1


def _room(limit: Limit, found: float) -> float:
    """About how much more, as a share of what there is, still keeps a limit."""
    used = limit.strength(found)
    return limit.strength(limit.most) / used - 1.0 if used > 0.0 else 0.0


@lru_cache(maxsize=4096)
def _guarantee(part: Part) -> Guarantee:
    """The strongest that is known of one use."""
    return one_release(part.mechanism) if part.mechanism is not None else part.guarantee


def _counted(counts: Counts) -> list[tuple[Guarantee, int]]:
    return [(_guarantee(part), count) for part, count in counts.items()]


def _composed(counts: Counts, account: Account) -> Composed:
    if not counts:
        return Composed(PureDP(0.0, neighbors=account.neighbors), NOTHING)
    guarantees, times = zip(*_counted(counts), strict=True)
    return compose(guarantees, times)


def _summed(counts: Counts, account: Account) -> Guarantee | None:
    """With certainty, epsilons that add up say all there is; as they are written."""
    known = [(stated(part), count) for part, count in counts.items()]
    if any(each.delta or each.kind not in ("pure", "approximate") for each, _ in known):
        return None
    total = sum((count * each.epsilon for each, count in known), Fraction(0))
    return PureDP(as_written_up(total), neighbors=account.neighbors)
