"""Assessments in words: the words follow the mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.explain.budgets import allowances, limit_in_words, prospects
    from dprisk.explain.claim import Claim, understood
    from dprisk.explain.comparison import comparisons
    from dprisk.explain.composed import readings, width
    from dprisk.explain.detection import alarms
    from dprisk.explain.explaining import explained
    from dprisk.explain.rounding import at_least, at_most, chances
    from dprisk.explain.values import EXPLANATION, Explanation, Number, Section, Sentence
    from dprisk.explain.wording import describe, headline, sentences

_WHERE = {
    "Claim": "dprisk.explain.claim",
    "EXPLANATION": "dprisk.explain.values",
    "Explanation": "dprisk.explain.values",
    "Number": "dprisk.explain.values",
    "Section": "dprisk.explain.values",
    "Sentence": "dprisk.explain.values",
    "alarms": "dprisk.explain.detection",
    "allowances": "dprisk.explain.budgets",
    "at_least": "dprisk.explain.rounding",
    "at_most": "dprisk.explain.rounding",
    "chances": "dprisk.explain.rounding",
    "comparisons": "dprisk.explain.comparison",
    "describe": "dprisk.explain.wording",
    "explained": "dprisk.explain.explaining",
    "headline": "dprisk.explain.wording",
    "limit_in_words": "dprisk.explain.budgets",
    "prospects": "dprisk.explain.budgets",
    "readings": "dprisk.explain.composed",
    "sentences": "dprisk.explain.wording",
    "understood": "dprisk.explain.claim",
    "width": "dprisk.explain.composed",
}

__all__ = [
    "EXPLANATION",
    "Claim",
    "Explanation",
    "Number",
    "Section",
    "Sentence",
    "alarms",
    "allowances",
    "at_least",
    "at_most",
    "chances",
    "comparisons",
    "describe",
    "explained",
    "headline",
    "limit_in_words",
    "prospects",
    "readings",
    "sentences",
    "understood",
    "width",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
