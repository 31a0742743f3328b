"""Risks that add up: parts of the release, releases that go on, and queries of a concern."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dprisk.allocation.allocations import ACCOUNTING
from dprisk.composition.basis import basis_of, total_promised, wider
from dprisk.documents.blocks import Block, Items, Section, Sentence, Table
from dprisk.documents.promises import how_composed, whole_promise
from dprisk.documents.reports import figures
from dprisk.documents.reports.grounds import ASSUMED, because
from dprisk.documents.reports.words import (
    begun,
    best_bound,
    bound,
    fall,
    given,
    kept_until,
    laddered,
    most,
    named,
    rise,
    share,
    shown_rows,
    sound_bounds,
)
from dprisk.documents.saying import counted_in, gaps, sure, unit_of
from dprisk.errors import DpriskError
from dprisk.releases.notes import is_below_person
from dprisk.text import count, fill
from dprisk.text.rounding import Scale, at_least, at_most, out_of, scale, short

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.finding import Findings
    from dprisk.budget.noise import NoiseCost
    from dprisk.curves.rungs import Ladder, Rung
    from dprisk.documents.compositions import Composition
    from dprisk.documents.findings import Statement
    from dprisk.documents.reports.report import Report
    from dprisk.guarantees.base import Guarantee
    from dprisk.mechanisms.base import Mechanism
    from dprisk.releases.release import Part

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
    return Section(fill("report.title.adding"), (Sentence(lead),), tuple(inside))


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
    table = Table(fill(f"report.together.caption{one}"), columns, rows)
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
    sound = sound_bounds(climbed)
    once = min(float(rung.values[0]) for rung in sound)
    of = counted_in(report.assessments[0], climbed.prior, once)
    prior = out_of(climbed.prior, of)
    rows = tuple(
        _row(climbed, sound, at, of) for at in shown_rows(climbed, report.asked.labels.times)
    )
    rungs = laddered(climbed, report.asked.labels.times)
    columns = tuple(fill(f"report.ladder.{column}") for column in ("releases", "belief", "by"))
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
        Sentence(lead),
        Table(caption, columns, rows),
        because(report, ASSUMED, (each for rung in rungs for each in rung.theorems)),
        figures.going_on(climbed, [rung.name for rung in rungs], limit),
    ]
    if limit is not None:
        blocks.append(Sentence(_over(climbed, limit)))
    return tuple(blocks)


def _one_release(report: Report) -> str:
    """Say that the whole file counts as one release."""
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
    """The question asked of all the releases: of a unit below a person, another one each."""
    release, secret = report.release, report.asked.adversary.secret
    unit = unit_of(release)
    if unit is None or not is_below_person(release.unit):
        return fill(f"report.asked.{secret}", **gaps(release))
    if secret == "attribute":
        return fill("report.asked.attribute.every", unit=unit)
    return fill("report.asked.membership.every", unit=unit)


def _row(climbed: Ladder, sound: list[Rung], at: int, of: Scale) -> tuple[str, ...]:
    best = best_bound(sound, at)
    number = str(climbed.releases[at])
    return (number, most(float(best.values[at]), climbed.prior, of), bound(best.name))


def _over(climbed: Ladder, limit: float) -> str:
    """Say after how many releases the best bound that is known exceeds a limit."""
    last, first = kept_until(climbed, limit)
    of = scale(climbed.prior, limit)
    asked = {"limit": out_of(limit, of), "prior": out_of(climbed.prior, of)}
    if last < 1:
        return fill("report.ladder.none", **asked)
    asked["sure"] = sure(climbed.confidence).text
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
        Sentence(fill("report.concern.lead", name=made.name)),
        Sentence(fill(f"report.concern.{found[0].reading}", noise=made.noise)),
        *_less(report, made),
        _shares(found, names),
        _tests(found, names),
        because(report, f"{ASSUMED}-concerns", used),
        figures.concerned(found, names),
        Items(tuple(_in_words(one, name) for one, name in zip(found, names, strict=True))),
    ]
    if made.invariants:
        blocks += [Sentence(fill("report.release.invariants")), Items(made.invariants)]
    return Section(fill("report.title.concerns"), tuple(blocks))


def _less(report: Report, made: Allocation) -> list[Sentence]:
    """Say so where the table certainly spends less than the release promises."""
    release, times = report.release, report.asked.labels.times
    once = replace(release, releases=-(-release.releases // times))
    most = total_promised(once, ACCOUNTING[made.accounting])
    if once.neighbors != "replace-one" or most is None or wider(made.total) >= most:
        return []
    said = {"unit": UNITS[made.accounting], "name": made.name}
    said["spent"], said["most"] = at_most(float(made.total), 6), at_least(float(most), 6)
    return [Sentence(fill("report.concern.less", **said))]


def _shares(found: Sequence[Findings], names: Sequence[str]) -> Table:
    made = found[0].exposure.allocation
    unit = UNITS[made.accounting]
    asked = (fill("report.concern.concern"), fill("report.concern.queries"))
    rows = [
        (name, str(len(one.exposure.queries)), *_share(one.exposure))
        for name, one in zip(names, found, strict=True)
    ]
    title = fill("report.concern.shares", unit=unit, total=at_most(float(made.total), 5))
    return Table(title, (*asked, unit, fill("report.concern.share")), tuple(rows))


def _tests(found: Sequence[Findings], names: Sequence[str]) -> Table:
    levels = [fill("report.concern.power", level=f"{level:.12g}") for level in found[0].levels]
    beliefs = [fill("report.concern.belief", prior=given(prior)) for prior in found[0].priors]
    head = (fill("report.concern.concern"), *levels, *beliefs)
    rows = [(name, *_learned(one)) for name, one in zip(names, found, strict=True)]
    return Table(fill("report.concern.learned"), head, tuple(rows))


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


COVERAGE = 0.95
ENOUGH = {"concentrated": ("geometric", "laplace"), "gaussian": ("laplace",)}
"""Noise that is read as pure DP under another definition: enough, but not the least."""
SHOWN = 12  # promises for which an example is given


def priced(report: Report) -> Section | None:
    """Noise beside the promise: what is known, and an example where only the promise is."""
    if not report.assessments[0].statements:
        return None
    parts = [(n, p) for n, p in enumerate(report.release.parts, 1) if not _is_training(p)]
    several = len(report.release.parts) > 1
    local = ".local" if report.release.model == "local" else ""
    run = [(named(p, n, several), p) for n, p in parts if p.mechanism is not None]
    rest = [(named(p, n, several), p) for n, p in parts if p.mechanism is None]
    blocks: list[Block] = []
    if run:
        rows = tuple(_known(name, part) for name, part in run)
        columns = (fill("report.release.part"), fill("report.costs.deviation"), *_columns(local))
        blocks.append(Table(fill(f"report.costs.known{local}"), columns, rows))
        blocks += _explained([part.mechanism for _, part in run], rows)
    if rest and report.release.model == "shuffle":
        blocks.append(Sentence(fill("report.costs.shuffle")))
    elif rest:
        blocks += _examples(rest, len(rest) == len(parts), local, _noise_named(report))
    if not blocks:
        return None
    alone = ".shuffle" if report.release.model == "shuffle" and not run else local
    lead = fill(f"report.costs.lead{alone}")
    return Section(fill("report.title.costs"), (Sentence(lead), *blocks))


def _is_training(part: Part) -> bool:
    """Many results from samples, each with noise: a model that is trained."""
    from dprisk.mechanisms import SubsampledGaussian, SubsampledLaplace

    return isinstance(part.mechanism, SubsampledGaussian | SubsampledLaplace) and part.count > 1


def _columns(local: str) -> tuple[str, ...]:
    return fill("report.costs.off"), fill(f"report.costs.exact{local}")


def _explained(run: Iterable[Mechanism | None], rows: Iterable[tuple[str, ...]]) -> list[Block]:
    """Explanations of what the table leaves out."""
    lines = []
    if any(each is not None and _noise_of(each) is not each for each in run):
        lines.append(fill("report.costs.sampled"))
    if any(fill("report.costs.unknown") in row for row in rows):
        lines.append(fill("report.costs.unknown.why"))
    return [Sentence(" ".join(lines))] if lines else []


def _known(name: str, part: Part) -> tuple[str, ...]:
    from dprisk.budget.noise import noise_cost

    mechanism = part.mechanism
    if mechanism is None or mechanism.noise_sd is None:
        return (name, fill("report.costs.no-noise"), "", _exact(part))
    try:
        off = _digits(noise_cost(_noise_of(mechanism), COVERAGE).off_by)
    except DpriskError:
        off = fill("report.costs.unknown")
    return (name, _digits(mechanism.noise_sd), off, _exact(part))


def _noise_of(mechanism: Mechanism) -> Mechanism:
    """The noise that is added to results from a sample, by itself."""
    from dprisk.mechanisms import Gaussian, Laplace, SubsampledGaussian, SubsampledLaplace

    if isinstance(mechanism, SubsampledGaussian):
        return Gaussian(mechanism.sigma, mechanism.sensitivity, neighbors=mechanism.neighbors)
    if isinstance(mechanism, SubsampledLaplace):
        return Laplace(mechanism.scale, mechanism.sensitivity, neighbors=mechanism.neighbors)
    return mechanism


def _exact(part: Part) -> str:
    chance = None if part.mechanism is None else part.mechanism.exact_probability
    return fill("report.costs.unknown") if chance is None else _certain(chance)


def _certain(chance: float) -> str:
    """The chance that a number is published as it is; continuous noise is never 0."""
    return share(chance, certain=True) if chance else fill("report.costs.continuous")


def _digits(value: float) -> str:
    return at_most(value, 4)


def _noise_named(report: Report) -> str:
    """The noise that the table of queries names, where the release names none."""
    noises = {each.exposure.allocation.noise for each in report.concerns} - {None}
    return fill(f"mechanism.{noises.pop()}") if noises else ""


def _examples(rest: list[tuple[str, Part]], alone: bool, local: str, noise: str) -> list[Block]:
    """Noise that keeps the promise, for a count that one record changes by one."""
    from dprisk.budget import noise_for

    alike: dict[Guarantee, list[tuple[str, Part]]] = {}
    for name, part in rest:
        alike.setdefault(part.guarantee, []).append((name, part))
    rows = []
    for group in list(alike.values())[:SHOWN]:
        name = (
            group[0][0]
            if len(group) == 1
            else fill("report.costs.each", number=len(group), promise=_promise(group))
        )
        try:
            costs = noise_for(group[0][1].guarantee, coverage=COVERAGE)
        except DpriskError:
            costs = ()
        rows += [_example(name, cost) for cost in costs]
    if not rows:
        return [
            Sentence(fill("report.costs.named" if noise else "report.costs.silent", noise=noise))
        ]
    some = fill("report.costs.some", number=SHOWN) if len(alike) > SHOWN else ""
    key = ".named" if noise else ".some" if len(rest) > 1 else "" if alone else ".one"
    example = fill(f"report.costs.take{local}")
    table = _how_little(alike)
    words = {"example": example, "table": table, "some": some, "noise": noise}
    said = fill(f"report.costs.lead-example{key}", **words)
    columns = (
        fill("report.release.part"),
        fill("report.costs.noise"),
        fill("report.costs.sd"),
        *_columns(local),
    )
    return [Sentence(said), Table(fill("report.costs.example"), columns, tuple(rows))]


def _how_little(promises: Iterable[Guarantee]) -> str:
    """Whether no less noise of each kind keeps the promise, as far as is known."""
    loose = {
        each.definition: ENOUGH[each.definition] for each in promises if each.definition in ENOUGH
    }
    if not loose:
        return fill("report.costs.least")
    kinds = dict.fromkeys(kind for kinds in loose.values() for kind in kinds)
    names = fill("or").join(fill(f"report.noise.{kind}") for kind in kinds)
    return fill("report.costs.enough", kinds=names)


def _promise(group: list[tuple[str, Part]]) -> str:
    from dprisk.documents.promises import part_in_words

    return part_in_words(replace(group[0][1], label="", count=1))


def _example(name: str, cost: NoiseCost) -> tuple[str, ...]:
    return (
        name,
        fill(f"report.noise.{cost.kind}"),
        _digits(cost.standard_deviation),
        _digits(cost.off_by),
        _certain(cost.exact_probability),
    )
