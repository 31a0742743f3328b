"""What is published is assessed once in a session, however many tests look at how it is shown."""

from __future__ import annotations

import pytest

import dprisk.documents.assessing
from dprisk.documents.assessing import assess
from dprisk.releases import deployments

KNOWN: dict = {}


def once(release, adversary=None, *, limits=None):
    """`assess`, which remembers what it said of a published deployment."""
    if limits or not any(release is published for published in deployments()):
        return assess(release, adversary, limits=limits)
    key = release.name, adversary
    if key not in KNOWN:
        KNOWN[key] = assess(release, adversary)
    return KNOWN[key]


@pytest.fixture(autouse=True)
def assessed_once(monkeypatch):
    """For commands; a test that asks `assess` itself is answered anew."""
    monkeypatch.setattr(dprisk.documents.assessing, "assess", once)
