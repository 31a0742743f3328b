"""What is drawn: every public class, with the truth about it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from sweep.asking import Drawn
from sweep.tally import Tally
from sweep.zoo.losses import LOSSES
from sweep.zoo.promises import PROMISES

__all__ = ["FAMILIES", "Family"]


class Family(NamedTuple):
    """How one is drawn (or drawn, asked and judged), and its share of the time."""

    draw: Callable[[Random, Tally], Drawn | None]
    share: float


def _plain(draw: Callable[[Random], Drawn]) -> Callable[[Random, Tally], Drawn]:
    return lambda rng, tally: draw(rng)


FAMILIES: dict[str, Family] = {
    name: Family(_plain(draw), 1.0) for name, draw in (PROMISES | LOSSES).items()
}
