"""P0: what approximate DP, alone and composed, says about membership."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from dprisk.composition import compose
from dprisk.composition.theorems import advanced, optimal_lattice
from dprisk.curves import ladder
from dprisk.curves.rungs import Ladder
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.papers.prints import Assertion, Explained
from dprisk.papers.reproduction import Made
from dprisk.risk.posterior import Disclosure, disclosure
from dprisk.table import NumberTable
from dprisk.text import english
from dprisk.theorems import Theorem

NEIGHBORS: Final[Any] = "add-remove"
QUERY: Final = 0.05
DELTA: Final = 1e-6
COMPOSED: Final = Theorem("P0", "Theorem 2.8", "how epsilon grows with releases")
ALLOWED: Final = 0.2  # Example 4.2
MONTHS: Final = 12
PRIORS: Final = np.linspace(0.005, 0.995, 199)
DAYS: Final = sorted({1, 2, 3, 4, 5, *range(7, 63, 5), 30, 58, *range(70, 366, 25), 201, 202, 365})


def figure_1() -> Made:
    known = ApproxDP(1.0, DELTA, neighbors=NEIGHBORS)
    failure = np.geomspace(1.02e-6, 1.0, 241)
    after = known.loss_bound(failure)
    found = {
        f"epsilon' at delta' = {chance}": known.loss_bound(chance).value for chance in (0.05, 0.01)
    }
    table = NumberTable.of({"delta'": failure, "epsilon', at most": after.value})

    def draw() -> Any:
        from dprisk.curves import draw_lines, guarantee_line

        return draw_lines(guarantee_line(known, "loss", failure, name="Theorem 3.9"))

    return Made(found, table, {"": draw})


@cache
def _queries(delta: float = DELTA) -> Ladder:
    return ladder(PureDP(QUERY, neighbors=NEIGHBORS), range(1, 121), delta=delta, confidence=0.95)


def figure_2() -> Made:
    """Before the step from epsilon to epsilon' (P0, Theorem 2.8)."""
    numbers = np.arange(1, 121)
    basic = QUERY * numbers
    climbing = np.array([advanced([QUERY], [0.0], [k], DELTA)[0] for k in numbers.tolist()])
    lattice = np.array([optimal_lattice(k, QUERY, DELTA) for k in numbers.tolist()])
    exact = [
        compose([PureDP(QUERY, neighbors=NEIGHBORS)], [k], rule="optimal").guarantee.epsilon(DELTA)
        for k in numbers.tolist()
    ]
    totals = {
        "basic": basic,
        "advanced": climbing,
        "optimal, on its lattice": lattice,
        "exact curve": np.array([float(each) for each in exact]),
    }

    def draw() -> Any:
        from dprisk.curves.rungs import draw_totals

        return draw_totals(numbers.tolist(), totals, DELTA, [COMPOSED])

    worse = int(np.sum(climbing > basic))
    remark = (
        f"For up to {worse} releases, advanced composition is worse than basic "
        "composition. Take the smaller of the two bounds."
    )
    return Made({}, NumberTable.of({"k": numbers, **totals}), {"": draw}, remark)


def figure_3() -> Made:
    made = _queries()
    first = made.until(0.8)
    slip = _first_without_the_step()
    found = {
        "first k above 80%, basic composition": first["basic"],
        "first k above 80%, advanced composition": Explained(first["advanced"], slip[0]),
        "first k above 80%, optimal composition": Explained(first["optimal"], slip[1]),
    }
    promise = PureDP(QUERY, neighbors=NEIGHBORS)
    longer = ladder(promise, [200], confidence=0.95).until(0.8)["exact curve"]
    remark = f"The exact curve, read at the best delta, first exceeds 80% at k = {longer}."
    return Made(found, _rungs(made, "k"), {"": _drawn(made, 0.8)}, remark)


def _first_without_the_step() -> tuple[int, int]:
    """Origin of the printed 51 and 96: delta = 1e-3, and log-odds of epsilon itself."""
    odds = math.log(4.0)
    by_advanced = (advanced([QUERY], [0.0], [k], 1e-3, form="tanh")[0] for k in range(1, 200))
    by_optimal = (optimal_lattice(k, QUERY, 1e-3) for k in range(1, 200))
    first, second = (
        next(k for k, bound in enumerate(bounds, 1) if bound > odds)
        for bounds in (by_advanced, by_optimal)
    )
    return first, second


@cache
def _days(metric: Any) -> Ladder:
    daily = ZeroConcentratedDP(0.01, neighbors=NEIGHBORS)
    return ladder(daily, DAYS, confidence=0.99, metric=metric)


def _after(made: Ladder, day: int) -> float:
    """The bound of the paper: the simple conversion, at the delta that is best that day."""
    return float(made.rung("simple conversion").values[made.releases.index(day)])


def figure_4() -> Made:
    made = _days("posterior")
    found = {
        "after 7 days": _after(made, 7),
        "after 30 days": _after(made, 30),
        "first day above 99%": made.until(0.99)["simple conversion"],
    }
    return Made(found, _rungs(made, "day"), {"": _drawn(made, 0.99)}, _later(made, 0.99))


def figure_5() -> Made:
    made = _days("difference")
    found: dict[str, Any] = {"first day above 98%": made.until(0.98)["simple conversion"]}
    for day in (7, 30, 202):
        change = _after(made, day)  # from (1 - d)/2 to (1 + d)/2 (P0, Lemma 3.4)
        found[f"after {day} days"] = change
        found[f"after {day} days, from"] = (1.0 - change) / 2.0
        found[f"after {day} days, to"] = (1.0 + change) / 2.0
    del found["after 202 days"]
    return Made(found, _rungs(made, "day"), {"": _drawn(made, 0.98)}, _later(made, 0.98))


def _later(made: Ladder, limit: float) -> str:
    first = made.until(limit)
    days = {"curve": first["zCDP curve"], "normal": first["Gaussian noise"]}
    return english("papers.p0.later", limit=f"{limit:.0%}", **days)


def _rungs(made: Ladder, number: str) -> NumberTable:
    columns: dict[str, Any] = {number: made.releases}
    for rung in made.rungs:
        if rung.lower is not None and not np.array_equal(rung.lower, rung.values):
            columns[f"{rung.name}, at least"] = rung.lower
        columns[f"{rung.name}, at most"] = rung.values
    return NumberTable.of(columns)


def _drawn(made: Ladder, limit: float) -> Callable[[], Any]:
    def draw() -> Any:
        from dprisk.curves import draw_ladder

        return draw_ladder(made, limit=limit)

    return draw


# --- Section 4.4 and the examples ----------------------------------------------------------------


def _moved(epsilon: float, delta: float, confidence: float) -> Disclosure:
    return disclosure(ApproxDP(epsilon, delta, neighbors=NEIGHBORS), confidence=confidence)


def _company() -> Disclosure:
    return _moved(1.8, 1e-5, 0.95)


def figure_6() -> Made:
    moved = _company()
    present, absent = moved.ratio(PRIORS), moved.ratio_not(PRIORS)
    half = moved.ratio(0.5)
    found = {
        "largest ratio as the prior goes to 0": moved.ratio(0.0).upper.value,
        "prior at which the ratio nears e^epsilon'": moved.worst_prior("ratio").upper.value,
        "description of the figure, prior 0.5: at least": half.lower.value,
        "description of the figure, prior 0.5: at most": half.upper.value,
    }
    table = NumberTable.of(
        {
            "prior": PRIORS,
            "in the data, at least": present.lower.value,
            "in the data, at most": present.upper.value,
            "not in the data, at least": absent.lower.value,
            "not in the data, at most": absent.upper.value,
        }
    )
    return Made(found, table, {"": _over_priors(metric="ratio", opposite=True)})


def figure_7() -> Made:
    moved, read = _company(), _moved(2.0, 1e-6, 0.99)
    change = moved.difference(PRIORS)
    worst, other = moved.worst_prior("difference"), read.worst_prior("difference")
    where = "worst prior that the text reads from the figure"
    found = {
        where: Explained(worst.upper.value, other.upper.value),
        f"the other {where.replace('the figure', 'it')}": Explained(
            worst.lower.value, other.lower.value
        ),
        "largest change that the text reads from it": Explained(
            moved.difference().upper.value, read.difference().upper.value
        ),
    }
    table = NumberTable.of(
        {"prior": PRIORS, "at least": change.lower.value, "at most": change.upper.value}
    )
    return Made(found, table, {"": _over_priors(metric="difference")})


def _over_priors(**options: Any) -> Callable[[], Any]:
    def draw() -> Any:
        from dprisk.curves import beliefs, draw_beliefs

        return draw_beliefs(beliefs(_company(), PRIORS), **options)

    return draw


def example_1_1() -> Made:
    pure: Guarantee = PureDP(0.1, neighbors=NEIGHBORS)
    promised, moved = disclosure(pure).posterior(0.5), _moved(0.1, 1e-7, 0.99)
    changed = disclosure(pure, secret="attribute").posterior(0.5)
    after = moved.posterior(0.5)
    found = {
        "prior 50%, delta = 0: at least": promised.lower.value,
        "prior 50%, delta = 0: at most": promised.upper.value,
        "prior 50%, delta = 1e-7: at least": after.lower.value,
        "prior 50%, delta = 1e-7: at most": after.upper.value,
        "largest factor upwards": moved.ratio().upper.value,
        "largest factor downwards": moved.ratio().lower.value,
        "largest change": moved.difference().upper.value,
        "prior 50%, both counts published: at most": Explained(
            changed.upper.value, promised.upper.value
        ),
    }
    return Made.of(found)


def example_4_2() -> Made:
    total = 2.0 * math.log((1.0 + ALLOWED) / (1.0 - ALLOWED))  # P0, Corollary 3.12(2)
    budget = _budget(total, DELTA, 0.01)
    pure = total / MONTHS
    composed = _largest_each(budget)
    more = disclosure(PureDP(1.01 * total, neighbors=NEIGHBORS)).difference().upper.value
    less = disclosure(PureDP(0.99 * total, neighbors=NEIGHBORS)).difference().upper.value
    lattice = budget / (MONTHS - 2 * 3)
    found = {
        "epsilon' of the change": total,
        "epsilon in all": budget,
        "a total of at least that epsilon keeps the limit": Assertion(
            more <= ALLOWED, correct=less <= ALLOWED < more
        ),
        "epsilon a month, optimal composition": Explained(composed, lattice),
        "epsilon a month, pure DP and basic composition": pure,
        "gain over pure DP, as a factor": Explained(composed / pure, lattice / pure),
    }
    return Made.of(found)


def _budget(shift: float, delta: float, failure: float) -> float:
    """The epsilon that Theorem 3.9 turns into a shift of the log-odds."""
    return math.log((math.exp(shift) * (failure - delta) - delta) / failure)


def _largest_each(budget: float) -> float:
    """The largest epsilon a month whose exact composition keeps the budget, from below."""
    low, high = 0.0, budget
    for _ in range(30):
        middle = (low + high) / 2.0
        monthly = ApproxDP(middle, 1e-8, neighbors=NEIGHBORS)
        kept = compose([monthly], [MONTHS]).guarantee.epsilon(DELTA).value <= budget
        low, high = (middle, high) if kept else (low, middle)
    return low


def example_4_3() -> Made:
    moved = _company()
    found: dict[str, float] = {}
    worst = moved.worst_prior("difference").upper.value
    for name, prior in (("prior 50%", 0.5), ("prior 10%", 0.1), ("worst prior", worst)):
        for metric in ("posterior", "difference", "ratio"):
            found[f"{name}, {metric}"] = getattr(moved, metric)(prior).upper.value
    found["worst prior"] = worst
    return Made.of(found)


def section_4_4() -> Made:
    moved = _moved(2.0, 1e-6, 0.99)
    worst = moved.worst_prior("difference")
    found = {
        "worst prior": worst.upper.value,
        "the other one": worst.lower.value,
        "largest change": moved.difference().upper.value,
    }
    return Made.of(found)
