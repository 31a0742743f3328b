"""A risk profile along one prior, over both, and beside other rules for an epsilon: as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE_POSITIVE, REAL, Domain, fixed, numbers, one_of, scalar
from dprisk._numeric.logspace import Floats
from dprisk._values import members, result
from dprisk.budget.boxes import PosteriorLimit
from dprisk.budget.profile import PRIOR, Profile, largest_epsilon
from dprisk.budget.solving import Budget, solve
from dprisk.errors import InvalidInput, refused
from dprisk.text import english
from dprisk.theorems import (
    LEE_CLIFTON,
    LEE_CLIFTON_POPULATION,
    RATIO_NEVER_EXCEEDED,
    WITH_AND_WITHOUT,
    Theorem,
)

Along = Literal["membership_prior", "value_prior"]
CHANGED: Final = Domain(
    0.0, 1.0, low_open=True, high_open=True, advice="Such as 0.25 for one in four."
)
DOWN: Final = 1.0 - 2e-15  # rounding of the logarithms that give other rules' epsilons


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class BudgetCurve:
    """Tolerated ratios along one prior, and the largest epsilon at each. Made by `budget_curve`.

    Parameters
    ----------
    along : {"membership_prior", "value_prior"}
        Which prior changes.
    other_prior : float
        The other one, which stays. (0, 1]
    priors : ndarray
        The prior that changes. (0, 1]
    ratios : ndarray
        What is tolerated there; inf where nothing is limited. [0, inf]
    epsilons : ndarray
        The largest epsilon there, rounded down; inf without a limit. [0, inf], nats
    budget : Budget
        That of the whole profile: no point of the curve is below it.
    """

    along: Along
    other_prior: float
    priors: Floats
    ratios: Floats
    epsilons: Floats
    budget: Budget

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: what the figures of P3 are drawn from; infinity is None."""
        return {"schema": "dprisk/budget-curve/1", **members(self)}

    def __repr__(self) -> str:
        return f"<BudgetCurve along {self.along}: {self.priors.size} points>"


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class BudgetMap:
    """Tolerated ratios over both priors, and the largest epsilon at each. Made by `budget_map`.

    Parameters
    ----------
    membership_priors, value_priors : ndarray
        Both rising. (0, 1], shapes (m,) and (n,)
    ratios : ndarray
        What is tolerated there; inf where nothing is limited. [0, inf], shape (m, n)
    epsilons : ndarray
        The largest epsilon there, rounded down; inf without a limit. [0, inf], nats, shape (m, n)
    budget : Budget
        That of the whole profile: no point of the map is below it.
    """

    membership_priors: Floats
    value_priors: Floats
    ratios: Floats
    epsilons: Floats
    budget: Budget

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, a list for each membership prior; infinity is None."""
        return {"schema": "dprisk/budget-map/1", **members(self)}

    def __repr__(self) -> str:
        shape = "{} by {}".format(*self.ratios.shape)
        return f"<BudgetMap of {shape} pairs of priors>"


def budget_curve(
    profile: Profile,
    along: Along,
    other_prior: float = 1.0,
    priors: npt.ArrayLike | None = None,
) -> BudgetCurve:
    """A profile along one prior, with the largest epsilon at each point: Figures 1 to 3 of P3.

    Parameters
    ----------
    profile : Profile
        The ratios tolerated.
    along : {"membership_prior", "value_prior"}
        Which prior changes.
    other_prior : float
        The other one. (0, 1]
    priors : array_like of float, optional
        Where to look. (0, 1]. Left out, at 1/200, 2/200 and so on up to 1.

    Returns
    -------
    BudgetCurve
        Ratios and epsilons, and the budget of the whole profile.

    Raises
    ------
    OutOfRange
        If a prior is outside (0, 1] or NaN.
    InvalidInput
        If `along` is neither word.

    References
    ----------
    .. [1] P3, Figures 1, 2 and 3.

    Examples
    --------
    >>> from dprisk.budget import budget_curve, ratio_or_posterior
    >>> agency = ratio_or_posterior(3.0, 0.1, membership_prior=0.05)
    >>> drawn = budget_curve(agency, "value_prior", 0.05, [0.1, 0.5, 2 / 3, 1.0])
    >>> drawn.ratios.round(2).tolist(), drawn.epsilons.round(3).tolist()
    ([20.0, 4.0, 3.0, 3.0], [3.052, 1.447, 1.158, 1.21])
    """
    which = one_of("along", along, get_args(Along))
    other = scalar("other_prior", other_prior, PRIOR)
    default = np.arange(1, 201) / 200.0
    at = fixed(np.ravel(default if priors is None else numbers("priors", priors, PRIOR)))
    beside = np.full(at.shape, other)
    p, q = (at, beside) if which == "membership_prior" else (beside, at)
    ratios = fixed(profile.ratio(p, q))
    epsilons = fixed(largest_epsilon(ratios, p, q).value)
    return BudgetCurve(which, other, at, ratios, epsilons, solve(profile))


def budget_map(
    profile: Profile,
    membership_priors: npt.ArrayLike | None = None,
    value_priors: npt.ArrayLike | None = None,
) -> BudgetMap:
    """A profile over both priors, with the largest epsilon at each pair.

    Parameters
    ----------
    profile : Profile
        The ratios tolerated.
    membership_priors, value_priors : array_like of float, optional
        Where to look, each rising. (0, 1]. Left out, at 1/100, 2/100 and so on up to 1.

    Returns
    -------
    BudgetMap
        Ratios and epsilons, and the budget of the whole profile with the pair at which it binds.

    Raises
    ------
    OutOfRange
        If a prior is outside (0, 1] or NaN.
    InvalidInput
        If priors are not a rising list.

    References
    ----------
    .. [1] P3, Section 3 and Theorem 2.

    Examples
    --------
    >>> from dprisk.budget import budget_map, ratio_or_posterior
    >>> drawn = budget_map(ratio_or_posterior(3.0, 0.25), [0.1, 1.0], [0.1, 1.0])
    >>> drawn.epsilons.round(3).tolist()
    [[3.405, 1.35], [0.675, inf]]
    """
    p = _rising("membership_priors", membership_priors)
    q = _rising("value_priors", value_priors)
    ratios = fixed(profile.ratio(p[:, None], q[None, :]))
    epsilons = fixed(largest_epsilon(ratios, p[:, None], q[None, :]).value)
    return BudgetMap(p, q, ratios, epsilons, solve(profile))


def _rising(name: str, priors: npt.ArrayLike | None) -> Floats:
    default = np.arange(1, 101) / 100.0
    found = fixed(default if priors is None else numbers(name, priors, PRIOR))
    if found.ndim != 1 or found.size == 0 or np.any(np.diff(found) <= 0.0):
        raise refused("errors.rising", name, priors, least=1)
    return found


# --- other rules (P3, Section 5) -----------------------------------------------------------------


@final
@result
@dataclass(frozen=True, repr=False)
class ChosenEpsilon:
    """The epsilon at which one rule arrives. Made by `compare`.

    Parameters
    ----------
    name : str
        Whose rule it is.
    epsilon : float
        What it allows. [0, inf], nats
    holds_for : str
        For whom and for what it holds.
    theorem : Theorem
        Where it comes from.
    """

    name: str
    epsilon: float
    holds_for: str
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; an infinite epsilon is None."""
        return members(self, "name", "epsilon", "holds_for", "theorem", "theorem.citation")


def compare(
    prior: float,
    posterior: float,
    *,
    profile: Profile | None = None,
    factor: float | None = None,
) -> tuple[ChosenEpsilon, ...]:
    """The epsilons by which a belief of `prior` grows to `posterior` at most, by several rules.

    Parameters
    ----------
    prior : float
        Belief before the release; 1/n in the case of Lee and Clifton, with n people. (0, 1)
    posterior : float
        Largest belief tolerated after it. [prior, 1)
    profile : Profile, optional
        Ours. Left out, it is this one limit on membership, with the value known.
    factor : float, optional
        The factor of Lee and Clifton for their population, as `population_factor` computes it.
        (0, inf)

    Returns
    -------
    tuple of ChosenEpsilon
        Ours first. They answer different questions, so `holds_for` has to be read with each.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    References
    ----------
    .. [1] P3, Section 5.

    Examples
    --------
    >>> from dprisk.budget import compare
    >>> for rule in compare(0.25, 1 / 3):
    ...     print(f"{rule.epsilon:.4f} {rule.name}")
    0.4055 this profile
    0.1438 half the logarithm of the ratio
    0.4055 Lee and Clifton without their factor
    0.2027 Wood et al.
    """
    p = scalar("prior", prior, CHANGED)
    a = scalar("posterior", posterior, Domain(p, 1.0, high_open=True))
    asked = PosteriorLimit(a, membership_prior=p, value_prior=1.0) if profile is None else profile
    ours = solve(asked).epsilon
    shift = float(np.log1p((a - p) / (p * (1.0 - a)))) * DOWN
    naive = float(np.log1p((a - p) / p)) / 2.0 * DOWN
    found = [
        ("profile", float(ours), ours.theorem),
        ("naive", naive, RATIO_NEVER_EXCEEDED),
        ("lee", shift, LEE_CLIFTON),
    ]
    if factor is not None:
        scaled = scalar("factor", factor, FINITE_POSITIVE) * shift
        found.append(("scaled", scaled, LEE_CLIFTON_POPULATION))
    found.append(("wood", shift / 2.0, WITH_AND_WITHOUT))
    return tuple(
        ChosenEpsilon(
            english(f"budget.rule.{key}"), value, english(f"budget.rule.{key}.for"), theorem
        )
        for key, value, theorem in found
    )


def population_factor(
    population: npt.ArrayLike, statistic: Callable[[npt.NDArray[np.float64]], float]
) -> float:
    """The factor by which Lee and Clifton change epsilon for one statistic of one population.

    Parameters
    ----------
    population : array_like of float
        The value of each of n people, all of them public. (-inf, inf)
    statistic : callable
        From the values of a part of them to the number that is released.

    Returns
    -------
    float
        Most by which leaving out a second person changes the statistic, over most by which it
        differs between leaving out one person and leaving out another. [0, inf]

    Raises
    ------
    InvalidInput
        If there are fewer than 3 or more than 2,000 people, or everybody is alike to the statistic.

    References
    ----------
    .. [1] P3, Equations 42 to 44.

    Examples
    --------
    >>> import numpy as np
    >>> from dprisk.budget import population_factor
    >>> round(population_factor([1, 2, 3, 10], np.mean), 4)
    0.9444
    """
    values = np.ravel(numbers("population", population, REAL))
    if not 3 <= values.size <= 2_000:  # all pairs are gone through
        fix = "Give the value of each person."
        raise InvalidInput("population", values.size, "3 to 2000 people", fix)
    one = [float(statistic(np.delete(values, i))) for i in range(values.size)]
    spread = max(one) - min(one)
    if spread == 0.0:
        fix = "This statistic never changes when someone is left out: there is no factor."
        raise InvalidInput("statistic", statistic, "one that tells people apart", fix)
    changes = []
    for i, j in combinations(range(values.size), 2):
        two = float(statistic(np.delete(values, [i, j])))
        changes += [abs(one[i] - two), abs(one[j] - two)]
    return max(changes) / spread
