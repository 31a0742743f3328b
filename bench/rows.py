"""Bounds for millions of rows, against the formulas typed into numpy."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import astuple

import numpy as np
import numpy.typing as npt

from bench.timing import Case, Figure, by_turns, compared, seconds
from dprisk import row_bounds

Floats = npt.NDArray[np.float64]
SLICE = 10**6


def rows(count: int, repetitions: int) -> Iterator[Case | Figure]:
    """Speed at `count` rows, and the memory taken beyond what goes in and comes out."""
    columns = _columns(count)
    same = all(
        np.allclose(ours, theirs, rtol=1e-9, atol=0.0)
        for ours, theirs in zip(astuple(row_bounds(*columns)), naive(*columns), strict=True)
    )
    pairs = by_turns(
        lambda: seconds(lambda: row_bounds(*columns)),
        lambda: seconds(lambda: naive(*columns)),
        repetitions,
    )
    quarter = [column[: count // 4] for column in columns]
    extra = [_extra(row_bounds, part) for part in (quarter, columns)]
    note = (
        f"beyond inputs and outputs {extra[1]:.1f} MB ({extra[0]:.1f} MB at a quarter of the "
        f"rows), naive {_extra(naive, columns):.0f} MB"
    )
    sides = ("row_bounds", "numpy, by the formulas")
    yield compared(f"{count:.0e} rows", sides, pairs, "", same=same, note=note)
    yield _sliced(columns, repetitions)


def _sliced(columns: list[Floats], repetitions: int) -> Figure:
    """The same a slice at a time, each small enough for the caches, as a stream comes."""
    count = columns[0].size
    slices = [slice(start, start + SLICE) for start in range(0, count, SLICE)]
    parts = [[column[each] for column in columns] for each in slices]
    best = min(seconds(lambda: [row_bounds(*part) for part in parts]) for _ in range(repetitions))
    return Figure(f"rows, {SLICE} at a time", "rows/s", count / best, "at least", 1.5e7)


def naive(prior: Floats, epsilon: Floats, delta: Floats, failure: Floats) -> tuple[Floats, ...]:
    """Posterior at least and at most, ratio and difference, as one would type them."""
    loss = np.log((failure * np.exp(epsilon) + delta) / (failure - delta))
    lower = prior / (prior + (1 - prior) * np.exp(loss))
    upper = prior / (prior + (1 - prior) * np.exp(-loss))
    return lower, upper, upper / prior, np.tanh(loss / 4)


def _columns(count: int) -> list[Floats]:
    random = np.random.default_rng(20)
    return [
        random.uniform(0.001, 0.999, count),
        random.uniform(0.01, 10.0, count),
        10.0 ** random.uniform(-12.0, -4.0, count),
        random.uniform(0.001, 0.1, count),
    ]


def _extra(bounds: Callable[..., object], columns: list[Floats]) -> float:
    """Most memory taken at any moment beyond the four columns that come out, in MB."""
    tracemalloc.start()
    bounds(*columns)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (peak - 4 * columns[0].nbytes) / 1e6
