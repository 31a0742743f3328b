"""The papers, recomputed: every figure, every table, and the numbers in the text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from dprisk.papers.registry import items
from dprisk.papers.reproduction import Check, Item, Made, Reproduced, Reproduction
from dprisk.progress import each

__all__ = ["reproduce"]


def reproduce(which: Iterable[str] = ()) -> Reproduction:
    """Compute the figures, tables and numbers of the papers, and compare them with the prints.

    Parameters
    ----------
    which : iterable of str
        Papers, such as ``"P0"``, or items, such as ``"P0/figure-3"``. Left out, everything.

    Returns
    -------
    Reproduction
        Items with their tables and their prints, each with a verdict that is computed.

    Raises
    ------
    InvalidInput
        If something asked for is neither a paper nor an item.

    Notes
    -----
    A print matches if ours, rounded to the digits printed, is the print. Whatever is known as a
    slip has to fail that, and to match its correction; where the slip is understood, the print has
    to come out with it.

    Examples
    --------
    >>> from dprisk.papers import reproduce
    >>> made = reproduce(["P3/table-3"])
    >>> made.counts("P3"), made.unexpected
    ({'match': 9, 'rounding': 0, 'erratum': 0, 'differs': 0}, ())
    """
    return Reproduction(tuple(_reproduced(item) for item in each("items", items(which))))


def _reproduced(item: Item) -> Reproduced:
    made = _maker(item)()
    checks = tuple(Check(each, made.found[each.what]) for each in item.prints)
    return Reproduced(item, checks, made)


def _maker(item: Item) -> Callable[[], Made]:
    """What computes an item; its room is loaded when it is needed."""
    makers: dict[str, Callable[[], Made]] = import_module(
        f"dprisk.papers.{item.paper.lower()}"
    ).MAKERS
    return makers[item.label]
