"""What an allocation means for one concern, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.cli import show
from dprisk.explain.rounding import at_least, at_most
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.allocation import Allocation, Exposure, Findings

UNIT = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}
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
    show.heading(fill("cli.findings.queries", unit=UNIT[made.accounting]))
    _queries(exposure)
    show.heading(fill("cli.findings.tests"))
    show.table(*_tests(found))
    show.heading(fill("cli.findings.ratio"))
    show.table(
        [
            fill("cli.column.above"),
            *(fill(f"cli.findings.{adversary}") for adversary, _ in found.exceeding),
        ],
        [
            [at_most(ratio), *(_share(answer.value[n]) for _, answer in found.exceeding)]
            for n, ratio in enumerate(found.ratios)
        ],
    )
    show.heading(fill("cli.findings.beliefs", sure=_sure(found)))
    belief = found.disclosure.posterior(found.priors)
    show.table(
        [fill("cli.column.before"), fill("cli.column.after-least"), fill("cli.column.after-most")],
        [
            [show.belief(prior), at_least(belief.lower.value[n]), show.share(belief.upper.value[n])]
            for n, prior in enumerate(found.priors)
        ],
    )
    show.heading(fill("cli.heading.words"))
    show.lines(_in_words(found))
    show.heading(fill("cli.heading.how"))
    show.lines(_how(found))
    show.heading(fill("cli.heading.assumed"))
    show.lines(found.assumptions)
    ending(made)


def _how(found: Findings) -> list[str]:
    """The theorem behind each table."""
    lines = [
        fill("cli.findings.by-tests", theorem=found.power.theorem, says=found.power.theorem.says)
    ]
    for adversary, answer in found.exceeding:
        lines.append(
            fill(
                "cli.findings.by-ratio",
                who=fill(f"cli.findings.{adversary}"),
                theorem=answer.theorem,
            )
        )
    loss = found.disclosure.loss
    lines.append(
        fill("cli.findings.by-beliefs", at_most=at_most(float(loss), 6), theorem=loss.theorem)
    )
    return lines


def _about(exposure: Exposure) -> str:
    made = exposure.allocation
    unit, whole = UNIT[made.accounting], at_most(float(made.total), 5)
    count = len(exposure.queries)
    asked = "; ".join(exposure.concerns) or fill("cli.findings.everything")
    queries = fill("cli.findings.moves.one" if count == 1 else "cli.findings.moves", count=count)
    amount, share = at_most(float(exposure.amount), 6), at_most(100 * float(exposure.share))
    return fill(
        "cli.findings.about",
        asked=asked,
        queries=queries,
        unit=unit,
        amount=amount,
        whole=whole,
        share=share,
    )


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
    headers, rows = [fill("cli.column.level")], []
    if bracket:
        headers += [
            fill("cli.findings.noise-least", noise=noise or fill("cli.findings.worst")),
            fill("cli.column.most"),
        ]
    if found.power_gaussian is not None and found.reading != "promise":
        headers.append(fill("cli.findings.normal"))
    headers.append(fill("cli.findings.any", unit=UNIT[found.exposure.allocation.accounting]))
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
        sentences.append(fill("cli.findings.close"))
    if found.levels:
        level, power = found.levels[-1], float(found.power.value[-1])
        sentences.append(fill("cli.findings.test", level=_chances(level), power=_chances(power)))
    if found.priors:
        prior = found.priors[-1]
        after = float(found.disclosure.posterior(prior).upper.value)
        sentences.append(
            fill(
                "cli.findings.belief",
                prior=show.belief(prior),
                most=show.share(after),
                sure=_sure(found),
            )
        )
    return sentences


def _chances(probability: float) -> str:
    """Out of 100, rounded up."""
    return at_most(100.0 * probability)


def _share(value: float) -> str:
    return at_most(float(value)) if value > 1e-12 else fill("cli.share.bottom")


def ending(made: Allocation) -> None:
    """What else can be asked, what no promise covers, and where the table is from."""
    words = [*made.attributes, *made.vocabulary.names]
    nested = fill("cli.findings.unions", join=", ".join(made.levels)) if made.levels else ""
    show.heading(fill("cli.heading.concerns"))
    show.lines([f"{', '.join(words)}{nested}"])
    if made.invariants:
        show.heading(fill("cli.heading.invariants"))
        show.lines(made.invariants)
    if made.source:
        show.heading("Source")
        show.lines(made.source)


def _sure(found: Findings) -> str:
    if found.confidence is None:
        return fill("cli.sure.always")
    return fill("cli.sure.mostly", confidence=show.belief(found.confidence))
