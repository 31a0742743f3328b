"""Where a node takes a turn of very many points, a line has fewer of them and is still right."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.accountant import abscissas, mgf
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.normal import ResponseLoss

COUNT, SPACING = 3001, 1e-3
FEW = ResponseLoss(np.sqrt(2.0) / 3.0).points


def normal(losses, spacing, mean, variance):
    """On a lattice; what Q has more is where the loss is minus infinity."""
    masses = np.exp(-((losses - mean) ** 2) / (2.0 * variance))
    masses /= masses.sum() * max((masses * np.exp(-losses)).sum() / masses.sum(), 1.0) * 1.001
    under_q = float((masses * np.exp(-losses)).sum())
    on = Lattice(float(losses[0]), spacing)
    return AtomicLoss.part(losses, masses, 1.0 - float(masses.sum()), on, 1.0 - under_q)


def many():
    return normal(SPACING * (np.arange(COUNT) - COUNT // 2), SPACING, 0.045, 0.09)


def truth(parts, x):
    """E[1 - e^(x - Z); Z > x], one sum after the other."""
    losses, masses = np.zeros(1), np.ones(1)
    for loss, count in parts:
        for _ in range(count):
            losses = np.add.outer(losses, loss.losses).ravel()
            masses = np.multiply.outer(masses, loss.masses).ravel()
    above, shown = losses > x, 1.0 - np.prod([(1.0 - loss.infinite) ** n for loss, n in parts])
    return float(shown + (masses[above] * -np.expm1(x - losses[above])).sum())


@pytest.mark.parametrize("turns", [2**22, 2**27])
def test_fewer_nodes_have_wider_brackets_that_hold(turns, monkeypatch):
    """With a thousandth of the nodes, and with all that are wanted."""
    monkeypatch.setattr(abscissas, "MOST_TURNS", turns)
    monkeypatch.setattr(abscissas, "FEW_NODES", 2**8)
    monkeypatch.setattr(abscissas, "ROUND", 2**10)  # no transform
    parts = ((many(), 1), (FEW, 2))
    loss = ByContour(parts, nodes=2**15)
    x = np.array([0.0, 0.3, 0.9, 1.5])
    low, high = loss.delta(x)
    for at, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a - 1e-13 <= truth(parts, at) <= b + 1e-13
    lines, made = loss._lines, [line for line, _ in loss._by_line(x)]
    assert all(len(line.s) <= max(turns // COUNT, 2**8) + 1 for line in made)
    assert lines._most_nodes(True) == 2**15
    assert (lines._most_nodes(False) < 2**15) == (turns == 2**22)


def test_a_common_lattice_is_left_where_its_circle_has_too_many_nodes(monkeypatch):
    """Two spacings of which only a ninth is common, as by chance; the truth is in both brackets."""
    noise = DiscreteGaussianLoss(3.0, 1)
    points = normal(2.0**-10 * np.arange(-700, 701), 2.0**-10, 0.01, 0.01)
    parts = ((points, 1), (noise, 1))
    x = np.array([0.0, 0.3, 0.8])
    on = ByContour(parts)
    assert on.moments.lattice is not None and on.moments.lattice.spacing < 2.0**-13
    monkeypatch.setattr(mgf, "MOST_TURNS", 1e6)
    off = ByContour(parts)
    assert off.moments.lattice is None
    (low, high), (lower, upper) = on.delta(x), off.delta(x)
    assert np.all(low <= upper) and np.all(lower <= high)
    k = np.arange(-120, 121)
    chances = np.exp(-k * k / 18.0) / np.exp(-k * k / 18.0).sum()
    far, share = (2.0 * k + 1.0) / 18.0, chances[:, None] * points.masses
    for at, *ends in zip(x.tolist(), low, high, lower, upper, strict=True):
        z = far[:, None] + points.losses
        right = points.infinite + float((share * np.maximum(-np.expm1(at - z), 0.0)).sum())
        assert max(ends[0], ends[2]) <= right * (1 + 1e-12) <= min(ends[1], ends[3]) * (1 + 2e-12)
