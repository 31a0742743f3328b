"""No option is ignored: each is used, or refused by name. Walked over every command there is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields

import pytest
from typer.main import get_command

from dprisk._asking.options import Tolerances
from dprisk._asking.parameters import METRICS
from dprisk.cli import application
from tests.cli.running import ADD_REMOVE, HEAD, run, survey

PURE = ("--epsilon", "1", *ADD_REMOVE)
NOISE = ("--mechanism", "laplace", "scale=10", "sensitivity=1")
APP = get_command(application())


def commands(group=APP, path=()):
    """Every command, by its words."""
    for name, command in vars(group)["commands"].items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(commands())
OPTIONS = [
    pytest.param(words, option, id=" ".join([*words, option.opts[0]]))
    for words, command in COMMANDS.items()
    for option in command.params
    if option.param_type_name == "option" and not option.is_flag and not option.multiple
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
def test_no_command_has_one_option_too_many(words, more):
    done = run(*words, "--surplus", "7", *more)
    assert (done.code, done.out) == (2, "")
    assert "--surplus" in done.err
    if more:
        assert json.loads(done.err)["parameter"] in ("--surplus", "--json")


@pytest.mark.parametrize(("words", "option"), OPTIONS)
def test_no_option_is_given_twice(words, option):
    name = next(each for each in option.opts if each.startswith("--"))
    done = run(*words, name, "1", f"{name}=2")
    assert (done.code, done.out) == (2, "")
    assert f"{name} is given 2 times" in done.err


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_error_is_json_where_json_is_asked_for(words):
    """Whatever is wrong, and whoever finds it."""
    done = run(*words, "--surplus", "7", "--json")
    told = json.loads(done.err)
    assert told["schema"] == "dprisk/error/1"
    assert told["error"] == "wrong-call" and told["exit_code"] == done.code == 2
    assert {"message", "parameter", "value", "allowed", "fix"} <= told.keys()


@pytest.mark.parametrize(
    ("args", "parameter", "value", "allowed"),
    [
        (("assess", "--epsilon", "-1", *ADD_REMOVE), "--epsilon", "-1", "a number in [0, inf]"),
        (("assess", *PURE, "--prior", "2"), "--prior", "2", "a number in [0, 1]"),
        (("assess", *PURE, "--limit", "posterior=0.5"), "--limit", "0.5", "above 0.5"),
        (("power", *NOISE, "coun=2", *ADD_REMOVE), "a parameter", "coun", "scale"),
        (("convert", *PURE, "--to", "rho"), "--to", "rho", "one of"),
    ],
)
def test_an_error_says_which_value_of_what_and_what_is_allowed(args, parameter, value, allowed):
    plain, told = run(*args), json.loads(run(*args, "--json").err)
    assert plain.err == f"Error: {told['message']}\n"
    assert (told["parameter"], told["value"]) == (parameter, value)
    assert allowed in told["allowed"]
    assert told["fix"] or parameter == "--to"


def test_a_file_that_is_wrong_is_named_in_json(tmp_path):
    bad = survey(tmp_path, "{epsilon: -1}")
    told = json.loads(run("assess", bad, "--json").err)
    assert told["error"] == "invalid-file" and told["file"] == str(bad)
    assert "epsilon" in told["parameter"]


def test_the_headline_is_in_the_json():
    brief = run("assess", *PURE, "--prior", "0.3", "--quiet").out
    found = run("assess", *PURE, "--prior", "0.3", "--json").data["headline"]
    assert " ".join(brief.split()) == found and "at most" in found


@pytest.mark.parametrize("command", ["assess", "report", "explain", "power"])
def test_a_mechanism_is_run_as_often_as_count_says(command, tmp_path):
    """As the same part of a release file."""
    (tmp_path / "noise.yaml").write_text(
        HEAD + "mechanisms: [{kind: laplace, scale: 10, sensitivity: 1, count: 12}]\n"
    )
    typed = run(command, *NOISE, "count=12", *ADD_REMOVE, "--json").data
    read = run(command, tmp_path / "noise.yaml", "--json").data
    once = run(command, *NOISE, *ADD_REMOVE, "--json").data

    def numbers(data):
        if command == "assess":
            return [one["findings"] for one in data["statements"]]
        return data[{"explain": "sections", "report": "attack"}.get(command, "power")]

    assert numbers(once) != numbers(typed)
    if command in ("assess", "power"):
        assert numbers(read) == numbers(typed)
    if command == "report":
        assert numbers(read)["power"] == numbers(typed)["power"]


@pytest.mark.parametrize("command", ["plan", "ladder"])
def test_a_mechanism_that_is_run_often_is_one_release(command, tmp_path):
    (tmp_path / "noise.yaml").write_text(
        HEAD + "mechanisms: [{kind: laplace, scale: 10, sensitivity: 1, count: 12}]\n"
    )
    more = ("--limit", "posterior=0.9", "--prior", "0.5", "--quiet")
    typed = run(command, *NOISE, "count=12", *ADD_REMOVE, *more)
    assert typed.out == run(command, tmp_path / "noise.yaml", *more).out
    assert typed.out != run(command, *NOISE, *ADD_REMOVE, *more).out


@pytest.mark.parametrize("command", ["assess", "report", "explain", "power"])
@pytest.mark.parametrize(
    "beside",
    [PURE, (*NOISE[:2], *ADD_REMOVE), ADD_REMOVE, ("--definition", "pure"), ("--delta", "1e-6")],
)
def test_what_is_typed_beside_a_file_is_refused(command, beside, tmp_path):
    done = run(command, survey(tmp_path), *beside)
    assert (done.code, done.out) == (2, "")
    named = {each for each in beside if each.startswith("--")} - {"--neighbors"}
    assert all(option in done.err for option in named or beside[:1])


@pytest.mark.parametrize("command", ["assess", "explain", "report"])
def test_a_unit_beside_a_file_is_refused(command, tmp_path):
    done = run(command, survey(tmp_path), "--unit", "household")
    assert done.code == 2 and "--unit belongs in the file" in done.err


@pytest.mark.parametrize("words", [(), ("assess",), ("ledger",), ("ledger", "charge")])
def test_h_is_help(words):
    assert run(*words, "-h").out == run(*words, "--help").out != ""


COMPLETED = {
    "dprisk assess --eps": "--epsilon",
    "dprisk ledger st": "status",
}


@pytest.mark.parametrize(("typed", "found"), COMPLETED.items())
def test_a_shell_completes(typed, found):
    surroundings = {**os.environ, "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    surroundings["_DPRISK_COMPLETE"] = "complete_bash"
    code = "import sys; sys.argv = ['dprisk']; from dprisk.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=surroundings, capture_output=True, text=True, check=False
    )
    assert found in done.stdout.split(), done.stderr


NEEDS = {
    "posterior": ("--prior", "0.1"),
    "power": ("--level", "0.05"),
    "predictive_value": ("--prior", "0.1", "--level", "0.05"),
    "epsilon": ("--at-delta", "1e-5"),
}
MOST = {"ratio": "3", "ratio_not": "3", "odds": "3", "epsilon": "1"}
GIVEN = {
    "prior": ("--prior", "0.2"),
    "level": ("--level", "0.1"),
    "confidence": ("--confidence", "0.9"),
    "secret": ("--secret", "attribute"),
    "one_sided": ("--one-sided",),
    "at_delta": ("--at-delta", "1e-6"),
}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", [each.name for each in fields(Tolerances) if each.name != "limit"])
def test_an_option_of_a_limit_changes_the_answer_or_is_refused(metric, name):
    """Whatever the metric: nothing is read over."""
    asked = ["budget", "--limit", f"{metric}={MOST.get(metric, '0.4')}", *ADD_REMOVE]
    asked += ["--definition", "gaussian", "--json"]
    needed = NEEDS.get(metric, ())
    before = run(*asked, *needed)
    option = GIVEN[name][0]
    assert before.code == 0, before.err
    if option in needed and not name.startswith("at"):  # repeatable: only once, with another value
        at = needed.index(option)
        needed = (*needed[:at], *needed[at + 2 :])
    elif option in needed:
        needed = ()
    after = run(*asked, *needed, *GIVEN[name])
    if after.code == 2:
        assert option in json.loads(after.err)["message"]
    else:
        assert after.code in (0, 3), after.err
        assert after.out != before.out


@pytest.mark.parametrize(
    ("args", "option"),
    [
        (("convert", *PURE, "--to-neighbors", "replace-one", "--at-delta", "1e-6"), "--at-delta"),
        (("convert", *PURE, "--to-neighbors", "replace-one", "--all"), "--all"),
        (("convert", *PURE, "--to-neighbors", "replace-one", "--sides", "one"), "--sides"),
        (("convert", *PURE, "--to", "gaussian", "--sides", "one"), "--sides"),
        (("convert", *PURE, "--to", "gaussian", "--at-alpha", "2"), "--at-alpha"),
        (("ladder", *PURE, "--metric", "difference", "--prior", "0.1"), "--prior"),
        (("allocation", "census2020", "--all-scenarios", "--prior", "0.1"), "--prior"),
        (("allocation", "census2020", "--all-scenarios", "--ratio", "2"), "--ratio"),
        (("allocation", "census2020", "--nested", ""), "levels"),
        (("allocation", "census2020", "--noise", ""), "--noise"),
        (("witness", "--list", "--csv"), "--csv"),
        (("witness", "--list", "--epsilon", "1"), "--epsilon"),
        (("witness", "--name", "leaky", "count=8", "--sides", "both"), "--sides"),
        (("assess", *PURE, "--rho", "1"), "epsilon"),
        (("assess", *PURE, "--definition", "gaussian"), "gaussian"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(args, option):
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    assert option in done.err


def test_slack_is_for_advanced_composition(tmp_path):
    file = survey(tmp_path)
    done = run("compose", file, "--delta", "1e-6", "--slack", "1e-7")
    assert done.code == 2 and "--slack changes nothing with --rule best" in done.err
