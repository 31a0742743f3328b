"""Words of composition about its parts."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # what was given away, said of one part: data that travels with what was composed
    "composition.was": "{part} was {read}",
    "composition.read-as": "read as {other}",
    "composition.read-by.divergences": "represented by its Rényi divergences",
    "composition.read-by.points": "represented by {number} points of its privacy profile",
}
