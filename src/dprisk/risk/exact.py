"""Distribution of an adversary's posterior, who sees one mechanism's raw output: exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, complement, numbers, one_of
from dprisk._numeric.logspace import Floats, log, log_odds_difference, shift_odds, shrinking
from dprisk._numeric.rounding import SMALLEST
from dprisk._values import result
from dprisk.accountant import PrivacyLoss
from dprisk.accountant.duality import Duality
from dprisk.accountant.loss_sum import Bracket, LossSum
from dprisk.answer import Answer
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees import Guarantee
from dprisk.guarantees.base import SIDES, Sides
from dprisk.losses.base import ULP
from dprisk.risk.adversary import Secret, steps
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
        low, high, shape = self._probability(value, prior, hypothesis, metric, beyond=False)
        return Answer(low, "lower", POSTERIOR_ODDS, self.assumptions, high).shaped(shape)

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
        low, high, shape = self._probability(value, prior, hypothesis, metric, beyond=True)
        return Answer(high, "upper", POSTERIOR_ODDS, self.assumptions, low).shaped(shape)

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

    def _probability(
        self,
        value: npt.ArrayLike,
        prior: npt.ArrayLike,
        hypothesis: Hypothesis,
        metric: Rising,
        beyond: bool,
    ) -> tuple[Floats, Floats, tuple[int, ...]]:
        """Bracket, and shape, of the probability that a metric is at most, or beyond, a value."""
        _check_words(hypothesis, metric)
        v = numbers("value", value, DOMAINS[metric])
        p = numbers("prior", prior, PROBABILITY)
        v, p = np.broadcast_arrays(v, p)
        law, t = self.loss.distribution(hypothesis), _loss_at(metric, v.ravel(), p.ravel())
        low, high = law.beyond(t) if beyond else law.at_most(t)
        stays, kept = _kept(metric, v.ravel(), p.ravel())
        sure = np.where(kept, 0.0, 1.0) if beyond else np.where(kept, 1.0, 0.0)
        return np.where(stays, sure, low), np.where(stays, sure, high), v.shape


def exact_posterior(loss: PrivacyLoss, *, secret: Secret = "membership") -> ExactPosterior:
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


# --- the expected posterior, from the privacy profile --------------------------------------------

EVEN, FAR = 512, 64  # points where delta falls, and beyond
CLOSE = 1e-9  # nats: no more points than that
LARGEST = 650.0  # nats: the exponential is still finite
ROUNDING = 1e-12


class _ProfileCurve(NamedTuple):
    """delta at rising u = e^t, from u = 0 on; and what is left of it at the end."""

    t: Floats
    low: Floats
    high: Floats
    left: float


def mean_posterior(profile: Duality, prior: Floats, of_p: bool) -> Bracket:
    """Expected posterior of the hypothesis P, when the output is drawn from P, or from Q."""
    curve = _curve(profile)
    if of_p:
        return _means(curve, prior, 1.0 - prior)
    back = _means(_curve(profile.turned), 1.0 - prior, prior)
    low, high = 1.0 - back.upper, 1.0 - back.lower
    small = (prior > 0.0) & (prior <= 0.5)
    found = _means(curve, prior, 1.0 - prior)
    odds = prior / np.where(prior < 1.0, 1.0 - prior, 1.0)
    low = np.where(small, odds * (1.0 - found.upper), low)  # p E[X] + (1 - p) E'[X] = p
    high = np.where(small, odds * (1.0 - found.lower), high)
    low, high = low * (1.0 - ROUNDING), np.minimum(high * (1.0 + ROUNDING), prior)
    certain = (prior == 0.0) | (prior == 1.0)
    return Bracket(np.where(certain, prior, np.minimum(low, high)), np.where(certain, prior, high))


def _means(curve: _ProfileCurve, prior: Floats, other: Floats) -> Bracket:
    pairs = zip(prior.tolist(), other.tolist(), strict=True)
    found = np.array([_mean(curve, p, q) for p, q in pairs]).reshape(-1, 2)
    return Bracket(found[:, 0], found[:, 1])


def _mean(curve: _ProfileCurve, p: float, q: float) -> tuple[float, float]:
    """Bounds on the mean posterior at priors p and q = 1 - p: neither keeps the other's digits."""
    if p in (0.0, 1.0):
        return p, p
    t, low, high, left = curve
    pi, rest = p / (p + q * np.exp(-t)), q / (p * np.exp(t) + q)
    share = -np.expm1(-np.diff(t))
    step, width = pi[1:] * rest[:-1] * share, np.exp(t[1:]) * share
    first, second = step * rest[:-1], step * rest[1:]
    whole = first + second
    before = _continued(low[1:-1], high[:-2], width[1:] / width[:-1])
    after = _continued(low[1:-1], high[2:], width[:-1] / width[1:])
    least = low[1:] * whole
    least[1:] = np.maximum(least[1:], low[1:-1] * first[1:] + before * second[1:])
    least[:-1] = np.maximum(least[:-1], after * first[:-1] + low[1:-1] * second[:-1])
    tail = float(rest[-1] ** 2)
    lower = float(least.sum()) + tail * left * (1.0 - ROUNDING)
    upper = float((first * high[:-1] + second * high[1:]).sum()) + tail * float(high[-1])
    upper = min(upper * (1.0 + ROUNDING), 1.0)
    return min(max(lower * (1.0 - ROUNDING), p), upper), max(upper, p)


def _continued(here: Floats, back: Floats, length: Floats) -> Floats:
    """Lower end of the chord from a point further back, continued so much further on."""
    drop = (back - here) * length
    # two differences and a product: three roundings
    return np.asarray(here - drop - 4 * ULP * (here + np.abs(drop)))


def _curve(profile: Duality) -> _ProfileCurve:
    """delta at its corners and between them, where they are few; else at many points."""
    up, down = _corners(profile.forward), _corners(profile.backward)
    if up is not None and down is not None:
        t = np.unique(np.concatenate([-down, [0.0], up]))
        t = np.append(t, t[1:] + np.log1p(np.exp(-np.diff(t))) - np.log(2.0))
    else:
        t = np.concatenate([-_spread(profile.backward[1]), [0.0], _spread(profile.forward[1])])
    t = np.unique(t[np.abs(t) <= LARGEST])
    t = np.append(t[0] - 1.0, t[np.diff(t, prepend=-np.inf) > CLOSE])
    low, high = profile.delta(t)
    left = profile.mass_at_infinity[0][0]
    ends = np.concatenate([[-np.inf], t]), np.append(1.0, low), np.append(1.0, high)
    return _ProfileCurve(*ends, left)


def _corners(sides: tuple[LossSum, LossSum]) -> Floats | None:
    return sides[1].corners if sides[0] is sides[1] else None


def _spread(loss: LossSum) -> Floats:
    middle, deviation, most = loss.spread
    most = min(max(most, 1e-300), LARGEST)
    near = min(max(middle + 9.0 * deviation, most / 1e3), most)
    return np.unique(np.append(np.linspace(near / EVEN, near, EVEN), np.geomspace(near, most, FAR)))
