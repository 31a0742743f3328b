"""Privacy losses: their moment generating functions, and how well these are known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

Complexes = npt.NDArray[np.complex128]

ULP = float(np.finfo(float).eps)


class Lattice(NamedTuple):
    """Losses, in nats, are `origin` plus a whole multiple of `spacing` > 0."""

    origin: float
    spacing: float


class Loss(ABC):
    """Privacy loss Z = log(P(y) / Q(y)), y drawn from P, of one ordered pair of distributions.

    The moment M(s) = E_P[e^(s Z); Z finite] determines it: M(0) is the probability under P, M(-1)
    the probability under Q, of the outputs at which Z is finite.
    """

    __slots__ = ()

    @property
    def infinite(self) -> float:
        """Probability under P of outputs that are impossible under Q."""
        return 0.0

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite value of Z, or bounds for them; possibly infinite."""

    @property
    def lattice(self) -> Lattice | None:
        """The lattice of all finite values of Z, where there is one."""
        return None

    @property
    def has_density(self) -> bool:
        """Whether no finite value has a probability."""
        return False

    @property
    def normal_mu(self) -> float | None:
        """Distance of the two normals of variance 1 whose loss it is, if it is."""
        return None

    @abstractmethod
    def log_moment(self, s: Complexes) -> Complexes:
        """log M(s), on any branch, elementwise."""

    @abstractmethod
    def measured(self, s: Complexes) -> tuple[Complexes, Floats]:
        """log M(s), and some r >= 0: M is M as computed times 1 + z, abs(z) <= e^r - 1."""

    @abstractmethod
    def decay(self, theta: float, start: float, stop: float) -> float:
        """Some d >= 0 with abs(M(theta + i t)) <= e^-d M(theta) for start <= t <= stop."""

    @abstractmethod
    def reverse(self) -> Loss:
        """The loss of the pair (Q, P): its moment is M(-1 - s) on the outputs that both have."""


@final
@dataclass(frozen=True)
class LossPair:
    """The losses of one mechanism in both directions, each between two that are computable.

    Parameters
    ----------
    forward, backward : tuple of (Loss, Loss)
        For the pair (P, Q) and for (Q, P): one that the true loss dominates (a post-processing of
        the pair), and one that dominates it. The same object twice where the loss is known.
    own : bool
        Whether these are the losses of the mechanism itself; otherwise they dominate it, and say
        nothing about how its raw output is distributed.
    label : str
        What was run, for people.
    relative_error : float
        At most by which each probability in `forward` and `backward` is off, relatively. [0, 1e-6]
    shown : tuple of float, optional
        Probability under P of what is impossible under Q, at most, and the other way round: where
        the infinite losses of what dominates also hold what a computation cut off. [0, 1]
    finer : callable, optional
        The same on a grid that is finer by a factor, where there is a grid and it can be finer.
    renyi : callable, optional
        Rényi divergence of order 1 + s at most, the larger of both directions, where it is known
        better than from the losses.
    repeated : callable, optional
        Losses of so many uses together, and whether there is nothing beside them, where more is
        known about these than that each is dominated: a sum of other pairs.
    """

    forward: tuple[Loss, Loss]
    backward: tuple[Loss, Loss]
    own: bool = True
    label: str = ""
    relative_error: float = 0.0
    shown: tuple[float, float] | None = None
    finer: Callable[[float], LossPair] | None = field(default=None, compare=False, repr=False)
    renyi: Callable[[Floats], Floats] | None = field(default=None, compare=False, repr=False)
    repeated: Callable[[int, bool], tuple[tuple[LossPair, int], ...]] | None = field(
        default=None, compare=False, repr=False
    )

    @classmethod
    def known(cls, loss: Loss, own: bool = True, label: str = "") -> LossPair:
        """Make the pair of a loss that is known, and of its reverse."""
        back = loss.reverse()
        return cls((loss, loss), (back, back), own, label)

    @property
    def symmetric(self) -> bool:
        """Whether both directions are the same."""
        return self.forward == self.backward

    @property
    def turned(self) -> LossPair:
        """The same with P and Q exchanged."""
        finer = None if self.finer is None else partial(_turned, self.finer)
        shown = None if self.shown is None else (self.shown[1], self.shown[0])
        return replace(self, forward=self.backward, backward=self.forward, finer=finer, shown=shown)

    @property
    def revealed(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Probability under P of what is impossible under Q, at least and at most; and back."""
        (low, high), (back_low, back_high) = self.forward, self.backward
        most, back_most = self.shown or (high.infinite, back_high.infinite)
        return (min(low.infinite, most), most), (min(back_low.infinite, back_most), back_most)

    @property
    def exact(self) -> bool:
        """Whether the loss itself is known, not just two around it."""
        return self.forward[0] == self.forward[1] and self.backward[0] == self.backward[1]

    def directions(self) -> tuple[Any, ...]:
        """`forward`, and `backward` unless it is the same."""
        return (self.forward,) if self.symmetric else (self.forward, self.backward)


def _turned(finer: Callable[[float], LossPair], factor: float) -> LossPair:
    return finer(factor).turned


def divergence(pair: LossPair, s: Floats, off: float = 0.0) -> Floats:
    """Rényi divergence of order 1 + s, the larger of both directions; inf if anything leaks."""
    if pair.renyi is not None:
        return pair.renyi(s)
    found, off = np.zeros(s.shape), max(off, pair.relative_error)
    for _, upper in pair.directions():
        if upper.infinite > 0.0:
            return np.full(s.shape, np.inf)
        largest = max(upper.support[1], 0.0) * (1.0 + 8.0 * ULP)  # a few roundings
        found = np.maximum(found, np.minimum(_ends(upper, s, off)[1], largest))
    return np.asarray(found * (1.0 + 8.0 * ULP))  # a few roundings


def least_divergence(pairs: Sequence[tuple[LossPair, int]], s: Floats) -> Floats:
    """Rényi divergence of order 1 + s of several losses, each so often; rounded downwards."""
    found = np.zeros(s.shape)
    for side, name in enumerate(("forward", "backward")):
        total = np.zeros(s.shape)
        for pair, count in pairs:
            if pair.revealed[side][0] > 0.0:
                return np.full(s.shape, np.inf)
            lower, _ = _ends(getattr(pair, name)[0], s, pair.relative_error)
            total += count * np.maximum(lower, 0.0)
        found = np.maximum(found, total)
    return np.asarray(found * (1.0 - 8.0 * ULP))


def _ends(loss: Loss, s: Floats, off: float) -> tuple[Floats, Floats]:
    """log E[e^(s Z)] / s, at least and at most, for probabilities that may be off by a share."""
    moment, blur = loss.measured(s.astype(complex))
    most = max(map(abs, loss.support)) if off else 0.0
    wide = 2.0 * off * (1.0 + most) * np.minimum(1.0, (2.0 + 2.0 * s) * most) if off else 0.0
    return (moment.real - blur) / s - wide, (moment.real + blur) / s + wide
