"""The numbers behind a picture or a claim, row by row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, final

from dprisk._values import result

__all__ = ["NumberTable"]

Cell = str | int | float | None


@final
@result
@dataclass(frozen=True, repr=False)
class NumberTable:
    """Numbers and words in named columns.

    Parameters
    ----------
    columns : tuple of str
        What each column is.
    rows : tuple of tuple
        Numbers and words; None where nothing is known.

    Examples
    --------
    >>> from dprisk.table import NumberTable
    >>> NumberTable(("prior", "at most"), ((0.5, 0.75), (1.0, None))).rows[0]
    (0.5, 0.75)
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @staticmethod
    def of(columns: Mapping[str, Iterable[Any]]) -> NumberTable:
        """A table from its columns, all of one length.

        Parameters
        ----------
        columns : mapping of str to iterable
            Each by its name.

        Returns
        -------
        Table
            The same, row by row.
        """
        cells = [[_plain(cell) for cell in column] for column in columns.values()]
        return NumberTable(tuple(columns), tuple(zip(*cells, strict=True)))

    def to_csv(self) -> str:
        """The table as comma-separated values.

        Returns
        -------
        str
            Numbers in full, so that they come back as they were; an empty cell for None.

        Examples
        --------
        >>> from dprisk.table import NumberTable
        >>> print(NumberTable.of({"prior": [0.5, 0.1], "at most": [0.75, None]}).to_csv())
        prior,at most
        0.5,0.75
        0.1,
        <BLANKLINE>
        """
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return written.getvalue()


def _plain(cell: Any) -> Cell:
    """A number of Python; whole numbers as such, and nothing for NaN."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, Integral):
        return int(cell)
    number = float(cell)
    return None if math.isnan(number) else number
