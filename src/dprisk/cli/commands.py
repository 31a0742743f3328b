"""The application and its commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from itertools import pairwise
from typing import Annotated, Any

import typer

from dprisk._asking.reading import unclear
from dprisk._lazy import named
from dprisk.cli.groups import flat
from dprisk.errors import Meaningless
from dprisk.releases.spelling import dp_sgd
from dprisk.text import fill

COMPLETED = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")  # in which a shell passes the line to complete
COMMANDS = (  # each a function in a module of its name
    "allocation",
    "assess",
    "audit",
    "budget",
    "compose",
    "convert",
    "counterfactual",
    "deployments",
    "explain",
    "ladder",
    "ledger",
    "page",
    "plan",
    "power",
    "report",
    "reproduce",
    "schema",
    "serve",
    "table",
    "witness",
)


def application(asked: Collection[str] = COMMANDS) -> typer.Typer:
    """The command line; of commands that are not asked for, no more than their words."""
    app = typer.Typer(
        name="dprisk",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=fill("help.dprisk"),
        epilog=fill("help.example", example=fill("help.assess.example")),
        callback=_top,
    )
    for name in COMMANDS:
        command = named("dprisk.cli", f"{name}:{name}") if name in asked else _top
        said = fill(f"help.{name}")
        example = fill("help.example", example=fill(f"help.{name}.example"))
        words: Any = {"name": name, "help": said, "short_help": said, "epilog": example}
        if isinstance(command, typer.Typer):  # commands of its own below it
            app.add_typer(command, **words)
        else:
            app.command(**words)(flat(command))
    return app


def _version(asked: bool) -> None:
    if asked:
        from dprisk import __version__

        typer.echo(__version__)
        raise typer.Exit


def _top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help=fill("help.option.version")
        ),
    ] = False,
) -> None:
    pass


def run(arguments: list[str]) -> None:
    """Run a command; an option that takes one value is given once."""
    from typer.main import get_command

    typed = next((os.environ[name] for name in COMPLETED if name in os.environ), "")
    words = arguments or typed.split()[1:]
    asked = [text for text in words if not text.startswith("-")][:1]
    group: Any = get_command(application(asked))
    command, rest = group, list(arguments)
    while rest and hasattr(command, "commands"):
        command = command.commands.get(rest.pop(0))
    if command is not None:
        options = [each for each in command.params if each.param_type_name == "option"]
        once = [each for each in options if not (each.multiple or each.is_flag)]
        for name in (name for each in once for name in each.opts if name.startswith("--")):
            given = [text for text in rest if text.split("=")[0] == name]
            if len(given) > 1:
                raise unclear("twice", option=name, number=len(given))
        _refuse_dp_sgd(rest, {name for each in command.params for name in each.opts})
    if "--json" not in arguments:
        group()
    sys.exit(group(standalone_mode=False) or 0)


def _refuse_dp_sgd(arguments: list[str], known: set[str]) -> None:
    """Options by which other tools describe DP-SGD: what to write instead."""
    named: dict[str, str] = {}
    for text, after in pairwise([*arguments, ""]):
        name, _, value = text.partition("=")
        if name.startswith("--") and name not in known:
            named[name.removeprefix("--").replace("-", "_")] = value or after
    if found := dp_sgd(named):
        fix = fill("cli.fix.dp-sgd", more=f" {found.more}".rstrip())
        error = Meaningless(found.problem, fix)
        error.add_note(fill("cli.fix.dp-sgd.file", part=found.part))
        raise error
