"""Errors: the forms of all of them."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "errors.nothing-given": "but nothing was given",
    "errors.got": "got {value}",
    "errors.must-be": "{name} must be {allowed}, {got}.",
    "errors.not-converged": "The search for {what} stopped early. The answer lies in [{low}, "
    "{high}].",
    "errors.lies-in": "lies in [{low}, {high}], which is",
    "errors.too-wide": "{what} {known} wider than accuracy={accuracy} allows. {why} {fix}",
    "errors.not-written": "{path}: It could not be written: {reason}. Nothing was changed. Make "
    "room, or choose another place.",
    "errors.share": "A probability lies between 0 and 1.",
    "errors.number": "a number in {left}{low}, {high}{right}",
    "errors.percent": "{advice} Did you mean {share}?",
    "errors.never-negative": "It cannot be negative.",
    "errors.limited": "A larger number promises nothing.",
    "errors.always-positive": "It must be above 0.",
    "errors.order": "A Rényi order lies above 1, such as 2.",
    "errors.did-you-mean": "Did you mean {choice}?",
    "errors.as-a-number": "Give a number.",
    "errors.one-number": "Give one number, not an array.",
    "errors.one-of": "one of {choices}",
}
