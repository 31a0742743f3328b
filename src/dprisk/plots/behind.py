"""What stands behind a figure: a table, what it says in a sentence, and what is seen in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dprisk.errors import refused
from dprisk.table import Table
from dprisk.text import fill
from dprisk.text.rounding import hundredths
from dprisk.theorems import NAMES, Theorem

CARRIED: Final = "_dprisk_behind"


@final
@dataclass(frozen=True)
class Behind:
    """What stands behind one picture."""

    title: str
    takeaway: str
    alt: str
    table: Table
    source: str


def attach(
    ax: Axes,
    title: str,
    takeaway: str,
    seen: str,
    columns: Sequence[str],
    rows: Iterable[Any],
    theorems: Iterable[Theorem] = (),
    confidence: float | None = None,
) -> Axes:
    """Lets axes carry what stands behind them; the alt text ends with the takeaway."""
    kept = tuple(tuple(row) for row in rows)
    table = Table(tuple(columns), kept)
    held = "" if confidence is None else fill("plots.held", share=hundredths(confidence)) + "\n"
    new = Behind(title, takeaway, f"{seen} {takeaway}", table, held + _source(theorems))
    setattr(ax, CARRIED, (*getattr(ax, CARRIED, ()), new))
    return ax


def _source(theorems: Iterable[Theorem]) -> str:
    """The works behind the numbers, each once, with the place where there is one work only."""
    found = list(dict.fromkeys(theorems))
    works = list(dict.fromkeys(NAMES.get(each.work, each.work) for each in found))
    if not works:
        return fill("plots.source.none")
    if len(found) == 1:
        return fill("plots.source.place", work=works[0], place=found[0].place)
    return fill("plots.source", works="; ".join(works))


def behind(drawn: Axes | Figure) -> tuple[Behind, ...]:
    """All that stands behind axes, or behind all axes of a figure; refused if there is nothing."""
    panels = drawn.axes if isinstance(drawn, Figure) else [drawn]
    found = tuple(each for ax in panels for each in getattr(ax, CARRIED, ()))
    if not found:
        raise refused("errors.plots.drawn", "drawn", drawn)
    return found


def alt_text(drawn: Axes | Figure) -> str:
    """What is seen in a figure, in words, with numbers rounded to the side on which they are true.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.plots` drew.

    Returns
    -------
    str
        One or two sentences for each picture.

    Raises
    ------
    InvalidInput
        If nothing was drawn there.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import alt_text, draw_power
    >>> normal = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "power", name="normal")
    >>> print(alt_text(draw_power(normal)))
    Line chart of the power of a test against its level, both from 0 to 1. The power of a \
test is at most 0.26 at a level of 0.05 (normal).
    """
    return " ".join(each.alt for each in behind(drawn))


def takeaway(drawn: Axes | Figure) -> str:
    """What a figure says, in a sentence: its caption.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.plots` drew.

    Returns
    -------
    str
        One sentence for each picture.

    Raises
    ------
    InvalidInput
        If nothing was drawn there.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import draw_power, takeaway
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power", name="pure")
    >>> takeaway(draw_power(line))
    'The power of a test is at most 0.136 at a level of 0.05 (pure).'
    """
    return " ".join(each.takeaway for each in behind(drawn))


def tables(drawn: Axes | Figure) -> tuple[Table, ...]:
    """The numbers behind a figure.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.plots` drew.

    Returns
    -------
    tuple of Table
        One for each picture.

    Raises
    ------
    InvalidInput
        If nothing was drawn there.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import draw_profile, tables
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "profile", [0.0, 1.0])
    >>> tables(draw_profile(line))[0].columns
    ('line', 'epsilon', 'at least', 'at most')
    """
    return tuple(each.table for each in behind(drawn))
