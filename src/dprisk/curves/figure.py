"""Figures with a point as title, a legend, a source, a table and words behind them; as files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec, final, get_args

import numpy as np

from dprisk._files import write_all
from dprisk.curves.look import FAINT, GREY, INK, SMALL, in_the_look
from dprisk.errors import InvalidInput, WrongCall, one_of
from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms.base import Mechanism
from dprisk.table import NumberTable
from dprisk.text import fill
from dprisk.text.rounding import Scale, bounded, hundredths, out_of
from dprisk.theorems import NAMES, Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Parameters = ParamSpec("Parameters")

CARRIED: Final = "_dprisk_behind"
TITLE: Final = 9.5  # points
PAD: Final = 4.0  # points around everything
LEADING: Final = 1.2
TOGETHER: Final = re.compile(
    r"(?<=\d) (?=in \d)|(?<=\d in) (?=\d)|(?<=[εδρμ]) (?==)|(?<==) |(?<=\(\d,) "
)

CURVES: Final = {
    "draw_beliefs": "beliefs(disclosure(guarantee))",
    "draw_ladder": "ladder(guarantee, [1, 12, 52])",
    "draw_lines": 'guarantee_line(guarantee, "power")',
}
"""The call that makes the curve of each figure from a promise."""


@final
@dataclass(frozen=True)
class Behind:
    """The words, the table and the source behind one picture."""

    title: str
    takeaway: str
    alt: str
    table: NumberTable
    source: str


def attach(
    ax: Axes,
    title: str,
    takeaway: str,
    seen: str,
    columns: Sequence[str],
    rows: Iterable[Any],
    theorems: Iterable[Theorem] = (),
    confidence: float | None = None,
) -> Axes:
    """Let axes carry what stands behind them; the alt text ends with the takeaway."""
    table = NumberTable(tuple(columns), tuple(tuple(row) for row in rows))
    held = "" if confidence is None else fill("plots.held", share=hundredths(confidence)) + "\n"
    new = Behind(title, takeaway, f"{seen} {takeaway}", table, held + _source(theorems))
    setattr(ax, CARRIED, (*getattr(ax, CARRIED, ()), new))
    return ax


def _source(theorems: Iterable[Theorem]) -> str:
    """The works behind the numbers, each once, with the place where there is one work only."""
    found = list(dict.fromkeys(theorems))
    works = list(dict.fromkeys(NAMES.get(each.work, each.work) for each in found))
    if not works:
        return fill("plots.source.none")
    if len(found) == 1:
        return fill("plots.source.place", work=works[0], place=found[0].place)
    return fill("plots.source", works="; ".join(works))


def behind(drawn: Axes | Figure) -> tuple[Behind, ...]:
    """All that stands behind axes, or behind all axes of a figure; refused if there is nothing."""
    panels = getattr(drawn, "axes", None)
    panels = panels if isinstance(panels, list) else [drawn]
    found = tuple(each for ax in panels for each in getattr(ax, CARRIED, ()))
    if not found:
        allowed = "axes that dprisk.curves drew, or a figure with some"
        raise InvalidInput("drawn", drawn, allowed)
    return found


def alt_text(drawn: Axes | Figure) -> str:
    """Describe a figure in words, with numbers rounded to the side on which they are true.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew; anything else is refused.

    Returns
    -------
    str
        One or two sentences for each picture.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import alt_text, draw_lines, guarantee_line
    >>> normal = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "power", name="normal")
    >>> print(alt_text(draw_lines(normal)))
    Line chart of the power of a test against its level, both from 0 to 1. The power of a \
test is at most 0.26 at a level of 0.05 (normal).
    """
    return " ".join(each.alt for each in behind(drawn))


def takeaway(drawn: Axes | Figure) -> str:
    """Sum a figure up in a sentence: its caption.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew; anything else is refused.

    Returns
    -------
    str
        One sentence for each picture.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import draw_lines, guarantee_line, takeaway
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power", name="pure")
    >>> takeaway(draw_lines(line))
    'The power of a test is at most 0.136 at a level of 0.05 (pure).'
    """
    return " ".join(each.takeaway for each in behind(drawn))


def tables(drawn: Axes | Figure) -> tuple[NumberTable, ...]:
    """The numbers behind a figure.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew; anything else is refused.

    Returns
    -------
    tuple of NumberTable
        One for each picture.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import draw_lines, guarantee_line, tables
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "profile", [0.0, 1.0])
    >>> tables(draw_lines(line))[0].columns
    ('line', 'epsilon', 'at least', 'at most')
    """
    return tuple(each.table for each in behind(drawn))


def figure(draw: Callable[Parameters, Axes]) -> Callable[Parameters, Axes]:
    """Draws in the look of the house, and leaves matplotlib's settings as they were."""

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Axes:
        name = draw.__name__
        if name in CURVES and any(isinstance(each, Guarantee | Mechanism) for each in args):
            raise WrongCall(
                f"{name} draws curves, not promises. Write {name}({CURVES[name]}), with the "
                "functions from dprisk and dprisk.curves."
            )
        with in_the_look():
            ax = draw(*args, **kwargs)
            _finish(ax, alone=kwargs.get("ax") is None)
        return ax

    return drawn


def _finish(ax: Axes, *, alone: bool) -> None:
    """Title, legend and the label of what is measured up the side; alone, the source as well.

    In a figure of somebody's own each of the axes has a title, and the layout is theirs.
    """
    from matplotlib.transforms import ScaledTranslation

    page: Any = ax.get_figure(root=True)
    across = (page.bbox if alone else ax.bbox).width / page.dpi * 72.0 - 2.0 * PAD
    one = behind(ax)[-1]
    up = ax.yaxis.label  # above the axis, where no head is turned
    if ax.axison and up.get_text():
        text = wrapped(up.get_text(), across - 36.0, SMALL)
        up.set(text=text, rotation=0.0, ha="left", va="bottom", fontsize=SMALL, color=GREY)
        above = ScaledTranslation(0.0, PAD / 72.0, page.dpi_scale_trans)
        ax.yaxis.set_label_coords(0.0, 1.0, transform=ax.transAxes + above)
    rows = _legend(ax, across - 36.0)
    title = wrapped(one.title, across, TITLE, "bold")
    words: dict[str, Any] = {"ha": "left", "linespacing": LEADING}
    if not alone:
        pad = 2.0 * PAD + LEADING * SMALL * (up.get_text().count("\n") + 1)
        ax.set_title(title, loc="left", fontsize=TITLE, weight="bold", pad=pad)
        return
    edge = PAD / 72.0 / page.get_figwidth()
    page.suptitle(title, x=edge, fontsize=TITLE, weight="bold", **words)
    page.supxlabel(wrapped(one.source, across, SMALL), x=edge, fontsize=SMALL, color=GREY, **words)
    page.set_figheight(page.get_figheight() + rows * 1.35 * SMALL / 72.0)
    page.get_layout_engine().set(w_pad=PAD / 72.0, h_pad=PAD / 72.0)
    page.draw_without_rendering()
    page.set_layout_engine("none")  # settled: looking at it again changes nothing


def _legend(ax: Axes, across: float) -> int:
    """The names of lines below the axes, where nothing runs through them; how many rows."""
    from matplotlib.transforms import ScaledTranslation

    named: list[tuple[Any, list[str]]] = []
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        at = next((n for n, (known, _) in enumerate(named) if _coincide(handle, known)), None)
        if at is None:
            named.append((handle, [label]))
        else:  # of lines that hide each other the last is left
            known, names = named[at]
            known.remove()
            named[at] = handle, [*names, label]
    if not named:
        return 0
    labels = [
        names[0] if len(names) == 1 else fill("plots.same", names=" / ".join(names))
        for _, names in named
    ]
    labels = ["\n".join(wrap(label, 44)) for label in labels]
    widest = max(_width(line, SMALL) for label in labels for line in label.splitlines())
    columns = max(1, min(3, int(across // (widest + 32.0))))
    page: Any = ax.get_figure(root=True)
    down = 22.0 + LEADING * 8.0 * (ax.get_xlabel().count("\n") + 1)
    below = ScaledTranslation(0.0, -down / 72.0, page.dpi_scale_trans)
    ax.legend(
        [handle for handle, _ in named],
        labels,
        loc="upper left",
        ncols=columns,
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + below,
    )
    tallest = max(label.count("\n") + 1 for label in labels)
    return -(-len(labels) // columns) * tallest


def _coincide(first: Any, second: Any) -> bool:
    """Whether the one line hides the other: they are less than a pixel apart."""
    from matplotlib.lines import Line2D

    if not (isinstance(first, Line2D) and isinstance(second, Line2D)):
        return False
    ends = [line.get_transform().transform(line.get_xydata()) for line in (first, second)]
    ends = [end[np.isfinite(end).all(axis=1)] for end in ends]
    if min(map(len, ends)) < 2:
        return False
    spans = [(end[:, 0].min(), end[:, 0].max()) for end in ends]
    if max(abs(a - b) for a, b in zip(*spans, strict=True)) > 1.0:
        return False
    x = np.linspace(*spans[0], 400)
    one, other = (np.interp(x, end[:, 0], end[:, 1]) for end in ends)
    return bool(np.max(np.abs(one - other)) < 1.0)


def wrapped(text: str, points: float, size: float, weight: str = "normal") -> str:
    """A text in as few lines of so many points as it needs, all about as long."""
    paragraphs = [TOGETHER.sub("\N{NO-BREAK SPACE}", each) for each in text.splitlines()]
    return "\n".join(_folded(each, points, size, weight) for each in paragraphs)


def _folded(text: str, points: float, size: float, weight: str) -> str:
    found = [""]
    for share in (1.0, 0.9, 0.8, 0.7, 0.6):
        lines = [""]
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}".lstrip()
            if lines[-1] and _width(longer, size, weight) > share * points:
                lines.append(word)
            else:
                lines[-1] = longer
        if share < 1.0 and len(lines) > len(found):
            break
        found = lines
    return "\n".join(found)


@lru_cache(2**12)
def _width(text: str, size: float, weight: str = "normal") -> float:
    """Width of a line in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    face = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, face, ismath=False)[0])


def up_to(probability: float, of: Scale, prior: float = 0.0) -> str:
    """An upper bound as so many in a hundred, thousand or million, with its direction."""
    if prior == 1.0:
        return out_of(prior, of)
    return bounded(probability, upper=True, of=of)


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
    """A figure as bytes, the same every time: there is no date in the file.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew; anything else is refused.
    form : {"svg", "png", "pdf"}
        Vector graphics, or pixels. An SVG says its alt text itself.
    name : str
        For an SVG that will stand in a page: a word that keeps its parts apart from those of
        others. Such an SVG has no background, and takes the color of text from the page.

    Returns
    -------
    bytes
        The file.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import draw_lines, guarantee_line, render
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power")
    >>> render(draw_lines(line)) == render(draw_lines(line))
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
    found = written.getvalue()
    return _told(found.decode(), words, name).encode() if form == "svg" else found


def save(
    drawn: Axes | Figure,
    path: str | Path,
    *,
    formats: tuple[Format, ...] = ("svg", "png"),
    force: bool = False,
) -> tuple[Path, ...]:
    """Write a figure, its table and its alt text side by side, all of them or none.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew; anything else is refused.
    path : str or Path
        Where; an ending that names a format asks for that format alone. Missing folders are made.
    formats : tuple of {"svg", "png", "pdf"}
        Of the figure.
    force : bool
        Whether files that are there may be replaced.

    Returns
    -------
    tuple of Path
        The figure in each format, the table as CSV (numbered if there are several), and the alt
        text.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from dprisk import PureDP
    >>> from dprisk.curves import draw_lines, guarantee_line, save
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power", [0.05])
    >>> with TemporaryDirectory() as directory:
    ...     print(*[written.name for written in save(draw_lines(line), f"{directory}/power")])
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
        paint = r"\1: currentColor; \1-opacity: "
        svg = PAINT.sub(lambda found: found.expand(paint) + OPACITY[found[2]], svg)
        svg = svg[svg.index("<svg") :]  # what stands before is for files only
    said = escape(words, quote=True)
    return ROOT.sub(lambda found: f'<svg role="img" aria-label="{said}"', svg, count=1)
