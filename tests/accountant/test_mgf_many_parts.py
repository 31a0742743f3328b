"""Each part that is added to a sum of logarithms is rounded, however small it is."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from dprisk.accountant.mgf import ComposedMGF
from dprisk.losses.normal import ResponseLoss
from sweep.truth.balls import exact

LARGE = (ResponseLoss(1.275321763948737), 730)
CASES = [  # the large part first, or last: found by searching at random
    (LARGE, *((ResponseLoss(2.11157e-7 * (1.0 + i * 1e-7)), 1) for i in range(366))),
    (*((ResponseLoss(1.18546e-7 * (1.0 + i * 1e-7)), 1) for i in range(488)), LARGE),
]
ABSCISSAS = np.linspace(0.5, 3.0, 17)


def truth(parts, theta):
    """log M in balls."""
    s, total = exact(theta), arb(0)
    for loss, count in parts:
        e = exact(loss.epsilon)
        total += count * (((e * (s + 1)).exp() + (-e * s).exp()) / (1 + e.exp())).log()
    return total


@pytest.mark.parametrize("parts", CASES, ids=["first", "last"])
def test_the_logarithm_is_no_further_off_than_it_says(parts):
    """On the real axis, where bounds by Chernoff's inequality read it."""
    moments = ComposedMGF(parts)
    value, off = moments._measured(ABSCISSAS)
    for at, found, error in zip(ABSCISSAS.tolist(), value.tolist(), off.tolist(), strict=True):
        assert abs(exact(found) - truth(parts, at)) <= exact(error)


@pytest.mark.parametrize("parts", CASES, ids=["first", "last"])
def test_samples_are_no_further_off_than_they_say(parts):
    """Relative to what is sampled."""
    for at in ABSCISSAS[::8].tolist():
        moments, right = ComposedMGF(parts), truth(parts, at)
        scale = float(right.mid())
        (value,), (error,) = moments.sampled(np.array([at + 0j]), scale)
        ratio = exact(float(value.real)) / (right - exact(scale)).exp()
        assert abs(ratio - 1) <= exact(float(error))
