"""Every sentence that the package says, by key: the one place to translate.

A key is ``topic.variant.register``. The registers are ``plain`` (for the person whose data it is),
``full`` (for whoever decides) and ``formal`` (for whoever checks); ``formal`` falls back to
``full``, and both to a template without a register. Curly brackets hold what code fills in: numbers
that were rounded already, phrases that were made from other templates, and names.
"""

from __future__ import annotations

from typing import Any, Literal

from dprisk.explain.templates import (
    audits,
    beliefs,
    budgets,
    caveats,
    going_on,
    phrases,
    promise,
    results,
)

__all__ = ["TEXTS", "Register", "fill", "has", "resolved"]

Register = Literal["plain", "full", "formal"]
BELOW: dict[str, tuple[str, ...]] = {
    "plain": ("plain",),
    "full": ("full",),
    "formal": ("formal", "full"),
}

TEXTS: dict[str, str] = {
    **phrases.TITLES,
    **phrases.PHRASES,
    **phrases.NAMES,
    **results.RESULTS,
    **beliefs.WITH_WITHOUT,
    **beliefs.BELIEFS,
    **promise.GUARANTEE,
    **promise.EXCEPTIONS,
    **promise.DELTA,
    **going_on.TIME,
    **going_on.LIMITS,
    **caveats.CAVEATS,
    **caveats.SILENT,
    **caveats.COMPUTED,
    **audits.AUDITED,
    **audits.VERDICTS,
    **audits.WITNESSES,
    **audits.SAMPLES,
    **budgets.TOLERANCES,
    **budgets.ALLOWANCES,
    **budgets.PROSPECTS,
}


def has(key: str, register: Register = "full") -> bool:
    """Whether there is a template in a register, or one for all of them."""
    return resolved(key, register) in TEXTS


def fill(key: str, register: Register = "full", /, **words: Any) -> str:
    """A template with its gaps filled; what is filled in is taken as it is."""
    return TEXTS[resolved(key, register)].format_map(words)


def resolved(key: str, register: Register) -> str:
    """The template that a register uses under a key."""
    named = (f"{key}.{name}" for name in BELOW[register])
    return next((name for name in named if name in TEXTS), key)
