"""Rényi bounds: two coins are possible if they keep every bound (theorems, Proposition 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from flint import arb

from sweep.truth.balls import ONE, ZERO, Judge, between

__all__ = ["Orders"]

Floats = npt.NDArray[np.float64]

HAIR = arb(2) ** -120
GRID = np.geomspace(1e-7, 1e11, 361)
STEPS = np.linspace(0.0, 1.0, 13)


class Orders:
    """Bounds gamma at orders alpha; or xi + rho alpha at all orders; outside an event `delta`.

    Parameters
    ----------
    alpha, gamma : sequence of float
        Empty where `rho` speaks.
    rho, xi, delta : float
        As in zero-concentrated DP.
    """

    def __init__(
        self,
        alpha: Sequence[float] = (),
        gamma: Sequence[float] = (),
        rho: float | None = None,
        xi: float = 0.0,
        delta: float = 0.0,
    ) -> None:
        self.alpha, self.gamma = list(alpha), list(gamma)
        self.rho, self.xi, self.revealed = rho, xi, arb(delta)

    def limit(self, order: arb) -> arb:
        return arb(self.xi) + arb(self.rho or 0.0) * order

    def bounds(self, x: arb, y: arb) -> list[tuple[arb, arb]]:
        """Orders and limits that matter for two coins."""
        if self.rho is None:
            return [(arb(a), arb(g)) for a, g in zip(self.alpha, self.gamma, strict=True)]
        found = []
        for first, second in ((x, y), (y, x)):
            for order in self._tightest(first, second):
                found.append((arb(1) + order, self.limit(1 + arb(order))))
        return found

    def possible(self, x: arb, y: arb) -> bool | None:
        """Whether coins (y, 1 - y), (x, 1 - x) keep all bounds: certainly, certainly not, or None.

        For zCDP "certainly" rests on a search over orders, and "not" is proven by one of them.
        """
        whole = bool(y == 1)  # and some of the other coin's tails would be impossible
        x, y = self._core(x, y)
        if whole and x < 1 and self.revealed < 1:
            return False
        if x >= 1 or (x > 0 and y <= x):  # a guess has power x
            return True
        if not (x > 0 and x < 1 and y > 0 and y < 1):
            return False if x <= 0 and y > 0 else None
        found: bool | None = True
        for order, limit in self.bounds(x, y):
            most = _divergence(x, y, order).max(_divergence(y, x, order))
            if most > limit:
                return False
            if not most <= limit:
                found = None
        if self.rho is not None and _kullback(x, y).max(_kullback(y, x)) > self.limit(ONE):
            return False
        return found

    def _core(self, x: arb, y: arb) -> tuple[arb, arb]:
        """Without the event of which nothing is known."""
        rest = 1 - self.revealed
        if self.revealed == 0:
            return x, y
        if self.revealed == 1:
            return ONE, ONE
        return x / rest, (y - self.revealed) / rest

    def _tightest(self, x: arb, y: arb) -> list[float]:
        """Orders less one near which the divergence of (y, x) is largest beside its limit."""
        up, down = float((y / x).log().mid()), float(((1 - y) / (1 - x)).log().mid())
        heads, tails = float(y.mid()), float((1 - y).mid())
        log_heads = float(y.log().mid())
        rho, xi, first = self.rho or 0.0, self.xi, float(_kullback(x, y).mid())

        def share(s: Floats) -> Floats:
            """Of its limit that the divergence uses up."""
            with np.errstate(over="ignore", invalid="ignore"):
                second = heads * _excess(s * up) + tails * _excess(s * down)
                near = np.log1p(s * first + second)
                far = np.logaddexp(log_heads + s * up, np.log(tails) + s * down)
                return np.where(s * max(abs(up), abs(down)) < 50.0, near, far) / (
                    s * xi + rho * s * (1.0 + s)
                )

        values = share(GRID)
        inner = (values[1:-1] >= values[:-2]) & (values[1:-1] >= values[2:])
        peaks = [0, *(np.flatnonzero(inner) + 1).tolist(), GRID.size - 1]
        found = []
        for i in sorted(peaks, key=lambda i: -values[i])[:3]:
            low, high = GRID[max(i - 1, 0)], GRID[min(i + 1, GRID.size - 1)]
            for _ in range(9):
                fine = low * (high / low) ** STEPS
                j = int(np.argmax(share(fine)))
                low, high = fine[max(j - 1, 0)], fine[min(j + 1, STEPS.size - 1)]
            found.append(math.sqrt(low * high))
        return found

    def judge(self, question: str, x: arb) -> Judge | None:
        """Of questions about tests; `delta` and `epsilon` from one side, by possible coins."""
        if question == "power" and x == 0:
            return between(self.revealed)
        if question == "power":
            return Judge(
                lambda y: y < x or (y < 1 and self._is(x, y, True)),
                lambda y: y > x and self._is(x, y, False),
            )
        if question == "level":
            return Judge(
                lambda v: v < x and self._is(v, x, False),
                lambda v: v > x or (v > 0 and self.possible(v * (1 - HAIR), x) is True),
            )
        if question == "tail, one":
            down = (-x).exp() if x.is_finite() else ZERO
            return Judge(
                lambda y: y < 1 and y > 0 and x > 0 and self._is(y * down, y, True),
                lambda y: y > 0 and self._is(y * down, y, False),
            )
        if question == "loss, one" and x > 0:
            return Judge(
                lambda e: e.is_finite() and x < 1 and e >= 0 and self._is(x * (-e).exp(), x, True),
                lambda e: e.is_finite() and e > 0 and self._is(x * (-e).exp(), x, False),
            )
        if question == "delta":
            return Judge(lambda d: self._gap_above(x, d), lambda d: False)
        if question == "epsilon":
            return Judge(lambda e: e.is_finite() and self._gap_above(e, x), lambda e: False)
        return None

    def _is(self, x: arb, y: arb, wanted: bool) -> bool:
        """Possible with a hair to spare, or certainly not."""
        if wanted:
            return self.possible(x, y * (1 + HAIR)) is True
        return self.possible(x, y) is False

    def _gap_above(self, e: arb, d: arb) -> bool:
        """Whether some possible coins have y - e^e x > d, by a search for the best of them."""
        if not e.is_finite() or d >= 1:
            return False
        growth = e.exp()
        best = self._best_level(e, d)
        more = 1 + arb(2) ** -100
        return any(self.possible(arb(x), (growth * arb(x) + d) * more) is True for x in best)

    def _best_level(self, e: arb, d: arb) -> list[float]:
        """Levels at which coins with that gap come closest to being possible."""
        grown = float(e.mid()) if e < 600 else 600.0
        top = -grown + math.log1p(-float(d)) if d < 1 else -math.inf
        levels = np.exp(
            top - np.concatenate([np.geomspace(1e-6, 0.5, 5), np.linspace(0.6, 20, 11)])
        )
        return [float(x) for x in levels if 0.0 < x < 1.0]


def _excess(z: Floats) -> Floats:
    """e^z - 1 - z, also where that is next to nothing: coins may differ by very little."""
    few = z * z * (1 / 2 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z / 720))))
    return np.where(np.abs(z) < 1e-2, few, np.expm1(z) - z)


def _divergence(x: arb, y: arb, order: arb) -> arb:
    """Of coins (y, 1 - y) from (x, 1 - x)."""
    s = order - 1
    up = (order * y.log() - s * x.log()).exp()
    down = (order * (1 - y).log() - s * (1 - x).log()).exp()
    return (up + down).log() / s


def _kullback(x: arb, y: arb) -> arb:
    return y * (y / x).log() + (1 - y) * ((1 - y) / (1 - x)).log()
