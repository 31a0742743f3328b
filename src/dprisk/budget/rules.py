"""The largest budget by one composition rule beside the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dprisk.budget.composition_plan import Together, settled
from dprisk.budget.largest import Allowed, Definition, largest_budget
from dprisk.budget.limits import Limit
from dprisk.composition.composing import RULES
from dprisk.errors import Meaningless
from dprisk.guarantees.base import Neighbors


def by_every_rule(
    limit: Limit,
    definition: Definition,
    *,
    neighbors: Neighbors = "add-remove",
    delta: float | None = None,
    releases: int | Together = 1,
    people: int | None = None,
) -> tuple[Allowed, ...]:
    """The largest budget by every composition rule that the definition has.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep.
    definition : {"pure", "approximate", "concentrated", "gaussian", "laplace"}
        What each release promises.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    delta : float, optional
        Of approximate DP, for each release. [0, 1]. Left out, `chosen_delta`.
    releases : int or Together
        How many releases, and so on; its rule is replaced. [1, 10^9]
    people : int, optional
        How many people the data are about: a delta that is chosen is far below one over that.
        [1, 10^9]

    Returns
    -------
    tuple of Allowed
        ``best`` first. Advanced composition is left out where there is no delta to state it at.

    Raises
    ------
    InvalidInput
        As for `largest_budget`.
    OutOfRange
        If a number is outside its range.
    Meaningless
        As for `largest_budget`.

    Examples
    --------
    >>> from dprisk.budget import InformedLimit, Together, by_every_rule
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> for found in by_every_rule(limit, "pure", releases=Together(60, at_delta=1e-6)):
    ...     print(found.together.rule, round(found.value.value, 4))
    best 0.0424
    simple 0.0231
    advanced 0.0325
    optimal 0.0424
    """
    how = settled(releases)
    asked: Any = {"neighbors": neighbors, "delta": delta, "people": people}
    found = [largest_budget(limit, definition, releases=replace(how, rule="best"), **asked)]
    for rule in RULES[1:]:
        if rule == "advanced" and how.at_delta is None and how.slack is None:
            continue
        try:
            with_rule = replace(how, rule=rule)
            found.append(largest_budget(limit, definition, releases=with_rule, **asked))
        except Meaningless:  # the rule has nothing to say about this definition
            continue
    return tuple(found)
