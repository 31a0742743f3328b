"""The loss of a normal distribution that is shifted with a small probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import gap
from dprisk.losses.base import ULP, Complexes, Loss
from dprisk.losses.gaussian_quadrature import (
    ACCURATE,
    Bounds,
    Mixture,
    Rule,
    Shifted,
    halved,
)

LARGEST_MU = 12.0  # up to here sums over lines are quick, and all of them are floats
SPLIT_UNDERFLOW = 2.0**-1070  # its absolute error where it is hardly a float
TAIL = 13.5  # standard deviations on either side of all peaks
LAST_DEVIATION = 38.0  # standard deviations: beyond, less than any double is left
WIDTH = 0.75  # of the first panels
PHASE = 6.0  # radians on one of them
PROBES = 12  # powers for which panels are made, among many
STEEP = 3.0  # nats over which r^a changes, and from which on all are
HALVINGS = 60
LOOKS = 128  # points among which a peak is looked for, which is no narrower than a normal's


@final
@dataclass(frozen=True)
class SubsampledNormalLoss(Loss):
    """(1 - q) N(0, 1) + q N(mu, 1) against N(0, 1), or the other way round if `added`.

    q is `rate`; log r, r the ratio of the two densities, is cut at `cut`.
    """

    mu: float
    rate: float
    added: bool = False
    cut: float = math.inf

    @property
    def infinite(self) -> float:
        """Probability under P of what was split off."""
        return 0.0 if self.added else self.split

    @cached_property
    def split(self) -> float:
        """delta of (P, Q) at the cut: what is split off there, q delta of the shifted normal.

        At most `SPLIT_OFF` too much, relatively, or `SPLIT_UNDERFLOW`.
        """
        plain = np.array([self.mu * self.last - self.mu**2 / 2.0])
        return self.rate * float(gap(plain, self.mu)[0]) + SPLIT_UNDERFLOW / 2.0

    @cached_property
    def last(self) -> float:
        """x at the cut."""
        return min(self._plain(self.cut) / self.mu + self.mu / 2.0, LAST_DEVIATION + self.mu)

    @property
    def is_felt(self) -> bool:
        """Whether it is cut where there is still some probability."""
        return self.last < LAST_DEVIATION + self.mu

    @cached_property
    def largest(self) -> float:
        """Largest log r."""
        return float(self._mixture.log_ratio(np.array([self.last]))[0])

    def _plain(self, z: float) -> float:
        """Loss of the shifted normal where log r is z >= 0."""
        if z > 1.0:
            return z - math.log(self.rate) + math.log1p(-(1.0 - self.rate) * math.exp(-z))
        return math.log1p(min(math.expm1(z) / self.rate, 1e300))

    @property
    def support(self) -> tuple[float, float]:
        """The range from log(1 - q) to the cut, or reversed."""
        # two roundings of a logarithm, one of its argument
        low = math.log1p(-self.rate) * (1.0 + 4 * ULP)
        # an exponential and two logarithms: ten roundings at most
        high = self.largest * (1.0 + 16 * ULP)
        return (-high, -low) if self.added else (low, high)

    @property
    def has_density(self) -> bool:
        """The density of two normal distributions."""
        return True

    def reverse(self) -> Loss:
        """The same of the pair (Q, P)."""
        return SubsampledNormalLoss(self.mu, self.rate, not self.added, self.cut)

    def cut_at(self, cut: float) -> SubsampledNormalLoss:
        """The same, with log r cut there."""
        return SubsampledNormalLoss(self.mu, self.rate, self.added, cut)

    def log_moment(self, s: Complexes) -> Complexes:
        """log M(s), by quadrature."""
        return self.measured(s)[0]

    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """Roundings of each term and of their sum, and what the quadrature leaves out."""
        s = np.asarray(s, dtype=complex)
        flat = s.ravel()
        power = -flat if self.added else 1.0 + flat
        value, error = np.empty(flat.shape, dtype=complex), np.empty(flat.shape)
        if not flat.imag.any():
            rule = self._rule(self._probes(power.real), 0.0)
            value[:], error = rule.means(power.real)
        else:
            for a in np.unique(power.real).tolist():
                some = np.flatnonzero(power.real == a)
                t = power.imag[some]
                value[some], error[some] = self._rule((a,), float(np.abs(t).max())).line(a, t)
        return value.reshape(s.shape), error.reshape(s.shape)

    def decay(self, theta: float, start: float, stop: float) -> float:
        """On a line of integration that is moved off the real axis: there abs(r^(i t)) falls."""
        a = -theta if self.added else 1.0 + theta
        return self._shifted(a).decay(start)

    @cached_property
    def _shifted(self) -> Callable[[float], Shifted]:
        """The moved line for each power, made once."""

        @cache
        def made(a: float) -> Shifted:
            base = self._rule((a,), 0.0).mean(a)[0]
            (low,), (high,) = self._ends(np.array([a]))
            return Shifted.of(self._mixture, a, base, (float(low), float(high)))

        return made

    @cached_property
    def _mixture(self) -> Mixture:
        return Mixture(self.mu, self.rate)

    def __getstate__(self) -> dict[str, Any]:
        """Its fields: no copy takes along what is remembered."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _rule(self) -> Callable[[tuple[float, ...], float], Rule]:
        """Nodes for some powers, and imaginary parts up to `turn`; made once."""
        return cache(self._made_rule)

    def _made_rule(self, powers: tuple[float, ...], turn: float) -> Rule:
        """Panels are halved until they are short enough."""
        a = np.array(powers)
        low, high = self._ends(a)
        start, stop = float(low.min()), float(high.max())
        edges = np.linspace(start, stop, 2 + int((stop - start) / WIDTH))
        if turn:
            edges = self._by_phase(edges, a[:1], turn)
        allowed = self._level(a) - ACCURATE
        for _ in range(HALVINGS):
            bounds = Bounds.of(self._mixture, edges, turn)
            bad = bounds.exceed(a, allowed)
            if not bad.any():
                break
            edges = halved(edges, bad)
        return Rule.of(self._mixture, bounds, self.last, self.split)

    def _probes(self, powers: Floats) -> tuple[float, ...]:
        """All that are steep, and a few of the others: for these the panels are made."""
        found = np.unique(powers)
        steep = np.abs(found) * self.largest > STEEP
        steep[:: max(len(found) // PROBES, 1)] = True
        steep[-1] = True
        return tuple(found[steep].tolist())

    def _by_phase(self, edges: Floats, a: Floats, turn: float) -> Floats:
        """More of them, where the phase turns fast and there is anything."""
        seen = self._mixture.log_density(edges, a) > self._level(a) - ACCURATE
        phase = np.where(seen, turn * self._mixture.log_ratio(edges), 0.0)
        phase = np.where(seen[1:] & seen[:-1], np.diff(phase), 0.0)
        count = np.maximum(np.ceil(phase / PHASE), 1.0).astype(np.int64)
        first = np.repeat(edges[:-1], count)
        number = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        return np.append(first + number * np.repeat(np.diff(edges) / count, count), edges[-1])

    def _ends(self, a: Floats) -> tuple[Floats, Floats]:
        """The points beyond which r^a and r are negligible, or the cut."""
        low = np.minimum(self._mixture.peak(a), 0.0) - TAIL
        return low, np.minimum(np.maximum(a, 1.0) * self.mu + TAIL, self.last)

    def _level(self, a: Floats) -> Floats:
        """log F(a), about, and not too large."""
        between = np.broadcast_to(np.linspace(0.0, self.last, LOOKS), (len(a), LOOKS))
        x = np.column_stack([self._mixture.peak(a), between])
        logs = self._mixture.log_density(np.minimum(x, self.last), a[:, None])
        return np.asarray(logs.max(axis=1) - 2.0)
