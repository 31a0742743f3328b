"""Rényi divergences of a pair of losses.

Symbols: docs/notation.md.
"""

from __future__ import annotations

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, LossPair

__all__ = ["divergence"]


def divergence(pair: LossPair, s: Floats, off: float = 0.0) -> Floats:
    """Rényi divergence of order 1 + s, the larger of both directions; inf if anything leaks.

    Rounded upwards: by how far the moments may be off, and by the relative error `off` of the
    probabilities. With p~ = p (1 + d), q~ = q (1 + e), and losses of at most l, both |d| and |e|
    at most r, the moment M~ is at most M e^(2 r s) (1 + r); and as probabilities add up to one,
    M~ - M is at most r s l (1 + 2 s) M + r s l (1 + M), to first order. The smaller one is taken.
    """
    if pair.renyi is not None:
        return pair.renyi(s)
    found, off = np.zeros(s.shape), max(off, pair.relative_error)
    for _, upper in pair.directions():
        if upper.infinite > 0.0:
            return np.full(s.shape, np.inf)
        at = s.astype(complex)
        moment, blur = upper.measured(at)
        each = (moment.real + blur) / s
        if off:
            most = max(map(abs, upper.support))
            each = each + 2.0 * off * (1.0 + most) * np.minimum(1.0, (2.0 + 2.0 * s) * most)
        largest = max(upper.support[1], 0.0) * (1.0 + 8.0 * ULP)
        found = np.maximum(found, np.minimum(each, largest))
    return np.asarray(found * (1.0 + 8.0 * ULP))
