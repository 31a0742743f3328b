"""Where each definition stands, and what numbers about it hold for."""

from __future__ import annotations

from typing import Final

from dprisk.sources import Theorem

__all__ = ["LATER", "POINTWISE", "RAW", "SOURCES"]

SOURCES: Final = {
    "delta": Theorem("P1", "Definition 5.1", "the privacy profile, by the best set for each pair"),
    "one": Theorem("P2", "Definition 2.2", "the loss exceeds epsilon, in one direction"),
    "both": Theorem("P0", "Definition 2.4", "the loss exceeds epsilon, in either direction"),
    "disclosure": Theorem("P4", "Definition 8", "outputs at which any two neighbors differ"),
    "bounded": Theorem("P1", "Definition 5.2", "the largest tail after any post-processing"),
    "pointwise": Theorem("P4", "Definition 3", "single outputs only: not a definition of privacy"),
    "renyi": Theorem("P1", "Definition 5.12", "the largest Rényi divergence"),
    "rho": Theorem("P1", "Definition 5.13", "the supremum of D_alpha / alpha over all orders"),
    "mu": Theorem("P1", "Example 5.10", "no test beats those of two normals"),
    "largest_loss": Theorem("P1", "Definition 4.8", "the largest privacy loss"),
}
RAW: Final = "Holds for the raw output only: post-processing can break it."
LATER: Final = "Holds for the output and for anything computed from it."
POINTWISE: Final = (
    "This looks at single outputs and says nothing about sets of them: a mechanism that reveals "
    "everything, spread over many outputs, has a small number here (P4, Subtlety 1). Ask for delta."
)
