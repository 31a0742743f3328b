"""Pairs of finite distributions: every answer from sums over outcomes, most telling ones first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import product, zip_longest

from flint import arb, arb_poly

from sweep.truth.balls import ONE, ZERO

__all__ = ["Atoms", "convolved", "merged", "on_lattice", "response", "revealing"]

Atom = tuple[arb, arb]


class Atoms:
    """P and Q on finitely many outcomes, by falling likelihood ratio; one direction only.

    Parameters
    ----------
    atoms : sequence of (arb, arb)
        Probabilities under P and Q of each outcome.
    endless : bool
        Whether outcomes of even larger losses were left out, far too rare for any float.
    """

    def __init__(self, atoms: Sequence[Atom], endless: bool = False) -> None:
        self.endless = endless
        kept = [(p, q) for p, q in atoms if not (p == 0 and q == 0)]
        self.revealed = sum((p for p, q in kept if q == 0), ZERO)
        self.hidden = sum((q for p, q in kept if p == 0), ZERO)
        known = [((p / q).log(), p, q) for p, q in kept if q != 0 and p != 0]
        known.sort(key=lambda one: -one[0].mid())
        self.losses = [z for z, _, _ in known]
        self.p = [p for _, p, _ in known]
        self.q = [q for _, _, q in known]
        self.sum_p, self.sum_q = [self.revealed], [ZERO]
        for p, q in zip(self.p, self.q, strict=True):
            self.sum_p.append(self.sum_p[-1] + p)
            self.sum_q.append(self.sum_q[-1] + q)
        self._falling = [-z.mid() for z in self.losses]
        self._levels = [q.mid() for q in self.sum_q]

    @property
    def turned(self) -> Atoms:
        """The reverse pair."""
        return Atoms(self.pairs(turned=True), self.endless)

    def pairs(self, turned: bool = False) -> list[Atom]:
        """The outcomes, what is certain included."""
        both = [*zip(self.p, self.q, strict=True)]
        if self.revealed != 0:
            both.append((self.revealed, ZERO))
        if self.hidden != 0:
            both.append((ZERO, self.hidden))
        return [(q, p) for p, q in both] if turned else both

    def top(self) -> arb:
        """The largest loss."""
        return (
            arb.pos_inf()
            if self.endless or self.revealed != 0
            else self.losses[0]
            if self.losses
            else ZERO
        )

    def _above(self, e: arb) -> int:
        """How many losses are above e, or one that cannot be told from it."""
        return bisect_left(self._falling, -e.mid())

    def delta(self, e: arb) -> arb:
        """Sum of (P - e^e Q)+; e may be infinite."""
        if not e.is_finite():
            return self.revealed
        at = self._above(e)
        return (self.sum_p[at] - e.exp() * self.sum_q[at]).nonnegative_part()

    def power(self, x: arb) -> arb:
        """Most power at level x: the least of the lines around it (the curve is concave)."""
        at = bisect_left(self._levels, x.mid())
        found = ONE
        for i in range(max(at - 2, 0), min(at + 2, len(self.p))):
            slope = self.p[i] / self.q[i]
            found = found.min(self.sum_p[i] + (x - self.sum_q[i]) * slope)
        return found

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        """P and Q of Z > t (or >= t, where not strict); of those that cannot be told, a hull."""
        low_p = high_p = self.revealed
        low_q = high_q = ZERO
        first = max(bisect_left(self._falling, -t.mid()) - 3, 0)
        low_p, low_q = self.sum_p[first], self.sum_q[first]
        high_p, high_q = low_p, low_q
        for i in range(first, len(self.losses)):
            if self.losses[i] > t or (not strict and self.losses[i] >= t):
                low_p, low_q = low_p + self.p[i], low_q + self.q[i]
                high_p, high_q = high_p + self.p[i], high_q + self.q[i]
            elif self.losses[i] < t or (strict and self.losses[i] <= t):
                break
            else:
                high_p, high_q = high_p + self.p[i], high_q + self.q[i]
        return low_p.union(high_p), low_q.union(high_q)


def response(epsilon: arb, categories: int = 2) -> list[Atom]:
    """Randomized response."""
    if epsilon == 0:
        return [(ONE, ONE)]
    rest = categories - 1
    truth = 1 / (1 + rest * (-epsilon).exp())
    other = 1 / (epsilon.exp() + rest)
    found = [(truth, other), (other, truth)]
    return (
        found if categories == 2 else [*found, ((categories - 2) * other, (categories - 2) * other)]
    )


def revealing(delta: arb, atoms: Sequence[Atom]) -> list[Atom]:
    """With probability delta everything, otherwise what the other atoms say."""
    if delta == 0:
        return list(atoms)
    rest = 1 - delta
    return [(delta, ZERO), (ZERO, delta), *((rest * p, rest * q) for p, q in atoms)]


def convolved(groups: Sequence[Sequence[Atom]]) -> list[Atom]:
    """All of them together, independently; equal ratios are not merged."""
    found: list[Atom] = [(ONE, ONE)]
    for group in groups:
        found = [(a * p, b * q) for (a, b), (p, q) in product(found, group)]
    return found


def merged(atoms: Sequence[Atom], key: Sequence[object]) -> list[Atom]:
    """Outcomes with the same key taken together."""
    found: dict[object, Atom] = {}
    for one, (p, q) in zip(key, atoms, strict=True):
        old = found.get(one)
        found[one] = (p, q) if old is None else (old[0] + p, old[1] + q)
    return list(found.values())


def on_lattice(atoms: Sequence[Atom], count: int) -> list[Atom]:
    """`count` runs of atoms whose ratios are equally spaced, in their order."""
    p, q = ((arb_poly(list(one)) ** count).coeffs() for one in zip(*atoms, strict=True))
    return [*zip_longest(p, q, fillvalue=ZERO)]
