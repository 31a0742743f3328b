"""Lines that are too short, too coarse or a little off keep the truth in their brackets.

The truth is in ball arithmetic. What is allowed for is taken as far as it may go, so that none of
it can be left away.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flint import arb

from dprisk.accountant import abscissas as lines
from dprisk.accountant.contour import Chernoff, Contour, LatticeTable
from dprisk.accountant.duality import Duality
from dprisk.accountant.methods.by_atoms import ByAtoms, as_atoms
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.mgf import ComposedMGF
from dprisk.losses.base import ULP, Lattice
from dprisk.losses.normal import NormalLoss, ResponseLoss
from sweep.truth.balls import exact
from sweep.truth.pairs import Atoms, on_lattice, response
from sweep.truth.sums import Normals

WIDE = 40.0  # period at which nothing comes back


def nodes(theta, period, stop):
    """Places on the upper half of a line."""
    n = np.arange(int(stop * period / (2.0 * np.pi)) + 1)
    return theta + 2j * np.pi * n / period


def weighted(log_moment, s, period):
    """Terms of the sum, and the scale."""
    scale = float(log_moment(s[:1]).real[0])
    terms = np.exp(log_moment(s) - scale) / period
    terms[1:] *= 2.0
    return terms, scale


def normal_line(mu=1.0, theta=1.0, period=WIDE, stop=14.0, **more):
    """Of two normals that are mu apart; `by` is what each term is off."""
    s = nodes(theta, period, stop)
    by = more.pop("by", 0.0)
    variance = more.get("smoothing", 0.0) + mu * mu
    terms, scale = weighted(lambda z: variance / 2.0 * z * (z + 1.0), s, period)
    off = {"error": np.zeros(len(s)), "beyond": 0.0} | more
    return Contour(theta, period, scale, s, terms * (1.0 + by), **off)


def aliases(*parts):
    return ComposedMGF(parts).profile


def holds(found, truths):
    """Nowhere is the truth outside, and the bracket says something."""
    for low, high, truth in zip(found.lower, found.upper, truths, strict=True):
        assert exact(float(low)) <= truth, (low, truth)
        assert truth <= exact(float(high)), (high, truth)
        assert not (low == 0.0 and high == 1.0)


def normal_truth(x, mu=1.0):
    return [Normals(exact(mu)).at(exact(each))[0] for each in np.ravel(x).tolist()]


def held(line, x, mu=1.0):
    x = np.atleast_1d(np.asarray(x, dtype=float))
    holds(line.delta(x, aliases((NormalLoss(mu), 1))), normal_truth(x, mu))


@pytest.mark.parametrize("by", [1e-7, -1e-7])
def test_errors_of_terms(by):
    """All terms off to the same side, as far as they may be."""
    line = normal_line(by=by)
    held(normal_line(by=by, error=np.full(len(line.s), 1.0000002e-7)), [0.0, 0.5, 2.0])


@pytest.mark.parametrize("by", [12 * ULP, -12 * ULP])
def test_roundings_of_terms(by):
    """A few units in the last place of each term, all to one side."""
    held(normal_line(by=by), [0.75, 1.0])


@pytest.mark.parametrize("smoothing", [1e-2, 1e-4])
def test_smoothing(smoothing):
    """A normal loss that was added makes delta larger; the lower end allows for it."""
    held(normal_line(smoothing=smoothing), [0.0, 0.5, 2.0])


def test_a_tail_is_never_nothing():
    """What underflows is still more than zero, and never rounded downwards."""
    x = np.concatenate([np.random.default_rng(4).uniform(709.0, 752.0, 400), [800.0, 1e9]])
    far = Chernoff(np.array([0.0, 1.0]), np.array([0.0, 0.0])).tail(x)
    for bound, each in zip(far.tolist(), x.tolist(), strict=True):
        assert bound > 0.0 and exact(bound) >= (-exact(each)).exp()


# --- on a lattice --------------------------------------------------------------------------------


def lattice_line(epsilon=1.0, count=10, theta=0.7, points=None, **more):
    """Of randomized response; a whole turn, or one that is too short."""
    points = points or 4 * count
    spacing = more.pop("spacing", 2.0 * epsilon)
    period = points * spacing
    s = theta + 2j * np.pi * np.arange(points // 2 + 1) / period
    loss = ResponseLoss(epsilon)
    terms, scale = weighted(lambda z: count * loss.log_moment(z), s, points)
    terms[len(s) - 1 :] /= 2.0 if points % 2 == 0 else 1.0
    origin = more.pop("origin", -count * epsilon)
    by = more.pop("by", 0.0)
    off = {"error": np.zeros(len(s)), "beyond": 0.0} | more
    lattice = Lattice(origin, spacing)
    return Contour(theta, period, scale, s, terms * (1.0 + by), lattice=lattice, **off)


def lattice_held(line, x, epsilon=1.0, count=10):
    x = np.atleast_1d(np.asarray(x, dtype=float))
    truth = Atoms(on_lattice(response(exact(epsilon)), count))
    found = line.delta(x, aliases((ResponseLoss(epsilon), count)))
    holds(found, [truth.delta(exact(each)) for each in x.tolist()])


@pytest.mark.parametrize("by", [1e-7, -1e-7])
def test_errors_of_terms_on_a_lattice(by):
    """All terms off to the same side, as far as they may be; with and without a table."""
    for count, points in ((10, 40), (10, 4096)):
        line = lattice_line(count=count, points=points)
        error = np.full(len(line.s), 1.0000002e-7)
        lattice_held(lattice_line(count=count, points=points, by=by, error=error), [0.0, 0.5, 4.5])


@pytest.mark.parametrize("kept", [4, 6, 8])
def test_what_is_cut_off_on_a_lattice(kept):
    """Nodes that are left out count for what they can be at most."""
    whole = lattice_line(count=40, theta=0.1)
    rest = float(np.abs(whole.terms[kept:]).sum())
    line = Contour(
        whole.theta,
        whole.period,
        whole.log_scale,
        whole.s[:kept],
        whole.terms[:kept],
        whole.error[:kept],
        0.0,
        beyond_flat=rest,
        lattice=whole.lattice,
    )
    lattice_held(line, np.linspace(0.0, 30.0, 13), count=40)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_points_that_lie_a_little_off(side):
    """Near the largest loss everything depends on where it lies."""
    off = side * 3 * ULP
    line = lattice_line(300.0, 1, 0.01, 4, origin=-300.0 * (1 + off), spacing=600.0 * (1 + off))
    lattice_held(line, 300.0 * (1.0 - ULP * np.array([4.0, 16.0, 64.0])), 300.0, 1)


def test_the_rounding_of_the_scale_of_a_table():
    """Far from zero the exponent of the scale has few digits behind the point."""
    line = lattice_line(1.0, 500, 2.0, 4096)
    lattice_held(line, np.linspace(300.0, 460.0, 41), 1.0, 500)


# --- as they are made ----------------------------------------------------------------------------


@pytest.fixture
def coarse(monkeypatch):
    """Whatever may be left out is left out much earlier, and has to be allowed for."""
    monkeypatch.setattr(lines, "NEGLIGIBLE", 9.0)


@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_lines_that_are_cut_early(coarse, mu):
    """Normal losses."""
    x = np.linspace(0.0, 6.0 * mu + mu * mu, 25)
    holds(ByContour(((NormalLoss(mu), 1),)).delta(x), normal_truth(x, mu))


@pytest.mark.parametrize("count", [50, 400])
def test_turns_that_are_cut_early(coarse, count):
    """Randomized response, by lines."""
    x = np.linspace(0.0, 6.0 * 0.3 * count**0.5, 25)
    truth = Atoms(on_lattice(response(arb(0.3)), count))
    found = ByContour(((ResponseLoss(0.3), count),)).delta(x)
    holds(found, [truth.delta(exact(each)) for each in x.tolist()])


@pytest.mark.parametrize("mu", [0.3, 1.0, 5.0])
def test_beyond_the_reach_of_lines(mu):
    """Something is still there."""
    found = ByContour(((NormalLoss(mu), 1),)).delta(np.array([60.0 * mu + mu * mu, 1e5]))
    assert (found.upper > 0.0).all() and (found.lower == 0.0).all()


@pytest.mark.parametrize("kept", [1, 3])
@pytest.mark.parametrize("smoothing", [1e-1, 1.0])
def test_the_density_of_what_is_left_out(kept, smoothing):
    """The penalty counts nodes that are not there."""
    whole = normal_line(smoothing=smoothing)
    size = np.abs(whole.terms[kept:])
    line = normal_line(
        stop=(kept - 0.5) * 2.0 * np.pi / WIDE,
        smoothing=smoothing,
        beyond=float((size / np.abs(whole.s[kept:]) ** 2).sum()),
        beyond_flat=float(size.sum()),
    )
    held(line, [0.0, 0.5, 2.0])


# --- all points of a lattice at once -------------------------------------------------------------


@pytest.mark.parametrize("kept", [1030, 1500])
def test_what_is_cut_off_of_a_table(kept):
    """Nodes that are left out count for what they can be at most."""
    whole = lattice_line(0.3, 2, 0.5, 4096)
    rest = float(np.abs(whole.terms[kept:]).sum())
    line = replace(
        whole,
        s=whole.s[:kept],
        terms=whole.terms[:kept],
        error=whole.error[:kept],
        beyond_flat=rest,
    )
    lattice_held(line, np.linspace(0.0, 0.58, 13), 0.3, 2)


@pytest.mark.parametrize("origin", [0.0, 1e9])
def test_sums_at_all_points_of_a_lattice(origin):
    """Off by roundings of the transform; and by those of phases, where the lattice is far away."""
    rng, count = np.random.default_rng(5), 64
    t = 2.0 * np.pi * np.arange(count // 2 + 1) / count
    weights = rng.normal(size=len(t)) + 1j * rng.normal(size=len(t))
    weights[[0, -1]] = weights[[0, -1]].real
    table = LatticeTable.of(0.3 + 1j * t, weights, np.zeros(len(t)), count, Lattice(origin, 1.0))
    for j in range(count):
        x = exact(origin) + j
        truth = arb(0)
        for node, weight in zip(t.tolist(), weights.tolist(), strict=True):
            turn = exact(node) * x
            truth += exact(weight.real) * turn.cos() + exact(weight.imag) * turn.sin()
        off = table.fixed + table.moving * (abs(origin + j) + abs(origin))
        assert abs(exact(float(table.values[j])) - truth) <= off


# --- two kinds of values on no common lattice ----------------------------------------------------


def test_smoothed_lines_that_are_cut_early(coarse):
    """Next to values of the sum, where smoothing makes the largest difference."""
    parts = ((0.05, 30), (0.0313, 25))
    one, other = (on_lattice(response(arb(e)), n) for e, n in parts)
    truth = Atoms([(p * r, q * s) for p, q in one for r, s in other])
    values = np.array([float(z.mid()) for z in truth.losses])
    away = np.array([0.0, 1e-6, -1e-6, 1e-4, -1e-4, 1e-3, -1e-3])
    x = np.add.outer(values[(values > 0.0) & (values < 2.2)], away).ravel()
    x = x[(x > 0.0) & (x < 2.25)]
    found = ByContour(tuple((ResponseLoss(e), n) for e, n in parts), 1e-4).delta(x)
    holds(found, [truth.delta(exact(each)) for each in x.tolist()])


@pytest.mark.parametrize("nats", [9.0, 46.0])
def test_nodes_that_a_smoothed_line_leaves_out(monkeypatch, nats):
    """Counted at no less than what their terms come to, of delta and of the density."""
    monkeypatch.setattr(lines, "NEGLIGIBLE", nats)
    parts = ((0.05, 30), (0.0313, 25))
    whole = ByContour(tuple((ResponseLoss(e), n) for e, n in parts), 1e-4)
    (line, _), *_ = whole._by_line(np.array([0.1]))
    assert line.smoothing
    step = 2.0 * np.pi / line.period
    n = np.arange(int(np.sqrt(1600.0 / line.smoothing) / step))  # from there on below e^-800
    s = line.theta + 1j * step * n
    logs = line.smoothing / 2.0 * s * (s + 1.0) - line.log_scale
    for e, count in parts:
        logs += count * (np.log(np.exp(e * (s + 1.0)) + np.exp(-e * s)) - np.log1p(np.exp(e)))
    size = np.exp(logs.real) * np.where(n > 0, 2.0, 1.0) / line.period
    there = np.isin(n, np.rint(line.s.imag / step))
    assert np.allclose(size[there], np.abs(line.terms), rtol=1e-9, atol=1e-12)
    assert 0.0 < (size / np.abs(s) ** 2)[~there].sum() <= line.beyond
    assert 0.0 < size[~there].sum() <= line.beyond_flat


# --- what is infinite ----------------------------------------------------------------------------


def test_the_rounding_of_what_is_infinite():
    """Of many parts, each of which may reveal everything."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        size = int(rng.integers(2, 7))
        parts = tuple(
            (ResponseLoss(0.01 * (1 + i), float(chance)), int(rng.integers(1, 9)))
            for i, chance in enumerate(rng.uniform(0.0, 0.2, size))
        )
        kept = arb(1)
        for loss, count in parts:
            kept *= (1 - exact(loss.revealed)) ** count
        far = np.array([1.1 * sum(loss.epsilon * count for loss, count in parts)])
        holds(ByContour(parts).delta(far), [1 - kept])


# --- probabilities that are a little off ---------------------------------------------------------


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_probabilities_that_are_off(side):
    """By as much as is said, each to the worse side (dprisk Proposition 9)."""
    off, epsilon = 1e-6, 0.5
    truth = Atoms(response(exact(epsilon)))
    p, q = ([float(mass.mid()) for mass in masses] for masses in zip(*truth.pairs(), strict=True))
    p, q = np.array(p) * (1.0 + side * off), np.array(q) * (1.0 - side * off)
    order = np.argsort(p / q)
    losses = np.log(p / q)[order]
    found = ByAtoms(losses, p[order], 0.0, 1, 4 * ULP)
    t = np.array([0.0, 0.1, 0.25, 0.49, 0.4999])
    bracket = Duality((found, found), (found, found), relative_error=2e-6).delta(t)
    holds(bracket, [truth.delta(exact(each)) for each in t.tolist()])


# --- value by value ------------------------------------------------------------------------------


def test_the_rounding_of_probabilities():
    """Sums of a few losses, and tails under both distributions."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        epsilons = rng.uniform(0.1, 2.0, 5).tolist()
        found = as_atoms(tuple((ResponseLoss(e), 1) for e in epsilons))
        assert found is not None
        atoms = [(arb(1), arb(1))]
        for e in epsilons:
            atoms = [(p * a, q * b) for p, q in atoms for a, b in response(exact(e))]
        truth = Atoms(atoms)
        x = rng.uniform(0.0, sum(epsilons), 20)
        holds(found.delta(x), [truth.delta(exact(each)) for each in x.tolist()])
        for other in (False, True):
            tails = [truth.beyond(exact(each))[other] for each in x.tolist()]
            holds(found.tail(x, other), tails)
