"""A claim in somebody's own words: it fits into a sentence, and nothing in it is obeyed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk import PureDP
from dprisk.documents import explain
from dprisk.documents.explaining import Conclusion, understood
from dprisk.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "what", "who"),
    [
        (
            "your manager concludes that you answered No",
            "you answered No",
            "your manager",
        ),
        ("Your manager concludes you answered No.", "you answered No", "your manager"),
        ("your neighbors find out that you are ill", "you are ill", "your neighbors"),
        ("THE IT department can tell that you did it!", "you did it", "THE IT department"),
        ("a think tank believes that you voted", "you voted", "a think tank"),
        ("You answered No", "you answered No", None),
        ("that your vote was No", "your vote was No", None),
        ("you think that taxes are too high", "you think that taxes are too high", None),
        ("Maria has diabetes", "Maria has diabetes", None),
        ("IT  knows\n that you\tleft", "you left", "IT"),
    ],
)
def test_who_and_what(text, what, who):
    assert understood(text) == Conclusion(what, who)


@pytest.mark.parametrize("text", ["", "  ", "...", "x" * 201, None, 7])
def test_no_claim(text):
    with pytest.raises(InvalidInput, match="claim must be"):
        understood(text)


def test_control_characters_are_written_out():
    """Neither a terminal nor a page turns around."""
    claim = understood("you are\x1b[31m red\u202eside\x00")
    assert claim.what == "you are\\x1b[31m red\\u202eside\\x00"


@given(st.text(min_size=1, max_size=60))
def test_any_text_is_placed_as_it_is(text):
    """Curly brackets, percent signs and tags are letters like others."""
    if not text.strip(" .!?,;:\n\t\v\f\r\x1c\x1d\x1e\x1f\x85\xa0"):
        return
    try:
        claim = understood(text)
    except InvalidInput:
        assert not " ".join(text.split()).strip(" .!?,;:") or len(text) > 20
        return
    assert claim.what.isprintable()
    assert claim.who is None or claim.who.isprintable()


def test_brackets_are_not_filled():
    made = explain(
        PureDP(1.0, neighbors="replace-one"), claim="{observer} learns that {0} {before!r} <b>%s"
    )
    before = str(made.sections[0].sentences[0])
    assert before.startswith("Suppose {observer} can see everyone else's data.")
    assert before.endswith("100 chance that {0} {before!r} <b>%s.")
