"""Figures as files: the same bytes every time, and never without a table and words."""

from __future__ import annotations

import io
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from dprisk._checks import one_of
from dprisk._files import write_all
from dprisk.curves.figure import alt_text, tables
from dprisk.curves.look import FAINT, GREY, INK, in_the_look
from dprisk.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Format = Literal["svg", "png", "pdf"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

METADATA: Final[dict[Format, dict[str, Any]]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
ROOT: Final = re.compile(r"<svg\b")
NAMED: Final = re.compile(r'\bid="([^"]+)"')
USED: Final = re.compile(r'(href="#|url\(#)')
FONT: Final = "'DejaVu Sans'"
FONTS: Final = "'DejaVu Sans', Verdana, sans-serif"  # as wide, where the first is not there
OPACITY: Final = {INK: "1", GREY: "0.72", FAINT: "0.25"}
PAINT: Final = re.compile(rf"\b(fill|stroke): ({'|'.join(OPACITY)})\b")
NAME: Final = re.compile(r"[A-Za-z][\w-]*")


def render(drawn: Axes | Figure, form: Format = "svg", *, name: str = "") -> bytes:
    """A figure as bytes, the same every time.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew.
    form : {"svg", "png", "pdf"}
        Vector graphics, or pixels. An SVG says its alt text itself.
    name : str
        For an SVG that will stand in a page: a word that keeps its parts apart from those of
        others. Such an SVG has no background, and takes the colour of text from the page.

    Returns
    -------
    bytes
        The file. There is no date in it.

    Raises
    ------
    InvalidInput
        If nothing was drawn there, or a word is none of those allowed.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_power, render
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power")
    >>> render(draw_power(line)) == render(draw_power(line))
    True
    """
    one_of("form", form, FORMATS)
    if name and not NAME.fullmatch(name):
        allowed = "one word of letters, digits, - and _, a letter first"
        raise InvalidInput("name", name, allowed)
    words = alt_text(drawn)
    figure: Any = drawn.get_figure(root=True)
    if figure is None:
        raise InvalidInput("drawn", drawn, "axes that still belong to a figure")
    written = io.BytesIO()
    with in_the_look():
        figure.savefig(written, format=form, metadata=METADATA[form], transparent=bool(name))
    if form == "svg":
        return _told(written.getvalue().decode(), words, name).encode()
    return written.getvalue()


def save(
    drawn: Axes | Figure,
    path: str | Path,
    *,
    formats: tuple[Format, ...] = ("svg", "png"),
    force: bool = False,
) -> tuple[Path, ...]:
    """Writes a figure, its table and its alt text side by side, all of them or none.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew.
    path : str or Path
        Where; an ending that names a format asks for that format alone.
    formats : tuple of {"svg", "png", "pdf"}
        Of the figure.
    force : bool
        Whether files that are there may be replaced.

    Returns
    -------
    tuple of Path
        The figure in each format, the table as CSV (numbered if there are several), and the alt
        text.

    Raises
    ------
    InvalidInput
        If nothing was drawn there, or a format is none of those allowed.
    InvalidFile
        If one of the files cannot be written there; folders that are missing are made.
    NotWritten
        If writing fails; what was there is whole.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_power, save
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power", [0.05])
    >>> with TemporaryDirectory() as directory:
    ...     print(*[written.name for written in save(draw_power(line), f"{directory}/power")])
    power.svg power.png power.csv power.txt
    """
    target = Path(path)
    asked = target.suffix[1:].lower()
    if asked in FORMATS:
        formats = (one_of("format", asked, FORMATS),)
        target = target.with_suffix("")
    contents = {f".{each}": render(drawn, each) for each in formats}
    found = tables(drawn)
    for number, table in enumerate(found, 1):
        ending = ".csv" if len(found) == 1 else f"-{number}.csv"
        contents[ending] = table.to_csv().encode()
    contents[".txt"] = f"{alt_text(drawn)}\n".encode()
    files = {target.with_name(target.name + ending): each for ending, each in contents.items()}
    write_all(files, force=force, make=True)
    return tuple(files)


def _told(svg: str, words: str, name: str) -> str:
    """The drawing with its alt text, and with names of its own and the colours of its page."""
    svg = svg.replace(FONT, FONTS)
    if name:
        svg = NAMED.sub(rf'id="{name}-\1"', svg)
        svg = USED.sub(rf"\g<1>{name}-", svg)
        svg = PAINT.sub(lambda found: _of_the_page(found[1], found[2]), svg)
        svg = svg[svg.index("<svg") :]  # what stands before is for files only
    said = escape(words, quote=True)
    return ROOT.sub(lambda found: f'<svg role="img" aria-label="{said}"', svg, count=1)


def _of_the_page(kind: str, color: str) -> str:
    return f"{kind}: currentColor; {kind}-opacity: {OPACITY[color]}"
