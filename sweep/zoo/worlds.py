"""Posteriors with and without a record, in small worlds that are computed exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
from flint import arb, fmpq

from sweep.asking import guarded
from sweep.drawing import spread
from sweep.holding import hold, one_way
from sweep.tally import Tally
from sweep.truth.balls import between
from sweep.truth.worlds import World, drawn

__all__ = ["WORLDS"]


def bayes(rng: Random, tally: Tally) -> None:
    """No world has more than the bound of a promise that it keeps."""
    world = drawn(rng)
    code = _kept(rng, world)
    limits = [1.0 + spread(rng, 1e-3, 20.0) for _ in range(4)]
    for who in ("true-record", "rest-known", "arbitrary-prior"):
        made = f"counterfactual({code}, adversary={who!r})"
        key = ("counterfactual in a world", who, "replace-one")
        for sides in ("one",) if who == "rest-known" else ("one", "both"):
            truths = [_truth(world, who, Fraction(k), sides == "both") for k in limits]
            judges = [one_way(between(arb(fmpq(t.numerator, t.denominator)))) for t in truths]
            hold(tally, key, f"{made}.exceeding({limits!r}, sides={sides!r})", judges)
    if rng.random() < 0.2:
        guarded(
            tally,
            ("counterfactual in a world", "curve", "replace-one"),
            f"{made}.curve({limits!r})",
        )


def _truth(world: World, who: str, limit: Fraction, both: bool) -> Fraction:
    if who == "rest-known":
        return world.predicted(limit)
    if who == "true-record":  # of one who knows the rest: each rest is a world of its own
        alone = [
            World([[row[k]] for row in world.prior], [[law[k]] for law in world.laws])
            for k in world.rests
        ]
        return max(each.exceeding(limit, both) for each in alone)
    return world.exceeding(limit, both)


def _kept(rng: Random, world: World) -> str:
    """A promise that all neighbors in it keep, rounded upwards."""
    ratio = world.largest_ratio()
    if ratio is not None and rng.random() < 0.4:
        return f"PureDP({_up(math.log(ratio))!r}, neighbors='replace-one')"
    size = rng.choice((1, 3))
    es = [rng.uniform(0.0, 2.0) for _ in range(size)]
    ds = []
    for e in es:
        growth = Fraction(float(np.exp(e))) * (1 - Fraction(1, 2**48))
        ds.append(min(_up(float(world.delta(growth))), 1.0))
    if size == 1:
        return f"ApproxDP({es[0]!r}, {ds[0]!r}, neighbors='replace-one')"
    return f"ApproxDPCurve({es!r}, {ds!r}, neighbors='replace-one')"


def _up(value: float) -> float:
    return value * (1.0 + 1e-15) + (5e-324 if value else 0.0)


WORLDS = {"worlds": bayes}
