"""Other ways to an epsilon, side by side with ours (P3, Section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE_POSITIVE, REAL, Domain, numbers, scalar
from dprisk._values import members, result
from dprisk.budget.boxes import PosteriorLimit
from dprisk.budget.profile import Profile
from dprisk.budget.solving import solve
from dprisk.errors import refused
from dprisk.text import english
from dprisk.theorems import (
    LEE_CLIFTON,
    LEE_CLIFTON_POPULATION,
    RATIO_NEVER_EXCEEDED,
    WITH_AND_WITHOUT,
    Theorem,
)

BELIEF = Domain(0.0, 1.0, low_open=True, high_open=True, advice=english("budget.fix.compared"))
DOWN = 1.0 - 2e-15  # rounding of the logarithms below
MOST_PEOPLE = 2_000  # whose pairs are gone through


@final
@result
@dataclass(frozen=True, repr=False)
class ChosenEpsilon:
    """What one way to choose epsilon arrives at. Made by `compare`.

    Parameters
    ----------
    name : str
        Whose it is.
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
        """Plain data for JSON.

        Returns
        -------
        dict
            An infinite epsilon is None.
        """
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
    p = scalar("prior", prior, BELIEF)
    a = scalar("posterior", posterior, Domain(p, 1.0, high_open=True))
    asked = PosteriorLimit(a, membership_prior=p, value_prior=1.0) if profile is None else profile
    budget = solve(asked)
    shift = float(np.log1p((a - p) / (p * (1.0 - a)))) * DOWN
    ours, naive = float(budget.epsilon), float(np.log1p((a - p) / p)) / 2.0 * DOWN
    found = [
        ("profile", ours, budget.epsilon.theorem),
        ("naive", naive, RATIO_NEVER_EXCEEDED),
        ("lee", shift, LEE_CLIFTON),
    ]
    if factor is not None:
        scaled = scalar("factor", factor, FINITE_POSITIVE) * shift
        found.append(("scaled", scaled, LEE_CLIFTON_POPULATION))
    return tuple(
        ChosenEpsilon(
            english(f"budget.rule.{key}"), epsilon, english(f"budget.rule.{key}.for"), theorem
        )
        for key, epsilon, theorem in (*found, ("wood", shift / 2.0, WITH_AND_WITHOUT))
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
    if not 3 <= values.size <= MOST_PEOPLE:
        raise refused("budget.people", "population", values.size, most=MOST_PEOPLE)
    without_one = [float(statistic(np.delete(values, i))) for i in range(values.size)]
    spread = max(without_one) - min(without_one)
    if spread == 0.0:
        raise refused("budget.factor", "statistic", statistic)
    return _largest_change(values, statistic, without_one) / spread


def _largest_change(
    values: npt.NDArray[np.float64],
    statistic: Callable[[npt.NDArray[np.float64]], float],
    without_one: Sequence[float],
) -> float:
    changes = []
    for i, j in combinations(range(values.size), 2):
        without_two = float(statistic(np.delete(values, [i, j])))
        changes += [abs(without_one[i] - without_two), abs(without_one[j] - without_two)]
    return max(changes)
