"""Two truncated Laplace distributions, by the places that their outputs are beyond."""

from __future__ import annotations

from flint import arb

from sweep.truth.balls import ONE, ZERO

__all__ = ["Truncated"]


class Truncated:
    """Noise in proportion to e^-|x| on [-a, a], and the same moved by c."""

    def __init__(self, c: arb, a: arb) -> None:
        self.c, self.a = c, a
        self.faint, self.whole = (-a).exp(), 2 * (1 - (-a).exp())
        self.largest = c.min(2 * a - c).max(ZERO)
        self.revealed = self.above(a - c)

    @property
    def turned(self) -> Truncated:
        return self

    def above(self, t: arb) -> arb:
        """Probability of noise above t."""
        t = t.max(-self.a).min(self.a)
        late, early = (((x).exp() - self.faint) / self.whole for x in (-t, t))
        return late if t > 0 else 1 - early if t < 0 else late.union(1 - early)

    def power(self, x: arb) -> arb:
        x = x.max(ZERO).min(ONE)
        rest = x if x < 0.5 else 1 - x
        t = (rest * self.whole + self.faint).log()
        return self.above((-t if x < 0.5 else t) - self.c)

    def beyond(self, t: arb, strict: bool = True) -> tuple[arb, arb]:
        """P and Q of Z > t: the loss is 2 x - c inside, and as large as can be beyond."""
        if not t < self.largest:
            return self.revealed, ZERO
        if t < -self.largest:
            return ONE, 1 - self.revealed
        place = (t + self.c) / 2
        return self.above(place - self.c), self.above(place)

    def delta(self, e: arb) -> arb:
        if not e.is_finite():
            return self.revealed
        p, q = self.beyond(e)
        return (p - e.exp() * q).nonnegative_part()

    def top(self) -> arb:
        return arb.pos_inf()
