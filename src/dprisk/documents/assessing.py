"""The main use case in one call: a release and an adversary in, an assessment out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dprisk._checks import FINITE, PROBABILITY, one_of, scalar
from dprisk._values import members, result
from dprisk.composition.analysis import Analysis, asking
from dprisk.composition.basis import basis_of
from dprisk.documents.findings import (
    Assessment,
    Finding,
    LimitCheck,
    Statement,
    parts_data,
    whole_data,
)
from dprisk.errors import InvalidInput, Meaningless, OutOfRange, Reason
from dprisk.guarantees.base import Composed
from dprisk.releases.notes import Note
from dprisk.releases.release import Described, Release
from dprisk.risk.adversary import (
    ATTACKS,
    METRICS,
    Adversary,
    AttackMetric,
    Metric,
    Secret,
    must_be_tolerable,
)
from dprisk.risk.counterfactual import KNOWLEDGE, Counterfactual, Knowledge, Replacement
from dprisk.risk.independent import with_participation
from dprisk.risk.posterior import Disclosure, Interval
from dprisk.risk.tests import AttackCurve
from dprisk.text import english

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
    """Assess what an informed adversary can learn from a release.

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
        checked[name] = scalar(f"limit on the {name}", limit, domain)
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
    """Findings with and without one's data: known for pure DP and add-remove neighbors."""
    guarantee = analysis.composed(certain=True).guarantee
    if "pure" not in guarantee.additive_parameters or guarantee.neighbors != "add-remove":
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
    """Check a limit by the statement that counts and, within it, the worst prior."""
    priors: tuple[float | None, ...] = (None,) if metric == "odds" else adversary.priors
    worst = [
        max((statement.find(metric, prior).extent, prior) for prior in priors)
        for statement in counted
    ]
    at_most, prior = worst[0] if worst else (math.inf, None)
    return LimitCheck(metric, limit, at_most, prior)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Attacked:
    """A release, composed, and what tests of it can do. Made by `assess_tests`."""

    release: Release  #: What was composed.
    composed: Composed  #: The guarantee of the whole, the rule and what it lost.
    curve: AttackCurve  #: Power, advantage and predictive values.
    limits: tuple[LimitCheck, ...]  #: The limits asked for.

    @property
    def kept(self) -> bool:
        """Whether every limit is kept, and no statement is one that the release cannot keep."""
        contradicted = basis_of(self.release).contradicted
        return all(limit.kept for limit in self.limits) and not contradicted

    def to_dict(self) -> dict[str, Any]:
        """The attack as plain data, the same that ``dprisk power --json`` prints."""
        curve = self.curve.to_dict()
        return {
            "schema": curve.pop("schema"),
            **parts_data(self.release),
            **whole_data(self.composed),
            **curve,
            **members(self, "limits", "kept"),
        }


def assess_tests(
    release: Described | Analysis,
    *,
    secret: Secret | None = None,
    levels: Sequence[float] = (0.01, 0.05, 0.1),
    priors: Sequence[float] = (),
    limits: Mapping[AttackMetric, float] | None = None,
) -> Attacked:
    """Bound what tests of everything that is released can do.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        Its parts, each as often as it says, over all releases. What it states otherwise is left
        alone.
    secret : {"membership", "attribute"}, optional
        What the test asks. Left out: membership under add-remove neighbors, otherwise an attribute.
    levels : sequence of float
        Probabilities of a false alarm. [0, 1]
    priors : sequence of float
        Beliefs in the secret before, for predictive values. [0, 1]
    limits : mapping of str to float, optional
        Largest "power" and "predictive_value" (at the levels and priors given) or "advantage"
        tolerated. [0, 1]

    Returns
    -------
    Attacked
        With both ends of every number where they are known.

    Raises
    ------
    InvalidInput
        If the release has no part, or a limit is about something else, or no release would keep it
        that reveals anything.
    OutOfRange
        If a number is outside [0, 1].
    Meaningless
        For membership under replace-one neighbors, or a limit on the predictive value without a
        prior.

    Examples
    --------
    >>> from dprisk.documents import assess_tests
    >>> from dprisk.mechanisms import Gaussian
    >>> from dprisk.releases import Part
    >>> noise = Gaussian(sigma=4.0, sensitivity=1.0, neighbors="add-remove")
    >>> found = assess_tests(Part.of(noise, 12), levels=[0.05], limits={"power": 0.2})
    >>> round(float(found.curve.power.value[0]), 3), found.kept
    (0.218, False)
    """
    analysis = _composable(release)
    tolerated = _tolerated(limits or {}, levels, priors)
    composed = analysis.composed()
    curve = analysis.tested(secret).curve(levels, priors)
    checks = (LimitCheck(name, most, _worst(curve, name)) for name, most in tolerated.items())
    return Attacked(analysis.all_releases, composed, curve, tuple(checks))


def _composable(release: Described | Analysis) -> Analysis:
    """The analysis of a release that has a part."""
    analysis = Analysis.of(release)
    if not analysis.parts:
        name = analysis.release.name
        fix = f"{name} gives no number that could be composed."
        raise InvalidInput("release", name, "a release with at least one part", fix)
    return analysis


def _tolerated(
    limits: Mapping[AttackMetric, float], levels: Sequence[float], priors: Sequence[float]
) -> dict[AttackMetric, float]:
    checked: dict[AttackMetric, float] = {}
    for metric, limit in limits.items():
        name = one_of("limit", metric, ATTACKS)
        checked[name] = scalar(f"limit on the {name.replace('_', ' ')}", limit, PROBABILITY)
    if "predictive_value" in checked and not len(priors):
        raise Meaningless(
            "A predictive value needs a belief to start from: say at which prior (--prior 0.1)."
        )
    for name, most in checked.items():
        must_be_tolerable(name, most, priors if name == "predictive_value" else levels)
    return checked


def _worst(curve: AttackCurve, metric: AttackMetric) -> float:
    answers = {
        "power": (curve.power,),
        "advantage": (curve.advantage,),
        "predictive_value": curve.predictive_values,
    }
    return max(float(np.max(np.asarray(answer.value))) for answer in answers[metric])


COUNTERFACTUAL = "dprisk/counterfactual/1"


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Compared:
    """A release with a person's record and without. Made by `assess_counterfactual`."""

    release: Release  #: What was composed.
    composed: Composed  #: The guarantee of the whole, the rule and what it lost.
    world: Replacement  #: What stands in for the record.
    found: tuple[Counterfactual, ...]  #: One for each adversary about whom there is a bound.
    refused: tuple[tuple[Knowledge, Reason], ...]  #: The other adversaries, and why there is none.
    ratios: tuple[float, ...]  #: How likely these are exceeded. [0, inf]
    #: Which ratio is kept with these; None: with certainty. (0, 1)
    confidences: tuple[float | None, ...]
    without: tuple[float, ...]  #: Beliefs drawn from the release made without the record. [0, 1]

    @property
    def kept(self) -> bool:
        """Whether there is no statement that the release cannot keep."""
        return not basis_of(self.release).contradicted

    def assumed(self, each: Counterfactual) -> tuple[str, ...]:
        """Return the assumptions of the bounds asked for, less those that certainty does not need.

        Parameters
        ----------
        each : Counterfactual
            One of those found.

        Returns
        -------
        tuple of str
            Its assumptions, without what only a bound with some probability needs.
        """
        from dprisk.risk.counterfactual import OVER

        certain = self.confidences == (None,) and not self.ratios
        return tuple(line for line in each.assumptions if not (certain and line in OVER))

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data, the same that ``dprisk counterfactual --json`` prints."""
        sure = [confidence for confidence in self.confidences if confidence is not None]
        return {
            "schema": COUNTERFACTUAL,
            **parts_data(self.release),
            **whole_data(self.composed),
            "world": self.world,
            "adversaries": [
                each.to_dict(ratios=self.ratios, confidences=sure, without=self.without)
                for each in self.found
            ],
            "refused": [{"adversary": name, "reason": str(why)} for name, why in self.refused],
            "kept": self.kept,
        }


def assess_counterfactual(
    release: Described | Analysis,
    *,
    adversaries: Sequence[Knowledge] = (),
    world: Replacement = "resampled",
    ratios: Sequence[float] = (),
    confidences: Sequence[float] = (),
    without: Sequence[float] = (0.1,),
) -> Compared:
    """Compare what everything released says about a person with the record and without it.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, Analysis, str or path
        Its parts, each as often as it says, over all releases. What it states otherwise is left
        alone.
    adversaries : sequence of str
        As for `dprisk.counterfactual`: "true-record", "rest-known", "arbitrary-prior" or
        "wrong-prior". Left out: all of them about whom there is a bound.
    world : {"resampled", "default-record", "dropped"}
        What stands in for the record.
    ratios : sequence of float
        Asks how likely each ratio of posteriors is exceeded. [0, inf]
    confidences : sequence of float
        Asks for the ratio that is kept with each. (0, 1). Left out: certainty where the privacy
        loss is bounded, otherwise 0.99 or what the promise allows (`dprisk.risk.adversary`).
    without : sequence of float
        Beliefs drawn from the release made without the record: what may become of each? [0, 1]

    Returns
    -------
    Compared
        Upper bounds, each with the other end of its bracket where that is known.

    Raises
    ------
    InvalidInput
        If the release has no part, or a word is not one of those allowed.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If there is no bound about an adversary who was asked about, or about none at all.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.documents import assess_counterfactual
    >>> census = ZeroConcentratedDP(0.1, neighbors="replace-one")
    >>> made = assess_counterfactual(census, confidences=[0.95])
    >>> for each in made.found:
    ...     print(each.adversary, f"{each.ratio(0.95).value:.2f}")
    true-record 3.29
    rest-known 2.67
    arbitrary-prior 3.29
    >>> [name for name, why in made.refused]
    ['wrong-prior']
    """
    analysis = _composable(release)
    names = [one_of("adversary", each, KNOWLEDGE) for each in adversaries]
    sure: tuple[float | None, ...] = tuple(confidences) or (analysis.surest(),)
    certain = sure == (None,) and not len(ratios)
    composed = analysis.composed(certain=certain)
    found = []
    silent: list[tuple[Knowledge, Reason]] = []
    for name in dict.fromkeys(names) or KNOWLEDGE:
        try:
            found.append(analysis.counterfactual(name, world, certain=certain))
        except Meaningless as error:
            if names:
                raise
            silent.append((name, error.because))
    if not found:
        raise Meaningless(silent[0][1].why, silent[0][1].fix)
    return Compared(
        analysis.all_releases,
        composed,
        world,
        tuple(found),
        tuple(silent),
        tuple(map(float, ratios)),
        sure,
        tuple(map(float, without)),
    )
