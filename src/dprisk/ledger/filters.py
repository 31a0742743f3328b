"""Privacy filters: sums that may not pass a cap, whatever is chosen next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf
from typing import TYPE_CHECKING, ClassVar, Final, final

from dprisk._numeric.exact import as_written_up, root_up, rounded_up
from dprisk.answer import Answer
from dprisk.budget.limits import EpsilonLimit, Limit
from dprisk.errors import Meaningless, OutOfRange
from dprisk.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.ledger.accounts import (
    MOST,
    AccountRule,
    Amount,
    Counts,
    Decision,
    LimitReading,
    Standing,
    split_counts,
)
from dprisk.ledger.entries import canonical
from dprisk.ledger.parts import divergences, gaussian_square, part_of, stated
from dprisk.mechanisms.base import in_words
from dprisk.releases.release import Part
from dprisk.text import fill
from dprisk.theorems import (
    APPROXIMATE_FILTER,
    GAUSSIAN_FILTER,
    PURE_FILTER,
    RENYI_FILTER,
    ZCDP_FILTER,
    Theorem,
)

if TYPE_CHECKING:
    from dprisk.ledger.accounts import Account, RuleName


Amounts = Mapping[str, Fraction]
DIGITS: Final = 9  # of a cap
LEAST, LARGEST = -12, 6  # powers of ten between which it lies
ORDERS: Final = ("1.25", "1.5", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "128")
"""Orders of Rényi divergences, where an account names none."""


@dataclass(frozen=True)
class Filter(AccountRule, ABC):
    """Sums that may not pass a cap. Each has a dict for what parts cost."""

    account: Account

    name: ClassVar[RuleName]
    theorem: ClassVar[Theorem]
    by_path: ClassVar[bool] = False
    """Whether what is spent bounds the loss of the outputs seen."""

    is_epsilon: ClassVar[bool] = False
    """Whether a limit on epsilon, as it is written, needs no more than a comparison."""

    @staticmethod
    @abstractmethod
    def price(part: Part, orders: tuple[float, ...]) -> Amounts | None:
        """Amounts that one use of a part adds, by name; None where the family cannot count it."""

    @abstractmethod
    def caps(self, cap: Fraction) -> Amounts:
        """The most of each, by the one number that the account names."""

    @abstractmethod
    def whole(self, sums: Amounts, *, written: bool = True) -> Guarantee:
        """Guarantee kept within such sums, rounded upwards; where decimals add up, as written."""

    def can_count(self, part: Part) -> bool:
        found, room = self.priced(part), self.caps(Fraction(1))
        return found is not None and all(room[name] for name, amount in found.items() if amount)

    def check_part(self, part: Part) -> None:
        self.amounts(part)

    @cached_property
    def orders(self) -> tuple[float, ...]:
        """Those of Rényi divergences, rising, each once."""
        return tuple(sorted({float(text) for text in self.account.orders or ORDERS}))

    def priced(self, part: Part) -> Amounts | None:
        """Amounts that one use of a part adds by `price`, computed once."""
        return _price(type(self), part, self.orders)

    def amounts(self, part: Part) -> Amounts:
        """Exact amounts that one use of a part adds to each sum."""
        if (found := self.priced(part)) is None:
            named = in_words(part.mechanism or part.guarantee)
            why = f"An account with the rule {self.name} cannot count {named}."
            raise Meaningless(why, fill(f"ledger.rule.{self.name}"))
        return found

    @cached_property
    def most(self) -> Amounts:
        """The caps of the account."""
        return self.caps(Fraction(self.account.cap or 0))

    @cached_property
    def _at_the_cap(self) -> tuple[Answer | None, ...]:
        return self._measured(self.most)

    def decide(self, spent: Counts, more: Counts) -> Decision:
        each, asked = split_counts(more)
        before, one = self._sums(spent), self._sums(each)
        fits = self._fits(before, one)
        amounts = tuple(
            Amount(name, before[name], most, one[name] * asked) for name, most in self.most.items()
        )
        kept = fits >= asked
        after = {each.name: each.spent + each.more for each in amounts}
        readings = self._readings(before, after)
        return Decision(self.name, kept, asked, fits, readings, amounts, self.theorem)

    def keeps(self, spent: Counts, more: Counts) -> bool:
        each, asked = split_counts(more)
        return self._fits(self._sums(spent), self._sums(each)) >= asked

    def standing(self, spent: Counts, like: Counts | None = None) -> Standing:
        before = self._sums(spent)
        amounts = tuple(Amount(name, before[name], most) for name, most in self.most.items())
        left = None if like is None else self._fits(before, self._sums(like))
        share = max(each.share for each in amounts if each.most or each.spent)
        readings = self._readings(before)
        whole = self.whole(_larger(self.most, before))
        return Standing(self.name, whole, readings, amounts, share, left, self.theorem)

    def _sums(self, counts: Counts) -> dict[str, Fraction]:
        over = {name: Counter[int]() for name in self.most}  # numerators, by their denominator
        for part, count in counts.items():
            for name, amount in self.amounts(part).items():
                over[name][amount.denominator] += amount.numerator * count
        return {
            name: sum((Fraction(n, d) for d, n in each.items()), Fraction(0))
            for name, each in over.items()
        }

    def _fits(self, before: Amounts, one: Amounts) -> int:
        """How many more stay within every cap."""
        room = {name: most - before[name] for name, most in self.most.items()}
        if min(room.values()) < 0:
            return 0
        return min([MOST, *(room[name] // amount for name, amount in one.items() if amount)])

    def _readings(self, before: Amounts, after: Amounts | None = None) -> tuple[LimitReading, ...]:
        """Readings of the outputs seen where that is right, otherwise of all a cap lets through."""
        now = self._read(_larger(self.most, before))
        then = self._read(after and _larger(self.most, after))
        if not self.by_path:
            return tuple(map(_of_process, self.account.limits, now, then))
        seen = zip(self._read(before), self._read(after), strict=True)
        ever = zip(now, then, strict=True)
        return tuple(
            LimitReading(limit, "path", *path) if limit.certain else _of_process(limit, *process)
            for limit, path, process in zip(self.account.limits, seen, ever, strict=True)
        )

    def _read(self, sums: Amounts | None) -> tuple[Answer | None, ...]:
        """Limited quantities within such sums; None without any, or if no guarantee is so weak."""
        if sums is None:
            return (None,) * len(self.account.limits)
        return self._at_the_cap if sums == self.most else self._measured(sums)

    def _measured(self, sums: Amounts) -> tuple[Answer | None, ...]:
        try:
            whole = self.whole(sums)
        except OutOfRange:
            return self._read(None)
        return tuple(limit.measured(whole) for limit in self.account.limits)


@lru_cache(maxsize=1 << 14)
def _price(rule: type[Filter], part: Part, orders: tuple[float, ...]) -> Amounts | None:
    return rule.price(part, orders)


@final
@dataclass(frozen=True)
class PureFilter(Filter):
    """Sums of epsilon (Rogers et al. 2016); they also bound the loss of the outputs seen."""

    name: ClassVar[RuleName] = "pure"
    theorem: ClassVar[Theorem] = PURE_FILTER
    by_path: ClassVar[bool] = True
    is_epsilon: ClassVar[bool] = True

    @staticmethod
    def price(part: Part, orders: tuple[float, ...]) -> Amounts | None:
        known = stated(part)
        counts = known.kind in ("pure", "approximate") and not known.delta
        return {"epsilon": known.epsilon} if counts else None

    def caps(self, cap: Fraction) -> Amounts:
        return {"epsilon": cap}

    def whole(self, sums: Amounts, *, written: bool = True) -> Guarantee:
        return PureDP(_up(sums["epsilon"], written), neighbors=self.account.neighbors)


@final
@dataclass(frozen=True)
class ApproximateFilter(Filter):
    """Sums of epsilon and of delta (Rogers et al. 2016)."""

    name: ClassVar[RuleName] = "approximate"
    theorem: ClassVar[Theorem] = APPROXIMATE_FILTER
    is_epsilon: ClassVar[bool] = True

    @staticmethod
    def price(part: Part, orders: tuple[float, ...]) -> Amounts | None:
        known = stated(part)
        counts = known.kind in ("pure", "approximate")
        return {"epsilon": known.epsilon, "delta": known.delta} if counts else None

    def caps(self, cap: Fraction) -> Amounts:
        return {"epsilon": cap, "delta": Fraction(self.account.delta or 0)}

    def whole(self, sums: Amounts, *, written: bool = True) -> Guarantee:
        epsilon, delta = (_up(sums[name], written) for name in ("epsilon", "delta"))
        return ApproxDP(epsilon, min(delta, 1.0), neighbors=self.account.neighbors)


@final
@dataclass(frozen=True)
class ConcentratedFilter(Filter):
    """Sums of rho and of delta (Whitehouse et al. 2023; Feldman and Zrnic 2021)."""

    name: ClassVar[RuleName] = "concentrated"
    theorem: ClassVar[Theorem] = ZCDP_FILTER

    @staticmethod
    def price(part: Part, orders: tuple[float, ...]) -> Amounts | None:
        known = stated(part)
        if known.kind == "other":
            return None
        rho = known.rho + (known.epsilon**2 + known.mu_squared) / 2
        return {"rho": rho, "delta": known.delta}

    def caps(self, cap: Fraction) -> Amounts:
        return {"rho": cap, "delta": Fraction(self.account.delta or 0)}

    def whole(self, sums: Amounts, *, written: bool = True) -> Guarantee:
        rho, delta = (rounded_up(sums[name]) for name in ("rho", "delta"))
        return ZeroConcentratedDP(rho, delta=min(delta, 1.0), neighbors=self.account.neighbors)


@final
@dataclass(frozen=True)
class GaussianFilter(Filter):
    """Sums of mu^2 (Smith and Thakurta 2022; Koskela, Tobaben, Honkela 2023)."""

    name: ClassVar[RuleName] = "gaussian"
    theorem: ClassVar[Theorem] = GAUSSIAN_FILTER

    @staticmethod
    def price(part: Part, orders: tuple[float, ...]) -> Amounts | None:
        known = stated(part)
        if known.kind == "gaussian":
            return {"mu_squared": known.mu_squared}
        if known.kind not in ("pure", "approximate") or known.delta:
            return None
        square = gaussian_square(known.epsilon)
        return None if square is None else {"mu_squared": square}

    def caps(self, cap: Fraction) -> Amounts:
        return {"mu_squared": cap}

    def whole(self, sums: Amounts, *, written: bool = True) -> Guarantee:
        return GaussianDP(root_up(sums["mu_squared"]), neighbors=self.account.neighbors)


@final
@dataclass(frozen=True)
class RenyiFilter(Filter):
    """Sums of divergences, order by order (Feldman and Zrnic 2021); all of them are capped."""

    name: ClassVar[RuleName] = "renyi"
    theorem: ClassVar[Theorem] = RENYI_FILTER

    @cached_property
    def shape(self) -> Amounts:
        """Amounts that a cap of 1 allows at each order, on the curve of zCDP or of the plan."""
        if self.account.shape is None:
            return {_order(order): Fraction(order) for order in self.orders}
        found = dict.fromkeys(map(_order, self.orders), Fraction(0))
        for form, count in self.account.shape:
            part = part_of(canonical(form), self.account.neighbors)
            for name, amount in self.amounts(part).items():
                found[name] += amount * count
        return found

    @staticmethod
    def price(part: Part, orders: tuple[float, ...]) -> Amounts | None:
        found = divergences(part, orders)
        return None if found is None else dict(zip(map(_order, orders), found, strict=True))

    def caps(self, cap: Fraction) -> Amounts:
        return {name: cap * amount for name, amount in self.shape.items()}

    def whole(self, sums: Amounts, *, written: bool = True) -> Guarantee:
        limits = [rounded_up(sums[_order(order)]) for order in self.orders]
        return RenyiDP(self.orders, limits, neighbors=self.account.neighbors)


FILTERS: Final[Mapping[str, type[Filter]]] = {
    made.name: made
    for made in (PureFilter, ApproximateFilter, ConcentratedFilter, GaussianFilter, RenyiFilter)
}


def find_cap(rule: Filter) -> str:
    """The largest cap that certainly keeps every limit of an account."""
    limits = rule.account.limits

    def kept(cap: Fraction) -> bool:
        sums = rule.caps(cap)
        try:
            whole = rule.whole(sums, written=False)
        except OutOfRange:  # no guarantee is so weak
            return False
        return all(
            (rule.is_epsilon and _is_within(limit, sums)) or limit.kept_by(whole)
            for limit in limits
        )

    powers = _last(lambda e: kept(Fraction(10) ** e), LEAST - 1, LARGEST + 1)
    if powers < LEAST or powers == LARGEST:
        key = "ledger.rule.nothing" if powers < LEAST else "ledger.rule.everything"
        raise Meaningless(fill(key, rule=rule.name), fill(f"{key}.fix"))
    unit = Fraction(10) ** (powers - DIGITS + 1)
    number = _last(lambda n: kept(n * unit), 10 ** (DIGITS - 1), 10**DIGITS)
    return round_down(number * unit)


def round_down(amount: Fraction, digits: int = DIGITS) -> str:
    """A number in decimal text that is not above it."""
    with localcontext(prec=digits, rounding=ROUND_FLOOR):
        return f"{(Decimal(amount.numerator) / Decimal(amount.denominator)).normalize():f}"


def _last(kept: Callable[[int], bool], low: int, high: int) -> int:
    """The last whole number that is kept, from one that is to one that is not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


def _is_within(limit: Limit, sums: Amounts) -> bool:
    """Whether a promise, as it is written, is the limit or a stronger one."""
    if not isinstance(limit, EpsilonLimit) or limit.limit == inf:
        return False
    within = sums["epsilon"] <= Fraction(repr(limit.limit))
    return within and sums.get("delta", 0) <= Fraction(repr(limit.delta))


def _of_process(limit: Limit, now: Answer | None, after: Answer | None) -> LimitReading:
    return LimitReading(limit, "process", now, after)


def _larger(sums: Amounts, others: Amounts) -> Amounts:
    return {name: max(amount, others[name]) for name, amount in sums.items()}


def _up(amount: Fraction, written: bool) -> float:
    return as_written_up(amount) if written else rounded_up(amount)


def _order(order: float) -> str:
    return f"order {order!r}"
