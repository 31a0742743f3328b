"""The list of items: every numbered figure and table, each with something that computes it."""

from __future__ import annotations

from importlib import import_module

import pytest

from dprisk.errors import InvalidInput
from dprisk.papers import items, reproduction
from dprisk.papers.reproduction import PAPERS, printed_in

NUMBERED = {  # counted in the papers
    "P0": (7, 0),
    "P1": (15, 6),
    "P2": (0, 0),
    "P3": (3, 4),
    "P4": (1, 0),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_numbered_figure_and_table_is_listed(paper):
    for kind, count in zip(("figure", "table"), NUMBERED[paper], strict=True):
        labels = {item.label for item in items([paper]) if item.kind == kind}
        assert labels == {f"{kind.title()} {number}" for number in range(1, count + 1)}


def test_every_item_is_computed_and_nothing_else_is():
    made = {reproduction._maker(item) for item in items()}
    assert all(map(callable, made))
    names = {f"{item.paper}.{item.slug}".replace("-", "_") for item in items()}
    kinds = {f"{item.paper}.{item.label.split()[0].lower()}" for item in items()}
    for home, papers in {"p0": "P0", "p1": "P1", "p3": "P3", "p4": "P2 P4"}.items():
        module = import_module(f"dprisk.papers.{home}")
        own = [
            name
            for name, it in vars(module).items()
            if getattr(it, "__module__", "") == module.__name__
        ]
        for name in (each for each in own if each[0] != "_" and each[0].islower()):
            assert any(f"{paper}.{name}" in names | kinds for paper in papers.split()), name


def test_keys_are_unique_and_lists_say_what_they_are():
    keys = [item.key for item in items()]
    assert len(set(keys)) == len(keys)
    for item in items():
        assert item.shows and item.place and not item.shows.endswith(".")
        assert bool(item.not_computed) <= (not item.prints)
        for each in item.prints:
            assert bool(each.correct) <= bool(each.why)
            assert each.correct != each.text
            assert not each.why.endswith(".")


def test_only_definitions_are_not_computed():
    assert [item.key for item in items() if item.not_computed] == ["P3/table-1", "P3/table-2"]


def test_items_are_found_by_paper_or_key_in_any_case():
    assert [item.key for item in items(["p3/TABLE-3"])] == ["P3/table-3"]
    assert items(["P0", "P0/figure-1"]) == items(["P0"])
    assert items() == items(PAPERS)
    assert {item.paper for item in items(["P4", "P2"])} == {"P2", "P4"}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("P9", "a paper \\(P0, P1, P2, P3, P4\\) or an item such as P0/figure-1, got 'P9'"),
        ("P0/figure-33", "Did you mean 'P0/figure-3'?"),
        (3, "got 3"),
    ],
)
def test_unknown_items_are_refused(asked, says):
    with pytest.raises(InvalidInput, match=says):
        items([asked])


def test_prints_are_found_by_label():
    assert printed_in("P0", "Figure 3")["first k above 80%, advanced composition"].correct == "26"
    with pytest.raises(InvalidInput, match="Did you mean 'Figure 3'"):
        printed_in("P0", "Fig 3")
    with pytest.raises(InvalidInput, match="paper must be one of"):
        printed_in("P5", "Figure 3")
