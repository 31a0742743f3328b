"""Randomized response, as it is reported, and shuffled."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import ClassVar, final

import numpy as np

from dprisk._checks import FINITE, Domain, assign, settle, whole
from dprisk.guarantees import ApproxDPCurve, Guarantee, PureDP
from dprisk.guarantees.approximate import of_tests
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.piecewise import polygon_loss
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, Loss, LossPair
from dprisk.losses.lattice import SPACING, Outcomes, Sided
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms.base import MOST_OUTPUTS, Mechanism, Outputs, limited
from dprisk.mechanisms.pairs import profile_above
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


EXACT = 48  # people, of whom all that the others may have said is counted
BLOCKS = 512
OUTCOMES = 2 * 10**6
SPREAD = 12.0  # standard deviations of how many answer at random
FAR = 7.0  # roots of how many there are: hardly any are further from half of them
FARTHEST = 1e-42  # probability of that, at most: 2 e^(-2 * 49)
CLOSE = 1e-10  # relative: more than probabilities of counts are off
SHARES = 64.0  # lattice points for each standard deviation


@final
@dataclass(frozen=True, slots=True)
class ShuffledResponse(Mechanism):
    """People report by randomized response, and all reports are mixed before anyone sees them.

    Only how many reports there are of each answer can be seen.

    Parameters
    ----------
    epsilon : float
        Logarithm of the ratio by which the true answer is a more probable report than each of the
        others, of every person. [0, 30], nats
    people : int
        How many report, with the person asked about. [1, 10^9]
    categories : int
        How many answers there are. [2, 10^9]
    neighbors : {"replace-one"}
        Which datasets are neighbors: one person has another answer.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "replace-one".

    Notes
    -----
    Of two answers and up to 48 people, the upper end counts whatever the others' answers may be, in
    fractions. Otherwise it is that of someone who also sees the reports of all people but those who
    answered at random, one of the two answers in question: the privacy blanket, or clones [1]_
    [2]_. The lower end is that of someone who counts one answer, where all others have the same
    other one: nearly the worst others. They are taken to follow the protocol.

    References
    ----------
    .. [1] V. Feldman, A. McMillan, K. Talwar, Hiding among the clones: a simple and nearly optimal
       analysis of privacy amplification by shuffling, FOCS 2021, Section 3; Stronger privacy
       amplification by shuffling for Rényi and approximate differential privacy, SODA 2023.
    .. [2] B. Balle, J. Bell, A. Gascón, K. Nissim, The privacy blanket of the shuffle model, CRYPTO
       2019.
    .. [3] dprisk Proposition 32.

    Examples
    --------
    >>> from dprisk.mechanisms import ShuffledResponse
    >>> shuffled = ShuffledResponse(epsilon=1.0, people=10_000, neighbors="replace-one")
    >>> shuffled.loss().epsilon(1e-6).value < 0.1
    True
    """

    epsilon: float
    people: int
    categories: int = 2
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "shuffled-response"
    relations: ClassVar[tuple[Neighbors, ...]] = ("replace-one",)

    def __post_init__(self) -> None:
        settle(self, epsilon=Domain(0.0, 30.0))
        assign(self, people=whole("people", self.people, 1))
        assign(self, categories=whole("categories", self.categories, 2))

    def guarantee(self) -> Guarantee:
        """Pure DP of one response without others; otherwise approximate DP at many points."""
        if self.people == 1 or not self.epsilon:
            return PureDP(self.epsilon, neighbors=self.neighbors)
        if self._is_counted:
            return _of_few(self.epsilon, self.people)
        upper = self.losses().forward[1]
        points = self.epsilon * np.linspace(0.0, 1.0, 256) ** 2
        delta = np.minimum(profile_above(upper, points), 1.0)
        return ApproxDPCurve(points, delta, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Between one count, and what is known beside it; of few people, with any others."""
        label = english("mechanism.shuffled-response")
        if not self.epsilon:
            return LossPair.known(ResponseLoss(0.0), label=label)
        if self._is_counted:
            curve = _of_few(self.epsilon, self.people)
            upper: Loss = polygon_loss(curve._envelope)
            low, back = self._one_answer(1.0)
            return LossPair((low, upper), (back, upper), False, label, CLOSE, (0.0, 0.0))
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """The same with a lattice whose spacing is smaller by a factor."""
        pair = self._outcomes(finer).pair(english("mechanism.shuffled-response"))
        low, back = self._one_answer(finer)
        return replace(
            pair,
            forward=(low, pair.forward[1]),
            backward=(back, pair.backward[1]),
            own=False,
            relative_error=pair.relative_error + CLOSE,
            shown=(0.0, 0.0),
            finer=self._on_grid,
        )

    @property
    def _is_counted(self) -> bool:
        return self.categories == 2 and self.people <= EXACT

    @property
    def _other(self) -> float:
        """Probability of a report that is not the true answer."""
        return math.exp(-self.epsilon) * self._true

    @property
    def _true(self) -> float:
        """Probability of a report that is."""
        return 1.0 / (1.0 + (self.categories - 1) * math.exp(-self.epsilon))

    def _spacing(self, finer: float) -> float:
        """A share of the deviation of the loss, that divides its range."""
        around = max((self.people - 1) * 2.0 * self._other, 1.0)
        wanted = min(math.expm1(min(self.epsilon, 3.0)) / math.sqrt(around), self.epsilon) / SHARES
        return max(self.epsilon / math.ceil(self.epsilon / wanted) / finer, SPACING.low)

    def _outcomes(self, finer: float) -> Outcomes:
        """How many of those at random reported the one answer, by how many there are at least."""
        from scipy.stats import binom

        others, rate = self.people - 1, 2.0 * self._other
        mean = others * rate
        wide = SPREAD * math.sqrt(mean * (1.0 - rate)) + SPREAD
        low, high = max(math.floor(mean - wide), 0), min(math.ceil(mean + wide), others)
        blocks = int(min(BLOCKS, max(OUTCOMES / (2.0 * FAR * math.sqrt(high + 1.0)), 16)))
        least = np.unique(np.append(0, np.linspace(low, high, blocks).astype(np.int64)))
        following = np.append(least[1:], others + 1) - 1
        below = binom.cdf(following, others, rate) - binom.cdf(least - 1, others, rate)
        above = binom.sf(least - 1, others, rate) - binom.sf(following, others, rate)
        share = np.where(least < mean, below, above)
        shrunk = math.exp(-self.epsilon)
        small = shrunk / (1.0 + shrunk)
        decided = self._true * (1.0 + shrunk)  # one of the two is reported
        masses, losses = [np.array([max(1.0 - decided, 0.0)])], [np.zeros(1)]
        for count, part in zip(least.tolist(), share.tolist(), strict=True):
            if not part > 0.0:
                continue
            reach = FAR * math.sqrt(count + 1.0) + 1.0
            x = np.arange(
                max(math.floor((count + 1) / 2.0 - reach), 0.0),
                min(math.ceil((count + 1) / 2.0 + reach), count + 1.0) + 1.0,
            )
            ours = x / (count + 1.0)
            one, other = (
                small + (1.0 - 2.0 * small) * ours,
                1.0 - small - (1.0 - 2.0 * small) * ours,
            )
            each = binom.pmf(x, count + 1, 0.5) * one
            masses.append(decided * part * each / each.sum())
            losses.append(np.log(one) - np.log(other))
            masses.append(decided * part * FARTHEST * np.array([1.0 - small, small]))
            losses.append(np.array([self.epsilon, -self.epsilon]))
        p, loss = np.concatenate(masses), np.concatenate(losses)
        p, loss = p[p > 0.0], loss[p > 0.0]
        spacing = self._spacing(finer)
        sided = Sided.of((p / p.sum())[:, None], loss[:, None], spacing)
        return Outcomes.of(sided, spacing)

    def _one_answer(self, finer: float) -> tuple[Loss, Loss]:
        """How often an answer is reported that only the person may have; rare counts are merged."""
        from scipy.stats import binom

        others, rate = self.people - 1, self._other
        wide = SPREAD * math.sqrt(others * rate * (1.0 - rate)) + SPREAD
        low = max(math.floor(others * rate - wide), 0)
        high = min(math.ceil(others * rate + wide), others)
        x = np.arange(low, high + 2.0)
        here, before = binom.pmf(x, others, rate), binom.pmf(x - 1.0, others, rate)
        under_p = here + (before - here) * rate
        under_q = here + (before - here) * self._true
        some = (under_p > 1e-250) & (under_q > 1e-250)
        p, q = under_p[some], under_q[some]
        # what is cut off has a chance below 1e-30: far below what each may be off by
        p, q = p / p.sum(), q / q.sum()
        spacing = self._spacing(finer)
        sided = Sided.of(p[:, None], (np.log(p) - np.log(q))[:, None], spacing)
        lower = Outcomes.of(sided, spacing).lower()
        return lower, lower.reverse()


@cache
def _of_few(epsilon: float, people: int) -> ApproxDPCurve:
    """All tests of how many reports there are, whatever others answer: in whole numbers."""
    shrunk = math.exp(-epsilon)
    # a little less than it is, by four roundings: whoever reports less noise can add some
    share = Fraction(shrunk / (1.0 + shrunk) * (1.0 - 8.0 * ULP))
    rare, one = share.numerator, share.denominator
    powers: list[list[list[int]]] = [[[1]], [[1]]]
    for _ in range(people - 1):
        powers[0].append(_product(powers[0][-1], [one - rare, rare]))
        powers[1].append(_product(powers[1][-1], [rare, one - rare]))
    tests: list[tuple[int, int]] = []
    for yes in range(people):
        rest = _product(powers[0][people - 1 - yes], powers[1][yes])
        level = accumulate(reversed(_product(rest, [one - rare, rare])))
        power = accumulate(reversed(_product(rest, [rare, one - rare])))
        tests += zip(level, power, strict=True)
    return of_tests(tests, one**people, "replace-one")


def _product(first: list[int], second: list[int]) -> list[int]:
    """Coefficients of the product of two polynomials."""
    found = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            found[i + j] += a * b
    return found
