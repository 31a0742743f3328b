"""Bounds on what can be learned as releases go on: the same question, by ever better theorems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.curves.climbing import ladder
    from dprisk.curves.values import LADDER, Ladder, Rung

_WHERE = {
    "LADDER": "dprisk.curves.values",
    "Ladder": "dprisk.curves.values",
    "Rung": "dprisk.curves.values",
    "ladder": "dprisk.curves.climbing",
}

__all__ = ["LADDER", "Ladder", "Rung", "ladder"]

__getattr__, __dir__ = lazy(__name__, _WHERE)
