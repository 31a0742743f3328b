"""What delta and epsilon of composed losses rest on: each way of adding up names its own."""

from __future__ import annotations

from dprisk.sources import Theorem
from dprisk.text import english

BASIC = Theorem("P0", "Theorem 2.8(1)", english("theorems.basic"))
OPTIMAL = Theorem("Kairouz 2015", "Theorem 3.3", english("theorems.optimal"))
LOSSES = Theorem("Zhu 2022", "Theorem 10", english("theorems.losses"))
CONTOUR = Theorem("dprisk", "Proposition 6", english("theorems.dprisk-proposition-6"))
LATTICE = Theorem("dprisk", "Proposition 9", english("theorems.dprisk-proposition-9"))
SPLINES = Theorem("dprisk", "Proposition 18", english("theorems.dprisk-proposition-18"))
SUBSAMPLED = Theorem("dprisk", "Proposition 20", english("theorems.dprisk-proposition-20"))
CORNERS = Theorem("dprisk", "Proposition 26", english("theorems.dprisk-proposition-26"))
