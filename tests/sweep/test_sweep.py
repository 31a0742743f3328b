"""The sweep itself: it catches what is wrong, and its zoo is complete."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.answer import Answer
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from sweep.asking import QUESTIONS
from sweep.running import some
from sweep.tally import Tally, Violation

WRONG = {
    "_power": ("power", lambda found: found * 0.999999),
    "_delta": ("delta", lambda found: found * 0.999999),
    "_level": ("level", lambda found: np.minimum(found * 1.000001, 1.0)),
}


@pytest.mark.parametrize("formula", WRONG)
def test_a_wrong_formula_is_found(monkeypatch, formula):
    """One part in a million on the unsafe side."""
    question, change = WRONG[formula]
    right = getattr(GaussianDP, formula)

    def wrong(self, values):
        found = right(self, values)
        return Answer(change(np.asarray(found.value)), found.bound, found.theorem)

    monkeypatch.setattr(GaussianDP, formula, wrong)
    tally = some("planted", 3, ["GaussianDP"])
    rule = "above the truth" if question == "level" else "below the truth"
    assert ("GaussianDP", question, rule) in tally.found


def test_a_warning_is_found(monkeypatch):
    """And the number that brings it about is named."""
    right = GaussianDP._delta
    monkeypatch.setattr(GaussianDP, "_delta", lambda self, e: right(self, e + 0.0 * np.log(e)))
    tally = some("planted", 3, ["GaussianDP"])
    assert any(rule == "raised RuntimeWarning" for _, _, rule in tally.found)


def test_tallies_add_up():
    """Counts of two processes, and the worst of what they found."""
    one, other = Tally(), Tally()
    key = ("PureDP", "delta", "add-remove")
    for tally, size in ((one, 0.1), (other, 0.5)):
        tally.asked[key] += 2
        tally.add(Violation("below the truth", *key, "code", "got", "truth", size))
    one.merge(other)
    assert one.total == 4
    assert one.counts["PureDP", "delta", "below the truth"] == 2
    assert one.found["PureDP", "delta", "below the truth"][0].size == 0.5


def test_every_method_of_a_guarantee_is_asked():
    """A new one has to be added to the questions."""
    asked = {text.partition("(")[0] for text in QUESTIONS.values()} | {"for_neighbors"}
    public = {name for name in vars(Guarantee) if not name.startswith("_")}
    assert public - {"definition", "neighbors", "parameters"} == asked
