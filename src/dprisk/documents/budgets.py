"""Budgets in words: what may be promised, what it costs, how many more releases there may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dprisk.documents.promises import cannot_keep
from dprisk.text import count, fill, has
from dprisk.text.rounding import at_least, at_most, chance, short

if TYPE_CHECKING:
    from dprisk.budget.counting import Fitting, Plan
    from dprisk.budget.largest import Allowed
    from dprisk.budget.noise import Calibrated, NoiseCost
    from dprisk.budget.sheet import BudgetSheet

DIGITS = 6


def allowances(sheet: BudgetSheet) -> tuple[str, ...]:
    """Sentences for every promise and all noise of a sheet."""
    number = sheet.together.releases
    lines = [
        _promise(found, costs, number)
        for found, costs in zip(sheet.promises, sheet.costs, strict=True)
    ]
    false = [cannot_keep(found, found.release) for found in sheet.contradicted]
    return (*false, *lines, *(_noise(found, number) for found in sheet.noise))


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


def _promise(found: Allowed, costs: tuple[NoiseCost, ...], number: int) -> str:
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
