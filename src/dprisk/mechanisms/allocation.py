"""Steps with normal noise among which the records are divided: at random, or in any order."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import ClassVar, final

from dprisk._checks import FINITE_POSITIVE, assign, settle, whole
from dprisk._numeric.exact import quotient_up, root_up
from dprisk.guarantees import GaussianDP, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import LossPair
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms.base import Mechanism, limited
from dprisk.mechanisms.pairs import promised
from dprisk.mechanisms.subsampled import SubsampledGaussian
from dprisk.text import english

MOST_STEPS = 10**6  # of which a sum of lognormals is followed


@final
@dataclass(frozen=True, slots=True)
class RandomAllocation(Mechanism):
    """Each record takes part in exactly `uses` of many steps with normal noise, drawn at random.

    Also known as balls-and-bins sampling. All steps together are one use of the mechanism; an epoch
    is one, if every epoch draws anew.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise in each step, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which one record that takes part can move the answer of a step (Euclidean distance).
        (0, inf)
    steps : int
        How many steps there are, t. [1, 10^6]
    uses : int
        In how many of these a record takes part, k. [1, `steps`]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more, and the steps of the others stay as
        they are.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    Notes
    -----
    For one use the bracket encloses the loss itself: the likelihood ratio is a mean of t lognormal
    numbers (dprisk Proposition 30). For several, the upper end is that of k blocks of t / k steps
    with one use in each [2]_, the sizes rounded both ways; the lower end is what the sum of all
    likelihood ratios tells. Later answers may depend on earlier ones.

    References
    ----------
    .. [1] L. Chua, B. Ghazi, C. Harrison, E. Leeman, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha,
       C. Zhang, Balls-and-bins sampling for DP-SGD, AISTATS 2025.
    .. [2] V. Feldman, M. Shenfeld, Privacy amplification by random allocation, NeurIPS 2025.

    Examples
    --------
    >>> from dprisk.mechanisms import RandomAllocation
    >>> epoch = RandomAllocation(sigma=1.0, sensitivity=1.0, steps=100, neighbors="add-remove")
    >>> round(epoch.loss().epsilon(1e-6).value, 4)
    0.858
    """

    sigma: float
    sensitivity: float
    steps: int
    uses: int = 1
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "random-allocation"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        assign(self, steps=whole("steps", self.steps, 1, MOST_STEPS))
        fix = "A record takes part at most once in each step."
        assign(self, uses=whole("uses", self.uses, 1, self.steps, fix))

    def guarantee(self) -> Guarantee:
        """Approximate DP at many points of the privacy profile; Gaussian DP if every step counts,
        or for several uses."""
        if 1 == self.uses < self.steps:
            return promised(self.losses(), self.neighbors)
        mu = root_up(self.uses * (Fraction(self.sensitivity) / Fraction(self.sigma)) ** 2)
        return GaussianDP(mu, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of a mean of lognormal ratios against 1; of several uses, what is around it."""
        from dprisk.losses.allocated import allocated_to_several

        label = english("mechanism.random-allocation")
        ratio = limited("sensitivity / sigma", self.sensitivity / self.sigma)
        if self.uses == self.steps:
            return LossPair.known(NormalLoss(ratio * math.sqrt(self.steps)), label=label)
        if self.uses > 1:
            return replace(allocated_to_several(ratio, self.steps, self.uses), label=label)
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with spacings that are smaller by a factor."""
        from dprisk.losses.allocated import allocated

        pair = allocated(self.sensitivity / self.sigma, self.steps, finer)
        return replace(pair, label=english("mechanism.random-allocation"), finer=self._on_grid)

    @property
    def mistaken_for(self) -> tuple[Mechanism, int]:
        """A sample in each step, with the same mean size."""
        rate = quotient_up(self.uses, self.steps)
        one = SubsampledGaussian(self.sigma, self.sensitivity, rate, neighbors=self.neighbors)
        return one, self.steps

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise in each step."""
        return self.sigma


@final
@dataclass(frozen=True, slots=True)
class CyclicBatches(Mechanism):
    """Every record takes part in one step of each epoch, with normal noise, in any order.

    The order may be fixed, shuffled once or anew, and known to whoever sees the outputs.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise in each step, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which one record can move the answer of its step (Euclidean distance). Under
        replace-one, with records of length C at most, this is 2 C. (0, inf)
    epochs : int
        How often all records are gone through. [1, 10^9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors. Under add-remove the others stay in their batches when a
        record comes or goes, as if it were zero (*zero-out*).

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    Upper for an order that is drawn and kept secret: no theorem covers one pass in random order as
    trainers make it, and it can be far from a Poisson sample of the same rate [1]_. It is exact
    where the order is known. If instead batches are cut from a list whose later records all move up
    when one is left out, every later batch changes, and add-remove is not covered.

    References
    ----------
    .. [1] L. Chua, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, A. Sinha, C. Zhang, How private
       are DP-SGD implementations?, ICML 2024.

    Examples
    --------
    >>> from dprisk.mechanisms import CyclicBatches
    >>> CyclicBatches(sigma=2.0, sensitivity=1.0, epochs=4, neighbors="add-remove").guarantee()
    GaussianDP(mu=1.0, neighbors='add-remove')
    """

    sigma: float
    sensitivity: float
    epochs: int
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "cyclic-batches"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        assign(self, epochs=whole("epochs", self.epochs, 1))

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu = sqrt(epochs) sensitivity / sigma."""
        return GaussianDP(self._mu, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are mu apart."""
        loss = NormalLoss(limited("sqrt(epochs) sensitivity / sigma", self._mu))
        return LossPair.known(loss, label=english("mechanism.cyclic-batches"))

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise in each step."""
        return self.sigma

    @property
    def _mu(self) -> float:
        return root_up(self.epochs * (Fraction(self.sensitivity) / Fraction(self.sigma)) ** 2)
