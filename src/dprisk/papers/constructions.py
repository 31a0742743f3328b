"""Separations: small mechanisms of the papers that keep one definition and break another."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import Any, final

from dprisk._checks import whole
from dprisk._values import result
from dprisk.audit.claims import Claim
from dprisk.audit.finite import FiniteMechanism, mixture
from dprisk.audit.growth import Growth, chance, shown
from dprisk.audit.pairs import tail
from dprisk.audit.postprocessing import OutputMap
from dprisk.errors import InvalidInput, NotConverged, OutOfRange
from dprisk.text import fill
from dprisk.theorems import Theorem


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Separation:
    """A small mechanism that tells definitions apart. Made by `witness` and the constructions.

    It `keeps` some claims and `breaks` others; after the `map` that may belong to it, it
    `map_breaks` more. If it is made of `parts`, they keep `parts_keep`. The `parameters` are the
    numbers of the construction, under the letters of its `source`.
    """

    name: str
    says: str
    source: Theorem
    mechanism: FiniteMechanism
    keeps: tuple[Claim, ...]
    breaks: tuple[Claim, ...]
    map: OutputMap | None = None
    map_breaks: tuple[Claim, ...] = ()
    parts: tuple[FiniteMechanism, ...] = ()
    parts_keep: tuple[Claim, ...] = ()
    parameters: Mapping[str, Fraction | int] = field(default_factory=dict)
    note: str = ""

    def claims(self) -> list[tuple[str, Claim, bool]]:
        """List what is claimed: of whom, which property, and whether it is kept."""
        found = [("the mechanism", each, True) for each in self.keeps]
        found += [("the mechanism", each, False) for each in self.breaks]
        found += [("after the map", each, False) for each in self.map_breaks]
        return found + [("each part", each, True) for each in self.parts_keep]

    def tail(self, whose: str, definition: Claim) -> Fraction | None:
        """How likely the loss exceeds the epsilon of a claim, the most of all pairs; None for other
        claims."""
        if definition.kind not in ("pdp", "pdp-both") or definition.growth is None:
            return None
        both, growth = definition.kind == "pdp-both", definition.growth
        return max(
            tail(p, q, growth, both=both)
            for table in self._of(whose)
            for p, q in itertools.permutations(table.rows, 2)
        )

    def verified(self) -> bool:
        """Whether every claim holds, decided in exact fractions over all pairs of datasets."""
        return all(
            each.holds(table) is kept
            for whose, each, kept in self.claims()
            for table in self._of(whose)
        )

    def _of(self, whose: str) -> tuple[FiniteMechanism, ...]:
        """The mechanisms that a claim is about."""
        if whose == "each part":
            return self.parts
        if whose == "after the map" and self.map is not None:
            return (self.map.apply(self.mechanism),)
        return (self.mechanism,)

    def to_dict(self) -> dict[str, Any]:
        """The separation as plain data; probabilities are text."""
        return {
            "name": self.name,
            "says": self.says,
            "theorem": str(self.source),
            "mechanism": as_table(self.mechanism),
            "claims": [
                {"of": whose, "property": each.name, "kept": kept}
                for whose, each, kept in self.claims()
            ],
            "map": None if self.map is None else self.map.to_dict(),
            "parts": [as_table(part) for part in self.parts],
            "parameters": {name: shown(Fraction(value)) for name, value in self.parameters.items()},
            "note": self.note,
        }

    def __repr__(self) -> str:
        return f"<Separation: {self.name}>"


def as_table(mechanism: FiniteMechanism) -> dict[str, Any]:
    """Labels and probabilities as text."""
    return {
        "datasets": list(mechanism.datasets),
        "outputs": list(mechanism.outputs),
        "probabilities": [[shown(value) for value in row] for row in mechanism.exact()],
    }


def one_bit(epsilon: Any) -> Separation:
    """P4, Subtlety 2: one bit, and a loss of epsilon more often than not.

    It keeps (0, (e^epsilon - 1) / (e^epsilon + 1))-ADP, and probabilistic DP at epsilon 0 only with
    a delta above one half. e^epsilon enters as a decimal just below it.
    """
    growth = _above_one(epsilon)
    g = growth.near()
    apart = (g - 1) / (g + 1)
    return Separation(
        "one-bit",
        "Delta can be small at epsilon 0 although the privacy loss is epsilon more often than not.",
        Theorem("P4", "Subtlety 2", "probabilistic DP is not approximate DP"),
        _one_response(g, datasets=("0", "1"), outputs=("0", "1")),
        (Claim.at("adp", growth), Claim.at("adp", 0, apart)),
        (Claim.at("pdp", 0, apart), Claim.at("pdp", 0, "1/2")),
        parameters={"g": g},
    )


def leaky(count: int = 8, *, epsilon: Any = 0) -> Separation:
    """P4, Subtlety 1: reveal everything, and attach one of `count` (2 to 10,000) random strings.

    Every single output has a probability of 1 / count at most, so the pointwise condition holds
    with it; approximate DP holds with delta 1 only.
    """
    count = whole("count", count, 2, 10_000)
    share, none = Fraction(1, count), Fraction(0)
    rows = [[share] * count + [none] * count, [none] * count + [share] * count]
    names = [f"{secret}:{n}" for secret in "01" for n in range(count)]
    growth = Growth.of(epsilon)
    return Separation(
        "leaky",
        "A mechanism that reveals everything can keep a condition on single outputs.",
        Theorem("P4", "Subtlety 1", "how not to define differential privacy"),
        FiniteMechanism(rows, datasets=("0", "1"), outputs=names),
        (Claim.at("pointwise", growth, share),),
        (Claim.at("adp", growth, "0.999999"),),
        parameters={"count": count},
    )


def four_outcomes(epsilon: Any, delta: Any) -> Separation:
    """P4, after Theorem 1: two outcomes that, merged, break probabilistic DP.

    With probability delta the dataset is revealed (outcome 0 reveals dataset 0, outcome 3 dataset
    1), else one bit of randomized response is published. Comes with the map that merges outcomes 0
    and 1.
    """
    growth, slack = _above_one(epsilon), chance("delta", delta)
    if not 0 < slack < 1:
        raise OutOfRange("delta", delta, fill("errors.rational", inside="(0, 1)"))
    g = _fine(growth, slack)
    high, low, none = g / (1 + g) * (1 - slack), 1 / (1 + g) * (1 - slack), Fraction(0)
    rows = [[slack, high, low, none], [none, low, high, slack]]
    tails = Claim.at("pdp", growth, slack), Claim.at("pdp-both", growth, slack)
    return Separation(
        "four-outcomes",
        "Post-processing breaks probabilistic DP: merge the output that reveals the "
        "dataset with one whose loss is just within the limit.",
        Theorem("P4", "Theorem 1", "probabilistic DP is not preserved under post-processing"),
        FiniteMechanism(rows, datasets=("0", "1"), outputs=("0", "1", "2", "3")),
        (*tails, Claim.at("adp", growth, slack)),
        (Claim.at("pbdp", growth, slack),),
        OutputMap({"0": "⊥", "1": "⊥"}),
        tails,
        parameters={"g": g},
    )


def limited_difference(epsilon: Any, delta: Any) -> Separation:
    """P0, Example A.1: beliefs move little, the loss is large, too often for probabilistic DP.

    Randomized response with the loss log(3 r - 1) - log(3 - r), r = e^(epsilon / 2), with
    probability delta (1 + 1/B), B e to that loss, and nothing otherwise. At every prior the belief
    moves by at most (r - 1) / (r + 1) with probability at least 1 - delta. There is no such loss
    from epsilon = 2 log 3 on. Where r is irrational it enters as a decimal below it, so close that
    the loss is still above epsilon: (r - 1)^3 > 0 is what makes it so.
    """
    growth, slack = _above_one(epsilon), chance("delta", delta)
    if growth.sign(9, -1) <= 0:
        raise OutOfRange(
            "epsilon",
            growth.nats(),
            "a number in (0, 2 log 3)",
            "From there on a limit on the difference allows any loss.",
        )
    r, big = _loss_of_difference(growth)
    if not 0 < slack * (1 + 1 / big) <= 1:
        raise OutOfRange("delta", delta, "a number in (0, 1/(1 + 1/B)]", f"B is {float(big):.6g}.")
    rows = [
        [slack, slack / big, 1 - slack - slack / big],
        [slack / big, slack, 1 - slack - slack / big],
    ]
    return Separation(
        "example-a-1",
        ("A limit on how far beliefs move does not imply probabilistic DP with the same numbers."),
        Theorem("P0", "Example A.1", "bounded difference without probabilistic DP"),
        FiniteMechanism(rows, datasets=("x", "without i"), outputs=("a", "b", "nothing")),
        (Claim.at("pdp-both", Growth(big)),),
        (Claim.at("pdp-both", growth, slack),),
        parameters={"r": r, "B": big, "difference": (r - 1) / (r + 1)},
    )


def two_responses(epsilon: Any) -> Separation:
    """P1, Example 4.9: two randomized responses, of which only one is looked at.

    Both answers are beyond epsilon / 2 with probability (e^epsilon / (1 + e^epsilon))^2; the first
    alone is with probability e^epsilon / (1 + e^epsilon). With a rational growth g the claims are
    about the loss log(g / 2), or 0 if that is larger: the tails there are the same as at epsilon /
    2.
    """
    growth = _above_one(epsilon)
    g = growth.near()
    one, other = g / (1 + g), 1 / (1 + g)
    half = Growth.of(growth.epsilon / 2) if growth.epsilon else Growth(max(Fraction(1), g / 2))
    rows = [[a * b for a in pair for b in pair] for pair in ((one, other), (other, one))]
    return Separation(
        "example-4-9",
        "Post-processing can raise a tail of the privacy loss, as well as lower it.",
        Theorem("P1", "Example 4.9", "tails are not invariant under post-processing"),
        FiniteMechanism(rows, datasets=("D1", "D2"), outputs=("11", "10", "01", "00")),
        (Claim.at("pdp", half, one**2), Claim.at("adp", growth.squared())),
        (Claim.at("pbdp", half, one**2),),
        OutputMap({"11": "1", "10": "1", "01": "0", "00": "0"}),
        (Claim.at("pdp", half, one**2),),
        parameters={"g": g},
    )


def not_convex(*, digits: int = 30) -> Separation:
    """P1, Example 5.6: two mechanisms with (1.01, 0.02)-pbdp, and a coin between them without it.

    The mixture, with the two as its parts. Outputs -2 and 2 are those of the first, 0 and 1 those
    of the second; e enters with so many digits (3 to 300), rounded down.
    """
    digits = whole("digits", digits, 3, 300)
    g = Growth.of(1).near(digits)
    names = ("D1", "D2")
    first = _one_response(g, datasets=names, outputs=("2", "-2"))
    second = FiniteMechanism([[0, 1], ["0.01", "0.99"]], datasets=names, outputs=("1", "0"))
    promise = Claim.at("pbdp", "1.01", "0.02")
    return Separation(
        "example-5-6",
        "Pbdp at one (epsilon, delta) is not convex: tossing a coin between two "
        "mechanisms can break it.",
        Theorem("P1", "Example 5.6", "pbdp at one epsilon and delta is not convex"),
        mixture(first, second, Fraction(1, 2)),
        (),
        (promise,),
        parts=(first, second),
        parts_keep=(promise,),
        parameters={"g": g},
    )


def _one_response(g: Fraction, **labels: Any) -> FiniteMechanism:
    """Randomized response of one bit, with the loss log(g)."""
    often, seldom = g / (1 + g), 1 / (1 + g)
    return FiniteMechanism([[often, seldom], [seldom, often]], **labels)


def _above_one(epsilon: Any) -> Growth:
    growth = Growth.of(epsilon)
    if growth.ratio == 1:
        raise InvalidInput("epsilon", 0, "above 0 here", "At 0 the datasets cannot be told apart.")
    return growth


def _fine(growth: Growth, delta: Fraction) -> Fraction:
    """A decimal below the growth, so close that delta makes up for the difference."""
    digits = 12 + max(0, len(str(int(1 / delta))))
    return growth.near(digits + len(str(int(growth.bracket()[1]))))


def _loss_of_difference(growth: Growth) -> tuple[Fraction, Fraction]:
    """r, at most e^(epsilon / 2), and the growth of the loss at which beliefs move by so much."""
    for digits in (12, 40, 160, 640):
        r = _root(growth, digits)
        if r > 1 and growth.sign((3 * r - 1) / (3 - r), -1) > 0:
            return r, (3 * r - 1) / (3 - r)
    raise NotConverged("a loss above epsilon", (1.0, growth.nats()))


def _root(growth: Growth, digits: int) -> Fraction:
    """e^(epsilon / 2), or a decimal just below it."""
    if growth.ratio is None and growth.epsilon is not None:
        return Growth.of(growth.epsilon / 2).near(digits)
    ratio = growth.ratio or Fraction(1)
    top, below = isqrt(ratio.numerator), isqrt(ratio.denominator)
    if Fraction(top, below) ** 2 == ratio:
        return Fraction(top, below)
    unit = 10**digits
    return Fraction(isqrt(int(ratio * unit**2)), unit)
