"""Nothing in a document is composed or worked out twice."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import dprisk.composition.analysis
from dprisk import ApproxDP, PureDP
from dprisk.accountant.duality import Duality
from dprisk.composition import compose
from dprisk.composition.analysis import Analysis
from dprisk.documents import explain, report
from dprisk.mechanisms import Laplace
from dprisk.releases import Part, Release

A: dict = {"neighbors": "add-remove"}


def described(*parts):
    return Release(
        name="Town survey",
        unit="person",
        period="once",
        neighbors="add-remove",
        neighbors_stated=True,
        model="central",
        parts=parts,
    )


@pytest.fixture
def composed(monkeypatch):
    """How often each composition is made."""
    dprisk.composition.analysis._analysis.cache_clear()
    made: Counter = Counter()

    def counted(guarantees, counts=None, **asked):
        made[tuple(map(repr, guarantees)), tuple(counts), asked.get("rule", "best")] += 1
        return compose(guarantees, counts, **asked)

    monkeypatch.setattr(dprisk.composition.analysis, "compose", counted)
    return made


FILES = [
    described(Part.of(Laplace(8.0, 1.0, **A)), Part.of(Laplace(5.0, 1.0, **A), 2)),
    described(Part(PureDP(0.1, **A)), Part(ApproxDP(0.1, 1e-6, **A))),
]


@pytest.mark.parametrize("release", FILES)
def test_each_composition_is_made_once(release, composed):
    report(release, upto=3).to_markdown()
    assert composed
    assert max(composed.values()) == 1


def test_an_explanation_composes_no_more_than_it_needs(composed):
    explain(Analysis.of(FILES[1]), "regulator", after=[2, 3])
    assert sorted(counts for _, counts, _ in composed) == [(1, 1), (2, 2), (3, 3)]


def test_the_same_question_is_worked_out_once(monkeypatch):
    """Alone and among others are two questions, each with one answer."""
    whole = compose([Laplace(2.0, 1.0, **A).loss()], [3]).guarantee
    asked: list[int] = []
    power = Duality.power
    monkeypatch.setattr(Duality, "power", lambda self, x: asked.append(x.size) or power(self, x))
    together = whole.power([0.01, 0.05, 0.1])
    first = len(asked)
    assert whole.power([0.01, 0.05, 0.1]).bracket[0].tolist() == together.bracket[0].tolist()
    assert len(asked) == first
    alone = whole.power(0.05)
    assert len(asked) == 2 * first
    assert whole.power(0.05).bracket == alone.bracket
    assert alone.bracket == tuple(float(ends[1]) for ends in together.bracket)
    assert len(asked) == 2 * first


def test_what_is_remembered_cannot_be_changed():
    whole = compose([Laplace(2.0, 1.0, **A).loss()], [3]).guarantee
    found = whole.delta([0.1, 0.2])
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(found.value)[0] = 0.0
