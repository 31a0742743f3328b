"""A reproduction: items of a paper, what was computed for each, and each print beside ours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Literal, final

from dprisk._checks import assign
from dprisk._values import members, plain, result
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
from dprisk.sources import WORKS
from dprisk.table import Table

REPRODUCTION: Final = "dprisk/reproduction/1"

Kind = Literal["figure", "table", "text"]

LARGEST_DENOMINATOR: Final = 10**6  # denominators of fractions that are shown as such


@final
@result
@dataclass(frozen=True, repr=False)
class Item:
    """A figure, a table or a passage of a paper. Made by `items`.

    Parameters
    ----------
    paper : str
        Its short name, such as ``"P0"``.
    kind : {"figure", "table", "text"}
        What it is; figures and tables are numbered in the paper.
    label : str
        Its name there, such as ``"Figure 3"``.
    place : str
        The section that it belongs to.
    shows : str
        What it is about.
    setting : str
        The parameters.
    prints : tuple of Print
        The printed numbers that are checked.
    not_computed : str
        Why there is nothing to compute; empty for all but definitions.
    """

    paper: str
    kind: Kind
    label: str
    place: str
    shows: str
    setting: str
    prints: tuple[Print, ...]
    not_computed: str = ""

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
    """What was computed for an item.

    Parameters
    ----------
    found : mapping of str to number, Answer, Explained, Formula or Assertion
        For each print by what it is of.
    table : Table
        The numbers behind it.
    pictures : mapping of str to callable
        For each caption what draws it, by `dprisk.plots`; without a figure, none.
    remark : str
        What else is seen.

    Examples
    --------
    >>> from dprisk.papers import reproduce
    >>> (part,) = reproduce(["P3/table-3"]).parts
    >>> round(part.made.found["r = 3, epsilon"], 4), part.made.table.rows[1][0]
    (1.2993, 'r = 3')
    """

    found: Mapping[str, Any]
    table: Table
    pictures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    remark: str = ""

    @classmethod
    def of(cls, found: Mapping[str, Any], remark: str = "") -> Made:
        """Numbers that stand in a text: each is a row of the table, but for statements.

        Parameters
        ----------
        found : mapping of str to number, Answer, Explained, Formula or Assertion
            For each print by what it is of.
        remark : str
            What else is seen.

        Returns
        -------
        Made
            Without a picture.
        """
        rows = []
        for name, each in found.items():
            if not isinstance(each, Assertion):
                ours = each.ours if isinstance(each, Explained | Formula) else each
                low, high = spread_of(ours)
                rows.append((name, float(low), float(high)))
        return cls(found, Table(("quantity", "at least", "at most"), tuple(rows)), remark=remark)


@final
@result
@dataclass(frozen=True, repr=False)
class Check:
    """A print beside what was found. Made by `reproduce`.

    Parameters
    ----------
    printed : Print
        The print.
    found : number, Answer, Explained, Formula or Assertion
        What was computed.
    """

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
        """What was found, with two digits more than the print."""
        found = self.found.ours if isinstance(self.found, Explained) else self.found
        if isinstance(found, Assertion):
            return "holds" if found.holds else "does not hold"
        if isinstance(found, Formula):
            return f"{float(found.ours):.6g} (as printed: {float(found.printed):.6g})"
        low, high = (_written(end, self.printed.text) for end in spread_of(found))
        return low if low == high else f"{low} to {high}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            ``at_least`` and ``at_most`` are None for statements, and where nothing is limited.
        """
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
    """An item with everything that was made of it. Made by `reproduce`.

    Parameters
    ----------
    item : Item
        What is reproduced.
    checks : tuple of Check
        Its prints beside ours, in the order of the list.
    made : Made or None
        What was computed; None for an item without anything to compute.
    """

    item: Item
    checks: tuple[Check, ...] = ()
    made: Made | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Without the table, which is a file of its own.
        """
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
    """The papers, reproduced. Made by `reproduce`.

    Parameters
    ----------
    parts : tuple of Reproduced
        Item by item.
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
        """The items of one paper.

        Parameters
        ----------
        paper : str
            Its short name.

        Returns
        -------
        tuple of Reproduced
            In the order of the list.
        """
        return tuple(part for part in self.parts if part.item.paper == paper)

    def counts(self, paper: str) -> dict[Verdict, int]:
        """How many prints of a paper have which verdict.

        Parameters
        ----------
        paper : str
            Its short name.

        Returns
        -------
        dict of str to int
            For every verdict.
        """
        found = Counter(check.verdict for part in self.of(paper) for check in part.checks)
        return {name: found[name] for name in VERDICTS}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with ``dprisk reproduce``.
        """
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
    """With two digits more than the print, in its unit; whole numbers and fractions as they are."""
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
