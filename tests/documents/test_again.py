"""The report says how to get it again, and that is so: by the command, and in Python."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from dprisk import Adversary, ApproxDP, PureDP, read_release
from dprisk.documents import Labels, report
from dprisk.documents.document import Listing
from dprisk.mechanisms import PairOfDistributions
from dprisk.releases import Part, write_release
from tests.cli.running import run
from tests.documents.samples import release

ASKED: tuple[Any, ...] = (
    (None, {}, {}),
    (
        Adversary(secret="attribute", priors=(0.25,), confidence=0.9, sides="one"),
        {"limits": {"posterior": 0.7, "odds": 1e3}, "levels": (0.125,), "upto": 3},
        {"by": "O'Neill", "date": "2026-02-01", "claim": 'they say "no" to it', "times": 2},
    ),
)


def listings(made):
    """What is to be copied."""
    section = next(one for one in made.sections() if one.title == "Reproduce this report")
    return {block.label: block.text for block in section.blocks if isinstance(block, Listing)}


@pytest.mark.parametrize(("who", "asked", "labels"), ASKED)
def test_command_and_python_give_the_same_report(who, asked, labels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = release(Part(ApproxDP(0.5, 1e-6, neighbors="add-remove")))
    times = labels.get("times", 1)
    first = report(
        release(*made.parts, releases=times),
        who,
        labels=Labels(file="town.yaml", **labels),
        **asked,
    )
    found = listings(first)
    Path("town.yaml").write_text(found["Release file"], encoding="utf-8")
    assert read_release("town.yaml") == made
    words = shlex.split(found["Command"].replace("\\\n", ""))
    done = run(*words[1:])
    assert done.code == (0 if first.kept else 3), done.err
    assert Path("report.html").read_text(encoding="utf-8") == first.to_html()
    Path("report.html").unlink()
    exec(found["Python"], {})
    assert Path("report.html").read_text(encoding="utf-8") == first.to_html()


def test_an_allocation_is_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("shares.csv").write_text("query,attributes,rho,moves\nages,age,1/20,2\n", encoding="utf-8")
    write_release(release(Part(PureDP(0.5, neighbors="add-remove"))), "town.yaml")
    first = run("report", "town.yaml", "--allocation", "shares.csv", "--format", "html")
    assert first.code == 0, first.err
    assert "--allocation shares.csv --concern age" in re.sub(r"\s*\\\s*", " ", first.out)
    code = re.search(r'aria-label="Python"><code>(.*?)</code>', first.out, re.S)[1]
    exec(code.replace("&#39;", "'").replace("&#34;", '"'), {})
    assert Path("report.html").read_text(encoding="utf-8") == first.out


def test_what_no_file_can_hold_is_said():
    odd = PairOfDistributions([0.2, 0.8], [0.5, 0.5], neighbors="add-remove")
    made = report(release(Part.of(odd)))
    assert listings(made) == {}
    assert "cannot be written as a file" in made.to_markdown()
