"""Numbers and words as people write them, read where they can mean one thing only."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, Literal

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
    """The value, zero or infinite, that a decimal text beyond the range of floats would have."""
    if not DECIMAL.fullmatch(text.strip()) or as_decimal(text) is not None:
        return ""
    return "infinite" if math.isinf(float(text)) else "zero"


def hint(value: Any) -> str:
    """A guess at what text that is no decimal number meant, or why it is none; or nothing."""
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


def rows_text(value: Any) -> str | None:
    """A number, some, or rows of them, in decimal text such as `1, 0; 1, 1`; None if it is none."""
    if isinstance(value, str) and (";" in value or "," in value):
        rows = [row.strip().removesuffix(",") for row in value.split(";")]
        cut = [row.split(",") for row in rows if row]
        value = cut if ";" in value or not cut else cut[0]
    if not isinstance(value, (list, tuple)) or not value:
        return as_decimal(value)
    if isinstance(value[0], (list, tuple)):
        found = [rows_text(row) if isinstance(row, (list, tuple)) else None for row in value]
        return None if None in found else "; ".join(map(str, found)) + ";" * (len(found) == 1)
    numbers = [as_decimal(each) for each in value]
    return None if None in numbers else ", ".join(map(str, numbers)) + "," * (len(numbers) == 1)


def rows_of(text: str) -> Any:
    """The numbers of such a text: one, a list, or a list of lists."""
    rows = [[float(each) for each in row.split(",") if each.strip()] for row in text.split(";")]
    if ";" in text:
        return [row for row in rows if row]
    return rows[0] if "," in text else float(text)


NEIGHBORS: Final[Mapping[str, str]] = {
    "unbounded": "add-remove",
    "add-or-remove": "add-remove",
    "add/remove": "add-remove",
    "bounded": "replace-one",
    "change-one": "replace-one",
    "replace": "replace-one",
    "substitute": "replace-one",
    "substitution": "replace-one",
}
DEFINITIONS: Final[Mapping[str, str]] = {
    "approx": "approximate",
    "f-dp": "tradeoff",
    "fdp": "tradeoff",
    "gdp": "gaussian",
    "pbdp": "bounded",
    "pdp": "probabilistic",
    "rdp": "renyi",
    "rényi": "renyi",
    "zcdp": "concentrated",
    "zero-concentrated": "concentrated",
}
MODELS: Final[Mapping[str, str]] = {
    **{name: name for name in ("central", "local", "shuffle", "federated", "varies")},
    "global": "central",
    "shuffled": "shuffle",
}
DATE: Final = "2020-06-30, 2020-06 or 2020"

PARTS: Final = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)


def meant(words: Mapping[str, str], word: Any) -> Any:
    """The name here of a word that has one, whatever its capitals; anything else as it is."""
    if not isinstance(word, str):
        return word
    lower = re.sub(r"[\s_]+", "-", word.strip().lower())
    found = words.get(lower, lower)
    return found if found in words.values() or lower in words else word


def is_date(text: str) -> bool:
    """Whether text is a day, a month or a year that there is."""
    found = PARTS.fullmatch(text.strip())
    if not found:
        return False
    year, month, day = (int(number or 1) for number in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
