"""Commands that write or show documents: deployments, page, report, schema and serve."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import typer

from dprisk._asking import answers, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, belief, share
from dprisk._asking.options import Asker
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.questions import AskReport
from dprisk._asking.reading import apart, unclear
from dprisk._files import check_places
from dprisk._values import printable
from dprisk.cli import show
from dprisk.cli.commands import Command, Output
from dprisk.cli.ending import Interrupted
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput, NotInstalled

if TYPE_CHECKING:
    from dprisk.documents.assessing import Assessment
    from dprisk.releases.published import Comparison
    from dprisk.web.ledgers import Opened


@table
class WritePage(Command):
    """Write an interactive page: one HTML file that works without a network."""

    example = "dprisk page -o dprisk.html"
    shows = False
    target: take.SomeFile = opt(
        "File to write, such as dprisk.html.", "dprisk.html", *("--output", "-o")
    )
    force: take.Flag = take.force()
    quiet: take.Flag = flag("Print the answer only.", "--quiet", "-q")

    def run(self, output: Output) -> None:
        from dprisk.web import save_page

        check_places([self.target], force=self.force)
        with waiting("Assessing"):
            save_page(self.target, force=self.force)
        if not self.quiet:
            typer.echo(printable(self.target))


@table
class Serve(Command):
    """Open dprisk in the browser, and answer the same questions from programs. Nothing is sent to
    any other service.
    """

    example = "dprisk serve --port 8000"
    shows = False
    port: take.SomeNumber = opt("The port to listen on, such as 8000; 0 takes a free one.", "0")
    host: take.SomeWord = opt(
        "The address to listen on, such as 127.0.0.1. Any address that other machines can reach "
        "needs a token, which is printed once; the connection is not encrypted.",
        "127.0.0.1",
    )
    name: take.Word = opt("Another name of this server, such as risk.example.org.")
    workers: take.SomeNumber = opt(
        "How many processes answer, at least 3; each takes about 150 MB.", "3"
    )
    seconds: take.SomeNumber = opt("Seconds after which a question is stopped, such as 60.", "60")
    memory: take.SomeNumber = opt("Memory that each process may use, such as 4GiB.", "4GiB")
    no_browser: take.Flag = flag("Do not open a browser.")
    log: take.Flag = flag("Log each request with its address, and errors.")
    ledger: take.File = opt(
        "Also show this ledger on the page: its accounts, their status and their history."
    )
    write: take.Flag = flag(
        "Allow charges to the ledger. Every request then needs the token that is printed."
    )

    def run(self, output: Output) -> None:
        port = 0 if self.port == "0" else reading.whole_number("--port", self.port)
        if port > 65535:  # ports have two bytes
            raise InvalidInput("--port", self.port, "a port between 0 and 65535")
        if self.write and self.ledger is None:
            raise unclear("--write needs a ledger: name one with --ledger.")
        with suppress(Interrupted), waiting("Starting") as started:
            try:
                from dprisk.web.running import Serving, run
            except ModuleNotFoundError as error:
                raise NotInstalled(
                    f"The server is not installed ({error.name} is missing). Install it with: pip "
                    "install 'dprisk[serve]'"
                ) from None

            def tell(address: str, token: str | None) -> None:
                started()
                typer.echo(f"dprisk is at {address}")
                if token is not None:
                    typer.echo(f"Token (as the password; shown only this once): {token}")
                typer.echo("Press Ctrl-C to stop.")
                if not self.no_browser:
                    import webbrowser

                    webbrowser.open(address)

            settings = Serving(
                self.host,
                port,
                () if self.name is None else (self.name,),
                reading.whole_number("--workers", self.workers),
                reading.number("--seconds", self.seconds),
                int(reading.size("--memory", self.memory)),
                log=self.log,
                ledger=self._opened(),
            )
            run(settings, tell)
        typer.echo("Stopped.")

    def _opened(self) -> Opened | None:
        """The ledger, if it is there: looked at before anybody is told of an address."""
        if self.ledger is None:
            return None
        from dprisk.ledger import Ledger
        from dprisk.web.ledgers import Opened

        with Ledger.open(self.ledger) as book:
            book.state()
        place = self.ledger if "://" in self.ledger else os.path.abspath(self.ledger)
        return Opened(place, self.write)


@table
class AskSchema(Command):
    """Print the JSON schema of a release file, or of JSON output."""

    example = "dprisk schema release"
    shows = False
    of: take.SomeWord = arg(
        "release (a file to read), assessment, composition or ledger (JSON output)."
    )

    def run(self, output: Output) -> None:
        known = {
            "release": "releases.model:json_schema",
            "assessment": "documents.assessing:json_schema",
            "composition": "documents.compositions:composition_schema",
            "ledger": "ledger:json_schema",
        }
        if self.of not in known:
            raise InvalidInput("schema", self.of, "release, assessment, composition or ledger")
        with waiting("Reading the schema"):
            found = resolve_name(f"dprisk.{known[self.of]}")()
        show.as_json(found)


# --- report --------------------------------------------------------------------------------------


@table
class WriteReport(Command):
    __doc__ = AskReport.__doc__

    example = AskReport.example
    asked: AskReport = AskReport()
    target: take.File = opt(
        "File to write (.html, .pdf, .md or .json). Default: print Markdown.",
        None,
        *("--output", "-o"),
    )
    force: take.Flag = take.force()
    form: take.Word = opt(
        "Format, whatever the file is called: html, pdf, markdown or json.", None, "--format"
    )
    summary: take.Flag = flag("Write one page for those who decide, instead of the whole report.")

    def run(self, output: Output) -> None:
        wanted = self._wanted(output.json)
        self.asked.check()
        if self.target is not None:
            inputs = [self.asked.subject.file, self.asked.allocation or ""]
            check_places([self.target], force=self.force, inputs=inputs)
        with waiting(self.asked.doing):
            made = self.asked.answer()
            document = made.summary() if self.summary else made
            if self.target is None:
                text = document.written(wanted)
            else:
                document.save(self.target, wanted, force=self.force)
        if self.target is None:  # what is printed while the status is shown would land beside it
            show.as_it_is(text)
        elif output.quiet:
            show.lines(self.asked.brief(made))
        else:
            self._tell(made, self.target)
        if not made.kept:
            raise typer.Exit(3)

    def _wanted(self, json: bool) -> Any:
        """The format, and that it can be had, before anything is computed."""
        from dprisk.documents.document import FORMATS, form_of
        from dprisk.errors import one_of

        if json and self.form not in (None, "json"):
            raise apart("--json", "--format")
        wanted = "markdown" if self.target is None else ""
        if json or self.form is not None:
            wanted = "json" if json else one_of("--format", self.form, FORMATS)
        elif self.target is not None:
            wanted = form_of(self.target)
        if wanted == "json" and self.summary:
            fix = "The JSON of the report contains all numbers in its summary."
            raise InvalidInput("a summary", "json", "html, markdown or pdf", fix)
        if wanted == "pdf":
            from dprisk.documents.rendering import printer

            if self.target is None:
                fix = "Name one with -o, such as -o report.pdf."
                raise InvalidInput("-o", None, "a file for a PDF", fix)
            printer()
        return wanted

    @staticmethod
    def _tell(made: Any, target: str) -> None:
        from dprisk.documents import headline
        from dprisk.text import language

        (first, *_) = made.assessments
        show.lines([f"Written: {target}", *([""] if sys.stdout.isatty() else [])])
        with language(made.asked.labels.language):
            show.lines([str(headline(first))])
        for text in answers.limits(first):
            show.lines(["", text])


# --- deployments ---------------------------------------------------------------------------------


@table
class AskDeployments(Inquiry):
    """List published deployments by unit, period and model, with their risk."""

    example = "dprisk deployments broadband"
    doing = "Assessing"
    name: take.Word = arg("Part of the name of a deployment or curator, to show it in full.", None)
    prior: take.SomeNumber = opt("Belief before the release, between 0 and 1.", "0.5")
    confidence: take.Number = take.confidence()

    def answer(self) -> list[Assessment]:
        from dprisk.documents.assessing import assess
        from dprisk.releases import deployments

        asker = Asker(prior=[self.prior], confidence=self.confidence)
        part = (self.name or "").lower()
        chosen = [one for one in deployments() if part in f"{one.name} {one.curator}".lower()]
        if not chosen:
            fix = "dprisk deployments lists them."
            raise InvalidInput("name", self.name, "part of a shipped name", fix)
        return [assess(release, asker.asking(release)) for release in chosen]

    def kept(self, made: list[Assessment]) -> bool:
        return True

    def brief(self, made: list[Assessment]) -> Iterator[str]:
        from dprisk.documents.beliefs import headline

        return (f"{one.release.name}: {headline(one)}" for one in made)

    def document(self, made: list[Assessment]) -> Iterator[Block]:
        from dprisk.releases import comparable

        if self.name is None:
            by_name = {one.release.name: one for one in made}
            yield from _tables(comparable([one.release for one in made]), by_name)
        for one in made if self.name is not None else ():
            yield from answers.of_assessment(one)


def _tables(groups: Iterable[Comparison], made: dict[str, Assessment]) -> Iterator[Block]:
    (prior,) = next(iter(made.values())).adversary.priors
    heads = ("deployment", "promise", f"{belief(prior)} becomes at most", "change at most")
    for group in groups:
        about = {"unit": group.unit, "period": group.period, "model": group.model}
        rows = _ranked([made[release.name] for release in group.releases], prior)
        yield answers.table(
            [*heads, "secret", "marks"],
            rows,
            ", ".join(f"{key}: {value or 'not stated'}" for key, value in about.items()),
        )
    yield (
        "Compare rows only within a group: with another unit, period or model, the numbers mean "
        "something else. Each row is the worst case over all mechanisms that keep the promise, "
        "against an adversary who knows everything except whether one record is in the data, or "
        "what this record says. The limits always hold for pure DP, and otherwise with the "
        "confidence asked for (default 0.99). The change is the largest over every prior, for one "
        "period. Later periods add to it."
    )
    yield (
        "~ the source does not state the neighbors, so they were assumed; ! the numbers are "
        "disputed or mislabeled. Use dprisk deployments NAME to read why."
    )


def _ranked(made: list[Assessment], prior: float) -> list[list[str]]:
    from dprisk.documents.promises import marks, promises

    rows = []
    for one in made:
        label, marked = f"{one.release.name}, {one.release.curator}", marks(one.release)
        if not one.statements:
            rows.append((2.0, [label, "", "no usable number", "", "", marked]))
            continue
        change = one.basis.find("difference").upper
        after = share(one.basis.find("posterior", prior).upper, certain=prior == 1.0)
        asks = one.adversary.secret
        row = [label, promises(one.basis), after, share(change), asks, marked]
        rows.append((change, row))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]
