"""Cells that land on a lattice: rational arithmetic, and what is left when they hardly can."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dprisk.losses.lattice import landed, moved, together

SPACING = 0.01


def atoms(seed, count, ends):
    """Probabilities and losses that are not on the lattice, with two large ones at the ends."""
    rng = np.random.default_rng(seed)
    losses = np.sort(rng.uniform(-0.5, 0.5, count))
    masses = rng.dirichlet(np.full(count, 0.3)) + 1e-12
    masses[[0, -1]] += ends
    return masses, losses


def cells(masses, losses):
    nearest = np.rint(losses / SPACING).astype(np.int64)
    excess = masses * -np.expm1(nearest * SPACING - losses)
    points, (p, d) = together(nearest, masses, excess)
    return points, p, d


def profile(p, q, y):
    """Sum of (p - y q)+ in rational numbers."""
    return sum(
        (max(Fraction(a) - y * Fraction(b), Fraction(0)) for a, b in zip(p, q, strict=True)),
        Fraction(0),
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("count", "ends"), [(5, 0.0), (40, 0.0), (40, 1.0), (400, 5.0)])
def test_what_lands_is_a_post_processing(seed, count, ends):
    masses, losses = atoms(seed, count, ends)
    points, p, d = cells(masses, losses)
    at, left = landed(points, p, d, SPACING)
    assert np.all(left > 0.0) and np.all(np.diff(at) > 0)
    q, under_q = masses * np.exp(-losses), left * np.exp(-at * SPACING)
    assert left.sum() == pytest.approx(masses.sum(), rel=1e-13)
    assert under_q.sum() == pytest.approx(q.sum(), rel=1e-13)
    slack = Fraction(1, 10**12) * Fraction(float(masses.sum()))
    for t in np.concatenate([losses, at * SPACING, losses + 0.004])[:: max(1, count // 9)]:
        y = Fraction(float(np.exp(t)))
        assert profile(left, under_q, y) <= profile(masses, q, y) + slack


@pytest.mark.parametrize("short", [1e-9, 0.1, 0.5, 0.9])
def test_large_atoms_at_the_ends_cost_the_spacing_and_no_more(short):
    """A little before a point, and nothing near that they could take from."""
    inside = np.linspace(-0.49, 0.49, 99)
    losses = np.concatenate([[-0.5 + short * SPACING], inside, [0.5 - short * SPACING]])
    masses = np.concatenate([[0.5], np.full(99, 1e-4), [0.5]])
    points, p, d = cells(masses, losses)
    at, left = landed(points, p, d, SPACING)
    x = np.linspace(-0.4, 0.4, 17)
    true, found = (
        (m * np.maximum(-np.expm1(x[:, None] - v), 0.0)).sum(axis=1)
        for m, v in ((masses, losses), (left, at * SPACING))
    )
    assert np.all(found <= true + 1e-13) and np.all(true - found <= 0.5 * SPACING)


def test_alone_it_goes_where_it_costs_least():
    """0.45 of a step above its point, but its neighbor above is nearer by far."""
    losses = np.array([-0.5, 0.0045, 0.03])
    points, p, d = cells(np.array([0.2, 0.5, 0.3]), losses)
    assert landed(points, p, d, SPACING)[0].tolist() == [-50, 1, 3]


def test_on_the_points_nothing_moves():
    points, p = np.array([-3, 0, 5]), np.array([0.1, 0.6, 0.3])
    at, left = landed(points, p, np.zeros(3), 0.5)
    assert at.tolist() == [-3, 0, 5] and left.tolist() == p.tolist()


def test_one_cell_that_is_on_no_point_cannot_land():
    at, left = landed(np.array([2]), np.ones(1), np.array([0.1]), 0.5)
    assert not len(at) and not len(left)


def test_excess_over_another_point():
    p, loss = np.array([0.7]), 0.123
    here = p * -np.expm1(0.1 - loss)
    np.testing.assert_allclose(moved(p, here, 5, 0.01), p * -np.expm1(0.15 - loss), rtol=1e-13)


def test_all_between_two_points():
    """Neither end has anybody to take from: there is but one cell, which cannot land either."""
    points, p, d = cells(np.array([0.6, 0.4]), np.array([0.002, 0.008]))
    assert points.tolist() == [0, 1]
    at, left = landed(points, p, d, SPACING)
    assert not len(at) and not len(left)
