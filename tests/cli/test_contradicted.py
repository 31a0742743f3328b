"""A file that states what its noise cannot keep: every command says so first, and ends with 3."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from dprisk.ledger import json_schema
from tests.cli.running import HEAD, run, write

RUN = "mechanisms: [{kind: laplace, scale: 1, sensitivity: 1}]\n"
FALSE = RUN + "stated_also: [{epsilon: 0.1}]\n"
TRUE = RUN + "stated_also: [{epsilon: 1}]\n"
NUMBERS = "at δ = 0, what was run gives at least ε = 1; 0.1 was stated."
LIMIT = ("--limit", "posterior=0.9", "--prior", "0.1")
COMMANDS = {
    "assess": ("assess", "{}", *LIMIT, "-q"),
    "compose": ("compose", "{}", "--delta", "0", "-q"),
    "power": ("power", "{}", "-q"),
    "counterfactual": ("counterfactual", "{}", "-q"),
    "plan": ("plan", "{}", *LIMIT, "-q"),
    "ladder": ("ladder", "{}", "--prior", "0.1", "-q"),
    "budget": ("budget", *LIMIT, "--neighbors", "add-remove", "--spent", "{}", "-q"),
}


def asked(args, path):
    return run(*(path if arg == "{}" else arg for arg in args))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_so_first(command, tmp_path):
    done = asked(COMMANDS[command], write(tmp_path, "false.yaml", HEAD + FALSE))
    said = " ".join(done.out.split())
    assert done.code == 3
    assert said.partition(": ")[0].endswith("cannot keep its stated pure DP with ε = 0.1")
    assert NUMBERS in said
    kept = asked(COMMANDS[command], write(tmp_path, "true.yaml", HEAD + TRUE))
    assert kept.code == 0
    assert "cannot keep its stated" not in kept.out


@pytest.mark.parametrize("command", COMMANDS)
def test_json_names_both_numbers(command, tmp_path):
    args = (*COMMANDS[command][:-1], "--json")
    done = asked(args, write(tmp_path, "false.yaml", HEAD + FALSE))
    (found,) = done.data["contradicted"]
    assert done.code == 3
    assert (found["given"], found["quantity"], found["at"]) == (
        {"epsilon": "0.1"},
        "epsilon",
        {"delta": 0.0},
    )
    assert found["claimed"] == 0.1 and found["certified"] == pytest.approx(1.0)
    assert found["theorem"]


def test_report_and_summary_say_so(tmp_path):
    path = write(tmp_path, "false.yaml", HEAD + FALSE)
    for form in (("--format", "markdown"), ("--format", "json")):
        done = run("report", path, *form)
        assert done.code == 3
        assert "what was run gives at least ε = 1" in done.out
    data = json.loads(run("report", path, "--format", "json").out)
    assert data["kept"] is False
    assert next(one["contradicted"] for one in data["assessments"])


def test_a_ledger_counts_what_was_run(tmp_path):
    """The charge is recorded, by the noise; a consistent statement changes nothing."""
    book = str(tmp_path / "town.ledger")
    assert run("ledger", "init", book, "--origin", "town", "--by", "ann").code == 0
    limits = ("--limit", "epsilon=3", "--at-delta", "0", "--rule", "pure")
    about = ("--population", "town", "--unit", "person", "--period", "2026")
    opened = run(
        "ledger",
        "account",
        book,
        "res",
        *about,
        "--neighbors",
        "add-remove",
        *limits,
        "--by",
        "ann",
    )
    assert opened.code == 0, opened.err
    to = ("--account", "res", "--by", "ann")
    false = write(tmp_path, "false.yaml", HEAD + FALSE)
    done = run("ledger", "charge", book, false, *to, "--key", "a")
    assert done.code == 3
    assert done.out.startswith("“") and "cannot keep its stated" in done.out
    assert "recorded as released" in " ".join(done.out.split())
    made = run("ledger", "charge", book, false, *to, "--key", "b", "--json")
    schema = json_schema()
    charge = {"$ref": "#/$defs/charge", "$defs": schema["$defs"]}
    Draft202012Validator(charge).validate(made.data)
    (cost,) = made.data["costs"]["res"]
    assert cost["mechanism"]["kind"] == "laplace"
    true = write(tmp_path, "true.yaml", HEAD + TRUE)
    assert run("ledger", "charge", book, true, *to, "--key", "c").code == 0
    refused = run("ledger", "charge", book, true, *to, "--key", "d")  # three of 1 are 3
    assert refused.code == 3 and "refused" in refused.err
    assert run("ledger", "verify", book).code == 0


@pytest.mark.parametrize(
    ("stated", "numbers"),
    [
        ("rho: 0.01", ("ρ = 0.03125", "ρ = 0,03125")),
        ("epsilon: 0.31234, delta: 1e-5", ("0.31234 was stated", "angegeben ist 0,31234")),
    ],
)
def test_numbers_are_written_as_the_language_does(stated, numbers, tmp_path):
    """Gaussian noise of 4: rho is 1/32, with a comma or a point; what was stated stays as it is."""
    noise = "mechanisms: [{kind: gaussian, sigma: 4, sensitivity: 1}]\n"
    path = write(tmp_path, "false.yaml", HEAD + noise + f"stated_also: [{{{stated}}}]\n")
    for language, said in zip(("en", "de"), numbers, strict=True):
        done = run("report", path, "--summary", "--language", language)
        assert done.code == 3 and done.err == ""
        assert said in done.out


def test_a_quiet_report_is_not_silent_about_a_contradiction(tmp_path):
    out = tmp_path / "report.md"
    done = run("report", write(tmp_path, "false.yaml", HEAD + FALSE), "-o", out, "-q")
    assert (done.code, done.out.split(": ")[0]) == (
        3,
        "This release cannot keep its stated pure DP with ε = 0.1",
    )
    true = run("report", write(tmp_path, "true.yaml", HEAD + TRUE), "-o", out, "-q", "--force")
    assert (true.code, true.out) == (0, "")
