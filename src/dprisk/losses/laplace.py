"""The loss between two Laplace distributions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import factorial
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.exact import quotient_up
from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Loss

EDGE = 2.5  # up to here power series are used
TERMS = 17  # of series in squares up to EDGE^2: the rest is below EDGE^34 / 35!
FEW_TERMS = 8  # up to 1/4: the rest is below 4^-8 / 17!


@final
@dataclass(frozen=True)
class LaplaceLoss(Loss):
    """Laplace noise: Z is c or -c, with P 1/2 and e^-c / 2, or between, density e^((z - c)/2) / 4.

    With u = s + 1/2, M(s) = e^(-c/2) (cosh(u c) + sinh(u c) / (2 u)), even in u. Here c is `ratio`,
    the sensitivity over the scale of the noise, at most 1e9. Where that quotient was rounded
    downwards, `top` is the same rounded upwards.
    """

    ratio: float
    top: float | None = None

    @property
    def support(self) -> tuple[float, float]:
        """Between -c and c."""
        return (-self.ratio, self.ratio)

    def log_moment(self, s: Complexes) -> Complexes:
        """log1p(M - 1) where M is near one; else from M (2 s + 1) = (s + 1) e^(sc) + s
        e^-(s+1)c."""
        s = _right(np.asarray(s, dtype=complex))
        return self._logarithm(s if s.imag.any() else s.real)  # which is half the work

    def _logarithm(self, s: Numbers) -> Complexes:
        c = self.ratio
        away = self._minus_one(s)
        near = np.abs(away) < 0.5
        if near.all():
            return np.asarray(log_one_plus(away), dtype=np.complex128)
        w = 2.0 * (s + 0.5) * c
        fading = -exp_minus_one(-w)
        # sum: 1 + e^-2w + c sinhc, twice M e^(-sc)
        total = 2.0 - fading + c * _ratio_to(fading, w)
        size = 2.0 + c / (1.0 + np.abs(w))
        faint = np.abs(total) < ULP * size  # so that the logarithm is finite
        far = s * c + np.log(np.where(faint, ULP * size, total) / 2.0)
        found = np.where(near, log_one_plus(np.where(near, away, 0.0)), far)
        return np.asarray(found, dtype=np.complex128)

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """Relative to M - 1 near one; elsewhere the phase, and how much the two ends cancel."""
        log_moment, s = self.log_moment(s), _right(np.asarray(s, dtype=complex))
        c, near = self.ratio, np.abs(log_moment) < 0.75
        left, right = np.abs(s) * c, np.abs(s + 1.0) * c
        close = np.minimum(left * right, (1.0 + left + right) * np.minimum(1.0, left))
        most = log_moment.real  # on the real axis nothing cancels
        if not near.all() and s.imag.any():
            first = s.flat[0]
            if first.imag == 0.0 and (s.real == first.real).all():  # the nodes of a line
                most = np.full(s.size, most.flat[0])
            else:
                real, where = np.unique(s.real, return_inverse=True)
                most = self.log_moment(real.astype(complex)).real[where]
        lost = np.exp(np.clip(most.reshape(s.shape) - log_moment.real, 0.0, 700.0))
        fading = np.exp(-np.minimum(2.0 * (s.real + 0.5) * c, 700.0))
        # two exponentials, their weights and sum: eleven roundings, each half an ulp
        apart = np.log1p(16.0 * ULP * lost * (1.0 + (left + right) * fading))
        # near one: as many roundings of what is less than one; and of the phase
        return log_moment, np.where(near, 16.0 * ULP * close, apart + 4.0 * ULP * left)

    def decay(self, theta: float, start: float, stop: float) -> float:
        """abs(cosh w)^2 = sinh^2 + cos^2 and abs(sinh w)^2 <= cosh^2 of Re w and Im w = t c."""
        c, u = self.ratio, abs(theta + 0.5)
        x = u * c
        flat = float(np.tanh(x)) / (2.0 * u) if x > 1e-8 else c / 2.0
        side = min(flat, 0.5 / max(float(np.hypot(u, start)), 1e-300))
        sine, cosine = _turned(start * c, stop * c)
        high = float(np.cosh(min(x, 300.0)))
        swing, root = sine / high, math.hypot(math.tanh(x), cosine / high)  # of 1 - swing^2
        lost = (swing * swing / (1.0 + root) + (flat - side)) / (1.0 + flat)
        left = (root + side) / (1.0 + flat)  # 1 - lost, where little is left
        # up to sixteen roundings, of what is left or of numbers up to 1
        log_left = math.log(left * (1.0 + 16.0 * ULP))
        if left > 0.5:
            log_left = math.log1p(min(16.0 * ULP - lost, 0.0))  # as many roundings
        return -log_left * (1.0 - 2.0 * ULP)  # two roundings of the logarithm

    @classmethod
    def of(cls, sensitivity: float, scale: float, ratio: float) -> LaplaceLoss:
        """The loss of noise, given the double nearest to sensitivity / scale."""
        top = quotient_up(sensitivity, scale)
        return cls(ratio, top if top > ratio else None)

    def reverse(self) -> Loss:
        """Itself: reflection exchanges the two."""
        return self

    def _minus_one(self, s: Numbers) -> Numbers:
        """M - 1, for s on the right; 1 where that is certainly not small."""
        c = self.ratio
        far = s.real * c > 2.0
        s = np.where(far, 0.0, s)
        up, down = exp_minus_one(s * c), exp_minus_one(-(s + 1.0) * c)
        ends = -0.5 * down * up
        w, v = (s + 0.5) * c, c / 2.0
        series = (np.abs(w) <= EDGE) & (v <= EDGE)
        if series.all() and not far.any():
            return np.asarray(ends + np.exp(-v) * v * _sinhc_difference(s, c))
        body = v * (2.0 + down) * up + s * c * np.expm1(-c)
        between = np.array(body / np.where(w == 0.0, 1.0, 2.0 * w))
        between[series] = np.exp(-v) * v * _sinhc_difference(s[series], c)
        far = far | (~series & (np.abs(w) < 1.0))  # there abs(M) < 0.4
        return np.asarray(np.where(far, 1.0, ends + between))


def _right(s: Complexes) -> Complexes:
    """s or -1 - s, whichever has the larger real part."""
    return np.asarray(np.where(s.real < -0.5, -1.0 - s, s))


def _ratio_to(top: Numbers, w: Numbers) -> Numbers:
    """top / w, and 1 at w = 0."""
    zero = w == 0.0
    return np.asarray(np.where(zero, 1.0, top / np.where(zero, 1.0, w)))


def _sinhc_difference(s: Numbers, c: float) -> Numbers:
    """sinh(w) / w - sinh(v) / v at w = (s + 1/2) c, v = c / 2, from the series in squares."""
    W, V = ((s + 0.5) * c) ** 2, (c / 2.0) ** 2
    short = max(float(np.abs(W).max(initial=0.0)), V) <= 0.25
    total, a = np.zeros_like(W), 0.0
    for n in range((FEW_TERMS if short else TERMS) - 1, 0, -1):
        a = 1.0 / factorial(2 * n + 1) + V * a
        total = total * W + a
    return np.asarray(s * (s + 1.0) * c**2 * total)


def _turned(start: float, stop: float) -> tuple[float, float]:
    """Least abs(sin y) and most abs(cos y) for y in [start, stop], whose ends are rounded once."""
    if not np.isfinite(stop) or np.floor(stop / np.pi) != np.floor(start / np.pi):
        return 0.0, 1.0
    y, off = np.array([start, stop]), ULP * stop
    sine, cosine = np.abs(np.sin(y)).min() - off, np.abs(np.cos(y)).max() + off
    return float(max(sine, 0.0)), float(min(cosine, 1.0))


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
