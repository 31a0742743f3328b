"""What a product of moments has lost at many nodes of a line is a bound, and tells most of it."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp

from dprisk.accountant.abscissas import FEW_NODES, TOGETHER, Abscissas
from dprisk.accountant.composed_decay import ComposedDecay
from dprisk.accountant.mgf import ComposedMGF
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import NormalLoss, ResponseLoss

THETA, STEP = 2.0, 0.2
HUNDRED = tuple((ResponseLoss(0.01 + 0.0011 * k).points, 1) for k in range(100))
SCATTERED = AtomicLoss.part([-1.0, 0.1, 0.77], [0.2, 0.3, 0.5])

SUMS = {
    "responses": HUNDRED,
    "beside Laplace noise": (*HUNDRED[40:], (LaplaceLoss(3.0), 1)),
    "beside normal noise": (*HUNDRED[60:], (NormalLoss(0.02), 1)),
    "on no lattice": ((SCATTERED, 20), *HUNDRED[70:]),
    "discrete noise": ((DiscreteGaussianLoss(1.3, 1), 1), *HUNDRED[80:]),
}


def fallen(parts, t):
    """log(M(theta) / abs(M(theta + i t))) of the parts that have points, or are normal."""
    total = mp.mpf(0)
    for loss, count in parts:
        if isinstance(loss, NormalLoss):
            total += count * mp.mpf(loss.mu) ** 2 * t * t / 2
        elif isinstance(loss, AtomicLoss):
            pairs = list(zip(loss.masses.tolist(), loss.losses.tolist(), strict=True))
            at = [
                abs(mp.fsum(mp.mpf(p) * mp.exp(mp.mpc(THETA, s) * mp.mpf(z)) for p, z in pairs))
                for s in (0, t)
            ]
            total += count * (mp.log(at[0]) - mp.log(at[1]))
    return total


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("together", TOGETHER)
def test_no_more_is_lost_than_in_truth(name, together):
    """At whatever node of those that are looked at as one, the last of which are fewer."""
    parts = SUMS[name]
    t = STEP * np.arange(2 * FEW_NODES + 3)
    first = np.arange(0, len(t), together)
    decay = ComposedDecay(parts, 2**16)
    stop = t[np.minimum(first + together, len(t)) - 1]
    found = np.repeat(decay.lost_between(THETA, t[-1], t[first], stop), together)[: len(t)]
    known = [part for part in parts if not isinstance(part[0], DiscreteGaussianLoss)]
    steady = decay.lost(t) if len(known) < len(parts) else np.zeros(len(t))
    some = np.random.default_rng(3).integers(0, len(t), 40).tolist()
    with mp.workdps(30):
        for n in [0, 1, together - 1, together, *some, len(t) - 1]:
            assert found[n] <= steady[n] + fallen(known, float(t[n])) + 1e-9


def test_a_line_without_an_end_leaves_what_is_known_of_a_shorter_one():
    decay = ComposedDecay(SUMS["beside Laplace noise"], 2**16)
    assert decay.loud_at(THETA, 1.0, np.inf, 40.0) == np.inf
    assert decay.lost_between(THETA, 2.0, np.array([1.0]), np.array([2.0])) is not None


def test_most_of_what_is_lost_is_told():
    """Nearly all nodes of a hundred responses are negligible, and known to be."""
    t, enough = STEP * np.arange(2 * FEW_NODES), 30.0
    found = ComposedDecay(HUNDRED, 2**16).lost_between(THETA, t[-1], t, t)
    assert np.mean(found < enough) < 0.05
    with mp.workdps(30):
        open_ = np.flatnonzero(found < enough)[::20].tolist()
        assert np.mean([fallen(HUNDRED, float(t[n])) < 31 for n in open_]) > 0.7


def test_nodes_that_are_left_out_are_counted():
    """The terms at all of them, of which hardly any was computed, add up to what is said."""
    moments = ComposedMGF((*HUNDRED, (LaplaceLoss(3.0), 1)))
    line = Abscissas(moments, 1e-9, 2**15)._line(int(np.searchsorted(moments.theta, THETA)))
    n = np.arange(1 + round(float(line.s[-1].imag) * line.period / (2.0 * np.pi)))
    s = line.theta + 1j * (2.0 * np.pi / line.period * n)
    out = ~np.isin(n, np.rint(line.s.imag * line.period / (2.0 * np.pi)))
    assert np.mean(out) > 0.9
    found, _ = moments.sampled(s[out], line.log_scale, smoothing=line.smoothing)
    terms = 2.0 * np.abs(found) / line.period
    assert 0.0 < terms.sum() <= line.beyond_flat
    assert (terms / np.abs(s[out]) ** 2).sum() <= line.beyond


@pytest.mark.parametrize("smoothing", [0.0, 1e-6])
def test_neighbors_that_are_faint_together_are_counted(smoothing):
    """Before any of them is looked at: each has a term that is no larger than what is said."""
    lines = Abscissas(ComposedMGF((*HUNDRED, (LaplaceLoss(3.0), 1))), 1e-9, 2**15)
    theta, scale = THETA, float(lines.moments.real(np.array([THETA]))[0])
    t, grown = STEP * np.arange(FEW_NODES + 5), float(np.exp(smoothing / 2.0 * THETA * 3.0))
    kept, size, flat = lines._without_faint(theta, t, t[-1], smoothing, grown, 1e-12)
    out = np.setdiff1d(t, kept)
    assert 0.2 < len(out) / len(t) < 1.0 and t[0] in kept
    terms = 2.0 * np.abs(lines.moments.sampled(theta + 1j * out, scale, 0, smoothing)[0])
    assert 0.0 < terms.sum() <= flat
    assert np.sum(terms / (theta**2 + out**2)) <= size
