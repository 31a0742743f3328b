"""Decisions of a rule about more releases, and the standing of an account under it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, final

from dprisk._values import members, plain, result, rounded
from dprisk.answer import Answer
from dprisk.budget.limits import Limit
from dprisk.guarantees.base import Guarantee
from dprisk.releases.release import Part
from dprisk.text import count, fill
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from dprisk.ledger.accounts import RuleName

Counts = Mapping[Part, int]
"""How often each part counts."""
Scope = Literal["schedule", "process", "path"]
MOST: Final = 10**9


@final
@result
@dataclass(frozen=True, repr=False)
class LimitReading:
    """One limit of an account, and what is limited. Made by `AccountRule.standing`.

    Parameters
    ----------
    limit : Limit
        What must be kept.
    scope : {"schedule", "process", "path"}
        What the numbers are about. ``schedule``: everything that counts, fixed in advance.
        ``process``: everything that is ever released within the cap of a filter, whatever is
        chosen next. ``path``: the outputs seen so far, for whoever has seen all of them.
    now : Answer, optional
        What is limited, at most, with what counts now. Left out where it was not worked out.
    after : Answer, optional
        The same with what is asked for; of a process that is refused more, what a cap that holds
        it would mean. Left out where a cheaper bound decided.
    """

    limit: Limit
    scope: Scope
    now: Answer | None
    after: Answer | None = None

    @property
    def most(self) -> float:
        """The largest value tolerated."""
        return self.limit.most

    @property
    def kept(self) -> bool | None:
        """Whether the limit is kept with what is asked for; None if that was not worked out."""
        return None if self.after is None else float(self.after) <= self.most

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Numbers are upper bounds; an infinite one is None.
        """
        known = self.after or self.now
        numbers = {name: _number(getattr(self, name)) for name in ("now", "after")}
        theorem = None if known is None else str(known.theorem)
        said = {"most": plain(self.most), "direction": "at most", "theorem": theorem}
        return {**members(self, "limit", "scope"), **numbers, **said}


@final
@result
@dataclass(frozen=True, repr=False)
class Amount:
    """Exact amount that adds up in a filter. Made by `AccountRule.standing`.

    Parameters
    ----------
    name : str
        Such as ``"rho"``, or ``"order 2.0"`` of Rényi divergences.
    spent : Fraction
        By what counts now. [0, inf)
    most : Fraction
        The cap. [0, inf)
    more : Fraction
        By what is asked for. [0, inf)
    """

    name: str
    spent: Fraction
    most: Fraction
    more: Fraction = Fraction(0)

    @property
    def share(self) -> Fraction:
        """Share of the cap that is spent; 1 if the cap is 0."""
        return self.spent / self.most if self.most else Fraction(1)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Amounts are rational numbers in text.
        """
        return {"name": self.name, **{n: str(getattr(self, n)) for n in ("spent", "more", "most")}}


@final
@result
@dataclass(frozen=True, repr=False)
class Decision:
    """Whether the limits of an account would still be kept. Made by `AccountRule.decide`.

    Parameters
    ----------
    rule : {"fixed", "pure", "approximate", "concentrated", "gaussian", "renyi"}
        How the account adds up.
    kept : bool
        Whether every limit is certainly kept with what is asked for.
    asked : int
        How many equal releases are asked for: the greatest common divisor of all counts. [1, inf)
    fits : int
        How many of these fit: at least, by the rule fixed; exactly, by the others. [0, 10^9]
    readings : tuple of LimitReading
        One for each limit.
    amounts : tuple of Amount
        What adds up, in a filter.
    theorem : Theorem
        Why the rule is right.
    """

    rule: RuleName
    kept: bool
    asked: int
    fits: int
    readings: tuple[LimitReading, ...]
    amounts: tuple[Amount, ...]
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Exact amounts are text.
        """
        return members(self, theorem=str(self.theorem))


@final
@result
@dataclass(frozen=True, repr=False)
class Standing:
    """Standing of an account. Made by `AccountRule.standing`.

    Parameters
    ----------
    rule : {"fixed", "pure", "approximate", "concentrated", "gaussian", "renyi"}
        How the account adds up.
    whole : Guarantee
        What everything keeps: that counts now, by the rule fixed; that is ever released, by the
        others.
    readings : tuple of LimitReading
        One for each limit.
    amounts : tuple of Amount
        What adds up, in a filter.
    share : Fraction or None
        Of the cap that is spent, the largest of all amounts; None by the rule fixed. [0, 1]
    left : int or None
        How many more releases like a given one fit; None if none was given. [0, 10^9]
    theorem : Theorem
        Why the rule is right.
    bounded : int
        How many kinds of subsampled noise were added up by their Rényi divergences, and not
        composed: an upper bound that is quick, and a little larger. [0, inf)
    """

    rule: RuleName
    whole: Guarantee
    readings: tuple[LimitReading, ...]
    amounts: tuple[Amount, ...]
    share: Fraction | None
    left: int | None
    theorem: Theorem
    bounded: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Exact amounts are text.
        """
        said = {"whole": repr(self.whole), "theorem": str(self.theorem)}
        share = None if self.share is None else str(self.share)
        return members(self, "rule", "readings", "amounts", "left", "bounded", share=share, **said)


class AccountRule(ABC):
    """How an account adds up."""

    __slots__ = ()

    @abstractmethod
    def can_count(self, part: Part) -> bool:
        """Whether the account may let such a part through."""

    @abstractmethod
    def decide(self, spent: Counts, more: Counts) -> Decision:
        """Whether the limits are still kept with more."""

    @abstractmethod
    def standing(self, spent: Counts, like: Counts | None = None) -> Standing:
        """Standing of the account, and how many more releases such as `like` fit."""


class Repeated(NamedTuple):
    """Counts that are asked for, read as so many equal releases."""

    each: dict[Part, int]
    times: int

    @classmethod
    def of(cls, more: Counts) -> Repeated:
        """Split counts into as many equal releases as they can be."""
        times = gcd(*more.values()) or 1
        return cls({part: count // times for part, count in more.items()}, times)


def add_counts(spent: Counts, each: Counts, times: int) -> dict[Part, int]:
    """Add so many equal releases to what counts already."""
    found = dict(spent)
    for part, number in each.items() if times else ():
        found[part] = found.get(part, 0) + number * times
    return found


def _number(found: Answer | None) -> Any:
    return None if found is None else plain(float(found))


DIGITS: Final = 9
PLAINLY, LARGE = Decimal("1e-6"), Decimal("1e9")


def reasons(decisions: Mapping[str, Decision]) -> Iterator[str]:
    """Sentences for every account with a limit that would not be kept."""
    for account, decision in decisions.items():
        if decision.kept:
            continue
        for amount in decision.amounts:
            if amount.spent + amount.more > amount.most:
                yield _amount(account, amount)
        if not decision.amounts:
            yield from (_reading(account, each) for each in decision.readings if not each.kept)
        if decision.asked > 1:
            fits, asked = count(decision.fits), count(decision.asked)
            yield f"Of these {asked}, {fits} would fit."


def _amount(account: str, amount: Amount) -> str:
    said = {
        "more": _decimal(amount.more, ROUND_CEILING),
        "left": _decimal(amount.most - amount.spent, ROUND_FLOOR),
        "most": _decimal(amount.most, ROUND_FLOOR),
    }
    return fill("ledger.refused.amount", account=account, name=amount.name, **said)


def _reading(account: str, reading: LimitReading) -> str:
    metric, most = reading.limit.to_dict()["metric"], rounded(reading.most)
    if reading.after is None:
        return f"{account}: the release would break the limit of {most} on the {metric}."
    after = rounded(float(reading.after), "at most")
    return f"{account}: the {metric} could become {after}, and the limit is {most}."


def _decimal(amount: Fraction, rounding: str) -> str:
    context = Context(prec=DIGITS, rounding=rounding)
    top, bottom = context.create_decimal(amount.numerator), amount.denominator
    short = context.divide(top, bottom).normalize()
    return f"{short:f}" if PLAINLY <= short < LARGE or not short else f"{short:e}"
