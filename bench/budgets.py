"""The largest epsilon for a risk profile, against a grid over both priors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from bench.timing import Case, Figure, Result, by_turns, compared, moving
from dprisk.budget import RatioFunction, largest_epsilon, solve

Floats = npt.NDArray[np.float64]
Ratio = Callable[[Floats, Floats], Floats]

GRID = np.arange(1, 1001) / 1000.0  # the authors' grid
UNSAFE = 2e-3  # how far above the infimum it may lie
COUNT = 10_000


def budgets(repetitions: int) -> Iterator[Result]:
    """Two profiles without a closed form, and many priors at once."""
    yield from _solved("gentle slope", _gentle, repetitions)
    yield from _solved("posterior or ratio", _either, repetitions)
    yield _many(repetitions)


def _gentle(p: Floats, q: Floats) -> Floats:
    return np.asarray(1.0 + 8.0 / (3.0 * (1.0 + q)))


def _either(p: Floats, q: Floats) -> Floats:
    return np.maximum(0.1 / (p * q), 3.0)


def _solved(name: str, ratio: Ratio, repetitions: int) -> Iterator[Result]:
    def ours(factor: float) -> object:
        return solve(RatioFunction(lambda p, q: ratio(p, q) * factor))

    budget = solve(RatioFunction(ratio))
    low, high = budget.epsilon.bracket
    grid = on_grid(ratio)
    pairs = by_turns(
        moving(ours), moving(lambda factor: on_grid(lambda p, q: ratio(p, q) * factor)), repetitions
    )
    sides = ("solve", "numpy, on 1000 x 1000 priors")
    note = f"the grid returns {grid / low - 1.0:+.1e} of the certified epsilon"
    same = low <= grid * (1.0 + 1e-12) <= high * (1.0 + UNSAFE)
    yield compared(f"profile, {name}", sides, pairs, "at least", 10.0, same=same, note=note)
    yield Figure(
        f"profile, {name}", "width of the bracket, relative", high / low - 1, "at most", 1e-9
    )


def on_grid(ratio: Ratio) -> float:
    """P3, Equation 36 as it is printed, at the authors' grid."""
    p, q = GRID[:, None], GRID[None, :-1]
    least = np.inf
    with np.errstate(all="ignore"):
        root = np.sqrt((1 - p) ** 2 + 4 * p * (1 - q) * (1 / ratio(p, q) - p * q))
        inside = np.log(2 * p * (1 - q) / (root - (1 - p)))
        last = np.ones((1, 1))
        edge = np.log((1 - p) / (1 / ratio(p, last) - p))
        for values in (inside, edge):
            known = values[np.isfinite(values)]
            least = min(least, float(known.min())) if known.size else least
    return least


def _many(repetitions: int) -> Case:
    random = np.random.default_rng(5)
    p, q = random.uniform(0.01, 0.99, (2, COUNT))
    ratio = 1.0 + (1.0 / (p * q) - 1.0) * random.uniform(0.01, 0.99, COUNT)

    def one_by_one(factor: float) -> list[float]:
        return [_formula(*row) for row in zip(p, q, 1.0 + (ratio - 1.0) / factor, strict=True)]

    found = largest_epsilon(ratio, p, q).value
    same = bool(np.allclose(found, one_by_one(1.0), rtol=1e-9, atol=0.0))
    pairs = by_turns(
        moving(lambda factor: largest_epsilon(1.0 + (ratio - 1.0) / factor, p, q)),
        moving(one_by_one),
        repetitions,
    )
    sides = ("largest_epsilon", "the formula in plain Python, in a loop")
    return compared(f"{COUNT} fixed priors", sides, pairs, "at least", 3.0, same=same)


def _formula(p: float, q: float, ratio: float) -> float:
    """P3, Theorem 2 as it is printed."""
    root = sqrt((1 - p) ** 2 + 4 * p * (1 - q) * (1 / ratio - p * q))
    return log(2 * p * (1 - q) / (root - (1 - p)))
