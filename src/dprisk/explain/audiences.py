"""Who reads: in which register, about what, in which order. A new audience is a new entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dprisk.explain.explanation import Audience
from dprisk.text import LANGUAGES, Language, Register


@final
@dataclass(frozen=True)
class Reader:
    """What an audience is told. Made for `AUDIENCES`."""

    register: Register
    topics: tuple[str, ...]
    levels: tuple[float, ...] = ()
    priors: tuple[float, ...] = (0.01, 0.1, 0.5)
    decimals: bool = False
    languages: tuple[Language, ...] = ("en",)

    def understands(self, language: Language) -> Language:
        """The language that is spoken to this audience where another is asked for."""
        return language if language in self.languages else "en"


AUDIENCES: dict[Audience, Reader] = {
    "data-subject": Reader(
        "plain",
        (
            "with-without",
            "beliefs",
            "any-reader",
            "value",
            "exceptions",
            "time",
            "guarantee",
            "limits",
            "worst-case",
            "not-covered",
            "assumptions",
            "experts",
        ),
        priors=(0.5, 0.1, 0.9),
        languages=LANGUAGES,
    ),
    "curator": Reader(
        "full",
        (
            "with-without",
            "beliefs",
            "any-reader",
            "value",
            "guarantee",
            "time",
            "limits",
            "exceptions",
            "delta",
            "worst-case",
            "assumptions",
            "not-covered",
            "notes",
        ),
        decimals=True,
    ),
    "regulator": Reader(
        "full",
        (
            "with-without",
            "beliefs",
            "any-reader",
            "value",
            "guarantee",
            "exceptions",
            "delta",
            "tests",
            "time",
            "limits",
            "worst-case",
            "assumptions",
            "not-covered",
            "notes",
        ),
        levels=(0.05,),
    ),
    "researcher": Reader(
        "formal",
        (
            "with-without",
            "beliefs",
            "any-reader",
            "value",
            "guarantee",
            "exceptions",
            "delta",
            "tests",
            "time",
            "limits",
            "computed",
            "assumptions",
            "not-covered",
            "notes",
        ),
        levels=(0.01, 0.05, 0.1),
        decimals=True,
    ),
}
