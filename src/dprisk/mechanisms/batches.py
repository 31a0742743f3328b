"""Normal noise on the sum of a batch: one of a fixed size, or a Poisson sample with a largest
size."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, Final, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, Domain, assign, settle, whole
from dprisk._numeric.exact import quotient_up
from dprisk._numeric.logspace import Floats
from dprisk.guarantees import GaussianDP, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice, Loss, LossPair
from dprisk.losses.density import shifted_on_lattice, shifted_spacing
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms.base import SHARE, Mechanism, limited
from dprisk.mechanisms.pairs import promised
from dprisk.mechanisms.subsampled import SubsampledGaussian
from dprisk.text import english

LOUD: Final = Domain(0.0, 12.0)  # distances of two batches, in deviations of the noise


@final
@dataclass(frozen=True, slots=True)
class FixedBatches(Mechanism):
    """Normal noise is added to the sum of a batch of fixed size, drawn without replacement.

    Every set of `batch` of the `records` is equally likely, and each step draws anew.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the sum. (0, inf)
    sensitivity : float
        Most by which the sums of two batches can lie apart that differ in one record, exchanged for
        another (Euclidean distance), under either relation. With records of length C at most this
        is 2 C. (0, 12 sigma]
    batch : int
        Records in a batch, m. [1, `records`]
    records : int
        Records in the data, n; under add-remove in the smaller of both. [1, 10^9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    One step under replace-one has delta(log(1 + m / n (e^x - 1))) = m / n times that of the noise
    alone at x, at most, and some data have it. The symmetric pair with this profile dominates each
    step, and so do its products all steps [2]_; the lower end is that of data which are among the
    worst for a single step (dprisk Proposition 31).

    Tools mean two things by a noise multiplier z here: sigma = z C with the sensitivity 2 C (JAX
    Privacy), or sigma = z times the sensitivity (dp_accounting's sampling without replacement).

    References
    ----------
    .. [1] B. Balle, G. Barthe, M. Gaboardi, Privacy amplification by subsampling, NeurIPS 2018,
       Theorem 9.
    .. [2] Y. Zhu, J. Dong, Y.-X. Wang, Optimal accounting of differential privacy via
       characteristic function, AISTATS 2022, Theorem 10 and Section on subsampling.

    Examples
    --------
    >>> from dprisk.mechanisms import FixedBatches
    >>> step = FixedBatches(
    ...     sigma=1.0, sensitivity=1.0, batch=100, records=10_000, neighbors="replace-one"
    ... )
    >>> round(step.loss().epsilon(1e-6).value, 4)
    0.3639
    """

    sigma: float
    sensitivity: float
    batch: int
    records: int
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "fixed-batches"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)
        assign(self, records=whole("records", self.records, 1))
        fix = "A batch is part of the records."
        assign(self, batch=whole("batch", self.batch, 1, self.records, fix))

    def guarantee(self) -> Guarantee:
        """Approximate DP at many points of the privacy profile; under add-remove that of a Poisson
        sample with the same rate; Gaussian DP if every batch holds all records."""
        if self.batch == self.records:
            return GaussianDP(quotient_up(self.sensitivity, self.sigma), neighbors=self.neighbors)
        if self.neighbors == "add-remove":
            return self._as_poisson.guarantee()
        return promised(self.losses(), self.neighbors)

    def losses(self) -> LossPair:
        """Under replace-one the symmetric pair; under add-remove the pair of a Poisson sample."""
        mu = limited("sensitivity / sigma", self.sensitivity / self.sigma, LOUD)
        if self.batch == self.records:
            return LossPair.known(NormalLoss(mu), label=english("mechanism.gaussian"))
        if self.neighbors == "add-remove":
            label = english("mechanism.fixed-batches")
            return replace(self._as_poisson.losses(), own=False, label=label)
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by a factor."""
        rate = self.batch / self.records
        pair = shifted_on_lattice(self.sensitivity / self.sigma, rate, finer)
        both = (pair.forward[0], _both_ways(pair.forward[1]))
        return LossPair(
            both,
            both,
            False,
            english("mechanism.fixed-batches"),
            pair.relative_error,
            (0.0, 0.0),
            self._on_grid,
        )

    @property
    def _as_poisson(self) -> SubsampledGaussian:
        return self._sampled(self.sensitivity)

    @property
    def mistaken_for(self) -> tuple[Mechanism, int]:
        """Samples of the same mean size: with half the distance, where records are exchanged."""
        share = 0.5 if self.neighbors == "replace-one" else 1.0
        return self._sampled(share * self.sensitivity), 1

    def _sampled(self, sensitivity: float) -> SubsampledGaussian:
        rate = quotient_up(self.batch, self.records)
        return SubsampledGaussian(self.sigma, sensitivity, rate, neighbors="add-remove")

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise that is added, not the scatter of the batches."""
        return self.sigma


def _both_ways(loss: object) -> AtomicLoss:
    """The symmetric loss with the same delta from 0 on: its negative values mirror the others."""
    if not isinstance(loss, AtomicLoss) or loss.on is None:
        raise TypeError(type(loss).__name__)
    up = loss.losses > 0.0
    losses, p, q = loss.losses[up], loss.masses[up], loss.reverse_masses[up]
    rest = max(1.0 - float(p.sum() + q.sum()) - loss.infinite, 0.0)
    return AtomicLoss.part(
        np.concatenate([-losses[::-1], [0.0], losses]),
        np.concatenate([q[::-1], [rest], p]),
        loss.infinite,
        Lattice(0.0, loss.on.spacing),
        loss.infinite,
        np.concatenate([p[::-1], [rest], q]),
    )


NODES: Final = 3  # rates that stand for those of all batches that are full
FAINT_BATCH: Final = 1e-9  # probability of batches that count with larger ones
WEIGHTS_OFF: Final = 1e-9  # relative error of a probability of a binomial, with room
MOST_SPACINGS: Final = 16.0  # times finer than one of both losses needs


@final
@dataclass(frozen=True, slots=True)
class TruncatedPoisson(Mechanism):
    """Normal noise is added to the sum of a Poisson sample, of which at most `cap` records count.

    Every record is drawn with the same probability, independently; if more than `cap` are drawn, so
    many of them are chosen at random. A record can then push out another one, which reveals more
    than a Poisson sample does.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the sum. (0, inf)
    sensitivity : float
        Longest record (Euclidean): most by which one that takes part can move the sum. (0, 6 sigma]
    rate : float
        Probability with which a record is drawn. (0, 1]
    cap : int
        Largest batch. [1, 10^9]
    records : int
        Records in the larger of the two datasets. [1, 10^7]
    neighbors : {"add-remove"}
        Which datasets are neighbors: one has a record more.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not "add-remove".

    Notes
    -----
    The pair that dominates shows how many of the other records were drawn: if fewer than the cap,
    the record takes part with probability `rate` and moves the sum by the sensitivity; if a, with
    probability rate cap / (a + 1), and pushes out another, by twice as much (dprisk Proposition
    31). The lower end is that of data whose other records are zero.

    Examples
    --------
    >>> from dprisk.mechanisms import TruncatedPoisson
    >>> step = TruncatedPoisson(
    ...     sigma=1.0, sensitivity=1.0, rate=0.01, cap=700, records=60_000, neighbors="add-remove"
    ... )
    >>> round(step.loss().epsilon(1e-6).value, 4)
    0.3667
    """

    sigma: float
    sensitivity: float
    rate: float
    cap: int
    records: int
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "truncated-poisson"
    relations: ClassVar[tuple[Neighbors, ...]] = ("add-remove",)
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE, rate=SHARE)
        assign(self, cap=whole("cap", self.cap, 1))
        assign(self, records=whole("records", self.records, 1, 10**7))

    def guarantee(self) -> Guarantee:
        """Approximate DP at many points of the privacy profile; that of a Poisson sample if the cap
        is out of reach."""
        if self.cap >= self.records:
            return self._as_poisson(self.rate).guarantee()
        return promised(self.losses(), self.neighbors)

    def losses(self) -> LossPair:
        """Losses around a mixture, over the number of other records that are drawn."""
        limited("2 sensitivity / sigma", 2.0 * self.sensitivity / self.sigma, LOUD)
        if self.cap >= self.records:
            return self._as_poisson(self.rate).losses()
        return self._on_grid(1.0)

    def _on_grid(self, finer: float) -> LossPair:
        """Between two losses, with a spacing that is smaller by a factor."""
        mu = self.sensitivity / self.sigma
        parts, taken = self._parts()
        pairs = [(mu * times, rate) for _, times, rate in parts]
        wanted = [shifted_spacing(*pair) for pair in pairs]
        spacing = max(min(wanted), max(wanted) / MOST_SPACINGS) / finer
        found = [
            shifted_on_lattice(*pair, own / spacing)
            for pair, own in zip(pairs, wanted, strict=True)
        ]
        weights = [weight for weight, _, _ in parts]
        upper = _mixture([pair.forward[1] for pair in found], weights, spacing)
        alone = shifted_on_lattice(mu, taken, shifted_spacing(mu, taken) / spacing)
        return LossPair(
            (alone.forward[0], upper),
            (alone.backward[0], upper.reverse()),
            False,
            english("mechanism.truncated-poisson"),
            max(pair.relative_error for pair in [*found, alone]) + WEIGHTS_OFF,
            (0.0, 0.0),
            self._on_grid,
        )

    def _parts(self) -> tuple[list[tuple[float, int, float]], float]:
        """Weights, sensitivities and rates of the mixture; and the probability of taking part.

        delta is convex in the rate, so rates are spread onto nodes, with their mean.
        """
        from scipy.stats import binom

        others = self.records - 1
        full = np.arange(self.cap, others + 1.0)
        weights = binom.pmf(full, others, self.rate)
        below = float(binom.cdf(self.cap - 1, others, self.rate))
        rates = self.rate * self.cap / (full + 1.0)
        taken = (below * self.rate + float((weights * rates).sum())) * (1.0 - WEIGHTS_OFF)
        parts = [(below, 1, self.rate)] if below > 0.0 else []
        seen = weights > FAINT_BATCH * max(float(weights.max()), FAINT_BATCH)
        least, most = float(rates[seen].min()), float(rates[0])
        nodes = np.linspace(least, most, NODES) if most > least else np.array([most])
        at = np.maximum(rates, least)
        place = np.clip(np.searchsorted(nodes, at, side="right") - 1, 0, max(len(nodes) - 2, 0))
        if len(nodes) == 1:
            spread = np.array([weights.sum()])
        else:
            up = weights * (at - nodes[place]) / (nodes[1] - nodes[0])
            spread = np.bincount(place, weights - up, NODES) + np.bincount(place + 1, up, NODES)
        parts += [
            (w, 2, r) for w, r in zip(spread.tolist(), nodes.tolist(), strict=True) if w > 0.0
        ]
        return parts, taken

    def _as_poisson(self, rate: float) -> SubsampledGaussian:
        return SubsampledGaussian(self.sigma, self.sensitivity, rate, neighbors="add-remove")

    @property
    def mistaken_for(self) -> tuple[Mechanism, int]:
        """Samples that nothing cuts."""
        return self._as_poisson(self.rate), 1

    @property
    def noise_sd(self) -> float | None:
        """Sigma: the noise that is added, not the scatter of the batches."""
        return self.sigma


def _mixture(losses: list[Loss], weights: list[float], spacing: float) -> AtomicLoss:
    """The loss where it is shown which of several it is."""
    atoms = [each for each in losses if isinstance(each, AtomicLoss)]
    if len(atoms) < len(losses):
        raise TypeError("losses")

    def weighted(name: str) -> Floats:
        parts = [w * getattr(each, name) for w, each in zip(weights, atoms, strict=True)]
        return np.concatenate(parts)

    return AtomicLoss.part(
        np.concatenate([each.losses for each in atoms]),
        weighted("masses"),
        sum(w * each.infinite for w, each in zip(weights, atoms, strict=True)),
        Lattice(0.0, spacing),
        sum(w * each.reverse_infinite for w, each in zip(weights, atoms, strict=True)),
        weighted("reverse_masses"),
    )
