"""Adversaries to whom records are independent, and the comparison with and without one's data."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import STEPS, odds, posteriors, stay
from dprisk._numeric.rounding import down, up
from dprisk.answer import Answer, settled
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.words import in_words
from dprisk.risk.posterior import Interval
from dprisk.text import english
from dprisk.theorems import TARGET_RATIO, WITH_AND_WITHOUT, Theorem

INDEPENDENT = tuple(
    english(f"assumptions.independent.{what}") for what in ("pure", "target", "mechanism")
)
PARTICIPATION = (
    english("assumptions.independent.pure"),
    english("assumptions.independent.compared"),
    english("assumptions.knows.wrong-prior"),
)


def independent_ratio(
    guarantee: Guarantee, membership_prior: npt.ArrayLike, value_prior: npt.ArrayLike
) -> Interval:
    """Posterior over prior belief that a target is in the data *and* has a value in some set.

    Parameters
    ----------
    guarantee : Guarantee
        For add-remove neighbors; the theorem is about pure DP, so its epsilon at delta 0 counts.
    membership_prior : array_like of float
        p: belief that the target is in the data. [0, 1]
    value_prior : array_like of float
        q: belief that the value is in the set, given that the target is in the data. [0, 1]

    Returns
    -------
    Interval
        At most 1 / (q p + e^(-2 epsilon) (1 - q) p + e^-epsilon (1 - p)), at least the same with
        epsilon negated; upper and lower bounds of the broadcast shape.

    Raises
    ------
    Meaningless
        If the guarantee implies no pure DP for add-remove neighbors.
    OutOfRange
        If a prior is outside [0, 1] or NaN.

    Notes
    -----
    Equation 83 of P3 lacks the term e^(-2 epsilon) (1 - p); the theorem itself is right. At q = 1
    it is the informed adversary's membership bound, at p = 1 that of Wood et al.

    References
    ----------
    .. [1] P3, Theorem 1.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.risk import independent_ratio
    >>> ratio = independent_ratio(PureDP(1.0, neighbors="add-remove"), 0.05, 0.1)
    >>> round(ratio.upper.value, 3)
    2.773
    """
    epsilon = _pure_epsilon(guarantee)
    p, q = np.broadcast_arrays(
        numbers("membership_prior", membership_prior, PROBABILITY),
        numbers("value_prior", value_prior, PROBABILITY),
    )
    low, high = _ratios(p, q, epsilon)
    return _interval(low, high, TARGET_RATIO, INDEPENDENT)


def independent_posterior(
    guarantee: Guarantee, membership_prior: npt.ArrayLike, value_prior: npt.ArrayLike
) -> Interval:
    """Posterior belief that a target is in the data *and* has a value in some set.

    Parameters
    ----------
    guarantee : Guarantee
        For add-remove neighbors, with a finite epsilon at delta 0.
    membership_prior : array_like of float
        p: belief that the target is in the data. [0, 1]
    value_prior : array_like of float
        q: belief that the value is in the set, given that the target is in the data. [0, 1]

    Returns
    -------
    Interval
        The prior p q times `independent_ratio`; upper and lower bounds in [0, 1].

    Raises
    ------
    Meaningless, OutOfRange
        As `independent_ratio` does.

    References
    ----------
    .. [1] P3, Theorem 1.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.risk import independent_posterior
    >>> belief = independent_posterior(PureDP(1.0, neighbors="add-remove"), 1.0, 0.1)
    >>> round(belief.upper.value, 3)
    0.451
    """
    ratio = independent_ratio(guarantee, membership_prior, value_prior)
    p, q = np.broadcast_arrays(
        np.asarray(membership_prior, dtype=float), np.asarray(value_prior, dtype=float)
    )
    joint, certain = p * q, np.isin(p, (0.0, 1.0)) | np.isin(q, (0.0, 1.0))
    more, less = np.maximum(p, q), np.minimum(p, q)  # in this order nothing is lost below 1e-308
    low, high = np.asarray(ratio.lower.value), np.asarray(ratio.upper.value)
    with np.errstate(invalid="ignore"):
        low = down(more * (less * low), False, 4)
        high = np.where(np.isinf(high), 1.0, up(more * (less * high), False, 4))
    still = certain & ((joint == 0.0) | (joint == 1.0) | (_pure_epsilon(guarantee) == 0.0))
    high = np.where(still, joint, np.minimum(high, 1.0))
    return _interval(np.where(still, joint, low), high, TARGET_RATIO, INDEPENDENT)


def with_participation(guarantee: Guarantee, without: npt.ArrayLike) -> Interval:
    """Belief drawn from results made with one's data, from the belief drawn without it.

    Parameters
    ----------
    guarantee : Guarantee
        For add-remove neighbors, with a finite epsilon at delta 0.
    without : array_like of float
        What the adversary would conclude from the same release made without the data. [0, 1]

    Returns
    -------
    Interval
        At most a / (a + e^(-2 epsilon) (1 - a)), at least the same with epsilon negated.

    Raises
    ------
    Meaningless
        If the guarantee implies no pure DP for add-remove neighbors.
    OutOfRange
        If `without` is outside [0, 1] or NaN.

    References
    ----------
    .. [1] Wood et al., as corrected in P3, Equation 45, for records that are independent to the
       adversary; dprisk, Proposition 13, for any beliefs.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.risk import with_participation
    >>> round(with_participation(PureDP(0.5, neighbors="add-remove"), 0.1).upper.value, 3)
    0.232
    """
    epsilon = _pure_epsilon(guarantee)
    a = numbers("without", without, PROBABILITY)
    low, high = posteriors(a, stay(np.asarray(2.0 * epsilon)))
    return _interval(low, high, WITH_AND_WITHOUT, PARTICIPATION)


def _interval(low: Floats, high: Floats, theorem: Theorem, lines: tuple[str, ...]) -> Interval:
    lower = Answer(settled(low, low.shape), "lower", theorem, lines)
    return Interval(lower, Answer(settled(high, high.shape), "upper", theorem, lines))


def _pure_epsilon(guarantee: Guarantee) -> float:
    """The epsilon of the pure DP that it implies, which may be infinite if it says so itself."""
    epsilon = float(guarantee.epsilon(0.0))
    known = epsilon < np.inf or "pure" in guarantee.additive_parameters
    if known and guarantee.neighbors == "add-remove":
        return epsilon
    raise Meaningless(
        "This theorem is about pure DP with add-remove neighbors, and "
        f"{in_words(guarantee)} does not imply any.",
        "For other guarantees ask for the informed adversary (disclosure).",
    )


def _ratios(p: Floats, q: Floats, epsilon: float) -> tuple[Floats, Floats]:
    """P3, Theorem 1, with both ends over e^-epsilon; it is taken too small, which suits both."""
    x = odds(np.asarray(epsilon))[0]
    other, out = (1.0 - q) * p, 1.0 - p
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        far = np.where(other > 0.0, other / x, 0.0)
        low = down(x / (q * p * x + far + out), False, STEPS)
        high = up(1.0 / down(q * p + x * (x * other + out), False, STEPS), False, 2)
    still = (epsilon == 0.0) | ((p == 1.0) & (q == 1.0))
    return np.where(still, 1.0, low), np.where(still, 1.0, high)
