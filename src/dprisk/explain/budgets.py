"""Budgets in words: what may be promised, what it costs, how many more releases there may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dprisk.explain.composed import short
from dprisk.explain.rounding import at_least, at_most, chances

if TYPE_CHECKING:
    from dprisk.budget import (
        Allowed,
        BudgetSheet,
        Calibrated,
        Fitting,
        NoiseCost,
        Plan,
        Tolerance,
    )

__all__ = ["allowances", "limit_in_words", "prospects"]

DIGITS = 6
NAMES = {
    "pure": "pure DP",
    "approximate": "approximate DP",
    "concentrated": "zCDP",
    "gaussian": "Gaussian DP",
}
NOISES = {
    "geometric": "geometric noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "discrete-gaussian": "discrete Gaussian noise",
}
SECRETS = {
    "membership": "that the target is in the data",
    "attribute": "that the target has a certain value",
}


def limit_in_words(limit: Tolerance) -> str:
    """What is limited, in a phrase.

    Parameters
    ----------
    limit : Tolerance
        Any limit.

    Returns
    -------
    str
        With its numbers as they were given.

    Examples
    --------
    >>> from dprisk.budget import AttackLimit, InformedLimit
    >>> from dprisk.explain import limit_in_words
    >>> print(limit_in_words(AttackLimit("power", 0.2, level=0.05)))
    the power of a test at level 0.05 is at most 0.2
    >>> print(limit_in_words(InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99)))
    a belief of 0.5 that the target is in the data becomes at most 0.8, with a confidence of 0.99
    """
    data = limit.to_dict()
    most = "anything" if data["limit"] is None else short(data["limit"])
    metric: str = data["metric"]
    prior: Any = data.get("prior")
    if metric == "profile":
        return "the risk profile is kept" + _chance(data)
    if metric == "epsilon":
        return f"epsilon is at most {most} at a delta of {short(data['delta'])}"
    if metric == "advantage":
        return f"the advantage of a test is at most {most}"
    if metric == "power":
        return f"the power of a test at level {short(data['level'])} is at most {most}"
    if metric == "predictive_value":
        at = f"at level {short(data['level'])}"
        return f"an alarm {at} turns a belief of {short(prior)} into at most {most}"
    what = SECRETS[data["secret"]]
    if metric == "posterior":
        said = f"a belief of {short(prior)} {what} becomes at most {most}"
    elif metric == "odds":
        said = f"the odds {what} change by a factor of at most {most}"
    else:
        at = "at every prior" if prior is None else f"from {short(prior)} before"
        noun = {
            "difference": f"a belief {what} changes by at most {most}",
            "ratio": f"a belief {what} is afterwards at most {most} of what it was before",
            "ratio_not": f"the opposite of a belief {what} is afterwards at most {most} of what it "
            "was before",
        }[metric]
        said = f"{noun}, {at}"
    return said + _chance(data)


def allowances(sheet: BudgetSheet) -> tuple[str, ...]:
    """Sentences for every promise and all noise of a sheet.

    Parameters
    ----------
    sheet : BudgetSheet
        What `budgets` returned.

    Returns
    -------
    tuple of str
        Each true by itself, rounded to the safe side.

    Examples
    --------
    >>> from dprisk.budget import AttackLimit, budgets
    >>> from dprisk.explain import allowances
    >>> limit = AttackLimit("power", 0.2, level=0.05)
    >>> sheet = budgets([limit], definitions=["pure"], noises=["laplace"], releases=12)
    >>> print(*allowances(sheet), sep="\\n")
    Each of 12 releases may keep pure DP with epsilon up to 0.239328. That takes geometric noise \
of scale 4.17837: a published count is off by at most 12 in 95 of 100 cases.
    Laplace noise of scale 4.10577 keeps the limit for 12 releases: a published number is off by \
at most 12.3 in 95 of 100 cases.
    """
    number = sheet.together.releases
    lines = [
        _promise(found, costs, number)
        for found, costs in zip(sheet.promises, sheet.costs, strict=True)
    ]
    return (*lines, *(_noise(found, number) for found in sheet.noise))


def prospects(plan: Plan) -> tuple[str, ...]:
    """Sentences for how many more releases there may be.

    Parameters
    ----------
    plan : Plan
        What `plan` returned.

    Returns
    -------
    tuple of str
        The rule that allows most first; rounded to the safe side.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.budget import InformedLimit, plan
    >>> from dprisk.explain import prospects
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> made = plan([limit], PureDP(0.05, neighbors="add-remove"))
    >>> print(*prospects(made), sep="\\n")
    133 more releases keep the limit. What is limited is then at most 0.79949, of 0.8 tolerated.
    With one more, some releases that keep the same promise go beyond it, up to 0.800403.
    """
    best = plan.best
    if best.status == "no limit":
        return (f"At least {best.number} more releases keep the limit.",)
    if best.number == 0:
        return (f"Not one more release keeps the limit. {best.reason}",)
    many = "1 more release keeps" if best.number == 1 else f"{best.number} more releases keep"
    first = f"{many} the limit. {_left(best)}"
    over = best.one_more
    if over is None:
        return (first,)
    size = f"up to {at_most(float(over), DIGITS)}" if math.isfinite(float(over)) else "without end"
    what = "these go" if best.own else "some releases that keep the same promise go"
    said = f"With one more, {what} beyond it, {size}."
    if not best.certain:
        said = f"With one more, all that is known is {size}."
    return first, said


def cost_in_words(cost: NoiseCost) -> str:
    """By how much one published number is off."""
    what = "count" if cost.kind in ("geometric", "discrete-gaussian") else "number"
    share = chances(cost.coverage, upper=False).replace(" in ", " of ")
    return f"a published {what} is off by at most {at_most(cost.off_by, 3)} in {share} cases"


def promise_in_words(found: Allowed) -> str:
    """The promise of each release, with its largest parameter rounded down."""
    name = NAMES.get(found.definition, found.definition)
    said = f"{name} with {found.parameter} up to {at_least(float(found.value), DIGITS)}"
    delta = 0.0 if found.guarantee is None else found.guarantee.parameters.get("delta", 0.0)
    return said + (f" and delta {short(delta)}" if delta else "")


def _promise(found: Allowed, costs: tuple[NoiseCost, ...], number: int) -> str:
    name = NAMES.get(found.definition, found.definition)
    if found.status == "no limit":
        return f"No limit on {name}: {found.reason}"
    if found.status == "infeasible":
        return f"Nothing for {name}: {found.reason}"
    who = "The release" if number == 1 else f"Each of {number} releases"
    rule = found.together.rule
    by = "" if rule == "best" or number == 1 else f" by {rule} composition"
    said = f"{who} may keep {promise_in_words(found)}{by}."
    wanted = "geometric" if found.definition == "pure" else "discrete-gaussian"
    fitting = [cost for cost in costs if cost.kind == wanted] or list(costs[-1:])
    for cost in fitting:
        said += f" That takes {_width(cost)}: {cost_in_words(cost)}."
    return said


def _noise(found: Calibrated, number: int) -> str:
    if found.cost is None:
        name = NOISES[found.kind]
        start = "No need of" if found.status == "no limit" else "Nothing by"
        return f"{start} {name}: {found.reason}"
    many = "the release" if number == 1 else f"{number} releases"
    width = _width(found.cost)
    return f"{width[0].upper()}{width[1:]} keeps the limit for {many}: {cost_in_words(found.cost)}."


def _width(cost: NoiseCost) -> str:
    return f"{NOISES[cost.kind]} of {cost.parameter} {at_most(cost.width, DIGITS)}"


def _left(found: Fitting) -> str:
    value, limit = float(found.measured), found.limit.most
    return f"What is limited is then at most {at_most(value, DIGITS)}, of {short(limit)} tolerated."


def _chance(data: dict[str, object]) -> str:
    confidence = data["confidence"]
    if confidence is None:
        return ", with certainty"
    return f", with a confidence of {short(float(str(confidence)))}"
