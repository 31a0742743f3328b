"""Post-processing in exact fractions: the smallest merge of outputs that breaks a definition, and
the map after which the privacy loss is largest."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

from dprisk._checks import INSIDE, assign
from dprisk._values import members, plain, result
from dprisk.audit.brackets import audit
from dprisk.audit.claims import Claim, breaking_pair
from dprisk.audit.finite import FiniteMechanism, Row, gathered, place, rows_of
from dprisk.audit.growth import Growth, brief, chance, shown
from dprisk.audit.pairs import tail
from dprisk.audit.relation import Compared, ordered
from dprisk.errors import InvalidInput, Meaningless

MAPS: Final = 25_000  # maps that are tried
BLOCKS: Final = {"pdp": 1, "pdp-both": 2}
"""Outputs that it is best to merge into: one for upwards, and for both sides one for downwards."""


@final
@result
@dataclass(frozen=True, init=False, repr=False, eq=False)
class OutputMap:
    """Map of a mechanism's output to what is published in its place: a Markov kernel.

    `sends` says for each output what it becomes or, with coins, how likely each new output is;
    outputs that are left out stay as they are. Probabilities that do not add up to one raise
    `InvalidInput`.
    """

    sends: Mapping[str, Mapping[str, Fraction]]

    def __init__(self, sends: Mapping[str, Any]) -> None:
        found: dict[str, dict[str, Fraction]] = {}
        for output, target in sends.items():
            parts = target if isinstance(target, Mapping) else {str(target): 1}
            shares = {
                str(new): chance(f"the probability of {output!r} becoming {new!r}", share)
                for new, share in parts.items()
            }
            if sum(shares.values()) != 1:
                total = str(sum(shares.values()))
                raise InvalidInput(
                    f"the probabilities of what {output!r} becomes",
                    total,
                    "numbers that add up to 1, exactly",
                )
            found[str(output)] = {new: share for new, share in shares.items() if share}
        assign(self, sends=found)

    def apply(self, mechanism: FiniteMechanism) -> FiniteMechanism:
        """The mechanism with what is published in place of its outputs, in exact fractions."""
        for output in self.sends:
            place("output", output, mechanism.outputs)
        columns = zip(mechanism.outputs, zip(*mechanism.rows, strict=True), strict=True)
        return gathered(
            mechanism.datasets,
            (
                (name, [share * value for value in column])
                for output, column in columns
                for name, share in self.sends.get(output, {output: Fraction(1)}).items()
            ),
        )

    def to_dict(self) -> dict[str, dict[str, str]]:
        """For each output that is named, what it becomes with which probability, as text."""
        return {
            output: {new: shown(share) for new, share in parts.items()}
            for output, parts in self.sends.items()
        }

    def __str__(self) -> str:
        whole: dict[str, list[str]] = {}
        tossed = []
        for output, parts in self.sends.items():
            if len(parts) == 1:
                whole.setdefault(next(iter(parts)), []).append(output)
            else:
                ways = (f"{new} ({brief(share)})" for new, share in parts.items())
                tossed.append(f"{output} → {' or '.join(ways)}")
        texts = [f"{' + '.join(members)} → {new}" for new, members in whole.items()]
        return "; ".join([*texts, *tossed]) or "as they are"

    def __repr__(self) -> str:
        return f"<OutputMap: {self}>"


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class MapSearch:
    """Outcome of a search for a post-processing. Made by `breaking_map`.

    The `map` merges the fewest outputs, as the datasets `first` and `second` show, the output drawn
    from the first; None if none was found, empty where the mechanism itself does not keep the
    definition. `complete` says whether every smaller deterministic map was looked at or cannot be
    better, `searched` what was, in words.
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
        """How likely the loss of that pair exceeds epsilon, before and after the map."""
        growth, both = self.definition.growth, self.definition.kind == "pdp-both"
        if growth is None:
            raise Meaningless("This definition has no epsilon to compare the tails at.")
        before, after = (
            tail(*rows_of(table, self.first, self.second), growth, both=both)
            for table in self._tables()
        )
        return before, after

    def profile(self, growth: Any) -> tuple[Fraction, Fraction]:
        """The delta of that pair at e^epsilon, before and after: never above, after."""
        pairs = [(self.first, self.second)]
        before, after = (
            Fraction(audit(table, neighbors=pairs).exact.delta(growth).value)
            for table in self._tables()
        )
        return before, after

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the tails before and after a map that breaks the claim."""
        said = members(self, "definition", "first", "second", "complete", "searched")
        before, after = self.tails() if self.merged else (None, None)
        found = {"before": before, "after": after, "map": self.map}
        return {"claim": str(said.pop("definition")), **said, **plain(found)}

    def _tables(self) -> tuple[FiniteMechanism, FiniteMechanism]:
        if self.after is None:
            raise Meaningless("There is no map to compare.")
        return self.mechanism, self.after

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

    Notes
    -----
    Ways to merge outputs are tried, up to 25,000, those that merge fewest first. For probabilistic
    DP all that are merged become one output, with two sides two: what several merged outputs put
    beyond epsilon, one does, too.

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
    own = breaking_pair(wanted, mechanism, neighbors)
    if own is not None:
        said = "the mechanism itself does not keep it"
        return MapSearch(wanted, mechanism, OutputMap({}), *own, True, said)
    rows, among, names = mechanism.rows, ordered(mechanism, neighbors), mechanism.datasets
    count, tried, shows, by_size = len(mechanism.outputs), 0, ("", ""), wanted.kind in BLOCKS
    made, complete = None, True
    if wanted.kind == "pdp":  # what no map breaks, even with coins
        bounded = Claim.at("pbdp", wanted.growth, wanted.delta)
        among = [(a, b) for a, b in among if not bounded.keeps(rows[a], rows[b])]
    for tried, blocks in enumerate(_merges(count, BLOCKS.get(wanted.kind, count)), 1):
        if tried > MAPS or not among:
            complete = not among
            break
        merged = [_merged(row, blocks) for row in rows]
        broken = next(((a, b) for a, b in among if not wanted.keeps(merged[a], merged[b])), None)
        if broken is not None:
            made, shows = _joining(mechanism, blocks), (names[broken[0]], names[broken[1]])
            break
    tried = min(tried, MAPS)
    said = f"{tried} deterministic maps of the {count} outputs, smallest first"
    if by_size and complete:
        said = f"every deterministic map of the {count} outputs, by the number of those merged"
    elif complete and made is None:
        said = f"all {tried} deterministic maps of the {count} outputs"
    return MapSearch(wanted, mechanism, made, *shows, complete, said)


def _merges(count: int, most: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to merge some of the outputs into so many: fewest merged, then fewest new ones."""
    for size in range(2, count + 1):
        for number in range(1, min(most, size // 2) + 1):
            for chosen in itertools.combinations(range(count), size):
                yield from _blocks_of(chosen, number)


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


def _merged(row: Row, blocks: tuple[tuple[int, ...], ...]) -> Row:
    """A distribution after a merge: what stays, then the blocks."""
    inside = {n for block in blocks for n in block}
    stay = [value for n, value in enumerate(row) if n not in inside]
    return (*stay, *(sum((row[n] for n in block), Fraction(0)) for block in blocks))


def _joining(mechanism: FiniteMechanism, blocks: Iterable[Iterable[int]]) -> OutputMap:
    """The map that reports each block of outputs, given by their numbers, as one."""
    name, names = _fresh(mechanism), mechanism.outputs
    return OutputMap({names[y]: name + "'" * n for n, block in enumerate(blocks) for y in block})


def _fresh(mechanism: FiniteMechanism) -> str:
    """A name that none of its outputs has, nor begins with."""
    name = "⊥"
    while any(output.startswith(name) for output in mechanism.outputs):
        name += "*"
    return name


# --- maps that toss coins ------------------------------------------------------------------------


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class WorstMap:
    """The largest one-sided tail that any post-processing reaches. Made by `worst_map`.

    The tail after the `map` is `reached`; its `supremum` lies between two fractions, equal where
    the growth is rational. There is no map where no loss exceeds epsilon at all.
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
        Its supremum is the delta of pbdp; it is approached, seldom reached: at the supremum itself
        the loss is epsilon, not above.

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
    above, below = (exact.delta(end, kind="pbdp") for end in growth.bracket(60))
    shows, supremum = below.witness, (Fraction(below.value), Fraction(above.value))
    if not shows.outputs:
        return WorstMap(shows.first, shows.second, supremum, None, Fraction(0))
    at = {name: n for n, name in enumerate(mechanism.outputs)}
    p, q = rows_of(mechanism, shows.first, shows.second)
    shares = {at[name]: Fraction(1) for name in shows.outputs}
    if shows.share is not None:
        shares[at[shows.share[0]]] = Fraction(shows.share[1])
    # a little short of the supremum, where the loss would be epsilon itself
    last = min(shares, key=lambda n: p[n] / (p[n] + q[n]))
    sums = [sum((row[n] * share for n, share in shares.items()), Fraction(0)) for row in (p, q)]
    if shares[last] < 1 or not growth.exceeded(*sums):
        shares[last] = _short_decimal(shares[last] * (1 - slack), shares[last])
    name, names = _fresh(mechanism), mechanism.outputs
    made = OutputMap(
        {
            names[n]: name if share == 1 else {name: share, names[n]: 1 - share}
            for n, share in shares.items()
        }
    )
    reached = tail(*rows_of(made.apply(mechanism), shows.first, shows.second), growth)
    return WorstMap(shows.first, shows.second, supremum, made, reached)


def _short_decimal(low: Fraction, high: Fraction) -> Fraction:
    """The decimal with the fewest places in [low, high)."""
    unit = 1
    while (found := Fraction(-(-low * unit // 1), unit)) >= high:
        unit *= 10
    return found
