"""Distribution of an adversary's posterior, who sees one mechanism's raw output: exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, complement, numbers
from dprisk._numeric.logspace import Floats, log, log_odds_difference, shift_odds, shrinking
from dprisk._numeric.rounding import SMALLEST
from dprisk._values import members, result
from dprisk.accountant import PrivacyLoss
from dprisk.answer import Answer
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees import Guarantee
from dprisk.guarantees.base import SIDES, Sides
from dprisk.risk.adversary import Secret, steps
from dprisk.risk.expected import mean_posterior
from dprisk.risk.posterior import Disclosure, disclosure, disclosure_of_loss
from dprisk.text import english
from dprisk.theorems import OWN_LOSS_TAIL, POSTERIOR_ODDS

Bools = npt.NDArray[np.bool_]
Hypothesis = Literal["in", "out"]
HYPOTHESES: Final[tuple[Hypothesis, ...]] = get_args(Hypothesis)
Rising = Literal["posterior", "odds", "ratio", "difference"]
DOMAINS: Final[dict[Rising, Domain]] = {
    "posterior": PROBABILITY,
    "odds": NONNEGATIVE,
    "ratio": NONNEGATIVE,
    "difference": Domain(
        -1.0, 1.0, advice="A difference of two probabilities lies between -1 and 1."
    ),
}


USUAL: Final = (0.5, 0.95)  # of all runs
UNITS = 8 * np.finfo(float).eps  # what counts as equal, in log-odds and relative to a value


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ExactBounds:
    """Bounds at one confidence: a `Disclosure` for the raw output alone, and a `universal` one for
    the output and anything computed from it, never tighter. Made by `ExactPosterior.bounds`.
    """

    raw: Disclosure
    universal: Disclosure


@final
@result
@dataclass(frozen=True, repr=False)
class Usual:
    """Posterior that is not exceeded in a share of runs. Made by `ExactPosterior.usual`."""

    prior: float  #: Belief before the release. [0, 1]
    hypothesis: Hypothesis  #: Whether the secret is so.
    share: float  #: Of all runs of the mechanism, at least. [0, 1]
    lower: float  #: The smallest value of which this is true is at least this. [0, 1]
    upper: float  #: And at most this. [0, 1]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ExactPosterior:
    """The posterior of an informed adversary who sees a raw output. Made by `exact_posterior`.

    It is random because the output is (P0, Theorem 3.1); its law depends on whether the secret is
    so ("in") or not ("out"). A number outside its range raises `OutOfRange`, a word that is not
    listed `InvalidInput`.
    """

    loss: PrivacyLoss  #: The mechanism's own.
    secret: Secret  #: What the adversary asks.
    assumptions: tuple[str, ...]  #: What every number made from it takes for granted.

    def distribution(
        self,
        value: npt.ArrayLike,
        *,
        prior: npt.ArrayLike,
        hypothesis: Hypothesis = "in",
        metric: Rising = "posterior",
    ) -> Answer:
        """How likely the posterior is `value` or less.

        Parameters
        ----------
        value : array_like of float
            Posterior in [0, 1], factor on the odds or ratio in [0, inf], difference in [-1, 1];
            equal if the odds are, up to rounding.
        prior : array_like of float
            Belief before the release, broadcast against `value`. [0, 1]
        hypothesis : {"in", "out"}
            Whether the secret is so.
        metric : {"posterior", "odds", "ratio", "difference"}
            What `value` is about.

        Returns
        -------
        Answer
            Probability in [0, 1] over the mechanism's random choices: at least, with the bracket.
        """
        return self._probability("lower", value, prior, hypothesis, metric)

    def exceeds(
        self,
        value: npt.ArrayLike,
        *,
        prior: npt.ArrayLike,
        hypothesis: Hypothesis = "in",
        metric: Rising = "posterior",
    ) -> Answer:
        """How likely the posterior is more than `value`: one minus `distribution`.

        Parameters
        ----------
        value : array_like of float
            As for `distribution`. [-1, inf]
        prior : array_like of float
            Belief before the release, broadcast against `value`. [0, 1]
        hypothesis : {"in", "out"}
            Whether the secret is so.
        metric : {"posterior", "odds", "ratio", "difference"}
            What `value` is about.

        Returns
        -------
        Answer
            Probability in [0, 1] over the mechanism's random choices: at most, with the bracket.
        """
        return self._probability("upper", value, prior, hypothesis, metric)

    def quantile(
        self,
        probability: npt.ArrayLike,
        *,
        prior: npt.ArrayLike,
        hypothesis: Hypothesis = "in",
        metric: Rising = "posterior",
    ) -> Answer:
        """Smallest value that the posterior does not exceed with at least that probability.

        Parameters
        ----------
        probability : array_like of float
            Probability over the mechanism's random choices; at 0 the smallest value possible. [0,
            1]
        prior : array_like of float
            Belief before the release, broadcast against `probability`. [0, 1]
        hypothesis : {"in", "out"}
            Whether the secret is so.
        metric : {"posterior", "odds", "ratio", "difference"}
            What is asked for.

        Returns
        -------
        Answer
            At most, with the bracket, which at the very height of a step reaches over all of the
            step. Priors 0 and 1 stay; the ratio at prior 0 is the limit.
        """
        _check_words(hypothesis, metric)
        q = numbers("probability", probability, PROBABILITY)
        p = numbers("prior", prior, PROBABILITY)
        found = self.loss.distribution(hypothesis).quantile(np.ravel(q))
        p, low, high = np.broadcast_arrays(p, *(end.reshape(q.shape) for end in found))
        low, high = _metric(metric, p, low, -1.0), _metric(metric, p, high, 1.0)
        return Answer(high, "upper", POSTERIOR_ODDS, self.assumptions, low).shaped(p.shape)

    def bounds(
        self, confidence: npt.ArrayLike | None = None, *, sides: Sides = "both"
    ) -> ExactBounds:
        """Limits that the posterior keeps under either hypothesis.

        Parameters
        ----------
        confidence : array_like of float, optional
            Probability with which the bounds hold, whichever hypothesis is the true one; left out,
            with certainty. (0, 1)
        sides : {"both", "one"}
            Upper and lower end together, or each alone.

        Returns
        -------
        ExactBounds
            For the raw output, and beside it for anything computed from it.
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
        raw = Answer(worst, "upper", OWN_LOSS_TAIL, (), np.minimum(low, worst)).shaped(
            failure.shape
        )
        return ExactBounds(
            disclosure_of_loss(
                self.loss, raw, confidence, self.secret, sides, post_processing=False
            ),
            universal,
        )

    def mean(self, *, prior: npt.ArrayLike, hypothesis: Hypothesis = "in") -> Answer:
        """Expected posterior, over the mechanism's random choices.

        Parameters
        ----------
        prior : array_like of float
            Belief before the release. [0, 1]
        hypothesis : {"in", "out"}
            Whether the secret is so.

        Returns
        -------
        Answer
            At most, with the bracket. Averaged over both hypotheses by the prior, it is the prior.
        """
        _check_words(hypothesis, "posterior")
        p = numbers("prior", prior, PROBABILITY)
        profile = self.loss.distribution("in").profile
        low, high = mean_posterior(profile, np.ravel(p), hypothesis == "in")
        return Answer(high, "upper", POSTERIOR_ODDS, self.assumptions, low).shaped(p.shape)

    def usual(self, priors: Iterable[float]) -> tuple[Usual, ...]:
        """Posterior that is not exceeded in half of all runs, and in 95 of 100.

        Parameters
        ----------
        priors : iterable of float
            Beliefs before the release. [0, 1]

        Returns
        -------
        tuple of Usual
            For each prior, where the secret is so and where it is not.
        """
        asked = tuple(dict.fromkeys(priors))
        found = []
        for hypothesis in HYPOTHESES:
            made = self.quantile(np.reshape(USUAL, (-1, 1)), prior=asked, hypothesis=hypothesis)
            for share, *ends in zip(USUAL, *np.asarray(made.bracket).tolist(), strict=True):
                each = zip(asked, *ends, strict=True)
                found += [Usual(prior, hypothesis, share, low, high) for prior, low, high in each]
        return tuple(sorted(found, key=lambda one: asked.index(one.prior)))

    def _probability(
        self,
        bound: Literal["lower", "upper"],
        value: npt.ArrayLike,
        prior: npt.ArrayLike,
        hypothesis: Hypothesis,
        metric: Rising,
    ) -> Answer:
        """Probability that a metric is at most a value, from below; or beyond it, from above."""
        _check_words(hypothesis, metric)
        v = numbers("value", value, DOMAINS[metric])
        p = numbers("prior", prior, PROBABILITY)
        v, p = np.broadcast_arrays(v, p)
        law, t = self.loss.distribution(hypothesis), _loss_at(metric, v.ravel(), p.ravel())
        stays, kept = _kept(metric, v.ravel(), p.ravel())
        sure, ends = (kept, law.at_most(t)) if bound == "lower" else (~kept, law.beyond(t)[::-1])
        end, other = (np.where(stays, sure, each) for each in ends)
        return Answer(end, bound, POSTERIOR_ODDS, self.assumptions, other).shaped(v.shape)


def exact_posterior(loss: Guarantee, *, secret: Secret = "membership") -> ExactPosterior:
    """How the posterior of an informed adversary is distributed who sees a raw output.

    A guarantee bounds the posterior; the mechanism's own privacy loss says how likely each value
    is, for the worst pair of neighbors.

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
    """
    if not isinstance(loss, PrivacyLoss):  # nothing else is a distribution
        raise InvalidInput(
            "loss",
            type(loss).__name__ if isinstance(loss, Guarantee) else loss,
            "a PrivacyLoss",
            "A promise bounds the posterior (disclosure() does that). Only the mechanism itself "
            "says how the posterior is distributed: give mechanism.loss().",
        )
    if steps(secret, loss) == 2:
        raise Meaningless(
            "An add-remove loss compares data with the record and without it. A question about an "
            "attribute compares two records in its place, and how the outputs are distributed "
            "under those two does not follow.",
            "Describe the mechanism with the sensitivity of replacing a record "
            '(neighbors="replace-one"), or ask for disclosure(), which takes two steps.',
        )
    loss.distribution()
    lines = (f"assumptions.asks.{secret}", "assumptions.worst-pair", "assumptions.raw-only")
    return ExactPosterior(loss, secret, tuple(map(english, lines)))


def _check_words(hypothesis: Hypothesis, metric: Rising) -> None:
    one_of("hypothesis", hypothesis, HYPOTHESES)
    one_of("metric", metric, DOMAINS)


def _stays(metric: Rising, p: Floats) -> Bools:
    """Mask of priors at which no evidence moves the metric."""
    if metric == "odds":
        return np.zeros(p.shape, dtype=bool)
    return np.asarray((p == 1.0) | ((p == 0.0) & (metric != "ratio")))


def _kept(metric: Rising, value: Floats, p: Floats) -> tuple[Bools, Bools]:
    """Masks of priors at which the metric stays, and of values no less than what it stays at."""
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
