"""Every promise of the policy pages is held by a test, and every row of them is looked at here."""

from __future__ import annotations

import ast
import json
import re

import pytest

from tests.house import promises
from tests.house.tree import ROOT

KEPT = json.loads(promises.KEPT.read_text(encoding="utf-8"))
GONE = (
    "docs/versions.md promises to keep it. Before a release: python -m tests.house.promises; "
    "after one: keep it for a minor version, in which it warns."
)
HERE = "house/test_promises.py"
HELD = {
    "docs/versions.md": {
        "numbers": ["vectors/test_known.py::test_dprisk_gives_them", "sweep/test_sweep.py"],
        "sentences": ["documents/test_sentences.py", "documents/test_again.py"],
        "JSON": [
            f"{HERE}::test_nothing_that_stays_is_gone",
            "cli/test_json.py::test_both_schemas_are_schemas",
        ],
        "release files": [f"{HERE}::test_nothing_that_stays_is_gone", "releases/test_model.py"],
        "library": [
            f"{HERE}::test_parameters_stay_in_order_and_new_ones_have_a_default",
            f"{HERE}::test_nothing_that_stays_is_gone",
            "house/test_public_names.py",
        ],
        "command line": [f"{HERE}::test_nothing_that_stays_is_gone", "cli/test_exit_codes.py"],
        "ledger": [
            "ledger/test_ledger_stored.py::test_every_entry_is_there_and_would_be_decided_alike"
        ],
        "known answers": [f"{HERE}::test_an_id_keeps_its_question"],
    },
    "SECURITY.md": {
        "a bound on the wrong side": [
            "vectors/test_known.py::test_dprisk_gives_them",
            "vectors/test_known.py::test_every_moved_digit_is_caught",
            "guarantees/test_rounding.py",
        ],
        "a word on the wrong side": ["documents/test_sentences.py", "documents/test_one_number.py"],
        "a ledger that loses": ["ledger/test_store_torture.py", "ledger/test_filters_adaptive.py"],
        "a ledger that is believed": [
            "ledger/test_verifying.py::test_all_that_was_changed_is_listed",
            "ledger/test_receipts.py::test_of_a_hundred_forks_and_rollbacks_one_receipt_shows_each",
        ],
        "a file that acts": [
            "releases/test_pickles.py::test_nothing_is_called_and_no_class_is_made",
            "web/test_hostile.py::test_no_file_of_the_server",
        ],
        "a server that tells": ["web/test_guard.py::test_other_sites", "web/test_guard.py"],
    },
    "SUPPORT.md": {
        "a question about what a number means": ["house/test_policy.py"],
        "a number from another tool": ["cli/test_tools.py"],
        "an error message that does not say what to do": ["cli/test_bad_input.py"],
        "an answer that you do not believe": ["house/test_policy.py"],
        "an answer that is too loose or too slow": ["guarantees/test_exactness.py"],
        "a mechanism or a definition that is missing": ["house/test_extensions.py"],
    },
}
"""The rows of each page, and the tests that hold them."""


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def rows(page):
    """What stands in the first column of the tables of a page."""
    found = re.findall(r"^\| ([^|]+?) \|", text(page), re.MULTILINE)
    plain = [re.sub(r"\[(.+?)\]\(.*?\)", r"\1", row).replace("**", "") for row in found]
    return [row for row in plain if row not in ("what", "you have") and row.strip()]


@pytest.fixture(scope="module")
def now():
    return promises.now()


@pytest.mark.parametrize("page", HELD)
def test_every_row_is_held_by_a_test(page):
    assert rows(page) == [*HELD[page]]
    for tests in HELD[page].values():
        for each in tests:
            file, _, name = each.partition("::")
            tree = ast.parse(text(f"tests/{file}"))
            functions = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
            assert name in functions or (not name and any(f[:5] == "test_" for f in functions))


@pytest.mark.parametrize("door", KEPT)
def test_nothing_that_stays_is_gone(door, now):
    assert not KEPT[door].keys() - now[door].keys(), GONE
    if door in ("JSON", "command line"):
        gone = {name: {*each} - {*now[door][name]} for name, each in KEPT[door].items()}
        assert not {name: each for name, each in gone.items() if each}, GONE


def test_parameters_stay_in_order_and_new_ones_have_a_default(now):
    for name, before in KEPT["library"].items():
        after = now["library"][name]
        names = [each.rstrip("=") for each in after]
        kept = [each.rstrip("=") for each in before]
        assert [each for each in names if each in kept] == kept, f"{name}: {GONE}"
        added = {*after} - {*before}
        assert all(each.endswith("=") or each[0] == "*" for each in added), f"{name}: {added}"


def test_an_id_keeps_its_question():
    for path in promises.files():
        before = KEPT["known answers"].get(path.stem)
        assert before is None or promises.questions(before[0], path) == before, path.stem


def test_a_name_that_goes_and_one_that_comes_are_noticed():
    assert promises.parameters(lambda a, b=1: (a, b)) == ["a", "b="]
    path = promises.files()[0]
    assert promises.questions(1, path) != promises.questions(2, path)


def test_python_is_what_the_page_says():
    assert 'requires-python = ">=3.11"' in text("pyproject.toml")
    assert "Python 3.11 and newer" in text("docs/versions.md")


def test_a_report_can_say_the_version_and_an_announcement_has_its_place():
    """`dprisk --version` is the version of the newest part of the changelog."""
    newest = re.search(r"^## (\d+\.\d+\.\d+)", text("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None and f'version = "{newest[1]}"' in text("pyproject.toml")
    assert "`dprisk --version`" in text("SECURITY.md")
