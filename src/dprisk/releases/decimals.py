"""Numbers as decimal text: what somebody wrote is kept beside its value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from dprisk.text import fill

DIGITS = 400
DECIMAL = re.compile(
    rf"[+-]?(?:(?:0|[1-9]\d{{0,{DIGITS - 1}}})(?:\.\d{{0,{DIGITS}}})?|\.\d{{1,{DIGITS}}})"
    r"(?:[eE][+-]?\d{1,5})?",
    re.ASCII,
)
MEANT: tuple[tuple[re.Pattern[str], str, Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(r"([+-]?\d{1,20}),(\d{1,20})", re.ASCII),
        "releases.decimals.comma",
        lambda found: f"{found[1]}.{found[2]}",
    ),
    (
        re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*%", re.ASCII),
        "",
        lambda found: f"{float(found[1]) / 100.0:g}",
    ),
    (
        re.compile(r"([+-]?)0+(\d{1,20}(?:\.\d{0,20})?)", re.ASCII),
        "releases.decimals.zeros",
        lambda found: found[1] + found[2],
    ),
)
NUMERAL = re.compile(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?", re.ASCII)


def as_decimal(value: Any) -> str | None:
    """A finite number in decimal text, as written; None for anything else."""
    if isinstance(value, bool):
        return None
    text = repr(value) if isinstance(value, (int, float)) else value
    if not isinstance(text, str) or not DECIMAL.fullmatch(text.strip()):
        return None
    number = float(text)
    return text.strip() if math.isfinite(number) and (number or _is_zero(text)) else None


def _is_zero(text: str) -> bool:
    return not re.search("[1-9]", re.split("[eE]", text)[0])


def beyond(text: str) -> Literal["", "zero", "infinite"]:
    """What a number in decimal text would be read as, though it is not."""
    if not DECIMAL.fullmatch(text.strip()) or as_decimal(text) is not None:
        return ""
    return "infinite" if math.isinf(float(text)) else "zero"


def hint(value: Any) -> str:
    """What may have been meant by text that is no decimal number, or why it is none; or nothing."""
    text = str(value).strip()
    if NUMERAL.fullmatch(text) and len(text) > DIGITS:
        return fill("releases.decimals.digits", digits=DIGITS)
    if far := beyond(text):
        return fill(f"releases.decimals.{far}")
    for pattern, problem, meant in MEANT:
        found = pattern.fullmatch(text)
        if found:
            guess = fill("errors.did-you-mean", choice=meant(found))
            return f"{fill(problem)} {guess}" if problem else guess
    return ""


def decimal_text(value: Any) -> str:
    """Numbers in the shortest decimal text that reads back the same; text stays as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and any(isinstance(item, str) for item in value):
        return ", ".join(map(str, value))
    numbers = np.ravel(np.asarray(value, dtype=float))
    return ", ".join(repr(float(number)) for number in numbers)
