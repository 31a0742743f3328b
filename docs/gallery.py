"""Draws the pictures of a page with the code that stands above each of them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OPENING = {"light": "#1a1a1a", "dark": "#e6e6e6"}
PAGES = ("gallery.md", "tables.md", "census-2020.md")
PART = re.compile(r"^```(python|\{include\} (\S+)\.md)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIGURE = """````{{raw}} html
<div class="drawn">{svg}</div>
````

{takeaway} {{download}}`The numbers </{place}.csv>`.
"""


def draw_all(directory: Path = HERE) -> list[str]:
    """Runs each page from top to bottom, and saves what `ax` is at each place for a picture.

    Beside each picture lie its table, and the piece of text by which the page shows it: the
    drawing itself, so that its words can be selected and its colours are those of the page.
    """
    return [place for page in PAGES for place in _draw(page, directory)]


def draw_opening(directory: Path = HERE / "_static") -> str:
    """Saves the picture with which the README opens, for a light page and a dark one.

    Returns its words, for those who do not see it.
    """
    from dprisk import PureDP, disclosure
    from dprisk.curves import alt_text, draw_icons, render

    before = 0.1
    after = disclosure(PureDP(1.0, neighbors="add-remove")).posterior(before).upper
    ax = draw_icons({"before the results": before, "after the results, at ε = 1": after})
    svg = render(ax, name="opening").decode()
    for scheme, ink in OPENING.items():
        drawn = svg.replace("<svg ", f'<svg style="color: {ink}" ', 1)
        (directory / f"epsilon-1-{scheme}.svg").write_text(drawn, encoding="utf-8")
    return alt_text(ax)


def _draw(page: str, directory: Path) -> list[str]:
    from dprisk.curves import render, save, takeaway

    known: dict[str, Any] = {"__name__": "gallery"}
    places = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, place, code in PART.findall((HERE / page).read_text(encoding="utf-8")):
            if kind == "python" and ">>>" not in code:
                with _inside(folder):
                    exec(compile(code, page, "exec"), known)
            elif place:
                ax = known["ax"]
                save(ax, directory / f"{place}.svg", force=True)
                svg = render(ax, name=Path(place).name).decode()
                text = FIGURE.format(place=place, svg=svg, takeaway=takeaway(ax))
                (directory / f"{place}.md").write_text(text, encoding="utf-8")
                places.append(place)
    return places


@contextlib.contextmanager
def _inside(directory: str) -> Any:
    """Nothing that the page does is left behind or printed."""
    before = Path.cwd()
    os.chdir(directory)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        os.chdir(before)
