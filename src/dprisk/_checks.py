"""Refuse at the door, once: what may enter, and what an error says about the rest."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.errors import OutOfRange, WrongCall, one_of
from dprisk.text import english, fill

SHARE: Final = english("errors.share")


@final
@dataclass(frozen=True)
class Domain:
    """An interval of the real line, and how to say it."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False
    advice: str = ""

    def __str__(self) -> str:
        left, right = "(" if self.low_open else "[", ")" if self.high_open else "]"
        return fill(
            "errors.number", left=left, low=f"{self.low:g}", high=f"{self.high:g}", right=right
        )

    def holds(self, values: Any) -> Any:
        """Elementwise: inside the domain. NaN never is."""
        above = values > self.low if self.low_open else values >= self.low
        below = values < self.high if self.high_open else values <= self.high
        return above & below

    def advised(self, value: float) -> str:
        """Advice about a value that is out of range; a probability may be meant as a percentage."""
        if self.advice == SHARE and 1.0 < value <= 100.0:
            return fill("errors.percent", advice=self.advice, share=f"{value / 100.0:g}")
        return self.advice


NONNEGATIVE: Final = Domain(0.0, np.inf, advice=english("errors.never-negative"))
LIMITED: Final = Domain(0.0, 1e9, advice=english("errors.limited"))
FINITE: Final = Domain(0.0, np.inf, high_open=True, advice=english("errors.never-negative"))
FINITE_POSITIVE: Final = Domain(
    0.0, np.inf, low_open=True, high_open=True, advice=english("errors.always-positive")
)
PROBABILITY: Final = Domain(0.0, 1.0, advice=SHARE)
INSIDE: Final = Domain(0.0, 1.0, low_open=True, high_open=True)
REAL: Final = Domain(-np.inf, np.inf, low_open=True, high_open=True)
ORDER: Final = Domain(1.0, np.inf, low_open=True, high_open=True, advice=english("errors.order"))


def numbers(name: str, value: Any, domain: Domain, fix: str = "") -> Floats:
    """`value` as a float array inside `domain`; anything else is refused by name."""
    if type(value) is float and domain.holds(value):
        return np.array(value + 0.0)  # -0 is 0
    if isinstance(value, (str, bytes, bool)) or value is None:
        raise OutOfRange(name, value, str(domain), fix or fill("errors.as-a-number"))
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise OutOfRange(name, value, str(domain), fix or fill("errors.as-a-number")) from None
    inside = domain.holds(array)
    if not inside.all():
        bad = array if array.ndim == 0 else array[~inside].flat[0]
        raise OutOfRange(name, float(bad), str(domain), fix or domain.advised(float(bad)))
    return array + 0.0 if np.signbit(array).any() else array


def fixed(values: Any) -> Floats:
    """Numbers that nobody can change."""
    array = np.array(values, dtype=float)
    array.flags.writeable = False
    return array


def scalar(name: str, value: Any, domain: Domain, fix: str = "") -> float:
    """`value` as one float inside `domain`."""
    if type(value) in (float, int) and domain.holds(value):
        return float(value) + 0.0
    array = numbers(name, value, domain, fix)
    if array.ndim:
        raise OutOfRange(name, value, str(domain), fill("errors.one-number"))
    return float(array)


def whole(name: str, value: Any, least: int, most: int = 10**9, fix: str = "") -> int:
    """`value` as an int in [least, most]; anything else is refused by name."""
    ends = {"least": least, "most": "10^9" if most == 10**9 else most}
    error = OutOfRange(name, value, fill("errors.whole", **ends), fix)
    try:
        number = float(numbers(name, value, FINITE))
    except (OutOfRange, TypeError):
        raise error from None
    if number != int(number) or not least <= number <= most:
        raise error
    return int(number)


def assign(frozen: Any, **fields: Any) -> None:
    """Set fields of a frozen dataclass, as it is made."""
    for name, value in fields.items():
        object.__setattr__(frozen, name, value)


def settle(frozen: Any, **domains: Domain) -> None:
    """Check fields of a frozen dataclass, each one number, as it is made."""
    for name, domain in domains.items():
        value = scalar(name.removesuffix("_limit"), getattr(frozen, name), domain)
        object.__setattr__(frozen, name, value)


def complement(probability: Any) -> Floats:
    """``1 - p`` of what was written: of 0.99 it is 0.01, which floats alone miss."""
    p = np.asarray(probability, dtype=float)
    known = {value: float(1 - Decimal(repr(value))) for value in set(np.ravel(p).tolist())}
    return np.array([known[value] for value in np.ravel(p).tolist()]).reshape(p.shape)


def neighbors_given(
    cls: type, args: Sequence[Any], given: Mapping[str, Any], allowed: Sequence[str]
) -> None:
    """Refuse a call with other neighbors, or with none; copies are made without arguments."""
    if "neighbors" in given:
        one_of("neighbors", given["neighbors"], allowed)
    if "neighbors" in given or not (args or given):
        return
    wanted = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    if "neighbors" not in wanted or wanted["neighbors"].default is not inspect.Parameter.empty:
        return
    by_name_only = wanted["neighbors"].kind is inspect.Parameter.KEYWORD_ONLY
    if not by_name_only and len(args) >= list(wanted).index("neighbors"):  # `self` comes first
        return
    numbers_given = [repr(value) for value in args if not isinstance(value, str)]
    so_far = [*numbers_given, *(f"{name}={value!r}" for name, value in given.items())]
    call = f"{cls.__name__}({', '.join(so_far)}, neighbors="
    raise WrongCall(fill("errors.neighbors", name=cls.__name__, call=call))
