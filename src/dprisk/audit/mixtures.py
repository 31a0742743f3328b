"""Two mechanisms made one: a mixture (a coin between them), or their composition."""

from __future__ import annotations

from typing import Any

from dprisk.audit.exp_epsilon import chance
from dprisk.audit.finite import FiniteMechanism, gathered
from dprisk.errors import refused

__all__ = ["composed", "mixture"]


def mixture(
    one: FiniteMechanism, other: FiniteMechanism, weight: Any, *, tells: bool | None = None
) -> FiniteMechanism:
    """A mechanism that runs the one with some probability, else the other.

    Parameters
    ----------
    one, other : FiniteMechanism
        With the same datasets.
    weight : Fraction, float or str
        How likely the first is run. [0, 1]
    tells : bool, optional
        Whether outputs of the same name are kept apart. By default names stay as they are.

    Returns
    -------
    FiniteMechanism
        In exact fractions.

    Raises
    ------
    InvalidInput
        If the datasets differ.
    OutOfRange
        If `weight` is outside [0, 1] or not rational.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism
    >>> from dprisk.audit.mixtures import mixture
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> print(*mixture(coin, coin, "1/3", tells=True).exact()[0])
    1/4 1/12 1/2 1/6
    """
    _alike(one, other)
    share = chance("weight", weight)
    columns = []
    for number, (table, part) in enumerate(((one, share), (other, 1 - share)), 1):
        for name, column in zip(table.outputs, zip(*table.rows, strict=True), strict=True):
            clash = tells and name in one.outputs and name in other.outputs
            label = f"{number}:{name}" if clash else name
            columns.append((label, [part * value for value in column]))
    return gathered(one.datasets, columns)


def composed(one: FiniteMechanism, other: FiniteMechanism) -> FiniteMechanism:
    """A mechanism that publishes the outputs of two, with independent coins.

    Parameters
    ----------
    one, other : FiniteMechanism
        With the same datasets.

    Returns
    -------
    FiniteMechanism
        In exact fractions; outputs are called "a, b".

    Raises
    ------
    InvalidInput
        If the datasets differ.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism
    >>> from dprisk.audit.mixtures import composed
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]], outputs=["no", "yes"])
    >>> composed(coin, coin).outputs
    ('no, no', 'no, yes', 'yes, no', 'yes, yes')
    """
    _alike(one, other)
    names = [f"{a}, {b}" for a in one.outputs for b in other.outputs]
    rows = [
        [a * b for a in first for b in second]
        for first, second in zip(one.rows, other.rows, strict=True)
    ]
    return FiniteMechanism(rows, datasets=one.datasets, outputs=names)


def _alike(one: FiniteMechanism, other: FiniteMechanism) -> None:
    if one.datasets != other.datasets:
        raise refused("audit.alike", "other", list(other.datasets))
