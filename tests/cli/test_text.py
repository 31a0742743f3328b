"""What is printed for people: plain in a pipe, drawn on a terminal, never wider than it."""

from __future__ import annotations

import re
from contextlib import redirect_stdout

import pytest

from dprisk._asking.answers import belief, table
from dprisk._values import printable
from dprisk.cli.show import document
from dprisk.documents.beliefs import headline
from dprisk.releases import deployments
from tests.cli.running import ADD_REMOVE, HEAD, Pipe, Terminal, run, survey, write
from tests.house.tree import ROOT

PURE = ("assess", "--epsilon", "1", *ADD_REMOVE)
EXAMPLE = str(ROOT / "examples" / "broadband.yaml")
DRAWN = re.compile(r"[\x1b\u2500-\u259f]")
COLOR = re.compile(r"\x1b\[[0-9;]*\b(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])\b[0-9;]*m")
COMMANDS = [
    PURE,
    (
        "convert",
        "--rho",
        "2.63",
        "--neighbors",
        "replace-one",
        "--to",
        "approximate",
        "--delta",
        "1e-10",
        "--all",
    ),
    ("deployments",),
    ("deployments", "broadband"),
    ("compose", EXAMPLE, "--delta", "1e-6", "--power", "0.05"),
    ("ladder", "--rho", "0.01", *ADD_REMOVE, "--releases", "30", "--limit", "posterior=0.7"),
    ("schema", "release"),
]


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch):
    """A terminal of a known kind, whatever the tests run in."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_plain_in_a_pipe(args):
    """Neither boxes nor escape codes, and the same whatever the width of the window."""
    done = run(*args)
    assert done.code == 0
    assert not DRAWN.search(done.out)
    assert done.out.strip()


@pytest.mark.parametrize("args", COMMANDS[:6], ids=" ".join)
def test_drawn_on_a_terminal(args):
    """Tables have lines there, with the same numbers in them."""
    drawn, plain = run(*args, terminal=True).out, run(*args).out
    assert DRAWN.search(drawn)
    numbers = re.findall(r"\d[\d.e+-]*", plain)
    assert set(numbers) <= set(re.findall(r"\d[\d.e+-]*", re.sub(r"\x1b\[\d*m", "", drawn)))


def test_no_color(monkeypatch):
    """With NO_COLOR, and on a dumb terminal, no colour is asked for."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOR.search(run(*PURE, terminal=True).out)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not COLOR.search(run(*PURE, terminal=True).out)


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_width_of_the_terminal(columns, monkeypatch):
    """Nothing is wider than the window; prose is never wider than 100 columns."""
    monkeypatch.setenv("COLUMNS", str(columns))
    text = re.sub(r"\x1b\[\d*m", "", run(*PURE, terminal=True).out)
    assert max(map(len, text.splitlines())) <= columns
    prose = [line for line in text.splitlines() if not DRAWN.search(line)]
    assert max(map(len, prose)) <= 100


def test_width_of_a_pipe():
    """100 columns, also where a window is narrower."""
    lines = run("assess", "--rho", "19.776", *ADD_REMOVE).out.splitlines()
    assert 80 < max(map(len, lines)) <= 100


def test_quiet_is_the_headline(tmp_path):
    """One headline a release; with several, each says which it is about."""
    one = run(*PURE, "--quiet")
    assert " ".join(one.out.split()).count(". ") == 2
    first = survey(tmp_path, name="a.yaml", head=HEAD.replace("Town", "First"))
    silent = write(tmp_path, "b.yaml", "url_slug: a\ndeployment: {basic: {name: Silent}}\n")
    text = " ".join(run("assess", first, silent, "-q").out.split())
    assert text.startswith("First survey: Suppose someone knows ")
    assert "Silent cannot be assessed." in text


def test_quiet_deployments():
    """A line that starts with the name for each."""
    text = " ".join(run("deployments", "-q").out.split())
    for release in deployments():
        assert release.name in text


def test_full_text_has_everything(tmp_path):
    """Guarantee, numbers, theorem, assumptions, words, notes, source and limits."""
    text = HEAD + (
        "curator: The town\nguarantees: [{rho: 0.5}]\nreleases: 3\n"
        "source: [https://example.org/page]\nnotes: [{kind: disputed, text: Others say 0.7.}]\n"
    )
    done = run("assess", write(tmp_path, "x.yaml", text), "--limit", "odds=1e9")
    flat = " ".join(done.out.split())
    for words in (
        "Town survey, The town",
        "ρ = 0.5, in each of 3 releases",
        "unit: person; one-off release; add-remove neighbors; central model",
        "prior posterior: at least posterior: at most",
        "How the numbers were computed",
        "the values of ρ add up",
        "Assumptions",
        "The adversary knows all other records",
        "with probability at least 0.99",
        "Who can learn what",
        "Limit odds <= 1e+09: kept",
        "Disputed: Others say 0.7.",
        "https://example.org/page",
    ):
        assert words in flat, words


def test_deployments_table_has_every_deployment():
    """Each once, with its promise or the reason that there is none."""
    shown = run("deployments").out
    labels = [label for group in shown.split("\n\n")[:-2] for label in first_column(group)]
    assert sorted(labels) == sorted(f"{one.name}, {one.curator}" for one in deployments())
    assert "no usable number" in shown


def first_column(group):
    """The cells of the first column; a line with nothing else goes on with the one above."""
    _, _, rule, *rows = group.splitlines()
    width = rule.index(" ")
    labels = []
    for row in rows:
        cell, rest = row[:width].strip(), row[width:].strip()
        if rest:
            labels.append(cell)
        else:
            labels[-1] += f" {cell}"
    return labels


def test_deployments_are_ranked_within_their_group():
    """By the largest change, rising; those without a number last."""
    groups = run("deployments").out.split("\n\n")[:-1]
    changes = [re.findall(r"\S+(?=  +(?:membership|attribute))", group) for group in groups]
    assert sum(map(len, changes)) == sum(release.is_assessable for release in deployments())
    assert max(map(len, changes)) > 3
    for found in changes:
        assert found == sorted(found, key=float)


def test_deployments_are_found_by_curator():
    """A part of a name or of a curator, in any case."""
    done = run("deployments", "WIKIMEDIA", "--json")
    assert len(done.data) == 4
    assert {one["curator"] for one in done.data} == {"Wikimedia Foundation"}


def test_markup_in_names_is_text(tmp_path):
    """Neither the brackets of rich nor its emoji codes are obeyed."""
    head = HEAD.replace("Town survey", "'[red]Town[/red] :smile:'")
    path = survey(tmp_path, head=head)
    for terminal in (False, True):
        assert "[red]Town[/red] :smile:" in run("assess", path, terminal=terminal).out


@pytest.mark.parametrize("stream", [Pipe, Terminal])
def test_markup_in_cells_is_text(stream):
    """The same inside of a table."""
    shown = stream()
    with redirect_stdout(shown):
        document([table(["what"], [["[red]x[/red] :smile: \x9b1m"]])])
    assert "[red]x[/red] :smile: \\x9b1m" in shown.getvalue()


@pytest.mark.parametrize(
    ("prior", "shown"),
    [("0.5", "0.5"), ("0.999999999", "0.999999999"), ("1e-12", "1e-12"), ("0.1", "0.1")],
)
def test_a_prior_is_shown_as_given(prior, shown, monkeypatch):
    """A prior near 1 does not become 1."""
    assert belief(float(prior)) == shown
    assert f"\n{shown} " in run(*PURE, "--prior", prior).out
    few = deployments()[:3]
    monkeypatch.setattr("dprisk.releases.published.deployments", lambda: few)
    assert f"{shown} becomes at most" in run("deployments", "--prior", prior).out


def test_huge_factor_in_words():
    """Where the odds have no number, the text says so and not inf."""
    text = " ".join(run("assess", "--epsilon", "800", *ADD_REMOVE).out.split())
    assert "the odds by a factor of more than 1e308" in text
    assert "0 in 100" not in text.replace("10 in 100", "").replace("50 in 100", "")


def test_printable():
    """Letters stay; what a terminal obeys, or turns around, is written out; breaks are spaces."""
    assert printable("Gemüse ε 日本") == "Gemüse ε 日本"
    assert printable("a\x1b[1mb\x9bc\u202ed\ud800") == "a\\x1b[1mb\\x9bc\\u202ed\\ud800"
    assert printable("a\nb\u2028c\u00a0d") == "a b c d"


def test_headline_is_in_the_full_text(tmp_path):
    """The headline of --quiet opens the full text."""
    from dprisk import assess, read_release

    path = survey(tmp_path)
    sentence = headline(assess(read_release(path)))
    assert sentence in " ".join(run("assess", path).out.split())
