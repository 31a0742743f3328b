"""``dprisk budget``: from limits or a profile to budgets and noise; table, words, JSON, codes."""

from __future__ import annotations

import re

import pytest

from dprisk.budget import AttackLimit, InformedLimit, ProfileLimit, Together, budgets, read_profile
from tests.cli.running import ADD_REMOVE, run, survey, write
from tests.house.tree import ROOT

CLINIC = ROOT / "examples" / "profiles" / "clinic.yaml"
POSTERIOR = ("budget", "--limit", "posterior=0.8", "--prior", "0.5", *ADD_REMOVE)
POWER = ("budget", "--limit", "power=0.2", "--level", "0.05", *ADD_REMOVE)
ONE = ("--definition", "gaussian")


def flat(text):
    """The output on one line."""
    return " ".join(text.split())


def test_json_is_what_the_library_returns():
    args = (*POSTERIOR, "--confidence", "0.99", *ONE, "--mechanism", "discrete-gaussian")
    done = run(*args, "--releases", "3", "--json")
    assert (done.code, done.err) == (0, "")
    limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99)
    sheet = budgets([limit], definitions=["gaussian"], noises=["discrete-gaussian"], releases=3)
    assert done.data == sheet.to_dict()
    assert done.data["schema"] == "dprisk/budget/1"
    (one,), (noise,) = done.data["budgets"], done.data["mechanisms"]
    assert one["value"] < one["at_most"] <= one["value"] * (1 + 1e-8)
    assert noise["at_least"] < noise["width"] == noise["cost"]["width"]
    assert [cost["kind"] for cost in one["noise"]] == ["geometric", "laplace", "gaussian"]


def test_a_profile():
    """The example file: pure DP with certainty, more promises with a confidence."""
    sure = run("budget", CLINIC, "--json")
    assert [one["definition"] for one in sure.data["budgets"]] == ["pure"]
    assert f"{sure.data['budgets'][0]['value']:.4f}" == "1.2993"
    assert sure.data["limits"][0]["binding"]["ratio"] == 3.0
    args = ("budget", CLINIC, "--confidence", "0.99", "--releases", "12", *ONE)
    done = run(*args[:-2], "--definition", "approximate", *ONE, "--delta", "1e-8", "--json")
    limit = ProfileLimit(read_profile(CLINIC), 0.99)
    sheet = budgets(
        [limit], definitions=["approximate", "gaussian"], delta=1e-8, releases=Together(12)
    )
    assert done.data == sheet.to_dict()
    shown = run(*args)
    assert "At membership prior 0.0833333 and value prior 1" in flat(shown.out)
    assert "the risk profile is kept, in at least 99 of 100 cases" in shown.out


@pytest.mark.parametrize("given", [("--delta", "1e-8"), ("--people", "50000")])
@pytest.mark.parametrize("asked", [("pure",), ("pure", "gaussian"), ()])
def test_a_delta_that_nothing_has(given, asked):
    """It is not ignored; beside approximate DP it is used."""
    wanted = [word for one in asked for word in ("--definition", one)] or ["--mechanism", "laplace"]
    args = (*POSTERIOR, "--confidence", "0.99", *wanted, *given)
    done = run(*args)
    assert done.code == 2
    assert f"{given[0]} {given[1]}: the value must be left out" in done.err
    assert run(*args, "--definition", "approximate").code == 0


def test_table_and_words():
    """Promises are rounded down and noise up; adversary, neighbors and gaps are said."""
    args = (*POSTERIOR, "--confidence", "0.99", *ONE, "--mechanism", "laplace")
    done, data = run(*args), run(*args, "--json").data
    assert (done.code, done.err) == (0, "")
    shown = float(re.search(r"Gaussian DP +mu ([\d.]+)", done.out)[1])
    assert 0.0 <= data["budgets"][0]["value"] - shown < 1e-6
    wide = float(re.search(r"^laplace +scale ([\d.]+)", done.out, re.MULTILINE)[1])
    assert 0.0 <= wide - data["mechanisms"][0]["width"] < 1e-6
    text = flat(done.out)
    assert "a belief of 0.5 that the person is in the data may rise to at most 0.8" in text
    assert "in at least 95 of 100 cases" in text
    assert "would break the limit" in text
    assert "The limit covers priors of 0.5 and below." in text
    assert "Neighboring datasets: add-remove." in text
    assert "The adversary knows all other records" in text


def test_several_limits_and_the_one_that_binds():
    args = (*POSTERIOR, "--confidence", "0.99", "--limit", "power=0.2", "--level", "0.05", *ONE)
    (one,) = run(*args, "--json").data["budgets"]
    both = [
        InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99),
        AttackLimit("power", 0.2, level=0.05),
    ]
    found = [budgets([limit], definitions=["gaussian"]).promises[0] for limit in both]
    assert one["value"] == min(each.value.value for each in found)
    at_two = run(*POWER, "--level", "0.2", *ONE, "--json").data
    assert at_two["status"] == "infeasible"
    assert [limit["level"] for limit in at_two["limits"]] == [0.05, 0.2]


def test_rules_one_beside_the_other():
    args = (*POSTERIOR, "--confidence", "0.95", "--releases", "60", "--at-delta", "1e-6")
    rules = ("--rule", "simple", "--rule", "advanced", "--rule", "best")
    done = run(*args, "--definition", "pure", *rules, "--json")
    values = [one["value"] for one in done.data["budgets"]]
    assert values == sorted(values)
    assert [one["rule"] for one in done.data["budgets"]] == ["simple", "advanced", "best"]
    out = run(*args, "--definition", "pure", *rules).out
    assert "composed by" in out
    assert "Each of the 60 releases may promise pure DP" in flat(out)
    refused = run(*args, *ONE, "--rule", "optimal", "--rule", "simple", "--json").data
    assert "optimal rule does not combine" in refused["refused"][0]["reason"]


def test_after_something_else(tmp_path):
    spent = survey(tmp_path, "{mu: 0.3}")
    args = (*POSTERIOR, "--confidence", "0.99", *ONE, "--json")
    before, after = (run(*args, *more).data for more in ((), ("--spent", spent)))
    first, second = (data["budgets"][0]["value"] for data in (before, after))
    assert second == pytest.approx((first**2 - 0.09) ** 0.5, rel=1e-9)
    assert after["spent"] == [{"guarantee": after["spent"][0]["guarantee"], "count": 1}]


def test_which_confidence_is_read_with_is_said():
    """Beside every number: always where the loss is bounded, otherwise 0.99."""
    asked = ["--definition", "pure", "--definition", "gaussian", "--mechanism", "gaussian"]
    done = run(*POSTERIOR, *asked)
    assert done.code == 0
    words = " ".join(done.out.split())
    assert (
        "for every result if the privacy loss is bounded, otherwise in at least 99 of 100 cases"
        in words
    )
    lines = done.out.splitlines()
    assert any(re.match(r"pure DP +epsilon .*always", line) for line in lines)
    assert any(re.match(r"Gaussian DP +mu .*confidence 0\.99", line) for line in lines)
    assert any("confidence 0.99" in line for line in lines if line.startswith("gaussian"))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (
            ("posterior=0.4",),
            "Even a release that reveals nothing gives 0.5, above the limit of 0.4",
        ),
        (("difference=0",), "Only a release that reveals nothing keeps the limit"),
    ],
)
def test_infeasible(args, says):
    """Exit code 3, and the reason."""
    for more in ((), ("--quiet",)):
        limit = ("budget", "--limit", *args, "--prior", "0.5", "--confidence", "0.9")
        done = run(*limit, *ADD_REMOVE, *ONE, *more)
        assert (done.code, done.err) == (3, "")
        assert says in flat(done.out)
    data = run(*limit, *ADD_REMOVE, *ONE, "--json")
    assert (data.code, data.data["status"], data.data["budgets"][0]["value"]) == (
        3,
        "infeasible",
        0.0,
    )


def test_infeasible_profile(tmp_path):
    path = write(tmp_path, "tight.yaml", "dprisk: 1\nprofile: {posterior: 0.1}\n")
    done = run("budget", path)
    assert done.code == 3
    assert "the belief exceeds what is tolerated even before anything is released" in flat(done.out)


def test_no_limit():
    """Said in words, for promises and for noise; exit code 0."""
    args = ("budget", "--limit", "ratio=2", "--prior", "0.6", "--confidence", "0.9", *ADD_REMOVE)
    done = run(*args, *ONE, "--mechanism", "geometric")
    assert (done.code, done.err) == (0, "")
    assert "No limit on Gaussian DP: Even certainty would keep the limit" in flat(done.out)
    assert "No geometric noise is needed" in flat(done.out)
    assert run(*args, *ONE, "--json").data["status"] == "no limit"


def test_every_definition_by_default():
    """Approximate DP with the delta that the confidence leaves; without one, not at all."""
    data = run(*POSTERIOR, "--confidence", "0.99", "--releases", "4", "--json").data
    names = [one["definition"] for one in data["budgets"]]
    assert names == ["pure", "approximate", "concentrated", "gaussian"]
    assert data["budgets"][1]["parameters"]["delta"] == 2.5e-5
    text = flat(run(*POWER, "--definition", "pure", "--definition", "concentrated").out)
    assert "Each release" not in text
    assert "The release may promise zCDP with rho at most" in text


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "--neighbors is missing"),
        ([*ADD_REMOVE], "No limit is given"),
        (
            ["--limit", "power=0.2", *ADD_REMOVE],
            "--level is missing: it must be a number in (0, 1)",
        ),
        (
            ["--limit", "posterior=0.2", *ADD_REMOVE],
            "--prior is missing: it must be a number in (0, 1)",
        ),
        (["--limit", "posterio=0.2", *ADD_REMOVE], "Did you mean 'posterior'?"),
        (["--limit", "epsilon=1", *ADD_REMOVE], "A limit on epsilon needs one δ"),
        (
            [*POSTERIOR[1:], "--confidence", "1"],
            "--confidence 1: the value must be a number in (0, 1)",
        ),
        ([*POSTERIOR[1:], "--definition", "gauss"], "Did you mean 'gaussian'?"),
        ([*POSTERIOR[1:], "--mechanism", "laplas"], "Did you mean 'laplace'?"),
        ([*POSTERIOR[1:], "--rule", "bets"], "Did you mean 'best'?"),
        (
            [*POSTERIOR[1:], "--rule", "advanced"],
            "--at-delta is missing: it must be given for the advanced rule",
        ),
        (
            [*POSTERIOR[1:], "--confidence", "2"],
            "--confidence 2: the value must be a number in (0, 1)",
        ),
        (
            [*POSTERIOR[1:], "--sensitivity", "0.5", "--mechanism", "geometric"],
            "--sensitivity 0.5: the value must",
        ),
    ],
)
def test_bad_questions(args, says):
    done = run("budget", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_people_choose_the_delta():
    asked = ("budget", "--limit", "posterior=0.5", "--prior", "0.1", *ADD_REMOVE)
    asked = (*asked, "--confidence", "0.99", "--definition", "approximate")
    done = run(*asked, "--people", "50000", "--releases", "12", "--json")
    (found,) = done.data["budgets"]
    assert found["parameters"]["delta"] * 12 * 50_000 == pytest.approx(0.01, rel=1e-12)
    assert "δ × people is 0.01" in " ".join(done.data["on_delta"])
    plain = " ".join(run(*asked).out.split())
    assert "number of people, which is not given (--people)" in plain
    quiet = " ".join(run(*asked, "--people", "50000", "--delta", "1e-4", "--quiet").out.split())
    assert "δ × people is 5, for 50,000 people" in quiet and "That is not small." in quiet
    assert "--people none" in run(*asked, "--people", "none").err
