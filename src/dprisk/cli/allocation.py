"""``dprisk allocation``: where a privacy loss went, read for what one cares about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.explain.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.allocation import Allocation, Compared, Exposure, Findings

TABLE = "The table, where it does not say so itself"
ASK = "What is asked (each may be repeated)"
UNIT = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}
WIDEST = 6  # levels beside each other


def allocation(
    table: Annotated[
        str,
        typer.Argument(
            help="census2020 (shipped), or a file: a table (.csv, .parquet) or its description "
            "(.yaml, .toml, .json)."
        ),
    ],
    concern: Annotated[
        list[str] | None,
        typer.Option(
            help="What somebody is worried about: an attribute, such as race, or 'block within "
            "tract'. Several are a union. Left out: everything.",
            rich_help_panel=ASK,
        ),
    ] = None,
    all_scenarios: Annotated[
        bool,
        typer.Option(
            "--all-scenarios",
            help="Every scenario that comes with the table, beside what was printed about it.",
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="For the noise as it is, in brackets: the default where it is known."
        ),
    ] = False,
    gaussian: Annotated[
        bool,
        typer.Option("--gaussian", help="As if the noise were continuous and normal: faster."),
    ] = False,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help="The most power of a test at this level (its chance of a false alarm). By default "
            "0.01, 0.05, 0.1.",
            rich_help_panel=ASK,
        ),
    ] = None,
    ratio: Annotated[
        list[str] | None,
        typer.Option(
            help="How likely a posterior is more than so many times the one without the record. By "
            "default 2, 10, 100.",
            rich_help_panel=ASK,
        ),
    ] = None,
    prior: Annotated[
        list[str] | None,
        typer.Option(
            help="Belief before the release. By default 0.01, 0.1, 0.5.", rich_help_panel=ASK
        ),
    ] = None,
    confidence: Annotated[
        str, typer.Option(help="Probability with which beliefs are bounded.")
    ] = "0.95",
    nested: Annotated[
        str | None,
        typer.Option(
            help="Its nested levels, the outermost first, such as county,tract.",
            rich_help_panel=TABLE,
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            help="How many cells a changed record moves: 2 for tables of counts, 1 for a single "
            "number.",
            rich_help_panel=TABLE,
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            help="discrete-gaussian, gaussian, laplace or geometric.", rich_help_panel=TABLE
        ),
    ] = None,
    amount: Annotated[
        str | None,
        typer.Option(help="What is shared out, if it gives shares.", rich_help_panel=TABLE),
    ] = None,
    accounting: Annotated[
        str | None,
        typer.Option(help="In what shares add up: zcdp, pure or gdp.", rich_help_panel=TABLE),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Per-query privacy losses, read for one person's concern."""
    from dprisk.allocation import findings, read_allocation, scenarios

    made = read_allocation(
        table,
        levels=[word.strip() for word in nested.split(",")] if nested else (),
        moves=None if moves is None else options.whole_number("--moves", moves),
        noise=noise,  # type: ignore[arg-type]
        accounting=accounting,  # type: ignore[arg-type]
        amount=amount,
    )
    asked: dict[str, Any] = {"levels": _numbers("--level", level)}
    asked["reading"] = _reading(exact, gaussian)
    if all_scenarios:
        if concern:
            allowed = "left out with --all-scenarios"
            raise InvalidInput("--concern", concern[0], allowed, "Ask for one or the other.")
        with waiting("Composing") as told:
            compared = scenarios(made, progress=told, **_given(asked))
        _print_scenarios(made, compared, json, quiet)
        return
    asked |= {"ratios": _numbers("--ratio", ratio), "priors": _numbers("--prior", prior)}
    asked["confidence"] = options.number("--confidence", confidence)
    exposure = made.exposure(*(concern or ()))
    with waiting("Composing"):
        found = findings(exposure, **_given(asked))
    _print_findings(found, json, quiet)


def _numbers(name: str, texts: list[str] | None) -> list[float] | None:
    return [options.number(name, text) for text in texts] if texts else None


def _reading(exact: bool, gaussian: bool) -> str | None:
    if exact and gaussian:
        raise InvalidInput("--exact", "--gaussian", "asked for alone", "Leave one of them out.")
    return "exact" if exact else "gaussian" if gaussian else None


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}


# --- one concern ---------------------------------------------------------------------------------


def _print_findings(found: Findings, json: bool, quiet: bool) -> None:
    if json:
        show.as_json(found.to_dict())
    elif quiet:
        show.lines([_about(found.exposure), *_in_words(found)], "")
    else:
        _in_full(found)


def _in_full(found: Findings) -> None:
    exposure = found.exposure
    made = exposure.allocation
    show.lines([made.name, _about(exposure)], "")
    show.heading(f"Queries that move, by {UNIT[made.accounting]}")
    _queries(exposure)
    show.heading("What a test can do: chance of a true alarm, at most")
    show.table(*_tests(found))
    show.heading("Posterior with the record, over posterior without it: how likely it is above ...")
    show.table(
        ["above", *(WHO[adversary] for adversary, _ in found.exceeding)],
        [
            [at_most(ratio), *(_share(answer.value[n]) for _, answer in found.exceeding)]
            for n, ratio in enumerate(found.ratios)
        ],
    )
    show.heading(f"Beliefs, with a confidence of {show.belief(found.confidence)}")
    belief = found.disclosure.posterior(found.priors)
    show.table(
        ["before", "after: at least", "after: at most"],
        [
            [show.belief(prior), at_least(belief.lower.value[n]), show.share(belief.upper.value[n])]
            for n, prior in enumerate(found.priors)
        ],
    )
    show.heading("In words")
    show.lines(_in_words(found))
    show.heading("How computed")
    show.lines(_how(found))
    show.heading("Taken for granted")
    show.lines(found.assumptions)
    _ending(made)


WHO = {
    "rest-known": "any record, the rest known",
    "true-record": "the true record, the rest known",
    "arbitrary-prior": "the true record, any right prior",
}


def _how(found: Findings) -> list[str]:
    """The theorem behind each table."""
    lines = [f"Tests: {found.power.theorem} ({found.power.theorem.says})."]
    for adversary, answer in found.exceeding:
        lines.append(f"Ratio, {WHO[adversary]}: {answer.theorem}.")
    loss = found.disclosure.loss
    lines.append(
        f"Beliefs: the log-odds move by at most {at_most(float(loss), 6)} nats ({loss.theorem}), "
        "for somebody who knows every other record, whatever is computed from the release."
    )
    return lines


def _about(exposure: Exposure) -> str:
    made = exposure.allocation
    unit, whole = UNIT[made.accounting], at_most(float(made.total), 5)
    count = len(exposure.queries)
    asked = "; ".join(exposure.concerns) or "everything"
    queries = f"{count} quer{'y moves' if count == 1 else 'ies move'}"
    amount, share = at_most(float(exposure.amount), 6), at_most(100 * float(exposure.share))
    return f"Concern: {asked}. {queries}, with {unit} = {amount} of {whole} ({share} %)."


def _queries(exposure: Exposure) -> None:
    """A row for each query, a column for each level at which something moves."""
    levels = [
        one for one in exposure.allocation.levels if any(q.level == one for q in exposure.queries)
    ]
    unit = UNIT[exposure.allocation.accounting]
    amounts: dict[str, dict[str | None, str]] = {q.name: {} for q in exposure.allocation.queries}
    for query in exposure.queries:
        amounts[query.name][query.level] = at_most(float(query.amount))
    amounts = {name: by for name, by in amounts.items() if by}
    if 0 < len(levels) <= WIDEST:
        rows = [[name, *(by.get(one, "") for one in levels)] for name, by in amounts.items()]
        show.table(["query", *levels], rows)
        return
    rows = [
        [name, *([level or ""] if levels else []), amount]
        for name, by in amounts.items()
        for level, amount in by.items()
    ]
    show.table(["query", *(["level"] if levels else []), unit], rows)


def _tests(found: Findings) -> tuple[list[str], list[list[str]]]:
    """Levels downwards; the noise, normal noise and any noise side by side."""
    low, high = found.power.bracket
    noise = found.exposure.allocation.noise
    bracket = found.reading == "exact"
    headers, rows = ["level"], []
    if bracket:
        headers += [f"{noise or 'worst'} noise: at least", "at most"]
    if found.power_gaussian is not None and found.reading != "promise":
        headers.append("if it were normal")
    headers.append("any mechanism of that " + UNIT[found.exposure.allocation.accounting])
    for n, level in enumerate(found.levels):
        row = [show.belief(level)]
        if bracket:
            row += ["" if low is None else at_least(low[n], 7), at_most(high[n], 7)]
        if found.power_gaussian is not None and found.reading != "promise":
            row.append(at_most(found.power_gaussian.value[n], 7))
        rows.append([*row, _share(found.power_promise.value[n])])
    return headers, rows


def _in_words(found: Findings) -> list[str]:
    exposure = found.exposure
    sentences = []
    if found.reading == "gaussian" and exposure.allocation.noise == "discrete-gaussian":
        sentences.append(
            "These numbers are for normal noise. The noise is discrete, so they are close to "
            "bounds, but none (--exact gives bounds)."
        )
    if found.levels:
        level, power = found.levels[-1], float(found.power.value[-1])
        sentences.append(
            f"A test that raises {_chances(level)} false alarms in 100 finds it in at most "
            f"{_chances(power)} of 100 cases in which it is so."
        )
    if found.priors:
        prior = found.priors[-1]
        after = float(found.disclosure.posterior(prior).upper.value)
        sentences.append(
            f"Somebody who gives it a probability of {show.belief(prior)}, and knows everything "
            f"else, can come to give it at most {show.share(after)}, with a confidence of at least "
            f"{show.belief(found.confidence)}."
        )
    return sentences


def _chances(probability: float) -> str:
    """Out of 100, rounded up."""
    return at_most(100.0 * probability)


def _share(value: float) -> str:
    return at_most(float(value)) if value > 1e-12 else "below 1e-12"


def _ending(made: Allocation) -> None:
    words = [*made.attributes, *made.vocabulary.names]
    nested = (
        f"; or one of these within an earlier one: {', '.join(made.levels)}" if made.levels else ""
    )
    show.heading("Concerns that can be asked about")
    show.lines([f"{', '.join(words)}{nested}"])
    if made.invariants:
        show.heading("Published without noise, outside of every promise")
        show.lines(made.invariants)
    if made.source:
        show.heading("Source")
        show.lines(made.source)


# --- all scenarios -------------------------------------------------------------------------------


def _print_scenarios(
    made: Allocation, compared: tuple[Compared, ...], json: bool, quiet: bool
) -> None:
    if json:
        data = [one.to_dict() for one in compared]
        show.as_json({"schema": "dprisk/scenarios/1", "allocation": made.name, "scenarios": data})
        return
    if quiet:
        show.lines([f"{one.scenario.name}: {one.says()}" for one in compared], "")
        return
    show.lines([made.name], "")
    show.heading("Scenarios")
    show.table(
        ["", "concern", "queries"],
        [
            [one.scenario.name, "; ".join(one.scenario.concerns), str(len(one.exposure.queries))]
            for one in compared
        ],
    )
    unit = UNIT[made.accounting]
    headers = ["", unit, "printed"]
    for level in compared[0].levels:
        headers += [f"power at {show.belief(level)}", "printed"]
    show.heading(f"{unit} and the most power of a test, beside the prints")
    show.table(headers, [_row(one) for one in compared])
    typer.echo()
    show.lines([*_verdicts(made, compared), *_legend(compared)])
    _ending(made)


def _row(one: Compared) -> list[str]:
    printed = one.scenario.printed
    rho = at_most(float(one.exposure.amount), 6)
    row = [one.scenario.name, rho, printed.rho if printed else ""]
    for n, level in enumerate(one.levels):
        row += [at_most(float(one.power.value[n]), 6), _print_of(one, level)]
    return row


def _print_of(one: Compared, level: float) -> str:
    printed = one.scenario.printed
    return printed.power.get(level, "") if printed else ""


def _verdicts(made: Allocation, compared: tuple[Compared, ...]) -> list[str]:
    """One line for those that match, one for those that are explained, one for each other."""
    kinds: dict[str, list[Compared]] = {"matches": [], "explained": [], "differs": []}
    for one in compared:
        found = [kind for kind in kinds if kind in one.verdicts.values()]
        if found:
            kinds[found[-1]].append(one)
    where = f" of {made.printed_in}" if made.printed_in else ""
    lines = []
    if kinds["matches"]:
        lines.append(f"{_names(kinds['matches'])}: all prints{where} match.")
    if kinds["explained"] and made.printed_if is not None:
        lines.append(
            f"{_names(kinds['explained'])}: the prints{where} that differ are smaller than what "
            f"the table adds up to. They come out if {made.printed_if.says}. The table counts."
        )
    return lines + [f"{one.scenario.name}: {one.says()}." for one in kinds["differs"]]


def _names(some: list[Compared]) -> str:
    return ", ".join(one.scenario.name for one in some)


def _legend(compared: tuple[Compared, ...]) -> list[str]:
    ends = [one.power.bracket for one in compared]
    if any(low is None for low, _ in ends):
        return ["Power: the most of any test at that level; at most."]
    width = max(float((high - low).max()) for low, high in ends)
    known = "exact" if width == 0.0 else f"known to within {at_most(width, 2)}"
    return [f"Power: the most of any test at that level; at most, and {known}."]
