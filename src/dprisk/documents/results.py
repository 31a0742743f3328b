"""Results in words: comparisons with and without a record, widths of answers, and audits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dprisk._values import DIGITS
from dprisk.documents.promises import cannot_keep, framed
from dprisk.documents.saying import sure as how_sure
from dprisk.guarantees.words import SYMBOLS
from dprisk.text import count, fill, has
from dprisk.text.rounding import (
    at_least,
    at_most,
    chance,
    ended,
    out_of,
    rounded,
    scale,
    short,
)

if TYPE_CHECKING:
    from dprisk.audit.examination import Examined, Verdict
    from dprisk.audit.findings import AuditFinding, Witness
    from dprisk.audit.postprocessing import MapSearch
    from dprisk.audit.samples import BlackBox, SampledFinding
    from dprisk.budget.counting import Fitting, Plan
    from dprisk.budget.largest import Allowed
    from dprisk.budget.noise import Calibrated, NoiseCost
    from dprisk.budget.sheet import BudgetSheet
    from dprisk.budget.training import TrainingFound
    from dprisk.documents.compositions import (
        Compared,
        Composition,
        Reading,
    )
    from dprisk.risk.counterfactual import Counterfactual, Replacement

ANY = frozenset({"rest-known", "wrong-prior"})  # about any record, true or not


def comparisons(made: Compared) -> tuple[str, ...]:
    """A sentence for every adversary, belief and confidence, true by itself."""
    lines = (
        _sentence(made.world, each, belief, confidence)
        for each in made.found
        for confidence in sure(each, made.confidences)
        for belief in made.without
    )
    return framed(made.release, lines)


def exceedings(made: Compared) -> tuple[str, ...]:
    """For every adversary and ratio, how often the ratio can be larger, in a sentence."""
    world = fill(f"compared.world.{made.world}")
    lines = []
    for each in made.found:
        who = fill(f"compared.who.{each.adversary}")
        for ratio in made.ratios:
            most = float(each.exceeding(ratio))
            key = "never" if most == 0.0 else "any" if most == 1.0 else "mostly"
            said = {"who": who, "world": world, "ratio": f"{ratio:g}", "most": at_most(most)}
            lines.append(fill(f"compared.exceeding.{key}", **said))
    return tuple(lines)


def sure(each: Counterfactual, confidences: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """The confidences to ask about: certainty alone where a bound is certain."""
    return (None,) if each.adversary == "wrong-prior" else confidences


def _sentence(
    world: Replacement, each: Counterfactual, belief: float, confidence: float | None
) -> str:
    most = float(each.belief(belief, confidence))
    of = scale(belief, most)
    words = {
        "who": fill(f"compared.who.{each.adversary}"),
        "world": fill(f"compared.world.{world}"),
        "claim": fill(f"compared.claim.{'any' if each.adversary in ANY else 'true'}"),
        "before": out_of(belief, of),
    }
    found = ended(most, upper=True, of=of, open_minded=belief < 1.0)
    if found.kind == "top":  # a confidence belongs to a bound, and here is none
        return fill("compared.vacuous", edge=found.shown, **words)
    after = fill(f"compared.{found.kind}", chances=found.shown, edge=found.shown)
    return fill("compared", after=after, sure=how_sure(confidence), **words)


def readings(composition: Composition) -> tuple[str, ...]:
    """A sentence for every answer, true by itself."""
    lines = [_composed_sentence(composition, reading) for reading in composition.readings]
    for each in composition.readings:
        if (more := composition.added(each)) is not None:
            at = f"{SYMBOLS[each.asked][0]} = {short(each.at)}"
            lines.append(fill("together.added", at=at, added=at_most(more, 3)))
    return framed(composition.release, lines, several=True)


def width(reading: Reading) -> str:
    """How far apart the two ends of an answer are, in words."""
    low, high = reading.lower, reading.upper
    if low is not None and low == high:
        return fill("width.exact")
    if low is None or low <= 0.0 or math.isinf(high):
        return fill("width.upper")
    digits = math.floor(-math.log10((high - low) / high))
    if digits >= 2:
        return fill("width.digits", digits=digits)
    return fill("width.factor", factor=at_most(high / low, 2))


def _composed_sentence(composition: Composition, reading: Reading) -> str:
    several = "one" if composition.uses == 1 else "many"
    later = fill(f"later.{several}")
    if reading.asked in SYMBOLS:
        return _promise(reading, fill(f"together.{several}", uses=composition.uses), later)
    if reading.asked == "level":
        return fill("together.test", level=short(reading.at), most=_most(reading), later=later)
    sure = short(reading.at)
    if math.isinf(reading.upper):
        return fill("together.shift.none", confidence=sure)
    most = _most(reading, "most.nats")
    return fill("together.shift", confidence=sure, most=most, later=later)


def _promise(reading: Reading, keeps: str, later: str) -> str:
    given, asked = SYMBOLS[reading.asked], SYMBOLS[reading.quantity]
    at, low = f"{given} = {short(reading.at)}", reading.lower
    if math.isinf(reading.upper):
        return fill("together.none" if low == math.inf else "together.unknown", at=at)
    high = at_most(reading.upper, DIGITS)
    if low is None:
        between = fill("between.most", high=high)
    elif low == reading.upper:
        between = fill("between.exact", high=high)
    elif at_most(low, DIGITS) == high:
        between = fill("between.rounded", high=high)
    else:
        between = fill("between", low=at_least(low, DIGITS), high=high)
    return fill("together.promise", keeps=keeps, at=at, asked=asked, between=between, later=later)


def _most(reading: Reading, template: str = "most") -> str:
    """An upper bound and, where it is known, that no smaller one holds."""
    shown, low = at_most(reading.upper, DIGITS), reading.lower
    high = fill(template, high=shown)
    if low is None or at_most(low, DIGITS) == shown:
        return high
    return fill("most.known", most=high, low=at_least(low, DIGITS))


MOST_OUTPUTS = 8  # outputs that are written out


def asked(line: AuditFinding) -> str:
    """The quantity that a line of the table is about, and the parameter at which it is taken."""
    words = fill(f"quantity.{line.quantity}")
    if line.at is None:
        return words
    given = "delta" if line.quantity == "epsilon" else "epsilon"
    return fill(f"quantity.at-{given}", quantity=words, at=f"{line.at:g}")


def verdict_in_words(verdict: Verdict) -> str:
    """A claim, whether it holds, and what shows it."""
    said = [fill(f"verdict.{verdict.decision}", claim=verdict.claim), _found(verdict)]
    decidable = not verdict.exact and verdict.claim.kind not in ("zcdp", "gdp")
    if verdict.quantity == "breaking_pairs":
        return " ".join(said)
    if verdict.decision == "fails":
        said.append(witness_in_words(verdict.witness))
        if verdict.needed is not None and verdict.claim.kind == "adp":
            delta = f"{verdict.claimed:.6g}"
            key = "found.needed" if math.isfinite(verdict.needed) else "found.needed.none"
            said.append(fill(key, delta=delta, needed=at_most(verdict.needed, 6)))
    elif verdict.decision == "undecided" and decidable:
        said.append(fill("found.decidable"))
    return " ".join(said)


def merged_in_words(found: MapSearch) -> str:
    """The fewest outputs that break a claim when they are merged, or that none were found."""
    words = {"claim": found.definition, "searched": found.searched}
    if not found.merged:
        key = "broken" if found.map is not None else "none" if found.complete else "unknown"
        return fill(f"merged.{key}", **words)
    before, after = (at_most(float(each), 6) for each in found.tails())
    pair = {"first": found.first, "second": found.second, "map": found.map}
    return fill("merged", before=before, after=after, **pair, **words)


def witness_in_words(witness: Witness) -> str:
    """Two datasets and a set of outputs, and how likely it is on either."""
    names = _listed(witness.outputs)
    if witness.share is not None:
        coin = fill("witness.coin", output=witness.share[0], share=f"{float(witness.share[1]):.4g}")
        names = fill("witness.and-coin", outputs=names, coin=coin) if names else coin
    if witness.order is not None:
        endless = witness.order == float("inf")
        order = fill("witness.infinity") if endless else f"{witness.order:.6g}"
        return fill("witness.order", first=witness.first, second=witness.second, order=order)
    if not names:
        return fill("witness.none")
    one, other = (
        f"{float(p):.6g}" for p in (witness.probability_first, witness.probability_second)
    )
    if not witness.second:
        return fill("witness.alone", first=witness.first, outputs=names, one=one)
    return fill(
        "witness",
        outputs=names,
        one=one,
        first=witness.first,
        other=other,
        second=witness.second,
    )


def lines_in_words(made: Examined) -> list[str]:
    """Sentences on what was audited, and how."""
    relation, table = made.audit.relation, made.audit.mechanism
    number = len(relation)
    pairs = fill("audited.pairs.one" if number == 1 else "audited.pairs", number=number)
    ways = fill(f"audited.ways.{'both' if relation.symmetric else 'one'}")
    how = fill(f"audited.how.{'exact' if made.exact else 'floating'}")
    return [
        fill("audited.size", datasets=table.size, outputs=len(table.outputs)),
        fill("audited.neighbors", relation=relation.label, pairs=pairs, ways=ways),
        fill("audited.how", how=how),
    ]


def sample_in_words(found: SampledFinding, made: BlackBox) -> str:
    """A lower bound from samples, never as a proof."""
    least = at_least(float(found.answer), 4)
    return fill(
        "sample",
        confidence=f"{made.confidence:g}",
        what=fill(f"sample.{found.asked}", at=f"{found.at:g}", least=least),
        rule=found.rule,
        hits=found.hits[0],
        held_out=found.held_out[0],
        likelier=found.likelier,
        other_hits=found.hits[1],
        other_held_out=found.held_out[1],
        other=made.names[1 - made.names.index(found.likelier)],
    )


def _found(verdict: Verdict) -> str:
    """The number that decides a claim, beside what was claimed."""
    if verdict.quantity == "breaking_pairs":
        first, second = verdict.witness.first, verdict.witness.second
        key = f"found.pairs{'' if verdict.upper else '.0'}"
        return fill(key, most=f"{verdict.upper:.0f}", first=first, second=second)
    most, least = at_most(verdict.upper, 6), at_least(verdict.lower, 6)
    both = verdict.claim.kind == "pdp-both"
    words = fill(f"quantity.{'tail_both' if both else verdict.quantity}")
    name = words[0].upper() + words[1:] if words != "delta" else words
    return fill(
        f"found.{_how(verdict)}",
        quantity=name,
        least=least,
        most=most,
        claimed=f"{verdict.claimed:.6g}",
        excess=at_least(verdict.excess, 3),
        within=f"{verdict.within:g}",
    )


def _how(verdict: Verdict) -> str:
    """How the number lies to what was claimed, as far as six digits show."""
    if verdict.decision == "fails":
        return "infinite" if math.isinf(verdict.lower) else "more"
    if verdict.decision == "undecided":
        return "close"
    if verdict.lower > verdict.claimed:
        return "within"
    above = float(rounded(verdict.upper, 6, upper=True)) > verdict.claimed
    return "same" if above else "most"


def _listed(outputs: tuple[str, ...]) -> str:
    if len(outputs) <= MOST_OUTPUTS:
        return ", ".join(outputs)
    return fill("witness.more", outputs=", ".join(outputs[:MOST_OUTPUTS]), number=len(outputs))


def allowances(sheet: BudgetSheet) -> tuple[str, ...]:
    """Sentences for every promise and all noise of a sheet."""
    number = sheet.together.releases
    lines = [
        _allowed(found, costs, number)
        for found, costs in zip(sheet.promises, sheet.costs, strict=True)
    ]
    false = [cannot_keep(found, found.release) for found in sheet.contradicted]
    noise = [_noise(found, number) for found in sheet.noise]
    return (*false, *lines, *noise, *map(_trained, sheet.trainings))


def prospects(plan: Plan) -> tuple[str, ...]:
    """Sentences for how many more releases there may be."""
    false = (cannot_keep(found, found.release) for found in plan.contradicted)
    return (*false, *_prospects(plan))


def _prospects(plan: Plan) -> tuple[str, ...]:
    best = plan.best
    before = len(best.together.spent)
    when, made = "more" if before else "total", ""
    if before:
        others = before > len(best.each)
        which = ("both" if others else "like") if plan.done else "others"
        made = fill(f"prospect.made.{which}", done=count(plan.done))
    if best.status == "no limit":
        return (fill(f"prospect.{when}.any", number=best.number, made=made),)
    if best.number == 0:
        by = fill("prospect.by", rule=plan.rule) if plan.rule else ""
        return (fill(f"prospect.{when}.none", reason=best.reason, by=by),)
    many = "one" if best.number == 1 else "many"
    first = f"{fill(f'prospect.{when}.{many}', number=best.number, made=made)} {_left(best)}"
    over = best.one_more
    if over is None:
        return (first,)
    size = fill("prospect.size.endless")
    if math.isfinite(float(over)):
        size = fill("prospect.size", most=at_most(float(over), DIGITS))
    known = ("over.own" if best.own else "over") if best.certain else "unsure"
    return first, fill(f"prospect.{when}.{known}", number=best.number + 1, size=size)


def cost_in_words(cost: NoiseCost) -> str:
    """The error of one published number, in words."""
    what = "count" if cost.kind in ("geometric", "discrete-gaussian") else "number"
    found = chance(cost.coverage, upper=False)
    cases = fill("cases.of", count=count(int(found.cases)), of=count(found.of))
    share = fill(f"chances.{found.kind}", chances=cases)
    return fill(f"noise.cost.{what}", most=at_most(cost.off_by, 3), share=share)


def promise_in_words(found: Allowed) -> str:
    """The promise of each release, with its largest parameter rounded down."""
    delta = 0.0 if found.guarantee is None else found.guarantee.parameters.get("delta", 0.0)
    return fill(
        "allowed.promise.delta" if delta else "allowed.promise",
        name=_name(found),
        parameter=found.parameter,
        most=at_least(float(found.value), DIGITS),
        delta=at_least(delta, DIGITS),
    )


def _allowed(found: Allowed, costs: tuple[NoiseCost, ...], number: int) -> str:
    if found.status != "limited":
        which = "any" if found.status == "no limit" else "none"
        return fill(f"allowed.{which}", name=_name(found), reason=found.reason)
    rule = found.together.rule
    by = "" if rule == "best" or number == 1 else fill("allowed.rule", rule=rule)
    who = "allowed.one" if number == 1 else "allowed.many"
    said = [fill(who, number=number, promise=promise_in_words(found), rule=by)]
    wanted = "geometric" if found.definition == "pure" else "discrete-gaussian"
    fitting = [cost for cost in costs if cost.kind == wanted] or list(costs[-1:])
    for cost in fitting:
        said.append(fill("noise.taken", noise=_width(cost), cost=cost_in_words(cost)))
    return " ".join(said)


def _trained(found: TrainingFound) -> str:
    """A training with DP-SGD that keeps the limits; or why there is none."""
    run = found.training
    if run is None:
        return found.reason
    is_least = found.unknown == "noise_multiplier"
    digits = 10 if found.unknown in ("steps", "batch_size") else 7
    keeps, breaks = (at_most, at_least) if is_least else (at_least, at_most)
    next_one = ""
    if found.breaks_at is not None:
        next_one = fill("training.breaks", value=breaks(found.breaks_at, digits))
    return fill(
        f"training.{found.unknown}",
        value=keeps(float(found.value), digits),
        breaks=next_one,
        sampling=run.sampling,
        noise=short(run.noise_multiplier),
        steps=count(run.count() or 0),
        rate=f"{run.rate:.6g}",
    )


def _noise(found: Calibrated, number: int) -> str:
    if found.cost is None:
        which = "any" if found.status == "no limit" else "none"
        name = fill(f"mechanism.{found.kind}")
        return fill(f"noise.{which}", name=name, reason=found.reason)
    width, cost = _width(found.cost), cost_in_words(found.cost)
    enough = "noise.enough.one" if number == 1 else "noise.enough.many"
    return fill(enough, noise=f"{width[0].upper()}{width[1:]}", number=number, cost=cost)


def _name(found: Allowed) -> str:
    key = f"definition.{found.definition}"
    return fill(key) if has(key) else found.definition


def _width(cost: NoiseCost) -> str:
    return fill(
        "noise.width",
        name=fill(f"mechanism.{cost.kind}"),
        parameter=cost.parameter,
        width=at_most(cost.width, DIGITS),
    )


def _left(found: Fitting) -> str:
    most, limit = at_most(float(found.measured), DIGITS), short(found.limit.most)
    quantity = fill(f"prospect.{found.limit.to_dict()['metric']}")
    return fill("prospect.left", quantity=quantity, most=most, limit=limit)
