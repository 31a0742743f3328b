"""Random risk profiles, priors that are out to break them, and P3's bound in many digits."""

from __future__ import annotations

import mpmath
import numpy as np

from dprisk.budget import (
    AllOf,
    AnyOf,
    DifferenceLimit,
    OddsLimit,
    PosteriorLimit,
    RatioFunction,
    RatioLimit,
    RatioTable,
    ratio_or_posterior,
)


def span(random, *, least=0.0):
    """All priors, one prior, or an interval of them."""
    kind = random.integers(4)
    if kind == 0:
        return (least, 1.0)
    if kind == 1:
        return float(random.choice([0.001, 0.05, 0.5, 1.0]))
    low, high = np.sort(10.0 ** random.uniform(-3.0, 0.0, 2))
    return (float(low) if kind == 2 else 0.0, float(high))


def ratio(random):
    return 1.0 + 10.0 ** random.uniform(-2.0, 1.5)


def single(random):
    where = {"membership_prior": span(random), "value_prior": span(random)}
    kind = random.integers(5)
    if kind == 0:
        return RatioLimit(ratio(random), **where)
    if kind == 1:
        top = np.max(where["membership_prior"]) * np.max(where["value_prior"])
        return PosteriorLimit(float(top + (1.0 - top) * random.uniform(0.01, 1.0)), **where)
    if kind == 2:
        return OddsLimit(ratio(random), **where)
    if kind == 3:
        return DifferenceLimit(float(random.uniform(0.01, 0.9)), **where)
    return ratio_or_posterior(ratio(random), float(random.uniform(0.01, 0.9)), **where)


def table(random):
    p = np.unique(np.round(10.0 ** random.uniform(-3.0, 0.0, random.integers(1, 4)), 4))
    q = np.unique(np.round(10.0 ** random.uniform(-3.0, 0.0, random.integers(1, 4)), 4))
    rows = [(a, b, ratio(random)) for a in p for b in q]
    return RatioTable(rows, str(random.choice(["least", "harmonic"])))


def function(random):
    a, b, c, d = 10.0 ** random.uniform(-1.0, 1.0, 4)
    shapes = [
        lambda p, q: 1.0 + a / (1.0 + b * q) + c / (1.0 + d * p),
        lambda p, q: np.maximum(0.1 * a / (p * q), 1.0 + b),
        lambda p, q: 1.0 + a * (1.0 - 0.9 * p) * np.exp(-q),
        lambda p, q: np.where(p * q < 0.1 * a, 2.0 + b + c, 1.0 + c),
        lambda p, q: np.minimum(1.0 + a / np.sqrt(p), 1.0 + b / q),
    ]
    return RatioFunction(shapes[random.integers(len(shapes))])


def profile(random):
    """One of everything, alone or combined."""
    kind = random.integers(6)
    if kind == 0:
        return table(random)
    if kind == 1:
        return AnyOf([single(random), single(random)])
    if kind == 2:
        return AllOf([single(random), single(random), table(random)])
    if kind == 3:
        return AnyOf([AllOf([single(random), table(random)]), RatioLimit(ratio(random))])
    return single(random)


def priors(random, count, binding=None):
    """Uniform, tiny, almost certain, and next to where a profile binds."""
    share = count // 4
    near_one = 1.0 - 10.0 ** random.uniform(-16.0, 0.0, (2, share))
    found = [
        random.uniform(0.0, 1.0, (2, share)),
        10.0 ** random.uniform(-12.0, 0.0, (2, share)),
        np.where(random.uniform(size=(2, share)) < 0.5, near_one, 1.0),
    ]
    at = np.array([[0.5], [0.5]])
    if binding is not None:
        at = np.array([[binding.membership_prior], [binding.value_prior]])
    off = 1.0 + random.choice([-1.0, 0.0, 1.0], (2, share)) * 10.0 ** random.uniform(
        -16.0, -1.0, (2, share)
    )
    found.append(np.where(at > 0.0, at * off, 10.0 ** random.uniform(-15.0, -3.0, (2, share))))
    p, q = np.concatenate(found, axis=1)
    return np.clip(p, 1e-15, 1.0), np.clip(q, 1e-15, 1.0)


def most(p, q, epsilon):
    """P3, Theorem 1, in as many digits as mpmath is set to."""
    p, q, x = mpmath.mpf(p), mpmath.mpf(q), mpmath.exp(-mpmath.mpf(epsilon))
    return 1 / (p * q + x**2 * p * (1 - q) + x * (1 - p))
