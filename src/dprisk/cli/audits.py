"""``dprisk audit``: what every definition says about one small mechanism, and claims about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from dprisk._asking import reading
from dprisk._asking.answers import Block, items, section, table
from dprisk._asking.parameters import (
    Flag,
    Number,
    Numbers,
    SomeFile,
    SomeNumber,
    SomeWord,
    Texts,
    arg,
    flag,
    opt,
)
from dprisk._asking.reading import unclear
from dprisk.cli import show
from dprisk.cli.commands import Output
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.audit.examination import Examined
    from dprisk.audit.findings import AuditFinding
    from dprisk.audit.samples import BlackBox

TOLERANCE: Final = "1e-9"
ABOUT: Final = (
    "The chance of a larger privacy loss, and of a disclosure set, is for the raw output. "
    "Post-processing can raise it, up to the chance after post-processing (Meiser 2018, Theorem "
    "1).",
    "Everything else holds for the output and for anything computed from it.",
    "The number for single outputs can hide a leak: it is small for a mechanism that reveals "
    "everything but spreads it over many outputs (Meiser 2018, Subtlety 1). Compare it with δ.",
)


@final
@dataclass(frozen=True)
class AuditOptions:
    """A table of output probabilities, or samples, and what is claimed about it."""

    file: SomeFile = arg(
        "Table of output probabilities (.csv, .json), one row for each dataset. With --samples: "
        "outputs of two runs in two columns."
    )
    claim: Texts = opt(
        "Claim to check, such as 'epsilon=1, delta=1e-6' (approximate DP; add kind=pdp, pdp-both, "
        "disclosure or pbdp for another), rho=0.1, mu=1, 'alpha=2, gamma=0.5' or tv=0.1. "
        "Repeatable. Exit code 3 if a claim is not shown to hold."
    )
    neighbors: SomeWord = opt(
        "Which rows are neighbors: all, hamming (labels that differ in one place) or a CSV file "
        "with two labels on each line.",
        "all",
    )
    epsilon: Numbers = opt("Find δ at this ε, such as 1. Repeatable.")
    delta: Numbers = opt("Find ε at this δ, such as 1e-6. Repeatable.")
    exact: Flag = flag("Compute in rational arithmetic where the answer is rational.", "--exact")
    normalize: Flag = flag("Divide each row by its sum.", "--normalize")
    tolerance: SomeNumber = opt(
        "How far a claim may be missed, to allow for rounded probabilities.", TOLERANCE
    )
    samples: Flag = flag(
        "Read outputs instead of probabilities, and show lower bounds.", "--samples"
    )
    level: Numbers = opt(
        "With --samples: find the power at this false positive rate, such as 0.05. Repeatable."
    )
    confidence: Number = opt(
        "With --samples: joint confidence of all bounds, such as 0.99. Default: 0.95."
    )
    seed: Number = opt("With --samples: seed of the random split. Default: 1.")


def audit(asked: AuditOptions, output: Output) -> None:
    """Print what a table of output probabilities keeps, or what samples show."""
    if asked.seed is not None:
        reading.whole_number("--seed", asked.seed)
    if asked.samples:
        _audit_samples(asked, output)
    else:
        _audit_table(asked, output)


def _left_out(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value not in (None, False, []):
            raise unclear(f"--{name} {why}", option=f"--{name}")


# --- samples -------------------------------------------------------------------------------------


def _audit_samples(asked: AuditOptions, output: Output) -> None:
    from dprisk.audit import black_box, read_samples
    from dprisk.documents.results import sample_in_words

    words: dict[str, Any] = {
        "epsilon": reading.numbers("--epsilon", asked.epsilon),
        "delta": reading.numbers("--delta", asked.delta),
        "level": reading.numbers("--level", asked.level),
    }
    confidence = reading.optional("--confidence", asked.confidence)
    seed = 1 if asked.seed is None else reading.whole_number("--seed", asked.seed)
    reading.number("--tolerance", asked.tolerance)
    _left_out(
        "does not go with --samples, which shows lower bounds from two columns. Leave it out.",
        claim=asked.claim,
        exact=asked.exact,
        normalize=asked.normalize,
        neighbors=None if asked.neighbors == "all" else asked.neighbors,
        tolerance=None if asked.tolerance == TOLERANCE else asked.tolerance,
    )
    if not any(words.values()):
        words |= {"delta": [0.0], "level": [0.05]}
    with waiting("Searching"):
        first, second, names = read_samples(asked.file)
        sure = 0.95 if confidence is None else confidence
        made = black_box(first, second, names=names, confidence=sure, seed=seed, **words)
    said = [sample_in_words(found, made) for found in made.findings]
    output.show(made, lambda: said, lambda: _sampled(made, said))


def _sampled(made: BlackBox, said: list[str]) -> Iterator[Block]:
    yield items(said)
    yield from section(
        "Search",
        [f"{made.searched} sets of outputs for each question; the split has seed {made.seed}."],
    )
    yield from section("Assumptions", made.assumptions)


# --- a table -------------------------------------------------------------------------------------


def _audit_table(asked: AuditOptions, output: Output) -> None:
    from dprisk.audit import Claim, examine, read_edges, read_mechanism

    words = {
        "epsilon": reading.numbers("--epsilon", asked.epsilon),
        "delta": reading.numbers("--delta", asked.delta),
    }
    sampled = {"level": asked.level, "confidence": asked.confidence, "seed": asked.seed}
    relaxed = reading.number("--tolerance", asked.tolerance)
    _left_out("needs --samples.", **sampled)
    neighbors: Any = asked.neighbors
    with waiting("Checking"):
        stated = [Claim.of(text) for text in asked.claim or []]
        if neighbors not in ("all", "hamming"):
            neighbors = read_edges(_edges(neighbors))
        made = examine(
            read_mechanism(asked.file, normalize=asked.normalize),
            neighbors=neighbors,
            claims=stated,
            exact=asked.exact,
            tolerance=relaxed,
            **{name: value for name, value in words.items() if value},
        )
    if output.quiet and not output.json and not made.verdicts and made.lines:
        show.document(["", _lines(made)])
        return
    output.show(made, lambda: _verdicts(made), lambda: _examined(made, Path(asked.file).name))


def _edges(name: str) -> str:
    """A file of pairs; a word that is neither a file nor known is misspelled."""
    if not Path(name).suffix and not os.path.exists(name):
        allowed = "all, hamming or a CSV file with pairs of labels"
        raise InvalidInput("--neighbors", name, allowed)
    return name


def _examined(made: Examined, name: str) -> Iterator[Block]:
    from dprisk.documents.document import Section
    from dprisk.documents.results import lines_in_words

    yield Section(name, (items(lines_in_words(made)),))
    yield from section("Claims", _verdicts(made))
    if made.lines:
        yield _lines(made)
        yield from section("About these numbers", ABOUT)


def _verdicts(made: Examined) -> list[str]:
    from dprisk.documents.results import verdict_in_words

    return [verdict_in_words(verdict) for verdict in made.verdicts]


def _lines(made: Examined) -> Any:
    return table(("quantity", "at least", "at most", "worst case"), map(_line, made.lines))


def _line(line: AuditFinding) -> list[str]:
    from dprisk.documents.results import asked, witness_in_words

    low, high = at_least(line.lower, 6), at_most(line.upper, 6)
    if line.rational is not None and len(str(line.rational)) <= 20:
        low = high = str(line.rational)
    return [asked(line), low, high, witness_in_words(line.witness)]
