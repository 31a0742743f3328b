"""Conversion between definitions of privacy: the best way through a table of proven theorems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, final, get_args

import numpy as np

from dprisk import theorems as th
from dprisk._checks import NONNEGATIVE, ORDER, PROBABILITY, scalar
from dprisk._values import result
from dprisk.errors import InvalidInput, NoConversion, one_of
from dprisk.guarantees import rules as by
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import SIDES, Guarantee, Sides
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.probabilistic import ProbabilisticallyBoundedDP, ProbabilisticDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from dprisk.guarantees.rules import Apply, Request
from dprisk.guarantees.smooth import SmoothTradeoff
from dprisk.guarantees.tradeoff import FDP
from dprisk.guarantees.words import in_words
from dprisk.theorems import Theorem

Target = Literal[
    "pure",
    "approximate",
    "probabilistic",
    "bounded",
    "tradeoff",
    "gaussian",
    "renyi",
    "concentrated",
]
TARGETS: Final[tuple[Target, ...]] = get_args(Target)
Exactness = Literal["exact", "upper"]
Source = tuple[type[Guarantee], ...]


@final
@dataclass(frozen=True)
class Conversion:
    """A row of the table: every mechanism that keeps `source` keeps what `apply` returns."""

    source: Source
    target: Target
    name: str
    exactness: Exactness
    theorem: Theorem
    apply: Apply


PURE: Source = (PureDP,)
APPROXIMATE: Source = (ApproxDP, ApproxDPCurve)
POINTWISE: Source = (*PURE, *APPROXIMATE)
PROBABILISTIC: Source = (ProbabilisticDP,)
BOUNDED: Source = (ProbabilisticallyBoundedDP,)
GAUSSIAN: Source = (GaussianDP,)
TRADEOFFS: Source = (FDP, GaussianDP)
RENYI_ONLY: Source = (RenyiDP,)
ZCDP: Source = (ZeroConcentratedDP,)
RENYI: Source = (*RENYI_ONLY, *ZCDP)
SAMPLED: Source = (GaussianDP, SmoothTradeoff, *RENYI)  # type: ignore[type-abstract]
EVERY: Source = (Guarantee,)


def exact(source: Source, name: str, theorem: Theorem, apply: Apply) -> Conversion:
    """A row that loses nothing; its target comes from the table."""
    return Conversion(source, "pure", name, "exact", theorem, apply)


def upper(source: Source, name: str, theorem: Theorem, apply: Apply) -> Conversion:
    """A row that may lose something."""
    return Conversion(source, "pure", name, "upper", theorem, apply)


def _table(rows: Mapping[Target, Sequence[Conversion]]) -> tuple[Conversion, ...]:
    return tuple(replace(row, target=target) for target, of in rows.items() for row in of)


CONVERSIONS: Final = _table(
    {
        "approximate": (
            exact(
                PURE,
                "the profile of randomized response",
                th.RANDOMIZED_RESPONSE_PROFILE,
                by.profile,
            ),
            upper(
                PURE, "the general note of Meiser 2018", th.PROBABILISTIC_PROFILE, by.general_note
            ),
            exact(
                APPROXIMATE,
                "the worst case of the promised points",
                th.WORST_APPROXIMATE,
                by.profile,
            ),
            exact(PROBABILISTIC, "the same numbers", th.PROBABILISTIC_TO_APPROXIMATE, by.profile),
            upper(BOUNDED, "the concavity of power", th.BOUNDED_POWER, by.profile),
            exact(TRADEOFFS, "the dual of the trade-off", th.TRADEOFF_PROFILE, by.profile),
            exact(RENYI, "the dual of the power curve", th.RENYI_PROFILE, by.profile),
            upper(RENYI_ONLY, "the simple Rényi conversion", th.RENYI_TAIL_BY_MARKOV, by.mironov),
            upper(
                ZCDP,
                "the simple zCDP conversion",
                th.ZCDP_TO_APPROXIMATE_FORMULA,
                by.simple_concentrated,
            ),
        ),
        "probabilistic": (
            exact(POINTWISE, "the price of both sides", th.APPROXIMATE_TAIL, by.TWO_SIDED),
            exact(POINTWISE, "the price of one side", th.APPROXIMATE_ONE_TAIL, by.ONE_SIDED),
            exact(TRADEOFFS, "the power curve, both sides", th.TRADEOFF_BOTH_TAILS, by.TWO_SIDED),
            exact(TRADEOFFS, "the power curve, one side", th.TRADEOFF_TAIL, by.ONE_SIDED),
            upper(
                (*PROBABILISTIC, *BOUNDED),
                "the promise itself, both sides",
                th.PROBABILISTIC_DP,
                by.TWO_SIDED,
            ),
            upper(
                (*PROBABILISTIC, *BOUNDED),
                "the promise itself, one side",
                th.ONE_TAIL_PROMISED,
                by.ONE_SIDED,
            ),
            upper(RENYI, "two coins, both sides", th.RENYI_TAIL_OF_COINS, by.TWO_SIDED),
            exact(RENYI, "two coins, one side", th.RENYI_TAIL_OF_COINS, by.ONE_SIDED),
            upper(
                ZCDP,
                "the simple zCDP conversion, then the price of both sides",
                th.APPROXIMATE_TAIL,
                by.through_simple,
            ),
        ),
        "bounded": (
            exact((*POINTWISE, *TRADEOFFS), "the power curve", th.TRADEOFF_TAIL, by.PROCESSED_TAIL),
            exact(
                PROBABILISTIC,
                "the same numbers as approximate DP",
                th.PROBABILISTIC_TO_APPROXIMATE,
                by.PROCESSED_TAIL,
            ),
            upper(BOUNDED, "the concavity of power", th.BOUNDED_POWER, by.PROCESSED_TAIL),
            exact(RENYI, "two coins", th.RENYI_TAIL_OF_COINS, by.PROCESSED_TAIL),
            upper(RENYI_ONLY, "Markov's inequality", th.RENYI_TAIL, by.as_bounded(by.mironov)),
            upper(
                ZCDP, "Markov's inequality", th.RENYI_TAIL, by.as_bounded(by.simple_concentrated)
            ),
        ),
        "tradeoff": (
            exact(
                (*POINTWISE, FDP), "the polygon of the promise", th.APPROXIMATE_POWER, by.polygon
            ),
            exact(
                PROBABILISTIC,
                "the polygon of approximate DP",
                th.PROBABILISTIC_TO_APPROXIMATE,
                lambda known, request: by.polygon(known._approximate, request),
            ),
            upper(
                SAMPLED,
                "a polygon below the trade-off",
                th.RENYI_POWER,
                by.sampled,
            ),
        ),
        "gaussian": (
            exact(
                PURE, "the corner of randomized response", th.PURE_TO_GAUSSIAN, by.gaussian_of_pure
            ),
            exact(GAUSSIAN, "as stated", th.TRADEOFF_PROFILE, by.itself),
        ),
        "renyi": (
            exact(
                PURE, "the divergence of randomized response", th.PURE_TO_RENYI, by.renyi_of_pure
            ),
            exact(
                GAUSSIAN,
                "the divergence of two normals",
                th.GAUSSIAN_TO_RENYI,
                by.renyi_of_gaussian,
            ),
            exact(ZCDP, "the definition of zCDP", th.ZCDP_TO_RENYI, by.renyi_of_concentrated),
            upper(RENYI_ONLY, "a higher order", th.RENYI_RISES, by.renyi_of_orders),
        ),
        "concentrated": (
            exact(
                GAUSSIAN,
                "the divergence of two normals",
                th.GAUSSIAN_TO_ZCDP,
                by.concentrated_of_gaussian,
            ),
            upper(PURE, "half the square", th.PURE_TO_ZCDP, by.concentrated_of_pure),
            exact(ZCDP, "as stated", th.ZCDP_DEFINITION, by.itself),
        ),
        "pure": (exact(EVERY, "a privacy loss that is never exceeded", th.PURE_TAIL, by.pure),),
    }
)

GENERAL: Final = (
    *_table(
        {
            "approximate": (
                upper(EVERY, "its own privacy profile", th.POINT_OF_PROFILE, by.profile),
            ),
            "probabilistic": (
                upper(EVERY, "its own tail", th.TRADEOFF_TAIL, by.TWO_SIDED),
                upper(EVERY, "its own tail", th.TRADEOFF_TAIL, by.ONE_SIDED),
            ),
            "bounded": (upper(EVERY, "its own tail", th.TRADEOFF_TAIL, by.PROCESSED_TAIL),),
            "tradeoff": (
                upper(EVERY, "points of its own power curve", th.TRADEOFF_POINTS, by.at_points),
            ),
            "renyi": (
                upper(EVERY, "its own divergence", th.RENYI_COMPOSITION, by.renyi_of_losses),
            ),
            "concentrated": (
                upper(
                    EVERY,
                    "its own divergences of all orders",
                    th.ZCDP_DEFINITION,
                    by.concentrated_of_losses,
                ),
            ),
        }
    ),
    *(
        replace(
            row,
            source=EVERY,
            name=f"a privacy loss that is never exceeded, then {row.name}",
            exactness="upper",
            apply=by.through_pure(row.apply),
        )
        for row in CONVERSIONS
        if row.source == PURE and row.target in ("gaussian", "renyi", "concentrated")
    ),
)
"""For a guarantee that no other row starts from, such as a privacy loss."""


POINTS: tuple[Target, ...] = ("approximate", "probabilistic", "bounded")


@final
@result
@dataclass(frozen=True, repr=False)
class Converted:
    """A guarantee reached by a row of the table. Made by `convert` and `conversions`.

    Parameters
    ----------
    guarantee : Guarantee
        What is implied.
    by : Conversion
        The row: its name, its theorem, and whether it is exact.
    """

    guarantee: Guarantee
    by: Conversion


def convert(
    guarantee: Guarantee,
    to: Target | type[Guarantee],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    alpha: float | None = None,
    sides: Sides = "both",
) -> Converted:
    """Strongest guarantee of another definition that a guarantee implies.

    Parameters
    ----------
    guarantee : Guarantee
        What is known.
    to : str or type
        Definition wanted, by its class or its name: "pure", "approximate", "probabilistic",
        "bounded", "tradeoff", "gaussian", "renyi" or "concentrated".
    epsilon : float, optional
        For "approximate", "probabilistic" and "bounded": land at this epsilon. [0, inf], nats
    delta : float, optional
        For the same three: land at this delta. Exactly one of the two is needed. [0, 1]
    alpha : float, optional
        For "renyi": the order. (1, inf)
    sides : {"both", "one"}
        For "probabilistic": two-sided (P0) or one-sided (P2, P4).

    Returns
    -------
    Converted
        The guarantee with the smallest parameter, and the theorems that lead to it; the neighbors
        stay as they are.

    Raises
    ------
    InvalidInput
        If a needed parameter is missing, superfluous or out of range.
    NoConversion
        If no mechanism-independent conversion exists; the message says why.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP, convert
    >>> census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> best = convert(census, "approximate", delta=1e-10)
    >>> round(best.guarantee.parameters["epsilon"], 3), str(best.by.theorem)
    (17.431, 'dprisk Proposition 21')
    """
    return conversions(guarantee, to, epsilon=epsilon, delta=delta, alpha=alpha, sides=sides)[0]


def conversions(
    guarantee: Guarantee,
    to: Target | type[Guarantee],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    alpha: float | None = None,
    sides: Sides = "both",
) -> tuple[Converted, ...]:
    """Every known way from a guarantee to another definition, the strongest result first.

    Parameters
    ----------
    guarantee : Guarantee
        What is known.
    to : str or type
        Definition wanted; this and the rest as for `convert`.
    epsilon, delta, alpha : float, optional
        Where to land. [0, inf]; [0, 1]; (1, inf)
    sides : {"both", "one"}
        For "probabilistic": two-sided or one-sided.

    Returns
    -------
    tuple of Converted
        At least one, by rising parameter.

    Raises
    ------
    InvalidInput, NoConversion
        As by `convert`.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.guarantees.convert import conversions
    >>> known = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> for way in conversions(known, "approximate", delta=1e-10):
    ...     print(f"{way.guarantee.parameters['epsilon']:.3f} {way.by.name}")
    17.431 the dual of the power curve
    18.194 the simple zCDP conversion
    """
    wanted = one_of("to", getattr(to, "definition", to), TARGETS)
    request = _request(wanted, epsilon, delta, alpha, sides)
    rows = _rows(CONVERSIONS, guarantee, wanted) or _rows(GENERAL, guarantee, wanted)
    reached = [(row.apply(guarantee, request), row) for row in rows]
    found = [Converted(result, row) for result, row in reached if result is not None]
    if not found:
        raise NoConversion(_why_not(guarantee, wanted, request))
    return tuple(sorted(found, key=lambda way: _size(way.guarantee, request)))


def _rows(table: Sequence[Conversion], guarantee: Guarantee, to: Target) -> list[Conversion]:
    return [row for row in table if row.target == to and isinstance(guarantee, row.source)]


def _request(
    to: Target, epsilon: float | None, delta: float | None, alpha: float | None, sides: Sides
) -> Request:
    one_of("sides", sides, SIDES)
    given = {"epsilon": epsilon, "delta": delta, "alpha": alpha}
    allowed = {"epsilon", "delta"} if to in POINTS else {"alpha"} if to == "renyi" else set()
    for name, value in given.items():
        if value is not None and name not in allowed:
            raise InvalidInput(name, value, f"left out when converting to {to!r}")
    if sides != "both" and to != "probabilistic":
        raise InvalidInput("sides", sides, f"left out when converting to {to!r}")
    chosen = [name for name in sorted(allowed) if given[name] is not None]
    if allowed and len(chosen) != 1:
        options = " or ".join(sorted(allowed))
        fix = f"Say at which {options} to state the converted guarantee."
        once = f"given exactly once when converting to {to!r}"
        raise InvalidInput(options, " and ".join(chosen) or None, once, fix)
    return Request(
        epsilon=None if epsilon is None else scalar("epsilon", epsilon, NONNEGATIVE),
        delta=None if delta is None else scalar("delta", delta, PROBABILITY),
        alpha=None if alpha is None else scalar("alpha", alpha, ORDER),
        sides=sides,
    )


def _size(guarantee: Guarantee, request: Request) -> float:
    """The parameter that was left open: the smaller the stronger."""
    parameters = guarantee.parameters
    if request.epsilon is not None:
        return float(parameters["delta"])
    for name in ("epsilon", "mu", "rho", "gamma"):
        if name in parameters:
            return float(parameters[name])
    return 0.0


def _why_not(guarantee: Guarantee, to: Target, request: Request) -> str:
    start = f"A promise of {in_words(guarantee)} implies no {to} guarantee"
    floor = guarantee.delta(np.inf).value
    if floor > 0 and to in ("pure", "gaussian", "renyi", "concentrated"):
        return (
            f"{start}: with probability up to {floor:g} an output may be possible under only one "
            f"of two neighbors. That is an infinite privacy loss, which {to} DP rules out."
        )
    if to in POINTS and request.delta is not None and _reach(guarantee, to, request) == np.inf:
        return (
            f"{start} at delta = {request.delta:g}: no finite epsilon holds there for every "
            "mechanism that keeps the promise. Ask for a larger delta."
        )
    if to == "bounded" and (request.epsilon or 0.0) == 0.0:
        return (
            f"{start}: that definition limits losses above a positive epsilon. "
            "Ask at a positive epsilon."
        )
    if to == "pure":
        return f"{start}: its mechanisms may have an unbounded privacy loss."
    return (
        f"dprisk knows no {to} guarantee that follows from a promise of {in_words(guarantee)}: "
        "no theorem in the table leads there."
    )


def _reach(guarantee: Guarantee, to: Target, request: Request) -> float:
    """The loss that is exceeded with the probability that was asked for."""
    if to == "approximate":
        return float(guarantee.epsilon(request.delta or 0.0).value)
    sides: Sides = "one" if to == "bounded" else request.sides
    return float(guarantee.loss_bound(request.delta or 0.0, sides=sides).value)
