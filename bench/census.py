"""The noise of the 2020 Census: 71 discrete Gaussians on two cells each (P1, Tables 3 to 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from statistics import median
from typing import Any

import numpy as np

from bench.composition import asked
from bench.other import Other
from bench.questions import (
    CENSUS_CURVE,
    CENSUS_EPSILONS,
    CENSUS_LEVELS,
    LEVEL_GRID,
    Floats,
    census_sigmas,
)
from bench.timing import Figure, Result, Skipped, by_turns, compared, moving, seconds, within
from bench.truth import excess, holds, truth
from dprisk import Guarantee
from dprisk.answer import Answer
from dprisk.composition import compose
from dprisk.mechanisms import DiscreteGaussian, PairOfDistributions

COARSE, DEFAULT = 1e-3, 1e-4  # grids of dp_accounting
RELATIVE = 1e-9
LIMIT = 120  # seconds
LONG = "2 x 71 discrete Gaussians"
FPR = 1e-5  # where a simulation is compared
DRAWS, BATCH = 10**6, 50_000

REPLACE: Any = {"neighbors": "replace-one"}


def guarantee(factor: float = 1.0) -> Guarantee:
    """From the mechanisms to their composition."""
    parts = [DiscreteGaussian(sigma * factor, 1, **REPLACE).loss() for sigma in census_sigmas()]
    return compose(parts, [2] * len(parts)).guarantee


def from_points(factor: float = 1.0) -> Guarantee:
    """The same from lists of probabilities, without knowing what they are."""
    pairs = [PairOfDistributions(p, q, **REPLACE).loss() for p, q in _masses(factor)]
    return compose(pairs, [2] * len(pairs)).guarantee


def curves(whole: Guarantee) -> tuple[Answer, Answer]:
    """200 deltas and 1000 powers."""
    return whole.delta(CENSUS_CURVE), whole.power(LEVEL_GRID)


def census(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Both curves: width, truth, and times against dp_accounting with riskcal."""
    yield _relative_width(LONG, curves(guarantee()))
    if not other.has("dp_accounting", "riskcal"):
        yield Skipped(LONG, "dp_accounting or riskcal not installed: skipped")
        return
    for interval, bar in ((DEFAULT, 500.0), (COARSE, None)):
        name = f"{LONG}, grid {interval:.0e}"
        ours = moving(lambda factor: curves(guarantee(factor)))
        yield _timed(other, name, ours, ("google_census", interval), bar, (repetitions, budget))
    points = "the same as points"
    answers = within(LIMIT, lambda: curves(from_points()))
    if answers is None:
        what = f"seconds, given up at {LIMIT}"
        yield Figure(points, what, LIMIT, "at most", LIMIT / 2, note="far from its bar of 20 x")
        return
    yield _relative_width(points, answers)
    for call, bar in (("google_census_points", 20.0), ("google_census", None)):
        name = f"{points} : {'points' if bar else 'their own class'}"
        ours = moving(lambda factor: curves(from_points(factor)))
        yield _timed(other, name, ours, (call, DEFAULT), bar, (repetitions, budget))


def _timed(
    other: Other,
    name: str,
    ours: Callable[[], float],
    question: tuple[str, float],
    bar: float | None,
    often: tuple[int, float],
) -> Result:
    call, interval = question
    arguments = (census_sigmas(), list(CENSUS_CURVE), list(LEVEL_GRID), interval)
    errors = _their_errors(other.ask(call, 0, *arguments).value)
    pairs = by_turns(ours, asked(other, call, *arguments), *often)
    sides = ("dprisk", "dp_accounting + riskcal")
    return compared(name, sides, pairs, "at least" if bar else "", bar, note=errors)


def levels(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Power at 1000 levels of a loss that is composed already."""
    name = "power at 1000 levels"
    whole, grid = guarantee(), np.array(LEVEL_GRID)
    whole.power(grid)
    fresh = guarantee()
    first = seconds(lambda: fresh.power(grid))
    if not other.has("dp_accounting", "riskcal"):
        yield Skipped(name, "dp_accounting or riskcal not installed: skipped")
        return
    for interval, bar in ((DEFAULT, 20.0), (COARSE, None)):
        other.ask("prepare_levels", 0, census_sigmas(), interval)
        pairs = by_turns(
            moving(lambda factor: whole.power(grid * factor)),
            asked(other, "riskcal_levels", list(LEVEL_GRID)),
            repetitions,
            budget,
        )
        note = f"the first time, on a fresh object: {first * 1e3:.1f} ms"
        title = f"{name}, grid {interval:.0e}"
        yield compared(
            title, ("dprisk", "riskcal"), pairs, "at least" if bar else "", bar, note=note
        )


def _relative_width(name: str, answers: tuple[Answer, Answer]) -> Figure:
    """Of all deltas and powers; and whether those that are known lie inside."""
    widths = []
    for answer in answers:
        low, high = (np.asarray(end, dtype=float) for end in answer.bracket)
        widths.append(float(np.max((high - low) / high)))
    right = all(
        holds(answer.bracket[0][at], answer.bracket[1][at], truth("census", kind, value))
        for answer, kind, known in zip(answers, ("delta", "power"), _known(), strict=True)
        for at, value in known
    )
    note = f"delta {widths[0]:.1e}, power {widths[1]:.1e}"
    what = "widest bracket, relative"
    return Figure(name, what, max(widths), "at most", RELATIVE, right, note)


def _known() -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Places and values of the arguments for which the truth is in the table."""
    return (
        [(CENSUS_CURVE.index(value), value) for value in CENSUS_EPSILONS],
        [(LEVEL_GRID.index(value), value) for value in CENSUS_LEVELS],
    )


def _their_errors(found: Sequence[float]) -> str:
    """Largest relative error on either side, for each curve."""
    parts = []
    for kind, start, known in zip(
        ("delta", "power"), (0, len(CENSUS_CURVE)), _known(), strict=True
    ):
        errors = [
            excess(found[start + at], truth("census", kind, value))
            / float(truth("census", kind, value))
            for at, value in known
        ]
        parts.append(f"{kind} {min(errors):+.1e} to {max(errors):+.1e}")
    return "their relative error: " + ", ".join(parts)


def _masses(factor: float) -> list[tuple[Floats, Floats]]:
    """Discrete Gaussians by their probabilities, twelve standard deviations to either side."""
    found = []
    for sigma in census_sigmas():
        reach = int(np.ceil(12.0 * sigma)) + 1
        k = np.arange(1.0 - reach, reach + 1.0)  # P and Q are each other's mirror image
        p, q = (np.exp(-((k - by) ** 2) / (2.0 * (sigma * factor) ** 2)) for by in (1.0, 0.0))
        total = np.sort(p).sum()
        found.append((p / total, q / total))
    return found


# --- simulation -------------------------------------------------------------------------------


def montecarlo(budget: float) -> Iterator[Result]:
    """The likelihood ratio of simulated tables against the exact power at one level."""
    level = min(CENSUS_LEVELS, key=lambda value: abs(log(value / FPR)))
    right = float(truth("census", "power", level))
    random = np.random.default_rng(1)
    found: list[float] = []

    def simulated() -> None:
        found.append(_simulated_power(random, level))

    spent = [seconds(simulated)]
    while sum(spent) + spent[0] < budget and len(spent) < 3:
        spent.append(seconds(simulated))
    exact = moving(lambda factor: guarantee(factor).power(level))
    exact()
    pairs = [(exact(), time) for time in spent]
    error = median(abs(value / right - 1.0) for value in found)
    note = f"simulated power at level {level:.1e}: {error:.1%} off the truth {right:.4f}"
    sides = ("exact power", f"numpy, {DRAWS:.0e} + {DRAWS:.0e} draws")
    yield compared(f"{LONG}, one level", sides, pairs, "", note=note)


def _simulated_power(random: np.random.Generator, level: float) -> float:
    """Threshold from draws of the one world, power from draws of the other."""
    ratios = [np.concatenate([_ratios(random, by) for _ in range(DRAWS // BATCH)]) for by in (0, 1)]
    threshold = np.quantile(ratios[0], 1.0 - level)
    return float(np.mean(ratios[1] > threshold))


def _ratios(random: np.random.Generator, by: int) -> Floats:
    """Log likelihood ratios of whole tables; noise on every cell, `by` added to it."""
    total = np.zeros(BATCH)
    for sigma in census_sigmas():
        reach = int(np.ceil(12.0 * sigma)) + 1
        k = np.arange(-reach, reach + 1.0)
        chances = np.cumsum(np.exp(-(k**2) / (2.0 * sigma**2)))
        for _ in range(2):
            drawn = np.searchsorted(chances, random.uniform(0.0, chances[-1], BATCH)) - reach + by
            total += (2.0 * drawn - 1.0) / (2.0 * sigma**2)
    return total
