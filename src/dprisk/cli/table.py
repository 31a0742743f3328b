"""``dprisk table``: risk for every row of files of any size, in as many files or in one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from os import listdir
from os.path import abspath, basename, isdir
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.options import FILE, NUMBER, WORD, Text, Texts, option
from dprisk._asking.reading import unclear
from dprisk._checks import Domain, one_of, scalar
from dprisk._files import check_places, write
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput, refused
from dprisk.progress import Step
from dprisk.text import english, fill

if TYPE_CHECKING:
    from dprisk.tables import TableQuestion
    from dprisk.tables.summary import TableSummary

BAR: Final = 40  # signs for the longest bar
MEMORY_RANGE: Final = Domain(1e8, 1e15, advice=english("errors.accuracy.bytes"))


class SameForAll(NamedTuple):
    """What is the same in every row."""

    definition: Annotated[Text, option("help.table.definition", WORD)] = None
    neighbors: options.Neighbors = None
    epsilon: Annotated[Text, option("help.option.epsilon", NUMBER)] = None
    delta: Annotated[Text, option("help.option.delta", NUMBER)] = None
    rho: Annotated[Text, option("help.option.rho", NUMBER)] = None
    mu: Annotated[Text, option("help.option.mu", NUMBER)] = None
    alpha: Annotated[Text, option("help.option.alpha", NUMBER)] = None
    gamma: Annotated[Text, option("help.option.gamma", NUMBER)] = None
    prior: Annotated[Text, option("help.table.prior", NUMBER)] = None
    confidence: options.Confidence = None
    level: Annotated[Text, option("help.table.level", NUMBER)] = None
    at_delta: Annotated[Text, option("help.table.at-delta", NUMBER)] = None

    def constants(self) -> dict[str, Any]:
        """Words and numbers by name, of those that are given."""
        given = {name: text for name, text in self._asdict().items() if text is not None}
        words: dict[str, Any] = {"definition": reading.defined, "neighbors": reading.related}
        return {
            name: words[name](text)
            if name in words
            else reading.number(f"--{name.replace('_', '-')}", text)
            for name, text in given.items()
        }


def table(
    *,
    sources: Annotated[list[str], options.argument("help.table.sources", FILE)],
    target: Annotated[Text, option("help.table.output", FILE, "--output", "-o")] = None,
    column: Annotated[Texts, option("help.table.column", "NAME=COLUMN")] = None,
    output_column: Annotated[Texts, option("help.table.output-column", WORD)] = None,
    same: SameForAll,
    limit: Annotated[Texts, option("help.table.limit", options.LIMIT)] = None,
    engine: Annotated[Text, option("help.table.engine", WORD)] = None,
    memory: Annotated[Text, option("help.table.memory", NUMBER)] = None,
    strict: Annotated[bool, option("help.table.strict", None, "--strict")] = False,
    person: Annotated[Text, option("help.table.person", WORD)] = None,
    page: Annotated[Text, option("help.table.page", FILE)] = None,
    force: options.Force = False,
    output: Output,
) -> None:
    """Write the table, and print how many rows are how high."""
    from dprisk.tables import run
    from dprisk.tables.files import is_folder_name, place_of
    from dprisk.tables.people import add_up_files
    from dprisk.tables.running import ENGINES, MEMORY

    if target is None:
        raise unclear("target", example=options.example("table"))
    place = place_of(target, "--output")
    if engine is not None:
        one_of("--engine", engine, ENGINES if person is None else ENGINES[:1])
    if person is not None and is_folder_name(target):
        allowed = "a name that ends in .parquet, .pq or .csv, because the result is one file"
        raise InvalidInput("--output", target, allowed)
    asked = _asked(column, output_column, same)
    limits = {
        one_of("--limit", _output(name), asked.outputs): most
        for name, most in reading.limits(limit).items()
    }
    if page is not None:
        if abspath(page) == abspath(target):
            raise unclear("apart", one="--page", other="--output")
        check_places([page], force=force, inputs=sources)
    held = (
        None
        if memory is None
        else scalar("--memory", reading.size("--memory", memory), MEMORY_RANGE)
    )
    with waiting("table", with_rate()):
        shared: Any = {"limits": limits, "strict": strict, "force": force}
        most = None if held is None else f"{held / 1e6:.0f}MB"
        if person is None:
            made = run(asked, sources, target, engine=engine, memory=most, **shared)
        else:
            made = add_up_files(asked, sources, place, person, memory=most or MEMORY, **shared)
        if page is not None:
            from dprisk.documents.table_page import table_page

            content = table_page(asked, made, name=basename(target))
            write(page, content.encode(), force=force, inputs=sources)
    output.show(
        made.to_dict(),
        lambda: show.lines([*_counted(made, target), *_above(made)], ""),
        lambda: _in_full(made, target),
        kept=made.kept,
    )


def _asked(column: Texts, outputs: Texts, same: SameForAll) -> TableQuestion:
    """The question, of the definition that its parameters belong to where none is named."""
    from dprisk.tables import OUTPUTS, TableQuestion

    if not outputs:
        allowed = f"at least one of: {', '.join(OUTPUTS)}"
        raise InvalidInput("--output-column", None, allowed, "Say which columns to add.")
    columns: dict[str, str] = {}
    for text in column or ():
        name, sign, where = text.partition("=")
        if not sign or not where:
            raise refused("cli.must.column", "--column", text)
        if name in columns:
            raise unclear("twice", option=f"--column {name}", number=2)
        columns[name] = where
    constants = same.constants()
    given = columns.keys() | constants.keys()
    if "definition" not in given:
        constants["definition"] = _definition(given)
    asked = [one_of("--output-column", _output(name), tuple(OUTPUTS)) for name in outputs]
    return TableQuestion(asked, columns, constants)


def _definition(given: Collection[str]) -> str:
    from dprisk.tables.question import DEFINITIONS

    fits = [name for name, kind in DEFINITIONS.items() if {*kind.parameters} <= {*given}]
    if not fits:
        raise unclear("definition", example=options.example("table"))
    return fits[-1]


def _output(name: str) -> str:
    """``posterior`` stands for ``posterior_at_most``."""
    from dprisk.tables import OUTPUTS

    longer = f"{name}_at_most"
    return longer if longer in OUTPUTS else name


def with_rate() -> Callable[[Step], str]:
    """Steps in words, with how fast they go and how long the rest will take."""
    began: dict[str, tuple[float, int]] = {}

    def said(step: Step) -> str:
        now = monotonic()
        first, before = began.setdefault(step.stage, (now, step.done))
        if now <= first or not before < step.done < step.total:
            return str(step)
        rate = (step.done - before) / (now - first)
        left = (step.total - step.done) / rate
        return fill("table.rate", step=step, rate=f"{rate:,.0f}", left=f"{left:.0f}")

    return said


def _counted(made: TableSummary, target: str) -> list[str]:
    read = made.rows - made.invalid
    lines = [made.say("table.done", rows=f"{made.rows:,}", read=f"{read:,}")]
    if isdir(target):
        lines.append(fill("table.folder", name=target, files=f"{len(listdir(target)):,}"))
    return lines


def _reason(made: TableSummary, name: str) -> str:
    """How many lack numbers for a reason, and where the first of the rows is."""
    said = made.say(f"table.reason.{name}", rows=f"{made.reasons[name]:,}")
    if name not in made.first:
        return said
    return fill("table.reason.first", said=said, row=f"{made.first[name]:,}")


def _in_full(made: TableSummary, target: str) -> None:
    from dprisk.tables.summary import EDGES

    show.lines(_counted(made, target), "")
    whose = ".people" if made.people else ""
    show.section(f"table.heading.reasons{whose}", [_reason(made, name) for name in made.reasons])
    for name, counts in made.histograms.items():
        show.heading(f"table.heading.histogram{whose}", name=name)
        most = max([*counts, 1])
        show.table(
            [fill("table.column.from"), made.say("plots.rows.rows"), ""],
            [
                [f"{low:.1f} – {high:.1f}", f"{count:,}", "#" * round(BAR * count / most)]
                for low, high, count in zip(EDGES, EDGES[1:], counts, strict=False)
            ],
        )
    show.section("table.heading.limits", _above(made))
    show.section("cli.heading.assumed", [made.say("table.alone")])


def _above(made: TableSummary) -> list[str]:
    """How many exceed each limit."""
    return [
        made.say("table.above", name=name, limit=f"{made.limits[name]:g}", rows=f"{count:,}")
        for name, count in made.above.items()
    ]
