"""Finite mechanisms as somebody would type them in: lists of probabilities."""

from __future__ import annotations

import numpy as np

from dprisk.mechanisms import PairOfDistributions


def discrete_gaussian(sigma, step=1, reach=9.0):
    k = np.arange(-int(reach * sigma) - 1, int(reach * sigma) + 2 + step)
    p, q = (np.exp(-((k - by) ** 2) / (2.0 * sigma**2)) for by in (step, 0))
    return p / p.sum(), q / q.sum()


def geometric(scale, step=1):
    k = np.arange(-int(20 * scale) - 1, int(20 * scale) + 2 + step)
    p, q = (np.exp(-np.abs(k - by) / scale) for by in (step, 0))
    return p / p.sum(), q / q.sum()


def clusters(n=12, gap=40, spacing=0.05):
    """Losses near both ends of a long lattice, so that the moment returns before its period."""
    index = np.concatenate([np.arange(n), gap + np.arange(n)]) - gap // 2
    masses = np.random.default_rng(5).dirichlet(np.ones(2 * n))
    losses = spacing * index
    q = masses * np.exp(-losses)
    most = max(masses.sum(), q.sum()) / 0.97
    p, q = masses / most, q / most
    return np.append(p, [1.0 - p.sum(), 0.0]), np.append(q, [0.0, 1.0 - q.sum()])


LISTS = {
    "discrete Gaussian": discrete_gaussian(3.3),
    "wide discrete Gaussian, two steps": discrete_gaussian(20.0, 2),
    "geometric": geometric(2.5, 3),
    "clusters": clusters(),
    "coins": (np.array([0.3, 0.7]), np.array([0.6, 0.4])),
    "rare": (np.array([0.999, 0.001]), np.array([0.99, 0.01])),
}


def loss_of(p, q):
    return PairOfDistributions(p, q, neighbors="add-remove").losses().forward[1]
