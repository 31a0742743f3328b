"""Mechanisms by the name that they have in files."""

from __future__ import annotations

import pytest

from dprisk import mechanisms
from dprisk.errors import InvalidInput
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.mechanisms.base import by_kind, kinds


def test_each_has_its_own():
    assert kinds()["laplace"] is Laplace
    assert mechanisms.Mechanism not in kinds().values()


def test_two_of_a_kind_are_refused(monkeypatch):
    monkeypatch.setattr(Gaussian, "kind", "laplace")
    with pytest.raises(InvalidInput, match=r"(Gaussian|Laplace)\.kind must be .* has this one"):
        by_kind([Laplace, Gaussian])
