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

__all__ = ["flat"]

# help says what is wanted, not by which type of Python
TyperArgument.display_type_rich = lambda self, ctx: None  # type: ignore[method-assign]


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """A command with an option each, from which its groups are put together."""
    hints = hints_of(command)

    @wraps(command)
    def run(**given: Any) -> None:
        command(**{name: gathered(name, hint, given) for name, hint in hints.items()})

    options = [_for_typer(leaf) for leaf in leaves(command, command.__kwdefaults__ or {})]
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
