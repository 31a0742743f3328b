"""Units of amounts: parameters, widths of noise, and what each implies under one accounting."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from dprisk._numeric.exact import rounded_up
from dprisk._numeric.rounding import up

if TYPE_CHECKING:
    from dprisk.allocation.queries import Accounting

KINDS: Final[Mapping[str, Accounting]] = MappingProxyType(
    {
        "rho": "zcdp",
        "epsilon": "pure",
        "mu": "gdp",
        "sigma": "zcdp",
        "variance": "zcdp",
        "scale": "pure",
    }
)
"""For each column that gives an amount, in what its amounts add up."""

WIDTHS: Final = ("sigma", "variance", "scale")
"""Columns about the noise itself, not about what it costs."""


def cost(column: str, number: Fraction, moves: int, *, squares: bool = False) -> Fraction:
    """rho, epsilon, or the square of mu, that a number in a column says; exactly.

    A cell with normal noise costs rho = 1 / (2 sigma^2), or mu^2 = 1 / sigma^2 if `squares` add
    up; one with Laplace or geometric noise costs epsilon = 1 / scale.
    """
    doubled = 1 if squares else 2
    if column == "sigma":
        return moves / (doubled * number**2)
    if column == "variance":
        return moves / (doubled * number)
    if column == "scale":
        return moves / number
    return number**2 if column == "mu" else number


def implied(
    kind: Accounting, amount: Fraction, accounting: Accounting, cells: int = 1
) -> Fraction | None:
    """The amount under another accounting, at least; None where none follows.

    `cells` are how many parts an epsilon is known to consist of, each with as much of it.
    """
    if kind == accounting:
        return amount
    if accounting != "zcdp":
        return None
    return as_rho(kind, amount, cells)


def as_rho(kind: Accounting, amount: Fraction, cells: int = 1) -> Fraction:
    """The rho that follows from an amount of any kind, at least."""
    if kind == "zcdp":
        return amount
    return amount / 2 if kind == "gdp" else cells * rho_of_epsilon(amount / cells)


def rho_of_epsilon(epsilon: Fraction) -> Fraction:
    """The least rho that all mechanisms with that epsilon keep, epsilon tanh(epsilon / 2)."""
    e = rounded_up(epsilon)
    near = Fraction(float(up(e * math.tanh(e / 2.0))))
    return min(near, epsilon * epsilon / 2, epsilon)


def for_replacing(amount: Fraction, moves: int) -> Fraction:
    """The amount for replacing a record, at least, from the one for adding or removing it.

    Only where the noise is known. Replacing is removing a record and adding another: if it moves m
    cells, adding moves at least m / 2; and a cell costs the same, whatever moves it.
    """
    return amount * moves / -(-moves // 2)
