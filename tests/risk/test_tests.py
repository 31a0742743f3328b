"""Tests of an output: level and power against brute force, Bayes' rule, and P1, Section 6.4."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.losses.base import LossPair
from dprisk.mechanisms import DiscreteGaussian, Laplace, SubsampledGaussian
from dprisk.risk import attack
from tests.oracles import finite
from tests.papers.p1 import EXAMPLE_5_6, TABLE_6, TABLE_6_RHO

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}

WRONG: Any = "name"
LEVELS = (0.0, 1e-300, 1e-6, 0.01, 0.3, 0.9, 1.0)
PROMISES = {
    "pure": PureDP(1.0, **R),
    "nothing promised": PureDP(math.inf, **R),
    "all promised": PureDP(0.0, **R),
    "approximate": ApproxDP(1.0, 0.01, **R),
    "curve": ApproxDPCurve([0.0, 0.5, 2.0], [0.3, 0.1, 1e-6], **R),
    "probabilistic": ProbabilisticDP(0.5, 1e-3, **A),
    "tradeoff": FDP([0, 0.1, 0.5, 1], [0.9, 0.6, 0.1, 0], **R),
    "gaussian": GaussianDP(1.0, **A),
    "bounded": ProbabilisticallyBoundedDP(1.0, 0.01, **R),
    "renyi": RenyiDP([1.5, 4.0], [0.4, 0.9], **R),
    "zcdp": ZeroConcentratedDP(0.3, **A),
    "zcdp with delta": ZeroConcentratedDP(0.3, delta=0.05, **A),
}
LOSSES = {
    "laplace": Laplace(1.0, 1.0, **A).loss(),
    "discrete": compose([DiscreteGaussian(5.0, 1, **A).loss()], [10]).guarantee,
    "subsampled": SubsampledGaussian(1.0, 1.0, 0.1, **A).loss(),
}
ALL = PROMISES | LOSSES


def divergence(order, y, x):
    """D of the coins y and x, to 50 digits, either way: the two inequalities of P1, Theorem 6.3."""
    ways = []
    for p, q in ((y, x), (x, y)):
        if order == 1:
            ways.append(p * mp.log(p / q) + (1 - p) * mp.log((1 - p) / (1 - q)))
        else:
            total = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
            ways.append(mp.log(total) / (order - 1))
    return max(ways)


def least_rho(y, x):
    """The rho that two coins keep: the most of D / order over all orders and the limit at 1."""

    def share(u):
        return divergence(1 + mp.e**u, y, x) / (1 + mp.e**u)

    grid = [mpf(i) / 4 for i in range(-60, 40)]
    at = max(grid, key=share)
    low, high = at - mpf("0.25"), at + mpf("0.25")
    for _ in range(60):
        left, right = low + (high - low) * mpf("0.382"), low + (high - low) * mpf("0.618")
        low, high = (left, high) if share(left) < share(right) else (low, right)
    return max(divergence(mpf(1), y, x), share(low), share(at))


@pytest.mark.parametrize("rho", [0.1115, 2.63])
@pytest.mark.parametrize("level", [1e-6, 0.01, 0.05, 0.1])
def test_power_under_zcdp_is_certified_from_above(rho, level):
    """The coins of the answer use rho up, and any that are closer together by 1e-11 keep it."""
    x, y = mpf(level), mpf(float(attack(ZeroConcentratedDP(rho, **R)).power(level).value))
    assert least_rho(y + (1 - y) * mpf("1e-15"), x) >= mpf(rho)
    assert least_rho(y * (1 - mpf("1e-11")), x) < mpf(rho)


@pytest.mark.parametrize("level", TABLE_6)
def test_table_6(level):
    """The block within its group, rho = .1115: Gaussian noise, and any zCDP mechanism."""
    gaussian, _, bound = TABLE_6[level]
    normal = attack(GaussianDP(math.sqrt(2 * TABLE_6_RHO), **R)).power(level).value
    any_noise = attack(ZeroConcentratedDP(TABLE_6_RHO, **R)).power(level).value
    assert (f"{normal:.2f}"[1:], f"{any_noise:.2f}"[1:]) == (gaussian, bound)


@pytest.mark.parametrize("name", ALL)
def test_power_and_level_pass_through(name):
    found, guarantee = attack(ALL[name]), ALL[name]
    for mine, theirs in (
        (found.power([0.01, 0.2]), guarantee.power([0.01, 0.2])),
        (found.level(0.5), guarantee.level(0.5)),
    ):
        assert np.array_equal(mine.value, theirs.value)
        assert mine.bound == theirs.bound
        assert str(mine.theorem) == str(theirs.theorem)
        assert mine.assumptions == found.assumptions


@pytest.mark.parametrize("name", ALL)
def test_advantage_is_the_most_power_minus_level(name):
    """No level has more, and the level that is named has as much."""
    found = attack(ALL[name])
    low, high = found.advantage().bracket
    levels = np.concatenate([np.linspace(0, 1, 401), np.geomspace(1e-12, 0.01, 20)])
    gaps = np.asarray(found.power(levels).bracket[0 if name in LOSSES else 1]) - levels
    assert gaps.max() <= high * (1 + 1e-9) + 1e-15
    first, last = found.best_level().bracket
    assert first <= last <= 1.0 - low * (1 - 1e-12)
    if name in ("bounded", "subsampled"):  # not concave, or not its own mirror image
        assert (first, last) == (0.0, 1.0 - low)
    else:
        reached = np.asarray(found.power(first).value) - first
        assert reached == pytest.approx(high, abs=1e-9)
    assert gaps.max() >= low - 0.01


@pytest.mark.parametrize("rho", [1e-4, 0.5, 2.63])
def test_advantage_under_zcdp_is_that_of_coins(rho):
    """Level + power = 1, every order; and delta at 0 is the same number."""
    found = attack(ZeroConcentratedDP(rho, **R)).advantage()
    assert found.bound == "exact"
    for factor, keeps in (("1", False), ("-1", True)):
        gap = mpf(found.value) * (1 + mpf(factor) * mpf("1e-11"))
        assert (least_rho((1 + gap) / 2, (1 - gap) / 2) < mpf(rho)) is keeps
    assert found.value == ZeroConcentratedDP(rho, **R).delta(0.0).value


@pytest.mark.parametrize("rho", [0.0, 1e-12, 1e9])
def test_advantage_at_the_ends(rho):
    value = attack(ZeroConcentratedDP(rho, **R)).advantage().value
    assert value == pytest.approx(min(1.0, math.sqrt(rho / 2)), rel=1e-3, abs=1e-15)
    assert attack(ZeroConcentratedDP(0.1, delta=1.0, **R)).advantage().value == 1.0


def bayes(level, power, prior):
    """Both predictive values in 50 digits."""
    x, y, p = mpf(level), mpf(power), mpf(prior)
    alarm, silence = p * y / (p * y + (1 - p) * x), (1 - p) * (1 - x)
    return float(alarm), float(silence / (silence + p * (1 - y)))


@pytest.mark.parametrize("name", ALL)
def test_predictive_values_are_bayes_rule(name):
    found, levels, priors = attack(ALL[name]), [1e-300, 1e-6, 0.01, 0.3, 0.9], [1e-9, 0.5, 0.99]
    positive = found.predictive_value(levels, np.array(priors)[:, None])
    negative = found.negative_predictive_value(levels, np.array(priors)[:, None])
    power = np.asarray(found.power(np.broadcast_to(levels, (3, 5))).value).tolist()
    for (i, prior), (j, level) in itertools.product(enumerate(priors), enumerate(levels)):
        alarm, silence = bayes(level, power[i][j], prior)
        assert positive.value[i, j] == pytest.approx(alarm, rel=1e-14)
        assert negative.value[i, j] == pytest.approx(silence, rel=1e-14)
    for answer in (positive, negative):
        low, high = answer.bracket
        assert (low is None) == (name == "bounded")
        assert low is None or np.all(low <= high)


@pytest.mark.parametrize("name", ALL)
def test_predictive_values_at_the_edges(name):
    """No NaN anywhere; certainty stays; alarms at level 0 and silence at 1 are limits."""
    found, guarantee = attack(ALL[name]), ALL[name]
    grid = found.predictive_value(LEVELS, [[0.0], [0.25], [1.0]])
    silent = found.negative_predictive_value(LEVELS, [[0.0], [0.25], [1.0]])
    for answer, sure in ((grid, 1.0), (silent, 0.0)):
        assert np.all(answer.value[0] == 1.0 - sure)
        assert np.all(answer.value[2] == sure)
        assert np.all((np.asarray(answer.value) >= 0.0) & (np.asarray(answer.value) <= 1.0))
    assert grid.value[1][-1] == pytest.approx(0.25, rel=1e-12)
    most = float(guarantee.loss_bound(0.0, sides="one").value)
    assert grid.value[1][0] == pytest.approx(1 / (1 + 3 * math.exp(-most)), rel=1e-12)
    assert silent.value[1][-1] == pytest.approx(3 / (3 + math.exp(-most)), rel=1e-12)


@pytest.mark.parametrize("name", sorted(set(ALL) - {"bounded"}))
def test_rarer_alarms_say_more(name):
    """power / level falls with the level, so a predictive value does, too; silence rises."""
    found = attack(ALL[name])
    levels = np.concatenate([[0.0], np.geomspace(1e-9, 1.0, 25)])
    alarms = np.asarray(found.predictive_value(levels, 0.2).value)
    silence = np.asarray(found.negative_predictive_value(levels, 0.2).value)
    assert np.all(np.diff(alarms) <= 1e-7)
    assert np.all(np.diff(silence) >= -1e-7)


def test_shapes_follow_the_input():
    found = attack(PureDP(1.0, **R))
    assert isinstance(found.predictive_value(0.05, 0.1).value, float)
    assert found.predictive_value([0.1, 0.2], 0.1).value.shape == (2,)
    assert found.predictive_value([], []).value.shape == (0,)
    assert found.negative_predictive_value(np.zeros((2, 1)), [0.1, 0.2]).value.shape == (2, 2)
    assert found.power([]).value.shape == (0,)


def test_two_steps_are_bounds_without_another_end():
    """An attribute under add-remove: P1's numbers at twice the epsilon, as upper bounds."""
    found = attack(PureDP(0.5, **A), secret="attribute")
    assert found.guarantee == PureDP(1.0, **R)
    for answer in (found.power(0.05), found.advantage(), found.predictive_value(0.05, 0.5)):
        assert (answer.bound, answer.other_end) == ("upper", None)
    assert (found.level(0.5).bound, found.best_level().bound) == ("lower", "lower")
    assert any("two steps" in line for line in found.assumptions)
    loss = attack(Laplace(1.0, 1.0, **A).loss(), secret="attribute")
    assert loss.advantage().value >= attack(Laplace(2.0, 1.0, **R).loss()).advantage().value
    assert loss.curve([0.1]).to_dict()["neighbors"] == "add-remove"


def test_curve_is_data():
    found = attack(LOSSES["laplace"])
    curve = found.curve([0.05, 0.2], [0.1, 0.5])
    data = curve.to_dict()
    assert list(data) == [
        "schema",
        "neighbors",
        "secret",
        "levels",
        "power",
        "advantage",
        "best_level",
        "predictive_values",
        "assumptions",
    ]
    assert (
        data["power"]["lower"] <= data["power"]["upper"] == found.power([0.05, 0.2]).value.tolist()
    )
    assert data["predictive_values"][1]["positive"]["upper"][0] == pytest.approx(
        found.predictive_value(0.05, 0.5).value, rel=1e-12
    )
    whole = attack(PureDP(1.0, **R)).curve()
    assert (whole.levels[0], whole.levels[-1]) == (0.0, 1.0)
    assert np.all(np.diff(whole.levels) > 0)
    assert not whole.levels.flags.writeable


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: attack(WRONG), InvalidInput, "guarantee must be a Guarantee"),
        (lambda: attack(PureDP(1.0, **R), secret="membership"), Meaningless, "Membership has no"),
        (lambda: attack(PureDP(1.0, **R), secret=WRONG), InvalidInput, "secret must be one of"),
        (lambda: attack(PureDP(1.0, **R)).power(1.1), OutOfRange, "level"),
        (lambda: attack(PureDP(1.0, **R)).level(math.nan), OutOfRange, "power"),
        (lambda: attack(PureDP(1.0, **R)).predictive_value(0.1, -1), OutOfRange, "prior"),
        (lambda: attack(PureDP(1.0, **R)).predictive_value(2, 0.1), OutOfRange, "level"),
        (
            lambda: attack(PureDP(1.0, **R)).predictive_value([1, 1], [0, 0, 0]),
            InvalidInput,
            "shape",
        ),
        (lambda: attack(PureDP(1.0, **R)).curve([]), InvalidInput, "levels must be a list"),
        (lambda: attack(PureDP(1.0, **R)).curve(0.1), InvalidInput, "levels must be a list"),
        (lambda: attack(PureDP(1.0, **R)).curve([0.1], [2.0]), OutOfRange, "prior"),
    ],
)
def test_bad_questions(call, error, says):
    with pytest.raises(error, match=says):
        call()


# --- P1, Section 6.4: the rest of the data is drawn from a distribution --------------------------

RECORDS = (0, 1, 2)
RESTS = tuple(itertools.product(RECORDS, repeat=2))


def random_mechanism(rng):
    """Output distributions of every dataset of three records, and its exact losses as promises."""
    size = rng.choice((2, 3, 4))
    rows = {
        (*rest, r): finite.random_distribution(rng, size, zeros=rng.random() < 0.3)
        for rest in RESTS
        for r in RECORDS
    }
    pairs = [
        (rows[a], rows[b])
        for a, b in itertools.permutations(rows, 2)
        if sum(u != v for u, v in zip(a, b, strict=True)) == 1
    ]
    return rows, pairs


def promises(pairs):
    """What all these pairs keep together: pure, approximate, f-DP, Rényi DP."""
    growths = [Fraction(1), Fraction(3), Fraction(20)]
    deltas = [max(finite.profile(pair, growth) for pair in pairs) for growth in growths]
    corners = {corner for pair in pairs for corner in finite.corners(pair)}
    found = [
        PureDP(max(map(finite.largest_log_ratio, pairs)) * (1 + 1e-15), **R),
        ApproxDPCurve([math.log(g) for g in growths], [float(d) for d in deltas], **R),
        FDP.polygon([float(x) for x, _ in corners], [float(1 - y) for _, y in corners], **R),
    ]
    divergence = max(float(finite.renyi(pair, 2)) for pair in pairs)
    if math.isfinite(divergence):
        found.append(RenyiDP(2.0, divergence * (1 + 1e-12), **R))
    return found


def mixture(rows, weights, record):
    """The output where the rest is drawn with these weights."""
    total = sum(weights.values())
    size = len(next(iter(rows.values())))
    return tuple(
        sum(Fraction(w, total) * rows[(*rest, record)][i] for rest, w in weights.items())
        for i in range(size)
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_rest_drawn_from_any_distribution_gives_no_more_power(seed):
    """The best test, by likelihood ratio with a toss of a coin, for random mechanisms and F."""
    rng = random.Random(seed)
    rows, pairs = random_mechanism(rng)
    bounds = [attack(guarantee) for guarantee in promises(pairs)]
    levels = [Fraction(1, 100), Fraction(1, 20), Fraction(1, 3), Fraction(rng.randrange(99), 100)]
    most = [np.asarray(bound.power([float(x) for x in levels]).value) for bound in bounds]
    for _ in range(8):
        chosen = rng.sample(RESTS, rng.randrange(1, len(RESTS) + 1))
        weights = {rest: rng.choice((1, 2, 30)) for rest in chosen}
        zero, one = rng.sample(RECORDS, 2)
        compound = mixture(rows, weights, one), mixture(rows, weights, zero)
        for at, level in enumerate(levels):
            power = float(finite.power(compound, level))
            assert all(power <= bound[at] * (1 + 1e-12) for bound in most)
    assert all(
        "a distribution of the other records" in " ".join(each.assumptions) for each in bounds
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_known_rest_reaches_the_supremum(seed):
    """F on one point: the f of the mechanism itself, corner by corner, is the best known rest."""
    rng = random.Random(seed)
    rows, pairs = random_mechanism(rng)
    corners = {corner for pair in pairs for corner in finite.corners(pair)}
    f = FDP.polygon([float(x) for x, _ in corners], [float(1 - y) for _, y in corners], **R)
    bound = attack(f)
    for level, error in zip(f.levels, f.errors, strict=True):
        point = max(
            float(finite.power((mixture(rows, {rest: 1}, b), mixture(rows, {rest: 1}, a)), x))
            for rest in RESTS
            for a, b in itertools.permutations(RECORDS, 2)
            for x in [min((c for c, _ in corners), key=lambda c: abs(float(c) - level))]
        )
        others = max(
            float(finite.power(pair, x))
            for pair in pairs
            for x in [min((c for c, _ in corners), key=lambda c: abs(float(c) - level))]
        )
        assert max(point, others) == pytest.approx(1 - error, abs=1e-12)
        assert point <= bound.power(level).value * (1 + 1e-12)


def test_one_point_of_pbdp_is_not_convex():
    """P1 says that Section 6.4 applies to all of its definitions: Example 5.6 shows one exception.

    Thirteen people; the number of ones among the other twelve says how the answer is given. Each
    pair of neighbors is (1.01, .02)-pbdp, and a rest drawn from the two ends is beyond the bound.
    """
    growth, delta = Fraction(math.exp(1.01)), Fraction(2, 100)
    first, second = EXAMPLE_5_6
    rows = {(0, r): (*first[r], 0, 0) for r in (0, 1)}
    rows |= {(12, r): (0, 0, *second[r]) for r in (0, 1)}
    rising = [Fraction(127, 10000) * Fraction(27, 10) ** i for i in range(4)]
    moved = [0, *rising, Fraction(1, 2), *(1 - share for share in reversed(rising)), 1]
    for ones, share in enumerate(moved, start=1):  # says nothing about the last record on the way
        rows |= {(ones, r): ((1 - share) / 2, (1 - share) / 2, 0, share) for r in (0, 1)}
    neighbors = [((k, r), (k + 1, r)) for k in range(12) for r in (0, 1)]
    neighbors += [((k, 0), (k, 1)) for k in range(13)]
    for a, b in neighbors:
        for way in ((rows[a], rows[b]), (rows[b], rows[a])):
            assert finite.merged_one(tuple(tuple(map(Fraction, w)) for w in way), growth) <= delta
    drawn = tuple(
        tuple((u + v) / 2 for u, v in zip(rows[0, r], rows[12, r], strict=True)) for r in (0, 1)
    )
    found = attack(ProbabilisticallyBoundedDP(1.01, 0.02, **R))
    level = Fraction(68, 10000)
    power = max(float(finite.power(way, level)) for way in (drawn, drawn[::-1]))
    assert power > 0.023 > found.power(float(level)).value
    assert any(
        line.startswith("The adversary knows all other records") for line in found.assumptions
    )
    hull = ApproxDPCurve([0.0, 1.01], found.guarantee.delta([0.0, 1.01]).value, **R)
    assert power <= hull.power(float(level)).value


def test_losses_that_are_not_mirror_images_are_for_a_known_rest():
    """Under replace-one either of the two may be the null; under add-remove one of them is."""
    pair = SubsampledGaussian(1.0, 1.0, 0.1, **A).losses()
    assert isinstance(pair, LossPair)
    from dprisk import PrivacyLoss

    for neighbors, start in (
        ("replace-one", "The adversary knows all other records. If"),
        ("add-remove", "The adversary knows all other records, or"),
    ):
        found = attack(PrivacyLoss([pair], neighbors=neighbors))  # type: ignore[arg-type]
        assert any(line.startswith(start) for line in found.assumptions)


@pytest.mark.parametrize("rest", [1e-6, 1e-9, 2e-12, 1e-15, 2**-53])
@pytest.mark.parametrize("level", [2.5e-264, 1e-151, 3e-17, 1e-10])
def test_silence_that_is_called_exact(rest, level):
    """Of a promise that nearly always fails, after a level that 1 - level keeps no digit of."""
    delta, prior = 1.0 - rest, 1.0 - max(rest / 4.0, 2**-53)
    x, p, grow = Fraction(level), Fraction(prior), Fraction(math.exp(0.5))
    missed = max(1 - Fraction(delta) - grow * x, (1 - Fraction(delta) - x) / grow, Fraction(0))
    truth = (1 - p) * (1 - x) / ((1 - p) * (1 - x) + p * missed)
    found = attack(ApproxDP(0.5, delta, **R)).negative_predictive_value(level, prior)
    assert Fraction(found.value) >= truth * (1 - Fraction(1e-15))
    if found.bound == "exact":
        assert found.value == pytest.approx(float(truth), rel=1e-8)


@pytest.mark.parametrize("level", [1e-300, 1e-10, 0.01, 0.9])
def test_silence_under_a_large_epsilon_stays_exact(level):
    """1 - power is e^-20 (1 - level), which the mirror image of the level knows."""
    found = attack(PureDP(20.0, **R)).negative_predictive_value(level, 0.999)
    missed = max(1.0 - math.exp(20.0) * level, math.exp(-20.0) * (1.0 - level))
    silent = 0.001 * (1.0 - level)
    assert found.bound == "exact"
    assert found.value == pytest.approx(silent / (silent + 0.999 * missed), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "prior"), [(745.0, 5e-324), (744.0, 1e-323), (705.0, 1e-306)])
def test_alarms_that_are_never_false_at_losses_near_the_range_of_floats(epsilon, prior):
    """p e^epsilon / (1 - p + p e^epsilon) is at most what is said, and not called exact."""
    found = attack(PureDP(epsilon, neighbors="replace-one")).predictive_value(0.0, prior)
    odds = mpf(prior) * mp.exp(epsilon) / (1 - mpf(prior))
    assert found.value >= odds / (1 + odds)
    assert found.bound == "upper"
