"""How much of what adds up, rho, epsilon or squares of mu, the promises of a release allow."""

from __future__ import annotations

import math
from fractions import Fraction

from dprisk.basis import basis_of
from dprisk.guarantees import GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.guarantees.base import Guarantee
from dprisk.releases.release import Release


def promised(release: Release, unit: str) -> Fraction | None:
    """Add up the most that a release can spend, as allocations do."""
    parts = basis_of(release).parts
    known = [_amount(part.guarantee, unit) for part in parts]
    amounts = [each for each in known if each is not None]
    if not parts or len(amounts) < len(parts):
        return None
    steps = 1 if release.neighbors == "replace-one" else 2  # of removing and adding
    total = sum((each * p.count for each, p in zip(amounts, parts, strict=True)), Fraction(0))
    return total * release.releases * steps ** (1 if unit == "epsilon" else 2)


def _amount(promise: Guarantee, unit: str) -> Fraction | None:
    numbers = {
        name: Fraction(value)
        for name, value in promise.parameters.items()
        if isinstance(value, float) and math.isfinite(value)
    }
    if unit == "epsilon":
        return numbers.get("epsilon") if isinstance(promise, PureDP) else None
    rho = None
    if isinstance(promise, ZeroConcentratedDP) and set(numbers) == {"rho"}:
        rho = numbers["rho"]
    elif isinstance(promise, GaussianDP):
        rho = numbers["mu"] ** 2 / 2
    elif isinstance(promise, PureDP) and "epsilon" in numbers:
        rho = numbers["epsilon"] ** 2 / 2
    return None if rho is None else rho if unit == "rho" else 2 * rho
