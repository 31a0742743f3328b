"""The order of a report."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from dprisk._lazy import named
from dprisk.report.blocks import Section
from dprisk.text import language

if TYPE_CHECKING:
    from dprisk.report.document import Report


SECTIONS = (  # each a function of a report, by its module; None where there is nothing to say
    "summary:summary",
    "summary:described",
    "risks:learned",
    "accumulation:composed",
    "accumulation:concerned",
    "costs:priced",
    "risks:promised",
    "risks:handed_on",
    "provenance:uncovered",
    "provenance:assumed",
    "provenance:reasons",
    "provenance:again",
    "provenance:signed",
)


@lru_cache(maxsize=4)  # drawn once for all formats
def laid_out(report: Report) -> tuple[Section, ...]:
    """Consequences first, then reasons; what there is nothing to say about is left out."""
    with language("en"):
        return tuple(_sections(report))


def _sections(report: Report) -> Iterator[Section]:
    for name in SECTIONS:
        section: Section | None = named("dprisk.report", name)(report)
        if section is not None and (section.blocks or section.inside):
            yield section
