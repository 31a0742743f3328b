"""Amounts of privacy loss, as they are written: fractions stay fractions."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from dprisk.releases.decimals import as_decimal

__all__ = ["as_fraction", "root_up", "rounded_up"]

QUOTIENT = re.compile(r"([+-]?\d{1,400})\s*/\s*(\d{1,400})", re.ASCII)


def as_fraction(value: Any) -> Fraction | None:
    """What was written, exactly: 52/4097, 2.56, 1e-3 or a number; None for anything else.

    A float counts as the shortest decimal text that reads back as it: 0.1 is one tenth.
    """
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


def rounded_up(amount: Fraction) -> float:
    """The nearest float that is not below it."""
    near = float(amount)
    return near if Fraction(near) >= amount else math.nextafter(near, math.inf)


def root_up(square: Fraction) -> float:
    """A float not below the square root, within an ulp or two of it."""
    near = math.sqrt(rounded_up(square))
    while Fraction(near) ** 2 < square:
        near = math.nextafter(near, math.inf)
    return near
