"""A guard on what comes in, from where and how fast, and the headers of every answer."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, final

from dprisk.text import fill, language
from dprisk.web.problems import Problem, refused, spoken

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
        with language(spoken(scope.get("query_string", b"").decode("latin-1"))):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it, in the language that the address asks for."""
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
            await _refuse(speak, problem, begun, scope, headers)
        except TimeoutError:
            await _refuse(speak, _too_slow(504, self.seconds), begun, scope, headers)

    def _check(self, method: str, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if not self._is_own(host):
            raise Problem(421, "host", fill("serve.host"))
        if self.token is not None and not _given(headers.get("authorization", ""), self.token):
            raise Problem(401, "token", fill("serve.token"))
        origin = headers.get("origin")
        elsewhere = origin not in (None, f"http://{host}", f"https://{host}")
        site = headers.get("sec-fetch-site", "none")
        fetched = method != "GET" or headers.get("sec-fetch-mode", "navigate") != "navigate"
        if elsewhere or (fetched and site not in ("none", "same-origin")):
            raise Problem(403, "origin", fill("serve.origin"))

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


async def _refuse(
    speak: Send, problem: Problem, begun: list[Message], scope: Scope, told: dict[str, str]
) -> None:
    """Say what is wrong, unless something else has been said already, and hang up."""
    if begun:
        return
    query = scope.get("query_string", b"").decode("latin-1")
    body, more = refused(problem, told.get("accept", ""), query)
    headers = {"Content-Type": body.media, **more, "Connection": "close"}
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
    return Problem(status, "slow", fill("serve.slow", seconds=f"{seconds:g}"))


def _too_large() -> Problem:
    return Problem(413, "large", fill("serve.large", most=f"{LARGEST // 10**6}"))
