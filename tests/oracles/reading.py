"""How the tables of exact values are read, and how close a double has to come."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
AGREE = 1e-11


def read(name: str) -> list[dict[str, str]]:
    """The rows of a table, as text."""
    with (HERE / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@cache
def grouped(name: str, keys: tuple[str, ...]) -> dict[tuple[str, ...], list[dict[str, str]]]:
    """Rows that share the text in some columns, to be answered in one call."""
    groups = defaultdict(list)
    for row in read(name):
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def column(rows: list[dict[str, str]], key: str) -> np.ndarray:
    """One column as doubles."""
    return np.array([float(row[key]) for row in rows])


def errors(ours, rows: list[dict[str, str]], key: str = "answer", floor: float = 0.0):
    """Relative error over what the conditioning of the inputs allows; at most 1 is agreement.

    `floor` is an absolute error allowed on top: a privacy loss is the logarithm of a ratio close to
    one when it is small, and half a unit in the last place of that ratio is 1.1e-16.

    A relative change of one rounding (2.2e-16) in an input moves the answer by its condition number
    times that, so no algorithm on doubles can promise less; four roundings are allowed for.
    """
    exact = column(rows, key)
    ours = np.broadcast_to(np.asarray(ours, dtype=float), exact.shape)
    size = np.maximum(np.abs(exact), 1e-300)
    allowed = size * (AGREE + 1e-15 * column(rows, "condition")) + floor
    with np.errstate(invalid="ignore"):
        return np.where(ours == exact, 0.0, np.abs(ours - exact) / allowed)
