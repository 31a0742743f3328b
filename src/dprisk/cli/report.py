"""``dprisk report``: one document about one release, to be read, signed and kept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._files import check_places
from dprisk.cli import options, reading, show
from dprisk.cli.options import FILE, NUMBER, TEXT, WORD, Text, option
from dprisk.cli.reading import unclear
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput, refused
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.report import Report


def report(
    *,
    file: options.ReleaseFile,
    target: Annotated[Text, option("help.report.output", FILE, "--output", "-o")] = None,
    force: options.Force = False,
    form: Annotated[Text, option("help.report.format", WORD, "--format")] = None,
    summary: Annotated[bool, option("help.report.summary", None, "--summary")] = False,
    asker: options.Asker,
    level: options.Level = None,
    limit: options.Limit = None,
    releases: options.Releases = "1",
    upto: Annotated[Text, option("help.report.upto", NUMBER)] = None,
    allocation: Annotated[Text, option("help.report.allocation", FILE)] = None,
    concern: options.Concern = None,
    claim: options.Claim = None,
    by: Annotated[str, option("help.report.by", TEXT)] = "",
    date: Annotated[str, option("help.report.date", WORD)] = "",
    language: options.Language = "en",
    output: options.Output,
) -> None:
    """Write one document about one release."""
    wanted = _form(target, form, output.json, summary)
    asked: dict[str, Any] = {
        "levels": reading.numbers("--level", level),
        "limits": reading.limits(limit),
        "upto": None if upto is None else reading.whole_number("--upto", upto),
        "concerns": concern,
    }
    labels = {
        "claim": claim or "",
        "by": by,
        "date": reading.day("--date", date),
        "file": file,
        "table": allocation or "",
        "language": language,
    }
    times = reading.whole_number("--releases", releases)
    if allocation == "":
        raise refused("cli.must.table", "--allocation", allocation)
    if target is not None:
        check_places([target], force=force, inputs=[file, allocation or ""])
    with waiting("report"):
        made = _made(asker, asked, labels, times)
        document = made.summary() if summary else made
        if target is None:
            text = document.written(wanted)
        else:
            document.save(target, wanted, force=force)
    if target is None:  # what is printed while the status is shown would land beside it
        show.as_it_is(text)
    elif not output.quiet:
        _told(made, target)
    if not made.kept:
        raise typer.Exit(3)


def _made(
    asker: options.Asker, asked: dict[str, Any], labels: dict[str, Any], times: int
) -> Report:
    from dprisk.releases.files import read_release
    from dprisk.report import Labels
    from dprisk.report import report as make

    release = read_release(labels["file"])
    given = {name: value for name, value in asked.items() if value}
    if labels["table"]:
        from dprisk.allocation import read_allocation

        given["allocation"] = read_allocation(labels["table"])
    if labels["claim"] and asker.secret is None:
        asker = asker._replace(secret="attribute")
    adversary = asker.asking(release)
    release = options.again(release, str(times))
    return make(release, adversary, labels=Labels(**labels, times=times), **given)


def _form(target: str | None, form: str | None, json: bool, summary: bool) -> Any:
    """The format, and that it can be had, before anything is computed."""
    from dprisk._checks import one_of
    from dprisk.report.saving import FORMATS, form_of

    if json and form not in (None, "json"):
        raise unclear("apart", one="--json", other="--format")
    if json or form is not None:
        wanted = "json" if json else one_of("--format", form, FORMATS)
    else:
        wanted = "markdown" if target is None else form_of(target)
    if wanted == "json" and summary:
        raise refused("summary.json", fill("summary.a-summary"), "json")
    if wanted == "pdf":
        from dprisk.report.paper import printer

        if target is None:
            problem, fix = fill("summary.pdf.to-file"), fill("summary.pdf.to-file.fix")
            raise InvalidInput("-o", None, problem, fix)
        printer()
    return wanted


def _told(made: Report, target: str) -> None:
    from dprisk.report.summary import summary

    (first, *_) = summary(made).blocks
    show.lines([fill("cli.report.written", output=target)], "")
    if sys.stdout.isatty():
        typer.echo()
    show.lines([getattr(first, "text", "")], "")
    show.limits(made.assessments[0])
