"""Behavior that results share: equal by content, short in a console, a table in a notebook."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from functools import partial
from html import escape
from math import isinf
from operator import attrgetter
from typing import Any, Final, TypeVar

Class = TypeVar("Class", bound=type)

# What a terminal may obey, or cannot encode, although JSON lets it stand for itself.
UNSEEN: Final = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
SIDES: Final = {
    "at_least": "at least",
    "at_most": "at most",
    "lower": "at least",
    "upper": "at most",
}
"""The bound that a field's name states for its numbers."""

ROUNDINGS: Final = {"at least": ROUND_FLOOR, "at most": ROUND_CEILING}
DIGITS: Final = 6
MOST_NUMBERS: Final = 4  # numbers of a list that are shown
MOST_LETTERS: Final = 60  # letters of one value
WHOLE: Final = 240  # letters of all of them
ROWS: Final = 12


def result(cls: Class) -> Class:
    """A frozen dataclass that somebody looks at: what it does not say for itself, it gets here."""
    own: dict[str, Callable[..., Any]] = {
        "__eq__": same,
        "__hash__": lambda self: hash(content(self)),
        "__repr__": _short,
        "_repr_html_": table,
    }
    for name, method in own.items():
        if vars(cls).get(name) is None:
            setattr(cls, name, method)
    return cls


# --- equality ------------------------------------------------------------------------------------


def same(one: Any, other: Any) -> Any:
    """Whether two values of one class hold the same."""
    if type(one) is not type(other):
        return NotImplemented
    return one is other or content(one) == content(other)


def content(value: Any) -> Any:
    """The contents of a value, in a form that can be compared and hashed."""
    import numpy as np

    if isinstance(value, type):
        return value
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if is_dataclass(value):
        held = (getattr(value, field.name) for field in fields(value) if field.compare)
        return type(value), *map(content, held)
    if isinstance(value, Mapping):
        return frozenset((content(key), content(item)) for key, item in value.items())
    if isinstance(value, partial):
        value = value.func, value.args, value.keywords
    if isinstance(value, tuple | list):
        return tuple(map(content, value))
    return value


# --- JSON ----------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Turn a value into JSON data: infinity becomes None, and anything unknown a string."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if isinf(value) else float(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    for turn in ("to_dict", "_in_json"):
        if hasattr(value, turn):
            return getattr(value, turn)()
    return plain(value.tolist()) if hasattr(value, "tolist") else str(value)


def written(data: Any, *, ascii_only: bool = False) -> str:
    """Results or plain data as JSON, with a line break at the end; there is no NaN in it."""
    return escaped(
        f"{json.dumps(plain(data), indent=2, ensure_ascii=ascii_only, allow_nan=False)}\n"
    )


def escaped(text: str) -> str:
    """Text with letters written out that a terminal would obey."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: control characters are written out."""
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else ascii(letter)[1:-1]
        for letter in text
    )


def members(value: Any, *names: str, **more: Any) -> dict[str, Any]:
    """Members of a value as JSON data: those named, or all of its fields, and more beside these."""
    named = names or [field.name for field in fields(value)]
    found = {name.rpartition(".")[2]: attrgetter(name)(value) for name in named}
    return {key: plain(item) for key, item in {**found, **more}.items()}


def ends(bracket: tuple[Any, Any]) -> dict[str, Any]:
    """Both ends of a bracket, as JSON has them."""
    return {"at_least": plain(bracket[0]), "at_most": plain(bracket[1])}


# --- words ---------------------------------------------------------------------------------------


def rounded(value: float, side: str = "", digits: int = DIGITS) -> str:
    """A few digits, on the side on which they stay true."""
    context = Context(prec=digits, rounding=ROUNDINGS.get(side, ROUND_HALF_EVEN))
    short = f"{float(context.create_decimal_from_float(value)):g}"
    return repr(value) if short == "1" and value < 1.0 else short


def brief(value: Any, side: str = "", most: int = MOST_LETTERS) -> str:
    """A value in a few words; numbers with the side on which they err, where it is known."""
    said = _said(value, side)
    return said if len(said) <= most else f"{said[: most - 1].rstrip()}…"


def _said(value: Any, side: str) -> str:
    import numpy as np

    if isinstance(value, float | np.floating):
        return f"{side} {rounded(float(value), side)}" if side else repr(float(value))
    if isinstance(value, np.ndarray):
        return _numbers(value, side)
    if isinstance(value, Mapping):
        return ", ".join(f"{_said(key, '')}: {_said(item, '')}" for key, item in value.items())
    if isinstance(value, tuple | list):
        return _listed(value)
    said = value if isinstance(value, str) else _named(value)
    return said if said.isprintable() else repr(said)


def _named(value: Any) -> str:
    """Something else inside a result: in its own few words, by its name, or as what it is."""
    if hasattr(value, "_in_brief"):
        return str(value._in_brief())
    name = getattr(value, "name", None) if is_dataclass(value) else None
    if isinstance(name, str) and name:
        return name
    if "__str__" in vars(type(value)):
        return str(value)
    return type(value).__name__ if hasattr(value, "_repr_html_") else repr(value)


def _numbers(values: Any, side: str) -> str:
    flat = values.ravel()
    shown = ", ".join(rounded(float(value), side) for value in flat[:MOST_NUMBERS])
    more = f", … ({flat.size} numbers)" if flat.size > MOST_NUMBERS else ""
    return f"{side} [{shown}{more}]".lstrip()


def _listed(values: tuple[Any, ...] | list[Any]) -> str:
    if values and is_dataclass(values[0]):
        return f"{len(values)} of {type(values[0]).__name__}"
    shown = ", ".join(_said(value, "") for value in values[:MOST_NUMBERS])
    return shown + (f", … ({len(values)} in all)" if len(values) > MOST_NUMBERS else "")


def _parts(value: Any, most: int) -> Iterator[tuple[str, str, Any]]:
    """The name of each field that says something, what it says, and what it holds."""
    for field in fields(value):
        held = getattr(value, field.name)
        if field.repr and held is not None and not (isinstance(held, str | tuple) and not held):
            side = SIDES.get(field.name) or SIDES.get(field.name.rpartition("_")[2], "")
            yield field.name.replace("_", " "), brief(held, side, most), held


def _short(self: Any) -> str:
    said = "; ".join(
        words if words.startswith(SIDES.get(name.replace(" ", "_"), "\0")) else f"{name} {words}"
        for name, words, _ in _parts(self, MOST_LETTERS)
    )
    cut = said if len(said) <= WHOLE else f"{said[: WHOLE - 1].rstrip()}…"
    return f"<{type(self).__name__}: {cut}>"


# --- notebooks -----------------------------------------------------------------------------------


def table(self: Any) -> str:
    """A static table for notebooks: no scripts, no outside requests."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(words)}{_list(held)}</td></tr>"
        for name, words, held in _parts(self, WHOLE)
    )
    return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def _list(values: Any) -> str:
    """A list of the results in a tuple, each as it is in a console; empty for other values."""
    if not isinstance(values, tuple) or not values or not is_dataclass(values[0]):
        return ""
    more = f"<li>and {len(values) - ROWS} more</li>" if len(values) > ROWS else ""
    said = (str(value).removeprefix("<").removesuffix(">") for value in values[:ROWS])
    lines = "".join(f"<li>{escape(words)}</li>" for words in said)
    return f"<ul>{lines}{more}</ul>"
