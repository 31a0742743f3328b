"""One server for all tests that only ask."""

from __future__ import annotations

import pytest

from tests.serve.running import serving


@pytest.fixture(scope="session")
def server():
    with serving() as served:
        yield served
