"""What each person's charges add up to: every distinct history is composed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import escape
from itertools import count, islice
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dprisk._files import check_places, write
from dprisk.bulk.asked import REASON, TableQuestion, check_limits
from dprisk.bulk.engines.remote import AS_INSTALLED, is_remote
from dprisk.bulk.histories import COLUMNS, answers
from dprisk.bulk.inputs import NO_BOUND, NUMBER, REASONS
from dprisk.bulk.partitions import is_parquet, partitions
from dprisk.bulk.pieces import SHOWN, what_failed
from dprisk.bulk.summary import TableSummary
from dprisk.errors import refused, unreadable
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa


ONE_FOR_ALL: Final = ("neighbors", "prior", "confidence", "level", "at_delta")
UNREADABLE: Final = frozenset(REASONS) - {REASONS[NO_BOUND]}
SPILLS: Final[Any] = {"temp_directory": gettempdir(), "preserve_insertion_order": False}


def add_up(
    asked: TableQuestion, charges: Any, person: str, *, connection: Any = None
) -> pa.RecordBatchReader:
    """Risk of each person after everything that the person was charged.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of each person. The definition and its parameters may be columns; everything
        else is one for all.
    charges : duckdb.DuckDBPyRelation, or an Arrow table, reader or dataset
        One row for each time that a person's data were used, in any order.
    person : str
        The column that says whose.
    connection : duckdb.DuckDBPyConnection, optional
        Where the relation is from, and whose limits on memory hold; it spills to the disk.

    Returns
    -------
    pyarrow.RecordBatchReader
        One row for each person, in no order: the column of the person, ``charges`` (how many),
        what was asked, and `REASON`. A person with one charge that cannot be read has no numbers.

    Raises
    ------
    InvalidInput
        If a column is missing, or one is given for what has to be one for all.

    Notes
    -----
    Grouping is left to DuckDB. Each different charge is given a random number of 128 bits; people
    whose numbers have the same sum have the same charges, in any order, but for a chance below
    2^-80 among 10^7 people. Such a history is read once and composed once, by
    `dprisk.composition.compose`, its charges in the order of their parameters.

    For a curve of Rényi divergences, ``alpha`` and ``gamma`` are columns of lists.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from dprisk.bulk import TableQuestion, add_up
    >>> charges = pa.table({"who": ["a", "b", "a"], "rho": [0.5, 0.5, 0.5]})
    >>> constants = {"definition": "concentrated", "neighbors": "add-remove", "at_delta": 1e-6}
    >>> asked = TableQuestion(["epsilon_at_most"], {"rho": "rho"}, constants)
    >>> for row in sorted(add_up(asked, charges, "who").read_all().to_pylist(), key=str):
    ...     print(row["who"], row["charges"], round(row["epsilon_at_most"], 3))
    a 2 7.766
    b 1 5.222
    """
    import duckdb

    db = duckdb.connect(config=SPILLS) if connection is None else connection
    rows = charges if isinstance(charges, duckdb.DuckDBPyRelation) else db.from_arrow(charges)
    check(asked, rows.limit(0).to_arrow_table().schema, person)
    names = [name for name in COLUMNS if name in asked.columns]
    here = dict(zip(rows.columns, map(str, rows.types), strict=True))
    told = [_told(name, asked.columns[name], here) for name in names] or ["0 as same"]
    own = f"dprisk_{next(_NUMBERS)}"
    rows.create_view(f"{own}_rows")
    kept = "table" if hasattr(charges, "read_next_batch") else "view"  # a reader is read once
    db.execute(
        f"create temp {kept} {own}_charges as "
        f"select {_quoted(person)} as person, {', '.join(told)} from {own}_rows"
    )
    _group(db, own, names or ["same"])
    db.register(f"{own}_answers", _histories_answered(asked, db, own, names or ["same"]))
    columns = ", ".join([*asked.outputs, REASON])
    return db.sql(
        f"select people.person as {_quoted(person)}, charges, {columns} "
        f"from {own}_people as people join {own}_histories using (first, second) "
        f"join {own}_answers using (number)"
    ).to_arrow_reader()


_NUMBERS = count()


def _group(db: Any, own: str, names: Sequence[str]) -> None:
    """Tables of the people, and of their histories, each with one of those who have it."""
    columns = ", ".join(names)
    kinds = db.sql(f"select distinct {columns} from {own}_charges").to_arrow_table()
    for name in ("first", "second"):
        drawn = np.random.default_rng().integers(1 << 64, size=kinds.num_rows, dtype=np.uint64)
        kinds = kinds.append_column(name, [drawn])
    db.register(f"{own}_kinds", kinds)
    same = " and ".join(f"charge.{name} is not distinct from kind.{name}" for name in names)
    db.execute(
        f"create temp table {own}_people as "
        "select person, count(*) as charges, sum(first) as first, sum(second) as second "
        f"from {own}_charges as charge join {own}_kinds as kind on {same} group by person"
    )
    db.execute(
        f"create temp table {own}_histories as "
        "select row_number() over () as number, first, second, min(person) as person "
        f"from {own}_people group by first, second"
    )


def _histories_answered(asked: TableQuestion, db: Any, own: str, names: Sequence[str]) -> pa.Table:
    """What is asked of each history, by its number."""
    columns = ", ".join(names)
    parts = ", ".join(f"{name} := {name}" for name in [*names, "times"])
    histories = db.sql(
        f"with counted as (select number, {columns}, count(*) as times "
        f"from {own}_charges as charge join {own}_histories as one "
        "on charge.person is not distinct from one.person group by all) "
        f"select number, list(struct_pack({parts})) as history from counted group by number"
    ).to_arrow_table()
    return answers(asked, histories).set_column(0, "number", histories["number"])


def add_up_files(
    asked: TableQuestion,
    sources: Sequence[str],
    out: Path,
    person: str,
    *,
    memory: str,
    limits: Mapping[str, float],
    strict: bool,
    force: bool,
) -> TableSummary:
    """What `add_up` says of files: one row for each person, by rising name, as one Parquet file."""
    import duckdb
    import pyarrow as pa
    from pyarrow import parquet

    check_limits(asked, limits)
    paths = list(dict.fromkeys(part.path for part in partitions(sources)))
    check_places([out], force=force, inputs=paths)
    config: Any = {**SPILLS, **AS_INSTALLED, "memory_limit": memory}
    try:
        with duckdb.connect(config=config) as db:
            charges = _charges(db, paths)
            made = add_up(asked, charges, person, connection=db).read_all().sort_by(person)
    except duckdb.Error as error:
        raise unreadable(paths[0], "table.not-read", error=what_failed(error)) from None
    if made[person].null_count:  # any of the others may be meant
        alone = made["charges"].to_pylist()[made[person].to_pylist().index(None)]
        raise refused("table.nobody", "person", person, rows=f"{alone:,}")
    if not made.num_rows:
        raise unreadable(paths[0], "table.empty")
    summary = TableSummary.of(asked, [made], limits, people=True)
    if strict and summary.invalid:
        rows = zip(made[person].to_pylist(), made[REASON].to_pylist(), strict=True)
        found = (
            fill("table.person", person=who, reason=why) for who, why in rows if why in UNREADABLE
        )
        raise unreadable(paths[0], "table.strict-people", people="; ".join(islice(found, SHOWN)))
    file = pa.BufferOutputStream()
    parquet.write_table(made, file, compression="lz4")
    write(out, file.getvalue().to_pybytes(), force=force, inputs=paths)
    return summary


def _charges(db: Any, paths: Sequence[str]) -> Any:
    """The rows of all files, which have the same columns of the same kinds."""
    first: tuple[bool, list[str], list[str]] | None = None
    for path in paths:
        one = _read(db, [path], is_parquet(path))
        found = is_parquet(path), one.columns, list(map(str, one.types))
        if first is not None and found != first:
            raise unreadable(path, "table.differ")
        first = found
    return _read(db, paths, is_parquet(paths[0]))


def _read(db: Any, paths: Sequence[str], columnar: bool) -> Any:
    given = {"paths": [path if is_remote(path) else escape(path) for path in paths]}
    read = "read_parquet" if columnar else "read_csv"
    return db.sql(f"from {read}($paths, hive_partitioning := true)", params=given)


def check(asked: TableQuestion, charges: pa.Schema, person: str) -> None:
    """Refuse a table of charges that lacks a column, or has one for what is one for all."""
    for name in asked.columns:
        if name in ONE_FOR_ALL or name == "failure":
            raise refused("table.one-for-all", name, asked.columns[name])
    if "failure" in asked.constants:
        raise refused("table.one-for-all", "failure", asked.constants["failure"])
    asked.check(charges, curves=True)
    if person not in charges.names:
        raise refused("table.no-column", "person", person, columns=", ".join(charges.names))
    if person == "charges":
        raise refused("table.person-taken", "person", person)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _told(name: str, column: str, kinds: Mapping[str, str]) -> str:
    """A column by the name of its input; decimals and text by way of their digits."""
    cell = _quoted(column)
    if name == "definition":
        return f"{cell}::varchar as {name}"
    if kinds[column] == "VARCHAR":  # a cell that is no number is NaN, and one without text missing
        return (
            f"case when trim({cell}) = '' then null when regexp_full_match({cell}, '{NUMBER}') "
            f"then trim({cell})::double else if({cell} is null, null, 'nan'::double) end as {name}"
        )
    many = "[]" if kinds[column].endswith("[]") else ""
    digits = f"::varchar{many}" if kinds[column][:7] == "DECIMAL" else ""
    return f"{cell}{digits}::double{many} as {name}"
