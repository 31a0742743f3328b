"""A table of probabilities in whole numbers: they compare and add up exactly, and fast."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.relation import NeighborRelation
from dprisk.audit.renyi import directed

__all__ = ["Pair", "Rows", "in_integers", "ordered_pairs"]


class Rows(NamedTuple):
    """The rows of a table, over one denominator."""

    rows: list[list[int]]
    scale: int


class Pair(NamedTuple):
    """One ordered pair: outputs by falling ratio, as whole numbers over one denominator."""

    first: int
    second: int
    order: tuple[int, ...]
    p: tuple[int, ...]
    q: tuple[int, ...]


def in_integers(mechanism: FiniteMechanism) -> Rows:
    """All rows over their common denominator."""
    table = mechanism.exact()
    scale = _denominator(table.ravel())
    return Rows([_over(scale, row) for row in table], scale)


def ordered_pairs(
    mechanism: FiniteMechanism, relation: NeighborRelation, rows: list[list[int]]
) -> Iterator[Pair]:
    """All ordered pairs, outputs by falling ratio; what neither can lead to is left out."""
    small = [_over(_denominator(row), row) for row in mechanism.exact().tolist()]
    for i, j in zip(*(each.tolist() for each in directed(relation)), strict=True):
        first, second = rows[i], rows[j]
        some = [n for n, (p, q) in enumerate(zip(first, second, strict=True)) if p or q]
        one, other = small[i], small[j]  # the same ratios, but for a constant factor
        some.sort(key=lambda n: Fraction(one[n], one[n] + other[n]), reverse=True)
        yield Pair(i, j, tuple(some), tuple(first[n] for n in some), tuple(second[n] for n in some))


def _denominator(values: Iterable[Fraction]) -> int:
    return math.lcm(*(value.denominator for value in values))


def _over(scale: int, row: Iterable[Fraction]) -> list[int]:
    return [value.numerator * (scale // value.denominator) for value in row]
