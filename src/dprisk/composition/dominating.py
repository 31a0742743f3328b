"""The privacy losses that dominate every mechanism which keeps a promise."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dprisk.guarantees.approximate import ApproxDPCurve
from dprisk.guarantees.base import CHANCES, Guarantee
from dprisk.guarantees.dominating import Dominating, dominated_by, polygon_loss
from dprisk.text import english

NEARLY = 1.0 + 1e-9  # times the least chance


def dominating(part: Guarantee) -> tuple[Dominating, str]:
    """Losses that dominate all mechanisms that keep a promise, and what that gave away."""
    known = part.dominating
    return _by_profile(part) if known is None else (known, part.read_as)


@lru_cache(maxsize=64)
def _by_profile(part: Guarantee) -> tuple[Dominating, str]:
    places, values = part._points
    some = np.isfinite(places)
    curve = np.concatenate([[0.0], places[some]])
    delta = np.concatenate([[float(part.advantage())], values[some]])
    # what is left at the last is revealed
    if some.any() and delta[1] > NEARLY * (least := CHANCES[some][0]):
        curve[1] = float(part.epsilon(least))
        delta[1] = float(part.delta(curve[1]))
    sampled = ApproxDPCurve(curve, delta, neighbors=part.neighbors)
    loss = polygon_loss(sampled._envelope)
    note = english("composition.read-by.points", number=len(curve))
    return dominated_by(loss, part.definition), note
