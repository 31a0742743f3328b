"""``dprisk serve``: pages and an API on this machine."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import Annotated

import typer

from dprisk._asking import reading
from dprisk._asking.options import NUMBER, WORD, Text, option
from dprisk.cli.interrupted import Interrupted
from dprisk.cli.waiting import waiting
from dprisk.errors import NotInstalled, refused
from dprisk.text import fill


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
) -> None:
    """Serve pages and an API until interrupted."""
    number = 0 if port == "0" else reading.whole_number("--port", port)
    if number > 65535:  # ports have two bytes
        raise refused("cli.must.port", "--port", port)
    with suppress(Interrupted), ExitStack() as starting:
        starting.enter_context(waiting("serve"))
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
        )

        def told(address: str, token: str | None) -> None:
            starting.close()
            _told(address, token, browser=not no_browser)

        run(settings, told)
    typer.echo(fill("serve.stopped"))


def _told(address: str, token: str | None, *, browser: bool) -> None:
    typer.echo(fill("serve.at", address=address))
    if token is not None:
        typer.echo(fill("serve.with-token", token=token))
    typer.echo(fill("serve.how-to-stop"))
    if browser:
        import webbrowser

        webbrowser.open(address)
