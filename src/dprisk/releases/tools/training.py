"""DP-SGD as other tools keep it, steps of a noise multiplier and a rate, as parts of a release."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

from dprisk.errors import Meaningless
from dprisk.mechanisms import SubsampledGaussian, SubsampledGaussianRange
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.schemes import SCHEMES
from dprisk.releases.tools.asked import Lacking
from dprisk.releases.tools.found import Found
from dprisk.releases.training import Training

NEAR: Final = 1e-5
"""How far apart, relatively, rates are that are read as one, between the smallest and largest."""
MOST_NOISE: Final = 1e9
BESIDE: Final = ("batch_size", "batch_cap", "examples", "noise_relative_to")
EXAMPLE: Final = "example"


@final
@dataclass(frozen=True)
class TrainingSteps:
    """Some steps alike, or nearly: their noise multiplier, rates from `least` to `rate`, how many.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise over the clipping norm. (0, inf)
    rate : float
        Largest expected share of the records in a batch. (0, 1]
    count : int
        How many steps. [1, 10^9]
    least : float
        Smallest such share; 0 where it is `rate`.
    """

    sigma: float
    rate: float
    count: int
    least: float = 0.0


def steps_of(found: Found, entry: Any, where: str) -> TrainingSteps:
    """An entry of a history: a noise multiplier, a rate and how many steps."""
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 3:
        problem = f"{where} must hold a noise multiplier, a sample rate and a number of steps."
        raise found.wrong(problem, "Save the state of the accountant again.", where)
    sigma, rate, count = entry
    return TrainingSteps(
        noise_of(found, sigma, f"{where}, noise multiplier"),
        rate_of(found, rate, f"{where}, sample rate"),
        found.count(count, f"{where}, steps"),
    )


def noise_of(found: Found, value: Any, where: str) -> float:
    """A noise multiplier: with 0 there is no promise at all."""
    fix = "Without noise there is no guarantee: leave these steps out only if they never ran."
    return found.number(value, where, most=MOST_NOISE, fix=fix)


def rate_of(found: Found, value: Any, where: str) -> float:
    """A sampling rate."""
    fix = "A rate is the expected batch size divided by the number of examples, such as 0.01."
    return found.number(value, where, most=1.0, fix=fix)


def gathered(steps: Iterable[TrainingSteps]) -> tuple[TrainingSteps, ...]:
    """Steps with the same noise and the same rate, or nearly, together; in order of first use."""
    by_noise: dict[float, dict[float, int]] = {}
    for each in steps:
        rates = by_noise.setdefault(each.sigma, {})
        rates[each.rate] = rates.get(each.rate, 0) + each.count
    near = (_near(sigma, sorted(rates.items())) for sigma, rates in by_noise.items())
    return tuple(made for each in near for made in each)


def _near(sigma: float, rates: list[tuple[float, int]]) -> Iterable[TrainingSteps]:
    least, last, count = rates[0][0], rates[0][0], 0
    for rate, times in rates:
        if rate > least * (1.0 + NEAR):
            yield TrainingSteps(sigma, last, count, least)
            least, count = rate, 0
        last, count = rate, count + times
    yield TrainingSteps(sigma, last, count, least)


def parts(steps: Iterable[TrainingSteps], known: Mapping[str, Any]) -> tuple[Part, ...]:
    """The parts that steps of DP-SGD add to a release, by how batches were drawn.

    Raises
    ------
    Lacking
        If something that the scheme needs, or the reading of the noise multiplier, is not known.
    Meaningless
        If there is no mechanism for the sampling under these neighbors.
    """
    sampling, neighbors = known["sampling"], known["neighbors"]
    scheme = SCHEMES[sampling]
    if neighbors not in scheme.relations:
        raise Meaningless(
            f"dprisk has no mechanism yet for sampling={sampling} with neighbors={neighbors}.",
            f"Known with {sampling}: neighbors={' or '.join(scheme.relations)}.",
        )
    relative = ("noise_relative_to",) if neighbors in scheme.two_readings else ()
    for name in (*relative, *scheme.needs):
        if name not in known and name != "batch_size":  # which the rate and the examples say
            raise Lacking(name)
    if sampling == "poisson":
        return tuple(Part.of(_sampled(each), each.count) for each in gathered(steps))
    if not scheme.samples:
        steps = merged(gathered(steps))
    return tuple(_training(each, known).part() for each in steps)


def capped(known: Mapping[str, Any], cap: int) -> Mapping[str, Any]:
    """The answers for batches that are cut at a largest size, which adds to the loss."""
    if known["sampling"] != "poisson":
        raise Meaningless(
            f"Batches were cut at {cap} examples, and dprisk has no mechanism for that with "
            f"sampling={known['sampling']}.",
            "It has one for Poisson sampling with neighbors=add-remove.",
        )
    return {**known, "sampling": "truncated-poisson", "batch_cap": cap}


def _training(steps: TrainingSteps, known: Mapping[str, Any]) -> Training:
    """Steps as the table of schemes has them; a batch of one size is the rate of the examples."""
    given = {name: known[name] for name in BESIDE if name in known}
    if "batch_size" in SCHEMES[known["sampling"]].needs:
        share = Fraction(repr(steps.rate)) * int(known["examples"])
        given.setdefault("batch_size", max(1, math.ceil(share - Fraction(1, 10**6))))
    return Training(
        sampling=known["sampling"],
        neighbors=known["neighbors"],
        noise_multiplier=steps.sigma,
        sample_rate=steps.rate,
        steps=steps.count,
        **given,
    )


def merged(steps: Iterable[TrainingSteps]) -> tuple[TrainingSteps, ...]:
    """Steps by their noise alone, where every record takes part in each."""
    counts: dict[float, int] = {}
    for each in steps:
        counts[each.sigma] = counts.get(each.sigma, 0) + each.count
    return tuple(TrainingSteps(sigma, 1.0, count) for sigma, count in counts.items())


def distance(known: Mapping[str, Any]) -> float:
    """How far a record moves the sum of a batch, in the unit of the noise multiplier."""
    if known["neighbors"] == "add-remove":
        return 1.0
    if "noise_relative_to" not in known:
        raise Lacking("noise_relative_to")
    return 2.0 if known["noise_relative_to"] == "clipping-norm" else 1.0


def _sampled(steps: TrainingSteps) -> Mechanism:
    least = steps.least or steps.rate
    if least == steps.rate:
        return SubsampledGaussian(steps.sigma, 1.0, steps.rate, neighbors="add-remove")
    return SubsampledGaussianRange(steps.sigma, 1.0, steps.rate, least, neighbors="add-remove")


def about_rates(steps: Iterable[TrainingSteps]) -> list[Note]:
    """That several rates are read as one."""
    many = [each for each in gathered(steps) if 0.0 < each.least < each.rate]
    return [
        Note(
            "assumed",
            f"Sample rates from {each.least!r} to {each.rate!r} are read as one: the upper end of "
            "each answer holds for the largest, the lower end for the smallest.",
        )
        for each in many
    ]
