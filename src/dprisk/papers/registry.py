"""The items of the papers with their prints, and what computes each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any, Final

from dprisk._checks import one_of
from dprisk._files import shipped
from dprisk.errors import refused
from dprisk.papers.prints import Print
from dprisk.papers.reproduction import Check, Item, Kind, Made, Reproduced, Reproduction
from dprisk.progress import each as counted
from dprisk.text import fill

PAPERS: Final = ("P0", "P1", "P2", "P3", "P4")
"""The papers, by their short names."""


def items(which: Iterable[str] = ()) -> tuple[Item, ...]:
    """The figures, tables and passages that are reproduced, with the prints that are checked.

    Parameters
    ----------
    which : iterable of str
        Papers, such as ``"P0"``, or items, such as ``"P0/figure-3"``. Left out, everything.

    Returns
    -------
    tuple of Item
        In the order of the papers. Every numbered figure and table is among them.

    Raises
    ------
    InvalidInput
        If something asked for is neither.

    Examples
    --------
    >>> from dprisk.papers import items
    >>> len(items()), [item.label for item in items(["P4"])][:2]
    (62, ['Figure 1', 'One bit'])
    """
    asked = list(which)
    known = [item for paper in PAPERS for item in _items(paper)]
    keys = {item.key.lower() for item in known} | {paper.lower() for paper in PAPERS}
    for each in asked:
        if not isinstance(each, str) or each.lower() not in keys:
            _refuse(each, known)
    wanted = {each.lower() for each in asked}
    return tuple(
        item for item in known if not wanted or wanted & {item.paper.lower(), item.key.lower()}
    )


def printed_in(paper: str, label: str) -> dict[str, Print]:
    """The prints of one item."""
    known = {item.label: item for item in _items(one_of("paper", paper, PAPERS))}
    item = known[one_of("label", label, known)]
    return {each.what: each for each in item.prints}


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
    return Reproduction(tuple(_reproduced(item) for item in counted("items", items(which))))


def _reproduced(item: Item) -> Reproduced:
    made = _maker(item)()
    checks = tuple(Check(each, made.found[each.what]) for each in item.prints)
    return Reproduced(item, checks, made)


def _maker(item: Item) -> Callable[[], Made]:
    """What computes an item; its module is loaded when it is needed."""
    makers: dict[str, Callable[[], Made]] = import_module(
        f"dprisk.papers.{item.paper.lower()}"
    ).MAKERS
    return makers[item.label]


def _refuse(asked: Any, known: list[Item]) -> None:
    paper = str(asked).partition("/")[0].upper()
    if paper in PAPERS:
        one_of("an item", asked, [item.key for item in known if item.paper == paper])
    words = {"papers": ", ".join(PAPERS), "item": known[0].key}
    raise refused("papers.item", fill("papers.what"), asked, **words)


@cache
def _items(paper: str) -> tuple[Item, ...]:
    import yaml

    tree = yaml.safe_load(shipped("papers", "data", f"{paper.lower()}.yaml"))
    return tuple(_item(paper, each) for each in tree["items"])


def _item(paper: str, each: dict[str, Any]) -> Item:
    word = each["label"].partition(" ")[0].lower()
    kinds: dict[str, Kind] = {"figure": "figure", "table": "table"}
    return Item(
        paper,
        kinds.get(word, "text"),
        each["label"],
        each["place"],
        each["shows"],
        each.get("setting", ""),
        tuple(_print(what, given) for what, given in each["prints"].items()),
        each.get("not_computed", ""),
    )


def _print(what: str, given: str | dict[str, str]) -> Print:
    if isinstance(given, str):
        return Print(what, given)
    return Print(what, given["printed"], given.get("correct"), given.get("why", ""))
