"""``dprisk allocation --limit`` and ``--against``: the largest amounts, and two candidates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dprisk._asking import answers
from dprisk._asking.answers import Block, belief
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.comparing import Candidates, QueryPair
    from dprisk.allocation.designing import Design

TABLES = {"by_attribute": "attribute", "by_level": "level", "by_part": "part"}
SUMS = {kind: f"Sums by {name}" for kind, name in TABLES.items()}
SUMS["by_attribute"] += ": a query counts under each of its attributes, so these overlap"


def headline(found: Design) -> str:
    """The scale, and the total that it leaves."""
    what = "all amounts" if found.what == "total" else f"the amounts of the {found.what}"
    if found.scale is None:
        return f"No scale of {what} keeps all limits: the other queries alone exceed one."
    unit = found.allocation.symbol
    total = at_most(float(found.allocation.total), 6)
    scale = at_least(float(found.scale), 6)
    return (
        f"All limits are kept if {what} are multiplied by at most {scale}. The total is then "
        f"{unit} = {total}."
    )


def found(made: Design) -> Iterator[Block]:
    """The limits, the sums, and the noise of each level, at that scale."""
    from dprisk.allocation.designing import sums

    unit = made.allocation.symbol
    yield made.allocation.name
    yield headline(made)
    rows = zip(made.limits, made.powers, made.amounts, strict=True)
    yield answers.table(
        ("concern", unit, "level", "limit", "power: at most"),
        (
            [
                _named(limit.concerns),
                at_most(float(amount), 5),
                belief(limit.level),
                belief(limit.most),
                at_most(power, 5),
            ]
            for limit, power, amount in rows
        ),
        "Highest power of a test, beside each limit",
    )
    for kind, names in sums(made.allocation).items():
        if names:
            yield answers.table(
                (TABLES[kind], unit),
                ([name, at_most(amount, 5)] for name, amount in names.items()),
                SUMS[kind],
            )
    yield from _margins(made)
    yield from answers.section("Assumptions", made.assumptions)


def _named(concerns: tuple[str, ...]) -> str:
    return "; ".join(concerns) or "everything"


def _margins(made: Design) -> Iterator[Block]:
    """The least and the largest margin at each level."""
    exposure = made.allocation.staying
    by: dict[str, list[float]] = {}
    for query, cost in zip(exposure.queries, exposure.noise(), strict=True):
        if cost is not None:
            by.setdefault(query.level or "all queries", []).append(cost.off_by)
    if by:
        yield answers.table(
            ("level", "least", "largest"),
            ([name, f"±{at_most(min(x))}", f"±{at_most(max(x))}"] for name, x in by.items()),
            "Margin of the noise in each count in at least 90 of 100 cases, before any adjustment",
        )


# --- two candidates ------------------------------------------------------------------------------


def compared(made: Candidates, paths: tuple[str, str]) -> list[str]:
    """Which two, what they cost altogether, and how many queries differ."""
    names = [
        f"{which}: {one.name}{f' ({path})' if path != one.name else ''}"
        for which, one, path in zip(("First", "Second"), made.allocations, paths, strict=True)
    ]
    first, second = (_total(one) for one in made.allocations)
    number = len(made.queries)
    differ = "No query differs" if not number else f"{number} queries differ"
    differ = "1 query differs" if number == 1 else differ
    if made.share_none:
        differ = "No query is in both: they match by part, level, place and name"
    return [*names, f"Total: {first} in the first, {second} in the second. {differ}."]


def _total(one: Allocation) -> str:
    return f"{one.symbol} = {at_most(float(one.total), 6)}"


def beside(made: Candidates, paths: tuple[str, str]) -> Iterator[Block]:
    """Amounts and powers of each concern, and the noise of the queries that differ."""
    from dprisk.allocation.comparing import CANDIDATES

    yield from compared(made, paths)
    units = [one.symbol for one in made.allocations]
    yield answers.table(
        ("concern", *(f"{which}: {unit}" for which, unit in zip(CANDIDATES, units, strict=True))),
        (
            [
                _named(pair.concerns),
                *(
                    "not named" if x is None else at_most(float(x.amount), 5)
                    for x in pair.exposures
                ),
            ]
            for pair in made.concerns
        ),
        "Amounts that are about each concern",
    )
    yield answers.table(
        ("concern", "level", *CANDIDATES),
        (
            [
                _named(pair.concerns),
                belief(level),
                *("not named" if x is None else at_most(x[n], 5) for x in pair.powers),
            ]
            for pair in made.concerns
            for n, level in enumerate(made.levels)
        ),
        "Power of a test, at most",
    )
    if made.queries:
        heads = ("query", "level", "amount", "σ", "margin")
        rows = map(_differs, made.queries)
        caption = "Queries that differ, first → second: how far off a number is in 90 of 100 cases"
        yield answers.table(heads, rows, caption)


def _differs(pair: QueryPair) -> list[str]:
    one = pair.either
    name = one.name + f" ({one.part})" * bool(one.part) + f" in {one.place}" * bool(one.place)
    amounts = ["not asked" if q is None else at_most(float(q.amount), 3) for q in pair.queries]
    deviations = ["–" if x is None else at_most(x.standard_deviation, 3) for x in pair.noise]
    margins = ["–" if x is None else f"±{at_most(x.off_by, 3)}" for x in pair.noise]
    return [name, one.level or "", *map(" → ".join, (amounts, deviations, margins))]
