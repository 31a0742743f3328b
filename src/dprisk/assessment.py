"""The main use case in one call: a release and an adversary in, an assessment out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from html import escape
from importlib import resources
from typing import Any, Literal, final

from dprisk._checks import PROBABILITY, Domain, complement, one_of, scalar
from dprisk.answer import Answer, Bound
from dprisk.composition import Composed, compose
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.pure import PureDP
from dprisk.releases.release import Part, Release
from dprisk.risk.adversary import Adversary
from dprisk.risk.independent import with_participation
from dprisk.risk.prior_to_posterior import METRICS, Disclosure, Interval, Metric, disclosure
from dprisk.sources import Theorem

__all__ = [
    "DEFAULT_CONFIDENCE",
    "SCHEMA",
    "Assessment",
    "Finding",
    "Limit",
    "Statement",
    "assess",
    "json_schema",
]

SCHEMA = "dprisk/assessment/1"
DEFAULT_CONFIDENCE = 0.99
FACTOR = Domain(0.0, math.inf, high_open=True)


@final
@dataclass(frozen=True)
class Finding:
    """One quantity, with both ends and what they rest on.

    Parameters
    ----------
    metric : {"posterior", "odds", "ratio", "ratio_not", "difference", "with_data"}
        What is bounded; ``with_data`` is the belief drawn from results made with the target's data.
    prior : float or None
        Belief before the release (for ``with_data``, belief drawn from results made without the
        target's data); None for every prior at once.
    lower, upper : float
        At least and at most.
    lower_bound, upper_bound : {"exact", "lower", "upper"}
        Whether the end is the worst case itself, or errs on the safe side of it.
    theorem : Theorem
        Where it comes from.
    worst_priors : tuple of float or None
        For every prior at once: where the lower and the upper end are reached or approached.
    """

    metric: Metric | Literal["with_data"]
    prior: float | None
    lower: float
    upper: float
    lower_bound: Bound
    upper_bound: Bound
    theorem: Theorem
    worst_priors: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data; numbers too large for a float are null."""
        return {
            "metric": self.metric,
            "prior": self.prior,
            "lower": _plain(self.lower),
            "upper": _plain(self.upper),
            "lower_bound": self.lower_bound,
            "upper_bound": self.upper_bound,
            "theorem": str(self.theorem),
            "citation": self.theorem.citation,
            "worst_priors": list(self.worst_priors) if self.worst_priors else None,
        }


@final
@dataclass(frozen=True, eq=False)
class Statement:
    """One way in which the promise of a release is stated, and what follows from it.

    Parameters
    ----------
    label : str
        Which statement this is.
    parts : tuple of Part
        What was composed.
    composed : Composed
        The guarantee of the whole, and the rule.
    confidence : float or None
        Probability with which the findings hold; None for certainty.
    loss : Answer
        epsilon': the log-odds move by at most this.
    findings : tuple of Finding
        At each prior, then over every prior.
    """

    label: str
    parts: tuple[Part, ...]
    composed: Composed
    confidence: float | None
    loss: Answer
    findings: tuple[Finding, ...]

    def find(self, metric: Metric, prior: float | None = None) -> Finding:
        """The finding for a metric at a prior (None: over every prior).

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
        """Plain data."""
        guarantee = self.composed.guarantee
        return {
            "label": self.label,
            "definition": guarantee.definition,
            "parameters": _plain(guarantee.parameters),
            "parts": [_part(part) for part in self.parts],
            "composition": {
                "theorem": str(self.composed.theorem),
                "says": self.composed.theorem.says,
                "lossy": list(self.composed.lossy),
            },
            "confidence": self.confidence,
            "loss": {
                "value": _plain(float(self.loss)),
                "bound": self.loss.bound,
                "theorem": str(self.loss.theorem),
                "citation": self.loss.theorem.citation,
            },
            "assumptions": list(self.loss.assumptions),
            "findings": [finding.to_dict() for finding in self.findings],
        }


@final
@dataclass(frozen=True)
class Limit:
    """A limit that was asked for, and whether the release keeps it.

    Parameters
    ----------
    metric : {"posterior", "odds", "ratio", "ratio_not", "difference"}
        What is limited.
    limit : float
        Largest value tolerated.
    at_most : float
        What the release guarantees, the best of its statements, at the worst of the priors asked;
        inf if it states no number that can be assessed.
    prior : float or None
        The prior where it binds; None for every prior.
    kept : bool
        Whether ``at_most <= limit``.
    """

    metric: Metric
    limit: float
    at_most: float
    prior: float | None
    kept: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "metric": self.metric,
            "limit": self.limit,
            "at_most": _plain(self.at_most),
            "prior": self.prior,
            "kept": self.kept,
        }


@final
@dataclass(frozen=True, eq=False)
class Assessment:
    """What an adversary can learn from a release, at most. Made by `assess`.

    Parameters
    ----------
    release : Release
        What was assessed.
    adversary : Adversary
        Against whom.
    statements : tuple of Statement
        One for the parts composed, and one for each other way the release states its promise.
        Empty if the release gives no number that can be assessed.
    limits : tuple of Limit
        The limits asked for.
    """

    release: Release
    adversary: Adversary
    statements: tuple[Statement, ...]
    limits: tuple[Limit, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether every limit asked for is kept."""
        return all(limit.kept for limit in self.limits)

    @property
    def reason(self) -> str:
        """Why nothing could be assessed; empty if something was."""
        if self.statements:
            return ""
        missing = [note.text for note in self.release.notes if note.kind == "unusable"]
        return " ".join(missing) or "The release states no number that can be assessed."

    def to_dict(self) -> dict[str, Any]:
        """The assessment as plain data, the same that ``dprisk assess --json`` prints.

        Returns
        -------
        dict
            Keys are documented in the JSON schema that ``dprisk schema assessment`` prints.
        """
        release, adversary = self.release, self.adversary
        return {
            "schema": SCHEMA,
            "name": release.name,
            "curator": release.curator,
            "date": release.date,
            "region": release.region,
            "unit": release.unit,
            "period": release.period,
            "model": release.model,
            "neighbors": release.neighbors,
            "neighbors_stated": release.neighbors_stated,
            "releases": release.releases,
            "invariants": list(release.invariants),
            "source": list(release.source),
            "notes": [{"kind": note.kind, "text": note.text} for note in release.notes],
            "assessable": bool(self.statements),
            "reason": self.reason,
            "adversary": {
                "secret": adversary.secret,
                "priors": list(adversary.priors),
                "sides": adversary.sides,
                "post_processing": adversary.post_processing,
            },
            "statements": [statement.to_dict() for statement in self.statements],
            "limits": [limit.to_dict() for limit in self.limits],
            "kept": self.kept,
        }

    def _repr_html_(self) -> str:
        """A static table for notebooks: no scripts, no outside requests."""
        if not self.statements:
            return f"<p><strong>{escape(self.release.name)}</strong>: {escape(self.reason)}</p>"
        tables = "".join(_html_table(statement) for statement in self.statements)
        return f"<p><strong>{escape(self.release.name)}</strong></p>{tables}"


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
        Largest "posterior", "odds", "ratio", "ratio_not" or "difference" tolerated: at the priors
        of the adversary, except the odds, which move alike at all.

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
        If the adversary's question has no meaning for these neighbors.

    Examples
    --------
    >>> from dprisk import Adversary, ApproxDP, assess
    >>> result = assess(
    ...     ApproxDP(1.0, 1e-6, neighbors="add-remove"), Adversary(priors=(0.5,), confidence=0.99)
    ... )
    >>> round(result.statements[0].find("posterior", 0.5).upper, 4)
    0.7311
    """
    described = release if isinstance(release, Release) else _bare(release)
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


def json_schema() -> dict[str, Any]:
    """The JSON schema of `Assessment.to_dict`.

    Returns
    -------
    dict
        JSON Schema, draft 2020-12.

    Examples
    --------
    >>> from dprisk.assessment import json_schema
    >>> json_schema()["properties"]["schema"]["const"]
    'dprisk/assessment/1'
    """
    text = resources.files("dprisk").joinpath("assessment.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def natural_secret(release: Release) -> Any:
    """What can be asked under the neighbors of a release: membership, or else an attribute."""
    return "membership" if release.neighbors == "add-remove" else "attribute"


def _bare(guarantee: Guarantee) -> Release:
    if not isinstance(guarantee, Guarantee):
        raise InvalidInput("release", guarantee, "a Release or a Guarantee")
    return Release(
        name="A release",
        unit=None,
        period=None,
        neighbors=guarantee.neighbors,
        neighbors_stated=True,
        model=None,
        parts=(Part(guarantee),),
    )


def _checked_limits(limits: Mapping[Metric, float]) -> dict[Metric, float]:
    checked: dict[Metric, float] = {}
    for metric, limit in limits.items():
        name = one_of("limit", metric, METRICS)
        domain = PROBABILITY if name in ("posterior", "difference") else FACTOR
        checked[name] = scalar(f"limit on the {name}", limit, domain)
    return checked


def _statement(
    label: str, parts: tuple[Part, ...], release: Release, adversary: Adversary
) -> Statement:
    composed = compose(
        [part.guarantee for part in parts], [part.count * release.releases for part in parts]
    )
    moved, confidence = _disclosure(composed.guarantee, adversary)
    findings = [
        _finding(metric, prior, moved) for prior in adversary.priors for metric in AT_A_PRIOR
    ]
    findings += [_finding(metric, None, moved) for metric in OVER_EVERY_PRIOR]
    findings += _with_data(composed.guarantee, adversary)
    return Statement(label, parts, composed, confidence, moved.loss, tuple(findings))


AT_A_PRIOR: tuple[Metric, ...] = ("posterior", "difference", "ratio", "ratio_not")
OVER_EVERY_PRIOR: tuple[Metric, ...] = ("odds", "difference", "ratio", "ratio_not")


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


def _with_data(guarantee: Guarantee, adversary: Adversary) -> list[Finding]:
    """With and without one's data: known for pure DP and add-remove neighbors."""
    if not isinstance(guarantee, PureDP) or guarantee.neighbors != "add-remove":
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


def _part(part: Part) -> dict[str, Any]:
    return {
        "definition": part.guarantee.definition,
        "parameters": _plain(part.guarantee.parameters),
        "given": dict(part.given),
        "count": part.count,
        "label": part.label,
    }


def _plain(value: Any) -> Any:
    """Data for strict JSON, which has no infinity."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _html_table(statement: Statement) -> str:
    head = "<tr><th>quantity</th><th>prior</th><th>at least</th><th>at most</th><th>by</th></tr>"
    rows = "".join(
        f"<tr><td>{finding.metric}</td>"
        f"<td>{'every' if finding.prior is None else finding.prior}</td>"
        f"<td>{_short(finding.lower, ROUND_FLOOR)}</td>"
        f"<td>{_short(finding.upper, ROUND_CEILING)}</td>"
        f"<td>{escape(str(finding.theorem))}</td></tr>"
        for finding in statement.findings
    )
    caption = escape(f"{statement.composed.guarantee!r}, {statement.label}")
    notes = "".join(f"<li>{escape(line)}</li>" for line in statement.loss.assumptions)
    return f"<table><caption>{caption}</caption>{head}{rows}</table><ul>{notes}</ul>"


def _short(value: float, rounding: str) -> str:
    """Four digits, rounded to the side on which they stay true; nearly certain is not certain."""
    short = f"{float(Context(prec=4, rounding=rounding).create_decimal_from_float(value)):g}"
    return repr(value) if short == "1" and value < 1.0 else short
