"""``dprisk report``: files and formats, limits and exit codes, what is said on the way."""

from __future__ import annotations

import json

import pytest

from dprisk import read_release
from dprisk.documents import Labels, report
from tests.cli.running import run, survey, write


@pytest.fixture
def file(tmp_path):
    """A survey with one pure promise."""
    return survey(tmp_path)


def test_html_is_written_and_said_to_be(file, tmp_path):
    path = tmp_path / "report.html"
    done = run("report", file, "-o", path, "--limit", "posterior=0.75")
    assert (done.code, done.err) == (0, "")
    text = " ".join(done.out.split())
    assert text.startswith(f"Written: {path} Suppose someone knows all the data except one ")
    assert "Limit posterior <= 0.75: kept (at most 0.732, at prior 0.5)" in text
    made = report(read_release(file), limits={"posterior": 0.75}, labels=Labels(file=str(file)))
    assert path.read_text(encoding="utf-8") == made.to_html()


def test_without_a_name_markdown_is_printed(file):
    done = run("report", file)
    assert done.code == 0
    assert done.out == report(read_release(file), labels=Labels(file=str(file))).to_markdown()


def test_json_is_what_the_library_returns(file):
    done = run("report", file, "--json", "--prior", "0.2", "--upto", "2")
    assert done.code == 0
    assert done.data["asked"]["priors"] == [0.2]
    assert done.data["ladder"]["releases"] == [1, 2]
    assert (
        done.data == run("report", file, "--format", "json", "--prior", "0.2", "--upto", "2").data
    )


def test_a_limit_that_is_not_kept_is_exit_code_3(file, tmp_path):
    path = tmp_path / "report.json"
    done = run("report", file, "-o", path, "--limit", "posterior=0.51", "--quiet")
    assert (done.code, done.out) == (3, "")
    assert json.loads(path.read_text(encoding="utf-8"))["kept"] is False


def test_releases_are_taken_together(file):
    done = run("report", file, "--releases", "3", "--json", "--claim", "you said no", "--by", "me")
    asked = done.data["asked"]
    assert (asked["times"], asked["claim"], asked["by"]) == (3, "you said no", "me")
    assert done.data["assessments"][0]["releases"] == 3


def test_what_cannot_be_done_is_one_line(file, tmp_path):
    for words, complaint in (
        (["-o", tmp_path / "r.txt"], ".html, .md, .json or .pdf"),
        (["--format", "txt"], "'html', 'markdown', 'json' or 'pdf'"),
        (["--format", "pdf"], "-o report.pdf"),
        (["--summary", "--json"], "html, markdown or pdf"),
        (["--summary", "-o", tmp_path / "r.json"], "html, markdown or pdf"),
        (["--format", "html", "--json"], "--json and --format cannot be used together"),
        (["--concern", "race"], "without an allocation"),
        (["--secret", "both"], "--value-prior is missing"),
        (["--value-prior", "0.5"], "changes nothing"),
        (["--secret", "all"], "'membership', 'attribute' or 'both'"),
        (["--upto", "0"], "whole number"),
        (["-o", tmp_path / "no" / "r.html"], "There is no folder"),
    ):
        done = run("report", file, *words)
        assert (done.code, done.out) == (2, ""), words
        assert done.err.startswith("{" if "--json" in words else "Error: ")
        assert complaint in done.err
        assert done.err.count("\n") == 1


def test_a_hostile_name_does_not_reach_the_terminal(tmp_path):
    head = 'dprisk: 1\nname: "a \\u202e b"\nunit: person\nperiod: once\nneighbors: add-remove\n'
    path = write(tmp_path, "evil.yaml", f"{head}model: central\nguarantees: [{{epsilon: 1}}]\n")
    for form in ("markdown", "html", "json"):
        assert "\u202e" not in run("report", path, "--format", form).out
