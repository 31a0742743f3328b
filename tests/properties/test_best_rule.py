"""The rule best is never worse than the others: at the ends of a sum, at its atoms, anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dprisk import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    PureDP,
    ZeroConcentratedDP,
    mechanisms,
)
from dprisk.composition import compose
from dprisk.composition.composing import RULES
from dprisk.errors import Meaningless
from tests.properties.zoo import spread

A: Any = {"neighbors": "add-remove"}
SLACK = 1e-6

epsilons = spread(0.01, 4.0, 0.1, 0.25, 0.5, 1.0)
chances = spread(1e-12, 0.3, 0.0, 1e-9, 1e-6, 0.1)
scales = epsilons.map(lambda e: 1.0 / e)
kinds = st.one_of(
    epsilons.map(lambda e: PureDP(e, **A)),
    st.builds(lambda e, d: ApproxDP(e, d, **A), epsilons, chances),
    st.builds(lambda e, d: ProbabilisticallyBoundedDP(e, d, **A), epsilons, chances),
    st.builds(lambda e, d: ZeroConcentratedDP(e * e / 8.0, delta=d, **A), epsilons, chances),
    epsilons.map(lambda e: GaussianDP(e, **A)),
    scales.map(lambda b: mechanisms.Laplace(b, 1.0, **A)),
    scales.map(lambda b: mechanisms.Geometric(b, 1, **A)),
    st.builds(lambda e, k: mechanisms.RandomizedResponse(e, k, **A), epsilons, st.integers(2, 5)),
)
sums = st.lists(st.tuples(kinds, st.sampled_from([1, 1, 2, 3, 7])), min_size=1, max_size=3)


def by_rules(parts, counts):
    """What each rule that combines these makes of them."""
    found = {}
    for rule in RULES:
        slack = SLACK if rule == "advanced" else None
        try:
            found[rule] = compose(parts, counts, rule=rule, slack=slack).guarantee
        except Meaningless:
            continue
    return found


def chances_of(parts, counts, drawn):
    """0, the delta of each part, those of the sum, and any other."""
    own = [part.delta(np.inf).value for part in parts]
    shown = float(-np.expm1(sum(n * np.log1p(-d) for d, n in zip(own, counts, strict=True))))
    total = float(sum(n * d for d, n in zip(own, counts, strict=True)))
    some = [0.0, *own, shown, np.nextafter(shown, 1.0), total, total + SLACK, drawn]
    return np.unique(np.clip(some, 0.0, 1.0))


@settings(deadline=None, derandomize=True, max_examples=60, phases=(Phase.explicit, Phase.generate))
@given(sums, spread(1e-12, 1.0))
def test_best_is_never_worse(uses, drawn):
    """Without any tolerance; its ends are in order, and delta of epsilon is at most as asked."""
    parts, counts = map(list, zip(*uses, strict=True))
    found = by_rules(parts, counts)
    best = found.pop("best")
    stated = [
        part.guarantee() if isinstance(part, mechanisms.Mechanism) else part for part in parts
    ]
    delta = np.append(chances_of(stated, counts, drawn), best.delta(np.inf).value)
    low, high = best.epsilon(delta).bracket
    assert np.all(low <= high)
    kept = np.isfinite(high)
    assert np.all(best.delta(np.where(kept, high, 0.0)).value[kept] <= delta[kept])
    ends = [rule.epsilon(0.0).value for rule in (best, *found.values())]
    epsilon = np.array([0.0, 0.7, 3.0, *(end for end in ends if np.isfinite(end))])
    least, most = best.delta(epsilon).bracket
    assert np.all(least <= most)
    for rule, other in found.items():
        assert np.all(high <= other.epsilon(delta).value), (rule, parts, counts)
        assert np.all(most <= other.delta(epsilon).value), (rule, parts, counts)
