"""Which vertical lines suit the questions about a sum, and where on them it is sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import EXP_LIMIT, Floats
from dprisk.accountant.composed_decay import ComposedDecay
from dprisk.accountant.contour import MOST_POINTS, TURN, Contour
from dprisk.accountant.mgf import MOST_TURNS, ComposedMGF
from dprisk.accountant.mgf_nodes import smooth_number
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Complexes, Lattice
from dprisk.progress import report

STRIDES = (8, 4, 2, 1)  # of the abscissas in use, the coarsest that costs little
SLACK = 4.0  # nats of cancellation that a coarser choice may cost, among many questions
TIGHT = 0.5  # and among few, where lines are cheap
FEW_QUESTIONS = 8
NEGLIGIBLE = 46.0  # nats below the largest term
ROUND = 2**22  # nodes once round a lattice at most, or until the moment is negligible
MOST_NODES = 2**18  # nodes elsewhere, at most
BLOCK = 2**19  # nodes in memory at a time, before it is seen which matter
FEW_NODES = 2**12  # nodes that need no thought
SAMPLED = 4  # nodes to a sample by which a loss is followed along a line
TOGETHER = 64, 8, 1  # nodes next to each other that are looked at as one; then fewer of the rest
ROOM = 4.0  # twice for the mirror image, and twice for roundings


@final
@dataclass(frozen=True, eq=False)
class Abscissas:
    """Lines on which the moments of a sum are sampled, each made when it is first needed."""

    moments: ComposedMGF
    accuracy: float
    nodes: int
    most: float = np.inf

    def suiting(self, x: Floats) -> Iterator[tuple[Contour, npt.NDArray[np.intp]]]:
        """Each line that is needed, and the numbers of the points that it suits."""
        if x.size:
            chosen = self._chosen(x, self._slack(x))
            for index in sorted(set(chosen.tolist())):
                yield self._line(index), np.flatnonzero(chosen == index)

    def abscissas(self, x: Floats) -> Floats:
        """Real-axis crossings of the lines that suit these points."""
        return np.asarray(self.moments.theta[self._chosen(x, self._slack(x))])

    def usual(self, x: float) -> Contour:
        """The line that suits this point and many others."""
        return self._line(int(self._chosen(np.array([x]), SLACK)[0]))

    def _slack(self, x: Floats) -> float:
        return TIGHT if x.size <= FEW_QUESTIONS else SLACK

    def _chosen(self, x: Floats, slack: float) -> npt.NDArray[np.intp]:
        """Index of the abscissa for each x: on the coarsest stride that is nearly the best."""
        size, theta = self._sizes, self.moments.theta
        best, chosen = np.zeros(x.shape), np.zeros(x.shape, dtype=np.intp)
        for stride, turns in reversed(self._turns):  # from the finest on: the last that is good
            at = np.searchsorted(turns, x) * stride
            found = size[at] - theta[at] * x
            best = found if stride == 1 else best
            chosen = np.where(found <= best + slack, at, chosen)
        return np.minimum(chosen, len(theta) - 2)

    @cached_property
    def _sizes(self) -> Floats:
        """log of the integrand of delta on the real axis, without e^(-theta x)."""
        theta = self.moments.theta
        return np.asarray(self.moments.at_theta - np.log(theta) - np.log1p(theta))

    @cached_property
    def _turns(self) -> list[tuple[int, Floats]]:
        """For each stride, the x at which the next of its abscissas becomes the better one."""
        theta, size = self.moments.theta, self._sizes
        found = []
        for stride in STRIDES:
            turns = np.diff(size[::stride]) / np.diff(theta[::stride])
            found.append((stride, np.maximum.accumulate(turns)))
        return found

    @cached_property
    def _decaying(self) -> ComposedDecay:
        return ComposedDecay(self.moments.parts, self.nodes // SAMPLED)

    def __getstate__(self) -> dict[str, Any]:
        """Its fields: no copy takes along what is remembered."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _line(self) -> Callable[[int], Contour]:
        """The line at each abscissa, made when it is first needed."""
        return cache(self._sampled)

    def _sampled(self, index: int) -> Contour:
        moments = self.moments
        theta, scale = float(moments.theta[index]), float(moments.at_theta[index])
        near = [max(index - STRIDES[0], 0), index, min(index + STRIDES[0], len(moments.theta) - 1)]
        width = np.diff(moments.theta[near])
        x = np.minimum(np.diff(moments.at_theta[near])[width > 0] / width[width > 0], self.most)
        curve = moments.curvature(index)
        size = np.log(theta) + np.log1p(theta) + 0.5 * np.log1p(2 * np.pi * curve)
        small = scale - theta * x - size - NEGLIGIBLE * 0.8
        period = moments.profile.period(theta, x, small)
        lattice = moments.lattice
        if lattice is not None:
            line = self._round_lattice(theta, scale, period, lattice, curve)
            if line is not None:
                return line
        return self._up_to_decay(theta, scale, period, curve)

    def _round_lattice(
        self, theta: float, scale: float, period: float, lattice: Lattice, curve: float
    ) -> Contour | None:
        """All nodes of a circle, or those up to where the moment is negligible; if not too many."""
        nodes = max(2, int(np.ceil(min(period / lattice.spacing, 2.0**60))))
        if self.moments.transformed:
            nodes = smooth_number(nodes)
        period = nodes * lattice.spacing
        step, half = 2 * np.pi / period, nodes // 2
        start, need = self._start(theta, curve, half * step), NEGLIGIBLE
        if start is None and half > FEW_NODES:
            need = self._enough(theta, curve, lattice.spacing)
            start = self._start(theta, curve, half * step, need=need)
        last = half if start is None else min(half, int(np.ceil(start / step)))
        most = max(ROUND, self.nodes)
        if nodes > most and last > FEW_NODES and self.moments.transformed:
            # a wide bracket is better than no end
            return self._round_lattice(theta, scale, most * lattice.spacing, lattice, curve)
        few_points = self.moments.transformed or nodes <= MOST_POINTS
        if last > (most if few_points else self.nodes):  # of many points, each is a long sum
            return None
        n = np.arange(last + 1)
        s: Complexes = np.asarray(theta + 1j * step * n, dtype=np.complex128)
        terms, error = self.moments.sampled(s, scale, nodes if nodes <= most else 0)
        terms[(n > 0) & (2 * n < nodes)] *= 2.0
        size = np.abs(terms)
        kept = size > np.exp(-NEGLIGIBLE - 14.0)
        left_out = float(size[~kept].sum()) + 2.0 * (half - last) * float(np.exp(-need))
        return Contour(
            theta,
            period,
            scale,
            s[kept],
            terms[kept] / nodes,
            error[kept],
            0.0,
            beyond_flat=left_out / nodes,
            lattice=lattice,
        )

    def _enough(self, theta: float, curve: float, width: float) -> float:
        """Nats by which the moment has to be small from some point on, for the accuracy."""
        size = np.sqrt(1.0 + TURN * curve) / width
        return min(float(np.log(10.0 * size / (theta * self.accuracy))), NEGLIGIBLE)

    def _up_to_decay(self, theta: float, scale: float, period: float, curve: float) -> Contour:
        period, nodes = self._whole(period)
        step = 2 * np.pi / period
        start, stop, left, smoothing = self._cut(theta, curve, step, self._most_nodes(nodes > 0))
        flat = left / np.pi * (stop + 1.0 / (smoothing * stop)) if smoothing else 0.0
        last = int(np.ceil(start / step))
        blocks = list(self._blocks(theta, scale, period, nodes, last, smoothing))
        return Contour(
            theta,
            period,
            scale,
            np.concatenate([block[0] for block in blocks]),
            np.concatenate([block[1] for block in blocks]),
            np.concatenate([block[2] for block in blocks]),
            2.0 * left / (np.pi * start) + sum(block[3] for block in blocks) / period,
            beyond_flat=flat + sum(block[4] for block in blocks) / period,
            smoothing=smoothing,
        )

    def _most_nodes(self, transformed: bool) -> int:
        """On this line: fewer where each takes a turn of very many points."""
        parts = self.moments.parts
        points = sum(len(loss.losses) for loss, _ in parts if isinstance(loss, AtomicLoss))
        if transformed or points * self.nodes <= MOST_TURNS:
            return self.nodes
        return max(MOST_TURNS // points, FEW_NODES)

    def _whole(self, period: float) -> tuple[float, int]:
        """At least that period, and how many steps of a loss with many points it is; 0 if none."""
        spacing = self.moments.spacing
        if not spacing or period > ROUND * spacing:
            return period, 0
        nodes = smooth_number(int(np.ceil(period / spacing)))
        return nodes * spacing, nodes

    def _blocks(
        self, theta: float, scale: float, period: float, nodes: int, last: int, smoothing: float
    ) -> Iterator[tuple[Complexes, Complexes, Floats, float, float]]:
        """Nodes that matter with terms and errors, a block at a time; and the others' sums."""
        count, grown = last // BLOCK + 1, float(np.exp(smoothing / 2.0 * theta * (theta + 1.0)))
        least = float(np.exp(-NEGLIGIBLE - 8.0)) * grown / theta**2
        for i in range(count):
            n = np.arange(i * BLOCK, min((i + 1) * BLOCK, last + 1))
            t = np.asarray(TURN / period * n, dtype=float)
            t, faint, faint_flat = self._without_faint(
                theta, t, last * TURN / period, smoothing, grown, least
            )
            s: Complexes = np.asarray(theta + 1j * t, dtype=np.complex128)
            square = theta**2 + t * t
            flat = ROOM * grown * np.exp(-self._decaying.lost(t) - smoothing / 2.0 * t * t)
            seen = np.flatnonzero(flat > least * square)
            terms, error = self.moments.sampled(s[seen], scale, nodes, smoothing)
            terms[t[seen] > 0.0] *= 2.0
            flat[seen] = np.abs(terms)
            size, kept = flat / square, np.zeros(t.shape, dtype=bool)
            kept[seen] = size[seen] > least
            terms, error = terms[kept[seen]] / period, error[kept[seen]]
            yield s[kept], terms, error, faint + size[~kept].sum(), faint_flat + flat[~kept].sum()
            if count > 1:
                report("sampling", i + 1, count)

    def _without_faint(
        self, theta: float, t: Floats, until: float, smoothing: float, grown: float, least: float
    ) -> tuple[Floats, float, float]:
        """Nodes without those of which bounds for neighbors tell enough; sums of these bounds."""
        size, sum_flat, before = 0.0, 0.0, len(t)
        for together in TOGETHER if before >= FEW_NODES else ():
            first = np.arange(0, len(t), together)
            if not 0 < len(first) <= before / 2.0:
                break
            counts = np.diff(np.append(first, len(t)))
            start, stop = t[first], t[first + counts - 1]
            lost = self._decaying.lost_between(theta, until, start, stop)
            if lost is None:
                break
            flat = ROOM * grown * np.exp(-lost - smoothing / 2.0 * start * start)
            square = theta**2 + start * start
            out = flat <= least * square
            flat *= counts
            size, sum_flat = size + (flat / square)[out].sum(), sum_flat + flat[out].sum()
            before, t = len(t), t[np.repeat(~out, counts)]
        return t, size, sum_flat

    def _cut(
        self, theta: float, curve: float, step: float, nodes: int
    ) -> tuple[float, float, float, float]:
        """The height of the cut, how far decay is known, the little left over, and smoothing."""
        little = float(np.exp(-NEGLIGIBLE))
        if not self._decaying.returns:
            start = self._start(theta, curve, np.inf)
            if start is not None and start <= FEW_NODES * step:
                return start, np.inf, little, 0.0
            start, left = self._slow_start(theta, curve, nodes * step)
            if start is not None:
                return start, np.inf, left, 0.0
        least = self.accuracy / (100.0 * (1.0 + theta) ** 2)
        stop = min(float(np.sqrt(2.0 * NEGLIGIBLE / least)), self._decaying.horizon(theta))
        smoothing = 2.0 * NEGLIGIBLE / stop**2
        first = np.sqrt(2.0 * NEGLIGIBLE / curve)
        enough = self._enough(theta, curve, np.pi * first / (2.0 * theta * (1.0 + theta)))
        for need in (NEGLIGIBLE, enough) if self._decaying.fades else ():
            start = self._start(theta, curve, stop, smoothing, need)
            if start is not None and start <= nodes * step:
                return start, stop, float(np.exp(-need)), smoothing
        # nothing helps but the smoothing itself, as much as memory asks for
        smoothing = max(least, 2.0 * NEGLIGIBLE / (nodes * step) ** 2)
        if smoothing * theta * (1.0 + theta) > EXP_LIMIT:  # that would be all there is
            # without it what is left out is at most 1, as abs(M(s)) <= M(theta) for any loss
            return nodes * step, np.inf, 1.0, 0.0
        stop = float(np.sqrt(2.0 * NEGLIGIBLE / smoothing))
        return stop, stop, little, smoothing

    def _slow_start(self, theta: float, curve: float, most: float) -> tuple[float | None, float]:
        """The height whose rest is within the accuracy, and how small the moment is from there."""
        size = 2.0 / np.pi * theta * (1.0 + theta) * np.sqrt(1.0 + 2.0 * np.pi * curve)
        goal = self.accuracy * theta / 100.0
        t = np.sqrt(2.0 * NEGLIGIBLE / curve)
        while t < most:
            lost, need = self._decaying.decay(theta, t), np.log(size / (t * goal))
            if lost >= need:
                return float(t), float(np.exp(-lost))
            t *= np.clip(np.sqrt(need / max(lost, 1e-3)), 1.2, 2.0)  # as a normal loss would
        return None, 1.0

    def _start(
        self,
        theta: float,
        curve: float,
        stop: float,
        smoothing: float = 0.0,
        need: float = NEGLIGIBLE,
    ) -> float | None:
        """The height from which the moment is negligible until `stop`; None if there is none."""
        t = 1.02 * np.sqrt(2.0 * NEGLIGIBLE / (curve + smoothing))
        if not (smoothing or self._decaying.fades):
            return None
        for _ in range(40):
            if t >= stop:
                return None
            loud = self._decaying.loud_at(theta, t, stop, need)
            if loud is None:
                return float(t)
            t = 1.15 * max(t, loud)
        return None
