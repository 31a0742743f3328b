"""A command takes tables of parameters; Typer sees an option each."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import typer
from typer.testing import CliRunner

from dprisk._asking.parameters import Flag, SomeWord, Word, arg, flag, opt
from dprisk.cli.commands import flat


@dataclass(frozen=True)
class Inner:
    """The smaller table."""

    low: Word = opt("Low.")
    high: SomeWord = opt("High.", "9")


@dataclass(frozen=True)
class Outer:
    """A table in which there is another."""

    first: Word = arg("First.", None)
    inner: Inner = Inner()
    loud: Flag = flag("Loud.", "--loud")


@dataclass(frozen=True)
class Last:
    """A second table."""

    last: SomeWord = opt("Last.", "z")


def said(*args):
    """What a command with both is given."""
    given = []

    def command(outer: Outer, last: Last) -> None:
        given.append((outer, last.last))

    command.__annotations__ = {"outer": Outer, "last": Last}
    app = typer.Typer()
    app.command()(flat(command))
    done = CliRunner().invoke(app, list(args))
    return given[0] if given else done.output


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((), (Outer(), "z")),
        (("a", "--low", "1"), (Outer("a", Inner("1")), "z")),
        (("--high", "2", "--loud", "--last", "y"), (Outer(None, Inner(None, "2"), loud=True), "y")),
    ],
)
def test_tables_are_put_together(args, expected):
    assert said(*args) == expected


def test_help_lists_an_option_each_in_the_order_of_the_tables():
    shown = said("--help")
    at = [shown.index(name) for name in ("--low", "--high", "--loud", "--last")]
    assert at == sorted(at)
    assert "--inner" not in shown and "--outer" not in shown
