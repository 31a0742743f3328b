"""Sums of each person's charges: every distinct history is composed once."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from glob import escape
from itertools import count, islice
from math import isnan
from pathlib import Path
from queue import SimpleQueue
from subprocess import DEVNULL, PIPE, Popen
from tempfile import gettempdir
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import numpy as np

from dprisk._files import check_places
from dprisk._lazy import named
from dprisk.errors import DpriskError, InvalidFile, InvalidInput
from dprisk.progress import report
from dprisk.tables.batches import in_order, library_of, workers
from dprisk.tables.files import (
    AS_INSTALLED,
    EMPTY,
    SHOWN,
    differing,
    is_parquet,
    is_remote,
    partitions,
    shortened,
    write_tables,
)
from dprisk.tables.inputs import FROM_LOSSES, NO_BOUND, NUMBER, REASONS, Moved
from dprisk.tables.question import (
    DEFINITIONS,
    DOMAINS,
    JOINT,
    OUTPUTS,
    REASON,
    TESTS,
    TableQuestion,
    check_columns,
    check_limits,
    joint_for_all,
)
from dprisk.tables.summary import TableSummary, summarize

if TYPE_CHECKING:
    import pyarrow as pa

    from dprisk.guarantees.base import Guarantee


SECRETS: Final[Mapping[str, Any]] = {"add-remove": "membership", "replace-one": "attribute"}
NUMBERS: Final = tuple(dict.fromkeys(n for kind in DEFINITIONS.values() for n in kind.parameters))
COLUMNS: Final = ("definition", *NUMBERS)
"""Columns that tell one charge from another, in the order by which a history is sorted."""
ONE_FOR_ALL: Final = ("neighbors", *(name for name in DOMAINS if name not in NUMBERS))
SPILLS: Final[Any] = {"temp_directory": gettempdir(), "preserve_insertion_order": False}
ALONE: Final = 5.0  # seconds: what may take longer is shared
CHUNK: Final = 32  # histories that are sent to another process together
CODE: Final = "from dprisk.tables.people import help_others; help_others()"

Row = dict[str, Any]
Helper: TypeAlias = "Popen[bytes]"
Given = TypeVar("Given")
Made = TypeVar("Made")
_NUMBERS = count()


def add_up(asked: TableQuestion, charges: Any, person: str, *, connection: Any = None) -> Any:
    """Risk of each person after everything that the person was charged.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of each person. The definition and its parameters may be columns (for a curve
        of Rényi divergences, columns of lists); everything else is one for all.
    charges : a relation of DuckDB, an Arrow table, reader or dataset, or a frame of Spark
        One row for each time that a person's data were used, in any order.
    person : str
        The column that says whose.
    connection : duckdb.DuckDBPyConnection, optional
        Where the relation is from, and whose limits on memory hold; it spills to the disk.

    Returns
    -------
    pyarrow.RecordBatchReader, or pyspark.sql.DataFrame
        One row for each person, in no order: the column of the person, ``charges`` (how many),
        what was asked, and `REASON`. A person with one charge that cannot be read has no numbers.

    Raises
    ------
    InvalidInput
        If a column is missing, or one is given for what has to be one for all.

    Notes
    -----
    With DuckDB, each different charge is given a random number of 128 bits; people whose numbers
    have the same sum have the same charges, in any order, but for a chance below 2^-80 among 10^7
    people. Such a history is composed once. With Spark, the distinct histories come to the driver,
    and the people stay persisted until ``frame.sparkSession.catalog.clearCache()``.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from dprisk.tables import TableQuestion, add_up
    >>> charges = pa.table({"who": ["a", "b", "a"], "rho": [0.5, 0.5, 0.5]})
    >>> constants = {"definition": "concentrated", "neighbors": "add-remove", "at_delta": 1e-6}
    >>> asked = TableQuestion(["epsilon_at_most"], {"rho": "rho"}, constants)
    >>> for row in sorted(add_up(asked, charges, "who").read_all().to_pylist(), key=str):
    ...     print(row["who"], row["charges"], round(row["epsilon_at_most"], 3))
    a 2 7.766
    b 1 5.222
    """
    names = [name for name in COLUMNS if name in asked.columns]
    if library_of(charges) == "pyspark":
        from pyspark.sql.pandas.types import to_arrow_schema

        check_charges(asked, to_arrow_schema(charges.schema), person)
        return named("dprisk.tables", "spark:add_up_frame")(asked, charges, person, names)
    import duckdb

    db = duckdb.connect(config=SPILLS) if connection is None else connection
    rows = charges if isinstance(charges, duckdb.DuckDBPyRelation) else db.from_arrow(charges)
    check_charges(asked, rows.limit(0).to_arrow_table().schema, person)
    here = dict(zip(rows.columns, map(str, rows.types), strict=True))
    given = [_as_given(name, asked.columns[name], here) for name in names] or ["0 as same"]
    own = f"dprisk_{next(_NUMBERS)}"
    rows.create_view(f"{own}_rows")
    kept = "table" if hasattr(charges, "read_next_batch") else "view"  # a reader is read once
    db.execute(
        f"create temp {kept} {own}_charges as "
        f"select {_quoted(person)} as person, {', '.join(given)} from {own}_rows"
    )
    histories = _group(db, own, names or ["same"])
    found = answer_histories(asked, histories).set_column(0, "number", histories["number"])
    db.register(f"{own}_answers", found)
    columns = ", ".join([*asked.outputs, REASON])
    return db.sql(
        f"select people.person as {_quoted(person)}, charges, {columns} "
        f"from {own}_people as people join {own}_histories using (first, second) "
        f"join {own}_answers using (number)"
    ).to_arrow_reader()


def check_charges(asked: TableQuestion, charges: pa.Schema, person: str) -> None:
    """Refuse a table of charges that lacks a column, or has one for what is one for all."""
    several = {name: asked.columns[name] for name in asked.columns if name in ONE_FOR_ALL}
    if "failure" in asked.constants:
        several["failure"] = asked.constants["failure"]
    for name, given in several.items():
        allowed = "one value for all rows, so that people can be compared"
        fix = "Give a constant. Instead of a failure, give a confidence."
        raise InvalidInput(name, given, allowed, fix)
    check_columns(asked, charges, curves=True)
    if person not in charges.names:
        allowed = f"a column of the table, which has {', '.join(charges.names)}"
        raise InvalidInput("person", person, allowed, "Name the column to use.")
    if person == "charges":
        allowed = "a column of another name: the result has one of this name as well"
        raise InvalidInput("person", person, allowed, "Rename it.")


def _group(db: Any, own: str, names: Sequence[str]) -> pa.Table:
    """Tables of the people and of their histories are made; what is in each history, by number."""
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
    db.execute(  # each history with one of those who have it
        f"create temp table {own}_histories as "
        "select row_number() over () as number, first, second, min(person) as person "
        f"from {own}_people group by first, second"
    )
    parts = ", ".join(f"{name} := {name}" for name in [*names, "times"])
    return db.sql(
        f"with counted as (select number, {columns}, count(*) as times "
        f"from {own}_charges as charge join {own}_histories as one "
        "on charge.person is not distinct from one.person group by all) "
        f"select number, list(struct_pack({parts})) as history from counted group by number"
    ).to_arrow_table()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _as_given(name: str, column: str, kinds: Mapping[str, str]) -> str:
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


# --- files ---------------------------------------------------------------------------------------


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
    """Apply `add_up` to files: one row for each person, by rising name, as one file."""
    import duckdb

    check_limits(asked, limits)
    paths = list(dict.fromkeys(part.path for part in partitions(sources)))
    check_places([out], force=force, inputs=paths)
    config: Any = {**SPILLS, **AS_INSTALLED, "memory_limit": memory}
    try:
        with duckdb.connect(config=config) as db:
            charges = _charges(db, paths)
            made = add_up(asked, charges, person, connection=db).read_all().sort_by(person)
    except duckdb.Error as error:
        raise InvalidFile(paths[0], f"It cannot be read: {shortened(error)}") from None
    if made[person].null_count:  # any of the others may be meant
        alone = made["charges"].to_pylist()[made[person].to_pylist().index(None)]
        raise InvalidInput(
            "person",
            person,
            "a column that says in every row whose data it is about",
            f"Rows that do not say so: {alone:,}. They may belong to anyone in the table, so "
            "nobody's sum would be certain. Complete or remove them.",
        )
    if not made.num_rows:
        raise InvalidFile(paths[0], EMPTY)
    if strict:
        _check_all_read(made, person, paths[0])
    return summarize(asked, write_tables([made], out, out.parent), limits, people=True)


def _check_all_read(made: pa.Table, person: str, path: str) -> None:
    rows = zip(made[person].to_pylist(), made[REASON].to_pylist(), strict=True)
    wrong = (f"{who} ({why})" for who, why in rows if why not in (None, REASONS[NO_BOUND]))
    if shown := list(islice(wrong, SHOWN)):
        problem = f"Rows of some people cannot be read: {'; '.join(shown)}."
        raise InvalidFile(path, problem, "Correct them, or leave out --strict.")


def _charges(db: Any, paths: Sequence[str]) -> Any:
    """The rows of all files, which have the same columns of the same kinds."""
    first: tuple[bool, list[str], list[str]] | None = None
    for path in paths:
        one = _read(db, [path], is_parquet(path))
        found = is_parquet(path), one.columns, list(map(str, one.types))
        if first is not None and found != first:
            raise differing(path)
        first = found
    return _read(db, paths, is_parquet(paths[0]))


def _read(db: Any, paths: Sequence[str], columnar: bool) -> Any:
    given = {"paths": [path if is_remote(path) else escape(path) for path in paths]}
    read = "read_parquet" if columnar else "read_csv"
    return db.sql(f"from {read}($paths, hive_partitioning := true)", params=given)


# --- histories -----------------------------------------------------------------------------------


def answer_histories(asked: TableQuestion, histories: pa.Table) -> pa.Table:
    """Answer for each history: a list of charges, and how many ``times`` there was each."""
    import pyarrow as pa

    wholes: dict[Guarantee | str, int] = {}
    places = [
        wholes.setdefault(_compose(asked, sorted(history, key=_in_order)), len(wholes))
        for batch in histories.to_batches()
        for history in batch["history"].to_pylist()
    ]
    fields = [pa.field(name, pa.float64()) for name in asked.outputs]
    schema = pa.schema([*fields, pa.field(REASON, pa.string())])
    found = pa.Table.from_pylist(list(_answer_all(asked, [*wholes])), schema)
    found = found.take(pa.array(places, pa.int64()))
    return found.add_column(0, "history", histories["history"])


def _answer_all(asked: TableQuestion, wholes: Sequence[Guarantee | str]) -> Iterator[Row]:
    """Answer for each composed history, in order; on all cores once it takes long."""
    began, total, done = monotonic(), len(wholes), 0
    for done, row in enumerate(map(partial(_answer_one, asked), wholes), 1):
        report("histories", done, total)
        yield row
        spent = monotonic() - began
        if spent > ALONE and spent * (total - done) > ALONE * done:
            break
    for more, row in enumerate(share(partial(_answer_one, asked), wholes[done:]), done + 1):
        report("histories", more, total)
        yield row


def _in_order(charge: Mapping[str, Any]) -> list[tuple[bool, bool, Any]]:
    """Numbers, then what is none, then what is missing: sums begin alike, whoever grouped."""
    return [_key(charge.get(name)) for name in (*COLUMNS, "times")]


def _key(value: Any) -> tuple[bool, bool, Any]:
    if isinstance(value, list):
        return False, False, [_key(each) for each in value]
    return value is None, isinstance(value, float) and isnan(value), value


def _compose(asked: TableQuestion, history: Sequence[Mapping[str, Any]]) -> Guarantee | str:
    """Promise of all charges of a history together, or the reason why there is none."""
    from dprisk.composition import compose

    charges = [{**asked.constants, **charge} for charge in history]
    reasons = set(map(_wrong, charges)) - {None}
    if reasons:
        return next(reason for reason in REASONS if reason in reasons)
    kinds = [DEFINITIONS[charge["definition"]] for charge in charges]
    promises = [
        kind.made(tuple(charge[name] for name in kind.parameters), charge["neighbors"])
        for kind, charge in zip(kinds, charges, strict=True)
    ]
    return compose(promises, [charge["times"] for charge in charges]).guarantee


def _wrong(charge: Mapping[str, Any]) -> str | None:
    """Why a charge cannot be read, if it cannot."""
    kind = DEFINITIONS.get(charge["definition"])
    if kind is None:
        return "missing" if charge["definition"] is None else "unknown-word"
    given = [charge.get(name) for name in kind.parameters]
    values = [value if isinstance(value, list) else [value] for value in given]
    if any(None in each or len(each) != len(values[0]) or not each for each in values):
        return "missing"
    for name, each in zip(kind.parameters, values, strict=True):
        if not np.all(DOMAINS[name].holds(np.array(each))):
            return "not-a-number" if any(map(isnan, each)) else "out-of-range"
    return None


def _answer_one(asked: TableQuestion, whole: Guarantee | str) -> Row:
    """Answer for one composed history; nothing but the reason where there is one."""
    if isinstance(whole, str):
        return {REASON: whole}
    found: Row = {}
    for name in set(asked.outputs) & TESTS.keys():
        given = [asked.constants[each] for each in OUTPUTS[name].needs]
        found[name] = float(TESTS[name](whole, *given))
    if not asked.from_losses:
        return found
    try:
        return found | _beliefs(asked, whole)
    except DpriskError:
        return found | {REASON: REASONS[NO_BOUND]}


def _beliefs(asked: TableQuestion, whole: Guarantee) -> Row:
    """Bounds on beliefs and ratios that are read off the privacy loss, as those of a row are."""
    from dprisk.risk.posterior import disclosure

    given = asked.constants
    moved = disclosure(
        whole, confidence=given.get("confidence"), secret=SECRETS[given["neighbors"]]
    )
    numbers = Moved(np.array([given.get("prior", 0.5)]), np.array([float(moved.loss)]))
    return {
        name: joint_for_all(asked, whole) if name == JOINT else float(FROM_LOSSES[name](numbers)[0])
        for name in asked.from_losses
    }


# --- work that is shared among processes ----------------------------------------------------------


def share(make: Callable[[Given], Made], items: Sequence[Given]) -> Iterator[Made]:
    """Yield what becomes of each item, in order, in a process per core; here if one has ended."""
    chunks = [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
    idle: SimpleQueue[Helper] = SimpleQueue()
    with ExitStack() as stack:
        for _ in chunks[: workers()]:
            idle.put(stack.enter_context(_helper()))
        for made in in_order(partial(_make_there, make, idle), chunks, workers()):
            yield from made


@contextmanager
def _helper() -> Iterator[Helper]:
    """A process that works while the block lasts, and knows nothing of our main module."""
    path = os.pathsep.join(filter(None, sys.path))
    known = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-c", CODE]
    process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=known)
    try:
        yield process
    finally:
        process.kill()
        with suppress(OSError), process:  # closes pipes with what was not sent
            pass


def _make_there(
    make: Callable[[Given], Made], idle: SimpleQueue[Helper], items: Sequence[Given]
) -> list[Made]:
    helper = idle.get()
    try:
        if helper.stdin is None or helper.stdout is None:
            raise EOFError
        pickle.dump((make, items), helper.stdin)
        helper.stdin.flush()
        found: list[Made] = pickle.load(helper.stdout)
    except (OSError, EOFError, pickle.UnpicklingError):
        return [make(item) for item in items]
    finally:
        idle.put(helper)
    return found


def help_others() -> None:
    """Make what is asked for, until nobody asks any more."""
    out: IO[bytes] = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no result
    while True:
        try:
            make, items = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump([make(item) for item in items], out)
        out.flush()
