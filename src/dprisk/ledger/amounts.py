"""What one use of a part costs, exactly: from the decimal text as it was written."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from dprisk._numeric.exact import rounded_up
from dprisk._numeric.rounding import up
from dprisk.guarantees import PureDP, RenyiDP
from dprisk.guarantees.convert import convert
from dprisk.releases.release import Part

Kind = Literal["pure", "gaussian", "approximate", "concentrated", "other"]
Number = Callable[[str], Fraction]


class Stated(NamedTuple):
    """The parameters of one use, as rational numbers."""

    kind: Kind
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    """With the offset xi, if there is one: xi + rho alpha is at most (xi + rho) alpha."""
    mu_squared: Fraction = Fraction(0)


BY_KIND: Final[Mapping[str, Callable[[Number], Stated]]] = {
    "laplace": lambda n: Stated("pure", n("sensitivity") / n("scale")),
    "geometric": lambda n: Stated("pure", n("sensitivity") / n("scale")),
    "randomized-response": lambda n: Stated("pure", n("epsilon")),
    "sample-release": lambda n: Stated("approximate", delta=n("sample") / n("population")),
    "gaussian": lambda n: Stated("gaussian", mu_squared=(n("sensitivity") / n("sigma")) ** 2),
    "discrete-gaussian": lambda n: Stated(
        "concentrated", rho=(n("sensitivity") / n("sigma")) ** 2 / 2
    ),
}
"""Of mechanisms, where their own parameters say it."""


def stated(part: Part) -> Stated:
    """What one use of a part promises, in the strongest definition that it is stated in."""
    known = BY_KIND.get(part.given.get("kind", "")) if part.mechanism is not None else None
    if known is not None:
        return known(lambda name: Fraction(part.given[name]))
    promise = part.guarantee
    if part.mechanism is not None and isinstance(promise, PureDP):  # as computed: up to rounding
        return Stated("pure", _finite(float(up(promise.stated_epsilon))))
    numbers = promise.summands
    for kind in ("pure", "approximate", "concentrated"):
        if kind not in numbers:
            continue
        if kind == "concentrated" and "gaussian" in numbers:
            return Stated("gaussian", mu_squared=_written(part, "mu") ** 2)
        found = {name: _written(part, str(name)) for name in numbers[kind].numbers}
        rho = found.pop("rho", Fraction(0)) + found.pop("xi", Fraction(0))
        return Stated(kind, rho=rho, **found)
    return Stated("other")


def _written(part: Part, name: str) -> Fraction:
    """A parameter of a promise as it was written; as it is, where nothing was."""
    value = part.guarantee.parameters.get(name, 0.0)
    text = part.given.get(name)
    if text is not None and float(text) == value and math.isfinite(value):
        return Fraction(text)
    return _finite(float(value))


def _finite(value: float) -> Fraction:
    """An infinite one as one that no account has."""
    return Fraction(value) if math.isfinite(value) else Fraction(10) ** 400


def gaussian_square(epsilon: Fraction) -> Fraction | None:
    """The mu^2 of pure DP (Proposition 5), rounded upwards; None if it is too large."""
    if not epsilon:
        return epsilon
    if epsilon > 10**4:
        return None
    known = PureDP(rounded_up(epsilon), neighbors="add-remove")  # the same for both
    found = convert(known, "gaussian").guarantee
    return Fraction(float(found.parameters["mu"])) ** 2


def divergences(part: Part, orders: Sequence[float]) -> tuple[Fraction, ...] | None:
    """Limits on the Rényi divergences of one use, rounded upwards; None where there are none."""
    known = stated(part)
    if known.delta:
        return None
    bounds = [_of_stated(known, Fraction(order)) for order in orders]
    if part.mechanism is not None:
        own = [_fraction(value) for value in part.mechanism.renyi(list(orders)).tolist()]
        bounds = [_least(pair) for pair in zip(bounds, own, strict=True)]
    elif known.kind == "pure":
        bounds = [_of_pure(known.epsilon, order) for order in orders]
    elif isinstance(part.guarantee, RenyiDP):
        bounds = [_of_higher(part.guarantee, order) for order in orders]
    found = tuple(bound for bound in bounds if bound is not None)
    return found if len(found) == len(orders) else None


def _of_stated(known: Stated, order: Fraction) -> Fraction | None:
    if known.kind == "gaussian":
        return order * known.mu_squared / 2
    return order * known.rho if known.kind == "concentrated" else None


def _of_pure(epsilon: Fraction, order: float) -> Fraction:
    """Of randomized response, and never more than epsilon."""
    if not epsilon or epsilon > 10**9:
        return epsilon
    promise = PureDP(rounded_up(epsilon), neighbors="add-remove")  # the same for both
    found = convert(promise, "renyi", alpha=order).guarantee
    return Fraction(float(found.parameters["gamma"]))


def _of_higher(promise: RenyiDP, order: float) -> Fraction | None:
    """Divergences rise with the order: a limit at a higher one serves."""
    higher = [g for a, g in zip(promise.alpha, promise.gamma, strict=True) if a >= order]
    return Fraction(min(higher)) if higher else None


def _fraction(value: float) -> Fraction | None:
    return Fraction(value) if math.isfinite(value) else None


def _least(bounds: Sequence[Fraction | None]) -> Fraction | None:
    return min((bound for bound in bounds if bound is not None), default=None)
