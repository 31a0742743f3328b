"""Refusals on the command line: the option and its text, as they were typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from shlex import quote
from typing import Any, Final, NamedTuple

from dprisk._asking.parameters import Parameter
from dprisk.errors import InvalidInput
from dprisk.text import fill

LONGEST: Final = 60  # letters of a text that is quoted whole


class Typed(NamedTuple):
    """A name by which a refusal may call it, what was typed, and the text of the value alone."""

    name: str
    words: str
    text: str


def as_typed(error: InvalidInput, known: Iterable[Parameter], given: Mapping[str, Any]) -> str:
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


def _texts(known: Iterable[Parameter], given: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Each option or argument as it is written in a command, and the texts typed for it."""
    for each in known:
        if not each.stands:
            continue
        long = next((name for name in each.option.names if name.startswith("--")), None)
        name = each.stands if each.option.positional else long
        texts = given[each.name]
        if texts is None or texts == each.default:
            texts = []
        written = name or f"--{each.name.replace('_', '-')}"
        yield written, texts if isinstance(texts, list) else [str(texts)]


def _typed(option: str, texts: list[str]) -> Iterator[Typed]:
    for text in texts:
        short = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
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
