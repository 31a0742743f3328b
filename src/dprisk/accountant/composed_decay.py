"""How a product of moment generating functions decays along a vertical line, and returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.accountant.base import Parts
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Loss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.mgf_decay import MGFDecay, Periodic, noise
from dprisk.losses.normal import NormalLoss

NEARLY = 0.95  # of what was asked for: a place that was left open before is not looked at again
NONE = np.zeros(1)


@final
@dataclass(frozen=True, eq=False)
class ComposedDecay:
    """log(M(theta) / abs(M(theta + i t))) of a sum of independent losses, from below."""

    parts: Parts
    samples: int
    _quiet: dict[Any, tuple[float, float, float]] = field(default_factory=dict, repr=False)
    _open: dict[float, list[tuple[float, float]]] = field(default_factory=dict, repr=False)
    _faded: dict[float, tuple[float, Periodic | None]] = field(default_factory=dict, repr=False)

    def decay(self, theta: float, start: float) -> float:
        """Some d with abs(M(theta + i t)) <= e^-d M(theta) for all t >= start."""
        return float(sum(n * loss.decay(theta, start, np.inf) for loss, n in self.parts))

    def lost(self, t: Floats) -> Floats:
        """log(M(theta) / abs(M(theta + i t))) at least, by what is quickly told."""
        found = self._steady[0] * t * t
        for loss, count in self.parts:
            if isinstance(loss, DiscreteGaussianLoss):
                found += count * loss.lost(t)
        return np.asarray(found)

    def lost_between(self, theta: float, start: Floats, stop: Floats) -> Floats | None:
        """The same for all t >= 0 between these, by whatever fades; None if that has no points."""
        periodic = self._fading(theta, float(stop[-1])) if self._of_points else None
        if periodic is None:
            return None
        return np.asarray(self._steady[0] * start * start + periodic.decay(start, stop))

    @property
    def fades(self) -> bool:
        """Whether a part decays like a normal moment, at least for a while."""
        lasting = (loss for loss, _ in self.parts if isinstance(loss, DiscreteGaussianLoss))
        rates = [self._steady[0], *(loss.rate for loss in lasting)]
        return max(rates) > 0.0 or bool(self._of_points)

    @property
    def returns(self) -> bool:
        """Whether whatever decays comes back, each part on its lattice or on none."""
        kinds = {type(loss) for loss, _ in self.parts}
        return bool(self._returning or self._of_points) and kinds <= {
            DiscreteGaussianLoss,
            AtomicLoss,
        }

    def is_quiet(
        self, theta: float, start: float, stop: float, need: float, smoothing: float
    ) -> bool:
        """Whether M, smoothed, has lost `need` nats everywhere in [start, stop]."""
        normal, others = self._steady
        smooth = smoothing / 2.0 + normal
        for loss, count in others:
            need -= count * loss.decay(theta, start, stop)
        if need <= 0 or smooth * start**2 >= need:
            return True
        if not np.isfinite(stop):
            return False
        periodic = self._fading(theta, stop)
        if periodic is None:
            return False
        if smoothing:
            return noise(periodic, start, stop, need, smooth) is None
        return self._is_known_quiet(periodic, theta, (start, stop), need, smooth)

    def loud_until(self, theta: float, stop: float, need: float) -> float:
        """No start up to there is quiet until `stop`; 0 where none is known to be loud."""
        places = [(t, asked) for t, asked in self._open.get(theta, []) if t <= stop]
        if not places or self._steady[1]:
            return 0.0
        periodic = self._fading(theta, stop)
        if periodic is None:
            return 0.0
        t = np.array([each for each, _ in places])
        loud = need >= NEARLY * np.array([asked for _, asked in places])
        loud |= _lack(periodic, t, need, self._steady[0])
        return float(t[loud].max(initial=0.0))

    @cached_property
    def _steady(self) -> tuple[float, list[tuple[Loss, int]]]:
        """Decay of the normal losses over t^2; and the parts that neither fade so nor return."""
        normal = [(loss.mu, n) for loss, n in self.parts if isinstance(loss, NormalLoss)]
        known = NormalLoss | DiscreteGaussianLoss | AtomicLoss
        others = [part for part in self.parts if not isinstance(part[0], known)]
        return sum(n * mu * mu / 2.0 for mu, n in normal), others

    def _is_known_quiet(
        self,
        periodic: Periodic,
        theta: float,
        stretch: tuple[float, float],
        need: float,
        smooth: float,
    ) -> bool:
        """Remembers what was found on a line; no other line is looked at for it."""
        key = need, theta
        start, stop = stretch
        before = self._open.setdefault(theta, [])
        inside = [(t, asked) for t, asked in before if start <= t <= stop]
        if inside and (
            any(need >= NEARLY * asked for _, asked in inside)
            or _is_short(periodic, np.array([t for t, _ in inside]), need, smooth)
        ):
            return False
        noisy, first, last = self._quiet.get(key, (0.0, np.inf, 0.0))
        if start <= noisy:
            return False
        gaps = [(start, first), (last, stop)] if first < last else [(start, stop)]
        found = [noise(periodic, *gap, need, smooth) for gap in gaps]
        at = max((each for each in found if each is not None), default=None)
        if at is None:
            self._quiet[key] = noisy, min(start, first), max(stop, last)
            return True
        sure = _is_short(periodic, np.array([at]), need, smooth)
        before.append((at, np.inf if sure else need))
        self._quiet[key] = max(noisy, start, at), first, last
        return False

    @cached_property
    def _returning(self) -> list[tuple[MGFDecay, float]]:
        return [
            (
                MGFDecay(part.period, part.period / 4.0, (part.rate, 0.0, 0.0), part.slack, NONE),
                count,
            )
            for part, count in self.parts
            if isinstance(part, DiscreteGaussianLoss)
        ]

    @cached_property
    def _of_points(self) -> list[tuple[AtomicLoss, int]]:
        return [(loss, count) for loss, count in self.parts if isinstance(loss, AtomicLoss)]

    def horizon(self, theta: float) -> float:
        """How far along a line all parts can be followed that are points on no lattice."""
        found = [loss.horizon(theta, self.samples) for loss, _ in self._of_points]
        return min(found, default=float("inf"))

    def _fading(self, theta: float, stop: float) -> Periodic | None:
        """What fades and returns, up to there; made once for each line."""
        at = theta if self._of_points else 0.0
        until, periodic = self._faded.get(at, (0.0, None))
        if until < stop:
            points = self._of_points
            found = [(loss.fading(theta, stop, self.samples), count) for loss, count in points]
            parts = [(fading, float(count)) for fading, count in found if fading is not None]
            parts += self._returning
            periodic = Periodic.of(parts) if parts else None
            self._faded[at] = (stop if points else np.inf), periodic
        return periodic


def _is_short(parts: Periodic, t: Floats, need: float, smooth: float) -> bool:
    """Whether the decays do not add up to `need` somewhere."""
    return bool(np.any(_lack(parts, t, need, smooth)))


def _lack(parts: Periodic, t: Floats, need: float, smooth: float) -> npt.NDArray[np.bool_]:
    """Where they do not."""
    return np.asarray(parts.decay(t, t) + smooth * t * t < need)
