"""Losses on a lattice around that of two densities, and around that of a mixture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import Domain, numbers, scalar
from dprisk._numeric.logspace import EXP_LIMIT, Floats, log
from dprisk._numeric.normal import ndtr
from dprisk.errors import InvalidInput
from dprisk.losses.base import ULP, LossPair
from dprisk.losses.exponential_sums import Whole
from dprisk.losses.lattice import SPACING, TOTAL, Bools, Outcomes, Sided

Density = Callable[[Floats], Floats]
Rule = tuple[Floats, Floats]

REAL = Domain(-np.inf, np.inf)
NEGLIGIBLE = Domain(1e-300, 1e-3)
LEAST_TAIL = 1e-305  # what a cut tail may hold: hardly a float
MOST_POINTS = 2**21
SMOOTHNESS_NODES = 16  # nodes to see whether a density is smooth
ORDERS = (2, 3, 4, 5, 6, 8, 12, SMOOTHNESS_NODES)
HALVINGS = 45  # of a piece, and parts of it, before it counts as not smooth
MOST_ROUGH = 2**13  # pieces that are not smooth
SHOWN = 192  # parts on which the number of nodes is chosen
SMOOTH = 1e-14  # relative error of quadrature, on top of rounding
SECANTS = 60
CLOSE_TO_CORNER = 1e-7  # of the spacing: how far from a corner a part may end
NOWHERE = Sided(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
INSIDE = 2.0**-44  # of a piece: its ends are looked at from so far inside


def between(
    log_density_p: Density,
    log_density_q: Density,
    breaks: Sequence[float],
    *,
    spacing: float,
    loss: Density | None = None,
    origin: float = 0.0,
    negligible: float = 1e-100,
    label: str = "",
) -> LossPair:
    """Losses on a lattice around that of two distributions with densities."""
    spacing = scalar("spacing", spacing, SPACING)
    negligible = scalar("negligible", negligible, NEGLIGIBLE)
    ends = numbers("breaks", breaks, REAL)
    if (
        ends.ndim != 1
        or len(ends) < 2
        or np.any(np.diff(ends) <= 0.0)
        or not np.isfinite(ends).any()
    ):
        raise InvalidInput("breaks", breaks, "increasing numbers, at least one of them finite")
    densities = _Densities(log_density_p, log_density_q, loss, origin)
    pieces = [
        _piece(densities, low, high, spacing, negligible) for low, high in pairwise(ends.tolist())
    ]
    return _outcomes(pieces, spacing, origin).pair(label)


class _Piece(NamedTuple):
    """The outcomes between two breaks: those near points, those far out, those of one side only."""

    near: Sided
    far: tuple[tuple[float, float], ...] = ()
    only: tuple[float, float] = (0.0, 0.0)
    under_q: float = 0.0


@final
@dataclass(frozen=True, eq=False)
class _Densities:
    """The logarithms of two densities, and their difference, counted from the origin."""

    log_p: Density
    log_q: Density
    log_ratio: Density | None
    origin: float

    def logs(self, x: Floats) -> tuple[Floats, Floats]:
        """Both log densities."""
        with np.errstate(divide="ignore", over="ignore"):
            p, q = (np.asarray(f(x), dtype=float) for f in (self.log_p, self.log_q))
        for name, value in (("log_density_p(x)", p), ("log_density_q(x)", q)):
            if value.shape != x.shape or not np.all(value < np.inf):
                raise InvalidInput(name, value, "a finite number, or -inf, for each outcome x")
        return p, q

    def loss(self, x: Floats) -> tuple[Floats, Floats]:
        """Logarithm of the ratio from the origin on, finite, and how far rounding may move it."""
        if self.log_ratio is None:
            p, q = self.logs(x)
            value, size = p - q, np.abs(p) + np.abs(q)
        else:
            value = size = np.asarray(self.log_ratio(x), dtype=float)
        if value.shape != x.shape or not np.all(np.isfinite(value)):
            raise InvalidInput("loss(x)", value, "a finite number for each outcome x")
        return value - self.origin, 4.0 * ULP * (np.abs(size) + abs(self.origin))


def _outcomes(pieces: Sequence[_Piece], spacing: float, origin: float) -> Outcomes:
    """All pieces together, once they are seen to be two distributions."""
    sides = np.concatenate([piece.near.sides for piece in pieces])
    masses, excess = (np.concatenate([piece.near[i] for piece in pieces]) for i in (1, 2))
    far = np.array([mass for piece in pieces for mass in piece.far]).reshape(-1, 2)
    only = np.array([piece.only for piece in pieces]).sum(axis=0)
    total_p = float(masses.sum() + far[:, 0].sum() + only[0])
    total_q = float(sum(piece.under_q for piece in pieces) + far[:, 1].sum() + only[1])
    for name, total in (("P", total_p), ("Q", total_q)):
        if not abs(total - 1.0) <= TOTAL:
            raise InvalidInput(
                f"the whole probability under {name}",
                total,
                "1",
                "Scale the density, and name every point where it is not smooth as a break.",
            )
    far = far[far.max(axis=1) > 0.0]
    sided = Sided(sides, masses / total_p, excess / total_p)
    return Outcomes.of(sided, spacing, tuple(only.tolist()), far, origin)


def _piece(
    densities: _Densities, low: float, high: float, spacing: float, negligible: float
) -> _Piece:
    """The outcomes between two breaks; what is negligible at either end is one outcome."""
    panels = _panels(densities, *_cut(densities, low, high))
    x, weights = _nodes(panels, SMOOTHNESS_NODES)
    p, q = (np.sum(weights * np.exp(value), axis=1) for value in densities.logs(x))
    if not p.any() or not q.any():
        return _Piece(NOWHERE, only=(float(p.sum()), float(q.sum())))
    given = densities.log_ratio is not None
    if given and p.all() and q.all() and _is_steady(*densities.loss(x.ravel())):
        negligible = 0.0  # the rarest outcome says as little as the others
    first, last = _near(p, q, negligible), len(p) - _near(p[::-1], q[::-1], negligible)
    last = max(first, last)
    far = tuple((float(p[s].sum()), float(q[s].sum())) for s in (slice(first), slice(last, None)))
    near = _refined(densities, panels[first : last + 1], spacing)
    return near._replace(far=near.far + far)


def _is_steady(loss: Floats, blur: Floats) -> bool:
    """Whether it is one loss, but for rounding."""
    sharpest = np.argmin(blur)
    return bool(np.all(np.abs(loss - loss[sharpest]) <= 4.0 * (blur + blur[sharpest])))


def _near(p: Floats, q: Floats, negligible: float) -> int:
    """How many panels are negligible together, from the front."""
    return int(((np.cumsum(p) <= negligible) & (np.cumsum(q) <= negligible)).sum())


def _cut(densities: _Densities, low: float, high: float) -> tuple[float, float]:
    """Finite ends, beyond which there is nothing that a float can hold."""
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    start, sign = (high, -1.0) if np.isfinite(high) else (low, 1.0)
    away = max(abs(start), 1.0) * 2.0 ** (np.arange(-400, 321) / 8.0)
    too_much = np.zeros(away.shape, dtype=bool)
    half, whole = (densities.logs(start + sign * a) for a in (away / 2.0, away))
    for near, far in zip(half, whole, strict=True):
        some = np.isfinite(far)
        with np.errstate(divide="ignore"):
            rate = np.log(np.maximum(near[some] - far[some], 0.0)) - np.log(away[some] / 2.0)
        too_much[some] |= far[some] - rate > np.log(LEAST_TAIL)
    beyond = int(np.flatnonzero(too_much)[-1]) + 1 if too_much.any() else 0
    if beyond == len(away):
        raise InvalidInput(
            "breaks",
            sign * np.inf,
            "finite",
            "Where a density falls more slowly than an exponential, change the variable.",
        )
    end = start + sign * float(away[beyond])
    return (end, high) if sign < 0 else (low, end)


def _panels(densities: _Densities, low: float, high: float) -> Floats:
    """Edges of parts on which a rule of sixteen nodes integrates both densities."""
    todo, done = np.linspace(low, high, 9), [np.array([high])]
    left, right = todo[:-1], todo[1:]
    for _ in range(HALVINGS):
        middle = left + (right - left) / 2.0
        whole = _nodes(np.stack([left, right]), SMOOTHNESS_NODES)
        halves = _nodes(np.stack([left, middle, right]), SMOOTHNESS_NODES)
        rough = _differ(densities, whole, halves)
        done.append(left[~rough])
        if not rough.any():
            return np.sort(np.concatenate(done))
        if rough.sum() > MOST_ROUGH:
            break
        left, right = (
            np.concatenate([left[rough], middle[rough]]),
            np.concatenate([middle[rough], right[rough]]),
        )
    raise InvalidInput(
        "breaks",
        (low, high),
        "around pieces on which the densities are smooth",
        "Name every point where a density is not smooth as a break.",
    )


def _differ(densities: _Densities, some: Rule, other: Rule) -> Bools:
    """Whether two rules disagree on a part about the probability under P or under Q."""
    differ = np.zeros(some[0].shape[0], dtype=bool)
    for one, two in zip(densities.logs(some[0]), densities.logs(other[0]), strict=True):
        largest = np.maximum(one.max(axis=1), two.max(axis=1))
        centre = np.where(np.isfinite(largest), largest, 0.0)[:, None]
        a = np.sum(some[1] * np.exp(one - centre), axis=1)
        b = np.sum(other[1] * np.exp(two - centre), axis=1)
        # no bound: what is more than rounding, of a logarithm and an exponential
        differ |= np.abs(a - b) > (SMOOTH + 4.0 * ULP * (1.0 + np.abs(centre[:, 0]))) * b
    return differ


def _nodes(edges: Floats, order: int) -> Rule:
    """Nodes and weights of a Gauss-Legendre rule on each part, a row each."""
    unit, weight = _gauss(order)
    rows = np.atleast_2d(edges)
    if edges.ndim == 1:
        rows = np.stack([edges[:-1], edges[1:]])
    left, width = rows[:-1].T[:, :, None], np.diff(rows, axis=0).T[:, :, None] / 2.0
    x = left + width * (unit + 1.0)
    return x.reshape(len(x), -1), (width * weight).reshape(len(x), -1)


@cache
def _gauss(order: int) -> Rule:
    """Nodes and weights of the Gauss-Legendre rule on [-1, 1]."""
    return np.polynomial.legendre.leggauss(order)


def _refined(densities: _Densities, panels: Floats, spacing: float) -> _Piece:
    """Nodes as outcomes, on parts that end where the loss is a multiple of half the spacing."""
    if len(panels) < 2:
        return _Piece(NOWHERE)
    inside = INSIDE * (panels[-1] - panels[0]) + 4.0 * np.spacing(np.abs(panels).max())
    x = np.sort(np.concatenate([panels[1:-1], _nodes(panels, SMOOTHNESS_NODES)[0].ravel()]))
    x = np.concatenate([panels[:1] + inside, x, panels[-1:] - inside])
    loss, blur = densities.loss(x)
    sharpest, steady = np.argmin(blur), _is_steady(loss, blur)
    if steady:
        edges = panels
    else:
        edges = np.sort(np.concatenate([panels, _corners(densities, x, loss, blur, spacing)]))
    nodes, weights = _nodes(edges, _order(densities, edges))
    p, q = densities.logs(nodes)
    mass, other = weights * np.exp(p), weights * np.exp(q)
    if steady:
        loss = np.full(mass.shape, loss[sharpest])
    else:
        given = densities.log_ratio is not None
        loss = (
            densities.loss(nodes.ravel())[0].reshape(nodes.shape)
            if given
            else p - q - densities.origin
        )
    known = mass > 0.0
    if known.all():
        return _Piece(Sided.of(mass, loss, spacing), under_q=float(other.sum()))
    far = ((0.0, float(other[~known].sum())),)
    near = Sided.of(mass[known][:, None], loss[known][:, None], spacing)
    return _Piece(near, far, under_q=float(other[known].sum()))


def _order(densities: _Densities, edges: Floats) -> int:
    """How many nodes are enough, judged by the widest parts and by some from everywhere."""
    widths = np.diff(edges)
    some = np.linspace(0, len(widths) - 1, min(SHOWN, len(widths))).astype(int)
    widest = np.argpartition(widths, -min(SMOOTHNESS_NODES, len(widths)))[-SMOOTHNESS_NODES:]
    some = np.union1d(some, widest)
    ends = np.stack([edges[some], edges[some + 1]])
    for order in ORDERS[:-1]:
        if not _differ(densities, _nodes(ends, order), _nodes(ends, 2 * order)).any():
            return order
    return SMOOTHNESS_NODES


def _corners(
    densities: _Densities, x: Floats, loss: Floats, blur: Floats, spacing: float
) -> Floats:
    """Points where the loss, monotone and known at rising x, is a multiple of half the spacing."""
    if loss[-1] < loss[0]:
        x, loss, blur = x[::-1], loss[::-1], blur[::-1]
    highest = np.maximum.accumulate(loss)
    if np.any(highest - loss > 4.0 * (blur + np.maximum.accumulate(blur))):
        raise InvalidInput(
            "breaks",
            float(x[np.argmax(highest - loss)]),
            "where it turns",
            "Name the point where it turns as a break.",
        )
    half = spacing / 2.0
    first, last = np.floor(loss[0] / half) + 1.0, np.ceil(highest[-1] / half)
    if last - first > 2.0 * MOST_POINTS:
        least = f"{(last - first) * half / MOST_POINTS:.1e}"
        raise InvalidInput("spacing", spacing, f"at least {least} for losses of this range")
    rising = np.flatnonzero(np.diff(highest, prepend=-np.inf) > 0.0)
    curve = _Curve(x[rising], highest[rising])
    return _reached(densities, curve, np.arange(first, last) * half, CLOSE_TO_CORNER * spacing)


class _Curve(NamedTuple):
    """Places and the strictly rising losses there."""

    x: Floats
    loss: Floats


def _reached(densities: _Densities, curve: _Curve, targets: Floats, close: float) -> Floats:
    """Points where the loss reaches each target: a cubic, then secants, kept inside a bracket."""
    right = np.clip(np.searchsorted(curve.loss, targets), 1, len(curve.loss) - 1)
    low, high = curve.x[right - 1], curve.x[right]
    x, slope = _cubic(curve, right, targets)
    answer, todo, width = x.copy(), np.arange(len(targets)), np.abs(high - low)
    value, blur = densities.loss(x)
    value = value - targets
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for _ in range(SECANTS):
            off = np.abs(value)
            apart = off * np.abs(slope) > CLOSE_TO_CORNER * width[todo]
            far = (off > blur) & ((off > close) | apart)
            todo, x, value, slope = todo[far], x[far], value[far], slope[far]
            if not todo.size:
                break
            low[todo] = np.where(value < 0.0, x, low[todo])
            high[todo] = np.where(value < 0.0, high[todo], x)
            new = x - value * slope
            lost = ~((new - low[todo]) * (new - high[todo]) < 0.0)
            new = np.where(lost, low[todo] + (high[todo] - low[todo]) / 2.0, new)
            answer[todo] = new
            reached, blur = densities.loss(new)
            reached = reached - targets[todo]
            secant = (new - x) / (reached - value)
            slope = np.where(np.isfinite(secant), secant, slope)
            x, value = new, reached
    return answer


def _cubic(curve: _Curve, right: Whole, targets: Floats) -> tuple[Floats, Floats]:
    """Hermite interpolation of the place as a function of the loss, and its slope."""
    gap, step = np.diff(curve.loss), np.diff(curve.x)
    with np.errstate(over="ignore", invalid="ignore"):
        chords = step / gap
        inner = (chords[:-1] * gap[1:] + chords[1:] * gap[:-1]) / (gap[1:] + gap[:-1])
        slopes = np.concatenate([chords[:1], inner, chords[-1:]])
        gap, step = gap[right - 1], step[right - 1]
        u = (targets - curve.loss[right - 1]) / gap
        start, end = slopes[right - 1] * gap, slopes[right] * gap
        second, third = 3.0 * step - 2.0 * start - end, start + end - 2.0 * step
        x = curve.x[right - 1] + u * (start + u * (second + u * third))
        slope = (start + u * (2.0 * second + 3.0 * u * third)) / gap
    low, high = curve.x[right - 1], curve.x[right]
    inside = (x - low) * (x - high) <= 0.0
    with np.errstate(over="ignore"):
        chord = step / gap
    return np.where(inside, x, low + (high - low) / 2.0), np.where(inside, slope, chord)


SHARE = 128.0  # lattice points for each standard deviation of the loss
MOST_MIXED = 2.0**17
STRONG = 12.0  # so far apart, most of the loss is next to its end


def mixed(rate: float, loss: npt.ArrayLike) -> Floats:
    """log(1 - rate + rate e^loss), without overflow, and accurate where it is small."""
    a = np.asarray(loss, dtype=float)
    moved = rate * np.expm1(np.minimum(a, EXP_LIMIT))
    near = np.log1p(np.maximum(moved, -0.5))
    apart = (moved < -0.5) | (a > EXP_LIMIT)
    return np.asarray(np.where(apart, np.logaddexp(log(1.0 - rate), log(rate) + a), near))


def spacing_for(deviation: float, reach: float) -> float:
    """A power of two: a share of the deviation of a loss, and not too many points up to `reach`."""
    wanted = max(deviation / SHARE, reach / MOST_MIXED, 2e-9)
    return min(2.0 ** math.floor(math.log2(wanted)), 0.25)


def shifted_spacing(mu: float, rate: float, negligible: float = 1e-40) -> float:
    """A spacing that suits the loss of (1 - rate) N(0, 1) + rate N(mu, 1) against N(0, 1)."""
    deviation = min(rate * math.sqrt(math.expm1(min(mu * mu, 50.0))), mu)
    return spacing_for(deviation, _reach(mu, rate, negligible))


def shifted_points(mu: float, rate: float, negligible: float = 1e-40) -> float:
    """How many points that lattice has above zero."""
    return _reach(mu, rate, negligible) / shifted_spacing(mu, rate, negligible)


def _reach(mu: float, rate: float, negligible: float) -> float:
    """The loss beyond which only so much probability is."""
    tail = math.sqrt(-2.0 * math.log(negligible))
    return float(mixed(rate, mu * (mu / 2.0 + tail)))


@cache
def shifted_on_lattice(
    mu: float, rate: float, finer: float = 1.0, negligible: float = 1e-40
) -> LossPair:
    """Losses around that of (1 - rate) N(0, 1) + rate N(mu, 1) against N(0, 1)."""

    def log_q(x: Floats) -> Floats:
        return np.asarray(-x * x / 2.0 - math.log(2.0 * math.pi) / 2.0)

    def loss(x: Floats) -> Floats:
        return mixed(rate, mu * (x - mu / 2.0))

    def log_p(x: Floats) -> Floats:
        return np.logaddexp(math.log1p(-rate) + log_q(x), math.log(rate) + log_q(x - mu))

    spacing = shifted_spacing(mu, rate, negligible) / finer
    parts = [-np.inf, mu / 2.0, np.inf]
    around = partial(
        between, log_p, log_q, parts, spacing=spacing, loss=loss, negligible=negligible
    )
    if mu <= STRONG:
        return around()
    pair = around(origin=math.log1p(-rate))
    merged = _next_to_the_end(mu, rate, spacing)
    if merged == math.log1p(-rate):
        return pair
    below = around(origin=merged)
    return replace(
        pair,
        forward=(below.forward[0], pair.forward[1]),
        backward=(below.backward[0], pair.backward[1]),
    )


def _next_to_the_end(mu: float, rate: float, spacing: float) -> float:
    """The loss of all outcomes next to the least loss, merged: hardly more than that."""
    x = mu / 2.0 + math.log(math.expm1(spacing / 2.0) * (1.0 - rate) / rate) / mu
    shifted, plain = ndtr(np.array([x - mu, x])).tolist()
    return math.log1p(-rate) + math.log1p(rate / (1.0 - rate) * shifted / plain)
