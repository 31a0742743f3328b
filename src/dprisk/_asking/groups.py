"""Groups of options: named tuples, defined once, which a question takes as one parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import Parameter
from typing import Any, get_type_hints


def hints_of(what: Any) -> dict[str, Any]:
    """What a group holds, or a function takes, by name."""
    hints = get_type_hints(what, include_extras=True)
    hints.pop("return", None)
    return hints


def leaves(what: Any, defaults: Mapping[str, Any]) -> Iterator[Parameter]:
    """The single options of a function or a group, and of the groups inside it."""
    for name, hint in hints_of(what).items():
        if _is_group(hint):
            yield from leaves(hint, hint._field_defaults)
        else:
            default = defaults.get(name, Parameter.empty)
            yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def gathered(name: str, hint: Any, given: Mapping[str, Any]) -> Any:
    """The value of an option, or the group that its options make."""
    if not _is_group(hint):
        return given[name]
    return hint(**{field: gathered(field, each, given) for field, each in hints_of(hint).items()})


def _is_group(hint: Any) -> bool:
    return hasattr(hint, "_field_defaults")
