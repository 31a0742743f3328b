"""Help is there for everything, and its examples work as printed."""

from __future__ import annotations

import re
import shlex

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from dprisk import __version__
from dprisk.cli import application
from tests.cli.running import run
from tests.house.tree import ROOT

COMMANDS = [
    [],
    ["allocation"],
    ["assess"],
    ["budget"],
    ["audit"],
    ["compose"],
    ["convert"],
    ["deployments"],
    ["explain"],
    ["ladder"],
    ["plan"],
    ["power"],
    ["schema"],
    ["witness"],
]

COMMAND = vars(get_command(application()))["commands"]


def printed_help(command):
    """The help of a command, on one line."""
    done = CliRunner().invoke(application(), [*command, "--help"])
    assert done.exit_code == 0
    assert not done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words) or "dprisk")
def test_example(command, monkeypatch):
    """The example is about the command and runs."""
    monkeypatch.chdir(ROOT)
    example = re.search(r"Example: dprisk (.*)$", printed_help(command))
    assert example
    words = shlex.split(example[1])
    assert words[: len(command)] == command
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    assert done.out.strip()


def test_every_command_is_listed():
    """The top says what there is, and what exit codes mean."""
    text = printed_help([])
    for (command,) in COMMANDS[1:]:
        assert re.search(rf" {command} [A-Z]", text)
    assert "0 done, 1 output failed, 2 bad input, 3 the answer is no (for example, a" in text


def parameters():
    """Every option and argument of every command."""
    for name, command in COMMAND.items():
        for each in command.params:
            yield pytest.param(each, id=f"{name} {each.opts[0]}")


@pytest.mark.parametrize("each", list(parameters()))
def test_every_option_is_explained(each):
    """A sentence, what stands for a value, and whether it may be repeated."""
    assert re.match(r"[A-Z]|census2020|release \(", each.help) and each.help.endswith(".")
    if each.param_type_name == "argument" or each.is_flag:
        return
    assert re.fullmatch(r"[A-Z]+(?:[=,][A-Z]+)?", each.metavar)
    assert ("Repeatable" in each.help) == each.multiple


VERBS = {
    "Add", "Check", "Compare", "Construct", "Convert", "Count", "Explain", "Find", "List", "Open",
    "Print", "Recompute", "Record", "Show", "Write",
}  # fmt: skip


@pytest.mark.parametrize("name", list(COMMAND))
def test_help_says_what_to_do(name):
    assert COMMAND[name].help.split()[0] in VERBS


def test_no_arguments_is_help():
    """Somebody who only types the name is shown what there is."""
    done = run()
    assert done.err.startswith("Usage: ") or done.out.startswith("Usage: ")
    assert "Commands:" in done.out + done.err


def test_version():
    """The version of the package, alone."""
    done = run("--version")
    assert (done.code, done.out, done.err) == (0, f"{__version__}\n", "")
