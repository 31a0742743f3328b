"""Power under zCDP and Rényi DP at a thousand levels, against riskcal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count as count_up
from time import process_time
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from bench.other import Failed, Other
from bench.timing import Figure, Result, Skipped, by_turns, compared, moving
from dprisk import Guarantee, RenyiDP, ZeroConcentratedDP

ADD: Any = {"neighbors": "add-remove"}
LEVELS = np.linspace(0.0, 1.0, 1002)[1:-1]
RHOS = (1e-12, 1e-3, 0.5, 1e3)
RENYI = (8.0, 0.5)  # an order, and the limit at it
SECONDS = 0.03


def orders(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Of four rho, and of one order; the normal noise of that rho has no more power."""
    for rho in RHOS:
        normal = ndtr(ndtri(LEVELS) + np.sqrt(2.0 * rho)) * (1.0 - 1e-12)
        yield from _asked(
            f"zCDP {rho:g}",
            lambda f, rho=rho: ZeroConcentratedDP(rho * f, **ADD),  # type: ignore[misc]
            normal,
            (other, "riskcal_zcdp", (rho,)),
            (repetitions, budget),
        )
    yield from _asked(
        "Rényi DP, one order",
        lambda f: RenyiDP(RENYI[0], RENYI[1] * f, **ADD),
        LEVELS * (1.0 - 1e-12),
        (other, "riskcal_renyi", RENYI),
        (repetitions, budget),
    )


def _asked(
    name: str,
    make: Callable[[float], Guarantee],
    least: Any,
    theirs: tuple[Other, str, tuple[float, ...]],
    often: tuple[int, float],
) -> Iterator[Result]:
    timed = moving(lambda factor: make(factor).power(LEVELS))
    found = np.asarray(make(1.0).power(LEVELS).value)
    right = bool(np.all(found >= least))
    name = f"{name}, 1,000 powers"
    started = process_time()
    make(1.0 + 1e-7).power(LEVELS)
    note = f"{(process_time() - started) * 1e3:.0f} ms of the processor"
    yield Figure(name, "s", timed(), "at most", SECONDS, right, note)
    other, asked, parameters = theirs
    if not other.has("riskcal"):
        return
    try:
        first, turns = other.ask(asked, 0, *parameters, LEVELS.tolist()), count_up(1)
    except Failed as error:
        yield Skipped(name, f"riskcal: {error}")
        return
    below = int(np.sum(np.asarray(first.value) < least))
    pairs = by_turns(
        timed,
        lambda: other.ask(asked, next(turns), *parameters, LEVELS.tolist()).seconds,
        *often,
    )
    note = f"riskcal lies below what a mechanism does at {below} of {len(LEVELS)} levels"
    sides = ("dprisk", "riskcal")
    yield compared(name, sides, pairs, "at least", 100.0, same=right, note=note)
