"""Whoever calls a public name finds its parameters with their ranges, what returns, an example."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpydoc.docscrape
import numpydoc.validate
import pytest

from tests.house.tree import public_objects

SHAPE = {
    "GL08",  # no docstring
    "SS01",  # no summary
    "PR01",  # a parameter left out
    "PR02",  # a parameter that does not exist
    "PR03",  # parameters out of order
    "PR04",  # a parameter without a type
    "PR07",  # a parameter without a description
    "RT01",  # no Returns section
    "RT03",  # a return value without a description
}
EXAMPLES = {"EX01"}  # no Examples section
FULL = SHAPE | EXAMPLES
SUMMARY = {"GL08", "SS01"}
NUMBER = re.compile(r"\b(?:float|int|array_like)\b")
FIELD = re.compile(r"    (\w+): ([^=#]+)(?:=[^#]*)?(?:#: (.*))?$")
RANGE = re.compile(r"[\[(][^\[\]()]+, [^\[\]()]+[\])]")


def demands() -> Iterator[tuple[str, Any, set[str]]]:
    """Every public class, function and method, and the checks that it has to pass."""
    for name, thing in public_objects().items():
        if inspect.isfunction(thing):
            yield name, thing, FULL
        elif issubclass(thing, BaseException):
            yield name, thing, SUMMARY
        else:
            # a result is shown in the example of the function that makes it
            made = "Made by `" in (thing.__doc__ or "")
            yield name, thing, SUMMARY if inspect.isabstract(thing) else SHAPE if made else FULL
            yield from methods(name, thing)


def methods(name: str, cls: type) -> Iterator[tuple[str, Any, set[str]]]:
    """The public methods that a class adds to those of its bases: there they are explained."""
    for method, member in vars(cls).items():
        known = any(hasattr(base, method) for base in cls.__mro__[1:])
        if method.startswith("_") or known:
            continue
        if inspect.isfunction(member):
            # what it returns stands in its summary, where nothing is passed in
            asks = len(inspect.signature(member).parameters) > 1
            yield f"{name}.{method}", member, SHAPE if asks else SUMMARY
        elif isinstance(member, (classmethod, staticmethod)):
            yield f"{name}.{method}", member.__func__, SHAPE
        elif isinstance(member, property):
            yield f"{name}.{method}", member.fget, SUMMARY


def shortcomings(name: str, checks: set[str]) -> list[str]:
    """What the docstring of `name` lacks."""
    report = numpydoc.validate.validate(name)
    return [
        f"{code} {text}"
        for code, text in report["errors"]
        if code in checks
        and not (code == "PR01" and set(re.findall(r"'(\w+)'", text)) <= known(name))
    ]


def known(name: str) -> set[str]:
    """Fields that the bases of a class explain, or a comment beside or above them."""
    module, _, last = name.rpartition(".")
    thing = getattr(sys.modules.get(module), last, None)
    bases = thing.__mro__[1:] if inspect.isclass(thing) else ()
    documents = [
        numpydoc.docscrape.NumpyDocString(inspect.getdoc(base) or "")
        for base in bases
        if base.__module__.startswith("dprisk.")
    ]
    return {field for field, _, _ in commented(thing)} | {
        each
        for one in documents
        for parameter in one["Parameters"]
        for each in parameter.name.split(", ")
    }


def commented(thing: Any) -> Iterator[tuple[str, str, str]]:
    """The fields of a result that a comment beside or above explains, with type and comment."""
    above = ""
    for line in inspect.getsource(thing).splitlines() if inspect.isclass(thing) else ():
        found = FIELD.match(line)
        if found and (above or found[3]):
            yield found[1], found[2], f"{above} {found[3] or ''}"
        above = f"{above} {line}" if line.startswith("    #: ") else ""


def rangeless(thing: Any) -> list[str]:
    """The numeric parameters of which neither the docstring nor a comment says the range."""
    document = numpydoc.docscrape.NumpyDocString(inspect.getdoc(thing) or "")
    return [
        field
        for field, kind, comment in commented(thing)
        if NUMBER.search(kind) and not RANGE.search(comment)
    ] + [
        parameter.name
        for parameter in document["Parameters"]
        if NUMBER.search(parameter.type)
        and "ndarray" not in parameter.type  # what comes out; what goes in is array_like
        and not RANGE.search(" ".join(parameter.desc))
    ]


DEMANDS = list(demands())


@pytest.mark.parametrize(
    ("name", "checks"), [(name, checks) for name, _, checks in DEMANDS], ids=[d[0] for d in DEMANDS]
)
def test_docstring_is_complete(name, checks):
    assert shortcomings(name, checks) == []


@pytest.mark.parametrize(
    "thing", [t for _, t, checks in DEMANDS if checks != SUMMARY], ids=lambda t: t.__qualname__
)
def test_numbers_have_a_range(thing):
    assert rangeless(thing) == []


# --- the tests above can fail --------------------------------------------------------------------


def bare(epsilon: float) -> float:
    return epsilon


def vague(epsilon, delta):
    """Sum.

    Parameters
    ----------
    epsilon : float
        Any number.
    delta : array_like of float
        Slack. [0, 1]
    """
    return epsilon + delta


@dataclass
class Shy:
    """Has a method without a docstring."""

    def speak(self):
        return "..."


def test_a_missing_docstring_is_caught():
    assert shortcomings(f"{__name__}.bare", SHAPE)


def test_missing_sections_are_caught():
    found = " ".join(shortcomings(f"{__name__}.vague", SHAPE | EXAMPLES))
    assert re.findall(r"[A-Z]{2}\d\d", found) == ["RT01", "EX01"]


def test_a_missing_range_is_caught():
    assert rangeless(vague) == ["epsilon"]


@dataclass
class Commented:
    """Holds a number. Made by `bare`."""

    size: float  #: How large. [0, 1]
    #: How small.
    rest: float = 0.0


def test_comments_beside_fields_explain_them():
    assert shortcomings(f"{__name__}.Commented", SHAPE) == []
    assert rangeless(Commented) == ["rest"]


def test_methods_are_looked_at():
    assert [name for name, _, _ in methods("Shy", Shy)] == ["Shy.speak"]
