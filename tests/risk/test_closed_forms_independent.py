"""Theorems about pure DP, for whatever implies it."""

from __future__ import annotations

from typing import Any

import pytest

from dprisk.errors import Meaningless
from dprisk.guarantees import ApproxDP, GaussianDP, PureDP
from dprisk.mechanisms import Laplace
from dprisk.risk import independent_ratio, with_participation

A: Any = {"neighbors": "add-remove"}


def test_what_implies_pure_dp_is_read_as_such():
    """The same as pure DP with the epsilon at delta 0."""
    pure = PureDP(0.5, **A)
    for known in (ApproxDP(0.5, 0.0, **A), Laplace(2.0, 1.0, **A).loss()):
        for ask in (lambda g: with_participation(g, 0.1), lambda g: independent_ratio(g, 0.3, 0.1)):
            assert float(ask(known).upper) == pytest.approx(float(ask(pure).upper), rel=1e-12)
            assert float(ask(known).upper) >= float(ask(pure).upper)


@pytest.mark.parametrize("known", [GaussianDP(0.5, **A), PureDP(0.5, neighbors="replace-one")])
def test_what_does_not_is_refused(known):
    with pytest.raises(Meaningless, match="informed adversary"):
        with_participation(known, 0.1)
