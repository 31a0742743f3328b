"""Assessments in words: the words follow the mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.explain.comparison import comparisons
    from dprisk.explain.composed import readings, width
    from dprisk.explain.detection import alarms
    from dprisk.explain.rounding import at_least, at_most, chances
    from dprisk.explain.wording import describe, headline, sentences

_WHERE = {
    "alarms": "dprisk.explain.detection",
    "at_least": "dprisk.explain.rounding",
    "at_most": "dprisk.explain.rounding",
    "chances": "dprisk.explain.rounding",
    "comparisons": "dprisk.explain.comparison",
    "describe": "dprisk.explain.wording",
    "headline": "dprisk.explain.wording",
    "readings": "dprisk.explain.composed",
    "sentences": "dprisk.explain.wording",
    "width": "dprisk.explain.composed",
}

__all__ = [
    "alarms",
    "at_least",
    "at_most",
    "chances",
    "comparisons",
    "describe",
    "headline",
    "readings",
    "sentences",
    "width",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
