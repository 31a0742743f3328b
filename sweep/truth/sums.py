"""Sums of losses that have densities: closed forms, residues, and sums along a vertical line.

Each has ``at(t)``: E[(1 - e^(t - Z))+] under P and Q[Z > t], from which all else follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from flint import acb, arb

from sweep.truth.balls import ONE, ZERO, Unknown, phi
from sweep.truth.pairs import Atom
from tests.oracles.make_composed_truth import Residues

__all__ = ["Laplaces", "Normals", "Sampled", "Smooth", "Spread"]


MOST = 1500  # nodes of a line


class Sum(Protocol):
    def at(self, t: arb) -> tuple[arb, arb]: ...


class Normals:
    """Normal losses: two normals mu apart."""

    def __init__(self, mu: arb) -> None:
        self.mu = mu

    def at(self, t: arb) -> tuple[arb, arb]:
        x, half = t / self.mu, self.mu / 2
        q = phi(-half - x)
        return (phi(half - x) - t.exp() * q).nonnegative_part(), q


class Laplaces:
    """Laplace losses: (largest loss, count) of each kind."""

    def __init__(self, parts: Sequence[tuple[arb, int]]) -> None:
        self.residues = Residues([(c, k) for c, k in parts])

    def at(self, t: arb) -> tuple[arb, arb]:
        top = self.residues.top()
        if t >= top:
            return ZERO, ZERO
        if t < -top:
            return 1 - t.exp(), ONE
        delta, q = self.residues.at(t)
        return delta.nonnegative_part(), q


class Spread:
    """Finitely many losses (atoms of P and Q), added to a sum."""

    def __init__(self, atoms: Sequence[Atom], other: Sum) -> None:
        self.atoms = [((p / q).log(), p, q) for p, q in atoms if p != 0 and q != 0]
        self.revealed = sum((p for p, q in atoms if q == 0), ZERO)
        self.other = other

    def at(self, t: arb) -> tuple[arb, arb]:
        delta, beyond = self.revealed, ZERO
        for z, p, q in self.atoms:
            d, r = self.other.at(t - z)
            delta, beyond = delta + p * d, beyond + q * r
        return delta, beyond


class Smooth:
    """A profile and a power curve from ``at``; levels are found by bisection, within a chord."""

    def __init__(
        self, total: Sum, revealed: arb = ZERO, reach: float = 1e3, top: arb | None = None
    ):
        self.total, self.revealed, self.reach = total, revealed, reach
        self._top = arb.pos_inf() if top is None else top

    def at(self, t: arb) -> tuple[arb, arb]:
        return self.total.at(t)

    def delta(self, e: arb) -> arb:
        return self.total.at(e)[0] if e.is_finite() else self.revealed

    def top(self) -> arb:
        return self._top

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        """P and Q of Z > t, where no probability sits at t."""
        if not t.is_finite():
            return (self.revealed, ZERO) if t > 0 else (ONE, ONE)
        delta, q = self.total.at(t)
        return delta + t.exp() * q, q

    def threshold(self, x: arb) -> tuple[arb, arb]:
        """Two losses, close together, between which Q[Z > t] falls to x."""
        goal = x.mid()
        low, high = arb(-self.reach), arb(self.reach)
        f = lambda t: self.total.at(t)[1].mid() / goal - 1  # noqa: E731
        a, b = f(low), f(high)
        side = 0
        for step in range(200):
            if high - low < arb("1e-28") * (1 + abs(low)):
                break
            cut = (a * high - b * low) / (a - b) if step % 3 and a != b else (low + high) / 2
            t = cut.mid()
            value = f(t)
            if value > 0:
                low, a = t, value
                b, side = (b / 2, 1) if side == 1 else (b, 1)
            else:
                high, b = t, value
                a, side = (a / 2, -1) if side == -1 else (a, -1)
        return low, high

    def power(self, x: arb) -> arb:
        if not x > 0:
            return self.revealed if x == 0 else ZERO
        if x >= 1:
            return ONE
        d, q = self.total.at(arb(self.reach))
        if not x > q:  # further than is looked: the curve rises from level 0
            return self.revealed.union(d + arb(self.reach).exp() * x)
        low, high = self.threshold(x)
        (d, q), (e, r) = self.total.at(low), self.total.at(high)
        most = (d + low.exp() * x).min(e + high.exp() * x).min(ONE)
        p, s = d + low.exp() * q, e + high.exp() * r
        if not q > r or not (r <= x <= q):
            least = s if r <= x else ZERO
        else:
            least = s + (p - s) * (x - r) / (q - r)
        return least.min(most).union(most)


class Sampled:
    """A Gaussian on a Poisson sample, `count` times: moments by nodes, delta along a line.

    P = (1 - rate) N(0) + rate N(mu) and Q = N(0), or the reverse pair. Two lines, two steps and
    two sets of nodes have to agree; how far they do is the radius of what comes back.
    """

    def __init__(self, mu: float, rate: float, count: int, turned: bool) -> None:
        self.mu, self.rate, self.count, self.turned = arb(mu), arb(rate), count, turned
        self.nodes, self.finer_nodes = self._nodes(mu, 150.0), self._nodes(mu, 200.0)
        self._sizes: dict[float, float] = {}
        self._lines: dict[tuple[float, float], list[tuple[acb, acb]]] = {}

    def _nodes(self, mu: float, nats: float) -> list[tuple[arb, arb]]:
        """Losses and weights at equal steps: off by e^-nats where s is real, and more elsewhere."""
        width = min(math.pi / mu, 12.0)
        step = 2 * math.pi * width / (nats + width * width / 2)
        size = math.ceil((15.0 + 3.0 * mu) / step)
        h, found = arb(step), []
        norm = h / (2 * arb.pi()).sqrt()
        for j in range(-size, 3 * size + 1):
            x = h * j
            z = (self.rate * (self.mu * x - self.mu**2 / 2).expm1()).log1p()
            found.append((z.mid(), (norm * (-(x * x) / 2).exp()).mid()))
        return found

    def moment(self, s: acb, finer: bool = False) -> acb:
        """E_P[e^(sZ)] of one run."""
        u = -s if self.turned else s + 1
        total = acb(0)
        for z, w in self.finer_nodes if finer else self.nodes:
            total += w * (u * z).exp()
        return total

    def log_moment(self, theta: float) -> float:
        return float(self.moment(acb(theta)).real.log().mid()) * self.count

    def saddle(self, t: float) -> float:
        """Where M(s) e^(-st) / (s (s + 1)) is least, on a grid of factors of 1.3."""
        best, where = math.inf, 1.0
        theta = 0.05
        while theta < 60.0:
            value = self._size(theta) - theta * t - math.log(theta * (theta + 1))
            if value < best:
                best, where = value, theta
            theta *= 1.3
        return where

    def _size(self, theta: float) -> float:
        found = self._sizes.get(theta)
        if found is None:
            found = self._sizes[theta] = self.log_moment(theta)
        return found

    def at(self, t: arb) -> tuple[arb, arb]:
        theta = 0.75 * self.saddle(float(t.mid()))  # beyond it the moments may explode
        one, other = self._along(t, theta, 1.0), self._along(t, theta * 0.9, 1.31)
        return _hull(one[0], other[0]), _hull(one[1], other[1])

    def _along(self, t: arb, theta: float, finer: float) -> tuple[arb, arb]:
        reach = 80.0 / theta + 2.0 * abs(float(t.mid())) + 4.0
        reach = 1.5 ** math.ceil(math.log(reach, 1.5))  # so that lines serve many t
        step = 2 * math.pi / reach / finer
        delta, beyond = ZERO, ZERO
        for s, m in self._line(theta, step, finer > 1.0):
            each = m * (-s * t).exp()
            delta += (each / (s * (s + 1))).real
            beyond += (each / (s + 1)).real
        h = arb(step) / (2 * arb.pi())
        return delta * h, beyond * h * (-t).exp()

    def _line(self, theta: float, step: float, finer: bool) -> list[tuple[acb, acb]]:
        """Nodes and composed moments, as far as they count."""
        key = (theta, step)
        if key not in self._lines:
            found: list[tuple[acb, acb]] = []
            first, n = None, 0
            while True:
                if n > MOST:
                    raise Unknown(f"the moments do not fall within {MOST} nodes")
                s = acb(theta, arb(step) * n)
                m = self.moment(s, finer) ** self.count * (1 if n == 0 else 2)
                size = float(abs(m).log().mid()) if not m.is_zero() else -1e9
                first = size if first is None else first
                if size < first - 75.0:
                    break
                found.append((s, m))
                n += 1
            self._lines = {key: found} if len(self._lines) > 30 else {**self._lines, key: found}
        return self._lines[key]


def _hull(a: arb, b: arb) -> arb:
    """Both, and a thousand times how far they are apart."""
    middle, apart = (a + b) / 2, abs(a - b) * 1000 + abs(a + b) * arb("1e-24")
    return arb(middle.mid(), apart.upper())
