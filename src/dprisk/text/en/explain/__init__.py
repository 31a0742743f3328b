"""Explanations: everything that is said about a release, an audit or a budget in sentences."""

from __future__ import annotations

from typing import Final

from dprisk.text.en.explain import (
    audits,
    beliefs,
    budgets,
    caveats,
    contradictions,
    going_on,
    phrases,
    promise,
    results,
)

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    **phrases.TITLES,
    **phrases.PHRASES,
    **phrases.NAMES,
    **results.RESULTS,
    **beliefs.HEADLINE,
    **beliefs.BELIEFS,
    **beliefs.ANY_READER,
    **beliefs.VALUE,
    **promise.GUARANTEE,
    **promise.EXCEPTIONS,
    **promise.DELTA,
    **going_on.TIME,
    **going_on.LIMITS,
    **contradictions.CONTRADICTIONS,
    **caveats.CAVEATS,
    **caveats.SILENT,
    **caveats.COMPUTED,
    **audits.AUDITED,
    **audits.VERDICTS,
    **audits.WITNESSES,
    **audits.SAMPLES,
    **budgets.TOLERANCES,
    **budgets.ALLOWANCES,
    **budgets.PROSPECTS,
}
