"""A Gaussian on a Poisson sample, one to three times: closed form, then tanh-sinh.

With Q = N(0, sigma^2) and P = (1 - rate) N(0, sigma^2) + rate N(1, sigma^2), "remove" is the pair
(P, Q) and "add" the pair (Q, P).
"""

from __future__ import annotations

from functools import cache

from flint import arb  # type: ignore[import-not-found]

from tests.oracles.make_composed_truth import relative


@cache
def nodes(level):
    """tanh-sinh on [0, 1]: places, as a share from the left, and weights."""
    step, found = arb(1) / 2**level, []
    for i in range(-5 * 2**level, 5 * 2**level + 1):
        t = i * step
        share = 1 / (1 + (arb.pi() * t.sinh()).exp())
        weight = step * arb.pi() * t.cosh() * share * (1 - share)
        if weight > arb("1e-45"):
            found.append((share.mid(), weight.mid()))
    return found


class Subsampled:
    """Losses of `count` runs: at(x) as in make_composed_truth."""

    def __init__(self, sigma, rate, count, add):
        self.sigma, self.rate, self.count, self.add = sigma, rate, count, add

    def upper(self, y, mean):
        """P[N(mean, sigma^2) > y]."""
        return ((y - mean) / (self.sigma * arb(2).sqrt())).erfc() / 2

    def lower(self, y, mean):
        return self.upper(-y, -mean)

    def loss(self, y):
        """log P / Q at y; grows with y."""
        return (1 - self.rate + self.rate * ((2 * y - 1) / (2 * self.sigma**2)).exp()).log()

    def where(self, x):
        """y with loss x, or None below the least loss."""
        rest = x.exp() - (1 - self.rate)
        if not rest > 0:
            return None
        return self.sigma**2 * (rest / self.rate).log() + arb(0.5)

    def once(self, x):
        """delta and tail under the second of the pair, for one run and any real x."""
        rate = self.rate
        if self.add:
            y = self.where(-x)  # Z = -loss > x below it
            if y is None:
                return arb(0), arb(0)
            first = self.lower(y, 0)
            second = (1 - rate) * self.lower(y, 0) + rate * self.lower(y, 1)
        else:
            y = self.where(x)
            if y is None:
                return 1 - x.exp(), arb(1)
            second = self.upper(y, 0)
            first = (1 - rate) * second + rate * self.upper(y, 1)
        return first - x.exp() * second, second

    def nested(self, x, runs, level):
        """The same for several runs, by the last of them."""
        if runs == 1:
            return self.once(x)
        least, rate = (runs - 1) * (1 - self.rate).log(), self.rate
        # where the others are all beyond (or, in reverse, none of them)
        edge = self.where(-least - x) if self.add else self.where(x - least)
        if not self.add and edge is None:
            return 1 - x.exp(), arb(1)
        delta, q = arb(0), arb(0)
        if edge is None:
            return delta, q
        if not self.add:
            q = self.upper(edge, 0)
            delta = (1 - rate) * q + rate * self.upper(edge, 1) - x.exp() * q
        norm = 1 / (self.sigma * (2 * arb.pi()).sqrt())
        low = min(-42 * self.sigma, edge - 1)
        for share, weight in nodes(level):
            y = edge - (edge - low) * share
            zero = norm * (-(y**2) / (2 * self.sigma**2)).exp() * weight * (edge - low)
            z = self.loss(y)
            first, second = (zero, zero * z.exp()) if self.add else (zero * z.exp(), zero)
            d, r = self.nested(x + z if self.add else x - z, runs - 1, level)
            delta, q = delta + first * d, q + second * r
        return delta, q

    def at(self, x):
        if self.count == 1:
            return self.once(x)
        first, last, close = (5, 11, 1e-26) if self.count == 2 else (4, 7, 1e-18)
        old = self.nested(x, self.count, first)
        for level in range(first + 1, last + 1):
            new = self.nested(x, self.count, level)
            if relative(old[0], new[0]) < close:
                return new
            old = new
        raise ArithmeticError(f"no agreement at {x}")

    def top(self):
        """The least loss is log(1 - rate); of the reverse pair it is the largest, minus."""
        return -self.count * (1 - self.rate).log().mid() if self.add else None
