"""The main use case in one call: a release and an adversary in, an assessment out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dprisk._checks import FINITE, PROBABILITY, complement, one_of, scalar
from dprisk.answer import Answer
from dprisk.assessment.parts import all_keep, by_losses, counts, pure_sum
from dprisk.assessment.values import Assessment, Finding, Limit, Statement
from dprisk.composition import Composed, compose
from dprisk.errors import Meaningless, OutOfRange
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.loss import PrivacyLoss
from dprisk.guarantees.pure import PureDP
from dprisk.releases.release import Part, Release
from dprisk.risk.adversary import Adversary, steps
from dprisk.risk.independent import with_participation
from dprisk.risk.prior_to_posterior import METRICS, Disclosure, Interval, Metric, disclosure

__all__ = ["DEFAULT_CONFIDENCE", "assess", "natural_secret"]

DEFAULT_CONFIDENCE = 0.99
AT_A_PRIOR: tuple[Metric, ...] = ("posterior", "difference", "ratio", "ratio_not")
OVER_EVERY_PRIOR: tuple[Metric, ...] = ("odds", "difference", "ratio", "ratio_not")


def assess(
    release: Release | Guarantee,
    adversary: Adversary | None = None,
    *,
    limits: Mapping[Metric, float] | None = None,
) -> Assessment:
    """What an informed adversary can learn from a release.

    Parameters
    ----------
    release : Release or Guarantee
        A release as described, or just a guarantee.
    adversary : Adversary, optional
        Left out: asks about membership under add-remove neighbors and about an attribute under
        replace-one, at priors 0.01, 0.1 and 0.5. Where its confidence is left out and the
        guarantee does not bound the privacy loss with certainty, 0.99 is used.
    limits : mapping of str to float, optional
        Largest "posterior", "odds", "ratio", "ratio_not" or "difference" tolerated, at the priors
        of the adversary (the odds move alike at all). Posteriors and differences in [0, 1], factors
        in [0, inf).

    Returns
    -------
    Assessment
        With both ends of every quantity, direction, theorem and assumptions.

    Raises
    ------
    InvalidInput
        If a limit is not about one of the five metrics.
    OutOfRange
        If the confidence is out of range, or too high for the guarantee, or a limit is.
    Meaningless
        If the adversary's question has no meaning for these neighbors, or is about raw output of
        which only composed promises are known.

    Examples
    --------
    >>> from dprisk import Adversary, ApproxDP, assess
    >>> result = assess(
    ...     ApproxDP(1.0, 1e-6, neighbors="add-remove"), Adversary(priors=(0.5,), confidence=0.99)
    ... )
    >>> round(result.statements[0].find("posterior", 0.5).upper, 4)
    0.7311
    """
    described = Release.of(release)
    who = adversary or Adversary(secret=natural_secret(described))
    tolerated = _checked_limits(limits or {})
    statements = []
    if described.parts:
        statements.append(_statement("all parts, composed", described.parts, described, who))
    for part in described.stated_also:
        statements.append(_statement("the same release, stated otherwise", (part,), described, who))
    made = tuple(statements)
    checks = tuple(_check(metric, limit, made, who) for metric, limit in tolerated.items())
    return Assessment(described, who, made, checks)


def natural_secret(release: Release) -> Any:
    """What can be asked under the neighbors of a release.

    Parameters
    ----------
    release : Release
        Its neighbors count.

    Returns
    -------
    str
        "membership" under add-remove neighbors, otherwise "attribute".

    Examples
    --------
    >>> from dprisk.assessment import natural_secret
    >>> from dprisk.releases import deployments
    >>> natural_secret(deployments()[0])
    'attribute'
    """
    return "membership" if release.neighbors == "add-remove" else "attribute"


def _checked_limits(limits: Mapping[Metric, float]) -> dict[Metric, float]:
    checked: dict[Metric, float] = {}
    for metric, limit in limits.items():
        name = one_of("limit", metric, METRICS)
        domain = PROBABILITY if name in ("posterior", "difference") else FINITE
        checked[name] = scalar(f"limit on the {name}", limit, domain)
    return checked


def _statement(
    label: str, parts: tuple[Part, ...], release: Release, adversary: Adversary
) -> Statement:
    composed = _composed(parts, release, adversary)
    _must_speak_of_raw_output(composed, adversary)
    moved, confidence = _disclosure(composed.guarantee, adversary)
    findings = [
        _finding(metric, prior, moved) for prior in adversary.priors for metric in AT_A_PRIOR
    ]
    findings += [_finding(metric, None, moved) for metric in OVER_EVERY_PRIOR]
    findings += _with_data(pure_sum(parts, counts(parts, release)), adversary)
    loss = _with_other_end(moved.loss, composed.guarantee, confidence, adversary)
    return Statement(label, parts, composed, confidence, loss, tuple(findings))


def _composed(parts: tuple[Part, ...], release: Release, adversary: Adversary) -> Composed:
    """The best bound.

    Where certainty is asked for, epsilons that add up say all there is; normal noise is just what
    Gaussian DP promises, but for its raw output.
    """
    times = counts(parts, release)
    certain = adversary.confidence is None and all_keep(parts, PureDP)
    normal = adversary.post_processing and all_keep(parts, GaussianDP)
    if certain or normal:
        return compose([part.guarantee for part in parts], times, rule="simple")
    return by_losses(parts, times)


def _must_speak_of_raw_output(composed: Composed, adversary: Adversary) -> None:
    """A loss that only dominates says nothing about raw output."""
    whole = composed.guarantee
    if not adversary.post_processing and isinstance(whole, PrivacyLoss) and not whole.own:
        raise Meaningless(
            "Nothing is known about the raw output by itself: of some parts only the promise is "
            "given, and what promises add up to need not bound it. List what was run under "
            "`mechanisms`, or ask about everything that can be computed from the output, which "
            "is the default and holds for the raw output as well."
        )


def _with_other_end(
    loss: Answer, guarantee: Guarantee, confidence: float | None, adversary: Adversary
) -> Answer:
    """The loss with both ends of its bracket, where it was found by a certified computation."""
    if loss.bound == "exact" or loss.other_end is not None or confidence is None:
        return loss
    if steps(adversary.secret, guarantee) == 2:
        return loss
    found = guarantee.loss_bound(
        complement(confidence),
        sides=adversary.sides,
        post_processing=adversary.post_processing,
    )
    return replace(loss, other_end=found.other_end)


def _disclosure(guarantee: Guarantee, adversary: Adversary) -> tuple[Disclosure, float | None]:
    """With the confidence asked for; otherwise with certainty if possible, or the default."""
    confidence = adversary.confidence
    if confidence is None and math.isinf(float(guarantee.loss_bound(0.0))):
        confidence = DEFAULT_CONFIDENCE
        revealed = float(guarantee.delta(math.inf))
        if complement(confidence) <= revealed < 1.0:  # at 1 there is no confidence to ask for
            raise OutOfRange(
                "confidence",
                None,
                f"below {1.0 - revealed:.10g}",
                f"The default of {confidence:g} is too high for {guarantee!r}: ask for less.",
            )
    moved = disclosure(
        guarantee,
        confidence=confidence,
        secret=adversary.secret,
        sides=adversary.sides,
        post_processing=adversary.post_processing,
    )
    return moved, confidence


def _finding(metric: Metric, prior: float | None, moved: Disclosure) -> Finding:
    ends: Interval
    worst = None
    if metric == "odds":
        ends = moved.odds()
    elif metric == "posterior":
        ends = moved.posterior(0.5 if prior is None else prior)
    else:
        ends = getattr(moved, metric)(prior)
    if prior is None:
        at = moved.worst_prior(metric)
        worst = (float(at.lower), float(at.upper))
    return Finding(
        metric,
        prior,
        float(ends.lower),
        float(ends.upper),
        ends.lower.bound,
        ends.upper.bound,
        ends.upper.theorem,
        worst,
    )


def _with_data(guarantee: PureDP | None, adversary: Adversary) -> list[Finding]:
    """With and without one's data: known for pure DP and add-remove neighbors."""
    if guarantee is None or guarantee.neighbors != "add-remove":
        return []
    found = []
    for belief in adversary.priors:
        ends = with_participation(guarantee, belief)
        low, high = ends.lower, ends.upper
        found.append(
            Finding(
                "with_data", belief, float(low), float(high), low.bound, high.bound, high.theorem
            )
        )
    return found


def _check(
    metric: Metric, limit: float, statements: tuple[Statement, ...], adversary: Adversary
) -> Limit:
    """The best statement counts; within it, the worst prior."""
    priors: tuple[float | None, ...] = (None,) if metric == "odds" else adversary.priors
    worst = [
        max((_extent(statement.find(metric, prior)), prior) for prior in priors)
        for statement in statements
    ]
    at_most, prior = min(worst, key=lambda found: found[0]) if worst else (math.inf, None)
    return Limit(metric, limit, at_most, prior, at_most <= limit)


def _extent(finding: Finding) -> float:
    """How far a quantity can go: for the difference, in either direction."""
    return max(finding.upper, -finding.lower) if finding.metric == "difference" else finding.upper
