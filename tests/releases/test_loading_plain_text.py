"""What is shown is plain text, whatever was written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk.releases.loading import addresses, lines, plain


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("plain", "plain"),
        ("two\n  lines\t here", "two lines here"),
        ("**bold** and _soft_ and `code`", "bold and soft and code"),
        ("snake_case stays", "snake_case stays"),
        ("[a link](https://example.org)", "a link"),
        ("- a bullet", "a bullet"),
        ("## A title", "A title"),
        ("<b>bold</b> 1 < 2 > 0", "bold 1 < 2 > 0"),
        ("<scr<b>ipt>x", "x"),
        ("<script>steal()</script>ok", "ok"),
        ("&lt;b&gt;x&lt;/b&gt; &amp; y", "x & y"),
        (r"\\(\epsilon = 4\\)", "epsilon = 4"),
        (r"\(\varepsilon\) and $\delta$", "epsilon and delta"),
        (r"4.08 \times 10", "4.08 10"),
        ("\x1b[31mred\x1b[0m\x07", "red"),
        ("right\u202eleft\u200b", "rightleft"),
        ("", ""),
    ],
)
def test_plain(written, shown):
    assert plain(written) == shown


def test_long_text_is_cut():
    assert plain("a" * 1000, 20) == "a" * 17 + "..."


def test_lines_are_bullets_without_the_empty_ones():
    assert lines("- one\n\n- **two**\n  3. three\n") == ("one", "two", "three")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("see https://example.org/a.", ("https://example.org/a",)),
        ("(https://example.org/a_(b))", ("https://example.org/a_(b)",)),
        ("http://a.org/x&amp;y=1, http://a.org/x&amp;y=1", ("http://a.org/x&y=1",)),
        ("[name](https://example.org/z)", ("https://example.org/z",)),
        ("javascript:alert(1) ftp://a.org", ()),
        ('<a href="https://example.org/q">q</a>', ("https://example.org/q",)),
    ],
)
def test_addresses(written, found):
    assert addresses(written) == found


@given(st.text(max_size=200))
def test_nothing_dangerous_is_left(text):
    shown = plain(text)
    assert not any(
        unicodedata.category(character).startswith("C")
        for character in shown
        if unicodedata.category(character) != "Cn"
    )
    assert "<script" not in shown.lower()
    assert shown == shown.strip()
