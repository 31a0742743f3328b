"""What is left of the zoo: other mechanisms, other readings of risk, noise for a limit."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from flint import arb

from sweep.asking import Drawn, guarded
from sweep.drawing import relation, spread
from sweep.holding import bound, hold, most
from sweep.tally import Tally
from sweep.truth.balls import ONE, ZERO, Judge, between, exact
from sweep.truth.curves import judge
from sweep.truth.promises import Normal
from sweep.truth.sums import Smooth, Spread
from sweep.zoo.beliefs import CONFIDENCES, failure
from sweep.zoo.losses import (
    SampledOnce,
    composed,
    drawn,
    geometric_of,
    response_of,
    stated_of,
)

__all__ = ["MORE", "MORE_DRAWN"]


class _SampledLaplace:
    """Laplace noise on a Poisson sample, once: the loss rises with the outcome between 0 and c."""

    def __init__(self, c: arb, rate: arb, turned: bool) -> None:
        self.c, self.rate, self.turned = c, rate, turned
        self.low, self.high = ((1 - rate + rate * (side * c).exp()).log() for side in (-1, 1))

    def ends(self) -> tuple[arb, arb]:
        return (-self.high, -self.low) if self.turned else (self.low, self.high)

    def at(self, t: arb) -> tuple[arb, arb]:
        p, q = self.beyond(t)
        return (p - t.exp() * q).nonnegative_part(), q

    def beyond(self, t: arb) -> tuple[arb, arb]:
        """P and Q of Z > t; the loss has its ends with a positive probability."""
        low, high = self.ends()
        if t < low:
            return ONE, ONE
        if t >= high:
            return ZERO, ZERO
        level = -t if self.turned else t
        x = (self.c + ((level.exp() - 1 + self.rate) / self.rate).log()) / 2
        above, shifted = (-x).exp() / 2, 1 - (x - self.c).exp() / 2
        mixed = (1 - self.rate) * above + self.rate * shifted
        return (1 - above, 1 - mixed) if self.turned else (mixed, above)


class _Ended(Smooth):
    """With probability at both ends: which side an end is on cannot be told next to it."""

    def __init__(self, once: _SampledLaplace) -> None:
        low, high = once.ends()
        super().__init__(once, ZERO, float(abs(low).max(abs(high))) * 1.1 + 1.0, high)
        self.once = once

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        for end in self.once.ends():
            if abs(end - t) < arb("1e-60"):
                first, last = (self.once.beyond(t + d) for d in (arb("1e-50"), arb("-1e-50")))
                return first[0].union(last[0]), first[1].union(last[1])
        return self.once.beyond(t) if t.is_finite() else (ZERO, ZERO)


def sampled_laplace(rng: Random) -> Drawn:
    """Once."""
    scale, rate = spread(rng, 0.02, 20.0), spread(rng, 1e-6, 0.95)
    code = f"SubsampledLaplace({scale!r}, 1.0, {rate!r}, neighbors='add-remove').loss()"
    c = 1 / exact(scale)
    ways = [_Ended(_SampledLaplace(c, exact(rate), turned)) for turned in (False, True)]
    top = float(ways[0].top().mid())
    kind = "PrivacyLoss: subsampled Laplace"
    return drawn(code, kind, "add-remove", ways, False, top / 2, top, number=4)


def sampled_beside(rng: Random) -> Drawn:
    """Noise on a sample, strong or rare, together with a promise or another finite mechanism."""
    who, rate = "add-remove", rng.choice((spread(rng, 1e-15, 1e-6), spread(rng, 1e-6, 0.9)))
    code, atoms, most = rng.choice((response_of, geometric_of, stated_of))(rng, who)
    scale, sides = rng.choice((spread(rng, 0.03, 5.0), spread(rng, 0.03, 0.12))), (False, True)
    if rng.random() < 0.5:
        kind = f"SubsampledLaplace({scale!r}, 1.0, {rate!r}, neighbors={who!r}).loss()"
        once: list[Any] = [_SampledLaplace(1 / exact(scale), exact(rate), side) for side in sides]
        most += float(once[0].high.mid())
    else:
        kind = f"SubsampledGaussian({scale!r}, 1.0, {rate!r}, neighbors={who!r}).loss()"
        once = [SampledOnce(exact(scale), exact(rate), side) for side in sides]
        most += math.log1p(rate * math.expm1(min(1.0 / scale**2, 600.0)))
    totals = [Spread(atoms, one) for one in once]
    ways = [Smooth(total, total.revealed, 2.0 * most) for total in totals]
    whole, name = composed([(code, 1), (kind, 1)]), "PrivacyLoss: finite and sampled"
    found = drawn(whole, name, who, ways, False, most / 2, most, number=5, own=False)
    found.questions = ("delta", "epsilon")
    return found


def vector(rng: Random) -> Drawn:
    """Normal noise on several numbers, each with its own width."""
    who, size = relation(rng), rng.randint(1, 3)
    variances = [2.0 ** rng.randint(-4, 8) for _ in range(size)]
    moved = [rng.choice((0.0, 1.0, -1.0, spread(rng, 0.01, 5.0))) for _ in range(size)]
    moved[0] = moved[0] or 1.0
    matrix = [[v if i == j else 0.0 for j in range(size)] for i, v in enumerate(variances)]
    square = sum((exact(d) ** 2 / exact(v) for d, v in zip(moved, variances, strict=True)), ZERO)
    if size == 2 and rng.random() < 0.7:  # nearly all of the noise may be common to both
        shared = 1.0 - spread(rng, 1e-9, 1.0)
        matrix, (a, b), c = [[1.0, shared], [shared, 1.0]], map(exact, moved), exact(shared)
        square = (a * a - 2 * a * b * c + b * b) / (1 - c * c)
    mu = square.sqrt()
    code = f"VectorGaussian({matrix!r}, {moved!r}, neighbors={who!r}).loss()"
    found = drawn(code, "PrivacyLoss: vector", who, [Normal(mu)], True, float(mu) + 1, math.inf)
    return found


def densities(rng: Random) -> Drawn:
    """Two normal densities, given as functions."""
    who, mu = relation(rng), rng.choice((0.5, 1.0, 0.25, 2.0))
    half = -math.log(2.0 * math.pi) / 2.0
    first = f"lambda x: -(x - {mu}) ** 2 / 2.0 + {half!r}"
    other = f"lambda x: -(x ** 2) / 2.0 + {half!r}"
    ratio = f"lambda x: {mu} * (x - {mu / 2.0})"
    more = f"spacing=0.01, log_ratio={ratio}, neighbors={who!r}"
    code = f"PairOfDensities({first}, {other}, [-inf, {mu / 2.0}, inf], {more}).loss()"
    found = drawn(code, "PrivacyLoss: densities", who, [Normal(exact(mu))], False, mu, math.inf)
    found.questions, found.number = ("delta", "epsilon", "power", "level"), 3
    return found


def independent(rng: Random, tally: Tally) -> None:
    """Adversaries to whom records are independent (P3, Theorem 1; Wood et al.)."""
    e = spread(rng, 1e-6, 20.0)
    promise = f"PureDP({e!r}, neighbors='add-remove')"
    ps, qs = (
        [rng.choice((1.0, rng.random(), spread(rng, 1e-9, 1.0))) for _ in range(6)] for _ in "pq"
    )
    rows = [*zip(map(exact, ps), map(exact, qs), strict=True)]
    for name, times in (("independent_ratio", False), ("independent_posterior", True)):
        for end, sign in (("upper", 1), ("lower", -1)):
            x = (-sign * exact(e)).exp()
            truths = [1 / (q * p + x**2 * (1 - q) * p + x * (1 - p)) for p, q in rows]
            if times:
                truths = [t * p * q for t, (p, q) in zip(truths, rows, strict=True)]
            judges = [between(t) for t in truths]
            code = f"{name}({promise}, {ps!r}, {qs!r}).{end}"
            hold(tally, (name, end, "add-remove"), code, judges, sign < 0)
    for end, sign in (("upper", 1), ("lower", -1)):
        x = (-2 * sign * exact(e)).exp()
        judges = [between(p / (p + x * (1 - p))) for p, _ in rows]
        code = f"with_participation({promise}, {ps!r}).{end}"
        hold(tally, ("with_participation", end, "add-remove"), code, judges, sign < 0)


def implied(rng: Random, tally: Tally) -> None:
    """Which promise follows from a bound on beliefs (P0, Theorems 3.2, 3.3 and 3.5)."""
    who, p = relation(rng), rng.uniform(0.001, 0.9)
    x = p + (1 - p) * rng.uniform(0.0, 0.99)
    a, b = exact(x), exact(p)
    _stated(
        tally,
        f"implied_by_posterior({p!r}, {x!r}, neighbors={who!r})",
        who,
        (a / (1 - a) / (b / (1 - b))).log(),
    )
    r = 1.0 + spread(rng, 1e-9, 1e6)
    _stated(tally, f"implied_by_ratio({r!r}, neighbors={who!r})", who, exact(r).log())
    d = rng.uniform(0.0, 0.99)
    truth = 2 * ((1 + exact(d)) / (1 - exact(d))).log()
    _stated(tally, f"implied_by_difference({d!r}, neighbors={who!r})[0]", who, truth)


def _stated(tally: Tally, code: str, who: str, truth: arb) -> None:
    key = (code.partition("(")[0], "epsilon", who)
    found = guarded(tally, key, code)
    if found is not None:
        bound(tally, key, code, found.stated_epsilon, between(truth.max(ZERO)))


def polygons(rng: Random, tally: Tally) -> None:
    """f-DP from a function or from points of one: never stronger than the function."""
    who, n = relation(rng), rng.choice((2, 3, 1.5))
    xs = [rng.random() for _ in range(6)]
    judges = [most(_either_way(exact(x), arb(n))) for x in xs]
    made = f"FDP.from_function(lambda x: (1 - x) ** {n}, neighbors={who!r})"
    hold(tally, ("FDP.from_function", "power", who), f"{made}.power({xs!r})", judges)
    hold(tally, ("FDP.symmetrized", "power", who), f"{made}.symmetrized().power({xs!r})", judges)
    points = sorted(rng.random() for _ in range(rng.randint(1, 4)))
    errors = [math.nextafter((1 - x) ** n, 0.0) * (1 - 1e-15) for x in points]
    made = f"FDP.hull({points!r}, {errors!r}, neighbors={who!r})"
    hold(tally, ("FDP.hull", "power", who), f"{made}.power({xs!r})", judges)


def _either_way(x: arb, n: arb) -> arb:
    """1 - max(f, f^-1) for f(x) = (1 - x)^n: both relations have no direction."""
    return (1 - (1 - x) ** n).min(x ** (1 / n))


def noise(rng: Random, tally: Tally) -> None:
    """The least normal noise that keeps a promise, or a limit on beliefs."""
    e, d = spread(rng, 0.01, 5.0), spread(rng, 1e-12, 1e-2)
    code = f"noise_for(ApproxDP({e!r}, {d!r}, neighbors='add-remove'))"
    key = ("noise_for", "gaussian", "add-remove")
    found = guarded(tally, key, code)
    for cost in found or ():
        if cost.kind == "gaussian":
            profile = Normal(1 / exact(cost.width)).delta(exact(e))
            shown = f"{code}  # of the {cost.kind} kind"
            bound(tally, key, shown, d, between(profile))
    prior, confidence, n = rng.choice((0.1, 0.5)), rng.choice(CONFIDENCES), rng.choice((1, 3, 20))
    posterior = prior + (1 - prior) * rng.uniform(0.05, 0.8)
    limit = f"InformedLimit('posterior', {posterior!r}, {prior!r}, {confidence!r})"
    code = f"calibrate({limit}, 'gaussian', releases={n})"
    key = ("calibrate", "gaussian", "add-remove")
    made = guarded(tally, key, code)
    width: Any = getattr(getattr(made, "width", None), "value", None)
    if width and math.isfinite(width):
        mu = (exact(n) ** (ONE / 2)) / exact(width)
        loss = judge(Normal(mu), "loss, both", exact(failure(confidence)))
        a, b = exact(posterior), exact(prior)
        allowed = (a / (1 - a) / (b / (1 - b))).log()
        assert loss is not None
        tally.asked[key] += 1
        bound(tally, key, code, 1.0 if not loss.above(allowed) else -1.0, most(ZERO))


def solved(rng: Random, tally: Tally) -> None:
    """Ratios tolerated at every prior of a rectangle: the worst is at a corner (P3, Lemma 4)."""
    r = 1.0 + spread(rng, 1e-3, 100.0)
    p0, p1, q0 = sorted(rng.uniform(0.01, 1.0) for _ in range(3))
    code = f"solve(RatioLimit({r!r}, ({p0!r}, {p1!r}), ({q0!r}, 1.0))).epsilon"

    def kept(e: arb) -> arb:
        x, q = (-e).exp() if e.is_finite() else ZERO, exact(q0)
        sums = [p * q + p * (1 - q) * x**2 + (1 - p) * x for p in (exact(p0), exact(p1))]
        return sums[0].min(sums[1]) - 1 / exact(r)

    of = Judge(
        lambda e: bool(e.is_finite()) and bool(kept(e) > 0),
        lambda e: bool(e > 0 if e.is_finite() else True) and bool(kept(e) < 0),
    )
    hold(tally, ("solve", "ratio", "add-remove"), code, [of], downwards=True)


MORE_DRAWN = {
    "subsampled Laplace": sampled_laplace,
    "finite and sampled": sampled_beside,
    "vector": vector,
    "densities": densities,
}
MORE = {
    "independent": independent,
    "implied": implied,
    "f-DP": polygons,
    "noise": noise,
    "solve": solved,
}
