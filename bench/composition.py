"""One mechanism many times: epsilon at a delta, and whether the upper ends are upper ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from bench.other import Failed, Other
from bench.questions import (
    COUNTS,
    DELTAS,
    GAUSSIAN,
    INTEGER,
    LAPLACE,
    RESPONSE,
    SMALL_COUNT,
    SMALL_DELTAS,
    SMALL_SIGMA,
)
from bench.timing import Figure, Goal, Result, Skipped, by_turns, compared, moving
from bench.truth import excess, holds, truth
from dprisk.composition import compose
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace, RandomizedResponse
from dprisk.mechanisms.base import Mechanism

BOTH = 10_000  # up to here others are asked, too
TIMED = 1e-10  # the delta at which times are compared
INTERVAL = 1e-4  # the default grid of dp_accounting
WIDTH = 1e-9  # nats: the widest bracket allowed
PRV_ERROR = 0.01  # nats: the half width that prv_accountant is asked for
PRV_COUNT = 1_000

ADD: Any = {"neighbors": "add-remove"}


class Workload(NamedTuple):
    """A mechanism by its parameter, which `factor` moves."""

    name: str
    parameter: float
    make: Callable[[float], Mechanism]

    def bracket(self, count: int, delta: float, factor: float = 1.0) -> tuple[float, float]:
        """From the construction of the mechanism to both ends of epsilon."""
        mechanism = self.make(self.parameter * factor)
        whole = compose([mechanism.loss()], [count]).guarantee
        lower, upper = whole.epsilon(delta).bracket
        return float(lower), float(upper)


WORKLOADS = (
    Workload("laplace", LAPLACE, lambda scale: Laplace(scale, 1.0, **ADD)),
    Workload("gaussian", GAUSSIAN, lambda sigma: Gaussian(sigma, 1.0, **ADD)),
    Workload("discrete Gaussian", INTEGER, lambda sigma: DiscreteGaussian(sigma, 1, **ADD)),
    Workload("randomized response", RESPONSE, lambda e: RandomizedResponse(e, 2, **ADD)),
)


def composition(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Times against dp_accounting and prv_accountant; widths of the brackets for all."""
    for each in WORKLOADS:
        yield _widest(each)
        for count in COUNTS:
            if count <= BOTH:
                yield _against_google(other, each, count, repetitions, budget)
            else:
                timed = moving(partial(each.bracket, count, TIMED))
                timed()
                name = f"{each.name} x {count:.0e}"
                yield Figure(name, "ms of ours at delta 1e-10", timed() * 1e3)
        if each.name != "discrete Gaussian":
            yield _against_microsoft(other, each, repetitions, budget)


def _widest(each: Workload) -> Figure:
    """Over all counts and deltas."""
    widths, right = [], True
    for count in COUNTS:
        for delta in DELTAS:
            lower, upper = each.bracket(count, delta)
            widths.append((upper - lower, count, delta))
            right = right and holds(lower, upper, truth(each.name, count, delta))
    widest, count, delta = max(widths)
    shorter = max(width for width, count, _ in widths if count <= BOTH)
    note = f"of {len(widths)}, at k = {count:.0e}, delta {delta:g}; {shorter:.1e} up to k = 1e4"
    return Figure(each.name, "widest bracket", widest, "at most", WIDTH, right, note)


def _against_google(
    other: Other, each: Workload, count: int, repetitions: int, budget: float
) -> Result:
    name = f"{each.name} x {count:.0e}"
    if not other.has("dp_accounting"):
        return Skipped(name, "dp_accounting not installed: skipped (make bench installs it)")
    arguments = (each.name, each.parameter, count)
    errors = [
        excess(
            other.ask("google_many", 0, *arguments, delta, INTERVAL).value[0],
            truth(each.name, count, delta),
        )
        for delta in DELTAS
    ]
    pairs = by_turns(
        moving(partial(each.bracket, count, TIMED)),
        asked(other, "google_many", *arguments, TIMED, INTERVAL),
        repetitions,
        budget,
    )
    goal: tuple[Goal, float | None] = ("", None)
    if each.name == "laplace":
        goal = "at least", 100.0 if count >= 1_000 else 1.0
    note = "their error at 1e-5, 1e-10, 1e-15: " + _signed(errors)
    return compared(name, ("dprisk", "dp_accounting"), pairs, *goal, note=note)


def _against_microsoft(other: Other, each: Workload, repetitions: int, budget: float) -> Result:
    name = f"{each.name} x {PRV_COUNT:.0e}, prv"
    if not other.has("prv_accountant"):
        return Skipped(name, "prv_accountant not installed: skipped (make bench installs it)")
    arguments = (each.name, each.parameter, PRV_COUNT)
    upper = other.ask("microsoft_many", 0, *arguments, TIMED, PRV_ERROR).value[2]
    pairs = by_turns(
        moving(partial(each.bracket, PRV_COUNT, TIMED)),
        asked(other, "microsoft_many", *arguments, TIMED, PRV_ERROR),
        repetitions,
        budget,
    )
    error = excess(upper, truth(each.name, PRV_COUNT, TIMED))
    note = f"their error at 1e-10: {_signed([error])}, of a bracket {2 * PRV_ERROR:g} wide"
    return compared(name, ("dprisk", "prv_accountant"), pairs, "", note=note)


def asked(other: Other, name: str, *arguments: Any) -> Callable[[], float]:
    """Seconds of a question to the other interpreter, another turn each time."""
    turns = iter(range(1, 10**9))
    return lambda: other.ask(name, next(turns), *arguments).seconds


def _signed(errors: list[float]) -> str:
    return ", ".join(f"{e:+.1e}" + (" (BELOW the truth)" if e < 0.0 else "") for e in errors)


# --- bounds that are none ---------------------------------------------------------------------

OTHERS = (
    ("dp_accounting", "google_many", (INTERVAL,), 0),
    ("prv_accountant", "microsoft_many", (PRV_ERROR,), 2),
    ("autodp", "autodp_many", (), 0),
    ("gdpnum", "gdpnum_many", (), 0),
)


def small_delta(other: Other) -> Iterator[Result]:
    """Upper values of epsilon below the truth, for 10,000 Gaussians that are 1-GDP together."""
    name, what = "1e4 x Gaussian(100)", "upper values below the truth"
    right = {delta: truth("small delta", SMALL_COUNT, delta) for delta in SMALL_DELTAS}
    each = Workload("gaussian", SMALL_SIGMA, WORKLOADS[1].make)
    brackets = [(*each.bracket(SMALL_COUNT, delta), right[delta]) for delta in right]
    invalid = sum(excess(upper, true) < 0.0 for _, upper, true in brackets)
    held = all(holds(*one) for one in brackets)
    widest = max(upper - lower for lower, upper, _ in brackets)
    note = f"of {len(brackets)}, delta 1e-2 to 1e-30; widest bracket {widest:.1e}"
    yield Figure(f"{name}, dprisk", what, invalid, "at most", 0.0, held, note)
    for library, call, more, end in OTHERS:
        title = f"{name}, {library}"
        if not other.has(library):
            yield Skipped(title, f"{library} not installed: skipped")
            continue
        yield _invalid(other, title, (call, more, end), right)


def _invalid(
    other: Other, name: str, asking: tuple[str, tuple[float, ...], int], right: dict[float, Any]
) -> Figure:
    call, more, end = asking
    errors, raised, infinite = [], 0, 0
    for delta, true in right.items():
        try:
            found = other.ask(call, 0, "gaussian", SMALL_SIGMA, SMALL_COUNT, delta, *more)
        except Failed:
            raised += 1
            continue
        error = excess(found.value[end], true)
        infinite += not isfinite(error)
        errors.append(error)
    worst = min(errors, default=0.0)
    note = f"of {len(errors)}; worst {worst:+.1e}, infinite {infinite}, raised {raised}"
    what = "upper values below the truth"
    return Figure(name, what, float(sum(error < 0.0 for error in errors)), note=note)


__all__ = ["asked", "composition", "small_delta"]
