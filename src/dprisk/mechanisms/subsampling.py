"""Mixtures (1 - rate) Q + rate R against Q: what Poisson subsampling makes of a pair (R, Q)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import EXP_LIMIT, Floats, log
from dprisk.losses.base import ULP
from dprisk.losses.density import mixed

TERMS = 14  # of a series that falls at least by 0.05
GAUSS = 20  # nodes on a panel
ELLIPSES = 1.0 + np.geomspace(1e-4, 60.0, 40)


@final
@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes y of a rule for means over Q, with log weights, and by how much these may be off."""

    loss: Floats
    log_weights: Floats
    moved: Floats
    blur: Floats
    share: float = 0.0


def log_moments(
    s: float, rate: float, nodes: Nodes, left_out: tuple[float, float]
) -> tuple[float, float]:
    """log E[r^(1 + s)] and log E[r^-s], r = 1 - rate + rate e^loss with E[r] = 1, rounded
    upwards."""
    loss, v = nodes.loss, mixed(rate, nodes.loss)
    # 20 more for the factors beside the exponential, at most 700 times 1,500
    if loss.max() < EXP_LIMIT and np.abs(v).max() * (1.0 + s) < EXP_LIMIT - 20.0:
        w, weights = rate * np.expm1(loss), np.exp(nodes.log_weights)
        off = rate * np.exp(loss) * nodes.moved + 2.0 * ULP * np.abs(w)
        off += np.where(w < -0.5, 8.0 * ULP * (np.abs(log(1.0 - rate)) + np.abs(loss) + 1.0), 0.0)
        found = []
        for power, each, out in zip((1.0 + s, -s), _away(s, w, v), left_out, strict=True):
            steep = np.abs(power * np.expm1((power - 1.0) * v))
            value, blur = each
            blur = blur + steep * off + value * nodes.blur
            rounding = ULP * (16.0 + math.log2(len(v)))
            total = float((weights * value).sum()) * (1.0 + rounding)
            total += float((weights * blur).sum()) * (1.0 + 1e-9) + math.exp(min(out, EXP_LIMIT))
            total += nodes.share * (total + 2.0 + 2.0 * abs(power))
            found.append(math.log1p(total) * (1.0 + 4.0 * ULP))
        return found[0], found[1]
    moved = nodes.moved + 8.0 * ULP * (np.abs(v) + np.abs(loss) + np.abs(log(rate)) + 1.0)
    off = nodes.blur + 4.0 * ULP * np.abs(nodes.log_weights) + nodes.share
    return (
        _log_sum(nodes.log_weights + (1.0 + s) * v + off + (1.0 + s) * moved, left_out[0]),
        _log_sum(nodes.log_weights - s * v + off + s * moved, left_out[1]),
    )


def _log_sum(exponent: Floats, more: float) -> float:
    """Rounded upwards."""
    largest = float(exponent.max())
    total = float(np.exp(exponent - largest).sum()) * (
        1.0 + ULP * (16.0 + math.log2(len(exponent)))
    )
    found = float(np.logaddexp(largest + math.log(total), more))
    return found + 8.0 * ULP * (1.0 + abs(largest) + abs(found))


def _away(s: float, w: Floats, v: Floats) -> tuple[tuple[Floats, Floats], ...]:
    """(1 + w)^e - 1 - e w for e = 1 + s and for e = -s, where v = log(1 + w); and its rounding."""
    small = np.abs(w) * (1.0 + s) < 0.05
    x = np.where(small, w, 0.0)
    found = []
    for power, first, second in (
        (1.0 + s, (1.0 + w) * np.expm1(s * v), -s * w),
        (-s, np.expm1(-s * v), s * w),
    ):
        series = np.zeros_like(x)
        for k in range(TERMS, 1, -1):
            series = (1.0 + series) * x * (power - k) / (k + 1.0)
        near = s * (s + 1.0) / 2.0 * x * x * (1.0 + series)
        turned = np.abs(s * v) * (1.0 + np.abs(v)) * np.exp(power * v)
        lost = 8.0 * ULP * (np.abs(first) + np.abs(second) + turned)
        found.append(
            (np.where(small, near, first + second), np.where(small, 64.0 * ULP * near, lost))
        )
    return tuple(found)


def panels(low: float, high: float) -> Floats:
    """Edges between two ends, of panels that shrink towards both."""
    away = (high - low) / 2.0 * 1.15 ** -np.arange(200.0)
    return np.unique(np.concatenate([[low], low + away[::-1], high - away[1:], [high]]))


def gauss(edges: Floats) -> tuple[Floats, Floats]:
    """Nodes and weights of the Gauss-Legendre rule on each panel, one after the other."""
    x, weights = np.polynomial.legendre.leggauss(GAUSS)
    half = np.diff(edges)[:, None] / 2.0
    return ((edges[:-1, None] + half) + half * x).ravel(), (half * weights).ravel()


def gauss_left_out(edges: Floats, rate: float, power: float) -> float:
    """Logarithm of at most the error of `gauss` for r^power e^(-y / 2), r = 1 - rate + rate e^y."""
    half, middle = np.diff(edges) / 2.0, (edges[1:] + edges[:-1]) / 2.0
    least = np.full(half.shape, np.inf)
    for x in ELLIPSES:
        along, across = half * (x + 1.0 / x) / 2.0, half * (x - 1.0 / x) / 2.0
        ends = [power * mixed(rate, y) - y / 2.0 for y in (middle - along, middle + along)]
        inside = np.minimum(across, 3.0)
        turned = max(-power, 0.0) * -np.log(np.cos(inside / 2.0))
        size = np.maximum(*ends) + turned - 2.0 * (GAUSS - 1) * np.log(x)
        size = size + np.log(64.0 / 15.0 * half / (1.0 - x**-2.0))
        least = np.minimum(least, np.where(across <= 3.0, size, np.inf))
    return float(np.logaddexp.reduce(least)) + 1e-9
