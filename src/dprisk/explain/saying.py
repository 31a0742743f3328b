"""Templates filled with numbers that keep their direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

from dprisk.answer import Bound
from dprisk.explain.rounding import Scale, at_least, at_most, chance, chances, cut_off, out_of
from dprisk.explain.values import Number, Sentence
from dprisk.text import Register, fill, resolved

__all__ = [
    "Phrase",
    "down_to",
    "given",
    "given_chances",
    "high",
    "low",
    "name",
    "nearest",
    "phrase",
    "say",
    "up_to",
]


@final
@dataclass(frozen=True)
class Phrase:
    """Some words of a sentence, with the numbers and the names in them."""

    text: str
    numbers: tuple[Number, ...] = ()
    names: tuple[str, ...] = ()


Piece = str | Number | Phrase


def phrase(key: str, register: Register = "full", **pieces: Piece) -> Phrase:
    """A phrase from its template."""
    shown: list[str] = []
    numbers: list[Number] = []
    names: list[str] = []
    for piece in pieces.values():
        if isinstance(piece, str):
            shown.append(piece)
        elif isinstance(piece, Number):
            shown.append(piece.shown)
            numbers.append(piece)
        else:
            shown.append(piece.text)
            numbers += piece.numbers
            names += piece.names
    text = fill(key, register, **dict(zip(pieces, shown, strict=True)))
    return Phrase(text, tuple(numbers), tuple(names))


def say(key: str, register: Register, **pieces: Piece) -> Sentence:
    """A sentence from its template."""
    made = phrase(key, register, **pieces)
    return Sentence(resolved(key, register), made.text, made.numbers, made.names)


def name(text: str) -> Phrase:
    """Text that somebody else wrote, or a citation: digits in it are no numbers."""
    return Phrase(text, (), (text,))


def given(quantity: str, value: float, shown: str) -> Number:
    """A number that was put in."""
    return Number(quantity, value, shown, "given")


def given_chances(prior: float, of: Scale = 100) -> Number:
    """A belief that was put in, to its last digit."""
    return given("prior", prior, out_of(prior, of))


def nearest(quantity: str, value: float, shown: str) -> Number:
    """A number that says where, and bounds nothing."""
    return Number(quantity, value, shown, "nearest")


def high(quantity: str, value: float, bound: Bound, source: object, digits: int = 3) -> Number:
    """An upper bound, rounded up."""
    _points("lower", bound)
    return Number(quantity, value, at_most(value, digits), "at most", str(source))


def low(quantity: str, value: float, bound: Bound, source: object, digits: int = 3) -> Number:
    """A lower bound, rounded down."""
    _points("upper", bound)
    return Number(quantity, value, at_least(value, digits), "at least", str(source))


def up_to(
    value: float,
    bound: Bound,
    source: object,
    *,
    form: str = "up",
    open_minded: bool = True,
    of: Scale = 100,
) -> Phrase:
    """How far up: in words near certainty, which is only for who had it."""
    _points("lower", bound)
    number = Number("posterior", value, chances(value, upper=True, of=of), "at most", str(source))
    return _end(form, number, of, "top" if open_minded and value == 1.0 else None)


def down_to(
    value: float,
    bound: Bound,
    source: object,
    *,
    form: str = "least",
    open_minded: bool = True,
    of: Scale = 100,
) -> Phrase:
    """How far down, likewise."""
    _points("upper", bound)
    number = Number("posterior", value, chances(value, upper=False, of=of), "at least", str(source))
    return _end(form, number, of, "bottom" if open_minded and value == 0.0 else None)


def _end(form: str, number: Number, of: Scale, beyond: Literal["top", "bottom"] | None) -> Phrase:
    found = chance(number.value, upper=number.direction == "at most", of=of)
    if beyond is not None:
        found = cut_off(beyond, of)
    if found.kind == "number":
        return phrase(f"{form}.number", chances=number)
    key = f"{form}.top" if found.kind == "top" else f"{form}.bottom"
    return Phrase(fill(key, edge=found.shown, chances=found.shown), (number,))


def _points(wrong: Bound, bound: Bound) -> None:
    """The words follow the direction of the answer."""
    if bound == wrong:
        raise AssertionError(bound)
