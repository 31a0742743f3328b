"""A line to PostgreSQL that is cut after the n-th byte, in either direction."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from dprisk.errors import LedgerUnavailable
from dprisk.ledger.store import open_store
from torture.postgresql import Server
from torture.working import Book, first, problems

__all__ = ["Line", "cut_after", "lengths"]


@dataclass
class Line:
    """A way to a server over TCP, which can be told when to break."""

    server: Server
    listening: socket.socket
    up: int | None = None
    down: int | None = None
    cuts: int = 0
    sent: dict[str, int] = field(default_factory=lambda: {"up": 0, "down": 0})

    @property
    def port(self) -> int:
        """Where it begins."""
        port: int = self.listening.getsockname()[1]
        return port

    def serve(self) -> None:
        """Take connections until it is closed."""
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            upstream = socket.socket(socket.AF_UNIX)
            try:
                upstream.connect(str(self.server.folder / ".s.PGSQL.5432"))
            except OSError:
                client.close()
                continue
            limits = {"up": self.up, "down": self.down} if self.cuts > 0 else {}
            self.cuts -= 1
            self.sent = {"up": 0, "down": 0}
            for name, one, other in (("up", client, upstream), ("down", upstream, client)):
                thread = threading.Thread(
                    target=self.pass_on, args=(name, one, other, limits.get(name)), daemon=True
                )
                thread.start()

    def pass_on(
        self, name: str, one: socket.socket, other: socket.socket, most: int | None
    ) -> None:
        """Hand on bytes, and break both ends behind the last that may pass."""
        left = most
        with suppress(OSError):
            while data := one.recv(65536):
                if left is not None and len(data) >= left:
                    other.sendall(data[:left])
                    break
                other.sendall(data)
                self.sent[name] += len(data)
                left = None if left is None else left - len(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def line(server: Server) -> Iterator[Line]:
    """A line to a server."""
    listening = socket.create_server(("127.0.0.1", 0))
    found = Line(server, listening)
    threading.Thread(target=found.serve, daemon=True).start()
    try:
        yield found
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def _url(found: Line, schema: str) -> str:
    where = f"postgresql://postgres@127.0.0.1:{found.port}/postgres"
    return f"{where}?options=-csearch_path%3D{schema}&sslmode=disable&gssencmode=disable"


def lengths(server: Server) -> dict[str, int]:
    """How many bytes go each way for one charge, from the first of its connection."""
    schema = server.schema()
    _make(server, schema)
    with line(server) as found:
        store = open_store(_url(found, schema))
        Book(store).charge("k", 1)
        sent = dict(found.sent)
        store.close()
    return sent


def _make(server: Server, schema: str) -> None:
    store = open_store(server.url(schema), create=True)
    store.write(lambda writing: writing.append(first(10**9)))
    store.close()


def cut_after(server: Server, cuts: Iterable[tuple[str, int, int]]) -> tuple[int, int, list[str]]:
    """Charge once for each cut: a direction, how many bytes, on how many connections in a row.

    Returns how many there were, how many were answered with an error, and what is wrong.
    """
    schema = server.schema()
    _make(server, schema)
    direct = open_store(server.url(schema))
    accepted, errors, number, found = [], 0, 0, []
    with line(server) as way:
        for direction, most, times in cuts:
            number += 1
            way.cuts = 0
            store = open_store(_url(way, schema), patience=10)
            store.engine.dispose()  # so that the next connection is counted from its first byte
            way.up, way.down = (most, None) if direction == "up" else (None, most)
            way.cuts = times
            key = f"{direction}-{most}-{times}"
            while True:
                try:
                    Book(store).charge(key, 1)
                    break
                except LedgerUnavailable:
                    errors += 1
                    way.cuts = 0
            accepted.append(key)
            store.close()
            if number % 200 == 0:
                found += problems(direct, accepted)
    found += problems(direct, accepted)
    direct.close()
    return number, errors, found
