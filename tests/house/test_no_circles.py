"""No module needs one that needs it, not even through others, and not even inside a function."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

from tests.house.tree import ROOT, SOURCE

WORD = re.compile(r"`((?:accountant|losses)(?:\.\w+)+)`")


def test_no_circles():
    graph = grimp.build_graph("dprisk", exclude_type_checking_imports=True, cache_dir=None)
    needs = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


def test_a_circle_would_be_found():
    with pytest.raises(CycleError):
        TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()


def test_the_notation_names_what_is_there():
    """Each module on the page of symbols exists."""
    named = WORD.findall((ROOT / "docs" / "notation.md").read_text(encoding="utf-8"))
    assert len(named) > 10
    missing = [name for name in named if not _exists(name)]
    assert not missing


def _exists(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()
