"""From the first word on a socket to the last: uvicorn, with deadlines for those who dawdle."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dprisk.errors import InvalidInput
from dprisk.serve.app import made
from dprisk.serve.guard import Guard, is_loopback
from dprisk.serve.pool import LEAST, Pool
from dprisk.text import fill

__all__ = ["Serving", "run"]

HEAD: Final = 10.0  # seconds in which the head of a request has to be there
CONNECTIONS: Final = 300


class Serving(NamedTuple):
    """Where, and with what limits."""

    host: str
    port: int
    names: tuple[str, ...]
    workers: int
    seconds: float
    memory: int
    log: bool = False


def run(settings: Serving, told: Callable[[str, str | None], object]) -> None:
    """Serve until a signal comes.

    Parameters
    ----------
    settings : Serving
        Where, and with what limits.
    told : callable
        Called with the address, and the token if there is one, once questions are answered.
    """
    if settings.workers < LEAST:
        allowed = fill("serve.must.workers", least=LEAST)
        raise InvalidInput("--workers", settings.workers, allowed)
    if not settings.seconds > 0.0:
        raise InvalidInput("--seconds", settings.seconds, fill("serve.must.seconds"))
    token = None if is_loopback(settings.host) else secrets.token_urlsafe(24)
    pool = Pool(settings.workers, settings.seconds, settings.memory, loud=settings.log)
    names = (settings.host, socket.gethostname(), *settings.names)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        Guard(made(pool), names, token),
        http=_Patient,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_level="info" if settings.log else "critical",
        access_log=settings.log,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
    )
    with _bound(settings.host, settings.port) as place:
        address = _address(place, settings.host)
        server = _Server(config, pool, lambda: told(address, token))
        try:
            asyncio.run(server.serve([place]))
        except ChildProcessError:
            more = fill("serve.must.memory")
            raise InvalidInput("--memory", settings.memory, more) from None


class _Server(uvicorn.Server):
    """A server whose workers come before it and go after it, and that says when it is there."""

    def __init__(self, config: uvicorn.Config, pool: Pool, told: Callable[[], object]) -> None:
        super().__init__(config)
        self._pool = pool
        self._told = told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await self._pool.start()
        except BaseException:
            await self._pool.stop()
            raise
        await super().startup(sockets)
        if not self.should_exit:
            self._told()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        await self._pool.stop()


class _Patient(H11Protocol):
    """Connections on which a request has begun but does not come to its point are closed."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD, self.transport.abort)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(place)
    except OSError as error:
        why = fill("serve.must.free", why=error.strerror or error)
        raise InvalidInput("--host and --port", f"{host}:{port}", why) from None
    return made


def _address(place: socket.socket, host: str) -> str:
    port = place.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
