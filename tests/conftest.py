"""What holds for all tests: a thread for each process, and one browser, ended after the last."""

from __future__ import annotations

import os

import pytest

from tests.report.browser import BROWSER

# As the workers of a server have it, before NumPy is there: processes run beside each other here,
# and threads that wait for each other's sums cost ten times what the sums do.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")


@pytest.fixture(scope="session", autouse=True)
def browser_ended():
    yield
    BROWSER.close()
