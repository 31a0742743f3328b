"""Summary of a table of risk: how many rows were answered, and how high they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from dprisk.tables.inputs import NO_BOUND, REASONS
from dprisk.tables.question import REASON, TableQuestion
from dprisk.text import fill, has

if TYPE_CHECKING:
    import pyarrow as pa


EDGES: Final = tuple(i / 10 for i in range(11))
"""Between which the rows of a probability are counted; the last bin holds its right end."""
SHARES: Final = ("posterior_at_most", "posterior_at_least", "difference_at_most", "worst_prior",
                 "both_at_most", "power_at_most", "advantage_at_most")  # fmt: skip


@final
@dataclass(frozen=True)
class TableSummary:
    """Counts over a table of risk. Made by `run`.

    Parameters
    ----------
    rows : int
        All rows. [0, inf)
    reasons : mapping of str to int
        How many rows lack numbers, by reason. [0, inf)
    above : mapping of str to int
        How many rows exceed the limit of an output, or have no bound on it. [0, inf)
    limits : mapping of str to float
        The limits. [-inf, inf]
    histograms : mapping of str to sequence of int
        How many rows have a value in each tenth, by output that is a probability. [0, inf)
    first : mapping of str to int
        The first row of each reason, counted from 0. [0, inf)
    people : bool
        Whether a row is what all charges of one person come to.
    """

    rows: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    above: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    histograms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    first: Mapping[str, int] = field(default_factory=dict)
    people: bool = False

    def say(self, key: str, **words: str) -> str:
        """A text about rows, or about people.

        Parameters
        ----------
        key : str
            The key of the text about rows.
        **words : str
            What its gaps are filled with.

        Returns
        -------
        str
            The text about people, if these are people and there is one.
        """
        whose = f"{key}.people"
        return fill(whose if self.people and has(whose) else key, **words)

    @property
    def invalid(self) -> int:
        """Rows that could not be read at all."""
        return sum(count for name, count in self.reasons.items() if name != REASONS[NO_BOUND])

    @property
    def kept(self) -> bool:
        """Whether every row was read and is within the limits, if there are any."""
        return not self.above or not (self.invalid or any(self.above.values()))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: counts by name."""
        return {
            "rows": self.rows,
            "reasons": dict(self.reasons),
            "first_rows": dict(self.first),
            "above": dict(self.above),
            "limits": dict(self.limits),
            "edges": list(EDGES),
            "histograms": {name: list(counts) for name, counts in self.histograms.items()},
            "kept": self.kept,
        }


def summarize(
    asked: TableQuestion,
    tables: Iterable[pa.Table],
    limits: Mapping[str, float],
    *,
    people: bool = False,
) -> TableSummary:
    """The summary of tables that are answered, in any pieces; of rows, or of people."""
    rows, reasons, above = 0, dict.fromkeys(REASONS, 0), dict.fromkeys(limits, 0)
    shares = [name for name in asked.outputs if name in SHARES]
    counts = {name: np.zeros(len(EDGES) - 1, dtype=int) for name in shares}
    first: dict[str, int] = {}
    for table in tables:
        for each in table[REASON].value_counts().to_pylist():
            name = each["values"]
            if name is not None:
                reasons[name] += each["counts"]
                if name not in first:
                    first[name] = rows + table[REASON].to_pylist().index(name)
        rows += table.num_rows
        for name, limit in limits.items():
            above[name] += _above(asked, table, name, limit)
        for name in shares:
            counts[name] += _histogram(table[name].drop_null().to_numpy())
    return TableSummary(
        rows,
        {name: count for name, count in reasons.items() if count},
        above,
        dict(limits),
        {name: tuple(map(int, found)) for name, found in counts.items()},
        {} if people else first,
        people,
    )


def together(summaries: Sequence[TableSummary]) -> TableSummary:
    """The summary of several tables with the same outputs and limits, from one for each."""
    first = summaries[0]
    reasons = {name: sum(each.reasons.get(name, 0) for each in summaries) for name in REASONS}
    histograms = {
        name: tuple(map(sum, zip(*(each.histograms[name] for each in summaries), strict=True)))
        for name in first.histograms
    }
    starts = list(accumulate((each.rows for each in summaries), initial=0))
    found: dict[str, int] = {}
    for start, each in zip(starts, summaries, strict=False):
        found = {name: start + row for name, row in each.first.items()} | found
    return TableSummary(
        starts[-1],
        {name: count for name, count in reasons.items() if count},
        {name: sum(each.above[name] for each in summaries) for name in first.above},
        first.limits,
        histograms,
        found,
    )


def _histogram(values: Any) -> Any:
    """How many values lie between two of `EDGES`: as `numpy.histogram`, without sorting."""
    below = [np.count_nonzero(values < edge) for edge in EDGES[:-1]]
    return np.diff([*below, np.count_nonzero(values <= EDGES[-1])])


def _above(asked: TableQuestion, table: Any, name: str, limit: float) -> int:
    """Rows above a limit; one without a bound is as high as any."""
    import pyarrow.compute as pc

    found = int(pc.sum(pc.greater(table[name], limit)).as_py() or 0)
    if name in asked.from_losses:
        unbounded = pc.equal(table[REASON].cast("string"), REASONS[NO_BOUND])
        found += int(pc.sum(pc.and_(unbounded, pc.is_null(table[name]))).as_py() or 0)
    return found
