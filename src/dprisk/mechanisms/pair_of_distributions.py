"""Any mechanism with finitely many outputs, given by its probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, assign, numbers, one_of
from dprisk._numeric.logspace import Floats
from dprisk.errors import refused
from dprisk.guarantees import FDP, Guarantee
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, LossPair
from dprisk.mechanisms.base import Mechanism, divergence
from dprisk.mechanisms.outputs import Outputs
from dprisk.text import english

__all__ = ["PairOfDistributions"]

TOTAL = 1e-12  # how far from one probabilities may add up


@final
@dataclass(frozen=True, init=False, slots=True)
class PairOfDistributions(Mechanism):
    """The probabilities of every output on two neighbors, for a mechanism that has no class here.

    Parameters
    ----------
    p, q : array_like of float
        Probability of each output on the one dataset and on the other. Each list adds up to one
        within 1e-12 and is divided by its sum. [0, 1], shape (n,)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    OutOfRange
        If a probability is outside [0, 1] or NaN.
    InvalidInput
        If the lists differ in length or do not add up to one, or `neighbors` is not one of the two
        relations.

    Notes
    -----
    Everything is about this one pair, taken in both directions. That no other pair of neighbors is
    easier to tell apart is for the caller to know.

    Examples
    --------
    >>> from dprisk.mechanisms import PairOfDistributions
    >>> pair = PairOfDistributions([0.5, 0.3, 0.2], [0.4, 0.3, 0.3], neighbors="replace-one")
    >>> round(pair.guarantee().delta(0.0).value, 12)
    0.1
    """

    p: tuple[float, ...]
    q: tuple[float, ...]
    neighbors: Neighbors

    def __init__(self, p: npt.ArrayLike, q: npt.ArrayLike, *, neighbors: Neighbors) -> None:
        first, second = _adding_up("p", p), _adding_up("q", q)
        if first.shape != second.shape:
            raise refused("errors.as-long-as-p", "q", second.shape, shape=first.shape)
        assign(
            self,
            p=tuple(first.tolist()),
            q=tuple(second.tolist()),
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
        )

    def guarantee(self) -> Guarantee:
        """f-DP: the errors of the best tests, which look at the likelihood ratio.

        Returns
        -------
        FDP
            The largest f that bounds the errors in both directions; its profile and its power are
            those of this pair, in the worse direction of the two, made convex.

        References
        ----------
        .. [1] J. Neyman, E. S. Pearson, On the problem of the most efficient tests of statistical
           hypotheses, 1933.
        """
        p, q = np.array(self.p), np.array(self.q)
        order = np.argsort(-_ratios(p, q), kind="stable")
        levels = np.minimum(np.concatenate([[0.0], np.cumsum(q[order])]), 1.0)
        errors = np.minimum(np.concatenate([np.cumsum(p[order][::-1])[::-1], [0.0]]), 1.0)
        levels[-1], errors[0] = 1.0, 1.0
        x, y = np.concatenate([levels, errors]), np.concatenate([errors, levels])
        return FDP.polygon(x, np.minimum(y, 1.0 - x), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Losses of this pair in both directions.

        Returns
        -------
        LossPair
            Infinite where an output is possible on one side only.
        """
        p, q = np.array(self.p), np.array(self.q)
        both = (p > 0.0) & (q > 0.0)
        loss = AtomicLoss.of(
            _ratios(p, q)[both],
            p[both],
            float(p[q == 0.0].sum()),
            None,
            float(q[p == 0.0].sum()),
            q[both],
        )
        return LossPair.known(loss, label=english("mechanism.pair-of-distributions"))

    def _renyi(self, s: Floats) -> Floats:
        # a logarithm of a quotient that is rounded once, and the sum of the masses
        return divergence(self.losses(), s, 8.0 * ULP)

    @property
    def outputs(self) -> Outputs:
        """Outputs by their place in the lists."""
        p, q = np.array(self.p), np.array(self.q)
        at = np.arange(float(p.size))
        return Outputs(lambda x: p[x.astype(int)], lambda x: q[x.astype(int)], at, discrete=True)

    @property
    def noise_sd(self) -> float | None:
        """None: outputs are not numbers."""
        return None

    @property
    def exact_probability(self) -> float | None:
        """None: which output is the true one is not said."""
        return None


def _adding_up(name: str, given: npt.ArrayLike) -> Floats:
    """Probabilities that add up to one; divided by their sum."""
    values = numbers(name, given, PROBABILITY)
    if values.ndim != 1 or not values.size:
        raise refused("errors.probabilities", name, values.shape)
    total = float(np.sort(values).sum())  # the same in any order
    if abs(total - 1.0) > TOTAL:
        raise refused("errors.total", name, total, within=f"{TOTAL:g}")
    return np.asarray(values / total)


def _ratios(p: Floats, q: Floats) -> Floats:
    """log(p / q), minus log(q / p) to the last bit; infinite where one of them is impossible."""
    both = (p > 0.0) & (q > 0.0)
    a, b = np.where(both, np.maximum(p, q), 1.0), np.where(both, np.minimum(p, q), 1.0)
    with np.errstate(over="ignore"):
        quotient = a / b
    near, far = a < 2.0 * b, np.isinf(quotient)  # near, a - b is exact
    ratio = np.log(np.where(far, 1.0, quotient))
    ratio[far] = np.log(a[far]) - np.log(b[far])
    ratio[near] = np.log1p((a[near] - b[near]) / b[near])
    return np.asarray(np.where(both, ratio, np.inf) * np.where(p >= q, 1.0, -1.0))
