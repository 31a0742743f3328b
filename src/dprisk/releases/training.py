"""DP-SGD in the words of training logs: noise multiplier, rate, batches and steps."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from fractions import Fraction
from typing import Any, Final, Literal, cast, final, get_args

from dprisk._checks import FINITE_POSITIVE, assign, scalar, whole
from dprisk._numeric.exact import rounded_up
from dprisk.errors import Contradictory, InvalidInput, one_of
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.mechanisms.base import SHARE, Mechanism
from dprisk.releases.cautions import about_batches, about_noise
from dprisk.releases.notes import Note
from dprisk.releases.release import Part, Release
from dprisk.releases.schemes import SCHEMES, Scheme, scheme_word
from dprisk.releases.spelling import as_decimal, meant
from dprisk.text import fill

KIND: Final = "dp-sgd"
NAME: Final = "DP-SGD training run"
Relative = Literal["clipping-norm", "distance"]
RELATIVE: Final[tuple[Relative, ...]] = get_args(Relative)
MOST_STEPS: Final = 10**9
FRACTION: Final = re.compile(r"\d{1,20}\s*/\s*[1-9]\d{0,19}", re.ASCII)
AGREE: Final = "in agreement"
AGREED: Final = 1e-3  # relative: two rates that may be roundings of one
SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "noise_multiplier": (),
    "sampling": ("sampling_method", "sampling_scheme"),
    "sample_rate": ("sampling_rate", "sampling_probability", "sampling_ratio"),
    "batch_size": ("expected_batch_size",),
    "examples": ("dataset_size", "num_examples"),
    "steps": ("num_steps", "iterations"),
    "epochs": ("num_epochs",),
    "noise_relative_to": (),
    "batch_cap": ("max_batch_size",),
}
"""The keys of a training, and other names that tools have for them."""
READINGS: Final[Mapping[str, str]] = {"sum-distance": "distance"}
KEYS: Final = tuple(each for name, others in SPELLINGS.items() for each in (name, *others))


@final
@dataclass(frozen=True)
class Training:
    """DP-SGD as far as it is described: what is None may still be asked for, or be solved for."""

    _: KW_ONLY
    sampling: Any
    neighbors: Any
    noise_multiplier: Any = None
    sample_rate: Any = None
    batch_size: Any = None
    examples: Any = None
    steps: Any = None
    epochs: Any = None
    noise_relative_to: Any = None
    batch_cap: Any = None

    def __post_init__(self) -> None:
        neighbors = one_of("neighbors", self.neighbors, NEIGHBORS)
        assign(self, sampling=scheme_word(self.sampling))
        domains = {
            "noise_multiplier": FINITE_POSITIVE,
            "sample_rate": SHARE,
            "epochs": FINITE_POSITIVE,
        }
        for name, domain in domains.items():
            if getattr(self, name) is not None:
                assign(self, **{name: scalar(name, _read(name, getattr(self, name)), domain)})
        for name in ("batch_size", "examples", "steps", "batch_cap"):
            if getattr(self, name) is not None:
                assign(self, **{name: whole(name, _read(name, getattr(self, name)), 1)})
        if neighbors not in self.scheme.relations:
            known = " or ".join(self.scheme.relations)
            fix = fill("releases.training.relation.fix", sampling=self.sampling)
            raise InvalidInput("neighbors", neighbors, f"{known} with {self.sampling}", fix)
        if self.batch_cap is not None and "batch_cap" not in self.scheme.needs:
            shown, fix = f"{self.sampling} and {self.batch_cap}", fill("releases.training.cap.fix")
            raise Contradictory("sampling and batch_cap", shown, AGREE, fix)
        self._settle_reading()
        self._check_rate()
        self._check_steps()

    @property
    def scheme(self) -> Scheme:
        """The way in which batches are drawn."""
        return SCHEMES[self.sampling]

    @property
    def reach(self) -> float:
        """Most by which the sum of a batch moves between neighbors, in clipping norms or, where
        the noise is relative to it, in itself."""
        return 2.0 if self.noise_relative_to == "clipping-norm" and self._has_two else 1.0

    @property
    def rate(self) -> float | None:
        """The share of the records in a batch, rounded up; None where it is not known."""
        if not self.scheme.samples:
            return 1.0
        if self.sample_rate is None and None in (self.batch_size, self.examples):
            return None
        return max(self.sample_rate or 0.0, self._share or 0.0)

    @property
    def per_pass(self) -> int:
        """The steps of one pass over the data, rounded down: in fewer, each record counts more."""
        return max(int(1 / self._per_epoch(self.rate or 1.0)), 1)

    def passes(self, steps: int) -> int:
        """How often the data are gone through in so many steps, the last pass in full."""
        if self.epochs is not None:
            return math.ceil(float(self.epochs))
        return -(-steps // self.per_pass)

    def uses(self) -> int | None:
        """How often the mechanism is used; None where it is not known."""
        steps = self.count()
        return None if steps is None else self.scheme.uses(self, steps)

    def count(self, rate: float | None = None) -> int | None:
        """The number of steps, epochs in part taken as a whole; None where it is not known."""
        if self.steps is not None:
            return cast(int, self.steps)
        rate = self.rate if rate is None else rate
        if self.epochs is None or rate is None:
            return None
        steps = -(-Fraction(self.epochs) // self._per_epoch(rate))
        return whole("epochs divided by the rate", float(steps), 1, MOST_STEPS)

    def run(self, noise: float, rate: float) -> Mechanism:
        """The mechanism of one use."""
        return self.scheme.make(self, noise, rate)

    def part(self, count: int = 1, label: str = "", written: str | None = None) -> Part:
        """The part of a release that it is; refused while something is missing."""
        self._complete()
        uses, rate = cast(int, self.uses()), cast(float, self.rate)
        mechanism = self.run(self.noise_multiplier, rate)
        part = Part.of(mechanism, whole("steps", uses * count, 1), label)
        given = {name: text.removesuffix(".0") for name, text in part.given.items()}
        if written is not None and float(written) == self.noise_multiplier:
            given["sigma"] = written
        return replace(part, given=given)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Warnings for whoever reads the numbers."""
        found = about_batches(self.sampling, self.batch_size)
        rate, steps = self.rate, self.count()
        if self.noise_multiplier is not None and rate is not None and steps is not None:
            found += about_noise(self.noise_multiplier / self.reach, rate, steps)
        return tuple(found)

    @property
    def _has_two(self) -> bool:
        """Whether the noise multiplier has two readings."""
        return self.neighbors in self.scheme.two_readings

    @property
    def _share(self) -> float | None:
        """Batch over examples, rounded up."""
        if self.batch_size is None or self.examples is None:
            return None
        return rounded_up(Fraction(self.batch_size, self.examples))

    def _per_epoch(self, rate: float) -> Fraction:
        """The part of an epoch that one step is."""
        if self.batch_size is not None and self.examples is not None:
            return Fraction(self.batch_size, self.examples)
        return Fraction(repr(rate))

    def _settle_reading(self) -> None:
        """The noise multiplier has two readings where a record is replaced: it is asked for."""
        name, value = "noise_relative_to", self.noise_relative_to
        if value is not None:
            assign(self, noise_relative_to=one_of(name, meant(READINGS, value), RELATIVE))
        elif self._has_two:
            allowed = "clipping-norm or distance"
            raise InvalidInput(name, None, allowed, fill("releases.training.relative.fix"))

    def _check_rate(self) -> None:
        """Refuse a rate that the batch and the examples contradict."""
        batch, examples, rate = self.batch_size, self.examples, self.sample_rate
        if batch is not None and examples is not None and batch > examples:
            fix = "A batch holds at most every example."
            raise Contradictory("batch_size and examples", f"{batch} and {examples}", AGREE, fix)
        if not self.scheme.samples:
            if (rate or 1.0) < 1.0 or (self._share or 1.0) < 1.0:
                fix = "A full batch has every example in every step."
                shown = f"{self.sampling} and {rate or self._share:.6g}"
                name = "sampling and " + ("sample_rate" if rate else "batch_size / examples")
                raise Contradictory(name, shown, AGREE, fix)
            return
        share = self._share
        if rate is not None and share is not None and abs(rate - share) > AGREED * share:
            names = "sample_rate and batch_size / examples"
            fix = "Leave out the one that is wrong."
            raise Contradictory(names, f"{rate!r} and {share:.6g}", AGREE, fix)

    def _check_steps(self) -> None:
        """Refuse steps that the epochs contradict; an epoch may leave out or fill up a batch."""
        rate = self.rate
        if self.steps is None or self.epochs is None or rate is None:
            return
        whole_batches = 1 / self._per_epoch(rate)
        low = Fraction(self.epochs) * max(whole_batches // 1, 1) - 1
        high = Fraction(self.epochs) * -(-whole_batches // 1) + 1
        if not low <= self.steps <= high:
            meant_steps = float(Fraction(self.epochs) * whole_batches)
            fix = (
                f"{self.epochs:g} epochs of {float(whole_batches):.6g} batches are "
                f"{meant_steps:.6g} steps. Leave out the one that is wrong."
            )
            raise Contradictory("steps and epochs", f"{self.steps} and {self.epochs:g}", AGREE, fix)

    @property
    def given(self) -> dict[str, Any]:
        """Its words, as far as they are known."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def missing(self) -> tuple[str, ...]:
        """Which of noise, rate and steps are not known: each by what has to be given."""
        known = {
            "noise_multiplier": self.noise_multiplier,
            "sample_rate": self.rate,
            "steps": self.steps if self.steps is not None else self.epochs,
        }
        if "batch_size" in self.scheme.needs and self.batch_size is None:
            known["sample_rate"] = None
        known |= {name: getattr(self, name) for name in self.scheme.needs if name != "batch_size"}
        return tuple(name for name, value in known.items() if value is None)

    def _complete(self) -> None:
        if self.missing:
            name = self.missing[0]
            allowed, fix = (fill(f"releases.training.{name}{end}") for end in ("", ".fix"))
            raise InvalidInput(name, None, allowed, fix)


def _read(name: str, value: Any) -> Any:
    """A number, also one in text; a rate may be a fraction, such as 256/60000."""
    if not isinstance(value, str):
        return value
    if name == "sample_rate" and FRACTION.fullmatch(value.strip()):
        over, under = value.split("/")
        return rounded_up(Fraction(int(over), int(under)))
    text = as_decimal(value)
    if text is None:
        allowed = "a number, or a fraction such as 256/60000"
        allowed = allowed if name == "sample_rate" else "a number in decimal text"
        raise InvalidInput(name, value, allowed, "Write it out, such as 0.01 or 5000.")
    return float(text)


def share(name: str, value: Any) -> float:
    """A rate: a number above 0 and at most 1, or a fraction such as 256/60000."""
    return scalar(name, _read("sample_rate", value), SHARE)


def describes(given: Mapping[str, Any]) -> list[str]:
    """The keys by which a part is DP-SGD; none where it is something else."""
    if given.get("kind") not in (None, KIND):
        return []
    found = [name for name in given if name in KEYS]
    sure = {"noise_multiplier", "sample_rate", "sampling", *SPELLINGS["sample_rate"]}
    return found if given.get("kind") == KIND or sure & {*found} else []


def by_keys(given: Mapping[str, Any], neighbors: Neighbors) -> Training:
    """The training that keys of a file describe."""
    found: dict[str, Any] = {}
    for name in given:
        one_of("parameters", name, KEYS)
    for name, others in SPELLINGS.items():
        said = [each for each in (name, *others) if each in given]
        if len(said) > 1:
            both = f"{given[said[0]]} and {given[said[1]]}"
            raise Contradictory(
                f"{said[0]} and {said[1]}", both, AGREE, "They mean the same: keep one."
            )
        if said:
            found[name] = given[said[0]]
    return Training(**{"sampling": None, **found}, neighbors=neighbors)


def dp_sgd(  # noqa: PLR0913
    noise_multiplier: float,
    *,
    sampling: str,
    neighbors: Neighbors,
    sample_rate: float | str | None = None,
    batch_size: int | None = None,
    examples: int | None = None,
    steps: int | None = None,
    epochs: float | None = None,
    noise_relative_to: Relative | None = None,
    batch_cap: int | None = None,
) -> Release:
    """A training run with DP-SGD, described as in its log, as a release.

    Parameters
    ----------
    noise_multiplier : float
        Standard deviation of the noise in each sum of gradients, over the clipping norm. (0, inf)
    sampling : str
        How batches are drawn. ``"poisson"``: each record joins each batch by a coin of its own;
        ``"truncated-poisson"``: the same, cut at a `batch_cap`; ``"without-replacement"``: batches
        of one size, each drawn anew; ``"allocation"``: in each epoch each record joins one step,
        drawn by itself; ``"shuffled"``: batches of one size, one pass after another, in any order;
        ``"full-batch"``: each batch has every record.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: add-remove with Poisson sampling and with allocation.
    sample_rate : float or str, optional
        Chance of each record to be in a batch, also as ``"256/60000"``. (0, 1]
    batch_size, examples : int, optional
        Mean size of a batch and number of records, in place of the rate. [1, 10^9]
    steps : int, optional
        Number of batches in all. [1, 10^9]
    epochs : float, optional
        Passes over the data, in place of the steps; a part of a step counts as a whole. (0, inf)
    noise_relative_to : {"clipping-norm", "distance"}, optional
        Under replace-one two readings of the noise multiplier differ: relative to the norm to
        which each gradient is clipped, or to the distance of the two sums, which is twice that.
        Under add-remove both are the same, but for sampling without replacement.
    batch_cap : int, optional
        Largest batch, of truncated Poisson sampling. [1, 10^9]

    Returns
    -------
    Release
        What every function takes that takes a release; its notes say what may be wrong with it.

    Raises
    ------
    Contradictory
        If two of the numbers contradict each other.
    InvalidInput
        If something is missing, a word is unknown or a number is outside its range.

    References
    ----------
    .. [1] M. Abadi and others, Deep learning with differential privacy, CCS 2016.

    Examples
    --------
    >>> from dprisk import assess, dp_sgd
    >>> run = dp_sgd(
    ...     1.1, sampling="poisson", neighbors="add-remove", sample_rate=0.01, steps=5000
    ... )
    >>> run.parts[0].mechanism
    SubsampledGaussian(sigma=1.1, sensitivity=1.0, rate=0.01, neighbors='add-remove')
    >>> round(assess(run, prior=0.5).statements[0].find("posterior", 0.5).upper, 3)
    0.924
    """
    training = Training(
        noise_multiplier=noise_multiplier,
        sampling=sampling,
        neighbors=neighbors,
        sample_rate=sample_rate,
        batch_size=batch_size,
        examples=examples,
        steps=steps,
        epochs=epochs,
        noise_relative_to=noise_relative_to,
        batch_cap=batch_cap,
    )
    return as_release(training)


def as_release(training: Training, unit: str | None = None) -> Release:
    """A training that is fully described, as a release of one part."""
    made = Release.of(training.part(), name=NAME, unit=unit)
    return replace(made, notes=training.notes)
