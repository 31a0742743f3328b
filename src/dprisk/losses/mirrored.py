"""A loss that is that of the reverse pair, too, but for rounding: one for both directions."""

from __future__ import annotations

import numpy as np

from dprisk.losses.atoms import AtomicLoss

FAINT_PROBABILITY = 1e-90  # that both directions may differ by: next to nothing


def mirrored(loss: AtomicLoss, tolerance: float, above: bool) -> tuple[AtomicLoss, float] | None:
    """One loss for both directions."""
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
