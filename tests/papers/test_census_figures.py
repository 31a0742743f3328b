"""The figures of P1 as data: discrete noise lies where P1 only guessed that it does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dprisk.errors import InvalidInput
from dprisk.papers import census_figure, census_table
from dprisk.papers.census_figures import FIGURES, exposure_of
from tests.allocation.tables import single

RHO = {"": 2.63, "A": 0.11150074, "B": 0.92595792, "E": 1.37868393, "F": 0.61159150}
SLACK = 1e-9


@pytest.fixture(scope="module")
def lines():
    return {number: census_figure(number, points=9, accuracy=1e-4) for number in FIGURES}


def by_name(lines):
    return {line.name: line for line in lines}


def test_all_fifteen(lines):
    assert sorted(lines) == list(range(1, 16))
    for number, drawn in lines.items():
        for line in drawn:
            assert line.upper.shape == line.x.shape == (9,)
            assert np.all((line.upper >= 0.0) & (line.upper <= 1.0))
            assert np.all(np.isfinite(line.x))
            if line.lower is not None:
                assert np.all(line.lower <= line.upper)
            assert line.to_dict()["at_most"] == line.upper.tolist()
        assert len({line.name for line in drawn}) == len(drawn), number


@pytest.mark.parametrize("number", [n for n, (kind, _) in FIGURES.items() if kind == "power"])
def test_power_against_level(lines, number):
    """1 - Phi(Phi^-1(1 - level) - sqrt(2 rho)): P1, Section 8.3."""
    found = by_name(lines[number])
    rho = RHO[FIGURES[number][1]]
    level = found["normal noise"].x[1:-1]
    formula = ndtr(ndtri(level) + math.sqrt(2 * rho))
    assert found["normal noise"].upper[1:-1] == pytest.approx(formula, rel=1e-7)
    discrete = found["discrete Gaussian noise"]
    assert np.all(discrete.lower[1:-1] <= formula + 1e-7)
    assert np.all(formula <= discrete.upper[1:-1] + 1e-7)
    assert np.all(discrete.upper <= found["any mechanism"].upper + SLACK)


@pytest.mark.parametrize("number", [n for n, (kind, _) in FIGURES.items() if kind == "true"])
def test_true_record(lines, number):
    """epsilon = log(delta / Phi(Phi^-1(delta) - sqrt(2 rho))): P1, Section 8.3."""
    found = by_name(lines[number])
    mu = math.sqrt(2 * RHO[FIGURES[number][1]])
    x, delta = found["normal noise"].x[1:], found["normal noise"].upper[1:]
    likely = delta > 1e-12
    assert np.log(delta / ndtr(ndtri(delta) - mu))[likely] == pytest.approx(x[likely], rel=1e-6)
    discrete = found["discrete Gaussian noise"]
    assert np.all(np.abs(discrete.upper[1:] - delta) < 1e-4)
    assert np.all(discrete.upper[1:] <= found["any mechanism"].upper[1:] + SLACK)


@pytest.mark.parametrize(("number", "sign"), [(3, 1), (5, -1), (7, 1), (9, -1)])
def test_bounds_as_printed(lines, number, sign):
    """e^(-(epsilon +- rho)^2 / (4 rho)) beyond rho; ours are never larger."""
    found = by_name(lines[number])
    rho = RHO[FIGURES[number][1]]
    printed = found["any mechanism, as printed"]
    beyond = printed.x > rho
    formula = np.exp(-((printed.x + sign * rho) ** 2) / (4 * rho))
    assert printed.upper[beyond] == pytest.approx(formula[beyond], rel=1e-6)
    early = np.exp(-printed.x) if sign > 0 else np.ones(9)
    assert printed.upper[~beyond] == pytest.approx(early[~beyond])
    for name in ("any mechanism", "normal noise", "discrete Gaussian noise"):
        assert np.all(found[name].upper <= printed.upper * (1 + 1e-6) + SLACK), name


def test_figure_1(lines):
    """Approximate DP below pbdp below what holds for any mechanism."""
    found = by_name(lines[1])
    for noise in ("normal noise", "discrete Gaussian noise"):
        approximate, bounded = (found[f"{noise}, {kind}"] for kind in ("approximate DP", "pbdp"))
        assert np.all(approximate.upper <= bounded.upper + SLACK)
        assert np.all(bounded.upper <= found["any mechanism, pbdp"].upper + SLACK)


def difference(normal, discrete):
    """Largest distances of values from brackets: to the nearest point, and to the far end."""
    value = np.asarray(normal.value)
    low, high = discrete.bracket
    least = np.maximum(np.maximum(low - value, value - high), 0.0).max()
    return least, np.maximum(np.abs(low - value), np.abs(high - value)).max()


def both(scenario, points, accuracy):
    """How far discrete noise acts from continuous noise: in power, and in the tail."""
    exposure = exposure_of(scenario)
    rho = float(exposure.amount)
    level = np.linspace(0.0, 1.0, points)
    epsilon = np.linspace(0.0, rho + 8 * math.sqrt(2 * rho), points)[1:]
    one, other = exposure.gaussian(), exposure.exact(accuracy)
    yield difference(one.power(level), other.power(level))
    yield difference(one.tail(epsilon, sides="one"), other.tail(epsilon, sides="one"))


@pytest.mark.parametrize("scenario", ["", "A", "E"])
def test_the_conjecture(scenario):
    """Discrete noise is as good as continuous noise: to within 1e-5, on a grid."""
    for least, most in both(scenario, 11, 1e-5):
        assert 0.0 <= least <= most < 1e-5


def test_the_difference_of_the_whole_release_is_known():
    """Not zero: about 7e-10 in power, and 1.2e-9 in the tail."""
    power, tail = both("", 101, 1e-9)
    assert 6e-10 < power[0] < power[1] < 1e-9
    assert 1.1e-9 < tail[0] < tail[1] < 1.3e-9


def test_the_conjecture_is_not_about_coarse_noise():
    """The difference is seen where there is one: sigma = 1 / 2 on two cells."""
    coarse = single("rho", 4, noise="discrete-gaussian").exposure()
    level = np.linspace(0.0, 1.0, 11)
    least, most = difference(coarse.gaussian().power(level), coarse.exact().power(level))
    assert 1e-3 < least <= most < 0.2


def test_unknown_numbers():
    for call in (
        lambda: census_figure(16),
        lambda: census_table(3),
    ):
        with pytest.raises(InvalidInput):
            call()
    for points in (1, 2.5, True):
        with pytest.raises(InvalidInput, match="points must be a whole number"):
            census_figure(2, points=points)
