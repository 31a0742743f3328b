"""A real browser, where there is one: what it fetches, and what is wrong for those who do not see.

It is Chromium from the system, driven by Playwright; the rules are those of axe-core, which comes
with a package, so that nothing is downloaded.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REQUIRED = os.environ.get("DPRISK_BROWSER") == "required"
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED, reason="no chromium on this machine: apt install chromium"
)


@dataclass(frozen=True)
class Audit:
    """What a browser found out about a page."""

    violations: list[str]
    rules: int
    requests: list[str]
    complaints: list[str]
    width: int


@contextmanager
def opened(path, *, width=1200, scheme="light", media="screen", script=True) -> Iterator:
    """A page in a fresh browser that keeps nothing."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise RuntimeError("DPRISK_BROWSER=required, but there is no chromium on this machine.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False
        )
        try:
            context = browser.new_context(color_scheme=scheme, java_script_enabled=script)
            page = context.new_page()
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(media=media, color_scheme=scheme)
            yield page
        finally:
            browser.close()


def audited(path, **how) -> Audit:
    """Open a page as it is and ask axe-core about it."""
    requests, complaints = [], []
    with opened(path, **how) as page:
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(path.as_uri())
        wrong, rules, width = violations(page)
    return Audit(wrong, rules, requests, complaints, width)


def violations(page) -> tuple[list[str], int, int]:
    """What is wrong on a page with all of it unfolded, how many rules are kept, and its width."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    found = Axe().run(page).response
    wrong = [
        f"{rule['id']}: {node['html'][:120]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
    return wrong, len(found["passes"]), page.evaluate("document.documentElement.scrollWidth")
