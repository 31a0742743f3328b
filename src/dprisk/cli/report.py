"""``dprisk report``: one document about one release, to be read, signed and kept."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._files import check_places
from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.report import Report

ASK = fill("help.panel.ask")
PRINTED = fill("help.panel.printed")


def report(
    file: Annotated[str, typer.Argument(help=fill("help.report.file"))],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help=fill("help.report.output"),
        ),
    ] = None,
    force: options.Force = False,
    form: Annotated[
        str | None,
        typer.Option("--format", help=fill("help.report.form")),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(help=fill("help.report.secret")),
    ] = None,
    confidence: Annotated[
        str | None,
        typer.Option(help=fill("help.report.confidence")),
    ] = None,
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help=fill("help.report.one-sided"))
    ] = False,
    raw_output: Annotated[
        bool,
        typer.Option("--raw-output", help=fill("help.report.raw-output")),
    ] = False,
    prior: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.report.prior"), rich_help_panel=ASK),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.report.level"),
            rich_help_panel=ASK,
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.report.limit"),
            rich_help_panel=ASK,
        ),
    ] = None,
    releases: Annotated[str, typer.Option(help=fill("help.report.releases"))] = "1",
    upto: Annotated[
        str | None,
        typer.Option(help=fill("help.report.upto")),
    ] = None,
    allocation: Annotated[
        str | None,
        typer.Option(help=fill("help.report.allocation")),
    ] = None,
    concern: Annotated[
        list[str] | None,
        typer.Option(
            help=fill("help.report.concern"),
            rich_help_panel=ASK,
        ),
    ] = None,
    claim: Annotated[
        str,
        typer.Option(
            help=fill("help.report.claim"),
            rich_help_panel=PRINTED,
        ),
    ] = "",
    by: Annotated[str, typer.Option(help=fill("help.report.by"), rich_help_panel=PRINTED)] = "",
    date: Annotated[
        str,
        typer.Option(
            help=fill("help.report.date"),
            rich_help_panel=PRINTED,
        ),
    ] = "",
    language: Annotated[
        str, typer.Option(help=fill("help.report.language"), rich_help_panel=PRINTED)
    ] = "en",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """One document about one release: what could be learned, at most, by whom, and why."""
    wanted = _form(output, form, json)
    who: dict[str, Any] = {
        "secret": secret,
        "priors": options.numbers("--prior", prior),
        "confidence": options.optional("--confidence", confidence),
        "sides": "one" if one_sided else "both",
        "post_processing": not raw_output,
    }
    asked: dict[str, Any] = {
        "levels": options.numbers("--level", level),
        "limits": options.limits(limit or []),
        "upto": None if upto is None else options.whole_number("--upto", upto),
        "concerns": concern,
    }
    labels = {
        "claim": claim,
        "by": by,
        "date": options.day("--date", date),
        "file": file,
        "table": allocation or "",
        "language": language,
    }
    times = options.whole_number("--releases", releases)
    if allocation == "":
        raise InvalidInput("--allocation", allocation, "census2020 or a file")
    if output is not None:
        check_places([output], force=force, inputs=[file, allocation or ""])
    with waiting("Writing the report"):
        made = _made(who, asked, labels, times)
        if output is None:
            text = made.written(wanted)
        else:
            made.save(output, wanted, force=force)
    if output is None:  # what is printed while the status is shown would land beside it
        _print(text)
    elif not quiet:
        _told(made, output)
    if not made.kept:
        raise typer.Exit(3)


def _made(who: dict[str, Any], asked: dict[str, Any], labels: dict[str, Any], times: int) -> Report:
    from dprisk.assessment import natural_secret
    from dprisk.releases.files import read_release
    from dprisk.report import Labels
    from dprisk.report import report as make
    from dprisk.risk.adversary import Adversary

    release = read_release(labels["file"])
    wanted = {name: value for name, value in who.items() if value not in (None, [])}
    wanted.setdefault("secret", natural_secret(release))
    given = {name: value for name, value in asked.items() if value}
    if labels["table"]:
        from dprisk.allocation import read_allocation

        given["allocation"] = read_allocation(labels["table"])
    release = replace(release, releases=release.releases * times)
    return make(release, Adversary(**wanted), labels=Labels(**labels, times=times), **given)


def _form(output: str | None, form: str | None, json: bool) -> Any:
    from dprisk._checks import one_of
    from dprisk.report import FORMATS
    from dprisk.report.values import form_of

    if json and form not in (None, "json"):
        raise InvalidInput("--json", form, "left out with --format", "Ask for one or the other.")
    if json or form is not None:
        return "json" if json else one_of("--format", form, FORMATS)
    return "markdown" if output is None else form_of(output)


def _print(text: str) -> None:
    """As it is, with letters that a terminal would obey written out."""
    typer.echo(show.UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text), nl=False)


def _told(made: Report, output: str) -> None:
    from dprisk.report.summary import summary

    (first, *_) = summary(made).blocks
    show.lines([fill("cli.report.written", output=output)], "")
    if sys.stdout.isatty():
        typer.echo()
    show.lines([getattr(first, "text", "")], "")
    show.limits(made.assessments[0])
