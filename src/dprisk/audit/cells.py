"""Cells of outputs, and the sets of cells that a test from samples chooses among."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.text import english

CELLS: Final = 64  # into which numbers are put, before sets of cells are compared


class Bins(NamedTuple):
    """Where outputs are put: into intervals of numbers, or to their labels."""

    edges: Floats | None
    labels: tuple[str, ...]
    size: int

    def of(self, values: Any) -> npt.NDArray[np.intp]:
        """The cell of each output; -1 for labels never seen."""
        if self.edges is not None:
            return np.asarray(np.searchsorted(self.edges, values, side="right"))
        at = {label: n for n, label in enumerate(self.labels)}
        return np.array([at.get(value, -1) for value in values], dtype=np.intp)

    def words(self, members: npt.NDArray[np.bool_]) -> str:
        """A set of cells in words."""
        if self.edges is None:
            labels = ", ".join(self.labels[n] for n in np.flatnonzero(members))
            return english("audit.cells.labels", labels=labels)
        ends = np.concatenate([[-np.inf], self.edges, [np.inf]])
        turns = np.flatnonzero(np.diff(np.concatenate([[False], members, [False]]).astype(int)))
        parts = [_interval(ends[a], ends[b]) for a, b in zip(turns[::2], turns[1::2], strict=True)]
        return english("audit.cells.or").join(parts)


class Choice(NamedTuple):
    """A set of cells, the run on which it should be likelier, and how often it was chosen from."""

    likelier: int
    members: npt.NDArray[np.bool_]
    hits: tuple[int, int]
    totals: tuple[int, int]


def cells_of(training: Sequence[npt.NDArray[Any]], count: int = CELLS) -> Bins:
    """Cells that each hold about as many outputs of the half that chooses."""
    pooled = np.concatenate(list(training))
    if pooled.dtype == object:
        labels = tuple(sorted(set(pooled.tolist())))
        return Bins(None, labels, len(labels))
    values = np.unique(pooled)
    if len(values) <= count:
        return Bins(values[1:], (), len(values))
    cuts = np.sort(pooled)[np.linspace(0, len(pooled) - 1, count + 1).astype(int)[1:-1]]
    edges = np.unique(cuts)
    return Bins(edges, (), len(edges) + 1)


def choices_of(table: Bins, training: Sequence[npt.NDArray[Any]]) -> list[Choice]:
    """Sets of cells: the likeliest few by their ratio, and all below or above an edge."""
    counts = [np.bincount(table.of(run), minlength=table.size) for run in training]
    totals = int(counts[0].sum()), int(counts[1].sum())
    found: list[Choice] = []
    for likelier in (0, 1):
        mine, other = counts[likelier], counts[1 - likelier]
        by_ratio = np.argsort(-(mine + 0.5) / (other + 0.5), kind="stable")
        in_order = np.arange(table.size)
        orders = [by_ratio] if table.edges is None else [by_ratio, in_order, in_order[::-1]]
        for order in orders:
            hits = np.cumsum(mine[order]), np.cumsum(other[order])
            for size in range(1, table.size):
                members = np.zeros(table.size, dtype=bool)
                members[order[:size]] = True
                both = int(hits[0][size - 1]), int(hits[1][size - 1])
                found.append(
                    Choice(likelier, members, both, (totals[likelier], totals[1 - likelier]))
                )
    return found or [Choice(0, np.ones(table.size, dtype=bool), totals, totals)]


def _interval(low: float, high: float) -> str:
    kind = ("any" if math.isinf(high) else "below") if math.isinf(low) else "in"
    if kind == "in" and math.isinf(high):
        kind = "from"
    return english(f"audit.cells.{kind}", low=f"{low:.6g}", high=f"{high:.6g}")
