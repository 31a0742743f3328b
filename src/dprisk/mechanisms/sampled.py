"""Poisson subsampling of any mechanism whose privacy loss is known; of noise on integers in
files."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import ClassVar, Final, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, Domain, assign, settle, whole
from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput
from dprisk.guarantees import Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.losses.density import mixed, spacing_for
from dprisk.losses.lattice import RELATIVE_ERROR, Outcomes, Sided
from dprisk.mechanisms.base import SHARE, Mechanism
from dprisk.mechanisms.integers import DiscreteGaussian, Geometric
from dprisk.mechanisms.laplace import Laplace
from dprisk.mechanisms.pairs import promised
from dprisk.mechanisms.subsampled import SubsampledGaussian, SubsampledLaplace, mixed_up
from dprisk.text import english

WIDTH: Final = Domain(0.0, 1e4, low_open=True, advice="Wider noise is as good as normal.")
FEW_ATOMS: Final = 512  # that stay where they are
FARTHEST: Final = 38.0  # deviations: nothing that a float can hold is beyond
CUT: Final = 1e-300  # chance of what is beyond, at most


@final
@dataclass(frozen=True, slots=True)
class PoissonSubsampled(Mechanism):
    """A mechanism runs on a part of the records, to which each belongs with the same probability.

    Every record takes part independently of all others (Poisson subsampling), anew in each use.

    Parameters
    ----------
    mechanism : Mechanism
        What runs on the sample: Gaussian, Laplace or any mechanism with a list of losses, such as
        noise on integers, randomized response, pairs, or one whose losses are on a lattice.
    rate : float
        Probability with which a record takes part. (0, 1]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more. Those of `mechanism`.

    Raises
    ------
    InvalidInput
        If `rate` is outside its range, `mechanism` is none or about other neighbors, or `neighbors`
        is not "add-remove". When losses are asked for, if these cannot be sampled.

    Notes
    -----
    If (P, Q) dominates what is revealed by adding a record, ((1 - r) Q + r P, Q) dominates it for
    the sample [1]_, so that delta(log(1 + r (e^x - 1))) becomes r delta(x) for x >= 0.

    References
    ----------
    .. [1] Y. Zhu, J. Dong, Y.-X. Wang, Optimal accounting of differential privacy via
       characteristic function, AISTATS 2022, Theorem 11.

    Examples
    --------
    >>> from dprisk.mechanisms import Geometric, PoissonSubsampled
    >>> noise = Geometric(scale=1.0, sensitivity=1, neighbors="add-remove")
    >>> sampled = PoissonSubsampled(noise, rate=0.01, neighbors="add-remove")
    >>> round(sampled.loss().epsilon(0.0).value, 6)
    0.017037
    """

    mechanism: Mechanism
    rate: float
    _: KW_ONLY
    neighbors: Neighbors

    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)

    def __post_init__(self) -> None:
        settle(self, rate=SHARE)
        if not isinstance(self.mechanism, Mechanism):
            allowed = "a mechanism, such as Geometric(scale=1.0, ...)"
            raise InvalidInput("mechanism", self.mechanism, allowed)
        if self.mechanism.neighbors != self.neighbors:
            fix = "A sample is about records that come or go: state its sensitivity for these."
            raise InvalidInput("mechanism", self.mechanism.neighbors, self.neighbors, fix)

    def guarantee(self) -> Guarantee:
        """Promise of the same noise where that is known, or approximate DP at many points."""
        if self.rate == 1.0:
            return self.mechanism.guarantee()
        known = _known(self.mechanism, self.rate)
        return promised(self.losses(), self.neighbors) if known is None else known.guarantee()

    def losses(self) -> LossPair:
        """Loss of (1 - rate) Q + rate P against Q, for the pair (P, Q) of the mechanism."""
        if self.rate == 1.0:
            return self.mechanism.losses()
        known = _known(self.mechanism, self.rate)
        return self._on_grid(1.0) if known is None else known.losses()

    def _on_grid(self, finer: float) -> LossPair:
        """The losses themselves if they are few, else between two on a lattice."""
        pair = self.mechanism.losses()
        pair = pair if pair.finer is None or finer == 1.0 else pair.finer(finer)
        cuts = (0.0, CUT)  # what is left out counts as nothing below, and as revealed above
        forward = [self._sampled(*each) for each in zip(pair.forward, cuts, strict=True)]
        back = (each.reverse() for each in pair.backward)
        turned = [self._sampled(*each) for each in zip(back, cuts, strict=True)]
        label = english("mechanism.poisson-subsampled")
        blur = pair.relative_error + self.mechanism._probabilities_off
        if max(len(each.losses) for each in forward) <= FEW_ATOMS:
            few = blur + 16.0 * ULP  # two products, a sum and a logarithm: four roundings
            return LossPair(_two(forward), _two(turned, True), pair.own, label, few)
        sides = [_laid(each, finer) for each in (*forward, *turned)]
        first, second = (sides[0].lower(), sides[1].upper()), (sides[2].lower(), sides[3].upper())
        shown = self.rate * pair.revealed[0][1] * (1.0 + 4.0 * ULP)  # a product: one rounding
        return LossPair(
            first,
            (second[0].reverse(), second[1].reverse()),
            pair.own,
            label,
            blur + RELATIVE_ERROR,
            (min(shown, 1.0), 0.0),
            self._on_grid,
        )

    def _sampled(self, loss: Loss, cut: float) -> AtomicLoss:
        """The loss of the mixture, for one with finitely many values but for a chance of `cut`."""
        atoms = _atoms(loss, self.mechanism, cut)
        rest = 1.0 - self.rate
        under_p = rest * atoms.reverse_masses + self.rate * atoms.masses
        losses = mixed(self.rate, atoms.losses)
        alone = atoms.reverse_infinite  # impossible if the record takes part
        return AtomicLoss.part(
            np.append(losses, math.log1p(-self.rate)),
            np.append(under_p, rest * alone),
            self.rate * atoms.infinite,
            None,
            0.0,
            np.append(atoms.reverse_masses, alone),
        )


def _two(found: list[AtomicLoss], turned: bool = False) -> tuple[Loss, Loss]:
    """Both losses, or their reverses; one object if they are the same."""
    upper: Loss = found[1].reverse() if turned else found[1]
    if found[0] == found[1]:
        return upper, upper
    return (found[0].reverse() if turned else found[0]), upper


def _laid(loss: AtomicLoss, finer: float) -> Outcomes:
    """Its values as outcomes on a lattice."""
    mean = float((loss.masses * loss.losses).sum())
    deviation = math.sqrt(float((loss.masses * np.square(loss.losses - mean)).sum()))
    spacing = spacing_for(deviation, max(map(abs, loss.support))) / finer
    there = (loss.masses > 0.0) & (loss.reverse_masses > 0.0)
    sided = Sided.of(loss.masses[there][:, None], loss.losses[there][:, None], spacing)
    only = float(loss.masses[~there].sum()), float(loss.reverse_masses[~there].sum())
    infinite = loss.infinite + only[0], loss.reverse_infinite + only[1]
    return Outcomes.of(sided, spacing, infinite)


def _known(mechanism: Mechanism, rate: float) -> Mechanism | None:
    """The same where its noise has a loss of its own."""
    if type(mechanism) is Laplace:
        given = mechanism.scale, mechanism.sensitivity, rate
        return SubsampledLaplace(*given, neighbors="add-remove")
    loss = mechanism.losses().forward[1]
    if loss.normal_mu is not None and mechanism.losses().exact:
        return SubsampledGaussian(1.0, loss.normal_mu, rate, neighbors="add-remove")
    return None


def _atoms(loss: Loss, mechanism: Mechanism, cut: float) -> AtomicLoss:
    points = getattr(loss, "points", loss)  # a response knows its values
    if type(points) is AtomicLoss:
        return points
    if type(mechanism) is DiscreteGaussian:
        return _of_integers(mechanism, cut)
    raise InvalidInput(
        "mechanism",
        type(mechanism).__name__,
        "one with normal or Laplace noise, or with a list of losses",
        "Describe it by PairOfDensities or PairOfDistributions.",
    )


def _of_integers(noise: DiscreteGaussian, cut: float) -> AtomicLoss:
    """The values of a discrete Gaussian loss that a float can hold; the others have a `cut`."""
    reach = math.ceil(FARTHEST * noise.sigma) + noise.sensitivity
    k = np.arange(-reach, reach + noise.sensitivity + 1.0)
    highest = noise.exact_probability or 0.0

    def at(x: Floats) -> Floats:
        return np.asarray(highest * np.exp(-np.square(x / noise.sigma) / 2.0))

    loss = noise.sensitivity * (2.0 * k - noise.sensitivity) / (2.0 * noise.sigma**2)
    return AtomicLoss.part(loss, at(k - noise.sensitivity), cut, None, cut, at(k))


@final
@dataclass(frozen=True, slots=True)
class SubsampledGeometric(Mechanism):
    """Two-sided geometric noise is added to a count of a part of the records, chosen anew each
    time.

    Every record takes part with the same probability, independently (Poisson subsampling).

    Parameters
    ----------
    scale : float
        Width of the noise, in counts, as of `Geometric`. (0, inf)
    sensitivity : int
        Most by which one record that takes part can move the counts, in sum (L1). [1, 10^6]
    rate : float
        Probability with which a record takes part. (0, 1]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    References
    ----------
    .. [1] B. Balle, G. Barthe, M. Gaboardi, Privacy amplification by subsampling, NeurIPS 2018,
       Theorem 8.

    Examples
    --------
    >>> from dprisk.mechanisms import SubsampledGeometric
    >>> SubsampledGeometric(1.0, 1, 1.0, neighbors="add-remove").guarantee()
    PureDP(epsilon=1.0, neighbors='add-remove')
    """

    scale: float
    sensitivity: int
    rate: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "subsampled-geometric"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)

    def __post_init__(self) -> None:
        settle(self, scale=FINITE_POSITIVE, rate=SHARE)
        assign(self, sensitivity=whole("sensitivity", self.sensitivity, 1, 10**6))

    def guarantee(self) -> Guarantee:
        """Pure DP with epsilon = log(1 + rate (e^(sensitivity / scale) - 1))."""
        largest = mixed_up(self.rate, self.sensitivity / Fraction(self.scale))
        return PureDP(largest, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of the mixture: as many values as the noise alone has."""
        noise = Geometric(self.scale, self.sensitivity, neighbors=self.neighbors)
        sampled = PoissonSubsampled(noise, self.rate, neighbors=self.neighbors)
        return replace(sampled.losses(), label=english("mechanism.subsampled-geometric"))

    @property
    def noise_sd(self) -> float | None:
        """Standard deviation of the noise, not the scatter of the sample."""
        return Geometric(self.scale, self.sensitivity, neighbors=self.neighbors).noise_sd


@final
@dataclass(frozen=True, slots=True)
class SubsampledDiscreteGaussian(Mechanism):
    """Discrete Gaussian noise is added to a count of a part of the records, chosen anew each time.

    Every record takes part with the same probability, independently (Poisson subsampling).

    Parameters
    ----------
    sigma : float
        Width of the noise, in counts, as of `DiscreteGaussian`. (0, 10^4]
    sensitivity : int
        Most by which one record that takes part can move the count. [1, 10^6]
    rate : float
        Probability with which a record takes part. (0, 1]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    References
    ----------
    .. [1] Y. Zhu, J. Dong, Y.-X. Wang, Optimal accounting of differential privacy via
       characteristic function, AISTATS 2022, Theorem 11.

    Examples
    --------
    >>> from dprisk.mechanisms import SubsampledDiscreteGaussian
    >>> noise = SubsampledDiscreteGaussian(2.0, 1, rate=0.1, neighbors="add-remove")
    >>> round(noise.loss().epsilon(1e-6).value, 4)
    0.4992
    """

    sigma: float
    sensitivity: int
    rate: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "subsampled-discrete-gaussian"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)

    def __post_init__(self) -> None:
        settle(self, sigma=WIDTH, rate=SHARE)
        assign(self, sensitivity=whole("sensitivity", self.sensitivity, 1, 10**6))

    def guarantee(self) -> Guarantee:
        """Approximate DP at many points of the profile; zCDP if every record takes part."""
        return self._sampled.guarantee()

    def losses(self) -> LossPair:
        """Loss of the mixture, on a lattice."""
        label = english("mechanism.subsampled-discrete-gaussian")
        return replace(self._sampled.losses(), label=label)

    @property
    def noise_sd(self) -> float | None:
        """Standard deviation of the noise, not the scatter of the sample."""
        return self._sampled.mechanism.noise_sd

    @property
    def _sampled(self) -> PoissonSubsampled:
        noise = DiscreteGaussian(self.sigma, self.sensitivity, neighbors=self.neighbors)
        return PoissonSubsampled(noise, self.rate, neighbors=self.neighbors)
