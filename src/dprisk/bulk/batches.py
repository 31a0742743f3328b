"""Arrow batches in, the same with bounds out: each value is that of the scalar functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from os import cpu_count
from typing import TYPE_CHECKING, Final, TypeVar, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.bulk.alike import answer, at_once
from dprisk.bulk.asked import OUTPUTS, REASON, TableQuestion
from dprisk.bulk.inputs import NO_BOUND, REASONS, Codes, Rows
from dprisk.risk.rows import KEPT

if TYPE_CHECKING:
    import pyarrow as pa


PIECE: Final = 1 << 17  # rows that one thread takes at a time
Given = TypeVar("Given")
Made = TypeVar("Made")

WORKERS: Final = 8  # memory, not arithmetic, is the limit beyond a few


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
        of 0 or 1. It keeps no state, and can be
        pickled. Batches may come back smaller; rows keep their order. A second argument says on
        how many cores to work, instead of all.

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

    def __call__(
        self, batches: Iterator[pa.RecordBatch], cores: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        return in_order(lambda piece: piece(), self._pieces(batches), cores or workers())

    def _pieces(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Callable[[], pa.RecordBatch]]:
        for batch in batches:
            schema = answered_schema(self.asked, batch.schema)
            for start in range(0, max(batch.num_rows, 1), PIECE):
                yield partial(answered, self.asked, schema, batch.slice(start, PIECE))


def workers() -> int:
    """How many pieces are worked on at a time."""
    return min(cpu_count() or 1, WORKERS)


def in_order(work: Callable[[Given], Made], items: Iterable[Given], cores: int) -> Iterator[Made]:
    """What becomes of each item, in order, some of them at a time in threads."""
    if cores == 1:
        yield from map(work, items)
        return
    begun: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(cores) as pool:
        for item in items:
            begun.append(pool.submit(work, item))
            if len(begun) > cores:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


def answered_schema(asked: TableQuestion, schema: pa.Schema) -> pa.Schema:
    """The columns of a table once it is answered."""
    import pyarrow as pa

    asked.check(schema)
    fields = [
        pa.field(name, pa.float64(), metadata={"direction": OUTPUTS[name].direction})
        for name in asked.outputs
    ]
    reason = pa.field(REASON, pa.dictionary(pa.int8(), pa.string()))
    return pa.schema([*schema, *fields, reason], schema.metadata)


def answered(asked: TableQuestion, schema: pa.Schema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch with the columns that were asked for, in the thread that asks."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([*batch.columns, *answers(asked, batch)], schema=schema)


def answers(asked: TableQuestion, batch: pa.RecordBatch) -> list[pa.Array]:
    """The columns that were asked for, computed in the thread that asks."""
    import pyarrow as pa

    np.empty(KEPT)
    found = {name: np.empty(batch.num_rows) for name in asked.outputs}
    done = at_once(asked, batch, found)
    codes = np.full(batch.num_rows, -1, np.int8)
    if done < batch.num_rows:
        rest = {name: values[done:] for name, values in found.items()}
        codes[done:] = _with_reasons(asked, batch.slice(done), rest)
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


def _with_reasons(
    asked: TableQuestion, batch: pa.RecordBatch, found: Mapping[str, Floats]
) -> Codes:
    """Write the outputs of rows that may lack them, and say which do."""
    rows = Rows.of(asked, batch)
    if (rows.codes >= 0).any():
        for values in found.values():
            values.fill(np.nan)
    for alike in rows.alike():
        answer(asked, alike, found, rows.codes)
    return rows.codes
