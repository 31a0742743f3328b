"""Two coins, of chances x <= y with x + y <= 1, beside a limit on their Rényi divergence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats, log1mexp
from dprisk._numeric.tangents import Tangent


class Coins(NamedTuple):
    """Two coins: log y, log(1 - y), log(y / x) and log((1 - x) / (1 - y))."""

    log_y: Floats
    log_not_y: Floats
    a: Floats
    b: Floats


class CoinsAtLimit(NamedTuple):
    """Coins beside a limit on their divergence of an order."""

    coins: Coins
    extra: Floats
    limit: Floats
    size: Floats
    """Limit times order - 1."""

    log_excess: Floats
    """log(e^K - 1), where K is the divergence times order - 1."""

    k: Floats
    heads: Floats
    """Chance of heads, tilted: y e^(extra a - K)."""

    tails: Floats

    @property
    def tangent(self) -> Tangent:
        """The line that touches the curve there, if the limit is met."""
        apart = (np.maximum(each, 1e-300) for each in (self.coins.a, self.coins.b))
        return Tangent(self.extra, self.limit, *apart)

    @property
    def over(self) -> Floats:
        """Log of e^K - 1 over what it is at the limit."""
        return np.asarray(self.log_excess - self.size - log1mexp(self.size))

    @property
    def by_y(self) -> Floats:
        """y times the derivative of K in y."""
        apart = self.coins.a + self.coins.b
        return np.asarray((1.0 + self.extra) * self.heads * -np.expm1(-self.extra * apart))

    @property
    def by_x(self) -> Floats:
        """x times the derivative of K in -x."""
        apart = self.coins.a + self.coins.b
        return np.asarray(self.extra * self.heads * -np.expm1(-(1.0 + self.extra) * apart))


def place(coins: Coins, extra: Floats, limit: Floats) -> CoinsAtLimit:
    """Two coins beside a limit of order 1 + extra, without overflow or cancellation."""
    log_y, log_not_y, a, b = coins
    log_extra = np.log(extra)
    heads = log_y + np.logaddexp(log_exp_excess(extra * a), log_extra + np.log(exp_excess(-a)))
    tails = log_not_y + np.logaddexp(np.log(exp_excess(-extra * b)), log_extra + log_exp_excess(b))
    log_excess = np.logaddexp(heads, tails)
    k = np.logaddexp(0.0, log_excess)
    shares = np.exp(log_y + extra * a - k), np.exp(log_not_y - extra * b - k)
    return CoinsAtLimit(coins, extra, limit, extra * limit, log_excess, k, *shares)


def exp_excess(z: Floats) -> Floats:
    """``e^z - 1 - z``, to a few digits."""
    return np.asarray(np.where(np.abs(z) < 1e-4, 0.5 * z * z * (1.0 + z / 3.0), np.expm1(z) - z))


def exp_shortfall(z: Floats) -> Floats:
    """``1 - (1 + z) e^-z`` for z >= 0, without overflow."""
    far = -np.expm1(-z) - z * np.exp(-z)
    return np.where(z < 1.0, np.exp(-z) * exp_excess(np.minimum(z, 1.0)), far)


def log_exp_excess(z: Floats) -> Floats:
    """``log(e^z - 1 - z)`` for z > 0, without overflow."""
    far = np.maximum(z, 1.0)
    further = far + np.log1p(-(1.0 + far) * np.exp(-far))
    return np.where(z < 1.0, np.log(exp_excess(np.minimum(z, 1.0))), further)
