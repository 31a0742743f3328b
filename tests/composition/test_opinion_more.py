"""Numbers of other tools that were seen below the truth: each is found, or warned of."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import pytest

import dprisk
from dprisk.composition.opinion import check
from dprisk.mechanisms import (
    FixedBatches,
    Gaussian,
    RandomAllocation,
    SubsampledGaussian,
    TruncatedPoisson,
)
from dprisk.releases import Part

WHO: Any = {"neighbors": "add-remove"}
TINY = ("small-delta",)


def normal(sigma, count=1):
    return Part.of(Gaussian(sigma, 1.0, **WHO), count)


def sampled(sigma, rate, count):
    return Part.of(SubsampledGaussian(sigma, 1.0, rate, **WHO), count)


def pure(epsilon, count):
    return Part(dprisk.PureDP(epsilon, **WHO), count)


def by_mu(mu, delta):
    """The ε at which a normal loss reaches a δ, by bisection in 40 digits."""
    with mpmath.workdps(40):
        low, high = mpmath.mpf(0), mpmath.mpf(100)
        for _ in range(130):
            e = (low + high) / 2
            found = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
            low, high = (e, high) if found > delta else (low, e)
        return float(low)


UNSAFE = {
    # what states it: the run, its ε and δ, by how much at least, and the reasons that are named
    "opake-accounting, one": (normal(0.5), 9.9972561312, 1e-5, 1.5e-8, ()),
    "opake-accounting, 1e-12": (normal(100, 10_000), 7.237680, 1e-12, 8.1e-4, TINY),
    "opake-accounting, 1e-14": (normal(100, 10_000), 7.818616, 1e-14, 0.050, TINY),
    "opake-accounting, rate .001": (sampled(0.8, 0.001, 1000), 2.42059, 1e-12, 0.0172, TINY),
    "opake-accounting, 1e-10": (sampled(0.8, 0.001, 1000), 1.69193, 1e-10, 1.2e-4, TINY),
    "opake-accounting, rate .01": (sampled(1, 0.01, 100), 2.7925755, 1e-12, 9.6e-6, TINY),
    # an advantage is the δ at ε = 0
    "opake-accounting, advantage": (normal(1), 0.0, 0.38292491598, 1e-8, ()),
    "dp-accelerator, curve": (sampled(1, 0.01, 10_000), 4.728, 1e-5, 1.459, ()),
    # a μ is an ε at each δ
    "gdpnum, σ = 1": (normal(1), by_mu(0.9999999337, 1e-5), 1e-5, 3e-7, ()),
    "gdpnum, σ = .5": (normal(0.5), by_mu(1.99999971, 1e-5), 1e-5, 1.7e-6, ()),
    "Opacus PRV": (normal(100, 10_000), 7.1713, 1e-12, 0.067, TINY),
    "Opacus GDP": (sampled(1, 0.004, 14_062), 2.54503, 1e-5, 0.08, ("central-limit",)),
    "dp_accounting RDP, replaced": (
        Part.of(Gaussian(1.0, 2.0, neighbors="replace-one")),
        *(4.72851, 1e-5, 5.26, ("half-as-far-by-orders",)),
    ),
    "dp_accounting PLD, 1e-12": (sampled(1, 0.01, 100), 2.791558, 1e-12, 1.02e-3, TINY),
    "dp_accounting PLD, 1e-10": (sampled(1, 0.01, 100), 2.162805, 1e-10, 1.4e-5, TINY),
    "dp_accounting PLD, many": (normal(100, 10_000), 7.2165, 1e-12, 0.021, TINY),
    "dp_accounting PLD, 1e-14": (normal(100, 10_000), 7.5087, 1e-14, 0.35, TINY),
    "diffprivlib, GaussianAnalytic": (normal(4.224678889319316), 1.0, 1e-6, 1.9e-12, ()),
    "diffprivlib, 100 of .1": (pure(0.1, 100), 9.99999999999998, 0.0, 1.9e-14, ()),
    "prv_accountant, upper end": (normal(100, 10_000), 7.2145, 1e-12, 0.0239, TINY),
    # no gain at one level is no gain at any: the power is concave, and 1 at 1
    "riskcal, ρ = .005": (
        Part(dprisk.ZeroConcentratedDP(0.005, **WHO)),
        *(0.0, 0.01, 0.09, ()),
    ),
    "PLD_accounting, its lower end": (
        Part.of(RandomAllocation(1.0, 1.0, 1000, **WHO)),
        *(0.16865, 1e-6, 3e-3, ()),
    ),
    "random-allocation, its lower end": (
        Part.of(RandomAllocation(1.0, 1.0, 50, **WHO)),
        *(0.94477, 1e-5, 0.027, ()),
    ),
    "batches of one size as Poisson": (
        Part.of(FixedBatches(1.0, 2.0, 100, 10_000, neighbors="replace-one"), 1000),
        *(1.828244, 1e-5, 11.5, ("poisson",)),
    ),
}


@pytest.mark.parametrize("case", UNSAFE)
def test_every_number_below_the_truth_is_found(case):
    run, stated, delta, least, reasons = UNSAFE[case]
    (found,) = check(run, epsilon=stated, delta=delta).comparisons
    assert found.verdict == "below"
    assert least <= found.by <= (1.1 * least + 0.01 if stated else 1.0)
    assert found.reasons == reasons


EVENT = (
    "ComposedDpEvent(events=[SelfComposedDpEvent(event=LaplaceDpEvent(noise_multiplier=10.0), "
    "count=12), GaussianDpEvent(noise_multiplier=4.0)])"
)


@pytest.mark.parametrize(
    ("neighbors", "verdict", "reasons"),
    [
        ("add-remove", "looser", ("orders",)),
        ("replace-one", "below", ("half-as-far-by-orders",)),
    ],
)
def test_one_number_for_both_relations(tmp_path, neighbors, verdict, reasons):
    """The Rényi accountant of dp_accounting says the same of both."""
    file = tmp_path / "event.txt"
    file.write_text(EVENT, "utf-8")
    told = {"neighbors": neighbors, "noise_relative_to": "clipping-norm"}
    (found,) = check(file, epsilon=1.690983, delta=1e-5, **told).comparisons
    assert (found.verdict, found.reasons) == (verdict, reasons)


def test_a_number_without_the_cap_agrees_with_nothing():
    """The bracket is wide: batches of other records are known at neither end."""
    capped = Part.of(TruncatedPoisson(1.0, 1.0, 0.01, 6, 600, **WHO))
    (found,) = check(capped, epsilon=0.1994504, delta=1e-5).comparisons
    assert (found.verdict, found.reasons) == ("undecided", ("poisson",))
    assert found.by > 2.0


def test_no_reading_explains_what_is_infinite():
    (found,) = check(normal(1), epsilon=math.inf, delta=1e-5).comparisons
    assert (found.verdict, found.by, found.reasons) == ("looser", math.inf, ())


def test_the_floor_of_renyi_orders_is_named():
    """Opacus says .102867 of a run that reveals nothing."""
    (found,) = check(sampled(10, 1e-5, 10), epsilon=0.102867, delta=1e-5).comparisons
    assert (found.verdict, found.upper) == ("looser", 0.0)
    assert found.reasons == ("largest-order",)


STATE = {"history": [(1.0, 1.0, 1)], "mechanism": "prv"}
ODOMETER = {"steps": [[1.0, 1e-6], [1.0, 0.0]], "tol": 5e-7, "spent": [2.0, 1.5e-6]}
WARNED = {
    "float32 of torch": (STATE, {"sampling": "poisson"}, "no δ below 9.2e-7 holds"),
    "float32 of jax": (STATE, {"sampling": "poisson"}, "by JAX: below about 4.9e-6"),
    "fixed batches as Poisson": (STATE, {"sampling": "poisson"}, "hold for Poisson sampling only"),
    "a count that costs two": (ODOMETER, {}, "a count by itself takes two"),
}


@pytest.mark.parametrize("case", WARNED)
def test_what_no_number_shows_is_warned_of(case):
    """Where the mathematics is right and the run is another."""
    what, given, words = WARNED[case]
    found = check(what, epsilon=4.5, delta=1e-6, neighbors="add-remove", **given)
    notes = [note.text for note in found.release.notes if note.kind == "warning"]
    assert any(words in text for text in notes)
