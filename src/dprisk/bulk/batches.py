"""Arrow batches in, the same with bounds out: each value is that of the scalar functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
import numpy.typing as npt

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
from dprisk.bulk.asked import DEFINITIONS, DOMAINS, OUTPUTS, Asked
from dprisk.errors import DpriskError
from dprisk.guarantees.base import NEIGHBORS
from dprisk.risk.certainty import DEFAULT_CONFIDENCE, LESS, confidence_for

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["REASON", "REASONS", "kernel"]

Batches = "Iterator[pa.RecordBatch]"
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

SLICE: Final = 1 << 13  # rows whose columns stay in the cache
REASON: Final = "dprisk_reason"
REASONS: Final = ("missing", "not-finite", "out-of-range", "unknown-word", "no-bound")
"""Why a row has no numbers, in the order of their codes; null where it has."""


def kernel(asked: Asked) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function over batches that any engine can run.

    Parameters
    ----------
    asked : Asked
        What is asked of every row.

    Returns
    -------
    callable
        From an iterator of record batches to one with more columns: the outputs, with their
        direction in the metadata of the field, and `REASON`, which says why a row has none. It
        keeps no state, and can be pickled.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from dprisk.bulk import Asked, kernel
    >>> rows = pa.RecordBatch.from_pydict({"eps": [1.0, 1.0, -1.0], "prior": [0.1, 0.5, 0.5]})
    >>> asked = Asked(
    ...     outputs=["posterior_at_most"],
    ...     columns={"epsilon": "eps", "prior": "prior"},
    ...     constants={"definition": "pure", "neighbors": "add-remove"},
    ... )
    >>> (found,) = kernel(asked)(iter([rows]))
    >>> [None if each is None else round(each, 3) for each in found["posterior_at_most"].to_pylist()]
    [0.232, 0.731, None]
    >>> found["dprisk_reason"].to_pylist()
    [None, None, 'out-of-range']
    """
    return _Kernel(asked)


@final
@dataclass(frozen=True)
class _Kernel:
    asked: Asked

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start in range(0, max(batch.num_rows, 1), SLICE):
                yield answered(self.asked, batch.slice(start, SLICE))


def answered(asked: Asked, batch: pa.RecordBatch) -> pa.RecordBatch:
    """One slice, with the columns that were asked for."""
    import pyarrow as pa

    rows = _Rows.of(asked, batch)
    found = {name: np.full(rows.size, np.nan) for name in asked.outputs}
    for definition, neighbors, chosen in rows.kinds():
        _answer(asked, rows, definition, neighbors, chosen, found)
    wrong = rows.codes >= 0
    arrays, fields = list(batch.columns), list(batch.schema)
    for name, values in found.items():
        arrays.append(pa.array(values, mask=wrong if wrong.any() else None))
        told = {"direction": OUTPUTS[name].direction}
        fields.append(pa.field(name, pa.float64(), metadata=told))
    words = pa.array(rows.codes, mask=~wrong)
    arrays.append(pa.DictionaryArray.from_arrays(words, list(REASONS)))
    fields.append(pa.field(REASON, arrays[-1].type))
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, batch.schema.metadata))


@final
@dataclass(frozen=True, eq=False)
class _Rows:
    """The inputs of a slice as arrays, and why a row cannot be answered (-1: it can)."""

    size: int
    numbers: Mapping[str, Floats]
    definition: Codes
    neighbors: Codes
    codes: Codes

    @classmethod
    def of(cls, asked: Asked, batch: pa.RecordBatch) -> _Rows:
        size = batch.num_rows
        codes = np.full(size, -1, np.int8)
        words = [
            _words(asked, batch, name, allowed, codes)
            for name, allowed in (("definition", tuple(DEFINITIONS)), ("neighbors", NEIGHBORS))
        ]
        used = _used(asked, words[0])
        numbers = {name: _numbers(asked, batch, name, used.get(name), codes) for name in used}
        return cls(size, numbers, *words, codes)

    def kinds(self) -> Iterator[tuple[str, str, Any]]:
        """Rows of one definition and one relation of neighbors, all of them if there is one."""
        valid = self.codes < 0
        kind = self.definition * len(NEIGHBORS) + self.neighbors
        for code in np.unique(kind[valid]):
            chosen = valid & (kind == code)
            first, second = divmod(int(code), len(NEIGHBORS))
            rows: Any = slice(None) if chosen.all() else np.flatnonzero(chosen)
            yield tuple(DEFINITIONS)[first], NEIGHBORS[second], rows

    def column(self, name: str, chosen: Any) -> Floats:
        """The numbers of some rows, or the one number of all."""
        values = self.numbers[name]
        return values if values.ndim == 0 else values[chosen]


def _used(asked: Asked, definition: Codes) -> dict[str, Bools | None]:
    """The inputs that count, each with the rows for which it does; None: for all."""
    found: dict[str, Bools | None] = {}
    for code, kind in enumerate(DEFINITIONS.values()):
        here = definition == code
        if here.any():
            for name in kind.parameters:
                before = found.get(name)
                found[name] = here if before is None else before | here
    needed = {OUTPUTS[name].needs for name in asked.outputs} - {None}
    if asked.asks_for_losses:
        needed |= {"confidence", "failure"} & set(asked.inputs)
    return {**found, **{str(name): None for name in needed}}


def _words(
    asked: Asked, batch: pa.RecordBatch, name: str, allowed: tuple[str, ...], codes: Codes
) -> Codes:
    """The place of each word among those allowed."""
    if name in asked.constants:
        return np.full(batch.num_rows, allowed.index(asked.constants[name]), np.int8)
    import pyarrow as pa
    import pyarrow.compute as pc

    column = batch.column(asked.columns[name])
    places = pc.index_in(column.cast(pa.string()), value_set=pa.array(allowed))
    _mark(codes, "missing", np.asarray(column.is_null()))
    found = places.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int8)
    _mark(codes, "unknown-word", found < 0)
    return np.maximum(found, 0)


def _numbers(
    asked: Asked, batch: pa.RecordBatch, name: str, where: Bools | None, codes: Codes
) -> Floats:
    """The numbers of a column, in range wherever they count; a constant is one number."""
    if name in asked.constants:
        return np.asarray(asked.constants[name], dtype=float)
    if name not in asked.columns:
        _mark(codes, "missing", np.ones(batch.num_rows, bool), where)
        return np.zeros(batch.num_rows)
    import pyarrow as pa

    column = batch.column(asked.columns[name]).cast(pa.float64())
    if column.null_count:
        _mark(codes, "missing", np.asarray(column.is_null()), where)
        column = column.fill_null(0.0)
    values: Floats = column.to_numpy(zero_copy_only=True)
    domain = DOMAINS[name]
    if not (values.size and _all_in(domain, values)):
        _mark(codes, "not-finite", np.isnan(values), where)
        _mark(codes, "out-of-range", ~np.asarray(domain.holds(values)), where)
    return values


def _all_in(domain: Any, values: Floats) -> bool:
    return bool(domain.holds(values.min()) and domain.holds(values.max()))


def _mark(codes: Codes, reason: str, wrong: Bools, where: Bools | None = None) -> None:
    """The first reason of a row is the one that is given."""
    hit = wrong if where is None else wrong & where
    if hit.any():
        codes[hit & (codes < 0)] = REASONS.index(reason)


def _answer(
    asked: Asked,
    rows: _Rows,
    definition: str,
    neighbors: str,
    chosen: Any,
    found: Mapping[str, Floats],
) -> None:
    """Write the outputs of rows that have one definition and one relation of neighbors."""
    values = [rows.column(name, chosen) for name in DEFINITIONS[definition].parameters]
    size = rows.size if isinstance(chosen, slice) else chosen.size
    if asked.asks_for_losses:
        loss = np.broadcast_to(_losses(rows, definition, neighbors, values, chosen), (size,))
        bounded = np.isfinite(loss)
        if not bounded.all():
            places = np.flatnonzero(~bounded) if isinstance(chosen, slice) else chosen[~bounded]
            rows.codes[places] = REASONS.index("no-bound")
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
    rows: _Rows, definition: str, neighbors: str, values: list[Floats], chosen: Any
) -> Floats:
    """The largest shift of the log-odds, at the confidence of each row."""
    asked = _failures(rows, chosen)
    if definition in ("pure", "approximate"):
        epsilon, delta = values[0], values[1] if len(values) > 1 else np.zeros(())
        failure = _unasked(delta) if asked is None else asked
        found = widened(epsilon, delta, failure, np.exp(-epsilon))
        return np.where((failure <= delta) & (delta > 0.0), np.inf, found)
    size = rows.size if isinstance(chosen, slice) else chosen.size
    if asked is None:
        return _each(_loss_unasked, definition, neighbors, values, size)
    return _each(_loss, definition, neighbors, [*values, asked], size)


def _failures(rows: _Rows, chosen: Any) -> Floats | None:
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
