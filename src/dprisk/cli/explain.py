"""``dprisk explain``: a release in the words of those who have to do with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput

if TYPE_CHECKING:
    from dprisk.explain import Explanation
    from dprisk.releases.release import Part, Release

WHOM = "For whom, about what"


def explain(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="The description of a release; or, with --mechanism, its parameters, each as "
            "name=value."
        ),
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
        str | None, typer.Option(help="What is run: a kind, as in a release file.")
    ] = None,
    neighbors: options.Neighbors = None,
    unit: Annotated[str | None, typer.Option(help="Privacy unit, for a typed guarantee.")] = None,
    audience: Annotated[
        str,
        typer.Option(help="data-subject, curator, regulator or researcher.", rich_help_panel=WHOM),
    ] = "data-subject",
    claim: Annotated[
        str | None,
        typer.Option(help="What somebody may conclude, in your own words.", rich_help_panel=WHOM),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(
            help="As what it is assessed: membership or attribute. By default a claim is about "
            "what a record says; without a claim, it is what the neighbors allow.",
            rich_help_panel=WHOM,
        ),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(
            help="Belief before the release; may be repeated. Examples start from the first.",
            rich_help_panel=WHOM,
        ),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(help="Probability with which limits hold; 0.99 where one is needed."),
    ] = None,
    releases: Annotated[
        str, typer.Option(help="Compose so many such releases (days, months, ...).")
    ] = "1",
    after: Annotated[
        list[str] | None,
        typer.Option(help="Look ahead to so many such releases; may be repeated."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help="metric=value with posterior, difference, ratio, ratio_not or odds: whether it "
            "is kept, and what would keep it. May be repeated. Exit code 3 if one is not kept."
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What a release means, in the words of a data subject, curator, regulator or researcher."""
    from dprisk.explain import explained

    typed = {
        "epsilon": epsilon,
        "delta": delta,
        "rho": rho,
        "xi": xi,
        "mu": mu,
        "alpha": alpha,
        "gamma": gamma,
    }
    release = _release(
        what or [], mechanism, typed, definition, {"neighbors": neighbors, "unit": unit}
    )
    times = options.whole_number("--releases", releases)
    with waiting("Explaining"):
        made = explained(
            replace(release, releases=release.releases * times),
            audience,  # type: ignore[arg-type]
            claim=claim,
            secret=secret,  # type: ignore[arg-type]
            priors=[options.number("--prior", text) for text in prior or []],
            confidence=options.optional("--confidence", confidence),
            after=[options.whole_number("--after", text) for text in after or []],
            limits=options.limits(limit or []),
        )
    _print(made, json, quiet)
    if not made.kept:
        raise typer.Exit(3)


def _release(
    what: list[str],
    mechanism: str | None,
    typed: dict[str, str | None],
    definition: str | None,
    said: dict[str, str | None],
) -> Release:
    """What is explained: a file, a mechanism or a guarantee typed in."""
    from dprisk.releases.files import read_release
    from dprisk.releases.release import Part

    given = any(text is not None for text in (*typed.values(), definition))
    files = [] if mechanism is not None else what
    if sum([bool(files), mechanism is not None, given]) != 1:
        raise InvalidInput(
            "what is released",
            "several" if files or given else None,
            "one of a file, a mechanism or a guarantee",
            "Try: dprisk explain --epsilon 1 --neighbors add-remove --audience regulator",
        )
    neighbors = said["neighbors"]
    if given:
        return _bare(options.typed_part(typed, definition, neighbors), said["unit"])
    if mechanism is not None:
        return _bare(Part.of(options.mechanism(mechanism, what, neighbors)), said["unit"])
    if len(files) > 1:
        raise InvalidInput("files", len(files), "one")
    for name, value in said.items():
        if value is not None:
            fix = "It is in the file."
            raise InvalidInput(f"--{name}", value, "left out with a file", fix)
    return read_release(files[0])


def _bare(part: Part, unit: str | None) -> Release:
    from dprisk.releases.release import Release

    what = "guarantee" if part.mechanism is None else "mechanism"
    return Release(
        name=f"A release with the {what} given",
        unit=unit,
        period=None,
        neighbors=part.guarantee.neighbors,
        neighbors_stated=True,
        model=None,
        parts=(part,),
    )


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
