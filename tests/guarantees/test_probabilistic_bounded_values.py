"""Probabilistically bounded DP against values computed with hundreds of digits."""

from __future__ import annotations

from math import inf
from random import Random

import numpy as np
import pytest
from flint import arb, ctx

from dprisk import ProbabilisticallyBoundedDP
from tests.guarantees.test_piecewise_values import HALF_AN_ULP_OF_ONE, METHODS
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


@pytest.mark.parametrize("sides", ["one", "both"])
def test_what_is_revealed_is_rounded_upwards_and_only_once(sides):
    """The tail at infinity is delta (1 - e^-epsilon) / (1 - delta e^-epsilon)."""
    rng = Random("revealed")
    with ctx.workprec(200):
        for _ in range(500):
            e, d = 10.0 ** rng.uniform(-6.0, 1.5), rng.choice((1.0, 1e-9)) * rng.random()
            low = (-arb(e)).exp()
            truth = arb(d) * (1 - low) / (1 - arb(d) * low)
            found = ProbabilisticallyBoundedDP(e, d, neighbors="add-remove").tail(inf, sides=sides)
            assert truth <= arb(found.value) <= truth * (1 + arb(1e-14)), (e, d)
