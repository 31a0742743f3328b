"""What holds for all tests: a thread for each process, and one browser, ended after the last."""

from __future__ import annotations

import os
import sys

import pytest

from tests.needed import left_out

# As the workers of a server have it, before NumPy is there: processes run beside each other here,
# and threads that wait for each other's sums cost ten times what the sums do.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")


@pytest.fixture(scope="session", autouse=True)
def browser_ended():
    yield
    if used := sys.modules.get("tests.documents.browser"):
        used.BROWSER.close()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """Below everything else, what was skipped."""
    yield
    if skipped := terminalreporter.stats.get("skipped"):
        terminalreporter.section(f"{len(skipped)} skipped")
        for line in left_out(skipped):
            terminalreporter.write_line(line)
