"""Designs of amounts of several kinds, against formulas; every kind written and read again."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

import pytest

from dprisk.allocation import allocate, design, dhc2020, read_allocation
from dprisk.allocation.finding import power_at_most
from dprisk.allocation.units import rho_of_epsilon
from tests.allocation.tables import CSV, single
from tests.allocation.test_units import MIXED
from tests.cli.running import run, write

NORMAL = NormalDist()


def mixed():
    return allocate(MIXED, name="mixed", moves=2)


@pytest.mark.parametrize("most", [0.06, 0.1, 0.4])
@pytest.mark.parametrize(("concern", "epsilon"), [("b", 0.5), ("c", 1 / 3)])
def test_an_epsilon_among_other_kinds_is_scaled_as_an_epsilon(concern, epsilon, most):
    """An epsilon lets the power be at most e^epsilon times the level, where that is below 1/2.

    A geometric cell attains that at some levels only: its scale may be larger.
    """
    found = design(mixed(), [f"{concern}: power(0.05)={most}"])
    truth = math.log(most / 0.05) / epsilon
    assert found.scale is not None
    assert float(found.scale) >= truth * (1 - 1e-5)
    if concern == "c":
        assert float(found.scale) <= truth * (1 + 1e-9)
    query = next(q for q in found.allocation.queries if concern in q.attributes)
    assert query.epsilon == Fraction(epsilon).limit_denominator(9) * found.scale
    cells = 2 if query.noise else 1
    assert query.amount == cells * rho_of_epsilon(query.epsilon / cells)


def test_mu_among_other_kinds_is_scaled_by_its_square():
    """mu^2 / 2 without noise is a rho: the same scale as for that rho."""
    found = design(mixed(), ["d: power(0.05)=0.2"])
    alone = design(single("rho", "1/50"), ["a: power(0.05)=0.2"])
    assert found.scale == alone.scale


def test_several_noises_together_keep_the_limit_and_no_larger_scale_does():
    found = design(mixed(), ["a: power(0.05)=0.2"])
    assert found.powers[0] <= 0.2
    assert found.slack < 2e-5
    scaled = {q.name: q for q in found.allocation.queries}
    assert scaled["count"].amount == Fraction(1, 100) * found.scale
    assert scaled["visits"].epsilon == Fraction(1, 4) * found.scale


@pytest.fixture
def tried(monkeypatch):
    """Every power that a search computes."""
    found = []

    def noted(*args):
        found.append(args)
        return power_at_most(*args)

    monkeypatch.setattr("dprisk.allocation.designing.power_at_most", noted)
    return found


def test_that_no_scale_works_is_known_at_once(tried):
    """For 160 queries: the other queries alone exceed the limit, or nearly."""
    whole = float(sum(q.amount for q in dhc2020().queries if "CENRACE" in q.attributes))
    part = float(
        sum(q.amount for q in dhc2020().queries if "CENRACE" in q.attributes and q.level != "state")
    )
    near = NORMAL.cdf(NORMAL.inv_cdf(0.05) + (2 * part) ** 0.5)
    for most in (0.1, near - 1e-6):
        found = design(dhc2020(), [f"race: power(0.05)={most!r}"], level="state")
        assert found.scale is None
        assert found.powers[0] > most
    assert whole > part
    assert len(tried) <= 4


def test_a_limit_that_normal_noise_keeps_and_the_noise_itself_does_not(tried):
    """The first guess is by normal noise; where even 0 is too much, it does not go on for ever."""
    rows = [
        {"query": "rest", "attributes": "a", "rho": "6"},
        {"query": "small", "attributes": "a", "rho": "1"},
    ]
    made = allocate(rows, noise="discrete-gaussian", moves=1)
    rest = replace(made, queries=made.queries[:1]).exposure("a")
    normal, exact = (float(g.power(0.05).value) for g in (rest.gaussian(), rest.exact()))
    for most in ((normal + exact) / 2, normal, exact, 1.000001 * exact, exact + 1e-3):
        tried.clear()
        found = design(made, [f"a: power(0.05)={most!r}"], query="small")
        assert (found.scale is None) == (max(found.powers) > most)
        if most > exact:
            assert found.scale is not None
        assert len(tried) <= 30


def test_staying_in_a_place_and_moving_between_two_are_told_apart():
    """Both change the same queries in a table of two places; moving can change all of them."""
    rows = [
        {"query": "q", "attributes": "a", "place": place, "rho": rho}
        for place, rho in (("A", 1), ("B", 1))
    ]
    made = allocate(rows, noise="gaussian", moves=2)
    for order in (("a", "place"), ("place", "a")):
        found = design(made, [f"{concern}: power(0.05)=0.3" for concern in order])
        normal = (NORMAL.inv_cdf(0.3) - NORMAL.inv_cdf(0.05)) ** 2 / 2
        assert float(found.scale) == pytest.approx(normal / 2, rel=1e-4)
        assert dict(zip(order, found.amounts, strict=True)) == {
            "a": found.scale,
            "place": 2 * found.scale,
        }
        assert max(found.powers) <= 0.3
        assert found.powers[order.index("a")] < 0.2


def test_the_command_writes_what_it_reads(tmp_path):
    """A table and its options become one file; nothing is written after an error, or over one."""
    path, new = write(tmp_path, "a.csv", CSV), tmp_path / "new.yaml"
    options = ("--nested", "region,town", "--noise", "discrete-gaussian", "--moves", "2")
    asked = ("allocation", path, *options, "--write", str(new))
    assert run(*asked, "--concern", "incme").code == 2
    assert not new.exists()
    done = run(*asked, "--concern", "income")
    assert (done.code, done.err) == (0, "")
    assert read_allocation(str(new)).exposure("income").amount == Fraction(13, 100)
    assert run(*asked, "--concern", "income").code == 2
    assert run("allocation", "census2020", "--all-scenarios", "--write", "x.yaml").code == 2
    assert run("allocation", path, *options, "--write", "x.csv").code == 2
