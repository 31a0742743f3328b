"""Contents of a file or an object of another tool, before anybody knows whose it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, final

from dprisk.errors import InvalidFile

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@final
@dataclass(frozen=True)
class Found:
    """Something to read: a name, and what it holds.

    Parameters
    ----------
    name : str
        The file, or the class of the object.
    what : object
        A tree of mappings and lists, text, or the object itself.
    title : str
        A name for the release.
    """

    name: str
    what: Any
    title: str

    @property
    def tree(self) -> Mapping[str, Any]:
        """Its keys and values, if it holds such."""
        return self.what if isinstance(self.what, Mapping) else NOTHING

    @property
    def text(self) -> str:
        """Its text, if it holds text."""
        return self.what if isinstance(self.what, str) else ""

    def wrong(self, problem: str, fix: str = "", where: str | None = None) -> InvalidFile:
        """The error about a place in it."""
        return InvalidFile(self.name, problem, fix, where)

    def number(
        self, value: Any, where: str, *, least: float = 0.0, most: float = math.inf, fix: str = ""
    ) -> float:
        """A number of the file, above `least` or at it if that is not 0, and at most `most`."""
        found = as_number(value)
        if found is None:
            raise self.wrong(
                f"{where} must be a number; {shown(value)} is there.", fix or "Correct it.", where
            )
        if not least <= found <= most or (least == 0.0 == found) or math.isinf(found):
            above = f"above {least:g}" if least == 0.0 else f"{least:g} or more"
            upto = "" if math.isinf(most) else f" and at most {most:g}"
            problem = f"{where} must be {above}{upto}; {found:g} is there."
            raise self.wrong(problem, fix or "Correct it.", where)
        return found

    def count(self, value: Any, where: str, *, least: int = 1, fix: str = "") -> int:
        """A whole number of the file, from `least` to 10^9."""
        found = as_number(value)
        if found is None or found != int(found if math.isfinite(found) else 0):
            problem = f"{where} must be a whole number; {shown(value)} is there."
            raise self.wrong(problem, fix or "Correct it.", where)
        if not least <= found <= 1e9:
            problem = f"{where} must be from {least} to 10^9; {found:g} is there."
            raise self.wrong(problem, fix or "Correct it.", where)
        return int(found)


def shown(value: Any) -> str:
    """A value in an error, whatever it is."""
    if isinstance(value, str):
        return repr(value[:60])
    if isinstance(value, (float, bool)) or value is None:
        return repr(value)
    if isinstance(value, int):
        return repr(value) if abs(value) < 10**30 else "a number of very many digits"
    return f"something of class {type(value).__name__}"


def depth_of(text: str, opening: str, closing: str) -> int:
    """How deep brackets nest, at most; those inside of text count too."""
    deepest = depth = 0
    for sign in text:
        depth += (sign in opening) - (sign in closing)
        deepest = max(deepest, depth)
    return deepest


def as_number(value: Any) -> float | None:
    """A number, or text that is one, also as a fraction; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    plain = isinstance(value, (int, float, str)) or hasattr(value, "__float__")
    if not plain or getattr(value, "shape", ()) != ():
        return None
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        if not isinstance(value, str) or len(value) > 60 or value.count("/") != 1:
            return None
        try:
            found = float(Fraction(value.replace(" ", "")))
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
    return None if math.isnan(found) else found
