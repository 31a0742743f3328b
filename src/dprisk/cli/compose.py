"""``dprisk compose``: what all parts of a release keep together, between two certified numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from dprisk._asking.compose import ComposeOptions
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.composition.basis import basis_of
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.documents.compositions import Composition, Reading


def compose(*, asked: ComposeOptions, output: Output) -> None:
    """Print what a release file keeps, composed."""
    with waiting("compose"):
        made = asked.answer()
    output.show(made, lambda: _in_brief(made), lambda: _in_full(made), kept=made.kept)


def _in_brief(made: Composition) -> None:
    from dprisk.documents.results import readings

    show.lines(readings(made), "")


def _in_full(made: Composition) -> None:
    from dprisk.documents.results import readings

    release = made.release
    show.title(release)
    typer.echo()
    show.table(
        show.columns("asked", "least", "most", "known-to", "by"),
        [_row(one) for one in made.readings],
    )
    show.section("cli.heading.words", readings(made))
    show.parts(release, "cli.compose.what", uses=made.uses)
    show.section(
        "cli.heading.how", show.how(made.composed, basis_of(release).parts, release.releases)
    )
    show.section("cli.heading.assumed", _assumptions(made))


def _row(reading: Reading) -> list[str]:
    from dprisk.documents.results import width
    from dprisk.text.rounding import short

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
    return [
        fill("cli.assumed.neighbors", neighbors=release.neighbors, stated=stated),
        fill("cli.assumed.adaptive"),
        fill("cli.assumed.later"),
    ]
