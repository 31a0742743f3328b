"""Post-processing that breaks a definition: found, smallest first, and the worst there is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

from dprisk._values import result
from dprisk.audit.exact import ExactAudit
from dprisk.audit.exp_epsilon import Growth, chance
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.maps import OutputMap, fresh, joined
from dprisk.audit.merge_search import smallest_blocks
from dprisk.audit.pairs import Row, tail
from dprisk.audit.properties import (
    Compared,
    Property,
    as_property,
    breaking_pair,
    exact_rows,
    ordered,
)
from dprisk.audit.relation import related
from dprisk.errors import InvalidInput, Meaningless

__all__ = ["MapSearch", "WorstMap", "breaking_map", "worst_map"]

MAPS: Final = 25_000  # maps to be tried where none is ruled out in advance
DIGITS: Final = 60


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class MapSearch:
    """What a search for a post-processing came to. Made by `breaking_map`.

    Parameters
    ----------
    definition : Property
        What was to be broken.
    mechanism : FiniteMechanism
        Before the map.
    map : OutputMap or None
        The map with the fewest outputs merged that breaks it; None if none was found. Empty where
        the mechanism itself does not keep the definition.
    first, second : str
        Labels of the datasets that show it, the output drawn from the first; empty without a map.
    complete : bool
        Whether every deterministic map that merges fewer outputs (with no map: every one at all)
        was looked at or ruled out.
    searched : str
        What was looked at, in words.
    """

    definition: Property
    mechanism: FiniteMechanism
    map: OutputMap | None
    first: str
    second: str
    complete: bool
    searched: str

    @property
    def after(self) -> FiniteMechanism | None:
        """The mechanism after the map."""
        return None if self.map is None else self.map.apply(self.mechanism)

    @property
    def merged(self) -> tuple[str, ...]:
        """The outputs that are merged."""
        return () if self.map is None else tuple(self.map.sends)

    def tails(self) -> tuple[Fraction, Fraction]:
        """How likely the loss of that pair exceeds epsilon, before and after the map.

        Returns
        -------
        tuple of Fraction
            One-sided or two-sided, as the definition has it. [0, 1]

        Raises
        ------
        Meaningless
            If there is no map, or the definition has no epsilon.
        """
        after, growth = self.after, self.definition.growth
        if after is None or growth is None:
            raise Meaningless("There is no map to compare, or no epsilon to compare it at.")
        both = self.definition.sides == "both"
        found = []
        for table in (self.mechanism, after):
            rows = dict(zip(table.datasets, exact_rows(table), strict=True))
            found.append(tail(rows[self.first], rows[self.second], growth, both=both))
        return found[0], found[1]

    def profile(self, growth: Any) -> tuple[Fraction, Fraction]:
        """The delta of approximate DP of that pair before and after: never above, after.

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)

        Returns
        -------
        tuple of Fraction
            Exact. [0, 1]

        Raises
        ------
        Meaningless
            If there is no map.
        """
        after = self.after
        if after is None:
            raise Meaningless("There is no map to compare.")
        pairs = [(self.first, self.second)]
        found = [
            ExactAudit(table, related(table, pairs)).delta(growth).value
            for table in (self.mechanism, after)
        ]
        return Fraction(found[0]), Fraction(found[1])

    def to_dict(self) -> dict[str, Any]:
        """The search as plain data.

        Returns
        -------
        dict
            Fractions as text.
        """
        return {
            "property": self.definition.name,
            "map": None if self.map is None else self.map.to_dict(),
            "first": self.first or None,
            "second": self.second or None,
            "complete": self.complete,
            "searched": self.searched,
        }

    def __repr__(self) -> str:
        return f"<MapSearch: {self.map if self.map is not None else 'none found'}>"


def breaking_map(
    mechanism: FiniteMechanism, definition: Any, *, neighbors: Compared = "all"
) -> MapSearch:
    """The deterministic post-processing with the fewest outputs merged that breaks a property.

    Parameters
    ----------
    mechanism : FiniteMechanism
        Read in exact fractions.
    definition : Property, Guarantee, Claim, str or callable
        What is to be broken, as in `as_property`.
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are compared.

    Returns
    -------
    MapSearch
        With the map, or without one.

    Raises
    ------
    NoConversion
        If `definition` is not decided here.

    Notes
    -----
    For probabilistic DP a knapsack is searched by the number of outputs merged; one-sided,
    where no randomised map breaks it (pbdp holds with the same numbers) none is sought. For any
    other property all ways to merge outputs are tried, up to 25,000.

    P4's Theorem 2 says that a merged set breaks every "non-trivial" delta-approximate property.
    Its last step needs a property that looks at nothing but the total probabilities of a
    set; for others, such as a bound on a Rényi divergence, there may be no map.

    References
    ----------
    .. [1] P4, Theorems 1 and 2.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism, Property, breaking_map
    >>> rows = [["0.01", "0.616", "0.374", 0], [0, "0.374", "0.616", "0.01"]]
    >>> made = FiniteMechanism(rows, outputs=("0", "1", "2", "3"))
    >>> found = breaking_map(made, Property.probabilistic("0.5", "0.01"))
    >>> print(found.map, *(round(float(t), 4) for t in found.tails()))
    0 + 1 → ⊥ 0.01 0.626
    """
    wanted = as_property(definition)
    broken = breaking_pair(wanted, mechanism, neighbors)
    if broken is not None:
        said = "the mechanism itself does not keep it"
        return MapSearch(wanted, mechanism, OutputMap({}), *broken, True, said)
    if wanted.kind == "probabilistic":
        return _by_knapsack(mechanism, wanted, neighbors)
    return _by_trial(mechanism, wanted, neighbors)


def _by_knapsack(mechanism: FiniteMechanism, wanted: Property, neighbors: Compared) -> MapSearch:
    rows, growth = exact_rows(mechanism), wanted.growth
    if growth is None:
        raise AssertionError
    both = wanted.sides == "both"
    ceiling = Property.bounded(growth, wanted.delta)
    best, complete = None, True
    for a, b in ordered(mechanism, neighbors):
        if not both and ceiling.predicate(rows[a], rows[b]):
            continue
        most = best[0].size if best else None
        found, certain = smallest_blocks(
            rows[a], rows[b], growth, wanted.delta, both=both, most=most
        )
        complete &= certain
        if found is not None and (best is None or found.size < best[0].size):
            best = found, a, b
    count = len(mechanism.outputs)
    searched = f"every deterministic map of the {count} outputs, by the number of those merged"
    if not complete:
        searched = f"maps of the {count} outputs; the search for the smallest was cut short"
    if best is None:
        return MapSearch(wanted, mechanism, None, "", "", complete, searched)
    blocks, a, b = best
    names = mechanism.datasets
    made = joined(mechanism, blocks.named())
    return MapSearch(wanted, mechanism, made, names[a], names[b], complete, searched)


def _by_trial(mechanism: FiniteMechanism, wanted: Property, neighbors: Compared) -> MapSearch:
    rows, among = exact_rows(mechanism), ordered(mechanism, neighbors)
    count = len(mechanism.outputs)
    tried = 0
    for blocks in ways_to_merge(count):
        if tried == MAPS:
            searched = f"{tried} deterministic maps of the {count} outputs, smallest first"
            return MapSearch(wanted, mechanism, None, "", "", False, searched)
        tried += 1
        merged = [merged_row(row, blocks) for row in rows]
        for a, b in among:
            if not wanted.predicate(merged[a], merged[b]):
                names, made = mechanism.datasets, joined(mechanism, blocks)
                searched = f"{tried} deterministic maps of the {count} outputs, smallest first"
                return MapSearch(wanted, mechanism, made, names[a], names[b], True, searched)
    searched = f"all {tried} deterministic maps of the {count} outputs"
    return MapSearch(wanted, mechanism, None, "", "", True, searched)


def ways_to_merge(count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to merge some of the outputs: fewest merged first, then fewest blocks."""
    for size in range(2, count + 1):
        for number in range(1, size // 2 + 1):
            for members in itertools.combinations(range(count), size):
                yield from _blocks_of(members, number)


def _blocks_of(members: tuple[int, ...], number: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to put members into a number of blocks of two or more."""
    if number == 1:
        yield (members,)
        return
    first, rest = members[0], members[1:]
    for size in range(1, len(rest) - 2 * (number - 1) + 1):
        for with_it in itertools.combinations(rest, size):
            left = tuple(n for n in rest if n not in with_it)
            for others in _blocks_of(left, number - 1):
                yield ((first, *with_it), *others)


def merged_row(row: Row, blocks: tuple[tuple[int, ...], ...]) -> Row:
    """A distribution after a merge: what stays, then the blocks."""
    inside = {n for block in blocks for n in block}
    stay = [value for n, value in enumerate(row) if n not in inside]
    return (*stay, *(sum((row[n] for n in block), Fraction(0)) for block in blocks))


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class WorstMap:
    """The largest one-sided tail that any post-processing reaches. Made by `worst_map`.

    Parameters
    ----------
    first, second : str
        Labels of the datasets; the output is drawn from the first.
    supremum : tuple of Fraction
        How likely the loss exceeds epsilon after the worst map, between these two: pbdp. They are
        equal where the growth is rational. [0, 1]
    map : OutputMap or None
        A map that comes close to it; None where no loss exceeds epsilon at all.
    reached : Fraction
        How likely the loss exceeds epsilon after this map. [0, 1]
    """

    first: str
    second: str
    supremum: tuple[Fraction, Fraction]
    map: OutputMap | None
    reached: Fraction

    def __repr__(self) -> str:
        return f"<WorstMap: {float(self.reached):.6g} of {float(self.supremum[1]):.6g}>"


def worst_map(
    mechanism: FiniteMechanism,
    epsilon: Any,
    *,
    neighbors: Compared = "all",
    within: Any = "1e-9",
) -> WorstMap:
    """The post-processing, coins allowed, after which the loss exceeds epsilon most often.

    Parameters
    ----------
    mechanism : FiniteMechanism
        Read in exact fractions.
    epsilon : Fraction, int, float, str or Growth
        Privacy loss limit. [0, 700], nats
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are compared.
    within : Fraction, float or str
        How close to the supremum the map has to come, relatively. (0, 1)

    Returns
    -------
    WorstMap
        Its supremum is the delta of pbdp, from `ExactAudit.bounded`; it is approached, seldom
        reached: at the supremum itself the loss is epsilon, not above.

    Raises
    ------
    OutOfRange
        If `epsilon` or `within` is out of range or not rational.

    References
    ----------
    .. [1] P1, Definitions 5.2 to 5.4.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism, Growth, worst_map
    >>> table = FiniteMechanism([["1/10", "1/10", "8/10"], ["1/100", "6/100", "93/100"]])
    >>> found = worst_map(table, Growth(2))
    >>> print(found.supremum[1], found.map)
    13/53 y1 + y2 → ⊥; y3 → ⊥ (0.05660377353) or y3 (0.94339622647)
    """
    growth, slack = Growth.of(epsilon), chance("within", within)
    if not 0 < slack < 1:
        raise InvalidInput("within", str(slack), "a number in (0, 1)")
    laboratory = ExactAudit(mechanism, related(mechanism, neighbors))
    low, high = growth.bracket(DIGITS)
    above, below = laboratory.bounded(low), laboratory.bounded(high)
    shows, supremum = below.witness, (Fraction(below.value), Fraction(above.value))
    if not shows.outputs:
        return WorstMap(shows.first, shows.second, supremum, None, Fraction(0))
    ends = (mechanism.datasets.index(end) for end in (shows.first, shows.second))
    p, q = (exact_rows(mechanism)[end] for end in ends)
    shares = dict.fromkeys((mechanism.outputs.index(name) for name in shows.outputs), Fraction(1))
    if shows.share is not None:
        shares[mechanism.outputs.index(shows.share[0])] = Fraction(shows.share[1])
    made = _short_of(mechanism, p, q, growth, shares, slack)
    after = made.apply(mechanism)
    rows = dict(zip(after.datasets, exact_rows(after), strict=True))
    reached = tail(rows[shows.first], rows[shows.second], growth)
    return WorstMap(shows.first, shows.second, supremum, made, reached)


def _short_of(
    mechanism: FiniteMechanism,
    p: Row,
    q: Row,
    growth: Growth,
    shares: dict[int, Fraction],
    slack: Fraction,
) -> OutputMap:
    """A map that stays a little short of the supremum, where its loss would be epsilon itself."""
    name, names = fresh(mechanism), mechanism.outputs
    last = min(shares, key=lambda n: p[n] / (p[n] + q[n]))
    sums = [sum((row[n] * share for n, share in shares.items()), Fraction(0)) for row in (p, q)]
    if shares[last] < 1 or not growth.exceeded(*sums):
        shares[last] = _short_decimal(shares[last] * (1 - slack), shares[last])
    sends: dict[str, Any] = {
        names[n]: name if share == 1 else {name: share, names[n]: 1 - share}
        for n, share in shares.items()
    }
    return OutputMap(sends)


def _short_decimal(low: Fraction, high: Fraction) -> Fraction:
    """The decimal with the fewest places in [low, high)."""
    unit = 1
    while (found := Fraction(-(-low * unit // 1), unit)) >= high:
        unit *= 10
    return found
