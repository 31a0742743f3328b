"""What is learned under what was drawn: beliefs, tests, posteriors with and without a record."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np
from flint import arb

from sweep.asking import LEAST, Drawn, Key, guarded, nearby
from sweep.drawing import chances, spread
from sweep.holding import claim, hold, moved, one_way, through
from sweep.tally import Tally
from sweep.truth.balls import ZERO, Judge, Unknown, between, exact
from sweep.zoo.losses import mixed, repeated, single
from sweep.zoo.promises import PROMISES

__all__ = ["BELIEFS"]

SLOW = ("ZeroConcentratedDP",)
OFF = 2e-14  # of a question
CONFIDENCES = (0.5, 0.9, 0.95, 0.99, 0.999, 0.999999)


def some_promise(rng: Random, slow: bool = False) -> Drawn:
    """Any promise, or a finite loss."""
    kinds = [name for name in PROMISES if slow or name not in SLOW]
    pick = rng.randrange(len(kinds) + 3)
    return (
        PROMISES[kinds[pick]](rng)
        if pick < len(kinds)
        else rng.choice((single, repeated, mixed))(rng)
    )


def failure(confidence: float) -> float:
    """One minus what was written."""
    return float(1 - Fraction(repr(confidence)))


def asked(rng: Random) -> float | None:
    if rng.random() < 0.3:
        return None
    if rng.random() < 0.6:
        return rng.choice(CONFIDENCES)
    return 1.0 - spread(rng, 1e-9, 0.9)


def _named(drawn: Drawn) -> str:
    return "PrivacyLoss" if drawn.kind.startswith("PrivacyLoss") else drawn.kind


def informed(rng: Random, tally: Tally) -> None:
    """Prior to posterior."""
    base = some_promise(rng)
    sides, raw = rng.choice(("both", "one")), rng.random() < 0.3
    confidence = asked(rng)
    secret = "membership" if base.relation == "add-remove" else "attribute"
    code = (
        f"disclosure({base.code}, confidence={confidence!r}, secret={secret!r}, sides={sides!r}, "
        f"post_processing={not raw})"
    )

    def key(name: str) -> Key:
        return f"disclosure: {_named(base)}", name, base.relation

    made = guarded(tally, key("made"), code)
    if made is None:
        return
    if confidence is None:  # certainty, or what the package takes instead
        confidence = guarded(tally, key("made"), f"confidence_for({base.code})")
    question = f"loss, {sides}" + (", raw" if raw else "")
    loss = base.judge(question, 0.0 if confidence is None else failure(confidence))
    ps = [p for p in chances(rng, 10) if p not in (0.0, 1.0)]
    beliefs: dict[str, Any] = {
        "posterior": None,
        "ratio": lambda p: lambda v: v * exact(p),
        "difference": lambda p: lambda v: exact(p) + v,
    }
    names = {"made": made, "made_code": code}
    for metric, belief in beliefs.items():
        interval = guarded(tally, key(metric), f"made.{metric}(ps)", ps=np.array(ps), **names)
        if interval is None:
            continue
        for end, up in (("upper", True), ("lower", False)):
            judges = [moved(loss, p, up, belief and belief(p)) for p in ps]
            text = f"made.{metric}({ps!r}).{end}"
            hold(tally, key(metric), text, judges, not up, **names)
    judges = [
        moved(loss, 1.0 - p, True, lambda v, p=p: v * (1 - exact(p)))
        for p in ps
        if 1 - (1 - p) == p
    ]
    kept = [p for p in ps if 1 - (1 - p) == p]
    hold(tally, key("ratio_not"), f"made.ratio_not({kept!r}).upper", judges, **names)
    odds, back = (
        through(loss, _log),
        through(loss, lambda v: -_log(v) if v > 0 else arb.pos_inf(), False),
    )
    for name in ("odds()", "ratio()", "ratio_not()"):
        hold(tally, key(name), f"made.{name}.upper", [odds], **names)
        hold(tally, key(name), f"made.{name}.lower", [back], True, **names)
    far = through(loss, _four_atanh)
    hold(tally, key("difference()"), "made.difference().upper", [far], **names)
    near = through(loss, lambda v: _four_atanh(-v), False)
    hold(tally, key("difference()"), "made.difference().lower", [near], True, **names)
    worst = guarded(tally, key("worst_prior"), "made.worst_prior('difference')", **names)
    if worst is not None and not math.isinf(made.loss.value):
        half = exact(made.loss.value) / 2
        truth = 1 / (1 + half.exp())
        fine = abs(exact(worst.upper.value) - truth) <= truth * arb(1e-12) + LEAST
        claim(
            tally,
            key("worst_prior"),
            f"{code}.worst_prior('difference')",
            bool(fine),
            worst.upper.value,
            truth,
        )


def _log(v: arb) -> arb:
    return v.log() if v > 0 else arb.neg_inf() if v.is_finite() else arb.pos_inf()


def _four_atanh(v: arb) -> arb:
    return arb.pos_inf() if v >= 1 else 4 * v.atanh()


def tests(rng: Random, tally: Tally) -> None:
    """Level and power, and what an alarm says."""
    base = some_promise(rng)
    code = f"attack({base.code})"

    def key(name: str) -> Key:
        return f"attack: {_named(base)}", name, base.relation

    made = guarded(tally, key("made"), code)
    if made is None:
        return
    names = {"made": made, "made_code": code}
    xs = chances(rng, 8)
    for name in ("power", "level"):
        judges = [base.judge(name, x) for x in xs]
        near = [nearby(base, name, x) for x in xs]
        text = f"made.{name}({xs!r})"
        hold(tally, key(name), text, judges, name == "level", near, **names)
    gap = base.judge("delta", 0.0)
    hold(tally, key("advantage"), "made.advantage()", [gap], **names)
    if not (base.kind.startswith(("PrivacyLoss", "Prob", "Renyi", "Zero"))):
        best = through(gap, lambda v: 1 - 2 * v, rising=False)
        hold(tally, key("best_level"), "made.best_level()", [best], True, **names)
    ps = [p for p in chances(rng, 8) if 0.0 < p < 1.0]
    inner = [x for x in xs if 0.0 < x < 1.0][: len(ps)]
    pairs = [*zip(inner, ps, strict=False)]
    if not pairs:
        return
    levels_asked, priors = [x for x, _ in pairs], [p for _, p in pairs]

    def after(back: Any, x: float, p: float, off: float = 0.0) -> Judge | None:
        level = exact(x) * (1 + arb(off)) + LEAST * (off > 0) - LEAST * (off < 0)
        return through(base.judge("power", level), back(exact(x), exact(p)))

    for name, back in (("", _power_for), ("negative_", _power_without)):
        judges = [after(back, x, p) for x, p in pairs]
        near = [partial(_beside, partial(after, back, x, p)) for x, p in pairs]
        text = f"made.{name}predictive_value({levels_asked!r}, {priors!r})"
        hold(tally, key(f"{name}predictive_value"), text, judges, moved=near, **names)
    limit = base.judge("loss, one", 0.0)
    text = f"made.predictive_value(0.0, {priors[0]!r})"
    hold(tally, key("predictive_value"), text, [moved(limit, priors[0], True)], **names)
    curve = guarded(tally, key("curve"), f"made.curve({levels_asked!r}, [{priors[0]!r}])", **names)
    alone = guarded(tally, key("curve"), f"made.power({levels_asked!r})", **names)
    if curve is not None and alone is not None:
        same = np.array_equal(curve.power.value, alone.value)
        claim(
            tally,
            key("curve"),
            f"{code}.curve({levels_asked!r})",
            same,
            curve.power.value,
            alone.value,
        )


def _beside(of: Callable[..., Judge | None]) -> list[Judge | None]:
    """Judges of a question a little to either side."""
    return [of(off=side * OFF) for side in (1.0, -1.0)]


def _power_for(x: arb, p: arb) -> Any:
    """The power that makes an alarm at level x as telling."""
    return lambda v: v * (1 - p) * x / (p * (1 - v)) if v < 1 else arb(2)


def _power_without(x: arb, p: arb) -> Any:
    return lambda v: 1 - (1 - p) * (1 - x) * (1 - v) / (p * v) if v > 0 else arb(-1)


def with_and_without(rng: Random, tally: Tally) -> None:
    """Ratios of posteriors, for promises between data with another record."""
    base = some_promise(rng)
    while base.relation != "replace-one":
        base = some_promise(rng)
    who = rng.choice(("true-record", "rest-known", "arbitrary-prior"))
    code = f"counterfactual({base.code}, adversary={who!r})"

    def key(name: str) -> Key:
        return f"counterfactual: {_named(base)}", f"{name}, {who}", base.relation

    made = guarded(tally, key("made"), code)
    if made is None:
        return
    names = {"made": made, "made_code": code}
    dented = base.kind == "ProbabilisticallyBoundedDP" or (
        base.kind.startswith("PrivacyLoss") and len(base.ways) > 1
    )
    ks = [math.exp(min(t, 600.0)) for t in (spread(rng, 1e-3, 30.0) * base.size for _ in range(5))]
    for sides in ("one", "both"):

        def of(k: float, off: float = 0.0, sides: str = sides) -> Judge | None:
            found = base.judge(f"tail, {sides}", exact(k).log() * (1 + arb(off)))
            if who == "rest-known" and sides == "one":
                found = through(found, lambda v: v * exact(k))
            return one_way(found) if dented else found

        moved_ks = [partial(_beside, partial(of, k)) for k in ks]
        text = f"made.exceeding({ks!r}, sides={sides!r})"
        hold(tally, key("exceeding"), text, [of(k) for k in ks], moved=moved_ks, **names)
    confidences = [c for c in (asked(rng) for _ in range(4)) if c is not None]
    judges = []
    for c in confidences:
        m = failure(c)
        if who == "rest-known":
            found = through(base.judge("power", m), lambda r, m=m: r * exact(m))
        else:
            found = through(base.judge("loss, one", m), _log)
        judges.append(one_way(found) if dented else found)
    if confidences:
        hold(tally, key("ratio"), f"made.ratio({confidences!r})", judges, **names)
        if who == "true-record":
            b = rng.random()
            judges = [
                one_way(moved(base.judge("loss, one", failure(c)), b, True)) for c in confidences
            ]
            hold(tally, key("belief"), f"made.belief({b!r}, {confidences!r})", judges, **names)
    sure = through(base.judge("loss, one", 0.0), _log)
    hold(tally, key("ratio"), "made.ratio()", [one_way(sure)], **names)


def exactly(rng: Random, tally: Tally) -> None:
    """The law of the posterior of somebody who sees the raw output."""
    base = rng.choice((single, repeated, mixed))(rng)
    if not base.ways or "raw" not in "".join(base.questions):
        return
    secret = "membership" if base.relation == "add-remove" else "attribute"
    code = f"exact_posterior({base.code}, secret={secret!r})"

    def key(name: str) -> Key:
        return "exact_posterior", name, base.relation

    made = guarded(tally, key("made"), code)
    if made is None:
        return
    names = {"made": made, "made_code": code}
    way = base.ways[0]
    world = rng.choice(("in", "out"))
    p = rng.choice((0.5, rng.random(), spread(rng, 1e-6, 0.5)))
    start = (exact(p) / (1 - exact(p))).log()
    most = arb(base.most if math.isfinite(base.most) else 1e3)
    values = [v for v in chances(rng, 6) if 0.0 < v < 1.0]
    spots = [(exact(v) / (1 - exact(v))).log() - start for v in values]
    beyond = [_nearly(way, t, world, most) for t in spots]
    asks = f"({values!r}, prior={p!r}, hypothesis={world!r})"
    hold(tally, key("exceeds"), f"made.exceeds{asks}", [between(*b) for b in beyond], **names)
    below = [between(1 - b, 1 - a) for a, b in beyond]
    hold(tally, key("distribution"), f"made.distribution{asks}", below, True, **names)
    qs = [q for q in chances(rng, 6) if 0.0 < q < 1.0]
    judges = [_quantile(way, q, world, most, start) for q in qs]
    asks = f"({qs!r}, prior={p!r}, hypothesis={world!r})"
    hold(tally, key("quantile"), f"made.quantile{asks}", judges, **names)
    if hasattr(way, "pairs"):
        mean = ZERO
        for a, b in way.pairs():
            chance = a if world == "in" else b
            if chance != 0:
                mean += chance * exact(p) * a / (exact(p) * a + (1 - exact(p)) * b)
        asks = f"made.mean(prior={p!r}, hypothesis={world!r})"
        hold(tally, key("mean"), asks, [between(mean)], **names)
    ts = [float(t.mid()) for t in spots]
    law = f"{base.code}.distribution({world!r})"
    found = guarded(tally, key("loss"), f"{law}.beyond(np.array({ts!r}))")
    if found is None:
        return
    for t, low, high in zip(ts, found.lower.tolist(), found.upper.tolist(), strict=True):
        a, b = _nearly(way, exact(t), world, most)
        text = f"{law}.beyond(np.array([{t!r}]))"
        for fine in (not exact(high) < a, not exact(low) > b):
            claim(tally, key("loss"), text, bool(fine), (low, high), (a, b))


def _nearly(way: Any, t: arb, world: str, most: arb) -> tuple[arb, arb]:
    """P or Q of Z > t: what equals t up to rounding may count or not."""
    near = (abs(t) + most) * arb("1e-12")
    which = 0 if world == "in" else 1
    return way.beyond(t + near)[which], way.beyond(t - near, strict=False)[which]


def _quantile(way: Any, q: float, world: str, most: arb, start: arb) -> Judge:
    """Smallest value that is not exceeded with probability q."""

    def chance_beyond(v: arb) -> tuple[arb, arb]:
        t = (
            (v / (1 - v)).log() - start
            if v < 1 and v > 0
            else arb.pos_inf()
            if v >= 1
            else arb.neg_inf()
        )
        if not t.is_finite():
            raise Unknown("at the ends")
        return _nearly(way, t, world, most)

    rest = 1 - exact(q)
    return Judge(lambda v: chance_beyond(v)[0] > rest, lambda v: chance_beyond(v)[1] < rest)


BELIEFS = {
    "disclosure": informed,
    "attack": tests,
    "counterfactual": with_and_without,
    "exact_posterior": exactly,
}
