"""The Laplace mechanism, with noise cut off, and staircase noise."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, PROBABILITY, assign, settle
from dprisk._numeric.exact import quotient_up, rounded_up
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import up
from dprisk.errors import OutOfRange
from dprisk.guarantees import ApproxDP, Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair
from dprisk.losses.density import spacing_for
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms.base import RATIOS, Mechanism, Noise, Outputs, added, laplace, limited
from dprisk.text import english

FAINT = 1e-25  # nats: what two Laplace densities differ by then is lost in the rounding of 1


@final
@dataclass(frozen=True, slots=True)
class Laplace(Mechanism):
    """Noise with density exp(-abs(x) / scale) / (2 scale) is added to each number.

    Parameters
    ----------
    scale : float
        Mean absolute value of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which the answers can differ in sum (L1) between neighbors. (0, inf)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] C. Dwork, F. McSherry, K. Nissim, A. Smith, Calibrating noise to sensitivity in private
       data analysis, TCC 2006, Proposition 1.

    Examples
    --------
    >>> from dprisk.mechanisms import Laplace
    >>> Laplace(scale=2.0, sensitivity=1.0, neighbors="add-remove").guarantee()
    PureDP(epsilon=0.5, neighbors='add-remove')
    """

    scale: float
    sensitivity: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "laplace"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, scale=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)

    def guarantee(self) -> Guarantee:
        """Pure DP with epsilon = sensitivity / scale."""
        return PureDP(quotient_up(self.sensitivity, self.scale), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of one number that differs by the whole sensitivity: no other pair reveals more."""
        label = english("mechanism.laplace")
        ratio = limited("sensitivity / scale", self.sensitivity / self.scale)
        if ratio <= FAINT:
            # no more than a response tells, and as much as the one that says on which side of
            # the middle the output is, with log(2 e^(c/2) - 1) >= c - c^2 / 2
            above = ResponseLoss(quotient_up(self.sensitivity, self.scale))
            below = ResponseLoss(math.nextafter(math.nextafter(ratio, 0.0), 0.0))
            return LossPair((below, above), (below, above), label=label)
        return LossPair.known(LaplaceLoss.of(self.sensitivity, self.scale, ratio), label=label)

    @property
    def outputs(self) -> Outputs:
        """The answer with noise."""
        return added(laplace(self.scale), self.sensitivity)

    @property
    def noise_sd(self) -> float | None:
        """sqrt(2) times the scale."""
        return math.sqrt(2.0) * self.scale


LARGEST_BOUND = 700.0  # scales: beyond, what is cut off is too little for a double
LEAST_SPACING = 1e-9  # nats between lattice points


@final
@dataclass(frozen=True, slots=True)
class TruncatedLaplace(Mechanism):
    """Noise with a density in proportion to exp(-abs(x) / scale) on [-bound, bound] is added.

    Parameters
    ----------
    scale : float
        Of the Laplace noise before it is cut off, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which the answer can differ between neighbors. (0, inf)
    bound : float
        Largest noise. (0, 700 scale]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    Outputs near either end are possible under one neighbor only, and reveal which one it was. The
    density is log-concave, so no two answers that are nearer to each other reveal more.

    References
    ----------
    .. [1] Q. Geng, W. Ding, R. Guo, S. Kumar, Tight analysis of privacy and utility tradeoff in
       approximate differential privacy, AISTATS 2020, PMLR 108:89-99.

    Examples
    --------
    >>> from dprisk.mechanisms import TruncatedLaplace
    >>> noise = TruncatedLaplace(scale=1.0, sensitivity=1.0, bound=10.0, neighbors="add-remove")
    >>> promise = noise.guarantee().parameters
    >>> promise["epsilon"], round(promise["delta"], 8)
    (1.0, 3.901e-05)
    """

    scale: float
    sensitivity: float
    bound: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "truncated-laplace"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, scale=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE, bound=FINITE_POSITIVE)
        if not 0.0 < self.bound / self.scale <= LARGEST_BOUND:
            most = f"{LARGEST_BOUND:g}"
            raise OutOfRange(
                "bound",
                self.bound,
                f"in (0, {most} scale]",
                "Noise that is cut off nowhere else is Laplace noise.",
            )

    def guarantee(self) -> Guarantee:
        """Approximate DP at the largest finite loss: delta is what is revealed."""
        delta = min(float(up(self._revealed)), 1.0)
        bound, sensitivity, scale = map(Fraction, (self.bound, self.sensitivity, self.scale))
        top = max(min(sensitivity, 2 * bound - sensitivity), Fraction(0)) / scale
        return ApproxDP(rounded_up(top), delta, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Losses of two answers that differ by the whole sensitivity, on a lattice."""
        limited("sensitivity / scale", self._ratio, RATIOS)
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by about a factor."""
        from dprisk.losses.density import between

        half, end, top = self._ratio / 2.0, self._half_overlap, self._top
        revealed = self._revealed
        aside = math.log(revealed)
        if end <= 0.0:
            return _all_revealed()
        whole = math.log(2.0) + math.log(-math.expm1(-self.bound / self.scale))

        def log_p(x: Floats) -> Floats:
            seen = np.where(np.abs(x) < end, -np.abs(x - half) - whole, -np.inf)
            return np.where(x > end + 1.0, aside, seen)

        def loss(x: Floats) -> Floats:
            return np.clip(2.0 * x, -top, top)

        wanted = spacing_for(min(top, 1.0), top) / finer
        spacing = min(max(top / math.ceil(top / wanted), LEAST_SPACING), 1.0)
        inside = [-half, half] if half < end else []
        pair = between(
            log_p,
            lambda x: log_p(-x),
            [-end - 2.0, -end - 1.0, -end, *inside, end, end + 1.0, end + 2.0],
            spacing=spacing,
            loss=loss,
            label=english("mechanism.truncated-laplace"),
        )
        shown = min(float(up(revealed)), 1.0)
        return replace(pair, backward=pair.forward, shown=(shown, shown), finer=self._on_grid)

    @property
    def noise_sd(self) -> float | None:
        """Standard deviation of the noise that is added: below sqrt(2) times the scale."""
        from scipy.special import gammainc

        a = self.bound / self.scale
        return self.scale * math.sqrt(2.0 * float(gammainc(3.0, a)) / -math.expm1(-a))

    @property
    def outputs(self) -> Outputs:
        """Outputs of the answer with noise: both densities are zero beyond the bound."""
        whole = 2.0 * self.scale * -math.expm1(-self.bound / self.scale)

        def noise(x: Floats) -> Floats:
            seen = np.exp(-np.minimum(np.abs(x) / self.scale, LARGEST_BOUND)) / whole
            return np.where(np.abs(x) <= self.bound, seen, 0.0)

        return added(Noise(noise, self.bound), self.sensitivity)

    @property
    def _ratio(self) -> float:
        return self.sensitivity / self.scale

    @property
    def _half_overlap(self) -> float:
        """Half the length, in scales, of the outcomes that both have."""
        return (self.bound - self.sensitivity / 2.0) / self.scale

    @property
    def _top(self) -> float:
        """The largest finite loss."""
        return max(min(self._ratio, 2.0 * self._half_overlap), 0.0)

    @property
    def _revealed(self) -> float:
        """Probability of what the other never has: noise in (bound - sensitivity, bound]."""
        bound, sensitivity, scale = map(Fraction, (self.bound, self.sensitivity, self.scale))
        if self.sensitivity <= self.bound:
            return _expm1(sensitivity / scale) / (2.0 * _expm1(bound / scale))
        if self._half_overlap <= 0.0:
            return 1.0
        return 1.0 - _expm1((2 * bound - sensitivity) / scale) / (2.0 * _expm1(bound / scale))


@final
@dataclass(frozen=True, slots=True)
class Staircase(Mechanism):
    """Noise whose density falls in steps, by e^-epsilon with each sensitivity, is added.

    The density is constant on [0, gamma sensitivity) and lower by e^-epsilon on [gamma
    sensitivity, sensitivity), and so on to both sides: the least noise under pure DP [1]_.

    Parameters
    ----------
    epsilon : float
        Logarithm of the ratio of two steps. (0, inf), nats
    sensitivity : float
        Most by which the answer can differ between neighbors. (0, inf)
    gamma : float, optional
        Share of a sensitivity that the upper step takes; left out, the one with the least mean
        absolute noise, 1 / (1 + e^(epsilon / 2)). [0, 1]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    The loss takes the values epsilon, 0 and -epsilon. The density falls to both sides of 0, so no
    two answers that are nearer to each other reveal more: the probability of the loss epsilon is
    proportional to the total variation, which grows with their distance.

    References
    ----------
    .. [1] Q. Geng, P. Viswanath, The optimal noise-adding mechanism in differential privacy, IEEE
       Trans. Inf. Theory 62, 2016, Definition 1 and Theorem 3.

    Examples
    --------
    >>> from dprisk.mechanisms import Laplace, Staircase
    >>> stairs = Staircase(epsilon=2.0, sensitivity=1.0, neighbors="add-remove")
    >>> laplace = Laplace(scale=0.5, sensitivity=1.0, neighbors="add-remove")
    >>> stairs.guarantee() == laplace.guarantee(), stairs.noise_sd < laplace.noise_sd
    (True, True)
    """

    epsilon: float
    sensitivity: float
    gamma: float | None = None
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "staircase"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, epsilon=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        best = math.exp(-self.epsilon / 2.0) / (1.0 + math.exp(-self.epsilon / 2.0))
        assign(self, gamma=best if self.gamma is None else self.gamma)
        settle(self, gamma=PROBABILITY)

    def guarantee(self) -> Guarantee:
        """Pure DP with the same epsilon."""
        return PureDP(self.epsilon, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two answers that differ by the whole sensitivity: it takes three values."""
        e = limited("epsilon", self.epsilon)
        fall, upper = math.exp(-e), self._upper
        whole = 2.0 * (upper + fall * (1.0 - upper))
        if upper >= 0.5:
            most, same = 1.0 / whole, (2.0 * upper - 1.0) * -math.expm1(-e) / whole
        else:
            most = (2.0 * upper + (1.0 - 2.0 * upper) * fall) / whole
            same = fall * -math.expm1(-e) * (1.0 - 2.0 * upper) / whole
        masses = [most, same, fall * most]
        loss = AtomicLoss.of(
            [e, 0.0, -e], masses, lattice=Lattice(0.0, e), reverse_masses=masses[::-1]
        )
        return LossPair.known(loss, label=english("mechanism.staircase"))

    @property
    def _probabilities_off(self) -> float:
        # an exponential of epsilon, four products, three sums and a quotient are rounded
        return 16.0 * ULP * (1.0 + self.epsilon)

    @property
    def noise_sd(self) -> float | None:
        """Standard deviation of the noise, from the sums of j^k e^(-j epsilon)."""
        fall, upper = math.exp(-self.epsilon), self._upper
        rest = -math.expm1(-self.epsilon)
        first = [upper**3, 3.0 * upper**2, 3.0 * upper]
        second = [1.0 - upper**3, 3.0 * (1.0 - upper**2), 3.0 * (1.0 - upper)]
        sums = [1.0 / rest, fall / rest**2, fall * (1.0 + fall) / rest**3]
        total = sum(s * (a + fall * b) for s, a, b in zip(sums, first, second, strict=True))
        high = rest / (upper + fall * (1.0 - upper))
        return self.sensitivity * math.sqrt(high * total / 3.0)

    @property
    def outputs(self) -> Outputs:
        """The answer with noise."""
        fall, upper = math.exp(-self.epsilon), self._upper
        high = -math.expm1(-self.epsilon) / (upper + fall * (1.0 - upper)) / 2.0

        def noise(x: Floats) -> Floats:
            away = np.abs(x) / self.sensitivity
            steps = np.floor(away)
            steps = steps + (away - steps >= upper)
            return np.asarray(high / self.sensitivity * np.exp(-self.epsilon * steps))

        reach = self.sensitivity * (1.0 + 6.0 / self.epsilon)
        return added(Noise(noise, reach), self.sensitivity)

    @property
    def _upper(self) -> float:
        return 0.5 if self.gamma is None else self.gamma


def _expm1(exponent: Fraction) -> float:
    """e^x - 1, also in the digits that a double of a large x does not have."""
    near = float(exponent)
    grown = math.expm1(near)
    return grown + (grown + 1.0) * float(exponent - Fraction(near))


def _all_revealed() -> LossPair:
    loss = AtomicLoss.of([], [], infinite=1.0, reverse_infinite=1.0)
    return LossPair.known(loss, label=english("mechanism.truncated-laplace"))
