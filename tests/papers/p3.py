"""Numbers printed in P3 (Kazan and Reiter): Tables 3 and 4, and the values in the text."""

from __future__ import annotations

from dprisk.papers.reproduction import printed_in

WHAT = ("epsilon", "standard deviation", "exact count")


def _rows(label: str, name: str, values: tuple[float, ...]) -> dict[float, tuple[str, ...]]:
    prints = printed_in("P3", label)
    return {v: tuple(prints[f"{name} = {v:g}, {what}"].text for what in WHAT) for v in values}


TABLE_3 = _rows("Table 3", "r", (1.5, 3.0, 6.0))
TABLE_4 = _rows("Table 4", "a", (0.025, 0.15, 0.3))
TEXT = printed_in("P3", "Section 3.2")
SIMPLE = {r: TEXT[f"ratio {r:g} for all priors"].text for r in TABLE_3}  # half the logarithm
LEE_CLIFTON = (TEXT["Lee and Clifton, epsilon"].text, 4, 1 / 3)  # epsilon, people and posterior
