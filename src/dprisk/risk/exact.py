"""What an adversary comes to believe from one mechanism's raw output: the exact distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, complement, numbers, one_of
from dprisk._numeric.logspace import Floats, log, log_odds_difference, shift_odds, shrinking
from dprisk._numeric.rounding import SMALLEST
from dprisk._values import result
from dprisk.accountant import PrivacyLoss
from dprisk.answer import Answer
from dprisk.errors import Meaningless, refused
from dprisk.guarantees import Guarantee
from dprisk.guarantees.base import SIDES, Sides
from dprisk.risk.adversary import Secret, steps
from dprisk.risk.mean_posterior import mean_posterior
from dprisk.risk.prior_to_posterior import Disclosure, disclosed, disclosure
from dprisk.sources import Theorem
from dprisk.text import english, fill

Bools = npt.NDArray[np.bool_]
World = Literal["in", "out"]
WORLDS: Final[tuple[World, ...]] = get_args(World)
Rising = Literal["posterior", "odds", "ratio", "difference"]

CHANGE: Final = Domain(-1.0, 1.0, advice=english("risk.difference"))
DOMAINS: dict[Rising, Domain] = {
    "posterior": PROBABILITY,
    "odds": NONNEGATIVE,
    "ratio": NONNEGATIVE,
    "difference": CHANGE,
}
LAW = Theorem("P0", "Theorem 3.1", english("theorems.p0-theorem-3-1.posterior-odds"))
RAW = Theorem("P0", "Theorem 3.1", english("theorems.p0-theorem-3-1.tail-mechanism"))

UNITS = 8 * np.finfo(float).eps  # what counts as equal, in log-odds and relative to a value


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Readings:
    """Bounds at one confidence, read in two ways. Made by `ExactPosterior`.

    Parameters
    ----------
    raw : Disclosure
        For the raw output alone.
    universal : Disclosure
        For the output and anything computed from it; never tighter.
    """

    raw: Disclosure
    universal: Disclosure


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ExactPosterior:
    """The posterior of an informed adversary who sees a raw output. Made by `exact_posterior`.

    It is random because the output is, and its law depends on which world the output comes from:
    "in", where the secret is so, or "out", where it is not.

    Parameters
    ----------
    loss : PrivacyLoss
        The mechanism's own.
    secret : {"membership", "attribute"}
        What the adversary asks.
    assumptions : tuple of str
        What every number made from it takes for granted.

    References
    ----------
    .. [1] P0, Theorem 3.1.
    """

    loss: PrivacyLoss
    secret: Secret
    assumptions: tuple[str, ...]

    def distribution(
        self,
        value: npt.ArrayLike,
        *,
        prior: npt.ArrayLike,
        world: World = "in",
        metric: Rising = "posterior",
    ) -> Answer:
        """How likely the posterior is `value` or less.

        Parameters
        ----------
        value : array_like of float
            Posterior in [0, 1], factor on the odds or ratio in [0, inf], difference in [-1, 1].
            A metric whose odds equal those of `value` up to rounding counts as equal.
        prior : array_like of float
            Belief before the release, broadcast against `value`. [0, 1]
        world : {"in", "out"}
            Whether the secret is so.
        metric : {"posterior", "odds", "ratio", "difference"}
            What `value` is about.

        Returns
        -------
        Answer
            Probability in [0, 1] over the mechanism's random choices: at least, with the bracket.

        Raises
        ------
        OutOfRange
            If `value` or `prior` is outside its range or NaN.
        InvalidInput
            If `world` or `metric` is not one of the words allowed.
        """
        low, high, shape = self._probability(value, prior, world, metric, beyond=False)
        return Answer(low, "lower", LAW, self.assumptions, high).shaped(shape)

    def exceeds(
        self,
        value: npt.ArrayLike,
        *,
        prior: npt.ArrayLike,
        world: World = "in",
        metric: Rising = "posterior",
    ) -> Answer:
        """How likely the posterior is more than `value`.

        Parameters
        ----------
        value : array_like of float
            Posterior in [0, 1], factor on the odds or ratio in [0, inf], difference in [-1, 1].
            A metric whose odds equal those of `value` up to rounding counts as equal.
        prior : array_like of float
            Belief before the release, broadcast against `value`. [0, 1]
        world : {"in", "out"}
            Whether the secret is so.
        metric : {"posterior", "odds", "ratio", "difference"}
            What `value` is about.

        Returns
        -------
        Answer
            Probability in [0, 1] over the mechanism's random choices: at most, with the bracket.

        Raises
        ------
        OutOfRange
            If `value` or `prior` is outside its range or NaN.
        InvalidInput
            If `world` or `metric` is not one of the words allowed.
        """
        low, high, shape = self._probability(value, prior, world, metric, beyond=True)
        return Answer(high, "upper", LAW, self.assumptions, low).shaped(shape)

    def quantile(
        self,
        probability: npt.ArrayLike,
        *,
        prior: npt.ArrayLike,
        world: World = "in",
        metric: Rising = "posterior",
    ) -> Answer:
        """Smallest value that the posterior does not exceed with at least that probability.

        Parameters
        ----------
        probability : array_like of float
            Probability over the mechanism's random choices. [0, 1]. At 0 the smallest value that
            can occur.
        prior : array_like of float
            Belief before the release, broadcast against `probability`. [0, 1]
        world : {"in", "out"}
            Whether the secret is so.
        metric : {"posterior", "odds", "ratio", "difference"}
            What is asked for.

        Returns
        -------
        Answer
            At most, with the bracket. Priors 0 and 1 stay; the ratio at prior 0 is the limit.

        Raises
        ------
        OutOfRange
            If `probability` or `prior` is outside [0, 1] or NaN.
        InvalidInput
            If `world` or `metric` is not one of the words allowed.

        Notes
        -----
        Where `probability` is, up to rounding, the very height of a step of the distribution
        function, the bracket reaches from one end of the step to the other.
        """
        _in_words(world, metric)
        q = numbers("probability", probability, PROBABILITY)
        p = numbers("prior", prior, PROBABILITY)
        found = self.loss.distribution(world).quantile(np.ravel(q))
        p, low, high = np.broadcast_arrays(p, *(end.reshape(q.shape) for end in found))
        low, high = _metric(metric, p, low, -1.0), _metric(metric, p, high, 1.0)
        return Answer(high, "upper", LAW, self.assumptions, low).shaped(p.shape)

    def bounds(self, confidence: npt.ArrayLike | None = None, *, sides: Sides = "both") -> Readings:
        """Limits that the posterior keeps in either world, for raw output and for anything else.

        Parameters
        ----------
        confidence : array_like of float, optional
            Probability with which the bounds hold, over the mechanism's random choices and
            whichever world is the true one. (0, 1). Left out: with certainty.
        sides : {"both", "one"}
            Upper and lower end together, or each alone.

        Returns
        -------
        Readings
            Posterior, odds, ratio and difference for the raw output, and beside it for anything
            computed from it.

        Raises
        ------
        OutOfRange
            If `confidence` is outside (0, 1), or so high that nothing is bounded there.
        InvalidInput
            If `sides` is neither "both" nor "one".
        """
        one_of("sides", sides, SIDES)
        universal = disclosure(
            self.loss, confidence=confidence, secret=self.secret, sides=sides, post_processing=True
        )
        failure = np.asarray(0.0 if confidence is None else complement(confidence))
        each = [
            self.loss.distribution("in").loss_bound(failure.ravel(), sides == "both"),
            self.loss.distribution("out").opposite.loss_bound(failure.ravel(), sides == "both"),
        ]
        low, high = (np.maximum(*ends) for ends in zip(*each, strict=True))
        worst = np.minimum(high, np.ravel(universal.loss.value))  # which holds for raw output, too
        raw = Answer(worst, "upper", RAW, (), np.minimum(low, worst)).shaped(failure.shape)
        return Readings(
            disclosed(self.loss, raw, confidence, self.secret, sides, post_processing=False),
            universal,
        )

    def mean(self, *, prior: npt.ArrayLike, world: World = "in") -> Answer:
        """Expected posterior, over the mechanism's random choices.

        Parameters
        ----------
        prior : array_like of float
            Belief before the release. [0, 1]
        world : {"in", "out"}
            Whether the secret is so.

        Returns
        -------
        Answer
            At most, with the bracket. Averaged over both worlds by the prior, it is the prior.

        Raises
        ------
        OutOfRange
            If `prior` is outside [0, 1] or NaN.
        InvalidInput
            If `world` is neither "in" nor "out".
        """
        _in_words(world, "posterior")
        p = numbers("prior", prior, PROBABILITY)
        profile = self.loss.distribution("in").profile
        low, high = mean_posterior(profile, np.ravel(p), world == "in")
        return Answer(high, "upper", LAW, self.assumptions, low).shaped(p.shape)

    def _probability(
        self,
        value: npt.ArrayLike,
        prior: npt.ArrayLike,
        world: World,
        metric: Rising,
        beyond: bool,
    ) -> tuple[Floats, Floats, tuple[int, ...]]:
        """Of a metric at most, or beyond, a value."""
        _in_words(world, metric)
        v = numbers("value", value, DOMAINS[metric])
        p = numbers("prior", prior, PROBABILITY)
        v, p = np.broadcast_arrays(v, p)
        law, t = self.loss.distribution(world), _loss_at(metric, v.ravel(), p.ravel())
        low, high = law.beyond(t) if beyond else law.at_most(t)
        stays, kept = _kept(metric, v.ravel(), p.ravel())
        sure = np.where(kept, 0.0, 1.0) if beyond else np.where(kept, 1.0, 0.0)
        return np.where(stays, sure, low), np.where(stays, sure, high), v.shape


def exact_posterior(loss: PrivacyLoss, *, secret: Secret = "membership") -> ExactPosterior:
    """How the posterior of an informed adversary is distributed who sees a raw output.

    A guarantee bounds the posterior; the mechanism's own privacy loss says how likely each value
    is. It is that of the worst pair of neighbors: of a target whose record moves the answer by the
    whole sensitivity. The first of the two distributions is the one under which the secret is so.

    Parameters
    ----------
    loss : PrivacyLoss
        Of one mechanism, ``mechanism.loss()``, or of several, composed.
    secret : {"membership", "attribute"}
        Whether the target is in the data (add-remove neighbors), or which value the target has
        (replace-one neighbors).

    Returns
    -------
    ExactPosterior
        Distribution, quantiles, mean and bounds, in certified brackets.

    Raises
    ------
    InvalidInput
        If `loss` is another kind of guarantee, or `secret` not one of the words allowed.
    Meaningless
        If the loss only dominates that of the mechanism, or the neighbors do not fit the secret.

    References
    ----------
    .. [1] P0, Theorem 3.1.

    Examples
    --------
    >>> import math
    >>> from dprisk.mechanisms import RandomizedResponse
    >>> from dprisk.risk import exact_posterior
    >>> answer = RandomizedResponse(math.log(3.0), neighbors="replace-one")
    >>> belief = exact_posterior(answer.loss(), secret="attribute")
    >>> round(belief.quantile(0.5, prior=0.5).value, 12)
    0.75
    >>> round(belief.exceeds(0.5, prior=0.5).value, 12)
    0.75
    """
    if not isinstance(loss, PrivacyLoss):  # nothing else is a distribution
        kind = type(loss).__name__ if isinstance(loss, Guarantee) else loss
        raise refused("risk.only-losses", "loss", kind)
    if steps(secret, loss) == 2:
        raise Meaningless(fill("risk.attribute-loss"), fill("risk.attribute-loss.fix"))
    loss.distribution()
    return ExactPosterior(loss, secret, _ASSUMED[secret] + _ALWAYS)


_ASSUMED: dict[Secret, tuple[str, ...]] = {
    "membership": (english("assumptions.asks.membership"),),
    "attribute": (english("assumptions.asks.attribute"),),
}
_ALWAYS = (
    english("assumptions.worst-pair"),
    english("assumptions.raw-only"),
)


def _in_words(world: World, metric: Rising) -> None:
    one_of("world", world, WORLDS)
    one_of("metric", metric, DOMAINS)


def _stays(metric: Rising, p: Floats) -> Bools:
    """Where no evidence moves the metric."""
    if metric == "odds":
        return np.zeros(p.shape, dtype=bool)
    return np.asarray((p == 1.0) | ((p == 0.0) & (metric != "ratio")))


def _kept(metric: Rising, value: Floats, p: Floats) -> tuple[Bools, Bools]:
    """Where the metric stays, and whether what it stays at is no more than the value."""
    least = {"posterior": p, "odds": p, "ratio": np.ones_like(p), "difference": np.zeros_like(p)}
    return _stays(metric, p), value >= least[metric] * (1.0 - UNITS)


def _loss_at(metric: Rising, value: Floats, p: Floats) -> Floats:
    """Loss at which the metric has the value, and a rounding more; infinite where none has it."""
    p = np.where(_stays(metric, p), 0.5, p)
    rest = 1.0 - p
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        if metric == "posterior":
            t = log(value) - log(p) + log(rest / (1.0 - value))
            near = log((value / p) * (rest / (1.0 - value)))
            t = np.where(np.isfinite(near), near, t)
        elif metric == "odds":
            t = log(value)
        elif metric == "ratio":
            t = log(value * rest) - log(np.maximum(1.0 - value * p, 0.0))
        else:
            up, down = np.maximum(value / p, -1.0), np.minimum(value / rest, 1.0)
            t = np.log1p(up) - np.log1p(-down)
    return np.asarray(t + UNITS * (1.0 + np.where(np.isfinite(t), np.abs(t), 0.0)))


def _metric(metric: Rising, p: Floats, t: Floats, sign: float) -> Floats:
    """The metric at the loss t, rounded downwards or upwards."""
    if metric == "posterior":
        value = shift_odds(p, t)
    elif metric == "difference":
        value = log_odds_difference(p, t)
    elif metric == "odds":
        with np.errstate(over="ignore"):
            value = np.exp(t)
    else:
        (near, far), stays = shrinking(np.abs(t)), p == 1.0
        with np.errstate(divide="ignore", over="ignore"):
            up = 1.0 / far / (p / far + (1.0 - p) * near)
        down = near / np.where(stays, 1.0, p * near + (1.0 - p) / far)
        value = np.where(stays, 1.0, np.where(t >= 0.0, up, down))
    sure = _stays(metric, p) | np.isinf(value)
    if metric in ("posterior", "odds"):
        sure = sure | np.isinf(t)
    moved = np.where(sure, 0.0, value)
    value = np.where(sure, value, moved + sign * (UNITS * np.abs(moved) + 4.0 * SMALLEST))
    return np.asarray(np.clip(value, DOMAINS[metric].low, DOMAINS[metric].high))
