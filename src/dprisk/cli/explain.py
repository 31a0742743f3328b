"""``dprisk explain``: a release in the words of those who have to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from dprisk.cli import options, reading, show
from dprisk.cli.options import NUMBER, WORD, Text, Texts, option
from dprisk.cli.waiting import waiting

if TYPE_CHECKING:
    from dprisk.explain import Explanation


def explain(
    *,
    subject: options.Subject,
    unit: options.Unit = None,
    audience: Annotated[str, option("help.explain.audience", WORD)] = "data-subject",
    claim: options.Claim = None,
    secret: Annotated[Text, option("help.explain.secret", WORD)] = None,
    prior: options.Prior = None,
    confidence: options.Confidence = None,
    releases: options.Releases = "1",
    after: Annotated[Texts, option("help.explain.after", NUMBER)] = None,
    limit: options.Limit = None,
    language: options.Language = "en",
    output: options.Output,
) -> None:
    """Print what a release means, in the words of one audience."""
    from dprisk.analysis import Analysis
    from dprisk.explain import explained

    release = subject.release("explain", unit)
    analysis = Analysis.of(release, reading.whole_number("--releases", releases))
    with waiting("explain"):
        made = explained(
            analysis,
            audience,  # type: ignore[arg-type]
            claim=claim,
            secret=secret,  # type: ignore[arg-type]
            priors=reading.numbers("--prior", prior),
            confidence=reading.optional("--confidence", confidence),
            after=[reading.whole_number("--after", text) for text in after or []],
            limits=reading.limits(limit),
            language=language,  # type: ignore[arg-type]
        )
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
