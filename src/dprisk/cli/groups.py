"""Commands as Typer wants them: an option each, from which groups are put together."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperArgument

from dprisk._asking.groups import gathered, hints_of, leaves
from dprisk._asking.options import Option
from dprisk.cli.typed import as_typed
from dprisk.errors import InvalidInput

# help says what is wanted, not by which type of Python
TyperArgument.display_type_rich = lambda self, ctx: None  # type: ignore[method-assign]


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """A command with an option each, from which its groups are put together."""
    hints = hints_of(command)

    known = list(leaves(command, command.__kwdefaults__ or {}))

    @wraps(command)
    def run(**given: Any) -> None:
        try:
            command(**{name: gathered(name, hint, given) for name, hint in hints.items()})
        except InvalidInput as error:
            error.args = (as_typed(error, known, given),)
            raise

    options = [_for_typer(leaf) for leaf in known]
    run.__annotations__ = {each.name: each.annotation for each in options}
    vars(run)["__signature__"] = Signature(options)
    return run


def _for_typer(leaf: Parameter) -> Parameter:
    kind, option, *_ = get_args(leaf.annotation)
    if not isinstance(option, Option):
        return leaf
    make = typer.Argument if option.positional else typer.Option
    made = make(*option.names, metavar=option.kind, help=option.words)
    return leaf.replace(annotation=Annotated[kind, made])
