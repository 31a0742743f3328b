"""Files: the same bytes each time, nothing fetched, numbers beside pictures."""

from __future__ import annotations

import csv
import json
import re
from contextlib import nullcontext
from html.parser import HTMLParser

import pytest

from dprisk.errors import InvalidFile
from dprisk.papers import items, reproduce, write_reproduction
from dprisk.papers.pages import check_folder

SOME = ("P0/figure-7", "P1/table-5", "P2", "P3/figure-1", "P3/table-1", "P4/theorem-1")
VOID = {"meta", "link", "img", "br", "hr", "input"}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    made = reproduce(SOME)
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    return made, folders, [write_reproduction(made, folder) for folder in folders]


class Page(HTMLParser):
    """What a page holds: elements in order, text, and whether each is closed."""

    def __init__(self, text):
        HTMLParser.__init__(self)
        self.elements, self.open, self.text = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def page(written):
    _, (folder, _), _ = written
    return Page((folder / "index.html").read_text(encoding="utf-8"))


def test_two_runs_write_the_same_bytes(written):
    _, (first, second), (names, again) = written
    relative = [path.relative_to(first) for path in names]
    assert relative == [path.relative_to(second) for path in again]
    for path in relative:
        assert (first / path).read_bytes() == (second / path).read_bytes(), path


def test_a_file_for_each_item(written):
    made, (folder, _), (names, _) = written
    found = {str(path.relative_to(folder)) for path in names}
    assert {f"{part.item.key}.csv" for part in made.parts} < found
    assert {"P0/figure-7.svg", "P0/figure-7.png", "P3/figure-1-2.svg", "index.json"} < found
    for path in names:
        assert path.stat().st_size > 0
        if path.suffix == ".png":
            assert path.read_bytes().startswith(b"\x89PNG")


def test_tables_are_read_back_in_full(written):
    made, (folder, _), _ = written
    for part in made.parts:
        with (folder / f"{part.item.key}.csv").open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert tuple(header) == part.made.table.columns
        assert len(rows) == len(part.made.table.rows)


def test_json_says_the_same_as_the_library(written):
    made, (folder, _), _ = written
    data = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert data == json.loads(json.dumps(made.to_dict()))
    assert data["as_expected"] is True


def test_the_page_is_whole_and_fetches_nothing(page):
    assert page.open == []
    for tag, attributes in page.elements:
        assert tag not in {"script", "link", "iframe", "object"}
        assert not str(attributes.get("src", "")).startswith(("http", "//"))
        if tag == "a":
            assert not attributes["href"].startswith(("http", "//", "/"))


def test_links_and_names_in_the_page_lead_somewhere(page, written):
    _, (folder, _), _ = written
    names = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(names)) == len(names)
    for _, attributes in page.elements:
        target = attributes.get("href", "")
        if target.startswith("#"):
            assert target[1:] in names
        elif target:
            assert (folder / target).is_file(), target


def test_every_print_stands_beside_ours(page, written):
    made, _, _ = written
    text = re.sub(r"\s+", " ", " ".join(page.text))
    for part in made.parts:
        assert f"{part.item.label} " in text
        for check in part.checks:
            for words in (check.printed.what, check.printed.text, check.ours, check.verdict):
                assert re.sub(r"\s+", " ", words) in text
    assert "All 83 numbers match." in text
    assert "Nothing to compute: it defines symbols and prints no number." in text
    assert "Not as expected" not in text


def test_pictures_have_words_and_a_table(page, written):
    made, _, _ = written
    drawn = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(drawn) == sum(len(part.made.pictures) for part in made.parts)
    assert all(attributes["aria-label"] for attributes in drawn)


def test_without_figures_nothing_is_drawn(written, tmp_path):
    made, _, _ = written
    names = write_reproduction(made, tmp_path / "new" / "folder", figures=False)
    assert {path.suffix for path in names} == {".html", ".json", ".csv"}


def test_what_is_not_expected_stands_first(tmp_path, monkeypatch):
    from dprisk.papers import reproduction
    from dprisk.papers.reproduction import Made
    from dprisk.table import NumberTable

    monkeypatch.setattr(
        reproduction,
        "_maker",
        lambda item: (
            lambda: Made({each.what: 7.0 for each in item.prints}, NumberTable.of({"a": [1]}))
        ),
    )
    made = reproduce(["P3/table-3"])
    write_reproduction(made, tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Not as expected" in text.split("Summary")[0]
    assert "P3/table-3, r = 1.5, epsilon: differs" in text


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidFile, match=r"It cannot be written \(.*\)\. Choose another place"):
        check_folder(tmp_path / "file" / "folder", [])
    (tmp_path / "P2").write_text("")
    with pytest.raises(InvalidFile, match=r"It cannot be written \(.*\)\. Choose another place"):
        write_reproduction(reproduce(["P2/lemma-2-3"]), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["P2", "file"]


@pytest.mark.parametrize(
    "name", ["index.html", "index.json", "P3/table-3.csv", "P3/figure-1.svg", "P3/figure-1-2.png"]
)
def test_what_is_there_is_kept_before_anything_is_computed(name, tmp_path):
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.write_text("mine")
    for force in (True, False):
        with nullcontext() if force else pytest.raises(InvalidFile, match="The file exists"):
            check_folder(tmp_path, items(["P3"]), force=force)
    assert place.read_text() == "mine"
