"""The main use case in one call: a release and an adversary in, an assessment out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, final

from dprisk._checks import FINITE, PROBABILITY, scalar
from dprisk._files import shipped
from dprisk._lazy import named
from dprisk._values import members, plain, result, rounded
from dprisk.answer import Answer, Bound
from dprisk.composition.analysis import Analysis, asking
from dprisk.composition.basis import Contradiction, basis_of
from dprisk.errors import InvalidInput, OutOfRange, one_of
from dprisk.guarantees.base import Composed
from dprisk.releases.notes import Note, notes_data
from dprisk.releases.release import Described, Part, Release
from dprisk.risk.adversary import METRICS, Adversary, Metric, must_be_tolerable
from dprisk.risk.closed_forms import with_participation
from dprisk.risk.exact import Usual
from dprisk.risk.joint import JointDisclosure, as_belief
from dprisk.risk.posterior import Disclosure, Interval
from dprisk.text import english, language
from dprisk.theorems import Theorem

SCHEMA = "dprisk/assessment/1"
Factor = Literal["inclusion", "value", "inclusion_ratio", "value_ratio"]
VACUOUS = 4.0  # nats: from a belief of one half, nearly anything can be concluded


@final
@result
@dataclass(frozen=True, repr=False)
class Finding:
    """One quantity, with both ends and what they rest on. Made by `assess`."""

    #: What is bounded; ``with_data`` is the belief drawn from results made with the target's data;
    #: of both, ``inclusion`` and ``value`` are the beliefs in the one and, if so, in the other.
    metric: Metric | Literal["with_data"] | Factor
    #: Belief before the release (for ``with_data``, belief drawn from results made without the
    #: target's data); None for every prior at once. [0, 1]
    prior: float | None
    lower: float  #: At least: beliefs in [0, 1], differences in [-1, 1], factors in [0, inf].
    upper: float  #: At most. [-1, inf]
    lower_bound: Bound  #: Whether the end is the worst case itself, or errs on its safe side.
    upper_bound: Bound  #: The same of the upper end.
    theorem: Theorem  #: Where it comes from.
    #: For every prior at once: where the lower and the upper end are reached or approached. [0, 1]
    worst_priors: tuple[float, float] | None = None

    @property
    def extent(self) -> float:
        """How far it goes at most: for a difference in either direction, else `upper`. [0, inf]"""
        return max(self.upper, -self.lower) if self.metric == "difference" else self.upper

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ends = ("lower", "upper", "lower_bound", "upper_bound")
        return members(
            self, "metric", "prior", *ends, "theorem", "theorem.citation", "worst_priors"
        )


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Statement:
    """One way in which a release states its promise, and what follows. Made by `assess`."""

    label: str  #: Which statement this is.
    parts: tuple[Part, ...]  #: What was composed.
    composed: Composed  #: The guarantee of the whole, and the rule.
    #: Probability with which the findings hold; None for certainty. (0, 1)
    confidence: float | None
    #: epsilon': the log-odds move by at most this; with the other end of its bracket where it was
    #: found by a certified computation.
    loss: Answer
    findings: tuple[Finding, ...]  #: At each prior, then over every prior.

    @property
    def is_vacuous(self) -> bool:
        """Whether the worst case rules out next to nothing: the loss may be 4 nats or more."""
        return float(self.loss) >= VACUOUS

    def find(self, metric: Metric, prior: float | None = None) -> Finding:
        """The finding for a metric at a prior.

        Parameters
        ----------
        metric : {"posterior", "odds", "ratio", "ratio_not", "difference"}
            What is bounded.
        prior : float, optional
            Belief before the release; left out, every prior at once. [0, 1]

        Returns
        -------
        Finding
            Both ends, with their directions.

        Raises
        ------
        InvalidInput
            If it was not assessed.
        """
        for finding in self.findings:
            if finding.metric == metric and finding.prior == prior:
                return finding
        raise InvalidInput("metric and prior", (metric, prior), "one that was assessed")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        composed = members(self.composed, "guarantee.definition", "guarantee.parameters")
        return {
            "label": self.label,
            **composed,
            "parts": [part_data(part) for part in self.parts],
            "composition": members(self.composed, "theorem", "theorem.says", "lossy"),
            "confidence": self.confidence,
            "loss": members(self.loss, "value", "bound") | plain(self.loss),
            **members(self, "loss.assumptions", "findings"),
        }


@final
@result
@dataclass(frozen=True, repr=False)
class LimitCheck:
    """A limit asked for, and whether a release keeps it. Made by `assess` and `assess_tests`."""

    #: What is limited: "posterior", "odds", "ratio", "ratio_not" or "difference"; of tests,
    #: "power", "advantage" or "predictive_value".
    metric: str
    limit: float  #: Largest value tolerated: [0, inf) for odds and ratios, otherwise [0, 1].
    #: What the release guarantees, by what counts of it, at the worst of the levels and priors
    #: asked; inf if it states no number that can be assessed. [0, inf]
    at_most: float
    #: The prior where it binds; None for every prior, and of tests. [0, 1]
    prior: float | None = None

    @property
    def kept(self) -> bool:
        """Whether ``at_most <= limit``."""
        return self.at_most <= self.limit

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self) | members(self, "kept")


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Assessment:
    """Limits on what an adversary can learn from a release. Made by `assess`."""

    release: Release  #: What was assessed.
    adversary: Adversary  #: Against whom.
    #: First what counts, then what else may hold and is not used (`basis_of`). Empty if the release
    #: gives no number that can be assessed.
    statements: tuple[Statement, ...]
    limits: tuple[LimitCheck, ...] = ()  #: The limits asked for.
    usual: tuple[Usual, ...] = ()  #: What is usually believed, where all that ran is known.

    @property
    def basis(self) -> Statement:
        """The statement behind every number; there is none where nothing can be assessed."""
        return self.statements[0]

    @property
    def contradicted(self) -> tuple[Contradiction, ...]:
        """Statements that the release cannot keep."""
        return basis_of(self.release).contradicted

    @property
    def kept(self) -> bool:
        """Whether every limit asked for is kept, and no statement is one it cannot keep."""
        return all(limit.kept for limit in self.limits) and not self.contradicted

    @property
    def reason(self) -> str:
        """Why nothing could be assessed; empty if something was."""
        if self.statements:
            return ""
        missing = [note.text for note in self.release.notes if note.kind == "unusable"]
        return " ".join(missing) or "The release states no number that can be assessed."

    def to_dict(self) -> dict[str, Any]:
        """The assessment as plain data, the same that ``dprisk assess --json`` prints."""
        adversary = members(self.adversary, "secret", "priors", "sides", "post_processing")
        if self.adversary.secret == "both":
            adversary |= members(self.adversary, "value_prior", "beliefs")
        with language("en"):
            headline = named("dprisk.documents", "beliefs:headline")(self)
        return {
            "schema": SCHEMA,
            "headline": headline,
            **members(self.release, "name", "curator", "date", "region", "unit", "period", "model"),
            **members(self.release, "neighbors", "neighbors_stated", "releases"),
            **members(self.release, "invariants", "source"),
            "notes": notes_data(self.release.notes),
            **computational_data(self.release),
            "assessable": bool(self.statements),
            "reason": self.reason,
            "adversary": adversary,
            "rests_on": basis_of(self.release).rests_on,
            **members(self, "statements", "usual", "contradicted", "limits", "kept"),
        }

    def _at_most(self, prior: float) -> float:
        return self.basis.find("posterior", prior).upper

    def __repr__(self) -> str:
        at_most = ", ".join(
            f"{prior:g} -> at most {rounded(self._at_most(prior), 'at most', 4)}"
            for prior in self.adversary.beliefs
            if self.statements
        )
        return f"<Assessment of {self.release.name!r}: {at_most or self.reason}>"

    def _repr_html_(self) -> str:
        """A static table for notebooks: no scripts, no outside requests."""
        from dprisk.documents.rendering import as_html

        return as_html(self)


def json_schema() -> dict[str, Any]:
    """The JSON schema of `Assessment.to_dict`."""
    schema: dict[str, Any] = json.loads(shipped("documents", "schema.json"))
    return schema


def part_data(part: Part) -> dict[str, Any]:
    """One part of a release, as JSON has it."""
    known = part.mechanism is not None
    named = members(part, "guarantee.definition", "guarantee.parameters", "given", "count", "label")
    return {**named, "mechanism": known}


def parts_data(release: Release, **more: Any) -> dict[str, Any]:
    """Plain data of a release: what it is, its parts that count and what it cannot keep."""
    counted = basis_of(release)
    return {
        **members(release, "name", "unit", "period", "model", "neighbors", "neighbors_stated"),
        **members(release, "releases", "invariants"),
        **more,
        "parts": [part_data(part) for part in counted.parts],
        **members(counted, "rests_on", "contradicted"),
        "notes": notes_data(release.notes),
        **computational_data(release),
    }


def computational_data(release: Release) -> dict[str, Any]:
    """The assumption about a cipher or generator, with its advantage; nothing where none is."""
    found = release.computational
    if found is None:
        return {}
    return {"computational": members(found, total=found.total(release.releases))}


def whole_data(composed: Composed) -> dict[str, Any]:
    """The guarantee of the whole, and how it was composed."""
    how = members(composed, "theorem", "theorem.citation", "theorem.says", "lossy")
    return {
        "composition": how,
        **members(composed, "guarantee.definition", "guarantee.parameters"),
    }


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
        Largest "posterior", "odds", "ratio", "ratio_not" or "difference" tolerated, at the beliefs
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
    tolerated = _checked_limits(limits or {}, who.beliefs)
    statements = [_statement(analysis, who)] if analysis.parts else []
    for parts in basis_of(described).others:
        with suppress(OutOfRange):  # it says nothing with this confidence, and is not used
            statements.append(_statement(analysis.beside(parts), who))
    made = tuple(statements)
    checks = tuple(_check(metric, limit, made[:1], who) for metric, limit in tolerated.items())
    return Assessment(described, who, made, checks, analysis.usual(who) if made else ())


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
    if adversary.secret == "both":
        findings = _jointly(analysis.joint(adversary), adversary)
    else:
        findings = [
            _finding(metric, prior, moved) for prior in adversary.priors for metric in AT_A_PRIOR
        ]
    findings += [_finding(metric, None, moved) for metric in OVER_EVERY_PRIOR]
    findings += _with_data(analysis, adversary) if adversary.secret != "both" else []
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
        worst = _ends(moved.worst_prior(metric))
    return _between(metric, prior, ends, worst)


def _between(
    metric: Any, prior: float | None, ends: Interval, worst: tuple[float, float] | None = None
) -> Finding:
    low, high = ends.lower, ends.upper
    return Finding(metric, prior, *_ends(ends), low.bound, high.bound, high.theorem, worst)


def _ends(found: Interval) -> tuple[float, float]:
    return float(found.lower), float(found.upper)


def _jointly(moved: JointDisclosure, adversary: Adversary) -> list[Finding]:
    """Findings on both at each belief, then on its two factors (P3, Equation 6)."""
    found = [
        _between(metric, belief, getattr(moved, metric)(prior))
        for prior, belief in zip(adversary.priors, adversary.beliefs, strict=True)
        for metric in AT_A_PRIOR
    ]
    factors = [("inclusion", prior, moved.inclusion(prior)) for prior in adversary.priors]
    factors.append(("value", moved.value_prior, moved.value()))
    for name, prior, ratios in factors:
        found.append(_between(name, prior, as_belief(prior, ratios)))
        found.append(_between(f"{name}_ratio", prior, ratios))
    return found


def _with_data(analysis: Analysis, adversary: Adversary) -> list[Finding]:
    """Findings with and without one's data: known for pure DP and add-remove neighbors."""
    guarantee = analysis.composed(certain=True).guarantee
    if "pure" not in guarantee.additive_parameters or guarantee.neighbors != "add-remove":
        return []
    found = []
    for belief in adversary.priors:
        found.append(_between("with_data", belief, with_participation(guarantee, belief)))
    return found


def _check(
    metric: Metric, limit: float, counted: tuple[Statement, ...], adversary: Adversary
) -> LimitCheck:
    """Check a limit by the statement that counts and, within it, the worst prior."""
    priors: tuple[float | None, ...] = (None,) if metric == "odds" else adversary.beliefs
    worst = [
        max((statement.find(metric, prior).extent, prior) for prior in priors)
        for statement in counted
    ]
    at_most, prior = worst[0] if worst else (math.inf, None)
    return LimitCheck(metric, limit, at_most, prior)
