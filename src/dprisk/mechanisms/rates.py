"""Gaussian noise on samples whose rates are not all the same, but nearly."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, settle
from dprisk.errors import OutOfRange
from dprisk.guarantees import Guarantee, RenyiDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import ULP, LossPair
from dprisk.mechanisms.base import SHARE, Mechanism
from dprisk.mechanisms.subsampled import ORDERS, SubsampledGaussian

NEARLY: Final = 1e-12


@lru_cache(maxsize=64)
def _promise(step: SubsampledGaussian) -> Guarantee:
    """The promise of a step, at some orders: each takes a while."""
    if step.rate == 1.0:
        return step.guarantee()
    orders = np.array(ORDERS[::6], dtype=float)
    return RenyiDP(orders, step.renyi(orders), neighbors=step.neighbors)


@final
@dataclass(frozen=True, slots=True)
class SubsampledGaussianRange(Mechanism):
    """One of many steps of DP-SGD, of which only a range is known that holds its sampling rate.

    The loss for any rate in the range lies between those for its ends: keep an output with
    probability r / rate and otherwise draw it anew from the noise alone, and `rate` becomes r.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which one record that takes part can move the answers (Euclidean distance). (0, inf)
    rate : float
        Largest probability with which a record takes part. (0, 1]
    least_rate : float
        Smallest probability with which a record takes part. (0, `rate`]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    Examples
    --------
    >>> from dprisk.mechanisms import SubsampledGaussianRange
    >>> step = SubsampledGaussianRange(1.0, 1.0, 0.0100001, 0.01, neighbors="add-remove")
    >>> step.loss().epsilon(1e-5).value > 0.0
    True
    """

    sigma: float
    sensitivity: float
    rate: float
    least_rate: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "subsampled-gaussian-range"
    relations: ClassVar[tuple[Neighbors, ...]] = SubsampledGaussian.relations
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        settle(self, rate=SHARE, least_rate=SHARE)
        if self.least_rate > self.rate:
            raise OutOfRange("least_rate", self.least_rate, f"at most the rate, {self.rate!r}")

    def guarantee(self) -> Guarantee:
        """The promise at the largest rate, which holds for all."""
        return _promise(self._at(self.rate))

    def losses(self) -> LossPair:
        """Between the losses at both rates; one loss where densities differ by 1e-12 at most."""
        high, low = self._at(self.rate).losses(), self._at(self.least_rate).losses()
        if not high.exact or not low.exact:
            return replace(
                high,
                forward=(low.forward[0], high.forward[1]),
                backward=(low.backward[0], high.backward[1]),
                finer=None,
            )
        off = self._off
        if off <= NEARLY:
            return replace(high, relative_error=off)
        forward = low.forward[0], high.forward[1]
        return replace(high, forward=forward, backward=(low.backward[0], high.backward[1]))

    def _at(self, rate: float) -> SubsampledGaussian:
        return SubsampledGaussian(self.sigma, self.sensitivity, rate, neighbors=self.neighbors)

    @property
    def _off(self) -> float:
        """By how much, relatively, the mixed densities at two rates of the range may differ."""
        if self.rate == 1.0:
            return 0.0 if self.least_rate == 1.0 else 1.0
        apart = self.rate - self.least_rate
        # two differences, a quotient and a product, each rounded once
        return apart / min(self.least_rate, 1.0 - self.rate) * (1.0 + 8.0 * ULP)

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise that is added, not the scatter of the sample."""
        return self.sigma
