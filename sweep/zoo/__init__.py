"""What is drawn: every public class, with the truth about it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from sweep.asking import Drawn
from sweep.tally import Tally
from sweep.zoo.beliefs import BELIEFS
from sweep.zoo.budgets import BUDGETS
from sweep.zoo.kept import KEPT, KEPT_DRAWN
from sweep.zoo.losses import LOSSES
from sweep.zoo.more import MORE, MORE_DRAWN
from sweep.zoo.promises import PROMISES
from sweep.zoo.relations import RELATIONS
from sweep.zoo.schemes import SCHEMES
from sweep.zoo.stated import STATED
from sweep.zoo.worlds import WORLDS

__all__ = ["FAMILIES", "Family"]


class Family(NamedTuple):
    """How one is drawn (or drawn, asked and judged), and its share of the time."""

    draw: Callable[[Random, Tally], Drawn | None]
    share: float


def _plain(draw: Callable[[Random], Drawn]) -> Callable[[Random, Tally], Drawn]:
    return lambda rng, tally: draw(rng)


DRAWN = PROMISES | LOSSES | SCHEMES | KEPT_DRAWN | MORE_DRAWN
OTHERS = MORE | KEPT | BELIEFS | RELATIONS | BUDGETS | STATED | WORLDS

FAMILIES: dict[str, Family] = {
    **{name: Family(_plain(draw), 1.0) for name, draw in DRAWN.items()},
    **{name: Family(draw, 1.0) for name, draw in OTHERS.items()},
}
