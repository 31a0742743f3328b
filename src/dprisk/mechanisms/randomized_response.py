"""Randomized response."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._checks import FINITE, assign, settle, whole
from dprisk.guarantees import Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms.base import MOST_OUTPUTS, Mechanism, Outputs, limited
from dprisk.text import english


@final
@dataclass(frozen=True, slots=True)
class RandomizedResponse(Mechanism):
    """A person reports the true answer, or now and then one of the others.

    With k categories the true answer is e^epsilon times as probable a report as each of the
    others: it is given with probability e^epsilon / (e^epsilon + k - 1).

    Parameters
    ----------
    epsilon : float
        Logarithm of that ratio. [0, inf), nats
    categories : int
        How many answers there are, k. [2, 10^9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors. One answer exchanged for another is replace-one; under
        add-remove, being absent has to be one of the categories.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] S. L. Warner, Randomized response, J. Am. Stat. Assoc. 60, 1965.
    .. [2] P. Kairouz, S. Oh, P. Viswanath, Extremal mechanisms for local differential privacy,
       JMLR 17, 2016, Section 4.1 (k categories).
    .. [3] P1, Example 4.3.

    Examples
    --------
    >>> from dprisk.mechanisms import RandomizedResponse
    >>> RandomizedResponse(1.0, categories=5, neighbors="replace-one").guarantee()
    PureDP(epsilon=1.0, neighbors='replace-one')
    """

    epsilon: float
    categories: int = 2
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "randomized-response"

    def __post_init__(self) -> None:
        settle(self, epsilon=FINITE)
        assign(self, categories=whole("categories", self.categories, 2))

    def guarantee(self) -> Guarantee:
        """Pure DP with the same epsilon, whatever the number of categories."""
        return PureDP(self.epsilon, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two true answers: epsilon, minus epsilon, and 0 at the other categories."""
        e = limited("epsilon", self.epsilon)
        truth = self.exact_probability
        other = math.exp(-e) * truth
        if self.categories == 2:
            return LossPair.known(ResponseLoss(e), label=english("mechanism.randomized-response"))
        loss = AtomicLoss.of(
            [e, 0.0, -e],
            [truth, (self.categories - 2) * other, other],
            lattice=Lattice(0.0, e) if e else None,
            reverse_masses=[other, (self.categories - 2) * other, truth],
        )
        return LossPair.known(loss, label=english("mechanism.randomized-response"))

    @property
    def _probabilities_off(self) -> float:
        # masses: an exponential of epsilon, two products, a sum and a quotient are rounded
        return 8.0 * ULP * (1.0 + self.epsilon)

    @property
    def outputs(self) -> Outputs:
        """Categories 0, 1, 2 and so on, of very many the first; the true ones are 0 and 1."""
        truth = self.exact_probability
        other = math.exp(-self.epsilon) * truth
        x = np.arange(float(min(self.categories, MOST_OUTPUTS)))
        return Outputs(
            lambda x: np.where(x == 0.0, truth, other),
            lambda x: np.where(x == 1.0, truth, other),
            x,
            discrete=True,
        )

    @property
    def exact_probability(self) -> float:
        """e^epsilon / (e^epsilon + k - 1)."""
        return 1.0 / (1.0 + (self.categories - 1) * math.exp(-self.epsilon))
