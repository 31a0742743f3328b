"""What many privacy losses add up to, by the method that suits them."""

from __future__ import annotations

import math

from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.losses.base import ULP, Loss


def composed(parts: Parts, accuracy: float, finer: float = 1.0) -> ComposedLoss:
    """The sum of losses, each so many times."""
    from dprisk.accountant.by_binomial import as_binomial

    distinct = _merged(parts) if len(parts) > 1 else parts
    hidden = math.prod((1.0 - loss.infinite) ** count for loss, count in distinct)
    if hidden < ULP / 8.0:
        from dprisk.accountant.by_atoms import revealed

        return revealed()
    return as_binomial(distinct) or _by_numbers(distinct, accuracy, finer)


def _merged(parts: Parts) -> Parts:
    """Equal losses together."""
    counts: dict[Loss, int] = {}
    for loss, count in parts:
        counts[loss] = counts.get(loss, 0) + count
    return tuple(counts.items())


def _by_numbers(distinct: Parts, accuracy: float, finer: float) -> ComposedLoss:
    """Where there is no closed form."""
    from dprisk.accountant.abscissas import MOST_NODES
    from dprisk.accountant.by_atoms import as_atoms
    from dprisk.accountant.by_contour import ByContour
    from dprisk.accountant.by_discretization import as_discretization
    from dprisk.accountant.by_laplace import as_laplace
    from dprisk.accountant.by_shifts import as_shifts
    from dprisk.accountant.by_splines import as_splines
    from dprisk.accountant.by_truncation import as_truncation
    from dprisk.accountant.snapped_to_lattice import as_snapped_to_lattice
    from dprisk.accountant.subsampled_once import as_subsampled_once
    from dprisk.accountant.subsampled_rarely import as_subsampled_rarely

    nodes = int(MOST_NODES * finer)
    by_value = tuple((_by_value(loss), count) for loss, count in distinct)
    return (
        as_subsampled_rarely(distinct, accuracy, finer, composed)
        or as_atoms(distinct)
        or as_subsampled_once(distinct)
        or as_splines(distinct)
        or as_shifts(distinct, accuracy, finer, composed)
        or as_laplace(distinct, accuracy, nodes)
        or as_discretization(distinct, accuracy, finer, composed)
        or as_truncation(by_value, accuracy, nodes)
        or as_snapped_to_lattice(distinct, accuracy, nodes)
        or ByContour(by_value, accuracy, nodes=nodes)
    )


def _by_value(loss: Loss) -> Loss:
    """What lines take for granted of few values, they know of points only."""
    from dprisk.losses.response import ResponseLoss

    return loss.points if isinstance(loss, ResponseLoss) else loss
