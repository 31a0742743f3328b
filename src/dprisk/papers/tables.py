"""Tables of numbers that stand in a text, one a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dprisk.papers.prints import Claim, Explained, Formula, spread_of
from dprisk.table import Table

__all__ = ["listed"]


def listed(found: Mapping[str, Any]) -> Table:
    """What was found, without the statements."""
    rows = []
    for name, each in found.items():
        if isinstance(each, Claim):
            continue
        ours = each.ours if isinstance(each, Explained | Formula) else each
        low, high = (float(end) for end in spread_of(ours))
        rows.append((name, low, high))
    return Table(("quantity", "at least", "at most"), tuple(rows))
