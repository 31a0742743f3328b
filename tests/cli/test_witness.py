"""``dprisk witness``: the mechanism, its table for ``dprisk audit``, or the reason; exit codes."""

from __future__ import annotations

import pytest

from dprisk.audit import Claim, ExactAudit, NeighborRelation, read_mechanism
from dprisk.papers import separate, witness
from tests.cli.running import run, write

ASKED = ("witness", "--epsilon", "1", "--delta", "1e-6", "--not-pdp")


def test_a_mechanism_is_found():
    done = run(*ASKED, "1.1,1e-5")
    assert (done.code, done.err) == (0, "")
    text = " ".join(done.out.split())
    assert "The mechanism keeps (1, 1e-6)-ADP." in text
    assert "does not keep one-sided (1.1, 1e-5)-PDP: the loss exceeds ε with probability 1" in text
    assert "dprisk, Proposition 14" in text


def test_none_is_a_reason_and_exit_code_3():
    done = run(*ASKED, "2,1e-5")
    assert (done.code, done.err) == (3, "")
    text = " ".join(done.out.split())
    assert text.startswith(
        "No such mechanism exists. Every mechanism with (1, 1e-6)-ADP (approximate DP) has"
    )
    assert (
        "ε − ln(1 − δ/g) (at most 1.10537, with g = 1e-5)" in text
        and "Guingona et al., Lemma 2.3" in text
    )
    data = run(*ASKED, "2,1e-5", "--json")
    assert data.code == 3
    assert data.data == witness("1", "1e-6", not_pdp=("2", "1e-5")).to_dict()
    assert run(*ASKED, "2,1e-5", "--csv").code == 3


def test_what_breaks_by_a_hair_is_not_said_to_be_kept():
    """Rounded to six digits, what is kept and what is not would be the same claim."""
    made = ("witness", "--name", "erasure-both", "epsilon=1", "delta=1e-6", "failure=1e-5", "-q")
    broken, kept = (
        [line.partition(sign)[2] for line in said if sign in line]
        for said in [" ".join(run(*made).out.split()).split("The mechanism ")]
        for sign in ("does not keep ", "keeps ")
    )
    assert len(kept) == len(broken) == 2 and not set(kept) & set(broken)
    assert "two-sided (log(just below B), just below failure)-PDP" in broken[1]
    made = ("witness", "--name", "theorem-3-2", "epsilon=0.01", "delta=1e-9", "beyond=20", "-q")
    assert "with probability just above 1e-9." in " ".join(run(*made).out.split())


def test_both_sides_have_another_price():
    one, both = (run(*ASKED, "1.12,1e-5", "--sides", sides) for sides in ("one", "both"))
    assert (one.code, both.code) == (3, 0)


def test_json_is_what_the_library_returns():
    done = run(*ASKED, "1.1,1e-5", "--json")
    assert done.data == witness("1", "1e-6", not_pdp=("1.1", "1e-5")).to_dict()


@pytest.mark.parametrize(
    "args",
    [
        (*ASKED, "1.1,1e-5"),
        (*ASKED, "1.12,1e-5", "--sides", "both"),
        ("witness", "--epsilon", "1", "--delta", "1e-300", "--not-pdp", "5,1e-300"),
        ("witness", "--name", "theorem-3-2", "epsilon=1", "delta=0.1", "beyond=2"),
        ("witness", "--name", "theorem-3-2", "epsilon=1", "delta=1e-100", "beyond=2"),
        ("witness", "--name", "example-5-6"),
    ],
)
def test_the_table_is_read_back_as_it_was(args, tmp_path):
    """CSV and JSON hold the exact fractions; the audit of the file says what was claimed."""
    data = run(*args, "--json").data
    made = read_mechanism(write(tmp_path, "w.csv", run(*args, "--csv").out))
    assert list(made.datasets) == data["mechanism"]["datasets"]
    assert [[str(v) for v in row] for row in made.exact()] == [
        [str(v) for v in row]
        for row in read_mechanism(write_json(tmp_path, data["mechanism"])).exact()
    ]


def write_json(folder, data):
    import json

    return write(folder, "w.json", json.dumps(data))


def test_audit_finds_the_claims(tmp_path):
    path = write(tmp_path, "w.csv", run(*ASKED, "1.1,1e-5", "--csv").out)
    made = read_mechanism(path)
    assert Claim.at("adp", 1, "1e-6").holds(made)
    everyone = NeighborRelation.all_pairs(made)
    assert ExactAudit(made, everyone).delta(3, kind="pdp").value > 1e-5
    zero = ("--tolerance", "0", "--exact")
    assert run("audit", path, "--claim", "epsilon=1, delta=1e-6", *zero).code == 0
    assert run("audit", path, "--claim", "epsilon=1.1, delta=1e-5, kind=pdp", *zero).code == 3


def test_names():
    listed = run("witness", "--list")
    assert listed.code == 0 and "P2 Theorem 3.2" in listed.out
    names = [each["name"] for each in run("witness", "--list", "--json").data]
    assert "four-outcomes" in names
    done = run("witness", "--name", "four-outcomes", "epsilon=1", "delta=0.01")
    text = " ".join(done.out.split())
    assert "0 + 1 → ⊥" in text and "The output of the post-processing does not keep" in text
    assert "Rounded to six digits" in text
    data = run("witness", "--name", "four-outcomes", "epsilon=1", "delta=0.01", "--json").data
    assert data == separate("four-outcomes", epsilon="1", delta="0.01").to_dict()


def test_a_large_table_is_not_printed():
    wide = run("witness", "--name", "theorem-3-2", "epsilon=1", "delta=0.3", "beyond=2")
    assert "24 datasets and 24 outputs: --csv and --json print the table." in wide.out
    large = run("witness", "--name", "theorem-3-2", "epsilon=1", "delta=1e-300", "beyond=2")
    text = " ".join(large.out.split())
    assert "n = about 1.01073e+301 rows and columns, so it is not written out" in text
    assert "- p = about 1" in text


def test_quiet():
    done = run(*ASKED, "1.1,1e-5", "--quiet")
    assert len(done.out.splitlines()) == 2
    assert "dataset" not in done.out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--epsilon", "1"], "--delta is missing"),
        (["--epsilon", "1", "--delta", "0", "--not-pdp", "1"], "an epsilon and a delta"),
        (["--epsilon", "x", "--delta", "0", "--not-pdp", "1,0"], "[0, 700]"),
        (["--epsilon", "1", "--delta", "2", "--not-pdp", "1,0"], "[0, 1]"),
        (
            ["--epsilon", "1", "--delta", "0", "--not-pdp", "1,0", "--sides", "two"],
            "one of 'both' or 'one'",
        ),
        (
            ["--epsilon", "1", "--delta", "0", "--not-pdp", "1,0", "x=1"],
            "x=1 belongs to a construction",
        ),
        (["--name", "one-bit"], "--epsilon is missing: it must be given with one-bit"),
        (["--name", "one-bot", "epsilon=1"], "Did you mean 'one-bit'?"),
        (["--name", "one-bit", "epsilon"], "written once, as name=value"),
        (["--name", "one-bit", "delta=1", "epsilon=1"], "left out with one-bit"),
        (["--name", "one-bit", "--epsilon", "1"], "epsilon=1. Leave --epsilon out"),
        (["--name", "leaky", "count=0"], "whole number"),
        (["--name", "leaky", "count=8", "--csv", "--json"], "--csv"),
    ],
)
def test_bad_input(args, words):
    done = run("witness", *args)
    assert done.code == 2 and done.out == ""
    assert words in done.err
    assert done.err.startswith("{" if "--json" in args else "Error: ")
