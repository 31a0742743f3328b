"""Allocations from files, data frames and rows in memory."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from dprisk._files import cells, read_text
from dprisk.allocation.allocations import (
    Accounting,
    Allocation,
    AssumedShare,
    Noise,
    Printed,
    Scenario,
    guess,
)
from dprisk.allocation.rows import (
    Description,
    Row,
    Share,
    as_fraction,
    rows_of_frame,
    rows_of_parquet,
)
from dprisk.errors import InvalidFile, InvalidInput, unreadable

TABLES = (".csv", ".parquet")
DESCRIPTIONS = (".yaml", ".yml", ".toml", ".json")


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
        tables of counts, 1 for a single number. [1, 10^9]
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
        names={key: _words(value) for key, value in (names or {}).items()},
        amount=amount,
    )
    return made.allocation(columns, [(f"row {n}", row) for n, row in enumerate(rows, 1)])


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
        Nested levels, outermost first. This and what follows are for tables, as for `allocate`; a
        description says it itself.
    moves : int, optional
        How many cells a changed record moves. [1, 10^9]
    noise, accounting, amount : optional
        What is added to each cell, what shares are shares of, and what is shared out.

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
                fix = "The description contains it."
                raise InvalidInput(option, value, "left out when a description is given", fix)
        return census2020() if shown == "census2020" else _from_description(shown)
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
    return made.allocation(columns, rows)


def _from_description(path: str) -> Allocation:
    """An allocation from a description; a table in a file of its own lies beside it."""
    made = described(path)
    if isinstance(made.table, str):
        file = os.path.join(os.path.dirname(path), made.table)
        columns, rows = table_in(file)
        return replace(made, source=file).allocation(columns, rows)
    columns, rows = _keys(made.table), made.table
    return made.allocation(columns, [(f"row {n}", row) for n, row in enumerate(rows, 1)])


def table_in(path: str) -> tuple[list[str], list[Row]]:
    """Columns and rows of a CSV or Parquet file."""
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        columns, found = rows_of_parquet(path)
        return columns, [(f"row {n}", row) for n, row in enumerate(found, 1)]
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


def _rows(table: Any) -> tuple[list[str], list[Mapping[str, Any]]]:
    """Columns and rows of what is in memory."""
    framed = hasattr(table, "columns") or hasattr(table, "schema")
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes, Mapping)) and not framed:
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return _keys(rows), rows
    return rows_of_frame(table)


def _keys(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(key) for row in rows for key in row))


@cache
def census2020() -> Allocation:
    """How the 2020 Census redistricting data shared out its rho = 2.63."""
    with resources.as_file(resources.files("dprisk.allocation") / "data") as folder:
        return _from_description(str(folder / "census2020.yaml"))


# --- descriptions -------------------------------------------------------------------------------

KEYS = (
    *("allocation", "name", "accounting", "noise", "neighbors", "moves", "levels", "parts"),
    *("attributes", "amount", "table", "names", "scenarios", "printed_in", "printed_if"),
    *("invariants", "source"),
)


def _words(value: Any) -> tuple[str, ...]:
    """One text or a list of them, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def described(path: str) -> Description:
    """The description in a YAML, TOML or JSON file; what is wrong in it is named by its key."""
    from dprisk.releases import loading

    trees = loading.documents(path, loading.read_text(path))
    if len(trees) > 1 or not isinstance(trees[0], dict) or "allocation" not in trees[0]:
        fix = "Such a file starts with the line `allocation: 1`."
        raise InvalidFile(path, "It is not one description of an allocation.", fix)
    tree = trees[0]
    _check_keys(path, tree, KEYS)
    if tree["allocation"] != "1":
        raise unreadable(path, "allocation.format", format=repr(tree["allocation"]))
    if tree.get("neighbors", "replace-one") != "replace-one":
        raise unreadable(path, "allocation.neighbors", "neighbors")
    return _from_tree(path, tree)


def _from_tree(path: str, tree: Mapping[str, Any]) -> Description:
    accounting: Any = tree.get("accounting")
    attributes = tree.get("attributes")
    if tree.get("amount") is not None and tree.get("parts"):
        problem = "The file also declares parts, each with an amount of its own."
        raise InvalidFile(path, problem, "Keep one: the amount, or the parts.", where="amount")
    table = tree.get("table")
    is_rows = isinstance(table, list) and all(isinstance(row, dict) for row in table)
    if not (isinstance(table, str) or is_rows):
        fix = "Give rows under `table:`, or name a CSV or Parquet file beside this one."
        raise InvalidFile(path, "There is no table.", fix, where="table")
    return Description(
        source=path,
        name=str(tree.get("name") or path),
        accounting=accounting,
        noise=tree.get("noise"),
        moves=_moves(path, tree.get("moves")),
        levels=_texts(path, tree, "levels"),
        attributes=None if attributes is None else _texts(path, tree, "attributes"),
        parts=_parts(path, _mapping(path, tree, "parts"), accounting == "gdp"),
        amount=tree.get("amount"),
        names={key: _words(value) for key, value in _mapping(path, tree, "names").items()},
        scenarios=tuple(
            _scenario(path, n, one) for n, one in enumerate(tree.get("scenarios") or ())
        ),
        printed_in=str(tree.get("printed_in") or ""),
        printed_if=_explanation(path, tree),
        invariants=_texts(path, tree, "invariants"),
        origin=_texts(path, tree, "source"),
        table=table,
    )


def _check_keys(
    path: str, tree: Mapping[str, Any], known: Collection[str], where: str | None = None
) -> None:
    for key in tree:
        if key not in known:
            raise InvalidFile(path, f"The key '{key}' is unknown.", guess(key, known), where=where)


def _texts(path: str, tree: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = tree.get(key) or ()
    if isinstance(value, str) or not all(isinstance(one, str) for one in value):
        raise unreadable(path, "allocation.names", key)
    return tuple(value)


def _mapping(path: str, tree: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = tree.get(key) or {}
    if not isinstance(value, dict):
        problem = "It must contain keys and values."
        raise InvalidFile(path, problem, "See the documentation.", where=key)
    return value


def _moves(path: str, value: Any) -> int | None:
    if value is None:
        return None
    if not (isinstance(value, str) and value.isascii() and value.isdigit()):
        problem = f"It must be a whole number, got {value!r}."
        raise InvalidFile(path, problem, "Such as 2.", where="moves")
    return int(value)


def _number(path: str, where: str, value: Any) -> Fraction:
    number = as_fraction(value)
    if number is None or not 0 <= number <= 10**6:
        raise unreadable(path, "allocation.amount", where, value=repr(value))
    return number


def _parts(path: str, tree: Mapping[str, Any], squared: bool) -> dict[str, Share]:
    found = {}
    for part in tree:
        inside = _mapping(path, tree, part)
        _check_keys(path, inside, ("amount", "levels"), f"parts.{part}")
        amount = _number(path, f"parts.{part}.amount", inside.get("amount"))
        levels = {
            level: _number(path, f"parts.{part}.levels.{level}", share)
            for level, share in _mapping(path, inside, "levels").items()
        }
        found[part] = Share(amount * amount if squared else amount, levels)
    return found


def _scenario(path: str, number: int, tree: Any) -> Scenario:
    where = f"scenarios[{number}]"
    if not isinstance(tree, dict) or not tree.get("name") or not tree.get("concerns"):
        raise InvalidFile(path, "A scenario has a name and a list of concerns.", where=where)
    _check_keys(path, tree, ("name", "concerns", "printed"), where)
    given = _mapping(path, tree, "printed")
    _check_keys(path, given, ("rho", "power"), f"{where}.printed")
    if given and "rho" not in given:
        raise unreadable(path, "allocation.printed", f"{where}.printed")
    power = {float(level): str(text) for level, text in _mapping(path, given, "power").items()}
    printed = Printed(str(given["rho"]), power) if given else None
    return Scenario(str(tree["name"]), _words(tree["concerns"]), printed)


def _explanation(path: str, tree: Mapping[str, Any]) -> AssumedShare | None:
    given = _mapping(path, tree, "printed_if")
    if not given:
        return None
    _check_keys(path, given, ("part", "level", "share", "says"), "printed_if")
    share = _number(path, "printed_if.share", given.get("share"))
    part, level, says = (str(given.get(key) or "") for key in ("part", "level", "says"))
    return AssumedShare(part, level, share, says)
