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

ASK = fill("help.panel.ask")


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
        [
            fill("cli.column.asked"),
            fill("cli.column.least"),
            fill("cli.column.most"),
            fill("cli.column.known-to"),
            fill("cli.column.by"),
        ],
        [_row(one) for one in made.readings],
    )
    show.heading(fill("cli.heading.words"))
    show.lines(readings(made))
    times = fill("cli.compose.times", releases=release.releases) if release.releases > 1 else ""
    show.heading(fill("cli.compose.what", uses=made.uses, times=times))
    show.lines([part_in_words(part) for part in release.parts])
    show.heading(fill("cli.heading.how"))
    show.lines(
        [how_composed(made.composed), *(fill("cli.lossy", text=t) for t in made.composed.lossy)]
    )
    show.heading(fill("cli.heading.assumed"))
    show.lines(_assumptions(made))


def _row(reading: Reading) -> list[str]:
    from dprisk.explain import at_least, at_most, width
    from dprisk.explain.composed import short

    return [
        fill(f"cli.compose.{reading.asked}", at=short(reading.at)),
        "" if reading.lower is None else at_least(reading.lower, 12),
        at_most(reading.upper, 12),
        width(reading),
        str(reading.theorem),
    ]


def _assumptions(made: Composition) -> list[str]:
    release = made.release
    stated = "" if release.neighbors_stated else fill("cli.assumed.unstated")
    lines = [
        fill("cli.assumed.neighbors", neighbors=release.neighbors, stated=stated),
        fill("cli.assumed.adaptive"),
        fill("cli.assumed.later"),
    ]
    if release.stated_also:
        lines.append(fill("cli.assumed.stated-also"))
    return lines
