"""Assessments in words: the words follow the mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.explain.composed import readings, width
    from dprisk.explain.rounding import at_least, at_most, chances
    from dprisk.explain.wording import describe, headline, sentences

_WHERE = {
    "at_least": "dprisk.explain.rounding",
    "at_most": "dprisk.explain.rounding",
    "chances": "dprisk.explain.rounding",
    "describe": "dprisk.explain.wording",
    "headline": "dprisk.explain.wording",
    "readings": "dprisk.explain.composed",
    "sentences": "dprisk.explain.wording",
    "width": "dprisk.explain.composed",
}

__all__ = [
    "at_least",
    "at_most",
    "chances",
    "describe",
    "headline",
    "readings",
    "sentences",
    "width",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
