"""``dprisk allocation``: where a privacy loss went, read for what one cares about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import ALMOST, Block, belief, section
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.reading import apart
from dprisk.cli import designs, scenarios
from dprisk.errors import InvalidInput, Meaningless
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most, bounded

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation as Read
    from dprisk.allocation.comparing import Candidates
    from dprisk.allocation.designing import Design
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.finding import Findings
    from dprisk.allocation.queries import Query

ADVERSARIES = {
    "rest-known": "any record, rest known",
    "true-record": "true record, rest known",
    "arbitrary-prior": "true record, any correct prior",
}
WIDEST = 6  # levels beside each other


@table
class AskAllocation(Inquiry):
    """Show what a privacy loss divided among queries means for one concern, such as an
    attribute.
    """

    example = "dprisk allocation census2020 --concern race"
    doing = "Composing"
    tables: take.SomeFiles = arg(
        "census2020 or dhc2020 (shipped), a table of queries (.csv, .parquet) or a file that "
        "describes one (.yaml, .toml, .json). Several are read as one."
    )
    concern: take.Texts = opt(
        "What the person worries about: an attribute, such as race, or 'block within tract'. "
        "Repeatable: all of them together. 'race below county' leaves out the queries at larger "
        "places. A scenario of the table, such as E, is all of its concerns. Default: everything."
    )
    all_scenarios: take.Flag = flag(
        "Show every scenario that comes with the table, beside the published numbers."
    )
    exact: take.Flag = flag(
        "Give a certified bracket for each answer, computed for the noise that was used. Default "
        "where the noise is known."
    )
    invariant: take.Number = opt(
        "How many records the smallest change affects that keeps what is published without noise, "
        "such as 2 for two people who trade places. Default: 1."
    )
    limit: take.Texts = opt(
        "Find the largest amounts with which a test about a concern has at most a power, such as "
        "'race: power(0.05)=0.3'. Repeatable: all limits are kept."
    )
    scale: take.Word = opt(
        "What --limit scales: total, 'level NAME' or 'query NAME'. Default: total."
    )
    write: take.Word = opt(
        "Write the allocation to this file (.yaml); with --limit, the one that keeps the limits."
    )
    against: take.File = opt(
        "Compare with this second allocation, such as the file of --write: each concern, and the "
        "queries that differ."
    )
    level: take.Numbers = take.level()
    ratio: take.Numbers = opt(
        "Find how likely, at most, the posterior is to exceed this many times the posterior "
        "without the record. Repeatable. Default: 2, 10, 100."
    )
    prior: take.Numbers = take.prior()
    confidence: take.Number = take.confidence()
    nested: take.Word = opt(
        "Nested levels of the table, outermost first, such as county,tract. Separate chains by ';'."
    )
    places: take.Word = opt("Level of the column place, where amounts differ by place.")
    moves: take.Number = opt(
        "Number of cells that one changed record affects: 2 for tables of counts, 1 for a single "
        "number."
    )
    noise: take.Word = opt("Noise of the table: discrete-gaussian, gaussian, laplace or geometric.")
    amount: take.Number = opt("Total to be divided, if the table gives shares, such as 2.63.")
    accounting: take.Word = opt("How amounts add up: zcdp, pure or gdp.")
    neighbors: take.Word = opt(
        "What the amounts are for: replace-one, or add-remove, where the noise is named. Default: "
        "replace-one."
    )

    def _read(self, tables: list[str]) -> Read:
        """The allocation that the tables describe."""
        from dprisk.allocation import read_allocation, together
        from dprisk.allocation.files import TABLES

        chains = [] if self.nested is None else self.nested.split(";")
        nested = [[word.strip() for word in chain.split(",")] for chain in chains]
        words: dict[str, Any] = {
            "levels": nested,
            "places": self.places,
            "moves": None if self.moves is None else reading.whole_number("--moves", self.moves),
            "noise": self.noise,
            "accounting": self.accounting,
            "amount": self.amount,
            **({} if self.neighbors is None else {"neighbors": self.neighbors}),
        }
        every = (*self.tables, self.against or "")
        optioned = [one for one in every if Path(one).suffix in TABLES]
        if self.against is None or not optioned:  # a description beside a table needs none
            optioned = tables
        given = ((one, words if one in optioned else {}) for one in tables)
        return together(*(read_allocation(one, **more) for one, more in given))

    def answer(self) -> Any:
        """The findings for one concern, or every scenario beside the printed numbers."""
        from dprisk.allocation import findings
        from dprisk.allocation import scenarios as checked

        self._check()
        made = self._read(self.tables)
        if self.against is not None:
            return self._beside(made)
        if self.limit:
            return self._design(made)
        if self.scale is not None:
            raise reading.unclear("--scale needs a --limit, such as 'race: power(0.05)=0.3'.")
        words: dict[str, Any] = {
            "levels": reading.numbers("--level", self.level),
            "reading": "exact" if self.exact else None,
        }
        if self.all_scenarios:
            if self.concern:
                raise apart("--concern", "--all-scenarios")
            self._moot("--all-scenarios", "ratio", "prior", "confidence", "invariant", "write")
            return made, checked(made, **_given(words))
        words["ratios"] = reading.numbers("--ratio", self.ratio)
        words["priors"] = reading.numbers("--prior", self.prior)
        words["confidence"] = reading.optional("--confidence", self.confidence)
        exposure = made.exposure(*(self.concern or ()))
        if self.invariant is not None:
            exposure = exposure.together(reading.whole_number("--invariant", self.invariant))
        found = findings(exposure, **_given(words))
        self._write(made)
        return found

    def _check(self) -> None:
        """Refuse options before a table is read, since a word of theirs may look like one."""
        kind, _, name = (self.scale or "total").partition(" ")
        if (kind, bool(name)) not in (("total", False), ("level", True), ("query", True)):
            named = kind if kind in ("level", "query") else f"level {kind}"
            fix = (
                f"Write both words in quotes, such as --scale '{named}{' NAME' * (named == kind)}'."
            )
            raise InvalidInput("--scale", self.scale, "total, 'level NAME' or 'query NAME'", fix)
        if self.write is not None and Path(self.write).suffix not in (".yaml", ".yml"):
            raise InvalidInput("--write", self.write, "a name that ends in .yaml")
        for other in ("--limit",) * bool(self.limit) + ("--all-scenarios",) * self.all_scenarios:
            if self.against is not None:
                raise apart(other, "--against")

    def _moot(self, other: str, *names: str) -> None:
        """Refuse options that change nothing beside another."""
        options.moot(other, {f"--{x.replace('_', '-')}": getattr(self, x) for x in names})

    def _beside(self, made: Read) -> Candidates:
        """Two candidates, compared."""
        from dprisk.allocation import candidates

        unused = ("exact", "invariant", "scale", "write", "ratio", "prior", "confidence")
        self._moot("--against", *unused)
        levels = reading.numbers("--level", self.level)
        second = self._read([self.against or ""])
        words = _given({"concerns": self.concern, "levels": levels})
        return candidates(made, second, **words)

    def _design(self, made: Read) -> Design:
        """The largest scale that keeps the limits, written to a file if one is named."""
        from dprisk.allocation import design

        unused = ("concern", "ratio", "prior", "confidence", "level", "invariant")
        self._moot("--limit", *unused, "all_scenarios", "exact")
        kind, _, name = (self.scale or "total").partition(" ")
        found = design(made, self.limit or (), **({kind: name} if name else {}))
        if self.write and found.scale is None:
            raise Meaningless("No scale keeps the limits, so nothing was written.")
        self._write(found.allocation)
        return found

    def _write(self, made: Read) -> None:
        """The description of an allocation, if a file is named."""
        from dprisk._files import write
        from dprisk.allocation.descriptions import description

        if self.write is not None:
            write(self.write, description(made).encode())

    @property
    def _paths(self) -> tuple[str, str]:
        return ", ".join(self.tables), self.against or ""

    def data(self, made: Any) -> Any:
        if self.limit or self.against is not None:
            return made.to_dict()
        if not self.all_scenarios:
            return made
        read, compared = made
        return {"schema": "dprisk/scenarios/1", "allocation": read.name, "scenarios": compared}

    def brief(self, made: Any) -> list[str]:
        if self.against is not None:
            return designs.compared(made, self._paths)
        if self.limit:
            return [designs.headline(made)]
        if self.all_scenarios:
            return [f"{one.scenario.name}: {one.says()}" for one in made[1]]
        return [_about(made.exposure), *_in_words(made)]

    def document(self, made: Any) -> Iterator[Block]:
        if self.against is not None:
            return designs.beside(made, self._paths)
        if self.limit:
            return designs.found(made)
        if self.all_scenarios:
            return chain(scenarios.shown(*made), _ending(made[0]))
        return _found(made)


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value not in (None, [])}


# --- one concern ---------------------------------------------------------------------------------


def _found(found: Findings) -> Iterator[Block]:
    exposure = found.exposure
    made = exposure.allocation
    yield made.name
    yield _about(exposure)
    if exposure.queries:
        yield _queries(exposure)
        yield from _margins(exposure)
    yield _tests(found)
    yield answers.table(
        ["above", *(ADVERSARIES[adversary] for adversary, _ in found.exceeding)],
        (
            [at_most(ratio), *(_share(answer.value[n]) for _, answer in found.exceeding)]
            for n, ratio in enumerate(found.ratios)
        ),
        "Chance (at most) that the posterior with the record exceeds this many times the posterior "
        "without it",
    )
    after = found.disclosure.posterior(found.priors)
    yield answers.table(
        ("prior", "posterior: at least", "posterior: at most"),
        (
            [belief(prior), at_least(after.lower.value[n]), answers.share(after.upper.value[n])]
            for n, prior in enumerate(found.priors)
        ),
        f"Beliefs, {answers.sure(found.confidence)}",
    )
    yield from section("In words", _in_words(found))
    yield from section("How the numbers were computed", _how(found))
    yield from section("Assumptions", found.assumptions)
    yield from _ending(made)


def _about(exposure: Exposure) -> str:
    made = exposure.allocation
    amount, whole = at_most(float(exposure.amount), 6), at_most(float(made.total), 6)
    asked = "; ".join(exposure.concerns) or "everything"
    asked += f" (scenario {exposure.name})" * bool(exposure.name)
    number, many = len(exposure.queries), exposure.records
    can_change = number + len(exposure.disregarded)
    queries = f"at most {can_change} {'query' if can_change == 1 else 'queries'} can change"
    queries += f"; {number} of them are counted here" * (number != can_change)
    share = f" of {whole} ({100 * float(exposure.share):.3g}%)" if many == 1 else ""
    text = (
        f"Concern: {asked}. If this changes in {'one record' if many == 1 else f'{many} records'}, "
        f"{queries if number else 'no query can change'}, with {made.symbol} = {amount}"
        f"{share}."
    )
    said = (
        exposure.says_disregarded(),
        exposure.says_places(),
        exposure.says_group(),
        exposure.says_invariants(),
    )
    return " ".join([text, *(one for one in said if one)])


def _margins(exposure: Exposure) -> Iterator[Block]:
    """The standard deviation and the 90 % margin of each query, in a column for each level."""
    known = {
        query: cost
        for query, cost in zip(exposure.queries, exposure.noise(), strict=True)
        if cost is not None
    }
    if not known:
        return
    deviations = {query: at_most(cost.standard_deviation) for query, cost in known.items()}
    yield _by_level(
        exposure,
        deviations,
        "Standard deviation of the noise in each count, before any adjustment",
        "σ",
    )
    margins = {query: f"±{at_most(cost.off_by)}" for query, cost in known.items()}
    yield _by_level(exposure, margins, "Margin of this noise in at least 90 of 100 cases", "margin")


def _queries(exposure: Exposure) -> Any:
    """The amount of each query, in a column for each level."""
    unit = exposure.allocation.symbol
    values = {query: at_most(float(query.amount)) for query in exposure.queries}
    return _by_level(exposure, values, f"Queries that can change, with their {unit}", unit)


def _by_level(exposure: Exposure, values: dict[Query, str], caption: str, head: str) -> Any:
    """A row for each query, a column for each level at which something moves."""
    made = exposure.allocation
    levels = [one for one in made.levels if any(q.level == one for q in exposure.queries)]
    several = Counter(name for name, _ in {(q.name, q.part) for q in made.queries})
    two = len(exposure.places) > 1
    amounts: dict[str, dict[str | None, str]] = {}
    for query, value in values.items():
        name = query.name if several[query.name] == 1 else f"{query.name} ({query.part})"
        name += f" in {query.place}" if two and query.place else ""
        amounts.setdefault(name, {})[query.level] = value
    if 0 < len(levels) <= WIDEST:
        rows = [[name, *(by.get(one, "") for one in levels)] for name, by in amounts.items()]
        return answers.table(["query", *levels], rows, caption)
    rows = [
        [name, *([level or ""] if levels else []), amount]
        for name, by in amounts.items()
        for level, amount in by.items()
    ]
    nested = ["level"] if levels else []
    return answers.table(["query", *nested, head], rows, caption)


def _tests(found: Findings) -> Any:
    """Levels downwards; the noise and any noise side by side."""
    low, high = found.power.bracket
    noise = found.exposure.allocation.noise
    is_exact = found.reading == "exact"
    several = any(query.noise for query in found.exposure.queries)
    worst = fill(f"mechanism.{noise}") if noise else "named noise" if several else "worst noise"
    headers = ["level", *([f"{worst}: at least", "at most"] if is_exact else [])]
    rows = []
    for n, level in enumerate(found.levels):
        row = [belief(level)]
        if is_exact:
            row += ["" if low is None else at_least(low[n], 7), at_most(high[n], 7)]
        rows.append([*row, _share(found.power_promise.value[n])])
    any_noise = f"any mechanism with that {found.exposure.allocation.symbol}"
    return answers.table([*headers, any_noise], rows, "Highest power of any test")


def _how(found: Findings) -> list[str]:
    """The theorem behind each table."""
    power, loss = found.power.theorem, found.disclosure.loss
    return [
        f"Tests: {power.named} ({power.says}).",
        *(f"Ratio, {ADVERSARIES[who]}: {one.theorem.named}." for who, one in found.exceeding),
        f"Beliefs: the log-odds move by at most {at_most(float(loss), 6)} nats "
        f"({loss.theorem.named}) for an adversary who knows all other records, whatever is "
        "computed from the release.",
    ]


def _in_words(found: Findings) -> list[str]:
    exposure = found.exposure
    if not exposure.queries:
        return [exposure.says_untouched()]
    sentences = []
    if found.levels:
        level, power = at_most(100.0 * found.levels[-1]), float(found.power.value[-1])
        digits = 3 if power <= 0.995 else 5  # never 100 in 100
        chances = fill("of", count=at_most(100.0 * power, digits), of=100)
        rate = (
            bounded(power, upper=True) if power > ALMOST else fill("most.number", chances=chances)
        )
        sentences.append(
            f"A test with a false positive rate of {level} in 100 has a true positive rate of "
            f"{rate}."
        )
    if found.priors:
        prior = found.priors[-1]
        after = float(found.disclosure.posterior(prior).upper.value)
        high, held = answers.most(after), answers.sure(found.confidence)
        limit = f"The release can raise this chance to {high}, {held}."
        if after > ALMOST:
            limit = f"The release sets almost no limit on this chance: it is {high} afterwards."
        quoted = fill("and").join(f"“{_selected(each)}”" for each in exposure.concerns)
        records = "one record" if exposure.records == 1 else f"{exposure.records} records"
        unknown = f"{quoted} in {records}" if quoted else records
        unknown += ", uses only the queries counted here" * bool(exposure.disregarded)
        sentences.append(
            f"Suppose an adversary knows all the data except {unknown}, and thinks there is a "
            f"{belief(prior)} chance that a guess about that is right. {limit}"
        )
    return sentences


def _selected(concern: str) -> str:
    """A concern without the levels that a selection is limited to."""
    from dprisk.allocation.vocabulary import BELOW

    found = BELOW.fullmatch(concern)
    return concern if found is None else _selected(found[1])


def _share(value: float) -> str:
    return at_most(float(value)) if value > 1e-12 else "below 1e-12"


def _ending(made: Read) -> Iterator[Block]:
    """The other concerns, what no promise covers, and where the table is from."""
    names = ", ".join([*made.attributes, *made.vocabulary.names])
    concerns = [f"An attribute: {names}"] if names else []
    words = made.vocabulary
    if made.scenarios:
        names = ", ".join(one.name for one in made.scenarios)
        concerns.append(f"A scenario of the table: {names}")
    if outer := [one for one in made.levels if one in words.coarser(made.levels[-1])]:
        example, levels = f"{made.levels[-1]} within {outer[-1]}", words.shown_levels
        concerns.append(
            f"One level within a larger one, such as “{example}” (levels, largest first: {levels})"
        )
    if made.levels:
        concerns.append(f"Any change of place, by the largest level: “{made.levels[0]}”")
    yield from section("Concerns to ask about", concerns)
    yield from section("Published without noise", made.invariants)
    yield from section("Source", made.source)
