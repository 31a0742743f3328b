"""A world small enough to enumerate: every posterior, with a record and without it, exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._values import result
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.risk.counterfactual import REPLACEMENTS, Replacement

Numbers = npt.NDArray[Any]
"""Floats, or exact fractions."""
Dataset = tuple[Any, ...]
RecordDrawn = Literal["true-record", "prior"]
Given = Literal["probabilities", "log-probabilities", "log-densities"]
GIVEN: Final[tuple[Given, ...]] = get_args(Given)

LARGEST = 10**7  # numbers in a world
TOTAL = 1e-9  # how far from one probabilities may add up


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class RatioLaw:
    """Values of a ratio of posteriors, rising (inf where the posterior without the record is 0 or
    undefined), and the probability of each. Made by `SmallWorld.law`.
    """

    ratios: Numbers
    probabilities: Numbers

    def exceeding(self, ratio: Any) -> Any:
        """How likely the ratio is above a limit; exact."""
        return self.probabilities[self.ratios > ratio].sum()

    def reaching(self, ratio: Any) -> Any:
        """How likely the ratio is at a limit or above it; exact."""
        return self.probabilities[self.ratios >= ratio].sum()

    @property
    def largest(self) -> Any:
        """The largest ratio that occurs at all."""
        return self.ratios[self.probabilities > 0][-1]


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class SmallWorld:
    """A prior over datasets, a target in them and a mechanism. Made by `enumerate_world`.

    `prior` is the joint belief in a record and a rest (records, rests); `laws` says how likely each
    output is given both (records, rests, outputs), and `law_of` the same for any dataset.
    """

    records: tuple[Any, ...]
    rests: tuple[Dataset, ...]
    outputs: tuple[Any, ...]
    prior: Numbers
    laws: Numbers
    law_of: _LawOf = field(compare=False)
    target: int
    given: Given

    def actual(self) -> Numbers:
        """Posterior of each record at each output, from the data: (records, outputs)."""
        joint, _ = self._joint("resampled", None)
        return np.asarray(joint / joint.sum(axis=0))

    def counterfactual(
        self, replacement: Replacement = "resampled", *, default: Any = None
    ) -> Numbers:
        """Posterior of each record at each output, had the target's record not been used: replaced
        by what the other records say, by a `default`, or dropped. Shape (records, outputs).
        """
        _, joint = self._joint(replacement, default)
        total = joint.sum(axis=0)
        if not np.all(total > 0):
            missing = [y for y, mass in zip(self.outputs, total, strict=True) if not mass > 0]
            raise Meaningless(
                f"Without the record the outputs {missing!r} never occur, so there is no posterior "
                "at them.",
                "Ask for ratio(), which is infinite there.",
            )
        return np.asarray(joint / total)

    def ratio(self, replacement: Replacement = "resampled", *, default: Any = None) -> Numbers:
        """Posterior with the record over posterior without it, shape (records, outputs); inf where
        there is only a posterior with the record, 1 where both are 0.
        """
        joint, other = self._joint(replacement, default)
        total = other.sum(axis=0)
        empty = (other == 0) | (total == 0)
        # two quotients, not two products: beliefs may be as small as floats go
        ratio = joint / np.where(empty, 1, other) * (total / joint.sum(axis=0))
        return np.where(empty, np.where(joint == 0, 1, np.inf), ratio)

    def law(
        self,
        record: Any = None,
        *,
        drawn: RecordDrawn = "true-record",
        truth: Dataset | None = None,
        replacement: Replacement = "resampled",
        default: Any = None,
    ) -> RatioLaw:
        """How the ratio of posteriors is distributed.

        `record` is what the beliefs are about; left out, the true record, itself drawn from the
        prior. The output is as likely as where `record` is the true one, as the prior says
        (`drawn`), or comes from the dataset `truth`, whatever the adversary believes.
        """
        if self.given == "log-densities":
            raise Meaningless(
                "Densities at a few outputs say how beliefs change there, not how likely that is. "
                "Give the probabilities of all outputs."
            )
        one_of("drawn", drawn, get_args(RecordDrawn))
        ratio = self.ratio(replacement, default=default)
        if record is None:
            if truth is not None or drawn != "true-record":
                raise InvalidInput("record", None, "the record that the beliefs are about")
            chances = self._likely()
        else:
            if record not in self.records:
                raise InvalidInput("record", record, f"one of the target's: {self.records!r}")
            row = self.records.index(record)
            ratio, chances = ratio[[row]], self._chances(row, drawn, truth)
        order = np.argsort(ratio.ravel(), kind="stable")
        return RatioLaw(ratio.ravel()[order], chances.ravel()[order])

    def knowing(self, rest: Dataset) -> SmallWorld:
        """The same world to somebody who knows the other records, in order."""
        if tuple(rest) not in self.rests:
            raise InvalidInput("rest", rest, "one of the rests that the prior allows")
        column = self.prior[:, self.rests.index(tuple(rest))]
        weights = {
            _with(record, tuple(rest), self.target): weight / column.sum()
            for record, weight in zip(self.records, column, strict=True)
            if weight > 0
        }
        return _enumerate(weights, self.law_of, self.target)

    def __repr__(self) -> str:
        sizes = f"{len(self.records)} records, {len(self.rests)} rests, {len(self.outputs)} outputs"
        return f"<SmallWorld: {sizes}>"

    def _likely(self) -> Numbers:
        """Probability of each record together with each output."""
        laws = np.exp(self.laws) if self.given != "probabilities" else self.laws
        return np.asarray((self.prior[:, :, None] * laws).sum(axis=1))

    def _chances(self, row: int, drawn: RecordDrawn, truth: Dataset | None) -> Any:
        """Probability of each output, for beliefs about one record."""
        if truth is None:
            joint = self._likely()
            return np.asarray(
                joint.sum(axis=0) if drawn == "prior" else joint[row] / joint[row].sum()
            )
        law = self.law_of(tuple(truth))
        law = np.exp(law) if self.given != "probabilities" else law
        if law.sum() < 1 - TOTAL:
            raise Meaningless(
                f"With {truth!r}, outputs can occur that the adversary considers impossible. At "
                "these outputs there is no posterior."
            )
        return law

    def _joint(self, replacement: Replacement, default: Any) -> tuple[Numbers, Numbers]:
        """Beliefs in a record and an output, with the record and without it, scaled by output."""
        one_of("replacement", replacement, REPLACEMENTS)
        laws = self.laws
        stand_in = None if replacement == "resampled" else self._stand_ins(replacement, default)
        if self.given != "probabilities":
            scale = laws.max(axis=(0, 1))
            if stand_in is not None:
                scale = np.maximum(scale, stand_in.max(axis=0))
                stand_in = np.exp(stand_in - scale)
            laws = np.exp(laws - scale)
        if stand_in is None:
            total = self.prior.sum(axis=0)
            stand_in = (self.prior[:, :, None] * laws).sum(axis=0) / total[:, None]
        joint = (self.prior[:, :, None] * laws).sum(axis=1)
        return joint, (self.prior[:, :, None] * stand_in).sum(axis=1)

    def _stand_ins(self, replacement: Replacement, default: Any) -> Numbers:
        """Laws of the output without the record, for each rest."""
        if replacement == "dropped":
            return np.array([self.law_of(rest) for rest in self.rests])
        return np.array([self.law_of(_with(default, rest, self.target)) for rest in self.rests])


def enumerate_world(
    prior: Mapping[Dataset, Any],
    mechanism: Callable[[Dataset], Any] | Mapping[Dataset, Any],
    *,
    target: int = 0,
    outputs: Sequence[Any] | None = None,
    given: Given = "probabilities",
) -> SmallWorld:
    """A prior over datasets and a mechanism, written out in full.

    Parameters
    ----------
    prior : mapping of tuple to float or Fraction
        Belief in each dataset, which is a tuple of one record for each person. [0, 1]; adds up to
        one. Datasets without belief may be left out.
    mechanism : callable or mapping
        From a dataset to how its outputs are distributed: a mapping from output to probability, or
        a list of probabilities in the order of `outputs`. It may ignore the order of the records.
    target : int
        Place of the target's record in a dataset. [0, n)
    outputs : sequence, optional
        The outputs, where the mechanism returns lists; their numbers if left out.
    given : {"probabilities", "log-probabilities", "log-densities"}
        What the mechanism returns. Logarithms reach further down; densities at a few outputs are
        enough for posteriors.

    Returns
    -------
    SmallWorld
        Posteriors ``actual()`` and ``counterfactual(replacement)``, their ``ratio(replacement)``
        and its ``law(record)``: exact fractions where all numbers given are; otherwise floats.

    Raises
    ------
    InvalidInput
        If datasets differ in length, probabilities are negative or do not add up to one, the target
        has no place, or the world is not small.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from dprisk.risk import enumerate_world
    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> sisters = {("ill", "ill"): half, ("well", "well"): half}  # what one has, the other has
    >>> def told(data):  # what the first has, or its opposite
    ...     return [1 - third, third] if data[0] == "ill" else [third, 1 - third]
    >>> world = enumerate_world(sisters, told, outputs=["ill", "well"])
    >>> print(world.actual()[0, 0], world.counterfactual()[0, 0])
    2/3 2/3
    """
    one_of("given", given, GIVEN)
    if not callable(mechanism) and not isinstance(mechanism, Mapping):
        allowed = "a function of a dataset, or a mapping from one"
        raise InvalidInput("mechanism", mechanism, allowed)
    weights = _believed(prior, target)
    laws = [_law(mechanism, dataset) for dataset in weights]
    if outputs is not None:
        listed = tuple(outputs)
    elif isinstance(laws[0], Mapping):
        listed = tuple(dict.fromkeys(output for law in laws for output in law))
    else:
        listed = tuple(range(len(laws[0])))
    return _enumerate(weights, _LawOf(mechanism, listed, given), target)


def _enumerate(weights: Mapping[Dataset, Any], law_of: _LawOf, target: int) -> SmallWorld:
    records = tuple(dict.fromkeys(dataset[target] for dataset in weights))
    rests = tuple(dict.fromkeys((*d[:target], *d[target + 1 :]) for d in weights))
    if len(records) * len(rests) * len(law_of.outputs) > LARGEST:
        raise InvalidInput(
            "prior",
            f"{len(weights)} datasets",
            f"at most {LARGEST} numbers",
            "A world is meant to be small: leave out records, datasets or outputs.",
        )
    belief = _probabilities("prior", list(weights.values()))
    found = {dataset: law_of(dataset) for dataset in weights}
    kind = next(iter(found.values())).dtype if belief.dtype == object else np.dtype(float)
    shape = (len(records), len(rests))
    prior = np.zeros(shape, dtype=kind)
    laws = np.full((*shape, len(law_of.outputs)), law_of.absent, dtype=kind)
    for (dataset, law), weight in zip(found.items(), belief, strict=True):
        rest = (*dataset[:target], *dataset[target + 1 :])
        at = records.index(dataset[target]), rests.index(rest)
        prior[at], laws[at] = weight, law
    possible = np.flatnonzero((laws != law_of.absent).any(axis=(0, 1)))
    kept = replace(law_of, places=law_of.places[possible])
    shown = laws[:, :, possible]
    return SmallWorld(records, rests, kept.outputs, prior, shown, kept, target, law_of.given)


@final
@dataclass(frozen=True)
class _LawOf:
    """How the outputs are distributed, for any dataset."""

    mechanism: Callable[[Dataset], Any] | Mapping[Dataset, Any]
    listed: tuple[Any, ...]
    given: Given
    places: Any = None

    def __post_init__(self) -> None:
        if self.places is None:
            object.__setattr__(self, "places", np.arange(len(self.listed)))

    @property
    def outputs(self) -> tuple[Any, ...]:
        """The outputs that are looked at, in order."""
        return tuple(self.listed[place] for place in self.places)

    @property
    def absent(self) -> float:
        """The number of an output that does not occur."""
        return 0 if self.given == "probabilities" else -np.inf

    def __call__(self, dataset: Dataset) -> Numbers:
        """The law for one dataset."""
        law = _law(self.mechanism, dataset)
        if isinstance(law, Mapping):
            extra = [y for y in law if y not in self.listed and law[y] != self.absent]
            if extra:
                raise InvalidInput("outputs", extra, "listed where one dataset leads to them")
            law = [law.get(output, self.absent) for output in self.listed]
        values = list(law)
        if len(values) != len(self.listed):
            raise InvalidInput(
                "mechanism", len(values), f"one number for each of {len(self.listed)}"
            )
        name = f"mechanism at {dataset!r}"
        if self.given == "probabilities":
            return np.asarray(_probabilities(name, values)[self.places])
        logs = np.array(values, dtype=float)
        if np.isnan(logs).any() or (logs == np.inf).any():
            raise InvalidInput(name, values, "logarithms below infinity")
        if self.given == "log-probabilities":
            _probabilities(name, np.exp(np.minimum(logs, 1.0)).tolist())
        return np.asarray(logs[self.places])


def _law(mechanism: Any, dataset: Dataset) -> Any:
    if callable(mechanism):
        return mechanism(dataset)
    if dataset not in mechanism:
        raise InvalidInput("mechanism", dataset, "given for every dataset that is asked about")
    return mechanism[dataset]


def _believed(prior: Any, target: Any) -> dict[Dataset, Any]:
    """Datasets that are believed possible, and how much."""
    if not isinstance(prior, Mapping) or not prior:
        raise InvalidInput("prior", prior, "a mapping from datasets to beliefs")
    lengths = {len(dataset) if isinstance(dataset, tuple) else 0 for dataset in prior}
    if len(lengths) != 1 or 0 in lengths:
        raise InvalidInput("prior", list(prior), "about tuples of records, all of one length")
    if isinstance(target, bool) or target not in range(lengths.pop()):
        raise InvalidInput("target", target, "a place in the datasets, counted from 0")
    _probabilities("prior", list(prior.values()))
    return {dataset: weight for dataset, weight in prior.items() if weight > 0}


def _probabilities(name: str, values: Sequence[Any]) -> Numbers:
    """Probabilities as fractions, or as floats that add up to one."""
    allowed = "probabilities that add up to one"
    exactly = all(isinstance(v, (int, Fraction)) and not isinstance(v, bool) for v in values)
    try:
        found = np.array(
            [Fraction(v) for v in values] if exactly else values, dtype=object if exactly else float
        )
    except (TypeError, ValueError):
        raise InvalidInput(name, values, allowed) from None
    off = abs(found.sum() - 1) if found.ndim == 1 else np.inf
    if not off <= (0 if exactly else TOTAL) or not np.all(found >= 0):
        raise InvalidInput(name, values, allowed)
    return found if exactly else found / found.sum()


def _with(record: Any, rest: Dataset, target: int) -> Dataset:
    return (*rest[:target], record, *rest[target:])
