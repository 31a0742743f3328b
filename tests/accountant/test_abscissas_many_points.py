"""Where a node takes a turn of very many points, a line has fewer of them and is still right."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.accountant import abscissas
from dprisk.accountant.by_contour import ByContour
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.response import ResponseLoss

COUNT, SPACING = 3001, 1e-3
FEW = ResponseLoss(np.sqrt(2.0) / 3.0).points


def many():
    """A normal loss on a lattice, so that P and Q both add up to one."""
    losses = SPACING * (np.arange(COUNT) - COUNT // 2)
    masses = np.exp(-((losses - 0.045) ** 2) / 0.18)
    masses /= masses.sum()
    under_q = masses * np.exp(-losses)
    rest = Lattice(float(losses[0]), SPACING)
    return AtomicLoss.part(losses, masses / max(under_q.sum(), 1.0), 0.0, rest)


def truth(parts, x):
    """E[1 - e^(x - Z); Z > x], one sum after the other."""
    losses, masses = np.zeros(1), np.ones(1)
    for loss, count in parts:
        for _ in range(count):
            losses = np.add.outer(losses, loss.losses).ravel()
            masses = np.multiply.outer(masses, loss.masses).ravel()
    above = losses > x
    return float((masses[above] * -np.expm1(x - losses[above])).sum())


@pytest.mark.parametrize("turns", [2**22, 2**27])
def test_fewer_nodes_have_wider_brackets_that_hold(turns, monkeypatch):
    """With a thousandth of the nodes, and with all that are wanted."""
    monkeypatch.setattr(abscissas, "MOST_TURNS", turns)
    monkeypatch.setattr(abscissas, "FEW_NODES", 2**8)
    monkeypatch.setattr(abscissas, "ROUND", 2**10)  # no transform
    parts = ((many(), 1), (FEW, 2))
    loss = ByContour(parts, nodes=2**15)
    x = np.array([0.0, 0.3, 0.9, 1.5])
    low, high = loss._directly(x)
    for at, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a - 1e-13 <= truth(parts, at) <= b + 1e-13
    lines = loss._lines
    assert all(len(line.s) <= max(turns // COUNT, 2**8) + 1 for line in lines.made.values())
    assert lines._most_nodes(True) == 2**15
    assert (lines._most_nodes(False) < 2**15) == (turns == 2**22)
