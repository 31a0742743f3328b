"""Compositions of mechanisms with known privacy losses, in ball arithmetic, to 25 digits.

Run: python -m tests.oracles.make_composed (needs python-flint, which the package does not)

`parts` names each mechanism, how often it is run, and its parameters.
"""

from __future__ import annotations

from math import log, pi

from flint import arb  # type: ignore[import-not-found]

from tests.oracles.make_composed_subsampled import Subsampled
from tests.oracles.make_composed_truth import (
    ONE,
    Added,
    Contour,
    Points,
    Residues,
    bits,
    laplace_moment,
    normal_moment,
    on_lattice,
    points_moment,
    relative,
    sums,
    theta_moment,
    wrapped_moment,
)
from tests.oracles.writing import write

DELTAS = (0.3, 0.1, 1e-2, 1e-5, 1e-10, 1e-20, 1e-50, 1e-100, 1e-200, 1e-300)
DIGITS = 25
LEAST = arb("1e-304")
NOTHING = arb("1e-400")  # less than any double


# --- mechanisms ----------------------------------------------------------------------------------


def one(kind, count, **parameters):
    return [kind, parameters, count]


def laplace(scale, count=1, sensitivity=1.0):
    return one("Laplace", count, scale=scale, sensitivity=sensitivity)


def gaussian(sigma, count=1, sensitivity=1.0):
    return one("Gaussian", count, sigma=sigma, sensitivity=sensitivity)


def discrete(sigma, count=1, sensitivity=1):
    return one("DiscreteGaussian", count, sigma=sigma, sensitivity=sensitivity)


def geometric(scale, count=1, sensitivity=1):
    return one("Geometric", count, scale=scale, sensitivity=sensitivity)


def response(epsilon, count=1, categories=2):
    return one("RandomizedResponse", count, epsilon=epsilon, categories=categories)


def ratio(parameters, noise):
    return arb(parameters["sensitivity"]) / arb(parameters[noise])


def single_points(kind, parameters):
    """Losses origin + j spacing of one mechanism and their weights under P."""
    if kind == "RandomizedResponse":
        e, k = arb(parameters["epsilon"]), parameters["categories"]
        low = 1 / (e.exp() + (k - 1))
        if k == 2:
            return -e, 2 * e, [low, e.exp() * low]
        return -e, e, [low, (k - 2) * low, e.exp() * low]
    if kind == "Geometric":
        a, d = (-1 / arb(parameters["scale"])).exp(), parameters["sensitivity"]
        between = [(1 - a) / (1 + a) * a**j for j in range(1, d)]
        weights = [1 / (1 + a), *between, a**d / (1 + a)]
        return -ratio(parameters, "scale"), 2 / arb(parameters["scale"]), weights[::-1]
    if kind == "DiscreteGaussian":
        sigma, d = arb(parameters["sigma"]), parameters["sensitivity"]
        reach = int(parameters["sigma"] * (2 * log(10) * 420) ** 0.5) + 2
        raw = [(-arb(j * j) / (2 * sigma**2)).exp() for j in range(-reach, reach + 1)]
        size = sum(raw, arb(0))
        spacing = d / sigma**2
        return d * d / (2 * sigma**2) - reach * spacing, spacing, [w / size for w in raw]
    raise ValueError(kind)


def laplaces(parts):
    return [(ratio(p, "scale"), k) for kind, p, k in parts if kind == "Laplace"]


def normal_square(parts):
    """Variance of the loss of all the Gaussians."""
    squares = [k * ratio(p, "sigma") ** 2 for kind, p, k in parts if kind == "Gaussian"]
    return sum(squares, arb(0))


def discretes(parts):
    return [(kind, p, k) for kind, p, k in parts if kind not in ("Laplace", "Gaussian")]


class Normal:
    """Closed form."""

    def __init__(self, square):
        self.mu = square.sqrt()

    def at(self, x):
        mu, root = self.mu, arb(2).sqrt()
        p = ((x / mu - mu / 2) / root).erfc() / 2
        q = ((x / mu + mu / 2) / root).erfc() / 2
        return p - x.exp() * q, q

    def top(self):
        return None


# --- how each is evaluated -----------------------------------------------------------------------


def by_points(parts):
    bits(3000)
    endless = any(kind == "DiscreteGaussian" for kind, _, _ in parts)
    groups = [on_lattice(*single_points(kind, p), k) for kind, p, k in parts]
    if len(groups) == 1:
        return Points(groups[0], endless)
    half = 1 if len(groups) < 4 else 2
    outer, inner = sums(*groups[:half]), sums(*groups[half:])
    if len(outer) > len(inner):
        outer, inner = inner, outer
    return Added(Points(outer, endless), Points(inner, endless))


def by_residues(parts):
    bits(2600 + 12 * sum(k for _, k in laplaces(parts)))
    known = Residues(laplaces(parts))
    groups = [on_lattice(*single_points(kind, p), k) for kind, p, k in discretes(parts)]
    endless = any(kind == "DiscreteGaussian" for kind, _, _ in parts)
    return Added(Points(sums(*groups), endless), known) if groups else known


def by_normal(parts):
    bits(2600)
    return Normal(normal_square(parts))


def moments_of(parts):
    moments = [(laplace_moment(c), k) for c, k in laplaces(parts)]
    square = normal_square(parts)
    if square > 0:
        moments.append((normal_moment(square), 1))
    for kind, p, k in discretes(parts):
        if kind == "DiscreteGaussian":
            sums_up = theta_moment if p["sigma"] < 3.0 else wrapped_moment
            moments.append((sums_up(arb(p["sigma"]), p["sensitivity"]), k))
        else:
            origin, spacing, weights = single_points(kind, p)
            points = [(origin + j * spacing, w) for j, w in enumerate(weights)]
            moments.append((points_moment(points), k))
    return moments


def by_contour(parts):
    """Where a normal makes the moment fall, or so many losses that only the middle counts."""
    bits(600)
    square = normal_square(parts)
    if square > 0:
        return Contour(moments_of(parts), lambda theta, spread: (2 * arb(140) / square).sqrt())
    if len(parts) == 1 and parts[0][0] != "Laplace":
        kind, p, k = parts[0]
        origin, spacing, _ = single_points(kind, p)
        stop = (lambda theta, spread: arb(22 / spread)) if k >= 1000 else None
        return Contour(moments_of(parts), stop, (k * origin, spacing))
    top = sum((c * k for c, k in laplaces(parts)), arb(0))
    return Contour(moments_of(parts), lambda theta, spread: arb(30 / spread), most=top)


def by_echoes(parts):
    """Laplace losses that are small: the moment comes back, smaller, at each multiple of pi/c."""
    bits(600)
    ((c, count),) = laplaces(parts)
    period = pi / float(c)

    def skip(t, spread):
        return abs(t - period * round(t / period)) > 30 / spread

    stop = lambda theta, spread: arb(30.5 * period)  # noqa: E731
    return Contour(moments_of(parts), stop, skip=skip, digits=27, most=c * count)


class Revealed:
    """A loss that is infinite with some chance, on either side."""

    def __init__(self, truth, chance):
        self.truth, self.chance = truth, chance

    def at(self, x):
        delta, q = self.truth.at(x)
        return self.chance + (1 - self.chance) * delta, (1 - self.chance) * q

    def top(self):
        return self.truth.top()


def by_revealing(parts):
    """Records of the sample are released, everything else as before."""
    ways = {kind for kind, _, _ in parts}
    others = [part for part in parts if part[0] != "SampleRelease"]
    way = by_residues if "Laplace" in ways else by_points
    if "Gaussian" in ways:
        way = by_normal
    truth, hidden = way(others), ONE
    for kind, p, k in parts:
        if kind == "SampleRelease":
            hidden *= (1 - arb(p["sample"]) / p["population"]) ** k
    return Revealed(truth, 1 - hidden)


def sample(size, population, count=1):
    return one("SampleRelease", count, sample=size, population=population)


# --- cases ---------------------------------------------------------------------------------------

CASES = [
    *((by_residues, [laplace(1.0, k)]) for k in (1, 2, 10, 100)),
    *((by_residues, [laplace(b, 10)]) for b in (0.01, 0.3, 100.0, 1e6)),
    *((by_residues, [laplace(3.0, k, 0.7)]) for k in (2, 30)),
    (by_contour, [laplace(1.0, 1000)]),
    (by_contour, [laplace(1.0, 10**4)]),
    (by_contour, [laplace(1.0, 10**6)]),
    (by_contour, [laplace(10.0, 10**4)]),
    (by_contour, [laplace(0.1, 10**4)]),
    (by_echoes, [laplace(100.0, 10**4)]),
    *((by_normal, [gaussian(100.0, 10**4)]) for _ in range(1)),
    *(
        (by_normal, [gaussian(s, k, d)])
        for s, k, d in ((0.03, 1, 1.0), (3.0, 7, 0.1), (1e8, 2, 1.0))
    ),
    *(
        (by_points, [discrete(s, k, d)])
        for s in (0.3, 0.5, 1.0, 5.0, 20.0)
        for d in (1, 2, 3)
        for k in (1, 2, 10)
        if s < 20 or (k < 10 and d < 3)
    ),
    (by_contour, [discrete(20.0, 1000)]),
    (by_contour, [discrete(5.0, 10**4, 2)]),
    (by_contour, [discrete(0.5, 100)]),
    (by_contour, [discrete(1000.0, 10**6, 3)]),
    (by_points, [discrete(0.3, 2), discrete(0.5, 2), discrete(0.7, 1)]),
    (by_points, [discrete(1.0, 3), discrete(1.5, 1, 2), discrete(2.25, 2)]),
    (by_points, [discrete(0.4), discrete(0.5), discrete(0.6, 1, 2), discrete(0.8)]),
    (by_points, [discrete(0.3), discrete(0.35), discrete(0.4), discrete(0.45), discrete(0.5)]),
    (by_points, [discrete(3.0, 4), geometric(2.0, 5, 2), response(0.7, 3)]),
    (by_residues, [laplace(1.0, 3), laplace(0.37, 4), laplace(11.0, 5)]),
    (by_residues, [laplace(1.0, 5), response(0.5, 6)]),
    (by_residues, [laplace(4.0, 12), geometric(3.0, 2, 3), response(1.5, 2, 7)]),
    (by_residues, [laplace(1e3, 3), laplace(1e-2, 2)]),
    (by_residues, [laplace(1.0, 2), discrete(0.8, 3)]),
    (by_contour, [laplace(1.0, 1), gaussian(1.0, 1)]),
    (by_contour, [laplace(1.0, 20), gaussian(30.0, 200)]),
    (by_contour, [laplace(0.5, 3), gaussian(0.2, 1), response(2.0, 4)]),
    (by_contour, [gaussian(2.0, 10), response(1.0, 1)]),
    (by_contour, [gaussian(10.0, 3), response(3.0, 7, 5)]),
    (by_contour, [gaussian(3.0, 10), discrete(2.0, 10, 1), geometric(5.0, 10, 2)]),
    *((by_points, [geometric(1.0, k, d)]) for d in (1, 2, 3, 4) for k in (1, 7, 40)),
    *((by_points, [geometric(7.5, k, d)]) for d in (1, 4) for k in (3, 300)),
    *((by_points, [response(e, k)]) for e in (1e-6, 0.1, 1.0, log(3)) for k in (1, 5, 100, 1000)),
    *(
        (by_points, [response(e, k, c)])
        for e in (0.5, 5.0)
        for k, c in ((1, 3), (20, 4), (500, 100))
    ),
    (by_points, [response(0.01, 10**4)]),
    (by_revealing, [laplace(1.0, 5), sample(1, 10**6)]),
    (by_revealing, [gaussian(3.0, 20), sample(1, 10**9, 3)]),
    (by_revealing, [response(0.3, 40), discrete(2.0, 2), sample(3, 1000, 2)]),
]
SUBSAMPLED = [(1.0, 0.1), (0.7, 0.01), (2.0, 0.5), (5.0, 0.001)]
CHECKS = [  # the same by two of the ways
    ([laplace(1.0, 400)], by_residues, by_contour, 230.0),
    ([discrete(1.0, 10)], by_points, by_contour, 12.25),
    ([discrete(0.5, 10, 3)], by_points, by_contour, 260.0),
    ([discrete(5.0, 10)], by_points, by_contour, 12.25),
    ([response(0.1, 1000)], by_points, by_contour, 10.03),
    ([geometric(1.0, 40, 3)], by_points, by_contour, 60.5),
]


# --- questions -----------------------------------------------------------------------------------


def solve(truth, target, start):
    """Least x >= 0 with delta(x) <= target, by Newton on the logarithm inside a bracket."""
    want, low, high, x = target.log(), arb(0), truth.top(), start
    stride = arb(4 * truth.spread) if isinstance(truth, Contour) else None
    for _ in range(600):
        delta, q = truth.at(x)
        excess = delta.log() - want if delta > 0 else arb(-1)
        if excess > 0:
            low = x
        else:
            high = x
        new = None
        if delta > 0 and q > 0:
            step = excess * delta / (x.exp() * q)
            new = (x + (min(step, stride) if stride is not None else step)).mid()
        if new is None or new < low or (high is not None and new > high):
            new = ((low + high) / 2).mid() if high is not None else 2 * x + 1
        if abs(new - x) <= abs(x) * arb(2) ** -115 + arb("1e-60"):
            return new
        x = new
    raise ArithmeticError("no root")


def shown(value):
    """25 digits; what is smaller than any double, as zero."""
    if abs(value) < NOTHING:
        return "0"
    return "inf" if not value.is_finite() else value.mid().str(DIGITS, radius=False, more=False)


def asked(truth, extra=()):
    """Rows (question, argument, answer) for one composition."""
    start, points, floor = arb(1), [1e-8, 1e-3, *extra], ONE
    if isinstance(truth, Contour) and float(truth.mean()) > 60:  # delta(0) is 1, nearly
        start, points = truth.mean(), []
    else:
        floor = truth.at(arb(0))[0]
        yield "delta", 0.0, floor
    top = truth.top()
    for d in DELTAS:
        target = arb(d)
        if target >= floor:
            continue
        if isinstance(truth, Revealed) and target < truth.chance:
            yield "epsilon", d, arb("inf")
            continue
        try:
            x = solve(truth, target, start)
        except ArithmeticError:  # out of reach of the contour
            continue
        yield "epsilon", d, x
        start = x
        points.append(float(x.mid()))
    if top is not None and not isinstance(truth, Contour):
        points += [float(top) * share for share in (0.5, 0.999, 1 - 1e-9, 1 + 1e-9)]
    for e in sorted(set(points)):
        delta = truth.at(arb(e))[0]
        if abs(delta) > LEAST:
            yield "delta", e, delta
        elif top is not None and arb(e) > top:
            yield "delta", e, arb(0)


class Worse:
    """The worse of two directions."""

    def __init__(self, one_way, other_way):
        self.both = one_way, other_way

    def at(self, x):
        return max((each.at(x) for each in self.both), key=lambda found: found[0].mid())

    def top(self):
        return None


def few(truth):
    """Where each answer takes its time."""
    for e in (0.03, 0.4):
        yield "delta", e, truth.at(arb(e))[0]


def tests_at(truth):
    """Rows for power and level, and for tails of the raw output off the losses of a lattice."""
    for level in (1e-12, 0.05, 0.5):
        x = crossing(lambda x: truth.at(x)[1], arb(level))
        yield "power", level, truth.at(x)[0] + x.exp() * level
    for power in (1e-9, 0.3, 0.95):
        x = crossing(lambda x: under_p(truth, x), arb(power))
        yield "level", power, (power - truth.at(x)[0]) * (-x).exp()
    for chance in (0.1, 1e-6):
        x = float(crossing(lambda x: under_p(truth, x), arb(chance)).mid()) * 1.0123456789
        if 0 < x < float("inf"):
            yield "tail_raw_one", x, under_p(truth, arb(x))
            yield "tail_raw_both", x, under_p(truth, arb(x)) + truth.at(arb(x))[1]


def everything(truth, tests):
    yield from asked(truth)
    if tests and not isinstance(truth, Contour) and truth.at(arb(0))[0] > arb("1e-4"):
        yield from tests_at(truth)


def under_p(truth, x):
    delta, q = truth.at(x)
    return delta + x.exp() * q


def crossing(f, value):
    """Where a decreasing function passes a value."""
    low, high = arb(-1), arb(1)
    while f(low) < value:
        low *= 2
    while f(high) > value:
        high *= 2
    for _ in range(130):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if f(middle) > value else (low, middle)
    return high


def named(parts):
    """Such as "10 Laplace scale=1.0 sensitivity=1.0 + 1 Gaussian ..."."""
    words = [
        f"{count} {kind} " + " ".join(f"{name}={value!r}" for name, value in parameters.items())
        for kind, parameters, count in parts
    ]
    return " + ".join(words)


def lines():
    for way, parts in CASES:
        for row in everything(way(parts), len(parts) < 3):
            yield named(parts), *row
    for sigma, rate in SUBSAMPLED:
        for count in (1, 2) if rate < 0.1 else (1, 2, 3):
            bits(300)
            truth = Worse(*(Subsampled(arb(sigma), arb(rate), count, add) for add in (False, True)))
            part = one("SubsampledGaussian", count, sigma=sigma, sensitivity=1.0, rate=rate)
            for row in asked(truth) if count < 3 else few(truth):
                yield named([part]), *row


def check():
    for parts, one_way, other_way, x in CHECKS:
        ours = one_way(parts).at(arb(x))[0]
        other = other_way(parts)
        if relative(ours, other.checked(arb(x))[0]) > 1e-28:
            raise ArithmeticError(f"two ways differ: {parts}")


if __name__ == "__main__":
    check()
    table = ((*row[:-1], shown(row[-1])) for row in lines())
    write("composed", ("parts", "question", "argument", "answer"), table)
