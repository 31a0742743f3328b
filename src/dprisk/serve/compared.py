"""Promises and deployments side by side on a page, like with like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from dprisk.documents.document import Table
from dprisk.guarantees.base import SYMBOLS
from dprisk.serve import drawn
from dprisk.serve.answered import (
    Shown,
    best,
    changed,
    computed,
    find,
    once,
    or_inf,
    published,
    theorems,
    up_to,
)
from dprisk.serve.ways import columns, share
from dprisk.text import fill
from dprisk.text.rounding import at_most, hundredths, out_of, scale

LIKE: Final = ("unit", "period", "model", "neighbors")


def of_comparison(now: Mapping[str, str], answers: Mapping[str, Any]) -> Shown:
    """Two or three promises, for the same reader."""
    marks, prior = columns(now), float(share(now["prior"]))
    made = [answers[f"assess{mark}"] for mark in marks]
    leading = [best(one) for one in made]
    if None in leading:
        return Shown([(fill("ways.unknown"), "result")])
    known = [one for one in leading if one is not None]
    after = [find(one, "posterior", prior)["upper"] for one in known]
    of = scale(prior, min(after))
    names = [_named(one, each) for one, each in zip(made, known, strict=True)]
    said = [(fill("ways.compare.from", before=out_of(prior, of)), "start")]
    said += [
        (fill("ways.compare.each", name=name, after=up_to(most, of), sure=_sure(one)), "result")
        for name, most, one in zip(names, after, known, strict=True)
    ]
    unlike = [key for key in LIKE if len({one[key] for one in made} - {None}) > 1]
    if unlike:
        what = ", ".join(fill(f"ways.unlike.{key}") for key in unlike)
        said.append((fill("ways.compare.unlike", what=what), "more"))
    pictures = [
        drawn.icons(most, of, f"{name}: {up_to(most, of)}")
        for name, most in zip(names, after, strict=True)
    ]
    powers = [answers[f"power{mark}"] for mark in marks]
    beliefs = fill("ways.compare.posterior", before=out_of(prior, of))
    rows = ((beliefs, *(up_to(most, of) for most in after)), *_rows(known, powers))
    heads = (fill("page.table.question"), *names)
    table = Table(fill("page.table.compare"), heads, rows)
    details = (
        computed(*(theorems(one, each) for one, each in zip(known, powers, strict=True))),
        published("page.assumed", once(*(one["assumptions"] for one in known))),
    )
    return Shown(said, icons=pictures, tables=[table], details=details)


def _rows(known: Sequence[Any], powers: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    """Changes, losses and tests, with a cell for each promise."""
    yield fill("ways.compare.change"), *(changed(one) for one in known)
    losses = (at_most(or_inf(one["loss"]["upper"]), 4) for one in known)
    yield fill("ways.compare.loss"), *losses
    for n, level in enumerate(powers[0]["levels"]):
        power = (at_most(each["power"]["upper"][n]) for each in powers)
        yield fill("ways.compare.power", level=out_of(level)), *power


def _sure(statement: Mapping[str, Any]) -> str:
    """How surely a limit holds, as the end of a sentence; nothing where it always does."""
    sure = statement["confidence"]
    return "" if sure is None else fill("ways.budget.sure", sure=hundredths(sure))


def _named(assessed: Mapping[str, Any], statement: Mapping[str, Any]) -> str:
    """What is compared: a deployment by its name, a promise by its numbers."""
    if assessed["curator"]:
        return f"{assessed['name']}, {assessed['curator']}"
    (part,) = statement["parts"]
    return ", ".join(f"{SYMBOLS[name]} = {text}" for name, text in part["given"].items())
