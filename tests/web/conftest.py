"""The page and a server, made once for all tests that only ask."""

from __future__ import annotations

import pytest

from dprisk.web import save_page
from tests.web.running import serving


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    """Where the page is."""
    where = tmp_path_factory.mktemp("page") / "dprisk.html"
    save_page(where)
    return where


@pytest.fixture(scope="session")
def server():
    with serving() as served:
        yield served
