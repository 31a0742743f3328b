"""An account: whose data, its limits, and how everything released stands against them.

`Account` is what is opened. A rule (`AccountRule`; the filters and the schedule are others' files)
makes a `Decision` about more releases and says where the account stands (`Standing`).
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, Final, Literal, final, get_args
from unicodedata import category

from dprisk._checks import assign, whole
from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.budget.informed import AttackLimit, BayesLimit, InformedLimit
from dprisk.budget.limits import EpsilonLimit, Limit, ProfileLimit
from dprisk.errors import InvalidInput, one_of, refused
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.ledger.entries import canonical_text, without_floats
from dprisk.releases.release import Part
from dprisk.releases.spelling import as_decimal
from dprisk.risk.adversary import ATTACKS, METRICS
from dprisk.theorems import Theorem

RuleName = Literal["fixed", "pure", "approximate", "concentrated", "gaussian", "renyi"]
RULE_NAMES: Final[tuple[RuleName, ...]] = get_args(RuleName)
DEFAULT_RULE: Final = "concentrated"
"""Valid whatever is released next; ``fixed``, which is not, has to be named."""
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)


@final
@result
@dataclass(frozen=True, repr=False)
class Account:
    """Whose data is protected, and the limits that all releases about it must keep together.

    Parameters
    ----------
    name : str
        Letters, digits, dots, hyphens and underscores, at most 100.
    population : str
        Whose data.
    unit : str
        What is protected, as in release files: ``"person"``, ``"household"``, ``"user-day"``.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    period : str
        The time it is about. A new period is a new account.
    rule : {"fixed", "pure", "approximate", "concentrated", "gaussian", "renyi"}
        How releases add up. ``fixed``: all of them were fixed in advance, and privacy losses are
        composed. The others are filters: a release may depend on the results of earlier ones.
    limits : tuple of Limit
        What everything together must keep. At least one, unless there is a `share`.
    days : int, optional
        Days in the period, at most. [1, 10^9]
    delta : str, optional
        The most that all deltas may add up to, in decimal text: for ``approximate`` and
        ``concentrated``. [0, 1)
    orders : tuple of str, optional
        For ``renyi``: the orders at which divergences add up, in decimal text. (1, inf)
    shape : tuple of (mapping, int), optional
        For ``renyi``: parts, in the form of files, with counts [1, 10^9], whose divergences give
        the cap its shape. Left out, the shape of zCDP.
    cap : str, optional
        For filters: the most that may be spent, in decimal text. Found when the account is opened.
    within : str, optional
        The account of which this one is a part: every charge counts there as well.
    share : str, optional
        The share of that account's cap that may be spent here: a rational number in text. (0, 1]
    apart : bool
        Whether whoever opens it states that nobody in its data is in the data of another account
        with the same population, unit and period.

    Raises
    ------
    InvalidInput
        If a word, a name or a number is not one of those allowed.

    Examples
    --------
    >>> from dprisk.budget import InformedLimit
    >>> from dprisk.ledger import Account
    >>> limit = InformedLimit("posterior", 0.5, prior=0.1)
    >>> town = Account("town", "residents", "person", "add-remove", "2026", "pure", (limit,))
    >>> town.is_filter
    True
    """

    name: str
    population: str
    unit: str
    neighbors: Neighbors
    period: str
    rule: RuleName = DEFAULT_RULE
    limits: tuple[Limit, ...] = ()
    days: int | None = None
    delta: str | None = None
    orders: tuple[str, ...] | None = None
    shape: tuple[tuple[Mapping[str, Any], int], ...] | None = None
    cap: str | None = None
    within: str | None = None
    share: str | None = None
    apart: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise InvalidInput(
                "name",
                self.name,
                "letters, digits, dots, hyphens and underscores, at most 100 of them",
                "Such as residents-2026.",
            )
        for name in ("population", "unit", "period"):
            assign(self, **{name: line(name, getattr(self, name))})
        if self.apart not in (True, False):
            raise InvalidInput("apart", self.apart, "True or False")
        one_of("neighbors", self.neighbors, NEIGHBORS)
        one_of("rule", self.rule, RULE_NAMES)
        if self.days is not None:
            assign(self, days=whole("days", self.days, 1))
        given: Any = self.limits
        assign(self, limits=tuple(given) if isinstance(given, list | tuple) else (given,))
        for limit in self.limits:
            _kind_of(limit)
        self._check_numbers()
        if not self.limits and self.share is None:
            raise InvalidInput(
                "limits",
                None,
                "at least one limit on the risk, or a share of another account",
                "Give a limit on the risk, such as a posterior of 0.5 at a prior of 0.1.",
            )
        if (self.share is None) != (self.within is None) and self.share is not None:
            raise InvalidInput("within", None, "the account of which this is a share")

    @cached_property
    def written(self) -> str:
        """Content of the entry that opens it, as text: the same for equal accounts."""
        return canonical_text(account_content(self))

    @property
    def is_filter(self) -> bool:
        """Whether what is released next may depend on what came out before."""
        return self.rule != "fixed"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; amounts are decimal text."""
        said = members(self, *(field.name for field in fields(self) if field.name != "shape"))
        parts = None if self.shape is None else [{**part, "count": n} for part, n in self.shape]
        return {**said, "shape": parts}

    def _check_numbers(self) -> None:
        for name, open_end in (("delta", True), ("cap", False)):
            text = getattr(self, name)
            if text is None:
                continue
            if as_decimal(text) is None or Fraction(text) < 0:
                raise InvalidInput(name, text, "a number in decimal text, not below 0")
            if open_end and Fraction(text) >= 1:
                raise InvalidInput(name, text, "below 1", "Such as 1e-6.")
        if self.delta is not None and self.rule not in ("approximate", "concentrated"):
            raise refused("ledger.account.no-delta", "delta", self.delta, rule=self.rule)
        if self.orders is not None and self.rule != "renyi":
            raise InvalidInput(
                "orders",
                ", ".join(self.orders),
                f"left out: the rule {self.rule} does not add up Rényi divergences",
                "The rule renyi adds them up.",
            )
        for text in self.orders or ():
            if as_decimal(text) is None or Fraction(text) <= 1:
                raise InvalidInput("orders", text, "a number above 1, in decimal text")
        if self.share is not None:
            assign(self, share=_share(self.share))


def _share(text: Any) -> str:
    """A rational number in (0, 1], in lowest terms."""
    try:
        share = Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1:
        raise InvalidInput("share", text, "a share above 0 and at most 1, such as 1/4")
    return str(share)


KINDS: Final[dict[str, type[Any]]] = {
    "epsilon": EpsilonLimit,
    "bayes_risk": BayesLimit,
    "profile": ProfileLimit,
    **dict.fromkeys(METRICS, InformedLimit),
    **dict.fromkeys(ATTACKS, AttackLimit),
}


def account_content(account: Account) -> dict[str, Any]:
    """Content of the entry that opens an account: plain data without floats."""
    said = {field.name: getattr(account, field.name) for field in fields(account)}
    said["limits"] = [limit_content(limit) for limit in account.limits]
    if account.shape is not None:
        said["shape"] = [[dict(part), count] for part, count in account.shape]
    said["apart"] = account.apart or None
    return {name: without_floats(value) for name, value in said.items() if value is not None}


def account_of(content: Mapping[str, Any]) -> Account:
    """The account that the content of an entry describes."""
    said = dict(content)
    said["limits"] = tuple(limit_of(limit) for limit in content["limits"])
    if "shape" in said:
        said["shape"] = tuple((part, count) for part, count in said["shape"])
    if "orders" in said:
        said["orders"] = tuple(said["orders"])
    return Account(**said)


def limit_content(limit: Limit) -> dict[str, Any]:
    """A limit as plain data, its numbers in decimal text that reads back the same."""
    kind = _kind_of(limit)
    named = {field.name: getattr(limit, field.name) for field in fields(limit) if field.init}  # type: ignore[arg-type]
    if isinstance(limit, ProfileLimit):
        named["profile"] = limit.profile.to_tree()
    found = {"metric": kind} | named  # a limit with a metric of its own says so
    return {name: without_floats(value) for name, value in found.items() if value is not None}


def _kind_of(limit: Limit) -> str:
    kind = next((name for name, made in KINDS.items() if type(limit) is made), None)
    if kind is None:
        raise refused("ledger.limit", "limit", limit, names=", ".join(KINDS))
    return kind


def limit_of(content: Mapping[str, Any]) -> Limit:
    """The limit that plain data stands for."""
    given = {name: _as_number(value) for name, value in content.items()}
    made = KINDS.get(str(given.get("metric")))
    if made is None:
        raise refused("ledger.limit", "limit", content, names=", ".join(KINDS))
    if made is ProfileLimit:
        from dprisk.budget.files import checked

        given["profile"] = checked({"dprisk": 1, "profile": given["profile"]}, "profile")
    if made in (EpsilonLimit, BayesLimit, ProfileLimit):
        del given["metric"]
    try:
        limit: Limit = made(**given)
    except TypeError:  # other names than those of the limit
        raise refused("ledger.limit", "limit", content, names=", ".join(KINDS)) from None
    return limit


def _as_number(value: Any) -> Any:
    """Decimal text as a number; other text as it is."""
    if isinstance(value, Mapping):
        return {name: _as_number(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_as_number(each) for each in value]
    if value == "inf":
        return math.inf
    return value if not isinstance(value, str) or as_decimal(value) is None else float(value)


LONGEST: Final = 1000


def line(name: str, value: Any) -> str:
    """One line of text that says something; anything else is refused by name."""
    if isinstance(value, str) and value.strip() and len(value) <= LONGEST:
        odd = () if value.isprintable() else value
        if all(each.isprintable() or category(each) == "Zs" for each in odd):
            return value.strip()
    raise refused("ledger.line", name, value, most=LONGEST)


Counts = Mapping[Part, int]
"""How often each part counts."""
Scope = Literal["schedule", "process", "path"]
"""``schedule``: all that counts, fixed in advance. ``process``: all that a filter ever lets
through. ``path``: the outputs seen so far, for whoever has seen all of them."""
MOST: Final = 10**9


@final
@result
@dataclass(frozen=True, repr=False)
class LimitReading:
    """One limit of an account, with the bound on what it limits."""

    limit: Limit
    scope: Scope
    now: Answer | None  # at most, with what counts now; None where it was not worked out
    after: Answer | None = None  # with what is asked for; None where a cheaper bound decided

    @property
    def most(self) -> float:
        """The largest value tolerated."""
        return self.limit.most

    @property
    def kept(self) -> bool | None:
        """Whether the limit is kept with what is asked for; None if that was not worked out."""
        return None if self.after is None else float(self.after) <= self.most

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: upper bounds, None for an infinite one."""
        known = self.after or self.now
        numbers = {
            name: None if found is None else plain(float(found))
            for name, found in (("now", self.now), ("after", self.after))
        }
        theorem = None if known is None else str(known.theorem)
        said = {"most": plain(self.most), "direction": "at most", "theorem": theorem}
        return {**members(self, "limit", "scope"), **numbers, **said}


@final
@result
@dataclass(frozen=True, repr=False)
class Amount:
    """Exact amount that adds up in a filter."""

    name: str  # such as ``rho``, or ``order 2.0`` of Rényi divergences
    spent: Fraction
    most: Fraction  # the cap
    more: Fraction = Fraction(0)  # by what is asked for

    @property
    def share(self) -> Fraction:
        """Share of the cap that is spent; 1 if the cap is 0."""
        return self.spent / self.most if self.most else Fraction(1)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; amounts are rational numbers in text."""
        return {"name": self.name, **{n: str(getattr(self, n)) for n in ("spent", "more", "most")}}


@final
@result
@dataclass(frozen=True, repr=False)
class Decision:
    """Whether the limits of an account would still be kept with more releases."""

    rule: RuleName
    kept: bool
    asked: int  # how many equal releases: the greatest common divisor of all counts
    fits: int  # how many of these fit: at least, by the rule fixed; exactly, by the others
    readings: tuple[LimitReading, ...]
    amounts: tuple[Amount, ...]
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; exact amounts are text."""
        return members(self, theorem=str(self.theorem))


@final
@result
@dataclass(frozen=True, repr=False)
class Standing:
    """Bounds on what everything charged to an account reveals, and how many more releases fit."""

    rule: RuleName
    whole: Guarantee  # kept now, by the rule fixed; by all that is ever released, by the others
    readings: tuple[LimitReading, ...]
    amounts: tuple[Amount, ...]
    share: Fraction | None  # of the cap that is spent; None by the rule fixed
    left: int | None  # how many more releases like a given one fit, at most `MOST`
    theorem: Theorem
    bounded: int = 0  # kinds of subsampled noise added up by Rényi divergences: a looser bound

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; exact amounts are text."""
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
    def check_part(self, part: Part) -> None:
        """Refuse a part that does not add up by this rule."""

    @abstractmethod
    def decide(self, spent: Counts, more: Counts) -> Decision:
        """Whether the limits are still kept with more, and by how much."""

    @abstractmethod
    def keeps(self, spent: Counts, more: Counts) -> bool:
        """Whether the limits are still kept with more, and nothing else."""

    @abstractmethod
    def standing(self, spent: Counts, like: Counts | None = None) -> Standing:
        """Standing of the account, and how many more releases such as `like` fit."""


def split_counts(more: Counts) -> tuple[dict[Part, int], int]:
    """Counts read as so many equal releases: the counts of one, and how many."""
    times = gcd(*more.values()) or 1
    return {part: count // times for part, count in more.items()}, times


def add_counts(spent: Counts, each: Counts, times: int) -> dict[Part, int]:
    """Add so many equal releases to what counts already."""
    found = dict(spent)
    for part, number in each.items() if times else ():
        found[part] = found.get(part, 0) + number * times
    return found
