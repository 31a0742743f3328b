"""``dprisk reproduce``: a folder, a summary, and an exit code."""

from __future__ import annotations

import json

import pytest

from dprisk.papers import items, reproduction
from dprisk.papers.reproduction import Made
from dprisk.table import NumberTable
from tests.cli.running import run


def test_a_summary_of_each_paper(tmp_path):
    done = run("reproduce", "P2", "P3/table-3", "-o", tmp_path, "--no-figures")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["paper", "figures", "tables", "match", "rounding", "erratum", "differs"]
    assert rows[2:4] == [
        ["P2", "0", "0", "7", "0", "0", "0"],
        ["P3", "0", "1", "9", "0", "0", "0"],
    ]
    assert f"Begin with {tmp_path / 'index.html'}" in " ".join(done.out.split())
    assert (tmp_path / "P2" / "lemma-2-3.csv").is_file()


def test_json_is_what_is_written(tmp_path):
    done = run("reproduce", "P2", "--out", tmp_path, "--json")
    assert done.data == json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))
    assert done.data["schema"] == "dprisk/reproduction/1"


def test_quiet_names_the_page_only(tmp_path):
    assert run("reproduce", "P2", "-o", tmp_path, "-q").out == f"{tmp_path / 'index.html'}\n"


def test_a_list_computes_nothing(monkeypatch):
    monkeypatch.setattr(reproduction, "_maker", None)
    table = run("reproduce", "--list", "P0")
    assert "P0/figure-3" in table.out
    assert run("reproduce", "--list", "-q").out.split() == [item.key for item in items()]
    (first, *_) = run("reproduce", "--list", "P0/figure-3", "--json").data
    assert first["prints"][0] == "first k above 80%, basic composition"


def test_an_unexpected_verdict_is_said_and_ends_with_3(tmp_path, monkeypatch):
    wrong = {each.what: 7.0 for each in items(["P3/table-3"])[0].prints}
    monkeypatch.setattr(
        reproduction, "_maker", lambda item: lambda: Made(wrong, NumberTable.of({"a": [1]}))
    )
    done = run("reproduce", "P3/table-3", "-o", tmp_path)
    assert done.code == 3
    assert "Unexpected verdicts" in done.out
    assert "- P3/table-3, r = 3, epsilon: differs" in done.out
    quiet = run("reproduce", "P3/table-3", "-o", tmp_path, "--force", "-q")
    assert (quiet.code, quiet.out) == (3, f"{tmp_path / 'index.html'}\n")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["P9"], "what to reproduce must be a paper (P0, P1, P2, P3, P4) or an item"),
        (["P0/figure-33"], "Did you mean 'P0/figure-3'?"),
        (["--list", "P9"], "what to reproduce must be"),
    ],
)
def test_bad_input(args, says, tmp_path):
    done = run("reproduce", *args, "-o", tmp_path / "new")
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "_maker", None)
    (tmp_path / "file").write_text("")
    done = run("reproduce", "-o", tmp_path / "file" / "out")
    assert done.code == 2
    assert "It cannot be written" in done.err
