"""What each number rests on: its theorems, and what is taken for granted."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dprisk._pages import slug
from dprisk.explain.wording import whom
from dprisk.report.blocks import Links
from dprisk.report.words import begun
from dprisk.text import fill, language

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Compared, Statement
    from dprisk.report.values import Report
    from dprisk.risk import Counterfactual
    from dprisk.sources import Theorem

__all__ = [
    "ASSUMED",
    "Group",
    "because",
    "of_all",
    "of_each",
    "of_statement",
    "place_of",
    "readers",
    "tightest",
]

ASSUMED = "assumed"
"""The place where it stands what is taken for granted."""


class Group(NamedTuple):
    """What some numbers take for granted, in English."""

    place: str
    title: str
    lines: tuple[str, ...]


def because(report: Report, place: str, theorems: Iterable[Theorem]) -> Links:
    """The way from numbers to their theorems and to what they take for granted."""
    known = {group.place for group in of_each(report)}
    found = [(theorem.named, place_of(theorem)) for theorem in dict.fromkeys(theorems)]
    found.append((fill("summary.why.assumed"), place if place in known else ASSUMED))
    return Links(fill("summary.why"), tuple(found))


def place_of(theorem: Theorem) -> str:
    """Where a theorem stands in the report."""
    return f"by-{slug(str(theorem))}"


def of_statement(assessment: Assessment, statement: Statement) -> str:
    """Where it stands what a statement takes for granted."""
    at = next(n for n, each in enumerate(assessment.statements) if each is statement)
    return f"{ASSUMED}-{assessment.adversary.secret}-{at + 1}"


def of_all(report: Report) -> tuple[str, ...]:
    """What all numbers take for granted."""
    groups = _groups(report)
    return (
        tuple(line for line in groups[0].lines if all(line in each.lines for each in groups))
        if groups
        else ()
    )


def of_each(report: Report) -> tuple[Group, ...]:
    """What some take for granted besides, reader by reader."""
    common = of_all(report)
    rest = (
        each._replace(lines=tuple(line for line in dict.fromkeys(each.lines) if line not in common))
        for each in _groups(report)
    )
    return tuple(each for each in rest if each.lines)


@lru_cache(maxsize=4)
def _groups(report: Report) -> tuple[Group, ...]:
    with language("en"):
        return tuple(_found(report))


def _found(report: Report) -> Iterable[Group]:
    who = whom(report.release)
    if report.compared is not None:
        title = fill("report.title.compared")
        yield Group(f"{ASSUMED}-compared", title, _of_readers(report.compared))
    for one in report.assessments:
        for statement in one.statements:
            also = f" ({statement.label})" if len(one.statements) > 1 else ""
            title = fill(f"report.asks.{one.adversary.secret}", who=who)
            place = of_statement(one, statement)
            yield Group(place, f"{title}{also}", statement.loss.assumptions)
    if report.attacked is not None:
        title = fill("report.title.tested")
        yield Group(f"{ASSUMED}-tested", title, report.attacked.curve.assumptions)
    for findings in report.concerns[:1]:
        lines = dict.fromkeys((*findings.assumptions, *findings.disclosure.assumptions))
        yield Group(f"{ASSUMED}-concerns", fill("report.title.concerns"), tuple(lines))


def _of_readers(made: Compared) -> tuple[str, ...]:
    """What holds for all of them once, the rest with the name of each."""
    found = readers(made.found)
    common = [
        line for line in found[0].assumptions if all(line in each.assumptions for each in found)
    ]
    own = [
        fill(
            "report.assumed.reader",
            reader=begun(fill(f"report.reader.{each.adversary}")),
            line=line,
        )
        for each in found
        for line in each.assumptions
        if line not in common
    ]
    return (*common, *own)


def readers(found: tuple[Counterfactual, ...]) -> list[Counterfactual]:
    """From the one who is bound by most to the one who knows most."""
    order = ("wrong-prior", "arbitrary-prior", "rest-known", "true-record")
    return sorted(found, key=lambda each: order.index(each.adversary))


def tightest(assessment: Assessment) -> Statement:
    """The statement that says most."""
    return min(assessment.statements, key=lambda statement: float(statement.loss))
