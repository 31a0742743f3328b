"""Gauss-Legendre rules on panels, and at most what they leave out."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

NODES = 20  # on a panel
SIZES = 1.0 + np.geomspace(0.3, 60.0, 14)[:, None]


class Ellipses(NamedTuple):
    """Around each panel (columns), of several sizes (rows): how far they reach."""

    left: Floats
    right: Floats
    across: Floats
    fixed: Floats

    @classmethod
    def of(cls, edges: Floats, most: float) -> Ellipses:
        """At most so far across: 64 / 15 h x^(-2 n) / (1 - x^-2) with n + 1 nodes [1]_."""
        half, middle = np.diff(edges) / 2.0, (edges[1:] + edges[:-1]) / 2.0
        along, across = half * (SIZES + 1.0 / SIZES) / 2.0, half * (SIZES - 1.0 / SIZES) / 2.0
        fixed = np.log(64.0 / 15.0 * half) - 2.0 * (NODES - 1) * np.log(SIZES)
        fixed = np.where(across <= most, fixed - np.log1p(-(SIZES**-2.0)), np.inf)
        return cls(middle - along, middle + along, np.minimum(across, most), fixed)

    def error(self, size: Floats) -> Floats:
        """log of the error of the rule for a function that is at most e^size on an ellipse."""
        return np.asarray((size + self.fixed).min(axis=-2))


@cache
def _legendre() -> tuple[Floats, Floats]:
    x, weights = np.polynomial.legendre.leggauss(NODES)
    return x, weights


def nodes(edges: Floats) -> tuple[Floats, Floats]:
    """Nodes and weights on each panel, one after the other."""
    x, weights = _legendre()
    half = np.diff(edges)[:, None] / 2.0
    return ((edges[:-1, None] + half) + half * x).ravel(), (half * weights).ravel()


def halved(edges: Floats, bad: npt.NDArray[np.bool_]) -> Floats:
    """With a new edge in the middle of some panels."""
    return np.sort(np.concatenate([edges, (edges[1:] + edges[:-1])[bad] / 2.0]))
