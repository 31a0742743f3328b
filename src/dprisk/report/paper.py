"""A page on paper: PDF from the same HTML, by WeasyPrint, which gets nothing from the network."""

from __future__ import annotations

from typing import Any, NoReturn

from dprisk.errors import NotInstalled
from dprisk.text import fill

__all__ = ["laid_out", "printed", "printer"]

POINTS = 9.5
SHRUNK = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)


def printer() -> Any:
    """The library that prints, which is an extra."""
    try:
        import weasyprint
    except ImportError:
        raise NotInstalled(fill("summary.pdf.weasyprint")) from None
    except OSError:  # a library of the system that it looks for by name
        raise NotInstalled(fill("summary.pdf.pango")) from None
    return weasyprint


def printed(page: str, *, pages: int | None = None) -> bytes:
    """A tagged PDF; in smaller letters if it has to fit on so many pages."""
    content: bytes = laid_out(page, pages).write_pdf(pdf_variant="pdf/ua-1")
    return content


def laid_out(page: str, pages: int | None = None) -> Any:
    """The pages before they are written."""
    library = printer()
    source = library.HTML(string=page, url_fetcher=_nothing)
    for size in SHRUNK:
        letters = f"body.dprisk.page {{ font-size: {size * POINTS}pt !important }}"
        found = source.render(stylesheets=[library.CSS(string=letters)], pdf_variant="pdf/ua-1")
        if pages is None or len(found.pages) <= pages:
            break
    return found


def _nothing(url: str, *_: Any, **__: Any) -> NoReturn:
    raise ValueError(url)
