"""Gaussian or Laplace noise on the answer of a random part of the records."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import ClassVar, Final, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, settle
from dprisk._numeric.exact import quotient_up, rounded_up
from dprisk._numeric.logspace import Floats
from dprisk.guarantees import GaussianDP, Guarantee, PureDP, RenyiDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair, divergence
from dprisk.losses.density import mixed, shifted_on_lattice, spacing_for
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import NormalLoss
from dprisk.losses.subsampled_normal import LARGEST_MU, TAIL, SubsampledNormalLoss
from dprisk.mechanisms.base import RATIOS, SHARE, Mechanism, limited
from dprisk.mechanisms.subsampling import Nodes, gauss, gauss_left_out, log_moments, panels
from dprisk.text import english

NEGLIGIBLE = 1e-40  # probability that may be cut off the tails of the normal
ORDERS = (*range(2, 65), 80, 96, 128, 192, 256, 512, 1024)
MOST_NODES = 2**20
LABEL: Final = "mechanism.subsampled-gaussian"


@final
@dataclass(frozen=True, slots=True)
class SubsampledGaussian(Mechanism):
    """Normal noise is added to the answer of a part of the records, chosen anew each time.

    Every record takes part with the same probability, independently of all others (Poisson
    subsampling), as in differentially private stochastic gradient descent.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which one record that takes part can move the answers (Euclidean distance). (0, inf)
    rate : float
        Probability with which a record takes part. (0, 1]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    References
    ----------
    .. [1] I. Mironov, K. Talwar, L. Zhang, Rényi differential privacy of the sampled Gaussian
       mechanism, arXiv:1908.10530, Theorem 4, Corollary 7 and Section 3.3.

    Examples
    --------
    >>> from dprisk.mechanisms import SubsampledGaussian
    >>> step = SubsampledGaussian(sigma=1.0, sensitivity=1.0, rate=0.01, neighbors="add-remove")
    >>> f"{step.renyi(2.0):.4g}"
    '0.0001718'
    """

    sigma: float
    sensitivity: float
    rate: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "subsampled-gaussian"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE, rate=SHARE)

    def guarantee(self) -> Guarantee:
        """Rényi DP at many orders; Gaussian DP if every record takes part."""
        if self.rate == 1.0:
            mu = limited("sensitivity / sigma", quotient_up(self.sensitivity, self.sigma))
            return GaussianDP(mu, neighbors=self.neighbors)
        orders = np.array(ORDERS, dtype=float)
        return RenyiDP(orders, self._renyi(orders - 1.0), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of (1 - rate) N(0) + rate N(mu) against N(0), mu = sensitivity / sigma."""
        mu, rate = self._mu, self.rate
        if rate == 1.0:
            return LossPair.known(NormalLoss(mu), label=english("mechanism.gaussian"))
        if mu <= LARGEST_MU:
            loss = SubsampledNormalLoss(mu, rate)
            known = LossPair.known(loss, label=english(LABEL))
            # what is split off is possible under both
            return replace(known, shown=(0.0, 0.0), renyi=self._renyi)
        limited("sensitivity / sigma", mu, RATIOS)
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by a factor."""
        pair = shifted_on_lattice(self._mu, self.rate, finer)
        return replace(pair, label=english(LABEL), finer=self._on_grid, renyi=self._renyi)

    def _renyi(self, s: Floats) -> Floats:
        """log E_Q[(p / q)^alpha] / (alpha - 1); [1]_ shows that this direction is the larger
        one."""
        mu = self._mu
        if self.rate == 1.0:
            return divergence(self.losses(), s)
        # mu has one rounding, and is squared; three products and a sum
        plain = (s + 1.0) * mu * mu / 2.0 * (1.0 + 8.0 * ULP)
        step = min(0.1, 0.4 / mu)
        found = plain.copy()
        for i, each in enumerate(s.tolist()):
            last = (1.0 + each) * mu + TAIL
            if (last + TAIL) / step < MOST_NODES:
                moment = self._log_moment(each, np.arange(-TAIL, last + step, step), step)
                # a quotient, of a moment that is rounded upwards
                found[i] = min(plain[i], moment / each * (1.0 + 4.0 * ULP))
        return found

    def _log_moment(self, s: float, x: Floats, step: float) -> float:
        """log E_Q[(p / q)^(1 + s)] from these nodes, rounded upwards."""
        mu, rate, order = self._mu, self.rate, 1.0 + s
        far = float(np.abs(x).max())
        weights = -x * x / 2.0 - math.log(2.0 * math.pi) / 2.0 + math.log(step)
        blur = 4.0 * ULP * (x * x + 1.0 + np.abs(weights) + np.abs(x) * far)
        moved = 4.0 * ULP * mu * (np.abs(x) + mu + far)
        a = min(math.pi / mu, 2.0 * math.pi / step) * (1.0 - 1e-9)
        share = 2.0 * math.exp(min(a * a / 2.0 - 2.0 * math.pi * a / step, 0.0)) * (1.0 + 1e-9)
        nodes = Nodes(mu * (x - mu / 2.0), weights, moved, blur, share)
        last = order * float(mixed(rate, nodes.loss[-1])) + float(weights[-1])
        beyond = last + 1e-12 * abs(last) + math.log1p(1.0 / (TAIL * step))
        out = float(np.logaddexp(beyond, math.log(2.0 * NEGLIGIBLE * order)))
        return log_moments(s, rate, nodes, (out, 0.0))[0]

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise that is added, not the scatter of the sample."""
        return self.sigma

    @property
    def _mu(self) -> float:
        return limited("sensitivity / sigma", self.sensitivity / self.sigma)


FAINT = 1e-290  # rates: the losses of smaller ones have too few digits
DIGITS = 80
NEAR = Decimal("1e-30")  # e^x - 1 is x, up to x^2
FAR = Decimal(1000)


@final
@dataclass(frozen=True, slots=True)
class SubsampledLaplace(Mechanism):
    """Laplace noise is added to the answer of a part of the records, chosen anew each time.

    Every record takes part with the same probability, independently of all others (Poisson
    subsampling).

    Parameters
    ----------
    scale : float
        Mean absolute value of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which one record that takes part can move the answers, in sum (L1). (0, inf)
    rate : float
        Probability with which a record takes part. (0, 1]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    References
    ----------
    .. [1] B. Balle, G. Barthe, M. Gaboardi, Privacy amplification by subsampling, NeurIPS 2018,
       Theorem 8.

    Examples
    --------
    >>> from dprisk.mechanisms import SubsampledLaplace
    >>> noise = SubsampledLaplace(scale=1.0, sensitivity=1.0, rate=0.01, neighbors="add-remove")
    >>> round(noise.guarantee().parameters["epsilon"], 6)
    0.017037
    """

    scale: float
    sensitivity: float
    rate: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "subsampled-laplace"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, scale=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE, rate=SHARE)

    def guarantee(self) -> Guarantee:
        """Pure DP with epsilon = log(1 + rate (e^(sensitivity / scale) - 1))."""
        largest = mixed_up(self.rate, Fraction(self.sensitivity) / Fraction(self.scale))
        return PureDP(largest, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of (1 - rate) L(0) + rate L(c) against L(0), c = sensitivity / scale."""
        c, rate = self._ratio, self.rate
        if rate == 1.0:
            whole = LaplaceLoss.of(self.sensitivity, self.scale, c)
            return LossPair.known(whole, label=english("mechanism.laplace"))
        limited("sensitivity / scale", c, RATIOS)
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by about a factor."""
        from dprisk.losses.density import between

        c, rate = self._ratio, self.rate
        if rate < FAINT:  # mixed with the same, a larger sample reveals as much at least
            pair = replace(self, rate=FAINT)._on_grid(finer)
            still = AtomicLoss.of([0.0], [1.0], reverse_masses=[1.0])
            return replace(
                pair,
                forward=(still, pair.forward[1]),
                backward=(still, pair.backward[1]),
                finer=self._on_grid,
                renyi=self._renyi,
            )

        def log_q(x: Floats) -> Floats:
            return np.asarray(-np.abs(x) - math.log(2.0))

        def loss(x: Floats) -> Floats:
            return mixed(rate, np.clip(2.0 * x - c, -c, c))

        def log_p(x: Floats) -> Floats:
            return np.logaddexp(math.log1p(-rate) + log_q(x), math.log(rate) + log_q(x - c))

        lowest, highest = mixed(rate, np.array([-c, c])).tolist()
        wanted = spacing_for(min(rate * math.expm1(min(c, 50.0)), c), highest) / (2.0 * finer)
        width = highest - lowest  # most of the loss is at its ends
        pair = between(
            log_p,
            log_q,
            [-np.inf, 0.0, c, np.inf],
            spacing=min(max(width / math.ceil(width / wanted), 1e-9), 1.0),
            loss=loss,
            origin=lowest,
            label=english("mechanism.subsampled-laplace"),
        )
        (below, above), (_, back) = pair.forward, pair.backward
        # merged to nothing, as most is just above the lower end; or beyond c underflows under Q
        if not below.support[1] > 0.0 or below.infinite > 0.0:
            below = self._ends()
        forward, backward = (below, above), (below.reverse(), back)
        return replace(
            pair,
            forward=forward,
            backward=backward,
            shown=(0.0, 0.0),  # no output is impossible
            finer=self._on_grid,
            renyi=self._renyi,
        )

    def _ends(self) -> AtomicLoss:
        """The loss of one bit: whether the output is beyond c, where the loss is largest."""
        c, rate = self._ratio, self.rate
        under_q = math.exp(-c) / 2.0
        under_p = (1.0 - rate) * under_q + rate / 2.0
        losses = [math.log1p(-under_p) - math.log1p(-under_q), float(mixed(rate, c))]
        lattice = Lattice(losses[0], losses[1] - losses[0])
        under_both = [1.0 - under_p, under_p], [1.0 - under_q, under_q]
        return AtomicLoss.part(losses, under_both[0], 0.0, lattice, 0.0, under_both[1])

    def _renyi(self, s: Floats) -> Floats:
        """Divergences by E_Q[(p / q)^alpha] and E_Q[(p / q)^(1 - alpha)]: atoms, and the rest."""
        c = self._ratio
        if self.rate == 1.0:
            return divergence(self.losses(), s)
        edges = panels(-c, c)
        y, weights = gauss(edges)
        losses = np.concatenate([[-c, c], y])
        between = np.log(weights / 4.0) - (y + c) / 2.0
        logs = np.concatenate([[math.log(0.5), math.log(0.5) - c], between])
        # roundings of nodes, weights, logarithms and exponents, by their sizes
        blur = 4.0 * ULP * (8.0 + c + np.abs(losses) + np.abs(logs))
        # four roundings of a node, up to c
        nodes = Nodes(losses, logs, np.full(losses.shape, 8.0 * ULP * c), blur)
        ends = [gauss_left_out(edges, self.rate, power) for power in (0.0, 1.0)]
        # an exponential and a logarithm, with a product and a sum: six roundings
        largest = float(mixed(self.rate, c)) * (1.0 + 8.0 * ULP)
        found = np.zeros(s.shape)
        for i, order in enumerate(s.tolist()):
            up, down = (
                _log_sum_of(
                    gauss_left_out(edges, self.rate, power),
                    ends[0],
                    math.log(abs(power)) + _log_sum_of(*ends),
                )
                - (c / 2.0 + math.log(4.0)) * (1.0 - 4.0 * ULP)  # three roundings
                for power in (1.0 + order, -order)
            )
            moment = max(log_moments(order, self.rate, nodes, (up, down)))
            # a quotient, of a moment that is rounded upwards
            found[i] = min(moment / order * (1.0 + 4.0 * ULP), largest)
        return found

    @property
    def noise_sd(self) -> float | None:
        """sqrt(2) times the scale: the noise that is added, not the scatter of the sample."""
        return math.sqrt(2.0) * self.scale

    @property
    def _ratio(self) -> float:
        return limited("sensitivity / scale", self.sensitivity / self.scale)


def mixed_up(rate: float, c: Fraction) -> float:
    """log(1 - rate + rate e^c), rounded upwards once."""
    if rate == 1.0:
        return rounded_up(c)
    with localcontext(prec=DIGITS):
        loss, share = Decimal(c.numerator) / Decimal(c.denominator), Decimal(rate)
        if loss > FAR:
            found = loss + (share + (1 - share) * (-loss).exp()).ln()
        else:
            grown = share * (loss.exp() - 1 if loss > NEAR else loss + loss * loss)
            found = (1 + grown).ln() if grown > NEAR else grown
    return rounded_up(Fraction(found) * (1 + Fraction(NEAR)))  # half of the digits are left


def _log_sum_of(*logs: float) -> float:
    return float(np.logaddexp.reduce(logs))
