"""Every option of every command, with what nobody should give it."""

from __future__ import annotations

import pytest
from typer.main import get_command

from dprisk.cli import application
from tests.cli.hostile import ADD_REMOVE, refused, survived, town

PURE = ("--epsilon", "1", *ADD_REMOVE)
LIMIT = ("--limit", "posterior=0.8", "--prior", "0.5")
# Each command with arguments that it takes.
GOOD = {
    "allocation": ("queries.csv", "-q"),
    "assess": (*PURE, "-q"),
    "audit": ("coin.csv", "-q"),
    "budget": (*LIMIT, *ADD_REMOVE, "-q"),
    "check": (*PURE, "--at-delta", "1e-6", "-q"),
    "compose": ("survey.yaml", "--delta", "1e-6", "-q"),
    "convert": ("--epsilon", "1", "--to", "tradeoff", *ADD_REMOVE, "-q"),
    "counterfactual": (*PURE, "-q"),
    "deployments": ("wikimedia", "-q"),
    "explain": (*PURE, "-q"),
    "ladder": (*PURE, "-q"),
    "plan": (*PURE, *LIMIT, "--rule", "pure", "-q"),
    "power": (*PURE, "-q"),
    "report": ("survey.yaml", "--json"),
    "reproduce": ("--list", "P3", "-q"),
    "schema": ("release",),
    "table": (
        "rows.csv", "-o", "../risk.parquet", "--force", "--column", "epsilon=eps",
        "--column", "prior=belief", *ADD_REMOVE, "--output-column", "posterior", "-q",
    ),
    "witness": ("--epsilon", "1", "--delta", "1e-6", "--not-pdp", "1.1,1e-5", "-q"),
}  # fmt: skip
WORDS = {"--unit", "--claim", "--by"}  # any words will do
PLACES = {"--output", "--out", "--page", "--certificate"}
GARBAGE = (
    "", " ", "nan", "-nan", "inf", "-inf", "1e-400", "-1e-400", "1e400", "007", "-01", "1,5",
    "1.000,5", "1_000", "1 000", "0x10", "0b1", "1e", "e5", "--1", "+-1", "1/0", "1/n", "½", "٣",
    "²", "１", "1e99999999", "9" * 500, "0." + "0" * 500 + "1", "50%", "500%", "NULL", "None",
    "true", "~", "[1]", "{1: 2}", "*a", "!!float 1", "${HOME}", "$(id)", "'; DROP TABLE", "..",
    "../../etc/passwd", "a\nb", "a\tb", "\x1b[31m", "\x9b", "\u202e1", "\ufeff1", "\ud800",
    "💥", "é" * 300, "=", "=1", "posterior=", "posterior=nan", "x=1=2", ",", "1,2,3", "-1",
)  # fmt: skip
EACH = 2


def valued():
    """Each option that takes a value, with some of the garbage: another part of it each time."""
    number = 0
    for name, command in sorted(get_command(application()).commands.items()):
        if name == "serve":  # goes on until it is stopped
            continue
        for option in command.params:
            flag = getattr(option, "is_flag", False)
            if flag or not option.opts[0].startswith("--") or option.opts[0] in WORDS | PLACES:
                continue
            for _ in range(EACH):
                number += 1
                yield name, option.opts[0], GARBAGE[number * 7 % len(GARBAGE)]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(town(tmp_path))


def without(name, option):
    """Arguments that a command takes, but for one option."""
    given = list(GOOD[name])
    if option in given:
        at = given.index(option)
        del given[at : at + 2]
    return given


def shown(value):
    return ascii(value)[:30] if isinstance(value, str) else None


@pytest.mark.parametrize("name", GOOD)
def test_good_commands_are_good(name, tmp_path):
    assert survived(tmp_path, name, *GOOD[name]).code == 0


@pytest.mark.parametrize(("name", "option", "value"), list(valued()), ids=shown)
def test_garbage_is_refused_even_where_it_is_not_used(name, option, value, tmp_path):
    """Every option is checked always, and the message is one line."""
    said = refused(tmp_path, name, *without(name, option), f"{option}={value}")
    start = '{"schema": "dprisk/error/1"' if "--json" in GOOD[name] else "Error: "
    assert said.splitlines()[-1].startswith(start)


NUMBERS = [
    (name, option)
    for name, option in dict.fromkeys((name, option) for name, option, _ in valued())
    if option in {"--prior", "--level", "--confidence", "--ratio", "--without", "--limit"}
]


@pytest.mark.parametrize(("name", "option"), NUMBERS, ids=shown)
def test_so_many_that_nobody_reads_them(name, option, tmp_path):
    value = "odds=9" if option == "--limit" else "0.5"
    refused(tmp_path, name, *GOOD[name], *[f"{option}={value}"] * 500)


@pytest.mark.parametrize("value", ["", "\x1b]0;x\x07", "\u202e", "\ud800", "💥" * 500, "<script>"])
@pytest.mark.parametrize(
    ("name", "option"),
    [("assess", "--unit"), ("explain", "--claim"), ("report", "--by"), ("report", "--claim")],
)
def test_words_are_printed_and_not_obeyed(name, option, value, tmp_path):
    survived(tmp_path, name, *GOOD[name], f"{option}={value}")


OUTSIDE = [
    ("compose", "--memory", "-1"), ("compose", "--memory", "1"), ("compose", "--accuracy", "0"),
    ("compose", "--accuracy", "2"), ("compose", "--slack", "7"), ("compose", "--slack", "0"),
    ("audit", "--tolerance", "1"), ("audit", "--seed", "0"), ("audit", "--confidence", "2"),
    ("budget", "--sensitivity", "0"), ("budget", "--delta", "2"), ("ladder", "--at-delta", "2"),
    ("ladder", "--prior", "50"), ("deployments", "--prior", "50"), ("power", "--level", "5"),
    ("convert", "--sides", "two"), ("witness", "--sides", "two"), ("report", "--upto", "0"),
    ("report", "--date", "2020-13-45"), ("report", "--level", "5"), ("explain", "--after", "0"),
    ("table", "--memory", "-1"), ("table", "--level", "5"), ("table", "--engine", "abacus"),
    ("plan", "--done", "-1"), ("allocation", "--moves", "0"), ("counterfactual", "--world", "mars"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "option", "value"), OUTSIDE)
def test_what_is_out_of_range_is_refused_even_where_it_is_not_used(name, option, value, tmp_path):
    """Such as a memory where nothing has to be refined."""
    assert survived(tmp_path, name, *without(name, option)).code == 0
    refused(tmp_path, name, *without(name, option), option, value)


CONTRADICTIONS = {
    "two definitions": ("assess", *PURE, "--rho", "1"),
    "a file and a promise": ("assess", "survey.yaml", *PURE),
    "a mechanism and a promise": ("explain", *PURE, "--mechanism", "laplace"),
    "two files": ("explain", "survey.yaml", "survey.yaml"),
    "a parameter twice": (
        "power", "--mechanism", "laplace", "scale=1", "scale=2", "sensitivity=1", *ADD_REMOVE,
    ),
    "a limit twice": ("assess", *PURE, "--limit", "odds=2", "--limit", "odds=3"),
    "csv and json": ("witness", "--epsilon=1", "--delta=0", "--not-pdp=1,0", "--csv", "--json"),
    "a name and numbers": ("witness", "--name", "erasure", "--epsilon", "1"),
    "samples and claims": ("audit", "runs.csv", "--samples", "--claim", "epsilon=1"),
    "samples and neighbors": ("audit", "runs.csv", "--samples", "--neighbors", "hamming"),
    "levels without samples": ("audit", "coin.csv", "--level", "0.05"),
    "a seed without samples": ("audit", "coin.csv", "--seed", "1"),
    "a format and json": ("report", "survey.yaml", "--format", "html", "--json"),
    "a metric and another limit": (
        "ladder", *PURE, "--metric", "difference", "--limit", "posterior=0.9",
    ),
    "two places to land": (
        "convert", "--rho", "1", "--to", "approximate", "--at-delta", "0.1", "--at-epsilon", "1",
        *ADD_REMOVE,
    ),
    "a concern and all of them": ("allocation", "queries.csv", "--concern", "income",
        "--all-scenarios"),
    "a column and a number": (
        "table", *GOOD["table"], "--epsilon", "1",
    ),
    "a page where the table goes": ("table", *GOOD["table"], "--page", "../risk.parquet"),
    "a page where the rows are": ("table", *GOOD["table"], "--page", "rows.csv"),
    "nothing asked": ("compose", "survey.yaml"),
    "nothing tolerated": ("budget", *ADD_REMOVE),
    "no relation": ("convert", "--epsilon", "1", "--to", "tradeoff"),
    "no relation for limits": ("budget", *LIMIT),
    "no sensitivity": ("budget", *LIMIT, *ADD_REMOVE, "--sensitivity", "0"),
    "no sensitivity for noise": (
        "budget", *LIMIT, *ADD_REMOVE, "--sensitivity", "0", "--mechanism", "geometric",
    ),
    "DP-SGD as others write it": (
        "power", "--mechanism", "subsampled-gaussian", "noise_multiplier=1", "sample_rate=0.1",
        *ADD_REMOVE,
    ),
    "an option of nobody": ("assess", *PURE, "--noise-multiplier", "1"),
    "an option without its value": ("assess", "--epsilon"),
    "a command of nobody": ("ases",),
    "too many arguments": ("schema", "release", "release"),
    "a mechanism of nobody": ("power", "--mechanism", "laplaec", "scale=1", *ADD_REMOVE),
    "a mechanism without numbers": ("power", "--mechanism", "laplace", *ADD_REMOVE),
    "a number without its name": ("power", "--mechanism", "laplace", "1", *ADD_REMOVE),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_contradictions_and_gaps(case, tmp_path):
    refused(tmp_path, *CONTRADICTIONS[case])


@pytest.mark.parametrize("name", [name for name in GOOD if name not in ("schema", "reproduce")])
def test_counts_beyond_what_can_be_counted(name, tmp_path):
    options = [each.opts[0] for each in get_command(application()).commands[name].params]
    for option in {"--releases", "--done", "--after", "--upto", "--moves", "--seed"} & {*options}:
        said = refused(tmp_path, name, *GOOD[name], option, str(10**18))
        assert "10^9" in said
