"""``dprisk allocation``: where a privacy loss went, read for what one cares about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dprisk._asking import answers, options, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import ALMOST, Block, belief, section
from dprisk._asking.parameters import Inquiry, arg, flag, opt, table
from dprisk._asking.reading import apart
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most, bounded

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation as Read
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.finding import Findings, ScenarioCheck

UNIT = {"zcdp": "ρ", "pure": "ε", "gdp": "μ²"}
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
    table: take.SomeFile = arg(
        "census2020 (shipped), a table of queries (.csv, .parquet) or a file that describes one "
        "(.yaml, .toml, .json)."
    )
    concern: take.Texts = opt(
        "What the person worries about: an attribute, such as race, or 'block within tract'. "
        "Repeatable: all of them together. Default: everything."
    )
    all_scenarios: take.Flag = flag(
        "Show every scenario that comes with the table, beside the published numbers."
    )
    exact: take.Flag = flag(
        "Give a certified bracket for each answer, computed for the noise that was used. Default "
        "where the noise is known."
    )
    level: take.Numbers = take.level()
    ratio: take.Numbers = opt(
        "Find how likely, at most, the posterior is to exceed this many times the posterior "
        "without the record. Repeatable. Default: 2, 10, 100."
    )
    prior: take.Numbers = take.prior()
    confidence: take.Number = take.confidence()
    nested: take.Word = opt("Nested levels of the table, outermost first, such as county,tract.")
    moves: take.Number = opt(
        "Number of cells that one changed record affects: 2 for tables of counts, 1 for a single "
        "number."
    )
    noise: take.Word = opt("Noise of the table: discrete-gaussian, gaussian, laplace or geometric.")
    amount: take.Number = opt("Total to be divided, if the table gives shares, such as 2.63.")
    accounting: take.Word = opt("How amounts add up: zcdp, pure or gdp.")

    def _read(self) -> Read:
        """The allocation that the table describes."""
        from dprisk.allocation import read_allocation

        nested = [] if self.nested is None else self.nested.split(",")
        return read_allocation(
            self.table,
            levels=[word.strip() for word in nested],
            moves=None if self.moves is None else reading.whole_number("--moves", self.moves),
            noise=self.noise,  # type: ignore[arg-type]
            accounting=self.accounting,  # type: ignore[arg-type]
            amount=self.amount,
        )

    def answer(self) -> Any:
        """The findings for one concern, or every scenario beside the printed numbers."""
        from dprisk.allocation import findings, scenarios

        made = self._read()
        words: dict[str, Any] = {
            "levels": reading.numbers("--level", self.level),
            "reading": "exact" if self.exact else None,
        }
        if self.all_scenarios:
            if self.concern:
                raise apart("--concern", "--all-scenarios")
            unused = {"ratio": self.ratio, "prior": self.prior, "confidence": self.confidence}
            options.moot("--all-scenarios", {f"--{name}": each for name, each in unused.items()})
            return made, scenarios(made, **_given(words))
        words["ratios"] = reading.numbers("--ratio", self.ratio)
        words["priors"] = reading.numbers("--prior", self.prior)
        words["confidence"] = reading.optional("--confidence", self.confidence)
        return findings(made.exposure(*(self.concern or ())), **_given(words))

    def data(self, made: Any) -> Any:
        if not self.all_scenarios:
            return made
        read, compared = made
        return {"schema": "dprisk/scenarios/1", "allocation": read.name, "scenarios": compared}

    def brief(self, made: Any) -> list[str]:
        if self.all_scenarios:
            return [f"{one.scenario.name}: {one.says()}" for one in made[1]]
        return [_about(made.exposure), *_in_words(made)]

    def document(self, made: Any) -> Iterator[Block]:
        return _scenarios(*made) if self.all_scenarios else _found(made)


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
    number = len(exposure.queries)
    queries = f"at most {number} {'query' if number == 1 else 'queries'} can change"
    return (
        f"Concern: {asked}. If this changes in one record, "
        f"{queries if number else 'no query can change'}, with {UNIT[made.accounting]} = {amount} "
        f"of {whole} ({100 * float(exposure.share):.3g}%)."
    )


def _queries(exposure: Exposure) -> Any:
    """A row for each query, a column for each level at which something moves."""
    made = exposure.allocation
    caption = f"Queries that can change, with their {UNIT[made.accounting]}"
    levels = [one for one in made.levels if any(q.level == one for q in exposure.queries)]
    amounts: dict[str, dict[str | None, str]] = {q.name: {} for q in made.queries}
    for query in exposure.queries:
        amounts[query.name][query.level] = at_most(float(query.amount))
    amounts = {name: by for name, by in amounts.items() if by}
    if 0 < len(levels) <= WIDEST:
        rows = [[name, *(by.get(one, "") for one in levels)] for name, by in amounts.items()]
        return answers.table(["query", *levels], rows, caption)
    rows = [
        [name, *([level or ""] if levels else []), amount]
        for name, by in amounts.items()
        for level, amount in by.items()
    ]
    nested = ["level"] if levels else []
    return answers.table(["query", *nested, UNIT[made.accounting]], rows, caption)


def _tests(found: Findings) -> Any:
    """Levels downwards; the noise and any noise side by side."""
    low, high = found.power.bracket
    noise = found.exposure.allocation.noise
    is_exact = found.reading == "exact"
    worst = fill(f"mechanism.{noise}") if noise else "worst noise"
    headers = ["level", *([f"{worst}: at least", "at most"] if is_exact else [])]
    rows = []
    for n, level in enumerate(found.levels):
        row = [belief(level)]
        if is_exact:
            row += ["" if low is None else at_least(low[n], 7), at_most(high[n], 7)]
        rows.append([*row, _share(found.power_promise.value[n])])
    any_noise = f"any mechanism with that {UNIT[found.exposure.allocation.accounting]}"
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
        return [
            "No query in this table depends on it. So these queries by themselves reveal nothing "
            "about it."
        ]
    sentences = []
    if found.levels:
        level, power = at_most(100.0 * found.levels[-1]), float(found.power.value[-1])
        chances = fill("of", count=at_most(100.0 * power), of=100)
        rate = (
            bounded(power, upper=True) if power > ALMOST else fill("most.number", chances=chances)
        )
        sentences.append(
            f"A test with a false positive rate of {level} in 100 has a true positive rate of "
            f"{rate}."
        )
    if found.priors:
        prior = found.priors[-1]
        high = answers.most(float(found.disclosure.posterior(prior).upper.value))
        quoted = fill("and").join(f"“{concern}”" for concern in exposure.concerns)
        unknown = f"{quoted} in one record" if quoted else "one record"
        sentences.append(
            f"Suppose an adversary knows all the data except {unknown}, and thinks there is a "
            f"{belief(prior)} chance that a guess about that is right. The release can raise this "
            f"chance to {high}, {answers.sure(found.confidence)}."
        )
    return sentences


def _share(value: float) -> str:
    return at_most(float(value)) if value > 1e-12 else "below 1e-12"


def _ending(made: Read) -> Iterator[Block]:
    """The other concerns, what no promise covers, and where the table is from."""
    names = ", ".join([*made.attributes, *made.vocabulary.names])
    concerns = [f"An attribute: {names}"] if names else []
    if len(made.levels) > 1:
        example, levels = " within ".join(made.levels[:-3:-1]), ", ".join(made.levels)
        concerns.append(
            f"One level within a larger one, such as “{example}” (levels, largest first: {levels})"
        )
    yield from section("Concerns to ask about", concerns)
    yield from section("Published without noise", made.invariants)
    yield from section("Source", made.source)


# --- scenarios -----------------------------------------------------------------------------------


def _scenarios(made: Read, compared: tuple[ScenarioCheck, ...]) -> Iterator[Block]:
    yield made.name
    yield answers.table(
        ("", "concern", "queries"),
        (
            [one.scenario.name, "; ".join(one.scenario.concerns), str(len(one.exposure.queries))]
            for one in compared
        ),
        "Scenarios",
    )
    unit = UNIT[made.accounting]
    powers = (head for at in compared[0].levels for head in (f"power at {belief(at)}", "published"))
    caption = f"{unit} and power of a test, beside the published numbers"
    yield answers.table(["", unit, "published", *powers], map(_scenario, compared), caption)
    yield answers.items([*_verdicts(made, compared), _legend(compared)])
    yield from _ending(made)


def _scenario(one: ScenarioCheck) -> list[str]:
    printed = one.scenario.printed
    rho = at_most(float(one.exposure.amount), 6)
    row = [one.scenario.name, rho, printed.rho if printed else ""]
    for n, level in enumerate(one.levels):
        known = printed.power.get(level, "") if printed else ""
        row += [at_most(float(one.power.value[n]), 6), known]
    return row


def _verdicts(made: Read, compared: tuple[ScenarioCheck, ...]) -> list[str]:
    """One line for those that match, one for those that are explained, one for each other."""
    kinds: dict[str, list[ScenarioCheck]] = {"matches": [], "explained": [], "differs": []}
    for one in compared:
        found = [kind for kind in kinds if kind in one.verdicts.values()]
        if found:
            kinds[found[-1]].append(one)
    names = {kind: ", ".join(one.scenario.name for one in some) for kind, some in kinds.items()}
    where = f" of {made.printed_in}" if made.printed_in else ""
    lines = []
    if kinds["matches"]:
        lines.append(f"{names['matches']}: all published numbers{where} match.")
    if kinds["explained"] and made.printed_if is not None:
        lines.append(
            f"{names['explained']}: the published numbers{where} that differ are smaller than the "
            f"sum of the table. They follow if {made.printed_if.says}. dprisk uses the table."
        )
    return lines + [f"{one.scenario.name}: {one.says()}." for one in kinds["differs"]]


def _legend(compared: tuple[ScenarioCheck, ...]) -> str:
    ends = [one.power.bracket for one in compared]
    legend = "Power: the most that any test has at that false positive rate"
    if any(low is None for low, _ in ends):
        return f"{legend}."
    width = max(float((high - low).max()) for low, high in ends)
    return f"{legend}, {'exact' if width == 0.0 else f'known to within {at_most(width, 2)}'}."
