"""A world small enough to enumerate: every posterior, with a record and without it, exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, final, get_args

import numpy as np

from dprisk._checks import one_of
from dprisk._values import result
from dprisk.errors import InvalidInput, Meaningless
from dprisk.risk.knowledge import REPLACEMENTS, Replacement
from dprisk.risk.ratio_law import RatioLaw
from dprisk.risk.world_input import (
    GIVEN,
    TOTAL,
    Dataset,
    Given,
    Numbers,
    all_outputs,
    believed,
    distribution,
    joined,
    law_in_order,
    looked_up,
)
from dprisk.text import english, fill

Drawn = Literal["true-record", "prior"]
DRAWN: Final[tuple[Drawn, ...]] = get_args(Drawn)

LARGEST = 10**7  # numbers in a world
FIX = english("risk.world.small")


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class SmallWorld:
    """A prior over datasets, a target in them and a mechanism. Made by `enumerate_world`.

    Parameters
    ----------
    records : tuple
        The records that the target may have.
    rests : tuple of tuple
        What the other records may be.
    outputs : tuple
        The outputs that the adversary holds to be possible.
    prior : ndarray
        Joint belief in a record and a rest, shape (records, rests). [0, 1]
    laws : ndarray
        How likely each output is, given both: probabilities or logarithms, shape (records, rests,
        outputs).
    law_of : callable
        The same for any dataset, shape (outputs,).
    target : int
        Place of the target's record in a dataset. [0, n)
    given : {"probabilities", "log-probabilities", "log-densities"}
        What `laws` are.
    """

    records: tuple[Any, ...]
    rests: tuple[Dataset, ...]
    outputs: tuple[Any, ...]
    prior: Numbers
    laws: Numbers
    law_of: Callable[[Dataset], Numbers] = field(compare=False)
    target: int
    given: Given

    def actual(self) -> Numbers:
        """Posterior of each record at each output, from the data as they are.

        Returns
        -------
        ndarray
            Probabilities, shape (records, outputs). [0, 1]
        """
        joint, _ = self._joint("resampled", None)
        return np.asarray(joint / joint.sum(axis=0))

    def counterfactual(self, world: Replacement = "resampled", *, default: Any = None) -> Numbers:
        """Posterior of each record at each output, had the target's record not been used.

        Parameters
        ----------
        world : {"resampled", "default-record", "dropped"}
            What stands in for the record.
        default : object, optional
            The record that stands in for it, for "default-record".

        Returns
        -------
        ndarray
            Probabilities, shape (records, outputs). [0, 1]

        Raises
        ------
        Meaningless
            If an output cannot occur without the record: then there is no posterior.
        """
        _, joint = self._joint(world, default)
        total = joint.sum(axis=0)
        if not np.all(total > 0):
            missing = [y for y, mass in zip(self.outputs, total, strict=True) if not mass > 0]
            raise Meaningless(
                fill("risk.world.never", outputs=repr(missing)),
                fill("risk.world.never.fix"),
            )
        return np.asarray(joint / total)

    def ratio(self, world: Replacement = "resampled", *, default: Any = None) -> Numbers:
        """Posterior with the record over posterior without it, for each record at each output.

        Parameters
        ----------
        world : {"resampled", "default-record", "dropped"}
            What stands in for the record.
        default : object, optional
            The record that stands in for it, for "default-record".

        Returns
        -------
        ndarray
            Ratios, shape (records, outputs); inf where there is only a posterior with the record,
            1 where both are 0. [0, inf]
        """
        joint, other = self._joint(world, default)
        total = other.sum(axis=0)
        empty = (other == 0) | (total == 0)
        # two quotients, not two products: beliefs may be as small as floats go
        ratio = joint / np.where(empty, 1, other) * (total / joint.sum(axis=0))
        return np.where(empty, np.where(joint == 0, 1, np.inf), ratio)

    def law(
        self,
        record: Any = None,
        *,
        drawn: Drawn = "true-record",
        truth: Dataset | None = None,
        world: Replacement = "resampled",
        default: Any = None,
    ) -> RatioLaw:
        """How the ratio of posteriors is distributed.

        Parameters
        ----------
        record : object, optional
            The record that the beliefs are about. Left out: the true record, itself drawn from the
            prior.
        drawn : {"true-record", "prior"}
            Whether the output is as likely as where `record` is the true one, or as the prior says.
        truth : tuple, optional
            The dataset that the output really comes from, whatever the adversary believes; it takes
            the place of `drawn`.
        world : {"resampled", "default-record", "dropped"}
            What stands in for the record.
        default : object, optional
            The record that stands in for it, for "default-record".

        Returns
        -------
        RatioLaw
            Its values and their probabilities.

        Raises
        ------
        InvalidInput
            If the record is none of the target's, or is left out although it is needed.
        Meaningless
            If the mechanism was given by densities, or the truth leads to outputs that the
            adversary holds to be impossible.
        """
        if self.given == "log-densities":
            raise Meaningless(fill("risk.world.densities"))
        one_of("drawn", drawn, DRAWN)
        ratio = self.ratio(world, default=default)
        if record is None:
            if truth is not None or drawn != "true-record":
                raise InvalidInput("record", None, fill("risk.world.record"))
            chances = self._likely()
        else:
            rows = slice((row := self._row(record)), row + 1)
            ratio = ratio[rows]
            chances = self._drawn(rows, drawn, truth)
        order = np.argsort(ratio.ravel(), kind="stable")
        return RatioLaw(ratio.ravel()[order], chances.ravel()[order])

    def knowing(self, rest: Dataset) -> SmallWorld:
        """The same world to somebody who knows the other records.

        Parameters
        ----------
        rest : tuple
            The other records, in order.

        Returns
        -------
        SmallWorld
            With one rest only.

        Raises
        ------
        InvalidInput
            If the prior rules that rest out.
        """
        if tuple(rest) not in self.rests:
            raise InvalidInput("rest", rest, fill("risk.world.rest"))
        column = self.prior[:, self.rests.index(tuple(rest))]
        weights = {
            joined(record, tuple(rest), self.target): weight / column.sum()
            for record, weight in zip(self.records, column, strict=True)
            if weight > 0
        }
        return _enumerated(weights, self.law_of, self.target, self.outputs, self.given)

    def __repr__(self) -> str:
        sizes = f"{len(self.records)} records, {len(self.rests)} rests, {len(self.outputs)} outputs"
        return f"<SmallWorld: {sizes}>"

    def _row(self, record: Any) -> int:
        if record not in self.records:
            allowed = fill("risk.world.target", records=repr(self.records))
            raise InvalidInput("record", record, allowed)
        return self.records.index(record)

    def _likely(self) -> Numbers:
        """Probability of each record together with each output."""
        laws = np.exp(self.laws) if self.given != "probabilities" else self.laws
        return np.asarray((self.prior[:, :, None] * laws).sum(axis=1))

    def _drawn(self, rows: slice, drawn: Drawn, truth: Dataset | None) -> Numbers:
        if truth is None:
            joint = self._likely()
            chances = joint.sum(axis=0) if drawn == "prior" else joint[rows] / joint[rows].sum()
            return np.asarray(chances)
        law = self.law_of(tuple(truth))
        law = np.exp(law) if self.given != "probabilities" else law
        if law.sum() < 1 - TOTAL:
            raise Meaningless(fill("risk.world.impossible", truth=repr(truth)))
        return np.asarray(law)

    def _joint(self, world: Replacement, default: Any) -> tuple[Numbers, Numbers]:
        """Beliefs in a record and an output, with the record and without it, scaled by output."""
        one_of("world", world, REPLACEMENTS)
        laws = self.laws
        stand_in = None if world == "resampled" else self._stand_ins(world, default)
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

    def _stand_ins(self, world: Replacement, default: Any) -> Numbers:
        """Laws of the output without the record, for each rest."""
        if world == "dropped":
            return np.array([self.law_of(rest) for rest in self.rests])
        return np.array([self.law_of(joined(default, rest, self.target)) for rest in self.rests])


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
        Posteriors with and without the record, their ratio and how it is distributed. All numbers
        are exact fractions where all numbers given are fractions or whole; otherwise floats.

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
    >>> print(world.counterfactual("default-record", default="well")[0, 0])
    1/2
    """
    one_of("given", given, GIVEN)
    laws = mechanism if callable(mechanism) else looked_up(mechanism)
    weights = believed(prior, target)
    listed = all_outputs(outputs, [laws(dataset) for dataset in weights])
    law_of = partial(_in_order, laws, listed, given)
    return _enumerated(weights, law_of, target, listed, given)


def _in_order(
    laws: Callable[[Dataset], Any], outputs: tuple[Any, ...], given: Given, dataset: Dataset
) -> Numbers:
    return law_in_order(laws(dataset), outputs, given, dataset)


def _enumerated(
    weights: Mapping[Dataset, Any],
    law_of: Callable[[Dataset], Numbers],
    target: int,
    outputs: tuple[Any, ...],
    given: Given,
) -> SmallWorld:
    records = tuple(dict.fromkeys(dataset[target] for dataset in weights))
    rests = tuple(dict.fromkeys((*d[:target], *d[target + 1 :]) for d in weights))
    if len(records) * len(rests) * len(outputs) > LARGEST:
        raise InvalidInput(
            "prior",
            fill("risk.world.numbers", number=len(weights)),
            fill("risk.world.most", most=LARGEST),
            FIX,
        )
    belief = distribution("prior", list(weights.values()))
    found = {dataset: law_of(dataset) for dataset in weights}
    kind = next(iter(found.values())).dtype if belief.dtype == object else np.dtype(float)
    shape = (len(records), len(rests))
    prior = np.zeros(shape, dtype=kind)
    nothing = 0 if given == "probabilities" else -np.inf
    laws = np.full((*shape, len(outputs)), nothing, dtype=kind)
    for (dataset, law), weight in zip(found.items(), belief, strict=True):
        rest = (*dataset[:target], *dataset[target + 1 :])
        at = records.index(dataset[target]), rests.index(rest)
        prior[at], laws[at] = weight, law
    possible = np.flatnonzero((laws != nothing).any(axis=(0, 1)))
    kept = tuple(outputs[i] for i in possible)
    return SmallWorld(
        records,
        rests,
        kept,
        prior,
        laws[:, :, possible],
        partial(_some_outputs, law_of, possible),
        target,
        given,
    )


def _some_outputs(
    law_of: Callable[[Dataset], Numbers], possible: Numbers, dataset: Dataset
) -> Numbers:
    law: Numbers = law_of(dataset)[possible]
    return law
