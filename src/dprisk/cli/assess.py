"""``dprisk assess``: what an adversary can learn from a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from dprisk._asking.assess import AssessOptions
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment


def assess(*, asked: AssessOptions, output: Output) -> None:
    """Print one assessment, or one for each of several releases."""
    with waiting("assess"):
        answer = asked.answer()
    made = answer if isinstance(answer, list) else [answer]
    output.show(
        answer,
        lambda: _in_brief(made),
        lambda: _in_full(made),
        kept=all(one.kept for one in made),
    )


def _in_brief(made: list[Assessment]) -> None:
    from dprisk.documents import headline

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
