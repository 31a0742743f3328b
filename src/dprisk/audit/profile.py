"""What the corners of the most power of any test say: the privacy profile, mu, a guarantee."""

from __future__ import annotations

import numpy as np

from dprisk._numeric.logspace import Floats, below_complement
from dprisk.audit.curve import Corners
from dprisk.audit.relation import Whole
from dprisk.audit.scanning import scaled
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.tradeoff import FDP
from dprisk.losses.base import ULP

__all__ = ["as_tradeoff", "normals", "slopes", "support", "trimmed"]


def trimmed(corners: Corners) -> Corners:
    """Up to where the curve rises by 45 degrees: from there on it is its own mirror image."""
    run = np.diff(corners.x, prepend=0.0)
    return corners.take(np.diff(corners.y, prepend=0.0) >= run * (1.0 - 1e-12))


def support(corners: Corners, limits: Floats, slack: float) -> tuple[Floats, Whole]:
    """Largest y - e^limit x over the corners, and at which of them.

    A positive slack moves the corners by so much, relatively, to where it is larger.
    """
    if not corners.x.size:
        return np.zeros(limits.size), np.zeros(limits.size, dtype=np.intp)
    x, y = _moved(corners, slack)
    excess = y - scaled(x[None, :], limits[:, None])
    at = np.argmax(excess, axis=1)
    return np.clip(excess[np.arange(limits.size), at], 0.0, 1.0), at


def slopes(corners: Corners, wanted: Floats, slack: float) -> tuple[Floats, Whole]:
    """Least limit with y - e^limit x at most as wanted for all corners, and which of them binds."""
    if not corners.x.size:
        return np.zeros(wanted.size), np.zeros(wanted.size, dtype=np.intp)
    x, y = _moved(corners, slack)
    over = y > wanted[:, None]
    with np.errstate(divide="ignore"):
        rise = np.log(np.where(over, y - wanted[:, None], 1.0)) - np.log(np.maximum(x, 0.0))
    rise = np.where(over, rise, -np.inf)
    at = np.argmax(rise, axis=1)
    found = rise[np.arange(wanted.size), at]
    size = 1.0 + np.where(np.isfinite(found), np.abs(found), 0.0)
    found = found + np.sign(slack) * 4 * ULP * size
    return np.where(wanted >= 1.0, 0.0, np.maximum(found, 0.0)), at


def normals(corners: Corners, slack: float) -> tuple[float, int]:
    """How far apart two normals have to be so that no corner lies above their power curve."""
    from dprisk._numeric.normal import ndtri

    if not corners.x.size:
        return 0.0, 0
    x, y = _moved(corners, slack)
    with np.errstate(invalid="ignore"):
        apart = ndtri(np.minimum(y, 1.0)) - ndtri(np.clip(x, 0.0, 1.0))
    apart = np.where(corners.x < 1.0 - 2 * abs(slack), apart, 0.0)  # (1, 1) is no test
    apart = apart * (1.0 + np.sign(slack) * 1e-12)
    at = int(np.argmax(apart))
    return max(float(apart[at]), 0.0), at


def as_tradeoff(corners: Corners, slack: float, neighbors: Neighbors) -> FDP:
    """One minus the most power, as f-DP: never above the truth."""
    levels, powers = _moved(corners, slack)
    errors = np.asarray(below_complement(np.minimum(powers, 1.0)))
    levels = np.maximum(levels, 0.0)
    return FDP.hull(
        np.concatenate([[0.0], levels, errors, [1.0]]),
        np.concatenate([[1.0], np.minimum(errors, 1.0 - levels), levels, [0.0]]),
        neighbors=neighbors,
    )


def _moved(corners: Corners, slack: float) -> tuple[Floats, Floats]:
    return corners.x * (1.0 - slack), corners.y * (1.0 + slack)
