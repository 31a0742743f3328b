"""Parts of releases as text, and what they promise for other neighbors and for groups."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import ROUND_UP, Decimal, localcontext
from functools import lru_cache
from typing import Any, Final

from dprisk._numeric.rounding import up
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    ZeroConcentratedDP,
)
from dprisk.guarantees.base import Neighbors, in_words
from dprisk.ledger.entries import canonical
from dprisk.releases.forms import form_of
from dprisk.releases.release import Part
from dprisk.releases.spelling import decimal_text
from dprisk.text import fill

DIGITS: Final = 1000
BEYOND: Final = 800
"""e to this times the least positive number that files know is above 1."""


def part_key(part: Part) -> str:
    """One use of a part in the form of files, as canonical JSON: the same for equal parts."""
    if part.mechanism is not None:
        if "kind" not in part.given:
            raise InvalidInput("mechanism", part.mechanism, fill("ledger.part.mechanism"))
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


def stepped(part: Part, steps: int, neighbors: Neighbors) -> Part:
    """What a part promises between datasets that are so many steps apart."""
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
        raise Meaningless(fill("ledger.part.steps", part=in_words(part.guarantee), steps=steps))
    definition = form_of(promise).definition
    named = {"definition": definition} if definition else {}
    return part_of(canonical({"guarantee": {**named, **_listed(found)}}), neighbors)


def _listed(given: Mapping[str, str]) -> dict[str, Any]:
    """Several numbers as a list, as files have them."""
    return {name: text.split(", ") if ", " in text else text for name, text in given.items()}


def _many(promise: Guarantee, given: dict[str, str], steps: int) -> dict[str, str] | None:
    """By the theorems about groups of any size."""
    if isinstance(promise, PureDP):
        return {"epsilon": _times(given["epsilon"], steps)}
    if isinstance(promise, GaussianDP):
        return {"mu": _times(given["mu"], steps)}
    if isinstance(promise, ZeroConcentratedDP) and set(given) == {"rho"}:
        return {"rho": _times(given["rho"], steps * steps)}
    if isinstance(promise, ApproxDP):
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
