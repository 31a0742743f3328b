"""Parts of an assessment: frozen values that turn into plain data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, final

from dprisk._files import shipped
from dprisk._lazy import named
from dprisk._values import members, plain, result, rounded
from dprisk.answer import Answer, Bound
from dprisk.composition.basis import Contradiction, basis_of
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import Composed
from dprisk.releases.release import Part, Release
from dprisk.risk.adversary import Adversary, Metric
from dprisk.text import language
from dprisk.theorems import Theorem

SCHEMA = "dprisk/assessment/1"
VACUOUS = 4.0  # nats: from a belief of one half, nearly anything can be concluded


@final
@result
@dataclass(frozen=True, repr=False)
class Finding:
    """One quantity, with both ends and what they rest on. Made by `assess`."""

    #: What is bounded; ``with_data`` is the belief drawn from results made with the target's data.
    metric: Metric | Literal["with_data"]
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
        with language("en"):
            headline = named("dprisk.documents", "beliefs:headline")(self)
        return {
            "schema": SCHEMA,
            "headline": headline,
            **members(self.release, "name", "curator", "date", "region", "unit", "period", "model"),
            **members(self.release, "neighbors", "neighbors_stated", "releases"),
            **members(self.release, "invariants", "source"),
            "notes": [members(note) for note in self.release.notes],
            "assessable": bool(self.statements),
            "reason": self.reason,
            "adversary": adversary,
            "rests_on": basis_of(self.release).rests_on,
            **members(self, "statements", "contradicted", "limits", "kept"),
        }

    def _at_most(self, prior: float) -> float:
        return self.basis.find("posterior", prior).upper

    def __repr__(self) -> str:
        at_most = ", ".join(
            f"{prior:g} -> at most {rounded(self._at_most(prior), 'at most', 4)}"
            for prior in self.adversary.priors
            if self.statements
        )
        return f"<Assessment of {self.release.name!r}: {at_most or self.reason}>"

    def _repr_html_(self) -> str:
        """A static table for notebooks: no scripts, no outside requests."""
        from dprisk.documents.render.tables import as_html

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
    }


def whole_data(composed: Composed) -> dict[str, Any]:
    """The guarantee of the whole, and how it was composed."""
    how = members(composed, "theorem", "theorem.citation", "theorem.says", "lossy")
    return {
        "composition": how,
        **members(composed, "guarantee.definition", "guarantee.parameters"),
    }
