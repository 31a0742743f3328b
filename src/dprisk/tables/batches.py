"""Arrow batches in, the same with bounds out: each value is that of the scalar functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from os import cpu_count
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from dprisk._checks import complement
from dprisk._lazy import named
from dprisk._numeric.envelope import widened
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import ordinary_bounds
from dprisk.errors import DpriskError
from dprisk.guarantees import Guarantee
from dprisk.risk.adversary import DEFAULT_CONFIDENCE, LOWER_CONFIDENCES, confidence_for
from dprisk.risk.rows import KEPT
from dprisk.tables.inputs import (
    BATCH,
    FROM_LOSSES,
    NO_BOUND,
    REASONS,
    Alike,
    Codes,
    Moved,
    Rows,
    unchecked,
)
from dprisk.tables.question import (
    DEFINITIONS,
    JOINT,
    OUTPUTS,
    REASON,
    TESTS,
    TableQuestion,
    check_columns,
    joint_at_most,
)

if TYPE_CHECKING:
    import pyarrow as pa

ORDINARY: Final = ("posterior_at_least", "posterior_at_most", "ratio_at_most", "difference_at_most")
"""Columns that `ordinary_bounds` writes, in its order."""
CERTAIN_PRIORS: Final = {
    "posterior_at_most": (0.0, 1.0),
    "posterior_at_least": (0.0, 1.0),
    "ratio_at_most": (1.0,),
    "ratio_at_least": (1.0,),
}
"""Priors that no promise has to bound: what is certain stays so."""

Given = TypeVar("Given")
Made = TypeVar("Made")


def kernel(asked: TableQuestion) -> Callable[..., Iterator[pa.RecordBatch]]:
    """The function over batches that any engine can run.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.

    Returns
    -------
    callable
        From an iterator of record batches to one with more columns: the outputs, with their
        direction in the metadata of the field, and `REASON`, which says why a row lacks numbers:
        ``missing``, ``not-a-number``, ``out-of-range`` and ``unknown-word`` take all of them,
        ``no-bound`` those that are read off the privacy loss, except for what is certain at a prior
        of 0 or 1. It keeps no state and can be pickled. Batches may come back smaller; rows keep
        their order. A second argument says on how many cores to work, instead of all.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from dprisk.tables import TableQuestion, kernel
    >>> rows = pa.RecordBatch.from_pydict({"eps": [0.0, -1.0], "prior": [0.1, 0.5]})
    >>> asked = TableQuestion(
    ...     outputs=["posterior_at_most"],
    ...     columns={"epsilon": "eps", "prior": "prior"},
    ...     constants={"definition": "pure", "neighbors": "add-remove"},
    ... )
    >>> (found,) = kernel(asked)(iter([rows]))
    >>> found["posterior_at_most"].to_pylist()
    [0.1, None]
    >>> found["dprisk_reason"].to_pylist()
    [None, 'out-of-range']
    """
    return partial(_answer_batches, asked)


def _answer_batches(
    asked: TableQuestion, batches: Iterable[pa.RecordBatch], cores: int | None = None
) -> Iterator[pa.RecordBatch]:
    return in_order(lambda piece: piece(), _pieces(asked, batches), cores or workers())


def _pieces(
    asked: TableQuestion, batches: Iterable[pa.RecordBatch]
) -> Iterator[Callable[[], pa.RecordBatch]]:
    for batch in batches:
        schema = answered_schema(asked, batch.schema)
        for start in range(0, max(batch.num_rows, 1), BATCH):
            yield partial(answer_batch, asked, schema, batch.slice(start, BATCH))


def workers() -> int:
    """How many pieces are worked on at a time."""
    return min(cpu_count() or 1, 8)  # memory, not arithmetic, is the limit beyond a few


def in_order(work: Callable[[Given], Made], items: Iterable[Given], cores: int) -> Iterator[Made]:
    """Yield what becomes of each item, in order; several at a time in threads."""
    if cores == 1:
        yield from map(work, items)
        return
    begun: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(cores) as pool:
        try:
            for item in items:
                begun.append(pool.submit(work, item))
                if len(begun) > cores:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def answered_schema(asked: TableQuestion, schema: pa.Schema) -> pa.Schema:
    """The columns of a table once it is answered; a table that cannot be is refused."""
    import pyarrow as pa

    check_columns(asked, schema)
    fields = [
        pa.field(name, pa.float64(), metadata={"direction": OUTPUTS[name].direction})
        for name in asked.outputs
    ]
    reason = pa.field(REASON, pa.dictionary(pa.int8(), pa.string()))
    return pa.schema([*schema, *fields, reason], schema.metadata)


def answer_batch(asked: TableQuestion, schema: pa.Schema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch with the columns that were asked for, in the thread that asks."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([*batch.columns, *new_columns(asked, batch)], schema=schema)


def new_columns(asked: TableQuestion, batch: pa.RecordBatch) -> list[pa.Array]:
    """The columns that were asked for, and the reasons."""
    import pyarrow as pa

    np.empty(KEPT)
    found = {name: np.empty(batch.num_rows) for name in asked.outputs}
    done = _answer_ordinary(asked, batch, found)
    codes = np.full(batch.num_rows, -1, np.int8)
    if done < batch.num_rows:
        rest = {name: values[done:] for name, values in found.items()}
        codes[done:] = _answer_any(asked, batch.slice(done), rest)
    without = codes >= 0
    if not without.any():
        reasons = pa.nulls(batch.num_rows, pa.int8())
        columns = list(map(pa.array, found.values()))
    else:
        reasons = pa.array(codes, mask=~without)
        wrong = without & (codes != NO_BOUND)
        columns = [
            pa.array(values, mask=wrong | np.isnan(values) if name in asked.from_losses else wrong)
            for name, values in found.items()
        ]
    return [*columns, pa.DictionaryArray.from_arrays(reasons, list(REASONS))]


def _answer_ordinary(
    asked: TableQuestion, batch: pa.RecordBatch, found: Mapping[str, Floats]
) -> int:
    """Write the outputs of rows, from the first on, while none is special; return how many."""
    if not {*asked.outputs} <= {*ORDINARY} or "confidence" in asked.columns:
        return 0
    rows, done = unchecked(asked, batch), 0
    for part in () if rows is None else rows.slices():
        if not _write_ordinary(asked, part, found):
            break
        done += part.size
    return done


def _answer_any(asked: TableQuestion, batch: pa.RecordBatch, found: Mapping[str, Floats]) -> Codes:
    """Write the outputs of rows that may lack them; return which do, and why."""
    rows = Rows.of(asked, batch)
    if (rows.codes >= 0).any():
        for values in found.values():
            values.fill(np.nan)
    for alike in rows.alike():
        _write(asked, alike, found, rows.codes)
    return rows.codes


def _write(asked: TableQuestion, rows: Alike, found: Mapping[str, Floats], codes: Codes) -> None:
    """Write the outputs of rows of one definition, and which of them have no bound."""
    if asked.from_losses and not _write_ordinary(asked, rows, found):
        loss = np.broadcast_to(_losses(rows), (rows.size,))
        prior = rows.numbers.get("prior", np.zeros(()))
        moved, bounded = Moved(prior, loss), np.isfinite(loss)
        for name in asked.from_losses:
            values = _once_each(JOINT, rows) if name == JOINT else FROM_LOSSES[name](moved)
            if name != JOINT and not bounded.all():
                known = bounded | np.isin(prior, CERTAIN_PRIORS.get(name, ()))
                values = np.where(known, values, np.nan)
            codes[rows.places] = np.where(np.isnan(values), NO_BOUND, codes[rows.places])
            found[name][rows.places] = values
    for name in set(asked.outputs) & TESTS.keys():
        found[name][rows.places] = _once_each(name, rows)


def _write_ordinary(asked: TableQuestion, rows: Alike, found: Mapping[str, Floats]) -> bool:
    """Write what is read off losses in few passes, if no row is special."""
    sure = rows.numbers.get("confidence")
    if (
        rows.definition != "approximate"
        or not {*asked.from_losses} <= {*ORDINARY}
        or (sure is not None and sure.min() < 0.5)
    ):
        return False
    epsilon, delta = rows.parameters
    out = [found[name][rows.places] if name in found else np.empty(rows.size) for name in ORDINARY]
    prior = rows.numbers.get("prior", np.array(0.5))
    failure = _failures(rows, delta)
    if not (failure.max() <= 1.0 and ordinary_bounds(prior, epsilon, delta, failure, out)):
        return False
    if not isinstance(rows.places, slice):
        for name, values in zip(ORDINARY, out, strict=True):
            if name in found:
                found[name][rows.places] = values
    return True


def _losses(rows: Alike) -> Floats:
    """The largest shift of the log-odds, at the confidence of each row."""
    if rows.definition in ("pure", "approximate"):
        epsilon, delta = [*rows.parameters, np.zeros(())][:2]
        failure = _failures(rows, delta)
        found = widened(epsilon, delta, failure, np.exp(-epsilon))
        sure = rows.numbers.get("confidence")
        if sure is None or sure.min() >= 0.5:
            return found
        return np.where((sure < 0.5) & (sure <= delta) & (delta > 0.0), np.inf, found)
    return _once_each("loss", rows)


def _failures(rows: Alike, delta: Floats) -> Floats:
    """One minus the confidence of each row; what goes with a delta where none is asked for."""
    if "failure" in rows.numbers:
        return rows.numbers["failure"]
    if "confidence" not in rows.numbers:
        found = np.full(delta.shape, float(complement(DEFAULT_CONFIDENCE)))
        for each in reversed((DEFAULT_CONFIDENCE, *LOWER_CONFIDENCES)):
            found = np.where(delta < (rest := float(complement(each))), rest, found)
        return np.where(delta == 0.0, 0.0, found)
    sure = rows.numbers["confidence"]
    if sure.ndim == 0 or sure.min() == sure.max():
        return np.asarray(complement(sure.min()))
    distinct, places = np.unique(sure, return_inverse=True)
    return complement(distinct)[places]


def _once_each(what: str, rows: Alike) -> Floats:
    """Answers for all rows, each distinct one asked once, at its confidence where it has one."""
    needs = OUTPUTS[what].needs if what in OUTPUTS else ()
    columns = [*rows.parameters, *(rows.numbers[name] for name in needs)]
    if what not in TESTS and {"confidence", "failure"} & rows.numbers.keys():
        columns.append(_failures(rows, np.zeros(())))
    if all(column.ndim == 0 for column in columns):
        given = map(float, columns)
        return np.full(rows.size, _ask(what, rows.definition, rows.neighbors, *given))
    table = np.stack([np.broadcast_to(column, (rows.size,)) for column in columns])
    distinct, places = np.unique(table, axis=1, return_inverse=True)
    answers = [_ask(what, rows.definition, rows.neighbors, *map(float, row)) for row in distinct.T]
    return np.asarray(answers)[np.ravel(places)]


@lru_cache(maxsize=1 << 18)
def _ask(what: str, definition: str, neighbors: str, *values: float) -> float:
    number = len(DEFINITIONS[definition].parameters)
    promise = _promise(definition, neighbors, values[:number])
    ask: Any = {"loss": _loss_bound, JOINT: joint_at_most, **TESTS}[what]
    return float(ask(promise, *values[number:]))


@lru_cache(maxsize=1 << 16)
def _promise(definition: str, neighbors: str, values: tuple[float, ...]) -> Guarantee:
    return DEFINITIONS[definition].made(values, neighbors)


def _loss_bound(promise: Guarantee, failure: float | None = None) -> Any:
    """A bound on the loss; infinite where there is none."""
    if failure is None:
        sure = confidence_for(promise)
        failure = 0.0 if sure is None else float(complement(sure))
    try:
        return promise.loss_bound(failure)
    except DpriskError:
        return np.inf


def answer(asked: TableQuestion, table: Any) -> Any:
    """The rows of a table with what is asked as more columns, on the engine that holds it.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    table : a table of pyarrow, DuckDB, Polars, pandas or Spark, or an Arrow stream
        Of pyarrow also a batch, reader, dataset or scanner. Of pandas, NaN is taken for a missing
        number. Every worker of Spark needs dprisk.

    Returns
    -------
    pyarrow.RecordBatchReader, polars.LazyFrame, pandas.DataFrame or pyspark.sql.DataFrame
        The same rows in the same order, with more columns. A reader, also of a relation of DuckDB,
        answers batch by batch as it is read; register it to go on with SQL. A lazy frame of Polars
        is streamed by `collect` or `sink_parquet`; its reasons are an ``Enum``. On Spark, nothing
        is computed yet, and the reasons are strings.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output; before a row is read.

    Examples
    --------
    >>> import duckdb, polars, pyarrow
    >>> from dprisk.tables import TableQuestion, answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, pyarrow.table({"mu": [0.0]})).read_all()["advantage_at_most"].to_pylist()
    [0.0]
    >>> answer(asked, duckdb.sql("select 0.0 as mu")).read_all()["advantage_at_most"].to_pylist()
    [0.0]
    >>> answer(asked, polars.LazyFrame({"mu": [0.0]})).collect()["advantage_at_most"].to_list()
    [0.0]
    """
    return ANSWERS.get(library_of(table), _answer_arrow)(asked, table)


def library_of(table: Any) -> str:
    """The library that a table is from, if it is one of those that are not asked through Arrow."""
    libraries = (kind.__module__.partition(".")[0].lstrip("_") for kind in type(table).__mro__)
    return next((name for name in libraries if name in ANSWERS), "pyarrow")


def _answer_arrow(asked: TableQuestion, data: Any) -> pa.RecordBatchReader:
    import pyarrow as pa

    if hasattr(data, "scanner"):
        data = data.scanner()
    reader = (
        data.to_reader() if hasattr(data, "to_reader") else pa.RecordBatchReader.from_stream(data)
    )
    schema = answered_schema(asked, reader.schema)
    return pa.RecordBatchReader.from_batches(schema, kernel(asked)(iter(reader)))


def _answer_pandas(asked: TableQuestion, frame: Any) -> Any:
    import pyarrow as pa

    held = [name for name in dict.fromkeys(asked.columns.values()) if name in frame.columns]
    rows = pa.Table.from_pandas(frame[held], preserve_index=False)
    found = _answer_arrow(asked, rows).read_all().to_pandas()
    found.index = frame.index
    return frame.assign(**{name: found[name] for name in (*asked.outputs, REASON)})


def _answer_polars(asked: TableQuestion, frame: Any) -> Any:
    import polars as pl

    lazy = frame.lazy()
    before = lazy.collect_schema()
    check_columns(asked, pl.DataFrame(schema=before).to_arrow().schema)
    more = {**dict.fromkeys(asked.outputs, pl.Float64()), REASON: pl.Enum(REASONS)}
    schema = pl.Schema({**before, **more})
    return lazy.map_batches(partial(_answer_morsel, asked), schema=schema, streamable=True)


def _answer_morsel(asked: TableQuestion, frame: Any) -> Any:
    """A morsel, in the thread of Polars that works on it."""
    import polars as pl
    import pyarrow as pa

    used = list(dict.fromkeys(asked.columns.values())) or frame.columns
    columns = {name: frame.get_column(name).to_arrow() for name in used}
    *values, reasons = new_columns(asked, pa.RecordBatch.from_pydict(columns))
    found = [pl.Series(*pair) for pair in zip(asked.outputs, values, strict=True)]
    if reasons.null_count == len(reasons):
        no_reasons = _nulls(1 << (len(reasons) - 1).bit_length()).head(len(reasons))
        return frame.hstack([*found, no_reasons])
    return frame.hstack([*found, pl.Series(REASON, reasons).cast(pl.Enum(REASONS))])


@lru_cache(maxsize=8)
def _nulls(rows: int) -> Any:
    """Missing reasons, made once for all morsels."""
    import polars as pl

    return pl.repeat(None, rows, dtype=pl.Enum(REASONS), eager=True).alias(REASON)


def _answer_spark(asked: TableQuestion, frame: Any) -> Any:
    return named("dprisk.tables", "spark:answer_frame")(asked, frame)


ANSWERS: Final[Mapping[str, Callable[[TableQuestion, Any], Any]]] = {
    "duckdb": lambda asked, relation: _answer_arrow(asked, relation.to_arrow_reader(BATCH)),
    "pandas": _answer_pandas,
    "polars": _answer_polars,
    "pyspark": _answer_spark,
}
