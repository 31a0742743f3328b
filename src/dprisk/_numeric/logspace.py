"""Exponentials, logarithms and odds that neither overflow nor cancel."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

EXP_LIMIT = 700.0  # e^-e is nearly out of range
AFAR = 9.85967654375977e-305  # at most e^-EXP_LIMIT
TERMS = 1.0 / np.cumprod(np.arange(2.0, 19.0))  # 1/2!, 1/3!, ...


def below_complement(probability: npt.ArrayLike) -> Floats:
    """``1 - p`` rounded so that no part of p is lost: never above the true complement."""
    p = np.asarray(probability, dtype=float)
    rounded = 1.0 - p
    return np.asarray(np.where(1.0 - rounded < p, np.nextafter(rounded, 0.0), rounded))


def log(x: npt.ArrayLike) -> Floats:
    """Natural logarithm; -inf at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x))


def exp_capped(exponent: npt.ArrayLike) -> Floats:
    """``min(1, exp(exponent))`` without overflow."""
    return np.asarray(np.exp(np.minimum(exponent, 0.0)))


def log1mexp(x: npt.ArrayLike) -> Floats:
    """``log(1 - exp(-x))`` for x >= 0, accurate at both ends (Mächler 2012)."""
    x = np.asarray(x, dtype=float)
    near = x < np.log(2.0)
    with np.errstate(divide="ignore"):
        if near.all():
            return np.asarray(np.log(-np.expm1(-x)))
        found = np.asarray(np.log1p(-np.exp(-np.maximum(x, 0.0))))
        if near.any():
            found[near] = np.log(-np.expm1(-x[near]))
    return found


def expit(x: npt.ArrayLike) -> Floats:
    """``1 / (1 + exp(-x))`` without overflow."""
    x = np.asarray(x, dtype=float)
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1.0 + small))


def shrinking(e: Floats) -> tuple[Floats, Floats]:
    """``exp(-e)`` as two factors that keep their digits: small numbers can make up for one."""
    beyond = e > EXP_LIMIT
    if not np.any(beyond):
        return np.exp(-e), np.ones(())
    return np.exp(-np.where(beyond, e - EXP_LIMIT, e)), np.where(beyond, AFAR, 1.0)


def shift_odds(probability: npt.ArrayLike, shift: npt.ArrayLike) -> Floats:
    """Probability whose odds are ``exp(shift)`` times those of `probability`."""
    p = np.asarray(probability, dtype=float)
    s = np.asarray(shift, dtype=float)
    near, far = shrinking(np.abs(s))
    certain = (p == 0.0) | (p == 1.0)
    some = np.where(certain, 0.5, p)
    rises = some / far / (some / far + (1.0 - some) * near)
    falls = some * near / (some * near + (1.0 - some) / far)
    return np.where(certain, p, np.where(s >= 0.0, rises, falls))


def log_odds_difference(probability: npt.ArrayLike, shift: npt.ArrayLike) -> Floats:
    """``shift_odds(p, s) - p`` without cancellation."""
    p = np.asarray(probability, dtype=float)
    s = np.asarray(shift, dtype=float)
    near, far = shrinking(np.abs(s))
    certain = (p == 0.0) | (p == 1.0)
    some = np.where(certain, 0.5, p)
    grows, rest = np.where(s >= 0.0, some, 1.0 - some), np.where(s >= 0.0, 1.0 - some, some)
    share = grows / far / (grows / far + rest * near)
    return np.where(certain, 0.0, np.sign(s) * -np.expm1(-np.abs(s)) * rest * share)


def excess(z: Floats) -> Floats:
    """``e^z - 1 - z`` without cancellation, not below 5e-324."""
    near = np.minimum(np.maximum(z, -1.0), 1.0)
    series = np.full_like(near, TERMS[-1])
    for term in TERMS[-2::-1]:
        series *= near
        series += term
    with np.errstate(over="ignore"):
        value = np.where(np.abs(z) < 1.0, series * near * near, np.expm1(z) - z)
    return np.asarray(np.maximum(value, 5e-324))


def log_excess(z: Floats) -> Floats:
    """Its logarithm, without overflow."""
    far = np.maximum(z, 1.0)
    further = far + np.log1p(-(1.0 + far) * np.exp(-far))
    return np.asarray(np.where(z < 1.0, np.log(excess(np.minimum(z, 1.0))), further))


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
