"""How much less a moment of Laplace losses is away from the real axis, at least."""

from __future__ import annotations

import numpy as np
import pytest
from flint import acb

from dprisk.losses.laplace import LaplaceLoss
from sweep.truth.balls import exact


def size(ratio, theta, t):
    """abs(M) in balls."""
    c, s = exact(ratio), acb(exact(theta), exact(t))
    return abs(((s + 1) * (s * c).exp() + s * (-(s + 1) * c).exp()) / (2 * s + 1))


def holds(ratio, theta, t):
    found = LaplaceLoss(ratio).decay(theta, t, t)
    truth = (size(ratio, theta, 0.0) / size(ratio, theta, t)).log()
    assert found == 0.0 or exact(found) <= truth, (ratio, theta, t)
    return float(truth) - found


@pytest.mark.parametrize(
    ("ratio", "theta", "t"),
    [  # nearly nothing is left: found by searching at random
        (1.0906683249294847e-06, -0.48418123875057845, 119537802.78014915),
        (1.2044035867351663e-05, -0.4994591544153142, 11085792.939184025),
        (7.231596946306045, -0.49999999783301574, 16.72539524274647),
    ],
)
def test_where_nearly_nothing_is_left(ratio, theta, t):
    """Off by what 1 - sin^2 would lose, and by the phase."""
    assert holds(ratio, theta, t) < 0.3


def test_decay_is_a_bound():
    """Anywhere, and where the cosine vanishes."""
    rng = np.random.default_rng(9)
    away = []
    for _ in range(1500):
        ratio = float(10.0 ** rng.uniform(-6.0, 2.0))
        theta = float(-0.5 + 10.0 ** rng.uniform(-9.0, 1.0))
        t = float(10.0 ** rng.uniform(-2.0, 4.0) / ratio)
        away.append(holds(ratio, theta, t))
        holds(ratio, theta, float((rng.integers(50) + 0.5) * np.pi / ratio))
    assert np.median(away) < 0.1
