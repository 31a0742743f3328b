"""A document as HTML: a page that stands alone, or a piece of a notebook."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from dprisk._pages import page, pasted
from dprisk.text import fill, language, spoken

if TYPE_CHECKING:
    from dprisk.documents.blocks import Figure
    from dprisk.documents.document import Document


ROOM = "dprisk.documents.render"


def whole_page(document: Document) -> str:
    """One file: style, drawings and data inside, nothing fetched, nothing run."""
    template = "summary.html.j2" if document.sheet else "report.html.j2"
    with language(document.language):
        return page(
            ROOM,
            template,
            **_values(document),
            subtitle=document.subtitle,
            footer=document.footer,
            skip=fill("report.page.skip"),
            drawing=lambda figure: pasted(figure.svg),
            tree=document.data,
        )


def fragment(document: Document) -> str:
    """The same sections without a page around them; names that no other document uses."""
    content = json.dumps(document.data, sort_keys=True, allow_nan=False) + document.title
    own = "r" + hashlib.sha256(content.encode()).hexdigest()[:10]

    def drawing(figure: Figure) -> Any:
        return pasted(figure.svg.decode().replace("fig-", f"{own}-"))

    with language(document.language):
        return page(ROOM, "fragment.html.j2", **_values(document), drawing=drawing)


def _values(document: Document) -> dict[str, Any]:
    from dprisk import __version__

    return {
        "title": document.title,
        "sections": document.sections,
        "say": fill,
        "language": spoken(),
        "version": __version__,
    }
