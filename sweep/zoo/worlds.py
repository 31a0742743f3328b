"""Posteriors with and without a record, in small worlds that are computed exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np
from flint import arb, fmpq

from sweep.asking import guarded
from sweep.drawing import spread
from sweep.holding import claim, hold, one_way
from sweep.tally import Tally
from sweep.truth.balls import between, exact, largest
from sweep.truth.curves import Curve
from sweep.truth.promises import Normal, of_points
from sweep.truth.three import coins
from sweep.truth.worlds import World, drawn
from sweep.zoo.beliefs import CONFIDENCES, asked, failure, some_promise

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


def both(rng: Random, tally: Tally) -> None:
    """No coin moves the belief in both further than it may, more often, whichever world is true."""
    base = some_promise(rng)
    if base.curve is None:
        return
    relation, sides, q = base.relation, rng.choice(("one", "both")), _share(rng)
    p = 1.0 if relation == "replace-one" else _share(rng)
    confidence = asked(rng)
    code = f"joint_disclosure({base.code}, {q!r}, confidence={confidence!r}, sides={sides!r})"
    key = ("joint_disclosure", base.kind, relation)
    made = guarded(tally, key, code)
    if made is None:
        return
    sure = made.confidence
    often = arb(2) ** -20  # with certainty, nothing may happen at all
    if sure is not None:
        often = exact(failure(sure)) * (1 + arb("1e-9")) / (2 if sides == "both" else 1)
    if not often < 1:
        return
    weights = _weights(p, q)
    for name, inside, all_of in (
        ("ratio", (arb(1), arb(0), arb(0)), weights),
        ("inclusion", (exact(q), 1 - exact(q), arb(0)), weights),
        ("value", (arb(1), arb(0), arb(0)), (exact(q), 1 - exact(q), arb(0))),
    ):
        given = "" if name == "value" else repr(p)
        found = guarded(tally, key, f"made.{name}({given})", made=made, made_code=code)
        if found is None:
            continue
        for end, sign in (("upper", 1), ("lower", -1)):
            limit = getattr(found, end).value
            if not math.isfinite(limit):
                continue
            beyond = [sign * (a - exact(limit) * b) for a, b in zip(inside, all_of, strict=True)]
            worst = _most(beyond, base.curve, relation, often)
            claim(tally, key, f"{code}.{name}({given}).{end}", not worst > 0, limit, worst)


def profiles(rng: Random, tally: Tally) -> None:
    """The same of the largest promise that keeps a ratio at a pair of priors, or in a rectangle."""
    confidence, definition = (
        rng.choice(CONFIDENCES),
        rng.choice(("gaussian", "pure", "approximate")),
    )
    r, (p, q) = 1.0 + spread(rng, 1e-3, 20.0), (_share(rng), _share(rng))
    ends = [(0.0, 1.0) if rng.random() < 0.3 else (x, x) for x in (p, q)]
    delta = spread(rng, 1e-9, 0.3) * failure(confidence) if definition == "approximate" else 0.0
    limit = f"RatioLimit({r!r}, membership_prior={ends[0]!r}, value_prior={ends[1]!r})"
    more = f", delta={delta!r}" if delta else ""
    code = f"largest_budget(ProfileLimit({limit}, {confidence!r}), {definition!r}{more})"
    key = ("largest_budget", f"profile, {definition}", "add-remove")
    found = guarded(tally, key, code)
    if found is None or not 0 < found.value.value < math.inf:
        return
    amount = exact(found.value.value)
    curve: Curve = of_points([(amount, exact(delta))])
    curve = Normal(amount) if definition == "gaussian" else curve
    weights = _weights(p, q)
    beyond = [a - exact(r) * b for a, b in zip((arb(1), arb(0), arb(0)), weights, strict=True)]
    often = exact(failure(confidence)) * (1 + arb("1e-9"))
    worst = _most(beyond, curve, "add-remove", often)
    claim(tally, key, f"{code}  # at {p!r}, {q!r}", not worst > 0, found.value.value, worst)


def _share(rng: Random) -> float:
    return rng.choice((1.0, rng.random() or 0.5, spread(rng, 1e-9, 1.0)))


def _weights(p: float, q: float) -> tuple[arb, arb, arb]:
    """Of what is true, over the ratio of beliefs in both: H / (p q H + p (1 - q) A + (1 - p) N)."""
    p_, q_ = exact(p), exact(q)
    return p_ * q_, p_ * (1 - q_), 1 - p_


def _most(weights: Sequence[arb], curve: Curve, relation: str, often: arb) -> arb:
    return largest(
        [
            sum((w * x for w, x in zip(weights, coin, strict=True)), arb(0))
            for coin in coins(curve, relation, often)
        ]
    )


WORLDS = {"worlds": bayes, "three worlds": both, "three worlds, budgets": profiles}
