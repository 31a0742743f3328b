"""What adds up: the parts of the release, releases that go on, and the queries of a concern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dprisk.explain import at_most, readings
from dprisk.explain.rounding import hundredths
from dprisk.explain.wording import how_composed
from dprisk.report import figures
from dprisk.report.blocks import Block, Items, Section, Table, Text
from dprisk.report.words import given, least, most, share, sure, to_at_most

if TYPE_CHECKING:
    from dprisk.allocation import Exposure, Findings
    from dprisk.assessment import Composition
    from dprisk.curves import Ladder, Rung
    from dprisk.report.values import Report

__all__ = ["composed", "concerned", "shown"]

UNITS = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}
TEXTBOOK = ("basic", "simple conversion")
DRAWN = 4  # lines in the figure


def composed(report: Report) -> Section | None:
    """All parts together, and what becomes of it as releases go on."""
    inside = []
    if report.together is not None:
        inside.append(Section("All parts together", _together(report.together)))
    if report.ladder is not None:
        inside.append(Section("As releases go on", _ladder(report, report.ladder)))
    if not inside:
        return None
    lead = (
        "Every release about the same record adds to what can be learned from it. Later releases "
        "may be chosen after seeing earlier ones; the noise of each is its own."
    )
    return Section("What adds up", (Text(lead),), tuple(inside))


def _together(made: Composition) -> tuple[Block, ...]:
    lines = [how_composed(made.composed), *(f"Lossy: {text}." for text in made.composed.lossy)]
    return (Items((*readings(made), *lines)),)


def _ladder(report: Report, climbed: Ladder) -> tuple[Block, ...]:
    sound = _sound(climbed)
    rows = [_row(climbed, sound, at) for at in _shown(climbed, report.release.releases)]
    columns = ["Releases", "Belief after: at most", "By"]
    simple = any(row[-1] for row in rows)
    if simple:
        columns.append("By the simplest theorem")
    else:
        rows = [row[:-1] for row in rows]
    period = report.release.period
    every = f" The period of one release is: {period}." if period not in (None, "once") else ""
    lead = (
        f"Somebody who knows everything else, and gives the secret {given(climbed.prior)} before "
        f"the first release, sees so many releases like this one about the same record.{every} "
        f"Each limit holds with a confidence of at least {hundredths(climbed.confidence)}%."
    )
    caption = f"Belief after so many releases, from {given(climbed.prior)}"
    limit = dict(report.asked.limits).get("posterior")
    blocks: list[Block] = [
        Text(lead),
        Table(caption, tuple(columns), tuple(rows)),
        figures.going_on(climbed, [rung.name for rung in shown(climbed)], limit),
    ]
    if limit is not None:
        blocks.append(Text(_over(climbed, sound, limit)))
    return tuple(blocks)


def _shown(climbed: Ladder, made: int) -> list[int]:
    """1, 2, 5 and their tens, the release as it is, and the last."""
    wanted = {made, max(climbed.releases)}
    return [
        at
        for at, number in enumerate(climbed.releases)
        if number in wanted or str(number).rstrip("0") in ("1", "2", "5")
    ]


def _row(climbed: Ladder, sound: list[Rung], at: int) -> tuple[str, ...]:
    best = min(sound, key=lambda rung: float(rung.values[at]))
    simple = next((rung for rung in sound if rung.name in TEXTBOOK), None)
    shown = "" if simple is None else most(float(simple.values[at]), climbed.prior)
    number = str(climbed.releases[at])
    return (number, most(float(best.values[at]), climbed.prior), best.name, shown)


def _sound(climbed: Ladder) -> list[Rung]:
    """The bounds on whatever is computed from what was given."""
    return [rung for rung in climbed.rungs if rung.given and rung.holds_for != "raw output"]


def shown(climbed: Ladder) -> list[Rung]:
    """The simplest bound, and those that are the best somewhere."""
    sound = _sound(climbed)
    best = {
        min(sound, key=lambda rung: float(rung.values[at])).name
        for at in range(len(climbed.releases))
    }
    found = [rung for rung in sound if rung.name in best or rung.name in TEXTBOOK]
    return found[:1] + found[1:][-(DRAWN - 1) :]


def _over(climbed: Ladder, sound: list[Rung], limit: float) -> str:
    """After how many releases a limit is exceeded by every bound that is known."""
    firsts = climbed.until(limit)
    found = [firsts[rung.name] for rung in sound]
    start = f"The limit of {limit:.12g} on the belief, from {given(climbed.prior)},"
    numbers = [first for first in found if first is not None]
    if len(numbers) < len(found):
        return f"{start} is kept for up to {max(climbed.releases)} releases."
    first = max(numbers)
    if first == 1:
        return f"{start} is not known to be kept by a single release."
    return f"{start} is kept for up to {first - 1} releases; from {first} on it is not known to be."


def concerned(report: Report) -> Section | None:
    """Query by query: how much of the privacy loss is about what somebody cares about."""
    found = report.concerns
    if not found:
        return None
    made = found[0].exposure.allocation
    names = [_name(one.exposure) for one in found]
    unit = UNITS[made.accounting]
    levels = [f"Power at level {level:.12g}" for level in found[0].levels]
    beliefs = [f"Belief, from {given(prior)}" for prior in found[0].priors]
    lead = (
        f"Most queries of {made.name} have nothing to say about one concern. What follows is about "
        "somebody who knows all other records, and all of this one but what the concern names."
    )
    shares = Table(
        f"How much of {unit} = {at_most(float(made.total), 5)} is about each concern",
        ("Concern", "Queries", unit, "Share"),
        tuple(
            (name, str(len(one.exposure.queries)), *_share(one.exposure))
            for name, one in zip(names, found, strict=True)
        ),
    )
    tests = Table(
        "What can be learned about each concern, at most",
        ("Concern", *levels, *beliefs),
        tuple((name, *_learned(one)) for name, one in zip(names, found, strict=True)),
    )
    blocks: list[Block] = [Text(lead), shares, tests, figures.concerned(found, names)]
    blocks.append(
        Items(tuple(_in_words(one, name) for one, name in zip(found, names, strict=True)))
    )
    if made.invariants:
        blocks += [Text("Published without noise, outside of every promise:")]
        blocks += [Items(made.invariants)]
    return Section("Concern by concern", tuple(blocks))


def _name(exposure: Exposure) -> str:
    return "; ".join(exposure.concerns) or "everything"


def _share(exposure: Exposure) -> tuple[str, str]:
    return at_most(float(exposure.amount), 5), f"{at_most(100 * float(exposure.share))} %"


def _learned(found: Findings) -> tuple[str, ...]:
    power = np.ravel(np.asarray(found.power.value)).tolist()
    belief = np.ravel(np.asarray(found.disclosure.posterior(found.priors).upper.value)).tolist()
    after = [most(value, prior) for value, prior in zip(belief, found.priors, strict=True)]
    return (*(share(value, certain=value == 1.0) for value in power), *after)


def _in_words(found: Findings, name: str) -> str:
    middle = found.priors[len(found.priors) // 2]
    ends = found.disclosure.posterior(middle)
    up = to_at_most(float(ends.upper), middle)
    down = least(float(ends.lower), middle)
    start = f"{name[0].upper()}{name[1:]}"
    fall = down if down.startswith("fewer") else f"at least {down}"
    return (
        f"{start}: from {given(middle)}, a belief can rise to {up} or fall to {fall} "
        f"({sure(found.confidence)})."
    ).replace("rise to even", "rise even")
