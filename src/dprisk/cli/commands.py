"""The application: commands made of their tables of parameters, one built at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import MISSING, dataclass
from functools import wraps
from inspect import Parameter, Signature
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Final, final, get_type_hints

import typer
from typer.core import TyperArgument

from dprisk._asking import parameters as shared
from dprisk._asking.commands import COMMANDS, EVERYTHING
from dprisk._asking.parameters import Flag, filled, flag, parameters
from dprisk._asking.reading import twice
from dprisk._lazy import named
from dprisk.cli import show
from dprisk.cli.typed import as_typed
from dprisk.errors import InvalidInput, Meaningless

if TYPE_CHECKING:
    from dprisk._asking.answers import Block

# help says what is wanted, not by which type of Python
TyperArgument.display_type_rich = lambda self, ctx: None  # type: ignore[method-assign]

COMPLETED: Final = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")  # in which a shell passes its line
WHERE: Final = {
    "allocation": "allocations",
    "assess": "releases",
    "audit": "audits",
    "budget": "budgets",
    "compose": "bounds",
    "convert": "bounds",
    "counterfactual": "bounds",
    "deployments": "releases",
    "explain": "releases",
    "ladder": "bounds",
    "ledger": "ledger",
    "page": "pages",
    "plan": "budgets",
    "power": "bounds",
    "report": "releases",
    "reproduce": "papers",
    "schema": "pages",
    "serve": "pages",
    "table": "table",
    "witness": "papers",
}
"""The module of each command, in which it is a function of its name."""


@final
@dataclass(frozen=True)
class Output:
    """The form in which an answer is printed, and the exit code."""

    json: Flag = flag("Print JSON.", "--json")
    quiet: Flag = flag("Print the answer only.", "--quiet", "-q")

    def show(
        self,
        made: Any,
        brief: Callable[[], Iterable[str]],
        full: Callable[[], Iterable[Block]] | None = None,
        *,
        kept: bool | None = None,
    ) -> None:
        """Print a result as JSON, in brief or in full; exit code 3 if it keeps too little."""
        if self.json:
            show.as_json(made)
        elif self.quiet or full is None:
            show.lines(brief())
        else:
            show.document(full())
        if not (getattr(made, "kept", True) if kept is None else kept):
            raise typer.Exit(3)


def application(asked: Collection[str] = tuple(WHERE)) -> typer.Typer:
    """The command line; of commands that are not asked for, no more than their words."""
    app = typer.Typer(
        name="dprisk",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=EVERYTHING,
        epilog=f"Example: {COMMANDS['assess'][1]}",
        callback=_top,
    )
    for name, module in WHERE.items():
        command = named("dprisk.cli", f"{module}:{name}") if name in asked else _top
        if isinstance(command, dict):  # commands of its own below it
            group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
            for below, each in command.items():
                group.command(below, **_words(f"{name}.{below}"))(flat(each))
            app.add_typer(group, name=name, **_words(name))
        else:
            app.command(name, **_words(name))(command if command is _top else flat(command))
    return app


def _words(name: str) -> Any:
    said, example = COMMANDS[name]
    return {"help": said, "short_help": said, "epilog": f"Example: {example}"}


def _version(asked: bool) -> None:
    if asked:
        from dprisk import __version__

        typer.echo(__version__)
        raise typer.Exit


def _top(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """A command as Typer wants it: an option for each parameter of its tables."""
    tables = get_type_hints(command)
    tables.pop("return", None)
    known = [each for table in tables.values() for each in parameters(table)]

    @wraps(command)
    def run(**given: Any) -> None:
        try:
            command(**{name: filled(table, given) for name, table in tables.items()})
        except InvalidInput as error:
            error.args = (as_typed(error, known, given),)
            raise

    options = [_for_typer(each) for each in known]
    run.__annotations__ = {each.name: each.annotation for each in options}
    vars(run)["__signature__"] = Signature(options)
    return run


def _for_typer(each: shared.Parameter) -> Parameter:
    option = each.option
    make: Any = typer.Argument if option.positional else typer.Option
    made = make(*option.names, metavar=each.stands or None, help=option.help)
    return Parameter(
        each.name,
        Parameter.KEYWORD_ONLY,
        default=Parameter.empty if each.default is MISSING else each.default,
        annotation=Annotated[each.type, made],
    )


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
                raise twice(name, len(given))
        _refuse_dp_sgd(rest, {name for each in command.params for name in each.opts})
    if "--json" not in arguments:
        group()
    sys.exit(group(standalone_mode=False) or 0)


def _refuse_dp_sgd(arguments: list[str], known: set[str]) -> None:
    """Refuse options by which other tools describe DP-SGD: say what to write instead."""
    named: dict[str, str] = {}
    for text, after in pairwise([*arguments, ""]):
        name, _, value = text.partition("=")
        if name.startswith("--") and name not in known:
            named[name.removeprefix("--").replace("-", "_")] = value or after
    if not named:
        return
    from dprisk.releases.spelling import dp_sgd

    if found := dp_sgd(named):
        more = f" {found.more}".rstrip()
        error = Meaningless(
            found.problem,
            f"If each batch is a Poisson sample, write this file and give it to the command.{more}",
        )
        error.add_note(
            "dprisk: 1\nname: A training run\nunit: person\nperiod: once\nneighbors: add-remove\n"
            f"model: central\nmechanisms:\n  - {found.part}"
        )
        raise error
