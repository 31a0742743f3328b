"""Where the finite losses of a sum begin, if their ends cancel."""

from __future__ import annotations

import math

import pytest

from dprisk.accountant.methods.by_discretization import ByDiscretization
from dprisk.accountant.methods.by_truncation import ByTruncation
from dprisk.accountant.profiles import add_up
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from sweep.truth.balls import exact


@pytest.mark.parametrize(
    ("rate", "count", "often", "each"),
    [  # the least loss is nearly zero: found by searching at random
        (0.02016935916852313, 899473, 42, 436.36300355984554),
        (0.2515850394824174, 35835, 28, 370.88929972989956),
        (0.01470647703810290, 407491, 25, 241.49040269786917),
    ],
)
def test_ends_that_cancel(rate, count, often, each):
    """Sampled Gaussians end below zero; what half of all records never show ends above."""
    known = AtomicLoss.of([each], [1.0], 0.0, None, -math.expm1(-each))
    parts = ((SubsampledNormalLoss(1.0, rate), count), (known, often))
    truth = count * (-exact(rate)).log1p() + often * exact(each)
    by_lines = ByTruncation(parts, 1e-6, 2**14)
    assert exact(by_lines.support[0]) <= truth
    assert exact(ByDiscretization(parts, 1e-6, 1.0, by_lines, add_up).support[0]) <= truth
