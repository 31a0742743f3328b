"""The interface of every guarantee: this page is the door, final classes supply the formulas."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Self, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, neighbors_given, numbers
from dprisk._numeric.logspace import Floats
from dprisk._values import brief, content, result, same
from dprisk.answer import Answer
from dprisk.errors import Meaningless, WrongName, one_of
from dprisk.guarantees.words import ELSEWHERE, NEW_NAMES, short, written
from dprisk.theorems import ADVANTAGE_IS_DELTA, ONE_RELEASE, Theorem

if TYPE_CHECKING:
    from dprisk.losses.base import LossPair


Neighbors = Literal["add-remove", "replace-one"]
Sides = Literal["both", "one"]

NEIGHBORS: Final[tuple[Neighbors, ...]] = get_args(Neighbors)
SIDES: Final[tuple[Sides, ...]] = get_args(Sides)
CHANCES: Final = np.concatenate([np.geomspace(1e-300, 1e-20, 100), np.geomspace(1e-20, 0.999, 400)])


class AdditiveParameters(NamedTuple):
    """Amounts that add up when promises are composed by their parameters."""

    numbers: Mapping[Any, float | Fraction]
    """The amounts by name; of Rényi divergences by order."""

    read_as: str = ""
    """The strength given up when it is read as the definition of the sum; empty if none is."""


class Divergences(NamedTuple):
    """Limits on Rényi divergences."""

    orders: tuple[float, ...] | None
    """The orders at which they are promised; None for all above 1."""

    limits: Callable[[Floats], Floats]
    """The limits at orders among these, in nats, rounded upwards."""


class Guarantee(ABC):
    """A promise about the outputs of a mechanism on neighboring datasets.

    Every method is vectorised, and its answer holds for *every* mechanism that keeps the promise
    and every ordered pair of neighbors. Scalars in, a float out; arrays in, an array of the
    broadcast shape out, with the same numbers. Of a `PrivacyLoss` they may differ within brackets
    that overlap: many questions at once are answered by other sums. Z is the privacy loss, the
    logarithm of the likelihood ratio of the two datasets at the output. Numbers outside their range
    and words that are not listed raise `InvalidInput`.
    """

    __slots__ = ()

    definition: ClassVar[str]
    """Short name of the definition of privacy, such as ``"approximate"``."""

    neighbors: Neighbors
    """Which datasets are neighbors: ``"add-remove"`` or ``"replace-one"``."""

    composes_by: ClassVar[Literal["losses", "parameters", "orders"]] = "losses"
    """The kind of amount that adds up in composition: losses, a parameter, or divergences."""

    is_stated: ClassVar[bool] = True
    """Whether its parameters are all that it promises; otherwise privacy losses are."""

    delta_is: ClassVar[Literal["", "slack", "raw", "any"]] = ""
    """The meaning of delta: an additive slack, or the chance that the privacy loss of the raw
    output, or of anything computed from it, exceeds epsilon. Empty where it promises neither."""

    in_files: ClassVar[tuple[str, ...]] = ()
    """Its parameters in a release file, under its `definition`: some that other promises have."""

    read_as: ClassVar[str] = ""
    """The strength given up when it is read as the losses that dominate it; empty where none is."""

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Refuse to guess the neighbors."""
        neighbors_given(cls, args, given, NEIGHBORS)
        return object.__new__(cls)

    if not TYPE_CHECKING:  # a type checker knows what there is

        def __getattr__(self, name: str) -> Any:
            """Say who answers what a guarantee alone does not."""
            if new := NEW_NAMES.get(name):
                warnings.warn(f"{name} is now {new}.", DeprecationWarning, stacklevel=2)
                return getattr(self, new)
            if answer := ELSEWHERE.get(name):
                raise WrongName(f"A guarantee has no {name}: {answer.format(name=name)}")
            said = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(said, name=name, obj=self)

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """The numbers that were promised, by name."""

    @property
    def dominating(self) -> tuple[tuple[LossPair, int], ...] | None:
        """Privacy losses that dominate every mechanism that keeps it, each with a count.

        None where they are not known in closed form: then the privacy profile says them.
        """
        return None

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """Amounts that composition theorems about parameters add up, by definition of the sum."""
        return {}

    @property
    def divergences(self) -> Divergences | None:
        """Limits on Rényi divergences, where these are what it promises, with certainty."""
        return None

    @property
    def bounds_raw_output(self) -> bool:
        """Whether it says how the privacy loss of the raw output by itself is distributed."""
        return True

    @property
    def symmetric_tradeoff(self) -> bool:
        """Whether mixtures of neighbors keep it: the power curve is concave and its own mirror."""
        return True

    @property
    def holds_for_any_rest(self) -> bool:
        """Whether it holds whatever is known about the other records (P1, Section 6.4)."""
        return self.symmetric_tradeoff

    @property
    def mixing_points(self) -> Floats | None:
        """Epsilons at which the profile says what mixtures keep; None where they keep all."""
        return None

    @property
    def noise_ratios(self) -> dict[str, float] | None:
        """Largest sensitivity over scale or sigma of noise that keeps it, by kind of mechanism.

        None where there is no closed form; kinds that are left out cannot keep it.
        """
        return None

    @property
    def coarse(self) -> Guarantee:
        """The same, in brackets that are wider and cost less; itself where there are none."""
        return self

    def advantage(self) -> Answer:
        """Most power minus level of any test.

        Returns
        -------
        Answer
            In [0, 1]: `delta` at epsilon 0, the largest total variation distance of neighbors.
        """
        return self._advantage

    def delta(self, epsilon: npt.ArrayLike) -> Answer:
        """Privacy profile: the least delta for which (epsilon, delta)-DP holds.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Answer
            delta in [0, 1], same shape as `epsilon`; exact or an upper bound, as it says.
        """
        return _answered(self._delta, numbers("epsilon", epsilon, NONNEGATIVE))

    def epsilon(self, delta: npt.ArrayLike) -> Answer:
        """Inverse profile: the least epsilon for which (epsilon, delta)-DP holds.

        As computed, ``g.delta(g.epsilon(d)).value <= d``, without tolerance.

        Parameters
        ----------
        delta : array_like of float
            Additive slack. [0, 1]

        Returns
        -------
        Answer
            epsilon in [0, inf], nats, same shape as `delta`; inf where no epsilon is enough.
        """
        return _answered(self._epsilon, numbers("delta", delta, PROBABILITY))

    def power(self, level: npt.ArrayLike) -> Answer:
        """Most power of any test that tells two neighbors apart, at a level.

        Holds for the mechanism and for anything computed from its output.

        Parameters
        ----------
        level : array_like of float
            Probability of a false alarm. [0, 1]

        Returns
        -------
        Answer
            Probability of a true alarm in [0, 1], same shape as `level`; never below the truth.
        """
        return _answered(self._power, numbers("level", level, PROBABILITY))

    def level(self, power: npt.ArrayLike) -> Answer:
        """Inverse of `power`: the least level at which a test can have that power.

        Parameters
        ----------
        power : array_like of float
            Probability of a true alarm. [0, 1]

        Returns
        -------
        Answer
            Probability of a false alarm in [0, 1], same shape as `power`; never above the truth.
        """
        return _answered(self._level, numbers("power", power, PROBABILITY))

    def tail(
        self, epsilon: npt.ArrayLike, *, sides: Sides = "both", post_processing: bool = True
    ) -> Answer:
        """How likely the odds move by a factor of more than e^epsilon.

        Parameters
        ----------
        epsilon : array_like of float
            Shift of the log-odds. [0, inf], nats
        sides : {"both", "one"}
            P[abs(Z) > epsilon], or P[Z > epsilon] alone (which bounds either direction).
        post_processing : bool
            Whether the answer must hold for anything computed from the output as well (the
            default), or for the raw output only.

        Returns
        -------
        Answer
            Probability in [0, 1], same shape as `epsilon`; never below the truth.
        """
        one_of("sides", sides, SIDES)
        return _answered(
            self._tail, numbers("epsilon", epsilon, NONNEGATIVE), sides, post_processing
        )

    def loss_bound(
        self, failure: npt.ArrayLike, *, sides: Sides = "both", post_processing: bool = True
    ) -> Answer:
        """Inverse of `tail`: the shift of the log-odds that is exceeded with at most that chance.

        Parameters
        ----------
        failure : array_like of float
            Largest probability with which the bound can be exceeded, one minus the confidence.
            [0, 1]
        sides : {"both", "one"}
            A bound on abs(Z), or on Z alone (which serves for either direction, one at a time).
        post_processing : bool
            Whether it must hold for anything computed from the output as well (the default), or
            for the raw output only.

        Returns
        -------
        Answer
            epsilon' in [0, inf], nats, same shape as `failure`; never below the truth, inf where
            the guarantee leaves that much probability uncontrolled.
        """
        one_of("sides", sides, SIDES)
        failure = numbers("failure", failure, PROBABILITY)
        return _answered(self._loss_bound, failure, sides, post_processing)

    def for_neighbors(self, neighbors: Neighbors) -> Guarantee:
        """The promise of this guarantee under a relation of neighbors.

        Replacing a record is removing one and adding another: two steps of add-remove. The other
        direction has no bound at all.

        Parameters
        ----------
        neighbors : {"add-remove", "replace-one"}
            The relation asked for.

        Returns
        -------
        Guarantee
            This one if the relation is its own; otherwise a valid guarantee (upper bound) for
            "replace-one".

        Raises
        ------
        Meaningless
            If add-remove is asked of a replace-one guarantee.
        """
        one_of("neighbors", neighbors, NEIGHBORS)
        if neighbors == self.neighbors:
            return self
        if neighbors == "add-remove":
            raise Meaningless(
                (
                    "A replace-one guarantee says nothing about add-remove neighbors. "
                    "Under replace-one, datasets of different sizes are never neighbors, "
                    "so a mechanism may publish the exact number of records and still keep "
                    "the promise."
                ),
                "Ask for a guarantee that was proven for add-remove.",
            )
        return self._group_of_two()

    def __eq__(self, other: object) -> Any:
        return same(self, other)

    def __hash__(self) -> int:
        return hash(content(self))

    def __repr__(self) -> str:
        return written(self, short)

    @property
    def _advantage(self) -> Answer:
        return replace(self.delta(0.0), theorem=ADVANTAGE_IS_DELTA)

    @property
    def _points(self) -> tuple[Floats, Floats]:
        """Points where the profile is worth reading, about at `CHANCES`, and delta there."""
        places = np.asarray(self._epsilon(CHANCES).value)
        return places, np.asarray(self._delta(places).value)

    @abstractmethod
    def _delta(self, epsilon: Floats) -> Answer: ...

    @abstractmethod
    def _epsilon(self, delta: Floats) -> Answer: ...

    @abstractmethod
    def _power(self, level: Floats) -> Answer: ...

    @abstractmethod
    def _level(self, power: Floats) -> Answer: ...

    @abstractmethod
    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer: ...

    @abstractmethod
    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer: ...

    @abstractmethod
    def _group_of_two(self) -> Guarantee: ...

    @property
    def _renyi_limit(self) -> Callable[[float], float]:
        """Rényi divergence of an order, at most, where losses say so; infinite elsewhere."""
        return lambda alpha: np.inf

    @property
    def _rho_limit(self) -> float:
        """The least rho of zCDP, at most, where losses say so; infinite elsewhere."""
        return np.inf


@final
@result
@dataclass(frozen=True, repr=False)
class Composed:
    """The guarantee of all releases together. Made by `compose`.

    Parameters
    ----------
    guarantee : Guarantee
        What everything published keeps, as a whole; its `delta`, `epsilon`, `power` and `tail` are
        asked of this object as well.
    theorem : Theorem
        The rule that was used.
    lossy : tuple of str
        Which parts were first weakened to a common definition, and how.
    """

    guarantee: Guarantee
    theorem: Theorem
    lossy: tuple[str, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether there was one promise, made once, so that nothing had to be composed."""
        return self.theorem == ONE_RELEASE

    @property
    def delta(self) -> Callable[..., Answer]:
        """The privacy profile, as `Guarantee.delta`."""
        return self.guarantee.delta

    @property
    def epsilon(self) -> Callable[..., Answer]:
        """The inverse profile, as `Guarantee.epsilon`."""
        return self.guarantee.epsilon

    @property
    def power(self) -> Callable[..., Answer]:
        """The most power of any test, as `Guarantee.power`."""
        return self.guarantee.power

    @property
    def tail(self) -> Callable[..., Answer]:
        """How likely the odds move by more than e^epsilon, as `Guarantee.tail`."""
        return self.guarantee.tail

    def __repr__(self) -> str:
        weakened = f"; {len(self.lossy)} of them weakened first" if self.lossy else ""
        return f"<Composed: {brief(self.guarantee, '', 160)}, by {self.theorem}{weakened}>"


def _answered(formula: Callable[..., Answer], values: Floats, *options: Any) -> Answer:
    """Apply a formula for one-dimensional arrays to values of any shape."""
    flat = values.ravel()
    known = getattr(formula.__self__, "_known", None)  # type: ignore[attr-defined]
    if known is None or flat.size > LONGEST_KEPT:
        return formula(flat, *options).shaped(values.shape)
    key = formula.__name__, flat.tobytes(), *options
    if key not in known:
        while len(known) >= KEPT:
            del known[next(iter(known))]
        known[key] = formula(flat, *options)
    answer: Answer = known[key]
    return answer.shaped(values.shape)


LONGEST_KEPT = 4096  # numbers: longer lists are not remembered
KEPT = 256  # answers that are remembered
