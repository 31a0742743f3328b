"""What an allocation means for one concern, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.cli import show
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most, bounded

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.finding import Findings
    from dprisk.cli.output import Output

UNIT = {"zcdp": "ρ", "pure": "ε", "gdp": "μ²"}
MOVES = {0: ".none", 1: ".one"}
WIDEST = 6  # levels beside each other


def print_findings(found: Findings, output: Output) -> None:
    """Print what follows for one concern."""
    brief = [_about(found.exposure), *_in_words(found)]
    output.show(found, lambda: show.lines(brief, ""), lambda: _in_full(found))


def _in_full(found: Findings) -> None:
    exposure = found.exposure
    made = exposure.allocation
    show.lines([made.name, _about(exposure)], "")
    if exposure.queries:
        show.heading("cli.findings.queries", unit=UNIT[made.accounting])
        _queries(exposure)
    show.heading("cli.findings.tests")
    show.table(*_tests(found))
    show.heading("cli.findings.ratio")
    adversaries = [fill(f"cli.findings.{adversary}") for adversary, _ in found.exceeding]
    show.table(
        [*show.columns("above"), *adversaries],
        [
            [at_most(ratio), *(_share(answer.value[n]) for _, answer in found.exceeding)]
            for n, ratio in enumerate(found.ratios)
        ],
    )
    show.heading("cli.findings.beliefs", sure=show.sure(found.confidence))
    belief = found.disclosure.posterior(found.priors)
    show.table(
        show.columns("before", "after-least", "after-most"),
        [
            [show.belief(prior), at_least(belief.lower.value[n]), show.share(belief.upper.value[n])]
            for n, prior in enumerate(found.priors)
        ],
    )
    show.section("cli.heading.words", _in_words(found))
    show.section("cli.heading.how", _how(found))
    show.section("cli.heading.assumed", found.assumptions)
    ending(made)


def _how(found: Findings) -> list[str]:
    """The theorem behind each table."""
    power, loss = found.power, found.disclosure.loss
    return [
        fill("cli.findings.by-tests", theorem=power.theorem.named, says=power.theorem.says),
        *(
            fill(
                "cli.findings.by-ratio",
                who=fill(f"cli.findings.{who}"),
                theorem=answer.theorem.named,
            )
            for who, answer in found.exceeding
        ),
        fill(
            "cli.findings.by-beliefs", at_most=at_most(float(loss), 6), theorem=loss.theorem.named
        ),
    ]


def _about(exposure: Exposure) -> str:
    made = exposure.allocation
    unit, whole = UNIT[made.accounting], at_most(float(made.total), 6)
    count = len(exposure.queries)
    asked = "; ".join(exposure.concerns) or fill("cli.findings.everything")
    queries = fill(f"cli.findings.moves{MOVES.get(count, '')}", count=count)
    amount, share = at_most(float(exposure.amount), 6), f"{100 * float(exposure.share):.3g}"
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
    made = exposure.allocation
    levels = [one for one in made.levels if any(q.level == one for q in exposure.queries)]
    amounts: dict[str, dict[str | None, str]] = {q.name: {} for q in made.queries}
    for query in exposure.queries:
        amounts[query.name][query.level] = at_most(float(query.amount))
    amounts = {name: by for name, by in amounts.items() if by}
    if 0 < len(levels) <= WIDEST:
        rows = [[name, *(by.get(one, "") for one in levels)] for name, by in amounts.items()]
        show.table([*show.columns("query"), *levels], rows)
        return
    rows = [
        [name, *([level or ""] if levels else []), amount]
        for name, by in amounts.items()
        for level, amount in by.items()
    ]
    nested = show.columns("nested") if levels else []
    show.table([*show.columns("query"), *nested, UNIT[made.accounting]], rows)


def _tests(found: Findings) -> tuple[list[str], list[list[str]]]:
    """Levels downwards; the noise and any noise side by side."""
    low, high = found.power.bracket
    noise = found.exposure.allocation.noise
    bracket = found.reading == "exact"
    headers, rows = show.columns("level"), []
    if bracket:
        worst = fill(f"mechanism.{noise}" if noise else "cli.findings.worst")
        headers += [fill("cli.findings.noise-least", noise=worst), *show.columns("most")]
    headers.append(fill("cli.findings.any", unit=UNIT[found.exposure.allocation.accounting]))
    for n, level in enumerate(found.levels):
        row = [show.belief(level)]
        if bracket:
            row += ["" if low is None else at_least(low[n], 7), at_most(high[n], 7)]
        rows.append([*row, _share(found.power_promise.value[n])])
    return headers, rows


def _in_words(found: Findings) -> list[str]:
    exposure = found.exposure
    if not exposure.queries:
        return [fill("cli.findings.nothing")]
    sentences = []
    if found.levels:
        level, power = found.levels[-1], float(found.power.value[-1])
        sentences.append(fill("cli.findings.test", level=_chances(level), power=_power(power)))
    if found.priors:
        prior = found.priors[-1]
        most = show.most(float(found.disclosure.posterior(prior).upper.value))
        sure = show.sure(found.confidence)
        words = {"unknown": _unknown(exposure), "prior": show.belief(prior)}
        sentences.append(fill("cli.findings.belief", **words, most=most, sure=sure))
    return sentences


def _unknown(exposure: Exposure) -> str:
    """What an adversary does not know: all of a record, or some of it."""
    if not exposure.concerns:
        return fill("cli.findings.unknown.everything")
    quoted = [fill("cli.findings.quoted", concern=concern) for concern in exposure.concerns]
    return fill("cli.findings.unknown", asked=fill("and").join(quoted))


def _chances(probability: float) -> str:
    """Out of 100, rounded up."""
    return at_most(100.0 * probability)


def _power(power: float) -> str:
    if power > show.ALMOST:
        return bounded(power, upper=True)
    return fill("most.number", chances=fill("of", count=_chances(power), of=100))


def _share(value: float) -> str:
    return at_most(float(value)) if value > 1e-12 else fill("cli.share.bottom")


def ending(made: Allocation) -> None:
    """What else can be asked, what no promise covers, and where the table is from."""
    names = ", ".join([*made.attributes, *made.vocabulary.names])
    concerns = [fill("cli.findings.attributes", names=names)] if names else []
    if len(made.levels) > 1:
        example, levels = " within ".join(made.levels[:-3:-1]), ", ".join(made.levels)
        concerns.append(fill("cli.findings.levels", example=example, levels=levels))
    show.section("cli.heading.concerns", concerns)
    show.section("cli.heading.invariants", made.invariants)
    show.section("cli.heading.source", made.source)
