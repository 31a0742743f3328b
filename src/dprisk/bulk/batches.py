"""Arrow batches in, the same with bounds out: each value is that of the scalar functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from os import cpu_count
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from dprisk._checks import complement
from dprisk._numeric.envelope import widened
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import (
    furthest,
    largest_ratios,
    least_ratios,
    odds,
    posteriors,
    stay,
    steepest,
)
from dprisk.bulk.asked import DEFINITIONS, OUTPUTS, REASON, TableQuestion
from dprisk.bulk.inputs import NO_BOUND, REASONS, Codes, Rows
from dprisk.errors import DpriskError
from dprisk.risk.certainty import DEFAULT_CONFIDENCE, LESS, confidence_for
from dprisk.risk.rows import KEPT

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["answered_schema", "kernel"]

SLICE: Final = 1 << 14  # rows whose columns stay in the cache
PIECE: Final = 1 << 17  # rows that one thread takes at a time
WORKERS: Final = 8  # memory, not arithmetic, is the limit beyond a few


def kernel(asked: TableQuestion) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
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
        ``no-bound`` those that are read off the privacy loss. It keeps no state, and can be
        pickled. Batches may come back smaller; rows keep their order.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from dprisk.bulk import TableQuestion, kernel
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
    return _Kernel(asked)


@final
@dataclass(frozen=True)
class _Kernel:
    asked: TableQuestion

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from concurrent.futures import Future, ThreadPoolExecutor

        workers = min(cpu_count() or 1, WORKERS)
        begun: deque[Future[pa.RecordBatch]] = deque()
        np.empty(KEPT)
        with ThreadPoolExecutor(workers) as pool:
            for batch in batches:
                answer = partial(_answered, self.asked, answered_schema(self.asked, batch.schema))
                for piece in _pieces(batch, PIECE):
                    begun.append(pool.submit(answer, piece))
                    if len(begun) > workers:
                        yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()


def _pieces(batch: pa.RecordBatch, size: int) -> list[pa.RecordBatch]:
    return [batch.slice(start, size) for start in range(0, max(batch.num_rows, 1), size)]


def answered_schema(asked: TableQuestion, schema: pa.Schema) -> pa.Schema:
    """The columns of a table once it is answered.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    schema : pyarrow.Schema
        The columns before.

    Returns
    -------
    pyarrow.Schema
        The same, the outputs, each with its direction in the metadata, and `REASON`.

    Raises
    ------
    InvalidInput
        If the table lacks a column, or has one that is called like an output.
    """
    import pyarrow as pa

    asked.check(schema)
    fields = [
        pa.field(name, pa.float64(), metadata={"direction": OUTPUTS[name].direction})
        for name in asked.outputs
    ]
    reason = pa.field(REASON, pa.dictionary(pa.int8(), pa.string()))
    return pa.schema([*schema, *fields, reason], schema.metadata)


def _answered(asked: TableQuestion, schema: pa.Schema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """One piece, with the columns that were asked for."""
    import pyarrow as pa

    found = {name: np.empty(batch.num_rows) for name in asked.outputs}
    codes = np.full(batch.num_rows, -1, np.int8)
    for start in range(0, batch.num_rows, SLICE):
        here = slice(start, start + SLICE)
        _fill(
            asked,
            batch.slice(start, SLICE),
            {name: values[here] for name, values in found.items()},
            codes[here],
        )
    without = codes >= 0
    arrays = list(batch.columns)
    if without.any():
        wrong = without & (codes != NO_BOUND)
        for name, values in found.items():
            mask = without if name in asked.from_losses else wrong
            arrays.append(pa.array(values, mask=mask))
        places = pa.array(codes, mask=~without)
    else:
        arrays += map(pa.array, found.values())
        places = pa.nulls(batch.num_rows, pa.int8())
    arrays.append(pa.DictionaryArray.from_arrays(places, list(REASONS)))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _fill(
    asked: TableQuestion, batch: pa.RecordBatch, found: Mapping[str, Floats], codes: Codes
) -> None:
    """Write the outputs of one slice, and why rows lack them."""
    rows = Rows.of(asked, batch, codes)
    if rows.codes.max() >= 0:
        for values in found.values():
            values.fill(np.nan)
    for definition, neighbors, chosen in rows.kinds():
        _answer(asked, rows, definition, neighbors, chosen, found)


def _answer(
    asked: TableQuestion,
    rows: Rows,
    definition: str,
    neighbors: str,
    chosen: Any,
    found: Mapping[str, Floats],
) -> None:
    """Write the outputs of rows that have one definition and one relation of neighbors."""
    values = [rows.column(name, chosen) for name in DEFINITIONS[definition].parameters]
    size = rows.size if isinstance(chosen, slice) else chosen.size
    if asked.from_losses:
        loss = np.broadcast_to(_losses(rows, definition, neighbors, values, chosen), (size,))
        bounded = np.isfinite(loss)
        if not bounded.all():
            places = np.flatnonzero(~bounded) if isinstance(chosen, slice) else chosen[~bounded]
            rows.codes[places] = NO_BOUND
        prior = rows.column("prior", chosen) if "prior" in rows.numbers else np.zeros(())
        moved = _Moved(prior, loss)
        for name in asked.outputs:
            if name in READ:
                found[name][chosen] = READ[name](moved)
    for name, ask in QUESTIONS.items():
        if name in asked.outputs:
            needs = OUTPUTS[name].needs
            more = [] if needs is None else [rows.column(needs, chosen)]
            known = _each(ask, definition, neighbors, [*values, *more], size)
            found[name][chosen] = known


def _losses(
    rows: Rows, definition: str, neighbors: str, values: list[Floats], chosen: Any
) -> Floats:
    """The largest shift of the log-odds, at the confidence of each row."""
    asked = _failures(rows, chosen)
    if definition in ("pure", "approximate"):
        epsilon, delta = values[0], values[1] if len(values) > 1 else np.zeros(())
        failure = _unasked(delta) if asked is None else asked
        found = widened(epsilon, delta, failure, np.exp(-epsilon))
        endless = (failure <= delta) & (delta > 0.0)
        if "confidence" in rows.numbers:  # below 1/2 it is a failure, mistaken for one
            sure = rows.column("confidence", chosen)
            endless |= (sure < 0.5) & (sure <= delta)
        return np.where(endless, np.inf, found)
    size = rows.size if isinstance(chosen, slice) else chosen.size
    if asked is None:
        return _each(_loss_unasked, definition, neighbors, values, size)
    return _each(_loss, definition, neighbors, [*values, asked], size)


def _failures(rows: Rows, chosen: Any) -> Floats | None:
    """One minus the confidence of each row; None where none is asked for."""
    if "failure" in rows.numbers:
        return rows.column("failure", chosen)
    if "confidence" not in rows.numbers:
        return None
    sure = rows.column("confidence", chosen)
    if sure.ndim and sure.size and sure.min() == sure.max():
        sure = sure[0]
    if not np.ndim(sure):
        return np.asarray(complement(sure))
    distinct, places = np.unique(sure, return_inverse=True)
    return np.asarray(complement(distinct)[places])


def _unasked(delta: Floats) -> Floats:
    """The failure that goes with a delta where no confidence is asked for."""
    found = np.full(delta.shape, float(complement(DEFAULT_CONFIDENCE)))
    for sure in reversed((DEFAULT_CONFIDENCE, *LESS)):
        rest = float(complement(sure))
        found = np.where(delta < rest, rest, found)
    return np.where(delta == 0.0, 0.0, found)


def _each(
    ask: Callable[..., float], definition: str, neighbors: str, columns: list[Floats], size: int
) -> Floats:
    """What is asked of each distinct row, once."""
    if all(column.ndim == 0 for column in columns):
        given = tuple(float(column) for column in columns)
        return np.full(size, ask(definition, neighbors, *given))
    table = np.stack([np.broadcast_to(column, (size,)) for column in columns])
    distinct, places = np.unique(table, axis=1, return_inverse=True)
    answers = [ask(definition, neighbors, *map(float, row)) for row in distinct.T]
    return np.asarray(answers)[np.ravel(places)]


@lru_cache(maxsize=1 << 16)
def _promised(definition: str, neighbors: str, *values: float) -> Any:
    return DEFINITIONS[definition].made(values, neighbors)


@lru_cache(maxsize=1 << 18)
def _loss(definition: str, neighbors: str, *values: float) -> float:
    *parameters, failure = values
    promise = _promised(definition, neighbors, *parameters)
    return _or_nothing(lambda: promise.loss_bound(failure), np.inf)


@lru_cache(maxsize=1 << 18)
def _loss_unasked(definition: str, neighbors: str, *values: float) -> float:
    promise = _promised(definition, neighbors, *values)
    sure = confidence_for(promise)
    failure = 0.0 if sure is None else float(complement(sure))
    return _or_nothing(lambda: promise.loss_bound(failure), np.inf)


@lru_cache(maxsize=1 << 18)
def _power(definition: str, neighbors: str, *values: float) -> float:
    *parameters, level = values
    return float(_promised(definition, neighbors, *parameters).power(level).value)


@lru_cache(maxsize=1 << 16)
def _advantage(definition: str, neighbors: str, *values: float) -> float:
    return float(_promised(definition, neighbors, *values).advantage().value)


@lru_cache(maxsize=1 << 18)
def _epsilon(definition: str, neighbors: str, *values: float) -> float:
    *parameters, delta = values
    return float(_promised(definition, neighbors, *parameters).epsilon(delta).value)


def _or_nothing(ask: Callable[[], Any], otherwise: float) -> float:
    try:
        return float(ask())
    except DpriskError:
        return otherwise


@final
@dataclass(frozen=True, eq=False)
class _Moved:
    """What follows from losses and priors, with nothing computed twice."""

    prior: Floats
    loss: Floats

    @cached_property
    def stay(self) -> Any:
        return stay(self.loss)

    @cached_property
    def posteriors(self) -> tuple[Floats, Floats]:
        return posteriors(self.prior, self.stay)

    def ratio(self, find: Callable[..., Floats]) -> Floats:
        return find(self.prior, 1.0 - self.prior, self.stay)


READ: Final[Mapping[str, Callable[[_Moved], Floats]]] = {
    "posterior_at_most": lambda moved: moved.posteriors[1],
    "posterior_at_least": lambda moved: moved.posteriors[0],
    "odds_at_most": lambda moved: odds(moved.loss)[1],
    "ratio_at_most": lambda moved: moved.ratio(largest_ratios),
    "ratio_at_least": lambda moved: moved.ratio(least_ratios),
    "difference_at_most": lambda moved: steepest(moved.loss),
    "worst_prior": lambda moved: furthest(moved.loss)[1],
}
QUESTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "power_at_most": _power,
    "advantage_at_most": _advantage,
    "epsilon_at_most": _epsilon,
}
