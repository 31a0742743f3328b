"""Fail if a browser that shows the built site would fetch anything from elsewhere.

Links that a reader may follow are fine; scripts, styles, fonts and pictures from another host
are not.

Usage: check_offline_site.py SITE
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

REMOTE = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
REMOTE_IN_CSS = re.compile(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"';]*", re.IGNORECASE)
FETCHED = {  # the tags that fetch by themselves, and the attribute that says what
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
INERT = {"canonical", "next", "prev", "index", "search", "author", "license", "help"}


class Fetches(HTMLParser):
    """Collects what one page would fetch from another host."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address if this tag fetches by itself."""
        given = dict(attrs)
        address = given.get(FETCHED.get(tag, "")) or ""
        if tag == "link" and INERT & set((given.get("rel") or "").split()):
            return
        if REMOTE.match(address):
            self.found.append(f"<{tag}> {address}")


def remote_fetches(site: Path) -> list[str]:
    """One line for each thing that a page or style sheet of `site` fetches from another host."""
    found = []
    for path in sorted(site.rglob("*")):
        if path.suffix == ".html":
            page = Fetches()
            page.feed(path.read_text(encoding="utf-8"))
            found += [f"{path}: {fetch}" for fetch in page.found]
        elif path.suffix == ".css":
            text = path.read_text(encoding="utf-8")
            found += [f"{path}: {match}" for match in REMOTE_IN_CSS.findall(text)]
    return found


def main() -> int:
    """Check the site named on the command line."""
    site = Path(sys.argv[1])
    if not any(site.rglob("*.html")):
        print(f"{site} holds no pages; build the site first.")
        return 1
    found = remote_fetches(site)
    print("\n".join(found) or f"{site} fetches nothing from elsewhere.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
