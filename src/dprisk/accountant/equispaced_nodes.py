"""Sums over many equally spaced nodes of a line: turns are products of two from short tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.accountant.lattice_fft import turns_off
from dprisk.losses.base import Complexes
from dprisk.losses.exponential_sums import in_rows

FEWEST_NODES = 2**7  # with as many this is faster, and has no more roundings than one long sum
MOST_PLACES = 2**20  # in the grid
ANGLE = 32.0  # products that cost as much as a sine and a cosine
SUMS_AT_ONCE = 2**6
MOST_PRODUCTS = 2**18  # of two matrices: with more, BLAS starts threads that wait


class EvenNodes(NamedTuple):
    """Weights in a grid, shape (factors, rows, base); which rows those are, and the step."""

    grid: npt.NDArray[np.complex128]
    rows: Floats
    step: float

    @classmethod
    def of(cls, t: Floats, step: float, weights: Complexes) -> EvenNodes | None:
        """A row of weights for each factor; None where the nodes are few, or far apart."""
        if len(t) < FEWEST_NODES:
            return None
        n = np.rint(t / step)
        base, rows, row = in_rows(n, ANGLE)
        count = len(rows)
        if base * count > MOST_PLACES or base + count > len(t):
            return None
        grid = np.zeros((len(weights), count, base), dtype=np.complex128)
        grid[:, row, (n % base).astype(np.intp)] = weights
        return cls(grid, rows * base, step)

    def sums(self, x: Floats, first: int, last: int) -> Floats:
        """Real parts for the factors from the first to before the last, a column for each x."""
        grid = self.grid[first:last]
        _, rows, base = grid.shape
        found = np.zeros((len(grid), len(x)))
        for start in range(0, len(x), SUMS_AT_ONCE):
            some = slice(start, start + SUMS_AT_ONCE)
            angle = -self.step * x[some]
            near = turns(np.arange(float(base)), angle)
            size = MOST_PRODUCTS // (base * len(angle)) or 1
            for first_row in range(0, rows, size):
                block = slice(first_row, first_row + size)
                far = turns(self.rows[block], angle)
                found[:, some] += ((grid[:, block] @ near) * far).sum(axis=1).real
        return found


def turns(n: Floats, angle: Floats) -> Complexes:
    """e^(i n angle), a row for each n."""
    phase = turns_off(np.multiply.outer(n, angle))
    found = np.empty(phase.shape, dtype=np.complex128)
    np.cos(phase, out=found.real)
    np.sin(phase, out=found.imag)
    return found
