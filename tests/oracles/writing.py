"""How the tables of exact values are written: inputs as doubles, answers with 25 digits."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 700  # 1 - e^-700 and its like keep all of their digits
HERE = Path(__file__).parent


def text(value) -> str:
    """A double exactly, an mpf to 25 digits."""
    return mp.nstr(value, 25) if isinstance(value, mpf) else repr(value).strip("'")


def condition(f: Callable[..., mpf], inputs: Sequence[float]) -> float:
    """Largest relative change of f over a relative change of one input of 1e-17."""
    h = mpf(10) ** -17
    exact = [mpf(x) for x in inputs]
    value = f(*exact)
    if not mp.isfinite(value) or value == 0:
        return 1.0
    worst = mpf(1)
    for i, x in enumerate(exact):
        for sign in (1, -1):
            moved = f(*exact[:i], x * (1 + sign * h), *exact[i + 1 :])
            if mp.isfinite(moved):
                worst = max(worst, abs(moved - value) / abs(value) / h)
    return float(worst)


def write(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """One CSV beside this file."""
    with (HERE / f"{name}.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows([text(value) for value in row] for row in rows)
