"""A sample of the records themselves is released."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import ClassVar, final

from dprisk._checks import assign, whole
from dprisk._numeric.exact import rounded_up
from dprisk.guarantees import ApproxDP, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, LossPair
from dprisk.mechanisms.base import Mechanism


@final
@dataclass(frozen=True, slots=True)
class SampleRelease(Mechanism):
    """Records drawn at random, without replacement, are released as they are.

    Parameters
    ----------
    sample : int
        How many records are released, m. [1, 10^9]
    population : int
        How many there are, n. [1, 10^9], at least `sample`
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] P1, Example 4.7.

    Examples
    --------
    >>> from dprisk.mechanisms import SampleRelease
    >>> SampleRelease(sample=10, population=1000, neighbors="replace-one").guarantee()
    ApproxDP(epsilon=0.0, delta=0.01, neighbors='replace-one')
    """

    sample: int
    population: int
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "sample-release"

    def __post_init__(self) -> None:
        assign(self, population=whole("population", self.population, 1))
        fix = "A sample is part of the population."
        assign(self, sample=whole("sample", self.sample, 1, self.population, fix))

    def guarantee(self) -> Guarantee:
        """Approximate DP with epsilon = 0 and delta = m / n, under either relation."""
        return ApproxDP(0.0, self._revealed, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Everything with probability m / n, where the record is in the sample, otherwise
        nothing."""
        revealed, rest = self._revealed, self.population - self.sample
        kept = rest / self.population
        if self.neighbors == "replace-one":
            loss = AtomicLoss.of([0.0], [kept], revealed, None, revealed, [kept])
        elif rest:
            few = self.sample <= rest  # of two logarithms, that of the smaller share has its digits
            log_kept = math.log1p(-self.sample / self.population) if few else math.log(kept)
            loss = AtomicLoss.of([log_kept], [kept], revealed, None, 0.0, [1.0])
        else:
            loss = AtomicLoss.of([], [], 1.0, None, 1.0)
        known = LossPair.known(loss, label="records released")
        exact = Fraction(revealed) == Fraction(self.sample, self.population)
        # one rounding of the quotient, one of its complement
        return known if exact else replace(known, relative_error=2 * ULP)

    @property
    def _revealed(self) -> float:
        return rounded_up(Fraction(self.sample, self.population))

    @property
    def exact_probability(self) -> float | None:
        """That a record is released as it is, m / n."""
        return self.sample / self.population
