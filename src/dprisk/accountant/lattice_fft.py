"""Sums over all nodes round a lattice, at every point of it, from one Fourier transform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Lattice

TURN = 2.0 * np.pi
STAGE = 8.0  # roundings in each stage of a transform


@final
@dataclass(frozen=True, eq=False)
class LatticeTable:
    """The real part of the sum of w e^(-i t x) at x = origin + spacing j, for all whole j."""

    values: Floats
    fixed: float
    moving: float

    @classmethod
    def of(
        cls, s: Complexes, weights: Complexes, error: Floats, period: float, lattice: Lattice
    ) -> LatticeTable:
        """From nodes a whole part of the circle apart."""
        count = int(np.rint(period / lattice.spacing))
        size, t = np.abs(weights), s.imag
        n = np.rint(t * (period / TURN)).astype(np.int64)
        turned = np.conj(weights * np.exp(-1j * turns_off(t * lattice.origin))) * (count / 2.0)
        turned[(n == 0) | (2 * n == count)] *= 2.0
        spectrum = np.zeros(count // 2 + 1, dtype=np.complex128)
        spectrum[n] = turned
        # 8 ulps for each stage of the transform; roundings lie on both sides
        steady = error + (16.0 + STAGE * np.log2(count)) * ULP
        # as PHASE: roundings that come to 4 ulp, twice that
        moved = 8 * ULP * np.abs(s)
        return cls(np.fft.irfft(spectrum, count), float(size @ steady), float(size @ moved))

    def at(self, j: Floats) -> Floats:
        """At these points."""
        return self.values.take(np.mod(j, float(len(self.values))).astype(np.int64))


def turns_off(phase: Floats) -> Floats:
    """By whole turns into [-pi, pi], where sine and cosine are fast; off by an ulp of the phase."""
    return np.asarray(phase - TURN * np.rint(phase / TURN))
