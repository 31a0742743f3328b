"""Assessments in a notebook: a static table, no scripts, no outside requests."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dprisk._lazy import named
from dprisk._values import rounded
from dprisk.guarantees.words import in_words

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment, Statement

COLUMNS = ("quantity", "prior", "at least", "at most", "theorem")


def as_html(assessment: Assessment) -> str:
    """The findings of every statement, with their theorems and assumptions."""
    name = escape(assessment.release.name)
    if not assessment.statements:
        return f"<p><strong>{name}</strong>: {escape(assessment.reason)}</p>"
    tables = "".join(_table(statement) for statement in assessment.statements)
    said = named("dprisk.documents", "promises:contradictions")(assessment.release)
    false = "".join(f"<p>{escape(line)}</p>" for line in said)
    return f"<p><strong>{name}</strong></p>{false}{tables}"


def _table(statement: Statement) -> str:
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = "".join(
        f"<tr><td>{finding.metric}</td>"
        f"<td>{'every prior' if finding.prior is None else finding.prior}</td>"
        f"<td>{rounded(finding.lower, 'at least', 4)}</td>"
        f"<td>{rounded(finding.upper, 'at most', 4)}</td>"
        f"<td>{escape(str(finding.theorem))}</td></tr>"
        for finding in statement.findings
    )
    caption = escape(f"{in_words(statement.composed.guarantee)}, {statement.label}")
    notes = "".join(f"<li>{escape(line)}</li>" for line in statement.loss.assumptions)
    return f"<table><caption>{caption}</caption><tr>{head}</tr>{rows}</table><ul>{notes}</ul>"
