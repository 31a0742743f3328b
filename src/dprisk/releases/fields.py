"""What the models of all file formats share: numbers as text, a version, and refusals by key."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from dprisk.releases.decimals import as_decimal, hint
from dprisk.text import fill

VERSION = 1


def refused(key: str, fix: str = "", /, **words: Any) -> PydanticCustomError:
    """By the key of what is wrong; with what to do, if that is not under the key itself."""
    return refusal(fill(key, **words), fix or fill(f"{key}.fix", **words))


def refusal(problem: str, fix: str) -> PydanticCustomError:
    """In words that are there already."""
    return PydanticCustomError("refused", "{problem} {fix}", {"problem": problem, "fix": fix})


def number(value: Any, fix: str = "releases.model.number.fix") -> str:
    """A number in decimal text; numbers of Python are written out."""
    text = as_decimal(value)
    if text is None:
        said = fill(fix, hint=hint(value)).lstrip()
        raise refused("releases.model.number", said, value=repr(str(value)[:60]))
    return text


def place(steps: tuple[int | str, ...]) -> str | None:
    """Where in a file something stands, as one would write it; None: the whole file."""
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return shown.removeprefix(".") or None


def _version(value: Any) -> int:
    if isinstance(value, bool) or str(value).strip() != str(VERSION):
        said = repr(str(value)[:20])
        raise refused("releases.model.version", version=said, known=VERSION)
    return VERSION


Version = Annotated[int, BeforeValidator(_version), WithJsonSchema({"const": VERSION})]
