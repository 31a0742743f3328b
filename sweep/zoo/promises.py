"""Promises of every class, each with its worst case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from flint import arb

from sweep.asking import QUESTIONS, Drawn
from sweep.drawing import chance, relation, spread
from sweep.truth.balls import ONE, ZERO, Judge, between, exact
from sweep.truth.curves import Curve, judge
from sweep.truth.orders import Orders
from sweep.truth.promises import Bounded, Doubled, Lines, Normal, of_points, of_tradeoff

__all__ = ["PROMISES", "epsilon_of", "promised"]

RAW = tuple(name for name in QUESTIONS if name.endswith("raw"))
WITHOUT_RAW = tuple(name for name in QUESTIONS if not name.endswith("raw"))


def alike(
    code: str,
    kind: str,
    who: str,
    curve: Curve,
    size: float,
    most: float = math.inf,
    marks: Sequence[float] = (),
) -> Drawn:
    """The same worst case for the raw output and for anything made of it."""

    def judged(question: str, x: float | arb) -> Judge | None:
        return judge(curve, question.removesuffix(", raw"), exact(x))

    return Drawn(code, kind, who, judged, size, most, marks, curve=curve)


def epsilon_of(rng: Random) -> float:
    kind = rng.random()
    if kind < 0.6:
        return spread(rng, 1e-3, 20.0)
    if kind < 0.85:
        return spread(rng, 1e-10, 800.0)
    return rng.choice((0.0, 1e-300, 5e-324, 1.0, 700.0, 710.0, 745.0, 1e4, math.inf))


def promised(epsilon: float, delta: float) -> Lines:
    """Approximate DP."""
    return of_points([(exact(epsilon), exact(delta))])


def pure(rng: Random) -> Drawn:
    e, who = epsilon_of(rng), relation(rng)
    curve = promised(e, 0.0)
    return alike(f"PureDP({e!r}, neighbors={who!r})", "PureDP", who, curve, e or 1.0, e)


def approximate(rng: Random) -> Drawn:
    e, d, who = epsilon_of(rng), chance(rng), relation(rng)
    marks = (d, _corner(e, d))
    code = f"ApproxDP({e!r}, {d!r}, neighbors={who!r})"
    return alike(code, "ApproxDP", who, promised(e, d), e or 1.0, e, marks)


def _corner(e: float, d: float) -> float:
    """The level where both lines of the promise meet."""
    return (1.0 - d) / (1.0 + math.exp(min(e, 700.0)))


def curve_of_points(rng: Random) -> Drawn:
    size, who = rng.randint(1, 6), relation(rng)
    e = [epsilon_of(rng) for _ in range(size)]
    d = [chance(rng) for _ in range(size)]
    curve = of_points([(exact(x), exact(y)) for x, y in zip(e, d, strict=True)])
    code = f"ApproxDPCurve({e!r}, {d!r}, neighbors={who!r})"
    most = max(e)
    return alike(code, "ApproxDPCurve", who, curve, min(e) or 1.0, most, tuple(d))


def tradeoff(rng: Random) -> Drawn:
    """Corners on a coarse lattice, so that they are convex without rounding."""
    who = relation(rng)
    levels, errors = _convex(rng)
    curve = of_tradeoff([arb(x) for x in levels], [arb(y) for y in errors])
    code = f"FDP({levels!r}, {errors!r}, neighbors={who!r})"
    return alike(code, "FDP", who, curve, 1.0, math.inf, (*levels, *errors))


def _convex(rng: Random) -> tuple[list[float], list[float]]:
    size = rng.randint(1, 5)
    unit = 2.0 ** -rng.choice((6, 20, 40))
    runs = [rng.randint(1, 9) for _ in range(size)]
    slopes = sorted(
        (rng.randint(1, 40) / rng.choice((1, 4, 64)) for _ in range(size)), reverse=True
    )
    levels, errors = [0.0], [0.0]
    for run, slope in zip(runs, slopes, strict=True):  # from the right end backwards
        levels.append(levels[-1] + run * unit)
        errors.append(errors[-1] + run * unit * slope)
    errors = [errors[-1] - y for y in errors]
    if (
        levels[-1] >= 1.0
        or errors[0] > 1.0
        or any(x + y > 1.0 for x, y in zip(levels, errors, strict=True))
    ):
        return [0.0, 0.25, 1.0], [1.0, 0.25, 0.0]
    return [*levels, 1.0], [*errors, 0.0]


def gaussian(rng: Random) -> Drawn:
    mu = rng.choice((0.0, 1e-8, 1.0, 40.0)) if rng.random() < 0.1 else spread(rng, 1e-6, 40.0)
    who = relation(rng)
    code = f"GaussianDP({mu!r}, neighbors={who!r})"
    return alike(code, "GaussianDP", who, Normal(arb(mu)), mu * (1 + mu) or 1.0)


def laplace(rng: Random) -> Drawn:
    mu = epsilon_of(rng)
    mu, who = min(mu, 1e4), relation(rng)
    code = f"LaplaceDP({mu!r}, neighbors={who!r})"
    return alike(code, "LaplaceDP", who, Doubled(arb(mu)), mu or 1.0, mu)


def probabilistic(rng: Random) -> Drawn:
    e, d, who, sides = epsilon_of(rng), chance(rng), relation(rng), rng.choice(("both", "one"))
    curve = promised(e, d)

    def of(question: str, x: float | arb) -> Judge | None:
        if not question.endswith("raw"):
            return judge(curve, question, exact(x))
        return _raw(question, exact(x), exact(e), exact(d), sides)

    code = f"ProbabilisticDP({e!r}, {d!r}, sides={sides!r}, neighbors={who!r})"
    return Drawn(code, "ProbabilisticDP", who, of, e or 1.0, e, (d,), curve=curve)


def _raw(question: str, x: arb, e: arb, d: arb, sides: str) -> Judge | None:
    """What some mechanism attains that keeps the promise: the event alone, or a full response."""
    if question == "tail, both, raw":
        least = d if not x < e else ONE
        if sides == "both" or x < e:
            return between(least)
        return Judge(between(d).above, lambda v: v > d * (1 + (-x).exp()))
    if question == "tail, one, raw":
        least = d if not x < e else d.max(1 / (1 + (-e).exp()))
        return Judge(between(least).above, lambda v: v > 1 or (not x < e and v > d))
    if question == "loss, both, raw":
        least = arb.pos_inf() if x < d else e if x < 1 else ZERO
        return between(least) if sides == "both" else Judge(between(least).above, lambda v: False)
    half = 1 / (1 + (-e).exp())
    least = arb.pos_inf() if x < d else e if x < half else ZERO
    return Judge(between(least).above, lambda v: x >= d and v > e)


def bounded(rng: Random) -> Drawn:
    e = min(max(epsilon_of(rng), 1e-300), 1e5)
    d, who = chance(rng), relation(rng)
    promise = Bounded(arb(e), arb(d))

    def of(question: str, x: float | arb) -> Judge | None:
        question = question.removesuffix(", raw")
        early = question in ("delta", "epsilon") and promise.early
        found = judge(_Attained(promise, early), question, exact(x))
        if early:
            return found
        return None if found is None else Judge(*_one_way(question, found))

    code = f"ProbabilisticallyBoundedDP({e!r}, {d!r}, neighbors={who!r})"
    return Drawn(code, "ProbabilisticallyBoundedDP", who, of, e, e, (d,))


class _Attained:
    """Two mechanisms that keep a promise, or all (of delta alone)."""

    def __init__(self, promise: Bounded, every: bool) -> None:
        self.promise, self.every = promise, every

    def power(self, x: arb) -> arb:
        return self.promise.attained(x)

    def delta(self, e: arb) -> arb:
        return self.promise.delta(e) if self.every else self.promise.pure.delta(e)

    def top(self) -> arb:
        return self.promise.pure.top()


def _one_way(question: str, found: Judge):
    """Of bounds that nothing has to attain: only the safe side is known."""
    if question == "level":
        return (lambda v: False), found.below
    return found.above, (lambda v: False)


def renyi(rng: Random) -> Drawn:
    size, who = rng.choice((1, 1, 2, 3)), relation(rng)
    alpha = sorted(1.0 + spread(rng, 1e-2, 1e3) for _ in range(size))
    gamma = [spread(rng, 1e-8, 100.0) for _ in range(size)]
    if rng.random() < 0.05:
        gamma[0] = 0.0
    bounds = Orders(alpha, gamma)
    stated = (alpha[0], gamma[0]) if size == 1 else (alpha, gamma)
    code = f"RenyiDP({stated[0]!r}, {stated[1]!r}, neighbors={who!r})"
    typical = math.sqrt(2 * min(gamma)) + min(gamma)
    return Drawn(code, "RenyiDP", who, _by_orders(bounds), typical or 1.0)


def concentrated(rng: Random) -> Drawn:
    rho, who = spread(rng, 1e-12, 1e3), relation(rng)
    xi = spread(rng, 1e-6, 3.0) if rng.random() < 0.2 else 0.0
    delta = chance(rng) if rng.random() < 0.15 else 0.0
    more = (f", xi={xi!r}" if xi else "") + (f", delta={delta!r}" if delta else "")
    bounds = Orders(rho=rho, xi=xi, delta=delta)
    code = f"ZeroConcentratedDP({rho!r}{more}, neighbors={who!r})"
    typical = math.sqrt(2 * rho) + rho + xi
    return Drawn(
        code, "ZeroConcentratedDP", who, _by_orders(bounds), typical, math.inf, (delta,), 6
    )


def _by_orders(bounds: Orders):
    def of(question: str, x: float | arb) -> Judge | None:
        question = question.removesuffix(", raw")
        found = bounds.judge(question.replace("both", "one"), exact(x))
        if found is None or "both" not in question:
            return found
        return Judge(found.above, lambda v: False)  # one side is a part of both

    return of


PROMISES = {
    "PureDP": pure,
    "ApproxDP": approximate,
    "ApproxDPCurve": curve_of_points,
    "FDP": tradeoff,
    "GaussianDP": gaussian,
    "LaplaceDP": laplace,
    "ProbabilisticDP": probabilistic,
    "ProbabilisticallyBoundedDP": bounded,
    "RenyiDP": renyi,
    "ZeroConcentratedDP": concentrated,
}
