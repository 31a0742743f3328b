"""What theorems say, in one line each."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "theorems.alone": "one release, as stated",
    "theorems.basic": "epsilons add, deltas add",
    "theorems.advanced": "advanced composition",
    "theorems.optimal": "the worst case of composing promises",
    "theorems.rhos": "rhos add",
    "theorems.divergences": "divergences of one order add",
    "theorems.mus": "squares of mu add",
    "theorems.losses": "dominating losses add, adaptive choices included",
}
