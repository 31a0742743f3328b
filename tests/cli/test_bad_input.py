"""Bad input: one line on stderr that says what, which value, what is allowed and what to do."""

from __future__ import annotations

import math
import tracemalloc

import pytest
from typer.testing import CliRunner

from dprisk.cli import application
from dprisk.errors import DpriskError
from tests.cli.running import ADD_REMOVE, HEAD, run, survey, write

WRITE_OUT = "Write it out, such as 0.5 or 1e-6."
PURE = ("--epsilon", "1", *ADD_REMOVE)
APPROX = ("--epsilon", "1", "--delta", "0.25", *ADD_REMOVE)


def refused(*args):
    """The message of a command that has to fail: one line, nothing on stdout, exit code 2."""
    done = run(*args)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1 and done.err.endswith("\n")
    assert "Traceback" not in done.err
    return done.err


TYPED = {
    "epsilon below 0": (["--epsilon", "-1"], ["--epsilon -1: ", "[0, inf]"]),
    "epsilon NaN": (["--epsilon", "nan"], ["--epsilon nan: ", WRITE_OUT]),
    "epsilon inf": (["--epsilon", "inf"], ["--epsilon inf: ", WRITE_OUT]),
    "epsilon too large": (["--epsilon", "1e400"], ["--epsilon 1e400: ", "to 1.7e308"]),
    "epsilon too small": (["--epsilon", "1e-400"], ["--epsilon 1e-400: ", "further from 0"]),
    "epsilon a word": (["--epsilon", "abc"], ["--epsilon abc: ", WRITE_OUT]),
    "epsilon empty": (["--epsilon", ""], ["--epsilon '': ", WRITE_OUT]),
    "epsilon with a comma": (["--epsilon", "0,5"], ["--epsilon 0,5: ", WRITE_OUT]),
    "delta below 0": (["--epsilon", "1", "--delta", "-1"], ["--delta -1: ", "[0, 1]"]),
    "delta above 1": (["--epsilon", "1", "--delta", "1.5"], ["--delta 1.5: ", "[0, 1]"]),
    "delta 1": (["--epsilon", "1", "--delta", "1"], ["delta=1.0", "promises something"]),
    "delta a fraction": (["--epsilon", "1", "--delta", "1/n"], ["--delta 1/n: ", WRITE_OUT]),
    "delta a power": (["--epsilon", "1", "--delta", "n^-2"], ["--delta 'n^-2': ", WRITE_OUT]),
    "rho below 0": (["--rho", "-0.1"], ["--rho -0.1: ", "[0, "]),
    "mu below 0": (["--mu", "-0.1"], ["--mu -0.1: ", "[0, "]),
    "order 1": (["--alpha", "1", "--gamma", "1"], ["--alpha 1: ", "(1, "]),
    "order without limit": (["--alpha", "2"], ["{alpha, gamma}", "'alpha'"]),
    "delta with mu": (["--delta", "1e-6", "--mu", "1"], ["'delta, mu'", "no others"]),
    "delta alone": (["--delta", "1e-6"], ["{epsilon, delta}", "'delta'"]),
    "epsilon with rho": (
        ["--epsilon", "1", "--rho", "1"],
        ["epsilon and rho are separate guarantees", "stated_also"],
    ),
    "unknown definition": (
        ["--epsilon", "1", "--delta", "0.1", "--definition", "bound"],
        ["definition: bound", "{definition: bounded, epsilon, delta}"],
    ),
}


@pytest.mark.parametrize("case", TYPED)
def test_guarantee_typed_in(case):
    """Every wrong guarantee is refused with its parameter and its value."""
    args, said = TYPED[case]
    message = refused("assess", *args, *ADD_REMOVE)
    for words in said:
        assert words in message


ASKED = {
    "prior below 0": (PURE, ["--prior", "-0.1"], ["--prior -0.1: ", "[0, 1]"]),
    "prior above 1": (PURE, ["--prior", "1.1"], ["--prior 1.1: ", "[0, 1]"]),
    "second prior": (PURE, ["--prior", "0.5", "--prior", "7"], ["--prior 7: ", "[0, 1]"]),
    "prior NaN": (PURE, ["--prior", "NaN"], ["--prior NaN: ", WRITE_OUT]),
    "prior in percent": (PURE, ["--prior", "10%"], ["--prior 10%: ", WRITE_OUT]),
    "confidence 0": (APPROX, ["--confidence", "0"], ["--confidence 0: ", "(0, 1)", "0.99"]),
    "confidence 1": (APPROX, ["--confidence", "1"], ["--confidence 1: ", "(0, 1)", "0.99"]),
    "confidence 99": (APPROX, ["--confidence", "99"], ["--confidence 99: ", "(0, 1)", "0.99"]),
    "confidence NaN": (APPROX, ["--confidence", "nan"], ["--confidence nan: ", WRITE_OUT]),
    "confidence empty": (APPROX, ["--confidence", ""], ["--confidence '': ", WRITE_OUT]),
    "confidence below delta": (
        APPROX,
        ["--confidence", "0.125"],
        ["--confidence 0.125: ", "above 0.25", "not that they fail"],
    ),
    "confidence at 1 - delta": (
        APPROX,
        ["--confidence", "0.75"],
        ["--confidence 0.75: ", "below 0.75", "limits nothing"],
    ),
    "confidence above 1 - delta": (
        APPROX,
        ["--confidence", "0.99"],
        ["--confidence 0.99: ", "below 0.75", "limits nothing"],
    ),
    "membership under replace-one": (
        ["--epsilon", "1", "--neighbors", "replace-one"],
        ["--secret", "membership"],
        ["Membership has no meaning under replace-one", "Ask about an attribute"],
    ),
    "unknown secret": (
        PURE,
        ["--secret", "atribute"],
        ["--secret atribute: ", "mean 'attribute'?"],
    ),
    "limit without a sign": (PURE, ["--limit", "posterior"], ["--limit", "posterior=0.8"]),
    "unknown metric": (
        PURE,
        ["--limit", "posterio=0.8"],
        ["--limit posterio: ", "mean 'posterior'?"],
    ),
    "no metric": (PURE, ["--limit", "=0.8"], ["--limit '': ", "'posterior', 'odds'"]),
    "limit NaN": (PURE, ["--limit", "odds=nan"], ["--limit odds=nan: ", WRITE_OUT]),
    "limit empty": (PURE, ["--limit", "odds="], ["--limit odds=: ", WRITE_OUT]),
    "limit above 1": (PURE, ["--limit", "posterior=80"], ["--limit posterior=80: ", "[0, 1]"]),
    "limit twice": (
        PURE,
        ["--limit", "odds=2", "--limit", "odds=200"],
        ["--limit odds is given 2 times", "Leave out all but one"],
    ),
    "no releases": (PURE, ["--releases", "0"], ["--releases 0: ", "from 1 to 10^9"]),
    "fewer than no releases": (PURE, ["--releases", "-3"], ["--releases -3: ", "from 1"]),
    "half a release": (PURE, ["--releases", "1.5"], ["--releases 1.5: ", "in digits"]),
    "releases in words": (PURE, ["--releases", "two"], ["--releases two: ", "in digits"]),
    "releases beyond": (PURE, ["--releases", "9" * 40], ["--releases", "from 1 to 10^9"]),
    "releases padded": (PURE, ["--releases", "0" * 10 + "1" + "9" * 12], ["--releases"]),
}


@pytest.mark.parametrize("case", ASKED)
def test_question(case):
    """Every wrong question is refused with its parameter and its value."""
    typed, args, said = ASKED[case]
    message = refused("assess", *typed, *args)
    for words in said:
        assert words in message


@pytest.mark.parametrize(
    ("delta", "confidence", "words"),
    [
        ("0.001", "0.999", "below 0.999."),
        ("0.01", "0.99", "below 0.99."),
        ("0.1", "0.05", "above 0.1."),
        ("1e-6", "1e-7", "above 1e-06."),
    ],
)
def test_confidence_is_read_as_written(delta, confidence, words):
    """1 - 0.999 is 0.001 to the last digit, and values come back as they were given."""
    typed = ("--epsilon", "1", "--delta", delta, *ADD_REMOVE)
    assert words in refused("assess", *typed, "--confidence", confidence)


def test_default_confidence_that_is_too_high():
    """Left out, it is the highest of a few that holds; where none does, the limit is named."""
    loose = ("assess", "--epsilon", "1", *ADD_REMOVE, "--delta")
    assert "at least 75 of 100 cases" in " ".join(run(*loose, "0.1").out.split())
    assert "confidence must be below 0.4," in refused(*loose, "0.6")


@pytest.mark.parametrize("epsilon", [1.0, 0.3])
def test_without_neighbors_both_answers_are_offered(epsilon):
    """From 10 in 100, odds grow by at most e^epsilon in one step, and its square in two."""
    message = refused("assess", "--epsilon", str(epsilon))
    two, one = (math.exp(steps * epsilon) / (9.0 + math.exp(steps * epsilon)) for steps in (2, 1))
    for relation in ("add-remove", "replace-one"):
        assert f"--neighbors {relation}" in message
    assert f"at most {math.ceil(100 * two)} in 100 under add-remove" in message
    assert f"at most {math.ceil(100 * one)} in 100 under replace-one" in message
    assert "docs/neighbors.md" in message


def test_without_neighbors_noise_of_one_relation_only_offers_no_numbers():
    sampled = ("--mechanism", "subsampled-gaussian", "sigma=1", "sensitivity=1", "rate=0.01")
    message = refused("power", *sampled, "--level", "0.05")
    assert "--neighbors is missing" in message
    assert "in 100" not in message


def test_unknown_neighbors_get_a_suggestion():
    """A near miss is guessed, and anything else lists what there is."""
    assert "Did you mean 'add-remove'?" in refused("assess", "--epsilon=1", "--neighbors=addremove")
    assert "'add-remove' or 'replace-one'" in refused("assess", "--epsilon=1", "--neighbors=twins")


@pytest.mark.parametrize(
    ("word", "here"),
    [
        ("unbounded", "add-remove"), ("Add/Remove", "add-remove"), ("add-or-remove", "add-remove"),
        ("bounded", "replace-one"), ("substitute", "replace-one"), ("replace_one", "replace-one"),
    ],
)  # fmt: skip
def test_other_words_for_neighbors(word, here, tmp_path):
    """What can mean one relation only is read as that, typed in or in a file."""
    path = survey(tmp_path, head=HEAD.replace("add-remove", word))
    for args in (("--epsilon", "1", "--neighbors", word), (path,)):
        done = run("assess", *args, "--json")
        assert (done.code, done.data["neighbors"]) == (0, here)


def test_other_words_for_definitions():
    """The short names of the field."""
    for word, here in {"zCDP": "concentrated", "gdp": "gaussian", "RDP": "renyi"}.items():
        at = ("--at-alpha", "2") if word == "RDP" else ()
        done = run("convert", "--epsilon", "1", *ADD_REMOVE, "--to", word, *at, "--json")
        assert (done.code, done.data[0]["definition"]) == (0, here)


def test_a_percentage_is_guessed():
    """A hint is about the value that was given."""
    said = refused("assess", "--epsilon", "1", "--prior", "50", *ADD_REMOVE)
    assert "Did you mean 0.5?" in said
    said = refused("assess", "--epsilon", "1", "--delta", "-1e-9", *ADD_REMOVE)
    assert said.endswith(
        "--delta -1e-9: the value must be a number in [0, 1]. It is a probability.\n"
    )


def test_pure_has_no_delta():
    """A delta beside the word pure is refused, and the word alone is understood."""
    message = refused("assess", "--epsilon=1", "--delta=1e-6", "--definition=pure", *ADD_REMOVE)
    assert "pure DP with a delta" in message
    assert "leave out the definition" in message
    assert run("assess", "--epsilon=1", "--definition=pure", *ADD_REMOVE).code == 0


def test_nothing_asked():
    """Without a file and without a guarantee, the message shows how to ask."""
    message = refused("assess")
    assert "Name a file, or type a promise" in message
    assert "Example: dprisk assess --epsilon 1 " in message


def test_ten_megabytes(tmp_path):
    """Junk is refused for its size, before it is in memory."""
    path = tmp_path / "x.yaml"
    path.write_bytes(b"junk: " * 1_750_000)
    refused("assess", path)  # what is imported on the way does not count
    tracemalloc.start()
    try:
        assert "larger than 1 MB" in refused("assess", path)
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()


def test_one_bad_file_among_good_ones(tmp_path):
    """A file that cannot be read stops everything: nothing is printed for the others."""
    good, bad = survey(tmp_path), write(tmp_path, "bad.yaml", "")
    assert refused("assess", good, bad).startswith(f"Error: {bad}")
    assert refused("assess", good, good, "--limit", "odd=3").startswith("Error: --limit odd: ")
    assert refused("assess", good, good, "--confidence", "99").startswith(
        "Error: --confidence 99: "
    )


def test_names_that_a_terminal_would_obey():
    """Control characters and line breaks in a name stay on their line, written out."""
    message = refused("assess", "a\n\x1b[31mb\x9b\u202e.yaml")
    assert "\\x1b[31mb\\x9b\\u202e.yaml" in message


LANDING = {
    "unknown target": (["--epsilon", "1", "--to", "pur"], ["--to pur: ", "Did you mean 'pure'?"]),
    "no landing point": (
        ["--rho", "1", "--to", "approximate"],
        ["either --at-delta or --at-epsilon"],
    ),
    "two landing points": (
        ["--rho", "1", "--to", "approximate", "--at-delta", "0.1", "--at-epsilon", "1"],
        ["either --at-delta or --at-epsilon"],
    ),
    "no order": (
        ["--rho", "1", "--to", "renyi"],
        ["needs the order. Add it, such as --at-alpha 2."],
    ),
    "superfluous point": (
        ["--epsilon", "1", "--to", "tradeoff", "--at-delta", "0.1"],
        ["delta", "0.1", "left out"],
    ),
    "landing at a formula": (
        ["--rho", "1", "--to", "approximate", "--at-delta", "1/n"],
        ["--at-delta", "1/n: ", WRITE_OUT],
    ),
    "landing nowhere": (
        ["--rho", "1", "--to", "approximate", "--at-delta", ""],
        ["--at-delta", "''", WRITE_OUT],
    ),
    "delta above 1": (
        ["--rho", "1", "--to", "approximate", "--delta", "2"],
        ["--delta 2: ", "[0, 1]"],
    ),
    "unknown sides": (
        ["--rho", "1", "--to", "probabilistic", "--delta", "0.1", "--sides", "two"],
        ["sides", "'both' or 'one'", "--sides two: "],
    ),
    "delta to pure": (
        ["--epsilon", "1", "--delta", "0.1", "--to", "pure"],
        ["no pure guarantee", "infinite privacy loss"],
    ),
    "zCDP to pure": (["--rho", "1", "--to", "pure"], ["no pure guarantee", "unbounded"]),
    "zCDP to Gaussian": (
        ["--rho", "1", "--to", "gaussian"],
        ["no gaussian", "no theorem in the table leads there"],
    ),
    "zCDP at delta 0": (
        ["--rho", "1", "--to", "approximate", "--delta", "0"],
        ["delta = 0", "Ask for a larger delta"],
    ),
    "back to add-remove": (
        ["--epsilon", "1", "--neighbors", "replace-one", "--to-neighbors", "add-remove"],
        ["says nothing about add-remove", "Ask for a guarantee"],
    ),
    "from no neighbors": (["--epsilon", "1", "--to-neighbors", "replace-one"], ["--neighbors"]),
}


@pytest.mark.parametrize("case", LANDING)
def test_conversion(case):
    """A conversion that does not exist says why, and one that lacks a point asks for it."""
    args, said = LANDING[case]
    related = () if case == "from no neighbors" or "--neighbors" in args else ADD_REMOVE
    message = refused("convert", *args, *related)
    for words in said:
        assert words in message


def test_unknown_schema_and_deployment():
    """The names that exist are listed, or the message says where they are."""
    assert "release, assessment, composition or ledger, got 'releases'" in refused(
        "schema", "releases"
    )
    message = refused("deployments", "zzz")
    assert "'zzz'" in message
    assert "dprisk deployments lists them" in message


@pytest.mark.parametrize("args", [["assess", "--epsilon", "x"], ["convert"], ["schema", "x"]])
def test_the_application_raises_its_own_errors(args):
    """Inside typer, too, an error is one of ours and prints nothing."""
    done = CliRunner().invoke(application(), args)
    assert isinstance(done.exception, DpriskError)
    assert done.stdout == ""


def test_a_bound_on_the_raw_output_alone_is_offered():
    """Probabilistic DP at its own confidence: about what is computed from it there is none."""
    given = ["--definition", "probabilistic", "--epsilon", "1", "--delta", "0.01", *ADD_REMOVE]
    given += ["--confidence", "0.99"]
    assert "use --raw-output (in Python: post_processing=False)" in refused("assess", *given)
    assert run("assess", *given, "--raw-output", "-q").code == 0
    approximate = ["--epsilon", "1", "--delta", "0.01", *ADD_REMOVE, "--confidence", "0.99"]
    assert "--raw-output" not in refused("assess", *approximate)
