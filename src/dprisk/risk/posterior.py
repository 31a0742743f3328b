"""Bounds on an adversary's posterior from the prior: how far a release can move a belief."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._checks import INSIDE, PROBABILITY, complement, numbers
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import (
    differences,
    furthest,
    largest_ratios,
    least_ratios,
    odds,
    posteriors,
    stay,
    steepest,
)
from dprisk._values import brief, result
from dprisk.answer import Answer, Bound, settled
from dprisk.errors import OutOfRange, one_of
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.risk.adversary import (
    CONFIDENCE_FIX,
    METRICS,
    Metric,
    Secret,
    between_hypotheses,
    confidence_for,
    steps,
)
from dprisk.text import english
from dprisk.theorems import (
    POSTERIOR,
    POSTERIOR_DIFFERENCE,
    POSTERIOR_ODDS,
    POSTERIOR_RATIO,
    WORST_PRIOR,
    Theorem,
)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Interval:
    """Two ends between which a quantity lies, each with its direction. Made by `Disclosure`."""

    lower: Answer  #: "At least".
    upper: Answer  #: "At most".


def between(
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    theorem: Theorem,
    assumptions: tuple[str, ...],
    bounds: tuple[Bound, Bound] = ("lower", "upper"),
) -> Interval:
    """The interval with two ends that follow from a theorem."""
    ends = zip(map(np.asarray, (low, high)), bounds, strict=True)
    return Interval(
        *(Answer(settled(end, end.shape), bound, theorem, assumptions) for end, bound in ends)
    )


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Disclosure:
    """How far a release can move the beliefs of an informed adversary. Made by `disclosure`.

    With probability at least the confidence the posterior odds lie within a factor e^(+-epsilon')
    of the prior odds; all else is arithmetic on that (P0, Theorems 3.2 to 3.5, Corollaries 3.6 to
    3.12). A prior outside [0, 1] raises `OutOfRange`.
    """

    loss: Answer  #: epsilon': the log-odds of the secret move by at most this. [0, inf], nats
    sides: Sides  #: Whether both ends of an interval hold together, or each alone.
    assumptions: tuple[str, ...]  #: What every number made from it takes for granted.
    #: Probability with which the bounds hold; None for certainty, or if there are several. (0, 1)
    confidence: float | None = None

    def __repr__(self) -> str:
        most = brief(self.loss.value, "at most")
        return f"<Disclosure: log-odds move by {most}; {self.loss.theorem}>"

    def posterior(self, prior: npt.ArrayLike) -> Interval:
        """Belief in the secret after the release; priors 0 and 1 stay.

        Parameters
        ----------
        prior : array_like of float
            Belief before it; broadcast against the confidence. [0, 1]

        Returns
        -------
        Interval
            At least and at most, in [0, 1].
        """
        p, e = self._with(prior)
        return self._interval(*posteriors(p, stay(e)), POSTERIOR)

    def odds(self) -> Interval:
        """Factor between posterior and prior odds at every prior: e^-epsilon' to e^epsilon'."""
        return self._interval(*odds(np.asarray(self.loss.value)), POSTERIOR_ODDS)

    def ratio(self, prior: npt.ArrayLike | None = None) -> Interval:
        """Posterior belief in the secret over prior belief.

        Parameters
        ----------
        prior : array_like of float, optional
            Belief before the release; left out, every prior at once. [0, 1]

        Returns
        -------
        Interval
            Over every prior, and at prior 0, e^-epsilon' and e^epsilon': the limit as it goes to 0.
        """
        if prior is None:
            return self._over_every_prior()
        p, e = self._with(prior)
        return self._ratios(p, 1.0 - p, e)

    def ratio_not(self, prior: npt.ArrayLike | None = None) -> Interval:
        """Posterior over prior belief that the secret is *not* so (one minus the beliefs).

        Parameters
        ----------
        prior : array_like of float, optional
            Belief in the secret before the release; left out, every prior at once. [0, 1]

        Returns
        -------
        Interval
            Over every prior, and at prior 1, e^-epsilon' and e^epsilon'.
        """
        if prior is None:
            return self._over_every_prior()
        p, e = self._with(prior)
        return self._ratios(1.0 - p, p, e)

    def difference(self, prior: npt.ArrayLike | None = None) -> Interval:
        """Posterior minus prior belief.

        Parameters
        ----------
        prior : array_like of float, optional
            Belief before the release; left out, every prior at once. [0, 1]

        Returns
        -------
        Interval
            In [-1, 1]. Over every prior, -+tanh(epsilon' / 4).
        """
        if prior is None:
            most = steepest(np.asarray(self.loss.value))
            return self._interval(-most, most, POSTERIOR_DIFFERENCE)
        p, e = self._with(prior)
        return self._interval(*differences(p, e), POSTERIOR_DIFFERENCE)

    def worst_prior(self, metric: Metric) -> Interval:
        """Priors at which the two ends of a metric are furthest out.

        Parameters
        ----------
        metric : {"posterior", "odds", "ratio", "ratio_not", "difference"}
            What is pushed to its extreme.

        Returns
        -------
        Interval
            The prior for the lower and for the upper end. For the difference
            1 / (1 + e^(-+epsilon' / 2)), at most and at least (a smaller loss puts both nearer to
            1/2); for ratios the limit; for the posterior the certainties 0 and 1; for the odds 0.5.
        """
        e = np.asarray(self.loss.value)
        fixed = {"posterior": (0.0, 1.0), "odds": (0.5, 0.5), "ratio": (0.0, 0.0)}
        if one_of("metric", metric, METRICS) != "difference":
            low, high = (np.full_like(e, end) for end in fixed.get(metric, (1.0, 1.0)))
            return between(low, high, WORST_PRIOR, self.assumptions, ("exact", "exact"))
        errs: Bound = self.loss.bound
        bounds: tuple[Bound, Bound] = (errs, "lower" if errs == "upper" else errs)
        return between(*furthest(e), WORST_PRIOR, self.assumptions, bounds)

    def _with(self, prior: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], ...]:
        p = numbers("prior", prior, PROBABILITY)
        return tuple(np.broadcast_arrays(p, np.asarray(self.loss.value)))

    def _ratios(self, favour: Floats, against: Floats, e: Floats) -> Interval:
        kept = stay(e)
        low, high = (find(favour, against, kept) for find in (least_ratios, largest_ratios))
        return self._interval(low, high, POSTERIOR_RATIO)

    def _over_every_prior(self) -> Interval:
        odds = self.odds()
        return self._interval(odds.lower.value, odds.upper.value, POSTERIOR_RATIO)

    def _interval(self, low: npt.ArrayLike, high: npt.ArrayLike, theorem: Theorem) -> Interval:
        exact = self.loss.bound == "exact"
        bounds: tuple[Bound, Bound] = ("exact", "exact") if exact else ("lower", "upper")
        return between(low, high, theorem, self.assumptions, bounds)


def disclosure(
    guarantee: Guarantee,
    *,
    confidence: npt.ArrayLike | None = None,
    secret: Secret = "membership",
    sides: Sides = "both",
    post_processing: bool = True,
) -> Disclosure:
    """How far a release under a guarantee can move an informed adversary's beliefs.

    Parameters
    ----------
    guarantee : Guarantee
        What the release promises.
    confidence : array_like of float, optional
        Probability with which the bounds hold, over the mechanism's coins and whichever of the
        two hypotheses is true. (0, 1). Left out: certainty where the loss is bounded, otherwise
        0.99 or what the guarantee allows (`dprisk.risk.adversary`); the assumptions say which.
    secret : {"membership", "attribute"}
        Whether the target is in the data, or which value the target has.
    sides : {"both", "one"}
        Upper and lower end together (P0, Theorem 3.9), or each alone (P2, Lemma 2.3, tighter).
    post_processing : bool
        Whether the bounds hold for anything computed from the output (the default), or for the raw
        output only.

    Returns
    -------
    Disclosure
        Posterior, odds, ratio and difference, at a prior or over every prior.

    Raises
    ------
    OutOfRange
        If `confidence` is outside (0, 1), or so high that the guarantee bounds nothing there.
    Meaningless
        For membership under replace-one neighbors.

    Examples
    --------
    >>> from dprisk import ApproxDP, disclosure
    >>> survey = ApproxDP(0.1, 1e-7, neighbors="add-remove")
    >>> moved = disclosure(survey, confidence=0.99)
    >>> belief = moved.posterior(0.5)
    >>> f"{belief.lower.value:.3f} to {belief.upper.value:.3f}"
    '0.475 to 0.525'
    """
    if confidence is None:
        confidence = confidence_for(between_hypotheses(guarantee, secret))
    given = numbers("confidence", () if confidence is None else confidence, INSIDE, CONFIDENCE_FIX)
    failure = np.asarray(0.0) if confidence is None else complement(given)
    relevant = between_hypotheses(guarantee, secret, failure, sides)
    lowest = float(np.min(given, initial=1.0))
    if lowest < 0.5 and lowest <= (uncontrolled := float(relevant.delta(np.inf).value)):
        raise OutOfRange(
            "confidence",
            lowest,
            f"above {uncontrolled:g}",
            "Confidence is the probability that the bounds hold, such as 0.99, not that they fail.",
        )
    loss = relevant.loss_bound(failure, sides=sides, post_processing=post_processing)
    if np.isinf(loss.value).any():
        raise _nothing_bounded(guarantee, relevant, confidence, loss, post_processing)
    return disclosure_of_loss(guarantee, loss, confidence, secret, sides, post_processing)


def disclosure_of_loss(
    guarantee: Guarantee,
    loss: Answer,
    confidence: npt.ArrayLike | None,
    secret: Secret,
    sides: Sides,
    post_processing: bool,
) -> Disclosure:
    """The disclosure that follows from a bound on the loss between the two hypotheses."""
    given = np.ravel(np.asarray([] if confidence is None else confidence, dtype=float))
    two_steps = steps(secret, guarantee) == 2
    several = np.unique(given).size != 1
    chance = english("assumptions.given-confidence") if several else f"{given[0]:.12g}"
    assumptions = (
        english(f"assumptions.asks.{secret}"),
        english("assumptions.neighbors", neighbors=guarantee.neighbors),
        *([english("assumptions.two-steps")] if two_steps else []),
        how_sure(None if confidence is None else chance, sides),
        english("assumptions.any-output" if post_processing else "assumptions.raw-only"),
    )
    bound: Bound = "upper" if two_steps else loss.bound
    other = None if two_steps else loss.other_end
    moved = Answer(loss.value, bound, loss.theorem, assumptions, other)
    return Disclosure(moved, sides, assumptions, float(given[0]) if given.size == 1 else None)


def how_sure(chance: str | None, sides: Sides, mostly: str = "mostly") -> str:
    """The assumption on how often the bounds hold; without a chance, always."""
    if chance is None:
        return english("assumptions.certain")
    together = english(f"assumptions.together.{'both' if sides == 'both' else 'each'}")
    return english(f"assumptions.{mostly}", chance=chance, together=together)


def _nothing_bounded(
    guarantee: Guarantee,
    relevant: Guarantee,
    confidence: npt.ArrayLike | None,
    loss: Answer,
    post_processing: bool,
) -> OutOfRange:
    """Why the log-odds can move without limit, and which confidence or output would do."""
    uncontrolled = float(relevant.delta(np.inf).value)
    if uncontrolled >= 1.0:
        return OutOfRange(
            "guarantee",
            guarantee,
            "one that promises something",
            "This one leaves every outcome possible, at any confidence.",
        )
    most = f"{1.0 - uncontrolled:.10g}" if uncontrolled > 1e-9 else f"1 - {uncontrolled:g}"
    unbounded = np.isinf(np.atleast_1d(loss.value))
    given = np.broadcast_to(np.asarray(confidence), np.shape(loss.value)).ravel()[unbounded][0]
    failure = complement(numbers("confidence", () if confidence is None else confidence, INSIDE))
    if (
        post_processing
        and relevant.bounds_raw_output
        and np.isfinite(relevant.loss_bound(failure, post_processing=False).value).all()
    ):
        fix = (
            f"With probability up to {uncontrolled:g} this guarantee sets no limit on what is "
            "computed from the output. For the raw output itself there is a bound: use "
            "--raw-output (in Python: post_processing=False)."
        )
    else:
        fix = (
            f"With probability up to {uncontrolled:g} this guarantee limits nothing, so no bound "
            "holds with a higher confidence."
        )
    return OutOfRange("confidence", float(given), f"below {most}", fix)
