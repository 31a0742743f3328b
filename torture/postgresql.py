"""A PostgreSQL of one's own: in a temporary folder, on a socket, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

HOMES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
BIN = next((home for home in HOMES if (home / "initdb").exists()), None)


@dataclass
class Server:
    """One that listens on a socket in its folder."""

    folder: Path
    options: tuple[str, ...] = ()
    process: Any = None
    made: int = 0

    def start(self) -> None:
        """Run it until it answers."""
        command = ["postgres", "-D", self.folder / "data", "-k", self.folder, "-h", ""]
        with (self.folder / "log").open("ab") as log:
            self.process = run(subprocess.Popen, [*command, *self.options], stderr=log, stdout=log)
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres").close()
                return
            except psycopg.OperationalError:
                if self.process.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        """End it at once; a start recovers what was committed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(30)

    def kill(self) -> None:
        """As if the machine had lost it: no process of it is told."""
        children = subprocess.run(
            ["pgrep", "--parent", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        self.process.kill()
        self.process.wait(30)
        for child in map(int, children):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def ask(self, statement: sql.SQL | sql.Composed | str, *values: Any) -> list[Any]:
        """Ask as the superuser."""
        with self.superuser() as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def superuser(self) -> psycopg.Connection[Any]:
        """A connection as the superuser."""
        return psycopg.connect(
            host=str(self.folder), user="postgres", dbname="postgres", autocommit=True
        )

    def url(self, schema: str, user: str = "postgres") -> str:
        """How a ledger in a schema of its own is reached."""
        where = f"postgresql://{user}@/postgres?host={self.folder}"
        return f"{where}&options=-csearch_path%3D{schema}"

    def schema(self) -> str:
        """A new one, for one ledger."""
        self.made += 1
        name = f"s{self.made}"
        self.ask(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
        return name


def run(how: Any, command: list[Any], **more: Any) -> Any:
    """Run a program of PostgreSQL, which refuses to be run by root."""
    if os.getuid() == 0:
        more |= {"user": "postgres", "group": "postgres", "extra_groups": []}
    return how([BIN / command[0], *command[1:]], cwd="/", env={"LC_ALL": "C.UTF-8"}, **more)


@contextmanager
def server(*options: str, folder: Path | None = None) -> Iterator[Server]:
    """One that has just been made, in a folder of its own, or a failure where there is none."""
    if BIN is None:
        raise RuntimeError("There is no PostgreSQL on this machine: apt install postgresql")
    folder = folder or Path(tempfile.mkdtemp(prefix="dprisk-pg-"))
    if os.getuid() == 0:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    made = ["initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
    run(subprocess.run, made, check=True, capture_output=True)
    found = Server(folder, options)
    found.start()
    try:
        yield found
    finally:
        found.stop()
        shutil.rmtree(folder, ignore_errors=True)  # but not a disk
