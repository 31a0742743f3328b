"""What lines say, in words: each number rounded to the side on which it is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.curves.lines import Line
from dprisk.text import fill, has
from dprisk.text.rounding import Scale, at_least, at_most, bounded, out_of
from dprisk.theorems import Theorem

LEVEL: Final = 0.05


class Drawable(Protocol):
    """A `Line`, or anything else with its name and its numbers, such as a curve of an
    allocation."""

    @property
    def name(self) -> str:
        """What it is about."""

    @property
    def theorem(self) -> Theorem:
        """Where it comes from."""

    @property
    def x(self) -> Floats:
        """Where."""

    @property
    def lower(self) -> Floats | None:
        """At least."""

    @property
    def upper(self) -> Floats | None:
        """At most."""


def certain(line: Drawable) -> Floats:
    """The end of the bracket that is the promise."""
    if isinstance(line, Line):
        return line.value
    return line.upper if line.upper is not None else np.asarray(line.lower)


def up_to(probability: float, of: Scale, prior: float = 0.0) -> str:
    """An upper bound as so many in a hundred, thousand or million, with its direction."""
    if prior == 1.0:
        return out_of(prior, of)
    return bounded(probability, upper=True, of=of)


def named(line: Drawable) -> str:
    """The name of a line, in words where it is that of an adversary."""
    known = f"plots.adversary.{line.name}"
    return fill(known) if has(known) else line.name


def two_ends(what: str, lines: Sequence[Drawable]) -> str:
    """A falling quantity at both ends of each line."""
    return fill("plots.said.two-ends", what=what, joined=joined(lines, falls))


def falls(line: Drawable) -> str:
    y = certain(line)
    first, last = int(np.argmin(line.x)), int(np.argmax(line.x))
    where = [at_most(float(line.x[at])) for at in (first, last)]  # further out it is no more
    start = fill("plots.said.falls", at_most=at_most(float(y[first])), where=where[0])
    return (
        start
        if first == last
        else fill(
            "plots.said.falls-to", start=start, at_most=at_most(float(y[last])), where=where[1]
        )
    )


def loss(line: Drawable) -> str:
    y = certain(line)
    known = np.flatnonzero(np.isfinite(y))
    if not known.size:
        return fill("plots.said.endless")
    first, last = (int(known[pick(line.x[known])]) for pick in (np.argmin, np.argmax))
    start = fill(
        "plots.said.loss", loss=at_most(float(y[first])), failure=at_most(float(line.x[first]))
    )
    rest = fill(
        "plots.said.loss-to", loss=at_most(float(y[last])), failure=at_most(float(line.x[last]))
    )
    return start if first == last else fill("plots.said.and", start=start, rest=rest)


def at_level(line: Drawable) -> int:
    """Where a level of 0.05 is, or the nearest."""
    return int(np.argmin(np.abs(line.x - LEVEL)))


def power(line: Drawable) -> str:
    at = at_level(line)
    return fill(
        "plots.said.power",
        at_most=at_most(float(certain(line)[at])),
        at_least=at_least(float(line.x[at])),
    )


def missed(line: Drawable) -> str:
    at = at_level(line)
    value, level = at_least(float(certain(line)[at])), at_least(float(line.x[at]))
    return fill("plots.said.missed", value=value, level=level)


def joined(lines: Sequence[Drawable], words: Callable[[Drawable], str]) -> str:
    """What is said of each line, with its name, in one sentence."""
    return "; ".join(
        fill("plots.said.named", words=words(line), name=named(line)) for line in lines
    )
