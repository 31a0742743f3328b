"""The numbers that every side is held against, from `truth.csv`."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

__all__ = ["excess", "holds", "truth"]


@lru_cache(maxsize=1)
def _rows() -> dict[tuple[str, str, str], Decimal]:
    path = Path(__file__).with_name("truth.csv")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return {(row[0], row[1], row[2]): Decimal(row[3]) for row in rows}


def truth(workload: str, at: object, asked: float) -> Decimal:
    """What is right, to 25 digits."""
    return _rows()[workload, str(at), repr(float(asked))]


def holds(lower: float, upper: float, right: Decimal) -> bool:
    """Whether a bracket holds the truth; doubles are compared exactly."""
    return Decimal(float(lower)) <= right <= Decimal(float(upper))


def excess(value: float, right: Decimal) -> float:
    """How far a value is above the truth."""
    return float(Decimal(float(value)) - right) if abs(value) < float("inf") else float(value)


def below(values: Iterable[tuple[float, Decimal]]) -> int:
    """How many upper ends are not."""
    return sum(not value >= right for value, right in ((Decimal(v), r) for v, r in values))
