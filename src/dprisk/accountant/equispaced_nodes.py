"""Sums over very many equally spaced nodes of a line: turns are products of two from short tables.

With n = a B + b, the sum over n of w_n e^(-i n h x) is one over a of e^(-i a B h x) times one over
b: two short tables for each x, and no sine for each node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import Complexes

__all__ = ["FEWEST", "EvenNodes"]

FEWEST = 2**12  # nodes from which on this is faster, and has no more roundings than one long sum
MOST = 2**18  # nodes that are kept a second time
SPARSE = 4  # places to a node


class EvenNodes(NamedTuple):
    """Weights in a grid, shape (factors, rows, base), and the step from node to node."""

    grid: npt.NDArray[np.complex128]
    step: float

    @classmethod
    def of(cls, t: Floats, step: float, weights: Complexes) -> EvenNodes | None:
        """A row of weights for each factor; None where the nodes are few, or far apart."""
        n = np.rint(t / step).astype(np.intp)
        if not FEWEST <= len(t) <= MOST or n[-1] >= SPARSE * len(t):
            return None
        base = int(np.sqrt(n[-1] + 1.0)) + 1
        rows = n[-1] // base + 1
        grid = np.zeros((len(weights), rows * base), dtype=np.complex128)
        grid[:, n] = weights
        return cls(grid.reshape(len(weights), rows, base), step)

    def sums(self, x: Floats, first: int, last: int) -> Floats:
        """Real parts for the factors from the first to before the last, a column for each x."""
        grid = self.grid[first:last]
        _, rows, base = grid.shape
        found = np.empty((len(grid), len(x)))
        for i, one in enumerate(x.tolist()):
            near = np.exp(-1j * (self.step * one * np.arange(base)))
            far = np.exp(-1j * (self.step * base * one * np.arange(rows)))
            found[:, i] = (np.einsum("fab,b->fa", grid, near) * far).sum(axis=1).real
        return found
