"""Two mechanisms made one: a mixture (a coin between them), or their composition."""

from __future__ import annotations

from typing import Any

from dprisk.audit.exp_epsilon import chance
from dprisk.audit.finite import FiniteMechanism, gathered
from dprisk.errors import refused


def mixture(
    one: FiniteMechanism, other: FiniteMechanism, weight: Any, *, tells: bool | None = None
) -> FiniteMechanism:
    """A mechanism that runs the one with some probability, else the other."""
    _alike(one, other)
    share = chance("weight", weight)
    columns = []
    for number, (table, part) in enumerate(((one, share), (other, 1 - share)), 1):
        for name, column in zip(table.outputs, zip(*table.rows, strict=True), strict=True):
            clash = tells and name in one.outputs and name in other.outputs
            label = f"{number}:{name}" if clash else name
            columns.append((label, [part * value for value in column]))
    return gathered(one.datasets, columns)


def composed(one: FiniteMechanism, other: FiniteMechanism) -> FiniteMechanism:
    """A mechanism that publishes the outputs of two, with independent coins."""
    _alike(one, other)
    names = [f"{a}, {b}" for a in one.outputs for b in other.outputs]
    rows = [
        [a * b for a in first for b in second]
        for first, second in zip(one.rows, other.rows, strict=True)
    ]
    return FiniteMechanism(rows, datasets=one.datasets, outputs=names)


def _alike(one: FiniteMechanism, other: FiniteMechanism) -> None:
    if one.datasets != other.datasets:
        raise refused("audit.alike", "other", list(other.datasets))
