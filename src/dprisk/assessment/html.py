"""Assessments in a notebook: a static table, no scripts, no outside requests."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dprisk.assessment.values import Assessment, Statement


def as_html(assessment: Assessment) -> str:
    """The findings of every statement, with their theorems and assumptions."""
    name = escape(assessment.release.name)
    if not assessment.statements:
        return f"<p><strong>{name}</strong>: {escape(assessment.reason)}</p>"
    tables = "".join(_table(statement) for statement in assessment.statements)
    return f"<p><strong>{name}</strong></p>{tables}"


def _table(statement: Statement) -> str:
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
