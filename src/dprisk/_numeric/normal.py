"""The normal distribution, far out in its tails; scipy is loaded on first use."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST, UNIT, down, times_exp, up

INTEGRALS_BELOW = 0.5  # separation: there differences are taken as integrals
# Units of rounding: of a value near the centre, and for each of x^2 or of a logarithm further out.
# The largest errors of scipy's functions that were found are 6 and 3.4.
NEAR, FAR = 96, 8
LAST_DEVIATION = 39.0  # Phi(-39) is below the smallest positive double
TINY, OUT = 1e-280, -35.0  # below, scipy's functions lose digits
BELOW_ONE = 1.0 - UNIT


def ndtr(x: npt.ArrayLike) -> Floats:
    """Standard normal distribution function, also where scipy's loses its last digits."""
    from scipy import special

    x = np.asarray(x, dtype=np.float64)
    found, far = np.asarray(special.ndtr(x)), x < OUT
    if far.any():
        out = np.clip(x, -LAST_DEVIATION, OUT)  # at its lower end the value is 0
        found = np.where(far, _density(out, _mills(-out)), found)
    return found


def log_ndtr(x: npt.ArrayLike) -> Floats:
    """Its logarithm, however small it is."""
    from scipy import special

    return np.asarray(special.log_ndtr(np.asarray(x, dtype=np.float64)))


def ndtri(p: npt.ArrayLike) -> Floats:
    """Inverse of `ndtr`."""
    from scipy import special

    return np.asarray(special.ndtri(np.asarray(p, dtype=np.float64)))


def normal_quantile(p: float) -> float:
    """`ndtri` of one number in [0, 1], to a few roundings (Wichura 1988): loads nothing."""
    return NormalDist().inv_cdf(p) if 0.0 < p < 1.0 else np.copysign(np.inf, p - 0.5)


def ndtr_up(x: Floats) -> Floats:
    """`ndtr`, at least."""
    return np.minimum(up(ndtr(x), units=_units(np.minimum(x, 0.0))), 1.0)


def ndtr_down(x: Floats) -> Floats:
    """`ndtr`, at most, and below 1."""
    return np.minimum(down(ndtr(x), units=_units(np.minimum(x, 0.0))), BELOW_ONE)


def quantile(p: Floats) -> tuple[Floats, Floats]:
    """`ndtri` of p strictly between 0 and 1, at most and at least."""
    from scipy import special

    z = np.where(p < TINY, special.ndtri_exp(np.log(p)), ndtri(p))
    lost = FAR * UNIT * (1.0 + np.abs(z))
    return z - lost, z + lost


def gap(t: Floats, mu: float) -> Floats:
    """``Phi(-x) - exp(t) Phi(-x - mu)`` with ``x = t / mu - mu / 2``, t >= 0, at least."""
    if mu == 0.0:
        return np.zeros_like(t)
    with np.errstate(over="ignore"):
        x = np.minimum(t / mu, 1e300)
        x = x - mu / 2 - 4 * UNIT * (x + mu / 2)
    x = np.where(t == 0.0, -mu / 2, x)
    near = np.minimum(x, LAST_DEVIATION)
    if mu < INTEGRALS_BELOW:
        value = _density(near, _integral(lambda u: 1.0 - u * _mills(u), near, mu))
    else:
        right = np.maximum(near, 0.0)
        apart = _density(right, _mills(right) - _mills(right + mu))
        value = np.where(near > 0, apart, ndtr(-near) - _density(near, _mills(near + mu)))
    raised = up(np.maximum(value, 0.0), units=_units(np.maximum(near, 0.0)))
    raised = np.where(x > LAST_DEVIATION, SMALLEST, raised)
    return np.where(np.isinf(t), 0.0, np.minimum(raised, 1.0))


def log_ratio(x: Floats, mu: float) -> Floats:
    """``log(Phi(mu - x) / Phi(-x))`` for mu > 0, at least; it rises with x."""
    if mu < INTEGRALS_BELOW:
        found = _integral(_hazard, x - mu, mu)
        return up(found, units=_units(np.minimum(x - mu, 0.0)))
    right, beyond = np.maximum(x, 0.0), np.maximum(x - mu, 0.0)
    far = mu * (np.maximum(x, mu) - mu / 2) + np.log(_mills(beyond) / _mills(beyond + mu))
    top = np.log1p(-ndtr(np.minimum(x - mu, 0.0)))
    half = np.square(right) / 2 + np.log(np.sqrt(2 * np.pi) / _mills(right))
    near = np.where(x > 0, half, -np.log1p(-ndtr(np.minimum(x, 0.0))))
    return up(np.where(x > mu, far, top + near), units=_units(np.minimum(x, 0.0)))


def log_sum(x: Floats, mu: float) -> Floats:
    """``log(Phi(-x) + Phi(mu - x))`` for x >= mu / 2, at least."""
    from scipy import special

    found = np.logaddexp(special.log_ndtr(-x), special.log_ndtr(mu - x))
    return np.asarray(found + UNIT * (NEAR + FAR * np.abs(found)))


def _density(x: Floats, share: Floats) -> Floats:
    """So many times the standard normal density."""
    return times_exp(np.maximum(share, 0.0) / np.sqrt(2 * np.pi), -0.5 * np.square(x))


def _units(x: Floats) -> Floats:
    """How far off a density or a tail at x may be: by what rounding moves x, squared, and more."""
    return NEAR + FAR * np.square(x)


def _integral(f: Callable[[Floats], Floats], start: Floats, width: float) -> Floats:
    """Gauss-Legendre over [start, start + width], for smooth f and short intervals."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    values = f(start[..., None] + width * (nodes + 1) / 2)
    return np.asarray((width / 2) * (values * weights).sum(axis=-1), dtype=float)


def _hazard(u: Floats) -> Floats:
    """``1 / R(u)``."""
    left = np.minimum(u, 0.0)
    return np.where(u < 0, _density(left, 1.0 / ndtr(-left)), 1.0 / _mills(np.maximum(u, 0.0)))


def _mills(u: Floats) -> Floats:
    """Mills ratio ``Phi(-u) / phi(u)``."""
    from scipy import special

    return np.asarray(np.sqrt(np.pi / 2) * special.erfcx(u / np.sqrt(2)), dtype=float)
