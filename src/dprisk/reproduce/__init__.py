"""The papers, reproduced: every figure and table as data, every printed number beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.reproduce.prints import VERDICTS, Claim, Explained, Formula, Print, verdict
    from dprisk.reproduce.registry import PAPERS, items, printed_in
    from dprisk.reproduce.running import reproduce
    from dprisk.reproduce.values import (
        REPRODUCTION,
        Check,
        Item,
        Made,
        Reproduced,
        Reproduction,
    )
    from dprisk.reproduce.writing import write_reproduction
    from dprisk.table import Table

_WHERE = {
    "Check": "dprisk.reproduce.values",
    "Claim": "dprisk.reproduce.prints",
    "Explained": "dprisk.reproduce.prints",
    "Formula": "dprisk.reproduce.prints",
    "Item": "dprisk.reproduce.values",
    "Made": "dprisk.reproduce.values",
    "PAPERS": "dprisk.reproduce.registry",
    "Print": "dprisk.reproduce.prints",
    "REPRODUCTION": "dprisk.reproduce.values",
    "Reproduced": "dprisk.reproduce.values",
    "Reproduction": "dprisk.reproduce.values",
    "Table": "dprisk.table",
    "VERDICTS": "dprisk.reproduce.prints",
    "items": "dprisk.reproduce.registry",
    "printed_in": "dprisk.reproduce.registry",
    "reproduce": "dprisk.reproduce.running",
    "verdict": "dprisk.reproduce.prints",
    "write_reproduction": "dprisk.reproduce.writing",
}

__all__ = [
    "PAPERS",
    "REPRODUCTION",
    "VERDICTS",
    "Check",
    "Claim",
    "Explained",
    "Formula",
    "Item",
    "Made",
    "Print",
    "Reproduced",
    "Reproduction",
    "Table",
    "items",
    "printed_in",
    "reproduce",
    "verdict",
    "write_reproduction",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
