"""A page on paper: PDF from the same HTML, by WeasyPrint, which gets nothing from the network."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from functools import cache
from typing import Any, NoReturn

from dprisk.errors import NotInstalled
from dprisk.progress import report

PRINTING = "laying out pages"
POINTS = 9.5
SHRUNK = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)


def printer() -> Any:
    """The library that prints, which is an extra."""
    try:
        with redirect_stdout(None):  # on which it prints advice for those who install it
            import weasyprint
    except ImportError:
        raise NotInstalled(
            "A PDF needs WeasyPrint, which is not installed: run pip install 'dprisk[pdf]', or "
            "write .html and print it from a browser."
        ) from None
    except OSError as error:  # a library of the system that it looks for by name
        named = re.search(r"library '([^']+)'", str(error))
        missing = named[1] if named else "libpango-1.0-0"
        raise NotInstalled(
            f"A PDF needs Pango, and the library {missing} is missing here. Install Pango, such as "
            "apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0, or write .html and "
            "print it from a browser."
        ) from None
    return weasyprint


@cache
def can_print() -> bool:
    """Whether the library is there, and the libraries of the system that it needs."""
    try:
        printer()
    except NotInstalled:
        return False
    return True


def printed(page: str, *, pages: int | None = None) -> bytes:
    """A tagged PDF; in smaller letters if it has to fit on so many pages."""
    report(PRINTING, 0, 2)
    found = laid_out(page, pages)
    report(PRINTING, 1, 2)
    content: bytes = found.write_pdf(pdf_variant="pdf/ua-1")
    report(PRINTING, 2, 2)
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
