"""Several limits as one profile: any one of them is enough, or all of them have to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

from dprisk._checks import assign
from dprisk._numeric.logspace import Floats
from dprisk.budget.boxes import ANY, PosteriorLimit, RatioLimit
from dprisk.budget.profile import Box, Clause, Priors, Profile, crossed
from dprisk.errors import refused
from dprisk.text import english

MOST_CLAUSES = 10_000


@final
@dataclass(frozen=True)
class AnyOf(Profile):
    """The maximum of several profiles: at each pair of priors any one of them is enough.

    Parameters
    ----------
    profiles : sequence of Profile
        At least one.

    Raises
    ------
    InvalidInput
        If there is none, or one of them is not a profile.

    Notes
    -----
    Where one of them limits nothing, nothing is limited: only the priors that all of them cover
    are protected.

    Examples
    --------
    >>> from dprisk.budget import AnyOf, PosteriorLimit, RatioLimit, solve
    >>> either = AnyOf([PosteriorLimit(0.25, value_prior=1.0), RatioLimit(3.0, value_prior=1.0)])
    >>> round(solve(either).epsilon.value, 4)
    1.2993
    """

    profiles: Sequence[Profile]

    def __post_init__(self) -> None:
        assign(self, profiles=_checked(self.profiles))

    def clauses(self) -> tuple[Clause, ...]:
        lists = [profile.clauses() for profile in self.profiles]
        if np.prod([float(len(each)) for each in lists]) > MOST_CLAUSES:
            raise refused("budget.clauses", "profiles", len(lists), most=MOST_CLAUSES)
        return tuple(each for combination in product(*lists) for each in _joined(combination))

    def unprotected(self) -> tuple[str, ...]:
        return _once([each for profile in self.profiles for each in profile.unprotected()])

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.maximum.reduce([each._ratio(p, q) for each in self.profiles]))


@final
@dataclass(frozen=True)
class AllOf(Profile):
    """The minimum of several profiles: all of them have to be kept.

    Parameters
    ----------
    profiles : sequence of Profile
        At least one.

    Raises
    ------
    InvalidInput
        If there is none, or one of them is not a profile.

    Examples
    --------
    >>> from dprisk.budget import AllOf, DifferenceLimit, RatioLimit, solve
    >>> both = AllOf([RatioLimit(10.0), DifferenceLimit(0.5, value_prior=1.0)])
    >>> round(solve(both).epsilon.value, 4)
    1.1513
    """

    profiles: Sequence[Profile]

    def __post_init__(self) -> None:
        assign(self, profiles=_checked(self.profiles))

    def clauses(self) -> tuple[Clause, ...]:
        return tuple(clause for profile in self.profiles for clause in profile.clauses())

    def unprotected(self) -> tuple[str, ...]:
        lists = [profile.unprotected() for profile in self.profiles]
        if not all(lists):  # one of them protects everything
            return ()
        if len(lists) == 1:
            return lists[0]
        return tuple(
            english("budget.open.unless", number=number, of=len(lists), said=sentence)
            for number, sentences in enumerate(lists, 1)
            for sentence in sentences
        )

    def _ratio(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.minimum.reduce([each._ratio(p, q) for each in self.profiles]))


def ratio_or_posterior(
    ratio: float,
    posterior: float,
    *,
    membership_prior: Priors = ANY,
    value_prior: Priors = ANY,
) -> AnyOf:
    """A ratio for those who believe much already, a posterior for those who believe little.

    Parameters
    ----------
    ratio : float
        r: posterior over prior tolerated at any prior. [0, inf]
    posterior : float
        a: belief tolerated after the release, at any prior. [0, 1]
    membership_prior : float or pair of float
        Belief that the target is in the data: one, or the least and the largest. [0, 1]
    value_prior : float or pair of float
        Belief that the value is in the set, likewise. [0, 1]

    Returns
    -------
    AnyOf
        r* = max(a / (p q), r): Equation 13 of P3 for one membership prior, 15 for one value prior.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    References
    ----------
    .. [1] P3, Equations 13 and 15, Theorems 5 and 6.

    Examples
    --------
    >>> from dprisk.budget import ratio_or_posterior, solve
    >>> survey = ratio_or_posterior(3.0, 0.15, membership_prior=0.05)
    >>> round(solve(survey).epsilon.value, 4)
    1.2098
    """
    where: Any = {"membership_prior": membership_prior, "value_prior": value_prior}
    return AnyOf((PosteriorLimit(posterior, **where), RatioLimit(ratio, **where)))


def _checked(profiles: Any) -> tuple[Profile, ...]:
    found = tuple(profiles) if isinstance(profiles, Sequence) else (profiles,)
    wrong = [each for each in found if not isinstance(each, Profile)]
    if not found or wrong or isinstance(profiles, str):
        raise refused("budget.profiles", "profiles", profiles)
    return found


def _joined(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """One clause in the priors that all of them cover; none if there are no such priors."""
    box: Box | None = clauses[0].box
    for clause in clauses[1:]:
        box = box and crossed(box, clause.box)
    limits = tuple(limit for clause in clauses for limit in clause.limits)
    return () if box is None else (Clause(box, limits),)


def _once(sentences: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sentences))
