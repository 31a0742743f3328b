"""``dprisk witness``: a mechanism that keeps one definition and not another, or why none does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.audit import FiniteMechanism, Property
    from dprisk.papers import NoSeparation, Separation

NAMED = fill("help.panel.named")
WIDEST = 8
TRY = "Try: dprisk witness --epsilon 1 --delta 1e-6 --not-pdp 1.1,1e-5"


def witness(
    what: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.witness.what")),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(help=fill("help.witness.epsilon")),
    ] = None,
    delta: Annotated[str | None, typer.Option(help=fill("help.witness.delta"))] = None,
    not_pdp: Annotated[
        str | None,
        typer.Option(help=fill("help.witness.not-pdp")),
    ] = None,
    sides: Annotated[
        str,
        typer.Option(help=fill("help.witness.sides")),
    ] = "one",
    name: Annotated[
        str | None, typer.Option(help=fill("help.witness.name"), rich_help_panel=NAMED)
    ] = None,
    names: Annotated[
        bool, typer.Option("--list", help=fill("help.witness.names"), rich_help_panel=NAMED)
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help=fill("help.witness.csv"))] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """A mechanism that keeps one definition and not another, or why there is none (exit code 3)."""
    if names:
        _list(json)
        return
    if csv and json:
        raise InvalidInput("--csv", "given", "left out with --json")
    asked = {"--epsilon": epsilon, "--delta": delta, "--not-pdp": not_pdp}
    with waiting("Searching"):
        made = _named(name, what or [], asked) if name else _between(asked, what or [], sides)
    if json:
        show.as_json(made.to_dict())
    elif csv and hasattr(made, "mechanism"):
        typer.echo(_as_csv(made.mechanism), nl=False)
    else:
        _print(made, quiet)
    if not hasattr(made, "mechanism"):
        raise typer.Exit(3)


def _between(
    asked: dict[str, str | None], what: list[str], sides: str
) -> Separation | NoSeparation:
    from dprisk.papers import witness as between

    if what:
        raise InvalidInput("a number", what[0], "left out without --name", TRY)
    for option, text in asked.items():
        if text is None:
            raise InvalidInput(option, None, "given, or a construction with --name", TRY)
    parts = str(asked["--not-pdp"]).split(",")
    if len(parts) != 2:
        raise InvalidInput("--not-pdp", asked["--not-pdp"], "an epsilon and a delta", TRY)
    pair = parts[0].strip(), parts[1].strip()
    return between(
        asked["--epsilon"],
        asked["--delta"],
        not_pdp=pair,
        sides=sides,  # type: ignore[arg-type]
    )


def _named(name: str, what: list[str], asked: dict[str, str | None]) -> Separation:
    from dprisk.papers import separate

    for option, text in asked.items():
        if text is not None:
            fix = fill("cli.witness.write", name=option.lstrip("-").replace("-", "_"))
            raise InvalidInput(option, text, "left out with --name", fix)
    numbers: dict[str, Any] = {}
    for pair in what:
        key, sign, text = pair.partition("=")
        if not sign or key in numbers:
            raise InvalidInput("a number", pair, "written once, as name=value", "Such as delta=0.1")
        numbers[key] = options.whole_number(key, text) if key == "count" else text
    return separate(name, **numbers)


def _list(json: bool) -> None:
    from dprisk.papers import SEPARATIONS

    if json:
        show.as_json(
            [
                {"name": name, "says": each.says, "source": each.source, "needs": list(each.needs)}
                for name, each in SEPARATIONS.items()
            ]
        )
        return
    rows = [
        [name, each.says, each.source, " ".join(f"{need}=" for need in each.needs)]
        for name, each in SEPARATIONS.items()
    ]
    show.table(["name", "shows", "source", "needs"], rows)


def _print(made: Separation | NoSeparation, quiet: bool) -> None:
    from fractions import Fraction

    from dprisk.audit.exp_epsilon import brief
    from dprisk.papers import NoSeparation

    if isinstance(made, NoSeparation):
        show.lines([fill("cli.witness.none", reason=made.reason, source=made.source)], "")
        return
    if quiet:
        _claims(made, "")
        return
    show.lines([made.says], "")
    typer.echo()
    _table(made.mechanism)
    if made.map is not None:
        show.heading(fill("cli.heading.map"))
        show.lines([str(made.map)])
    for number, part in enumerate(made.parts, 1):
        show.heading(fill("cli.witness.part", number=number))
        _table(part)
    show.heading(fill("cli.witness.exact"))
    _claims(made)
    if made.name != "witness" and made.parameters:
        show.heading(fill("cli.heading.numbers"))
        show.lines([f"{key} = {brief(Fraction(each))}" for key, each in made.parameters.items()])
    if made.note:
        show.heading(fill("cli.heading.not-written"))
        show.lines([made.note])
    show.heading(fill("cli.heading.source"))
    show.lines([f"{made.source}: {made.source.says}."])


def _claims(made: Separation, mark: str = "- ") -> None:
    show.lines([_said(made, *claim) for claim in made.claims()], mark)


def _said(made: Separation, whose: str, definition: Property, kept: bool) -> str:
    from dprisk.audit.exp_epsilon import brief

    who = fill("cli.witness.after") if whose == "after the map" else whose.capitalize()
    beyond = made.tail(whose, definition)
    how = fill("cli.witness.beyond", brief=brief(beyond)) if beyond is not None else ""
    key = "cli.witness.keeps" if kept else "cli.witness.breaks"
    return fill(key, who=who, definition=definition, how=how)


def _table(mechanism: FiniteMechanism) -> None:
    from dprisk.audit.exp_epsilon import shortened

    if len(mechanism.outputs) > WIDEST:
        size = fill("cli.witness.size", size=mechanism.size, number=len(mechanism.outputs))
        show.lines([fill("cli.witness.wide", size=size)], "")
        return
    cells = [[shortened(value) for value in row] for row in mechanism.exact()]
    rows = [
        [label, *(digits for digits, _ in row)]
        for label, row in zip(mechanism.datasets, cells, strict=True)
    ]
    show.table([fill("cli.column.dataset"), *mechanism.outputs], rows)
    if not all(is_all for row in cells for _, is_all in row):
        show.lines([fill("cli.witness.rounded")], "")


def _as_csv(mechanism: FiniteMechanism) -> str:
    import csv
    import io

    from dprisk.papers.separations import as_table

    written = as_table(mechanism)
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["dataset", *written["outputs"]])
    for label, row in zip(written["datasets"], written["probabilities"], strict=True):
        writer.writerow([label, *row])
    return lines.getvalue()
