"""Limits on an informed adversary: what is believed afterwards, and how well a test may do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, final

import numpy as np

from dprisk._checks import INSIDE, NONNEGATIVE, PROBABILITY, assign, complement, scalar
from dprisk._numeric.normal import normal_quantile
from dprisk._values import members
from dprisk.answer import Answer
from dprisk.budget.limits import Limit, beyond, failure_of, mu_at, normals_apart
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees.base import SIDES, Guarantee, Sides
from dprisk.risk.adversary import (
    ATTACKS,
    METRICS,
    SECRETS,
    AttackMetric,
    Metric,
    Secret,
    between_hypotheses,
)
from dprisk.risk.posterior import Disclosure, disclosure_of_loss
from dprisk.risk.tests import attack
from dprisk.text import english
from dprisk.theorems import TRADEOFF_PROFILE

CERTAIN: Final = "A belief of 0 or 1 never moves: there is nothing to limit."


@final
@dataclass(frozen=True)
class InformedLimit(Limit):
    """How far an informed adversary's belief may move, with a probability.

    Parameters
    ----------
    metric : {"posterior", "odds", "ratio", "ratio_not", "difference"}
        What is limited, as `disclosure` has it: belief after the release; posterior odds over prior
        odds; belief after over before, in the secret and in its opposite; change of the belief in
        either direction.
    limit : float
        The largest value tolerated. [0, inf]; posterior and difference [0, 1]
    prior : float, optional
        Belief before the release. (0, 1). Needed for a posterior; left out, every prior at once.
    confidence : float, optional
        Probability with which it is kept, over the mechanism's coins. (0, 1). Left out: always
        where the privacy loss is bounded, otherwise 0.99.
    secret : {"membership", "attribute"}
        Whether the target is in the data, or which value the target has.
    sides : {"both", "one"}
        Whether beliefs are bounded from above and from below at once (as in P0), or each alone.

    References
    ----------
    .. [1] P0, Section 4.3 and Example 4.2.

    Examples
    --------
    >>> from dprisk.budget import InformedLimit, Together, largest_budget
    >>> agency = InformedLimit("difference", 0.2, confidence=0.99)
    >>> year = Together(12, at_delta=1e-6)
    >>> found = largest_budget(agency, "approximate", delta=1e-8, releases=year)
    >>> round(found.value.value, 4)
    0.0678
    """

    metric: Metric
    limit: float
    prior: float | None = None
    confidence: float | None = None
    secret: Secret = "membership"
    sides: Sides = "both"
    takes_confidence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of("metric", self.metric, METRICS)
        domain = PROBABILITY if self.metric in ("posterior", "difference") else NONNEGATIVE
        assign(self, limit=scalar(f"limit on the {self.metric}", self.limit, domain))
        if self.prior is not None:
            assign(self, prior=scalar("prior", self.prior, INSIDE, CERTAIN))
        elif self.metric == "posterior":
            fix = "A posterior depends on the belief before: give it, such as 0.1."
            raise InvalidInput("prior", None, str(INSIDE), fix)
        one_of("secret", self.secret, SECRETS)
        one_of("sides", self.sides, SIDES)
        failure_of(self.confidence)

    def measured(self, guarantee: Guarantee) -> Answer:
        confidence = self.read_with(guarantee).confidence
        failure = failure_of(confidence)
        relevant = between_hypotheses(guarantee, self.secret, failure, self.sides)
        loss = relevant.loss_bound(failure, sides=self.sides)
        moved = disclosure_of_loss(guarantee, loss, confidence, self.secret, self.sides, True)
        found = self._upper(moved)
        low, _ = moved.loss.bracket
        if moved.loss.bound == "exact" or low is None:
            return found
        end = Disclosure(Answer(low, "exact", loss.theorem), self.sides, ())
        other = float(self._upper(end))
        return Answer(found.value, "upper", found.theorem, found.assumptions, other)

    def mu(self, value: float) -> float:
        return normals_apart(self.strength(value), failure_of(self.confidence), self.sides)

    def unprotected(self) -> tuple[str, ...]:
        lines = list(beyond(self.confidence))
        if self.prior is not None and self.metric != "odds":
            open_to = "higher" if self.metric == "posterior" else "prior"  # it rises with the prior
            lines.insert(0, english(f"budget.open.{open_to}", prior=f"{self.prior:g}"))
        if self.metric == "ratio" and self.limit * (self.prior or 1.0) >= 1.0:
            start = 1.0 / self.limit if np.isfinite(self.limit) else 0.0
            lines.insert(0, english("budget.open.ratio", start=f"{start:.3g}"))
        if self.secret == "membership":
            lines.append(english("budget.open.membership"))
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        return members(self)

    def _upper(self, moved: Disclosure) -> Answer:
        if self.metric == "odds":
            return moved.odds().upper
        if self.metric == "posterior":
            return moved.posterior(0.5 if self.prior is None else self.prior).upper
        if self.metric == "difference":
            ends = moved.difference(self.prior)
            if -float(ends.lower) <= float(ends.upper):
                return ends.upper
            low = ends.lower
            bound = "exact" if low.bound == "exact" else "upper"
            return Answer(-float(low), bound, low.theorem, low.assumptions)  # type: ignore[arg-type]
        ratios = moved.ratio if self.metric == "ratio" else moved.ratio_not
        return ratios(self.prior).upper

    def strength(self, value: float) -> float:
        """About how far the log-odds move."""
        p = self.prior
        if self.metric == "posterior":
            return _odds(value) - _odds(p or 0.5)
        if self.metric == "difference":
            if p is None:
                return 4.0 * float(np.arctanh(value)) if value < 1.0 else np.inf
            return min(_odds(p + value) - _odds(p), _odds(p) - _odds(p - value))
        if p is None or self.metric == "odds":
            return float(np.log(max(value, 1.0)))
        p = p if self.metric == "ratio" else 1.0 - p
        return _odds(value * p) - _odds(p)


@final
@dataclass(frozen=True)
class AttackLimit(Limit):
    """How well a test of what is published may do.

    Parameters
    ----------
    metric : {"power", "advantage", "predictive_value"}
        Probability of a true alarm at a level; most of power minus level; belief after an alarm.
    limit : float
        The largest value tolerated. [0, 1]
    level : float, optional
        Probability of a false alarm; for power and predictive value. (0, 1)
    prior : float, optional
        Belief before the alarm; for the predictive value. (0, 1)
    secret : {"membership", "attribute"}, optional
        What the test asks. Left out: membership under add-remove neighbors, otherwise an attribute.

    References
    ----------
    .. [1] P1, Section 6.

    Examples
    --------
    >>> from dprisk.budget import AttackLimit, largest_budget
    >>> limit = AttackLimit("power", 0.2, level=0.05)
    >>> round(largest_budget(limit, "gaussian").value.value, 4)
    0.8032
    """

    metric: AttackMetric
    limit: float
    level: float | None = None
    prior: float | None = None
    secret: Secret | None = None

    def __post_init__(self) -> None:
        metric = one_of("metric", self.metric, ATTACKS).replace("_", " ")
        assign(self, limit=scalar(f"limit on the {metric}", self.limit, PROBABILITY))
        self._settle("level", self.metric != "advantage", "0.05")
        self._settle("prior", self.metric == "predictive_value", "0.1")
        if self.secret is not None:
            one_of("secret", self.secret, SECRETS)

    def measured(self, guarantee: Guarantee) -> Answer:
        tested = attack(guarantee, secret=self.secret)
        if self.metric == "advantage":
            return tested.advantage()
        level = 0.5 if self.level is None else self.level
        if self.metric == "power":
            return tested.power(level)
        return tested.predictive_value(level, 0.5 if self.prior is None else self.prior)

    def mu(self, value: float) -> float:
        power, level = self._point(value)
        return max(normal_quantile(power) - normal_quantile(level), 0.0)

    def unprotected(self) -> tuple[str, ...]:
        at = {name: f"{getattr(self, name) or 0.0:g}" for name in ("level", "prior")}
        return (english(f"budget.open.{self.metric}", **at),)

    def to_dict(self) -> dict[str, Any]:
        return members(self)

    def strength(self, value: float) -> float:
        power, level = self._point(value)
        if power <= level or power >= 1.0:
            return 0.0 if power <= level else np.inf
        return float(np.log(max(power / level, (1.0 - level) / (1.0 - power))))

    def _point(self, value: float) -> tuple[float, float]:
        """The power that a value is, and the level."""
        if self.metric == "advantage":
            return (1.0 + value) / 2.0, (1.0 - value) / 2.0
        level = self.level or 0.5
        if self.metric == "power" or self.prior is None:
            return value, level
        if value == 1.0:
            return 1.0, level
        odds = value / (1.0 - value) * (1.0 - self.prior) / self.prior
        return min(level * odds, 1.0), level

    def _settle(self, name: str, needed: bool, such: str) -> None:
        value = getattr(self, name)
        if needed and value is None:
            fix = f"A limit on the {self.metric} is about one {name}: give it, such as {such}."
            raise InvalidInput(name, None, str(INSIDE), fix)
        if not needed and value is not None:
            raise Meaningless(f"A limit on the {self.metric} is about every {name}: leave it out.")
        if value is not None:
            object.__setattr__(self, name, scalar(name, value, INSIDE))


@final
@dataclass(frozen=True)
class BayesLimit(Limit):
    """How often the best guess of the secret is wrong, at least.

    Parameters
    ----------
    limit : float
        The least Bayes risk tolerated: the chance that the best guesser errs. [0, 1]
    prior : float
        Belief in the secret before the release. (0, 1)
    secret : {"membership", "attribute"}, optional
        What is guessed. Left out: membership under add-remove neighbors, otherwise an attribute.

    Notes
    -----
    What is measured is the chance that the best guess is right. With p the prior and m the smaller
    of p and 1 - p, it is 1 - m + m delta(log((1 - m) / m)): the best guess maximizes
    p P(S) + (1 - p) (1 - Q(S)) over sets of outputs S, which is what delta does.

    Examples
    --------
    >>> from dprisk.budget import BayesLimit, calibrate
    >>> round(calibrate(BayesLimit(0.4), "gaussian").value.value, 5)
    1.97358
    """

    limit: float
    prior: float = 0.5
    secret: Secret | None = None

    def __post_init__(self) -> None:
        assign(self, limit=scalar("limit on the Bayes risk", self.limit, PROBABILITY))
        assign(self, prior=scalar("prior", self.prior, INSIDE, CERTAIN))
        if self.secret is not None:
            one_of("secret", self.secret, SECRETS)

    @property
    def most(self) -> float:
        """How often the best guess may be right."""
        right = 1.0 - self.limit
        exact = Fraction(right) <= 1 - Fraction(self.limit)
        return right if exact else float(np.nextafter(right, 0.0))

    def measured(self, guarantee: Guarantee) -> Answer:
        tested, rare = attack(guarantee, secret=self.secret), self._rare
        found = tested.guarantee.delta(self._apart)
        low, high = (None if end is None else float(end) for end in found.bracket)

        def right(delta: float, towards: float) -> float:
            """Chance of a right guess; three roundings of a number below 1."""
            exact = 1 - Fraction(rare) * (1 - Fraction(delta))
            near = float(exact)
            return near if Fraction(near) == exact else float(np.nextafter(near, towards))

        least = None if low is None else right(low, 0.0)
        value = right(float(high or 0.0), 1.0)
        bound = "exact" if found.bound == "exact" else "upper"
        other = None if bound == "exact" else least
        return Answer(value, bound, TRADEOFF_PROFILE, tested.assumptions, other)  # type: ignore[arg-type]

    def mu(self, value: float) -> float:
        delta = 1.0 - (1.0 - value) / self._rare
        if not 0.0 < delta < 1.0:
            return np.inf if delta >= 1.0 else 0.0
        return mu_at(self._apart, delta)

    def strength(self, value: float) -> float:
        delta = 1.0 - (1.0 - value) / self._rare
        return self._apart + 2.0 * float(np.arctanh(min(max(delta, 0.0), 1.0)))

    def unprotected(self) -> tuple[str, ...]:
        return (english("budget.open.bayes_risk", prior=f"{self.prior:g}"),)

    def to_dict(self) -> dict[str, Any]:
        return {"metric": "bayes_risk", **members(self)}

    @property
    def _rare(self) -> float:
        """The smaller of both beliefs."""
        return min(self.prior, float(complement(self.prior)))

    @property
    def _apart(self) -> float:
        """The odds of both beliefs, in nats."""
        return float(np.log1p(-self._rare) - np.log(self._rare))


def _odds(probability: float) -> float:
    """Logarithm of the odds."""
    if probability >= 1.0:
        return np.inf
    return float(np.log(probability) - np.log1p(-probability)) if probability > 0.0 else -np.inf
