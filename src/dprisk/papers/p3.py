"""P3: privacy budgets from risk profiles, and its printed formulas beside the least epsilon."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from dprisk.budget import (
    PosteriorLimit,
    RatioFunction,
    RatioLimit,
    budget_curve,
    largest_epsilon,
    ratio_or_posterior,
    solve,
)
from dprisk.budget.profile import Profile
from dprisk.budget.solving import BudgetCurve
from dprisk.guarantees.convert import conversions
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.mechanisms import Geometric
from dprisk.papers.prints import Assertion, Explained, Formula
from dprisk.papers.reproduction import Made
from dprisk.risk import independent_ratio
from dprisk.table import NumberTable
from dprisk.text import english

NEIGHBORS: Final[Any] = "add-remove"
RATIOS: Final = (1.5, 3.0, 6.0)  # Example 1
POSTERIORS: Final = (0.025, 0.15, 0.3)  # Example 2
QUANTITIES: Final = ("epsilon", "standard deviation", "exact count")
PRIORS: Final = np.arange(1, 401) / 400.0


def _provider(ratio: float) -> Profile:
    """Equation 18."""
    return ratio_or_posterior(ratio, 0.25, value_prior=1.0)


def _survey(posterior: float) -> Profile:
    """Equation 19."""
    return ratio_or_posterior(3.0, posterior, membership_prior=0.05)


def figure_1() -> Made:
    first = ratio_or_posterior(3.0, 0.1, membership_prior=0.05)
    second = ratio_or_posterior(3.0, 0.1, value_prior=1.0)
    curves = {
        "Agency 1": _curve(first, "value_prior", 0.05),
        "Agency 2": _curve(second, "membership_prior", 1.0),
    }
    binding = [solve(profile).binding for profile in (first, second)]
    values, members = (each for each in binding if each is not None)
    found = {
        "Agency 2: membership prior from which nothing is limited": _unlimited(second),
        "Agency 1 binds at the value prior where its two limits meet": Formula(
            0.1 / (0.05 * 3.0), values.value_prior
        ),
        "Agency 2 binds at the membership prior where its two limits meet": Formula(
            0.1 / (1.0 * 3.0), members.membership_prior
        ),
    }
    return Made(found, _points(curves), _pictures(curves))


def _unlimited(profile: Profile) -> float:
    """The first membership prior without a limit, by bisection."""
    low, high = 0.01, 1.0
    for _ in range(60):
        middle = (low + high) / 2.0
        allowed = largest_epsilon(profile.ratio(middle, 1.0), middle, 1.0).value
        low, high = (low, middle) if math.isinf(allowed) else (middle, high)
    return high


def figure_2() -> Made:
    curves = {f"r = {r:g}": _curve(_provider(r), "membership_prior", 1.0) for r in RATIOS}
    return Made({}, _points(curves), _pictures(curves))


def figure_3() -> Made:
    curves = {f"a = {a:g}": _curve(_survey(a), "value_prior", 0.05) for a in POSTERIORS}
    return Made({}, _points(curves), _pictures(curves))


def _curve(profile: Profile, along: Any, other: float) -> BudgetCurve:
    return budget_curve(profile, along, other, PRIORS)


def _points(curves: dict[str, BudgetCurve]) -> NumberTable:
    columns: dict[str, Any] = {}
    for name, curve in curves.items():
        columns.setdefault("prior", curve.priors)
        columns[f"{name}: ratio tolerated"] = curve.ratios
        columns[f"{name}: largest epsilon"] = curve.epsilons
    return NumberTable.of(columns)


def _pictures(curves: dict[str, BudgetCurve]) -> dict[str, Callable[[], Any]]:
    """Each beside the others, so that they share their scales."""
    beside = tuple(curves.values())
    return {name: partial(_draw, curve, beside) for name, curve in curves.items()}


def _draw(curve: BudgetCurve, beside: tuple[BudgetCurve, ...]) -> Any:
    from dprisk.curves import draw_risk_profile

    return draw_risk_profile(curve, beside=beside)


def table_3() -> Made:
    return _with_noise({f"r = {r:g}": _provider(r) for r in RATIOS})


def table_4() -> Made:
    return _with_noise({f"a = {a:g}": _survey(a) for a in POSTERIORS})


def _with_noise(profiles: dict[str, Profile]) -> Made:
    """Epsilons, and the geometric mechanism that spends them on a count."""
    found: dict[str, float] = {}
    rows = []
    for name, profile in profiles.items():
        budget = solve(profile).epsilon
        noise = Geometric(scale=1.0 / budget.value, sensitivity=1, neighbors=NEIGHBORS)
        values = (budget.value, noise.noise_sd or math.nan, noise.exact_probability or 0.0)
        for what, value in zip(QUANTITIES, values, strict=True):
            found[f"{name}, {what}"] = value
        rows.append((name, *values, str(budget.theorem)))
    return Made(found, NumberTable(("profile", *QUANTITIES, "theorem"), tuple(rows)))


def section_1() -> Made:
    def census(rho: float) -> dict[str, float]:
        known = ZeroConcentratedDP(rho, neighbors="replace-one")
        return {
            way.by.name: way.guarantee.parameters["epsilon"]
            for way in conversions(known, "approximate", delta=1e-10)
        }

    ours, slip = census(2.56), census((542 / 339) ** 2)
    found = {"epsilon of the redistricting data": Explained(min(ours.values()), min(slip.values()))}
    rows = [(2.56, *row) for row in ours.items()]
    rows += [((542 / 339) ** 2, *row) for row in slip.items()]
    table = NumberTable(("rho", "conversion", "epsilon"), tuple(rows))
    return Made(found, table, remark=f"The simple conversion gives {max(ours.values()):.3f}.")


def section_3_2() -> Made:
    found: dict[str, Any] = {
        f"ratio {r:g} for all priors": float(solve(RatioLimit(r)).epsilon) for r in RATIOS
    }
    member = PosteriorLimit(1 / 3, membership_prior=0.25, value_prior=1.0)
    found["Lee and Clifton, ratio"] = Fraction(1, 3) / Fraction(1, 4)
    found["Lee and Clifton, epsilon"] = float(solve(member).epsilon)
    return Made.of(found)


def _first_case(q: float, r: float) -> float:
    """Equation 54, first case."""
    return 0.5 * math.log((1.0 - q) / (1.0 / r - q))


def _middle_case(q: float, a: float, r: float, factor: float) -> float:
    """Equations 16 and 54, middle case, with a factor under the root."""
    b = r * q - a
    root = math.sqrt(b * b + 4.0 * factor * q * (1.0 - q) * (1.0 - a))
    return math.log(2.0 * a * (1.0 - q) / (root - b))


def equation_16() -> Made:
    """Beside each formula the least epsilon of its profile, by the root that has no cases."""

    def least(q: float, a: float, r: float) -> float:
        return float(solve(ratio_or_posterior(r, a, value_prior=q)).epsilon)

    q, a, r = 0.2, 0.1, 3.0
    found = {
        "first case, Equation 16": Formula(
            0.5 * math.log((1.0 - q) / (r - q)), least(q, a, r), _first_case(q, r)
        ),
        "first case, Equation 54": Formula(_first_case(q, r), least(q, a, r)),
    }
    q = 0.5
    found["middle case"] = Formula(
        _middle_case(q, a, r, 1.0), least(q, a, r), _middle_case(q, a, r, a)
    )
    q, a = 0.1, 0.4
    alone = 0.5 * math.log(a * (1.0 - q) / (q * (1.0 - a)))
    found["a above q r"] = Formula(_first_case(q, r), least(q, a, r), alone)
    return Made.of(found)


def equation_83() -> Made:
    epsilon, p, q = 1.0, 0.5, 0.1
    x = math.exp(-2.0 * epsilon)
    lost = 1.0 / (q * p + x * (1.0 - q) * p)
    full = 1.0 / (q * p + x * (1.0 - q) * p + x * (1.0 - p))
    # what follows in the line as printed: at most e^(2 epsilon), which only the full one is
    found = {
        "a bound on the ratio": Formula(
            lost, 1.0 / (q * p * -math.expm1(-2.0 * epsilon) + x), full
        ),
        "the corollary: at most e^(2 epsilon)": Assertion(_largest_ratio(epsilon) <= 1.0 / x),
    }
    terms = {"limit": f"{1.0 / x:.4g}", "lost": f"{lost:.4g}", "full": f"{full:.4g}"}
    return Made.of(found, english("papers.p3.terms", **terms))


def _largest_ratio(epsilon: float) -> float:
    grid = np.geomspace(1e-6, 1.0, 200)
    p, q = np.meshgrid(grid, grid)
    bound = independent_ratio(PureDP(epsilon, neighbors=NEIGHBORS), p, q)
    return float(np.max(bound.upper.value))


def equation_36() -> Made:
    def tolerated(p: Any, q: Any) -> Any:
        return 1.0 + 8.0 / (3.0 * (1.0 + q))

    known = float(solve(RatioFunction(tolerated)).epsilon)
    limit = 0.5 * math.log(11.0 / 3.0)  # p = 1, q to 0, where the ratio is 11/3
    rows = []
    for least in (1e-1, 1e-2, 1e-3, 1e-6):
        grid = np.unique(np.concatenate([np.geomspace(least, 1.0, 200), [1.0]]))
        p, q = np.meshgrid(grid, grid)
        rows.append((least, float(np.min(largest_epsilon(tolerated(p, q), p, q).value))))
    attained = any(epsilon <= limit for _, epsilon in rows)
    infimum = math.isclose(known, limit, rel_tol=1e-8) and known <= limit
    found = {
        "the minimum is attained by some priors in (0, 1]": Assertion(attained, correct=infimum)
    }
    table = NumberTable(("least prior of a grid", "least epsilon on it"), (*rows, (0.0, known)))
    return Made(found, table)


def theorem_4() -> Made:
    p, q, r = 0.5, 0.8, 3.0
    under = (1.0 - p) ** 2 + 4.0 * p * (1.0 - q) * (1.0 / r - p * q)
    root = math.sqrt(under) - (1.0 - p)
    status = solve(RatioLimit(r, (p, 1.0), (q, 1.0))).status
    found = {"an epsilon for every rectangle": Assertion(root > 0.0, correct=status == "no limit")}
    table = NumberTable.of({"p": [p], "q": [q], "r": [r], "denominator of the formula": [root]})
    return Made(found, table)
