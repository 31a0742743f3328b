"""What theorems say, in one line each."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "theorems.alone": "the promise as stated",
    "theorems.basic": "the ε add up, and the δ add up",
    "theorems.advanced": "advanced composition",
    "theorems.optimal": "the worst case of composing promises",
    "theorems.rhos": "the ρ add up",
    "theorems.divergences": "divergences of one order add",
    "theorems.mus": "the squares of μ add up",
    "theorems.losses": "the privacy losses add up, also for adaptively chosen releases",
}
