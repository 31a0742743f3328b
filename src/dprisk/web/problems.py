"""Errors as problem details (RFC 9457) in the words of the command line, or as a page."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from dprisk._values import printable, written
from dprisk.errors import DpriskError, InvalidFile, InvalidInput
from dprisk.text import LANGUAGES, Language, fill, has, language

MEDIA: Final = "application/problem+json"
KINDS: Final = (
    *("busy", "dprisk-error", "host", "http", "invalid-file", "invalid-input", "json", "large"),
    *("ledger-damaged", "ledger-unavailable", "limit", "limit-refused", "meaningless", "media"),
    *("memory", "no-conversion", "not-converged", "not-installed", "not-written", "origin"),
    *("out-of-range", "slow", "token", "too-wide"),
    *("unexpected", "wrong-call", "wrong-name"),
)
"""Kinds of problem; each has a title, and a place on the page about the API."""


class Reply(NamedTuple):
    """The reply to whoever asked."""

    status: int
    media: str
    content: bytes


class Problem(Exception):
    """A fault of a request, or the reason why there is no answer now."""

    def __init__(
        self, status: int, key: str, detail: str, retry: int | None = None, **more: Any
    ) -> None:
        self.status = status
        self.key = key
        self.detail = printable(detail)
        self.retry = retry
        self.more = more

    def to_dict(self) -> dict[str, Any]:
        """The members of the problem, as they are sent."""
        return {
            "type": f"/api#{self.key}",
            "title": fill(f"serve.problem.{self.key}"),
            "status": self.status,
            "detail": self.detail,
            **self.more,
        }

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the reply; a sender that was cut short is not listened to any more."""
        closed = {"Connection": "close"} if self.status in (408, 413) else {}
        return closed if self.retry is None else {**closed, "Retry-After": str(self.retry)}

    @property
    def reply(self) -> Reply:
        """The problem as it is sent to a program."""
        return Reply(self.status, MEDIA, written(self.to_dict()).encode())


def must_be_read(given: Sequence[tuple[str, str]], known: Collection[str] = ()) -> None:
    """Refuse a part of an address that nobody reads, or that stands there twice."""
    names = [name for name, _ in given]
    for name in names:
        found = "twice" if names.count(name) > 1 else ""
        if name not in known:
            found = "unknown" if known else "nothing"
        if found:
            said = fill(f"serve.part.{found}", name=name[:60], names=", ".join(known))
            raise Problem(422, "wrong-call", said)


def problem_of(error: BaseException) -> Problem:
    """The problem that an error is: its message is the one that a command would print."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, DpriskError):
        key = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
        return Problem(422, key, str(error), **_members(error))
    if isinstance(error, MemoryError):
        return Problem(422, "memory", fill("errors.memory"))
    return Problem(500, "unexpected", fill("serve.unexpected"))


def _members(error: DpriskError) -> dict[str, Any]:
    """The parts of the message that a program may want apart."""
    names: tuple[str, ...] = ()
    if isinstance(error, InvalidInput):
        names = ("name", "allowed", "fix")
    elif isinstance(error, InvalidFile):
        names = ("where", "problem", "fix")
    found = {name: getattr(error, name) for name in names}
    return {name: printable(text) for name, text in found.items() if text}


# --- for people ----------------------------------------------------------------------------------


def refused(problem: Problem, accept: str, query: str) -> tuple[Reply, Mapping[str, str]]:
    """The reply to a refused request and its headers: a page for a browser that opens one."""
    if "text/html" not in accept:
        return problem.reply, problem.headers
    text = _page(problem, spoken(query))
    headers = {**problem.headers, "Content-Security-Policy": policy(text)}
    return Reply(problem.status, "text/html", text.encode("utf-8", "backslashreplace")), headers


def spoken(query: str) -> Language:
    """The language that an address asks for."""
    asked = parse_qs(query[:10_000]).get("language", [""])[-1]
    return next((name for name in LANGUAGES if name == asked), "en")


def policy(text: str, more: str = "") -> str:
    """The Content-Security-Policy of a page: its own styles, its own script, and nothing else."""
    import base64
    import hashlib

    def allowed(tag: str) -> str:
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        sums = (base64.b64encode(hashlib.sha256(one.encode()).digest()) for one in found)
        return " ".join(f"'sha256-{one.decode()}'" for one in sums) or "'none'"

    styles = more or f"style-src {allowed('style')}"
    return (
        f"default-src 'none'; script-src {allowed('script')}; {styles}; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _page(problem: Problem, wanted: Language) -> str:
    from dprisk import __version__, _pages

    with language(wanted):
        advice = f"serve.refused.{problem.status}"
        return _pages.page(
            "dprisk.web",
            "problem.html.j2",
            say=fill,
            version=__version__,
            skip=fill("report.page.skip"),
            language=wanted,
            title=fill(f"serve.problem.{problem.key}"),
            detail=problem.detail,
            next=fill(advice if has(advice) else "serve.refused.other"),
            home="/" if wanted == "en" else f"/#lang={wanted}",
        )
