"""From one definition of privacy to another: the best way through a table of proven theorems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._checks import NONNEGATIVE, ORDER, PROBABILITY, one_of, scalar
from dprisk._values import result
from dprisk.errors import InvalidInput, NoConversion
from dprisk.guarantees.base import SIDES, Guarantee, Sides, in_words
from dprisk.guarantees.rules import Request
from dprisk.guarantees.table import CONVERSIONS, GENERAL, TARGETS, Conversion, Target
from dprisk.text import fill

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
        Definition wanted; see `convert`.
    epsilon : float, optional
        Land at this epsilon; see `convert`. [0, inf], nats
    delta : float, optional
        Land at this delta; see `convert`. [0, 1]
    alpha : float, optional
        Land at this order; see `convert`. (1, inf)
    sides : {"both", "one"}
        For "probabilistic": two-sided or one-sided.

    Returns
    -------
    tuple of Converted
        At least one, by rising parameter.

    Raises
    ------
    InvalidInput
        If a needed parameter is missing, superfluous or out of range.
    NoConversion
        If there is none; the message says why.

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
            raise InvalidInput(name, value, fill("guarantees.convert.left-out", target=repr(to)))
    if sides != "both" and to != "probabilistic":
        raise InvalidInput("sides", sides, fill("guarantees.convert.left-out", target=repr(to)))
    chosen = [name for name in sorted(allowed) if given[name] is not None]
    if allowed and len(chosen) != 1:
        options = fill("guarantees.convert.or").join(sorted(allowed))
        raise InvalidInput(
            options,
            fill("and").join(chosen) or None,
            fill("guarantees.convert.once", target=repr(to)),
            fill("guarantees.convert.once.fix", options=options),
        )
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
    why, said = "none", {"guarantee": in_words(guarantee), "target": to}
    floor = guarantee.delta(np.inf).value
    if floor > 0 and to in ("pure", "gaussian", "renyi", "concentrated"):
        why, said["revealed"] = "none.revealed", f"{floor:g}"
    elif to in POINTS and request.delta is not None and _reach(guarantee, to, request) == np.inf:
        why, said["delta"] = "none.delta", f"{request.delta:g}"
    elif to == "bounded" and (request.epsilon or 0.0) == 0.0:
        why = "none.bounded"
    elif to == "pure":
        why = "none.pure"
    return fill(f"guarantees.convert.{why}", **said)


def _reach(guarantee: Guarantee, to: Target, request: Request) -> float:
    """The loss that is exceeded with the probability that was asked for."""
    if to == "approximate":
        return float(guarantee.epsilon(request.delta or 0.0).value)
    sides: Sides = "one" if to == "bounded" else request.sides
    return float(guarantee.loss_bound(request.delta or 0.0, sides=sides).value)
