"""Mixtures (1 - rate) Q + rate R against Q: what Poisson subsampling makes of a pair (R, Q)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log

__all__ = ["log_moments", "mixed", "panels", "spacing_for"]

LARGE = 700.0  # exp of it is still finite
TERMS = 14  # of a series that falls at least by 0.05
SHARE = 128.0  # lattice points for each standard deviation of the loss
MOST_POINTS = 2.0**17


def mixed(rate: float, loss: npt.ArrayLike) -> Floats:
    """log(1 - rate + rate e^loss), without overflow, and accurate where it is small."""
    a = np.asarray(loss, dtype=float)
    moved = rate * np.expm1(np.minimum(a, LARGE))
    near = np.log1p(np.maximum(moved, -0.5))
    apart = (moved < -0.5) | (a > LARGE)
    return np.asarray(np.where(apart, np.logaddexp(log(1.0 - rate), log(rate) + a), near))


def log_moments(s: float, rate: float, loss: Floats, log_weights: Floats) -> tuple[float, float]:
    """log E[r^(1 + s)] and log E[r^-s], r = 1 - rate + rate e^loss with E[r] = 1, from nodes."""
    v = mixed(rate, loss)
    if loss.max() < LARGE and np.abs(v).max() * (1.0 + s) < LARGE:
        up, down = _away(s, rate * np.expm1(loss), v)
        weights = np.exp(log_weights)
        return float(np.log1p((weights * up).sum())), float(np.log1p((weights * down).sum()))
    return _log_sum(log_weights + (1.0 + s) * v), _log_sum(log_weights - s * v)


def _log_sum(exponent: Floats) -> float:
    largest = float(exponent.max())
    return largest + float(np.log(np.exp(exponent - largest).sum()))


def _away(s: float, w: Floats, v: Floats) -> tuple[Floats, Floats]:
    """(1 + w)^e - 1 - e w for e = 1 + s and for e = -s, where v = log(1 + w).

    Its mean is that of (1 + w)^e - 1, since w has mean zero. Both are s (s + 1) w^2 / 2 for small
    w, and there a binomial series.
    """
    small = np.abs(w) * (1.0 + s) < 0.05
    x = np.where(small, w, 0.0)
    found = []
    for power, rest in (
        (1.0 + s, (1.0 + w) * np.expm1(s * v) - s * w),
        (-s, np.expm1(-s * v) + s * w),
    ):
        series = np.zeros_like(x)
        for k in range(TERMS, 1, -1):
            series = (1.0 + series) * x * (power - k) / (k + 1.0)
        found.append(np.where(small, s * (s + 1.0) / 2.0 * x * x * (1.0 + series), rest))
    return found[0], found[1]


def panels(low: float, high: float, nodes: int = 20) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights between two ends, on panels that shrink towards both."""
    away = (high - low) / 2.0 * 1.15 ** -np.arange(200.0)
    edges = np.concatenate([[low], low + away[::-1], high - away[1:], [high]])
    edges = np.unique(edges)
    x, weights = np.polynomial.legendre.leggauss(nodes)
    half = np.diff(edges)[:, None] / 2.0
    return ((edges[:-1, None] + half) + half * x).ravel(), (half * weights).ravel()


def spacing_for(deviation: float, reach: float) -> float:
    """A power of two: a share of the deviation of a loss, and not too many points up to `reach`.

    Powers of two, so that losses of different spacing have a lattice in common.
    """
    wanted = max(deviation / SHARE, reach / MOST_POINTS, 2e-9)
    return min(2.0 ** math.floor(math.log2(wanted)), 0.25)
