"""Gaussian DP against values computed with 70 digits."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import GaussianDP
from tests.guarantees.test_piecewise_values import METHODS
from tests.oracles.reading import column, errors, grouped


@pytest.mark.parametrize("method", METHODS)
def test_every_answer_agrees(method):
    """To 1e-11, or what the conditioning of the question in doubles allows; mu from 1e-8 to 40.

    Tails are rounded outwards by what a shift of the question does, and may be twice as far off.
    """
    most = 2.0 if method.startswith("tail") else 1.0
    wrong = []
    for (mu, name), rows in grouped("gaussian", ("mu", "method")).items():
        if name != method:
            continue
        x = column(rows, "argument")
        g = GaussianDP(float(mu), neighbors="add-remove")
        ours = METHODS[name](g, x).value
        for i in np.flatnonzero(~(errors(ours, rows) <= most)):
            wrong.append(f"{g!r}.{name}({x[i]!r}) = {ours[i]!r}, not {rows[i]['answer']}")
    assert not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:20])
