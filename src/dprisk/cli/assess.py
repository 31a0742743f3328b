"""``dprisk assess``: what an adversary can learn from a release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import DpriskError, InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Assessment
    from dprisk.releases.release import Release


def assess(
    files: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.assess.files")),
    ] = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = None,
    rho: options.Rho = None,
    xi: options.Xi = None,
    mu: options.Mu = None,
    alpha: options.Alpha = None,
    gamma: options.Gamma = None,
    definition: options.Definition = None,
    neighbors: options.Neighbors = None,
    unit: Annotated[str | None, typer.Option(help=fill("help.assess.unit"))] = None,
    secret: Annotated[
        str | None,
        typer.Option(help=fill("help.assess.secret")),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.assess.prior")),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(help=fill("help.assess.confidence")),
    ] = None,
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help=fill("help.assess.one-sided"))
    ] = False,
    raw_output: Annotated[
        bool, typer.Option("--raw-output", help=fill("help.assess.raw-output"))
    ] = False,
    releases: Annotated[str, typer.Option(help=fill("help.assess.releases"))] = "1",
    limit: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.assess.limit")),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What an adversary can learn, at most, from a release or from a guarantee typed in."""
    typed = options.Typed(epsilon, delta, rho, xi, mu, alpha, gamma, definition)
    given = bool(typed.parameters)
    described = _read(
        files or [],
        {"--neighbors": neighbors, "--unit": unit, "--definition": definition},
        given,
    )
    if given:
        from dprisk.releases.release import Release

        part = typed.part(neighbors)
        described = [Release.of(part, name=fill("cli.typed"), unit=unit)]
    times = options.whole_number("--releases", releases)
    described = [replace(one, releases=one.releases * times) for one in described]
    asked: dict[str, Any] = {
        "secret": secret,
        "priors": options.numbers("--prior", prior),
        "confidence": options.optional("--confidence", confidence),
        "sides": "one" if one_sided else "both",
        "post_processing": not raw_output,
    }
    tolerated = options.limits(limit or [])
    alone = len(described) == 1
    with waiting("Assessing"):
        made = [_assessed(one, asked, tolerated, alone=alone) for one in described]
    _print(made, json, quiet)
    if not all(one.kept for one in made):
        raise typer.Exit(3)


def _read(files: list[str], said: dict[str, str | None], typed: bool) -> list[Release]:
    if typed and files:
        raise InvalidInput("files", files[0], "left out when a guarantee is typed in")
    if not typed and not files:
        raise InvalidInput(
            "a release",
            "nothing",
            "a file or a guarantee",
            "Try: dprisk assess --epsilon 1 --neighbors add-remove",
        )
    for name, value in said.items():
        if files and value is not None:
            raise InvalidInput(name, value, "left out with files", "Write it in the file.")
    if not files:
        return []
    from dprisk.releases.files import read_releases

    return [release for file in files for release in read_releases(file)]


def _assessed(
    release: Release, asked: dict[str, Any], tolerated: dict[Any, float], alone: bool
) -> Assessment:
    """One assessment; among several, one that has no answer says why and does not stop the rest."""
    from dprisk.assessment import assess, natural_secret
    from dprisk.releases.release import Note
    from dprisk.risk.adversary import Adversary

    wanted = {name: value for name, value in asked.items() if value not in (None, [])}
    wanted.setdefault("secret", natural_secret(release))
    adversary = Adversary(**wanted)
    try:
        return assess(release, adversary, limits=tolerated)
    except DpriskError as error:
        if alone:
            raise
        why = Note("unusable", str(error))
        silent = replace(release, parts=(), stated_also=(), notes=(why, *release.notes))
        return assess(silent, adversary, limits=tolerated)


def _print(made: list[Assessment], json: bool, quiet: bool) -> None:
    if json:
        data = [one.to_dict() for one in made]
        show.as_json(data[0] if len(data) == 1 else data)
    elif quiet:
        from dprisk.explain import headline

        named = len(made) > 1
        show.lines(
            [
                f"{one.release.name}: {headline(one)}"
                if named and one.statements
                else headline(one)
                for one in made
            ],
            "",
        )
        for one in made:
            show.limits(one)
    elif len(made) == 1:
        show.in_full(made[0])
    else:
        for one in made:
            show.in_brief(one)
            typer.echo()
        without = sum(not one.statements for one in made)
        typer.echo(
            fill("cli.assessed", number=len(made), known=len(made) - without, without=without)
        )
