"""The main use case in one call: a release and an adversary in, an assessment out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

from dprisk._checks import FINITE, PROBABILITY, one_of, scalar
from dprisk.assessment.statements import Assessment, Finding, LimitCheck, Statement
from dprisk.composition.analysis import Analysis, asking
from dprisk.composition.basis import basis_of
from dprisk.errors import OutOfRange
from dprisk.releases.notes import Note
from dprisk.releases.release import Described, Release
from dprisk.risk.adversary import METRICS, Adversary, Metric, must_be_tolerable
from dprisk.risk.independent import with_participation
from dprisk.risk.posterior import Disclosure, Interval
from dprisk.text import english, fill

AT_A_PRIOR: tuple[Metric, ...] = ("posterior", "difference", "ratio", "ratio_not")
OVER_EVERY_PRIOR: tuple[Metric, ...] = ("odds", "difference", "ratio", "ratio_not")


def assess(
    release: Described | Analysis,
    adversary: Adversary | None = None,
    *,
    prior: float | None = None,
    priors: Iterable[float] | None = None,
    confidence: float | None = None,
    limits: Mapping[Metric, float] | None = None,
) -> Assessment:
    """What an informed adversary can learn from a release.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        A release as described, or the file that describes it; just a guarantee, what is run, or
        what several keep together; or an analysis that knows some of it already.
    adversary : Adversary, optional
        Left out: asks about membership under add-remove neighbors and about an attribute under
        replace-one, at priors 0.01, 0.1 and 0.5. Where its confidence is left out, bounds hold
        with certainty if the privacy loss is bounded, otherwise with 0.99 or what the promise
        allows (`dprisk.risk.adversary`).
    prior, priors : float or iterable of float, optional
        Instead of an adversary: beliefs before the release. [0, 1]
    confidence : float, optional
        Instead of an adversary: probability with which bounds have to hold. (0, 1)
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
        If a limit is not about one of the five metrics, or no release would keep it that reveals
        anything.
    WrongCall
        If an adversary is given as well as what he believes.
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
    >>> assess(ApproxDP(1.0, 1e-6, neighbors="add-remove"), prior=0.1)
    <Assessment of 'A release': 0.1 -> at most 0.232>
    """
    analysis = Analysis.of(release)
    described = analysis.all_releases
    who = asking(described, adversary, prior=prior, priors=priors, confidence=confidence)
    tolerated = _checked_limits(limits or {}, who.priors)
    statements = []
    if analysis.parts:
        statements.append(_statement(analysis, who))
    for parts in basis_of(described).others:
        with suppress(OutOfRange):  # it says nothing with this confidence, and is not used
            statements.append(_statement(analysis.beside(parts), who))
    made = tuple(statements)
    checks = tuple(_check(metric, limit, made[:1], who) for metric, limit in tolerated.items())
    return Assessment(described, who, made, checks)


def assess_if_any(
    analysis: Analysis, adversary: Adversary, limits: Mapping[Metric, float] | None = None
) -> Assessment | None:
    """The same; None where the promise limits nothing and no confidence was asked for."""
    try:
        return assess(analysis, adversary, limits=limits)
    except OutOfRange as error:
        nothing = error.name == "guarantee"
        if nothing or (error.name == "confidence" and adversary.confidence is None):
            return None
        raise


def silent(release: Release, reason: str) -> Release:
    """A release about which nothing can be said, and why."""
    note = Note("unusable", reason)
    return replace(release, parts=(), stated_also=(), notes=(note, *release.notes))


def _checked_limits(limits: Mapping[Metric, float], priors: Iterable[float]) -> dict[Metric, float]:
    checked: dict[Metric, float] = {}
    for metric, limit in limits.items():
        name = one_of("limit", metric, METRICS)
        domain = PROBABILITY if name in ("posterior", "difference") else FINITE
        checked[name] = scalar(fill("errors.limit-on", metric=name), limit, domain)
        must_be_tolerable(name, checked[name], priors)
    return checked


def _statement(analysis: Analysis, adversary: Adversary) -> Statement:
    composed = analysis.whole(adversary)
    moved = analysis.moved(adversary)
    findings = [
        _finding(metric, prior, moved) for prior in adversary.priors for metric in AT_A_PRIOR
    ]
    findings += [_finding(metric, None, moved) for metric in OVER_EVERY_PRIOR]
    findings += _with_data(analysis, adversary)
    confidence = analysis.confidence(adversary)
    which = "composed" if analysis.parts == analysis.release.parts else "stated"
    label = english(f"report.statement.{which}")
    return Statement(label, analysis.parts, composed, confidence, moved.loss, tuple(findings))


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


def _with_data(analysis: Analysis, adversary: Adversary) -> list[Finding]:
    """With and without one's data: known for pure DP and add-remove neighbors."""
    guarantee = analysis.composed(certain=True).guarantee
    if "pure" not in guarantee.summands or guarantee.neighbors != "add-remove":
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
    metric: Metric, limit: float, counted: tuple[Statement, ...], adversary: Adversary
) -> LimitCheck:
    """By what counts; within it, the worst prior."""
    priors: tuple[float | None, ...] = (None,) if metric == "odds" else adversary.priors
    worst = [
        max((statement.find(metric, prior).extent, prior) for prior in priors)
        for statement in counted
    ]
    at_most, prior = worst[0] if worst else (math.inf, None)
    return LimitCheck(metric, limit, at_most, prior)
