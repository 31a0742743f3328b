"""``dprisk serve``: pages and an API on this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk._asking import reading
from dprisk._asking.options import FILE, NUMBER, WORD, Text, option
from dprisk._asking.reading import unclear
from dprisk.cli.interrupted import Interrupted
from dprisk.cli.waiting import waiting
from dprisk.errors import NotInstalled, refused
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.serve.ledgers import Opened


def serve(
    *,
    port: Annotated[str, option("help.serve.port", NUMBER)] = "0",
    host: Annotated[str, option("help.serve.host", WORD)] = "127.0.0.1",
    name: Annotated[Text, option("help.serve.name", WORD)] = None,
    workers: Annotated[str, option("help.serve.workers", NUMBER)] = "3",
    seconds: Annotated[str, option("help.serve.seconds", NUMBER)] = "60",
    memory: Annotated[str, option("help.serve.memory", NUMBER)] = "4GiB",
    no_browser: Annotated[bool, option("help.serve.no-browser", None, "--no-browser")] = False,
    log: Annotated[bool, option("help.serve.log", None, "--log")] = False,
    ledger: Annotated[Text, option("help.serve.ledger", FILE)] = None,
    write: Annotated[bool, option("help.serve.write", None, "--write")] = False,
) -> None:
    """Serve pages and an API until interrupted."""
    number = 0 if port == "0" else reading.whole_number("--port", port)
    if number > 65535:  # ports have two bytes
        raise refused("cli.must.port", "--port", port)
    if write and ledger is None:
        raise unclear("write")
    with suppress(Interrupted), waiting("serve") as started:
        try:
            from dprisk.serve.running import Serving, run
        except ModuleNotFoundError as error:
            raise NotInstalled(fill("serve.not-installed", library=error.name)) from None
        settings = Serving(
            host,
            number,
            () if name is None else (name,),
            reading.whole_number("--workers", workers),
            reading.number("--seconds", seconds),
            int(reading.size("--memory", memory)),
            log=log,
            ledger=None if ledger is None else _opened(ledger, write),
        )

        def told(address: str, token: str | None) -> None:
            started()
            _told(address, token, browser=not no_browser)

        run(settings, told)
    typer.echo(fill("serve.stopped"))


def _opened(place: str, write: bool) -> Opened:
    """A ledger that is there: looked at before anybody is told of an address."""
    from dprisk.ledger import Ledger
    from dprisk.serve.ledgers import Opened

    with Ledger.open(place) as book:
        book.state()
    return Opened(place if "://" in place else os.path.abspath(place), write)


def _told(address: str, token: str | None, *, browser: bool) -> None:
    typer.echo(fill("serve.at", address=address))
    if token is not None:
        typer.echo(fill("serve.with-token", token=token))
    typer.echo(fill("serve.how-to-stop"))
    if browser:
        import webbrowser

        webbrowser.open(address)
