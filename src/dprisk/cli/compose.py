"""``dprisk compose``: what all parts of a release keep together, between two certified numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import options, reading, show
from dprisk.cli.options import NUMBER, WORD, Text, Texts, option
from dprisk.cli.reading import unclear
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Composition, Reading


def compose(
    *,
    file: options.ReleaseFile,
    delta: Annotated[Texts, option("help.compose.delta", NUMBER)] = None,
    epsilon: Annotated[Texts, option("help.compose.epsilon", NUMBER)] = None,
    power: Annotated[Texts, option("help.compose.power", NUMBER)] = None,
    confidence: Annotated[Texts, option("help.compose.confidence", NUMBER)] = None,
    releases: options.Releases = "1",
    rule: Annotated[str, option("help.compose.rule", WORD)] = "best",
    slack: Annotated[Text, option("help.compose.slack", NUMBER)] = None,
    accuracy: Annotated[Text, option("help.compose.accuracy", NUMBER)] = None,
    memory: Annotated[str, option("help.compose.memory", NUMBER)] = "2GiB",
    output: options.Output,
) -> None:
    """Print what a release file keeps, composed."""
    from dprisk.assessment import together
    from dprisk.releases.files import read_release

    asked = {
        "delta": reading.numbers("--delta", delta),
        "epsilon": reading.numbers("--epsilon", epsilon),
        "level": reading.numbers("--power", power),
        "confidence": reading.numbers("--confidence", confidence),
    }
    if not any(asked.values()):
        raise unclear("no-question")
    release = options.again(read_release(file), releases)
    with waiting("compose"):
        made = together(
            release,
            **asked,
            rule=rule,  # type: ignore[arg-type]
            slack=reading.optional("--slack", slack),
            accuracy=reading.optional("--accuracy", accuracy),
            memory=reading.size("--memory", memory),
        )
    output.show(made, lambda: _in_brief(made), lambda: _in_full(made))


def _in_brief(made: Composition) -> None:
    from dprisk.explain import readings

    show.lines(readings(made), "")


def _in_full(made: Composition) -> None:
    from dprisk.explain import readings

    release = made.release
    show.title(release)
    typer.echo()
    show.table(
        show.columns("asked", "least", "most", "known-to", "by"),
        [_row(one) for one in made.readings],
    )
    show.section("cli.heading.words", readings(made))
    show.parts(release, "cli.compose.what", uses=made.uses)
    show.section("cli.heading.how", show.how(made.composed))
    show.section("cli.heading.assumed", _assumptions(made))


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
    also = [fill("cli.assumed.stated-also")] if release.stated_also else []
    return [
        fill("cli.assumed.neighbors", neighbors=release.neighbors, stated=stated),
        fill("cli.assumed.adaptive"),
        fill("cli.assumed.later"),
        *also,
    ]
