"""``dprisk witness``: a mechanism that keeps one definition and not another, or why none does."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import options, reading
from dprisk._asking.options import NUMBER, WORD, Text, Texts, argument, option
from dprisk._asking.reading import unclear
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.errors import refused
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.audit import Claim, FiniteMechanism
    from dprisk.papers.pdp_witness import NoSeparation
    from dprisk.papers.separations import Separation

WIDEST = 8
NEXT_BELOW = Fraction(1, 10**29)  # of a parameter


def witness(
    *,
    what: Annotated[Texts, argument("help.witness.what", "NAME=NUMBER")] = None,
    epsilon: Annotated[Text, option("help.witness.epsilon", NUMBER)] = None,
    delta: Annotated[Text, option("help.witness.delta", NUMBER)] = None,
    not_pdp: Annotated[Text, option("help.witness.not-pdp", "NUMBER,NUMBER")] = None,
    sides: Annotated[str, option("help.witness.sides", WORD)] = "one",
    name: Annotated[Text, option("help.witness.name", WORD)] = None,
    names: Annotated[bool, option("help.witness.list", None, "--list")] = False,
    csv: Annotated[bool, option("help.witness.csv", None, "--csv")] = False,
    output: Output,
) -> None:
    """Print a mechanism that keeps one definition and not another, or why there is none."""
    if names:
        given = {"--epsilon": epsilon, "--delta": delta, "--not-pdp": not_pdp, "--name": name}
        more = {"--sides": sides != "one", "--csv": csv, "NAME=NUMBER": what or None}
        options.moot("--list", {**given, **more})
        output.show(_constructions(), _list, _list)
        return
    if csv and output.json:
        raise unclear("apart", one="--csv", other="--json")
    if name:
        options.moot("--name", {"--sides": sides != "one"})
    asked = {"--epsilon": epsilon, "--delta": delta, "--not-pdp": not_pdp}
    with waiting("search"):
        made = _named(name, what or [], asked) if name else _between(asked, what or [], sides)
    found = hasattr(made, "mechanism")
    if csv and found:
        typer.echo(_as_csv(made.mechanism), nl=False)  # type: ignore[union-attr]
    else:
        output.show(made, lambda: _in_brief(made), lambda: _in_full(made), kept=found)
    if not found:
        raise typer.Exit(3)


def _between(
    asked: dict[str, str | None], what: list[str], sides: str
) -> Separation | NoSeparation:
    from dprisk.papers import witness as between

    shown = options.example("witness")
    if what:
        raise unclear("no-numbers", number=what[0])
    for option_, text in asked.items():
        if text is None:
            raise unclear("construction", option=option_, example=shown)
    parts = str(asked["--not-pdp"]).split(",")
    if len(parts) != 2:
        raise refused("cli.must.two-numbers", "--not-pdp", asked["--not-pdp"], example=shown)
    return between(
        asked["--epsilon"],
        asked["--delta"],
        not_pdp=(parts[0].strip(), parts[1].strip()),
        sides=sides,  # type: ignore[arg-type]
    )


def _named(name: str, what: list[str], asked: dict[str, str | None]) -> Separation:
    from dprisk.papers import separate

    for option_, text in asked.items():
        if text is not None:
            key = option_.lstrip("-").replace("-", "_")
            raise unclear("after-name", option=option_, name=key)
    numbers: dict[str, Any] = {}
    for pair in what:
        key, sign, text = pair.partition("=")
        if not sign or key in numbers:
            raise refused("cli.must.name-and-number", fill("cli.a-number"), pair)
        numbers[key] = reading.whole_number(key, text) if key == "count" else text
    return separate(name, **numbers)


def _constructions() -> list[dict[str, Any]]:
    from dprisk.papers.pdp_witness import SEPARATIONS

    return [
        {"name": name, "says": each.says, "source": each.source, "needs": list(each.needs)}
        for name, each in SEPARATIONS.items()
    ]


def _list() -> None:
    rows = [
        [each["name"], each["says"], each["source"], " ".join(f"{one}=" for one in each["needs"])]
        for each in _constructions()
    ]
    show.table(show.columns("name", "shows", "source", "needs"), rows)


def _none(made: NoSeparation) -> None:
    show.lines([fill("cli.witness.none", reason=made.reason, source=made.source.named)], "")


def _in_brief(made: Separation | NoSeparation) -> None:
    from dprisk.papers.pdp_witness import NoSeparation

    _none(made) if isinstance(made, NoSeparation) else _claims(made, "")


def _in_full(made: Separation | NoSeparation) -> None:
    from dprisk.audit.growth import brief
    from dprisk.papers.pdp_witness import NoSeparation

    if isinstance(made, NoSeparation):
        _none(made)
        return
    show.lines([made.says], "")
    typer.echo()
    _table(made.mechanism)
    show.section("cli.heading.map", [] if made.map is None else [str(made.map)])
    for number, part in enumerate(made.parts, 1):
        show.heading("cli.witness.part", number=number)
        _table(part)
    show.heading("cli.witness.exact")
    _claims(made)
    if made.name != "witness":
        numbers = [f"{key} = {brief(Fraction(each))}" for key, each in made.parameters.items()]
        show.section("cli.heading.numbers", numbers)
    show.section("cli.heading.not-written", [made.note] if made.note else [])
    show.section("cli.heading.source", [f"{made.source.named}: {made.source.says}."])


def _claims(made: Separation, mark: str = "- ") -> None:
    show.lines([_said(made, *claim) for claim in made.claims()], mark)


def _said(made: Separation, whose: str, definition: Claim, kept: bool) -> str:
    from dprisk.audit.growth import brief, shortened

    who = fill("cli.witness.after") if whose == "after the map" else whose.capitalize()
    beyond = made.tail(whose, definition)
    how = ""
    if beyond is not None:
        digits, is_all = shortened(definition.delta)
        barely = not kept and is_all and shortened(beyond) == (digits, False)
        shown = brief(definition.delta if barely else beyond)
        how = fill(f"cli.witness.beyond{'-barely' if barely else ''}", brief=shown)
    key = "cli.witness.keeps" if kept else "cli.witness.breaks"
    return fill(key, who=who, definition=_called(made, definition), how=how)


def _called(made: Separation, definition: Claim) -> str:
    """A definition by its numbers; one a hair below a parameter is not told from it by digits."""
    from dprisk.audit.growth import brief

    growth, delta = definition.growth, definition.delta
    if growth is None:
        return str(definition)
    below = _just_below(made, delta)
    before = None if growth.epsilon is not None else _just_below(made, growth.exactly)
    if below is None and before is None:
        return str(definition)
    numbers = f"({f'log({before})' if before else growth}, {below or brief(delta)})"
    return fill(f"audit.claim.{definition.kind}", numbers=numbers)


def _just_below(made: Separation, value: Fraction) -> str | None:
    for name, parameter in made.parameters.items():
        if 0 < Fraction(parameter) - value <= NEXT_BELOW * Fraction(parameter):
            return fill("cli.witness.just-below", name=name)
    return None


def _table(mechanism: FiniteMechanism) -> None:
    from dprisk.audit.growth import shortened

    if len(mechanism.outputs) > WIDEST:
        size = fill("cli.witness.size", size=mechanism.size, number=len(mechanism.outputs))
        show.lines([fill("cli.witness.wide", size=size)], "")
        return
    cells = [[shortened(value) for value in row] for row in mechanism.exact()]
    rows = [
        [label, *(digits for digits, _ in row)]
        for label, row in zip(mechanism.datasets, cells, strict=True)
    ]
    show.table([*show.columns("dataset"), *mechanism.outputs], rows)
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
