"""Losses of bounded range: each use has its losses in a window of a known length, placed freely.

`game` is the privacy profile of uses whose windows are placed one after another, each after seeing
earlier outputs; `equal_windows` the best that windows in the same place can do (docs/theorems.md,
Proposition 28).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dprisk._numeric.envelope import majorant
from dprisk._numeric.logspace import Floats
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice

ROUNDINGS: Final = 16.0 * ULP  # six products and sums of a slope, each rounded
LARGER: Final = 1.0 + 1e-12  # relative: more than all roundings of a profile
PLACES: Final = 64  # of a window, to see which one tells most
LEVEL, POWER = 0, 1


def game(length: float, uses: int, steps: int) -> tuple[Floats, Floats]:
    """Epsilons, multiples of length / steps, and delta at each of so many uses, at most.

    A use moves the loss by t with probability p(t) = (1 - e^(t - length)) / (1 - e^-length) under
    P, and by t - length otherwise, with the worst t in [0, length]. Between two points delta is at
    most the chord in e^epsilon, with which each step is concave in e^-t.
    """
    spacing = length / steps
    grid = spacing * np.arange(steps + 1.0)
    whole = -np.expm1(-length)
    first = np.expm1(grid - length) / -whole  # p(t), from 1 down to 0
    second = -np.expm1(-grid) * np.exp(grid - length) / whole  # 1 - p(t)
    # derivatives for u = e^-t falling from one point to the next, lambda from 0 to 1
    fall = -np.expm1(-spacing)
    slope_right = -np.exp(grid[:-1] - length) * fall / whole
    slope_left = -np.exp(grid[1:] - length) * np.expm1(spacing) / whole
    profile = np.square(np.expm1((grid - length) / 2.0)) / whole  # of one use, at 0, 1, 2 ...
    for done in range(1, uses):
        last = (done + 1) * steps
        known = _on_both_sides(profile, last + steps, steps, spacing)
        new = np.zeros(last + 1)
        for j in range(steps):
            g0, g1 = known[steps - j : steps - j + last + 1], known[steps - j - 1 :][: last + 1]
            k0, k1 = known[2 * steps - j :][: last + 1], known[2 * steps - j - 1 :][: last + 1]
            new = np.maximum(
                new,
                _highest(
                    (g0, g1),
                    (k0, k1),
                    (first[j], first[j + 1]),
                    (second[j], second[j + 1]),
                    (slope_right[j], slope_left[j]),
                ),
            )
        profile = new
    epsilon = np.asarray(spacing * np.arange(len(profile)), dtype=float)
    return epsilon, np.minimum(profile * LARGER**uses, 1.0)


def _on_both_sides(profile: Floats, last: int, steps: int, spacing: float) -> Floats:
    """Delta at the points from -steps to last: 1 - e^y + e^y delta(-y) below 0."""
    found = np.zeros(steps + last + 1)
    found[steps : steps + len(profile)] = profile
    down = spacing * np.arange(1.0, steps + 1.0)
    mirrored = np.zeros(steps)
    some = profile[1 : steps + 1]
    mirrored[: len(some)] = some
    found[:steps] = (-np.expm1(-down) + np.exp(-down) * mirrored)[::-1]
    return found


def _highest(
    g: tuple[Floats, Floats],
    k: tuple[Floats, Floats],
    first: tuple[float, float],
    second: tuple[float, float],
    slopes: tuple[float, float],
) -> Floats:
    """Most that a cell of places allows: where its tangents at both ends meet, if inside."""
    left = first[0] * g[0] + second[0] * k[0]
    right = first[1] * g[1] + second[1] * k[1]
    up, across = g[1] - g[0], k[1] - k[0]
    away = (g[0] - k[0], g[1] - k[1])
    rise = first[0] * up + second[0] * across + slopes[0] * away[0]
    fall = -(first[1] * up + second[1] * across + slopes[1] * away[1])
    # how far rounding may move both slopes
    off = ROUNDINGS * (g[1] + k[1]) * (1.0 + abs(slopes[0]) + abs(slopes[1]))
    rise, fall = np.maximum(rise + off, 0.0), np.maximum(fall + off, 0.0)
    both = rise + fall
    with np.errstate(invalid="ignore"):
        share = np.where(both > 0.0, (right - left + fall) / both, 0.0)
    met = left + rise * np.clip(share, 0.0, 1.0)
    return np.asarray(np.maximum(np.maximum(left, right), met))


def binomial(length: float, place: float, uses: int) -> AtomicLoss:
    """The loss of so many uses with the window [place - length, place] each."""
    from scipy.special import gammaln

    i = np.arange(uses + 1.0)
    choose = gammaln(uses + 1.0) - gammaln(i + 1.0) - gammaln(uses - i + 1.0)
    whole = np.log(-np.expm1(-length))
    high = np.log(-np.expm1(place - length)) - whole
    low = np.log(-np.expm1(-place)) + place - length - whole
    log_p = choose + (uses - i) * high + i * low
    losses = uses * place - i * length
    p, q = np.exp(log_p), np.exp(log_p - losses)
    on = Lattice(0.0, length)
    return AtomicLoss.part(losses, p / p.sum(), 0.0, on, 0.0, q / q.sum())


def equal_windows(length: float, uses: int) -> AtomicLoss:
    """The pair whose tests are the best of all pairs with windows in the same place, at least."""
    rows = []
    for place in length * np.arange(1.0, PLACES) / PLACES:
        loss = binomial(length, place, uses)
        rows.append((np.cumsum(loss.reverse_masses[::-1]), np.cumsum(loss.masses[::-1])))
    level, power = np.concatenate([np.zeros((2, 1)), *map(np.array, rows)], axis=1)
    order = np.lexsort((power, level))
    points = [(x, y) for x, y in zip(level[order].tolist(), power[order].tolist(), strict=True)]
    corners = np.array([points[i] for i in majorant(points)])
    q, p = np.diff(np.append(corners, [[1.0, 1.0]], axis=0), axis=0).T
    some = (p > 0.0) & (q > 0.0)
    return AtomicLoss.part(np.log(p[some] / q[some]), p[some], 0.0, None, 0.0, q[some])
