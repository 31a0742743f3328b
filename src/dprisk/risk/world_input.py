"""What makes a small world, checked: beliefs in datasets, and laws of outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from dprisk.errors import InvalidInput
from dprisk.text import fill

Numbers = npt.NDArray[Any]
"""Floats, or exact fractions."""

Dataset = tuple[Any, ...]
Given = Literal["probabilities", "log-probabilities", "log-densities"]
GIVEN: Final[tuple[Given, ...]] = get_args(Given)

TOTAL = 1e-9  # how far from one probabilities may add up


def looked_up(mechanism: Any) -> Callable[[Dataset], Any]:
    if not isinstance(mechanism, Mapping):
        raise InvalidInput("mechanism", mechanism, fill("risk.world.mechanism"))
    return partial(_look, mechanism)


def _look(mechanism: Mapping[Dataset, Any], dataset: Dataset) -> Any:
    if dataset not in mechanism:
        raise InvalidInput("mechanism", dataset, fill("risk.world.every-dataset"))
    return mechanism[dataset]


def believed(prior: Any, target: Any) -> dict[Dataset, Any]:
    """Datasets that are believed possible, and how much."""
    if not isinstance(prior, Mapping) or not prior:
        raise InvalidInput("prior", prior, fill("risk.world.beliefs"))
    lengths = {len(dataset) if isinstance(dataset, tuple) else 0 for dataset in prior}
    if len(lengths) != 1 or 0 in lengths:
        raise InvalidInput("prior", list(prior), fill("risk.world.tuples"))
    if isinstance(target, bool) or target not in range(lengths.pop()):
        raise InvalidInput("target", target, fill("risk.world.place"))
    distribution("prior", list(prior.values()))
    return {dataset: weight for dataset, weight in prior.items() if weight > 0}


def distribution(name: str, values: Sequence[Any]) -> Numbers:
    """Probabilities as fractions, or as floats that add up to one."""
    allowed = fill("risk.world.total")
    if all(isinstance(v, (int, Fraction)) and not isinstance(v, bool) for v in values):
        found = np.array([Fraction(v) for v in values], dtype=object)
        off = abs(sum(found) - 1)
    else:
        try:
            found = np.array(values, dtype=float)
        except (TypeError, ValueError):
            raise InvalidInput(name, values, allowed) from None
        off = abs(float(found.sum()) - 1.0) if found.ndim == 1 else np.inf
    exactly = found.dtype == object
    if not off <= (0 if exactly else TOTAL) or not np.all(found >= 0):
        raise InvalidInput(name, values, allowed)
    return found if exactly else found / found.sum()


def all_outputs(outputs: Sequence[Any] | None, laws: Sequence[Any]) -> tuple[Any, ...]:
    """All outputs, in the order in which they are first met."""
    if outputs is not None:
        return tuple(outputs)
    if isinstance(laws[0], Mapping):
        return tuple(dict.fromkeys(output for law in laws for output in law))
    return tuple(range(len(laws[0])))


def law_in_order(law: Any, outputs: tuple[Any, ...], given: Given, dataset: Dataset) -> Numbers:
    """How the outputs are distributed, in their order."""
    absent = 0 if given == "probabilities" else -np.inf
    if isinstance(law, Mapping):
        extra = [output for output in law if output not in outputs and law[output] != absent]
        if extra:
            raise InvalidInput("outputs", extra, fill("risk.world.listed"))
        law = [law.get(output, absent) for output in outputs]
    values = list(law)
    if len(values) != len(outputs):
        raise InvalidInput(
            "mechanism", len(values), fill("risk.world.one-each", number=len(outputs))
        )
    name = fill("risk.world.mechanism-at", dataset=repr(dataset))
    if given == "probabilities":
        return distribution(name, values)
    logs = np.array(values, dtype=float)
    if np.isnan(logs).any() or (logs == np.inf).any():
        raise InvalidInput(name, values, fill("risk.world.logarithms"))
    if given == "log-probabilities":
        distribution(name, np.exp(np.minimum(logs, 1.0)).tolist())
    return logs


def joined(record: Any, rest: Dataset, target: int) -> Dataset:
    return (*rest[:target], record, *rest[target:])
