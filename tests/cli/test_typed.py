"""A refusal on the command line names the option and quotes what was typed."""

from __future__ import annotations

import pytest

from dprisk import Adversary
from dprisk.errors import InvalidInput
from tests.cli.running import ADD_REMOVE, run

ASSESS = ("assess", "--epsilon", "1", *ADD_REMOVE)
CONVERT = ("convert", "--rho", "0.1", *ADD_REMOVE)
PLAN = ("plan", "--epsilon", "0.05", *ADD_REMOVE)
SAID = {
    "as typed": ((*ASSESS, "--prior", "50"), "--prior 50: the value must be a number in [0, 1]."),
    "joined": ((*ASSESS, "--prior=1.50"), "--prior 1.50: the value must be a number in [0, 1]."),
    "one of several": ((*ASSESS, "--prior", "0.5", "--prior", "7e0"), "--prior 7e0: the value"),
    "a word": ((*CONVERT, "--to", "x"), "--to x: the value must be one of 'pure', 'approximate', "),
    "nothing": ((*ASSESS, "--prior", ""), "--prior '': the value must be a number"),
    "by its end": ((*CONVERT, "--to", "approximate", "--at-delta", "2"), "--at-delta 2: the value"),
    "a metric": ((*PLAN, "--limit", "foo=0.5"), "--limit foo: the value must be one of"),
    "a limit": ((*PLAN, "--limit", "posterior=2", "--prior", "0.1"), "--limit posterior=2: the"),
    "no number": ((*PLAN, "--limit", "posterior=x"), "--limit posterior=x: the value must be"),
    "left out": ((*PLAN, "--limit", "posterior=0.5"), "--prior is missing: it must be a number"),
    "an order": (
        (*CONVERT, "--to", "renyi"),
        "A conversion to renyi needs the order. Add it, such as --at-alpha 2.",
    ),
    "not as typed": (
        (*ASSESS, "--delta", "0.6"),
        "confidence must be below 0.4, got ",
    ),
    "with a unit": (
        ("compose", "examples/broadband.yaml", "--delta", "0.1", "--memory", "1MB"),
        "--memory must be a number in [1e+08, 1e+15], got 1000000.0.",
    ),
    "an argument": (("deployments", "zzz"), "must be part of a shipped name"),
}


@pytest.mark.parametrize("case", SAID)
def test_what_was_typed_is_quoted(case):
    """In the reader's words where that is certain; otherwise as the library says it."""
    args, said = SAID[case]
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    assert f"Error: {said}" in done.err or (case == "an argument" and said in done.err)


def test_a_long_text_is_cut():
    done = run(*ASSESS, "--prior", "x" * 500)
    assert f"--prior {'x' * 57}...: the value" in done.err


def test_python_names_the_parameter():
    with pytest.raises(InvalidInput, match=r"^prior must be .*got 50\.0"):
        Adversary(priors=[50.0])


def test_what_is_wrong_is_named_before_what_is_missing():
    """A value outside its range, and of several parameters the one that is unknown."""
    noise = ("assess", "--mechanism", "gaussian")
    assert "sigma=0: the value" in run(*noise, "sigma=0", "sensitivity=1").err
    known = (*noise, "sigma=1", "sensitivity=1", "noise_multiplier=1", *ADD_REMOVE)
    assert "noise_multiplier" in run(*known).err.partition(". ")[0]
