"""Entries are chained, and one text stands for one content."""

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk.errors import InvalidInput
from dprisk.ledger.entries import START, Entry, canonical

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def chain():
    first = Entry.after(None, "ledger", None, "2026-01-01T00:00:00.000000Z", "ann", {"format": 1})
    return first, Entry.after(
        first, "account", None, "2026-01-02T00:00:00.000000Z", "bo", {"a": "ü"}
    )


def test_the_hash_is_that_of_the_fields():
    first, second = chain()
    said = [2, "account", None, "2026-01-02T00:00:00.000000Z", "bo", '{"a":"ü"}', first.hash]
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    assert second.hash == hashlib.sha256(text.encode()).hexdigest()
    assert first.previous == START


@pytest.mark.parametrize("field", ["seq", "kind", "key", "at", "by", "body", "previous", "hash"])
def test_whatever_is_changed_is_noticed(field):
    _, second = chain()
    changed = replace(second, **{field: 3 if field == "seq" else "x"})
    assert second.is_whole and not changed.is_whole


@given(st.dictionaries(st.text(), PLAIN))
def test_canonical_text_reads_back(content):
    text = canonical(content)
    assert json.loads(text) == content
    assert canonical(json.loads(text)) == text


@pytest.mark.parametrize("content", [{"a": 0.5}, {"a": [1, {"b": [0.0]}]}])
def test_floats_are_refused(content):
    with pytest.raises(TypeError, match=r"0\.[05]"):
        canonical(content)


@pytest.mark.parametrize("field", ["key", "at", "by", "content"])
def test_lone_surrogates_are_refused(field):
    said = {"kind": "voided", "key": "k", "at": "now", "by": "ann", "content": {"a": 1}}
    bad = {"a": "b\ud800"} if field == "content" else "b\ud800"
    with pytest.raises(InvalidInput, match="UTF-8"):
        Entry.after(chain()[1], **(said | {field: bad}))


def test_what_could_not_be_written_is_not_whole():
    assert not replace(chain()[1], by="b\ud800").is_whole
