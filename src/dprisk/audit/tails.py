"""The largest tails of the privacy loss over all pairs, each in a bracket."""

from __future__ import annotations

from typing import Final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.audit import pairwise, witnesses
from dprisk.audit.definitions import Definition
from dprisk.audit.findings import FloatFinding, between
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.pairwise import Gauge, Largest
from dprisk.audit.relation import NeighborRelation
from dprisk.losses.base import ULP

KINDS: Final[tuple[Definition, ...]] = ("pdp", "pdp-both", "pbdp")


def slack(mechanism: FiniteMechanism) -> float:
    """At most how far off a sum of probabilities is, relatively."""
    # one rounding for each output that is added up, and for its own digits
    return 2 * ULP * (len(mechanism.outputs) + 64) + 2 * blur(mechanism, 0.0)


def blur(mechanism: FiniteMechanism, limit: float) -> float:
    """At most how far off a loss near a limit is."""
    size = limit if np.isfinite(limit) else 0.0
    # a quotient and its logarithm: three roundings; and one of the limit
    return 8 * ULP * (1.0 + mechanism.reach) + 2 * ULP * size


def blurs(mechanism: FiniteMechanism, limits: Floats) -> Floats:
    """The same for many limits; what is equal as computed has no loss, so 0 stays."""
    return np.array([blur(mechanism, limit) if limit else 0.0 for limit in limits.tolist()])


def settled(
    mechanism: FiniteMechanism,
    relation: NeighborRelation,
    limits: Floats,
    kind: str,
    high: Largest | None = None,
) -> FloatFinding:
    """A tail of all pairs at each limit; `high` is its upper end, where that is known already."""
    wide = blurs(mechanism, limits)

    def found(limits: Floats) -> Largest:
        return pairwise.scan(mechanism, relation, [pairwise.tails(limits, [kind])]).largest[0]

    if high is None:
        high = found(limits - wide)
    low = _of_pairs(mechanism, pairwise.tails(limits + wide, [kind]), high)
    first, second = high.first.copy(), high.second.copy()
    drops = np.flatnonzero(low < high.values * (1.0 - 1e-6))
    if drops.size:  # some loss lies within rounding of the limit: another pair may be the worst
        again = found((limits + wide)[drops])
        more = again.values > 0.0
        low[drops] = again.values
        first[drops[more]], second[drops[more]] = again.first[more], again.second[more]
    worst = tuple(
        witnesses.TAILS[kind](mechanism, int(a), int(b), limit)
        for a, b, limit in zip(first, second, limits.tolist(), strict=True)
    )
    off = slack(mechanism)
    return between(kind, low * (1.0 - off), np.minimum(high.values * (1.0 + off), 1.0), worst)


def of_one_pass(
    mechanism: FiniteMechanism, relation: NeighborRelation, limits: Floats, high: Largest
) -> tuple[FloatFinding, ...]:
    """The tails of every kind, whose upper ends at all limits were found one after the other."""
    count = limits.size
    return tuple(
        settled(mechanism, relation, limits, kind, high.part(slice(n * count, (n + 1) * count)))
        for n, kind in enumerate(KINDS)
    )


def bounded_epsilon(
    mechanism: FiniteMechanism, relation: NeighborRelation, wanted: Floats
) -> FloatFinding:
    """Inverse of the bounded tail: the least epsilon at each of the probabilities."""
    off = slack(mechanism)
    ends = [np.clip(wanted * (1.0 + sign * off), 0.0, 1.0) for sign in (1.0, -1.0)]
    found = pairwise.scan(mechanism, relation, [pairwise.reached(end) for end in ends]).largest
    most = np.maximum(found[0].values, found[1].values)
    least = np.minimum(found[0].values, found[1].values)
    wide = blur(mechanism, 1.0)
    high, low = (
        np.where(wanted < 1.0, np.maximum(end, 0.0), 0.0) for end in (most + wide, least - wide)
    )
    worst = tuple(
        witnesses.powerful(mechanism, int(a), int(b), float(power))
        for a, b, power in zip(found[1].first, found[1].second, wanted, strict=True)
    )
    return between("pbdp", low, high, worst, quantity="bounded_epsilon")


def _of_pairs(mechanism: FiniteMechanism, gauge: Gauge, found: Largest) -> Floats:
    """The gauge at each limit, of the one pair that was found there."""
    some, at = np.unique(np.stack([found.first, found.second]), axis=1, return_inverse=True)
    values = gauge(*pairwise.oriented(mechanism, some[0], some[1]))
    return np.array(values[np.ravel(at), np.arange(len(found.values))])
