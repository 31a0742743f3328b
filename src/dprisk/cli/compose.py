"""``dprisk compose``: what all parts of a release keep together, between two certified numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Composition, Reading

ASK = "What is asked (each may be repeated)"
LABELS = {
    "delta": "epsilon at delta = {at}",
    "epsilon": "delta at epsilon = {at}",
    "level": "power at level {at}",
    "confidence": "log-odds shift at confidence {at}",
}


def compose(
    file: Annotated[str, typer.Argument(help=fill("help.compose.file"))],
    delta: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.compose.delta"), rich_help_panel=ASK),
    ] = None,
    epsilon: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.compose.epsilon"), rich_help_panel=ASK),
    ] = None,
    power: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            help=fill("help.compose.power"),
            rich_help_panel=ASK,
        ),
    ] = None,
    confidence: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.compose.confidence"),
            rich_help_panel=ASK,
        ),
    ] = None,
    releases: Annotated[str, typer.Option(help=fill("help.compose.releases"))] = "1",
    rule: Annotated[
        str,
        typer.Option(help=fill("help.compose.rule")),
    ] = "best",
    slack: Annotated[str | None, typer.Option(help=fill("help.compose.slack"))] = None,
    accuracy: Annotated[
        str | None,
        typer.Option(help=fill("help.compose.accuracy")),
    ] = None,
    memory: Annotated[
        str,
        typer.Option(metavar="BYTES", help=fill("help.compose.memory")),
    ] = "2GiB",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """What a release file keeps, composed: epsilon, delta, power."""
    from dprisk.assessment import together
    from dprisk.releases.files import read_release

    asked = {
        "delta": options.numbers("--delta", delta),
        "epsilon": options.numbers("--epsilon", epsilon),
        "level": options.numbers("--power", power),
        "confidence": options.numbers("--confidence", confidence),
    }
    if not any(asked.values()):
        allowed = "--delta, --epsilon, --power or --confidence"
        raise InvalidInput("a question", None, allowed, "Try: --delta 1e-6")
    times = options.whole_number("--releases", releases)
    release = read_release(file)
    release = replace(release, releases=release.releases * times)
    with waiting("Composing"):
        made = together(
            release,
            **asked,
            rule=rule,  # type: ignore[arg-type]
            slack=options.optional("--slack", slack),
            accuracy=options.optional("--accuracy", accuracy),
            memory=options.size("--memory", memory),
        )
    _print(made, json, quiet)


def _print(made: Composition, json: bool, quiet: bool) -> None:
    from dprisk.explain import readings

    if json:
        show.as_json(made.to_dict())
    elif quiet:
        show.lines(readings(made), "")
    else:
        _in_full(made)


def _in_full(made: Composition) -> None:
    from dprisk.explain import readings
    from dprisk.explain.wording import how_composed, part_in_words

    release = made.release
    show.title(release)
    typer.echo()
    show.table(
        ["asked", "at least", "at most", "known to", "by"], [_row(one) for one in made.readings]
    )
    show.heading("In words")
    show.lines(readings(made))
    times = f", all of it {release.releases} times over" if release.releases > 1 else ""
    show.heading(f"What was composed ({made.uses} in all{times})")
    show.lines([part_in_words(part) for part in release.parts])
    show.heading("How computed")
    show.lines([how_composed(made.composed), *(f"Lossy: {t}." for t in made.composed.lossy)])
    show.heading("Taken for granted")
    show.lines(_assumptions(made))


def _row(reading: Reading) -> list[str]:
    from dprisk.explain import at_least, at_most, width
    from dprisk.explain.composed import short

    return [
        LABELS[reading.asked].format(at=short(reading.at)),
        "" if reading.lower is None else at_least(reading.lower, 12),
        at_most(reading.upper, 12),
        width(reading),
        str(reading.theorem),
    ]


def _assumptions(made: Composition) -> list[str]:
    release = made.release
    stated = "" if release.neighbors_stated else " (assumed: the source does not say)"
    lines = [
        f"Neighbors: {release.neighbors}{stated}.",
        "Later releases may be chosen after seeing earlier ones; the noise of each is its own.",
        "Holds for the outputs and for anything computed from them.",
    ]
    if release.stated_also:
        lines.append("What the file states otherwise (stated_also) was not composed.")
    return lines
