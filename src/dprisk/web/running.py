"""Uvicorn from the first word on a socket to the last, with deadlines for those who dawdle."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import socket
from collections.abc import Callable
from contextlib import ExitStack
from ipaddress import ip_address
from typing import Any, Final, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dprisk.errors import InvalidInput
from dprisk.web.app import made
from dprisk.web.guard import HOST, LEAVES, Guard, is_loopback
from dprisk.web.ledgers import Opened
from dprisk.web.pool import LEAST, Pool

HEAD: Final = 10.0  # seconds in which the head of a request has to be there
CONNECTIONS: Final = 300


class Serving(NamedTuple):
    """The address of a server, and the limits with which it answers."""

    host: str
    port: int
    names: tuple[str, ...]
    workers: int
    seconds: float
    memory: int
    log: bool = False
    ledger: Opened | None = None


def run(settings: Serving, told: Callable[[str, str | None], object]) -> None:
    """Serve until a signal comes."""
    settings = settings._replace(host=re.sub(r"^\[(.+)\]$", r"\1", settings.host))
    if settings.workers < LEAST:
        raise InvalidInput("--workers", settings.workers, f"at least {LEAST}")
    for name in settings.names:
        if not HOST.fullmatch(f"{name.lower()}:80"):
            raise InvalidInput("--name", name, "a name without a port, such as risk.example.org")
    if not settings.seconds > 0.0:
        raise InvalidInput("--seconds", settings.seconds, "above 0")
    writes = settings.ledger is not None and settings.ledger.write
    alone = is_loopback(settings.host) and not writes
    token = None if alone else secrets.token_urlsafe(24)
    pool = Pool(settings.workers, settings.seconds, settings.memory, loud=settings.log)
    names = {settings.host, *settings.names, *([] if token is None else [socket.gethostname()])}
    with _bound(settings.host, settings.port) as place:
        app = made(pool, lambda: told(_address(place, settings.host), token), settings.ledger)
        seconds = LEAVES + settings.seconds
        guarded = Guard(app, frozenset(map(str.lower, names)), token, seconds)
        place.listen(CONNECTIONS)  # who comes before the first worker is ready waits
        try:
            asyncio.run(uvicorn.Server(_config(guarded, settings.log)).serve([place]))
        except SystemExit:  # from the start of the application, which starts workers
            raise InvalidInput(
                "--memory", settings.memory, "enough for a process to start"
            ) from None


def _config(app: Guard, log: bool) -> uvicorn.Config:
    """Nothing is said of what was asked, unless it is to be; nobody else's headers are believed."""
    return uvicorn.Config(
        app,
        http=_patient,  # type: ignore[arg-type]  # is called, and nothing else is done with it
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_level="info" if log else logging.CRITICAL + 1,
        access_log=log,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
    )


def _patient(**given: Any) -> H11Protocol:
    """A connection that is closed if a request has begun and its head does not come."""
    made = H11Protocol(**given)
    deadline: asyncio.TimerHandle | None = None

    def watch() -> None:
        nonlocal deadline
        if made.conn.their_state is h11.IDLE:
            deadline = deadline or made.loop.call_later(HEAD, made.transport.abort)
        elif deadline is not None:
            deadline.cancel()
            deadline = None

    def watched(method: Callable[[Any], None]) -> Callable[[Any], None]:
        def both(what: Any) -> None:
            method(what)
            watch()

        return both

    for method in (made.connection_made, made.data_received):
        setattr(made, method.__name__, watched(method))
    return made


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, tcp, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as opened:
            # asyncio sends an answer at once only where a socket says that it is TCP
            made = opened.enter_context(socket.socket(family, kind, tcp))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(place)
            opened.pop_all()  # it is good, and stays open
        return made
    except (socket.gaierror, ValueError):  # ValueError: letters that no address has
        raise InvalidInput(
            "--host", host, "an address of this machine, such as 127.0.0.1"
        ) from None
    except OSError as error:
        why = error.strerror or error
        raise InvalidInput("--port", f"{host}:{port}", f"an address that is free ({why})") from None


def _address(place: socket.socket, host: str) -> str:
    """The URL of the server; one that listens at every address goes by the machine's name."""
    own, port, *_ = place.getsockname()
    name = socket.gethostname() if ip_address(own).is_unspecified else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"
