"""An answer between two ends."""

from __future__ import annotations

from typing import NamedTuple

from dprisk._numeric.logspace import Floats


class Bracket(NamedTuple):
    """At least and at most, elementwise."""

    lower: Floats
    upper: Floats
