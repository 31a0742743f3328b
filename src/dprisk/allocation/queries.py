"""Queries of a table of counts: what each touches, its noise, and what adds up over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, final

from dprisk._values import members

Accounting = Literal["zcdp", "pure", "gdp"]
Noise = Literal["discrete-gaussian", "gaussian", "laplace", "geometric"]

ACCOUNTING: Mapping[Accounting, str] = MappingProxyType(
    {"zcdp": "rho", "pure": "epsilon", "gdp": "mu"}
)
"""For each way to account, the parameter in which a table may give it."""

SYMBOLS: Mapping[Accounting, str] = MappingProxyType({"zcdp": "ρ", "pure": "ε", "gdp": "μ²"})
"""For each way to account, the sign of what adds up."""

NOISES: Mapping[Accounting, tuple[Noise, ...]] = MappingProxyType(
    {
        "zcdp": ("discrete-gaussian", "gaussian"),
        "pure": ("laplace", "geometric"),
        "gdp": ("gaussian",),
    }
)
"""For each way to account, the noise that a table may name."""


@final
@dataclass(frozen=True)
class Query:
    """One table of counts that is published with noise, at one level. Made by `read_allocation`."""

    name: str
    attributes: tuple[str, ...]  # they decide which of its cells a record is counted in
    level: str | None  # for every place of which it is counted; None where places do not matter
    amount: Fraction  # rho, epsilon, or the square of mu: what adds up. [0, inf)
    part: str = ""  # the share-out that it belongs to, such as persons or housing units
    cells: int | None = None  # in one place. [1, inf)
    moves: int = 2  # how many cells a changed record moves, each by one. [1, inf)
    place: str = ""  # the only one that it is asked of; empty where it is asked of all
    row: str = ""  # where it stands in the table, such as "line 7"
    noise: Noise | None = None  # of each of its cells; None where only the amount is known
    epsilon: Fraction | None = None  # where the amount is the rho that follows from it. (0, inf)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; exact numbers as text, such as ``"52/4097"``."""
        named = members(self, "attributes", "level", "part", "cells", "moves", "amount")
        own = {
            **({"place": self.place} if self.place else {}),
            **({"epsilon": str(self.epsilon)} if self.epsilon is not None else {}),
        }
        return {"query": self.name, **named, "part": self.part or None, **own}


def amount_of(queries: Iterable[Query]) -> Fraction:
    """The sum over queries, exactly."""
    return sum((query.amount for query in queries), Fraction(0))
