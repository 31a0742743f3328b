"""Which statements about a release are certainly false, and which of the others says most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.citations import LOSSES
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.answer import Answer
from dprisk.basis.values import Basis, Contradiction, wider
from dprisk.composition import compose
from dprisk.errors import OutOfRange
from dprisk.guarantees import ProbabilisticallyBoundedDP, ProbabilisticDP
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.losses.divergences import least_divergence
from dprisk.releases.release import Part
from dprisk.risk.adversary import Secret, between_hypotheses
from dprisk.risk.certainty import confidence_for
from dprisk.risk.prior_to_posterior import disclosure

DELTAS: Final = (1e-5, 1e-6, 1e-9, 1e-3, 0.01, 0.1, 0.0)
ORDERS: Final = 1.0 + np.array([1e-5, 1e-3, 0.01, 0.1, 0.3, *np.geomspace(1.0, 1e6, 61)])


@lru_cache(maxsize=64)
def held(parts: tuple[Part, ...], stated: tuple[Part, ...]) -> Basis:
    """Hold what is stated about the whole against its parts."""
    found = [(part, _contradiction(parts, part)) for part in stated]
    false = tuple(each for _, each in found if each is not None)
    may_hold = [(part,) for part, each in found if each is None]
    if not may_hold or _is_known(parts):
        return Basis(parts, false, tuple(may_hold))
    candidates = [*([parts] if parts else []), *may_hold]
    best = candidates[_strongest(candidates)]
    others = tuple(each for each in candidates if each is not best)
    return Basis(best, false, others, "parts" if best is parts else "statement")


def _contradiction(parts: tuple[Part, ...], stated: Part) -> Contradiction | None:
    """The certain contradiction between what was run and a statement about the whole, if any."""
    run = _run(parts)
    return None if run is None else next(_contradictions(run, stated), None)


@lru_cache(maxsize=64)
def _run(parts: tuple[Part, ...]) -> PrivacyLoss | None:
    """The privacy loss of everything of which the mechanism is known."""
    known = [(part.for_composition(), part.count) for part in parts if part.mechanism]
    own = [(one, times) for one, times in known if isinstance(one, PrivacyLoss) and one.own]
    if not own:
        return None
    whole = compose([one for one, _ in own], [times for _, times in own]).guarantee
    return whole if isinstance(whole, PrivacyLoss) else None


def _is_known(parts: tuple[Part, ...]) -> bool:
    """Whether the loss of the whole is known, so that no true statement says more."""
    run = _run(parts)
    if run is None or not all(part.mechanism for part in parts):
        return False
    return all(pair.exact for pair, _ in run.pairs)


def _contradictions(run: PrivacyLoss, stated: Part) -> Iterator[Contradiction]:
    promise = stated.guarantee
    whole = promise if stated.count == 1 else compose([promise], [stated.count]).guarantee
    point = whole.summands.get("approximate")
    limits = whole.divergences
    if point is not None:
        numbers = {name: float(point.numbers[name]) for name in ("epsilon", "delta")}
        yield from _at_point(run, stated, **numbers)
    elif limits is not None:
        orders = ORDERS if limits.orders is None else np.asarray(limits.orders, dtype=float)
        yield from _at_orders(run, stated, orders, limits.limits(orders))
    else:
        yield from _on_profile(run, stated, whole)
    if isinstance(whole, ProbabilisticDP | ProbabilisticallyBoundedDP):
        yield from _in_tail(run, stated, whole)


def _at_point(
    run: PrivacyLoss, stated: Part, epsilon: float, delta: float
) -> Iterator[Contradiction]:
    """(epsilon, delta)-DP: what was run, at that delta and at that epsilon."""
    if delta >= 1.0 or math.isinf(epsilon):
        return
    found = run.epsilon(wider(delta))
    if _least(found) > wider(epsilon):
        yield Contradiction("", stated, "epsilon", delta, epsilon, _least(found), found.theorem)
    found = run.delta(wider(epsilon))
    if _least(found) > wider(delta):
        yield Contradiction("", stated, "delta", epsilon, delta, _least(found), found.theorem)


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
        yield Contradiction("", stated, "divergence", *numbers, LOSSES)


def _on_profile(run: PrivacyLoss, stated: Part, whole: Guarantee) -> Iterator[Contradiction]:
    """Any other definition: the least epsilon of both, at some deltas."""
    revealed = float(whole.delta(math.inf))
    for delta in dict.fromkeys((*DELTAS, revealed)):
        most = float(whole.epsilon(delta))
        if delta < 1.0 and math.isfinite(most):
            found = run.epsilon(wider(delta))
            if _least(found) > wider(most):
                yield Contradiction(
                    "", stated, "epsilon", delta, most, _least(found), found.theorem
                )


def _in_tail(run: PrivacyLoss, stated: Part, whole: Any) -> Iterator[Contradiction]:
    """A limit on how likely the privacy loss exceeds epsilon."""
    epsilon, delta = float(whole.stated_epsilon), float(whole.stated_delta)
    if math.isfinite(epsilon):
        sides: Sides = getattr(whole, "sides", "one")
        found = run.tail(wider(epsilon), sides=sides, post_processing=False)
        if _least(found) > wider(delta):
            yield Contradiction("", stated, "tail", epsilon, delta, _least(found), found.theorem)


def _least(found: Answer) -> float:
    lower = found.bracket[0]
    return 0.0 if lower is None else float(lower)


def _strongest(candidates: Sequence[tuple[Part, ...]]) -> int:
    """The first one after which the least can be learned, all read with the same confidence."""
    wholes = [
        compose([p.for_composition() for p in parts], [p.count for p in parts]).guarantee
        for parts in candidates
    ]
    secret: Secret = "membership" if wholes[0].neighbors == "add-remove" else "attribute"
    asked = [between_hypotheses(whole, secret) for whole in wholes]
    sure = [confidence_for(each) for each in asked]
    known = [each for each in sure if each is not None]
    losses = [_loss(whole, max(known, default=None), secret) for whole in wholes]
    return next(n for n, loss in enumerate(losses) if loss <= wider(min(losses)))


def _loss(whole: Guarantee, confidence: float | None, secret: Any) -> float:
    try:
        return float(disclosure(whole, confidence=confidence, secret=secret).loss)
    except OutOfRange:
        return math.inf
