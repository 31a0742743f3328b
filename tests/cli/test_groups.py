"""A command takes tables of parameters; Typer sees an option each."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from dprisk._asking.parameters import Flag, Inquiry, SomeWord, Word, arg, flag, opt, table
from dprisk.cli.commands import flat


@table
class Inner:
    """The smaller table."""

    low: Word = opt("Low.")
    high: SomeWord = opt("High.", "9")


@table
class Outer(Inquiry):
    """A table in which there is another."""

    first: Word = arg("First.", None)
    inner: Inner = Inner()
    loud: Flag = flag("Loud.")

    def answer(self):
        return [self.first, vars(self.inner), self.loud]

    def brief(self, made):
        return ["brief"]


def said(*args):
    """What the command prints."""
    app = typer.Typer()
    app.command()(flat(Outer))
    return CliRunner().invoke(app, list(args)).output


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((), [None, {"low": None, "high": "9"}, False]),
        (("a", "--low", "1"), ["a", {"low": "1", "high": "9"}, False]),
        (("--high", "2", "--loud"), [None, {"low": None, "high": "2"}, True]),
    ],
)
def test_tables_are_put_together(args, expected):
    assert json.loads(said(*args, "--json")) == expected
    assert said(*args) == "brief\n"  # there is nothing more to say


def test_help_lists_an_option_each_in_the_order_of_the_tables():
    shown = said("--help")
    at = [shown.index(name) for name in ("--low", "--high", "--loud", "--json", "--quiet")]
    assert at == sorted(at)
    assert "--inner" not in shown and "--no-loud" not in shown
