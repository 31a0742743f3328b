"""Every row of the table of conversions: what it returns is implied by what it started from."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import FDP, RenyiDP, ZeroConcentratedDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.convert import CONVERSIONS
from dprisk.guarantees.rules import Request
from tests.properties.zoo import EXAMPLES, A

REQUESTS = [Request(epsilon=e, sides=s) for e in (0.0, 1.5, 6.0) for s in ("both", "one")]
REQUESTS += [Request(delta=d, sides=s) for d in (1e-25, 1e-6, 0.2) for s in ("both", "one")]
REQUESTS += [Request(alpha=a) for a in (1.5, 2.0, 8.0)]
CHANCES = np.array([0.0, 1e-30, 1e-17, 1e-6, 0.05, 0.5, 0.95, 1.0])
LOSSES = np.array([0.0, 0.1, 1.5, 6.0, 20.0])
SEARCHED = (RenyiDP([1.5, 8.0], [0.1, 0.6], **A), ZeroConcentratedDP(2.63, **A))
KNOWN = [g for g in EXAMPLES if not isinstance(g, RenyiDP | ZeroConcentratedDP)] + list(SEARCHED)
POINTS = ("approximate", "probabilistic", "bounded")


def wanted(row):
    """The requests that make sense for a target."""
    if row.target in POINTS:
        return [r for r in REQUESTS if r.alpha is None]
    return [r for r in REQUESTS if r.alpha] if row.target == "renyi" else [Request()]


def reached(row, known, request):
    return row.apply(known, request) if isinstance(known, row.source) else None


@pytest.mark.parametrize("row", CONVERSIONS, ids=lambda row: f"{row.target}: {row.name}")
def test_nothing_is_gained(row):
    """Every answer of the target that is exact for it is at least that of the source where exact.

    A source's exact answer is attained by some mechanism, which keeps the target as well. Corners
    of f-DP are doubles close to one, so a polygon is known to a few units of 1e-16.
    """
    for known in KNOWN:
        for request in wanted(row):
            after = reached(row, known, request)
            if after is None:
                continue
            for name, x, least in (
                ("delta", LOSSES, 1),
                ("power", CHANCES, 1),
                ("level", CHANCES[:-1], -1),
            ):
                ours, theirs = getattr(known, name)(x), getattr(after, name)(x)
                if ours.bound != "exact":
                    continue
                lost = least * (ours.value - theirs.value)
                bad = lost > 1e-9 * np.abs(ours.value) + (1e-14 if isinstance(known, FDP) else 0.0)
                assert not bad.any(), (
                    known,
                    request,
                    after,
                    name,
                    x[bad],
                    ours.value[bad],
                    theirs.value[bad],
                )


@pytest.mark.parametrize("row", CONVERSIONS, ids=lambda row: f"{row.target}: {row.name}")
def test_tails_are_not_gained_either(row):
    """The tail after any post-processing; raw tails of a probabilistic guarantee excepted."""
    for known in KNOWN:
        for request in wanted(row):
            after = reached(row, known, request)
            if after is None:
                continue
            for sides in ("one", "both"):
                t = LOSSES[1:]
                ours, theirs = known.tail(t, sides=sides), after.tail(t, sides=sides)
                if ours.bound != "exact":
                    continue
                bad = ours.value > theirs.value * (1 + 1e-9) + 1e-12
                assert not bad.any(), (
                    known,
                    request,
                    after,
                    sides,
                    t[bad],
                    ours.value[bad],
                    theirs.value[bad],
                )


def test_every_row_was_reached():
    """No row of the table is idle under these tables."""
    for row in CONVERSIONS:
        assert any(
            isinstance(reached(row, known, request), Guarantee)
            for known in KNOWN
            for request in wanted(row)
        ), row.name
