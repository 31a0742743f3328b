"""``dprisk audit``: tables, claims, relations, samples; words, JSON, exit codes, errors."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.audit import black_box, examine, read_mechanism, read_samples
from dprisk.progress import progress
from tests.cli.running import run, write
from tests.house.tree import ROOT

ANSWERS = ROOT / "examples" / "mechanisms" / "answers.csv"
COIN = "dataset,heads,tails\nno,0.75,0.25\nyes,0.25,0.75\n"


@pytest.fixture
def coin(tmp_path):
    """A file with a biased coin."""
    return write(tmp_path, "coin.csv", COIN)


@pytest.fixture
def runs(tmp_path):
    """A file with outputs of two runs."""
    rng = np.random.default_rng(2)
    lines = zip(rng.laplace(0, 1, 4000), rng.laplace(1, 1, 4000), strict=True)
    rows = "".join(f"{a},{b}\n" for a, b in lines)
    return write(tmp_path, "runs.csv", f"without,with\n{rows}")


def flat(text):
    return " ".join(text.split())


def test_json_is_what_the_library_returns(coin):
    claims = ["epsilon=1, delta=0.01", "tv=0.5"]
    asked = [word for claim in claims for word in ("--claim", claim)]
    done = run("audit", coin, *asked, "--epsilon", "0.5", "--json")
    assert (done.code, done.err) == (3, "")
    assert done.data == examine(read_mechanism(coin), claims=claims, epsilon=[0.5]).to_dict()
    assert (done.data["schema"], done.data["kept"]) == ("dprisk/audit/1", False)
    assert [one["decision"] for one in done.data["claims"]] == ["fails", "holds"]


def test_a_claim_that_fails(coin):
    """By how much, and the datasets and the set of outputs that break it."""
    done = run("audit", coin, "--claim", "epsilon=1, delta=0.01")
    assert (done.code, done.err) == (3, "")
    text = flat(done.out)
    assert "epsilon=1, delta=0.01: FAILS. delta is at least 0.0704295, 0.0604 more" in text
    assert "in {heads} with probability 0.75 on dataset no and 0.25 on dataset yes." in text
    assert "With the claimed delta of 0.01, an epsilon of 1.08519 would hold" in text
    assert "quantity" not in text


@pytest.mark.parametrize("extra", [[], ["--quiet"], ["--json"], ["--exact"]])
def test_exit_codes(coin, extra):
    """0 where all claims hold, 3 where one does not, whatever is printed."""
    assert run("audit", coin, *extra).code == 0
    assert run("audit", coin, "--claim", "epsilon=1.1", *extra).code == 0
    assert run("audit", coin, "--claim", "epsilon=1.1", "--claim", "tv=0.4", *extra).code == 3


def test_table(coin):
    """What every definition says, on both sides, and what it is about."""
    text = flat(run("audit", coin, "--epsilon", "1", "--delta", "0.1").out)
    for words in (
        "coin.csv - 2 datasets, 2 outputs. - Neighbors: all pairs (1 pair, in both directions).",
        "the smallest epsilon 1.09861 1.09862",
        "delta at epsilon 1 0.0704295 0.0704296",
        "epsilon at delta 0.1 0.955511 0.955512",
        "single outputs only (not a definition",
        "Post-processing can raise it",
    ):
        assert words in text


def test_exact(coin):
    """Fractions, where there are some; log(3) is decided."""
    done = run("audit", coin, "--exact", "--epsilon", "1", "--claim", "epsilon=log(3)")
    assert done.code == 0
    text = flat(done.out)
    assert (
        "epsilon=log(3): holds. The smallest epsilon equals the claimed 1.09861 to six digits"
        in text
    )
    assert "the total variation distance 1/2 1/2" in text
    assert run("audit", coin, "--claim", "epsilon=log(3)", "--tolerance", "0").code == 3


FOUR = """dataset,a,b,c,d
x,0.01,0.616,0.374,0
y,0,0.374,0.616,0.01
"""


def test_outputs_whose_merging_breaks_a_claim(tmp_path, coin):
    """P4, Theorem 1: 0.01 + 0.616 of one output more, where e^0.5 * 0.374 = 0.6166 keeps it."""
    four = write(tmp_path, "four.csv", FOUR)
    asked = ["--claim", "epsilon=0.5, delta=0.01, kind=pdp", "--merge"]
    done = run("audit", four, *asked)
    assert done.code == 0
    assert "merging outputs breaks it (a + b → ⊥)" in done.out
    assert "with probability 0.01 before, and 0.626 after" in " ".join(done.out.split())
    (found,) = run("audit", four, *asked, "--json").data["maps"]
    assert (found["before"], found["after"]) == ("1/100", "313/500")
    assert found["map"] == {"a": {"⊥": "1"}, "b": {"⊥": "1"}}
    enough = run("audit", four, "--claim", "epsilon=0.6, delta=0.7, kind=pdp", "--merge", "--quiet")
    assert "no merging of outputs breaks it (every" in " ".join(enough.out.split())
    own = run("audit", coin, "--claim", "epsilon=1, delta=0.1, kind=pdp", "--merge", "--quiet")
    assert own.code == 3
    assert "the mechanism itself breaks it" in " ".join(own.out.split())
    bad = run("audit", coin, "--claim", "epsilon=1", "--merge")
    assert bad.code == 2
    assert "kind=pdp" in bad.err
    assert run("audit", coin, "--merge").code == 2


def test_relations(tmp_path):
    """All pairs, one record replaced, or a list."""
    rows = {"00": (0.5, 0.5), "01": (0.6, 0.4), "11": (0.72, 0.28)}
    lines = "".join(f"{name},{a},{b}\n" for name, (a, b) in rows.items())
    bits = write(tmp_path, "bits.csv", f",x,y\n{lines}")
    edges = write(tmp_path, "edges.csv", "first,second\n00,01\n")
    found = {}
    for name in ("all", "hamming", edges):
        data = run("audit", bits, "--neighbors", name, "--json", "--epsilon", "0").data
        found[data["relation"], data["pairs"]] = round(data["findings"][1]["upper"], 9)
    assert found == {
        ("all pairs", 3): 0.22,
        ("Hamming distance one", 2): 0.12,
        ("listed pairs", 1): 0.1,
    }


def test_samples(runs):
    """Lower bounds with a confidence, never as a proof."""
    done = run("audit", runs, "--samples", "--delta", "0", "--level", "0.05", "--json")
    assert (done.code, done.err) == (0, "")
    first, second, names = read_samples(runs)
    found = black_box(first, second, delta=[0.0], level=[0.05], seed=1, names=names)
    assert done.data == found.to_dict()
    assert 0.5 < done.data["findings"][0]["lower"] < 1.0
    text = flat(run("audit", runs, "--samples").out)
    assert "With confidence 0.95, at delta 0, epsilon is at least 0." in text
    assert "evidence, not proof" in text
    assert "sets of outputs for each question; the split has seed 1." in text
    quiet = run("audit", runs, "--samples", "--quiet").out
    assert quiet.startswith("With confidence") and "Taken for granted" not in quiet


BAD = {
    "a row off": (",x\na,0.9\nb,1\n", [], ["coin.csv", "'a'", "off by -0.1"]),
    "one row": (",x\na,1\n", [], ["coin.csv", "at least two rows"]),
    "bad claim": (COIN, ["--claim", "epsilom=1"], ["--claim epsilom: ", "mean 'epsilon'?"]),
    "unknown relation": (COIN, ["--neighbors", "haming"], ["--neighbors haming: "]),
    "no such list": (COIN, ["--neighbors", "e.csv"], ["e.csv", "no such file"]),
    "level": (COIN, ["--level", "0.1"], ["--level", "--level needs --samples"]),
    "claims of samples": (COIN, ["--samples", "--claim", "tv=0.1"], ["--claim", "--samples"]),
    "wide samples": (COIN, ["--samples"], ["line 1", "3 cells"]),
    "epsilon NaN": (COIN, ["--epsilon", "nan"], ["--epsilon nan: "]),
    "delta above 1": (COIN, ["--delta", "2"], ["delta", "[0, 1]"]),
    "tolerance": (COIN, ["--tolerance", "1"], ["tolerance", "0.001"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case, tmp_path):
    """One line on stderr, exit code 2, nothing else."""
    text, extra, said = BAD[case]
    done = run("audit", write(tmp_path, "coin.csv", text), *extra)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    for words in said:
        assert words in done.err


def test_progress_of_a_large_table(tmp_path):
    """The library says how many pairs are done, to whoever wants to know."""
    rng = np.random.default_rng(0)
    told = []
    with progress(told.append):
        examine(rng.dirichlet(np.ones(300), 60), epsilon=[1.0])
    assert told == sorted(told) and len(told) > 2 and told[-1][1] == told[-1][2]
