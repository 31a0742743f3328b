"""Errors as problem details (RFC 9457), in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

from dprisk._values import printable
from dprisk.errors import DpriskError, InvalidFile, InvalidInput
from dprisk.text import fill

MEDIA: Final = "application/problem+json"
KINDS: Final = (
    *("busy", "dprisk-error", "host", "http", "invalid-file", "invalid-input", "json", "large"),
    *("ledger-damaged", "ledger-unavailable", "limit", "limit-refused", "meaningless", "media"),
    *("memory", "no-conversion", "not-converged", "not-installed", "not-written", "origin"),
    *("out-of-range", "slow", "token", "too-wide"),
    *("unexpected", "wrong-call", "wrong-name"),
)
"""What can go wrong; each has a title, and a place on the page about the API."""


class Problem(Exception):
    """What is wrong with a request, or why there is no answer now."""

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
        """What is sent besides; who has not said all yet is not listened to any more."""
        closed = {"Connection": "close"} if self.status in (408, 413) else {}
        return closed if self.retry is None else {**closed, "Retry-After": str(self.retry)}


def must_be_read(given: Sequence[tuple[str, str]], known: Collection[str] = ()) -> None:
    """Refuse a part of an address or a form that nobody reads, or that stands there twice."""
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
    """What a program may want apart from the message."""
    names: tuple[str, ...] = ()
    if isinstance(error, InvalidInput):
        names = ("name", "allowed", "fix")
    elif isinstance(error, InvalidFile):
        names = ("where", "problem", "fix")
    found = {name: getattr(error, name) for name in names}
    return {name: printable(text) for name, text in found.items() if text}
