"""A risk profile along one prior, and what it allows at each point: data, not ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import fixed, numbers, one_of, scalar
from dprisk._numeric.logspace import Floats
from dprisk._values import members, result
from dprisk.budget.formula import PRIOR, largest_epsilon
from dprisk.budget.profile import Profile
from dprisk.budget.solving import Budget, solve

CURVE = "dprisk/budget-curve/1"

Along = Literal["membership_prior", "value_prior"]
ALONG: Final[tuple[Along, ...]] = get_args(Along)


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
        """Plain data for JSON: what the figures of P3 are drawn from.

        Returns
        -------
        dict
            Infinite ratios and epsilons are None.
        """
        shown = members(self, "along", "other_prior", "priors", "ratios", "epsilons", "budget")
        return {"schema": CURVE, **shown}

    def __repr__(self) -> str:
        return f"<BudgetCurve along {self.along}: {self.priors.size} points>"


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
    which = one_of("along", along, ALONG)
    other = scalar("other_prior", other_prior, PRIOR)
    default = np.arange(1, 201) / 200.0
    at = fixed(np.ravel(default if priors is None else numbers("priors", priors, PRIOR)))
    beside = np.full(at.shape, other)
    p, q = (at, beside) if which == "membership_prior" else (beside, at)
    ratios = fixed(profile.ratio(p, q))
    epsilons = fixed(largest_epsilon(ratios, p, q).value)
    return BudgetCurve(which, other, at, ratios, epsilons, solve(profile))
