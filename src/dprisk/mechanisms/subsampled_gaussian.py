"""The Gaussian mechanism on a random part of the records."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, Final, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, settle
from dprisk._numeric.exact import quotient_up
from dprisk._numeric.logspace import Floats
from dprisk.guarantees import GaussianDP, Guarantee, RenyiDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import ULP, LossPair, divergence
from dprisk.losses.mixtures import mixed, shifted_on_lattice
from dprisk.losses.normal import NormalLoss
from dprisk.losses.subsampled_normal import LARGEST_MU, TAIL, SubsampledNormalLoss
from dprisk.mechanisms.base import RATIOS, SHARE, Mechanism, limited
from dprisk.mechanisms.subsampling import Nodes, log_moments
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
