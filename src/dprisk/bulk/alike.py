"""Rows of one definition and one relation of neighbors: each value is the scalar functions'."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
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
from dprisk._numeric.ordinary import ordinary_bounds
from dprisk.bulk.asked import DEFINITIONS, OUTPUTS, TableQuestion
from dprisk.bulk.inputs import NO_BOUND, Alike, Codes, unchecked
from dprisk.errors import DpriskError
from dprisk.risk.adversary import DEFAULT_CONFIDENCE, LOWER_CONFIDENCES, confidence_for

if TYPE_CHECKING:
    import pyarrow as pa


ORDINARY: Final = (
    "posterior_at_least",
    "posterior_at_most",
    "ratio_at_most",
    "difference_at_most",
)
"""What `ordinary_bounds` writes, in its order."""
CERTAIN_PRIORS: Final = {
    "posterior_at_most": (0.0, 1.0),
    "posterior_at_least": (0.0, 1.0),
    "ratio_at_most": (1.0,),
    "ratio_at_least": (1.0,),
}
"""Priors that no promise has to bound: what is certain stays so."""


def at_once(asked: TableQuestion, batch: pa.RecordBatch, found: Mapping[str, Floats]) -> int:
    """Write the outputs of rows, from the first on, while none is special; of how many."""
    if not {*asked.outputs} <= {*ORDINARY} or "confidence" in asked.columns:
        return 0
    rows, done = unchecked(asked, batch), 0
    for part in () if rows is None else rows.slices():
        if not _ordinary(asked, part, found):
            break
        done += part.size
    return done


def answer(asked: TableQuestion, rows: Alike, found: Mapping[str, Floats], codes: Codes) -> None:
    """Write the outputs of some rows, and which of them have no bound."""
    if asked.from_losses and not _ordinary(asked, rows, found):
        loss = np.broadcast_to(_losses(rows), (rows.size,))
        prior = rows.numbers.get("prior", np.zeros(()))
        moved, bounded = _Moved(prior, loss), np.isfinite(loss)
        for name in asked.from_losses:
            values = READ[name](moved)
            if not bounded.all():
                known = bounded | np.isin(prior, CERTAIN_PRIORS.get(name, ()))
                values = np.where(known, values, np.nan)
                codes[rows.places] = np.where(known, codes[rows.places], NO_BOUND)
            found[name][rows.places] = values
    for name, ask in QUESTIONS.items():
        if name in asked.outputs:
            needs = OUTPUTS[name].needs
            more = [] if needs is None else [rows.numbers[needs]]
            found[name][rows.places] = _each(ask, rows, more)


def _ordinary(asked: TableQuestion, rows: Alike, found: Mapping[str, Floats]) -> bool:
    """Write what is read off losses at once, if no row is special."""
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
    if {"confidence", "failure"}.isdisjoint(rows.numbers):
        return _each(_loss_unasked, rows, [])
    return _each(_loss, rows, [_failures(rows, np.zeros(()))])


def _failures(rows: Alike, delta: Floats) -> Floats:
    """One minus the confidence of each row; what goes with a delta where none is asked for."""
    if "failure" in rows.numbers:
        return rows.numbers["failure"]
    if "confidence" not in rows.numbers:
        return _unasked(delta)
    sure = rows.numbers["confidence"]
    if sure.ndim and sure.min() == sure.max():
        sure = sure[0]
    if not np.ndim(sure):
        return np.asarray(complement(sure))
    distinct, places = np.unique(sure, return_inverse=True)
    return np.asarray(complement(distinct)[places])


def _unasked(delta: Floats) -> Floats:
    """The failure that goes with a delta where no confidence is asked for."""
    found = np.full(delta.shape, float(complement(DEFAULT_CONFIDENCE)))
    for sure in reversed((DEFAULT_CONFIDENCE, *LOWER_CONFIDENCES)):
        rest = float(complement(sure))
        found = np.where(delta < rest, rest, found)
    return np.where(delta == 0.0, 0.0, found)


def _each(ask: Callable[..., float], rows: Alike, more: list[Floats]) -> Floats:
    """What is asked of each distinct row, once."""
    columns = [*rows.parameters, *more]
    if all(column.ndim == 0 for column in columns):
        given = tuple(float(column) for column in columns)
        return np.full(rows.size, ask(rows.definition, rows.neighbors, *given))
    table = np.stack([np.broadcast_to(column, (rows.size,)) for column in columns])
    distinct, places = np.unique(table, axis=1, return_inverse=True)
    answers = [ask(rows.definition, rows.neighbors, *map(float, row)) for row in distinct.T]
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
