"""Any pair of distributions: how wide the bracket is, and how long it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from bench.composition import asked
from bench.other import Other
from bench.questions import GAUSSIAN, LAPLACE, PAIR_COUNT, Floats, pair
from bench.timing import Figure, Goal, Result, Skipped, by_turns, compared, moving
from bench.truth import holds, truth
from dprisk import PrivacyLoss
from dprisk.losses.base import LossPair
from dprisk.losses.density import between
from dprisk.mechanisms import PairOfDistributions

INTERVAL = 1e-4
COUNT = 1_000
DELTA = 1e-10
NARROWER, TIME = 1_000.0, 0.5


class Question(NamedTuple):
    """Two distributions, how often, and what the others are asked."""

    name: str
    make: Callable[[float], LossPair]
    times: int
    call: str
    arguments: tuple[Any, ...]
    right: Decimal
    has_goal: bool = True

    def bracket(self, factor: float = 1.0) -> tuple[float, float]:
        """From the two distributions to both ends of epsilon."""
        loss = PrivacyLoss([self.make(factor)], [self.times], neighbors="add-remove")
        lower, upper = loss.epsilon(DELTA).bracket
        return float(lower), float(upper)


def densities(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """On the same grid on both sides; outcomes as they are, too, since they need no grid."""
    p, q = pair()
    lists = (p.tolist(), q.tolist())
    questions = (
        Question(
            "400 outcomes",
            _outcomes,
            PAIR_COUNT,
            "google_pair",
            (*lists, PAIR_COUNT),
            truth("pair", PAIR_COUNT, DELTA),
        ),
        Question(
            "Laplace densities",
            _laplace,
            COUNT,
            "google_both_sides",
            ("laplace", LAPLACE, COUNT),
            truth("laplace", COUNT, DELTA),
        ),
        Question(
            "Gaussian densities",
            _gaussian,
            COUNT,
            "google_both_sides",
            ("gaussian", GAUSSIAN, COUNT),
            truth("gaussian", COUNT, DELTA),
        ),
    )
    for each in questions:
        yield from _compared(other, each, repetitions, budget)


def _compared(other: Other, each: Question, repetitions: int, budget: float) -> Iterator[Result]:
    name = f"{each.name} x {each.times:.0e}"
    lower, upper = each.bracket()
    right = holds(lower, upper, each.right)
    if not other.has("dp_accounting"):
        yield Figure(name, "width of the bracket", upper - lower, same=right)
        yield Skipped(name, "dp_accounting not installed: skipped (make bench installs it)")
        return
    arguments = (*each.arguments, DELTA, INTERVAL)
    low, high = other.ask(each.call, 0, *arguments).value
    note = f"ours {upper - lower:.1e} wide, theirs {high - low:.1e}" + (
        "" if holds(low, high, each.right) else " and WITHOUT the truth"
    )
    what = "their width / ours"
    width = (high - low) / max(upper - lower, 1e-300)
    goals: list[tuple[Goal, float | None]] = [("", None), ("", None)]
    if each.has_goal:
        goals = [("at least", NARROWER), ("at most", TIME)]
    yield Figure(name, what, width, *goals[0], right, note)
    pairs = by_turns(moving(each.bracket), asked(other, each.call, *arguments), repetitions, budget)
    yield compared(name, ("dprisk", "dp_accounting, both sides"), pairs, *goals[1])


def _outcomes(factor: float) -> LossPair:
    """As they are: no grid is needed."""
    p, q = pair()
    p[0] *= factor
    return PairOfDistributions(p / p.sum(), q, neighbors="add-remove").losses()


def _laplace(factor: float) -> LossPair:
    scale = LAPLACE * factor

    def log_density(x: Floats) -> Floats:
        return np.asarray(-np.abs(x) / scale - np.log(2.0 * scale))

    ends = [-np.inf, 0.0, 1.0, np.inf]
    spacing = INTERVAL / factor  # the atoms, at 1 / scale, stay on the grid, as theirs are
    return between(lambda x: log_density(x - 1.0), log_density, ends, spacing=spacing)


def _gaussian(factor: float) -> LossPair:
    sigma = GAUSSIAN * factor

    def log_density(x: Floats) -> Floats:
        return np.asarray(-((x / sigma) ** 2) / 2.0 - np.log(sigma * np.sqrt(2.0 * np.pi)))

    ends = [-np.inf, 0.0, np.inf]
    return between(
        lambda x: log_density(x - 1.0),
        log_density,
        ends,
        spacing=INTERVAL,
        loss=lambda x: (2.0 * x - 1.0) / (2.0 * sigma**2),
    )
