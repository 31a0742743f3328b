"""Rényi and concentrated DP against Canonne et al.'s infimum and two coins, to 60 digits."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import RenyiDP, ZeroConcentratedDP
from tests.guarantees.test_piecewise_values import METHODS
from tests.oracles.reading import column, grouped

ASKED = METHODS | {"delta": lambda g, x: g.delta(x)}
KINDS = {
    "order": lambda a, limit: RenyiDP(a, limit, neighbors="add-remove"),
    "slope": lambda rho, xi: ZeroConcentratedDP(rho, xi=xi, neighbors="add-remove"),
}
COINS = ("power", "level", "loss_one", "tail_one")


def cases(method):
    for (kind, first, second, name), rows in grouped(
        "renyi", ("kind", "first", "second", "method")
    ).items():
        if name == method:
            g = KINDS[kind](float(first), float(second))
            extra = float(first) - 1 if kind == "order" else 1.0
            limit = float(second) if kind == "order" else float(first) + float(second)
            x = column(rows, "argument")
            yield (
                g,
                1e-15 * (1 + 2 / extra) / limit,
                x,
                ASKED[name](g, x).value,
                column(rows, "answer"),
            )


@pytest.mark.parametrize("method", ["delta", "epsilon"])
def test_never_more_than_canonne_says(method):
    """The infimum over all orders bounds the truth, and is next to it far out."""
    wrong, far = [], 0
    for g, _, x, ours, infimum in cases(method):
        size = np.maximum(infimum, 1e-300)
        rounding = 2e-14 * (1 + np.abs(np.log(size)))  # of the exponent
        above = (ours - infimum) / size
        for i in np.flatnonzero(above > 1e-9 + rounding):
            wrong.append(f"{g!r}.{method}({x[i]!r}) = {ours[i]!r}: off by {above[i]:.1e}")
        far += np.count_nonzero(np.abs(above) < 1e-8)
    assert far > 10
    assert not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:30])


@pytest.mark.parametrize("method", COINS)
def test_two_coins(method):
    """Within 1e-8 of the coins that meet the limit, and never on the unsafe side.

    A divergence is known to 1e-15 (1 + 2 / (order - 1)), which counts as inside: as a share of a
    tiny limit that is more than 1e-8, and far out it is multiplied by the logarithm of the chance.
    """
    wrong = []
    sign = -1.0 if method == "level" else 1.0
    for g, rounding, x, ours, exact in cases(method):
        reach = np.abs(np.log(x if method != "tail_one" else exact))
        over = sign * (ours - exact) / exact
        bad = (over > 1e-8 + 2 * rounding * (1 + reach)) | (over < -1e-12)
        wrong += [
            f"{g!r}.{method}({x[i]!r}) = {ours[i]!r}, not {exact[i]!r}: {over[i]:.1e}"
            for i in np.flatnonzero(bad)
        ]
    assert not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:30])
