"""Guarantees that a finite mechanism keeps, and how their answers may be contradicted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.special import ndtri

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from tests.oracles import finite

GROWTHS = tuple(Fraction(n, 97) for n in (97, 101, 118, 151, 203, 367, 811, 3001, 20011))
LEVELS = tuple(Fraction(n, 997) for n in (0, 1, 7, 60, 211, 499, 701, 930, 990, 996, 997))
ORDERS = (1.0000001, 1.01, 1.3, 2.0, 3.5, 8.0, 30.0, 200.0)
SLACK = 1e-12  # parameters reach the package as doubles


def log(growth: Fraction) -> float:
    return float(np.log(float(growth)))


def most(pairs, f, *arguments):
    return max(f(pair, *arguments) for pair in pairs)


def up(x) -> float:
    """A double that is not below x."""
    return float(x) * (1 + 1e-15)


def polygons(pairs, neighbors):
    """The guarantees made of lines that all the pairs keep."""
    pure = max(map(finite.largest_log_ratio, pairs))
    if np.isfinite(pure):
        yield PureDP(up(pure), neighbors=neighbors)
    points = [(log(g), min(1.0, up(most(pairs, finite.profile, g)))) for g in GROWTHS]
    for e, d in (points[0], points[3], points[5]):
        yield ApproxDP(e, d, neighbors=neighbors)
    yield ApproxDPCurve(*map(list, zip(*points, strict=True)), neighbors=neighbors)
    corners = sorted({c for pair in pairs for c in finite.corners(pair)})
    errors = [max(0.0, float(1 - y) - 1e-15) for _, y in corners]
    yield FDP.polygon([float(x) for x, _ in corners], errors, neighbors=neighbors)


def tails(pairs, neighbors):
    """Probabilistic and probabilistically bounded guarantees that all the pairs keep."""
    for g in (GROWTHS[2], GROWTHS[4]):
        e = log(g)
        both, one = most(pairs, finite.tail_both, g), most(pairs, finite.tail_one, g)
        yield ProbabilisticDP(e, min(1.0, up(both)), neighbors=neighbors)
        yield ProbabilisticDP(e, min(1.0, up(one)), sides="one", neighbors=neighbors)
        processed = most(pairs, finite.merged_one, g)
        yield ProbabilisticallyBoundedDP(e, min(1.0, up(processed)), neighbors=neighbors)


def smooth(pairs, neighbors):
    """Gaussian and Rényi guarantees that all the pairs keep (none if a loss can be infinite)."""
    if not np.isfinite(max(map(finite.largest_log_ratio, pairs))):
        return
    inner = [c for pair in pairs for c in finite.corners(pair)[1:-1]]
    shifts = [float(ndtri(float(y)) - ndtri(float(x))) for x, y in inner if x > 0 and y < 1]
    yield GaussianDP(max([0.0, *shifts]) * (1 + 1e-12), neighbors=neighbors)
    divergences = [up(max(finite.renyi(pair, a) for pair in pairs)) + 1e-15 for a in ORDERS]
    for i in (1, 3, 6):
        yield RenyiDP(ORDERS[i], divergences[i], neighbors=neighbors)
    yield RenyiDP(ORDERS, divergences, neighbors=neighbors)
    yield ZeroConcentratedDP(slope(pairs), neighbors=neighbors)


def slope(pairs) -> float:
    """Least rho with D_a <= rho a for all a >= 1, from a fine grid and a margin for its mesh."""
    orders = np.concatenate([[1.0], 1.0 + np.geomspace(1e-4, 3e3, 400)])
    rho = 0.0
    for p, q in pairs:
        a, b = np.array([float(v) for v in p]), np.array([float(v) for v in q])
        a, b = a[a > 0], b[a > 0]
        loss = np.log(a / b)
        extra = orders[1:] - 1.0
        top = loss.max()
        moments = np.log(np.exp(extra[:, None] * (loss - top)) @ a) + extra * top
        values = np.concatenate([[float(a @ loss)], moments / extra])
        rho = max(rho, float((values / orders).max()))
    return rho * 1.001 + 1e-15


def violations(guarantee, pairs, processed_both) -> list[str]:
    """Every way in which the pairs contradict an answer of the guarantee."""
    found = []
    growth = np.array([log(g) for g in GROWTHS])
    level = np.array([float(x) for x in LEVELS])

    def demand(name, answer, truth, sign=1):
        gap = sign * (np.asarray(truth, dtype=float) - answer)
        for i in np.flatnonzero(gap > SLACK * np.maximum(np.abs(answer), 1e-3)):
            found.append(f"{guarantee!r}.{name}[{i}] = {answer[i]!r}, but {truth[i]!r}")

    exact = np.array([float(most(pairs, finite.profile, g)) for g in GROWTHS])
    demand("delta", guarantee.delta(growth).value, exact)
    demand(
        "power",
        guarantee.power(level).value,
        np.array([float(most(pairs, finite.power, x)) for x in LEVELS]),
    )
    demand(
        "level",
        guarantee.level(level).value,
        np.array([float(min(finite.level(p, x) for p in pairs)) for x in LEVELS]),
        -1,
    )
    one = np.array([float(most(pairs, finite.merged_one, g)) for g in GROWTHS[1:]])
    both = processed_both
    raw_one = np.array([float(most(pairs, finite.tail_one, g)) for g in GROWTHS[1:]])
    raw_both = np.array([float(most(pairs, finite.tail_both, g)) for g in GROWTHS[1:]])
    for sides, after, truth in (
        ("one", True, one),
        ("both", True, both),
        ("one", False, raw_one),
        ("both", False, raw_both),
    ):
        options = {"sides": sides, "post_processing": after}
        slack = 1e-8 if truth is both else 0.0  # the linear program's own tolerance
        demand(f"tail {options}", guarantee.tail(growth[1:], **options).value + slack, truth)
        # where more than m lies beyond growth, the loss bound at m must not be below it
        m = truth * (1 - 1e-7)
        reached = (truth > 1e-6) & (m > 0)
        bound = guarantee.loss_bound(np.where(reached, m, 1.0), **options).value
        demand(f"loss_bound {options}", np.where(reached, bound, np.inf), growth[1:])
    return found
