"""One of several outcomes is selected: the exponential mechanism, and answers above a threshold."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import ClassVar, Final, final

import numpy as np

from dprisk._checks import FINITE, FINITE_POSITIVE, assign, settle, whole
from dprisk._numeric.exact import rounded_up
from dprisk._numeric.logspace import Floats, log1mexp
from dprisk.guarantees import ApproxDPCurve, Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.piecewise import polygon_loss
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, Loss, LossPair
from dprisk.losses.bounded_range import binomial, equal_windows, game
from dprisk.losses.density import spacing_for
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms.base import RATIOS, Mechanism, limited
from dprisk.text import english

LABEL: Final = "mechanism.exponential"
FAINT: Final = 1e-6  # nats: shorter windows hardly differ from a coin
LONGEST: Final = 40.0  # nats: of longer windows one end alone tells nearly everything
BLOCK: Final = 64  # uses that are played together
POINTS: Final = 64  # of a window, where blocks share a lattice
MOST_POINTS: Final = 256
Counted = tuple[tuple[LossPair, int], ...]


@final
@dataclass(frozen=True, slots=True)
class ExponentialMechanism(Mechanism):
    """One of several outcomes is drawn, those with a higher score with a higher probability.

    An outcome is drawn with a probability in proportion to exp(epsilon score / (2 sensitivity)),
    where `sensitivity` is the most by which one step between neighbors can change any score; or to
    exp(epsilon score / sensitivity) where it can only raise scores, or only lower them.
    Adding Gumbel noise to each score and reporting the highest is the same.

    Parameters
    ----------
    epsilon : float
        Length of the range of its privacy losses: it is also the epsilon of pure DP. [0, inf), nats
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    All losses of two neighbors lie in one window of this length, which can be anywhere around 0:
    bounded range [1]_. Repeated, that is hardly half of what pure DP with the same epsilon allows.
    One use is exact: at each question, the worst window counts. Several uses are bounded
    from above, for scores that are chosen after seeing earlier outcomes; the other end of the
    bracket are uses whose windows are all in the same place, which is the worst for scores that are
    chosen in advance.

    Permute-and-flip, and the highest score after Laplace or exponential noise, have no bounded
    range of this length: between two outcomes they are Laplace noise. State pure DP for these.

    References
    ----------
    .. [1] J. Dong, D. Durfee, R. Rogers, Optimal differential privacy composition for exponential
       mechanisms, ICML 2020, PMLR 119:2597-2606, Definition 2.2 and Theorem 1.
    .. [2] dprisk Proposition 28.

    Examples
    --------
    >>> from dprisk.mechanisms import ExponentialMechanism
    >>> choice = ExponentialMechanism(epsilon=1.0, neighbors="add-remove")
    >>> round(choice.loss().delta(0.0).value, 6), round(choice.guarantee().delta(0.0).value, 6)
    (0.244919, 0.462117)
    """

    epsilon: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "exponential"

    def __post_init__(self) -> None:
        settle(self, epsilon=FINITE)

    def guarantee(self) -> Guarantee:
        """Pure DP with the same epsilon."""
        return PureDP(self.epsilon, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Between the window around 0, and the least pair that dominates every window."""
        length, label = limited("epsilon", self.epsilon, RATIOS), english(LABEL)
        if length <= FAINT:  # hardly more than the window around 0
            both = ResponseLoss(length / 2.0), ResponseLoss(length)
            return LossPair(both, both, False, label)
        return _one_use(length, 1.0)


def _one_use(length: float, finer: float) -> LossPair:
    """The dominating pair on a lattice, with a spacing that is smaller by about a factor."""
    upper, label = _smooth(length, finer).forward[1], english(LABEL)
    both: tuple[Loss, Loss] = (ResponseLoss(length / 2.0), upper)
    return LossPair(
        *(both, both, False, label),
        relative_error=_smooth(length, finer).relative_error,
        shown=(0.0, 0.0),
        finer=partial(_one_use, length),
        renyi=partial(_renyi, length),
        repeated=partial(_repeated, length, finer),
    )


@cache
def _smooth(length: float, finer: float) -> LossPair:
    """Densities in proportion to e^(z / 2) and e^(-z / 2) on [-length, length]."""
    from dprisk.losses.density import between

    wanted = spacing_for(min(length, 1.0), length) / (16.0 * finer)
    spacing = max(length / math.ceil(length / wanted), 1e-9)
    log_whole = length / 2.0 + math.log(2.0) + float(log1mexp(length))
    return between(
        lambda z: z / 2.0 - log_whole,
        lambda z: -z / 2.0 - log_whole,
        [-length, 0.0, length],
        spacing=spacing,
        loss=lambda z: z,
        label=english(LABEL),
    )


def _renyi(length: float, s: Floats) -> Floats:
    """log E[e^(s Z)] / s of the worst window, at e^t = s a / ((s + 1) b), rounded upwards."""
    a = log1mexp((s + 1.0) * length)
    b = log1mexp(s * length) - length
    with np.errstate(divide="ignore"):
        found = s * (np.log(s) + a - np.log1p(s) - b) + a - np.log1p(s)
    found = found - float(log1mexp(length))
    # four logarithms, their products and sums: eight roundings of their sizes
    size = 16.0 * ULP * (1.0 + s) * (4.0 + length + np.abs(a) + np.abs(b) + np.log1p(s))
    # losses in a window of this length: a quarter of its square is the largest variance; four
    # products, rounded
    least = np.minimum((s + 1.0) * length * length / 8.0, length) * (1.0 + 8.0 * ULP)
    # a sum and a quotient: two roundings
    return np.asarray(np.minimum(np.maximum(found + size, 0.0) / s * (1.0 + 4.0 * ULP), least))


def _repeated(length: float, finer: float, uses: int, alone: bool) -> Counted:
    """Several uses in blocks; one by one where a window is long."""
    if uses == 1 or length > LONGEST:
        pair = _one_use(length, finer)
        known = replace(_smooth(length, finer), own=False, shown=(0.0, 0.0))
        return ((known if uses == 1 and alone else replace(pair, repeated=None), uses),)
    blocks, rest = divmod(uses, BLOCK)
    only = alone and blocks + bool(rest) == 1
    sizes = ((BLOCK, blocks), (rest, 1))
    return tuple((_block(length, size, only), n) for size, n in sizes if size and n)


@cache
def _block(length: float, uses: int, alone: bool) -> LossPair:
    """So many uses, whose windows are placed one after another."""
    steps = min(MOST_POINTS, POINTS * BLOCK // uses) if alone else POINTS
    epsilon, delta = game(length, uses, steps)
    curve = ApproxDPCurve(epsilon, delta, neighbors="replace-one")
    loss = polygon_loss(curve._envelope)
    spacing = length / steps
    upper = replace(loss, on=Lattice(float(loss.losses[0]), spacing)) if len(loss.losses) else loss
    lower: AtomicLoss = (
        equal_windows(length, uses) if alone else binomial(length, length / 2.0, uses)
    )
    label = english("mechanism.exponential.times", label=english(LABEL), uses=uses)
    both = lower, upper
    return LossPair(both, both, False, label, 1e-11)


@final
@dataclass(frozen=True, slots=True)
class AboveThreshold(Mechanism):
    """Each of many answers is only said to be above or below a threshold, up to so many above.

    Laplace noise is added once to the threshold and anew to each answer (the sparse vector
    technique). After the given number of answers above, it stops.

    Parameters
    ----------
    threshold_scale : float
        Scale of the Laplace noise that is added to the threshold, once. (0, inf)
    answer_scale : float
        Scale of the Laplace noise that is added to each answer. (0, inf)
    sensitivity : float
        Most by which one step between neighbors can change any one answer. (0, inf)
    positives : int
        How many answers are reported to be above the threshold before it stops. [1, 10^9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    It is pure DP with epsilon = sensitivity / threshold_scale + 2 positives sensitivity /
    answer_scale, however many answers are below. If one step can only raise the answers, or only
    lower them, as with counts under add-remove, half of the second summand is enough: give twice
    the `answer_scale`. Answers that are published themselves cost extra. Variants without noise on
    the threshold, or that say by how much an answer is above it with the noise of the comparison,
    are not private [1]_. The upper end of a bracket is that of pure DP; the lower end is what one
    comparison tells.

    References
    ----------
    .. [1] M. Lyu, D. Su, N. Li, Understanding the sparse vector technique for differential
       privacy, PVLDB 10, 2017, Theorems 2, 4 and 5.

    Examples
    --------
    >>> from dprisk.mechanisms import AboveThreshold
    >>> alarm = AboveThreshold(
    ...     threshold_scale=2.0, answer_scale=4.0, sensitivity=1.0, neighbors="add-remove"
    ... )
    >>> alarm.guarantee()
    PureDP(epsilon=1.0, neighbors='add-remove')
    """

    threshold_scale: float
    answer_scale: float
    sensitivity: float
    positives: int = 1
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "above-threshold"

    def __post_init__(self) -> None:
        scales = {"threshold_scale": FINITE_POSITIVE, "answer_scale": FINITE_POSITIVE}
        settle(self, **scales, sensitivity=FINITE_POSITIVE)
        assign(self, positives=whole("positives", self.positives, 1))

    def guarantee(self) -> Guarantee:
        """Pure DP: the threshold's share, and twice the answers' for each one above."""
        return PureDP(self._epsilon, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Between one comparison and the worst of pure DP."""
        epsilon = limited("epsilon", self._epsilon)
        both = ResponseLoss(min(self._one_comparison, epsilon)), ResponseLoss(epsilon)
        return LossPair(both, both, False, english("mechanism.above-threshold"))

    @property
    def _epsilon(self) -> float:
        moved, again = Fraction(self.sensitivity), Fraction(2 * self.positives)
        return rounded_up(
            moved / Fraction(self.threshold_scale) + again * moved / Fraction(self.answer_scale)
        )

    @property
    def _one_comparison(self) -> float:
        """Log-odds of one answer, halfway between both neighbors' thresholds, at least."""
        small, large = sorted((self.threshold_scale, self.answer_scale))
        x = self.sensitivity / (2.0 * large)
        share = small / large
        if share > 0.999:  # wider noise tells less: Laplace noise is what widens it
            beyond = math.exp(-x) * (2.0 + x) / 4.0
        else:
            near = share * share * math.exp(max(-x / share, -700.0)) if share else 0.0
            beyond = (math.exp(-x) - near) / (2.0 * (1.0 - share * share))
        if not 0.0 < beyond < 0.5:
            return 0.0
        return max((math.log1p(-beyond) - math.log(beyond)) * (1.0 - 1e-9) - 1e-12, 0.0)
