"""Everything run, promised and stated about one release, held against each other.

Every document about a release takes from here which statements it cannot keep, and which of the
others counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._values import brief, members, result
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.answer import Answer
from dprisk.composition.composing import compose
from dprisk.errors import OutOfRange
from dprisk.guarantees import (
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    ZeroConcentratedDP,
)
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.losses.base import least_divergence
from dprisk.releases.release import Part, Release
from dprisk.risk.adversary import Secret, between_hypotheses, confidence_for
from dprisk.risk.posterior import disclosure
from dprisk.theorems import LOSS_COMPOSITION, Theorem

Quantity = Literal["epsilon", "delta", "divergence", "tail"]
AT: Final[dict[Quantity, str]] = {
    "epsilon": "delta",
    "delta": "epsilon",
    "divergence": "alpha",
    "tail": "epsilon",
}
MARGIN: Final = 1e-9  # relative: what rounding of a statement or of an answer comes to
DELTAS: Final = (1e-5, 1e-6, 1e-9, 1e-3, 0.01, 0.1, 0.0)  # at which other definitions are compared
ORDERS: Final = 1.0 + np.array([1e-5, 1e-3, 0.01, 0.1, 0.3, *np.geomspace(1.0, 1e6, 61)])


@final
@result
@dataclass(frozen=True, repr=False)
class Contradiction:
    """A statement that a release certainly cannot keep. Made by `basis_of`.

    Parameters
    ----------
    release : str
        The name of the release.
    stated : Part
        The statement, as given.
    quantity : {"epsilon", "delta", "divergence", "tail"}
        What is compared: epsilon at a delta, delta at an epsilon, the Rényi divergence at an order,
        or how likely the privacy loss of the raw output exceeds an epsilon.
    at : float
        That delta, epsilon or order. [0, inf]
    claimed : float
        The most that the statement allows there. [0, inf]
    certified : float
        At least what was run gives there; above `claimed`. [0, inf]
    theorem : Theorem
        How that was worked out.
    """

    release: str
    stated: Part
    quantity: Quantity
    at: float
    claimed: float
    certified: float
    theorem: Theorem

    def __repr__(self) -> str:
        least = f"{self.certified:.12g}"  # rounded down, but for what a double is off
        if float(least) > self.certified * (1.0 + 1e-13):
            least = repr(math.nextafter(self.certified, 0.0))
        found = f"{self.quantity} at {AT[self.quantity]} {self.at:g}, {self.claimed:.12g} stated"
        return f"<Contradiction of {brief(self.stated.guarantee)}: {found}, at least {least}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; infinity is None, and said to be so."""
        stated = ("stated.guarantee.definition", "stated.given", "stated.count")
        return {
            **members(self, "release", *stated, "quantity"),
            "at": {AT[self.quantity]: self.at},
            **members(self, "claimed", "certified"),
            "certified_infinite": math.isinf(self.certified),
            **members(self, "theorem", "theorem.citation"),
        }


@final
@result
@dataclass(frozen=True)
class Basis:
    """The statements that count for a release, and those that cannot. Made by `basis_of`.

    Parameters
    ----------
    parts : tuple of Part
        What every number rests on: the parts of the release, or one statement about the whole that
        may hold and says more.
    contradicted : tuple of Contradiction
        Statements that the release cannot keep. They are used for nothing.
    others : tuple of tuple of Part
        Other statements that may hold. No number uses them.
    rests_on : {"parts", "statement"}
        Whether it is the parts of the release that count, or one statement about the whole.
    """

    parts: tuple[Part, ...]
    contradicted: tuple[Contradiction, ...] = ()
    others: tuple[tuple[Part, ...], ...] = ()
    rests_on: Literal["parts", "statement"] = "parts"

    @property
    def unkept(self) -> tuple[Part, ...]:
        """The statements that the release cannot keep."""
        return tuple(found.stated for found in self.contradicted)


def basis_of(release: Release) -> Basis:
    """Hold everything that is known and said about one release against each other.

    Parameters
    ----------
    release : Release
        One release, however often it is repeated.

    Returns
    -------
    Basis
        Which statements it cannot keep, and the parts that count.

    Notes
    -----
    Only mechanisms have certified lower ends: a promise may be kept by something that does better.
    What else was released takes nothing away from what the mechanisms reveal (dprisk
    Proposition 27). A difference that rounding may explain is no contradiction.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from dprisk import PureDP
    >>> from dprisk.composition import basis_of
    >>> from dprisk.mechanisms import Laplace
    >>> from dprisk.releases import Part, Release
    >>> run = Release.of(Laplace(scale=1.0, sensitivity=1.0, neighbors="add-remove"))
    >>> said = Part(PureDP(0.1, neighbors="add-remove"))
    >>> basis_of(replace(run, stated_also=(said,))).contradicted
    (<Contradiction of PureDP(epsilon=0.1, neighbors='add-remove'): epsilon at delta 0, 0.1 \
stated, at least 1>,)
    """
    if not release.stated_also:
        return Basis(release.parts)
    found = _compare(release.parts, release.stated_also)
    named = tuple(replace(each, release=release.name) for each in found.contradicted)
    return replace(found, contradicted=named)


def contradicted(*releases: object) -> tuple[Contradiction, ...]:
    """Find the statements that any of several releases cannot keep.

    Parameters
    ----------
    *releases : Release, Guarantee or Mechanism
        What is released; only described releases state anything.

    Returns
    -------
    tuple of Contradiction
        In the order of the releases.

    Examples
    --------
    >>> from dprisk.composition import contradicted
    >>> from dprisk.releases import deployments
    >>> contradicted(*deployments())
    ()
    """
    described = (each for each in releases if isinstance(each, Release))
    return tuple(found for each in described for found in basis_of(each).contradicted)


def wider(most: Any) -> Any:
    """A limit with the margin that is left to rounding."""
    return most * (1 + (Fraction(MARGIN) if isinstance(most, Fraction) else MARGIN))


def total_promised(release: Release, unit: str) -> Fraction | None:
    """Add up the most that a release can spend (rho, epsilon or squares of mu), as allocations do.

    It is None where some promise has no such amount.
    """
    parts = basis_of(release).parts
    total = Fraction(0)
    for part in parts:
        amount = _amount(part.guarantee, unit)
        if amount is None:
            return None
        total += amount * part.count
    if not parts:
        return None
    steps = 1 if release.neighbors == "replace-one" else 2  # of removing and adding
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
    return rho if rho is None or unit == "rho" else 2 * rho


# --- the comparison ------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _compare(parts: tuple[Part, ...], stated: tuple[Part, ...]) -> Basis:
    """Hold what is stated about the whole against what its parts are."""
    run = _run(parts)
    found = [
        (part, None if run is None else next(_contradictions(run, part), None)) for part in stated
    ]
    false = tuple(each for _, each in found if each is not None)
    may_hold = [(part,) for part, each in found if each is None]
    if not may_hold or _is_known(parts, run):
        return Basis(parts, false, tuple(may_hold))
    candidates = [*([parts] if parts else []), *may_hold]
    best = candidates[_strongest(candidates)]
    others = tuple(each for each in candidates if each is not best)
    return Basis(best, false, others, "parts" if best is parts else "statement")


@lru_cache(maxsize=64)
def _run(parts: tuple[Part, ...]) -> PrivacyLoss | None:
    """The privacy loss of everything of which the mechanism is known."""
    known = [(part.for_composition(), part.count) for part in parts if part.mechanism]
    own = [(one, times) for one, times in known if isinstance(one, PrivacyLoss) and one.own]
    if not own:
        return None
    whole = compose([one for one, _ in own], [times for _, times in own]).guarantee
    return whole if isinstance(whole, PrivacyLoss) else None


def _is_known(parts: tuple[Part, ...], run: PrivacyLoss | None) -> bool:
    """Whether the loss of the whole is known, so that no true statement says more."""
    if run is None or not all(part.mechanism for part in parts):
        return False
    return all(pair.exact for pair, _ in run.pairs)


def _contradictions(run: PrivacyLoss, stated: Part) -> Iterator[Contradiction]:
    promise = stated.guarantee
    whole = promise if stated.count == 1 else compose([promise], [stated.count]).guarantee
    point = whole.additive_parameters.get("approximate")
    limits = whole.divergences
    if point is not None:
        epsilon, delta = (float(point.numbers[name]) for name in ("epsilon", "delta"))
        if delta < 1.0 and math.isfinite(epsilon):
            yield from _above(run.epsilon(wider(delta)), stated, "epsilon", delta, epsilon)
            yield from _above(run.delta(wider(epsilon)), stated, "delta", epsilon, delta)
    elif limits is not None:
        orders = ORDERS if limits.orders is None else np.asarray(limits.orders, dtype=float)
        yield from _at_orders(run, stated, orders, limits.limits(orders))
    else:  # any other definition: the least epsilon of both, at some deltas
        for delta in dict.fromkeys((*DELTAS, float(whole.delta(math.inf)))):
            most = float(whole.epsilon(delta))
            if delta < 1.0 and math.isfinite(most):
                yield from _above(run.epsilon(wider(delta)), stated, "epsilon", delta, most)
    if isinstance(whole, ProbabilisticDP | ProbabilisticallyBoundedDP):
        yield from _in_tail(run, stated, whole)


def _above(
    found: Answer, stated: Part, quantity: Quantity, at: float, most: float
) -> Iterator[Contradiction]:
    """The contradiction if even the lower end of an answer is above what is claimed."""
    lower = found.bracket[0]
    least = 0.0 if lower is None else float(lower)
    if least > wider(most):
        yield Contradiction("", stated, quantity, at, most, least, found.theorem)


def _at_orders(
    run: PrivacyLoss, stated: Part, orders: Floats, most: Floats
) -> Iterator[Contradiction]:
    """Limits on Rényi divergences: the order at which they are exceeded by the largest factor."""
    least = least_divergence(run.pairs, orders - 1.0)
    above = np.divide(least, most, out=np.full_like(least, np.inf), where=most > 0.0)
    above[~(least > wider(most))] = 0.0
    at = int(np.argmax(above))
    if above[at] > 0.0:
        numbers = float(orders[at]), float(most[at]), float(least[at])
        yield Contradiction("", stated, "divergence", *numbers, LOSS_COMPOSITION)


def _in_tail(run: PrivacyLoss, stated: Part, whole: Any) -> Iterator[Contradiction]:
    """A limit on how likely the privacy loss exceeds epsilon."""
    epsilon, delta = float(whole.stated_epsilon), float(whole.stated_delta)
    if math.isfinite(epsilon):
        sides: Sides = getattr(whole, "sides", "one")
        found = run.tail(wider(epsilon), sides=sides, post_processing=False)
        yield from _above(found, stated, "tail", epsilon, delta)


def _strongest(candidates: Sequence[tuple[Part, ...]]) -> int:
    """The first one after which the least can be learned, all read with the same confidence."""
    wholes = [
        compose([p.for_composition() for p in parts], [p.count for p in parts]).guarantee
        for parts in candidates
    ]
    secret: Secret = "membership" if wholes[0].neighbors == "add-remove" else "attribute"
    confidences = [confidence_for(between_hypotheses(whole, secret)) for whole in wholes]
    confidence = max((each for each in confidences if each is not None), default=None)

    def loss(whole: Guarantee) -> float:
        try:
            return float(disclosure(whole, confidence=confidence, secret=secret).loss)
        except OutOfRange:
            return math.inf

    losses = [loss(whole) for whole in wholes]
    return next(n for n, each in enumerate(losses) if each <= wider(min(losses)))
