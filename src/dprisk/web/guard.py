"""A guard on what comes in, from where and how fast, and the headers of every answer."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import ipaddress
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

from dprisk._values import printable, written
from dprisk.errors import DpriskError, InvalidFile, InvalidInput
from dprisk.text import fill

MEDIA: Final = "application/problem+json"
KINDS: Final = {
    "busy": "Too busy",
    "contradictory": "Two values that contradict each other",
    "dprisk-error": "A question that is refused",
    "host": "Not this server's name",
    "http": "Not something this server does",
    "invalid-file": "A file that cannot be read",
    "invalid-input": "A value that cannot be used",
    "json": "Not the JSON that was expected",
    "large": "Too large",
    "ledger-damaged": "Damaged ledger",
    "ledger-unavailable": "Ledger not available",
    "limit": "The answer took too long",
    "limit-refused": "A charge that a limit does not allow",
    "meaningless": "A question without an answer",
    "media": "Not JSON",
    "memory": "Not enough memory",
    "no-conversion": "No theorem for this conversion",
    "not-converged": "A search that stopped short",
    "not-installed": "Something that is not installed",
    "not-written": "A file that was not written",
    "origin": "A request from another site",
    "out-of-range": "A number outside its range",
    "slow": "Too slow",
    "token": "No token, or a wrong one",
    "too-wide": "A bracket wider than was asked for",
    "unexpected": "Unexpected error",
    "wrong-call": "A question that is not clear",
    "wrong-name": "A name that does not exist",
}
"""Kinds of problem, each with its title; they are places on the page about the API."""


Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST: Final = 2_000_000
DRAINED: Final = 10 * LARGEST
ARRIVES: Final = 10.0  # seconds in which a whole body has to be there
LEAVES: Final = 300.0  # seconds for which somebody is listened and spoken to, beside the answer
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",  # pages have theirs
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
HOST: Final = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[\w.-]+))(:\d{1,5})?", re.ASCII)
SENT: Final = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]


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
            "title": KINDS[self.key],
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


def problem_of(error: BaseException) -> Problem:
    """The problem that an error is: its message is the one that a command would print."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, DpriskError):
        key = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
        return Problem(422, key, str(error), **_members(error))
    if isinstance(error, MemoryError):
        return Problem(422, "memory", fill("errors.memory"))
    return Problem(
        500,
        "unexpected",
        "Something went wrong inside the server. Start it with --log to see what.",
    )


def _members(error: DpriskError) -> dict[str, Any]:
    """The parts of the message that a program may want apart."""
    names: tuple[str, ...] = ()
    if isinstance(error, InvalidInput):
        names = ("name", "allowed", "fix")
    elif isinstance(error, InvalidFile):
        names = ("where", "problem", "fix")
    found = {name: getattr(error, name) for name in names}
    return {name: printable(text) for name, text in found.items() if text}


def policy(text: str, more: str = "") -> str:
    """The Content-Security-Policy of a page: its own styles, its own script, and nothing else."""

    def allowed(tag: str) -> str:
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        sums = (base64.b64encode(hashlib.sha256(one.encode()).digest()) for one in found)
        return " ".join(f"'sha256-{one.decode()}'" for one in sums) or "'none'"

    styles = more or f"style-src {allowed('style')}"
    return (
        f"default-src 'none'; script-src {allowed('script')}; {styles}; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    found = _address(host)
    return host == "localhost" if found is None else found.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


@final
@dataclass(frozen=True)
class Guard:
    """An application to which only good requests come."""

    app: Application
    names: Collection[str] = ()
    token: str | None = None
    seconds: float = LEAVES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun: list[Message] = []
        speak = _with_headers(send, begun)
        headers = _headers(scope)
        try:
            self._check(scope["method"], headers)
            if _is_large(headers.get("content-length", "0")):
                await _drained(receive)
                raise _too_large()
            async with asyncio.timeout(self.seconds):
                await self.app(scope, _measured(receive), speak)
        except Problem as problem:
            await _refuse(speak, problem, begun)
        except TimeoutError:
            await _refuse(speak, _too_slow(504, self.seconds), begun)

    def _check(self, method: str, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if not self._is_own(host):
            why = "This server does not answer to the name in the request."
            raise Problem(421, "host", f"{why} Use the address that was printed when it started.")
        if self.token is not None and not _given(headers.get("authorization", ""), self.token):
            fix = "Give the token that was printed when the server started, as the password."
            raise Problem(401, "token", fix)
        origin = headers.get("origin")
        elsewhere = origin not in (None, f"http://{host}", f"https://{host}")
        site = headers.get("sec-fetch-site", "none")
        fetched = method != "GET" or headers.get("sec-fetch-mode", "navigate") != "navigate"
        if elsewhere or (fetched and site not in ("none", "same-origin")):
            why = "The request comes from another site. Open this server's own pages."
            raise Problem(403, "origin", why)

    def _is_own(self, host: str) -> bool:
        found = HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found["address"] or found["name"]
        in_numbers = self.token is not None and _address(name) is not None
        return name in self.names or is_loopback(name) or in_numbers


def _is_large(length: str) -> bool:
    return not length.isdecimal() or len(length) > 12 or int(length) > LARGEST


def _measured(receive: Receive) -> Receive:
    """A receiver of what arrives, as long as it is little and comes soon."""
    until = asyncio.get_running_loop().time() + ARRIVES
    size, whole = 0, False

    async def measured() -> Message:
        nonlocal size, whole
        try:
            async with asyncio.timeout_at(None if whole else until):  # then one may only leave
                message = await receive()
        except TimeoutError:
            raise _too_slow(408, ARRIVES) from None
        size += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if size > LARGEST:
            raise _too_large()
        return message

    return measured


async def _drained(receive: Receive) -> None:
    """Listen to the rest of a body, up to a point: who still speaks does not hear the answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ARRIVES):
            size, more = 0, True
            while more and size < DRAINED:
                message = await receive()
                size, more = size + len(message.get("body", b"")), message.get("more_body", False)


def _with_headers(send: Send, begun: list[Message]) -> Send:
    """A sender that adds the headers that everything has, and keeps how the answer began."""

    async def speak(message: Message) -> None:
        if message["type"] == "http.response.start":
            begun.append(message)
            own = list(message.get("headers", ()))
            named = {name for name, _ in own}
            message["headers"] = [*own, *(pair for pair in SENT if pair[0] not in named)]
        await send(message)

    return speak


async def _refuse(speak: Send, problem: Problem, begun: list[Message]) -> None:
    """Say what is wrong, unless something else has been said already, and hang up."""
    if begun:
        return
    body = problem.reply
    headers = {"Content-Type": body.media, **problem.headers, "Connection": "close"}
    headers["Content-Length"] = str(len(body.content))
    if problem.status == 401:
        headers["WWW-Authenticate"] = 'Basic realm="dprisk", charset="UTF-8"'
    pairs = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
    await speak({"type": "http.response.start", "status": problem.status, "headers": pairs})
    await speak({"type": "http.response.body", "body": body.content})


def _headers(scope: Scope) -> dict[str, str]:
    """The headers of a request; what stands twice is as good as wrong."""
    found: dict[str, str] = {}
    for name, text in scope["headers"]:
        key = name.decode("latin-1")
        found[key] = text.decode("latin-1") if key not in found else f"{found[key]}, again"
    return found


def _given(authorization: str, token: str) -> bool:
    """Whether a header gives the token, under whatever name."""
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() == "basic":
        try:
            _, _, text = base64.b64decode(text, validate=True).decode().partition(":")
        except ValueError:
            return False
    elif scheme.lower() != "bearer":
        return False
    return secrets.compare_digest(text.encode("utf-8", "replace"), token.encode())


def _too_slow(status: int, seconds: float) -> Problem:
    return Problem(status, "slow", f"The request did not arrive within {seconds:g} seconds.")


def _too_large() -> Problem:
    return Problem(413, "large", f"The request is larger than {LARGEST // 10**6} MB.")
