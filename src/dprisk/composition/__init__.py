"""One guarantee for several releases about the same people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.composition.composing import RULES, Rule, compose
    from dprisk.composition.values import Composed

_WHERE = {
    "RULES": "dprisk.composition.composing",
    "Composed": "dprisk.composition.values",
    "Rule": "dprisk.composition.composing",
    "compose": "dprisk.composition.composing",
}

__all__ = ["RULES", "Composed", "Rule", "compose"]

__getattr__, __dir__ = lazy(__name__, _WHERE)
