"""Many people at once, for a moment: nobody is turned away. How fast is measured in ``bench``."""

from __future__ import annotations

import asyncio

import pytest

from bench.serve import load


@pytest.mark.parametrize("pages", [False, True], ids=["questions", "pages"])
def test_fifty_people(server, pages):
    done = asyncio.run(load(server.port, 50, 3.0, pages=pages))
    assert done.errors == ()
    assert len(done.seconds) >= 50
    assert "0 errors" in str(done)
