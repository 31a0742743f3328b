"""How batches of DP-SGD are drawn: what each word means, and the mechanism that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dprisk.errors import InvalidInput
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.mechanisms import (
    CyclicBatches,
    FixedBatches,
    Gaussian,
    RandomAllocation,
    SubsampledGaussian,
    TruncatedPoisson,
)
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.spelling import meant
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.releases.training import Training

SAMPLING: Final[Mapping[str, str]] = {
    "poisson-sampling": "poisson",
    "full": "full-batch",
    "none": "full-batch",
    "fixed-batches": "without-replacement",
    "fixed-batch-size": "without-replacement",
    "once-per-epoch": "shuffled",
}


class Scheme(NamedTuple):
    """A way to draw batches: the mechanism of one use, for which neighbors, and how many uses."""

    make: Callable[[Training, float, float], Mechanism]
    """Function from the training, its noise multiplier and its rate."""
    relations: tuple[Neighbors, ...] = NEIGHBORS
    samples: bool = True
    """Whether a rate is part of it."""
    uses: Callable[[Training, int], int] = lambda training, steps: steps
    """Function from the training and its steps to how often the mechanism is used."""
    needs: tuple[str, ...] = ()
    """What it needs beside the noise, the rate and the steps."""
    two_readings: tuple[Neighbors, ...] = ("replace-one",)
    """The relations under which the noise multiplier has two readings."""


def _fixed(training: Training, noise: float, rate: float) -> Mechanism:
    batch, records = training.batch_size, training.examples
    return FixedBatches(noise, training.reach, batch, records, neighbors=training.neighbors)


def _capped(training: Training, noise: float, rate: float) -> Mechanism:
    cap, records = training.batch_cap, training.examples
    return TruncatedPoisson(noise, 1.0, rate, cap, records, neighbors=training.neighbors)


def _shuffled(training: Training, noise: float, rate: float) -> Mechanism:
    passes = training.passes(training.count() or 1)
    return CyclicBatches(noise, training.reach, passes, neighbors=training.neighbors)


SCHEMES: Final[Mapping[str, Scheme]] = {
    "poisson": Scheme(
        lambda run, noise, rate: SubsampledGaussian(noise, 1.0, rate, neighbors=run.neighbors),
        ("add-remove",),
    ),
    "truncated-poisson": Scheme(_capped, ("add-remove",), needs=("batch_cap", "examples")),
    "without-replacement": Scheme(_fixed, needs=("batch_size", "examples"), two_readings=NEIGHBORS),
    "allocation": Scheme(
        lambda run, noise, _: RandomAllocation(noise, 1.0, run.per_pass, neighbors=run.neighbors),
        ("add-remove",),
        uses=lambda run, steps: run.passes(steps),
    ),
    "shuffled": Scheme(_shuffled, uses=lambda run, steps: 1),
    "full-batch": Scheme(
        lambda run, noise, _: Gaussian(noise, run.reach, neighbors=run.neighbors), samples=False
    ),
}


def scheme_word(word: Any) -> str:
    """The word of a scheme; an error with what each of them means."""
    known = meant(SAMPLING, word)
    if known in SCHEMES:
        return str(known)
    means = " ".join(f"{name}: {fill(f'releases.training.is.{name}')}" for name in SCHEMES)
    allowed = " or ".join(SCHEMES)
    raise InvalidInput("sampling", word, allowed, f"{means} {fill('releases.training.sampling')}")
