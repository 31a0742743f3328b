"""One line of text, as names, reasons and keys are: it can be stored anywhere, and printed."""

from __future__ import annotations

from typing import Any, Final
from unicodedata import category

from dprisk.errors import refused

LONGEST: Final = 1000


def line(name: str, value: Any) -> str:
    """One line of text that says something; anything else is refused by name."""
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
        raise refused("ledger.line", name, value, most=LONGEST)
    if not all(each.isprintable() or category(each) == "Zs" for each in value):
        raise refused("ledger.line", name, value, most=LONGEST)
    return value.strip()
