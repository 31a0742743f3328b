"""What delta and epsilon of composed losses rest on: each way of adding up names its own.

Symbols: docs/notation.md.
"""

from __future__ import annotations

from dprisk.sources import Theorem
from dprisk.text import english

__all__ = ["BASIC", "CONTOUR", "LATTICE", "LOSSES", "OPTIMAL", "SPLINES", "SUBSAMPLED"]

BASIC = Theorem("P0", "Theorem 2.8(1)", english("theorems.basic"))
OPTIMAL = Theorem("Kairouz 2015", "Theorem 3.3", english("theorems.optimal"))
LOSSES = Theorem("Zhu 2022", "Theorem 10", english("theorems.losses"))
CONTOUR = Theorem("dprisk", "Proposition 6", "delta as a sum over a vertical line")
LATTICE = Theorem("dprisk", "Proposition 9", "a loss between two on a lattice")
SPLINES = Theorem("dprisk", "Proposition 18", "Laplace noise again and again")
SUBSAMPLED = Theorem("dprisk", "Proposition 20", "subsampled noise, its loss cut far out")
