"""What theorems say, in one line each."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "theorems.alone": "the promise as stated",
    "theorems.basic": "the values of ε add up, and so do the values of δ",
    "theorems.advanced": "advanced composition",
    "theorems.optimal": "the worst case of composing promises",
    "theorems.rhos": "the values of ρ add up",
    "theorems.divergences": "divergences of one order add up",
    "theorems.mus": "the squares of μ add up",
    "theorems.losses": "the privacy losses add up, also for adaptively chosen releases",
}
