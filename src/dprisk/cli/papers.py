"""Commands about the papers: reproduce and witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from dprisk._asking import options, reading
from dprisk._asking import parameters as shared
from dprisk._asking.answers import Block, section, table
from dprisk._asking.parameters import Flag, Number, SomeWord, Word, arg, flag, opt
from dprisk._asking.reading import apart, unclear
from dprisk.cli import show
from dprisk.cli.commands import Output
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.audit import Claim, FiniteMechanism
    from dprisk.papers.constructions import Separation
    from dprisk.papers.pdp_witness import NoSeparation
    from dprisk.papers.reproduction import Item, Reproduction


@final
@dataclass(frozen=True)
class ReproduceOptions:
    """Which items of which papers, and where they are written."""

    which: Annotated[list[str] | None, "PAPER | ITEM"] = arg(
        "Papers, such as P0 (Kazan et al. 2025), or items, such as P0/figure-3. Default: all.",
        None,
    )
    out: Annotated[Path, "FOLDER"] = opt(
        "Folder to write to, created if it does not exist.",
        Path("reproduction"),
        *("--out", "-o"),
    )
    listed: Flag = flag("List the items and how many numbers are checked.", "--list")
    figures: Flag = opt("Draw the figures as well.", True)
    force: Flag = shared.force()


def reproduce(asked: ReproduceOptions, output: Output) -> None:
    """Compute the papers again; exit code 3 if a verdict is not the one known for the print."""
    from dprisk.papers import items, reproduce, write_reproduction
    from dprisk.papers.pages import check_folder

    chosen = items(asked.which or [])
    if asked.listed:
        output.show(
            [_plain(item) for item in chosen],
            lambda: [item.key for item in chosen],
            lambda: [
                table(
                    ("item", "place", "numbers", "what it shows"),
                    ([one.key, one.place, str(len(one.prints)), one.shows] for one in chosen),
                )
            ],
        )
        return
    check_folder(asked.out, chosen, force=asked.force)
    with waiting("Computing"):
        made = reproduce(asked.which or [])
    with waiting("Writing"):
        written = write_reproduction(made, asked.out, figures=asked.figures, force=asked.force)
    output.show(
        made,
        lambda: [str(written[0])],
        lambda: _reproduced(made, written),
        kept=not made.unexpected,
    )


def _plain(item: Item) -> dict[str, object]:
    named = {name: getattr(item, name) for name in ("key", "kind", "label", "place", "shows")}
    return {**named, "prints": [each.what for each in item.prints]}


def _reproduced(made: Reproduction, written: tuple[Path, ...]) -> Iterator[Block]:
    from dprisk.papers.prints import VERDICTS

    rows = []
    for paper in made.papers:
        counts, parts = made.counts(paper), made.of(paper)
        kinds = [sum(part.item.kind == kind for part in parts) for kind in ("figure", "table")]
        rows.append([paper, *map(str, [*kinds, *counts.values()])])
    yield table(("paper", "figures", "tables", *VERDICTS), rows)
    yield from section("Unexpected verdicts", made.unexpected)
    first = f"Begin with {written[0]}, which explains each erratum."
    yield f"Written: {len(written)} files. {first}"


# --- witness -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class WitnessOptions:
    """The definitions that a mechanism keeps and does not keep, or a construction by its name."""

    what: Annotated[list[str] | None, "NAME=NUMBER"] = arg(
        "With --name: the numbers of the construction, such as delta=0.1.", None
    )
    epsilon: Number = opt("The ε of the approximate DP to satisfy, such as 1 or log(3).")
    delta: Number = opt("The δ of the approximate DP to satisfy, such as 1e-6.")
    not_pdp: Annotated[str | None, "NUMBER,NUMBER"] = opt(
        "The ε and δ of the probabilistic DP to violate, such as 1.1,1e-5."
    )
    sides: SomeWord = opt("Sides of probabilistic DP: one (P[Z > ε]) or both (P[|Z| > ε]).", "one")
    name: Word = opt("A construction from the papers; --list shows all of them.")
    names: Flag = flag("List the constructions.", "--list")
    csv: Flag = flag("Print the table only, as dprisk audit reads it.", "--csv")

    @property
    def numbers(self) -> dict[str, str | None]:
        """The numbers of both definitions, by option."""
        return {"--epsilon": self.epsilon, "--delta": self.delta, "--not-pdp": self.not_pdp}


def witness(asked: WitnessOptions, output: Output) -> None:
    """Print a mechanism that keeps one definition and not another, or why there is none."""
    other_sides = {"--sides": asked.sides != "one"}
    if asked.names:
        more = {"--name": asked.name, "--csv": asked.csv, "NAME=NUMBER": asked.what or None}
        options.moot("--list", {**asked.numbers, **other_sides, **more})
        _list(output)
        return
    if asked.csv and output.json:
        raise apart("--csv", "--json")
    if asked.name:
        options.moot("--name", other_sides)
    with waiting("Searching"):
        made: Any = _named(asked) if asked.name else _between(asked)
    if not hasattr(made, "mechanism"):
        none = f"No such mechanism exists. {made.reason} ({made.source.named})"
        output.show(made, lambda: [none], kept=False)
    if asked.csv:
        typer.echo(_as_csv(made.mechanism), nl=False)
    else:
        output.show(made, lambda: _claims(made), lambda: _separation(made), kept=True)


def _list(output: Output) -> None:
    from dprisk.papers.pdp_witness import SEPARATIONS

    known = [
        {"name": name, "says": each.says, "source": each.source, "needs": list(each.needs)}
        for name, each in SEPARATIONS.items()
    ]
    rows: Any = (
        [each["name"], each["says"], each["source"], " ".join(f"{one}=" for one in each["needs"])]
        for each in known
    )
    shown: Any = table(("name", "what it shows", "source", "needs"), rows)
    if output.json:
        show.as_json(known)
    else:
        show.document([shown])


def _between(asked: WitnessOptions) -> Separation | NoSeparation:
    from dprisk.papers import witness as between

    shown = options.example("witness")
    if asked.what:
        raise unclear(
            f"{asked.what[0]} belongs to a construction. Name the construction with --name, or "
            "leave the number out."
        )
    for option, text in asked.numbers.items():
        if text is None:
            raise unclear(
                f"{option} is missing. Give --epsilon, --delta and --not-pdp, or a construction "
                f"with --name. Example: {shown}",
                option=option,
            )
    parts = [part.strip() for part in str(asked.not_pdp).split(",")]
    if len(parts) != 2:
        fix = f"Example: {shown}"
        raise InvalidInput("--not-pdp", asked.not_pdp, "an epsilon and a delta", fix)
    pair: Any = tuple(parts)
    sides: Any = asked.sides
    return between(asked.epsilon, asked.delta, not_pdp=pair, sides=sides)


def _named(asked: WitnessOptions) -> Separation:
    from dprisk.papers import separate

    for option, text in asked.numbers.items():
        if text is not None:
            key = option.lstrip("-").replace("-", "_")
            raise unclear(
                f"With --name, numbers follow the name, such as {key}=1. Leave {option} out.",
                option=option,
            )
    numbers: dict[str, Any] = {}
    for pair in asked.what or []:
        key, sign, text = pair.partition("=")
        if not sign or key in numbers:
            allowed, fix = "written once, as name=value", "Such as delta=0.1."
            raise InvalidInput("a number", pair, allowed, fix)
        numbers[key] = reading.whole_number(key, text) if key == "count" else text
    return separate(str(asked.name), **numbers)


def _separation(made: Separation) -> Iterator[Block]:
    from dprisk.audit.growth import brief

    yield made.says
    yield _probabilities(made.mechanism)
    yield from section("Post-processing", [] if made.map is None else [str(made.map)])
    for number, part in enumerate(made.parts, 1):
        yield _probabilities(part, f"Part {number}")
    yield from section("Decided in exact arithmetic", _claims(made))
    if made.name != "witness":
        numbers = [f"{key} = {brief(Fraction(each))}" for key, each in made.parameters.items()]
        yield from section("Parameters", numbers)
    yield from section("Not shown", [made.note] if made.note else [])
    yield from section("Source", [f"{made.source.named}: {made.source.says}."])


def _claims(made: Separation) -> list[str]:
    return [_claim(made, *claim) for claim in made.claims()]


def _claim(made: Separation, whose: str, definition: Claim, kept: bool) -> str:
    from dprisk.audit.growth import brief, shortened

    after = "The output of the post-processing"
    who = after if whose == "after the map" else whose.capitalize()
    tail = made.tail(whose, definition)
    how = ""
    if tail is not None:
        digits, is_all = shortened(definition.delta)
        barely = not kept and is_all and shortened(tail) == (digits, False)
        shown = f"just above {brief(definition.delta)}" if barely else brief(tail)
        how = f": the loss exceeds ε with probability {shown}"
    keeps = "keeps" if kept else "does not keep"
    return f"{who} {keeps} {_definition(made, definition)}{how}."


def _definition(made: Separation, definition: Claim) -> str:
    """A definition by its numbers; one a hair below a parameter is not told from it by digits."""
    from dprisk.audit.growth import brief

    growth, delta = definition.growth, definition.delta
    if growth is None:
        return str(definition)
    below = _just_below(made.parameters, delta)
    before = None
    if growth.epsilon is None:
        before = _just_below(made.parameters, growth.exactly)
    if below is None and before is None:
        return str(definition)
    numbers = f"({f'log({before})' if before else growth}, {below or brief(delta)})"
    return fill(f"audit.claim.{definition.kind}", numbers=numbers)


def _just_below(parameters: Mapping[str, Any], value: Fraction) -> str | None:
    for name, parameter in parameters.items():
        if 0 < Fraction(parameter) - value <= Fraction(parameter) / 10**29:
            return f"just below {name}"
    return None


def _probabilities(mechanism: FiniteMechanism, caption: str = "") -> Any:
    from dprisk.audit.growth import shortened
    from dprisk.documents.document import Section, Sentence

    if len(mechanism.outputs) > 8:
        size = f"{mechanism.size} datasets and {len(mechanism.outputs)} outputs"
        wide = f"{size}: --csv and --json print the table."
        return Section(caption, (Sentence(wide),)) if caption else wide
    cells = [[shortened(value) for value in row] for row in mechanism.exact()]
    rows = [
        [label, *(digits for digits, _ in row)]
        for label, row in zip(mechanism.datasets, cells, strict=True)
    ]
    if not all(is_all for row in cells for _, is_all in row):
        rounded = "Rounded to six digits; --csv and --json print the fractions."
        caption = f"{caption}: {rounded}" if caption else rounded
    return table(("dataset", *mechanism.outputs), rows, caption)


def _as_csv(mechanism: FiniteMechanism) -> str:
    import csv
    import io

    from dprisk.papers.constructions import as_table

    written = as_table(mechanism)
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["dataset", *written["outputs"]])
    for label, row in zip(written["datasets"], written["probabilities"], strict=True):
        writer.writerow([label, *row])
    return lines.getvalue()
