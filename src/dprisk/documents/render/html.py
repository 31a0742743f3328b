"""A report as HTML: a page that stands alone, or a piece of a notebook."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from dprisk._pages import page, pasted
from dprisk._values import brief
from dprisk.documents.reports.words import begun
from dprisk.text import fill, language, spoken

if TYPE_CHECKING:
    from dprisk.documents.document import Figure
    from dprisk.documents.reports.report import Report
    from dprisk.documents.reports.summary import Summary

ROOM = "dprisk.documents.render"
MOST_LETTERS = 60  # letters


def whole_page(report: Report) -> str:
    """One file: style, drawings and data inside, nothing fetched, nothing run."""
    with language(report.asked.labels.language):
        return page(
            ROOM,
            "report.html.j2",
            **_common(report),
            subtitle=_subtitle(report),
            footer=_footer(),
            drawing=lambda figure: pasted(figure.svg),
            tree=report.to_dict(),
        )


def fragment(report: Report) -> str:
    """The same sections without a page around them; names that no other report uses."""
    with language(report.asked.labels.language):
        return _piece(report, _common(report))


def summary_fragment(summary: Summary) -> str:
    """The sections of a summary without a page around them."""
    report = summary.report
    with language(report.asked.labels.language):
        title = fill("summary.page.title", name=summary.name)
        return _piece(report, _common(report) | {"title": title, "sections": summary.sections()})


def _piece(report: Report, values: dict[str, Any]) -> str:
    content = json.dumps(report.to_dict(), sort_keys=True, allow_nan=False) + values["title"]
    own = "r" + hashlib.sha256(content.encode()).hexdigest()[:10]

    def drawing(figure: Figure) -> Any:
        return pasted(figure.svg.decode().replace("fig-", f"{own}-"))

    return page(ROOM, "fragment.html.j2", **values, drawing=drawing)


def summary_page(summary: Summary) -> str:
    """One page of A4, or a short one on a screen."""
    from dprisk import __version__

    report = summary.report
    labels = report.asked.labels
    with language(labels.language):
        return page(
            ROOM,
            "summary.html.j2",
            title=fill("summary.page.title", name=summary.name),
            say=fill,
            language=spoken(),
            skip=fill("report.page.skip"),
            sections=summary.sections(),
            subtitle=_published(report),
            footer=summary.footer(),
            drawing=lambda figure: pasted(figure.svg),
            version=__version__,
        )


def _published(report: Report) -> str:
    release = report.release
    said = [brief(text, most=MOST_LETTERS) for text in (release.curator, release.date) if text]
    return ", ".join(said)


def _common(report: Report) -> dict[str, Any]:
    from dprisk import __version__

    return {
        "title": fill("report.page.title", name=report.release.name),
        "say": fill,
        "language": spoken(),
        "skip": fill("report.page.skip"),
        "sections": report.sections(),
        "version": __version__,
    }


def _subtitle(report: Report) -> str:
    release, labels = report.release, report.asked.labels
    said = [
        fill("report.page.curator", curator=release.curator) if release.curator else "",
        fill("report.page.by", by=labels.by) if labels.by else "",
        labels.date,
    ]
    line = ", ".join(text for text in said if text)
    start = fill("report.page.lead")
    return fill("report.page.subtitle", start=start, line=begun(line)) if line else start


def _footer() -> str:
    from dprisk import __version__

    return fill("report.page.footer", version=__version__)
