"""Closed forms beside the informed adversary: converses, and records that are independent."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dprisk._checks import INSIDE, PROBABILITY, Domain, complement, numbers, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import STEPS, in_both, odds, posteriors, stay
from dprisk._numeric.rounding import down, up
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.guarantees.words import in_words
from dprisk.risk.adversary import CONFIDENCE_FIX
from dprisk.risk.posterior import Interval, between
from dprisk.text import english
from dprisk.theorems import TARGET_RATIO, WITH_AND_WITHOUT

CHANCE = Domain(0.0, 1.0, low_open=True)
SHARE = Domain(0.0, 1.0, high_open=True)


def implied_by_posterior(
    prior: float, posterior: float, *, confidence: float = 1.0, neighbors: Neighbors
) -> ProbabilisticDP:
    """Guarantee implied when no posterior leaves its interval, at this prior and all others.

    Parameters
    ----------
    prior : float
        Belief before the release. (0, 1)
    posterior : float
        Upper end of the interval there; elsewhere the odds shift alike, and the lower end opposite.
        [prior, 1)
    confidence : float
        Probability with which it holds, under both hypotheses. (0, 1]
    neighbors : {"add-remove", "replace-one"}
        The relation of which one step lies between the two hypotheses.

    Returns
    -------
    ProbabilisticDP
        Two-sided, and equivalent to the bound (exact, epsilon rounded up).

    References
    ----------
    .. [1] P0, Theorem 3.2 and Corollary 3.10(1).

    Examples
    --------
    >>> from dprisk.risk import implied_by_posterior
    >>> round(implied_by_posterior(0.5, 0.75, neighbors="add-remove").parameters["epsilon"], 6)
    1.098612
    """
    p = scalar("prior", prior, INSIDE)
    x = scalar("posterior", posterior, Domain(p, 1.0, high_open=True))
    gained = np.asarray(x - p)
    with np.errstate(over="ignore"):
        grown = np.log1p(gained / p)  # of the belief, and of the belief that it is not so
    grown = np.where(np.isfinite(grown), grown, np.log(x) - np.log(p))
    epsilon = np.where(x == p, 0.0, up(grown + np.log1p(gained / (1.0 - x))))
    return ProbabilisticDP(float(epsilon), _failure(confidence), neighbors=neighbors)


def implied_by_ratio(
    ratio: float, *, confidence: float = 1.0, neighbors: Neighbors
) -> ProbabilisticDP:
    """Guarantee implied when posterior over prior stays within [1 / ratio, ratio] at every prior.

    Parameters
    ----------
    ratio : float
        Largest factor. [1, inf)
    confidence : float
        Probability with which it holds, under both hypotheses. (0, 1]
    neighbors : {"add-remove", "replace-one"}
        The relation of which one step lies between the two hypotheses.

    Returns
    -------
    ProbabilisticDP
        Two-sided with epsilon = log(ratio), rounded up, and equivalent to the bound (exact).

    References
    ----------
    .. [1] P0, Theorem 3.3 and Corollary 3.11(1).

    Examples
    --------
    >>> from dprisk.risk import implied_by_ratio
    >>> implied_by_ratio(1.0, neighbors="add-remove").parameters["epsilon"]
    0.0
    """
    r = scalar("ratio", ratio, Domain(1.0, np.inf, high_open=True))
    epsilon = up(np.log(r)) if r > 1.0 else 0.0
    return ProbabilisticDP(float(epsilon), _failure(confidence), neighbors=neighbors)


def implied_by_difference(
    difference: float, *, confidence: float = 1.0, neighbors: Neighbors
) -> tuple[ProbabilisticDP, ...]:
    """Guarantees implied when the belief moves by at most a difference at every prior.

    Parameters
    ----------
    difference : float
        Largest absolute change of the belief. [0, 1)
    confidence : float
        Probability with which it holds, under both hypotheses. (0, 1]
    neighbors : {"add-remove", "replace-one"}
        The relation of which one step lies between the two hypotheses.

    Returns
    -------
    tuple of ProbabilisticDP
        Both hold. First (epsilon, 2 delta) with epsilon = 2 log((1 + d) / (1 - d)); then, only for
        d < 1/2, which the paper does not say, (log((1 + 2 d) / (1 - 2 d)), delta). Upper bounds:
        the price is real (P0, Example A.1).

    References
    ----------
    .. [1] P0, Theorem 3.5(2) and Corollary 3.12(1).

    Examples
    --------
    >>> from dprisk.risk import implied_by_difference
    >>> implied = implied_by_difference(0.2, neighbors="add-remove")
    >>> [round(guarantee.parameters["epsilon"], 3) for guarantee in implied]
    [0.811, 0.847]
    """
    d = scalar("difference", difference, SHARE)
    delta = _failure(confidence)
    epsilon = 2.0 * _log_odds(d)
    implied = [ProbabilisticDP(epsilon, min(2.0 * delta, 1.0), neighbors=neighbors)]
    if d < 0.5:
        implied.append(ProbabilisticDP(_log_odds(2.0 * d), delta, neighbors=neighbors))
    return tuple(implied)


def _log_odds(d: float) -> float:
    """log((1 + d) / (1 - d)), at least."""
    return float(up(np.log1p(d) - np.log1p(-d))) if d > 0.0 else 0.0


def _failure(confidence: float) -> float:
    return float(complement(scalar("confidence", confidence, CHANCE, CONFIDENCE_FIX)))


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
        epsilon negated (Equation 83 of P3 lacks the factor 1 - p; the theorem is right).

    Raises
    ------
    Meaningless
        If the guarantee implies no pure DP for add-remove neighbors.

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
    return between(low, high, TARGET_RATIO, INDEPENDENT)


def independent_posterior(
    guarantee: Guarantee, membership_prior: npt.ArrayLike, value_prior: npt.ArrayLike
) -> Interval:
    """Posterior belief that a target is in the data *and* has a value in some set.

    Parameters
    ----------
    guarantee : Guarantee
        For add-remove neighbors, with a finite epsilon at delta 0.
    membership_prior, value_prior : array_like of float
        As for `independent_ratio`. [0, 1]

    Returns
    -------
    Interval
        The prior p q times `independent_ratio`, in [0, 1].

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
    low, high = in_both(p, q, np.asarray(ratio.lower.value), np.asarray(ratio.upper.value))
    still = certain & ((joint == 0.0) | (joint == 1.0) | (_pure_epsilon(guarantee) == 0.0))
    low, high = (np.where(still, joint, end) for end in (low, high))
    return between(low, high, TARGET_RATIO, INDEPENDENT)


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
    return between(low, high, WITH_AND_WITHOUT, PARTICIPATION)


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
