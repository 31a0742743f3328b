"""Rules of composition, in one line each."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "theorems.alone": "the promise as stated",
    "theorems.basic": "basic composition: the values of ε add up, and so do the values of δ",
    "theorems.advanced": "advanced composition",
    "theorems.optimal": "optimal composition of the promises",
    "theorems.nothing": "nothing is released",
    "theorems.rhos": "the values of ρ add up",
    "theorems.divergences": "divergences of one order add up",
    "theorems.mus": "the squares of μ add up",
    "theorems.losses": "the privacy losses add up, even if mechanisms are chosen after "
    "seeing earlier outputs",
}
