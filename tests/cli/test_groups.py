"""A command takes groups of options; Typer sees an option each."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import pytest
import typer
from typer.testing import CliRunner

from dprisk.cli.groups import flat


class Inner(NamedTuple):
    """The smaller group."""

    low: Annotated[str | None, typer.Option(help="Low.")] = None
    high: Annotated[str, typer.Option(help="High.")] = "9"


class Outer(NamedTuple):
    """A group within which there is another."""

    first: Annotated[str | None, typer.Argument(help="First.")] = None
    inner: Inner = Inner()
    loud: Annotated[bool, typer.Option("--loud", help="Loud.")] = False


def said(*args):
    """What a command with both is given."""
    given = []

    def command(*, outer: Outer, last: Annotated[str, typer.Option(help="Last.")] = "z") -> None:
        given.append((outer, last))

    command.__annotations__ = {"outer": Outer, "last": Annotated[str, typer.Option(help="Last.")]}
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
def test_groups_are_put_together(args, expected):
    assert said(*args) == expected


def test_help_lists_an_option_each_in_the_order_of_the_groups():
    shown = said("--help")
    at = [shown.index(name) for name in ("--low", "--high", "--loud", "--last")]
    assert at == sorted(at)
    assert "--inner" not in shown and "--outer" not in shown
