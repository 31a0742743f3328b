"""``dprisk compose``: what a file keeps together, the same in a table, in words and as JSON."""

from __future__ import annotations

import json
import re

import pytest
from jsonschema import Draft202012Validator

from dprisk import read_release
from dprisk.cli.show import waiting
from dprisk.documents import compose_release
from dprisk.documents.compositions import composition_schema
from dprisk.progress import report
from tests.cli.running import ADD_REMOVE, HEAD, Terminal, run, survey, write

SCHEMA = Draft202012Validator(composition_schema())
MECHANISMS = (
    "mechanisms:\n"
    "  - {kind: laplace, scale: 10, sensitivity: 1, count: 3, label: counts}\n"
    "  - {kind: gaussian, sigma: 4, sensitivity: 1}\n"
)
ASKED = ("--delta", "1e-12", "--delta", "1e-6", "--epsilon", "1", "--power", "0.05")


@pytest.fixture
def file(tmp_path):
    """A file with two mechanisms."""
    return write(tmp_path, "noise.yaml", HEAD + MECHANISMS)


def test_json_is_what_the_library_returns(file):
    """By its schema, strict, and the same every time."""
    done = run("compose", file, *ASKED, "--confidence", "0.99", "--json")
    assert (done.code, done.err) == (0, "")
    SCHEMA.validate(done.data)
    found = compose_release(
        read_release(file), delta=[1e-12, 1e-6], epsilon=[1.0], level=[0.05], confidence=[0.99]
    )
    assert done.data == found.to_dict()
    assert run("schema", "composition").data == composition_schema()
    assert all(answer["lower"] <= answer["upper"] for answer in done.data["answers"])


def test_table_and_words(file):
    """Both ends of every answer, the rule, what was composed, and for whom it holds."""
    done = run("compose", file, *ASKED)
    assert (done.code, done.err) == (0, "")
    text = " ".join(done.out.split())
    data = run("compose", file, *ASKED, "--json").data["answers"]
    rows = re.findall(
        r"^(ε|δ|power) at .*? (\d\S+)  +(\d\S+)  +(\d+ digits)", done.out, re.MULTILINE
    )
    assert [row[0] for row in rows] == ["ε", "ε", "δ", "power"]
    for (_, low, high, _), answer in zip(rows, data, strict=True):
        assert float(low) <= answer["lower"] <= answer["upper"] <= float(high)
        assert float(high) == pytest.approx(answer["upper"], rel=1e-9)
    assert "Together, these 4 parts satisfy (ε, δ)-DP at δ = 1e-12 with ε at most " in text
    assert "whatever is computed from them later" in text
    assert (
        "Laplace noise (scale 10, sensitivity 1) for counts, 3 times, each time satisfying pure "
        "DP" in text
    )
    assert "Zhu et al. 2022, Theorem 10" in text
    assert "Neighboring datasets: add-remove." in text


def test_releases_multiply(file):
    once = run("compose", file, "--delta", "1e-6", "--releases", "5", "--json").data
    assert (once["uses"], once["releases"]) == (20, 5)
    shown = run("compose", file, "--delta", "1e-6", "--releases", "5").out
    assert "Parts, in each of 5 releases (20 in all)" in shown


@pytest.mark.parametrize(
    ("rule", "bound"),
    [
        (("--rule", "simple"), 0.9),
        (("--rule", "optimal"), 0.9),
        (("--rule", "advanced", "--slack", "1e-6"), 2.0),
    ],
)
def test_rules(rule, bound, tmp_path):
    """Of promises; the parameters of the rule stand where the answer is explained."""
    path = survey(tmp_path, "{epsilon: 0.1, count: 9}")
    done = run("compose", path, "--delta", "1e-6", *rule, "--json")
    assert (done.code, done.data["rule"]) == (0, rule[1])
    (answer,) = done.data["answers"]
    assert 0.5 < answer["upper"] <= bound
    assert (answer["lower"] is None) == (rule[1] != "optimal")


def test_a_rule_that_reads_a_mechanism_by_its_promise_says_so(file):
    text = " ".join(run("compose", file, "--delta", "1e-6", "--rule", "simple").out.split())
    assert (
        "Loses some precision: Laplace noise (scale 10, sensitivity 1) was read as pure DP with ε"
        in text
    )
    assert "upper bound" in text


def test_advanced_composition_needs_a_slack(tmp_path):
    path = survey(tmp_path, "{epsilon: 0.1, count: 9}")
    done = run("compose", path, "--delta", "0.1", "--rule", "advanced")
    assert done.code == 2
    assert "--slack is missing: it must be a number in (0, 1)" in done.err


def test_what_is_given_away(tmp_path):
    path = survey(tmp_path, "{epsilon: 1, delta: 0.01, count: 3}")
    out = run("compose", path, "--delta", "1e-6", "--quiet").out
    assert out == "No finite ε holds at δ = 1e-6.\n"
    data = run("compose", path, "--delta", "1e-6", "--json").data["answers"][0]
    assert (data["upper"], data["lower"], data["lower_infinite"]) == (None, None, True)


def test_stated_also_is_never_added(tmp_path):
    path = write(
        tmp_path, "twice.yaml", HEAD + "guarantees: [{mu: 1}]\nstated_also: [{epsilon: 9}]\n"
    )
    out = run("compose", path, "--delta", "1e-6").out
    said = " ".join(out.split())
    assert "rests on Gaussian DP with μ = 1 or on pure DP with ε = 9, whichever says more" in said
    assert "This release satisfies" in out
    sure = run("compose", path, "--delta", "0", "--delta", "1e-6", "--json").data["answers"]
    assert [each["upper"] for each in sure] == [9.0, pytest.approx(4.886554, rel=1e-6)]
    assert [each["lower"] for each in sure] == [None, None]  # some may keep both, and less


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "Say what to compute: add --delta, --epsilon, --power or --confidence"),
        (["--power", "2"], "level must be a number in [0, 1], got 2"),
        (["--delta", "0.1", "--rule", "worst"], "--rule worst: the value must be one of 'best'"),
        (
            ["--delta", "0.1", "--accuracy", "2"],
            "--accuracy 2: the value must be a number in [1e-13, 1]",
        ),
        (
            ["--delta", "0.1", "--memory", "5"],
            "--memory 5: the value must be a number in [1e+08, 1e+15]",
        ),
        (
            ["--delta", "0.1", "--memory", "4 tons"],
            "--memory '4 tons': the value must be an amount of memory",
        ),
        (["--delta", "0.1", "--rule", "optimal"], "optimal rule does not combine"),
    ],
)
def test_bad_questions(args, says, file):
    done = run("compose", file, *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_files_that_cannot_be_composed(tmp_path):
    silent = write(tmp_path, "silent.yaml", "url_slug: a\ndeployment: {basic: {name: A}}\n")
    several = write(tmp_path, "two.yaml", f"{HEAD}guarantees: [{{mu: 1}}]\n---\n" * 2)
    for path, says in (
        (silent, "there is nothing to compose"),
        (several, "describes 2 releases; one is expected here"),
        (tmp_path / "none.yaml", "There is no such file"),
    ):
        done = run("compose", path, "--delta", "1e-6")
        assert done.code == 2
        assert says in done.err
    assert run("compose", "--delta", "1e-6").code == 2


def test_progress_is_for_those_who_wait_at_a_terminal(monkeypatch):
    """Nothing within a moment, nothing in a pipe; on stderr, and gone afterwards."""
    quick, slow = Terminal(), Terminal()
    for stream, moment in ((quick, 60.0), (slow, 0.0)):
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setattr("dprisk.cli.show.MOMENT", moment)
        with waiting("Composing"):
            if moment == 0.0:
                _until(lambda out=stream: "Composing" in out.getvalue())
            report("sampling", 3, 7)
    assert quick.getvalue() == ""
    assert "Composing" in slow.getvalue()


def test_waiting_shows_how_far_the_library_is(monkeypatch):
    """Beside what is done as a whole."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr("dprisk.cli.show.MOMENT", 0.0)
    with waiting("Composing"):
        report("parts", 2, 5)
        report("sampling", 3, 8)
        _until(lambda: "Composing (parts: 2 of 5, sampling: 3 of 8)" in stream.getvalue())


def test_accuracy_is_kept_or_refused(tmp_path):
    """With memory as bytes or in a unit; what cannot be says why, on one line, with code 2."""
    lines = "mechanisms:\n  - {kind: subsampled-laplace, scale: 2, sensitivity: 1, rate: 0.1}\n"
    noise = write(tmp_path, "gradients.yaml", HEAD + lines)
    ask = ("compose", noise, "--releases", "10", "--delta", "1e-6")
    wide = run(*ask, "--json").data["answers"][0]
    assert wide["upper"] - wide["lower"] > 1e-7
    for memory in ("5e8", "500MB", "0.5 GiB"):
        done = run(*ask, "--accuracy", "1e-7", "--memory", memory, "--json")
        (answer,) = done.data["answers"]
        assert answer["upper"] - answer["lower"] <= 1e-7
    done = run(*ask, "--accuracy", "1e-13", "--memory", "100MB")
    assert (done.code, done.out) == (2, "")
    assert re.match(r"Error: epsilon\(1e-06\) lies in \[.*Ask for accuracy=\S+ or wider", done.err)
    assert "Traceback" not in done.err


def _until(done):
    """Wait for a thread, at most some seconds."""
    import time

    for _ in range(500):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("nothing was shown")


def test_a_mechanism_takes_the_place_of_a_file(tmp_path):
    """As often as count says; the file is refused beside it, and neighbors beside the file."""
    noise = ("--mechanism", "laplace", "scale=10", "sensitivity=1", "count=100")
    typed = run("compose", *noise, *ADD_REMOVE, "--delta", "1e-6", "--json").data
    part = "mechanisms: [{kind: laplace, scale: 10, sensitivity: 1, count: 100}]\n"
    path = write(tmp_path, "noise.yaml", HEAD + part)
    assert run("compose", path, "--delta", "1e-6", "--json").data["answers"] == typed["answers"]
    beside = run("compose", path, "--mechanism", "laplace", "--delta", "1e-6", *ADD_REMOVE)
    assert beside.code == 2 and "--mechanism beside" in beside.err
    alone = run("compose", path, "--delta", "1e-6", *ADD_REMOVE)
    assert alone.code == 2 and "--neighbors belongs in the file" in alone.err
    none = run("compose", "--delta", "1e-6")
    assert none.code == 2 and "Name one thing that was released" in none.err


def test_a_certificate_is_written_once_and_refused_before_any_work(tmp_path):
    """Beside the answer; not over a file, and not where there is none."""
    noise = ("compose", "--mechanism", "laplace", "scale=10", "sensitivity=1", "count=4")
    noise = (*noise, *ADD_REMOVE)
    target = tmp_path / "sum.json"
    beside = run(*noise, "--delta", "1e-6", "--certificate", str(target), "--quiet")
    assert beside.out == run(*noise, "--delta", "1e-6", "--quiet").out and beside.code == 0
    (claim,) = json.loads(target.read_text("utf-8"))["claims"]
    assert claim["bound"] == "epsilon"
    again = run(*noise, "--delta", "1e-6", "--certificate", str(target))
    assert again.code == 2 and "exists" in again.err
    ask = (*noise, "--epsilon", "1", "--certificate", str(target), "--force", "--json")
    assert run(*ask).data["answers"][0]["quantity"] == "delta"
    (claim,) = json.loads(target.read_text("utf-8"))["claims"]
    assert claim["bound"] == "delta"
    other = str(tmp_path / "none.json")
    for asked in (("--power", "0.1"), ("--delta", "1e-6", "--rule", "advanced", "--slack", "1e-7")):
        none = run(*noise, *asked, "--certificate", other)
        assert none.code == 2 and "no small certificate" in none.err
    alone = run(*noise, "--delta", "1e-6", "--force")
    assert alone.code == 2 and "--force changes nothing" in alone.err
    assert [path.name for path in tmp_path.iterdir()] == ["sum.json"]
