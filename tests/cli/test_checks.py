"""``dprisk check``: verdicts, exit codes, JSON, what is refused."""

from __future__ import annotations

import json

import pytest

import dprisk
from dprisk.cli.checks import REASONS
from dprisk.composition.opinion import READINGS
from dprisk.mechanisms import Gaussian
from tests.cli.running import run

NOISE = (
    "check",
    "--mechanism",
    "gaussian",
    "sigma=1",
    "sensitivity=1",
    "--neighbors",
    "add-remove",
)


@pytest.fixture
def state(tmp_path):
    """The state of an accountant, as JSON."""
    path = tmp_path / "accountant.json"
    path.write_text(json.dumps({"history": [[1.0, 0.004, 14062]], "mechanism": "gdp"}))
    return str(path)


@pytest.mark.parametrize(
    ("epsilon", "code", "words"),
    [
        ("4.3", 3, "This is BELOW THE TRUTH: no ε below 4.37717 holds for what was run."),
        ("4.5", 0, "This holds, and ε = 4.37718 holds as well"),
        ("4.377178095681225", 0, "This agrees with the certified ε."),
    ],
)
def test_verdicts(epsilon, code, words):
    done = run(*NOISE, "--states", f"epsilon={epsilon},delta=1e-5", "--quiet")
    assert (done.code, done.err) == (code, "")
    assert words in " ".join(done.out.split())


def test_json_is_what_the_library_returns():
    done = run(*NOISE, "--states", "epsilon=4.3,delta=1e-5", "--json")
    made = dprisk.check(Gaussian(1.0, 1.0, neighbors="add-remove"), epsilon=4.3, delta=1e-5)
    assert done.code == 3
    assert done.data == {**made.to_dict(), "name": "A release with the given mechanism"}


def test_a_file_of_a_tool(state):
    told = ("sampling=poisson", "neighbors=add-remove", "--states", "epsilon=2.54503,delta=1e-5")
    done = run("check", state, *told)
    assert done.code == 3
    for words in ("2.62506", "central limit", "14,062 times", "whether tuning counts (tuning)"):
        assert words in " ".join(done.out.split())


def test_options_answer_what_a_file_leaves_open(state):
    told = ("--sampling", "poisson", "--neighbors", "add-remove")
    done = run("check", state, *told, "--states", "epsilon=2.54503,delta=1e-5", "--json")
    assert (done.code, done.data["tool"]) == (3, "Opacus")


def test_a_training_run_in_the_words_of_its_log():
    run_ = ("--noise-multiplier", "1", "--sample-rate", "0.004", "--steps", "14062")
    told = ("--sampling", "poisson", "--neighbors", "add-remove")
    done = run("check", *run_, *told, "--states", "epsilon=2.54503,delta=1e-5", "--json")
    assert done.code == 3
    assert done.data["comparisons"][0]["reasons"] == ["central-limit"]


def test_a_promise_is_called_one():
    done = run(
        "check", "--epsilon", "1", "--neighbors", "add-remove", "--states", "epsilon=0.5", "-q"
    )
    assert done.code == 3
    assert "no ε below 1 holds for everything that keeps these promises" in " ".join(
        done.out.split()
    )


def test_nothing_stated():
    done = run(*NOISE, "--at-delta", "1e-5", "-q")
    assert (done.code, done.out) == (
        0,
        "At δ = 1e-5, ε = 4.37718 holds; nothing below 4.37717 does.\n",
    )


@pytest.mark.parametrize(
    ("sigma", "stated", "delta"),
    [
        ("0.5", "9.9972561312", "1e-5"),
        ("4.224678889319316", "1", "1e-6"),
    ],
)
def test_as_many_digits_as_the_difference_needs(sigma, stated, delta):
    """What is named as the least is above the statement that it refutes."""
    noise = ("check", "--mechanism", "gaussian", f"sigma={sigma}", "sensitivity=1", *NOISE[-2:])
    done = run(*noise, "--states", f"epsilon={stated},delta={delta}", "-q")
    shown = " ".join(done.out.split()).partition("no ε below ")[2].partition(" ")[0]
    assert done.code == 3
    assert float(shown) > float(stated)


def test_what_is_undecided_shows_both_ends():
    noise = ("truncated-poisson", "sigma=1", "sensitivity=1", "rate=.01", "cap=6", "records=600")
    done = run(
        *("check", "--mechanism", *noise, "--neighbors", "add-remove"),
        *("--states", "epsilon=.3,delta=1e-5", "-q"),
    )
    assert done.code == 0
    words = "ε = 2.21594 holds and that no ε below 0.161257 does, so this statement may"
    assert words in " ".join(done.out.split())


def test_every_reason_has_a_sentence():
    assert set(REASONS) == {*READINGS, "small-delta"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Say what was stated"),
        (("--states", "three"), "Write it as epsilon=3,delta=1e-5."),
        (("--states", "epsilon=1,epsilon=2"), "--states epsilon"),
        (("--states", "eps=1"), "Did you mean 'epsilon'?"),
        (("--states", "epsilon=x"), "--states epsilon"),
        (("--states", "epsilon=1,delta=1e-5", "--at-delta", "1e-6"), "leave --at-delta out"),
    ],
)
def test_bad_input(options, words):
    done = run(*NOISE, *options)
    assert done.code == 2
    assert words in " ".join(done.err.split())


def test_what_a_file_leaves_open_is_asked_by_name(state):
    done = run("check", state, "--states", "epsilon=3,delta=1e-5")
    assert done.code == 2
    assert "sampling=poisson" in done.err
    assert "neighbors=add-remove" in done.err
