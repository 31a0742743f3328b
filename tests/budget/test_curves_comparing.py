"""Other ways to an epsilon: P3, Section 5."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import PureDP
from dprisk.budget import RatioLimit, compare, population_factor
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.risk import independent_posterior, with_participation


def test_the_example_of_lee_and_clifton():
    """P3, after Equation 41: n = 4 and a = 1/3 give log(3/2), about 0.41."""
    ours, half, theirs, wood = compare(1 / 4, 1 / 3)
    assert theirs.epsilon == pytest.approx(np.log(1.5), rel=1e-12)
    assert ours.epsilon == pytest.approx(np.log(1.5), rel=1e-9)
    assert half.epsilon == pytest.approx(np.log(4 / 3) / 2, rel=1e-12)
    assert wood.epsilon == pytest.approx(np.log(1.5) / 2, rel=1e-12)
    assert f"{theirs.epsilon:.2f}" == "0.41"


def test_each_rule_keeps_what_it_speaks_of():
    prior, posterior = 0.02, 0.3
    ours, half, theirs, wood = (rule.epsilon for rule in compare(prior, posterior))

    def known(epsilon):
        return PureDP(epsilon, neighbors="add-remove")

    for epsilon in (ours, theirs):
        member = independent_posterior(known(epsilon), prior, 1.0).upper.value
        assert member == pytest.approx(posterior, rel=1e-9)
        assert member <= posterior * (1 + 1e-15)
    with_data = with_participation(known(wood), prior).upper.value
    assert with_data == pytest.approx(posterior, rel=1e-9)
    assert independent_posterior(known(half), 1.0, prior).upper.value <= posterior


def test_the_factor_by_brute_force():
    """Equations 43 and 44 for the mean of four numbers, written out."""
    values = [1.0, 2.0, 3.0, 10.0]
    three = [np.mean([v for j, v in enumerate(values) if j != i]) for i in range(4)]
    change = max(
        abs(three[i] - np.mean([v for j, v in enumerate(values) if j not in (i, k)]))
        for i in range(4)
        for k in range(4)
        if k != i
    )
    factor = population_factor(values, np.mean)
    assert factor == pytest.approx(change / (max(three) - min(three)))
    rules = compare(0.25, 1 / 3, factor=factor)
    assert [rule.name for rule in rules][3] == "Lee and Clifton with their factor"
    assert rules[3].epsilon == pytest.approx(factor * np.log(1.5))
    assert "this population only" in rules[3].holds_for


def test_a_profile_of_ones_own():
    first = compare(0.25, 1 / 3, profile=RatioLimit(3.0))[0]
    assert first.epsilon == pytest.approx(np.log(3) / 2, rel=1e-9)
    assert first.to_dict()["theorem"] == "P3 Theorem 3"


@pytest.mark.parametrize(
    "arguments", [(0.0, 0.5), (0.5, 0.4), (0.5, 1.0), (np.nan, 0.5), (1.0, 1.0)]
)
def test_beliefs_outside_their_range_are_refused(arguments):
    with pytest.raises(OutOfRange):
        compare(*arguments)


def test_factors_that_make_no_sense_are_refused():
    with pytest.raises(OutOfRange):
        compare(0.25, 0.5, factor=0.0)
    with pytest.raises(InvalidInput, match="people"):
        population_factor([1.0, 2.0], np.mean)
    with pytest.raises(InvalidInput, match="tells people apart"):
        population_factor([2.0, 2.0, 2.0], np.mean)


def test_nothing_to_be_gained():
    """Prior and posterior alike: nothing may be learned by any rule."""
    assert [rule.epsilon for rule in compare(0.5, 0.5)] == [0.0, 0.0, 0.0, 0.0]
