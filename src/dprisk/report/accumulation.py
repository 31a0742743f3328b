"""What adds up: the parts of the release, releases that go on, and the queries of a concern."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dprisk._pages import slug
from dprisk.allocation.allocations import ACCOUNTING
from dprisk.composition.basis import basis_of, total_promised, wider
from dprisk.explain.promises import how_composed, whole_promise
from dprisk.explain.rounding import Scale, at_least, at_most, out_of, scale, short
from dprisk.explain.units import gaps, unit_of
from dprisk.explain.wording import counted_in
from dprisk.releases.notes import is_below_person
from dprisk.report import figures
from dprisk.report.blocks import Block, Items, Section, TableBlock, Text
from dprisk.report.grounds import ASSUMED, because
from dprisk.report.words import begun, fall, given, kept_until, most, rise, share, sure
from dprisk.text import count, fill

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.finding import Findings
    from dprisk.assessment.compose_release import Composition
    from dprisk.assessment.statements import Statement
    from dprisk.curves.rungs import Ladder, Rung
    from dprisk.report.document import Report


UNITS = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}


def composed(report: Report) -> Section | None:
    """All parts together, and what becomes of it as releases go on."""
    inside = []
    if report.together is not None:
        key = "report.title.together" if report.together.uses > 1 else "report.together.one"
        inside.append(Section(fill(key), _together(report, report.together)))
    if report.ladder is not None:
        inside.append(Section(fill("report.title.going-on"), _ladder(report, report.ladder)))
    if not inside:
        return None
    lead = fill("report.adding.lead")
    return Section(fill("report.title.adding"), (Text(lead),), tuple(inside))


def _together(report: Report, made: Composition) -> tuple[Block, ...]:
    parts, releases = basis_of(made.release).parts, made.release.releases
    lines = [how_composed(made.composed, parts, releases)] if made.uses > 1 else []
    lines += [_beside(each, made) for each in report.assessments[0].statements[1:]]
    lines += [fill("report.adding.lossy", text=text) for text in made.composed.lossy]
    rows = tuple(
        (
            short(reading.at),
            at_most(reading.upper) if math.isfinite(reading.upper) else fill("report.no-limit"),
        )
        for reading in made.readings
    )
    columns = fill("report.together.delta"), fill("report.together.epsilon")
    one = "" if made.uses > 1 else ".one"
    table = TableBlock(fill(f"report.together.caption{one}"), columns, rows)
    return (table, Items(tuple(lines))) if lines else (table,)


def _beside(other: Statement, made: Composition) -> str:
    """Another statement of the source, and where it is stricter than the table."""
    promise = other.composed.guarantee
    stricter = [
        short(reading.at)
        for reading in made.readings
        if float(promise.epsilon(reading.at)) < reading.upper
    ]
    said = {"promise": whole_promise(promise), "used": whole_promise(made.composed.guarantee)}
    if not stricter:
        return fill("report.together.also", **said)
    return fill("report.together.also.stricter", deltas=fill("and").join(stricter), **said)


def _ladder(report: Report, climbed: Ladder) -> tuple[Block, ...]:
    sound = _sound(climbed)
    once = min(float(rung.values[0]) for rung in sound)
    of = counted_in(report.assessments[0], climbed.prior, once)
    prior = out_of(climbed.prior, of)
    rows = tuple(_row(climbed, sound, at, of) for at in _shown(climbed, report.asked.labels.times))
    rungs = laddered(climbed, report.asked.labels.times)
    columns = (
        fill("report.ladder.releases"),
        fill("report.ladder.belief"),
        fill("report.ladder.by"),
    )
    question = _question(report)
    lead = fill(
        "report.ladder.lead",
        question=question,
        prior=prior,
        one_release=_one_release(report),
        sure=sure(climbed.confidence),
    )
    caption = fill("report.ladder.caption", prior=prior)
    limit = dict(report.asked.limits).get("posterior")
    blocks: list[Block] = [
        Text(lead),
        TableBlock(caption, columns, rows),
        because(report, ASSUMED, (each for rung in rungs for each in rung.theorems)),
        figures.going_on(climbed, [rung.name for rung in rungs], limit),
    ]
    if limit is not None:
        blocks.append(Text(_over(climbed, limit)))
    return tuple(blocks)


def _one_release(report: Report) -> str:
    """What counts as one release: the whole file."""
    once = report.release.releases // report.asked.labels.times
    parts = basis_of(report.release).parts
    uses = sum(part.count for part in parts) * once
    period = report.release.period
    every = fill("report.ladder.period", period=period) if period not in (None, "once") else ""
    if uses == 1:
        return every and fill("report.ladder.one-part", every=every)
    key = "all-outputs" if uses > len(parts) else "all-parts"
    return fill(f"report.ladder.{key}", uses=count(uses), every=every)


def _question(report: Report) -> str:
    """What is asked of all the releases: of a unit below a person, another one each."""
    release, secret = report.release, report.asked.adversary.secret
    unit = unit_of(release)
    if unit is None or not is_below_person(release.unit):
        return fill(f"report.asked.{secret}", **gaps(release))
    if secret == "attribute":
        return fill("report.asked.attribute.every", unit=unit)
    return fill("report.asked.membership.every", unit=unit)


def _shown(climbed: Ladder, made: int) -> list[int]:
    """1, 2, 5 and their tens, the release as it is, and the last."""
    wanted = {made, max(climbed.releases)}
    return [
        at
        for at, number in enumerate(climbed.releases)
        if number in wanted or str(number).rstrip("0") in ("1", "2", "5")
    ]


def _row(climbed: Ladder, sound: list[Rung], at: int, of: Scale) -> tuple[str, ...]:
    best = _best(sound, at)
    number = str(climbed.releases[at])
    return (number, most(float(best.values[at]), climbed.prior, of), bound(best.name))


def bound(name: str) -> str:
    """A rung by the term of the field."""
    return fill(f"report.bound.{slug(name)}")


def _sound(climbed: Ladder) -> list[Rung]:
    """The bounds on what the reader sees, as computed from what was given."""
    raw = all(rung.holds_for == "raw output" for rung in climbed.rungs)
    return [
        rung for rung in climbed.rungs if rung.given and (raw or rung.holds_for != "raw output")
    ]


def laddered(climbed: Ladder, made: int) -> list[Rung]:
    """The bounds that the table names; the figure draws the same."""
    sound = _sound(climbed)
    best = {_best(sound, at).name for at in _shown(climbed, made)}
    return [rung for rung in sound if rung.name in best]


def _best(sound: list[Rung], at: int) -> Rung:
    return min(sound, key=lambda rung: float(rung.values[at]))


def _over(climbed: Ladder, limit: float) -> str:
    """After how many releases a limit is exceeded by the best bound that is known."""
    last, first = kept_until(climbed, limit)
    of = scale(climbed.prior, limit)
    asked = {"limit": out_of(limit, of), "prior": out_of(climbed.prior, of)}
    if last < 1:
        return fill("report.ladder.none", **asked)
    asked["sure"] = sure(climbed.confidence)
    if first is None:
        return fill("report.ladder.all", last=last, **asked)
    return fill("report.ladder.until", last=last, first=first, **asked)


def concerned(report: Report) -> Section | None:
    """Query by query: how much of the privacy loss is about what somebody cares about."""
    found = report.concerns
    if not found:
        return None
    made = found[0].exposure.allocation
    names = [_name(one.exposure) for one in found]
    used = [
        theorem for one in found for theorem in (one.power.theorem, one.disclosure.loss.theorem)
    ]
    blocks: list[Block] = [
        Text(fill("report.concern.lead", name=made.name)),
        Text(fill(f"report.concern.{found[0].reading}", noise=made.noise)),
        *_less(report, made),
        _shares(found, names),
        _tests(found, names),
        because(report, f"{ASSUMED}-concerns", used),
        figures.concerned(found, names),
        Items(tuple(_in_words(one, name) for one, name in zip(found, names, strict=True))),
    ]
    if made.invariants:
        blocks += [Text(fill("report.release.invariants")), Items(made.invariants)]
    return Section(fill("report.title.concerns"), tuple(blocks))


def _less(report: Report, made: Allocation) -> list[Text]:
    """Where the table certainly spends less than the release promises."""
    release, times = report.release, report.asked.labels.times
    once = replace(release, releases=-(-release.releases // times))
    most = total_promised(once, ACCOUNTING[made.accounting])
    if once.neighbors != "replace-one" or most is None or wider(made.total) >= most:
        return []
    said = {"unit": UNITS[made.accounting], "name": made.name}
    said["spent"], said["most"] = at_most(float(made.total), 6), at_least(float(most), 6)
    return [Text(fill("report.concern.less", **said))]


def _shares(found: Sequence[Findings], names: Sequence[str]) -> TableBlock:
    made = found[0].exposure.allocation
    unit = UNITS[made.accounting]
    asked = (fill("report.concern.concern"), fill("report.concern.queries"))
    rows = [
        (name, str(len(one.exposure.queries)), *_share(one.exposure))
        for name, one in zip(names, found, strict=True)
    ]
    title = fill("report.concern.shares", unit=unit, total=at_most(float(made.total), 5))
    return TableBlock(title, (*asked, unit, fill("report.concern.share")), tuple(rows))


def _tests(found: Sequence[Findings], names: Sequence[str]) -> TableBlock:
    levels = [fill("report.concern.power", level=f"{level:.12g}") for level in found[0].levels]
    beliefs = [fill("report.concern.belief", prior=given(prior)) for prior in found[0].priors]
    head = (fill("report.concern.concern"), *levels, *beliefs)
    rows = [(name, *_learned(one)) for name, one in zip(names, found, strict=True)]
    return TableBlock(fill("report.concern.learned"), head, tuple(rows))


def _name(exposure: Exposure) -> str:
    if len(exposure.concerns) > 1:
        return fill("report.concern.together", names=fill("and").join(exposure.concerns))
    return exposure.concerns[0] if exposure.concerns else fill("report.concern.everything")


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
    up, down = float(ends.upper), float(ends.lower)
    return fill(
        "report.concern.moves",
        name=begun(name),
        prior=given(middle),
        up=rise(up, middle),
        down=fall(down, middle),
        sure=sure(found.confidence),
    )
