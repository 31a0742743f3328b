"""Many questions to a circle with many nodes: little memory, and the same answers."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from dprisk.accountant.contour import MOST_POINTS, Chernoff, Contour
from dprisk.losses.base import ULP, Lattice

MU, THETA = 0.8, 1.0


def circle(step, chosen):
    """Gaussian noise, as if all its losses lay on a lattice that is too fine for a table."""
    period = 2.0 * np.pi / step
    lattice = Lattice(0.0, period / (4.0 * MOST_POINTS))
    s = THETA + 1j * step * chosen
    log_scale = MU * MU * THETA * (THETA + 1.0) / 2.0
    terms = np.exp(MU * MU * s * (s + 1.0) / 2.0 - log_scale) / (4.0 * MOST_POINTS)
    terms[1:] *= 2.0
    return Contour(
        THETA, period, log_scale, s, terms, np.full(len(s), 4 * ULP), 0.0, lattice=lattice
    )


@pytest.mark.parametrize("asked", ["delta", "tail", "rough"])
@pytest.mark.parametrize("even", [True, False])
def test_many_questions_to_many_nodes(asked, even):
    """A number for each node and question would be a third of a gigabyte."""
    line = circle(1e-4, np.arange(2.0**15))
    if not even:  # as where there are too many for a grid
        vars(line)["_even"] = None
    assert (line._even is not None) == even and line._table is None
    x = np.linspace(0.0, 3.0, 600)
    none = Chernoff(np.array([0.0, 1e3]), np.array([-1e6, -1e6]))
    ask = {
        "delta": lambda e: line.delta(e, none).upper,
        "tail": lambda e: line.tail(e, none, False).upper,
        "rough": lambda e: line.rough(e)[0],
    }[asked]
    tracemalloc.start()
    together = ask(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1e8
    alone = np.array([ask(e[None])[0] for e in x[:5]])
    assert np.allclose(together[:5], alone, rtol=1e-10, atol=0.0)
