"""Mutants that would no longer change anything are named here, not after hours."""

from __future__ import annotations

from pathlib import Path

import pytest

from sweep.mutants.__main__ import ALL, misplaced
from sweep.mutants.table import Sweep
from sweep.zoo import FAMILIES

ROOT = Path(__file__).parents[2]


def test_each_is_in_its_place():
    """The old text is in its file exactly once."""
    assert misplaced() == []


def test_none_is_there_twice():
    """Nor does one change nothing."""
    assert len({(one.file, one.old, one.new) for one in ALL}) == len(ALL)
    assert all(one.old != one.new for one in ALL)


@pytest.mark.parametrize("killer", sorted({str(k) for one in ALL for k in one.killers}))
def test_what_has_to_notice_is_there(killer):
    """A family of the sweep, or files of tests."""
    named = {str(k): k for one in ALL for k in one.killers}[killer]
    if isinstance(named, Sweep):
        assert named.family in FAMILIES
    else:
        assert all((ROOT / word.partition("::")[0]).exists() for word in named.split())
