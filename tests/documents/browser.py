"""A real browser, where there is one: what it fetches, and what is wrong for those who do not see.

It is Chromium from the system, driven by Playwright; the rules are those of axe-core, which comes
with a package, so that nothing is downloaded. It is started once in a process, since that takes
longer than most looks at a page; what pages leave behind is kept apart.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.needed import needs, works

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
needs_chromium = needs(
    works(CHROMIUM, "--version"), "Chromium", "apt install chromium", "DPRISK_BROWSER"
)


@dataclass(frozen=True)
class Audit:
    """What a browser found out about a page."""

    violations: list[str]
    rules: int
    requests: list[str]
    complaints: list[str]
    width: int


class Browser:
    """The browser of this process, which is started when a page is first asked for."""

    def __init__(self):
        self._playwright = self._running = self._loop = None

    @contextmanager
    def used(self) -> Iterator:
        """Run it; nobody else sees the event loop that it leaves running."""
        outside = asyncio._get_running_loop()
        try:
            if self._running is None or not self._running.is_connected():
                self.close()
                self._start()
            asyncio._set_running_loop(self._loop)
            yield self._running
        finally:
            asyncio._set_running_loop(outside)

    def _start(self):
        from playwright.sync_api import sync_playwright

        if CHROMIUM is None:
            raise RuntimeError("DPRISK_BROWSER=required, but there is no chromium on this machine.")
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self._running = self._playwright.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False
        )

    def close(self):
        """End it, if it was started."""
        if self._playwright is not None:
            asyncio._set_running_loop(self._loop)
            if self._running is not None:
                self._running.close()
            self._playwright.stop()
            asyncio._set_running_loop(None)
        self._playwright = self._running = self._loop = None


BROWSER = Browser()


@contextmanager
def opened(path, *, width=1200, scheme="light", media="screen", script=True) -> Iterator:
    """A page that shares nothing with any other, and of which nothing is kept."""
    with BROWSER.used() as browser:
        context = browser.new_context(color_scheme=scheme, java_script_enabled=script)
        try:
            page = context.new_page()
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(media=media, color_scheme=scheme)
            yield page
        finally:
            context.close()


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
