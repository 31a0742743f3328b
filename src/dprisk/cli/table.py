"""``dprisk table``: risk for every row of files of any size, in as many files or in one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import listdir
from os.path import abspath, basename, isdir
from typing import TYPE_CHECKING, Any, Final

from dprisk._asking import answers, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, section
from dprisk._asking.options import Amounts
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.reading import apart, twice, unclear
from dprisk._files import check_places, write
from dprisk.errors import InvalidInput, one_of
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.tables import TableQuestion
    from dprisk.tables.summary import TableSummary

BAR: Final = 40  # signs for the longest bar


@table
class SameForAll:
    """Values that are the same in every row."""

    amounts: Amounts = Amounts()
    definition: take.Word = opt(
        "What the numbers of a row mean: pure, approximate, concentrated, gaussian or renyi. "
        "Default: the definition that has these parameters."
    )
    neighbors: take.Word = take.neighbors()
    prior: take.Number = opt("Belief before the release, between 0 and 1.")
    value_prior: take.Number = opt(
        "For the output both: belief in the value if the person is in the data, such as 0.1."
    )
    confidence: take.Number = take.confidence()
    level: take.Number = opt("False positive rate of a test, between 0 and 1.")
    at_delta: take.Number = opt("The δ at which ε is asked for, such as 1e-6.")

    def constants(self) -> dict[str, Any]:
        """Words and numbers by name, of those that are given."""
        every = {**vars(self), **vars(self.amounts), "amounts": None}
        given = {name: text for name, text in every.items() if text is not None}
        words: dict[str, Any] = {"definition": reading.defined, "neighbors": reading.related}
        return {
            name: words[name](text)
            if name in words
            else reading.number(f"--{name.replace('_', '-')}", text)
            for name, text in given.items()
        }


@table
class AskTable(Inquiry):
    """Add risk figures to every row of a table of any size, and write a folder of Parquet files, or
    one file.
    """

    example = (
        "dprisk table people.parquet -o risk.parquet --column epsilon=eps --prior 0.1 --neighbors "
        "add-remove --output-column posterior --limit posterior=0.5"
    )
    doing = "Reading the table"
    sources: take.SomeFiles = arg(
        "Parquet or CSV files with the same columns, patterns such as 'year=*/*.parquet', or "
        "folders."
    )
    target: take.File = opt(
        "The folder to write. A run that was stopped continues where it left off. Or one file, in "
        "a run that starts at the beginning each time: a name that ends in .parquet or .csv. Both "
        "are written completely or not at all. With Spark: always a folder.",
        None,
        *("--output", "-o"),
    )
    column: take.Columns = opt(
        "The column that has an input, such as prior=my_prior. Repeatable. Inputs: definition, "
        "neighbors, epsilon, delta, rho, mu, alpha, gamma, prior, value_prior, confidence, "
        "failure, level, at_delta."
    )
    output_column: take.Words = opt(
        "What to add: posterior, posterior_at_least, odds, ratio, ratio_at_least, difference, "
        "worst_prior, power, advantage, epsilon, or both (in the data and with a value). "
        "Repeatable."
    )
    same: SameForAll = SameForAll()
    limit: take.Limits = opt(
        "Largest value allowed in a row, such as posterior=0.5. Repeatable. Exit code 3 if a row "
        "is above it, has no bound or cannot be read."
    )
    engine: take.Word = opt(
        "What reads the files: duckdb, polars, arrow or spark. Default: arrow for Parquet files, "
        "and duckdb for others. Spark uses the master in its own settings, or else this machine."
    )
    memory: take.Number = opt(
        "Memory that DuckDB may use before it spills to disk, such as 500MB. Default: 1GB. With "
        "Spark: memory of its driver and of each executor. Default: Spark's own."
    )
    strict: take.Flag = flag("Stop at rows that cannot be read, and list the first ten.")
    person: take.Word = opt(
        "The column that says whose data a row is about. The rows of each person are added up, "
        "and the result has one row for each person."
    )
    page: take.File = opt(
        "HTML page to write, with a chart of how many rows are at each level of risk."
    )
    force: take.Flag = take.force()

    def answer(self) -> TableSummary:
        from dprisk._checks import Domain, scalar
        from dprisk.tables import run
        from dprisk.tables.files import is_folder_name, place_of
        from dprisk.tables.people import add_up_files
        from dprisk.tables.running import ENGINES, MEMORY

        sources, target, force = self.sources, self.target, self.force
        if target is None:
            raise unclear(f"Say where to write with -o. Example: {self.example}")
        place = place_of(target, "--output")
        if self.engine is not None:
            one_of("--engine", self.engine, ENGINES if self.person is None else ENGINES[:1])
        if self.person is not None and is_folder_name(target):
            allowed = "a name that ends in .parquet, .pq or .csv, because the result is one file"
            raise InvalidInput("--output", target, allowed)
        asked = _asked(self.column, self.output_column, self.same)
        limits = {
            one_of("--limit", _output(name), asked.outputs): most
            for name, most in reading.limits(self.limit).items()
        }
        if self.page is not None:
            if abspath(self.page) == abspath(target):
                raise apart("--page", "--output")
            check_places([self.page], force=force, inputs=sources)
        most = None
        if self.memory is not None:
            bytes_allowed = Domain(1e8, 1e15, advice=fill("errors.accuracy.bytes"))
            held = scalar("--memory", reading.size("--memory", self.memory), bytes_allowed)
            most = f"{held / 1e6:.0f}MB"
        how: Any = {"limits": limits, "strict": self.strict, "force": force}
        if self.person is None:
            made = run(asked, sources, target, engine=self.engine, memory=most, **how)
        else:
            made = add_up_files(asked, sources, place, self.person, memory=most or MEMORY, **how)
        if self.page is not None:
            from dprisk.documents.rendering import table_page

            content = table_page(asked, made, name=basename(target))
            write(self.page, content.encode(), force=force, inputs=sources)
        return made

    def data(self, made: TableSummary) -> Any:
        return made.to_dict()

    def brief(self, made: TableSummary) -> list[str]:
        return [*_counted(made, str(self.target)), *_above(made)]

    def document(self, made: TableSummary) -> Iterator[Block]:
        return _in_full(made, str(self.target))


def _asked(column: list[str] | None, outputs: list[str] | None, same: SameForAll) -> TableQuestion:
    """The question, of the definition that its parameters belong to where none is named."""
    from dprisk.tables import OUTPUTS, TableQuestion

    if not outputs:
        allowed = f"at least one of: {', '.join(OUTPUTS)}"
        raise InvalidInput("--output-column", None, allowed, "Say which columns to add.")
    columns: dict[str, str] = {}
    for text in column or ():
        name, sign, where = text.partition("=")
        if not sign or not where:
            allowed = "an input and a column, such as prior=my_prior"
            raise InvalidInput("--column", text, allowed)
        if name in columns:
            raise twice(f"--column {name}", 2)
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
        raise unclear(
            "The parameters given do not state a definition. Give epsilon, epsilon and delta, "
            "rho, mu, or alpha and gamma: each as an option, or as --column. Example: "
            + AskTable.example
        )
    return fits[-1]


def _output(name: str) -> str:
    """``posterior`` stands for ``posterior_at_most``."""
    from dprisk.tables import OUTPUTS

    longer = f"{name}_at_most"
    return longer if longer in OUTPUTS else name


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


def _in_full(made: TableSummary, target: str) -> Iterator[Block]:
    from dprisk.tables.summary import EDGES

    yield from _counted(made, target)
    whose = ".people" if made.people else ""
    reasons = [_reason(made, name) for name in made.reasons]
    yield from section(fill(f"table.heading.reasons{whose}"), reasons)
    for name, counts in made.histograms.items():
        most = max([*counts, 1])
        yield answers.table(
            [fill("table.column.from"), made.say("plots.rows.rows"), ""],
            (
                [f"{low:.1f} – {high:.1f}", f"{count:,}", "#" * round(BAR * count / most)]
                for low, high, count in zip(EDGES, EDGES[1:], counts, strict=False)
            ),
            fill(f"table.heading.histogram{whose}", name=name),
        )
    yield from section(fill("table.heading.limits"), _above(made))
    yield from section("Assumptions", [made.say("table.alone")])


def _above(made: TableSummary) -> list[str]:
    """How many exceed each limit."""
    return [
        made.say("table.above", name=name, limit=f"{made.limits[name]:g}", rows=f"{count:,}")
        for name, count in made.above.items()
    ]
