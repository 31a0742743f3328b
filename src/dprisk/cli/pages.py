"""Commands that open or write what is read elsewhere: page, serve and schema."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import typer

from dprisk._asking import parameters as shared
from dprisk._asking import reading
from dprisk._asking.parameters import (
    File,
    Flag,
    SomeFile,
    SomeNumber,
    SomeWord,
    Word,
    arg,
    flag,
    opt,
)
from dprisk._asking.reading import unclear
from dprisk._values import printable
from dprisk.cli import show
from dprisk.cli.ending import Interrupted
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput, NotInstalled

if TYPE_CHECKING:
    from dprisk.web.ledgers import Opened


@final
@dataclass(frozen=True)
class PageOptions:
    """The file in which the page is written."""

    target: SomeFile = opt(
        "File to write, such as dprisk.html.", "dprisk.html", *("--output", "-o")
    )
    force: Flag = shared.force()
    quiet: Flag = flag("Print the answer only.", "--quiet", "-q")


def page(asked: PageOptions) -> None:
    """Write the interactive page."""
    from dprisk._files import check_places
    from dprisk.web import save_page

    check_places([asked.target], force=asked.force)
    with waiting("Assessing"):
        save_page(asked.target, force=asked.force)
    if not asked.quiet:
        typer.echo(printable(asked.target))


@final
@dataclass(frozen=True)
class ServeOptions:
    """Options on where the server listens, and with what limits it answers."""

    port: SomeNumber = opt("The port to listen on, such as 8000; 0 takes a free one.", "0")
    host: SomeWord = opt(
        "The address to listen on, such as 127.0.0.1. Any address that other machines can reach "
        "needs a token, which is printed once; the connection is not encrypted.",
        "127.0.0.1",
    )
    name: Word = opt("Another name of this server, such as risk.example.org.")
    workers: SomeNumber = opt(
        "How many processes answer, at least 3; each takes about 150 MB.", "3"
    )
    seconds: SomeNumber = opt("Seconds after which a question is stopped, such as 60.", "60")
    memory: SomeNumber = opt("Memory that each process may use, such as 4GiB.", "4GiB")
    no_browser: Flag = flag("Do not open a browser.", "--no-browser")
    log: Flag = flag("Log each request with its address, and errors.", "--log")
    ledger: File = opt(
        "Also show this ledger on the page: its accounts, their status and their history."
    )
    write: Flag = flag(
        "Allow charges to the ledger. Every request then needs the token that is printed.",
        "--write",
    )

    def opened(self) -> Opened | None:
        """The ledger, if it is there: looked at before anybody is told of an address."""
        if self.ledger is None:
            return None
        from dprisk.ledger import Ledger
        from dprisk.web.ledgers import Opened

        with Ledger.open(self.ledger) as book:
            book.state()
        place = self.ledger if "://" in self.ledger else os.path.abspath(self.ledger)
        return Opened(place, self.write)


def serve(asked: ServeOptions) -> None:
    """Serve the page and the API until interrupted."""
    number = 0 if asked.port == "0" else reading.whole_number("--port", asked.port)
    if number > 65535:  # ports have two bytes
        raise InvalidInput("--port", asked.port, "a port between 0 and 65535")
    if asked.write and asked.ledger is None:
        raise unclear("--write needs a ledger: name one with --ledger.")
    with suppress(Interrupted), waiting("Starting") as started:
        try:
            from dprisk.web.running import Serving, run
        except ModuleNotFoundError as error:
            raise NotInstalled(
                f"The server is not installed ({error.name} is missing). Install it with: pip "
                "install 'dprisk[serve]'"
            ) from None
        settings = Serving(
            asked.host,
            number,
            () if asked.name is None else (asked.name,),
            reading.whole_number("--workers", asked.workers),
            reading.number("--seconds", asked.seconds),
            int(reading.size("--memory", asked.memory)),
            log=asked.log,
            ledger=asked.opened(),
        )

        def tell(address: str, token: str | None) -> None:
            started()
            typer.echo(f"dprisk is at {address}")
            if token is not None:
                typer.echo(f"Token (as the password; shown only this once): {token}")
            typer.echo("Press Ctrl-C to stop.")
            if not asked.no_browser:
                import webbrowser

                webbrowser.open(address)

        run(settings, tell)
    typer.echo("Stopped.")


@final
@dataclass(frozen=True)
class SchemaOptions:
    """Which schema is printed."""

    of: SomeWord = arg("release (a file to read), assessment, composition or ledger (JSON output).")


def schema(asked: SchemaOptions) -> None:
    """Print the JSON schema of a release file, or of JSON that is printed."""
    with waiting("Reading the schema"):
        found = _schema(asked.of)
    show.as_json(found)


def _schema(of: str) -> Any:
    match of:
        case "release":
            from dprisk.releases.model import json_schema

            return json_schema()
        case "assessment":
            from dprisk.documents.assessing import json_schema as assessment_schema

            return assessment_schema()
        case "composition":
            from dprisk.documents.compositions import composition_schema

            return composition_schema()
        case "ledger":
            from dprisk.ledger import json_schema as ledger_schema

            return ledger_schema()
    raise InvalidInput("schema", of, "release, assessment, composition or ledger")
