"""Help is there for everything, and its examples work as printed."""

from __future__ import annotations

import re
import shlex

import pytest
from typer.testing import CliRunner

from dprisk import __version__
from dprisk.cli import app
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
]


def printed_help(command):
    """The help of a command, on one line."""
    done = CliRunner().invoke(app, [*command, "--help"])
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
    assert "0 done, 1 output failed, 2 bad input, 3 a limit is not kept, 130 interrupted" in text


@pytest.mark.parametrize("command", COMMANDS[1:], ids=" ".join)
def test_every_option_is_explained(command):
    """No option or argument without words."""
    (found,) = [one for one in app.registered_commands if one.callback.__name__ == command[0]]
    assert found.callback.__doc__
    text = printed_help(command)
    options = {*re.findall(r"(?<=[ ,])--[a-z-]+", text), "--help"}
    for name in options:
        assert re.search(rf"{name}(?: <[^>]*>)? [A-Za-z]", text), name


def test_no_arguments_is_help():
    """Somebody who only types the name is shown what there is."""
    done = run()
    assert done.err.startswith("Usage: ") or done.out.startswith("Usage: ")
    assert "Commands:" in done.out + done.err


def test_version():
    """The version of the package, alone."""
    done = run("--version")
    assert (done.code, done.out, done.err) == (0, f"{__version__}\n", "")
