"""Files: the same bytes each time, with words and a table, and several in one page."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import warnings
from functools import cache
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from dprisk.curves import alt_text, draw_beliefs, render, save, tables
from dprisk.curves.look import GREY, INK
from dprisk.errors import InvalidInput
from tests.curves.pictures import PICTURES, moved, picture_of

SVG = "{http://www.w3.org/2000/svg}"


@cache
def svg_of(name):
    """A picture that is only looked at, as it was first written."""
    return render(picture_of(name))


@pytest.mark.parametrize("name", PICTURES)
def test_svg_is_the_same_each_time(name):
    assert svg_of(name) == render(PICTURES[name]())


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_looking_changes_nothing(form):
    ax = picture_of("ladder")
    assert render(ax, form) == render(ax, form)


def test_svg_is_the_same_in_another_process():
    code = (
        "import sys; from tests.curves.pictures import PICTURES; from dprisk.curves import render; "
        "sys.stdout.buffer.write(render(PICTURES['posteriors']()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stdout == svg_of("posteriors")


def test_svg_has_no_date_and_says_its_words():
    svg = svg_of("posterior").decode()
    assert not re.search(r"<dc:date>|\b20\d\d-\d\d-\d\d", svg)
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == alt_text(picture_of("posterior"))


@pytest.mark.parametrize("name", PICTURES)
def test_words_are_words_and_not_drawings_of_letters(name):
    ax = picture_of(name)
    root = ElementTree.fromstring(svg_of(name))
    said = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    words = [text.get_text() for text in (*ax.texts, *ax.figure.texts)]
    assert all(line in said for text in words for line in text.split("\n"))
    glyphs = [each for each in root.iter() if "DejaVu" in each.attrib.get("id", "")]
    assert glyphs == []


def test_a_picture_in_a_page_takes_its_colours():
    inside, alone = (render(picture_of("power"), name=name).decode() for name in ("one", ""))
    assert "currentColor" in inside
    assert not re.search(f"{INK}|{GREY}|#ffffff|#000000", inside)
    assert "currentColor" not in alone
    assert "#ffffff" in alone  # paper, where nobody knows what is behind it


def test_svgs_of_one_page_have_parts_of_their_own():
    found = [render(picture_of("ladder"), name=name).decode() for name in ("one", "two")]
    assert all(svg.startswith("<svg ") for svg in found)
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in found]
    assert ids[0]
    assert not ids[0] & ids[1]
    for svg, known in zip(found, ids, strict=True):
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
        assert used
        assert {a or b for a, b in used} <= known


def test_words_are_escaped():
    svg = render(draw_beliefs(moved(1.0, 'a "quoted" <name> & more'))).decode()
    assert 'a "quoted" <name> & more' in ElementTree.fromstring(svg).attrib["aria-label"]


@pytest.mark.parametrize("name", ["データ 💥", "$x$ <b> & more", "w " * 60, "one\ntwo"])
def test_names_in_any_writing_are_text_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = render(draw_beliefs(moved(1.0, name), moved(3.0, "another")))
    words = " ".join(
        "".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
    )
    assert all(word in words for word in name.split())


def test_save_writes_figure_table_and_words(tmp_path):
    ax = picture_of("difference")
    written = save(ax, tmp_path / "deep" / "picture")
    assert [path.name for path in written] == [
        "picture.svg",
        "picture.png",
        "picture.csv",
        "picture.txt",
    ]
    with written[2].open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    table = tables(ax)[0]
    assert tuple(rows[0]) == table.columns
    assert [float(row[3]) for row in rows[1:]] == [row[3] for row in table.rows]
    assert written[3].read_text(encoding="utf-8") == f"{alt_text(ax)}\n"


def test_an_ending_asks_for_one_format(tmp_path):
    written = save(picture_of("power"), str(tmp_path / "power.pdf"))
    assert [path.suffix for path in written] == [".pdf", ".csv", ".txt"]
    dotted = save(picture_of("power"), tmp_path / "power.v1", formats=("svg",))
    assert [path.name for path in dotted] == ["power.v1.svg", "power.v1.csv", "power.v1.txt"]


def test_a_figure_of_two_has_two_tables(tmp_path):
    figure = Figure(figsize=(7.0, 2.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_beliefs(moved(), ax=left)
    draw_beliefs(moved(), metric="difference", ax=right)
    written = save(figure, tmp_path / "both", formats=("svg",))
    assert [path.name for path in written] == ["both.svg", "both-1.csv", "both-2.csv", "both.txt"]


def test_nothing_is_saved_without_a_table(tmp_path):
    with pytest.raises(InvalidInput, match=r"axes that dprisk\.curves drew"):
        save(Figure().subplots(), tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("form", "name"), [("gif", ""), ("svg", "two words"), ("svg", "1st")])
def test_bad_words_are_refused(form, name):
    with pytest.raises(InvalidInput):
        render(picture_of("posterior"), form, name=name)
