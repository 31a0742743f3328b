"""The second way to each truth: sums and integrals of densities at 60 digits, without balls.

Each class is one ordered pair of distributions P, Q with ``delta(e)``, the sum of (P - e^e Q)+,
and ``power(x)``, the most power of a test of Q at level x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from mpmath import mp, mpf

mp.dps = 60
FAR = 60  # standard deviations: what lies beyond is below 1e-700
Number = Any


class Normals:
    """N(mu, 1) and N(0, 1): the density is integrated."""

    def __init__(self, mu: Number) -> None:
        self.mu = mu

    def delta(self, e: Number) -> Number:
        start = e / self.mu + self.mu / 2
        grown = mp.exp(e)
        pieces = [start, *(start + mp.mpf(k) for k in (1, 2, 4, 8, 16)), start + FAR]
        return mp.quad(lambda x: mp.npdf(x, self.mu) - grown * mp.npdf(x), pieces)

    def power(self, x: Number) -> Number:
        cut = mp.findroot(lambda t: mp.log(mp.ncdf(-t) / x), -mp.sqrt(2) * mp.erfinv(2 * x - 1))
        return mp.ncdf(self.mu - cut)


class Laplaces:
    """Laplace noise, whose centers are mu apart, `count` times: one density after another."""

    def __init__(self, mu: Number, count: int = 1) -> None:
        self.mu, self.count = mu, count

    def delta(self, e: Number) -> Number:
        return self._of(self.count, e)

    def _of(self, count: int, e: Number) -> Number:
        """The loss is mu with 1/2, -mu with e^-mu / 2, and e^((z - mu) / 2) / 4 dense between."""
        mu = self.mu
        if e >= count * mu:
            return mpf(0)
        if e <= -count * mu:
            return 1 - mp.exp(e)
        if count == 1:
            return -mp.expm1((e - mu) / 2)
        rest = lambda z: self._of(count - 1, e - z)  # noqa: E731
        kinks = {e + mu * (count - 1 - 2 * k) for k in range(count)}
        pieces = sorted({-mu, mu, *(k for k in kinks if -mu < k < mu)})
        between = mp.quad(lambda z: mp.exp((z - mu) / 2) / 4 * rest(z), pieces)
        return rest(mu) / 2 + mp.exp(-mu) / 2 * rest(-mu) + between

    def power(self, x: Number) -> Number:
        """By the place above which Q has probability x (one run)."""
        if x <= mp.exp(-self.mu) / 2:
            return x * mp.exp(self.mu)
        return 1 - mp.exp(-self.mu) / (4 * x) if x <= 0.5 else 1 - (1 - x) * mp.exp(-self.mu)


class Several:
    """Different parts: chances of outcomes, then Laplace noise, integrated, then normal noise."""

    def __init__(
        self,
        outcomes: Sequence[Sequence[tuple[Number, Number]]] = (),
        laplace: Sequence[Number] = (),
        normal: Number = 0,
    ) -> None:
        self.outcomes, self.laplace, self.normal = outcomes, laplace, normal

    def delta(self, e: Number) -> Number:
        found = mpf(0)
        for some in product(*self.outcomes):
            p, q = (mp.fprod(each[side] for each in some) for side in (0, 1))
            found += p * self._dense(len(self.laplace), e - mp.log(p / q))
        return found

    def _dense(self, left: int, e: Number) -> Number:
        """Of so many of the Laplace losses, and the normal one."""
        if left == 0:
            return self._last(e)
        mu, rest = self.laplace[left - 1], lambda z: self._dense(left - 1, e - z)
        signs = product((-1, 1), repeat=left - 1)
        kinks = {e - mp.fsum(map(mp.fmul, some, self.laplace)) for some in signs}
        pieces = sorted({-mu, mu, *(k for k in kinks if -mu < k < mu)})
        between = mp.quad(lambda z: mp.exp((z - mu) / 2) / 4 * rest(z), pieces)
        return rest(mu) / 2 + mp.exp(-mu) / 2 * rest(-mu) + between

    def _last(self, e: Number) -> Number:
        if not self.normal:
            return max(-mp.expm1(e), mpf(0))
        up, down = self.normal / 2 - e / self.normal, -self.normal / 2 - e / self.normal
        return mp.ncdf(up) - mp.exp(e) * mp.ncdf(down)


class Outcomes:
    """Finitely many outcomes, run `count` times: each sequence of outcomes by itself."""

    def __init__(self, p: Sequence[Number], q: Sequence[Number], count: int = 1) -> None:
        self.atoms = []
        for some in product(zip(p, q, strict=True), repeat=count):
            self.atoms.append((mp.fprod(a for a, _ in some), mp.fprod(b for _, b in some)))

    def delta(self, e: Number) -> Number:
        grown = mp.exp(e)
        return mp.fsum(max(p - grown * q, 0) for p, q in self.atoms)

    def power(self, x: Number) -> Number:
        """The most telling outcomes first, the last one by a coin."""
        found = left = mpf(0)
        for p, q in sorted(self.atoms, key=lambda one: -one[0] / one[1] if one[1] else -mp.inf):
            if q and left + q >= x:
                return found + p * (x - left) / q
            found, left = found + p, left + q
        return mpf(1)


class Chosen:
    """Randomized responses, each chosen by the answer before: from the first one on.

    Parameters
    ----------
    step : sequence, or None
        The odds of the first answer, e^epsilon to 1 under P and 1 to e^epsilon under Q, and what
        is run after each of both; None, if nothing is.
    """

    def __init__(self, step: Any, turned: bool = False) -> None:
        self.step, self.turned = step, turned

    def delta(self, e: Number) -> Number:
        return self._after(self.step, e)

    def _after(self, step: Any, e: Number) -> Number:
        """The chance that is left above e, whatever was answered before: P - e^e Q on this step."""
        if step is None:
            return max(-mp.expm1(e), mpf(0))
        (epsilon, then), found = step, mpf(0)
        for sign, each in zip((-1, 1) if self.turned else (1, -1), then, strict=True):
            found += self._after(each, e - sign * epsilon) / (1 + mp.exp(-sign * epsilon))
        return found

    def power(self, x: Number) -> Number:
        """The least of the lines above the curve, whose slopes are the ratios that can occur."""
        return min(self.delta(e) + mp.exp(e) * x for e in self._losses(self.step))

    def _losses(self, step: Any) -> list[Number]:
        if step is None:
            return [mpf(0)]
        ways = zip((step[0], -step[0]), step[1], strict=True)
        found = [loss + rest for loss, each in ways for rest in self._losses(each)]
        return [s * each for each in found for s in ((-1, 1) if step is self.step else (1,))]


class Integers:
    """Noise on integers with given weights, and the same moved by some steps."""

    def __init__(self, weight: Callable[[int], Number], moved: int, reach: int) -> None:
        whole = mp.fsum(weight(k) for k in range(-reach, reach + 1))
        places = range(-reach, reach + moved + 1)
        self.atoms = [(weight(k - moved) / whole, weight(k) / whole) for k in places]

    delta, power = Outcomes.delta, Outcomes.power


class Halves:
    """P is a share of one pair of densities beside Q; Q itself, or the two the other way round."""

    def __init__(
        self, density: Callable[[Number], Number], moved: Number, rate: Number, turned: bool
    ) -> None:
        self.density, self.moved, self.rate, self.turned = density, moved, rate, turned

    def delta(self, e: Number) -> Number:
        """On each piece between the places where the densities may bend."""
        f, grown = self.density, mp.exp(e)

        def gap(x: Number) -> Number:
            some = self.rate * f(x - self.moved) + (1 - self.rate) * f(x)
            return max(f(x) - grown * some if self.turned else some - grown * f(x), 0)

        cut = self._cut(e)
        places = {mpf(0), self.moved, *cut}
        ends = sorted(
            {*places, *(p + s * k for p in places for k in (1, 4, 16, 64) for s in (-1, 1))}
        )
        return mp.quad(gap, ends)

    def _cut(self, e: Number) -> list[Number]:
        """Where the ratio of the densities is e^e, by bisection: it rises with the place."""
        goal = -e if self.turned else e

        def over(x: Number) -> Number:
            f = self.density
            return mp.log(1 - self.rate + self.rate * f(x - self.moved) / f(x)) - goal

        low, high = mpf(-64), mpf(64)
        if over(low) > 0 or over(high) < 0:
            return []
        for _ in range(140):
            middle = (low + high) / 2
            low, high = (low, middle) if over(middle) > 0 else (middle, high)
        return [low]


class OneOfTwo:
    """Normal noise twice, and a record in one of the two rounds: along the sum of both outputs."""

    def __init__(self, mu: Number, turned: bool) -> None:
        self.mu, self.turned = mu, turned

    def delta(self, e: Number) -> Number:
        """P has (e^(mu x - mu^2/2) + e^(mu y - mu^2/2)) / 2 times the density of Q."""
        m, grown, root = self.mu, mp.exp(e), mp.sqrt(2)

        def along(v: Number) -> Number:
            cosh = mp.cosh(m * v / root)
            cut = root / m * (mp.log(1 / cosh) + m * m / 2 + (-e if self.turned else e))
            if self.turned:  # Q - e^e P, where the sum is below the cut
                inner = mp.ncdf(cut) - grown * mp.exp(-m * m / 4) * cosh * mp.ncdf(cut - m / root)
            else:
                inner = mp.exp(-m * m / 4) * cosh * mp.ncdf(m / root - cut) - grown * mp.ncdf(-cut)
            return 2 * inner * mp.npdf(v)

        return mp.quad(along, [0, 1, 2, 4, 8, 16, 32])


class Coins:
    """Two coins whose divergences keep a limit: the least of what single orders allow.

    Parameters
    ----------
    fixed, slope : number
        The limit of the divergence: one number, and one that grows with the order.
    order : number, optional
        The only order that counts; of all orders above 1, if it is left out.
    """

    def __init__(self, fixed: Number, slope: Number, order: Number | None = None) -> None:
        self.fixed, self.slope, self.order = fixed, slope, order

    def power(self, x: Number) -> Number:
        if x <= 0 or x >= 1:
            return min(max(x, mpf(0)), mpf(1))
        low, high = x, mpf(1)
        for _ in range(190):
            middle = (low + high) / 2
            low, high = (middle, high) if self._fits(x, middle) else (low, middle)
        return low

    def best(self, e: Number) -> Number:
        """Where power - e^e level is largest: by thirds, on logarithms of the level."""
        low, high = mp.log("1e-30"), mp.log(mpf("0.999999"))
        gap = lambda t: self.power(mp.exp(t)) - mp.exp(e + t)  # noqa: E731
        for _ in range(105):
            a, b = low + (high - low) * GOLD, high - (high - low) * GOLD
            low, high = (low, b) if gap(a) > gap(b) else (a, high)
        return mp.exp((low + high) / 2)

    def delta(self, e: Number) -> Number:
        level = self.best(e)
        return self.power(level) - mp.exp(e) * level

    def _fits(self, x: Number, y: Number) -> bool:
        if self.order is not None:
            return all(self._spare(a, b, self.order) >= 0 for a, b in ((x, y), (y, x)))
        return all(self._least_spare(a, b) >= 0 for a, b in ((x, y), (y, x)))

    def _spare(self, x: Number, y: Number, order: Number) -> Number:
        s = order - 1
        sums = y * mp.exp(s * mp.log(y / x)) + (1 - y) * mp.exp(s * mp.log((1 - y) / (1 - x)))
        return self.fixed + self.slope * order - mp.log(sums) / s

    def _least_spare(self, x: Number, y: Number) -> Number:
        """Over a grid of orders, and by thirds around each that is less than its neighbors."""
        logs = [mpf(k) for k in (-60, -45, -30, -20, *range(-14, 15))]
        spare = lambda t: self._spare(x, y, 1 + mp.exp(t))  # noqa: E731
        found = [spare(t) for t in logs]
        least = min(found)
        for at in range(1, len(logs) - 1):
            if found[at] <= min(found[at - 1], found[at + 1]):
                low, high = logs[at - 1], logs[at + 1]
                for _ in range(45):
                    a, b = low + (high - low) * GOLD, high - (high - low) * GOLD
                    low, high = (low, b) if spare(a) < spare(b) else (a, high)
                least = min(least, spare((low + high) / 2))
        return least


GOLD = (3 - mp.sqrt(5)) / 2
