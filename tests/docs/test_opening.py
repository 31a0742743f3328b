"""The picture with which the README opens is what the site draws, and says what it shows."""

from __future__ import annotations

import re
from runpy import run_path

from dprisk import Adversary, PureDP, assess
from dprisk.documents import headline
from tests.house.tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
STATIC = ROOT / "docs" / "_static"


def test_the_picture_is_current(tmp_path):
    words = run_path(str(ROOT / "docs" / "gallery.py"))["draw_opening"](tmp_path)
    assert f'alt="{words}"' in README
    drawn = sorted(path.name for path in tmp_path.iterdir())
    assert drawn == ["epsilon-1-dark.svg", "epsilon-1-light.svg"]
    for name in drawn:
        assert f"docs/_static/{name}" in README
        assert (STATIC / name).read_bytes() == (tmp_path / name).read_bytes(), "run make docs"


def test_the_sentence_below_it_is_the_headline():
    """The same belief before and after, and for every result."""
    promise = PureDP(1.0, neighbors="add-remove")
    said = headline(assess(promise, Adversary(secret="membership", priors=(0.1,))))
    opening = README[: README.index("## Try it")]
    for words in ("10 in 100", "Whatever the results show", "at most 24 in 100"):
        assert words in said
        assert words in " ".join(opening.split())


def test_no_picture_is_without_words():
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        for tag in re.findall(r"<img\b[^>]*>", text):
            assert re.search(r'alt="[^"]+"', tag), (path, tag)
        assert "![](" not in text, path
