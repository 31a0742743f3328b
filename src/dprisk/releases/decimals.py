"""Numbers as decimal text: what somebody wrote is kept beside its value."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

__all__ = ["as_decimal", "decimal_text"]

DECIMAL = re.compile(r"[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,5})?", re.ASCII)


def as_decimal(value: Any) -> str | None:
    """A finite number in decimal text, as written; None for anything else."""
    if isinstance(value, bool):
        return None
    text = repr(value) if isinstance(value, (int, float)) else value
    if not isinstance(text, str) or not DECIMAL.fullmatch(text.strip()):
        return None
    return text.strip() if math.isfinite(float(text)) else None


def decimal_text(value: Any) -> str:
    """Numbers in the shortest decimal text that reads back the same; text stays as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and any(isinstance(item, str) for item in value):
        return ", ".join(map(str, value))
    numbers = np.ravel(np.asarray(value, dtype=float))
    return ", ".join(repr(float(number)) for number in numbers)
