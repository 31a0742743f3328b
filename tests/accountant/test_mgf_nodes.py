"""Moments at very many nodes of one line: the truth, with 50 digits, is within the error."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp

from dprisk.accountant.mgf import ComposedMGF
from dprisk.accountant.mgf_nodes import BLOCK, LEAST_PRODUCT, factors, suits
from dprisk.accountant.profiles import add_up
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import ResponseLoss
from tests.oracles import laplace_sums


def parts():
    losses, masses = np.array([-1.0, 0.1, 0.7]), np.array([0.15, 0.3, 0.54])
    under_q = masses * np.exp(-losses)
    several = AtomicLoss.part(losses, masses, 0.01, None, 1.0 - under_q.sum(), under_q)
    return [
        (several, 2),
        (ResponseLoss(0.37).points, 3),
        (ResponseLoss(2.1, 1e-3).points, 1),
        (LaplaceLoss(0.21), 1),
        (LaplaceLoss(1.7), 2),
    ]


def exactly(loss, s):
    """M(s)."""
    if isinstance(loss, LaplaceLoss):
        c, u = mp.mpf(loss.ratio), s + mp.mpf(1) / 2
        return mp.exp(-c / 2) * (mp.cosh(u * c) + mp.sinh(u * c) / (2 * u))
    pairs = zip(loss.masses.tolist(), loss.losses.tolist(), strict=True)
    return mp.fsum(mp.mpf(p) * mp.exp(s * mp.mpf(z)) for p, z in pairs)


@pytest.mark.parametrize("theta", [1e-3, 0.8, 30.0])
@pytest.mark.parametrize("last", [40.0, 1e5])
@pytest.mark.parametrize("steps", ["all", "some", "none"])
def test_each_node_is_within_its_error(theta, last, steps):
    """And the error is small, but where the terms cancel; with nodes left out or not."""
    some, rng = parts(), np.random.default_rng(1)
    assert all(suits(*part) for part in some)
    count = BLOCK + 700
    places = np.arange(count)
    if steps != "all":
        places = np.append(0, np.sort(rng.choice(9 * count, count - 1, replace=False) + 1))
    s = theta + 1j * (last / places[-1]) * places
    found = factors(some, s, None if steps == "none" else places.astype(float))
    edges = [0, 1, BLOCK - 1, BLOCK, BLOCK + 699]
    with mp.workdps(50):
        for n in [*edges, *rng.integers(0, len(s), 40).tolist()]:
            at = mp.mpc(float(s[n].real), float(s[n].imag))
            truth = mp.fprod(exactly(loss, at) ** often for loss, often in some)
            value = mp.mpc(complex(found.value[n])) * mp.exp(found.log_scale)
            assert abs(truth / value - 1) <= mp.expm1(found.error[n])
    assert np.median(found.error) < 1e-12 * (100.0 + last)


def test_a_factor_that_is_nothing_is_unknown_not_zero():
    """Two equal atoms cancel: what is computed is off by no more than it says."""
    loss = AtomicLoss.part([-1.0, 1.0], [np.exp(1) / 2 / np.cosh(1), np.exp(-1) / 2 / np.cosh(1)])
    half = float(-np.log(loss.masses[1] / loss.masses[0]) / 2.0)  # equal weights at this abscissa
    s = half + 1j * (np.pi / 2.0) * np.arange(BLOCK)
    found = factors([(loss, 8)], s, np.arange(float(BLOCK)))
    assert np.all(np.isfinite(found.error)) and np.all(np.abs(found.value) >= LEAST_PRODUCT)
    odd = found.error[1::2]
    assert np.all(odd > 1.0) and np.all(found.error[0::2] < 1e-6)


def test_the_two_ways_to_sample_agree():
    """With and without tables, within both errors."""
    moments = ComposedMGF(tuple(parts()))
    s = 0.7 + 1j * 0.01 * np.arange(BLOCK)
    scale = float(moments.real(np.array([0.7]))[0])
    many, off = moments.sampled(s, scale)
    few, lost = moments.sampled(s[:: BLOCK // 64], scale)
    assert np.all(np.abs(many[:: BLOCK // 64] - few) <= (off[:: BLOCK // 64] + lost) * np.abs(few))


def test_different_laplace_losses_are_enclosed():
    """delta of a few of different scale, where the truth is a finite sum."""
    ratios = (0.9, 0.61, 0.43, 0.37, 0.2)
    x = np.array([0.0, 0.4, 1.1, 1.9, 2.4])
    low, high = add_up(tuple((LaplaceLoss(c), 1) for c in ratios), 1e-9).delta(x)
    for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= laplace_sums.delta(ratios, one) <= b
    assert np.all(high - low <= 1e-3 * high)


@pytest.mark.parametrize("kept", [slice(None), lambda n: (n < BLOCK) | (n > 3 * BLOCK)])
def test_nodes_with_gaps_are_not_at_equal_steps(kept):
    """Of a line from which nodes were left out, the rest has the moments that it had."""
    loss = AtomicLoss.of([-1.4, 1.4], [1.0 / (1.0 + np.exp(1.4)), 1.0 / (1.0 + np.exp(-1.4))])
    n = np.arange(4 * BLOCK)
    n = n[kept] if isinstance(kept, slice) else n[kept(n)]
    s = 0.5 + 1j * 0.001 * n
    found, error = ComposedMGF(((loss, 3),)).sampled(s, 0.0)
    alone = np.exp(3.0 * loss.log_moment(s))
    assert np.all(np.abs(found - alone) <= (error + 1e-12) * np.abs(alone))
    assert np.all(error < 1e-9)
