"""A test is where its module is: `tests/<room>/test_<module>.py`, or with more to its name."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT, SOURCE

TESTS = ROOT / "tests"
NO_ROOM = {
    "against": "the package beside other libraries",
    "docs": "documents, executed",
    "house": "rules for every module",
    "properties": "what holds for every definition, mechanism and result",
    "sweep": "the sweep, which is not shipped",
    "text": "every word in every language",
    "vectors": "known answers for any tool",
}
ACROSS = {
    "accountant/test_methods.py": "one sum by several methods",
    "accountant/test_subsampled.py": "subsampled noise, whichever method answers",
    "audit/test_brute_force.py": "both audits against every set of outputs",
    "audit/test_relations.py": "what definitions imply of one another",
    "audit/test_theory.py": "mechanisms whose numbers are known",
    "composition/test_progress.py": "long work in any module of the room",
    "documents/test_again.py": "the whole report",
    "documents/test_german_explained.py": "every sentence of an explanation",
    "documents/test_german_reports.py": "the whole report",
    "documents/test_in_a_browser.py": "the whole report",
    "documents/test_nothing_twice.py": "the whole report",
    "documents/test_one_number.py": "the whole report",
    "documents/test_sentences.py": "the whole report",
    "documents/test_voice.py": "every sentence of an explanation",
    "guarantees/test_brute_force.py": "every definition against finite mechanisms",
    "guarantees/test_exactness.py": "every answer that is said to be exact",
    "guarantees/test_far_ends.py": "the ends of every bracket",
    "guarantees/test_last_digits.py": "the ends of every bracket",
    "guarantees/test_rounding.py": "every answer, on its side",
    "losses/test_moments.py": "every loss",
    "mechanisms/test_losses.py": "every mechanism",
    "mechanisms/test_promised_parameters.py": "every mechanism",
    "mechanisms/test_renyi.py": "every mechanism",
    "curves/test_figure.py": "every picture",
    "papers/test_middle.py": "a theorem about approximate DP",
    "papers/test_simulation.py": "exact powers against simulated ones",
    "risk/test_outwards.py": "every reading of risk",
    "web/test_hostile.py": "the whole server",
    "ledger/test_machine.py": "the whole ledger",
}
WHOLE = {"cli": "commands are run as a user runs them, several at a time"}


def mirrored(room, name):
    """Whether the name of a test begins with that of a module of its room, or of the room."""
    where = next((SOURCE / each for each in (room, f"_{room}") if (SOURCE / each).is_dir()), None)
    if where is None:
        return False
    modules = {path.stem.lstrip("_") for path in where.rglob("*") if path.suffix in (".py", ".js")}
    folders = {path.name for path in where.rglob("*") if path.is_dir()}
    return any(name == each or name.startswith(f"{each}_") for each in modules | folders | {room})


def astray():
    """The tests that mirror no module and are not argued for."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        room, name = path.relative_to(TESTS).parts[0], path.stem.removeprefix("test_")
        known = room in NO_ROOM or room in WHOLE or f"{room}/{path.name}" in ACROSS
        if not known and not mirrored(room, name):
            found.append(f"{room}/{path.name}")
    return found


def test_each_test_is_where_its_module_is():
    assert astray() == []


def test_what_is_argued_for_is_there():
    assert [name for name in ACROSS if not (TESTS / name).exists()] == []
    assert [name for name in {**NO_ROOM, **WHOLE} if not (TESTS / name).is_dir()] == []


@pytest.mark.parametrize("name", ["tail", "gauss", ""])
def test_a_stray_name_is_caught(name):
    assert not mirrored("guarantees", name)
    assert mirrored("guarantees", "gaussian_values")
    assert mirrored("numeric", "invert")
