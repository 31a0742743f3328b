"""A risk profile over both priors, and what it allows at each pair: data, not ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import fixed, numbers
from dprisk._numeric.logspace import Floats
from dprisk._values import members, result
from dprisk.budget.formula import PRIOR, largest_epsilon
from dprisk.budget.profile import Profile
from dprisk.budget.solving import Budget, solve
from dprisk.errors import refused

MAP: Final = "dprisk/budget-map/1"
DEFAULT: Final = np.arange(1, 101) / 100.0


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
        """Plain data for JSON, and for the table behind a figure.

        Returns
        -------
        dict
            Infinite ratios and epsilons are None; one list for each membership prior.
        """
        shown = members(self, "membership_priors", "value_priors", "ratios", "epsilons", "budget")
        return {"schema": MAP, **shown}

    def __repr__(self) -> str:
        shape = "{} by {}".format(*self.ratios.shape)
        return f"<BudgetMap of {shape} pairs of priors>"


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
    found = fixed(DEFAULT if priors is None else numbers(name, priors, PRIOR))
    if found.ndim != 1 or found.size == 0 or np.any(np.diff(found) <= 0.0):
        raise refused("errors.rising", name, priors, least=1)
    return found
