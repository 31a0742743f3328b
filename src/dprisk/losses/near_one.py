"""Complex exponentials near one and logarithms near zero, without cancellation."""

from __future__ import annotations

import numpy as np

from dprisk.losses.base import Complexes

__all__ = ["exp_minus_one", "log_one_plus"]


def exp_minus_one(z: Complexes) -> Complexes:
    """``exp(z) - 1``: cos y - 1 = -2 sin^2(y / 2) does not cancel. Finite for real parts to 709."""
    half = np.sin(z.imag / 2.0)
    real = np.expm1(z.real) * np.cos(z.imag) - 2.0 * half * half
    return np.asarray(real + 1j * (np.exp(z.real) * np.sin(z.imag)))


def log_one_plus(z: Complexes) -> Complexes:
    """``log(1 + z)``: abs(1 + z)^2 - 1 = x (2 + x) + y^2. Not for z near -1."""
    x, y = z.real, z.imag
    return np.asarray(0.5 * np.log1p(x * (2.0 + x) + y * y) + 1j * np.arctan2(y, 1.0 + x))
