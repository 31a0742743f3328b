"""An answer between two ends.

Symbols: docs/notation.md.
"""

from __future__ import annotations

from typing import NamedTuple

from dprisk._numeric.logspace import Floats

__all__ = ["Bracket"]


class Bracket(NamedTuple):
    """At least and at most, elementwise."""

    lower: Floats
    upper: Floats
