"""How each row of the table of conversions computes its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, final

import numpy as np

from dprisk._numeric.exact import rounded_up
from dprisk._numeric.logspace import below_complement, log1mexp
from dprisk._numeric.rounding import down, sum_up, up
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.piecewise import PiecewiseLinear
from dprisk.guarantees.probabilistic import ProbabilisticallyBoundedDP, ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from dprisk.guarantees.tradeoff import FDP


@final
@dataclass(frozen=True, kw_only=True)
class Request:
    """The point of the target definition's curve to land at: an epsilon, a delta or an order."""

    epsilon: float | None = None
    delta: float | None = None
    alpha: float | None = None
    sides: Sides = "both"


LINEAR = 1e-8  # whose square is below rounding
NORMAL = 200  # units for an inverse of the normal distribution

Apply = Callable[[Any, Request], Guarantee | None]


def profile(known: Guarantee, request: Request) -> Guarantee | None:
    """A point of the privacy profile."""
    e = request.epsilon if request.epsilon is not None else known.epsilon(request.delta or 0).value
    d = request.delta if request.delta is not None else known.delta(e).value
    return ApproxDP(e, d, neighbors=known.neighbors) if np.isfinite(e) else None


def general_note(known: PureDP, request: Request) -> Guarantee | None:
    """delta = e^epsilon - e^epsilon0, which forgets a factor of 1 + e^epsilon."""
    top = known.stated_epsilon
    if request.epsilon is not None:
        e = request.epsilon
        if e >= top and top < np.inf:
            return ApproxDP(e, 0.0, neighbors=known.neighbors)
        d = float(up(np.exp(top) * -np.expm1(e - top))) if top < 700 else 1.0
    else:
        d = request.delta or 0.0
        fall = float(down(-np.log1p(-d * np.exp(-top)))) if d < np.exp(min(top, 700)) else top
        e = min(float(sum_up(top, -fall)), top) if fall < top else 0.0
    return ApproxDP(e, min(d, 1.0), neighbors=known.neighbors)


def mironov(known: RenyiDP, request: Request) -> Guarantee | None:
    """epsilon = gamma + log(1/delta) / (alpha - 1), the best order."""
    extra, gamma = np.array(known.alpha) - 1.0, np.array(known.gamma)
    return _exponential(
        known,
        request,
        lambda t: down(extra * np.maximum(t - gamma, 0.0), units=4).max(),
        lambda k: up(gamma + k / extra).min(),
    )


def simple_concentrated(known: ZeroConcentratedDP, request: Request) -> Guarantee | None:
    """epsilon = xi + rho + 2 sqrt(rho log(1/delta))."""
    if known.stated_delta or known.rho == 0.0:
        return None
    centre, rho = float(sum_up(known.xi, known.rho)), known.rho
    return _exponential(
        known,
        request,
        lambda t: down((max(t - centre, 0.0) / (2 * np.sqrt(rho))) ** 2, units=8),
        lambda k: up(centre + 2 * np.sqrt(rho) * np.sqrt(k)),
    )


def _exponential(
    known: Guarantee,
    request: Request,
    exponent: Callable[[float], Any],
    inverse: Callable[[Any], Any],
) -> Guarantee | None:
    """Approximate DP with delta = e^-exponent(epsilon), the exponent at most."""
    if request.epsilon is not None:
        d = min(float(up(np.exp(-exponent(request.epsilon)))), 1.0)
        return ApproxDP(request.epsilon, d, neighbors=known.neighbors)
    if not request.delta:
        return None
    e = float(inverse(-np.log(request.delta)))
    return ApproxDP(e, request.delta, neighbors=known.neighbors)


def tail(sides: Sides, target: Literal["probabilistic", "bounded"]) -> Apply:
    """A point of the tail of the privacy loss, on both sides or on one."""

    def apply(known: Guarantee, request: Request) -> Guarantee | None:
        processed = target == "bounded" or not getattr(known, "own", True)
        if target != "bounded" and request.sides != sides:
            return None
        if request.epsilon is not None:
            e = request.epsilon
            d = known.tail(e, sides=sides, post_processing=processed).value
        else:
            d = request.delta or 0.0
            e = known.loss_bound(d, sides=sides, post_processing=processed).value
        if not np.isfinite(e):
            return None
        if target != "bounded":
            return ProbabilisticDP(e, d, sides=sides, neighbors=known.neighbors)
        return ProbabilisticallyBoundedDP(e, d, neighbors=known.neighbors) if e > 0 else None

    return apply


TWO_SIDED = tail("both", "probabilistic")
ONE_SIDED = tail("one", "probabilistic")
PROCESSED_TAIL = tail("one", "bounded")


def as_bounded(apply: Apply) -> Apply:
    """A tail that was proven from moments holds after post-processing as well."""

    def bounded(known: Any, request: Request) -> Guarantee | None:
        point = apply(known, request)
        if point is None or point.parameters["epsilon"] == 0.0:
            return None
        e, d = point.parameters["epsilon"], point.parameters["delta"]
        return ProbabilisticallyBoundedDP(e, d, neighbors=known.neighbors)

    return bounded


def through_simple(known: ZeroConcentratedDP, request: Request) -> Guarantee | None:
    """The simple conversion to approximate DP, then P0 Theorem 3.9, with the best slack between."""
    if request.delta is None or request.sides != "both" or not request.delta:
        return None
    goal = request.delta
    slack = goal * -np.expm1(-np.geomspace(1e-6, 40.0, 4001))
    points = [simple_concentrated(known, Request(delta=float(d))) for d in slack]
    losses = [p.loss_bound(goal).value for p in points if p is not None]
    return ProbabilisticDP(min(losses), goal, neighbors=known.neighbors) if losses else None


def polygon(known: PiecewiseLinear, request: Request) -> Guarantee | None:
    return FDP.polygon(*known._envelope.corners(), neighbors=known.neighbors)


def sampled(known: Guarantee, request: Request) -> Guarantee | None:
    def error(level: Any) -> Any:
        return below_complement(known.power(level).value)

    return FDP.from_function(error, neighbors=known.neighbors, points=401)


def at_points(known: Guarantee, request: Request) -> Guarantee | None:
    """The promise that some points of the power curve imply, whatever it does in between."""
    tail = np.geomspace(1e-15, 0.5, 400)
    levels = np.concatenate([[0.0], tail, 1.0 - tail[::-1], [1.0]])
    errors = below_complement(known.power(levels).value)
    return FDP.hull(levels, errors, neighbors=known.neighbors)


def gaussian_of_pure(known: PureDP, request: Request) -> Guarantee | None:
    """mu = 2 sqrt(2) erfinv(tanh(epsilon / 2)): -2 Phi^-1(1 / (1 + e^epsilon)) near 0 as well."""
    from scipy.special import erfinv

    e = known.stated_epsilon
    if e < LINEAR:
        mu = np.sqrt(np.pi / 2.0) * e
    elif e < 1.0:
        mu = np.sqrt(8.0) * erfinv(np.tanh(e / 2.0))
    else:
        mu = 2.0 * _far_quantile(float(np.logaddexp(0.0, e)))
    mu = float(up(mu, e == 0.0, NORMAL))
    return GaussianDP(mu, neighbors=known.neighbors) if np.isfinite(mu) else None


def _far_quantile(exponent: float) -> float:
    """x with Phi(-x) = e^-exponent; far out scipy's, as it is, is right to twelve digits only."""
    from scipy.special import log_ndtr, ndtri_exp

    x = -float(ndtri_exp(-exponent))
    for _ in range(2 if np.isfinite(x) else 0):
        found = float(log_ndtr(-x))
        x += (found + exponent) * np.exp(x * x / 2.0 + found) * np.sqrt(2.0 * np.pi)
    return x


def renyi_of_pure(known: PureDP, request: Request) -> Guarantee | None:
    """Randomized response has e^((alpha - 1) gamma) - 1 = (e^z - 1)(1 - e^-(z + epsilon)) p."""
    e, a = known.stated_epsilon, request.alpha or 2.0
    if not np.isfinite(e):
        return None
    z = (a - 1.0) * e
    if z < 1.0:
        excess = np.expm1(z) * -np.expm1(-(z + e)) / (1.0 + np.exp(-e))
        gamma = np.log1p(excess) / (a - 1.0)
    else:
        logarithm = z + log1mexp(z) + log1mexp(z + e) - np.log1p(np.exp(-e))
        gamma = np.logaddexp(0.0, logarithm) / (a - 1.0)
    return RenyiDP(a, min(float(up(gamma, e == 0.0)), e), neighbors=known.neighbors)


def renyi_of_orders(known: RenyiDP, request: Request) -> Guarantee | None:
    """Divergences rise with the order, so a bound at a higher order serves."""
    a = request.alpha or 2.0
    higher = [g for order, g in zip(known.alpha, known.gamma, strict=True) if order >= a]
    return RenyiDP(a, min(higher), neighbors=known.neighbors) if higher else None


def renyi_of_concentrated(known: ZeroConcentratedDP, request: Request) -> Guarantee | None:
    a = request.alpha or 2.0
    if known.stated_delta:
        return None
    limit = rounded_up(Fraction(known.xi) + Fraction(known.rho) * Fraction(a))
    return RenyiDP(a, limit, neighbors=known.neighbors)


def renyi_of_gaussian(known: GaussianDP, request: Request) -> Guarantee | None:
    a = request.alpha or 2.0
    limit = rounded_up(Fraction(a) * Fraction(known.mu) ** 2 / 2)
    return RenyiDP(a, limit, neighbors=known.neighbors)


def concentrated_of_gaussian(known: GaussianDP, request: Request) -> Guarantee | None:
    return ZeroConcentratedDP(rounded_up(Fraction(known.mu) ** 2 / 2), neighbors=known.neighbors)


def concentrated_of_pure(known: PureDP, request: Request) -> Guarantee | None:
    e = known.stated_epsilon
    if not np.isfinite(e):
        return None
    return ZeroConcentratedDP(rounded_up(Fraction(e) ** 2 / 2), neighbors=known.neighbors)


def renyi_of_losses(known: Guarantee, request: Request) -> Guarantee | None:
    a = request.alpha or 2.0
    gamma = known._renyi_limit(a)
    return RenyiDP(a, gamma, neighbors=known.neighbors) if np.isfinite(gamma) else None


def concentrated_of_losses(known: Guarantee, request: Request) -> Guarantee | None:
    rho = known._rho_limit
    return ZeroConcentratedDP(rho, neighbors=known.neighbors) if np.isfinite(rho) else None


def pure(known: Guarantee, request: Request) -> Guarantee | None:
    e = known.loss_bound(0.0, sides="one").value
    return PureDP(e, neighbors=known.neighbors) if np.isfinite(e) else None


def through_pure(apply: Apply) -> Apply:
    """A privacy loss that is never exceeded is pure DP, and implies what that implies."""

    def through(known: Guarantee, request: Request) -> Guarantee | None:
        bound = pure(known, request)
        return None if bound is None else apply(bound, request)

    return through


def itself(known: Guarantee, request: Request) -> Guarantee | None:
    return known
