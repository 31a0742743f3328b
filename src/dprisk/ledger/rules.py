"""The rule by which an account adds up: composed losses, or one of five privacy filters."""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, final

from dprisk._numeric.exact import as_written_up, rounded_up
from dprisk.answer import Answer
from dprisk.budget.counting import one_release
from dprisk.budget.limits import Limit
from dprisk.budget.search import mu_squared
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless, refused
from dprisk.guarantees import Guarantee, PureDP, RenyiDP
from dprisk.guarantees.base import Composed
from dprisk.ledger.accounts import (
    MOST,
    Account,
    AccountRule,
    Counts,
    Decision,
    LimitReading,
    RuleName,
    Standing,
    add_counts,
    split_counts,
)
from dprisk.ledger.filters import FILTERS, ORDERS, ConcentratedFilter, find_cap, round_down
from dprisk.ledger.parts import divergences, part_key, stated
from dprisk.releases.notes import normalized_unit
from dprisk.releases.release import Part
from dprisk.risk.adversary import DEFAULT_CONFIDENCE
from dprisk.theorems import LOSS_COMPOSITION, NOTHING_RELEASED

if TYPE_CHECKING:
    from dprisk.ledger.state import State

REMEMBERED: Final = 8  # sums
COVERS: Final = 4
TRIES: Final = 20  # at how many fit
FINE: Final = 16  # the share of them within which it ends
BELOW: Final = 0.9  # of a first guess, so that one try may do
GROWTH: Final = 256.0
SLOW: Final = ("subsampled-gaussian", "subsampled-gaussian-range", "subsampled-laplace")
KINDS: Final = 4  # of those that are composed; one more takes a second
QUICK: Final = 1
SHARE: Final = 0.5  # of the room there seems to be that is tried at once


Key = frozenset[tuple[Part, int]]


class Whole(NamedTuple):
    """Composition of releases, and the limited quantities under it."""

    composed: Composed
    answers: tuple[Answer, ...]


class Cover(NamedTuple):
    """Releases, and a promise of zCDP beside them, that certainly keep every limit."""

    base: Counts
    spare: Mapping[str, Fraction]
    """Rho and delta."""

    def holds(self, counts: Counts, cheap: ConcentratedFilter) -> bool:
        """Whether all there is, beyond these releases, keeps the promise."""
        more = {part: count - self.base.get(part, 0) for part, count in counts.items()}
        found = _sums({part: count for part, count in more.items() if count > 0}, cheap)
        return found is not None and all(found[name] <= self.spare[name] for name in found)


@final
@dataclass(frozen=True, eq=False)
class Schedule(AccountRule):
    """The rule of an account whose releases were all fixed in advance."""

    account: Account

    name: ClassVar[RuleName] = "fixed"

    @cached_property
    def _wholes(self) -> OrderedDict[tuple[Key, int], Whole]:
        """The last sums that were composed."""
        return OrderedDict()

    @cached_property
    def _covers(self) -> deque[Cover]:
        """Covers known to keep every limit; they spare sums, and change no decision."""
        return deque(maxlen=COVERS)

    @cached_property
    def _cheap(self) -> ConcentratedFilter:
        return ConcentratedFilter(self.account)

    def can_count(self, part: Part) -> bool:
        return True

    def check_part(self, part: Part) -> None:
        _guarantee(part)

    def decide(self, spent: Counts, more: Counts) -> Decision:
        each, asked = split_counts(more)
        total = add_counts(spent, each, asked)
        if self._is_covered(total) or self._is_small(total):
            return self._decided(asked, asked)
        whole = self._whole(total)
        if self._keeps(whole):
            self._look_ahead(total, each, whole)
            return self._decided(asked, asked, after=whole)
        fits = self._fitting(spent, each, asked)
        return self._decided(asked, fits, self._whole(spent), whole)

    def keeps(self, spent: Counts, more: Counts) -> bool:
        return self.decide(spent, more).kept

    def standing(self, spent: Counts, like: Counts | None = None) -> Standing:
        whole = self._whole(spent)
        left = None
        if like is not None:
            left = self._fitting(spent, like, MOST + 1)
        made = whole.composed
        readings = self._readings(whole, None)
        bounded = len(_set_apart(spent, KINDS)[1])
        return Standing(self.name, made.guarantee, readings, (), None, left, made.theorem, bounded)

    def _decided(
        self, asked: int, fits: int, now: Whole | None = None, after: Whole | None = None
    ) -> Decision:
        readings = self._readings(now, after)
        return Decision(self.name, fits >= asked, asked, fits, readings, (), LOSS_COMPOSITION)

    def _readings(self, now: Whole | None, after: Whole | None) -> tuple[LimitReading, ...]:
        none = (None,) * len(self.account.limits)
        known = ((none if each is None else each.answers) for each in (now, after))
        return tuple(
            LimitReading(limit, "schedule", *found)
            for limit, *found in zip(self.account.limits, *known, strict=True)
        )

    def _whole(self, counts: Counts, kinds: int = KINDS) -> Whole:
        """Composed from scratch, unless these were composed just before."""
        key = frozenset(counts.items()), kinds
        if key not in self._wholes:
            sure = _summed(counts, self.account)
            self._wholes[key] = self._read(_composed(counts, self.account, kinds=kinds), sure)
            if len(self._wholes) > REMEMBERED:
                self._wholes.popitem(last=False)
        return self._wholes[key]

    def _read(self, made: Composed, sure: Guarantee | None) -> Whole:
        """Measure every limit: with certainty by a sum of epsilons, where there is one."""
        limits = self.account.limits
        read = (sure if limit.certain and sure else made.guarantee for limit in limits)
        pairs = zip(limits, read, strict=True)
        return Whole(made, tuple(limit.measured(each) for limit, each in pairs))

    def _keeps(self, whole: Whole) -> bool:
        pairs = zip(whole.answers, self.account.limits, strict=True)
        return all(float(found) <= limit.most for found, limit in pairs)

    def _is_covered(self, counts: Counts) -> bool:
        """Whether more than this is certainly kept: to leave something out only hides more."""
        return any(cover.holds(counts, self._cheap) for cover in self._covers)

    def _is_small(self, counts: Counts) -> bool:
        """Whether sums of rho and delta, which are cheap, keep every limit already."""
        found = _sums(counts, self._cheap)
        if found is None or found["rho"] > 10**6:
            return False
        whole = self._cheap.whole(found)
        return all(limit.kept_by(whole) for limit in self.account.limits)

    def _look_ahead(self, total: Counts, each: Counts, whole: Whole) -> None:
        """Compose more than there is: what comes next, whatever it is, then needs no sum."""
        pairs = zip(whole.answers, self.account.limits, strict=True)
        room = SHARE * min((_room(limit, float(found)) for found, limit in pairs), default=0.0)
        if not room > 0.0:
            return
        room, some = min(room, 1.0), {p: n for p, n in total.items() if self._cheap.priced(p)}
        spare = {
            name: Fraction(room) * sum_ for name, sum_ in (_sums(some, self._cheap) or {}).items()
        }
        times = int(room * sum(total.values()) / sum(each.values()))
        base = total if _sums(each, self._cheap) else add_counts(total, each, times)
        cover = Cover(base, spare)
        promise = self._cheap.whole(spare)
        if self._keeps(self._read(_composed(base, self.account, promise), None)):
            self._covers.append(cover)

    def _fitting(self, spent: Counts, each: Counts, high: int) -> int:
        """How many more are certainly kept: below `high`, and nearly as many as there are."""
        low, start = 0, self._reached(self._whole(spent))
        at = self._guess(each, start)
        for _ in range(TRIES):
            if high - low <= max(1, low // FINE):
                break
            at = min(max(at, low + 1), high - 1)
            whole = self._whole(add_counts(spent, each, at), QUICK)
            kept, slope = self._keeps(whole), self._reached(whole) - start
            low, high = (at, high) if kept else (low, at)
            end = at * min((1.0 - start) / slope, GROWTH) if slope > 0.0 else at * GROWTH
            if kept and end <= low * (1.0 + 1.0 / FINE):
                break
            at = int(end * (1.0 - 0.5 / FINE))
            if not low < at < high:
                at = math.isqrt(low * high) or high // 2
        return low

    def _guess(self, each: Counts, start: float) -> int:
        """Guess the number that normal noise with the same advantages would allow."""
        once = mu_squared(_counted(each))
        whole = min(
            (limit.mu(limit.most) / self._steps(limit)) ** 2 for limit in self.account.limits
        )
        room = whole * (1.0 - start)
        return int(min(max(BELOW * room / once, 1.0), MOST)) if once and room < math.inf else 1

    def _steps(self, limit: Limit) -> float:
        return limit.steps(self.account.neighbors)

    def _reached(self, whole: Whole) -> float:
        """About the share of the limits that is reached, as a mu squared. [0, inf)"""
        pairs = zip(whole.answers, self.account.limits, strict=True)
        shares = [(limit.mu(float(found)), limit.mu(limit.most)) for found, limit in pairs]
        return max((now / most) ** 2 if 0.0 < most < math.inf else 0.0 for now, most in shares)


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


def _composed(
    counts: Counts, account: Account, beside: Guarantee | None = None, *, kinds: int = KINDS
) -> Composed:
    if not counts:
        return Composed(PureDP(0.0, neighbors=account.neighbors), NOTHING_RELEASED)
    composed, bounded = _set_apart(counts, kinds)
    sums = [beside, _divergent(bounded, account) if bounded else None]
    parts = [*_counted(composed), *((each, 1) for each in sums if each is not None)]
    guarantees, times = zip(*parts, strict=True)
    return compose(guarantees, times)


def _set_apart(counts: Counts, kinds: int) -> tuple[Counts, Counts]:
    """Split counts to compose from those to bound: subsampled noise but for the costliest kinds."""
    slow = [part for part in counts if part.given.get("kind") in SLOW]
    if len(slow) <= kinds:
        return counts, {}
    known = {part: costs[len(costs) // 2] for part in slow if (costs := _costs(part))}
    costly = sorted(known, key=lambda part: (known[part], part_key(part)), reverse=True)
    bounded = {part: counts[part] for part in costly[kinds:]}
    return {part: count for part, count in counts.items() if part not in bounded}, bounded


@lru_cache(maxsize=4096)
def _costs(part: Part) -> tuple[Fraction, ...] | None:
    """Rényi divergences of one use; None where there are none."""
    return divergences(part, [float(order) for order in ORDERS])


def _divergent(counts: Counts, account: Account) -> RenyiDP:
    """The sum of all Rényi divergences at some orders (Mironov 2017, Proposition 1)."""
    costs = [[count * cost for cost in _costs(part) or ()] for part, count in counts.items()]
    gamma = [rounded_up(sum(at, Fraction(0))) for at in zip(*costs, strict=True)]
    return RenyiDP([float(order) for order in ORDERS], gamma, neighbors=account.neighbors)


def _sums(counts: Counts, cheap: ConcentratedFilter) -> dict[str, Fraction] | None:
    """Sums of rho and delta; None where a part has neither."""
    found = {"rho": Fraction(0), "delta": Fraction(0)}
    for part, count in counts.items():
        one = cheap.priced(part)
        if one is None:
            return None
        found = {name: amount + count * one[name] for name, amount in found.items()}
    return found


def _summed(counts: Counts, account: Account) -> Guarantee | None:
    """Pure DP with the sum of the epsilons as written, for certainty; None for other promises."""
    known = [(stated(part), count) for part, count in counts.items()]
    if any(each.delta or each.kind not in ("pure", "approximate") for each, _ in known):
        return None
    total = sum((count * each.epsilon for each, count in known), Fraction(0))
    return PureDP(as_written_up(total), neighbors=account.neighbors)


RULES_REMEMBERED = 64
_rules: dict[str, AccountRule] = {}


def rule_of(account: Account) -> AccountRule:
    """The rule of an account: one for a process, which remembers what it composed."""
    key = account.written
    if key not in _rules:
        while len(_rules) >= RULES_REMEMBERED:
            del _rules[next(iter(_rules))]
        made = FILTERS.get(account.rule, Schedule)
        _rules[key] = made(account)
    return _rules[key]


def open_account(account: Account, whole: Account | None = None) -> Account:
    """An account as it is opened: with what its rule fixes once and for all."""
    sure = account.rule == "pure"
    limits = account.limits if sure else tuple(map(_with_confidence, account.limits))
    found = replace(account, limits=limits)
    if account.share is not None:
        found = _shared(found, whole)
    if account.rule not in FILTERS or not limits:
        return found
    cap = find_cap(FILTERS[account.rule](found))
    least = min(cap, found.cap or cap, key=Fraction)
    return replace(found, cap=least)


def _shared(account: Account, whole: Account | None) -> Account:
    """Account with its share of the sums of the whole, rounded down."""
    if whole is None or whole.cap is None or whole.rule != account.rule:
        raise Meaningless(
            "The whole has no budget to take a share of.",
            "As the whole, name an account with the same rule: pure, approximate, concentrated, "
            "gaussian or renyi. Or give limits instead of a share.",
        )
    share = Fraction(str(account.share))
    delta = account.delta
    if whole.delta is not None and delta is None:
        delta = round_down(share * Fraction(whole.delta))
    return replace(account, cap=round_down(share * Fraction(whole.cap)), delta=delta)


def _with_confidence(limit: Limit) -> Limit:
    """The limit with the confidence that everybody is given who names none."""
    if not limit.takes_confidence or limit.confidence is not None:
        return limit
    found: Limit = replace(limit, confidence=DEFAULT_CONFIDENCE)  # type: ignore[type-var]
    return found


def whole_of(state: State, account: Account) -> Account | None:
    """The account of which one is to be a part, if any."""
    if account.within is None:
        return None
    whole = state.known(account.within)
    for name in ("unit", "neighbors"):
        if getattr(whole, name) != getattr(account, name):
            key = f"ledger.account.within.{name}"
            raise refused(key, name, getattr(account, name), whole=getattr(whole, name))
    if account.is_filter and not whole.is_filter:
        raise InvalidInput(
            "rule",
            account.rule,
            "fixed, the rule of the account that this one is a part of",
            "An account whose releases were all fixed in advance cannot hold one whose releases "
            "are not.",
        )
    return whole


def second_to(state: State, account: Account) -> Account | None:
    """The open account that has the budget of the same people, unit and period, if any."""
    if account.apart:
        return None

    def about(one: Account) -> tuple[Any, ...]:
        words = (" ".join(text.casefold().split()) for text in (one.population, one.period))
        return (*words, normalized_unit(one.unit))

    def outermost(one: Account) -> str:
        return one.name if one.within is None else [*state.whole(one.within)][-1].name

    others = (one for one in state.accounts.values() if about(one) == about(account))
    return next((one for one in others if outermost(one) != outermost(account)), None)


def check_alone(state: State, account: Account) -> None:
    """Refuse a second budget for the same people, unit and period beside one that is open."""
    if (known := second_to(state, account)) is None:
        return
    try:
        whole_of(state, replace(account, within=known.name))
        key = "ledger.account.second"
    except InvalidInput:  # it cannot be a part of that account
        key = "ledger.account.second.other"
    said = {"name": known.name, "population": known.population}
    raise refused(key, "account", account.name, **said)


def rises(before: Account, after: Account) -> bool:
    """Whether two accounts differ in their caps alone, and the second is larger."""
    if before.cap is None or after.cap is None or replace(after, cap=before.cap) != before:
        return False
    return Fraction(after.cap) > Fraction(before.cap)


def renewed(state: State, name: str) -> Account:
    """An open account with the cap that its limits allow by what is known today."""
    known = state.known(name)
    if known.cap is None:
        raise Meaningless(
            f"The account {name} has no budget that was fixed: its releases are added up again, by "
            "what is known today, whenever one is charged.",
            "Name an account with the rule pure, approximate, concentrated, gaussian or renyi.",
        )
    return open_account(replace(known, cap=None), whole_of(state, known))
