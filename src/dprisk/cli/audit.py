"""``dprisk audit``: what every definition says about one small mechanism, and claims about it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from dprisk._asking import reading
from dprisk._asking.options import FILE, NUMBER, TEXT, WORD, Text, Texts, argument, option
from dprisk._asking.reading import unclear
from dprisk._values import printable
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.errors import refused
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.audit.examination import Examined
    from dprisk.audit.findings import AuditFinding
    from dprisk.audit.samples import BlackBox


TOLERANCE: Final = "1e-9"


def audit(
    *,
    file: Annotated[str, argument("help.audit.file", FILE)],
    claim: Annotated[Texts, option("help.audit.claim", TEXT)] = None,
    neighbors: Annotated[str, option("help.audit.neighbors", WORD)] = "all",
    epsilon: Annotated[Texts, option("help.audit.epsilon", NUMBER)] = None,
    delta: Annotated[Texts, option("help.audit.delta", NUMBER)] = None,
    exact: Annotated[bool, option("help.audit.exact", None, "--exact")] = False,
    normalize: Annotated[bool, option("help.audit.normalize", None, "--normalize")] = False,
    tolerance: Annotated[str, option("help.audit.tolerance", NUMBER)] = TOLERANCE,
    samples: Annotated[bool, option("help.audit.samples", None, "--samples")] = False,
    level: Annotated[Texts, option("help.audit.level", NUMBER)] = None,
    confidence: Annotated[Text, option("help.audit.confidence", NUMBER)] = None,
    seed: Annotated[Text, option("help.audit.seed", NUMBER)] = None,
    output: Output,
) -> None:
    """Print what a table of output probabilities keeps, or what samples show."""
    asked = {
        "epsilon": reading.numbers("--epsilon", epsilon),
        "delta": reading.numbers("--delta", delta),
    }
    sampled: dict[str, Any] = {
        "level": reading.numbers("--level", level),
        "confidence": reading.optional("--confidence", confidence),
        "seed": None if seed is None else reading.whole_number("--seed", seed),
    }
    relaxed = reading.number("--tolerance", tolerance)
    if samples:
        other = None if neighbors == "all" else neighbors
        tolerated = None if tolerance == TOLERANCE else tolerance
        _left_out(
            "samples",
            claim=claim,
            exact=exact,
            normalize=normalize,
            neighbors=other,
            tolerance=tolerated,
        )
        with waiting("search"):
            found = _sampled(file, **asked, **sampled)
        output.show(
            found,
            lambda: show.lines(_findings(found), ""),
            lambda: _samples_in_full(found),
        )
        return
    _left_out("no-samples", level=level, confidence=confidence, seed=seed)
    with waiting("audit"):
        made = _examined(
            file, claim or [], neighbors, normalize, exact=exact, tolerance=relaxed, **asked
        )
    output.show(
        made,
        lambda: _in_brief(made),
        lambda: _in_full(made, Path(file).name),
        kept=made.kept,
    )


def _left_out(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value not in (None, False, []):
            raise unclear(why, option=f"--{name}")


def _examined(
    file: str, claims: list[str], neighbors: str, normalize: bool, **asked: Any
) -> Examined:
    from dprisk.audit import Claim, examine, read_edges, read_mechanism

    given = {name: value for name, value in asked.items() if value != []}
    stated = [Claim.of(text) for text in claims]
    related = neighbors if neighbors in ("all", "hamming") else read_edges(_edges(neighbors))
    mechanism = read_mechanism(file, normalize=normalize)
    return examine(mechanism, neighbors=related, claims=stated, **given)


def _edges(name: str) -> str:
    """A file of pairs; a word that is neither a file nor known is misspelled."""
    if not Path(name).suffix and not os.path.exists(name):
        raise refused("cli.must.pairs", "--neighbors", name)
    return name


def _sampled(file: str, **asked: Any) -> BlackBox:
    from dprisk.audit import black_box, read_samples

    if not asked["epsilon"] and not asked["delta"] and not asked["level"]:
        asked |= {"delta": [0.0], "level": [0.05]}
    asked["confidence"] = 0.95 if asked["confidence"] is None else asked["confidence"]
    asked["seed"] = asked["seed"] or 1
    first, second, names = read_samples(file)
    return black_box(first, second, names=names, **asked)


def _in_brief(made: Examined) -> None:
    verdicts = _verdicts(made)
    if verdicts:
        show.lines(verdicts, "")
    elif made.lines:
        typer.echo()
        _table(made)


def _in_full(made: Examined, name: str) -> None:
    from dprisk.documents.results import lines_in_words

    typer.echo(printable(name))
    show.lines(lines_in_words(made))
    show.section("cli.heading.claims", _verdicts(made))
    if made.lines:
        typer.echo()
        _table(made)
        about = [fill(f"cli.audit.{what}") for what in ("raw", "any", "pointwise")]
        show.section("cli.heading.about", about)


def _verdicts(made: Examined) -> list[str]:
    from dprisk.documents.results import verdict_in_words

    return [verdict_in_words(verdict) for verdict in made.verdicts]


def _table(made: Examined) -> None:
    show.table(
        show.columns("quantity", "least", "most", "shown-by"), [_row(line) for line in made.lines]
    )


def _row(line: AuditFinding) -> list[str]:
    from dprisk.documents.results import asked, witness_in_words

    low, high = at_least(line.lower, 6), at_most(line.upper, 6)
    if line.rational is not None and len(str(line.rational)) <= 20:
        low = high = str(line.rational)
    return [asked(line), low, high, witness_in_words(line.witness)]


def _findings(made: BlackBox) -> list[str]:
    from dprisk.documents.results import sample_in_words

    return [sample_in_words(found, made) for found in made.findings]


def _samples_in_full(made: BlackBox) -> None:
    show.lines(_findings(made))
    searched = fill("cli.audit.searched", searched=made.searched, seed=made.seed)
    show.section("cli.heading.searched", [searched])
    show.section("cli.heading.assumed", made.assumptions)
