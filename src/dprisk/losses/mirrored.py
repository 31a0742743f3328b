"""A loss that is that of the reverse pair, too, but for rounding: one for both directions.

With p_j the probability of the loss j h under P, the reverse pair has q_-j = p_-j e^(j h) there. If
these agree up to a factor 1 + r wherever there is anything, one loss stands for both directions:
all its probabilities are within that factor of either, and so is delta, k times for k losses. What
lies where they do not agree is hardly there, and shows who it was in a loss that dominates, and is
left out of one that is dominated.

Symbols: docs/notation.md.
"""

from __future__ import annotations

import numpy as np

from dprisk.losses.atoms import AtomicLoss

__all__ = ["mirrored"]

FAINT_PROBABILITY = 1e-90  # that both directions may differ by: next to nothing


def mirrored(loss: AtomicLoss, tolerance: float, above: bool) -> tuple[AtomicLoss, float] | None:
    """One loss for both directions.

    Parameters
    ----------
    loss : AtomicLoss
        On a lattice {j h}.
    tolerance : float
        r at most. (0, 1e-6]
    above : bool
        Whether it is one that dominates.

    Returns
    -------
    (AtomicLoss, float) or None
        The loss, and r; None if the directions differ by more.

    Examples
    --------
    >>> from dprisk.losses.base import Lattice
    >>> coin = AtomicLoss.part([-1.0, 1.0], [0.5, 0.5 * np.e], 0.0, Lattice(-1.0, 1.0))
    >>> mirrored(coin, 1e-12, True)[1] < 1e-15
    True
    """
    shown = (loss.infinite, loss.reverse_infinite)
    if loss.on is None or not max(shown) <= min(shown) * (1.0 + tolerance) + FAINT_PROBABILITY:
        return None
    places = np.rint(loss.losses / loss.on.spacing).astype(np.int64)
    opposite = np.minimum(np.searchsorted(places, -places), len(places) - 1)
    own = loss.masses
    other = np.where(places[opposite] == -places, loss.reverse_masses[opposite], 0.0)
    apart, least = np.abs(own - other), np.minimum(own, other)
    differ = apart > tolerance * least
    furthest = np.abs(places[differ]).min(initial=np.abs(places).max() + 1)
    core = np.abs(places) < furthest
    outside = float(max(own[~core].sum(), loss.reverse_masses[~core].sum()))
    if outside > FAINT_PROBABILITY or not core.any():
        return None
    off = apart[core] / np.maximum(least[core], np.finfo(float).tiny)
    both = max(shown) + outside if above else min(shown)
    one = AtomicLoss.part(
        loss.losses[core],
        loss.masses[core],
        both,
        loss.on,
        both,
        loss.reverse_masses[core],
    )
    return one, float(off.max())
