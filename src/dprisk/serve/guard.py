"""What comes in, from where, and how fast; and what every answer says about itself to a browser.

The guard is ASGI around the application, so nothing else sees a request that it refuses:

- ``Host`` is a name of this server (a page elsewhere whose name is made to point here has its own),
- ``Origin``, where a browser sends one, is this server, and nothing is fetched for other sites,
- elsewhere than on the loopback address, a token is given as a password (``Authorization: Basic``,
  for which every browser asks, or ``Bearer``): no cookies, and no token in an address,
- a body is small, and arrives soon.

Every answer has a strict Content-Security-Policy: scripts and styles are files of this server, at
``/static/``; nothing is inline, nothing comes from elsewhere, and no page can be framed.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from dprisk.serve.problems import MEDIA, Problem
from dprisk.text import fill

__all__ = ["HEADERS", "LARGEST", "Guard", "is_loopback"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST: Final = 2_000_000
ARRIVES: Final = 10.0  # seconds in which a whole body has to be there
LEAVES: Final = 300.0  # seconds after which nobody is listened or spoken to any more
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
SENT: Final = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """An application to which only good requests come.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    names : iterable of str
        What the server is called besides ``localhost`` and the loopback addresses; with a token,
        it also answers to any address in numbers, since no name can be made to point at one.
    token : str, optional
        What has to be given as a password.
    """

    def __init__(
        self, app: Application, names: Iterable[str] = (), token: str | None = None
    ) -> None:
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        try:
            self._check(scope["method"], _headers(scope))
            async with asyncio.timeout(LEAVES):
                await self._app(scope, _Body(scope, receive).receive, answer.send)
        except Problem as problem:
            await answer.refuse(problem)
        except TimeoutError:
            await answer.refuse(Problem(504, "slow", fill("serve.slow", seconds=f"{LEAVES:g}")))

    def _check(self, method: str, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if not self._is_own(host):
            raise Problem(421, "host", fill("serve.host"))
        if self._token is not None and not _given(headers.get("authorization", ""), self._token):
            raise Problem(401, "token", fill("serve.token"))
        origin = headers.get("origin")
        elsewhere = origin is not None and urlsplit(origin).netloc != host
        site = headers.get("sec-fetch-site", "none")
        fetched = method != "GET" or headers.get("sec-fetch-mode", "navigate") != "navigate"
        if elsewhere or (fetched and site not in ("none", "same-origin")):
            raise Problem(403, "origin", fill("serve.origin"))

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            _ = urlsplit(f"//{host}").port
        except ValueError:
            return False
        if name in self._names or is_loopback(name):
            return True
        try:
            return self._token is not None and bool(ipaddress.ip_address(name))
        except ValueError:
            return False


class _Body:
    """What arrives, as long as it is little and comes soon."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self._until = asyncio.get_running_loop().time() + ARRIVES
        self._whole = False
        length = _headers(scope).get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > LARGEST:
            raise _too_large()

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()  # only that somebody left can still come
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Problem(408, "slow", fill("serve.slow", seconds=f"{ARRIVES:g}")) from None
        self._size += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._size > LARGEST:
            raise _too_large()
        return message


class _Answer:
    """What leaves, with the headers that everything has."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun = True
            own = list(message.get("headers", ()))
            named = {name for name, _ in own}
            message["headers"] = [*own, *(pair for pair in SENT if pair[0] not in named)]
        await self._send(message)

    async def refuse(self, problem: Problem) -> None:
        """Say what is wrong, unless something else has been said already; hang up."""
        if self._begun:
            return
        headers = {"content-type": MEDIA, **problem.headers, "Connection": "close"}
        if problem.status == 401:
            headers["www-authenticate"] = 'Basic realm="dprisk", charset="UTF-8"'
        pairs = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
        await self.send({"type": "http.response.start", "status": problem.status, "headers": pairs})
        body = json.dumps(problem.to_dict(), ensure_ascii=False).encode()
        await self.send({"type": "http.response.body", "body": body})


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


def _too_large() -> Problem:
    return Problem(413, "large", fill("serve.large", most=f"{LARGEST // 10**6}"))
