"""The inputs of a batch of a table as arrays, and why a row of it cannot be answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric import odds
from dprisk._numeric.logspace import Floats
from dprisk.guarantees.base import NEIGHBORS
from dprisk.tables.question import DEFINITIONS, DOMAINS, OUTPUTS, TableQuestion, is_text

if TYPE_CHECKING:
    import pyarrow as pa


Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

REASONS: Final = ("missing", "not-a-number", "out-of-range", "unknown-word", "no-bound")
"""Why a row lacks numbers, in the order of their codes; null where it lacks none."""
NO_BOUND: Final = REASONS.index("no-bound")
NUMBER: Final = r"^\s*[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[iI][nN][fF](inity)?)\s*$"
"""A cell of text that is a number."""
BATCH: Final = 1 << 17  # rows that one thread takes at a time, and of a row group
SLICE: Final = 1 << 14  # rows whose columns stay in the cache


class Alike(NamedTuple):
    """Rows of one definition and one relation of neighbors: their inputs, and where they are."""

    definition: str
    neighbors: str
    numbers: Mapping[str, Floats]
    places: Any
    size: int

    @property
    def parameters(self) -> list[Floats]:
        """Those of the definition."""
        return [self.numbers[name] for name in DEFINITIONS[self.definition].parameters]

    def slices(self, places: Any = None) -> Iterator[Alike]:
        """The same in pieces, at these places or at all."""
        size = self.size if places is None else places.size
        for start in range(0, size, SLICE):
            end = min(start + SLICE, size)
            here = slice(start, end) if places is None else places[start:end]
            numbers = {
                name: values if values.ndim == 0 else values[here]
                for name, values in self.numbers.items()
            }
            yield self._replace(numbers=numbers, places=here, size=end - start)


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """The inputs of a batch as arrays, and why a row cannot be answered (-1: it can)."""

    size: int
    numbers: Mapping[str, Floats]
    definition: Codes
    neighbors: Codes
    codes: Codes

    @classmethod
    def of(cls, asked: TableQuestion, batch: pa.RecordBatch) -> Rows:
        codes = np.full(batch.num_rows, -1, np.int8)
        words = [
            _words(asked, batch, name, allowed, codes)
            for name, allowed in (("definition", tuple(DEFINITIONS)), ("neighbors", NEIGHBORS))
        ]
        used = _used(asked, words[0])
        numbers = {name: _numbers(asked, batch, name, used.get(name), codes) for name in used}
        return cls(batch.num_rows, numbers, words[0], words[1], codes)

    def alike(self) -> Iterator[Alike]:
        """The rows that can be answered, by definition and neighbors, in slices."""
        valid = self.codes < 0
        if not valid.any():
            return
        kind = self.definition * len(NEIGHBORS) + self.neighbors
        for code in np.unique(kind[valid]) if np.ndim(kind) else [kind]:
            chosen = valid & (kind == code)
            first, second = divmod(int(code), len(NEIGHBORS))
            words = tuple(DEFINITIONS)[first], NEIGHBORS[second]
            places = None if chosen.all() else np.flatnonzero(chosen)
            yield from Alike(*words, self.numbers, slice(None), self.size).slices(places)


def unchecked(asked: TableQuestion, batch: pa.RecordBatch) -> Alike | None:
    """All rows of a batch, if they are alike and lack nothing; they may be out of range."""
    if asked.columns.keys() & {"definition", "neighbors"}:
        return None
    definition, neighbors = asked.constants["definition"], asked.constants["neighbors"]
    used = _used(asked, np.array(tuple(DEFINITIONS).index(definition), np.int8))
    columns = {
        name: _as_floats(batch.column(asked.columns[name])) for name in used.keys() & asked.columns
    }
    if any(column.null_count for column in columns.values()):
        return None
    numbers = {name: np.asarray(asked.constants[name], float) for name in used.keys() - columns}
    numbers |= {name: column.to_numpy() for name, column in columns.items()}
    return Alike(definition, neighbors, numbers, slice(None), batch.num_rows)


def _used(asked: TableQuestion, definition: Codes) -> dict[str, Bools | None]:
    """The inputs that count, each with the rows for which it does; None: for all."""
    found: dict[str, Bools | None] = {}
    for code, kind in enumerate(DEFINITIONS.values()):
        here = np.asarray(definition == code)
        if here.any():
            for name in kind.parameters:
                before = found.get(name)
                found[name] = here if before is None else before | here
    needed = {needs for name in asked.outputs for needs in OUTPUTS[name].needs}
    if asked.from_losses:
        needed |= {"confidence", "failure"} & set(asked.inputs)
    return {**found, **{str(name): None for name in needed}}


def _words(
    asked: TableQuestion, batch: pa.RecordBatch, name: str, allowed: tuple[str, ...], codes: Codes
) -> Codes:
    """The place of each word among those allowed."""
    if name in asked.constants:
        return np.array(allowed.index(asked.constants[name]), np.int8)
    import pyarrow as pa
    import pyarrow.compute as pc

    column = batch.column(asked.columns[name]).cast(pa.string())
    places = pc.index_in(column, value_set=pa.array(allowed))
    _mark(codes, "missing", np.asarray(column.is_null()))
    found: Codes = places.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int8)
    _mark(codes, "unknown-word", found < 0)
    return np.maximum(found, np.int8(0))


def _numbers(
    asked: TableQuestion, batch: pa.RecordBatch, name: str, where: Bools | None, codes: Codes
) -> Floats:
    """The numbers of a column, in range wherever they count; a constant is one number."""
    if name in asked.constants:
        return np.asarray(asked.constants[name], dtype=float)
    if name not in asked.columns:
        _mark(codes, "missing", np.ones(batch.num_rows, bool), where)
        return np.zeros(batch.num_rows)
    read = batch.column(asked.columns[name])
    column = _as_floats(read)
    if column.null_count != read.null_count:
        _mark(codes, "not-a-number", _not_numbers(read, column), where)
    if column.null_count:
        _mark(codes, "missing", np.asarray(column.is_null()), where)
        column = column.fill_null(0.0)
    values: Floats = column.to_numpy(zero_copy_only=True)
    domain = DOMAINS[name]
    if not (values.size and _all_in(domain, values)):
        _mark(codes, "not-a-number", np.isnan(values), where)
        _mark(codes, "out-of-range", ~np.asarray(domain.holds(values)), where)
    return values


def _as_floats(column: Any) -> Any:
    """The nearest float64 of each number; of a decimal, by way of its digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.string())
    elif is_text(column.type) and not pa.types.is_null(column.type):
        numeric = pc.match_substring_regex(column.cast(pa.string()), NUMBER)
        trimmed = pc.utf8_trim_whitespace(column.cast(pa.string()))
        column = pc.if_else(numeric, trimmed, pa.scalar(None, pa.string()))
    return column.cast(pa.float64(), safe=False)


def _not_numbers(read: Any, column: Any) -> Bools:
    """The cells of text that say something, but no number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(read.type):
        read = read.dictionary_decode()
    said = pc.not_equal(pc.utf8_trim_whitespace(read.cast(pa.string())), "").fill_null(False)
    found: Bools = np.asarray(said) & np.asarray(column.is_null())
    return found


def _all_in(domain: Any, values: Floats) -> bool:
    return bool(domain.holds(values.min()) and domain.holds(values.max()))


def _mark(codes: Codes, reason: str, wrong: Bools, where: Bools | None = None) -> None:
    """The first reason of a row is the one that is given."""
    hit = wrong if where is None else wrong & where
    if hit.any():
        codes[hit & (codes < 0)] = REASONS.index(reason)


@final
@dataclass(frozen=True, eq=False)
class Moved:
    """Numbers that follow from losses and priors, with nothing computed twice."""

    prior: Floats
    loss: Floats

    @cached_property
    def stay(self) -> Any:
        return odds.stay(self.loss)

    @cached_property
    def posteriors(self) -> tuple[Floats, Floats]:
        return odds.posteriors(self.prior, self.stay)

    def ratio(self, find: Callable[..., Floats]) -> Floats:
        return find(self.prior, 1.0 - self.prior, self.stay)


FROM_LOSSES: Final[Mapping[str, Callable[[Moved], Floats]]] = {
    "posterior_at_most": lambda moved: moved.posteriors[1],
    "posterior_at_least": lambda moved: moved.posteriors[0],
    "odds_at_most": lambda moved: odds.odds(moved.loss)[1],
    "ratio_at_most": lambda moved: moved.ratio(odds.largest_ratios),
    "ratio_at_least": lambda moved: moved.ratio(odds.least_ratios),
    "difference_at_most": lambda moved: odds.steepest(moved.loss),
    "worst_prior": lambda moved: odds.furthest(moved.loss)[1],
}
