"""Lattice losses around a pair of distributions over finitely many outcomes."""

from __future__ import annotations

import numpy as np

from dprisk._numeric.rounding import LEAST_NORMAL
from dprisk.losses.lattice import Outcomes, Sided


def pair_on_lattice(p, q, *, spacing, label=""):
    """Losses on a lattice around that of two distributions over the same outcomes."""
    p, q = (np.asarray(each, dtype=float) / np.sum(each, dtype=float) for each in (p, q))
    only = (float(p[q == 0.0].sum()), float(q[p == 0.0].sum()))
    least = np.minimum(p, q)
    clear, rare = least >= LEAST_NORMAL, (least > 0.0) & (least < LEAST_NORMAL)
    loss = ratios(p[clear], q[clear])
    far = np.stack([p[rare], q[rare]], axis=1)
    sided = Sided.of(p[clear][:, None], loss[:, None], spacing)
    return Outcomes.of(sided, spacing, only, far).pair(label)


def ratios(p, q):
    """log(p / q): of close numbers, the difference is exact."""
    close = (p < 2.0 * q) & (q < 2.0 * p)
    near = np.log1p(np.where(close, p - q, 0.0) / q)
    with np.errstate(over="ignore", under="ignore"):
        ratio = p / q
    fair = (ratio >= LEAST_NORMAL) & (ratio < np.inf)
    far = np.where(fair, np.log(np.where(fair, ratio, 1.0)), np.log(p) - np.log(q))
    return np.where(close, near, far)
