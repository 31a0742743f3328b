"""Values in release files: numbers, counts, dates and words, each checked as it is written."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from dprisk.guarantees.base import Neighbors
from dprisk.releases.notes import Model
from dprisk.releases.spelling import DATE, as_decimal, hint, is_date, meant
from dprisk.releases.spelling import MODELS as OTHER_MODELS
from dprisk.releases.spelling import NEIGHBORS as OTHER_NEIGHBORS
from dprisk.text import fill

VERSION = 1
MOST_TIMES = 10**9
LONGEST = 10_000


def refused(key: str, fix: str = "", /, **words: Any) -> PydanticCustomError:
    """A refusal by the key of what is wrong; with what to do, if that is not under the key."""
    return refusal(fill(key, **words), fix or fill(f"{key}.fix", **words))


def refusal(problem: str, fix: str) -> PydanticCustomError:
    """A refusal in words that are there already."""
    return PydanticCustomError("refused", "{problem} {fix}", {"problem": problem, "fix": fix})


def number(value: Any, fix: str = "releases.model.number.fix") -> str:
    """A number in decimal text; numbers of Python are written out."""
    text = as_decimal(value)
    if text is None:
        said = fill(fix, hint=hint(value)).lstrip()
        raise refused("releases.model.number", said, value=repr(str(value)[:60]))
    return text


def place(steps: tuple[int | str, ...]) -> str | None:
    """A place in a file, as one would write it; None for the whole file."""
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return shown.removeprefix(".") or None


def _version(value: Any) -> int:
    if isinstance(value, bool) or str(value).strip() != str(VERSION):
        said = repr(str(value)[:20])
        raise refused("releases.model.version", version=said, known=VERSION)
    return VERSION


Version = Annotated[int, BeforeValidator(_version), WithJsonSchema({"const": VERSION})]


def _decimals(value: Any) -> str:
    """One number, or a list of them joined by commas."""
    if isinstance(value, (list, tuple)) and value:
        return ", ".join(number(item) for item in value)
    return number(value)


def _advantage(value: Any) -> str:
    """A number, or a power of two such as 2**-100."""
    power = re.fullmatch(r"\s*2(?:\*\*|\^)-([0-9]{1,3})\s*", str(value), re.ASCII)
    return number(2.0 ** -int(power[1]) if power else value)


def _count(value: Any) -> int:
    digits = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"0|[1-9][0-9]*", digits):
        raise refused("releases.model.count", hint(value), value=repr(str(value)[:60]))
    if len(digits) > len(str(MOST_TIMES)):
        raise refused("releases.model.count.long", value=repr(digits[:20]), digits=len(digits))
    return int(digits)


def _date(value: Any) -> Any:
    if isinstance(value, str) and value.strip() and not is_date(value):
        raise refused("releases.model.date", date=repr(value[:60]), example=DATE)
    return value


def _neighbors(value: Any) -> Any:
    return meant(OTHER_NEIGHBORS, value)


def _model(value: Any) -> Any:
    return meant(OTHER_MODELS, value)


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


NUMBER = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[+-]?[0-9.]+"}]}
NUMBERS = {"anyOf": [*NUMBER["anyOf"], {"type": "array", "items": NUMBER, "minItems": 1}]}
ROWS = {"anyOf": [*NUMBER["anyOf"], {"type": "array", "items": NUMBERS, "minItems": 1}]}
WORDS = {"type": "string", "minLength": 1}
TEXTS = {"anyOf": [WORDS, {"type": "array", "items": WORDS}]}
COUNT = {"type": "integer", "minimum": 1, "maximum": MOST_TIMES, "default": 1}

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST)]
Label = Annotated[str, StringConstraints(max_length=LONGEST)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_several), WithJsonSchema(TEXTS)]
Number = Annotated[str, BeforeValidator(number), WithJsonSchema(NUMBER)]
Advantage = Annotated[str, BeforeValidator(_advantage), WithJsonSchema(NUMBER)]
Numbers = Annotated[str, BeforeValidator(_decimals), WithJsonSchema(NUMBERS)]
Count = Annotated[int, BeforeValidator(_count), Field(ge=1, le=MOST_TIMES), WithJsonSchema(COUNT)]
Date = Annotated[Text, BeforeValidator(_date)]
OneNeighbors = Annotated[Neighbors, BeforeValidator(_neighbors)]
OneModel = Annotated[Model, BeforeValidator(_model)]
