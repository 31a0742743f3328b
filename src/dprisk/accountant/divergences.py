"""Rényi divergences of a sum of losses, and the least rho of zCDP that bounds them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import product_up, sum_up
from dprisk.accountant.refinement import Counted
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Loss, LossPair, divergence
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.normal import NormalLoss, ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss

ORDERS = np.geomspace(1e-10, 1e8, 512)  # minus 1: between these the largest is looked for
TOLERANCE = 1e-9  # relative: how far the search may leave its bound above what it has found
ROUNDS, PARTS = 6, 8  # of a search, and of an interval in each
MOST = 512  # intervals that are divided: with more of them, what is left is rounding


def renyi(pairs: Counted, s: Floats) -> Floats:
    """The divergence of order 1 + s of the whole, at most: divergences of one order add up."""
    total = np.zeros(s.shape)
    for pair, count in pairs:
        each = np.maximum(divergence(pair, s, _off(pair.forward[1])), 0.0)
        total = sum_up(total, product_up(float(count), each))
    return total


def _off(loss: Loss) -> float:
    """Roundings of probabilities computed from a parameter: twice as many as there are."""
    if isinstance(loss, AtomicLoss | ResponseLoss):
        return 16.0 * ULP * (1.0 + max(map(abs, loss.support)))
    return 0.0


def concentrated(pairs: Counted) -> float:
    """The least rho, but for 3e-9 of it, with D_alpha <= rho alpha at every order; inf if none."""
    rates = [(_rate(pair), pair, count) for pair, count in pairs]
    normal = sum(rate * count for rate, _, count in rates if rate is not None)
    # orders are many here, and a sum over its losses costs less than other ways to a divergence
    rest = tuple((replace(pair, renyi=None), count) for rate, pair, count in rates if rate is None)
    largest = sum(count * _largest(pair) for pair, count in rest)
    if not np.isfinite(largest):
        return np.inf
    bounded = _supremum(lambda s: renyi(rest, s), largest) if rest else 0.0
    # losses within [-e, e]: e^2 / 2 at every order (Bun, Steinke 2016, Proposition 3.3)
    squares = sum(count * _largest(pair) ** 2 / 2.0 for pair, count in rest)
    # a square, a product and a sum for each part: three roundings
    bounded = min(bounded, squares * (1.0 + 2 * ULP * (1.0 + len(rest))))
    # a product and a sum for each part: two roundings
    return float((normal + bounded) * (1.0 + 2 * ULP * (1.0 + len(pairs))))


def _rate(pair: LossPair) -> float | None:
    """The supremum of D_alpha / alpha of normal noise, sampled or not; None for any other."""
    loss = pair.forward[1]
    if isinstance(loss, NormalLoss | SubsampledNormalLoss):
        # a quotient, its square, this product: four roundings
        return loss.mu * loss.mu / 2.0 * (1.0 + 2 * ULP)
    # a quotient and its square: three roundings
    return loss.rate * (1.0 + 4 * ULP) if isinstance(loss, DiscreteGaussianLoss) else None


def _largest(pair: LossPair) -> float:
    return max(_end(above) for _, above in pair.directions())


def _end(loss: Loss) -> float:
    """The largest loss, with eight roundings."""
    return np.inf if loss.infinite else max(loss.support[1], 0.0) * (1.0 + 8 * ULP)


def _supremum(divergences: Callable[[Floats], Floats], largest: float) -> float:
    """Upper bound on D_alpha / alpha, alpha > 1, where no divergence is above `largest`."""
    s = ORDERS
    d = divergences(s)
    found = max(float(d[0]), largest / (1.0 + float(s[-1])))  # below the first, beyond the last
    low, high = (s[:-1], d[:-1]), (s[1:], d[1:])
    for _ in range(ROUNDS):
        found = max(found, float((high[1] / (1.0 + high[0])).max(initial=0.0)))
        bound = _chord(*low, *high)
        wide = bound > found * (1.0 + TOLERANCE)
        if not 0 < wide.sum() <= MOST:
            break
        share = np.linspace(0.0, 1.0, PARTS + 1)[:, None]
        s = low[0][wide] + share * (high[0][wide] - low[0][wide])
        d = divergences(s.ravel()).reshape(s.shape)
        low, high = (s[:-1].ravel(), d[:-1].ravel()), (s[1:].ravel(), d[1:].ravel())
    return float(max(found, _chord(*low, *high).max())) * (1.0 + 2.0 * TOLERANCE)


def _chord(s: Floats, first: Floats, end: Floats, last: Floats) -> Floats:
    """The largest of (a + b t) / (t (1 + t)) on a chord a + b t of K."""
    k = s * first
    b = (end * last - k) / (end - s)
    a = np.minimum(k - b * s, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (np.sqrt(a * a - a * b) - a) / b
    t = np.clip(np.where(np.isfinite(t), t, s), s, end)
    return np.maximum(k + b * (t - s), 0.0) / (t * (1.0 + t))
