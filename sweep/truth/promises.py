"""What promises mean: their privacy profile and the most power that any mechanism allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from flint import arb

from sweep.truth.balls import ONE, ZERO, expm1_neg, largest, least, phi, phi_inverse

__all__ = ["Bounded", "Doubled", "Lines", "Normal", "of_points", "of_tradeoff"]

Line = tuple[arb, arb]


class Lines:
    """The least of some lines, their mirror images and 1: a concave power curve.

    Parameters
    ----------
    lines : sequence of (arb, arb)
        Slope and height at level 0 of each.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines: list[Line] = [(ZERO, ONE)]
        for slope, height in lines:
            self.lines.append((slope, height))
            if slope > 0:  # y = s x + b is x = s y' + b of the mirror image, y' = 1 - x, x' = 1 - y
                self.lines.append((1 / slope, 1 - (1 - height) / slope))
        self.corners = [ZERO, ONE]
        for (s, b), (r, c) in combinations(self.lines, 2):
            if s.overlaps(r):
                continue
            x = (c - b) / (s - r)
            if not x < 0 and not x > 1:
                self.corners.append(x.max(ZERO).min(ONE))

    def power(self, x: arb) -> arb:
        found = ONE
        for slope, height in self.lines:
            found = found.min(slope * x + height)
        return found

    def top(self) -> arb:
        """The largest loss: the slope at level 0."""
        if self.power(ZERO) > 0:
            return arb.pos_inf()
        steep = [s for s, b in self.lines if b == 0]
        return least(steep).log() if steep else arb.pos_inf()

    def delta(self, e: arb) -> arb:
        """The largest gap over y = e^e x is at a corner."""
        if not e.is_finite():
            return self.power(ZERO)
        growth = e.exp()
        return largest([self.power(x) - growth * x for x in self.corners]).nonnegative_part()


def of_points(points: Sequence[tuple[arb, arb]]) -> Lines:
    """Approximate DP at each (epsilon, delta); an infinite epsilon says nothing."""
    return Lines([(e.exp(), d) for e, d in points if e.is_finite()])


def of_tradeoff(levels: Sequence[arb], errors: Sequence[arb]) -> Lines:
    """f-DP, by its corners."""
    found = []
    for i in range(len(levels) - 1):
        slope = (errors[i] - errors[i + 1]) / (levels[i + 1] - levels[i])
        found.append((slope, 1 - errors[i] - slope * levels[i]))
    return Lines(found)


class Normal:
    """Two normals that are mu apart."""

    def __init__(self, mu: arb) -> None:
        self.mu = mu

    def delta(self, e: arb) -> arb:
        if self.mu == 0 or not e.is_finite():
            return ZERO
        x, half = e / self.mu, self.mu / 2
        return (phi(half - x) - e.exp() * phi(-half - x)).nonnegative_part()

    def power(self, x: arb) -> arb:
        if x <= 0 or x >= 1 or self.mu == 0:
            return x.max(ZERO).min(ONE)
        return phi(phi_inverse(x) + self.mu)

    def top(self) -> arb:
        return ZERO if self.mu == 0 else arb.pos_inf()

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        """P and Q of Z > t."""
        if not t.is_finite():
            return (ZERO, ZERO) if t > 0 else (ONE, ONE)
        x, half = t / self.mu, self.mu / 2
        return phi(half - x), phi(-half - x)

    @property
    def turned(self) -> Normal:
        return self


class Doubled:
    """Two Laplace distributions that are mu apart."""

    def __init__(self, mu: arb) -> None:
        self.mu = mu

    def delta(self, e: arb) -> arb:
        """P is above e^e Q beyond where the loss is e, which is inside: 1 - e^((e - mu) / 2)."""
        return ZERO if not e < self.mu else expm1_neg((self.mu - e) / 2)

    def power(self, x: arb) -> arb:
        """P(X > t) by the place t that Q is above with probability x."""
        if x <= 0 or x >= 1:
            return x.max(ZERO).min(ONE)
        t = -(2 * x).log() if x < 0.5 else (2 * (1 - x)).log()
        above = t - self.mu
        return (-above).exp() / 2 if above > 0 else 1 - above.exp() / 2

    def top(self) -> arb:
        return self.mu


class Bounded:
    """One point of pbdp: what no test can exceed (theorems, Proposition 4)."""

    def __init__(self, epsilon: arb, delta: arb) -> None:
        self.u, self.promised = (-epsilon).exp(), delta
        rest = expm1_neg(epsilon)
        self.revealed = ONE if delta == 1 else delta * rest / (1 - delta * self.u)
        self.pure = Lines([(epsilon.exp(), ZERO)])
        self.early = self.promised * (1 + self.u) < 1

    def delta(self, e: arb) -> arb:
        """Exact where the point lies before the antidiagonal."""
        return self.revealed.max(self.pure.delta(e))

    def attained(self, x: arb) -> arb:
        """The most of two mechanisms that keep the promise: pure DP, and one that reveals."""
        found = self.pure.power(x)
        if self.early:
            b = self.revealed
            found = found.max((b + (1 - b) * x).min(ONE))
        return ONE if self.promised == 1 else found
