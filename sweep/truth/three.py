"""Coins in three worlds: in the data with the value, in it with another value, and not in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flint import arb

from sweep.truth.curves import Curve

__all__ = ["Chances", "coins"]


class Chances(NamedTuple):
    """How likely one side of a coin is in each world."""

    value: arb
    other: arb
    out: arb


def coins(curve: Curve, relation: str, chance: arb) -> Iterator[Chances]:
    """Coins with neighbors that keep a curve, and one side that likely in one of the worlds.

    The largest of a linear function of the chances is at one of them, or between two.

    Parameters
    ----------
    curve : Curve
        The most power at a level, its own mirror image.
    relation : str
        "add-remove": the last world is a neighbor of the others. "replace-one": these are neighbors
        of each other, and there is no last one.
    chance : arb
        How likely. (0, 1)
    """
    if relation == "replace-one":
        for one in _ends(curve, chance):
            yield Chances(chance, one, chance)
            yield Chances(one, chance, chance)
        return
    for one in _ends(curve, chance):
        for two in _ends(curve, chance):
            yield Chances(one, two, chance)
    low, high = _ends(curve, chance)
    for step in range(9):
        out = low + (high - low) * step / 8
        for end in _ends(curve, out):
            yield Chances(chance, end, out)
            yield Chances(end, chance, out)


def _ends(curve: Curve, chance: arb) -> tuple[arb, arb]:
    """The least and the largest chance in a neighboring world."""
    return 1 - curve.power(1 - chance), curve.power(chance)
