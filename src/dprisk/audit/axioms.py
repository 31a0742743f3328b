"""The axioms of a definition, tried on given mechanisms."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, final

from dprisk._values import brief, result
from dprisk.audit.claims import Claim, breaking_pair, number_of
from dprisk.audit.finite import FiniteMechanism, both_of, mixture
from dprisk.audit.growth import chance
from dprisk.audit.postprocessing import OutputMap, breaking_map, worst_map
from dprisk.audit.relation import Compared
from dprisk.errors import Meaningless

Question = Literal["post-processing", "mixing", "composition"]
WEIGHTS: Final = ("1/2", "1/4", "3/4", "1/10", "9/10", "1/100", "99/100")
Made = tuple[FiniteMechanism, Fraction | None]
"""A mechanism made of two, and the probability of the first where one of the two is run."""
Shown = tuple[OutputMap, FiniteMechanism, tuple[str, str]]
"""A map, what is published after it, and the datasets that show what is lost."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Trial:
    """A counterexample, or what was searched for one.

    Made by `breaks_by_processing`, `breaks_by_mixing` and `breaks_by_composition`. `mechanisms`
    have the `definition`; `result` is made of them (by a `map`, or with the `weight` of the first)
    and does not have what was to be `kept`, as the datasets `first` and `second` show. Nothing
    found proves nothing about other mechanisms.
    """

    question: Question
    definition: Claim
    kept: Claim
    searched: str
    mechanisms: tuple[FiniteMechanism, ...] = ()
    result: FiniteMechanism | None = None
    first: str = ""
    second: str = ""
    map: OutputMap | None = None
    weight: Fraction | None = None

    @property
    def found(self) -> bool:
        """Whether there is a counterexample."""
        return self.result is not None

    def __str__(self) -> str:
        name = self.definition.name
        if not self.found:
            return f"No counterexample found for {name}: {self.searched}."
        how = f"the map {self.map}" if self.map else f"a coin with probability {self.weight}"
        if self.question == "composition":
            how = "the two together"
        return f"{name} does not survive: {how} breaks {self.kept.name}."

    def __repr__(self) -> str:
        return f"<Trial: {brief(str(self), most=200)}>"


def breaks_by_processing(
    definition: Any, mechanisms: Iterable[FiniteMechanism], *, neighbors: Compared = "all"
) -> Trial:
    """Look for a post-processing after which a mechanism has lost a property.

    Parameters
    ----------
    definition : Claim, str, Guarantee or callable
        What is tested, as in `Claim.of`.
    mechanisms : iterable of FiniteMechanism
        Where to look. Those without the property are passed over.
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are compared.

    Returns
    -------
    Trial
        Deterministic maps, smallest first; then, for one-sided probabilistic DP, the worst map
        there is, which tosses a coin at one output.

    Examples
    --------
    >>> from dprisk.audit import Claim, FiniteMechanism, breaks_by_processing
    >>> rows = [["0.01", "0.616", "0.374", 0], [0, "0.374", "0.616", "0.01"]]
    >>> made = FiniteMechanism(rows, outputs=("0", "1", "2", "3"))
    >>> print(breaks_by_processing(Claim.at("pdp", "0.5", "0.01"), [made]))
    one-sided (0.5, 0.01)-PDP does not survive: the map 0 + 1 → ⊥ breaks one-sided (0.5, 0.01)-PDP.
    """
    wanted = Claim.of(definition)
    having, passed = _having(wanted, mechanisms, neighbors)
    words: list[str] = []
    for table in having:
        search = breaking_map(table, wanted, neighbors=neighbors)
        words.append(search.searched)
        shows: Shown | None = None
        if search.map is not None and search.after is not None:
            shows = search.map, search.after, (search.first, search.second)
        elif wanted.kind == "pdp":
            shows = _with_coins(table, wanted, neighbors)
            none = (
                "no map with coins raises the tail so far, since pbdp holds with the same numbers"
            )
            words.append("maps with coins close to the worst one" if shows else none)
        if shows is not None:
            made, after, pair = shows
            said = _searched(words, passed)
            return Trial("post-processing", wanted, wanted, said, (table,), after, *pair, map=made)
    return Trial("post-processing", wanted, wanted, _searched(words, passed))


def breaks_by_mixing(
    definition: Any,
    mechanisms: Iterable[FiniteMechanism],
    *,
    weights: Iterable[Any] = WEIGHTS,
    neighbors: Compared = "all",
) -> Trial:
    """Look for two mechanisms with a property and a coin between them that loses it: convexity.

    Parameters
    ----------
    definition : Claim, str, Guarantee or callable
        What is tested, as in `Claim.of`.
    mechanisms : iterable of FiniteMechanism
        Where to look: all pairs of those that have the property, with the same datasets.
    weights : iterable of Fraction, float or str
        How likely the first of the two is run. (0, 1)
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are compared.

    Returns
    -------
    Trial
        The output of a mixture tells which of the two was run; where both have outputs of the same
        name, mixtures that do not tell are tried as well.

    References
    ----------
    .. [1] P1, Section 4.2 and Example 5.6.

    Examples
    --------
    >>> from dprisk.audit import Claim, FiniteMechanism, breaks_by_mixing
    >>> one = FiniteMechanism([["0.731", "0.269"], ["0.269", "0.731"]], outputs=("2", "-2"))
    >>> parts = [one, FiniteMechanism([[0, 1], ["0.01", "0.99"]], outputs=("1", "0"))]
    >>> print(breaks_by_mixing(Claim.at("pbdp", "1.01", "0.02"), parts))
    (1.01, 0.02)-pbdp does not survive: a coin with probability 1/2 breaks (1.01, 0.02)-pbdp.
    """
    wanted = Claim.of(definition)
    shares = [chance("a weight", weight) for weight in weights]

    def mixtures(one: FiniteMechanism, other: FiniteMechanism) -> Iterator[Made]:
        ways = (True, False) if set(one.outputs) & set(other.outputs) else (True,)
        for tells, share in itertools.product(ways, shares):
            yield mixture(one, other, share, tells=tells), share

    return _tried("mixing", wanted, wanted, itertools.combinations, mechanisms, neighbors, mixtures)


def breaks_by_composition(
    definition: Any,
    mechanisms: Iterable[FiniteMechanism],
    *,
    kept: Any = None,
    neighbors: Compared = "all",
) -> Trial:
    """Look for two mechanisms with a property that together do not keep what they should.

    Parameters
    ----------
    definition : Claim, str, Guarantee or callable
        What each of the two has, as in `Claim.of`.
    mechanisms : iterable of FiniteMechanism
        Where to look: all pairs of those that have the property, each with itself as well, with
        the same datasets and independent coins.
    kept : Claim, str, Guarantee or callable, optional
        What the two are to keep together. Left out, the definition with its numbers doubled.
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are compared.

    Returns
    -------
    Trial
        With the composition that does not keep it, or what was searched.

    Raises
    ------
    Meaningless
        If `kept` is left out and the definition has no numbers to double.

    Examples
    --------
    >>> from dprisk.audit import Claim, FiniteMechanism, Growth, breaks_by_composition
    >>> made = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> print(breaks_by_composition(Claim.at("adp", Growth(3)), [made]))
    No counterexample found for (log(3), 0)-ADP: 1 composition of 1 mechanism with the property.
    """
    wanted = Claim.of(definition)
    promise = _twice(wanted) if kept is None else Claim.of(kept)
    if promise is None:
        raise Meaningless(f"Say what two mechanisms with {wanted.name} must keep together (kept).")

    def together(one: FiniteMechanism, other: FiniteMechanism) -> Iterator[Made]:
        yield both_of(one, other), None

    pairs = itertools.combinations_with_replacement
    return _tried("composition", wanted, promise, pairs, mechanisms, neighbors, together)


def _tried(
    question: Question,
    wanted: Claim,
    kept: Claim,
    pairs: Callable[[Iterable[FiniteMechanism], int], Iterable[tuple[FiniteMechanism, ...]]],
    mechanisms: Iterable[FiniteMechanism],
    neighbors: Compared,
    make: Callable[[FiniteMechanism, FiniteMechanism], Iterator[Made]],
) -> Trial:
    """The first mechanism made of two that have a property which does not keep what it should."""
    having, passed = _having(wanted, mechanisms, neighbors)
    tried, what = 0, "mixture" if question == "mixing" else "composition"
    for one, other in pairs(having, 2):
        for made, weight in make(one, other) if one.datasets == other.datasets else ():
            tried += 1
            pair = breaking_pair(kept, made, neighbors)
            if pair is not None:
                said = _searched([_count(what, tried)], passed)
                shows = (one, other), made, *pair
                return Trial(question, wanted, kept, said, *shows, weight=weight)
    return Trial(question, wanted, kept, _searched([_count(what, tried)], passed))


def _having(
    wanted: Claim, mechanisms: Iterable[FiniteMechanism], neighbors: Compared
) -> tuple[list[FiniteMechanism], str]:
    """Those with the property, and how many there were, in words."""
    given = list(mechanisms)
    having = [table for table in given if wanted.holds(table, neighbors)]
    words = f"{_count('mechanism', len(having))} with the property"
    if len(having) < len(given):
        words += f" ({len(given) - len(having)} without it passed over)"
    return having, words


def _twice(claim: Claim) -> Claim | None:
    """Claim that two such mechanisms keep: the numbers doubled; None if they do not add up."""
    slack = min(2 * claim.delta, Fraction(1))
    if claim.kind == "zcdp":
        rho, xi = 2 * number_of(claim, "rho"), 2 * number_of(claim, "xi")
        return Claim.concentrated(rho, xi=xi, delta=slack)
    if claim.growth is None or claim.kind in ("pointwise", "disclosure"):
        return None
    kind = "adp" if claim.kind == "pure" else claim.kind
    return Claim.at(kind, claim.growth.squared(), slack)


def _with_coins(table: FiniteMechanism, wanted: Claim, neighbors: Compared) -> Shown | None:
    """The map at which a one-sided tail is largest, as close to it as needed; None if pbdp holds
    with the same numbers."""
    if Claim.at("pbdp", wanted.growth, wanted.delta).holds(table, neighbors):
        return None
    for within in ("1e-3", "1e-9", "1e-40", "1e-300"):
        made = worst_map(table, wanted.growth, neighbors=neighbors, within=within).map
        if made is None:
            continue
        after = made.apply(table)
        pair = breaking_pair(wanted, after, neighbors)
        if pair is not None:
            return made, after, pair
    return None


def _searched(words: Sequence[str], passed: str) -> str:
    return f"{'; '.join(dict.fromkeys(words)) or 'nothing'} of {passed}"


def _count(what: str, number: int) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
