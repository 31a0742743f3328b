"""``dprisk power``: tests of a file, a mechanism or a promise; table, words, JSON, exit codes."""

from __future__ import annotations

import re

import pytest

from dprisk import read_release
from dprisk.documents import assess_tests
from tests.cli.running import ADD_REMOVE, HEAD, run, write
from tests.house.tree import ROOT

REPLACE_ONE = ("--neighbors", "replace-one")
PURE = ("power", "--epsilon", "1", *REPLACE_ONE)
MECHANISMS = (
    "mechanisms:\n"
    "  - {kind: laplace, scale: 10, sensitivity: 1, count: 3, label: counts}\n"
    "  - {kind: gaussian, sigma: 4, sensitivity: 1}\n"
)


@pytest.fixture
def file(tmp_path):
    """A file with two mechanisms."""
    return write(tmp_path, "noise.yaml", HEAD + MECHANISMS)


def test_json_is_what_the_library_returns(file):
    done = run("power", file, "--level", "0.05", "--prior", "0.1", "--limit", "power=0.5", "--json")
    assert (done.code, done.err) == (0, "")
    found = assess_tests(read_release(file), levels=[0.05], priors=[0.1], limits={"power": 0.5})
    assert done.data == found.to_dict()
    (low,), (high,) = done.data["power"]["lower"], done.data["power"]["upper"]
    assert 0.0 < low <= high <= low * (1 + 1e-6)
    assert (done.data["secret"], done.data["kept"]) == ("membership", True)


def test_table_and_words(file):
    """Both ends, sentences on the safe side, what was tested, for whom it holds."""
    args = ("power", file, "--level", "0.05", "--prior", "0.1", "--prior", "0.5")
    done, data = run(*args), run(*args, "--json").data
    assert (done.code, done.err) == (0, "")
    level, low, high, *after = re.search(r"^0\.05 .*$", done.out, re.MULTILINE)[0].split()
    assert float(low) <= data["power"]["lower"][0] <= data["power"]["upper"][0] <= float(high)
    for shown, values in zip(after, data["predictive_values"], strict=True):
        assert 0.0 <= float(shown) - values["positive"]["upper"][0] < 1e-6
    assert level == "0.05"
    text = " ".join(done.out.split())
    assert (
        "a test raises a false alarm in 5 of 100 cases when the results are made without this"
        in text
    )
    assert "a chance of 10 in 100 that the results were made with this" in text
    assert (
        "Laplace noise (scale 10, sensitivity 1) for counts, 3 times, each time satisfying pure "
        "DP" in text
    )
    assert "a distribution of the other records" in text
    assert "Neighboring datasets: add-remove." in text


@pytest.mark.parametrize("i", range(3))
def test_levels_are_those_of_p1_table_1(i):
    """By default .01, .05 and .10."""
    data = run(*PURE, "--json").data
    assert data["levels"][i] == (0.01, 0.05, 0.1)[i]
    assert f"{data['power']['upper'][i]:.3f}" == ("0.027", "0.136", "0.272")[i]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--level", "0"], "a false alarm in no case under the first value,"),
        (["--level", "1"], "it can raise a true alarm in every case under the second."),
        (["--level", "0.001"], "a false alarm in 1,000 of 1,000,000 cases under"),
        (["--level", "1e-9"], "a false alarm in 0.001 of 1,000,000 cases"),
        (["--level", "1e-9"], "can raise a true alarm in under 1 of 1,000,000 cases"),
        (["--level", "0.999"], "a true alarm in at most 999,640 of 1,000,000 cases"),
        (
            ["--level", "0.05"],
            "it can raise a true alarm in at most 14 of 100 cases under the second.",
        ),
        (
            ["--prior", "1"],
            "a chance of 100 in 100 that the second value is true can rise to at most 100 in 100.",
        ),
        (
            ["--prior", "0.999"],
            "If the test raises no alarm, a chance of 1,000 in 1,000,000 that the first value",
        ),
    ],
)
def test_sentences(args, sentence):
    """In cases of 100, or of so many that none is lost; certain only where it is."""
    assert sentence in " ".join(run(*PURE, *args, "--quiet").out.split())


def test_alarms_that_never_come_are_not_read():
    """At level 0 there is nothing to conclude from under pure DP, and at level 1 from silence."""
    out = run(*PURE, "--level", "0", "--level", "1", "--prior", "0.5", "--quiet").out
    assert "prior" not in out
    revealing = ("power", "--epsilon", "1", "--delta", "0.1", *REPLACE_ONE)
    out = run(*revealing, "--level", "0", "--prior", "0.5", "--quiet").out
    assert "can rise to possibly over 99 in 100." in " ".join(out.split())


def test_mechanism_typed_in():
    """Its own loss, in brackets; an attribute takes two steps and has no lower end."""
    args = ("power", "--mechanism", "laplace", "scale=1", "sensitivity=1", *ADD_REMOVE)
    data = run(*args, "--releases", "2", "--json").data
    assert (data["definition"], data["releases"]) == ("privacy-loss", 2)
    assert data["power"]["lower"] <= data["power"]["upper"]
    two = run(*args, "--secret", "attribute", "--json").data
    assert (two["secret"], two["neighbors"]) == ("attribute", "add-remove")
    assert two["power"]["lower"] is None
    assert "two steps" in " ".join(run(*args, "--secret", "attribute").out.split())


def test_releases_multiply(file):
    out = run("power", file, "--releases", "5").out
    assert "What was released, in each of 5 releases" in out
    assert "Later releases may depend on earlier ones" in out


def test_assumed_neighbors_and_other_statements_are_said(tmp_path):
    text = HEAD + "neighbors_stated: false\nguarantees: [{mu: 1}]\nstated_also: [{epsilon: 9}]\n"
    out = run("power", write(tmp_path, "twice.yaml", text)).out
    assert "The source does not say" in out
    said = " ".join(out.split())
    assert "rests on Gaussian DP with μ = 1. It does not use pure DP with ε = 9" in said


@pytest.mark.parametrize(
    ("metric", "most"), [("power", 0.272), ("advantage", 0.463), ("predictive_value", 0.732)]
)
def test_limits(metric, most):
    """At the worst of the levels and priors asked about; exit code 3 if one is not kept."""
    asked = (*PURE, "--prior", "0.1", "--prior", "0.5")
    kept = run(*asked, "--limit", f"{metric}={most}")
    broken = run(*asked, "--limit", f"{metric}={most - 0.01}", "--quiet")
    assert (kept.code, broken.code) == (0, 3)
    assert f"Limit {metric} <= {most}: kept (at most {most})" in kept.out
    assert "NOT KEPT" in broken.out
    (limit,) = run(*asked, "--limit", f"{metric}={most}", "--json").data["limits"]
    assert limit["kept"] and limit["at_most"] == pytest.approx(most, abs=1e-3)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "Name one thing that was released"),
        ([*PURE[1:], "--limit", "powr=0.5"], "Did you mean 'power'?"),
        (
            [*PURE[1:], "--limit", "power=2"],
            "--limit power=2: the value must be a number in [0, 1]",
        ),
        ([*PURE[1:], "--limit", "predictive_value=0.5"], "say at which prior (--prior 0.1)"),
    ],
)
def test_bad_questions(args, says):
    done = run("power", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_the_census_of_p1():
    """P1, Table 2: at level .05 any zCDP mechanism of rho = 2.63 has at most .95."""
    data = run("power", ROOT / "examples" / "census.yaml", "--level", "0.05", "--json").data
    assert f"{data['power']['upper'][0]:.2f}" == "0.95"
