"""What adds up: the parts of the release, releases that go on, and the queries of a concern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dprisk.explain import at_most, readings
from dprisk.explain.wording import how_composed, whom
from dprisk.report import figures
from dprisk.report.blocks import Block, Items, Section, Table, Text
from dprisk.report.words import ASKED, given, least, most, share, sure, to_at_most

if TYPE_CHECKING:
    from dprisk.allocation import Exposure, Findings
    from dprisk.assessment import Composition
    from dprisk.curves import Ladder, Rung
    from dprisk.report.values import Report

__all__ = ["composed", "concerned", "shown"]

UNITS = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}
KNOWN = {
    "exact": "These limits are for the noise that the table names ({noise}), which is more than "
    "the promise says. So they can be lower than those for any mechanism that keeps the promise.",
    "gaussian": "These numbers are for continuous normal noise.",
    "promise": "These limits hold for any mechanism that keeps the promise.",
}
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
    rows = [_row(climbed, sound, at) for at in _shown(climbed, report.asked.labels.times)]
    columns = ["Releases", "Belief after: at most", "By"]
    simple = any(row[-1] and row[-1] != row[1] for row in rows)
    if simple:
        columns.append("By the simplest theorem")
    else:
        rows = [row[:-1] for row in rows]
    question = ASKED[report.asked.adversary.secret].format(who=whom(report.release))
    lead = (
        f"The question is: {question} Somebody who knows everything else, and gives it "
        f"{given(climbed.prior)} before the first release, sees so many releases about the same "
        f"record. {_one_release(report)} Each limit holds {sure(climbed.confidence)}."
    )
    caption = f"Belief after so many releases, from {given(climbed.prior)}"
    limit = dict(report.asked.limits).get("posterior")
    blocks: list[Block] = [
        Text(lead),
        Table(caption, tuple(columns), tuple(rows)),
        figures.going_on(climbed, [rung.name for rung in shown(climbed)], limit),
    ]
    if _is_thinned(climbed):
        blocks.append(Text("Not every number of releases is shown: they are thinned out."))
    if limit is not None:
        blocks.append(Text(_over(climbed, limit)))
    return tuple(blocks)


def _one_release(report: Report) -> str:
    """What counts as one release: the whole file."""
    once = report.release.releases // report.asked.labels.times
    uses = sum(part.count for part in report.release.parts) * once
    what = "the one part described" if uses == 1 else f"all {uses} parts described, together"
    period = report.release.period
    every = f", for the period: {period}" if period not in (None, "once") else ""
    return f"One release is {what}{every}."


def _is_thinned(climbed: Ladder) -> bool:
    return len(climbed.releases) < max(climbed.releases)


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
    """The bounds on what the reader sees, as computed from what was given."""
    raw = all(rung.holds_for == "raw output" for rung in climbed.rungs)
    return [
        rung for rung in climbed.rungs if rung.given and (raw or rung.holds_for != "raw output")
    ]


def shown(climbed: Ladder) -> list[Rung]:
    """The simplest bound, and those that are the best somewhere."""
    sound = _sound(climbed)
    best = {
        min(sound, key=lambda rung: float(rung.values[at])).name
        for at in range(len(climbed.releases))
    }
    found = [rung for rung in sound if rung.name in best or rung.name in TEXTBOOK]
    return found[:1] + found[1:][-(DRAWN - 1) :]


def _over(climbed: Ladder, limit: float) -> str:
    """After how many releases a limit is exceeded by the best bound that is known."""
    best = climbed.best().name
    first = climbed.until(limit, [best])[best]
    start = f"The limit of {limit:.12g} on the belief, from {given(climbed.prior)},"
    if first is None:
        last = max(climbed.releases)
        return f"{start} is kept for up to {last} releases, {sure(climbed.confidence)}."
    if first == 1:
        return f"{start} is not known to be kept by a single release."
    return (
        f"{start} is kept for up to {first - 1} releases, {sure(climbed.confidence)}; from {first} "
        "on it is not known to be."
    )


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
    known = KNOWN[found[0].reading].format(noise=made.noise)
    blocks: list[Block] = [Text(lead), Text(known), shares, tests]
    blocks.append(figures.concerned(found, names))
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
