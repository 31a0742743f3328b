"""Next to the probability that everything is revealed, which is rounded as many times as there
are parts: a delta that may be below it has no finite epsilon.
"""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.by_discretization import ByDiscretization
from dprisk.accountant.methods.by_truncation import ByTruncation
from dprisk.accountant.profiles import add_up
from dprisk.losses.base import ULP
from dprisk.losses.normal import ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from sweep.truth.balls import exact

REVEALED, COUNT, PARTS = 4.772970852618947e-05, 6, 119  # found by searching at random
CONSTANT = ((ResponseLoss(0.01, REVEALED), COUNT),) * PARTS
TRUTH = -((-exact(REVEALED)).log1p() * (COUNT * PARTS)).expm1()
HEAVY = SubsampledNormalLoss(1.0, 0.01)


TRUNCATED = ByTruncation(((HEAVY, 3), *CONSTANT), 1e-6, 2**14)
ADDED = ((SubsampledNormalLoss(1.0, 0.01, added=True), 3), *CONSTANT)
SUMS = [ByContour(CONSTANT), TRUNCATED, ByDiscretization(ADDED, 1e-6, 1.0, TRUNCATED, add_up)]


@pytest.mark.parametrize("whole", SUMS, ids=lambda whole: type(whole).__name__)
def test_no_epsilon_is_finite_below_what_is_revealed(whole):
    """As computed it is 4.7 ulp less than it is."""
    computed = whole.mass_at_infinity
    below = computed + np.arange(-8.0, 6.0) * np.spacing(computed)
    assert below[-1] > computed * (1.0 + 4.0 * ULP)
    assert all(exact(delta) < TRUTH for delta in below.tolist())
    assert np.isposinf(whole.epsilon(below).upper).all()
    assert np.isposinf(whole.epsilon(np.array([0.0, computed / 2.0])).lower).all()


@pytest.mark.parametrize("more", [1.0, 64.0, 400.0])
def test_epsilon_next_to_what_is_revealed_is_no_more_than_it_is(more):
    """A little above, the least end is one at which delta is certainly more."""
    delta = float(TRUTH.mid()) * (1.0 + more * ULP)
    whole = ByContour(CONSTANT)
    found = whole.epsilon(np.array([delta]))
    assert exact(delta) > TRUTH
    assert whole.delta(found.lower).upper[0] > delta
    assert found.lower[0] < 0.9 * whole.largest
