"""Neighbors: which datasets of a finite mechanism are compared, and in which directions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import assign
from dprisk._values import brief, result
from dprisk.audit.finite import FiniteMechanism, place
from dprisk.errors import InvalidInput, one_of

Indices = npt.NDArray[np.intp]
SEPARATORS = (",", ";", "|", " ")
RELATION: Final = "the relation of neighbors"
MOST_ENTRIES = 5_000_000  # of all ordered pairs together, in fractions
SMALLER: Final = "Audit fewer datasets or outputs, or list the pairs of neighbors."
MOST_DATASETS = 20_000  # datasets: the pairs of more do not fit


@final
@result
@dataclass(frozen=True, init=False, eq=False, repr=False)
class NeighborRelation:
    """Pairs of datasets that are compared.

    Parameters
    ----------
    size : int
        How many datasets there are. [2, 20000]
    first, second : array_like of int
        Their numbers, pair by pair; a pair is never of a dataset and itself. [0, size)
    symmetric : bool
        Whether each pair counts in both directions.
    label : str
        How it came about, for people; "given pairs" if left out.

    Raises
    ------
    InvalidInput
        If there is no pair, a number is out of range, or a dataset is its own neighbor.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism, NeighborRelation
    >>> bits = FiniteMechanism([[0.6, 0.4], [0.5, 0.5], [0.4, 0.6]], datasets=["00", "01", "11"])
    >>> len(NeighborRelation.all_pairs(bits)), len(NeighborRelation.hamming(bits))
    (3, 2)
    """

    size: int
    first: Indices
    second: Indices
    symmetric: bool
    label: str

    def __init__(
        self,
        size: int,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        *,
        symmetric: bool = True,
        label: str = "",
    ) -> None:
        if not 2 <= size <= MOST_DATASETS:
            raise InvalidInput("size", size, f"from 2 to {MOST_DATASETS} datasets")
        a, b = np.asarray(first, dtype=np.intp), np.asarray(second, dtype=np.intp)
        if a.ndim != 1 or a.shape != b.shape or a.size == 0:
            raise InvalidInput(RELATION, None, "at least one pair")
        if min(a.min(), b.min()) < 0 or max(a.max(), b.max()) >= size:
            raise InvalidInput(RELATION, size, "between datasets of the table")
        if np.any(a == b):
            raise InvalidInput(
                RELATION, int(a[a == b][0]), "of two datasets", "A dataset is not its own neighbor."
            )
        if symmetric:
            a, b = np.minimum(a, b), np.maximum(a, b)
        once = np.unique(a * size + b)
        assign(
            self,
            size=size,
            first=once // size,
            second=once % size,
            symmetric=bool(symmetric),
            label=label or "given pairs",
        )

    @classmethod
    def all_pairs(cls, mechanism: FiniteMechanism) -> NeighborRelation:
        """Every two datasets are neighbors.

        Parameters
        ----------
        mechanism : FiniteMechanism
            Whose datasets.

        Returns
        -------
        NeighborRelation
            All pairs.
        """
        first, second = np.triu_indices(mechanism.size, 1)
        return cls(mechanism.size, first, second, label="all pairs")

    @classmethod
    def edges(
        cls, mechanism: FiniteMechanism, pairs: Iterable[Sequence[str]], *, symmetric: bool = True
    ) -> NeighborRelation:
        """The pairs that are listed, by their labels.

        Parameters
        ----------
        mechanism : FiniteMechanism
            Whose datasets.
        pairs : iterable of (str, str)
            Labels of neighbors; for an unknown one the error guesses which was meant.
        symmetric : bool
            Whether each pair counts in both directions.

        Returns
        -------
        NeighborRelation
            Each pair once.
        """
        at = {label: n for n, label in enumerate(mechanism.datasets)}
        found: list[tuple[int, int]] = []
        for pair in pairs:
            if isinstance(pair, str) or len(pair) != 2:
                raise InvalidInput("an edge", pair, "two labels of datasets")
            ends = [at.get(str(label), -1) for label in pair]
            if min(ends) < 0:
                place("a dataset in the list of edges", str(pair[ends.index(-1)]), tuple(at))
            found.append((ends[0], ends[1]))
        first, second = [a for a, _ in found], [b for _, b in found]
        return cls(
            mechanism.size,
            first,
            second,
            symmetric=symmetric,
            label="listed pairs",
        )

    @classmethod
    def hamming(
        cls, mechanism: FiniteMechanism, records: Iterable[Sequence[Any]] | None = None
    ) -> NeighborRelation:
        """Datasets that differ in exactly one record: one record replaced.

        Parameters
        ----------
        mechanism : FiniteMechanism
            Whose datasets; all have as many records.
        records : iterable of sequence, optional
            The records of each dataset, in the order of the table, one for each person. Left out,
            they are read from the labels: "ill,well", or one letter for each record as in "011".

        Returns
        -------
        NeighborRelation
            Pairs at Hamming distance one.
        """
        vectors = _records(mechanism.datasets) if records is None else [tuple(r) for r in records]
        if len(vectors) != mechanism.size:
            raise InvalidInput(
                "records", len(vectors), f"{mechanism.size}, one vector for each dataset"
            )
        if len({len(vector) for vector in vectors}) != 1:
            odd = next(n for n, v in enumerate(vectors) if len(v) != len(vectors[0]))
            at = repr(mechanism.datasets[odd])
            got = f"{len(vectors[odd])} in {at}"
            raise InvalidInput(
                "records",
                got,
                f"{len(vectors[0])} for each dataset",
                "Datasets of different sizes never differ in one record only. List the pairs "
                "of neighbors instead.",
            )
        far = np.zeros((mechanism.size, mechanism.size), dtype=np.int32)
        for column in zip(*vectors, strict=True):
            codes = {record: n for n, record in enumerate(dict.fromkeys(column))}
            code = np.array([codes[record] for record in column])
            far += code[:, None] != code[None, :]
        first, second = np.nonzero(np.triu(far == 1))
        return cls(mechanism.size, first, second, label="Hamming distance one")

    @property
    def complete(self) -> bool:
        """Whether all pairs are neighbors, in both directions."""
        return self.symmetric and len(self) == self.size * (self.size - 1) // 2

    @cached_property
    def directed(self) -> tuple[Indices, Indices]:
        """All ordered pairs: the numbers of the first and of the second datasets."""
        if not self.symmetric:
            return self.first, self.second
        first = np.concatenate([self.first, self.second])
        return first, np.concatenate([self.second, self.first])

    @cached_property
    def adjacency(self) -> npt.NDArray[np.bool_]:
        """A matrix that marks all pairs, in both directions."""
        marks = np.zeros((self.size, self.size), dtype=bool)
        marks[self.first, self.second] = True
        marks |= marks.T
        marks.flags.writeable = False
        return marks

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        way = "" if self.symmetric else ", one way"
        return f"<NeighborRelation: {brief(self.label)}, {len(self)} pairs{way}>"


Compared = str | NeighborRelation | Iterable[Sequence[str]]


def related(mechanism: FiniteMechanism, neighbors: Compared) -> NeighborRelation:
    """The relation that was asked for."""
    if isinstance(neighbors, NeighborRelation):
        if neighbors.size != mechanism.size:
            raise InvalidInput(
                RELATION, neighbors.size, f"between the {mechanism.size} datasets of the table"
            )
        return neighbors
    if isinstance(neighbors, str):
        how = one_of("neighbors", neighbors, ("all", "hamming"))
        if how == "all":
            return NeighborRelation.all_pairs(mechanism)
        return NeighborRelation.hamming(mechanism)
    return NeighborRelation.edges(mechanism, neighbors)


def too_many(entries: int, most: int, fix: str) -> InvalidInput:
    """A table whose pairs have more entries than are compared exactly."""
    return InvalidInput("the table", f"{entries} entries of pairs", f"at most {most}", fix)


def ordered(mechanism: FiniteMechanism, neighbors: Compared) -> list[tuple[int, int]]:
    """All ordered pairs of neighbors, by number."""
    first, second = related(mechanism, neighbors).directed
    entries = len(first) * len(mechanism.outputs)
    if entries > MOST_ENTRIES:
        raise too_many(entries, MOST_ENTRIES, "Audit it instead, or compare fewer pairs.")

    return list(zip(first.tolist(), second.tolist(), strict=True))


def _records(labels: Sequence[str]) -> list[tuple[str, ...]]:
    """The records that labels spell out."""
    for sign in SEPARATORS:
        parts = [tuple(part.strip() for part in label.split(sign)) for label in labels]
        if len(parts[0]) > 1 and len({len(part) for part in parts}) == 1:
            return parts
    if len({len(label) for label in labels}) == 1:
        return [tuple(label) for label in labels]
    raise InvalidInput(
        "records",
        None,
        "given for each dataset, or readable from the labels",
        (
            'Label datasets by their records, as "ill,well" or "011", or list the pairs '
            "of neighbors."
        ),
    )
