"""``dprisk counterfactual``: what is learned with a person's record, beside without it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import given, options, show
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Compared
    from dprisk.risk import Counterfactual

ASK = fill("help.panel.ask")
EXAMPLE = "counterfactual --rho 0.1 --neighbors replace-one"


def counterfactual(
    what: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.counterfactual.what")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    xi: options.Xi = None,
    mu: options.Mu = None,
    alpha: options.Alpha = None,
    gamma: options.Gamma = None,
    definition: options.Definition = None,
    mechanism: Annotated[
        str | None, typer.Option(help=fill("help.counterfactual.mechanism"))
    ] = None,
    neighbors: options.Neighbors = None,
    adversary: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.counterfactual.adversary"),
            rich_help_panel=ASK,
        ),
    ] = None,
    confidence: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.counterfactual.confidence"),
            rich_help_panel=ASK,
        ),
    ] = None,
    ratio: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.counterfactual.ratio"),
            rich_help_panel=ASK,
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.counterfactual.without"),
            rich_help_panel=ASK,
        ),
    ] = None,
    world: Annotated[
        str,
        typer.Option(help=fill("help.counterfactual.world")),
    ] = "resampled",
    releases: Annotated[str, typer.Option(help=fill("help.counterfactual.releases"))] = "1",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What is learned with a person's record, at most, beside what is learned without it."""
    from dprisk.assessment import compared

    typed = options.Typed(epsilon, delta, rho, xi, mu, alpha, gamma, definition)
    said = {"neighbors": neighbors}
    release = given.release(what, mechanism, typed, said, EXAMPLE, releases)
    with waiting("Comparing"):
        made = compared(
            release,
            adversaries=adversary or [],  # type: ignore[arg-type]
            world=world,  # type: ignore[arg-type]
            ratios=options.numbers("--ratio", ratio),
            confidences=options.numbers("--confidence", confidence or []),
            without=options.numbers("--without", without or ["0.1"]),
        )
        data = made.to_dict()
    if json:
        show.as_json(data)
    elif quiet:
        _words(made, "")
    else:
        _in_full(made)


def _words(made: Compared, mark: str = "- ") -> None:
    from dprisk.explain import comparisons

    show.lines(comparisons(made), mark)


def _in_full(made: Compared) -> None:
    from dprisk.explain.wording import how_composed, part_in_words, remarks

    release, composed = made.release, made.composed
    show.title(release)
    typer.echo()
    _words(made, "")
    typer.echo()
    beliefs = [
        fill("cli.counterfactual.belief", belief=show.belief(belief)) for belief in made.without
    ]
    show.table(
        [
            fill("cli.column.adversary"),
            fill("cli.column.confidence"),
            fill("cli.counterfactual.ratio"),
            *beliefs,
            fill("cli.column.by"),
        ],
        [row for each in made.found for row in _rows(made, each)],
    )
    if made.ratios:
        typer.echo()
        above = [
            fill("cli.counterfactual.above", ratio=show.belief(ratio)) for ratio in made.ratios
        ]
        show.table(
            [fill("cli.column.adversary"), *above], [_chances(made, each) for each in made.found]
        )
    times = fill("cli.times-over", releases=release.releases) if release.releases > 1 else ""
    show.heading(fill("cli.counterfactual.what", times=times))
    show.lines([part_in_words(part) for part in release.parts])
    if len(release.parts) > 1 or composed.theorem.place != "Definition 2.1":
        show.lines(
            [how_composed(composed), *(fill("cli.lossy", text=text) for text in composed.lossy)]
        )
    _assumptions(made)
    _refused(made)
    beside = remarks(release)
    if beside:
        show.heading(fill("cli.heading.beside"))
        show.lines(beside)


def _rows(made: Compared, each: Counterfactual) -> list[list[str]]:
    from dprisk.explain import at_most
    from dprisk.explain.comparison import sure

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


def _chances(made: Compared, each: Counterfactual) -> list[str]:
    from dprisk.explain import at_most

    found = [float(each.exceeding(ratio)) for ratio in made.ratios]
    return [each.adversary, *(at_most(chance, 4) for chance in found)]


def _assumptions(made: Compared) -> None:
    """What all of them take for granted once, then the rest one by one."""
    every = [set(each.assumptions) for each in made.found]
    common = [line for line in made.found[0].assumptions if all(line in one for one in every)]
    show.heading(fill("cli.heading.assumed"))
    show.lines(common)
    for each in made.found if len(made.found) > 1 else ():
        show.heading(fill("cli.counterfactual.assumed", adversary=each.adversary))
        show.lines([line for line in each.assumptions if line not in common])


def _refused(made: Compared) -> None:
    if made.refused:
        show.heading(fill("cli.heading.no-bound"))
        show.lines([f"{name}: {why}" for name, why in made.refused])
