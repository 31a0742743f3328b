"""Any mechanism, given by its densities or by the probabilities of its outputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, assign, numbers, settle
from dprisk._numeric.envelope import whole_numbers
from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput
from dprisk.guarantees import ApproxDPCurve, Guarantee
from dprisk.guarantees.approximate import of_tests
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.losses.density import REAL
from dprisk.losses.lattice import SPACING
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
        return promised(self.losses(), self.neighbors)

    def losses(self) -> LossPair:
        """Losses of this pair in both directions, on a lattice."""
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by a factor."""
        from dprisk.losses.density import between

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


def promised(pair: LossPair, neighbors: Neighbors) -> ApproxDPCurve:
    """Points of the privacy profile of what dominates, a list of values in both directions."""
    uppers = (pair.forward[1], pair.backward[1])
    highest = max(0.0, *(each.support[1] for each in uppers))
    epsilon = highest * np.linspace(0.0, 1.0, CURVE) ** 2
    delta = np.maximum(*(profile_above(each, epsilon) for each in uppers))
    return ApproxDPCurve(epsilon, np.minimum(delta, 1.0), neighbors=neighbors)


def profile_above(loss: Loss, epsilon: Floats) -> Floats:
    """E[(1 - e^(epsilon - Z))+], rounded upwards, of a loss with finitely many values."""
    if not isinstance(loss, AtomicLoss):
        raise TypeError(type(loss).__name__)
    below = np.zeros(len(epsilon))
    for i, limit in enumerate(epsilon.tolist()):
        first = int(np.searchsorted(loss.losses, limit, side="right"))
        gain = -np.expm1(limit - loss.losses[first:])
        below[i] = float((loss.masses[first:] * gain).sum())
    return np.asarray((below + loss.infinite) * (1.0 + MARGIN))


Numbers = tuple[float | Fraction, ...]

TOTAL = 1e-12  # how far from one probabilities may add up


@final
@dataclass(frozen=True, init=False, slots=True)
class PairOfDistributions(Mechanism):
    """The probabilities of every output on two neighbors, for a mechanism that has no class here.

    Parameters
    ----------
    p, q : array_like of float, or sequence of Fraction
        Probability of each output on the one dataset and on the other. Each list adds up to one
        within 1e-12. It is read as the exact numbers that were given, divided by their exact sum;
        as attributes, and in `losses`, the quotients are rounded to floats. [0, 1], shape (n,)
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
    _given: tuple[Numbers, Numbers] = field(repr=False)

    def __init__(
        self,
        p: npt.ArrayLike | Sequence[Fraction],
        q: npt.ArrayLike | Sequence[Fraction],
        *,
        neighbors: Neighbors,
    ) -> None:
        first, second = adding_up("p", p), adding_up("q", q)
        if len(first) != len(second):
            raise InvalidInput(
                "q",
                (len(second),),
                f"a list as long as p, of the shape {(len(first),)}",
                "Each output has a place in both.",
            )
        assign(
            self,
            p=_rounded(first),
            q=_rounded(second),
            neighbors=neighbors,
            _given=(first, second),
        )

    def guarantee(self) -> Guarantee:
        """Approximate DP at every likelihood ratio: the best tests look at nothing else."""
        p, q = (whole_numbers(each)[0] for each in self._given)
        whole, other = sum(p), sum(q)
        seen = [both for both in zip(p, q, strict=True) if any(both)]
        seen.sort(key=cmp_to_key(_by_falling_ratio))
        powers, levels = accumulate(a for a, _ in seen), accumulate(b for _, b in seen)
        tests = ((x * whole, y * other) for x, y in zip(levels, powers, strict=True))
        return of_tests(tests, whole * other, self.neighbors)

    def losses(self) -> LossPair:
        """Losses of this pair in both directions."""
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
        return LossPair.known(loss, label="a pair of distributions")

    @property
    def _probabilities_off(self) -> float:
        # a logarithm of a quotient that is rounded once, and the sum of the masses
        return 8.0 * ULP

    @property
    def outputs(self) -> Outputs:
        """Outputs by their place in the lists."""
        p, q = np.array(self.p), np.array(self.q)
        at = np.arange(float(p.size))
        return Outputs(lambda x: p[x.astype(int)], lambda x: q[x.astype(int)], at, discrete=True)


def adding_up(name: str, given: npt.ArrayLike | Sequence[Fraction]) -> Numbers:
    """Probabilities that add up to one, as they were given."""
    values = numbers(name, given, PROBABILITY)
    if values.ndim != 1 or not values.size:
        raise InvalidInput(name, values.shape, "a list of probabilities")
    total = _total(values)
    if abs(total - 1.0) > TOTAL:
        allowed = f"probabilities that add up to 1, within {TOTAL:g}"
        raise InvalidInput(name, total, allowed, "Divide by their sum.")
    exact = np.asarray(given, dtype=object).tolist()
    return tuple(x if isinstance(x, Fraction) else float(x) for x in exact)


def _total(values: Floats) -> float:
    return float(np.sort(values).sum())  # the same in any order


def _rounded(given: Numbers) -> tuple[float, ...]:
    """Divided by their sum."""
    values = np.array(given, dtype=float)
    return tuple((values / _total(values)).tolist())


def _by_falling_ratio(one: tuple[int, int], two: tuple[int, int]) -> int:
    return two[0] * one[1] - one[0] * two[1]


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
