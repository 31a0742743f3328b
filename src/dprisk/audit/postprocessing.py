"""Post-processing that breaks a definition: the smallest merge of outputs, and the worst map."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

from dprisk._checks import INSIDE
from dprisk._values import plain, result
from dprisk.audit.claims import Claim, breaking_pair
from dprisk.audit.exp_epsilon import Growth, chance
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.float_audit import audit
from dprisk.audit.maps import OutputMap, fresh, joined
from dprisk.audit.merge_search import smallest_blocks
from dprisk.audit.pairs import Row, bounded, tail
from dprisk.audit.relation import Compared, ordered
from dprisk.errors import InvalidInput, Meaningless
from dprisk.text import english, fill

MAPS: Final = 25_000  # maps to be tried where none is ruled out in advance
DIGITS: Final = 60


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class MapSearch:
    """What a search for a post-processing came to. Made by `breaking_map`.

    Parameters
    ----------
    definition : Claim
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

    definition: Claim
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
        growth, both = self.definition.growth, self.definition.kind == "pdp-both"
        if growth is None:
            raise Meaningless(fill("audit.map.no-epsilon"))
        found = []
        for table in self._tables():
            rows = dict(zip(table.datasets, table.rows, strict=True))
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
        pairs = [(self.first, self.second)]
        exact = (audit(table, neighbors=pairs).exact for table in self._tables())
        before, after = (Fraction(each.delta(growth).value) for each in exact)
        return before, after

    def _tables(self) -> tuple[FiniteMechanism, FiniteMechanism]:
        if self.after is None:
            raise Meaningless(fill("audit.map.none"))
        return self.mechanism, self.after

    def to_dict(self) -> dict[str, Any]:
        """The search as plain data.

        Returns
        -------
        dict
            Fractions as text.
        """
        return {
            "property": self.definition.name,
            "map": plain(self.map),
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
    definition : Claim, str, Guarantee or callable
        What is to be broken, as in `Claim.of`.
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
    >>> from dprisk.audit import Claim, FiniteMechanism, breaking_map
    >>> rows = [["0.01", "0.616", "0.374", 0], [0, "0.374", "0.616", "0.01"]]
    >>> made = FiniteMechanism(rows, outputs=("0", "1", "2", "3"))
    >>> found = breaking_map(made, Claim.at("pdp", "0.5", "0.01"))
    >>> print(found.map, *(round(float(t), 4) for t in found.tails()))
    0 + 1 → ⊥ 0.01 0.626
    """
    wanted = Claim.of(definition)
    broken = breaking_pair(wanted, mechanism, neighbors)
    if broken is not None:
        said = english("audit.searched.itself")
        return MapSearch(wanted, mechanism, OutputMap({}), *broken, True, said)
    seek = _by_knapsack if wanted.kind in ("pdp", "pdp-both") else _by_trial
    blocks, pair, complete, searched = seek(mechanism, wanted, neighbors)
    made = None if blocks is None else joined(mechanism, blocks)
    return MapSearch(wanted, mechanism, made, *pair, complete, searched)


Sought = tuple[Iterable[Iterable[int]] | None, tuple[str, str], bool, str]
"""Blocks of outputs, the pair that they are merged for, whether that is all, and what was tried."""
NONE: Final = ("", "")


def _by_knapsack(mechanism: FiniteMechanism, wanted: Claim, neighbors: Compared) -> Sought:
    rows, growth, names = mechanism.rows, wanted.growth or Growth(1), mechanism.datasets
    both = wanted.kind == "pdp-both"
    best, pair, complete = None, NONE, True
    for a, b in ordered(mechanism, neighbors):
        p, q = rows[a], rows[b]
        if not both and bounded(p, q, growth, wanted.delta):
            continue
        most = best.size if best else None
        found, certain = smallest_blocks(p, q, growth, wanted.delta, both=both, most=most)
        complete &= certain
        if found is not None and (best is None or found.size < best.size):
            best, pair = found, (names[a], names[b])
    key = "audit.searched.by-size" if complete else "audit.searched.cut-short"
    searched = english(key, number=len(mechanism.outputs))
    return best.named() if best else None, pair, complete, searched


def _by_trial(mechanism: FiniteMechanism, wanted: Claim, neighbors: Compared) -> Sought:
    rows, among, names = mechanism.rows, ordered(mechanism, neighbors), mechanism.datasets
    count, tried = len(mechanism.outputs), 0
    for tried, blocks in enumerate(ways_to_merge(count), 1):
        if tried > MAPS:
            some = english("audit.searched.some", tried=MAPS, number=count)
            return None, NONE, False, some
        merged = [merged_row(row, blocks) for row in rows]
        for a, b in among:
            if not wanted.keeps(merged[a], merged[b]):
                some = english("audit.searched.some", tried=tried, number=count)
                return blocks, (names[a], names[b]), True, some
    return None, NONE, True, english("audit.searched.all", tried=tried, number=count)


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
        Its supremum is the delta of pbdp, from `ExactAudit.delta`; it is approached, seldom
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
        raise InvalidInput("within", str(slack), str(INSIDE))
    exact = audit(mechanism, neighbors=neighbors).exact
    above, below = (exact.delta(end, kind="pbdp") for end in growth.bracket(DIGITS))
    shows, supremum = below.witness, (Fraction(below.value), Fraction(above.value))
    if not shows.outputs:
        return WorstMap(shows.first, shows.second, supremum, None, Fraction(0))
    ends = [mechanism.datasets.index(end) for end in (shows.first, shows.second)]
    p, q = (mechanism.rows[end] for end in ends)
    shares = dict.fromkeys((mechanism.outputs.index(name) for name in shows.outputs), Fraction(1))
    if shows.share is not None:
        shares[mechanism.outputs.index(shows.share[0])] = Fraction(shows.share[1])
    made = _short_of(mechanism, p, q, growth, shares, slack)
    rows = made.apply(mechanism).rows
    reached = tail(rows[ends[0]], rows[ends[1]], growth)
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
