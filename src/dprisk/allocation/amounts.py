"""Amounts of privacy loss as they are written: fractions stay fractions."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from dprisk.releases.decimals import as_decimal

QUOTIENT = re.compile(r"([+-]?\d{1,400})\s*/\s*(\d{1,400})", re.ASCII)


def as_fraction(value: Any) -> Fraction | None:
    """What was written, exactly."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str):
        found = QUOTIENT.fullmatch(value.strip())
        if found:
            return Fraction(int(found[1]), int(found[2])) if int(found[2]) else None
        text = as_decimal(value)
    else:
        text = as_decimal(str(value))  # int, float, Decimal, numpy scalars
    return None if text is None else Fraction(text)
