"""Batches and shuffles: one step of t at random, bounded range, a cap, and counts of reports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import comb

from flint import arb, arb_poly

from sweep.truth.balls import ONE, ZERO, Judge, largest, phi
from sweep.truth.pairs import Atom

__all__ = ["Allocated", "BoundedRange", "Capped", "shuffled", "staircase"]


class Allocated:
    """P moves one of two or three normal numbers by mu, at random; Q none; or the reverse pair.

    The sum of all numbers is integrated in closed form, what is across it by the trapezoidal rule
    with two steps: the integrand is analytic as far as pi / (sqrt(2) mu).
    """

    def __init__(self, mu: float, steps: int, turned: bool) -> None:
        self.mu, self.steps, self.turned = arb(mu), steps, turned
        size = min(0.3, 0.28 / mu)
        self.rules = [self._nodes(size * finer) for finer in (1.0, 0.87)]

    @cached_property
    def _axes(self) -> list[tuple[arb, ...]]:
        """Coordinates of each unit vector, across the diagonal."""
        half, third, sixth = (1 / arb(n).sqrt() for n in (2, 3, 6))
        if self.steps == 2:
            return [(half,), (-half,)]
        return [(half, sixth), (-half, sixth), (ZERO, -third * arb(2).sqrt())]

    def _nodes(self, h: float) -> list[tuple[arb, arb, arb]]:
        """log of the mean of e^(mu w v), weights under Q, and under P."""
        reach = round((12.5 + float(self.mu.mid())) / h)
        mu, found, across = self.mu, [], self.steps - 1
        less = (-(mu**2) / 2 * (1 - ONE / self.steps)).exp()
        norm = (arb(h) / (2 * arb.pi()).sqrt()) ** across
        lines = [(arb(h) * j, (-((arb(h) * j) ** 2) / 2).exp()) for j in range(-reach, reach + 1)]
        for place in product(lines, repeat=across):
            weight = norm
            for _, w in place:
                weight *= w
            each = [
                (mu * sum((x * y for (x, _), y in zip(place, axis, strict=True)), ZERO)).exp()
                for axis in self._axes
            ]
            mean = sum(each, ZERO) / self.steps
            found.append((mean.log().mid(), weight.mid(), (weight * mean * less).mid()))
        return found

    def _beyond(self, t: arb, side: int, nodes: Sequence[tuple[arb, arb, arb]]) -> Atom:
        """P and Q of Z > t, or of Z < t."""
        slope = arb(self.steps).sqrt() / self.mu
        both = [ZERO, ZERO]
        for g, q, p in nodes:
            x = (t + self.mu**2 / 2 - g) * slope
            both[0] += p * phi(-side * (x - 1 / slope))
            both[1] += q * phi(-side * x)
        return both[0], both[1]

    def at(self, t: arb) -> tuple[arb, arb]:
        one, other = (self._of(t, nodes) for nodes in self.rules)
        (a, b), (c, d) = one, other
        return _near(a, c).nonnegative_part(), _near(b, d)

    def _of(self, t: arb, nodes: Sequence[tuple[arb, arb, arb]]) -> tuple[arb, arb]:
        if self.turned:
            p, q = self._beyond(-t, -1, nodes)
            return q - t.exp() * p, p
        p, q = self._beyond(t, 1, nodes)
        return p - t.exp() * q, q


def _near(a: arb, b: arb) -> arb:
    """Both, and a thousand times how far they are apart."""
    radius = abs(a - b) * 1000 + abs(a + b) * arb("1e-24")
    return arb(((a + b) / 2).mid(), radius.upper())


class BoundedRange:
    """The worst window of losses of one length, at each question (Dong, Durfee, Rogers 2020)."""

    def __init__(self, length: arb) -> None:
        self.length = length

    def delta(self, e: arb) -> arb:
        if not e < self.length:
            return ZERO
        up, away = (self.length / 2).exp(), self.length.expm1()
        return (up - (e / 2).exp()) ** 2 / away

    def power(self, x: arb) -> arb:
        return self.length.exp() * x / (1 + self.length.expm1() * x)

    def top(self) -> arb:
        return self.length

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        raise NotImplementedError


def shuffled(epsilon: arb, people: int, others: int) -> list[Atom]:
    """The count of ones, where so many of the others have one: the person has one, or zero."""
    truth = 1 / (1 + (-epsilon).exp())
    one, zero = arb_poly([1 - truth, truth]), arb_poly([truth, 1 - truth])
    rest = one**others * zero ** (people - 1 - others)
    return [*zip((rest * one).coeffs(), (rest * zero).coeffs(), strict=True)]


def staircase(epsilon: arb, gamma: arb) -> list[Atom]:
    """Noise that falls at gamma, 1, 1 + gamma, ..., and the same moved by 1: epsilon, 0, -epsilon.

    Beyond both answers the ratio is that of two steps; between them it is 1 on what is left of the
    middle.
    """
    fall = (-epsilon).exp()
    high = (1 - fall) / (gamma + fall * (1 - gamma)) / 2
    side = gamma.min(1 - gamma)
    between = (high if gamma > 0.5 else high * fall) * (1 - 2 * side)
    most = arb("0.5") + high * side
    return [(most, most * fall), (between, between), (most * fall, most)]


class Capped:
    """Sums of a few records, all others alike, on the sets beyond a place: at least so much."""

    def __init__(self, sigma: float, rate: float, cap: int, records: int) -> None:
        self.sigma, self.pairs = arb(sigma), []
        q, others = arb(rate), records - 1
        for value, own in product((-1, 0, 1), (-1, 1)):
            alone: list[tuple[int, arb]] = []
            with_it: list[tuple[int, arb]] = []
            for drawn in range(others + 1):
                weight = comb(others, drawn) * q**drawn * (1 - q) ** (others - drawn)
                share = q if drawn < cap else q * cap / (drawn + 1)
                alone.append((value * min(drawn, cap), weight))
                with_it.append((value * min(drawn, cap - 1) + own, weight * share))
                with_it.append((value * min(drawn, cap), weight * (1 - share)))
            self.pairs += [(with_it, alone), (alone, with_it)]
        ends = range(-2 * cap - 12, 2 * cap + 13)
        self.places = [arb(k) / 2 * self.sigma for k in ends] + [arb(k) / 2 for k in ends]
        self.rows = [self._row(*pair) for pair in self.pairs]

    def _row(self, p: list[tuple[int, arb]], q: list[tuple[int, arb]]) -> list[Atom]:
        """Probabilities of both sides of each place."""

        def beyond(each: list[tuple[int, arb]], place: arb, side: int) -> arb:
            return sum((w * phi(side * (at - place) / self.sigma) for at, w in each), ZERO)

        sides = product(self.places, (1, -1))
        return [(beyond(p, place, side), beyond(q, place, side)) for place, side in sides]

    def least(self, e: arb) -> arb:
        """What delta is at least."""
        return largest([p - e.exp() * q for row in self.rows for p, q in row]).max(ZERO)

    def judge(self, question: str, x: arb) -> Judge:
        if question == "delta":
            at = self.least(x) if x.is_finite() else ZERO
            return Judge(lambda value: bool(at > value), lambda value: False)
        return Judge(lambda e: bool(e.is_finite()) and bool(self.least(e) > x), lambda e: False)
