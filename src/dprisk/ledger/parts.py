"""Parts of releases as text, and what they promise for other neighbors and for groups."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_UP, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from dprisk._numeric.exact import rounded_up
from dprisk._numeric.rounding import up
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees import Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.convert import convert
from dprisk.guarantees.words import in_words
from dprisk.ledger.entries import canonical
from dprisk.releases.forms import form_of
from dprisk.releases.release import Part
from dprisk.releases.spelling import decimal_text

DIGITS: Final = 1000
BEYOND: Final = 800
"""e to this times the least positive number that files know is above 1."""


def part_key(part: Part) -> str:
    """One use of a part in the form of files, as canonical JSON: the same for equal parts."""
    if part.mechanism is not None:
        if "kind" not in part.given:
            raise InvalidInput(
                "mechanism", part.mechanism, "a mechanism that a release file can describe"
            )
        return canonical({"mechanism": dict(part.given)})
    definition = form_of(part.guarantee).definition
    named = {"definition": definition} if definition else {}
    return canonical({"guarantee": {**named, **_listed(part.given)}})


@lru_cache(maxsize=4096)
def part_of(key: str, neighbors: Neighbors) -> Part:
    """The part that a key stands for."""
    from dprisk.releases.model import GuaranteeEntry, MechanismEntry

    ((kind, given),) = json.loads(key).items()
    model: Any = MechanismEntry if kind == "mechanism" else GuaranteeEntry
    part: Part = model.model_validate(given).to_part(neighbors)
    return part


def for_group(part: Part, steps: int, neighbors: Neighbors) -> Part:
    """Part with its promise between datasets that are so many steps apart."""
    promise = part.guarantee
    if steps == 1 and promise.neighbors == neighbors:
        return part
    run = part.mechanism is not None
    given = _written(promise, of_mechanism=True) if run else dict(part.given)
    found = _many(promise, given, steps)
    if found is None and steps == 2 and promise.neighbors == "add-remove":
        promise = promise.for_neighbors("replace-one")
        found = _written(promise, of_mechanism=run)
    if found is None:
        raise Meaningless(
            f"There is no theorem about {in_words(part.guarantee)} for a group of {steps}."
        )
    definition = form_of(promise).definition
    named = {"definition": definition} if definition else {}
    return part_of(canonical({"guarantee": {**named, **_listed(found)}}), neighbors)


def _listed(given: Mapping[str, str]) -> dict[str, Any]:
    """Several numbers as a list, as files have them."""
    return {name: text.split(", ") if ", " in text else text for name, text in given.items()}


def _many(promise: Guarantee, given: dict[str, str], steps: int) -> dict[str, str] | None:
    """Numbers of a promise for a group, by theorems for groups of any size; None without one."""
    own = {
        kind for kind, parameters in promise.additive_parameters.items() if not parameters.read_as
    }
    if "pure" in own:
        return {"epsilon": _times(given["epsilon"], steps)}
    if "gaussian" in own:
        return {"mu": _times(given["mu"], steps)}
    if "concentrated" in own and set(given) == {"rho"}:
        return {"rho": _times(given["rho"], steps * steps)}
    if "approximate" in own:
        slack = _several(given["delta"], given["epsilon"], range(steps))
        return {"epsilon": _times(given["epsilon"], steps), "delta": slack}
    return None


def _times(text: str, factor: int) -> str:
    with localcontext(prec=DIGITS):
        return f"{Decimal(text) * factor:f}"


def _several(delta: str, epsilon: str, steps: Iterable[int]) -> str:
    """A delta, so many times, each e^epsilon times the one before; not below it, at most 1."""
    one, size = Decimal(delta), Decimal(epsilon)
    if not one:
        return "0"
    with localcontext(prec=40, rounding=ROUND_UP):
        total, above = Decimal(0), 1 + Decimal(10) ** -38
        for step in steps:
            if total >= 1 or size * step > BEYOND:
                return "1"
            total += one * (size * step).exp() * above  # exp is rounded to the nearest
    with localcontext(prec=17, rounding=ROUND_UP):
        return str(min(+total, Decimal(1)))


def _written(promise: Guarantee, *, of_mechanism: bool) -> dict[str, str]:
    """The parameters of a promise in decimal text; of a mechanism, they were rounded somehow."""
    found = dict(promise.parameters)
    if of_mechanism:
        found = {name: _next_up(value) for name, value in found.items()}
    return {name: decimal_text(value) for name, value in found.items()}


def _next_up(value: Any) -> Any:
    if isinstance(value, list):
        return [_next_up(each) for each in value]
    return float(up(value)) if isinstance(value, float) and value > 0.0 else value


Kind = Literal["pure", "gaussian", "approximate", "concentrated", "other"]
Number = Callable[[str], Fraction]


class Stated(NamedTuple):
    """The parameters of one use, as rational numbers."""

    kind: Kind
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    """Rho and the offset xi, if there is one: xi + rho alpha is at most (xi + rho) alpha."""
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
"""Promises of mechanisms, where their own parameters say them exactly."""


def stated(part: Part) -> Stated:
    """Promise of one use of a part, in the strongest definition that it is stated in."""
    known = BY_KIND.get(part.given.get("kind", "")) if part.mechanism is not None else None
    if known is not None:
        return known(lambda name: Fraction(part.given[name]))
    numbers = part.guarantee.additive_parameters
    if part.mechanism is not None and "pure" in numbers:  # as computed: up to rounding
        return Stated("pure", _finite(float(up(float(numbers["pure"].numbers["epsilon"])))))
    for kind in ("pure", "approximate", "concentrated"):
        if kind not in numbers:
            continue
        if kind == "concentrated" and "gaussian" in numbers:
            return Stated("gaussian", mu_squared=_exact_parameter(part, "mu") ** 2)
        found = {name: _exact_parameter(part, str(name)) for name in numbers[kind].numbers}
        rho = found.pop("rho", Fraction(0)) + found.pop("xi", Fraction(0))
        return Stated(kind, rho=rho, **found)
    return Stated("other")


def _exact_parameter(part: Part, name: str) -> Fraction:
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
    elif "renyi" in part.guarantee.additive_parameters:
        known_at = part.guarantee.additive_parameters["renyi"].numbers
        bounds = [_least_above(known_at, order) for order in orders]
    found = tuple(bound for bound in bounds if bound is not None)
    return found if len(found) == len(orders) else None


def _of_stated(known: Stated, order: Fraction) -> Fraction | None:
    if known.kind == "gaussian":
        return order * known.mu_squared / 2
    return order * known.rho if known.kind == "concentrated" else None


def _of_pure(epsilon: Fraction, order: float) -> Fraction:
    """Rényi divergence of randomized response, which is never more than epsilon."""
    if not epsilon or epsilon > 10**9:
        return epsilon
    promise = PureDP(rounded_up(epsilon), neighbors="add-remove")  # the same for both
    found = convert(promise, "renyi", alpha=order).guarantee
    return Fraction(float(found.parameters["gamma"]))


def _least_above(limits: Mapping[float, Any], order: float) -> Fraction | None:
    """Divergences rise with the order: a limit at a higher one serves."""
    return _least([Fraction(limit) for at, limit in limits.items() if at >= order])


def _fraction(value: float) -> Fraction | None:
    return Fraction(value) if math.isfinite(value) else None


def _least(bounds: Sequence[Fraction | None]) -> Fraction | None:
    return min((bound for bound in bounds if bound is not None), default=None)
