"""What was tried, and what was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Tally", "Violation"]

KEPT = 12  # examples of one kind of violation

HEAD = """from dprisk import *
from dprisk.mechanisms import *
from dprisk.composition import compose
from dprisk.risk import *
from dprisk.budget import *
"""


@dataclass(frozen=True)
class Violation:
    """Something that is not as promised.

    Parameters
    ----------
    rule : str
        Which promise is broken.
    kind, question, relation : str
        What was asked of what.
    code : str
        An expression that shows it.
    got, truth : str
        What came back, and what the truth is.
    size : float
        By how much, relative to the truth; inf where that says nothing.
    """

    rule: str
    kind: str
    question: str
    relation: str
    code: str
    got: str
    truth: str
    size: float

    @property
    def sort(self) -> tuple[str, str, str]:
        return self.kind, self.question, self.rule

    def text(self) -> str:
        truth = f"{self.truth} ({self.rule}, by {self.size:.1g})"
        return f"{HEAD}print({self.code})\n# got {self.got}\n# truth {truth}"


@dataclass
class Tally:
    """Counts by class, method and relation; violations; widths."""

    asked: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    seen: set[tuple[str, str]] = field(default_factory=set)
    unknown: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wide: Counter[tuple[str, str]] = field(default_factory=Counter)
    differ: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: dict[tuple[str, str, str], list[Violation]] = field(default_factory=dict)
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    slow: list[tuple[float, str]] = field(default_factory=list)

    def add(self, violation: Violation) -> None:
        """Keep the largest of each kind."""
        self.counts[violation.sort] += 1
        kept = self.found.setdefault(violation.sort, [])
        kept.append(violation)
        kept.sort(key=lambda one: -one.size)
        del kept[KEPT:]

    def merge(self, other: Tally) -> None:
        """Take over what another process found."""
        self.asked += other.asked
        self.refused += other.refused
        self.seen |= other.seen
        self.unknown += other.unknown
        self.wide += other.wide
        self.differ += other.differ
        self.slow = sorted(self.slow + other.slow, reverse=True)[:20]
        counted = self.counts + other.counts
        for kept in other.found.values():
            for violation in kept:
                self.add(violation)
        self.counts = counted

    @property
    def total(self) -> int:
        return sum(self.asked.values())

    def table(self) -> str:
        """Checked answers by class and relation; of all, how many were refused, and how many are
        brackets wider than one in a thousand."""
        kinds: dict[str, Counter[str]] = {}
        for name, counts in ((None, self.asked), ("refused", self.refused)):
            for (kind, _, relation), number in counts.items():
                kinds.setdefault(kind, Counter())[name or relation] += number
        for (kind, _), number in self.wide.items():
            kinds.setdefault(kind, Counter())["wide"] += number
        columns = ("add-remove", "replace-one", "refused", "wide")
        rows = [
            (kind, *(f"{counts[name]:,}" for name in columns)) for kind, counts in kinds.items()
        ]
        whole = sum(kinds.values(), Counter())
        rows = [("class", *columns), *sorted(rows), ("all", *(f"{whole[c]:,}" for c in columns))]
        return "\n".join(
            f"{row[0]:40}" + "".join(f" {each:>12}" for each in row[1:]) for row in rows
        )

    def questions(self) -> str:
        """Checked answers by question."""
        counts: Counter[str] = Counter()
        for (_, question, _), number in self.asked.items():
            counts[question] += number
        return ", ".join(f"{name} {number:,}" for name, number in counts.most_common())

    def report(self) -> str:
        """Violations, a snippet for the worst of each kind."""
        lines = []
        for key in sorted(self.found):
            worst = self.found[key][0]
            lines.append(
                f"## {worst.kind}: {worst.question}: {worst.rule} ({self.counts[key]} times)"
            )
            lines.append(f"{worst.text()}\n")
        return "\n".join(lines)
