"""Noise for a target: what DP-SGD may be under a limit, beside one answer about the same run."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any, Final

from bench.timing import Figure, Result
from dprisk.budget import AttackLimit, BayesLimit, EpsilonLimit, InformedLimit, calibrate
from dprisk.composition import compose

MOST: Final = 6.0  # times one answer
TURNS: Final = 3
POISSON: Final[dict[str, Any]] = {"sampling": "poisson"}
RUNS: Final[dict[str, dict[str, Any]]] = {
    "noise": {"sample_rate": 0.01, "steps": 5000},
    "noise, MNIST": {"batch_size": 256, "examples": 60_000, "steps": 14_062},
    "steps": {"noise_multiplier": 1.1, "sample_rate": 0.01},
    "batch": {"noise_multiplier": 1.1, "examples": 60_000, "steps": 2000},
}
LIMITS: Final = {
    "epsilon 1": lambda moved: EpsilonLimit(1.0 * moved, 1e-5),
    "epsilon 8": lambda moved: EpsilonLimit(8.0 * moved, 1e-6),
    "power": lambda moved: AttackLimit("power", 0.2 * moved, level=0.05),
    "advantage": lambda moved: AttackLimit("advantage", 0.2 * moved),
    "Bayes risk": lambda moved: BayesLimit(0.4 * moved),
    "posterior": lambda moved: InformedLimit("posterior", 0.7 * moved, prior=0.5, confidence=0.99),
}


def training() -> Iterator[Result]:
    """One line for each limit and what is solved for: how many times one answer it takes."""
    calibrate(EpsilonLimit(2.0, 1e-5), "dp-sgd", **POISSON, **RUNS["noise"])  # imports
    for name, limit in LIMITS.items():
        for run, words in RUNS.items():
            pairs = [_pair(limit, words, 1.0 + turn * 1e-6) for turn in range(1, TURNS + 1)]
            ratio = median(pair[0] / pair[1] for pair in pairs)
            note = f"{pairs[-1][0] * 1e3:.0f} ms, one answer {pairs[-1][1] * 1e3:.0f} ms"
            right = all(pair[2] for pair in pairs)
            what = "times one answer"
            yield Figure(f"{run} for {name}", what, ratio, "at most", MOST, right, note)


def _pair(limit: Any, words: dict[str, Any], moved: float) -> tuple[float, float, bool]:
    """Seconds to solve, seconds of one answer about what was found, and whether that is kept."""
    asked = limit(moved)
    started = process_time()
    found = calibrate(asked, "dp-sgd", **POISSON, **words)
    solved = process_time() - started
    (part,) = found.release.parts
    started = process_time()
    whole = compose([part.for_composition()], [part.count]).guarantee
    kept = float(found.limit.measured(whole)) <= asked.most
    return solved, process_time() - started, kept
