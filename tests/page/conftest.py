"""The page, made once."""

from __future__ import annotations

import pytest

from dprisk.page import save_page


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    """Where the page is."""
    where = tmp_path_factory.mktemp("page") / "dprisk.html"
    save_page(where)
    return where
