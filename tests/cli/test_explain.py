"""``dprisk explain``: for whom, about what, in text and as JSON."""

from __future__ import annotations

import pytest

from dprisk import read_release
from dprisk.documents import explain
from dprisk.documents.explaining import AUDIENCES
from tests.cli.running import ADD_REMOVE, HEAD, run, survey, write

PURE = ("explain", "--epsilon", "1", *ADD_REMOVE)
CLAIM = "your manager concludes that you answered No"


def text(*args):
    done = run(*args)
    assert (done.code, done.err) == (0, "")
    return " ".join(done.out.split())


@pytest.mark.parametrize("audience", AUDIENCES)
def test_json_is_what_the_library_returns(audience, tmp_path):
    file = survey(tmp_path, "{epsilon: 0.1, delta: 1e-7}")
    asked = ("--audience", audience, "--claim", CLAIM, "--prior", "0.5", "--after", "3")
    done = run("explain", file, *asked, "--limit", "posterior=0.6", "--json")
    assert (done.code, done.err) == (0, "")
    made = explain(
        read_release(file),
        audience,
        claim=CLAIM,
        priors=[0.5],
        after=[3],
        limits={"posterior": 0.6},
    )
    assert done.data == made.to_dict()


@pytest.mark.parametrize("audience", AUDIENCES)
def test_everything_is_printed_in_order(audience):
    words = text(*PURE, "--audience", audience, "--after", "2")
    made = run(*PURE, "--audience", audience, "--after", "2", "--json").data
    at = 0
    for section in made["sections"]:
        for part in (section["title"], *(each["text"] for each in section["sentences"])):
            at = words.index(" ".join(part.split()), at) + len(part)


def test_lay_readers_come_first():
    """Left out, the audience is the person whose data it is; the comparison is what comes first."""
    out = run(*PURE).out
    assert out.startswith("A release with the given guarantee: what it can reveal about you\n\n")
    assert out.splitlines()[2] == "What someone can learn about you"
    assert max(map(len, out.splitlines())) <= 100


def test_quiet_is_the_comparison_alone():
    words = text(*PURE, "--claim", CLAIM, "--prior", "0.1", "-q")
    assert words == (
        "Suppose your manager can see everyone else's data. "
        "Before seeing the results, they think there is a 10 in 100 chance that you answered No. "
        "The published results can raise that chance to at most 46 in 100. "
        "This limit holds whatever the results show. "
        "Your claim is read as: your record has this value."
    )


def test_a_claim_does_not_reach_the_terminal():
    out = run(*PURE, "--claim", "you are\x1b[31m red\u202e").out
    assert "\x1b" not in out and "\u202e" not in out
    assert "\\x1b[31m" in out


def test_a_mechanism_a_unit_and_several_releases():
    noise = ("--mechanism", "laplace", "scale=4", "sensitivity=1", *ADD_REMOVE)
    assert "Laplace noise (scale 4.0, sensitivity 1.0)" in text("explain", *noise)
    assert "someone knows all the data except your household's data." in text(
        *PURE, "--unit", "household"
    )
    assert ", in each of 3 releases (unit not stated" in text(*PURE, "--releases", "3")


def test_a_file_without_a_number(tmp_path):
    silent = write(tmp_path, "silent.yaml", "url_slug: a\ndeployment: {basic: {name: A}}\n")
    words = text("explain", silent, "--audience", "regulator")
    assert "A cannot be assessed." in words and "What the limits do not cover" in words


def test_limits_are_explained_and_decide_the_exit_code():
    for limit, code, words in (("0.2", 3, "is not kept"), ("0.3", 0, "is kept")):
        done = run(
            *PURE, "--audience", "curator", "--limit", f"posterior={limit}", "--prior", "0.1"
        )
        assert done.code == code
        assert words in done.out
    assert run(*PURE, "--delta", "1", "--limit", "posterior=0.95").code == 3


def test_several_parts_are_composed(tmp_path):
    stated = write(tmp_path, "two.yaml", HEAD + "guarantees: [{epsilon: 1}, {rho: 0.1}]\n")
    assert "Together, the parts satisfy" in text("explain", stated, "--after", "2")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "Name one thing that was released"),
        (["--epsilon", "1"], "--neighbors is missing"),
        ([*PURE[1:], "a.yaml"], "beside a.yaml: each is a release of its own"),
        (["a.yaml", "b.yaml"], "2 files are given"),
        (["a.yaml", "--unit", "person"], "--unit belongs in the file"),
        (["a.yaml", *ADD_REMOVE], "--neighbors belongs in the file"),
        (["a.yaml"], "There is no such file"),
        ([*PURE[1:], "--audience", "curators"], "Did you mean 'curator'?"),
        ([*PURE[1:], "--secret", "member"], "Did you mean 'membership'?"),
        ([*PURE[1:], "--claim", " "], "--claim ' ': the value must be a sentence"),
        ([*PURE[1:], "--prior", "2"], "--prior 2: the value must be a number in [0, 1]"),
        ([*PURE[1:], "--after", "0"], "--after 0: the value must be a whole number"),
        ([*PURE[1:], "--confidence", "1"], "--confidence 1: the value must be a number in (0, 1)"),
        ([*PURE[1:], "--limit", "belief=1"], "--limit belief: the value must be one of"),
    ],
)
def test_bad_input(args, says):
    done = run("explain", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ") and done.err.count("\n") == 1
    assert says in done.err
