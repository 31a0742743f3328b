"""``dprisk counterfactual``: what is learned with a person's record, beside without it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk._asking import options, reading
from dprisk._asking.options import NUMBER, WORD, Texts, option
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.composition.basis import basis_of
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.documents.assessing import Compared
    from dprisk.risk.counterfactual import Counterfactual


def counterfactual(
    *,
    subject: options.Subject,
    adversary: Annotated[Texts, option("help.counterfactual.adversary", WORD)] = None,
    confidence: Annotated[Texts, option("help.counterfactual.confidence", NUMBER)] = None,
    ratio: Annotated[Texts, option("help.counterfactual.ratio", NUMBER)] = None,
    without: Annotated[Texts, option("help.counterfactual.without", NUMBER)] = None,
    world: Annotated[str, option("help.counterfactual.world", WORD)] = "resampled",
    releases: options.Releases = "1",
    output: Output,
) -> None:
    """Print what is learned with a person's record beside what is learned without it."""
    from dprisk.documents import compared

    release = subject.release("counterfactual", releases=releases)
    with waiting("compare"):
        made = compared(
            release,
            adversaries=adversary or [],  # type: ignore[arg-type]
            world=world,  # type: ignore[arg-type]
            ratios=reading.numbers("--ratio", ratio),
            confidences=reading.numbers("--confidence", confidence),
            without=reading.numbers("--without", without or ["0.1"]),
        )
        data = made.to_dict()
    output.show(data, lambda: _in_brief(made), lambda: _in_full(made), kept=made.kept)


def _in_brief(made: Compared) -> None:
    from dprisk.documents.results import exceedings

    _words(made)
    show.lines(exceedings(made), "")


def _words(made: Compared) -> None:
    from dprisk.documents.results import comparisons

    show.lines(comparisons(made), "")


def _in_full(made: Compared) -> None:
    from dprisk.documents.promises import remarks

    show.title(made.release)
    typer.echo()
    _words(made)
    typer.echo()
    _beliefs(made)
    if made.ratios:
        typer.echo()
        _exceeding(made)
    show.parts(made.release, "cli.counterfactual.what")
    if not made.composed.is_alone:
        show.lines(show.how(made.composed, basis_of(made.release).parts, made.release.releases))
    _assumptions(made)
    show.section("cli.heading.no-bound", [f"{name}: {why}" for name, why in made.refused])
    show.section("cli.heading.beside", remarks(made.release))


def _beliefs(made: Compared) -> None:
    beliefs = [
        fill("cli.counterfactual.belief", belief=show.belief(belief)) for belief in made.without
    ]
    heads = show.columns("adversary", "confidence", "ratio")
    rows = [row for each in made.found for row in _rows(made, each)]
    show.table([*heads, *beliefs, *show.columns("by")], rows)


def _exceeding(made: Compared) -> None:
    above = [fill("cli.counterfactual.above", ratio=show.belief(ratio)) for ratio in made.ratios]
    rows = [
        [each.adversary, *(at_most(float(each.exceeding(ratio)), 4) for ratio in made.ratios)]
        for each in made.found
    ]
    show.table([*show.columns("adversary"), *above], rows)


def _rows(made: Compared, each: Counterfactual) -> list[list[str]]:
    from dprisk.documents.results import sure

    rows = []
    for confidence in sure(each, made.confidences):
        limit = float(each.ratio(confidence))
        rows.append(
            [
                each.adversary,
                fill("cli.always") if confidence is None else show.belief(confidence),
                at_most(limit, 4) if math.isfinite(limit) else fill("cli.no-bound"),
                *(at_most(float(each.belief(b, confidence)), 4) for b in made.without),
                str(each.theorem),
            ]
        )
    return rows


def _assumptions(made: Compared) -> None:
    """What all of them take for granted once, then the rest one by one."""
    every = [made.assumed(each) for each in made.found]
    common = [line for line in every[0] if all(line in one for one in every)]
    show.section("cli.heading.assumed", common)
    for each in made.found if len(made.found) > 1 else ():
        own = [line for line in made.assumed(each) if line not in common]
        who = fill(f"compared.who.{each.adversary}")
        who = f"{who[0].lower()}{who[1:]}"
        show.section("cli.counterfactual.assumed", own, adversary=each.adversary, who=who)
