"""What tables of any size say: columns, rows that cannot be read, summaries."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "table.outputs": "at least one of: {names}",
    "table.outputs.fix": "Say which columns to add.",
    "table.twice": "a column or one number for all rows, not both",
    "table.twice.fix": "Leave one of them out.",
    "table.missing": "one of: {allowed}; or a column of these words",
    "table.missing.fix": "It says what the numbers of a row mean.",
    "table.parameter": "a column or one number for all rows: the definition needs it",
    "table.needed": "a column or one number for all rows: {output} needs it",
}
