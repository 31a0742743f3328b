"""Rényi divergences of pairs of losses, at most and at least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Loss, LossPair


def divergence(pair: LossPair, s: Floats, off: float = 0.0) -> Floats:
    """Rényi divergence of order 1 + s, the larger of both directions; inf if anything leaks."""
    if pair.renyi is not None:
        return pair.renyi(s)
    found, off = np.zeros(s.shape), max(off, pair.relative_error)
    for _, upper in pair.directions():
        if upper.infinite > 0.0:
            return np.full(s.shape, np.inf)
        largest = max(upper.support[1], 0.0) * (1.0 + 8.0 * ULP)  # a few roundings
        found = np.maximum(found, np.minimum(_ends(upper, s, off)[1], largest))
    return np.asarray(found * (1.0 + 8.0 * ULP))  # a few roundings


def least_divergence(pairs: Sequence[tuple[LossPair, int]], s: Floats) -> Floats:
    """Rényi divergence of order 1 + s of several losses, each so often; rounded downwards."""
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
    """log E[e^(s Z)] / s, at least and at most, for probabilities that may be off by a share."""
    moment, blur = loss.measured(s.astype(complex))
    most = max(map(abs, loss.support)) if off else 0.0
    wide = 2.0 * off * (1.0 + most) * np.minimum(1.0, (2.0 + 2.0 * s) * most) if off else 0.0
    return (moment.real - blur) / s - wide, (moment.real + blur) / s + wide
