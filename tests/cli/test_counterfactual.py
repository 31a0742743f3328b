"""``dprisk counterfactual``: with a record and without it, in words, a table and as JSON."""

from __future__ import annotations

import re

import pytest

from dprisk import PureDP, ZeroConcentratedDP, counterfactual, read_release
from dprisk.documents import assess_counterfactual
from tests.cli.running import ADD_REMOVE, HEAD, run, survey, write

REPLACE = ("--neighbors", "replace-one")
PURE = ("counterfactual", "--epsilon", "1", *REPLACE)
ZCDP = ("counterfactual", "--rho", "0.1", *REPLACE)
NOISE = "mechanisms: [{kind: gaussian, sigma: 4, sensitivity: 1, count: 3}]\n"


@pytest.fixture
def file(tmp_path):
    """A file with a mechanism, for replace-one neighbors."""
    head = HEAD.replace("add-remove", "replace-one")
    return write(tmp_path, "noise.yaml", head + NOISE)


def text(*args):
    done = run(*args)
    assert (done.code, done.err) == (0, "")
    return " ".join(done.out.split())


def test_json_is_what_the_library_returns(file):
    asked = ("--ratio", "2", "--confidence", "0.9", "--without", "0.2", "--releases", "2")
    done = run("counterfactual", file, *asked, "--json")
    assert (done.code, done.err) == (0, "")
    twice = ("counterfactual", file, "--releases", "2", "--json")
    assert run(*twice).data["releases"] == 2
    once = run("counterfactual", file, *asked[:6], "--json").data
    found = assess_counterfactual(
        read_release(file), ratios=[2.0], confidences=[0.9], without=[0.2]
    ).to_dict()
    assert once == found
    more = done.data["adversaries"][0]["exceeding"][0]["at_most"]
    assert more > once["adversaries"][0]["exceeding"][0]["at_most"]


def test_words_come_first_and_are_rounded_up():
    words = text(*PURE, "--adversary", "wrong-prior", "-q")
    assert words.startswith(
        "An adversary whose beliefs about the data may be wrong: suppose results made with a "
        "substitute for the record suggest a 10 in 100 chance that the record has a particular "
        "value."
    )
    assert "Results made with the record can bring that chance to at most 28 in 100" in words
    assert words.endswith(", whatever the results show.")
    assert text(*PURE, "--adversary", "wrong-prior").startswith(
        "A release with the given guarantee"
    )


def test_a_row_for_each_adversary_and_confidence():
    args = ("--confidence", "0.9", "--confidence", "0.99", "--ratio", "3", "--without", "0.02")
    done = run(*ZCDP, *args)
    rows = re.findall(r"^(\S+) +(0\.9+) +(\S+) +(\S+) +(.*)$", done.out, re.MULTILINE)
    assert [row[:2] for row in rows] == [
        (name, confidence)
        for name in ("true-record", "rest-known", "arbitrary-prior")
        for confidence in ("0.9", "0.99")
    ]
    for name, confidence, ratio, belief, theorem in rows:
        learned = counterfactual(ZeroConcentratedDP(0.1, neighbors="replace-one"), adversary=name)
        exact = learned.ratio(float(confidence)).value
        assert exact <= float(ratio) <= exact * 1.001
        after = learned.belief(0.02, float(confidence)).value
        assert after <= float(belief) <= after * 1.001
        assert theorem == str(learned.theorem)
        chance = learned.exceeding(3.0).value
        (shown,) = re.findall(rf"^{name} +(\S+)$", done.out, re.MULTILINE)
        assert chance <= float(shown) <= chance * 1.001


def test_assumptions_and_refusals_are_printed():
    words = text(*ZCDP)
    assert words.count("“Without the record” means with a substitute") == 1
    assert words.count("Neighboring datasets: replace-one.") == 1
    assert "Further assumptions for arbitrary-prior (an adversary with a correct model" in words
    assert "No bound - wrong-prior:" in words
    assert "Example 7.1" in words
    alone = text(*PURE, "--adversary", "wrong-prior", "--world", "default-record")
    assert "a fixed substitute in its place, which does not depend on the true record" in alone
    assert "besides" not in alone
    assert "No bound" not in alone


def test_no_bound_is_said():
    """A confidence that the guarantee does not leave."""
    words = text(
        "counterfactual", "--epsilon", "1", "--delta", "0.05", *REPLACE, "--confidence", "0.99"
    )
    assert "no bound" in words
    assert "There is almost no limit for this adversary: with the record" in words


def test_add_remove_and_dropped_records(tmp_path):
    dropped = text("counterfactual", "--epsilon", "0.5", *ADD_REMOVE, "--world", "dropped", "-q")
    assert dropped.count("can bring that chance to at most 24 in 100") == 4
    resampled = text("counterfactual", survey(tmp_path, "{epsilon: 0.5}"))
    assert "guarantee for two steps is used" in resampled


def test_a_mechanism_typed_in_is_that_of_a_file(file):
    typed = ("--mechanism", "gaussian", "sigma=4", "sensitivity=1", *REPLACE, "--releases", "3")
    mine = run("counterfactual", *typed, "--json").data["adversaries"]
    assert mine == run("counterfactual", file, "--json").data["adversaries"]


def test_remarks(tmp_path):
    head = HEAD + "neighbors_stated: false\n"
    stated = "guarantees: [{rho: 0.01}, {rho: 0.02}]\nstated_also: [{epsilon: 1, delta: 1e-5}]\n"
    words = text("counterfactual", write(tmp_path, "two.yaml", head + stated))
    assert "The source does not say" in words
    assert "may depend on earlier ones" in words
    assert "It does not use approximate DP with ε = 1, δ = 1e-5, which may also hold" in words
    assert "the values of ρ add up" in words


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "Name one thing that was released"),
        ([*PURE[1:], "--adversary", "true-recrd"], "Did you mean 'true-record'?"),
        ([*PURE[1:], "--world", "drop"], "Did you mean 'dropped'?"),
        ([*PURE[1:], "--world", "dropped"], "one record fewer"),
        ([*ZCDP[1:], "--adversary", "wrong-prior"], "Example 7.1"),
    ],
)
def test_bad_input(args, says):
    done = run("counterfactual", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_certain_bounds_are_those_of_pure_dp():
    data = run(*PURE, "--json").data
    sure = next(each for each in data["adversaries"] if each["adversary"] == "wrong-prior")
    assert sure["kept"][0]["confidence"] is None
    learned = counterfactual(PureDP(1.0, neighbors="replace-one"), adversary="wrong-prior")
    assert sure["kept"][0]["at_most"] == learned.ratio().value


def test_ratios_are_answered_in_brief():
    """Under pure DP with epsilon 1, a ratio above e^2 never happens; one below it may."""
    done = run("counterfactual", "--epsilon", "1", *ADD_REMOVE, "-q", "--adversary", "rest-known",
               "--ratio", "2", "--ratio", "8", "--ratio", "0.5")  # fmt: skip
    said = " ".join(done.out.split())
    assert "never suggest a chance more than 8 times as large" in said
    assert "no limit is known on how often results made with the record suggest a chance more " \
        "than 0.5 times" in said  # fmt: skip
    assert "with probability at most 0.464" in said  # 0.4637..., rounded up
