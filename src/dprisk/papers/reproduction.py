"""A reproduction: items of a paper, what was computed for each, and each print beside ours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from typing import Any, Final, Literal, final

from dprisk._checks import assign
from dprisk._files import shipped
from dprisk._values import members, plain, result
from dprisk.errors import one_of, refused
from dprisk.papers.prints import (
    VERDICTS,
    Assertion,
    Explained,
    Formula,
    Print,
    Verdict,
    spread_of,
    units,
    verdict,
)
from dprisk.progress import each as counted
from dprisk.table import NumberTable
from dprisk.theorems import WORKS

REPRODUCTION: Final = "dprisk/reproduction/1"

Kind = Literal["figure", "table", "text"]

LARGEST_DENOMINATOR: Final = 10**6  # denominators of fractions that are shown as such


@final
@result
@dataclass(frozen=True, repr=False)
class Item:
    """A figure, a table or a passage of a paper: where it is, what it is about, and its prints."""

    paper: str
    kind: Kind
    label: str
    place: str
    shows: str
    setting: str
    prints: tuple[Print, ...]
    not_computed: str = ""
    names: tuple[tuple[str, str], ...] = ()

    @property
    def slug(self) -> str:
        """Its name in files and links, such as ``"figure-3"``."""
        kept = (letter if letter.isalnum() else "-" for letter in self.label.lower())
        return "".join(kept)

    @property
    def key(self) -> str:
        """Its name among all papers, such as ``"P0/figure-3"``."""
        return f"{self.paper}/{self.slug}"


@final
@result
@dataclass(frozen=True, repr=False, eq=False)
class Made:
    """Results for an item: numbers by print, a table, drawings by caption, and a remark."""

    found: Mapping[str, Any]
    table: NumberTable
    pictures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    remark: str = ""

    @classmethod
    def of(cls, found: Mapping[str, Any], remark: str = "") -> Made:
        """Numbers that stand in a text: each is a row of the table, but for statements."""
        rows = []
        for name, each in found.items():
            if not isinstance(each, Assertion):
                ours = each.ours if isinstance(each, Explained | Formula) else each
                low, high = spread_of(ours)
                rows.append((name, float(low), float(high)))
        return cls(
            found, NumberTable(("quantity", "at least", "at most"), tuple(rows)), remark=remark
        )


@final
@result
@dataclass(frozen=True, repr=False)
class Check:
    """A print beside what was found."""

    printed: Print
    found: Any

    @property
    def verdict(self) -> Verdict:
        """How they agree; computed."""
        return verdict(self.printed, self.found)

    @property
    def as_expected(self) -> bool:
        """Whether that is what the list of prints expects."""
        return self.verdict == self.printed.expected

    @property
    def ours(self) -> str:
        """Number that was found, with two digits more than the print."""
        found = self.found.ours if isinstance(self.found, Explained) else self.found
        if isinstance(found, Assertion):
            return "holds" if found.holds else "does not hold"
        if isinstance(found, Formula):
            return f"{float(found.ours):.6g} (as printed: {float(found.printed):.6g})"
        low, high = (_written(end, self.printed.text) for end in spread_of(found))
        return low if low == high else f"{low} to {high}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data; the ends are None for statements and where nothing is limited."""
        found = self.found
        if isinstance(found, Explained | Formula):
            found = found.ours
        ends = (math.nan, math.nan) if isinstance(found, Assertion) else spread_of(found)
        least, most = (float(end) if math.isfinite(end) else None for end in ends)
        return {
            **members(self, "printed.what", printed=self.printed.text),
            "ours": self.ours,
            "at_least": least,
            "at_most": most,
            **members(self, "verdict", "as_expected", "printed.correct"),
            "why": self.printed.why or None,
        }


@final
@result
@dataclass(frozen=True, repr=False, eq=False)
class Reproduced:
    """An item with its prints beside ours, and what was computed; None if there is nothing to."""

    item: Item
    checks: tuple[Check, ...] = ()
    made: Made | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the table, which is a file of its own."""
        return {
            **members(self.item, "key", "kind", "label", "place", "shows", "setting"),
            "not_computed": self.item.not_computed or None,
            "remark": (self.made.remark if self.made else "") or None,
            "checks": plain(self.checks),
        }


@final
@result
@dataclass(frozen=True, eq=False)
class Reproduction:
    """The papers, reproduced, item by item. Made by `reproduce`.

    Each of the `parts` has its `item`, its `checks` (a print, what was found, and the verdict), and
    what was `made` (numbers found, a table, pictures).
    """

    parts: tuple[Reproduced, ...]
    papers: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        papers = tuple(dict.fromkeys(part.item.paper for part in self.parts))
        assign(self, papers=papers)

    @property
    def unexpected(self) -> tuple[str, ...]:
        """Prints whose verdict is not the one that the list expects."""
        return tuple(
            f"{part.item.key}, {check.printed.what}: {check.verdict}"
            for part in self.parts
            for check in part.checks
            if not check.as_expected
        )

    def of(self, paper: str) -> tuple[Reproduced, ...]:
        """The items of one paper, in the order of the list."""
        return tuple(part for part in self.parts if part.item.paper == paper)

    def counts(self, paper: str) -> dict[Verdict, int]:
        """How many prints of a paper have which verdict, for every verdict."""
        found = Counter(check.verdict for part in self.of(paper) for check in part.checks)
        return {name: found[name] for name in VERDICTS}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; keys are documented with ``dprisk reproduce``."""
        return {
            "schema": REPRODUCTION,
            "as_expected": not self.unexpected,
            "unexpected": list(self.unexpected),
            "papers": [
                {
                    "paper": paper,
                    "citation": WORKS[paper],
                    "verdicts": self.counts(paper),
                    "items": [part.to_dict() for part in self.of(paper)],
                }
                for paper in self.papers
            ],
        }

    def __repr__(self) -> str:
        return f"<Reproduction of {', '.join(self.papers)}: {len(self.parts)} items>"


def _written(value: Any, like: str) -> str:
    """Write a number in the print's unit with two digits more; whole ones and fractions exactly."""
    if not math.isfinite(value):
        return "unlimited"
    text = like.lstrip("<> ")
    scale, end = (100, "%") if text.endswith("%") else (1, "")
    number = Fraction(value) * scale
    half = units(text)[1] * scale
    if number.denominator == 1 or (not half and number.denominator < LARGEST_DENOMINATOR):
        return f"{number}{end}"
    printed = max(0, -math.floor(math.log10(2 * half))) if half else 4
    for digits in range(printed + 2, printed + 9):
        shown = f"{float(number):.{digits}f}"
        if Fraction(shown) == number or (Fraction(shown) * 10**printed) % 1 != Fraction(1, 2):
            break  # one that stops half-way between two prints does not say which is nearer
    return f"{shown}{end}"


PAPERS: Final = ("P0", "P1", "P2", "P3", "P4")
"""The papers, by their short names."""


def items(which: Iterable[str] = ()) -> tuple[Item, ...]:
    """The figures, tables and passages that are reproduced, with the prints that are checked.

    Parameters
    ----------
    which : iterable of str
        Papers, such as ``"P0"``, or items, such as ``"P0/figure-3"``. Left out, everything.

    Returns
    -------
    tuple of Item
        In the order of the papers. Every numbered figure and table is among them.

    Raises
    ------
    InvalidInput
        If something asked for is neither.

    Examples
    --------
    >>> from dprisk.papers import items
    >>> len(items()), [item.label for item in items(["P4"])][:2]
    (62, ['Figure 1', 'One bit'])
    """
    asked = list(which)
    known = [item for paper in PAPERS for item in _items(paper)]
    keys = {item.key.lower() for item in known} | {paper.lower() for paper in PAPERS}
    for each in asked:
        if not isinstance(each, str) or each.lower() not in keys:
            _refuse(each, known)
    wanted = {each.lower() for each in asked}
    return tuple(
        item for item in known if not wanted or wanted & {item.paper.lower(), item.key.lower()}
    )


def printed_in(paper: str, label: str) -> dict[str, Print]:
    """The prints of one item."""
    known = {item.label: item for item in _items(one_of("paper", paper, PAPERS))}
    item = known[one_of("label", label, known)]
    return {each.what: each for each in item.prints}


def reproduce(which: Iterable[str] = ()) -> Reproduction:
    """Compute the figures, tables and numbers of the papers, and compare them with the prints.

    Parameters
    ----------
    which : iterable of str
        Papers, such as ``"P0"``, or items, such as ``"P0/figure-3"``. Left out, everything.

    Returns
    -------
    Reproduction
        Items with their tables and their prints, each with a verdict that is computed: a print
        matches if ours, rounded to the digits printed, is the print; a known slip has to fail that,
        and to match its correction; where it is understood, the print has to come out with it.

    Examples
    --------
    >>> from dprisk.papers import reproduce
    >>> made = reproduce(["P3/table-3"])
    >>> made.counts("P3"), made.unexpected
    ({'match': 9, 'rounding': 0, 'erratum': 0, 'differs': 0}, ())
    """
    return Reproduction(tuple(_reproduced(item) for item in counted("items", items(which))))


def _reproduced(item: Item) -> Reproduced:
    made = _maker(item)()
    checks = tuple(Check(each, made.found[each.what]) for each in item.prints)
    return Reproduced(item, checks, made)


def _maker(item: Item) -> Callable[[], Made]:
    """Function of the paper's module that computes an item: under its name, or for all of its kind.

    An item that defines symbols is their names here.
    """
    if item.names:
        return lambda: Made({}, NumberTable(("symbol", "here"), item.names))
    home = "p4" if item.paper == "P2" else item.paper.lower()
    known = vars(import_module(f"dprisk.papers.{home}"))
    kind, _, rest = item.label.partition(" ")
    return known.get(item.slug.replace("-", "_")) or partial(known[kind.lower()], rest)


def _refuse(asked: Any, known: list[Item]) -> None:
    paper = str(asked).partition("/")[0].upper()
    if paper in PAPERS:
        one_of("an item", asked, [item.key for item in known if item.paper == paper])
    words = {"papers": ", ".join(PAPERS), "item": known[0].key}
    raise refused("papers.item", "what to reproduce", asked, **words)


@cache
def _items(paper: str) -> tuple[Item, ...]:
    import yaml

    tree = yaml.safe_load(shipped("papers", "data", f"{paper.lower()}.yaml"))
    return tuple(_item(paper, each) for each in tree["items"])


def _item(paper: str, each: dict[str, Any]) -> Item:
    word = each["label"].partition(" ")[0].lower()
    kinds: dict[str, Kind] = {"figure": "figure", "table": "table"}
    prints = (
        Print(what, given)
        if isinstance(given, str)
        else Print(what, given["printed"], given.get("correct"), given.get("why", ""))
        for what, given in each["prints"].items()
    )
    said = {name: each.get(name, "") for name in ("setting", "not_computed")}
    where = {name: each[name] for name in ("label", "place", "shows")}
    names = tuple(each.get("names", {}).items())
    return Item(paper, kinds.get(word, "text"), **where, **said, prints=tuple(prints), names=names)
