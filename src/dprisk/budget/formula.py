"""The largest epsilon at which one ratio is kept at one pair of priors (P3, Theorem 2), stably."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, Domain, numbers
from dprisk._numeric.logspace import Floats
from dprisk.answer import Answer, settled
from dprisk.text import english
from dprisk.theorems import EPSILON_FOR_RATIO

PRIOR = Domain(0.0, 1.0, low_open=True, advice=english("budget.fix.belief"))

ASSUMPTIONS = (
    english("assumptions.independent.pure"),
    english("assumptions.independent.target"),
    english("assumptions.independent.mechanism"),
)

ROUND = 2.0**-53  # one rounding, relatively: half an ulp
# of epsilon: a quotient of a sum of three, and its logarithm, are rounded twenty times at most
ROUNDING = 48.0 * ROUND
SLACK = 2e-10  # of epsilon: most that is given up so that ratios are kept as computed, too
# of a ratio: an exponential, squared, in a sum of three, and a quotient: fifteen roundings at most
OUTWARDS = 40.0 * ROUND
HUGE_RATIO = 2.0**500  # from there on numbers are divided by it, so that products are finite
LOG_TWO = float(np.log(2.0))


class Point(NamedTuple):
    """Priors p, q and what is asked there: D = 1 - 1/r and c = 1/r - p q, for a ratio r."""

    p: Floats
    q: Floats
    D: Floats
    c: Floats


def largest_epsilon(
    ratio: npt.ArrayLike, membership_prior: npt.ArrayLike, value_prior: npt.ArrayLike
) -> Answer:
    """Largest epsilon at which posterior over prior stays within a ratio, at given priors.

    Elementwise, for thousands of priors at once. `solve` has the answer for whole profiles.

    Parameters
    ----------
    ratio : array_like of float
        r*: posterior over prior at most. [0, inf]
    membership_prior : array_like of float
        p: belief that the target is in the data. (0, 1]
    value_prior : array_like of float
        q: belief that the value is in the set, given that the target is in the data. (0, 1]

    Returns
    -------
    Answer
        epsilon in [0, inf], nats, of the broadcast shape; exact, rounded down. inf where r* p q is
        1 or more, so that nothing is limited. 0 where r* is 1 or less; below 1 not even that
        keeps it, because the ratio of a release that says nothing is 1.

    Raises
    ------
    OutOfRange
        If a number is outside its range or NaN.

    Notes
    -----
    With A = p (1 - q), B = 1 - p and c = 1/r* - p q the quadratic A x^2 + B x = c has the root
    x = 2 c / (sqrt(B^2 + 4 A c) + B), and epsilon = -log x. Where x is near 1 the same root is
    taken from 1 - x. The form that is printed is 0/0 at q = 1, and its two cases are one here.

    References
    ----------
    .. [1] P3, Theorem 2 and Corollary 2.

    Examples
    --------
    >>> from dprisk.budget import largest_epsilon
    >>> largest_epsilon([1.5, 3.0, 20.0], 0.05, [0.1, 1.0, 1.0]).value.round(4)
    array([0.3932, 1.2098,    inf])
    """
    r, p, q = np.broadcast_arrays(
        numbers("ratio", ratio, NONNEGATIVE),
        numbers("membership_prior", membership_prior, PRIOR),
        numbers("value_prior", value_prior, PRIOR),
    )
    point = of_ratio(p, q, r)
    value = np.maximum(lowered(largest(point), point), 0.0)
    return Answer(settled(value, value.shape), "exact", EPSILON_FOR_RATIO, ASSUMPTIONS)


def of_ratio(p: Floats, q: Floats, r: Floats) -> Point:
    """What a ratio asks at p and q; r may be infinite."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        D, c = (r - 1.0) / r, _one_minus_product(r, p, q) / r
    infinite = np.isinf(r)
    if infinite.any():
        D, c = np.where(infinite, 1.0, D), np.where(infinite, -p * q, c)
    return Point(p, q, D, c)


def largest(point: Point) -> Floats:
    """The largest epsilon; inf without a limit, -inf where not even 0 is enough."""
    p, q, D, c = point
    A, B = p * (1.0 - q), 1.0 - p
    with np.errstate(all="ignore"):
        root = np.hypot(B, 2.0 * np.sqrt(A) * np.sqrt(np.maximum(c, 0.0)))
        t = 2.0 * D / ((2.0 * A + B) + root)  # 1 - x
        near = -np.log1p(-np.minimum(t, 0.5))
        value = np.where(t < 0.5, near, -np.log(2.0 * c / (root + B)))
    return np.where(D < 0.0, -np.inf, np.where(c <= 0.0, np.inf, np.maximum(value, 0.0)))


def clears(point: Point, epsilon: float) -> npt.NDArray[np.bool_]:
    """Whether epsilon certainly keeps what is asked: false where rounding leaves a doubt."""
    return np.asarray(room(point, epsilon) >= 0.0)


def room(point: Point, epsilon: float) -> Floats:
    """By how much epsilon certainly keeps what is asked; linear in p, in q and in 1/r."""
    p, q, D, c = point
    A, B = p * (1.0 - q), 1.0 - p
    if epsilon < LOG_TWO:
        t = -np.expm1(-epsilon)
        asked = (2.0 - t) * A + B
        # D is rounded twice, and its product; t, what is asked, and theirs nine times in all
        return np.asarray(D * (1.0 - 8.0 * ROUND) - (t * (1.0 + 16.0 * ROUND)) * asked)
    x = np.exp(-epsilon)
    have = x * (A * x + B)
    # x is rounded twice and squared, A twice, with two products and a sum: nine; c four times
    return np.asarray(have * (1.0 - 12.0 * ROUND) - (c + 8.0 * ROUND * np.abs(c)))


def lowered(epsilon: Floats, point: Point) -> Floats:
    """Slightly less, so that rounding cannot have taken it above the truth."""
    p, q = point.p, point.q
    A, B = p * (1.0 - q), 1.0 - p
    with np.errstate(all="ignore"):
        x = np.exp(-epsilon)
        moves = x * (2.0 * A * x + B) / (x * (A * x + B) + p * q)
        wished = np.fmin(np.where(moves > 0, OUTWARDS / moves, np.inf), SLACK * epsilon)
        value = epsilon - np.maximum(ROUNDING * epsilon, wished)
    return np.where(np.isfinite(epsilon), value, epsilon)


def greatest_ratio(p: Floats, q: Floats, epsilon: float) -> Floats:
    """The largest posterior over prior that epsilon allows (P3, Theorem 1)."""
    x = float(np.exp(-epsilon))
    total = p * q + x * (x * p * (1.0 - q) + (1.0 - p))
    return np.where(total > 0.0, 1.0 / np.where(total > 0.0, total, 1.0), np.inf)


def _one_minus_product(r: Floats, p: Floats, q: Floats) -> Floats:
    """``1 - r p q``, accurate where it nearly cancels."""
    value = np.asarray(1.0 - r * p * q)
    close = np.abs(value) < 0.5
    if not close.any():
        return value
    r, p, q = (np.broadcast_to(each, value.shape)[close] for each in (r, p, q))
    down = np.where(r > HUGE_RATIO, 1.0 / HUGE_RATIO, 1.0)
    up = np.where(r > HUGE_RATIO, HUGE_RATIO, 1.0)
    first, rest = product(r * down, p)
    second, more = product(first, q)
    refined = (1.0 - second * up) - (more + rest * q) * up
    value = value.copy()
    value[close] = refined
    return value


def product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The product, and what rounding took from it (Dekker)."""
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    product = a * b
    lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, lost


def _split(a: Floats) -> tuple[Floats, Floats]:
    scaled = 134217729.0 * a
    high = scaled - (scaled - a)
    return high, a - high
