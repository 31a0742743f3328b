"""The application: commands made of their tables of parameters, one built at a time."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING
from inspect import Parameter, Signature
from pkgutil import resolve_name
from shlex import quote
from typing import Annotated, Any, Final, NamedTuple

import typer
from typer.core import TyperArgument

from dprisk._asking import parameters as take
from dprisk._asking.parameters import Inquiry, filled, flag, parameters, table, words
from dprisk._asking.reading import twice
from dprisk.cli import show
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

# help says what is wanted, not by which type of Python
TyperArgument.display_type_rich = lambda self, ctx: None  # type: ignore[method-assign]

EVERYTHING: Final = (
    "Show what differential privacy means for a person: what an adversary can "
    "learn, at most, by which theorem and under which assumptions. Exit codes: 0 done, 1 output "
    "failed, 2 bad input, 3 the answer is no (for example, a limit is not kept), 130 interrupted."
)
WHERE: Final = {
    "allocation": "cli.allocations:AskAllocation",
    "assess": "_asking.questions:AskAssess",
    "audit": "cli.audits:AskAudit",
    "budget": "_asking.questions:AskBudget",
    "check": "cli.checks:AskCheck",
    "compose": "cli.bounds:Compose",
    "convert": "cli.bounds:AskConvert",
    "counterfactual": "cli.bounds:AskCounterfactual",
    "deployments": "cli.pages:AskDeployments",
    "explain": "_asking.questions:AskExplain",
    "ladder": "cli.many:AskLadder",
    "ledger": "cli.ledger",
    "page": "cli.pages:WritePage",
    "plan": "cli.many:AskPlan",
    "power": "_asking.questions:AskPower",
    "report": "cli.pages:WriteReport",
    "reproduce": "cli.papers:AskReproduce",
    "schema": "cli.pages:AskSchema",
    "serve": "cli.pages:Serve",
    "table": "cli.table:AskTable",
    "witness": "cli.papers:AskWitness",
}
"""The class of each command, or the module of several."""
COMPLETED: Final = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")  # in which a shell passes its line


@table
class Output:
    """The form in which an answer is printed, and the exit code."""

    json: take.Flag = flag("Print JSON.")
    quiet: take.Flag = flag("Print the answer only.", "--quiet", "-q")

    def show(self, asked: Any, made: Any) -> None:
        """Print an answer as JSON, in brief or in full; exit code 3 if it keeps too little."""
        in_full = hasattr(asked, "document") and not (self.json or self.quiet)
        blocks = asked.document(made) if in_full else None
        if self.json:
            show.as_json(asked.data(made) if hasattr(asked, "data") else made)
        elif blocks is None:
            show.lines(asked.brief(made))
        else:
            show.document([*blocks])  # nothing is printed before all of it is known
        if not (asked.kept(made) if hasattr(asked, "kept") else getattr(made, "kept", True)):
            raise typer.Exit(3)


class Command(ABC):
    """A table of parameters with which something is done."""

    example = ""
    shows = True
    """Whether it can be asked to print JSON, or less."""

    @abstractmethod
    def run(self, output: Output) -> None:
        """Do it."""


def application(asked: Collection[str] = ()) -> typer.Typer:
    """The command line: the commands that are asked for, or all of them."""
    app = typer.Typer(
        name="dprisk",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=EVERYTHING,
        epilog="Example: dprisk assess --epsilon 1 --delta 1e-6 --neighbors add-remove --prior 0.5",
        callback=_top,
    )
    for name in [name for name in asked if name in WHERE] or WHERE:
        found = resolve_name(f"dprisk.{WHERE[name]}")
        if isinstance(found, type):
            app.command(name, **_words(found))(flat(found))
            continue
        group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
        for each, question in found.COMMANDS.items():
            group.command(each, **_words(question))(flat(question))
        app.add_typer(group, name=name, **_words(found))
    return app


def _words(question: Any) -> Any:
    said = words(question)
    return {"help": said, "short_help": said, "epilog": f"Example: {question.example}"}


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


def flat(question: type[Inquiry] | type[Command]) -> Callable[..., None]:
    """A command as Typer wants it: an option for each parameter of its tables."""
    tables: list[Any] = [question, Output] if getattr(question, "shows", True) else [question]
    known = [each for table in tables for each in parameters(table)]

    def run(**given: Any) -> None:
        try:
            asked, *shown = (filled(table, given) for table in tables)
            output = shown[0] if shown else Output()
            if isinstance(asked, Command):
                asked.run(output)
            else:
                with waiting(asked.doing):
                    made = asked.answer()
                output.show(asked, made)
        except InvalidInput as error:
            error.args = (as_typed(error, known, given),)
            raise

    options = [_for_typer(each) for each in known]
    run.__annotations__ = {each.name: each.annotation for each in options}
    vars(run)["__signature__"] = Signature(options)
    return run


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _for_typer(each: take.Parameter) -> Parameter:
    option = each.option
    make: Any = typer.Argument if option.positional else typer.Option
    names = option.names or (() if each.default is not False else (_dashed(each.name),))
    made = make(*names, metavar=each.stands or None, help=option.help)
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
    given = arguments or typed.split()[1:]
    asked = [text for text in given if not text.startswith("-")][:1]
    if given == ["--version"]:
        asked = ["schema"]  # any one will do
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
    if "--json" not in arguments:
        group()
    sys.exit(group(standalone_mode=False) or 0)


# --- refusals: the option and its text, as they were typed ----------------------------------------


class Typed(NamedTuple):
    """A name by which a refusal may call it, what was typed, and the text of the value alone."""

    name: str
    words: str
    text: str


def as_typed(error: InvalidInput, known: Iterable[take.Parameter], given: Mapping[str, Any]) -> str:
    """The message of a refusal in the reader's words, where it is about one option for certain."""
    options = list(_texts(known, given))
    for option, texts in options:
        for each in _typed(option, texts):
            if _called(each.name, error.name) and _same(each.text, error.value):
                said = fill("errors.typed", typed=each.words, allowed=error.allowed)
                is_named = option.startswith("--")
                vars(error)["typed"] = option if is_named else each.name, each.text
                return f"{said} {error.fix}".rstrip()
    named = [(option, texts) for option, texts in options if _called(option, error.name)]
    if len(named) != 1 or not named[0][0].startswith("--"):
        return str(error)
    ((option, texts),) = named
    vars(error)["typed"] = option, error.value
    if texts:
        return str(InvalidInput(option, error.value, error.allowed, error.fix))
    if error.value is None:
        said = fill("errors.missing", option=option, allowed=error.allowed)
        return f"{said} {error.fix}".rstrip()
    return str(error)


def _texts(
    known: Iterable[take.Parameter], given: Mapping[str, Any]
) -> Iterator[tuple[str, list[str]]]:
    """Each option or argument as it is written in a command, and the texts typed for it."""
    for each in known:
        if not each.stands:
            continue
        long = next((name for name in each.option.names if name.startswith("--")), None)
        name = each.stands if each.option.positional else long
        texts = given[each.name]
        if texts is None or texts == each.default:
            texts = []
        yield name or _dashed(each.name), texts if isinstance(texts, list) else [str(texts)]


def _typed(option: str, texts: list[str]) -> Iterator[Typed]:
    for text in texts:
        short = text if len(text) <= 60 else f"{text[:57]}..."
        words = f"{option} {quote(short)}" if "=" not in option else short
        yield Typed(option, words, text)
        part, sign, value = text.partition("=")
        if sign:  # such as --limit posterior=0.8, or scale=1
            yield Typed(part.strip(), words, value.strip())
            yield Typed(f"{option} {part.strip()}", words, value.strip())
            yield Typed(option, words, value.strip())
            yield Typed(option, f"{option} {quote(part.strip())}", part.strip())


def _called(option: str, parameter: str) -> bool:
    """Whether a parameter may be what an option is about: prior or priors of --prior."""
    one, other = (
        name.removeprefix("--").replace("_", "-").casefold() for name in (option, parameter)
    )
    if one in (other, other.removesuffix("s")) or one.endswith(f"-{other}"):
        return True
    said = (f" {one}", f" {one.replace('-', ' ')}")  # such as: limit on the predictive value
    return other.endswith(said)


def _same(text: str, value: Any) -> bool:
    """Whether a value is what a text says."""
    if isinstance(value, str):
        return text == value
    try:
        return isinstance(value, int | float) and float(text) == value
    except ValueError:
        return False
