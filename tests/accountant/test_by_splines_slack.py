"""What the terms of the error budget of splines are for: exact fractions, and errors put in."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, factorial

import mpmath as mp
import numpy as np
import pytest

from dprisk.accountant.methods.by_splines import BySplines, _density, _laid, _taylor
from dprisk.losses.base import ULP
from dprisk.losses.laplace import LaplaceLoss

STEPS = np.linspace(0.0, 1.0, 7)


def b_spline(order, y):
    """The cardinal one, by truncated powers."""
    if order == 1:
        return Fraction(int(0 <= y < 1))
    terms = (
        (-1) ** i * comb(order, i) * max(y - i, Fraction(0)) ** (order - 1)
        for i in range(order + 1)
    )
    return sum(terms, Fraction(0)) / factorial(order - 1)


def exact_g(count, ratio, y):
    total = Fraction(0)
    for j in range(1, count + 1):
        weight = comb(count, j) * (ratio / 2) ** j / Fraction(2) ** (count - j)
        total += weight * sum(comb(count - j, m) * b_spline(j, y - m) for m in range(count - j + 1))
    return total


@pytest.mark.parametrize(("count", "ratio", "parts"), [(3, 0.7, 4), (6, 0.3, 2), (9, 1.1, 8)])
def test_coefficients_of_densities(count, ratio, parts):
    """Off by no more than is said, and off."""
    j = np.arange(1.0, count + 1.0)
    weights = np.cumprod((count + 1.0 - j) / j * (ratio / 2.0))
    cells, shares = 3, np.arange(parts) / parts
    place = np.arange(cells + 1.0)[:, None] + shares
    g, off = _taylor(count, ratio, weights, place, parts)
    for i, start in enumerate(place[:-1].ravel().tolist()):
        for t in map(Fraction, STEPS.tolist()):
            if t == 1:  # the next piece
                continue
            found = sum(Fraction(float(row[i])) * t**m for m, row in enumerate(g))
            truth = exact_g(count, Fraction(ratio), Fraction(start) + t / parts)
            assert abs(found - truth) <= Fraction(float(off[i]))


@pytest.mark.parametrize("length", [0.3, 6.0, 12.0])
@pytest.mark.parametrize("by", [(0.9, 0.0), (0.0, 0.9), (-0.9, -0.9)])
def test_densities(length, by):
    """e^(length t / 2) as a series, and what comes with errors of g and of the factor."""
    g = np.array([[1.0, 0.3], [-0.4, 0.2], [0.1, 0.05]])
    off, blur = np.array([1e-9, 1e-12]), np.array([1e-11, 1e-8])
    down = np.array([0.7, 1e-5])
    moved = g.copy()
    moved[0] += by[0] * off
    found, error = _density(moved, off, down * (1.0 + by[1] * blur), blur, length)
    for i in range(2):
        for t in STEPS:
            with mp.workdps(40):
                series = sum(mp.mpf(c) * mp.mpf(t) ** m for m, c in enumerate(found[:, i]))
                plain = sum(mp.mpf(c) * mp.mpf(t) ** m for m, c in enumerate(g[:, i]))
                truth = plain * mp.mpf(down[i]) * mp.exp(mp.mpf(length) * t / 2)
                assert abs(series - truth) <= error[i]


def atom(pieces, length, mass=0.2):
    """One atom at the top, and nothing else."""
    top, nothing = pieces * length, np.zeros((22, pieces))
    atoms = np.append(mass, np.zeros(pieces))
    found = _laid(top, length, nothing, np.zeros(pieces), atoms, 0.0)
    return BySplines(LaplaceLoss(top), 1, found)


@pytest.mark.parametrize("side", [-0.9, 0.9])
@pytest.mark.parametrize("length", [0.25, 1.0])
def test_densities_that_are_off(length, side):
    """Piece by piece, and all before together: a uniform density of P beside an atom."""
    pieces, top = 6, 6 * length
    error = np.full(pieces, 1e-7)
    density = np.zeros((22, pieces))
    density[0] = 0.01
    atoms = np.zeros(pieces + 1)
    atoms[0] = 0.2
    right, wrong = (
        BySplines(LaplaceLoss(top), 1, _laid(top, length, each, error, atoms, 0.0))
        for each in (density, density + side * np.where(np.arange(22) == 0, 1e-7, 0.0)[:, None])
    )
    x = top * np.linspace(0.01, 0.99, 40)
    truth = right.delta(x), right.tail(x), right.tail(x, True)
    for found, true in zip(
        (wrong.delta(x), wrong.tail(x), wrong.tail(x, True)), truth, strict=True
    ):
        middle = (true.lower + true.upper) / 2.0
        assert np.all(found.lower <= middle) and np.all(middle <= found.upper)
        assert np.any(found.upper - found.lower < 1e-2 * middle)


@pytest.mark.parametrize("length", [0.25, 3.0, 5.0])
def test_series_of_long_pieces(length):
    """delta is mass (1 - e^-d) next to an atom, and that e^d times is no polynomial."""
    loss = atom(1, length)
    for t in (0.0, 0.3, 0.9, 0.999):
        low, high = loss.delta(np.array([length * (1.0 - t)]))
        with mp.workdps(40):
            d = mp.mpf(length) - mp.mpf(length * (1.0 - t))
            truth = mp.mpf(0.2) * -mp.expm1(-d)
        assert low[0] <= truth <= high[0]


@pytest.mark.parametrize("by", [-7 * ULP, 7 * ULP])
def test_pieces_that_lie_a_little_off(by):
    """All of them by a few units of the largest loss."""
    right = atom(400, 0.25)
    loss = replace(right, pieces=right.pieces._replace(top=right.pieces.top * (1.0 + by)))
    for d in (1e-9, 1e-6, 1e-3):
        x = right.pieces.top - d
        low, high = loss.delta(np.array([x]))
        truth = mp.mpf(0.2) * -mp.expm1(mp.mpf(x) - mp.mpf(right.pieces.top))
        assert low[0] <= truth <= high[0]


def test_the_other_tail_of_an_atom():
    """e^-top times the mass, wherever it is asked; an atom that equals x is not beyond it."""
    loss = atom(400, 0.25)
    for x in (1.0, 50.0, 99.0, 99.9999):
        low, high = loss.tail(np.array([x]), True)
        assert low[0] <= mp.mpf(0.2) * mp.exp(-100) <= high[0]
    low, _ = loss.tail(100.0 * (1.0 + np.array([0.0, ULP, 2 * ULP])), True)
    assert np.all(low == 0.0)


@pytest.mark.parametrize("density", [1e-3, 0.1])
def test_tails_a_little_further_on(density):
    """What lies between x and where an atom would count as x."""
    pieces, length = 400, 0.25
    steady = np.zeros((22, pieces))
    steady[0] = density  # e^d times that of P; of Q, e^-z times that, with z at the upper end
    laid = _laid(pieces * length, length, steady, np.zeros(pieces), np.zeros(pieces + 1), 0.0)
    loss = BySplines(LaplaceLoss(pieces * length), 1, laid)
    for x in (99.9, 99.0, 97.3, 90.1):
        with mp.workdps(40):
            n, t = divmod((100 - mp.mpf(x)) / mp.mpf(length), 1)
            whole = sum(mp.exp(i * mp.mpf(length)) for i in range(int(n)))
            truth = density * (whole + mp.exp(n * mp.mpf(length)) * t) * mp.exp(-100)
        low, high = loss.tail(np.array([x]), True)
        assert low[0] <= truth <= high[0]


def test_what_underflows():
    """The mass times 1 - e^-d has few digits, or none."""
    loss, mass = atom(8, 1e-3, 1e-310), mp.mpf(1e-310)
    top = mp.mpf(loss.pieces.top)
    for d in np.geomspace(1e-13, 1e-3, 60):
        x = float(loss.pieces.top) - d
        low, high = loss.delta(np.array([x]))
        with mp.workdps(60):
            truth = mass * -mp.expm1(mp.mpf(x) - top)
        assert low[0] <= truth <= high[0]


@pytest.mark.parametrize("by", [-250 * ULP, 250 * ULP])
def test_roundings_of_coefficients(by):
    """All of them to one side: as many units as a step and a polynomial have together."""
    right = atom(3, 0.25)
    loss = replace(right, pieces=right.pieces._replace(profile=right.pieces.profile * (1.0 + by)))
    x = right.pieces.top - 0.24
    low, high = loss.delta(np.array([x]))
    truth = mp.mpf(0.2) * -mp.expm1(mp.mpf(x) - mp.mpf(right.pieces.top))
    assert low[0] <= truth <= high[0]
