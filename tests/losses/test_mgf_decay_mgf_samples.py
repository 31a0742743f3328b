"""Samples along a line: abs(M) is never larger than they say, at any place between them."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.losses.mgf_decay import scattered


def size(away, share, t):
    return np.abs(np.exp(1j * np.outer(t, away)) @ share)


@pytest.mark.parametrize("count", [1, 2, 3, 17, 300])
@pytest.mark.parametrize("step", [0.75, 0.5, 0.1])
def test_scattered_is_a_bound(count, step):
    rng = np.random.default_rng(count)
    share = rng.dirichlet(np.ones(count))
    away = rng.normal(0.0, 0.3, count)
    away -= (share * away).sum()
    gap = step / max(float(np.sqrt((share * away * away).sum())), 0.1)
    d = scattered(away, share, gap, 1024, 0.0)
    t = rng.uniform(0.0, 1024 * gap, 4000)
    claimed = np.interp(t, np.arange(1025) * gap, d)
    assert np.all(np.exp(-claimed) >= size(away, share, t))


def test_scattered_is_close_where_it_is_quiet():
    rng = np.random.default_rng(8)
    share, away = np.full(400, 1 / 400), rng.normal(0.0, 1.0, 400)
    away -= away.mean()
    d = scattered(away, share, 0.1, 4096, 0.0)
    t = np.arange(4097) * 0.1
    highest = np.maximum.accumulate(size(away, share, t)[::-1])[::-1]
    assert np.all(np.exp(-d)[50:] <= highest[50:] + 0.02)


def test_what_is_uncertain_is_added():
    share, away = np.full(2, 0.5), np.array([-1.0, 1.0])
    sure, unsure = (scattered(away, share, 0.1, 16, off) for off in (0.0, 0.25))
    assert np.all(np.exp(-unsure) >= np.exp(-sure) + 0.24)


def test_losses_too_far_out_for_whole_numbers():
    """They hardly weigh anything, and are still part of the bound."""
    share, away = np.array([0.5, 0.5 - 1e-30, 1e-30]), np.array([-1.0, 1.0, 1e25])
    d = scattered(away, share, 0.1, 64, 2e-30)
    assert np.all(np.isfinite(d))
    assert np.all(np.exp(-d) >= size(away, share, np.arange(65) * 0.1))
