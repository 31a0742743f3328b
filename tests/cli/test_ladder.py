"""``dprisk ladder``: one row a theorem, and what counts."""

from __future__ import annotations

import pytest

from dprisk import PureDP
from dprisk.curves import ladder
from tests.cli.running import ADD_REMOVE, HEAD, run, write

QUERY = ("ladder", "--epsilon", "0.05", *ADD_REMOVE)
SUBSAMPLED = ("--mechanism", "subsampled-laplace", "scale=1", "sensitivity=1", "rate=0.1")
LIMIT = ("--limit", "posterior=0.8")


def test_json_is_what_the_library_returns():
    done = run(*QUERY, "--releases", "50", *LIMIT, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.data == ladder(PureDP(0.05, neighbors="add-remove"), [50]).to_dict(0.8)


def test_a_row_for_each_theorem():
    """What is known after so many releases, and from which on the limit is exceeded."""
    done = run(*QUERY, "--releases", "50", *LIMIT, "--confidence", "0.95")
    rows = [line.split("  ") for line in done.out.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    found = {row[0]: row[1:4] for row in cells if len(row) == 5}
    assert found["basic"] == ["0.925", "28", "promise"]
    assert found["advanced"][1] == "26"
    assert found["optimal"][1] == "42"
    assert found["exact curve"][1] == "> 50"
    assert "with confidence 0.95" in " ".join(done.out.split())
    assert "Best bound that the promise guarantees: " in " ".join(done.out.split())


@pytest.mark.parametrize("command", ["ladder", "plan"])
@pytest.mark.parametrize(
    "promise",
    [
        ["--rho", "0.1", "--xi", "0.01"],
        ["--alpha", "2", "--gamma", "0.1"],
        ["--mu", "0.1", "--definition", "laplace"],
        ["--epsilon", "0.1", "--delta", "1e-9", "--definition", "probabilistic"],
        ["--epsilon", "0.1", "--delta", "1e-9", "--definition", "bounded"],
    ],
    ids=" ".join,
)
def test_every_definition_adds_up(command, promise):
    limit = ["--limit", "posterior=0.9", "--confidence", "0.9"]
    asked = ["--prior", "0.5"]
    asked += ["--releases", "3"] if command == "ladder" else ["--rule", "fixed"]
    done = run(command, *promise, *ADD_REMOVE, *limit, *asked, "--json")
    assert (done.code, done.err) == (0, "")
    bounds = [rung["values"][-1] for rung in done.data.get("rungs", ())]
    bounds += [rule["at_most"] for rule in done.data.get("rules", ())]
    assert bounds and all(0.5 < bound <= 1.0 for bound in bounds)


def test_without_a_confidence_it_is_certain():
    """As everywhere; what the other theorems need is said."""
    out = " ".join(run(*QUERY, "--releases", "50", *LIMIT).out.split())
    assert "Each bound holds always" in out
    assert "Add --confidence 0.99" in out
    assert "advanced" not in out


def test_without_a_limit_there_is_no_such_column():
    out = run(*QUERY).out
    assert "after 1: at most" in out
    assert " from" not in out


def test_mechanisms_are_given_by_kind_and_parameters(tmp_path):
    """As in a file, and with the same numbers as from one."""
    sure = ["--confidence", "0.95", "--json"]
    typed = run(
        "ladder", "--mechanism", "geometric", "scale=10", "sensitivity=1", *ADD_REMOVE, *sure
    )
    text = f"{HEAD}mechanisms: [{{kind: geometric, scale: 10, sensitivity: 1}}]\n"
    filed = run("ladder", write(tmp_path, "noise.yaml", text), *sure)
    assert typed.code == filed.code == 0
    assert typed.data["rungs"] == filed.data["rungs"]
    assert [rung["holds_for"] for rung in filed.data["rungs"]][-2:] == ["mechanism", "raw output"]
    assert filed.data["subject"] == "Town survey"


def test_what_was_not_given_does_not_count():
    """zCDP does not say that noise is normal: quiet and text name the bound on the promise."""
    args = ("ladder", "--rho", "0.01", *ADD_REMOVE, "--releases", "7", "--confidence", "0.99")
    assert " ".join(run(*args, "--quiet").out.split()) == (
        "After 7 such releases in total, a chance of 0.5 that the record is in the data can rise "
        "to at most 0.775, in at least 99 of 100 cases."
    )
    text = run(*args).out
    assert "mechanism, if used" in text
    assert "Best bound that the promise guarantees: zCDP curve." in " ".join(text.split())
    given = ("--mechanism", "gaussian", "sigma=10", "sensitivity=1", *ADD_REMOVE)
    assert "if used" not in run("ladder", *given).out


def test_difference():
    args = ("ladder", "--rho", "0.01", *ADD_REMOVE, "--releases", "30", "--confidence", "0.99")
    by_limit = run(*args, "--limit", "difference=0.5", "--json").data
    assert by_limit["metric"] == "difference"
    assert 0.67 < by_limit["rungs"][0]["values"][0] < 0.68
    assert by_limit["prior"] is None
    assert run(*args, "--metric", "difference", "--json").data["limit"] is None
    assert "largest over every prior" in " ".join(run(*args, "--metric", "difference").out.split())


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "Name one thing that was released"),
        (["--mechanism", "laplac", *ADD_REMOVE], "Did you mean 'laplace'?"),
        (["--mechanism", "laplace", "scale=1", *ADD_REMOVE], "sensitivity is missing"),
        (["--mechanism", "laplace", "scale", *ADD_REMOVE], "as name=value, got 'scale'"),
        (
            ["--mechanism", "laplace", "scale=1", "scale=2", *ADD_REMOVE],
            "written once, as name=value",
        ),
        (
            ["--mechanism", "laplace", "scale=1", "sigma=2", *ADD_REMOVE],
            "'scale', 'sensitivity' or 'count'",
        ),
        (["--mechanism", "laplace", "scale=x", "sensitivity=1", *ADD_REMOVE], "decimal text"),
        (["--mechanism", "laplace", "scale=1", "sensitivity=0", *ADD_REMOVE], "It must be above 0"),
        (["--mechanism", "laplace", "scale=1", "sensitivity=1"], "--neighbors is missing"),
        (
            [*SUBSAMPLED, "--neighbors", "replace-one"],
            "--neighbors replace-one: the value must be 'add-remove'",
        ),
        (["a.yaml", "b.yaml"], "2 files are given"),
        ([*QUERY[1:], "--at-delta", "0.1"], "less than one minus the confidence"),
        ([*QUERY[1:], "--metric", "odds"], "--metric odds: the value must be one of"),
        ([*QUERY[1:], "--limit", "odds=2"], "--limit odds: the value must be one of"),
        (
            [*QUERY[1:], "--limit", "posterior=2"],
            "--limit posterior=2: the value must be a number in [0, 1]",
        ),
        ([*QUERY[1:], *LIMIT, "--metric", "difference"], "name different metrics"),
    ],
)
def test_bad_input(args, says):
    done = run("ladder", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert says in done.err
