"""The interface of every mechanism: the guarantee that it keeps, and its privacy loss itself."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt

from dprisk import mechanisms
from dprisk._checks import LIMITED, ORDER, Domain, neighbors_given, numbers, scalar
from dprisk._numeric.logspace import Floats
from dprisk.accountant import PrivacyLoss
from dprisk.accountant.refinement import MEMORY
from dprisk.answer import settled
from dprisk.errors import InvalidInput, WrongName
from dprisk.guarantees import Guarantee
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.guarantees.words import in_words as promise_in_words
from dprisk.losses.base import LossPair, divergence
from dprisk.text import english, has

POINTS: Final = 801
MOST_OUTPUTS: Final = 400  # outputs with probabilities


class Outputs(NamedTuple):
    """Probabilities or densities of an output on both neighbors, and which outputs to look at."""

    first: Callable[[Floats], Floats]
    second: Callable[[Floats], Floats]
    x: Floats
    discrete: bool = False


class Noise(NamedTuple):
    """Probability or density of noise, and how far out to look at it."""

    at: Callable[[Floats], Floats]
    reach: float


def normal(sigma: float, peak: float | None = None) -> Noise:
    """Normal noise, or what is as high at 0 as `peak`."""
    high = 1.0 / (sigma * math.sqrt(2.0 * math.pi)) if peak is None else peak
    return Noise(lambda x: high * np.exp(-np.square(x / sigma) / 2.0), 3.6 * sigma)


def laplace(scale: float, peak: float | None = None) -> Noise:
    """Laplace noise, or what is as high at 0 as `peak`."""
    high = 1.0 / (2.0 * scale) if peak is None else peak
    return Noise(lambda x: high * np.exp(-np.abs(x) / scale), 6.0 * scale)


def added(noise: Noise, sensitivity: float) -> Outputs:
    """Noise with a density, added to `sensitivity` and to 0; both peaks are looked at."""
    ends = np.linspace(-noise.reach, sensitivity + noise.reach, POINTS - 2)
    x = np.sort(np.concatenate([ends, [0.0, sensitivity]]))
    return Outputs(lambda x: noise.at(x - sensitivity), noise.at, x)


def counted(noise: Noise, sensitivity: int) -> Outputs:
    """Noise of whole numbers, likewise; of very many some."""
    reach = float(max(1, math.ceil(noise.reach)))
    x = np.arange(-reach, sensitivity + reach + 1.0)
    x = x if x.size <= MOST_OUTPUTS else np.unique(np.linspace(x[0], x[-1], MOST_OUTPUTS).round())
    return Outputs(lambda x: noise.at(x - sensitivity), noise.at, x, discrete=True)


SHARE: Final = Domain(0.0, 1.0, low_open=True, advice="Write one percent as 0.01.")
RATIOS: Final = Domain(0.0, 1e4)  # ratios of which all losses fit on a lattice
ORDERS: Final = Domain(1.0, 1e9, low_open=True, advice=ORDER.advice)


class Mechanism(ABC):
    """A randomised algorithm, described by its parameters."""

    __slots__ = ()

    neighbors: Neighbors
    """The relation under which its sensitivity was worked out."""

    kind: ClassVar[str] = ""
    """Its name in files; empty where it cannot be written in one."""

    relations: ClassVar[tuple[Neighbors, ...]] = NEIGHBORS
    """The relations of neighbors for which it is known."""

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Refuse to guess the neighbors."""
        neighbors_given(cls, args, given, cls.relations)
        return object.__new__(cls)

    if not TYPE_CHECKING:  # a type checker knows what there is

        def __getattr__(self, name: str) -> Any:
            """Say what answers the questions about a promise."""
            if name in ("delta", "epsilon", "level", "loss_bound", "power", "tail"):
                raise WrongName(
                    f"A mechanism has no {name}: it has a promise and a privacy loss. Write "
                    f"mechanism.loss().{name}(...) for what is run, or "
                    f"mechanism.guarantee().{name}(...) for every mechanism that keeps the promise."
                )
            if name in ("difference", "odds", "posterior", "ratio"):
                said = f"A mechanism has no {name}. Write assess(mechanism, prior=0.1)."
                raise WrongName(said)
            said = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(said, name=name, obj=self)

    @abstractmethod
    def guarantee(self) -> Guarantee:
        """Promise that the mechanism keeps for its neighbors.

        Returns
        -------
        Guarantee
            What holds for every pair of neighbors.
        """

    @abstractmethod
    def losses(self) -> LossPair:
        """Privacy loss of the worst pair of neighbors, in both directions.

        Returns
        -------
        LossPair
            What the guarantee only bounds.
        """

    def loss(self, *, accuracy: float | None = None, memory: float = MEMORY) -> PrivacyLoss:
        """The mechanism's own privacy loss, as a guarantee that answers in certified brackets.

        Parameters
        ----------
        accuracy : float, optional
            How wide brackets of epsilon and delta may be, in nats of epsilon; kept, or refused.
            Left out, they are about 1e-9 wide where that costs little. [1e-13, 1]
        memory : float
            Bytes that finer grids may take where an accuracy is asked for. [1e8, 1e15]

        Returns
        -------
        PrivacyLoss
            Exact up to its brackets: for raw output as well as for anything computed from it.

        Raises
        ------
        OutOfRange
            If `accuracy` or `memory` is outside its range, or the loss cannot be represented.
        """
        return PrivacyLoss(
            [self.losses()], neighbors=self.neighbors, accuracy=accuracy, memory=memory
        )

    @property
    def noise_sd(self) -> float | None:
        """Standard deviation of the noise in each number; None where there is no such noise."""
        return None

    @property
    def exact_probability(self) -> float | None:
        """Probability that the true value comes out unchanged; None where nothing like it does."""
        return None

    @property
    def mistaken_for(self) -> tuple[Mechanism, int] | None:
        """Poisson samples that tools count in its place, and how many; None for other noise."""
        return None

    @property
    def outputs(self) -> Outputs | None:
        """Both distributions of the output, to be drawn; None where it does not lie on a line."""
        return None

    def renyi(self, alpha: npt.ArrayLike) -> Any:
        """Rényi divergence of the worst pair of neighbors, the larger of both directions.

        With M the moments of the privacy loss it is log M(alpha - 1) / (alpha - 1).

        Parameters
        ----------
        alpha : array_like of float
            Order. (1, 10^9]

        Returns
        -------
        float or ndarray
            Divergence in [0, inf], nats, same shape as `alpha`; never below the truth. Where the
            loss is known it is the divergence itself, rounded upwards.

        Raises
        ------
        OutOfRange
            If an order is outside its range, NaN or not a number.
        """
        orders = numbers("alpha", alpha, ORDERS)
        s = np.ravel(orders) - 1.0  # exactly: both are multiples of the last place of alpha
        return settled(self._renyi(s), orders.shape)

    @property
    def _renyi(self) -> Callable[[Floats], Floats]:
        """Divergence of order 1 + s, elementwise; rounded upwards."""
        return lambda s: divergence(self.losses(), s, self._probabilities_off)

    @property
    def _probabilities_off(self) -> float:
        """By how much, relatively, roundings may move the probabilities of its losses."""
        return 0.0


def in_words(subject: Guarantee | Mechanism) -> str:
    """A promise or a mechanism by its name and its numbers, as a sentence names it."""
    return promise_in_words(subject) if isinstance(subject, Guarantee) else _run_in_words(subject)


def _run_in_words(mechanism: Mechanism) -> str:
    known = f"mechanism.{mechanism.kind}"
    name = english(known) if has(known) else type(mechanism).__name__
    found = ((each.name, getattr(mechanism, each.name)) for each in fields(cast(Any, mechanism)))
    shown = [f"{key} {value:.12g}" for key, value in found if isinstance(value, int | float)]
    return f"{name} ({', '.join(shown)})" if shown else name


def limited(name: str, ratio: float, domain: Domain = LIMITED) -> float:
    """How far apart two neighbors are beside the noise: a loss that can still be computed."""
    fix = "There is practically no noise: nothing is private."
    return scalar(name, ratio, domain, fix)


def by_kind(made: Iterable[type[Mechanism]]) -> dict[str, type[Mechanism]]:
    """Each by its kind, if it has one; two of a kind are refused."""
    found: dict[str, type[Mechanism]] = {}
    for each in sorted(made, key=lambda one: one.kind):
        if each.kind and found.setdefault(each.kind, each) is not each:
            other, name = found[each.kind].__name__, f"{each.__name__}.kind"
            raise InvalidInput(
                name, each.kind, f"a name that no other mechanism has; {other} has this one"
            )
    return found


@cache
def kinds() -> Mapping[str, type[Mechanism]]:
    """Every mechanism by its kind in files."""
    return MappingProxyType(
        by_kind(getattr(mechanisms, name) for name in dir(mechanisms) if not name.isupper())
    )
