"""Probabilistically bounded DP against values computed with hundreds of digits."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import ProbabilisticallyBoundedDP
from tests.guarantees.test_polygon_values import HALF_AN_ULP_OF_ONE, METHODS
from tests.oracles.reading import column, errors, grouped


@pytest.mark.parametrize("method", ["profile", "power", "level", "tail_one", "loss_one"])
def test_every_answer_agrees(method):
    """To 1e-11, or what the conditioning of the question in doubles allows."""
    wrong, floor = [], HALF_AN_ULP_OF_ONE if method.startswith("loss") else 0.0
    for (e, d, name), rows in grouped("bounded", ("epsilon", "delta", "method")).items():
        if name != method:
            continue
        x = column(rows, "argument")
        g = ProbabilisticallyBoundedDP(float(e), float(d), neighbors="add-remove")
        ours = METHODS[name](g, x).value
        apart = errors(ours, rows, floor=floor) > 1
        if (
            method == "loss_one" and g.delta(0.0).bound == "upper"
        ):  # its mirror image binds: see Notes
            apart &= ours < column(rows, "answer")
        for i in np.flatnonzero(apart):
            wrong.append(f"{g!r}.{name}({x[i]!r}) = {ours[i]!r}, not {rows[i]['answer']}")
    assert not wrong, "\n".join(wrong[:20])
