"""Allocations from files, data frames and rows in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dprisk._files import cells, read_text
from dprisk.allocation.allocations import Allocation
from dprisk.allocation.descriptions import described, words_of
from dprisk.allocation.queries import Accounting, Noise
from dprisk.allocation.rows import Description, Row, numbered, rows_of_frame, rows_of_parquet
from dprisk.allocation.vocabulary import Nested, chains_of, in_order
from dprisk.errors import InvalidFile, InvalidInput, unreadable
from dprisk.guarantees.base import Neighbors

TABLES = (".csv", ".parquet")
DESCRIPTIONS = (".yaml", ".yml", ".toml", ".json")


def allocate(  # noqa: PLR0913
    table: Any,
    *,
    name: str = "table",
    levels: Nested = (),
    places: str | None = None,
    moves: int | None = None,
    noise: Noise | None = None,
    accounting: Accounting | None = None,
    amount: Any = None,
    neighbors: Neighbors = "replace-one",
    names: Mapping[str, str | Sequence[str]] | None = None,
) -> Allocation:
    """An allocation from a table in memory.

    Parameters
    ----------
    table : data frame, or iterable of mapping
        One row for each query at each level, with the columns ``query``, ``attributes`` (joined by
        ``*``), ``level``, ``place``, ``cells``, ``moves``, ``noise``, and in each row one of
        ``rho``, ``epsilon``, ``mu``, ``sigma``, ``variance`` and ``scale``; or ``share`` in all.
        Any data frame that narwhals knows will do.
    name : str
        What was published.
    levels : sequence of str, or of such sequences
        Nested levels, outermost first; several chains may cross. Left out where places do not
        matter.
    places : str, optional
        The level of the column ``place``, where amounts differ by place. Left out where there is
        only one level.
    moves : int, optional
        How many cells a changed record moves, each by one, where the table does not say: 2 for
        tables of counts, 1 for a single number. [1, 10^9]
    noise : {"discrete-gaussian", "gaussian", "laplace", "geometric"}, optional
        What is added to each cell; left out, only what the amounts promise is known.
    accounting : {"zcdp", "pure", "gdp"}, optional
        What shares are shares of: rho, epsilon, or the square of mu. Otherwise the column tells.
    amount : number or str, optional
        What is shared out, if the table gives shares: rho, epsilon or mu.
    neighbors : {"replace-one", "add-remove"}
        What the amounts are for. Those for adding or removing a record are turned into those for
        replacing one, where the noise is named.
    names : mapping of str to str or sequence of str, optional
        Other names for attributes and levels, to be used in concerns.

    Returns
    -------
    Allocation
        Checked.

    Raises
    ------
    InvalidFile
        If a row or the whole table cannot be used; the message names the row.
    InvalidInput
        If the noise does not fit the accounting, or an argument is something else.

    Examples
    --------
    >>> from dprisk.allocation import allocate
    >>> table = [
    ...     {"query": "people", "attributes": "", "rho": "1/20"},
    ...     {"query": "income by sex", "attributes": "income * sex", "rho": "3/20"},
    ... ]
    >>> survey = allocate(table, name="Town survey", noise="discrete-gaussian", moves=2)
    >>> survey.exposure("income").amount
    Fraction(3, 20)
    """
    columns, rows = _rows(table)
    given = {
        "places": places,
        "moves": moves,
        "noise": noise,
        "accounting": accounting,
        "amount": amount,
        "neighbors": neighbors,
        "names": {key: words_of(value) for key, value in (names or {}).items()},
    }
    return _plan(name, name, levels, given).allocation(columns, rows)


def read_allocation(
    path: str | os.PathLike[str],
    *,
    levels: Nested = (),
    places: str | None = None,
    moves: int | None = None,
    noise: Noise | None = None,
    accounting: Accounting | None = None,
    amount: Any = None,
    neighbors: Neighbors = "replace-one",
) -> Allocation:
    """An allocation from a file.

    Parameters
    ----------
    path : str or path
        A table (CSV, Parquet), or a description (YAML, TOML, JSON) that holds the table or names
        its file, and declares levels, parts, names and scenarios. The names ``census2020`` and
        ``dhc2020`` stand for those that are shipped.
    levels : sequence of str, or of such sequences
        Nested levels, outermost first. This and what follows are for tables, as for `allocate`; a
        description says it itself.
    places : str, optional
        The level of the column ``place``.
    moves : int, optional
        How many cells a changed record moves. [1, 10^9]
    noise, accounting, amount : optional
        What is added to each cell, what shares are shares of, and what is shared out.
    neighbors : {"replace-one", "add-remove"}
        What the amounts are for, as for `allocate`.

    Returns
    -------
    Allocation
        Checked; fractions as they were written.

    Raises
    ------
    InvalidFile
        If the file cannot be read as an allocation; the message says where, why and what to do.
    InvalidInput
        If the noise does not fit the accounting, or a description comes with arguments.

    Examples
    --------
    >>> from dprisk.allocation import read_allocation
    >>> census = read_allocation("census2020")
    >>> census.total
    Fraction(263, 100)
    """
    shown = os.fspath(path)
    suffix = Path(shown).suffix.lower()
    given = {
        "places": places,
        "moves": moves,
        "noise": noise,
        "accounting": accounting,
        "amount": amount,
        "neighbors": neighbors,
    }
    if shown in SHIPPED or suffix in DESCRIPTIONS:
        for option, value in {"levels": levels, **given}.items():
            if value not in (None, (), [], "replace-one"):
                fix = "The description contains it."
                raise InvalidInput(option, value, "left out when a description is given", fix)
        return SHIPPED[shown]() if shown in SHIPPED else _from_description(shown)
    if suffix not in TABLES:
        raise unreadable(shown, "allocation.ending", endings=", ".join((*TABLES, *DESCRIPTIONS)))
    columns, rows = table_in(shown)
    return _plan(shown, Path(shown).stem, levels, given).allocation(columns, rows)


def _plan(source: str, name: str, levels: Nested, given: Mapping[str, Any]) -> Description:
    """The description of a table that arguments give."""
    chains = chains_of("levels", levels)
    return Description(source, name, levels=in_order(chains), chains=chains, **given)


def _from_description(path: str) -> Allocation:
    """An allocation from a description; a table in a file of its own lies beside it."""
    made = described(path)
    if isinstance(made.table, str):
        file = os.path.join(os.path.dirname(path), made.table)
        return replace(made, source=file).allocation(*table_in(file))
    return made.allocation(*_rows(made.table))


def table_in(path: str) -> tuple[list[str], list[Row]]:
    """Columns and rows of a CSV or Parquet file."""
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        return rows_of_parquet(path)
    if suffix != ".csv":
        raise InvalidFile(path, "A table is a file in .csv or .parquet.", "Save it as CSV.")
    return _csv(path)


def _csv(path: str) -> tuple[list[str], list[Row]]:
    lines = cells(path, read_text(path, 100_000_000))
    if not lines:
        raise InvalidFile(path, "It is empty.", "The first line names the columns.")
    (_, first), *rows = lines
    columns = [name.lower() for name in first]
    for number, row in rows:
        if len(row) != len(columns):
            where = f"line {number}"
            raise unreadable(path, "allocation.values", where, found=len(row), columns=len(columns))
    return columns, [
        (f"line {number}", dict(zip(columns, row, strict=True))) for number, row in rows
    ]


def _rows(table: Any) -> tuple[list[str], list[Row]]:
    """Columns and rows of what is in memory."""
    framed = hasattr(table, "columns") or hasattr(table, "schema")
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes, Mapping)) and not framed:
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return list(dict.fromkeys(str(key) for row in rows for key in row)), numbered(rows)
    return rows_of_frame(table)


@cache
def census2020() -> Allocation:
    """How the 2020 Census redistricting data shared out its rho = 2.63."""
    return _shipped("census2020")


@cache
def dhc2020() -> Allocation:
    """How the 2020 Census demographic and housing data (DHC) shared out its rho = 12.6627.

    The parts are persons (4.9622) and housing units (7.7005). Puerto Rico is not included.
    """
    return _shipped("dhc2020")


def _shipped(name: str) -> Allocation:
    """The description that comes with the package."""
    with resources.as_file(resources.files("dprisk.allocation") / "data") as folder:
        return _from_description(str(folder / f"{name}.yaml"))


SHIPPED = MappingProxyType({"census2020": census2020, "dhc2020": dhc2020})
