"""Rényi divergences of pairs of losses, at most and at least.

Symbols: docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Loss, LossPair

__all__ = ["divergence", "least_divergence"]


def divergence(pair: LossPair, s: Floats, off: float = 0.0) -> Floats:
    """Rényi divergence of order 1 + s, the larger of both directions; inf if anything leaks.

    Rounded upwards: by how far the moments may be off, and by the relative error `off` of the
    probabilities.
    """
    if pair.renyi is not None:
        return pair.renyi(s)
    found, off = np.zeros(s.shape), max(off, pair.relative_error)
    for _, upper in pair.directions():
        if upper.infinite > 0.0:
            return np.full(s.shape, np.inf)
        largest = max(upper.support[1], 0.0) * (1.0 + 8.0 * ULP)
        found = np.maximum(found, np.minimum(_ends(upper, s, off)[1], largest))
    return np.asarray(found * (1.0 + 8.0 * ULP))


def least_divergence(pairs: Sequence[tuple[LossPair, int]], s: Floats) -> Floats:
    """Rényi divergence of order 1 + s of several losses, each so often; rounded downwards.

    In the direction in which the sum is larger.
    """
    found = np.zeros(s.shape)
    for side, name in enumerate(("forward", "backward")):
        total = np.zeros(s.shape)
        for pair, count in pairs:
            if pair.revealed[side][0] > 0.0:
                return np.full(s.shape, np.inf)
            lower, _ = _ends(getattr(pair, name)[0], s, pair.relative_error)
            total += count * np.maximum(lower, 0.0)
        found = np.maximum(found, total)
    return np.asarray(found * (1.0 - 8.0 * ULP))


def _ends(loss: Loss, s: Floats, off: float) -> tuple[Floats, Floats]:
    """log E[e^(s Z)] / s, at least and at most, for probabilities that may be off by a share.

    With p~ = p (1 + d), q~ = q (1 + e), and losses of at most l, both |d| and |e| at most r, the
    moment M~ is at most M e^(2 r s) (1 + r); and as probabilities add up to one, M~ - M is at most
    r s l (1 + 2 s) M + r s l (1 + M), to first order. The smaller one is taken.
    """
    moment, blur = loss.measured(s.astype(complex))
    most = max(map(abs, loss.support)) if off else 0.0
    wide = 2.0 * off * (1.0 + most) * np.minimum(1.0, (2.0 + 2.0 * s) * most) if off else 0.0
    return (moment.real - blur) / s - wide, (moment.real + blur) / s + wide
