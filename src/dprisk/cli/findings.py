"""What an allocation means for one concern, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.cli import show
from dprisk.explain.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.allocation import Allocation, Exposure, Findings

UNIT = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}
WHO = {
    "rest-known": "any record, the rest known",
    "true-record": "the true record, the rest known",
    "arbitrary-prior": "the true record, any right prior",
}
WIDEST = 6  # levels beside each other


def print_findings(found: Findings, json: bool, quiet: bool) -> None:
    """Print what follows for one concern."""
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
    show.heading(f"Beliefs, {_sure(found)}")
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
    ending(made)


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
            f"else, can come to give it at most {show.share(after)}, {_sure(found)}."
        )
    return sentences


def _chances(probability: float) -> str:
    """Out of 100, rounded up."""
    return at_most(100.0 * probability)


def _share(value: float) -> str:
    return at_most(float(value)) if value > 1e-12 else "below 1e-12"


def ending(made: Allocation) -> None:
    """What else can be asked, what no promise covers, and where the table is from."""
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


def _sure(found: Findings) -> str:
    if found.confidence is None:
        return "with certainty"
    return f"with a confidence of at least {show.belief(found.confidence)}"
