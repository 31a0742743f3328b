"""``dprisk assess``: what an adversary can learn from a release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import options, reading, show
from dprisk.cli.reading import unclear
from dprisk.cli.waiting import waiting
from dprisk.errors import DpriskError
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Assessment
    from dprisk.releases.release import Release


def assess(
    *,
    files: Annotated[options.Texts, options.argument("help.assess.files", options.FILE)] = None,
    promise: options.Promise,
    unit: options.Unit = None,
    asker: options.Asker,
    releases: options.Releases = "1",
    limit: options.Limit = None,
    output: options.Output,
) -> None:
    """Print one assessment, or one for each of several releases."""
    described = _described(files or [], promise, unit)
    tolerated = reading.limits(limit)
    with waiting("assess"):
        made = [
            _assessed(options.again(one, releases), asker, tolerated, alone=len(described) == 1)
            for one in described
        ]
    output.show(
        made[0] if len(made) == 1 else made,
        lambda: _in_brief(made),
        lambda: _in_full(made),
        kept=all(one.kept for one in made),
    )


def _described(files: list[str], promise: options.Promise, unit: str | None) -> list[Release]:
    from dprisk.releases.files import read_releases
    from dprisk.releases.release import Release

    typed = bool(promise.parameters)
    if typed == bool(files):
        key = "file-and-promise" if typed else "no-release"
        raise unclear(key, example=options.example("assess"))
    if typed:
        return [Release.of(promise.part(), name=fill("cli.release.promise"), unit=unit)]
    options.in_file(
        {
            "--neighbors": promise.neighbors,
            "--unit": unit,
            "--definition": promise.definition,
        }
    )
    return [release for file in files for release in read_releases(file)]


def _assessed(
    release: Release, asker: options.Asker, tolerated: dict[str, float], *, alone: bool
) -> Assessment:
    """One assessment; among several, one that has no answer says why and does not stop the rest."""
    from dprisk.assessment import assess
    from dprisk.releases.release import Note

    adversary = asker.asking(release)
    try:
        return assess(release, adversary, limits=tolerated)  # type: ignore[arg-type]
    except DpriskError as error:
        if alone:
            raise
        why = Note("unusable", str(error))
        silent = replace(release, parts=(), stated_also=(), notes=(why, *release.notes))
        return assess(silent, adversary, limits=tolerated)  # type: ignore[arg-type]


def _in_brief(made: list[Assessment]) -> None:
    from dprisk.explain import headline

    for one in made:
        named = len(made) > 1 and one.statements
        show.lines([f"{one.release.name}: {headline(one)}" if named else headline(one)], "")
    for one in made:
        show.limits(one)


def _in_full(made: list[Assessment]) -> None:
    if len(made) == 1:
        show.in_full(made[0])
        return
    for one in made:
        show.in_brief(one)
        typer.echo()
    known = sum(bool(one.statements) for one in made)
    typer.echo(fill("cli.assessed", number=len(made), known=known, without=len(made) - known))
