"""From add-remove to replace-one: what two steps may do, by brute force over triples."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import ApproxDPCurve, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.errors import Meaningless, NoConversion
from tests.guarantees.test_brute_force import processed_both
from tests.guarantees.witnesses import polygons, smooth, tails, violations
from tests.oracles import finite


def steps(p, q, r):
    """The ordered pairs one step apart, and those two steps apart."""
    return [(p, q), (q, p), (q, r), (r, q)], [(p, r), (r, p)]


def check(kinds, seed, triples, zeros):
    rng = random.Random(seed)
    wrong = []
    for _ in range(triples):
        near, far = steps(*finite.random_family(rng, 3, zeros))
        both = processed_both(far)
        for one in kinds(near, "add-remove"):
            if isinstance(one, RenyiDP) and max(one.alpha) <= 2:
                continue
            wrong += violations(one.for_neighbors("replace-one"), far, both)
    assert not wrong, "\n".join(wrong[:10])


@pytest.mark.parametrize("seed", range(2))
def test_two_steps_of_polygons(seed):
    """2 epsilon and (1 + e^epsilon) delta; a curve of points; f applied twice."""
    check(polygons, seed, 20, True)


@pytest.mark.parametrize("seed", range(2))
def test_two_steps_of_tails(seed):
    """Probabilistic and probabilistically bounded DP, through approximate DP."""
    check(tails, 10 + seed, 20, True)


@pytest.mark.parametrize("seed", range(2))
def test_two_steps_of_smooth_guarantees(seed):
    """2 mu, the weak triangle of Rényi divergences, and 4 rho."""
    check(smooth, 20 + seed, 5, False)


def test_weak_triangle_inequality_used_for_renyi():
    """D_a(P||R) <= 2a/(2a-1) D_{2a-1}(P||Q) + D_{2a}(Q||R), on triples made to be tight too.

    Hölder's inequality with exponents (2a-1)/a and (2a-1)/(a-1) on
    P^a R^(1-a) = (P^a Q^(-(a-1) 2a/(2a-1))) (Q^((a-1) 2a/(2a-1)) R^(1-a)).
    """
    rng = random.Random(5)
    for _ in range(150):
        p, q, r = finite.random_family(rng, 3, False)
        for a in map(finite.mpf, (1.01, 1.2, 1.5, 2.0, 4.0, 20.0)):
            first, second = finite.renyi((p, q), 2 * a - 1), finite.renyi((q, r), 2 * a)
            far, near = finite.renyi((p, r), a), 2 * a / (2 * a - 1) * first + second
            assert far <= near * (1 + finite.mpf(10) ** -40)


def test_triples_with_an_offset_keep_three_xi_and_four_rho():
    """(xi, rho)-zCDP on both steps is (3 xi, 4 rho)-zCDP on the two together."""
    rng = random.Random(6)
    orders = np.concatenate([[1.0], 1 + np.geomspace(1e-3, 300, 40)])
    for _ in range(12):
        near, far = steps(*finite.random_family(rng, 3, False))
        one = np.array([float(max(finite.renyi(p, float(a)) for p in near)) for a in orders])
        two = np.array([float(max(finite.renyi(p, float(a)) for p in far)) for a in orders])
        for rho in (0.0, 0.3 * one[0], one[0]):
            xi = max(0.0, float(np.max(one - rho * orders)))
            after = ZeroConcentratedDP(rho, xi=xi, neighbors="add-remove").for_neighbors(
                "replace-one"
            )
            assert np.all(two <= (after.xi + after.rho * orders) * (1 + 1e-12))


def test_three_coins_need_more_than_twice_the_offset():
    """Steps of very different size: 2.64 of the 3 xi are used up, near order 1."""
    coins = [(x, 1 - x) for x in map(Fraction, ("1e-6", "0.01", "0.99"))]
    near, far = steps(*coins)
    rho, xi = 1.26403582972018, 3.2391
    for a in (1.0001, 1.01, 1.2, 2.0, 5.0, 50.0, 1e4):
        assert max(finite.renyi(pair, finite.mpf(a)) for pair in near) <= xi + rho * a
    after = ZeroConcentratedDP(rho, xi=xi, neighbors="add-remove").for_neighbors("replace-one")
    divergence = max(finite.renyi(pair, finite.mpf("1.0001")) for pair in far)
    assert 4 * rho * 1.0001 + 2.6 * xi < divergence <= after.rho * 1.0001 + after.xi


def test_two_steps_are_attained_where_they_are_said_to_be_sharp():
    """Normals in a row attain 2 mu and 4 rho; two equal ratios multiply to 2 epsilon."""
    assert GaussianDP(0.7, neighbors="add-remove").for_neighbors("replace-one").mu == 1.4
    four = ZeroConcentratedDP(0.7**2 / 2, neighbors="add-remove").for_neighbors("replace-one")
    assert four.rho == pytest.approx(1.4**2 / 2, rel=1e-15)
    p, q, r = (finite.distribution(w) for w in ((4, 95), (2, 97), (1, 98)))
    (_, first), (_, second) = finite.corners((p, q))[:2], finite.corners((q, r))[:2]
    assert (first[1] / first[0], second[1] / second[0]) == (2, 2)
    assert finite.largest_log_ratio((p, r)) == pytest.approx(2 * np.log(2))
    two = PureDP(np.log(2), neighbors="add-remove").for_neighbors("replace-one")
    assert two.stated_epsilon == pytest.approx(2 * np.log(2), rel=1e-15)


def test_what_has_no_two_step_bound_says_so():
    """No other direction, no divergence above twice the order, no two conditioning events."""
    with pytest.raises(Meaningless):
        PureDP(1.0, neighbors="replace-one").for_neighbors("add-remove")
    with pytest.raises(NoConversion):
        RenyiDP(2.0, 1.0, neighbors="add-remove").for_neighbors("replace-one")
    with pytest.raises(Meaningless):
        ZeroConcentratedDP(1.0, delta=0.1, neighbors="add-remove").for_neighbors("replace-one")


def curve_of_lines(lines, x):
    """min(1, e^s x + d) over lines and their mirror images, in fractions."""
    heights = [Fraction(1)]
    for slope, offset in lines:
        heights += [slope * x + offset, 1 - (1 - offset - x) / slope]
    return min(heights)


@pytest.mark.parametrize("points", [1, 2, 7, 40])
def test_two_steps_of_a_curve_are_the_curve_applied_twice(points):
    """Exactly T(T(x)), with no more lines than both have corners."""
    rng = np.random.default_rng(points)
    epsilon, delta = rng.uniform(0.0, 3.0, points), 10.0 ** rng.uniform(-6.0, -0.3, points)
    twice = ApproxDPCurve(epsilon, delta, neighbors="add-remove").for_neighbors("replace-one")
    assert len(twice.stated_epsilon) <= 8 * (points + 1)
    lines = [
        (Fraction(float(np.exp(e))), Fraction(float(d)))
        for e, d in zip(epsilon, delta, strict=True)
    ]
    level = np.concatenate([[0.0, 1.0], 10.0 ** rng.uniform(-8.0, 0.0, 40), rng.random(40)])
    found = twice.power(level).value
    for x, y in zip(level, found, strict=True):
        once = curve_of_lines(lines, Fraction(float(x)))
        truth = float(curve_of_lines(lines, once))
        assert truth * (1.0 - 1e-13) <= y <= truth * (1.0 + 1e-12)


def test_a_line_and_then_a_mirror_image_is_rounded_outwards():
    """1 - e^-epsilon, which no longer is a number that somebody stated."""
    points = [1.5710865017277713, 0.01514686798194874], [5e-324, 0.7336211378538732]
    found = ApproxDPCurve(*points, neighbors="add-remove").for_neighbors("replace-one")
    with mp.workdps(50):
        truth = 1 - mp.exp(-mpf(points[0][0])) * (1 - mpf(points[1][0]))
        assert truth <= found.delta(0.0).value <= truth * (1 + mpf(10) ** -14)
