"""Where the samples are, and the shortest release file there is."""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(__file__).parent / "data"
SHARED = Path(os.environ.get("DPRISK_SHARED", Path(__file__).resolve().parents[3] / "shared"))
REGISTRY = SHARED / "data" / "deployments" / "deployments"

HEAD = """\
dprisk: 1
name: Town survey
unit: person
period: once
neighbors: add-remove
model: central
"""
SHORTEST = HEAD + "guarantees: [{epsilon: 1}]\n"


def kinds(release):
    """The kinds of note that a release carries, each once."""
    return {note.kind for note in release.notes}


def texts(release, kind):
    """The notes of one kind, joined."""
    return " ".join(note.text for note in release.notes if note.kind == kind)
