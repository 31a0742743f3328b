"""Answers as pieces of the page, and documents to keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from dprisk import _pages
from dprisk.text import fill, spoken
from dprisk.web.questions import QUESTIONS, parse, used

if TYPE_CHECKING:
    from dprisk._asking.answers import Block

MEDIA: Final = {
    "html": "text/html",
    "pdf": "application/pdf",
    "markdown": "text/markdown",
    "json": "application/json",
}


def show(given: bytes) -> tuple[str, bytes]:
    """The answer to a question as a piece of a page: a task of workers."""
    question, body = _asked(given)
    return "text/html", used(QUESTIONS[question], body, _shown).encode()


def document(given: bytes) -> tuple[str, bytes]:
    """A report, or its one-page summary, as a file: a task of workers.

    The name of the file comes in place of the question, such as ``summary.pdf``.
    """
    name, body = _asked(given)
    what, _, form = name.partition(".")

    def made(asked: Any) -> bytes:
        report = asked.answer()
        found = report.summary() if what == "summary" else report
        if form == "pdf":
            return bytes(found.to_pdf())
        return str(found.written(form)).encode("utf-8", "backslashreplace")

    return MEDIA[form], used(QUESTIONS["report"], body, made)


def blocks_as_html(blocks: Iterable[Block]) -> str:
    """A document as a piece of a page."""
    return _pages.page(
        "dprisk.web", "answer.html.j2", say=fill, blocks=list(blocks), language=spoken()
    )


def _asked(given: bytes) -> tuple[str, Any]:
    head, _, sent = given.partition(b"\n")
    return head.decode(), parse(sent)


def _shown(asked: Any) -> str:
    made = asked.answer()
    if not hasattr(asked, "document"):  # a report, which is a document
        return str(made._repr_html_())
    return blocks_as_html(asked.document(made))
