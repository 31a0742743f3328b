"""Work that processes share comes back as if it had been done here."""

from __future__ import annotations

import os
import sys
from functools import partial

import pytest

from dprisk.bulk.sharing import CHUNK, shared


def test_what_is_shared_comes_back_in_order():
    items = list(range(3 * CHUNK + 1))
    assert list(shared(float, items)) == [float(item) for item in items]
    assert list(shared(float, [])) == []


def test_others_do_the_work():
    assert os.getpid() not in set(shared(_process, [None] * (2 * CHUNK)))


def _process(item):
    return os.getpid()


def test_what_helpers_cannot_do_is_done_here(monkeypatch):
    items = list(range(2 * CHUNK))
    assert list(shared(partial(_or_end, os.getpid()), items)) == items
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert list(shared(_process, [None] * 3)) == [os.getpid()] * 3


def _or_end(here, item):
    """The item, in one process; the end of any other."""
    if os.getpid() != here:
        os._exit(1)
    return item


def test_an_error_is_raised_here():
    with pytest.raises(ValueError, match="a lot"):
        list(shared(int, ["1", "a lot"]))
