"""From one promise to another: conversions, other neighbors, several releases."""

from __future__ import annotations

import math
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
from flint import arb

from sweep.asking import Drawn, Key, guarded
from sweep.drawing import chances, count, losses, relation, spread
from sweep.holding import bound, claim, hold, one_way
from sweep.tally import Tally
from sweep.truth.balls import ONE, Judge, between, exact, largest, phi_inverse
from sweep.truth.curves import Curve, judge
from sweep.truth.pairs import Atoms, on_lattice, response, revealing
from sweep.truth.promises import Normal
from sweep.zoo.promises import PROMISES

__all__ = ["RELATIONS"]

POINTS = ("approximate", "probabilistic", "bounded")
OTHERS = ("pure", "tradeoff", "gaussian", "renyi", "concentrated")


class Twice:
    """Two steps of a promise: P(S) <= T(Q(S)) <= T(T(R(S))), and coins attain each point."""

    def __init__(self, curve: Curve) -> None:
        self.curve = curve
        self.levels = [arb(2) ** -j for j in range(1, 60)] + [
            1 - arb(2) ** -j for j in range(2, 20)
        ]

    def power(self, x: arb) -> arb:
        return self.curve.power(self.curve.power(x).min(ONE))

    def delta(self, e: arb) -> arb:
        """At least: from some levels."""
        growth = e.exp()
        return largest([self.power(x) - growth * x for x in self.levels]).nonnegative_part()

    def top(self) -> arb:
        return 2 * self.curve.top()


def two_steps(rng: Random, tally: Tally) -> None:
    """Add-remove to replace-one."""
    base = _with_curve(rng, "add-remove")
    assert base.curve is not None
    truth = Twice(base.curve)
    code = f"{base.code}.for_neighbors('replace-one')"

    def key(name: str) -> Key:
        return f"for_neighbors: {base.kind}", name, base.relation

    made = guarded(tally, key("made"), code)
    if made is None:
        return
    names = {"made": made, "made_code": code}
    xs = chances(rng, 6, base.marks)
    hold(
        tally, key("power"), f"made.power({xs!r})", [_above(truth, "power", x) for x in xs], **names
    )
    es = [e for e in losses(rng, 5, base.size, 2 * base.most) if math.isfinite(e)]
    if es and base.kind != "ProbabilisticallyBoundedDP":
        hold(
            tally,
            key("delta"),
            f"made.delta({es!r})",
            [_above(truth, "delta", e) for e in es],
            **names,
        )
        ts = [e for e in es if e > 0]
        judges = [_above(truth, "tail, one", e) for e in ts]
        hold(tally, key("tail, one"), f"made.tail({ts!r}, sides='one')", judges, **names)


def _with_curve(rng: Random, who: str = "") -> Drawn:
    while True:
        base = PROMISES[rng.choice(list(PROMISES))](rng)
        if base.curve is not None and who in ("", base.relation):
            return base


def _above(truth: Any, question: str, x: float) -> Judge | None:
    return one_way(judge(truth, question, exact(x)))


def converted(rng: Random, tally: Tally) -> None:
    """What is implied holds for the worst mechanism that keeps the promise."""
    kinds = [name for name in PROMISES if name != "ZeroConcentratedDP"]
    base = PROMISES[rng.choice(kinds)](rng)
    to = rng.choice(POINTS + OTHERS)
    key = (f"convert: {base.kind}", to, base.relation)
    if to in POINTS:
        _point(rng, tally, base, to, key)
        return
    more = f", alpha={1.0 + spread(rng, 1e-2, 1e3)!r}" if to == "renyi" else ""
    code = f"convert({base.code}, {to!r}{more})"
    found = guarded(tally, key, code)
    if found is None:
        return
    code += ".guarantee"
    names = {"made": found.guarantee, "made_code": code}
    xs = chances(rng, 5, base.marks)
    hold(tally, key, f"made.power({xs!r})", [one_way(base.judge("power", x)) for x in xs], **names)
    if to == "pure":
        top = base.judge("loss, one", 0.0)
        epsilon = found.guarantee.parameters["epsilon"]
        bound(tally, key, code, epsilon, top)
    if to == "gaussian" and base.kind == "PureDP" and math.isfinite(base.most):
        truth = -2 * phi_inverse(1 / (1 + exact(base.most).exp()))
        bound(tally, key, code, found.guarantee.mu, between(truth))
    if to == "renyi" and base.kind in ("PureDP", "GaussianDP"):
        alpha, gamma = exact(found.guarantee.alpha[0]), found.guarantee.gamma[0]
        bound(tally, key, code, gamma, between(_divergence(base, alpha)))


def _divergence(base: Drawn, alpha: arb) -> arb:
    if base.kind == "GaussianDP":
        assert isinstance(base.curve, Normal)
        return alpha * base.curve.mu**2 / 2
    e = exact(base.most)
    return (((alpha * e).exp() + ((1 - alpha) * e).exp()) / (1 + e.exp())).log() / (alpha - 1)


def _point(rng: Random, tally: Tally, base: Drawn, to: str, key: Key) -> None:
    """Land at a delta, or at an epsilon."""
    sides = rng.choice(("both", "one")) if to == "probabilistic" else "one"
    more = f", sides={sides!r}" if to == "probabilistic" else ""
    question = {"approximate": ("delta", "epsilon"), "bounded": ("tail, one", "loss, one")}.get(
        to, (f"tail, {sides}, raw", f"loss, {sides}, raw")
    )
    if rng.random() < 0.5:
        x = chances(rng, 1, base.marks)[-1]
        code = f"convert({base.code}, {to!r}, delta={x!r}{more})"
        found, which = guarded(tally, key, code), "epsilon"
    else:
        x = losses(rng, 1, base.size, base.most)[0]
        code = f"convert({base.code}, {to!r}, epsilon={x!r}{more})"
        found, which = guarded(tally, key, code), "delta"
    if found is None:
        return
    value = found.guarantee.parameters[which]
    of = base.judge(question[1 if which == "epsilon" else 0], x)
    bound(tally, key, f"{code}.guarantee", value, of)


def added(rng: Random, tally: Tally) -> None:
    """The simple and the advanced rules of composition."""
    who, rule = relation(rng), rng.choice(("simple", "advanced"))
    k = count(rng, 300.0)
    e, d = spread(rng, 1e-3, 3.0), spread(rng, 1e-12, 1e-3) if rng.random() < 0.5 else 0.0
    part = (
        f"ApproxDP({e!r}, {d!r}, neighbors={who!r})" if d else f"PureDP({e!r}, neighbors={who!r})"
    )
    more = f", slack={spread(rng, 1e-12, 0.1)!r}" if rule == "advanced" else ""
    code = f"compose([{part}], [{k}], rule={rule!r}{more}).guarantee"
    key = ("compose: stated", rule, who)
    found = guarded(tally, key, code)
    if found is None:
        return
    core = response(exact(e))
    kept = (1 - exact(d)) ** k
    truth = Atoms(revealing(1 - kept, on_lattice(core, k)))
    total, slack = exact(found.parameters["epsilon"]), exact(found.parameters.get("delta", 0.0))
    of = judge(truth, "epsilon", slack)
    bound(tally, key, code, float(total), of)


def summed(rng: Random, tally: Tally) -> None:
    """Gaussian, zero-concentrated and Rényi DP: parameters add."""
    who, number = relation(rng), rng.choice((1, 2, 3))
    ks = [count(rng, 1e9) for _ in range(number)]
    values = [spread(rng, 1e-6, 3.0) for _ in range(number)]
    name, parameter = rng.choice(
        (("GaussianDP", "mu"), ("ZeroConcentratedDP", "rho"), ("RenyiDP", "gamma"))
    )
    before = "2.0, " if name == "RenyiDP" else ""
    parts = [f"{name}({before}{v!r}, neighbors={who!r})" for v in values]
    code = f"compose([{', '.join(parts)}], {ks!r}).guarantee"
    key = (f"compose: {name}", "simple", who)
    found = guarded(tally, key, code)
    if found is None:
        return
    power = 2 if name == "GaussianDP" else 1
    total = sum((k * exact(v) ** power for k, v in zip(ks, values, strict=True)), arb(0))
    written = sum(k * Decimal(repr(v)) ** power for k, v in zip(ks, values, strict=True))
    least = total.min(arb(str(written)))
    truth = least ** (ONE / power)
    bound(tally, key, code, found.parameters[parameter], between(truth))


def divergences(rng: Random, tally: Tally) -> None:
    """Rényi divergences of mechanisms."""
    who = relation(rng)
    alphas = [1.0 + spread(rng, 1e-6, 1e4) for _ in range(4)]
    kind = rng.choice(("RandomizedResponse", "Gaussian", "Laplace"))
    x = spread(rng, 1e-4, 20.0)
    if kind == "RandomizedResponse":
        code = f"RandomizedResponse({x!r}, neighbors={who!r})"
        e = exact(x)
        truths = [_of_response(e, exact(a)) for a in alphas]
    elif kind == "Gaussian":
        code = f"Gaussian({x!r}, 1.0, neighbors={who!r})"
        truths = [exact(a) / exact(x) ** 2 / 2 for a in alphas]
    else:
        code = f"Laplace({x!r}, 1.0, neighbors={who!r})"
        truths = [_of_laplace(1 / exact(x), exact(a)) for a in alphas]
    key = (f"renyi: {kind}", "renyi", who)
    found = guarded(tally, key, f"{code}.renyi({alphas!r})")
    if found is None:
        return
    for a, truth, value in zip(alphas, truths, np.ravel(found).tolist(), strict=True):
        text = f"{code}.renyi({a!r})"
        claim(tally, key, text, not exact(value) < truth, value, truth)
        claim(
            tally, key, text, not exact(value) > truth * (1 + arb(1e-9)) + arb(1e-13), value, truth
        )


def _of_response(e: arb, a: arb) -> arb:
    return (((a * e).exp() + ((1 - a) * e).exp()) / (1 + e.exp())).log() / (a - 1)


def _of_laplace(c: arb, a: arb) -> arb:
    """Mironov 2017, Table II."""
    first = a / (2 * a - 1) * ((a - 1) * c).exp()
    return (first + (a - 1) / (2 * a - 1) * (-a * c).exp()).log() / (a - 1)


RELATIONS = {
    "for_neighbors": two_steps,
    "convert": converted,
    "compose by rule": added,
    "parameters add": summed,
    "renyi": divergences,
}
