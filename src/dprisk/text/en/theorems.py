"""What theorems say, in one line each."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "theorems.alone": "the promise as stated",
    "theorems.basic": "basic composition: the values of ε add up, and so do the values of δ",
    "theorems.advanced": "advanced composition",
    "theorems.optimal": "optimal composition of the promises",
    "theorems.nothing": "nothing is released",
    "theorems.pure": "values of ε may be chosen after seeing outputs, up to a total fixed before",
    "theorems.both": "values of ε and δ may be chosen after seeing outputs, up to totals fixed "
    "before",
    "theorems.rho": "values of ρ may be chosen after seeing outputs, up to a total fixed before",
    "theorems.mu": "values of μ may be chosen after seeing outputs, up to a total of squares fixed "
    "before",
    "theorems.orders": "divergences may be chosen after seeing outputs, up to totals at orders "
    "fixed before",
    "theorems.rhos": "the values of ρ add up",
    "theorems.divergences": "divergences of one order add up",
    "theorems.mus": "the squares of μ add up",
    "theorems.losses": "the privacy losses add up, even if the releases are chosen adaptively",
}
