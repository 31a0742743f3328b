"""Any mechanism with a continuous output, given by its densities."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import final

import numpy as np

from dprisk._checks import assign, numbers, settle
from dprisk._numeric.logspace import Floats
from dprisk.guarantees import ApproxDPCurve, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Loss, LossPair
from dprisk.losses.discretize.density import REAL
from dprisk.losses.discretize.lattice import SPACING
from dprisk.mechanisms.base import POINTS, Mechanism, Outputs

CURVE = 256  # points of the promise
MARGIN = 1e-11  # relative: more than the probabilities may be off


@final
@dataclass(frozen=True, slots=True)
class PairOfDensities(Mechanism):
    """The densities of the output on two neighbors, for a mechanism that has no class here.

    Parameters
    ----------
    log_density_p, log_density_q : callable
        Natural logarithms of the densities on the one dataset and on the other, at an array of
        outputs.
    breaks : sequence of float
        Ends of the pieces on which both densities are smooth and their ratio rises, falls or stays
        the same, in increasing order; the outermost may be infinite. (-inf, inf)
    spacing : float
        Distance of the losses that stand for all others, in nats, to begin with: where an accuracy
        is asked for it becomes smaller. Errors are proportional to its square. [1e-9, 1]
    log_ratio : callable, optional
        log_density_p - log_density_q without cancellation.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    Everything is about this one pair, taken in both directions. That no other pair of neighbors is
    easier to tell apart is for the caller to know. Densities are looked at when a question is
    asked; then `InvalidInput` says if they are not smooth between the breaks or do not integrate
    to one.

    Examples
    --------
    Logistic noise on an answer that differs by one:

    >>> import numpy as np
    >>> from dprisk.mechanisms import PairOfDensities
    >>> def log_density(x):
    ...     return -np.abs(x) - 2.0 * np.log1p(np.exp(-np.abs(x)))
    >>> pair = PairOfDensities(
    ...     lambda x: log_density(x - 1.0),
    ...     log_density,
    ...     [-np.inf, 0.0, 1.0, np.inf],
    ...     spacing=0.01,
    ...     neighbors="add-remove",
    ... )
    >>> round(pair.guarantee().delta(0.0).value, 4)
    0.2449
    """

    log_density_p: Callable[[Floats], Floats]
    log_density_q: Callable[[Floats], Floats]
    breaks: Sequence[float]
    spacing: float = 1e-4
    log_ratio: Callable[[Floats], Floats] | None = None
    _: KW_ONLY
    neighbors: Neighbors

    exact_probability = 0.0  # the output is continuous

    def __post_init__(self) -> None:
        breaks = tuple(np.ravel(numbers("breaks", self.breaks, REAL)).tolist())
        assign(self, breaks=breaks)
        settle(self, spacing=SPACING)

    def guarantee(self) -> Guarantee:
        """Approximate DP at many points of the privacy profile."""
        pair = self.losses()
        uppers = (pair.forward[1], pair.backward[1])
        highest = max(0.0, *(each.support[1] for each in uppers))
        epsilon = highest * np.linspace(0.0, 1.0, CURVE) ** 2
        delta = np.maximum(*(_profile(each, epsilon) for each in uppers))
        return ApproxDPCurve(epsilon, np.minimum(delta, 1.0), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Losses of this pair in both directions, on a lattice."""
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by a factor."""
        from dprisk.losses.discretize.density import between

        pair = between(
            self.log_density_p,
            self.log_density_q,
            self.breaks,
            spacing=self.spacing / finer,
            loss=self.log_ratio,
            label="a pair of densities",
        )
        return replace(pair, finer=self._on_grid)

    @property
    def outputs(self) -> Outputs:
        """Outputs around the breaks."""
        finite = [each for each in self.breaks if math.isfinite(each)] or [0.0]
        width = max(finite[-1] - finite[0], 1.0)
        low = finite[0] if math.isfinite(self.breaks[0]) else finite[0] - 4.0 * width
        high = finite[-1] if math.isfinite(self.breaks[-1]) else finite[-1] + 4.0 * width
        return Outputs(
            lambda x: np.exp(self.log_density_p(x)),
            lambda x: np.exp(self.log_density_q(x)),
            np.linspace(low, high, POINTS),
        )


def _profile(loss: Loss, epsilon: Floats) -> Floats:
    """E[(1 - e^(epsilon - Z))+], rounded upwards, of a loss with finitely many values."""
    if not isinstance(loss, AtomicLoss):
        raise TypeError(type(loss).__name__)
    below = np.zeros(len(epsilon))
    for i, limit in enumerate(epsilon.tolist()):
        first = int(np.searchsorted(loss.losses, limit, side="right"))
        gain = -np.expm1(limit - loss.losses[first:])
        below[i] = float((loss.masses[first:] * gain).sum())
    return np.asarray((below + loss.infinite) * (1.0 + MARGIN))
