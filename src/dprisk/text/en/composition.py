"""What composition says of its parts, and what it refuses."""

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
    # what is wrong with what was given
    "composition.list": "compose takes a list: compose([first, second]) for two releases, "
    "compose([one], [12]) for twelve of the same.",
    "composition.each": "a guarantee or a mechanism each",
    "composition.at-least-one": "at least one guarantee",
    "composition.counts": "one for each of the {number} guarantees",
    "composition.count": "a whole number of at least 1",
    "composition.slack": "Such as 1e-6.",
    "composition.neighbors": "These guarantees are about different neighbors (add-remove and "
    "replace-one) and do not compose.",
    "composition.neighbors.fix": 'Convert the add-remove ones with .for_neighbors("replace-one").',
    "composition.no-common-order": "These Rényi guarantees have no order in common, and "
    "divergences add only at one order. State them at a common order.",
    "composition.refused": "The {rule} rule does not combine these definitions: {names}.",
    "composition.refused.points": 'It is about pure and approximate DP; use rule="best".',
    "composition.refused.simple": 'rule="best" takes them all.',
    "composition.advanced.rows": "as many of each",
    "composition.advanced.counts": "whole numbers in [1, 1e15]",
}
