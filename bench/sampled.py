"""Subsampled Gaussians: epsilon over a grid of noise, rates and steps, beside dp_accounting."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import isfinite
from time import process_time
from typing import Any

from bench.other import Failed, Other
from bench.timing import Figure, Result
from dprisk.composition import compose
from dprisk.mechanisms import SubsampledGaussian

ADD: Any = {"neighbors": "add-remove"}
SIGMAS = (0.5, 1.0, 2.0, 8.0)
RATES = (1e-6, 1e-4, 1e-2, 0.5)
STEPS = (1, 100, 10**4, 10**6)
DELTA = 1e-5
SECONDS, WIDTH = 1.0, 1e-6  # nats
MOST = 300.0  # nats: beyond, the other side's grid takes too much memory
LEAST = 1e-3  # nats: below, its grid says little


def sampled(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """One line for each noise and rate, over all numbers of steps; then the worst of all."""
    asks = other.has("dp_accounting")
    spent, widths = [], []
    for sigma, rate in product(SIGMAS, RATES):
        lines = []
        for steps in STEPS:
            low, high, seconds = _own(sigma, rate, steps)
            spent.append(seconds)
            widths.append(high - low)
            line = f"{steps:.0e} steps: {high:.9g}, {high - low:.0e} wide, {seconds * 1e3:.0f} ms"
            if asks and LEAST < high < MOST:
                line += _theirs(other, sigma, rate, steps, low)
            lines.append(line)
        name = f"sigma {sigma:g}, rate {rate:g}"
        note = f"\n{'':30} ".join(lines)
        yield Figure(name, "nats, widest", max(widths[-len(STEPS) :]), "at most", WIDTH, note=note)
    what = f"s of the processor, of {len(spent)} answers the slowest"
    yield Figure("subsampled Gaussians", what, max(spent), "at most", SECONDS)
    right = all(isfinite(width) and width >= 0.0 for width in widths)
    what = f"nats, of {len(widths)} brackets the widest"
    yield Figure("subsampled Gaussians", what, max(widths), "at most", WIDTH, right)


def _own(sigma: float, rate: float, steps: int) -> tuple[float, float, float]:
    """From the construction of the mechanism to both ends of epsilon, and how long."""
    started = process_time()
    step = SubsampledGaussian(sigma, 1.0, rate, **ADD)
    low, high = compose([step.loss()], [steps]).guarantee.epsilon(DELTA).bracket
    return float(low), float(high), process_time() - started


def _theirs(other: Other, sigma: float, rate: float, steps: int, low: float) -> str:
    try:
        found = other.ask("google_sampled", 0, sigma, rate, steps, DELTA)
    except Failed as error:
        return f"; dp_accounting: {error}"
    off = found.value[0] - low
    return f"; dp_accounting {off:.0e} above, {found.seconds * 1e3:.0f} ms"
