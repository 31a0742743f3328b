"""Post-processing of finitely many outputs: a Markov kernel in exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dprisk._checks import assign
from dprisk._values import result
from dprisk.audit.exp_epsilon import brief, chance, shown
from dprisk.audit.finite import FiniteMechanism, gathered, place
from dprisk.errors import refused
from dprisk.text import fill


@final
@result
@dataclass(frozen=True, init=False, repr=False, eq=False)
class OutputMap:
    """What is computed from the output of a mechanism, and published in its place.

    Parameters
    ----------
    sends : mapping of str to str, or to a mapping of str to probability
        For each output what it becomes; with coins, how likely each new output is. Outputs that are
        left out stay as they are.

    Raises
    ------
    InvalidInput
        If the probabilities of an output do not add up to one, exactly.
    OutOfRange
        If one of them is outside [0, 1] or not rational.

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism
    >>> from dprisk.audit.maps import OutputMap
    >>> three = FiniteMechanism([["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]])
    >>> OutputMap.merging(["y1", "y2"], into="low").apply(three).outputs
    ('low', 'y3')
    >>> half = OutputMap({"y2": {"y1": "1/2", "y3": "1/2"}}).apply(three)
    >>> print(*half.exact()[0])
    5/8 3/8
    """

    sends: Mapping[str, Mapping[str, Fraction]]

    def __init__(self, sends: Mapping[str, Any]) -> None:
        found: dict[str, dict[str, Fraction]] = {}
        for output, target in sends.items():
            parts = target if isinstance(target, Mapping) else {str(target): 1}
            shares = {
                str(new): chance(fill("audit.map.one", output=repr(output), new=repr(new)), share)
                for new, share in parts.items()
            }
            if sum(shares.values()) != 1:
                total = str(sum(shares.values()))
                raise refused("audit.map.total", fill("audit.map.of", output=repr(output)), total)
            found[str(output)] = {new: share for new, share in shares.items() if share}
        assign(self, sends=found)

    @classmethod
    def merging(cls, outputs: Iterable[str], *, into: str = "⊥") -> OutputMap:
        """The map of P4, Theorem 1: some outputs are reported as one, all others as they are.

        Parameters
        ----------
        outputs : iterable of str
            Those that are merged.
        into : str
            What the new output is called.

        Returns
        -------
        OutputMap
            Without coins.
        """
        return cls(dict.fromkeys(outputs, into))

    @property
    def deterministic(self) -> bool:
        """Whether no coin is tossed."""
        return all(len(parts) == 1 for parts in self.sends.values())

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The outputs that are sent to the same new one, of those that are named."""
        known: dict[str, list[str]] = {}
        for output, parts in self.sends.items():
            for new in parts:
                known.setdefault(new, []).append(output)
        return tuple(tuple(members) for members in known.values())

    def apply(self, mechanism: FiniteMechanism) -> FiniteMechanism:
        """The mechanism with what is published in place of its outputs.

        Parameters
        ----------
        mechanism : FiniteMechanism
            Its exact fractions are used.

        Returns
        -------
        FiniteMechanism
            In exact fractions.

        Raises
        ------
        InvalidInput
            If it does not have one of the outputs that are mapped.
        """
        for output in self.sends:
            place("output", output, mechanism.outputs)
        columns = (
            (name, [share * value for value in column])
            for output, column in zip(
                mechanism.outputs, zip(*mechanism.rows, strict=True), strict=True
            )
            for name, share in self.sends.get(output, {output: Fraction(1)}).items()
        )
        return gathered(mechanism.datasets, columns)

    def to_dict(self) -> dict[str, dict[str, str]]:
        """The map as plain data.

        Returns
        -------
        dict
            For each output that is named, what it becomes with which probability, as text.
        """
        return {
            output: {new: shown(share) for new, share in parts.items()}
            for output, parts in self.sends.items()
        }

    def __str__(self) -> str:
        whole: dict[str, list[str]] = {}
        tossed = []
        for output, parts in self.sends.items():
            if len(parts) == 1:
                whole.setdefault(next(iter(parts)), []).append(output)
            else:
                ways = (f"{new} ({brief(share)})" for new, share in parts.items())
                tossed.append(f"{output} → {' or '.join(ways)}")
        texts = [f"{' + '.join(members)} → {new}" for new, members in whole.items()]
        return "; ".join([*texts, *tossed]) or "as they are"

    def __repr__(self) -> str:
        return f"<OutputMap: {self}>"


def joined(mechanism: FiniteMechanism, blocks: Iterable[Iterable[int]]) -> OutputMap:
    """The map that reports each block of outputs, given by their numbers, as one."""
    sends: dict[str, str] = {}
    for n, block in enumerate(blocks):
        name = fresh(mechanism) + "'" * n
        sends.update({mechanism.outputs[y]: name for y in block})
    return OutputMap(sends)


def fresh(mechanism: FiniteMechanism) -> str:
    """A name that none of its outputs has, nor begins with."""
    name = "⊥"
    while any(output.startswith(name) for output in mechanism.outputs):
        name += "*"
    return name
