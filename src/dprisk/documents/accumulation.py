"""Risks that add up: parts of the release, releases that go on, and queries of a concern."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np

from dprisk.allocation.queries import ACCOUNTING
from dprisk.composition import compose
from dprisk.composition.basis import basis_of, total_promised, wider
from dprisk.documents import risks
from dprisk.documents.document import Block, Items, Section, Sentence, Table
from dprisk.documents.grounds import ASSUMED, because
from dprisk.documents.promises import SAMPLED, how_composed, part_in_words, whole_promise, why
from dprisk.documents.saying import (
    begun,
    best_bound,
    bound,
    counted_in,
    fall,
    gaps,
    heads,
    kept_until,
    laddered,
    most,
    named,
    rise,
    say,
    share,
    shown_rows,
    sound_bounds,
    starting,
    sure,
    unit_of,
)
from dprisk.errors import DpriskError, InvalidInput
from dprisk.mechanisms.base import kinds
from dprisk.releases.notes import is_below_person
from dprisk.releases.release import Part, Release
from dprisk.text import count, fill
from dprisk.text.rounding import at_least, at_most, out_of, scale, short

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation
    from dprisk.allocation.exposure import Exposure
    from dprisk.allocation.finding import Findings
    from dprisk.budget.noise import NoiseCost
    from dprisk.curves.rungs import Ladder
    from dprisk.documents.assessing import Statement
    from dprisk.documents.compositions import Composition
    from dprisk.documents.reporting import Report
    from dprisk.guarantees.base import Guarantee
    from dprisk.mechanisms.base import Mechanism

TOGETHER = "Give the table and the release that belong together."
UNITS = {"zcdp": "rho", "pure": "epsilon", "gdp": "mu^2"}


def composed(report: Report) -> Section | None:
    """All parts together, and what becomes of it as releases go on."""
    inside = []
    if report.together is not None:
        key = "report.title.together" if report.together.uses > 1 else "report.together.one"
        inside.append(Section(fill(key), _together(report, report.together)))
    if report.ladder is not None:
        inside.append(Section(fill("report.title.going-on"), _ladder(report, report.ladder)))
    elif report.asked.adversary.secret == "both" and report.assessments[0].statements:
        inside.append(Section(fill("report.title.going-on"), (say("report.ladder.both"),)))
    if not inside:
        return None
    return Section(fill("report.title.adding"), (say("report.adding.lead"),), tuple(inside))


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
    caption = fill(f"report.together.caption{'' if made.uses > 1 else '.one'}")
    table = Table(caption, heads("report.together", "delta", "epsilon"), rows)
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
    sound, made = sound_bounds(climbed), report.asked.labels.times
    once = min(float(rung.values[0]) for rung in sound)
    of = counted_in(report.assessments[0], climbed.prior, once)
    prior = out_of(climbed.prior, of)
    rows = []
    for at in shown_rows(climbed, made):
        best = best_bound(sound, at)
        after = most(float(best.values[at]), climbed.prior, of)
        rows.append((str(climbed.releases[at]), after, bound(best.name)))
    rungs = laddered(climbed, made)
    lead = say(
        "report.ladder.lead",
        question=_question(report),
        prior=prior,
        one_release=_one_release(report),
        sure=sure(climbed.confidence),
    )
    caption = fill("report.ladder.caption", prior=prior)
    limit = dict(report.asked.limits).get("posterior")
    return (
        lead,
        Table(caption, heads("report.ladder", "releases", "belief", "by"), tuple(rows)),
        because(report, ASSUMED, (each for rung in rungs for each in rung.theorems)),
        risks.going_on(climbed, [rung.name for rung in rungs], limit),
        *([] if limit is None else [_over(climbed, limit)]),
    )


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
    return fill(f"report.asked.{secret}.every", unit=unit)


def _over(climbed: Ladder, limit: float) -> Sentence:
    """Say after how many releases the best bound that is known exceeds a limit."""
    last, first = kept_until(climbed, limit)
    of = scale(climbed.prior, limit)
    asked = {"limit": out_of(limit, of), "prior": out_of(climbed.prior, of)}
    if last < 1:
        return say("report.ladder.none", **asked)
    asked |= {"sure": sure(climbed.confidence).text, "last": str(last)}
    return say(f"report.ladder.{'all' if first is None else 'until'}", first=str(first), **asked)


def concerned(report: Report) -> Section | None:
    """Query by query: how much of the privacy loss is about what somebody cares about."""
    found = report.concerns
    if not found:
        return None
    made = found[0].exposure.allocation
    names = [_name(one.exposure) for one in found]
    used = [each for one in found for each in (one.power.theorem, one.disclosure.loss.theorem)]
    blocks: list[Block] = [
        say("report.concern.lead", name=made.name),
        say(f"report.concern.{found[0].reading}", noise=_noise(made)),
        *_less(report, made),
        _shares(found, names),
        _tests(found, names),
        because(report, f"{ASSUMED}-concerns", used),
        risks.concerned(found, names),
        Items(tuple(map(_in_words, found, names))),
        *_margins(found),
    ]
    if made.invariants:
        blocks += [say("report.release.invariants"), Items(made.invariants)]
    return Section(fill("report.title.concerns"), tuple(blocks))


def _margins(found: Sequence[Findings]) -> list[Block]:
    """The noise of every query that some concern touches, where it is known."""
    known = {
        query: cost
        for one in found
        for query, cost in zip(one.exposure.queries, one.exposure.noise(), strict=True)
        if cost is not None
    }
    rows = tuple(
        (
            f"{query.name} ({query.part})" if query.part else query.name,
            query.place or query.level or "",
            _digits(cost.standard_deviation),
            f"±{_digits(cost.off_by)}",
        )
        for query, cost in known.items()
    )
    columns = heads("report.concern", "query", "where", "deviation", "margin")
    return [Table(fill("report.concern.noise"), columns, rows)] if rows else []


def _noise(made: Allocation) -> str:
    """The noise that the table names, or each of several."""
    names = dict.fromkeys(query.noise for query in made.queries if query.noise)
    return ", ".join(fill(f"mechanism.{name}") for name in names) or fill("report.concern.worst")


def _less(report: Report, made: Allocation) -> list[Sentence]:
    """Say so where the table certainly spends less than the release promises."""
    release, times = report.release, report.asked.labels.times
    once = replace(release, releases=-(-release.releases // times))
    most = total_promised(once, ACCOUNTING[made.accounting])
    if once.neighbors != "replace-one" or most is None or wider(made.total) >= most:
        return []
    spent, unit = at_most(float(made.total), 6), UNITS[made.accounting]
    promised = at_least(float(most), 6)
    return [say("report.concern.less", unit=unit, name=made.name, spent=spent, most=promised)]


def _shares(found: Sequence[Findings], names: Sequence[str]) -> Table:
    made = found[0].exposure.allocation
    unit = UNITS[made.accounting]
    rows = []
    for name, exposure in zip(names, (one.exposure for one in found), strict=True):
        amount, share = at_most(float(exposure.amount), 5), at_most(100 * float(exposure.share))
        rows.append((name, str(len(exposure.queries)), amount, f"{share} %"))
    concern, queries, share = heads("report.concern", "concern", "queries", "share")
    title = fill("report.concern.shares", unit=unit, total=at_most(float(made.total), 5))
    return Table(title, (concern, queries, unit, share), tuple(rows))


def _tests(found: Sequence[Findings], names: Sequence[str]) -> Table:
    levels = [fill("report.concern.power", level=f"{level:.12g}") for level in found[0].levels]
    beliefs = [fill("report.concern.belief", prior=starting(prior)) for prior in found[0].priors]
    rows = []
    for name, one in zip(names, found, strict=True):
        power = np.ravel(one.power.value).tolist()
        after = np.ravel(one.disclosure.posterior(one.priors).upper.value).tolist()
        right = [share(value, certain=value == 1.0) for value in power]
        rows.append((name, *right, *map(most, after, one.priors)))
    head = (fill("report.concern.concern"), *levels, *beliefs)
    return Table(fill("report.concern.learned"), head, tuple(rows))


def _name(exposure: Exposure) -> str:
    return f"{exposure.name}: {_concerns(exposure)}" if exposure.name else _concerns(exposure)


def _concerns(exposure: Exposure) -> str:
    if len(exposure.concerns) > 1:
        return fill("report.concern.together", names=fill("and").join(exposure.concerns))
    return exposure.concerns[0] if exposure.concerns else fill("report.concern.everything")


def _in_words(found: Findings, name: str) -> str:
    if untouched := found.exposure.says_untouched():
        return f"{begun(name)}: {untouched}"
    middle = found.priors[len(found.priors) // 2]
    ends = found.disclosure.posterior(middle)
    moves = fill(
        "report.concern.moves",
        name=begun(name),
        prior=starting(middle),
        up=rise(float(ends.upper), middle),
        down=fall(float(ends.lower), middle),
        sure=sure(found.confidence),
    )
    said = (moves, found.exposure.says_places(), found.exposure.says_disregarded())
    return " ".join(text for text in said if text)


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
        blocks.append(say("report.costs.shuffle"))
    elif rest:
        noises = {each.exposure.allocation.noise for each in report.concerns} - {None}
        noise = fill(f"mechanism.{noises.pop()}") if noises else ""
        blocks += _examples(rest, len(rest) == len(parts), local, noise)
    if not blocks:
        return None
    alone = ".shuffle" if report.release.model == "shuffle" and not run else local
    return Section(fill("report.title.costs"), (say(f"report.costs.lead{alone}"), *blocks))


def _is_training(part: Part) -> bool:
    """Many results from samples, each with noise: a model that is trained."""
    kind = "" if part.mechanism is None else part.mechanism.kind
    return kind.startswith(SAMPLED) and part.count > 1


def _columns(local: str) -> tuple[str, ...]:
    return fill("report.costs.off"), fill(f"report.costs.exact{local}")


def _explained(run: Iterable[Mechanism | None], rows: Iterable[tuple[str, ...]]) -> list[Block]:
    """Explanations of what the table leaves out."""
    sampled = any(each is not None and _noise_of(each) is not each for each in run)
    lines = [fill("report.costs.sampled")] if sampled else []
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
    kind = mechanism.kind.removeprefix(SAMPLED)
    made = kinds().get(kind) if mechanism.kind.startswith(SAMPLED) else None
    if made is None:
        return mechanism
    return made(**{each.name: getattr(mechanism, each.name) for each in fields(made)})  # type: ignore[arg-type]


def _exact(part: Part) -> str:
    chance = None if part.mechanism is None else part.mechanism.exact_probability
    return fill("report.costs.unknown") if chance is None else _certain(chance)


def _certain(chance: float) -> str:
    """The chance that a number is published as it is; continuous noise is never 0."""
    return share(chance, certain=True) if chance else fill("report.costs.continuous")


def _digits(value: float) -> str:
    return at_most(value, 4)


def _examples(rest: list[tuple[str, Part]], alone: bool, local: str, noise: str) -> list[Block]:
    """Noise that keeps the promise, for a count that one record changes by one."""
    from dprisk.budget import noise_for

    alike: dict[Guarantee, list[tuple[str, Part]]] = {}
    for name, part in rest:
        alike.setdefault(part.guarantee, []).append((name, part))
    rows = []
    for (name, part), *others in list(alike.values())[:SHOWN]:
        who = name
        if others:
            promise = part_in_words(replace(part, label="", count=1))
            who = fill("report.costs.each", number=len(others) + 1, promise=promise)
        try:
            costs = noise_for(part.guarantee, coverage=COVERAGE)
        except DpriskError:
            costs = ()
        rows += [_example(who, cost) for cost in costs]
    if not rows:
        return [say("report.costs.named" if noise else "report.costs.silent", noise=noise)]
    key = ".named" if noise else ".some" if len(rest) > 1 else "" if alone else ".one"
    said = say(
        f"report.costs.lead-example{key}",
        example=fill(f"report.costs.take{local}"),
        table=_how_little(alike),
        some=fill("report.costs.some", number=SHOWN) if len(alike) > SHOWN else "",
        noise=noise,
    )
    noise_and_sd = heads("report.costs", "noise", "sd")
    columns = (fill("report.release.part"), *noise_and_sd, *_columns(local))
    return [said, Table(fill("report.costs.example"), columns, tuple(rows))]


def _how_little(promises: Iterable[Guarantee]) -> str:
    """Whether no less noise of each kind keeps the promise, as far as is known."""
    enough = dict.fromkeys(kind for each in promises for kind in ENOUGH.get(each.definition, ()))
    if not enough:
        return fill("report.costs.least")
    names = fill("or").join(fill(f"report.noise.{kind}") for kind in enough)
    return fill("report.costs.enough", kinds=names)


def _example(name: str, cost: NoiseCost) -> tuple[str, ...]:
    return (
        name,
        fill(f"report.noise.{cost.kind}"),
        _digits(cost.standard_deviation),
        _digits(cost.off_by),
        _certain(cost.exact_probability),
    )


def check_spent(allocation: Allocation, release: Release) -> None:
    """Refuse a table that spends certainly more than its release promises."""
    most = total_promised(release, ACCOUNTING[allocation.accounting])
    if most is None:
        _check_kept(allocation, release)
    elif allocation.staying.amount > wider(most):
        unit, least = UNITS[allocation.accounting], float(allocation.staying.amount)
        name, spent = f"the sum of {unit} over the allocation", at_least(least, 6)
        allowed = f"at most {at_most(float(most), 6)}, which is what {release.name} promises"
        raise InvalidInput(name, spent, allowed, TOGETHER)


def _check_kept(allocation: Allocation, release: Release) -> None:
    """Refuse a table whose noise certainly breaks a promise of another definition."""
    parts = basis_of(release).parts
    if allocation.noise is None or not parts or any(part.mechanism for part in parts):
        return
    times = [part.count * release.releases for part in parts]
    whole = compose([part.guarantee for part in parts], times).guarantee
    promise = Part(whole.for_neighbors("replace-one"))
    run = tuple(Part.of(each, count) for each, count in allocation.staying.run.items())
    table = replace(Release.of(promise), parts=run, stated_also=(promise,))
    for found in basis_of(table).contradicted:
        reason = why(found).rstrip(".")
        allowed = f"a table whose noise can keep what {release.name} promises ({reason})"
        raise InvalidInput("allocation", allocation.name, allowed, TOGETHER)
