"""Sums over all nodes round a lattice, at every point of it, from one Fourier transform.

Symbols: docs/notation.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes, Lattice

__all__ = ["TURN", "LatticeTable", "turns_off"]

TURN = 2.0 * np.pi
STAGE = 8.0  # roundings in each stage of a transform


@final
@dataclass(frozen=True, eq=False)
class LatticeTable:
    """The real part of the sum of w e^(-i t x) at x = origin + spacing j, for all whole j.

    Parameters
    ----------
    values : ndarray of float
        For j = 0, 1, ... until they begin again.
    fixed, moving : float
        At most how far each is off: fixed + moving (abs(x) + abs(origin)).
    """

    values: Floats
    fixed: float
    moving: float

    @classmethod
    def of(
        cls, s: Complexes, weights: Complexes, error: Floats, period: float, lattice: Lattice
    ) -> LatticeTable:
        """From nodes a whole part of the circle apart.

        Parameters
        ----------
        s, weights : ndarray of complex
            Some of the nodes, of imaginary part t = 2 pi n / period up to half a circle, and w
            there: twice as large where the mirror image counts as well.
        error : ndarray of float
            Relative error of each w.
        period : float
            A whole multiple of the spacing.
        lattice : Lattice
            The lattice.
        """
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
        """At these points.

        Parameters
        ----------
        j : ndarray of float
            Whole numbers.
        """
        return self.values.take(np.mod(j, float(len(self.values))).astype(np.int64))


def turns_off(phase: Floats) -> Floats:
    """By whole turns into [-pi, pi], where sine and cosine are fast; off by an ulp of the phase."""
    return np.asarray(phase - TURN * np.rint(phase / TURN))
