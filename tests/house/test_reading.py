"""A reader who follows a question through the code meets few files and shallow calls."""

from __future__ import annotations

import runpy

import pytest

from tests.house.tree import ROOT

COUNTS = runpy.run_path(str(ROOT / "scripts" / "count_files.py"))


@pytest.mark.parametrize(
    ("name", "files", "frames"),
    [("epsilon of 100 x Laplace", 11, 10), ("explanation of a promise", 36, 19)],
)
def test_questions_lead_through_few_files(name, files, frames):
    found = COUNTS["walk"](*COUNTS["QUESTIONS"][name])
    assert len(found.files) <= files
    assert found.frames <= frames


def test_a_question_that_leads_through_several_is_counted():
    found = COUNTS["walk"](lambda: "0.5", ROOT.joinpath)
    assert found.files == frozenset()
    assert COUNTS["walk"](*COUNTS["QUESTIONS"]["explanation of a promise"]).frames > 2
