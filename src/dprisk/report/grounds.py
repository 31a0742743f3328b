"""What each number rests on: its theorems, and what is taken for granted."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dprisk._pages import slug
from dprisk.explain.promises import whole_promise
from dprisk.explain.units import gaps
from dprisk.report.blocks import Links
from dprisk.report.words import begun
from dprisk.text import fill, language

if TYPE_CHECKING:
    from dprisk.assessment.compare_release import Compared
    from dprisk.assessment.statements import Assessment, Finding, Statement
    from dprisk.report.document import Report
    from dprisk.risk.counterfactual import Counterfactual
    from dprisk.sources import Theorem


ASSUMED = "assumed"
"""The place where it stands what is taken for granted."""

UNSHOWN = ("ratio_not", "with_data")


class Group(NamedTuple):
    """What some numbers take for granted, in English."""

    place: str
    title: str
    lines: tuple[str, ...]


def because(report: Report, place: str, theorems: Iterable[Theorem]) -> Links:
    """The way from numbers to their theorems and to what they take for granted."""
    known = {group.place for group in of_each(report)}
    works: dict[str, dict[str, Theorem]] = {}
    for each in theorems:
        works.setdefault(each.work, {}).setdefault(each.place, each)
    found = [
        (each.place if at else each.named, place_of(each))
        for cited in works.values()
        for at, each in enumerate(cited.values())
    ]
    found.append((fill("summary.why.assumed"), place if place in known else ASSUMED))
    return Links(fill("summary.why"), tuple(found))


def place_of(theorem: Theorem) -> str:
    """Where a theorem stands in the report."""
    return f"by-{slug(str(theorem))}"


def of_statement(assessment: Assessment, statement: Statement) -> str:
    """Where it stands what a statement takes for granted."""
    mine = statement.loss.assumptions
    at = next(n for n, each in enumerate(assessment.statements) if each.loss.assumptions == mine)
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
    whose = gaps(report.release)
    if report.compared is not None:
        title = fill("report.title.compared")
        yield Group(f"{ASSUMED}-compared", title, _of_readers(report.compared))
    for one in report.assessments:
        places: dict[str, Statement] = {}
        for statement in one.statements:
            places.setdefault(of_statement(one, statement), statement)
        for place, statement in places.items():
            title = fill(f"report.asks.{one.adversary.secret}", **whose)
            by = whole_promise(statement.composed.guarantee)
            said = fill("report.assumed.by", title=title, promise=by) if len(places) > 1 else title
            yield Group(place, said, statement.loss.assumptions)
    if report.attacked is not None:
        title = fill("report.title.tested")
        yield Group(f"{ASSUMED}-tested", title, report.attacked.curve.assumptions)
    for findings in report.concerns[:1]:
        lines = dict.fromkeys((*findings.assumptions, *findings.disclosure.assumptions))
        yield Group(f"{ASSUMED}-concerns", fill("report.title.concerns"), tuple(lines))


def _of_readers(made: Compared) -> tuple[str, ...]:
    """What holds for all of them once, the rest with the name of each."""
    found = {each.adversary: made.assumed(each) for each in limiting(made)}
    first = next(iter(found.values()))
    common = [line for line in first if all(line in lines for lines in found.values())]
    own = {
        who: " ".join(line for line in lines if line not in common) for who, lines in found.items()
    }
    named = (
        fill("report.assumed.reader", reader=begun(fill(f"report.reader.{who}")), line=line)
        for who, line in own.items()
        if line
    )
    return (*common, *named)


def readers(found: tuple[Counterfactual, ...]) -> list[Counterfactual]:
    """From the one who is bound by most to the one who knows most."""
    order = ("wrong-prior", "arbitrary-prior", "rest-known", "true-record")
    return sorted(found, key=lambda each: order.index(each.adversary))


def confidence_of(made: Compared, each: Counterfactual) -> float | None:
    """With which a limit for this reader holds; None: with certainty."""
    return None if each.adversary == "wrong-prior" else made.confidences[0]


def limiting(made: Compared) -> list[Counterfactual]:
    """The readers who need a row; one alone where the same limits hold for any reader."""
    found = readers(made.found)
    first, *others = (_limits(made, each) for each in found)
    return found[:1] if all(np.allclose(each, first, 1e-9, 0.0) for each in others) else found


def _limits(made: Compared, each: Counterfactual) -> list[float]:
    sure = confidence_of(made, each)
    after = np.asarray(each.belief(made.without, sure).value)
    return [float(each.ratio(sure)), *after.tolist()]


def shown(statement: Statement, limited: Container[str] = ()) -> list[Finding]:
    """The findings that a report shows; of those not in its tables, only what is limited."""
    return [
        each for each in statement.findings if each.metric not in UNSHOWN or each.metric in limited
    ]
