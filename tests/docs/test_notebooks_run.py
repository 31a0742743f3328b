"""The example notebooks run, and print what they say they print."""

from __future__ import annotations

import json
from runpy import run_path

import pytest

from tests.house.tree import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
books = run_path(str(ROOT / "docs" / "notebooks.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    """In order, in one process, as Run All does; without a kernel."""
    monkeypatch.chdir(tmp_path)
    kept = books["read"](path)
    assert books["run"](kept, path.name) == kept, f"python docs/notebooks.py {path}"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_a_file_of_jupyter(path):
    """Version 4.5: cells with an id each, and code with its number and its outputs."""
    text = path.read_text(encoding="utf-8")
    book = json.loads(text)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5) and text == books["written"](book)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"]) > 8
    for cell in book["cells"]:
        wanted = {"id", "cell_type", "metadata", "source"}
        if cell["cell_type"] == "code":
            wanted |= {"outputs", "execution_count"}
        assert set(cell) == wanted
    assert book["cells"][0]["source"][0].startswith("# ")


def test_the_page_shows_all():
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    shown = books["shown"](page)
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        title = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"][0].strip()
        assert f"#{title}" in shown.splitlines() and f"notebooks/{path.name}" in page
    assert "<!-- notebook" not in shown and "```text" in shown


def test_outputs_that_differ_are_noticed():
    cell = {"cell_type": "code", "source": ["print(1)\n", "1 + 1"], "outputs": []}
    book = books["run"]({"cells": [cell]}, "small")
    stream, result = book["cells"][0]["outputs"]
    assert stream["text"] == ["1\n"] and result["data"] == {"text/plain": ["2"]}
    assert books["markdown"](book).count("```text") == 2
    with pytest.raises(ZeroDivisionError):
        books["run"]({"cells": [{**cell, "source": ["1 / 0"]}]}, "small")
