"""Sums of privacy losses in ball arithmetic: points one by one, residues, contours.

Each class answers, for any real x, with E[(1 - e^(x - Z))+] and Q[Z > x] over the finite values
of Z; make_composed.py writes tables of them. Needs python-flint, which the package does not.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import product
from math import comb

from flint import acb, arb, arb_poly, arb_series, ctx  # type: ignore[import-not-found]

ONE = arb(1)
LEAST = arb("1e-460")


def bits(number: int) -> None:
    """Working precision from here on."""
    ctx.prec = number


def relative(a, b):
    """How far apart two numbers are, relative to the larger; as a double."""
    size = max(abs(a.mid()), abs(b.mid()))
    return 0.0 if size == 0 else float((abs(a - b) / size).upper())


# --- finitely many losses ------------------------------------------------------------------------


class Points:
    """Finite losses with their probabilities under P, sorted; suffix sums of both."""

    def __init__(self, points, endless=False):
        self.endless = endless
        merged = {}
        for z, p in points:
            key = z.mid().str(60, radius=False)
            old = merged.get(key)
            merged[key] = (z, p if old is None else old[1] + p)
        self.points = sorted(merged.values(), key=lambda pair: pair[0].mid())
        self.losses = [z.mid() for z, _ in self.points]
        p, q = arb(0), arb(0)
        self.under_p, self.under_q = [p], [q]
        for z, mass in reversed(self.points):
            p, q = p + mass, q + mass * (-z).exp()
            self.under_p.append(p)
            self.under_q.append(q)

    def at(self, x):
        above = len(self.losses) - bisect_right(self.losses, x.mid())
        p, q = self.under_p[above], self.under_q[above]
        return p - x.exp() * q, q

    def top(self):
        return None if self.endless else self.losses[-1]


def power_of(weights, count):
    """k-fold convolution of positive weights."""
    return (arb_poly(weights) ** count).coeffs()


def on_lattice(origin, spacing, weights, count):
    """k-fold sum of losses origin + j spacing."""
    points = enumerate(power_of(weights, count))
    return likely((count * origin + j * spacing, p) for j, p in points)


def likely(points):
    """Those that are not negligible under both P and Q."""
    return [
        (z, p)
        for z, p in points
        if p.mid() > LEAST or (p.mid() > 0 and (p * (-z).exp()).mid() > LEAST)
    ]


class Added:
    """Points plus an independent loss that has an answer of its own."""

    def __init__(self, points, other):
        self.points, self.other = points, other

    def at(self, x):
        delta, q = arb(0), arb(0)
        for z, p in self.points.points:
            d, r = self.other.at(x - z)
            delta += p * d
            q += p * (-z).exp() * r
        return delta, q

    def top(self):
        own, others = self.points.top(), self.other.top()
        return None if own is None or others is None else (own + others).mid()


def sums(*groups):
    """Losses of one point from each group."""
    out = [(arb(0), ONE)]
    for group in groups:
        out = [(a + b, p * q) for (a, p), (b, q) in product(out, group)]
    return likely(out)


# --- Laplace: residues ---------------------------------------------------------------------------


class Residues:
    """Laplace losses; (c, k) for k of them with largest loss c.

    With u = s + 1/2 the moment is e^(-c/2) (e^(uc) (1 + 1/(2u)) + e^(-uc) (1 - 1/(2u))) / 2.
    """

    def __init__(self, parts):
        self.n = sum(k for _, k in parts)
        weight = ONE
        for c, k in parts:
            weight *= (-k * c / 2).exp() / arb(2) ** k
        self.terms = []
        for flips in product(*(range(k + 1) for _, k in parts)):
            reach, times = arb(0), weight
            for (c, k), j in zip(parts, flips, strict=True):
                reach += (k - 2 * j) * c
                times *= comb(k, j)
            self.terms.append((reach, times, sum(flips)))
        self.polynomials = {}

    def polynomial(self, flips):
        """(1 + 2u)^(n - J - 1) (2u - 1)^(J - 1) and (1 + 2u)^(n - J - 1) (2u - 1)^J."""
        if flips not in self.polynomials:
            ctx.cap = self.n  # terms of a series
            up = arb_series([1, 2], prec=self.n) ** (self.n - flips - 1)
            down = arb_series([-1, 2], prec=self.n)
            first = (up * down ** (flips - 1)).coeffs()
            second = (up * down**flips).coeffs()
            self.polynomials[flips] = (first[: self.n], second[: self.n])
        return self.polynomials[flips]

    def at(self, x):
        n, delta, slope = self.n, arb(0), arb(0)
        for reach, times, flips in self.terms:
            a = reach - x
            if not a.mid() > 0:
                continue
            first, second = self.polynomial(flips)
            powers, power = [], ONE
            for m in range(n):
                powers.append(power)
                power = power * a / (m + 1)
            backwards = powers[::-1]
            d = 4 * dot(first, backwards) / arb(2) ** n
            r = 2 * dot(second, backwards) / arb(2) ** n
            if flips == 0:
                d += arb(2) ** n * (a / 2).exp()
            if flips == n:
                d -= arb(2) ** n * (-a / 2).exp()
                r += arb(2) ** n * (-a / 2).exp()
            delta += times * d
            slope += times * r
        scale = (x / 2).exp()
        return delta * scale, slope * scale * (-x).exp()

    def top(self):
        return self.terms[0][0].mid()


def dot(a, b):
    total = arb(0)
    for x, y in zip(a, b, strict=False):
        total += x * y
    return total


# --- any moments: a vertical line ----------------------------------------------------------------


class Contour:
    """Sum along a vertical line, twice, each with half the steps until both agree.

    `moments` are functions of a complex s, each with its count; `stop(theta, spread)` is where
    their product is negligible, or `lattice` = (origin, spacing) of the composed loss.
    """

    def __init__(self, moments, stop=None, lattice=None, skip=None, digits=34, most=None):
        self.moments, self.stop, self.lattice = moments, stop, lattice
        self.skip, self.digits, self.most = skip, digits, most
        self.spread = self.spread_at(arb(0))

    def moment(self, s):
        out = acb(1)
        for f, k in self.moments:
            out *= f(s) ** k
        return out

    def real(self, theta):
        return self.moment(acb(theta)).real

    def spread_at(self, theta):
        """Standard deviation of the loss, tilted."""
        h = arb("1e-40")
        logs = [self.real(theta + i * h).log() for i in (-1, 0, 1)]
        return float(((logs[0] + logs[2] - 2 * logs[1]) / h**2).sqrt().mid())

    def mean(self):
        h = arb("1e-40")
        return (self.real(h).log() / h).mid()

    def saddle(self, x):
        """Where M(theta) e^(-theta x) / (theta (theta + 1)) is least, roughly."""
        xf = x.mid()

        def size(theta):
            return self.real(theta).log() - theta * xf - (theta * (theta + 1)).log()

        unit = 1.0 / self.spread
        grid = [arb(unit * 2.0 ** (i / 2)) for i in range(-12, 30)]
        best = min(grid, key=lambda t: float(size(t).mid()))
        low, high = best / arb(1.5), best * arb(1.5)
        for _ in range(8):
            a, b = low + (high - low) / 3, low + 2 * (high - low) / 3
            low, high = (low, b) if size(a) < size(b) else (a, high)
        return ((low + high) / 2).mid()

    def summed(self, x, theta, step, spread):
        stop = self.stop(theta, spread) if self.stop else None
        delta, slope, n = arb(0), arb(0), 0
        while True:
            t = n * step
            if stop is not None and t > stop:
                break
            if self.skip is None or n == 0 or not self.skip(float(t), spread):
                s = acb(theta, t)
                m = self.moment(s) * (-s * x).exp() * (1 if n == 0 else 2)
                delta += (m / (s * (s + 1))).real
                slope += (m / (s + 1)).real
            n += 1
        h = step / (2 * arb.pi())
        return delta * h, slope * h * (-x).exp()

    def folded(self, x, theta, nodes, spread):
        origin, spacing = self.lattice
        steps = ((x - origin) / spacing).mid().floor().unique_fmpz() + 1
        first = origin + spacing * int(steps)
        step = 2 * arb.pi() / (nodes * spacing)
        stop = self.stop(theta, spread) if self.stop else None
        p, q = arb(0), arb(0)
        for n in range(nodes // 2 + 1):
            t = n * step
            if stop is not None and t > stop:
                break
            s = acb(theta, t)
            m = self.moment(s) * (-s * first).exp()
            m *= 1 if n == 0 or 2 * n == nodes else 2
            p += (m / (1 - (-s * spacing).exp())).real
            q += (m / (1 - (-(s + 1) * spacing).exp())).real
        p, q = p / nodes, q * (-first).exp() / nodes
        return p - x.exp() * q, q

    def settled(self, x, theta):
        spread = self.spread_at(theta)
        if self.lattice:
            size = max(4, int(20 * spread / float(self.lattice[1])) * 2)
            ask = lambda i: self.folded(x, theta, size * 2**i, spread)  # noqa: E731
        else:
            step = arb(0.25 / spread)
            ask = lambda i: self.summed(x, theta, step / 2**i, spread)  # noqa: E731
        old = ask(0)
        for i in range(1, 9):
            new = ask(i)
            if relative(old[0], new[0]) < 10.0**-self.digits:
                return new
            old = new
        raise ArithmeticError(f"no agreement at {x}")

    def at(self, x):
        return self.settled(x, self.saddle(x))

    def checked(self, x):
        """On two lines."""
        theta = self.saddle(x)
        one, other = self.settled(x, theta), self.settled(x, (theta * arb("1.13")).mid())
        if relative(one[0], other[0]) > 1e-30:
            raise ArithmeticError(f"two lines differ at {x}")
        return one

    def top(self):
        return None if self.most is None else self.most.mid()


def laplace_moment(c):
    def moment(s):
        u = s + arb(0.5)
        return (-c / 2).exp() * ((u * c).cosh() + (u * c).sinh() / (2 * u))

    return moment


def normal_moment(square):
    """Variance of the loss."""
    return lambda s: (square * s * (s + 1) / 2).exp()


def points_moment(points):
    def moment(s):
        total = acb(0)
        for z, p in points:
            total += p * (s * z).exp()
        return total

    return moment


def theta_moment(sigma, sensitivity, digits=60):
    """Discrete Gaussian: sum over the integers near where the terms are large."""
    v = sigma * sigma
    reach = int(float(sigma) * (2 * 2.31 * digits) ** 0.5) + 3
    size = sum(((-arb(k * k) / (2 * v)).exp() for k in range(-4 * reach, 4 * reach + 1)), arb(0))
    cache = {}

    def weight(k):
        if k not in cache:
            cache[k] = (-arb(k * k) / (2 * v)).exp() / size
        return cache[k]

    def moment(s):
        middle = int(float(s.real.mid()) * sensitivity)
        first = middle - reach
        ratio = (s * sensitivity / v).exp()
        power, total = (s * (sensitivity * first) / v).exp(), acb(0)
        for k in range(first, middle + reach + 1):
            total += weight(k) * power
            power *= ratio
        return total * (s * sensitivity**2 / (2 * v)).exp()

    return moment


def wrapped_moment(sigma, sensitivity, digits=60):
    """The same by Poisson's summation, for all but small sigma."""
    v, circle = sigma * sigma, 2 * arb.pi()
    reach = int((2.31 * digits / 19.7) ** 0.5 / float(sigma)) + 2

    def term(m, x):
        return (-(circle**2) * v * m * m / 2 + acb(0, 1) * circle * m * x).exp()

    size = sum((term(m, acb(0)).real for m in range(-reach, reach + 1)), arb(0))

    def moment(s):
        x = s * sensitivity
        middle = round(float(x.imag.mid()) / (6.283185307179586 * float(v)))
        total = acb(0)
        for m in {*range(-middle - reach, -middle + reach + 1)}:
            total += term(m, x)
        return total / size * (s * (s + 1) * (sensitivity**2 / (2 * v))).exp()

    return moment
