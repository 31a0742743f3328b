"""Witnesses that approximate DP does not imply probabilistic DP, to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple, final

from dprisk._values import result
from dprisk.audit.claims import Claim, Kind
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import Growth, brief, chance, sign_of
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees.base import SIDES, Sides
from dprisk.papers import constructions as small
from dprisk.papers.constructions import Separation
from dprisk.papers.on_numbers import bounded_penalty, fixed_delta, response
from dprisk.text import english, fill
from dprisk.theorems import Theorem

ATTAINED: Final = Theorem("dprisk", "Proposition 14", "the price of probabilistic DP is attained")
PROPOSITION_14: Final = "dprisk Proposition 14"
DIGITS: Final = (20, 60, 200, 700, 2500)
PDP: Final[dict[str, Kind]] = {"one": "pdp", "both": "pdp-both"}


def erasure(epsilon: Any, delta: Any, failure: Any, *, sides: Sides = "one") -> Separation:
    """Output a, b or nothing: what ADP allows of probabilistic DP, to the last digit.

    Parameters
    ----------
    epsilon : Fraction, int, float, str or Growth
        Of approximate DP. [0, 700], nats
    delta : Fraction, int, float or str
        Of approximate DP. (0, 1)
    failure : Fraction, int, float or str
        Of probabilistic DP: how likely a or b is under the dataset it speaks for, or with two sides
        both together. (delta, 1]
    sides : {"one", "both"}
        Whether `failure` is P[Z >= loss] or P[abs(Z) >= loss].

    Returns
    -------
    Separation
        With b = e^epsilon, or a decimal just below it, P(a) = x and P(b) = x / B on the one dataset
        and the reverse on the other, where B = b / (1 - delta / failure), or
        B = (failure b + delta) / (failure - delta) with two sides. Its delta at b is exactly
        `delta`; the loss log(B), which the lemma allows, has exactly the probability `failure`.

    Raises
    ------
    Meaningless
        If `failure` is not above `delta`, or so large that a and b would have more than
        probability one together: beyond (b + delta) / (1 + b) Lemma 2.3 is not attained.

    References
    ----------
    .. [1] P0, Theorem 3.9; P2, Lemma 2.3; dprisk, Proposition 14.

    Examples
    --------
    >>> from dprisk.audit import Growth
    >>> from dprisk.papers import erasure
    >>> made = erasure(Growth(2), "0.01", "0.02")
    >>> print(*made.mechanism.exact()[0], made.verified())
    1/50 1/200 39/40 True
    """
    one_of("sides", sides, SIDES)
    growth, slack, often = Growth.of(epsilon), chance("delta", delta), chance("failure", failure)
    base = growth.near()
    if not 0 < slack < often:
        numbers = {"often": brief(often), "delta": brief(slack)}
        raise Meaningless(fill("papers.erasure.failure", **numbers))
    if sides == "one":
        top, x = base / (1 - slack / often), often
    else:
        top = (often * base + slack) / (often - slack)
        x = often / (1 + 1 / top)
    if x * (1 + 1 / top) > 1:
        corner = _largest_corner(base, slack)
        raise Meaningless(
            f"Lemma 2.3 is not attained beyond a failure probability of {float(corner):.6g}: "
            "the other line of the power curve is lower (dprisk Proposition 1)."
        )
    before = top - top / 10**30
    return Separation(
        "erasure",
        "Approximate DP does not imply probabilistic DP with a smaller loss than the theorems say.",
        ATTAINED,
        _table(x, x / top),
        (Claim.at("adp", growth, slack), Claim.at(PDP[sides], Growth(top))),
        (
            Claim.at("adp", Growth(base), slack - slack / 10**30),
            Claim.at(PDP[sides], Growth(before), often - often / 10**30),
        ),
        parameters={"b": base, "B": top, "x": x, "delta": slack, "failure": often},
    )


@final
@result
@dataclass(frozen=True, repr=False)
class NoSeparation:
    """Why there is no mechanism that was asked for, and the least epsilon of probabilistic DP that
    is implied, rounded upwards. Made by `witness`.
    """

    reason: str
    epsilon: float
    source: Theorem

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data: `mechanism` is None."""
        return {
            "mechanism": None,
            "reason": self.reason,
            "implied_epsilon": self.epsilon,
            "theorem": str(self.source),
        }


def witness(
    epsilon: Any, delta: Any, *, not_pdp: tuple[Any, Any], sides: Sides = "one"
) -> Separation | NoSeparation:
    """A mechanism with (epsilon, delta)-ADP and without another (epsilon, delta)-PDP, or why not.

    Parameters
    ----------
    epsilon, delta : Fraction, int, float or str
        Of approximate DP; epsilon may be a `Growth`. [0, 700], nats, and [0, 1]
    not_pdp : tuple of (epsilon, delta)
        Of the probabilistic DP that is not to hold, likewise.
    sides : {"one", "both"}
        P[Z > epsilon] (P2, P4), or P[abs(Z) > epsilon] (P0).

    Returns
    -------
    Separation or NoSeparation
        The mechanism in short decimals, verified in exact arithmetic with e^epsilon itself; or the
        reason why every mechanism with the one has the other: the largest tail that
        (epsilon, delta)-ADP allows is not above the delta of `not_pdp` (dprisk Propositions 1, 2
        and 14).

    Raises
    ------
    NotConverged
        If 2500 digits do not tell which of the two it is.

    References
    ----------
    .. [1] P2, Lemma 2.3 and Theorem 3.2; P0, Theorem 3.9.

    Examples
    --------
    >>> from dprisk.papers import witness
    >>> made = witness(1, "1e-6", not_pdp=("1.1", "1e-5"))
    >>> print(made.keeps[0], made.breaks[0], made.verified())
    (1, 1e-6)-ADP one-sided (1.1, 1e-5)-PDP True
    """
    one_of("sides", sides, SIDES)
    kept, slack = Growth.of(epsilon), chance("delta", delta)
    beyond, often = Growth.of(not_pdp[0]), chance("the delta of not_pdp", not_pdp[1])
    keeps, breaks = Claim.at("adp", kept, slack), Claim.at(PDP[sides], beyond, often)
    if not _exists(kept, slack, beyond, often, sides):
        return _refusal(keeps, breaks, kept, beyond, sides)
    for digits in DIGITS:
        low, high = kept.bracket(digits)[0], beyond.bracket(digits)[1]
        corner = _middle_of(low, slack, high, often, sides)
        if corner is None:
            continue
        for places in range(2, digits + 400):
            x, y = (_rounded(value, places) for value in corner)
            made = _coins(x, y) if sides == "one" and x + y > 1 else _table(x, y)
            if made is not None and keeps.holds(made) and not breaks.holds(made):
                return _separation(made, keeps, breaks, x, y)
    raise AssertionError  # a corner exists once the digits tell that a mechanism does


def _exists(kept: Growth, delta: Fraction, beyond: Growth, often: Fraction, sides: Sides) -> bool:
    """Whether the largest tail that approximate DP allows is above a failure probability."""
    if often == 1:
        return False
    if delta == 0 and _at_least(beyond, kept):
        return False  # pure DP bounds every loss

    def bracket(digits: int) -> tuple[Fraction, Fraction]:
        (b, b_high), (c_low, c) = kept.bracket(digits), beyond.bracket(digits)
        return (
            _largest_tail(b, delta, c, sides) - often,
            _largest_tail(b_high, delta, c_low, sides) - often,
        )

    return sign_of(bracket) > 0


def _at_least(one: Growth, other: Growth) -> bool:
    if one.epsilon is not None and other.epsilon is not None:
        return one.epsilon >= other.epsilon

    def bracket(digits: int) -> tuple[Fraction, Fraction]:
        (a, b), (c, d) = one.bracket(digits), other.bracket(digits)
        return a - d, b - c

    return sign_of(bracket) >= 0


def _largest_tail(b: Fraction, delta: Fraction, c: Fraction, sides: Sides) -> Fraction:
    """The supremum of P[Z > log c] under (log b, delta)-ADP: where a ray leaves the power curve."""
    crossings = [1 / c]
    if c > b:
        crossings.append(delta / (c - b))
    if b * c > 1:
        crossings.append((b - 1 + delta) / (b * c - 1))
    height = c * min(crossings)
    return height if sides == "one" else min(Fraction(1), height * (1 + 1 / c))


Line = tuple[Fraction, Fraction]
"""Constant and slope, of a bound on the power by the level."""


def _middle_of(
    b: Fraction, delta: Fraction, c: Fraction, often: Fraction, sides: Sides
) -> tuple[Fraction, Fraction] | None:
    """A point well inside of what is wanted: power x, level y, x > c y, and on the power curve."""
    one = Fraction(1)
    above: list[Line] = [(Fraction(0), c)]
    above.append((often, Fraction(0)) if sides == "one" else (often, -one))
    curve: list[Line] = [(delta, b)]
    found = _widest([*curve, (one, -one)], above)
    if found is None and sides == "one":  # beyond the corner, with two outputs
        found = _widest([*curve, (1 - (1 - delta) / b, 1 / b), (one, Fraction(0))], above)
    return found


def _widest(below: list[Line], above: list[Line]) -> tuple[Fraction, Fraction] | None:
    """Middle and place of the widest gap from the largest of `above` to the least of `below`."""
    best, point = Fraction(0), None
    levels = {Fraction(0)}
    for n, (a, s) in enumerate([*below, *above]):
        for d, t in [*below, *above][n + 1 :]:
            if s != t:
                levels.add((d - a) / (s - t))
    for y in sorted(level for level in levels if level >= 0):
        high = min(a + s * y for a, s in below)
        low = max(a + s * y for a, s in above)
        if high - low > best:
            best, point = high - low, ((high + low) / 2, y)
    return point


def _rounded(value: Fraction, places: int) -> Fraction:
    """A number with so many significant digits."""
    if not value:
        return value
    unit = Fraction(10) ** (places - 1)
    scale = Fraction(1)
    while value * scale < 1:
        scale *= 10
    return Fraction(round(value * scale * unit)) / (scale * unit)


def _table(x: Fraction, y: Fraction) -> FiniteMechanism:
    """Output a, b or nothing."""
    rows = [[x, y, 1 - x - y], [y, x, 1 - x - y]]
    return FiniteMechanism(rows, datasets=("0", "1"), outputs=("a", "b", "nothing"))


def _coins(x: Fraction, y: Fraction) -> FiniteMechanism | None:
    """One output that is told apart from the rest."""
    if x > 1:
        return None
    return FiniteMechanism([[x, 1 - x], [y, 1 - y]], datasets=("0", "1"), outputs=("a", "b"))


def _separation(
    made: FiniteMechanism, keeps: Claim, breaks: Claim, x: Fraction, y: Fraction
) -> Separation:
    source = ATTAINED
    if len(made.outputs) == 2:
        source = Theorem("dprisk", "Proposition 1", "the largest tail of approximate DP")
    says = (
        f"A mechanism can keep {keeps.name} (approximate DP) but not {breaks.name} "
        "(probabilistic DP)."
    )
    return Separation(
        "witness", says, source, made, (keeps,), (breaks,), parameters={"x": x, "y": y}
    )


def _refusal(
    keeps: Claim, breaks: Claim, kept: Growth, beyond: Growth, sides: Sides
) -> NoSeparation:
    from dprisk.guarantees import ApproxDP

    often = breaks.delta
    if often == 1:
        theorem = Theorem("P2", "Definition 2.2", "a probability is at most one")
        return NoSeparation("Every mechanism has it: no probability is above 1.", 0.0, theorem)
    promise = ApproxDP(kept.nats(above=True), float(keeps.delta), neighbors="replace-one")
    least = promise.loss_bound(max(float(often), 5e-324), sides=sides)
    exact = sides == "both" or often <= _largest_corner(kept.bracket()[0], keeps.delta)
    loss = _up(least.value)
    if keeps.delta and exact:
        price = english(f"papers.none.price-{sides}")
        loss = f"{price} (at most {loss}, with g = {brief(often)})"
    reason = (
        f"Every mechanism with {keeps.name} (approximate DP) has {breaks.name} "
        f"(probabilistic DP): its loss exceeds {loss} with probability at most "
        f"{brief(often)}, and your epsilon of {beyond.nats():.6g} is not below that bound."
    )
    return NoSeparation(reason, float(least.value), least.theorem)


def _largest_corner(b: Fraction, delta: Fraction) -> Fraction:
    """Up to which failure probability Lemma 2.3 is attained: dprisk Proposition 1."""
    return (b + delta) / (1 + b)


def _up(value: float) -> str:
    """Six digits, rounded upwards."""
    from decimal import ROUND_CEILING, Context, Decimal

    return f"{float(Context(prec=6, rounding=ROUND_CEILING).plus(Decimal(value))):g}"


class Recipe(NamedTuple):
    """A named separation: what it shows, its source, the numbers it needs, and how it is made."""

    says: str
    source: str
    needs: tuple[str, ...]
    make: Callable[..., Separation]


def _lemma_3_1(beyond: Any, failure: Any, **numbers: Any) -> Separation:
    return response(not_pdp=(beyond, failure), **numbers)


SEPARATIONS: Final[Mapping[str, Recipe]] = {
    name: Recipe(english(f"papers.shows.{name}"), source, tuple(needs.split()), make)
    for name, source, needs, make in (
        ("one-bit", "P4 Subtlety 2", "epsilon", small.one_bit),
        ("leaky", "P4 Subtlety 1", "count", small.leaky),
        ("four-outcomes", "P4 Theorem 1", "epsilon delta", small.four_outcomes),
        ("erasure", PROPOSITION_14, "epsilon delta failure", erasure),
        ("erasure-both", PROPOSITION_14, "epsilon delta failure", partial(erasure, sides="both")),
        ("lemma-3-1", "P2 Lemma 3.1", "epsilon delta beyond failure count p", _lemma_3_1),
        ("theorem-3-2", "P2 Theorem 3.2", "epsilon delta beyond", fixed_delta),
        ("corollary-3-4", "P2 Corollary 3.4", "epsilon delta factor beyond", bounded_penalty),
        ("example-a-1", "P0 Example A.1", "epsilon delta", small.limited_difference),
        ("example-4-9", "P1 Example 4.9", "epsilon", small.two_responses),
        ("example-5-6", "P1 Example 5.6", "", small.not_convex),
    )
}


def separate(name: str, **numbers: Any) -> Separation:
    """The separation of a name.

    Parameters
    ----------
    name : str
        A key of `SEPARATIONS`.
    **numbers : Fraction, int, float or str
        Those that it needs: epsilon, delta, beyond, failure, factor, count, p. [0, inf)

    Returns
    -------
    Separation
        Written out, with its claims.

    Raises
    ------
    InvalidInput
        If the name is unknown, a number is missing, or one is given that it does not take.
    Meaningless
        If the construction does not exist with these numbers.

    Examples
    --------
    >>> from dprisk.papers import separate
    >>> separate("theorem-3-2", epsilon=1, delta="0.1", beyond=2).verified()
    True
    """
    recipe = SEPARATIONS[one_of("name", name, SEPARATIONS)]
    needs = ", ".join(recipe.needs) or "none"
    for missing in recipe.needs:
        if numbers.get(missing) is None:
            what = fill(f"papers.number.{missing}")
            fix = f"{name} takes {needs}; {missing} is {what}."
            raise InvalidInput(missing, None, f"given with {name}", fix)
    given = {key: value for key, value in numbers.items() if value is not None}
    for extra, value in given.items():
        if extra not in recipe.needs:
            raise InvalidInput(extra, value, f"left out with {name}", f"It takes {needs}.")
    return recipe.make(**given)
