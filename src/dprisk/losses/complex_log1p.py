"""Exponentials near one and logarithms near zero, without cancellation, real or complex."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.inexact[Any]]  # real or complex


def exp_minus_one(z: Numbers) -> Numbers:
    """``exp(z) - 1``: cos y - 1 = -2 sin^2(y / 2) does not cancel. Finite for real parts to 709."""
    if not np.iscomplexobj(z):
        return np.asarray(np.expm1(z))
    half = np.sin(z.imag / 2.0)
    real = np.expm1(z.real) * np.cos(z.imag) - 2.0 * half * half
    return np.asarray(real + 1j * (np.exp(z.real) * np.sin(z.imag)))


def log_one_plus(z: Numbers) -> Numbers:
    """``log(1 + z)``: abs(1 + z)^2 - 1 = x (2 + x) + y^2. Not for z near -1."""
    if not np.iscomplexobj(z):
        return np.asarray(np.log1p(z))
    x, y = z.real, z.imag
    return np.asarray(0.5 * np.log1p(x * (2.0 + x) + y * y) + 1j * np.arctan2(y, 1.0 + x))
