"""The order of a report."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from dprisk.report.accumulation import composed, concerned
from dprisk.report.blocks import Section
from dprisk.report.costs import priced
from dprisk.report.provenance import again, assumed, reasons, signed, uncovered
from dprisk.report.risks import in_words, learned
from dprisk.report.summary import described, summary
from dprisk.text import language

if TYPE_CHECKING:
    from dprisk.report.values import Report

__all__ = ["laid_out"]


@lru_cache(maxsize=4)  # drawn once for all formats
def laid_out(report: Report) -> tuple[Section, ...]:
    """Consequences first, then reasons; what there is nothing to say about is left out."""
    with language("en"):
        return tuple(_sections(report))


def _sections(report: Report) -> Iterator[Section]:
    found = (
        summary(report),
        described(report),
        learned(report),
        composed(report),
        concerned(report),
        priced(report),
        *in_words(report),
        uncovered(report),
        assumed(report),
        reasons(report),
        again(report),
        signed(report),
    )
    for section in found:
        if section is not None and (section.blocks or section.inside):
            yield section
