"""``dprisk explain``: a release in the words of those who have to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import given, options, show
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.explain import Explanation

WHOM = fill("help.panel.whom")
EXAMPLE = "explain --epsilon 1 --neighbors add-remove --audience regulator"


def explain(
    what: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.explain.what")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    xi: options.Xi = None,
    mu: options.Mu = None,
    alpha: options.Alpha = None,
    gamma: options.Gamma = None,
    definition: options.Definition = None,
    mechanism: Annotated[str | None, typer.Option(help=fill("help.explain.mechanism"))] = None,
    neighbors: options.Neighbors = None,
    unit: Annotated[str | None, typer.Option(help=fill("help.explain.unit"))] = None,
    audience: Annotated[
        str,
        typer.Option(help=fill("help.explain.audience"), rich_help_panel=WHOM),
    ] = "data-subject",
    claim: Annotated[
        str | None,
        typer.Option(help=fill("help.explain.claim"), rich_help_panel=WHOM),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(
            help=fill("help.explain.secret"),
            rich_help_panel=WHOM,
        ),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.explain.prior"),
            rich_help_panel=WHOM,
        ),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(help=fill("help.explain.confidence")),
    ] = None,
    releases: Annotated[str, typer.Option(help=fill("help.explain.releases"))] = "1",
    after: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.explain.after")),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.explain.limit")),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            help=fill("help.explain.language"),
            rich_help_panel=WHOM,
        ),
    ] = "en",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What a release means, in the words of a data subject, curator, regulator or researcher."""
    from dprisk.analysis import Analysis
    from dprisk.explain import explained

    typed = options.Typed(epsilon, delta, rho, xi, mu, alpha, gamma, definition)
    said = {"neighbors": neighbors, "unit": unit}
    release = given.release(what, mechanism, typed, said, EXAMPLE, "1")
    analysis = Analysis.of(release, options.whole_number("--releases", releases))
    with waiting("Explaining"):
        made = explained(
            analysis,
            audience,  # type: ignore[arg-type]
            claim=claim,
            secret=secret,  # type: ignore[arg-type]
            priors=options.numbers("--prior", prior),
            confidence=options.optional("--confidence", confidence),
            after=[options.whole_number("--after", text) for text in after or []],
            limits=options.limits(limit or []),
            language=language,  # type: ignore[arg-type]
        )
    _print(made, json, quiet)
    if not made.kept:
        raise typer.Exit(3)


def _print(made: Explanation, json: bool, quiet: bool) -> None:
    if json:
        show.as_json(made.to_dict())
    elif quiet:
        show.lines([" ".join(map(str, made.sections[0].sentences))], "")
    else:
        _in_full(made)


def _in_full(made: Explanation) -> None:
    """Paragraphs for people, lists for whoever works with them."""
    show.lines([f"{made.name}. {made.title}."], "")
    for section in made.sections:
        show.heading(section.title)
        texts = list(map(str, section.sentences))
        if made.audience == "data-subject" and section.topic != "not-covered":
            show.lines([" ".join(texts)], "")
        else:
            show.lines(texts)
