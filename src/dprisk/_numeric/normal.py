"""The normal distribution, far out in its tails; scipy is loaded on first use."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

__all__ = ["gap", "log_ratio", "ndtr", "ndtri"]

CLOSE = 0.5  # below this separation, differences are taken as integrals


def ndtr(x: npt.ArrayLike) -> Floats:
    """Standard normal distribution function."""
    from scipy import special

    return np.asarray(special.ndtr(np.asarray(x, dtype=np.float64)))


def ndtri(p: npt.ArrayLike) -> Floats:
    """Inverse of `ndtr`."""
    from scipy import special

    return np.asarray(special.ndtri(np.asarray(p, dtype=np.float64)))


def log_ndtr(x: npt.ArrayLike) -> Floats:
    """Logarithm of `ndtr`, accurate where that underflows."""
    from scipy import special

    return np.asarray(special.log_ndtr(np.asarray(x, dtype=np.float64)))


def gap(t: Floats, mu: float) -> Floats:
    """``Phi(-x) - exp(t) Phi(-x - mu)`` with ``x = t / mu - mu / 2``, stably.

    With R the Mills ratio it is ``phi(x) (R(x) - R(x + mu))``, and R falls slowly: when mu is
    small the difference is an integral of ``-R'(u) = 1 - u R(u)``.
    """
    if mu == 0.0:
        return np.zeros_like(t)
    with np.errstate(over="ignore"):
        x = t / mu - mu / 2
    far = x > 39.0  # underflows
    t, x = np.where(far, 0.0, t), np.where(far, -mu / 2, x)
    density = np.exp(-0.5 * np.square(np.clip(x, -40.0, 40.0))) / np.sqrt(2 * np.pi)
    if mu < CLOSE:
        value = density * _integral(lambda u: 1.0 - u * _mills(u), x, mu)
    else:
        log_high, log_low = log_ndtr(-x), np.minimum(t + log_ndtr(-x - mu), 0.0)
        value = -np.exp(log_high) * np.expm1(np.minimum(log_low - log_high, 0.0))
    return np.where(far, 0.0, np.clip(value, 0.0, 1.0))


def log_ratio(x: Floats, mu: float) -> Floats:
    """``log(Phi(mu - x) / Phi(-x))``, accurate also for small mu (an integral of 1 / R)."""
    if mu < CLOSE:
        return _integral(lambda u: 1.0 / _mills(u), x - mu, mu)
    return log_ndtr(mu - x) - log_ndtr(-x)


def _integral(f: Callable[[Floats], Floats], start: Floats, width: float) -> Floats:
    """Gauss-Legendre over [start, start + width], for smooth f and short intervals."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    values = f(start[..., None] + width * (nodes + 1) / 2)
    return np.asarray((width / 2) * (values * weights).sum(axis=-1), dtype=float)


def _mills(u: Floats) -> Floats:
    """Mills ratio ``Phi(-u) / phi(u)``."""
    from scipy import special

    return np.asarray(np.sqrt(np.pi / 2) * special.erfcx(u / np.sqrt(2)), dtype=float)
