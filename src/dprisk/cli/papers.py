"""Commands about the papers: reproduce and witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, section
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.reading import apart, unclear
from dprisk.cli.commands import Command, Output
from dprisk.cli.show import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.audit import Claim, FiniteMechanism
    from dprisk.papers.constructions import Separation
    from dprisk.papers.pdp_witness import NoSeparation
    from dprisk.papers.reproduction import Item, Reproduction


@table
class AskReproduce(Inquiry):
    """Recompute the numbers and figures of the papers, and show them beside the published ones.
    Exit code 3 if a verdict is not the expected one.
    """

    example = "dprisk reproduce P3 -o out"
    which: Annotated[list[str] | None, "PAPER | ITEM"] = arg(
        "Papers, such as P0 (Kazan et al. 2025), or items, such as P0/figure-3. Default: all.",
        None,
    )
    out: Annotated[Path, "FOLDER"] = opt(
        "Folder to write to, created if it does not exist.",
        Path("reproduction"),
        *("--out", "-o"),
    )
    listed: take.Flag = flag("List the items and how many numbers are checked.", "--list")
    figures: take.Flag = opt("Draw the figures as well.", True)
    force: take.Flag = take.force()

    def answer(self) -> Any:
        """The items alone; or what was computed, and the files in which it is written."""
        from dprisk.papers import items, reproduce, write_reproduction
        from dprisk.papers.pages import check_folder

        chosen = items(self.which or [])
        if self.listed:
            return chosen
        check_folder(self.out, chosen, force=self.force)
        made = reproduce(self.which or [])
        return made, write_reproduction(made, self.out, figures=self.figures, force=self.force)

    def data(self, made: Any) -> Any:
        return [_plain(item) for item in made] if self.listed else made[0]

    def brief(self, made: Any) -> list[str]:
        return [item.key for item in made] if self.listed else [str(made[1][0])]

    def document(self, made: Any) -> Iterator[Block]:
        return _listed(made) if self.listed else _reproduced(*made)

    def kept(self, made: Any) -> bool:
        return self.listed or not made[0].unexpected


def _listed(items: tuple[Item, ...]) -> Iterator[Block]:
    heads = ("item", "place", "numbers", "what it shows")
    rows = ([one.key, one.place, str(len(one.prints)), one.shows] for one in items)
    yield answers.table(heads, rows)


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
    yield answers.table(("paper", "figures", "tables", *VERDICTS), rows)
    yield from section("Unexpected verdicts", made.unexpected)
    first = f"Begin with {written[0]}, which explains each erratum."
    yield f"Written: {len(written)} files. {first}"


# --- witness -------------------------------------------------------------------------------------


@table
class AskWitness(Inquiry, Command):
    """Construct a mechanism that satisfies one definition and violates another. Exit code 3 if
    there is none.
    """

    example = "dprisk witness --epsilon 1 --delta 1e-6 --not-pdp 1.1,1e-5"
    what: Annotated[list[str] | None, "NAME=NUMBER"] = arg(
        "With --name: the numbers of the construction, such as delta=0.1.", None
    )
    epsilon: take.Number = opt("The ε of the approximate DP to satisfy, such as 1 or log(3).")
    delta: take.Number = opt("The δ of the approximate DP to satisfy, such as 1e-6.")
    not_pdp: Annotated[str | None, "NUMBER,NUMBER"] = opt(
        "The ε and δ of the probabilistic DP to violate, such as 1.1,1e-5."
    )
    sides: take.SomeWord = opt(
        "Sides of probabilistic DP: one (P[Z > ε]) or both (P[|Z| > ε]).", "one"
    )
    name: take.Word = opt("A construction from the papers; --list shows all of them.")
    names: take.Flag = flag("List the constructions.", "--list")
    csv: take.Flag = flag("Print the table only, as dprisk audit reads it.")

    def run(self, output: Output) -> None:
        if self.csv and output.json:
            raise apart("--csv", "--json")
        with waiting("Searching"):
            made = self.answer()
        if self.csv and hasattr(made, "mechanism"):
            typer.echo(_as_csv(made.mechanism), nl=False)
        else:
            output.show(self, made)

    def answer(self) -> Any:
        """The constructions by name, a mechanism, or why there is none."""
        from dprisk.papers.pdp_witness import SEPARATIONS

        other_sides = {"--sides": self.sides != "one"}
        if self.names:
            more = {"--name": self.name, "--csv": self.csv, "NAME=NUMBER": self.what or None}
            options.moot("--list", {**self._numbers, **other_sides, **more})
            return SEPARATIONS
        if self.name:
            options.moot("--name", other_sides)
        return self._named() if self.name else self._between()

    def kept(self, made: Any) -> bool:
        return self.names or hasattr(made, "mechanism")

    def data(self, made: Any) -> Any:
        if not self.names:
            return made
        return [
            {"name": name, "says": each.says, "source": each.source, "needs": list(each.needs)}
            for name, each in made.items()
        ]

    def brief(self, made: Any) -> list[str]:
        if self.names:
            return list(made)
        if not hasattr(made, "mechanism"):
            return [f"No such mechanism exists. {made.reason} ({made.source.named})"]
        return _claims(made)

    def document(self, made: Any) -> Iterator[Block] | None:
        if self.names:
            heads, rows = ("name", "what it shows", "source", "needs"), []
            for name, each in made.items():
                needs = " ".join(f"{one}=" for one in each.needs)
                rows.append([name, each.says, each.source, needs])
            return iter([answers.table(heads, rows)])
        return _separation(made) if hasattr(made, "mechanism") else None

    @property
    def _numbers(self) -> dict[str, str | None]:
        """The numbers of both definitions, by option."""
        return {"--epsilon": self.epsilon, "--delta": self.delta, "--not-pdp": self.not_pdp}

    def _between(self) -> Separation | NoSeparation:
        from dprisk.papers import witness

        if self.what:
            raise unclear(
                f"{self.what[0]} belongs to a construction. Name the construction with --name, or "
                "leave the number out."
            )
        for option, text in self._numbers.items():
            if text is None:
                raise unclear(
                    f"{option} is missing. Give --epsilon, --delta and --not-pdp, or a "
                    f"construction with --name. Example: {self.example}",
                    option=option,
                )
        parts = [part.strip() for part in str(self.not_pdp).split(",")]
        if len(parts) != 2:
            fix = f"Example: {self.example}"
            raise InvalidInput("--not-pdp", self.not_pdp, "an epsilon and a delta", fix)
        pair: Any = tuple(parts)
        return witness(self.epsilon, self.delta, not_pdp=pair, sides=self.sides)  # type: ignore[arg-type]

    def _named(self) -> Separation:
        from dprisk.papers import separate

        for option, text in self._numbers.items():
            if text is not None:
                key = option.lstrip("-").replace("-", "_")
                raise unclear(
                    f"With --name, numbers follow the name, such as {key}=1. Leave {option} out.",
                    option=option,
                )
        numbers: dict[str, Any] = {}
        for pair in self.what or []:
            key, sign, text = pair.partition("=")
            if not sign or key in numbers:
                allowed, fix = "written once, as name=value", "Such as delta=0.1."
                raise InvalidInput("a number", pair, allowed, fix)
            numbers[key] = reading.whole_number(key, text) if key == "count" else text
        return separate(str(self.name), **numbers)


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
    return answers.table(("dataset", *mechanism.outputs), rows, caption)


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
