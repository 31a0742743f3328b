"""Words of composition about its parts."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # what was given away, said of one part: data that travels with what was composed
    "composition.was": "{part} was {read}",
    "composition.read-as": "read as {other}",
    "composition.read-as.approximate": "read as approximate DP with the same numbers (Kazan et "
    "al. 2025, Theorem 2.5)",
    "composition.read-as.concentrated.gaussian": "read as zCDP with rho = mu^2 / 2",
    "composition.read-as.concentrated.pure": "read as zCDP with rho = epsilon^2 / 2 (Bun and "
    "Steinke 2016)",
    "composition.read-by.divergences": "represented by its Rényi divergences",
    "composition.read-by.points": "represented by {number} points of its privacy profile",
}
