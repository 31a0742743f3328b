"""Parts as text, and what they promise between datasets that are several steps apart."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees import ProbabilisticDP
from dprisk.ledger.parts import for_group, part_key, part_of
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace
from dprisk.releases import Part

ADD: dict[str, Any] = {"neighbors": "add-remove"}
PARTS = [
    Part(PureDP(0.1, **ADD)),
    Part(PureDP(0.1, **ADD), given={"epsilon": "0.10"}),
    Part(ApproxDP(0.1, 1e-6, **ADD)),
    Part(ZeroConcentratedDP(0.1, xi=0.2, **ADD)),
    Part(GaussianDP(0.3, **ADD)),
    Part(RenyiDP([2.0, 4.0], [0.1, 0.2], **ADD)),
    Part(ProbabilisticDP(0.1, 1e-6, **ADD)),
    Part.of(Gaussian(3.0, 1.0, **ADD)),
    Part.of(Laplace(3.0, 1.0, **ADD)),
]


@pytest.mark.parametrize("part", PARTS, ids=repr)
def test_a_key_reads_back(part):
    found = part_of(part_key(part), "add-remove")
    assert found == part and part_key(found) == part_key(part)


@pytest.mark.parametrize("part", PARTS, ids=repr)
def test_two_steps_promise_what_the_definition_says(part):
    two = for_group(part, 2, "replace-one").guarantee
    known = part.guarantee.for_neighbors("replace-one")
    assert two.neighbors == "replace-one"
    for epsilon in (0.0, 0.3, 2.0):
        ours, theirs = float(two.delta(epsilon)), float(known.delta(epsilon))
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-300)


@given(
    st.decimals("0.001", "20", places=5),
    st.decimals("1e-12", "0.1", places=14),
    st.integers(1, 40),
)
def test_delta_of_a_group_is_not_below_the_sum(epsilon, delta, steps):
    given_ = {"epsilon": str(epsilon), "delta": str(delta)}
    part = Part(ApproxDP(float(epsilon), float(delta), **ADD), given=given_)
    found = for_group(part, steps, "add-remove").given
    with mpmath.workdps(60):
        size = mpmath.mpf(str(epsilon))
        truth = sum(mpmath.mpf(str(delta)) * mpmath.exp(k * size) for k in range(steps))
        ours = mpmath.mpf(found["delta"])
        assert ours >= min(truth, 1)
        assert ours <= min(truth, 1) * (1 + mpmath.mpf(10) ** -15)
    assert Fraction(Decimal(found["epsilon"])) == Fraction(epsilon) * steps


@pytest.mark.parametrize(
    ("part", "name", "text"),
    [
        (Part(PureDP(0.1, **ADD)), "epsilon", "0.7"),
        (Part(PureDP(0.1, **ADD), given={"epsilon": "0.10000000000000000000001"}), "epsilon",
         "0.70000000000000000000007"),
        (Part(GaussianDP(0.3, **ADD)), "mu", "2.1"),
        (Part(ZeroConcentratedDP(0.1, **ADD)), "rho", "4.9"),
    ],
)  # fmt: skip
def test_groups_of_seven_are_exact(part, name, text):
    assert for_group(part, 7, "add-remove").given[name] == text


def test_of_a_mechanism_its_promise_is_rounded_up():
    two = for_group(Part.of(Gaussian(3.0, 1.0, **ADD)), 2, "replace-one")
    assert Fraction(two.given["mu"]) > Fraction(2, 3)
    assert two.guarantee.mu >= 2.0 / 3.0


@pytest.mark.parametrize("delta", ["0.5", "1e-300"])
def test_delta_ends_at_one(delta):
    part = Part(ApproxDP(700.0, float(delta), **ADD), given={"epsilon": "700", "delta": delta})
    assert for_group(part, 3, "add-remove").given["delta"] == "1"


def test_no_delta_stays_none():
    part = Part(ApproxDP(1e6, 0.0, **ADD), given={"epsilon": "1e6", "delta": "0"})
    assert for_group(part, 3, "add-remove").given["delta"] == "0"


@pytest.mark.parametrize(
    "part",
    [Part(RenyiDP([2.0], [0.1], **ADD)), Part(ZeroConcentratedDP(0.1, xi=0.2, **ADD))],
    ids=repr,
)
def test_where_there_is_no_theorem(part):
    with pytest.raises(Meaningless, match="group of 3"):
        for_group(part, 3, "add-remove")


def test_what_no_file_can_hold_is_refused():
    with pytest.raises(InvalidInput):
        part_key(Part(Laplace(1.0, 1.0, **ADD).loss()))


def test_a_discrete_gaussian_is_kept_as_it_is():
    part = Part.of(DiscreteGaussian(2.0, 1.0, **ADD))
    assert for_group(part, 1, "add-remove") is part
