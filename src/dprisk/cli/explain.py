"""``dprisk explain``: a release in the words of those who have to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._asking.explain import ExplainOptions
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting

if TYPE_CHECKING:
    from dprisk.documents.explaining import Explanation


def explain(*, asked: ExplainOptions, output: Output) -> None:
    """Print what a release means, in the words of one audience."""
    with waiting("explain"):
        made = asked.answer()
    output.show(made, lambda: _in_brief(made), lambda: _in_full(made), kept=made.kept)


def _in_brief(made: Explanation) -> None:
    show.lines([" ".join(map(str, made.sections[0].sentences))], "")


def _in_full(made: Explanation) -> None:
    """Paragraphs for people, lists for whoever works with them."""
    show.lines([f"{made.name}: {made.title}"], "")
    for section in made.sections:
        show.under(section.title)
        texts = list(map(str, section.sentences))
        if made.audience == "data-subject" and section.topic != "not-covered":
            show.lines([" ".join(texts)], "")
        else:
            show.lines(texts)
