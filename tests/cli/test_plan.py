"""``dprisk plan``: how many more releases; table, words, JSON, exit codes."""

from __future__ import annotations

import pytest

from dprisk import PureDP
from dprisk.budget import InformedLimit, plan
from tests.cli.running import ADD_REMOVE, HEAD, run, survey, write

FIXED = ("--rule", "fixed")
QUERY = ("plan", *FIXED, "--epsilon", "0.05", *ADD_REMOVE)
LIMIT = ("--limit", "posterior=0.8", "--prior", "0.5", "--confidence", "0.95")


def flat(text):
    """The output on one line."""
    return " ".join(text.split())


def test_json_is_what_the_library_returns():
    done = run(*QUERY, *LIMIT, "--done", "30", "--at-delta", "1e-6", "--json")
    assert (done.code, done.err) == (0, "")
    limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    made = plan([limit], PureDP(0.05, neighbors="add-remove"), done=30, at_delta=1e-6)
    assert done.data == made.to_dict()
    assert done.data["schema"] == "dprisk/plan/1"
    numbers = {rule["rule"]: rule["number"] for rule in done.data["rules"]}
    assert numbers == {"simple": 0, "advanced": 0, "optimal": 14, "best": 103}
    assert done.data["number"] == 103
    assert done.data["rules"][done.data["best"]]["rule"] == "best"


def test_table_and_words():
    done = run(*QUERY, *LIMIT)
    assert (done.code, done.err) == (0, "")
    text = flat(done.out)
    assert "(releases like this one made so far: 0)" in text
    assert "133 releases like this one keep the limit in total, with 0 made so far." in text
    assert "at most 0.79949; your limit is 0.8." in text
    assert "134 releases in total could break the limit: the bound is then" in text
    assert "promise: every mechanism that keeps it" in text
    assert "The limit covers priors of 0.5 and below." in text
    assert "Neighboring datasets: add-remove." in text
    quiet = run(*QUERY, *LIMIT, "--quiet").out
    assert quiet.startswith("133 releases like this one keep the limit in total, with 0 made")


def test_what_is_run():
    noise = ("plan", *FIXED, "--mechanism", "geometric", "scale=20", "sensitivity=2", *ADD_REMOVE)
    done = run(*noise, *LIMIT, "--json")
    rules = [(rule["rule"], rule["holds_for"], rule["number"]) for rule in done.data["rules"]]
    assert [rule[:2] for rule in rules] == [
        ("simple", "promise"),
        ("optimal", "promise"),
        ("best", "promise"),
        ("best", "mechanism"),
    ]
    assert rules[-1][2] > rules[0][2]
    assert "mechanism: the one that is run" in run(*noise, *LIMIT).out


def test_files(tmp_path):
    """One release of the file is one; what else was released is counted before."""
    day = survey(tmp_path, "{mu: 0.05, count: 4}", name="day.yaml")
    open_ = write(tmp_path, "open.yaml", HEAD + "guarantees: [{epsilon: 9}]\n")
    limit = ("--limit", "posterior=0.8", "--prior", "0.5", "--confidence", "0.95")
    assert run("plan", *FIXED, day, *limit, "--json").data["number"] == 33
    gone = run("plan", *FIXED, day, *limit, "--spent", open_)
    assert gone.code == 3
    assert "Not one more release is known to keep the limit. Earlier releases" in flat(gone.out)


def test_a_profile_and_exit_codes(tmp_path):
    path = write(tmp_path, "p.yaml", "dprisk: 1\nprofile: {ratio: 3, value_prior: 1}\n")
    done = run(*QUERY, "--profile", path, "--confidence", "0.95", "--json")
    assert (done.code, done.data["status"]) == (0, "limited")
    none = run("plan", *FIXED, "--epsilon", "5", *ADD_REMOVE, *LIMIT, "--json")
    assert (none.code, none.data["status"], none.data["number"]) == (3, "infeasible", 0)
    free = run(*QUERY, "--limit", "posterior=1", "--prior", "0.5", "--confidence", "0.9")
    assert free.code == 0
    assert "At least 1000000000 releases like this one keep the limit in total" in flat(free.out)


def test_one_is_one():
    out = run("plan", *FIXED, "--epsilon", "1", *ADD_REMOVE, *LIMIT, "--quiet").out
    assert out.startswith("1 release like this one keeps the limit in total,")


def test_what_was_made_before_is_counted_beside(tmp_path):
    """Six in total, so five beside one; other releases are said to be others."""
    asked = ("--epsilon", "0.2", *ADD_REMOVE, "--limit", "posterior=0.8", "--prior", "0.5")
    total = flat(run("plan", *FIXED, *asked).out)
    assert "6 releases like this one keep the limit in total, with 0 made so far." in total
    assert "7 releases in total" in total and " releases in total " in total
    beside = flat(run("plan", *FIXED, *asked, "--done", "1").out)
    assert "(releases like this one made so far: 1)" in beside
    assert (
        "5 more releases like this one keep the limit, in addition to the 1 made so far" in beside
    )
    other = write(tmp_path, "other.yaml", HEAD + "guarantees: [{epsilon: 0.2}]\n")
    others = flat(run("plan", *FIXED, *asked, "--spent", other).out)
    assert "5 more releases like this one keep the limit, in addition to the earlier" in others
    both = flat(run("plan", *FIXED, *asked, "--done", "1", "--spent", other).out)
    assert "in addition to the 1 made so far and the other earlier releases." in both


def test_which_confidence_is_read_with_is_said():
    """Certainty where the loss is bounded, otherwise 0.99."""
    normal = run("plan", *FIXED, "--mu", "0.1", *ADD_REMOVE, "--limit", "odds=3")
    assert normal.code == 0
    assert "in at least 99 of 100 cases" in " ".join(normal.out.split())
    pure = run("plan", *FIXED, "--epsilon", "0.1", *ADD_REMOVE, "--limit", "odds=3")
    assert "with certainty" in " ".join(pure.out.split())


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([*LIMIT], "Name one thing that was released"),
        ([*QUERY[1:]], "No limit is given"),
        (["--epsilon", "1", *LIMIT], "--neighbors is missing"),
        ([*QUERY[1:], *LIMIT, "--done", "-1"], "--done -1: the value must be a whole number"),
        ([*QUERY[1:], "--limit", "power=0.2"], "--level is missing: it must be a number in (0, 1)"),
        (
            ["--mu", "1", *ADD_REMOVE, "--limit", "odds=3", "--confidence", "1"],
            "--confidence 1: the value must be a number in (0, 1)",
        ),
        (["a.yaml", "b.yaml", *LIMIT], "2 files are given"),
        (["a.yaml", *ADD_REMOVE, *LIMIT], "--neighbors belongs in the file"),
        (["none.yaml", *LIMIT], "There is no such file"),
    ],
)
def test_bad_questions(args, says):
    done = run("plan", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert says in done.err


def test_pure_epsilon_is_a_limit():
    """At a delta of 0: twelve releases of 1/4 keep an epsilon of 3, and budget says so, too."""
    limit = ("--limit", "epsilon=3", "--at-delta", "0", *ADD_REMOVE)
    done = run("plan", *FIXED, "--epsilon", "0.25", *limit, "--json")
    assert (done.code, done.data["number"]) == (0, 12)
    (found,) = run("budget", *limit, "--releases", "12", "--json").data["budgets"]
    assert (found["definition"], found["value"]) == ("pure", 0.25)
    done = run("plan", *FIXED, "--rho", "0.25", *limit)
    assert done.code == 2 and "Limit ε at a δ above 0, such as 1e-6, and" in done.err
    done = run("plan", *FIXED, "--epsilon", "0.25", "--limit", "odds=2", *limit[2:])
    assert done.code == 2 and "--at-delta 0" in done.err


def test_the_rule_is_valid_whatever_is_released_next():
    """Unless one is named; it is said which one that is, and which other allows more."""
    asked = ("plan", "--epsilon", "0.2", *ADD_REMOVE, "--limit", "posterior=0.8", "--prior", "0.5")
    done = run(*asked, "--json")
    assert done.data["number"] == 4  # 0.0869 / 0.02
    assert done.data["rules"][done.data["best"]]["rule"] == "concentrated"
    assert done.data["limits"][0]["confidence"] == 0.99
    said = flat(run(*asked, "--quiet").out)
    assert "even if a release depends on the results of earlier ones" in said
    assert "With --rule pure, 6 releases keep the limit." in said
    assert "only if all releases were fixed in advance" in flat(run(*asked, *FIXED).out)
    pure = run(*asked, "--rule", "pure", "--json").data
    assert (pure["number"], pure["limits"][0]["confidence"]) == (6, None)
    assert run(*asked, "--rule", "simple").code == 2


def test_an_option_of_a_plan_is_named():
    asked = ("plan", "--epsilon", "0.1", *ADD_REMOVE, "--limit", "posterior=0.5", "--prior", "0.2")
    assert "--done 1.5: the value must be a whole number from 0" in run(*asked, "--done", "1.5").err
    assert run(*asked, "--done", "0", "--json").data == run(*asked, "--json").data
    wrong = run(*asked, "--delta", "1e-7", "--delta-budget", "2")
    assert "--delta-budget 2: the value must be below 1" in wrong.err


def test_a_delta_has_a_budget():
    limit = ("--limit", "posterior=0.9", "--prior", "0.1")
    asked = ("plan", "--epsilon", "0.5", "--delta", "1e-6", *ADD_REMOVE, *limit)
    assert "--delta-budget" in run(*asked).err
    assert run(*asked, "--delta-budget", "3e-6", "--json").data["number"] == 3
    assert "delta must be left out" in run(*asked, *FIXED, "--delta-budget", "3e-6").err
    assert "--at-delta is used by" in run(*asked, "--at-delta", "1e-6").err


def test_in_words_what_another_rule_allows(tmp_path):
    asked = ("plan", *ADD_REMOVE, "--limit", "posterior=0.6", "--prior", "0.1", "-q")
    said = flat(run(*asked, "--epsilon", "1").out)
    assert "Not even one release like this one is known to keep the limit by the rule conc" in said
    assert "With --rule pure, 2 releases keep the limit." in said
    said = flat(run(*asked, "--epsilon", "0.1", "--rule", "pure", "--done", "3").out)
    assert "With --rule concentrated, 54 more releases keep the limit." in said
    done = run(*asked, "--epsilon", "1", "--delta", "1e-6")
    assert flat(done.err).count("--rule fixed") == 1
    assert run(*asked[:3], "--epsilon", "1").err.startswith("Error: No limit is given.")
    foo = run("plan", "--epsilon", "1", *ADD_REMOVE, "--limit", "foo=0.5", "--prior", "0.2")
    assert "--limit foo: the value must be one of" in foo.err
