"""What a machine lacks is skipped with its reason and counted, and fails where it is required."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.house.tree import ROOT
from tests.needed import left_out, works

IN_A_BROWSER = ("tests/documents/test_rendering_pdf.py", "-k", "a_browser_prints_the_summary")


def run_bare(*tests, **variables):
    """Exit code and output of tests on a machine with no program but Python."""
    here = {"PATH": "/nowhere", "DPRISK_BROWSER": ""}
    known = {**os.environ, **here, **variables}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, cwd=ROOT, env=known, capture_output=True, text=True, check=False, timeout=300
    )
    return done.returncode, done.stdout


def test_what_is_missing_is_skipped_and_counted():
    code, output = run_bare(*IN_A_BROWSER)
    assert code == 0, output
    head, _, counted = output.rpartition(" 4 skipped ")
    assert "SKIPPED [4] tests/documents/test_rendering_pdf.py" in head
    assert counted.strip("= \n").startswith("4  no Chromium on this machine: apt install chromium")


def test_what_is_required_is_not_skipped():
    code, output = run_bare(*IN_A_BROWSER, DPRISK_BROWSER="required")
    assert code == 1
    assert "DPRISK_BROWSER=required, but there is no chromium on this machine." in output
    assert "skipped" not in output


def test_each_reason_is_counted_once_the_most_frequent_first():
    reasons = ["Skipped: no Java", "Skipped: no Pango", "Skipped: no Pango"]
    reports = [SimpleNamespace(longrepr=("test_x.py", 1, reason)) for reason in reasons]
    assert list(left_out(reports)) == ["    2  no Pango", "    1  no Java"]


@pytest.mark.parametrize(
    ("program", "there"),
    [(None, False), ("/nowhere/chromium", False), ("false", False), ("true", True)],
)
def test_a_program_counts_if_it_runs(program, there):
    assert works(program) is there
