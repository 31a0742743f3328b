"""In a real browser: no violation of axe's rules, no request, no scrolling sideways."""

from __future__ import annotations

import pytest

from tests.report.browser import audited, needs_chromium
from tests.report.samples import EVIL, everything

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report with every section, about a release whose texts are hostile."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    everything().save(path)
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark")])
def test_no_violation_and_no_request(page, width, scheme):
    found = audited(page, width=width, scheme=scheme)
    assert found.violations == []
    assert found.rules > 15
    assert found.requests == [page.as_uri()]
    assert found.complaints == []
    assert found.width == width


def test_print_is_dark_on_white(page):
    assert audited(page, scheme="light", media="print").violations == []


def test_a_bad_page_is_caught(tmp_path):
    path = tmp_path / "bad.html"
    path.write_text(f"<html><title>{EVIL}</title><body><img src='gone.png'>text</body></html>")
    found = audited(path)
    assert any(line.startswith("image-alt") for line in found.violations)
    assert len(found.requests) > 1
