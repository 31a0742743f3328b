"""The definitions that an audit knows: where each stands, and what numbers about it hold for."""

from __future__ import annotations

from typing import Final, Literal

from dprisk.sources import Theorem
from dprisk.text import english

__all__ = ["HOLDS", "QUANTITY", "SOURCES", "Definition"]

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
    "adp": Theorem("P1", "Definition 5.1", "the privacy profile, by the best set for each pair"),
    "pdp": Theorem("P2", "Definition 2.2", "the loss exceeds epsilon, in one direction"),
    "pdp-both": Theorem("P0", "Definition 2.4", "the loss exceeds epsilon, in either direction"),
    "disclosure": Theorem("P4", "Definition 8", "outputs at which any two neighbors differ"),
    "pbdp": Theorem("P1", "Definition 5.2", "the largest tail after any post-processing"),
    "pointwise": Theorem("P4", "Definition 3", "single outputs only: not a definition of privacy"),
    "rdp": Theorem("P1", "Definition 5.12", "the largest Rényi divergence"),
    "zcdp": Theorem("P1", "Definition 5.13", "the supremum of D_alpha / alpha over all orders"),
    "gdp": Theorem("P1", "Example 5.10", "no test beats those of two normals"),
    "pure": Theorem("P1", "Definition 4.8", "the largest privacy loss"),
}

HOLDS: Final = dict.fromkeys(SOURCES, english("assumptions.any-output")) | {
    "pdp": english("assumptions.raw-only"),
    "pdp-both": english("assumptions.raw-only"),
    "disclosure": english("assumptions.raw-only"),
    "pointwise": english("audit.pointwise"),
}
"""Whether a number is about the raw output, or about anything computed from it, too."""
