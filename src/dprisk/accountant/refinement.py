"""Brackets that become narrower until they are as narrow as was asked for, or memory says no."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from dprisk._checks import Domain
from dprisk._numeric.logspace import Floats
from dprisk.accountant.loss_sum import Bracket, Question
from dprisk.errors import TooWide
from dprisk.losses.base import LossPair
from dprisk.progress import report
from dprisk.text import english, fill

if TYPE_CHECKING:
    from dprisk.accountant.duality import Duality


MEMORY: Final = 2.0**31
"""Bytes that grids may take where an accuracy is asked for, unless said otherwise: 2 GiB."""

STEERED: Final = 1e-9  # nats: what is aimed at where no accuracy is asked for
WIDTHS: Final = Domain(1e-13, 1.0, advice=english("errors.accuracy.width"))
BYTES: Final = Domain(1e8, 1e15, advice=english("errors.accuracy.bytes"))

FIRST_NODES = 2**18  # nodes of a line to begin with
NODE_BYTES = 2**8  # of memory for each
POINT_BYTES = 3 * 2**10  # and for each point of a lattice, while probabilities are integrated
MOST_POINTS = 2**21  # of a lattice at most
FINEST_SPACING = 1e-9  # nats
ORDER = 2.0  # of the error in the spacing, until it shows
FINER_UNSEEN = 8.0  # how much finer, where the first bracket does not tell
SPARE = 1.2
HOPELESS = 64.0  # times too wide, as foreseen: not worth the time
TAIL_ROOM = 1e3  # times what is cut off the tails
LEAST_GAIN = 1.5  # less is no gain

Profiles = tuple["Duality", ...]
Counted = tuple[tuple[LossPair, int], ...]


def more_nodes(memory: float) -> float:
    """How many times as many nodes as usual a line may have."""
    return max(_power_below(memory / (NODE_BYTES * FIRST_NODES)), 1.0)


def one_sided(counted: Counted) -> list[LossPair]:
    """Those that differ by direction, each once."""
    return list(dict.fromkeys(pair for pair, _ in counted if not pair.symmetric))


def refined(pairs: Counted, factor: float, memory: float) -> Counted:
    """The same on grids that are finer by a factor, as far as each can be."""
    found = []
    for pair, count in pairs:
        finer = min(factor, _finest(pair, memory))
        if pair.finer is not None and finer > 1.0:
            made = replace(pair.finer(finer), own=pair.own, label=pair.label)
            found.append((made, count))
        else:
            found.append((pair, count))
        report("refining grids", len(found), len(pairs))
    return tuple(found)


@final
@dataclass(frozen=True, eq=False)
class Refining:
    """Finer and finer grids for the same losses."""

    pairs: Counted
    accuracy: float
    memory: float
    make: Callable[[float], Profiles]

    def narrowed(
        self,
        question: Question,
        asked: Floats,
        first: Profiles,
        found: Bracket,
        refuse: bool = True,
    ) -> Bracket:
        """The answers, each as narrow as was asked for, or as can be unless that is refused."""
        low, high = (np.array(end) for end in found)
        width, profiles = question.width(first, asked, found, self._goal), first
        factor, order = 1.0, ORDER
        while np.any(width > self._goal):
            some = np.flatnonzero(width > self._goal)
            worst = int(some[np.argmax(width[some])])
            before = float(width[worst])
            step = self._next(factor, before, order)
            if step == factor or self._is_blurred:
                if not refuse:
                    break
                at = f"{question.name}({asked[worst]:g})", (low[worst], high[worst])
                raise self._refusal(at, before, factor, order)
            profiles = self._profiles(step)
            new = question.ask(profiles, asked[some])
            low[some] = np.maximum(low[some], new.lower)
            high[some] = np.minimum(high[some], new.upper)
            closer = Bracket(low[some], high[some])
            width[some] = question.width(profiles, asked[some], closer, self._goal)
            order = _order(before, float(width[some].max()), step / factor)
            factor = step
        return Bracket(np.minimum(low, high), high)

    def confirmed(self, question: Question, asked: Floats, found: Bracket) -> None:
        """That what was moved to the safe side is still narrow enough."""
        width = question.width((), asked, found, self.accuracy)
        worst = int(np.argmax(width)) if width.size else 0
        if width.size and width[worst] > self.accuracy:
            name = f"{question.name}({asked[worst]:g})"
            why = fill("errors.accuracy.flat")
            fix = fill("errors.accuracy.ask", wider=f"{_rounded_up(1.5 * float(width[worst])):g}")
            ends = float(found.lower[worst]), float(found.upper[worst])
            raise TooWide(name, ends, self.accuracy, why, fix)

    @property
    def _goal(self) -> float:
        """A quarter of it: the rest is for moving to the safe side, in steps that double."""
        return self.accuracy / 4.0

    def __getstate__(self) -> dict[str, Any]:
        """Its fields: no copy takes along what is remembered."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _profiles(self) -> Callable[[float], Profiles]:
        """On grids that are finer by a factor, made once: the coarser take less than the next."""
        return cache(self.make)

    def _next(self, factor: float, width: float, order: float) -> float:
        """How much finer is about enough; as before where that is in vain."""
        most = self._most
        if factor >= most or order == 0.0:
            return factor
        if not math.isfinite(width):
            return min(factor * FINER_UNSEEN, most)
        wanted = factor * (SPARE * width / self._goal) ** (1.0 / order)
        if width * (factor / most) ** order > HOPELESS * self._goal:
            return factor
        return min(max(_power_of_two(wanted), 2.0 * factor), most)

    @cached_property
    def _most(self) -> float:
        """Up to where memory allows that all grids become finer; or lines, without any."""
        grids = [_finest(pair, self.memory) for pair, _ in self.pairs if pair.finer is not None]
        return min(grids) if grids else more_nodes(self.memory)

    @cached_property
    def _blur(self) -> float:
        """Nats that the digits of the probabilities are worth."""
        return 4.0 * sum(count * pair.relative_error for pair, count in self.pairs)

    @cached_property
    def _cut(self) -> float:
        """Upper bound on the probability that was taken for revealed and need not be."""
        cut = 0.0
        for pair, count in self.pairs:
            cut += count * max(most.infinite - least.infinite for least, most in pair.directions())
        return cut

    @property
    def _is_blurred(self) -> bool:
        return self._blur > self._goal

    def _refusal(
        self, at: tuple[str, tuple[float, float]], width: float, factor: float, order: float
    ) -> TooWide:
        """Why it cannot be narrower, and what to do."""
        name, (low, high) = at
        if self._cut > 0.0 and (
            high == math.inf or (name.startswith("delta") and high < TAIL_ROOM * self._cut)
        ):
            why = fill("errors.accuracy.cut", cut=f"{self._cut:.1g}")
            fix = fill("errors.accuracy.cut.fix")
            return TooWide(name, (float(low), float(high)), self.accuracy, why, fix)
        enough = math.inf
        reached = width * (factor / self._most) ** order if order else width
        if self._is_blurred:
            reached = max(reached, self._blur)
            why = fill("errors.accuracy.blur", blur=f"{self._blur:.1g}")
        elif order == 0.0:
            why = fill("errors.accuracy.rounding")
        elif factor >= replace(self, memory=BYTES.high)._most:
            why = fill("errors.accuracy.finest")
        else:
            why = fill("errors.accuracy.memory", memory=f"{self.memory:.3g}")
            if math.isfinite(width):
                wanted = factor * (SPARE * width / self._goal) ** (1.0 / order)
                enough = self._bytes(_power_of_two(wanted))
        wider = _rounded_up(5.0 * reached)
        advice = "ask" if wider < 1.0 else "leave-out"
        more = ".or-memory" if enough <= BYTES.high else ""
        fix = fill(f"errors.accuracy.{advice}{more}", wider=f"{wider:g}", enough=f"{enough:g}")
        return TooWide(name, (float(low), float(high)), self.accuracy, why, fix)

    def _bytes(self, finer: float) -> float:
        """About what grids take that are finer by a factor; infinite if none is."""
        grids = [_points(pair) for pair, _ in self.pairs if pair.finer is not None]
        if grids and replace(self, memory=BYTES.high)._most < finer:
            return math.inf
        size = POINT_BYTES * max(grids) if grids else NODE_BYTES * FIRST_NODES
        return _rounded_up(finer * size)


def _points(pair: LossPair) -> float:
    """How many a lattice has."""
    loss = pair.forward[1]
    spacing = 1.0 if loss.lattice is None else loss.lattice.spacing
    return max((loss.support[1] - loss.support[0]) / spacing, 1.0)


def _finest(pair: LossPair, memory: float) -> float:
    """By how much the grid of a loss may be finer: a power of two, so that lattices stay common."""
    loss = pair.forward[1]
    if pair.finer is None or loss.lattice is None:
        return 1.0
    points = min(memory / POINT_BYTES, MOST_POINTS) / _points(pair)
    most = min(points, loss.lattice.spacing / FINEST_SPACING)
    return max(_power_below(most), 1.0)


def _order(before: float, after: float, finer: float) -> float:
    """Order of the error, as it shows; 0 if there is no gain to speak of."""
    if not after < before / LEAST_GAIN:
        return 0.0
    if after == 0.0 or not math.isfinite(before):
        return ORDER
    return min(max(math.log(before / after) / math.log(finer), 0.5), ORDER)


def _power_below(value: float) -> float:
    return 2.0 ** math.floor(math.log2(value))


def _power_of_two(value: float) -> float:
    return 2.0 ** math.ceil(math.log2(value))


def _rounded_up(value: float) -> float:
    """The number rounded up to one digit; infinite if it is not positive."""
    if not 0.0 < value < math.inf:
        return math.inf
    unit = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / unit) * unit:.0e}")
