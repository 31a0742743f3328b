"""The truths of the sweep against known values, and against each other."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb, fmpq

from sweep.truth.balls import ONE, ZERO, between, exact, phi, phi_inverse
from sweep.truth.curves import judge
from sweep.truth.orders import Orders
from sweep.truth.pairs import Atoms, on_lattice, response, revealing
from sweep.truth.promises import Bounded, Lines, Normal, of_points, of_tradeoff
from sweep.truth.sums import Laplaces, Normals, Sampled, Smooth, Spread
from sweep.truth.three import coins
from tests.oracles import finite


def near(ball, value, relative=1e-14):
    return abs(float(ball.mid()) - value) <= relative * abs(value)


def rational(value):
    return arb(fmpq(value.numerator, value.denominator))


PAIR = (
    (Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)),
    (Fraction(1, 100), Fraction(6, 100), Fraction(93, 100)),
)


@pytest.fixture(scope="module")
def atoms():
    return Atoms([(rational(p), rational(q)) for p, q in zip(*PAIR, strict=True)])


@pytest.mark.parametrize("growth", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(20)])
def test_the_profile_of_finite_distributions(atoms, growth):
    """As in exact fractions."""
    truth = finite.profile(PAIR, growth)
    assert atoms.delta(rational(growth).log()).contains(rational(truth))


@pytest.mark.parametrize("level", [Fraction(0), Fraction(1, 200), Fraction(1, 100), Fraction(1, 2)])
def test_the_power_of_finite_distributions(atoms, level):
    """As in exact fractions."""
    assert atoms.power(rational(level)).contains(rational(finite.power(PAIR, level)))


def test_tails_of_finite_distributions(atoms):
    """Strictly beyond, and at least."""
    at = arb(10).log()
    assert atoms.beyond(at + arb("1e-30"))[0] == 0
    hull = atoms.beyond(at)[0]
    assert hull.contains(arb(0)) and hull.contains(rational(Fraction(1, 10)))


def test_what_is_certain_is_certain():
    """Probability that only one of the two has counts at any epsilon."""
    pair = Atoms(revealing(arb(0.25), response(ONE)))
    assert pair.delta(exact(math.inf)).contains(arb(0.25))
    assert pair.power(ZERO).contains(arb(0.25))


def test_randomized_response_again_and_again():
    """Two runs on the lattice are two runs by hand."""
    once = response(arb(0.7))
    twice = Atoms(on_lattice(once, 2))
    by_hand = Atoms([(p * a, q * b) for p, q in once for a, b in once])
    assert twice.delta(arb(0.3)).overlaps(by_hand.delta(arb(0.3)))


def test_lines_are_the_worst_mechanism():
    """The polygon of approximate DP is randomized response that may reveal."""
    lines, worst = of_points([(ONE, arb(0.01))]), Atoms(revealing(arb(0.01), response(ONE)))
    for x in (0.0, 1e-9, 0.2, 0.5, 0.99, 1.0):
        assert lines.power(arb(x)).overlaps(worst.power(arb(x)))
    for e in (0.0, 0.3, 1.0, 5.0):
        assert lines.delta(arb(e)).overlaps(worst.delta(arb(e)))


def test_a_tradeoff_is_the_lines_through_its_corners():
    """One minus the errors, and its mirror image."""
    lines = of_tradeoff([arb(0), arb(0.25), arb(1)], [arb(1), arb(0.25), arb(0)])
    assert lines.power(arb(0.25)).contains(arb(0.75))
    assert lines.delta(ZERO).contains(arb(0.5))


def test_normals():
    """Φ(1/2) - Φ(-1/2), and the power at one in twenty; the inverse of Φ is one."""
    normal = Normal(ONE)
    assert near(normal.delta(ZERO), 0.38292492254802624)
    assert near(normal.power(arb(0.05)), 0.25951102284144407, 1e-12)
    assert phi(phi_inverse(arb("1e-300"))).overlaps(arb("1e-300"))


def test_one_point_of_bounded_dp():
    """Docs, Proposition 4."""
    promise = Bounded(ONE, arb(0.01))
    u = math.exp(-1.0)
    assert near(promise.revealed, 0.01 * (1 - u) / (1 - 0.01 * u))


def test_possible_coins():
    """At order 2 the divergence of two coins is log(sum p^2 / q)."""
    bounds = Orders([2.0], [0.5])
    x, y = 0.05, 0.05 + math.sqrt((math.exp(0.5) - 1) * 0.05 * 0.95)
    assert bounds.possible(arb(x), arb(y - 1e-9)) is True
    assert bounds.possible(arb(x), arb(y + 1e-9)) is False


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("curve", [Normal(arb(0.7)), of_points([(arb(0.5), arb(0.03))])])
def test_coins_in_three_worlds_keep_the_curve(curve, relation):
    """Each side of each coin, and some of them just so."""
    chance, tight = arb("0.2"), 0
    for value, other, out in coins(curve, relation, chance):
        assert any(x.overlaps(chance) for x in (value, other, out))
        near = [(value, other)] if relation == "replace-one" else [(value, out), (other, out)]
        for one, two in near:
            for x, y in ((one, two), (two, one), (1 - one, 1 - two), (1 - two, 1 - one)):
                assert not y > curve.power(x) + arb("1e-60")
                tight += bool(y.overlaps(curve.power(x)))
    assert tight >= 4


def test_guessing_is_possible_beside_what_is_revealed():
    """Heads less often than the other coin outside the event, but as often in all."""
    bounds = Orders(rho=3.3e-8, delta=0.7)
    assert bounds.possible(arb(7e-6), arb(0.7) + arb(6.9e-6)) is True
    assert not bounds.judge("power", arb(7e-6)).below(arb(0.7) + arb(6.9e-6))


@pytest.mark.parametrize(("x", "mu"), [(1e-6, 0.02), (0.3, 0.02), (0.05, 2.0), (0.999, 1.0)])
def test_two_normals_keep_the_zcdp_of_their_distance(x, mu):
    """Their tests are possible; those of normals twice as far apart are not."""
    bounds = Orders(rho=mu * mu / 2)
    assert bounds.possible(arb(x), Normal(arb(mu)).power(arb(x))) is True
    assert bounds.possible(arb(x), Normal(arb(2 * mu)).power(arb(x))) is False


def test_sums_of_laplace_losses():
    """One is known in closed form: delta(x) = 1 - e^((x - c) / 2)."""
    total = Laplaces([(ONE, 1)])
    assert total.at(arb(0.5))[0].overlaps(1 - (arb(0.5) / -2).exp())
    two, again = Laplaces([(ONE, 2)]), Laplaces([(ONE, 1), (ONE, 1)])
    assert two.at(arb(0.5))[0].overlaps(again.at(arb(0.5))[0])


def test_power_of_a_sum_is_within_its_chord():
    """Of normals it is known."""
    smooth = Smooth(Normals(ONE))
    assert smooth.power(arb(0.05)).overlaps(Normal(ONE).power(arb(0.05)))


def test_atoms_beside_a_sum():
    """With nothing certain and nothing known they change nothing."""
    assert Spread([(ONE, ONE)], Normals(ONE)).at(ONE)[0].overlaps(Normals(ONE).at(ONE)[0])


def test_a_whole_sample_is_no_sample():
    """Nodes and a line, against normal tails."""
    line, closed = Sampled(0.5, 1.0, 9, False), Normals(arb(1.5))
    for found, truth in zip(line.at(arb(2.0)), closed.at(arb(2.0)), strict=True):
        assert found.overlaps(truth) and abs(found - truth) < arb("1e-13")


def test_a_thousand_sampled_gaussians():
    """An epsilon that is known from elsewhere (dp_accounting: 0.18552 for delta = 1e-6)."""
    delta = float(Sampled(1.0, 1e-3, 1000, False).at(arb(0.1855164))[0])
    assert delta == pytest.approx(1e-6, rel=1e-5)


def test_sampled_far_from_the_real_axis():
    """Where moments need many nodes: against two other lines and nodes half as far apart."""
    found = Sampled(1.0, 0.0016144234867072542, 1615, False).at(arb(0.42522709880431936))[0]
    assert abs(found - arb("2.3703647606095354e-7")) < arb("1e-20")


def test_a_judge_knows_both_sides():
    """Pure DP: power at a level, and the level back."""
    curve = Lines([(ONE.exp(), ZERO)])
    power = judge(curve, "power", arb(0.1))
    assert power.above(arb(0.27)) and power.below(arb(0.28))
    level = judge(curve, "level", arb(0.2718281828459045))
    assert level.above(arb(0.0999)) and level.below(arb(0.1001))
    tail = judge(curve, "tail, one", arb(2.0))
    assert tail.below(arb(0.1)) and not tail.above(ZERO)
    loss = judge(curve, "loss, both", arb(0.5))
    assert loss.above(arb(0.999)) and loss.below(arb(1.001))
    assert between(ONE).above(ZERO)
