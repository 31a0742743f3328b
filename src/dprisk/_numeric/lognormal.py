"""A lognormal likelihood ratio on a lattice: spread out for an upper bound, merged for a lower one.

W = e^(s z - s^2 / 2), z standard normal, has mean 1: the ratio of two normals s apart. Under the
other of them, its masses have the weight W.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import ndtr

BLOCK = 2**11  # cells with the same number of nodes
FARTHEST = 39.0  # deviations: beyond, there is nothing that a float can hold
# nodes, and up to which width of a cell, in units of the distance to where the density is twice as
# steep, Gauss-Legendre rules err by less than a rounding (Cauchy's bound of the last derivative)
RULES = ((3, 4e-3), (4, 0.023), (6, 0.13), (8, 0.3), (16, 1.0))
HALVINGS = 64
TWICE = 2.0
STEPS = 6
NEARLY = 1.0 - 2.0**-12


class Law(NamedTuple):
    """Masses at `origin` + j `spacing`; W is below `end`, but for a mass that is lent by others."""

    origin: float
    spacing: float
    masses: Floats
    end: float
    lent: float = 0.0


def spread_out(s: float, spacing: float, cells: int) -> Law:
    """Each W between two points of a lattice goes to both, so that its mean is kept."""
    return spread_between(s, least(s), spacing, cells)


def least(s: float) -> float:
    """Hardly any W is below."""
    return math.exp(-s * s / 2.0 - FARTHEST * s)


def spread_between(s: float, start: float, spacing: float, cells: int) -> Law:
    """The same of W between `start` and an end."""
    left, right = _shares(s, start, spacing, cells)
    masses = np.append(left, 0.0)
    masses[1:] += right
    return Law(start, spacing, masses, start + spacing * cells)


def merged(s: float, spacing: float, cells: int, gap: float = 0.0) -> Law | None:
    """Cells merged on their points, each with a little of a neighbor, so that its mean is there.

    The call function of these masses joins values of tangents of that of W (dprisk Proposition 30).
    The last takes from a point that is `gap` away, or else from a cell that is left out.
    """
    edge = _first_edge(s, spacing)
    z = (math.log(edge) + s * s / 2.0) / s
    left, right = _shares(s, edge, spacing, cells + 1)
    first = float(ndtr(np.array([z]))[0])
    whole, lean = np.append(first, left + right), np.append(0.0, (right - left) / 2.0)
    end, masses = edge + spacing * (cells + 1), _landed(whole, lean)
    if masses is None:
        return None
    lent = max(-float(lean[-2]), 0.0)
    if gap:
        masses[-1] -= lent * (1.0 - spacing / gap)
        end, lent = end - spacing, lent * spacing / gap
    return Law(edge - spacing / 2.0, spacing, masses, end, lent if gap else 0.0)


def merged_between(s: float, start: float, spacing: float, cells: int, lent: float) -> Law | None:
    """The same of W between `start` and an end, of which the first point lends a mass."""
    left, right = _shares(s, start, spacing, cells + 1)
    masses = _landed(left + right, (right - left) / 2.0)
    if masses is None or right[0] > left[0] or masses[0] < lent:
        return None
    masses[0] -= lent
    return Law(start + spacing / 2.0, spacing, masses, start + spacing * (cells + 1))


def _landed(whole: Floats, lean: Floats) -> Floats | None:
    """Masses on the middles of cells, from their masses and means; without the last cell."""
    up, down = np.maximum(lean, 0.0), np.maximum(-lean, 0.0)
    masses = whole + np.abs(lean)
    masses[:-1] -= up[1:]
    masses[1:] -= down[:-1]
    return None if np.any(masses[:-1] < whole[:-1] / 16.0) else masses[:-1]


def end_of(s: float, spacing: float, cells: int) -> float:
    """The end of so many merged cells."""
    return _first_edge(s, spacing) + spacing * cells


def spacing_to(s: float, end: float, cells: int) -> float:
    """The spacing at which so many merged cells reach nearly up to an end."""
    spacing = end / (cells + 2.0)
    for _ in range(STEPS):
        spacing *= NEARLY * end / (_first_edge(s, spacing) + spacing * (cells + 1))
    return spacing


def cells_of(s: float, edges: Floats) -> tuple[Floats, Floats]:
    """Probability of W between edges, and under the other of the two normals."""
    z = (np.log(edges) + s * s / 2.0) / s
    found = []
    for x in (z, z - s):
        below, above = np.diff(ndtr(x)), -np.diff(ndtr(-x))
        found.append(np.where(x[:-1] > 0.0, above, below))
    return found[0], found[1]


def _first_edge(s: float, spacing: float) -> float:
    """Half a spacing above the mean of all that is below it."""
    low = max(spacing / 2.0, math.exp(-s * s / 2.0 - (FARTHEST - 3.0) * s))
    high = TWICE * low
    while _above_mean(s, high) < spacing / 2.0:
        low, high = high, TWICE * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if _above_mean(s, middle) < spacing / 2.0 else (low, middle)
    return high


def _above_mean(s: float, edge: float) -> float:
    z = (math.log(edge) + s * s / 2.0) / s
    shifted, plain = map(float, ndtr(np.array([z - s, z])))
    return edge - shifted / plain


def _density(s: float, w: Floats) -> Floats:
    z = (np.log(w) + s * s / 2.0) / s
    return np.asarray(np.exp(-z * z / 2.0) / (s * math.sqrt(2.0 * math.pi) * w))


@cache
def _gauss(order: int) -> tuple[Floats, Floats]:
    """Nodes and weights of the Gauss-Legendre rule on [0, 1]."""
    x, weights = np.polynomial.legendre.leggauss(order)
    return (x + 1.0) / 2.0, weights / 2.0


def _shares(s: float, start: float, spacing: float, count: int) -> tuple[Floats, Floats]:
    """E[1 - u; cell] and E[u; cell], with u in [0, 1] the place of W in each of so many cells."""
    left, right = np.zeros(count), np.zeros(count)
    edges = start + spacing * np.arange(count)
    at = np.maximum(edges, least(s))
    z = np.abs(np.log(at) + s * s / 2.0) / s
    width = TWICE * spacing / at * np.maximum(1.0, (z + 1.0) / s)
    wide = np.flatnonzero(width > RULES[-1][1])
    first = int(wide[-1]) + 1 if wide.size else 0
    for j in range(first):
        left[j], right[j] = _in_panels(s, float(edges[j]), spacing)
    for j in range(first, count, BLOCK):
        some = slice(j, min(j + BLOCK, count))
        widest = float(width[some].max())
        order = next(nodes for nodes, most in RULES if widest <= most)
        for u, weight in zip(*(each.tolist() for each in _gauss(order)), strict=True):
            here = _density(s, edges[some] + spacing * u) * (spacing * weight)
            left[some] += here * (1.0 - u)
            right[some] += here * u
    return left, right


def _in_panels(s: float, low: float, spacing: float) -> tuple[float, float]:
    """The same of one cell, in panels of the logarithm."""
    start, stop = math.log(low), math.log(low + spacing)
    panels = max(1, math.ceil((stop - start) * (FARTHEST + 2.0) / (2.0 * s)))
    width = (stop - start) / panels
    u, weights = _gauss(RULES[-1][0])
    x = (start + width * (np.arange(panels)[:, None] + u)).ravel()
    z = (x + s * s / 2.0) / s
    here = np.exp(-z * z / 2.0) / (s * math.sqrt(2.0 * math.pi)) * np.tile(weights * width, panels)
    share = np.clip((np.exp(x) - low) / spacing, 0.0, 1.0)
    return float((here * (1.0 - share)).sum()), float((here * share).sum())
