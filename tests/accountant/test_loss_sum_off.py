"""How far products of probabilities are off that are each off by a little: exact fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dprisk import PrivacyLoss
from dprisk.accountant.loss_sum import probabilities_off
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import LossPair

ONE = LossPair.known(AtomicLoss.of([-1.0, 1.0], [1.0 / (1.0 + np.e), np.e / (1.0 + np.e)], 0.0))


@pytest.mark.parametrize("error", [2.0**-52, 1e-9, 1e-6])
@pytest.mark.parametrize("count", [1, 2, 1000, 30_000])
def test_products_of_probabilities_that_are_off(error, count):
    """(1 + r)^k - 1, of which k r is only the first term."""
    found = probabilities_off([(replace(ONE, relative_error=error), count)])
    assert (1 + Fraction(error)) ** count - 1 <= Fraction(found) <= Fraction(error) * 2 * count


def test_nothing_is_known_of_what_may_be_off_by_any_factor():
    """Bounds are still bounds."""
    loss = PrivacyLoss([replace(ONE, relative_error=1e-6)], [10**9], neighbors="add-remove")
    assert loss.delta([0.0, 1.0]).bracket[0].tolist() == [0.0, 0.0]
    assert loss.delta([0.0, 1.0]).value.tolist() == [1.0, 1.0]
    low, high = loss.epsilon(1e-6).bracket
    assert low == 0.0 and high > 1e8
