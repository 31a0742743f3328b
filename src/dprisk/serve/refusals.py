"""What is said where a request is refused: problem details, or a page to whoever asked for one."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Final
from urllib.parse import parse_qs

from dprisk import _pages
from dprisk.serve.problems import Problem
from dprisk.serve.ways import START, WAYS
from dprisk.serve.workers import Reply, refusal
from dprisk.text import LANGUAGES, Language, fill, has, language

ROOM: Final = "dprisk.serve"
POLICY: Final = (
    "default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"
)


def refused(problem: Problem, accept: str, query: str) -> tuple[Reply, Mapping[str, str]]:
    """What goes back, and its headers."""
    if "text/html" not in accept:
        return refusal(problem), problem.headers
    policy = POLICY.format(style=_style()[1])
    page = _page(problem, spoken(query), policy)
    return Reply(problem.status, "text/html", page.encode("utf-8", "backslashreplace")), {
        **problem.headers,
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",  # only a header can say
    }


def spoken(query: str) -> Language:
    """The language that an address asks for."""
    asked = parse_qs(query[:10_000]).get("language", [""])[-1]
    return next((name for name in LANGUAGES if name == asked), "en")


def _page(problem: Problem, wanted: Language, policy: str) -> str:
    from dprisk import __version__

    usual = START[WAYS[0]]["language"]
    tail = "" if wanted == usual else f"?language={wanted}"
    with language(wanted):
        advice = f"ways.refused.{problem.status}"
        return _pages.page(
            ROOM,
            "problem.html.j2",
            say=fill,
            version=__version__,
            skip=fill("report.page.skip"),
            language=wanted,
            policy=policy,
            style=_style()[0],
            title=fill(f"serve.problem.{problem.key}"),
            detail=problem.detail,
            next=fill(advice if has(advice) else "ways.refused.other"),
            ways=[
                (
                    fill("ways.way.release" if way == "release" else f"page.way.{way}"),
                    f"/{way}{tail}",
                )
                for way in WAYS
            ],
        )


@cache
def _style() -> tuple[str, str]:
    """The style of the page, and its checksum as browsers compare it."""
    text = _pages.page(ROOM, "serve.css.j2")
    digest = hashlib.sha256(text.encode()).digest()
    return text, f"sha256-{base64.b64encode(digest).decode()}"
