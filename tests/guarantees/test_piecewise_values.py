"""Pure and approximate DP against values computed with hundreds of digits."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import ApproxDP, ApproxDPCurve, PureDP
from tests.oracles.reading import column, errors, grouped

HALF_AN_ULP_OF_ONE = 4e-16  # of a ratio whose logarithm is the loss
METHODS = {
    "profile": lambda g, x: g.delta(x),
    "epsilon": lambda g, x: g.epsilon(x),
    "power": lambda g, x: g.power(x),
    "level": lambda g, x: g.level(x),
    "tail_one": lambda g, x: g.tail(x, sides="one"),
    "tail_both": lambda g, x: g.tail(x),
    "loss_one": lambda g, x: g.loss_bound(x, sides="one"),
    "loss_both": lambda g, x: g.loss_bound(x),
}


def same_promise(e, d):
    """The classes that can promise it."""
    yield ApproxDP(e, d, neighbors="add-remove")
    yield ApproxDPCurve([e, e + 1], [d, d], neighbors="add-remove")
    if d == 0:
        yield PureDP(e, neighbors="add-remove")


@pytest.mark.parametrize("method", METHODS)
def test_every_answer_agrees(method):
    """To 1e-11, or what the conditioning of the question in doubles allows."""
    wrong, floor = [], HALF_AN_ULP_OF_ONE if method.startswith("loss") else 0.0
    for (e, d, name), rows in grouped("polygon", ("epsilon", "delta", "method")).items():
        if name != method:
            continue
        x = column(rows, "argument")
        for g in same_promise(float(e), float(d)):
            ours = METHODS[name](g, x).value
            for i in np.flatnonzero(~(errors(ours, rows, floor=floor) <= 1)):
                wrong.append(f"{g!r}.{name}({x[i]!r}) = {ours[i]!r}, not {rows[i]['answer']}")
    assert not wrong, "\n".join(wrong[:20])
