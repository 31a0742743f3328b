"""Finite mechanisms: for each dataset the probability of each output, as a table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, assign
from dprisk._numeric.envelope import whole_numbers
from dprisk._numeric.logspace import Floats
from dprisk._values import result
from dprisk.audit.growth import WRITTEN, as_fraction, chance
from dprisk.errors import InvalidInput, did_you_mean
from dprisk.guarantees.base import Neighbors
from dprisk.mechanisms.pairs import PairOfDistributions
from dprisk.text import fill

Row = tuple[Fraction, ...]
SHAPE: Final = "a table of probabilities, a row for each dataset and a column for each output"
TOTAL: Final = 1e-9  # how far from one a row may add up


@final
@result
@dataclass(frozen=True, init=False, eq=False, repr=False)
class FiniteMechanism:
    """A mechanism with finitely many datasets and outputs, as the table of its probabilities.

    Parameters
    ----------
    probabilities : array_like of float, or of Fraction, or mapping
        How likely each output is on each dataset: rows are datasets. Numbers, fractions or text
        such as "1/3" and "0.25"; or a mapping from a dataset to a row, or to a mapping from an
        output to its probability. Each row adds up to one within 1e-9, and is divided by its sum.
        [0, 1], shape (datasets, outputs)
    datasets, outputs : sequence of str, optional
        What they are called; counted if left out. No two alike.
    normalize : bool
        Divide each row by its sum, whatever that is.

    Raises
    ------
    InvalidInput
        If it is no table of at least two distributions, or labels do not fit; the message names
        the place.

    Notes
    -----
    What was written is kept: `exact` reads decimals and fractions as the rational numbers they are,
    and floats as the binary fractions they are.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]], datasets=["no", "yes"])
    >>> coin.row("yes").tolist()
    [0.25, 0.75]
    """

    probabilities: Floats
    datasets: tuple[str, ...]
    outputs: tuple[str, ...]
    _given: Any

    def __init__(
        self,
        probabilities: Any,
        *,
        datasets: Iterable[Any] | None = None,
        outputs: Iterable[Any] | None = None,
        normalize: bool = False,
    ) -> None:
        if isinstance(probabilities, Mapping):
            probabilities, datasets, outputs = _rows_of(probabilities, datasets, outputs)
        given, values = _numbers(probabilities)
        rows = _labels("datasets", datasets, values.shape[0], "D")
        columns = _labels("outputs", outputs, values.shape[1], "y")
        _check(values, rows, columns, normalize)
        values = values / np.array([[math.fsum(row)] for row in values.tolist()])
        values.flags.writeable = False
        assign(self, probabilities=values, datasets=rows, outputs=columns, _given=given)

    def row(self, dataset: str) -> Floats:
        """How the output is distributed on one dataset.

        Parameters
        ----------
        dataset : str
            Its label.

        Returns
        -------
        ndarray
            Probabilities in the order of `outputs`. [0, 1]
        """
        return np.asarray(self.probabilities[place("dataset", dataset, self.datasets)])

    def exact(self) -> npt.NDArray[Any]:
        """The same probabilities as exact fractions, each row divided by its sum."""
        return np.array(self.rows, dtype=object)

    def merged(self, groups: Mapping[str, Iterable[str]]) -> FiniteMechanism:
        """The mechanism after a post-processing that reports some outputs as one.

        Parameters
        ----------
        groups : mapping of str to iterable of str
            For each new output, the outputs that become it. Outputs in no group stay.

        Returns
        -------
        FiniteMechanism
            With exact fractions, where this one was written in them.
        """
        taken: dict[int, str] = {}
        for name, members in groups.items():
            for member in members:
                at = place("output", member, self.outputs)
                if at in taken:
                    raise InvalidInput(
                        "groups", member, f"in one group, and it is in {taken[at]!r}, too"
                    )
                taken[at] = name
        names = [taken.get(at, label) for at, label in enumerate(self.outputs)]
        return gathered(self.datasets, zip(names, zip(*self.rows, strict=True), strict=True))

    def pair(self, first: str, second: str, *, neighbors: Neighbors) -> PairOfDistributions:
        """Two of its rows, as a mechanism whose privacy loss can be composed.

        Parameters
        ----------
        first, second : str
            Labels of two datasets.
        neighbors : {"add-remove", "replace-one"}
            Which datasets are neighbors.

        Returns
        -------
        PairOfDistributions
            Its `loss` and `guarantee` are those of this pair, as it was written.
        """
        return PairOfDistributions(*rows_of(self, first, second), neighbors=neighbors)

    @cached_property
    def whole(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Each row in whole numbers, and what stands for a probability of one."""
        given = self._given if self._given is not None else self.probabilities.tolist()
        found = (
            whole_numbers([as_fraction(value) or Fraction(0) for value in row])[0] for row in given
        )
        return tuple((tuple(row), sum(row)) for row in found)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The same probabilities as exact fractions, row by row."""
        return tuple(tuple(Fraction(value, one) for value in row) for row, one in self.whole)

    @property
    def size(self) -> int:
        """How many datasets there are."""
        return len(self.datasets)

    def __repr__(self) -> str:
        return f"<FiniteMechanism: {self.size} datasets, {len(self.outputs)} outputs>"


def rows_of(mechanism: FiniteMechanism, first: str, second: str) -> tuple[Row, Row]:
    """Two rows of a mechanism in exact fractions, by the labels of their datasets."""
    labels = mechanism.datasets
    p, q = (mechanism.rows[place("dataset", label, labels)] for label in (first, second))
    return p, q


# --- mechanisms made of others -------------------------------------------------------------------


def gathered(
    datasets: Iterable[str], columns: Iterable[tuple[str, Iterable[Fraction]]]
) -> FiniteMechanism:
    """A mechanism written down column by column; those with the same label are added up."""
    sums: dict[str, list[Fraction]] = {}
    for label, column in columns:
        before = sums.get(label)
        sums[label] = (
            [x + y for x, y in zip(before, column, strict=True)] if before else list(column)
        )
    rows = zip(*sums.values(), strict=True)
    return FiniteMechanism(rows, datasets=datasets, outputs=list(sums))


def mixture(
    one: FiniteMechanism, other: FiniteMechanism, weight: Any, *, tells: bool | None = None
) -> FiniteMechanism:
    """A mechanism that runs the one with some probability, else the other."""
    _alike(one, other)
    share = chance("weight", weight)
    columns = []
    for number, (table, part) in enumerate(((one, share), (other, 1 - share)), 1):
        for name, column in zip(table.outputs, zip(*table.rows, strict=True), strict=True):
            clash = tells and name in one.outputs and name in other.outputs
            label = f"{number}:{name}" if clash else name
            columns.append((label, [part * value for value in column]))
    return gathered(one.datasets, columns)


def both_of(one: FiniteMechanism, other: FiniteMechanism) -> FiniteMechanism:
    """A mechanism that publishes the outputs of two, with independent coins."""
    _alike(one, other)
    names = [f"{a}, {b}" for a in one.outputs for b in other.outputs]
    rows = [
        [a * b for a in first for b in second]
        for first, second in zip(one.rows, other.rows, strict=True)
    ]
    return FiniteMechanism(rows, datasets=one.datasets, outputs=names)


def _alike(one: FiniteMechanism, other: FiniteMechanism) -> None:
    if one.datasets != other.datasets:
        raise InvalidInput("other", list(other.datasets), "a mechanism with the same datasets")


# --- reading -------------------------------------------------------------------------------------


def place(what: str, label: Any, labels: Sequence[str]) -> int:
    """Place of a label; for an unknown one, an error that guesses which was meant."""
    if isinstance(label, str) and label in labels:
        return labels.index(label)
    few = ", ".join(map(repr, labels[:5])) + (", ..." if len(labels) > 5 else "")
    known = fill("errors.one-of", choices=few)
    raise InvalidInput(what, label, known, did_you_mean(label, labels))


def _rows_of(
    table: Mapping[Any, Any], datasets: Iterable[Any] | None, outputs: Iterable[Any] | None
) -> tuple[list[Any], list[Any], Any]:
    """Rows and labels of a mapping."""
    if datasets is not None:
        raise InvalidInput("datasets", datasets, "left out with a mapping, whose keys they are")
    rows = list(table.values())
    if not all(isinstance(row, Mapping) for row in rows):
        return rows, list(table), outputs
    known = dict.fromkeys(label for row in rows for label in row)
    columns = list(known if outputs is None else outputs)
    extra = [label for label in known if label not in columns]
    if extra:
        raise InvalidInput("outputs", extra[0], "listed, where a dataset leads to it")
    return [[row.get(label, 0) for label in columns] for row in rows], list(table), columns


def _numbers(table: Any) -> tuple[Any, Floats]:
    """Table as it was given, if it says more than floats do, and as floats."""
    if isinstance(table, np.ndarray) and table.dtype.kind == "f":
        if table.ndim != 2:
            raise InvalidInput("probabilities", table.shape, SHAPE)
        return None, np.array(table, dtype=float)
    try:
        rows = [list(row) for row in table]
    except TypeError:
        raise InvalidInput("probabilities", table, SHAPE) from None
    lengths = [len(row) for row in rows]
    if not rows or len(set(lengths)) != 1:
        odd = next((n for n, size in enumerate(lengths) if size != lengths[0]), 0)
        got = None
        if rows:
            got = f"{lengths[odd]} in row {odd + 1}, {lengths[0]} in row 1"
        raise InvalidInput("probabilities", got, "rows of one length")
    values = [[_float(value, n, m) for m, value in enumerate(row)] for n, row in enumerate(rows)]
    return rows, np.array(values, dtype=float).reshape(len(rows), lengths[0])


def _float(value: Any, row: int, column: int) -> float:
    if isinstance(value, (float, np.floating)):
        return float(value)
    if isinstance(value, str) and WRITTEN.fullmatch(value.strip()):
        return float(value)
    exact = as_fraction(value)
    if exact is None:
        where = f"the entry in row {row + 1}, column {column + 1}"
        raise InvalidInput(
            where, value, "a probability", "Write it with a point: 0.25, 2.5e-1 or 1/4."
        )
    return float(exact)


def _labels(name: str, given: Iterable[Any] | None, count: int, letter: str) -> tuple[str, ...]:
    """Labels as text, no two alike."""
    if given is None:
        return tuple(f"{letter}{n + 1}" for n in range(count))
    labels = tuple(given) if not isinstance(given, str) else (given,)
    texts = tuple(
        ",".join(map(str, label)) if isinstance(label, tuple) else str(label) for label in labels
    )
    if len(texts) != count:
        got = f"{len(texts)} labels"
        raise InvalidInput(name, got, f"{count} labels, one for each")
    if len(set(texts)) != count:
        ((twice, _),) = Counter(texts).most_common(1)
        raise InvalidInput(name, twice, "labels that differ", "Rename one of the two.")
    return texts


def _check(
    values: Floats, rows: tuple[str, ...], columns: tuple[str, ...], normalize: bool
) -> None:
    """Refuse what is no table of at least two distributions."""
    if values.shape[0] < 2:
        got = f"{values.shape[0]} row"
        raise InvalidInput(
            "probabilities",
            got,
            "a table of at least two rows",
            "A mechanism is private or not by how two datasets compare.",
        )
    bad = ~((values >= 0.0) & np.isfinite(values))
    if bad.any():
        n, m = (int(found[0]) for found in np.nonzero(bad))
        what = f"the probability of output {columns[m]!r} on dataset {rows[n]!r}"
        fix = "It cannot be negative." if values[n, m] < 0 else "Fill the gap."
        raise InvalidInput(what, float(values[n, m]), str(PROBABILITY), fix)
    for label, row in zip(rows, values.tolist(), strict=True):
        total = math.fsum(row)
        if total <= 0.0 or not (normalize or abs(total - 1.0) <= TOTAL):
            what = f"the row of dataset {label!r}"
            fix = (
                f"It is off by {total - 1.0:+.3g}. Write more digits, or divide rows by their sums "
                "(normalize)."
            )
            allowed = f"probabilities that add up to 1 (within {TOTAL:g})"
            raise InvalidInput(what, total, allowed, fix)
