"""``dprisk audit``: what every definition says about one small mechanism, and claims about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dprisk._asking import answers, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, section
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.reading import unclear
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


@table
class AskAudit(Inquiry):
    """Check claims about a small mechanism against its table of output probabilities."""

    example = "dprisk audit examples/mechanisms/answers.csv --claim 'epsilon=log(3)' --exact"
    doing = "Checking"
    file: take.SomeFile = arg(
        "Table of output probabilities (.csv, .json), one row for each dataset. With --samples: "
        "outputs of two runs in two columns."
    )
    claim: take.Texts = opt(
        "Claim to check, such as 'epsilon=1, delta=1e-6' (approximate DP; add kind=pdp, pdp-both, "
        "disclosure or pbdp for another), rho=0.1, mu=1, 'alpha=2, gamma=0.5' or tv=0.1. "
        "Repeatable. Exit code 3 if a claim is not shown to hold."
    )
    neighbors: take.SomeWord = opt(
        "Which rows are neighbors: all, hamming (labels that differ in one place) or a CSV file "
        "with two labels on each line.",
        "all",
    )
    epsilon: take.Numbers = opt("Find δ at this ε, such as 1. Repeatable.")
    delta: take.Numbers = opt("Find ε at this δ, such as 1e-6. Repeatable.")
    exact: take.Flag = flag("Compute in rational arithmetic where the answer is rational.")
    normalize: take.Flag = flag("Divide each row by its sum.")
    tolerance: take.SomeNumber = opt(
        "How far a claim may be missed, to allow for rounded probabilities.", TOLERANCE
    )
    merge: take.Flag = flag(
        "For each claim of kind pdp or pdp-both, find the fewest outputs that break it once they "
        "are reported as one."
    )
    samples: take.Flag = flag("Read outputs instead of probabilities, and show lower bounds.")
    level: take.Numbers = opt(
        "With --samples: find the power at this false positive rate, such as 0.05. Repeatable."
    )
    confidence: take.Number = opt(
        "With --samples: joint confidence of all bounds, such as 0.99. Default: 0.95."
    )
    seed: take.Number = opt("With --samples: seed of the random split. Default: 1.")

    def answer(self) -> Examined | BlackBox:
        if self.seed is not None:
            reading.whole_number("--seed", self.seed)
        relaxed = reading.number("--tolerance", self.tolerance)
        confidence = reading.optional("--confidence", self.confidence)
        words: dict[str, Any] = {
            "epsilon": reading.numbers("--epsilon", self.epsilon),
            "delta": reading.numbers("--delta", self.delta),
        }
        if self.samples:
            return self._sampled(words, 0.95 if confidence is None else confidence)
        from dprisk.audit import Claim, examine, read_edges, read_mechanism

        sampled = {"level": self.level, "confidence": self.confidence, "seed": self.seed}
        _left_out("needs --samples.", **sampled)
        stated = [Claim.of(text) for text in self.claim or []]
        neighbors: Any = self.neighbors
        if neighbors not in ("all", "hamming"):
            neighbors = read_edges(_edges(neighbors))
        return examine(
            read_mechanism(self.file, normalize=self.normalize),
            neighbors=neighbors,
            claims=stated,
            exact=self.exact,
            tolerance=relaxed,
            merge=self.merge,
            **{name: value for name, value in words.items() if value},
        )

    def _sampled(self, words: dict[str, Any], confidence: float) -> BlackBox:
        from dprisk.audit import black_box, read_samples

        words["level"] = reading.numbers("--level", self.level)
        _left_out(
            "does not go with --samples, which shows lower bounds from two columns. Leave it out.",
            claim=self.claim,
            exact=self.exact,
            merge=self.merge,
            normalize=self.normalize,
            neighbors=None if self.neighbors == "all" else self.neighbors,
            tolerance=None if self.tolerance == TOLERANCE else self.tolerance,
        )
        if not any(words.values()):
            words |= {"delta": [0.0], "level": [0.05]}
        first, second, names = read_samples(self.file)
        seed = int(self.seed or 1)
        return black_box(first, second, names=names, confidence=confidence, seed=seed, **words)

    def brief(self, made: Any) -> list[str]:
        if self.samples:
            from dprisk.documents.results import sample_in_words

            return [sample_in_words(found, made) for found in made.findings]
        return _verdicts(made)

    def document(self, made: Any) -> Iterator[Block]:
        if self.samples:
            return _sampled(made, self.brief(made))
        return _examined(made, Path(self.file).name)


def _left_out(why: str, **given: Any) -> None:
    for name, value in given.items():
        if value not in (None, False, []):
            raise unclear(f"--{name} {why}", option=f"--{name}")


def _sampled(made: BlackBox, said: list[str]) -> Iterator[Block]:
    yield answers.items(said)
    yield from section(
        "Search",
        [f"{made.searched} sets of outputs for each question; the split has seed {made.seed}."],
    )
    yield from section("Assumptions", made.assumptions)


def _edges(name: str) -> str:
    """A file of pairs; a word that is neither a file nor known is misspelled."""
    if not Path(name).suffix and not os.path.exists(name):
        allowed = "all, hamming or a CSV file with pairs of labels"
        raise InvalidInput("--neighbors", name, allowed)
    return name


def _examined(made: Examined, name: str) -> Iterator[Block]:
    from dprisk.documents.document import Section
    from dprisk.documents.results import lines_in_words

    yield Section(name, (answers.items(lines_in_words(made)),))
    yield from section("Claims", _verdicts(made))
    if made.lines:
        yield _lines(made)
        yield from section("About these numbers", ABOUT)


def _verdicts(made: Examined) -> list[str]:
    from dprisk.documents.results import merged_in_words, verdict_in_words

    return [*map(verdict_in_words, made.verdicts), *map(merged_in_words, made.maps)]


def _lines(made: Examined) -> Any:
    return answers.table(("quantity", "at least", "at most", "worst case"), map(_line, made.lines))


def _line(line: AuditFinding) -> list[str]:
    from dprisk.documents.results import asked, witness_in_words

    low, high = at_least(line.lower, 6), at_most(line.upper, 6)
    if line.rational is not None and len(str(line.rational)) <= 20:
        low = high = str(line.rational)
    return [asked(line), low, high, witness_in_words(line.witness)]
