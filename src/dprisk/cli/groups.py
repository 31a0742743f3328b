"""Groups of options: named tuples, defined once, which a command takes as one parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, Signature
from typing import Any, get_type_hints

__all__ = ["flat"]


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """A command as Typer wants it: an option each, from which its groups are put together."""
    hints = _hints(command)

    @wraps(command)
    def run(**given: Any) -> None:
        command(**{name: _gathered(name, hint, given) for name, hint in hints.items()})

    defaults = command.__kwdefaults__ or {}
    leaves = [leaf for name, hint in hints.items() for leaf in _leaves(name, hint, defaults)]
    run.__annotations__ = {leaf.name: leaf.annotation for leaf in leaves}
    vars(run)["__signature__"] = Signature(leaves)
    return run


def _hints(what: Any) -> dict[str, Any]:
    hints = get_type_hints(what, include_extras=True)
    hints.pop("return", None)
    return hints


def _is_group(hint: Any) -> bool:
    return hasattr(hint, "_field_defaults")


def _leaves(name: str, hint: Any, defaults: dict[str, Any]) -> Iterator[Parameter]:
    if _is_group(hint):
        for field, inner in _hints(hint).items():
            yield from _leaves(field, inner, hint._field_defaults)
    else:
        default = defaults.get(name, Parameter.empty)
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _gathered(name: str, hint: Any, given: dict[str, Any]) -> Any:
    if not _is_group(hint):
        return given[name]
    return hint(**{field: _gathered(field, inner, given) for field, inner in _hints(hint).items()})
