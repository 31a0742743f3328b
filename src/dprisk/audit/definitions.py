"""The definitions that an audit knows: where each stands, and what numbers about it hold for."""

from __future__ import annotations

from typing import Final, Literal

from dprisk.sources import Theorem
from dprisk.text import english

Definition = Literal["adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"]

QUANTITY: Final[dict[str, str]] = {
    "adp": "delta",
    "pdp": "tail",
    "pdp-both": "tail",
    "disclosure": "disclosure",
    "pbdp": "bounded",
    "pointwise": "pointwise",
    "rdp": "renyi",
    "zcdp": "rho",
    "gdp": "mu",
    "pure": "largest_loss",
}
"""For each definition the number that an audit finds, under the name it has in findings."""

SOURCES: Final = {
    "adp": Theorem("P1", "Definition 5.1", english("theorems.p1-definition-5-1.privacy-profile")),
    "pdp": Theorem("P2", "Definition 2.2", english("theorems.p2-definition-2-2.loss-exceeds")),
    "pdp-both": Theorem("P0", "Definition 2.4", english("theorems.p0-definition-2-4.loss-exceeds")),
    "disclosure": Theorem("P4", "Definition 8", english("theorems.p4-definition-8")),
    "pbdp": Theorem("P1", "Definition 5.2", english("theorems.p1-definition-5-2.largest-tail")),
    "pointwise": Theorem("P4", "Definition 3", english("theorems.p4-definition-3")),
    "rdp": Theorem("P1", "Definition 5.12", english("theorems.p1-definition-5-12")),
    "zcdp": Theorem("P1", "Definition 5.13", english("theorems.p1-definition-5-13.supremum-d")),
    "gdp": Theorem("P1", "Example 5.10", english("theorems.p1-example-5-10.no-test")),
    "pure": Theorem("P1", "Definition 4.8", english("theorems.p1-definition-4-8")),
}

HOLDS: Final = dict.fromkeys(SOURCES, english("assumptions.any-output")) | {
    "pdp": english("assumptions.raw-only"),
    "pdp-both": english("assumptions.raw-only"),
    "disclosure": english("assumptions.raw-only"),
    "pointwise": english("audit.pointwise"),
}
"""Whether a number is about the raw output, or about anything computed from it, too."""
