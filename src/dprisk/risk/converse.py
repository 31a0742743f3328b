"""Converses: which guarantee a bound on an adversary's beliefs implies."""

from __future__ import annotations

import numpy as np

from dprisk._checks import INSIDE, Domain, complement, scalar
from dprisk._numeric.rounding import up
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.probabilistic import ProbabilisticDP
from dprisk.risk.adversary import CONFIDENCE_FIX

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
        Upper end of the interval there; at every other prior the interval has the same shift of
        the odds, and the lower end the opposite one. [prior, 1)
    confidence : float
        Probability with which it holds, under both hypotheses. (0, 1]
    neighbors : {"add-remove", "replace-one"}
        The relation of which one step lies between the two hypotheses.

    Returns
    -------
    ProbabilisticDP
        Two-sided, and equivalent to the bound (exact, epsilon rounded up).

    Raises
    ------
    OutOfRange
        If a number is outside its range.

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

    Raises
    ------
    OutOfRange
        If a number is outside its range.

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
        d < 1/2, (log((1 + 2 d) / (1 - 2 d)), delta). Upper bounds: the price is real (P0, Example
        A.1).

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Notes
    -----
    P0 writes the second epsilon as log(3 e^(epsilon/2) - 1) - log(3 - e^(epsilon/2)); it exists
    only for epsilon < 2 log 3, which the paper does not say.

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
