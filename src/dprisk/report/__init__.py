"""One document about one release: every number, its words, its reasons, and how to get it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.report.making import report
    from dprisk.report.values import FORMATS, REPORT, Asked, Labels, Report

_WHERE = {
    "Asked": "dprisk.report.values",
    "FORMATS": "dprisk.report.values",
    "Labels": "dprisk.report.values",
    "REPORT": "dprisk.report.values",
    "Report": "dprisk.report.values",
    "report": "dprisk.report.making",
}

__all__ = ["FORMATS", "REPORT", "Asked", "Labels", "Report", "report"]

__getattr__, __dir__ = lazy(__name__, _WHERE)
