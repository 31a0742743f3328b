"""What a ladder is made of: one bound a rung, for any number of releases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, final, get_args

import numpy as np

from dprisk._checks import PROBABILITY, one_of, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import posteriors, stay, steepest
from dprisk._values import brief, members, plain, result
from dprisk.guarantees.base import Neighbors
from dprisk.theorems import Theorem

LADDER = "dprisk/ladder/1"

Metric = Literal["posterior", "difference"]
METRICS: Final[tuple[Metric, ...]] = get_args(Metric)
Scope = Literal["promise", "mechanism", "raw output"]
LossBracket = tuple[float | None, float]
Shift = Callable[[int], LossBracket]
"""From a number of releases to epsilon': at least, where that is known, and at most."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Rung:
    """One way to bound what can be learned. Made by `ladder`.

    Parameters
    ----------
    name : str
        Which theorem it climbs by, in a few words.
    refines : tuple of str
        The rungs that it is never worse than.
    holds_for : {"promise", "mechanism", "raw output"}
        ``promise``: every mechanism that keeps the promise, and whatever is computed from its
        output later. ``mechanism``: the mechanism named, and whatever is computed later.
        ``raw output``: the output of that mechanism as it is, and nothing else.
    given : bool
        Whether that is what was given. False for Gaussian noise under a promise of zCDP, which does
        not say that Gaussian noise is run.
    theorems : tuple of Theorem
        Where it comes from: composition first, then what leads to the log-odds.
    losses : ndarray
        epsilon' for each number of releases: the log-odds move by at most this. [0, inf], nats
    values : ndarray
        What is bounded, for each number of releases; never below the truth. [0, 1]
    lower : ndarray or None
        The other end, where it is known: no bound below it holds. [0, 1]
    shift : callable
        epsilon' for any number of releases: at least (None where that is not known), and at most.
    period : int
        Bounds never fall from one number of releases to another that is so many further; 0 if they
        may fall anywhere. [0, 2]
    """

    name: str
    refines: tuple[str, ...]
    holds_for: Scope
    given: bool
    theorems: tuple[Theorem, ...]
    losses: Floats
    values: Floats
    lower: Floats | None
    shift: Shift = field(repr=False, compare=False)
    period: int = field(repr=False)

    def __repr__(self) -> str:
        return f"<Rung {self.name!r}: {self.holds_for}; {brief(self.values, 'at most')}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            An infinite loss is None.
        """
        return {
            **members(self, "name", "refines", "holds_for", "given"),
            "bound": "upper",
            "theorems": plain(self.theorems),
            "citations": [theorem.citation for theorem in self.theorems],
            **members(self, "losses", "values", "lower"),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Ladder:
    """The same question by ever better theorems, for growing numbers of releases. Made by `ladder`.

    Parameters
    ----------
    subject : str
        What is released again and again.
    releases : tuple of int
        Numbers of releases. [1, 10^9]
    metric : {"posterior", "difference"}
        Belief at the prior, or the largest change of belief over every prior.
    prior : float
        Belief before the first release; without meaning for the difference. [0, 1]
    confidence : float or None
        Probability with which each bound holds; None: certainty. (0, 1)
    delta : float or None
        The delta at which composition theorems are stated; None: certainty needs none. (0, 1)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    rungs : tuple of Rung
        From the first theorem to the last.
    """

    subject: str
    releases: tuple[int, ...]
    metric: Metric
    prior: float
    confidence: float | None
    delta: float | None
    neighbors: Neighbors
    rungs: tuple[Rung, ...]

    def rung(self, name: str) -> Rung:
        """One of the rungs.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Rung
            With its bounds.

        Raises
        ------
        InvalidInput
            If there is none of that name.
        """
        names = [rung.name for rung in self.rungs]
        return self.rungs[names.index(one_of("rung", name, names))]

    def best(self, among: Sequence[Rung] | None = None) -> Rung:
        """The rung that counts: the least bound for all that is computed from what was given.

        Parameters
        ----------
        among : sequence of Rung, optional
            Which are looked at; left out, all.

        Returns
        -------
        Rung
            Least at the largest number of releases; of equals, the last.
        """
        at = self.releases.index(max(self.releases))
        rungs = among or self.rungs
        true = [rung for rung in rungs if rung.given and rung.holds_for != "raw output"]
        return min(reversed(true or rungs), key=lambda rung: float(rung.values[at]))

    def until(self, limit: float, rungs: Sequence[str] | None = None) -> dict[str, int | None]:
        """The first number of releases at which each bound exceeds a limit.

        Parameters
        ----------
        limit : float
            Largest value tolerated. [0, 1]
        rungs : sequence of str, optional
            Which bounds; left out, all.

        Returns
        -------
        dict of str to int or None
            By name of the rung; None where the bound keeps the limit up to the largest number of
            releases that the ladder was made for.

        Raises
        ------
        OutOfRange
            If `limit` is outside [0, 1] or NaN.
        """
        most = scalar("limit", limit, PROBABILITY)
        wanted = [rung for rung in self.rungs if rungs is None or rung.name in rungs]
        found: dict[str, int | None] = {}
        for rung in wanted:
            coarser = [found[name] for name in rung.refines if name in found]
            found[rung.name] = self._first_over(rung, most, coarser)
        return found

    def to_dict(self, limit: float | None = None) -> dict[str, Any]:
        """The ladder as plain data: what the figures are drawn from.

        Parameters
        ----------
        limit : float, optional
            Adds the first number of releases at which each bound exceeds it. [0, 1]

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk ladder``.
        """
        first = None if limit is None else self.until(limit)
        rungs = [rung.to_dict() for rung in self.rungs]
        for rung in rungs:
            rung["first_over"] = None if first is None else first[rung["name"]]
        return {
            "schema": LADDER,
            **members(self, "subject", "neighbors", "metric"),
            "prior": self.prior if self.metric == "posterior" else None,
            **members(self, "confidence", "delta"),
            "limit": limit,
            "releases": list(self.releases),
            "rungs": rungs,
        }

    def __repr__(self) -> str:
        size = f"{len(self.rungs)} rungs, up to {max(self.releases)}"
        return f"<Ladder of {brief(self.subject)}: {size}>"

    def _first_over(self, rung: Rung, limit: float, coarser: list[int | None]) -> int | None:
        """Nowhere before the bounds that it refines are over the limit as well."""
        known = dict(zip(self.releases, rung.values.tolist(), strict=True))

        def over(number: int) -> bool:
            if number not in known:
                known[number] = float(read(self.metric, self.prior, rung.shift(number)[1]))
            return bool(known[number] > limit)

        if None in coarser:
            return None
        least, most = max([1, *(first for first in coarser if first)]), max(self.releases)
        if not rung.period:
            return next((number for number in range(least, most + 1) if over(number)), None)
        firsts = [
            _first(over, start, rung.period, most, list(known))
            for start in range(least, min(least + rung.period - 1, most) + 1)
        ]
        return min((first for first in firsts if first is not None), default=None)


def read(metric: Metric, prior: float, losses: Any) -> Any:
    """What a bound on the log-odds says about the belief (P0, Theorem 3.2 and 3.5(1))."""
    if metric == "posterior":
        e = np.asarray(losses, dtype=float)
        return posteriors(np.full(e.shape, prior), stay(e))[1]
    return steepest(np.asarray(losses, dtype=float))


def _first(
    over: Callable[[int], bool], start: int, step: int, most: int, known: list[int]
) -> int | None:
    """First of start, start + step, ... up to `most` that is over, where the rest are as well."""
    low, high = -1, (most - start) // step  # in steps
    for number in sorted(known):
        if (number - start) % step == 0 and number >= start:
            at = (number - start) // step
            if over(number):
                high = min(high, at)
                break
            low = at
    if low >= high or not over(start + high * step):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if over(start + middle * step) else (middle, high)
    return start + high * step
