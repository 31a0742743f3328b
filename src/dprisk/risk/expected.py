"""The expected posterior, from the privacy profile."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.duality import Duality
from dprisk.accountant.loss_sum import Bracket, LossSum
from dprisk.losses.base import ULP

EVEN, FAR = 512, 64  # points where delta falls, and beyond
CLOSE = 1e-9  # nats: no more points than that
LARGEST = 650.0  # nats: the exponential is still finite
ROUNDING = 1e-12


class _ProfileCurve(NamedTuple):
    """delta at rising u = e^t, from u = 0 on; and what is left of it at the end."""

    t: Floats
    low: Floats
    high: Floats
    left: float


def mean_posterior(profile: Duality, prior: Floats, of_p: bool) -> Bracket:
    """Expected posterior of the hypothesis P, when the output is drawn from P, or from Q."""
    curve = _curve(profile)
    if of_p:
        return _means(curve, prior, 1.0 - prior)
    back = _means(_curve(profile.turned), 1.0 - prior, prior)
    low, high = 1.0 - back.upper, 1.0 - back.lower
    small = (prior > 0.0) & (prior <= 0.5)
    found = _means(curve, prior, 1.0 - prior)
    odds = prior / np.where(prior < 1.0, 1.0 - prior, 1.0)
    low = np.where(small, odds * (1.0 - found.upper), low)  # p E[X] + (1 - p) E'[X] = p
    high = np.where(small, odds * (1.0 - found.lower), high)
    low, high = low * (1.0 - ROUNDING), np.minimum(high * (1.0 + ROUNDING), prior)
    certain = (prior == 0.0) | (prior == 1.0)
    return Bracket(np.where(certain, prior, np.minimum(low, high)), np.where(certain, prior, high))


def _means(curve: _ProfileCurve, prior: Floats, other: Floats) -> Bracket:
    pairs = zip(prior.tolist(), other.tolist(), strict=True)
    found = np.array([_mean(curve, p, q) for p, q in pairs]).reshape(-1, 2)
    return Bracket(found[:, 0], found[:, 1])


def _mean(curve: _ProfileCurve, p: float, q: float) -> tuple[float, float]:
    """Bounds on the mean posterior at priors p and q = 1 - p: neither keeps the other's digits."""
    if p in (0.0, 1.0):
        return p, p
    t, low, high, left = curve
    pi, rest = p / (p + q * np.exp(-t)), q / (p * np.exp(t) + q)
    share = -np.expm1(-np.diff(t))
    step, width = pi[1:] * rest[:-1] * share, np.exp(t[1:]) * share
    first, second = step * rest[:-1], step * rest[1:]
    whole = first + second
    before = _continued(low[1:-1], high[:-2], width[1:] / width[:-1])
    after = _continued(low[1:-1], high[2:], width[:-1] / width[1:])
    least = low[1:] * whole
    least[1:] = np.maximum(least[1:], low[1:-1] * first[1:] + before * second[1:])
    least[:-1] = np.maximum(least[:-1], after * first[:-1] + low[1:-1] * second[:-1])
    tail = float(rest[-1] ** 2)
    lower = float(least.sum()) + tail * left * (1.0 - ROUNDING)
    upper = float((first * high[:-1] + second * high[1:]).sum()) + tail * float(high[-1])
    upper = min(upper * (1.0 + ROUNDING), 1.0)
    return min(max(lower * (1.0 - ROUNDING), p), upper), max(upper, p)


def _continued(here: Floats, back: Floats, length: Floats) -> Floats:
    """Lower end of the chord from a point further back, continued so much further on."""
    drop = (back - here) * length
    # two differences and a product: three roundings
    return np.asarray(here - drop - 4 * ULP * (here + np.abs(drop)))


def _curve(profile: Duality) -> _ProfileCurve:
    """delta at its corners and between them, where they are few; else at many points."""
    up, down = _corners(profile.forward), _corners(profile.backward)
    if up is not None and down is not None:
        t = np.unique(np.concatenate([-down, [0.0], up]))
        t = np.append(t, t[1:] + np.log1p(np.exp(-np.diff(t))) - np.log(2.0))
    else:
        t = np.concatenate([-_spread(profile.backward[1]), [0.0], _spread(profile.forward[1])])
    t = np.unique(t[np.abs(t) <= LARGEST])
    t = np.append(t[0] - 1.0, t[np.diff(t, prepend=-np.inf) > CLOSE])
    low, high = profile.delta(t)
    left = profile.mass_at_infinity[0][0]
    ends = np.concatenate([[-np.inf], t]), np.append(1.0, low), np.append(1.0, high)
    return _ProfileCurve(*ends, left)


def _corners(sides: tuple[LossSum, LossSum]) -> Floats | None:
    return sides[1].corners if sides[0] is sides[1] else None


def _spread(loss: LossSum) -> Floats:
    middle, deviation, most = loss.spread
    most = min(max(most, 1e-300), LARGEST)
    near = min(max(middle + 9.0 * deviation, most / 1e3), most)
    return np.unique(np.append(np.linspace(near / EVEN, near, EVEN), np.geomspace(near, most, FAR)))
