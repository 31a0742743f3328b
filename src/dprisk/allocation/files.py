"""Allocations from files, data frames and rows in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from dprisk._files import cells, read_text
from dprisk.allocation.allocations import Accounting, Allocation, Noise
from dprisk.allocation.description import Description, described, words
from dprisk.allocation.rows import Declaration, Row, Share, as_fraction, check_levels, queries_of
from dprisk.errors import InvalidFile, InvalidInput, unreadable

TABLES = (".csv", ".parquet")
DESCRIPTIONS = (".yaml", ".yml", ".toml", ".json")
LARGEST = 100_000_000  # bytes of a table


def allocate(
    table: Any,
    *,
    name: str = "table",
    levels: Sequence[str] = (),
    moves: int | None = None,
    noise: Noise | None = None,
    accounting: Accounting | None = None,
    amount: Any = None,
    names: Mapping[str, str | Sequence[str]] | None = None,
) -> Allocation:
    """An allocation from a table in memory.

    Parameters
    ----------
    table : data frame, or iterable of mapping
        One row for each query at each level, with the columns ``query``, ``attributes`` (joined by
        ``*``), ``level``, ``cells``, ``moves``, and one of ``rho``, ``epsilon``, ``mu`` and
        ``share``. Any data frame that narwhals knows will do.
    name : str
        What was published.
    levels : sequence of str
        Nested levels, outermost first; left out where places do not matter.
    moves : int, optional
        How many cells a changed record moves, each by one, where the table does not say: 2 for
        tables of counts (a record leaves one cell and enters another), 1 for a single number.
        [1, 10^9]
    noise : {"discrete-gaussian", "gaussian", "laplace", "geometric"}, optional
        What is added to each cell; left out, only what the amounts promise is known.
    accounting : {"zcdp", "pure", "gdp"}, optional
        What shares are shares of: rho, epsilon, or the square of mu. Otherwise the column tells.
    amount : number or str, optional
        What is shared out, if the table gives shares: rho, epsilon or mu.
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
    made = Description(
        source=name,
        name=name,
        accounting=accounting,
        noise=noise,
        moves=moves,
        levels=tuple(levels),
        names={key: words(value) for key, value in (names or {}).items()},
        amount=amount,
    )
    return _allocation(made, columns, [(f"row {n}", row) for n, row in enumerate(rows, 1)])


def read_allocation(
    path: str | os.PathLike[str],
    *,
    levels: Sequence[str] = (),
    moves: int | None = None,
    noise: Noise | None = None,
    accounting: Accounting | None = None,
    amount: Any = None,
) -> Allocation:
    """An allocation from a file.

    Parameters
    ----------
    path : str or path
        A table (CSV, Parquet), or a description (YAML, TOML, JSON) that holds the table or names
        its file, and declares levels, parts, names and scenarios. The name ``census2020`` stands
        for the one that is shipped.
    levels : sequence of str
        Nested levels, outermost first. This and what follows are for tables; a description says
        it itself.
    moves : int, optional
        How many cells a changed record moves, where the table does not say. [1, 10^9]
    noise : {"discrete-gaussian", "gaussian", "laplace", "geometric"}, optional
        What is added to each cell.
    accounting : {"zcdp", "pure", "gdp"}, optional
        What shares are shares of.
    amount : number or str, optional
        What is shared out, if the table gives shares.

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
    if shown == "census2020" or suffix in DESCRIPTIONS:
        given = {"levels": levels, "moves": moves, "noise": noise, "accounting": accounting}
        for option, value in {**given, "amount": amount}.items():
            if value not in (None, (), []):
                raise InvalidInput(
                    option,
                    value,
                    "left out when a description is given",
                    "The description contains it.",
                )
        return _shipped() if shown == "census2020" else from_description(shown)
    if suffix not in TABLES:
        raise unreadable(shown, "allocation.ending", endings=", ".join((*TABLES, *DESCRIPTIONS)))
    columns, rows = table_in(shown)
    made = Description(
        source=shown,
        name=Path(shown).stem,
        accounting=accounting,
        noise=noise,
        moves=moves,
        levels=tuple(levels),
        amount=amount,
    )
    return _allocation(made, columns, rows)


def _shipped() -> Allocation:
    with resources.as_file(resources.files("dprisk.allocation") / "data") as folder:
        return from_description(str(folder / "census2020.yaml"))


def from_description(path: str) -> Allocation:
    """An allocation from a description; a table in a file of its own lies beside it."""
    made = described(path)
    if isinstance(made.table, str):
        file = os.path.join(os.path.dirname(path), made.table)
        columns, rows = table_in(file)
        return _allocation(made.of(file), columns, rows)
    columns, rows = _keys(made.table), made.table
    return _allocation(made, columns, [(f"row {n}", row) for n, row in enumerate(rows, 1)])


def table_in(path: str) -> tuple[list[str], list[Row]]:
    """Columns and rows of a CSV or Parquet file."""
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        from dprisk.allocation.rows import rows_of_parquet

        columns, found = rows_of_parquet(path)
        return columns, [(f"row {n}", row) for n, row in enumerate(found, 1)]
    if suffix != ".csv":
        raise InvalidFile(path, "A table is a file in .csv or .parquet.", "Save it as CSV.")
    return _csv(path)


def _csv(path: str) -> tuple[list[str], list[Row]]:
    lines = cells(path, read_text(path, LARGEST))
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


def _rows(table: Any) -> tuple[list[str], list[Mapping[str, Any]]]:
    """Columns and rows of what is in memory."""
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes, Mapping)):
        if hasattr(table, "columns") or hasattr(table, "schema"):
            return _of_frame(table)
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return _keys(rows), rows
    return _of_frame(table)


def _of_frame(table: Any) -> tuple[list[str], list[Mapping[str, Any]]]:
    from dprisk.allocation.rows import rows_of_frame

    return rows_of_frame(table)


def _keys(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(key) for row in rows for key in row))


def _allocation(made: Description, columns: Sequence[str], rows: Sequence[Row]) -> Allocation:
    """Everything checked against everything else."""
    plan = Declaration(
        source=made.source,
        levels=made.levels,
        attributes=made.attributes,
        accounting=made.accounting,
        parts=made.parts or _whole(made),
        moves=made.moves,
        noisy=made.noise is not None,
    )
    if not rows:
        raise plan.refused("no-rows")
    check_levels(plan)
    accounting, queries = queries_of(plan, columns, rows)
    return made.finished(accounting, queries)


def _whole(made: Description) -> dict[str, Share]:
    """One part without a name, if an amount was given."""
    if made.amount is None:
        return {}
    number = as_fraction(made.amount)
    if number is None or not 0 < number <= 10**6:
        raise InvalidInput("amount", made.amount, "a number in (0, 10^6]", "Write it as 2.56.")
    return {"": Share(number * number if made.accounting == "gdp" else Fraction(number), {})}


@cache
def census2020() -> Allocation:
    """How the 2020 Census redistricting data shared out its rho = 2.63."""

    return read_allocation("census2020")
