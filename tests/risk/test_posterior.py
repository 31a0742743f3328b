"""Posterior, ratio and difference against values computed with hundreds of digits."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import PureDP, disclosure, row_bounds
from tests.oracles.reading import column, errors, grouped, read

METRICS = {
    "posterior": lambda d, p: d.posterior(p),
    "ratio": lambda d, p: d.ratio(p),
    "ratio_not": lambda d, p: d.ratio_not(p),
    "difference": lambda d, p: d.difference(p),
    "worst_difference": lambda d, p: d.difference(d.worst_prior("difference").upper.value),
}
COLUMNS = ("posterior_lower", "posterior_upper", "ratio_upper", "difference_upper")


@pytest.mark.parametrize("metric", METRICS)
def test_both_ends_agree(metric):
    """At every prior, including certainties, for losses from 0 to 800 (pure DP, with certainty)."""
    wrong = []
    for (e, name), rows in grouped("posterior", ("loss", "metric")).items():
        if name != metric:
            continue
        moved = disclosure(PureDP(float(e), neighbors="add-remove"))
        p = column(rows, "prior")
        found = METRICS[metric](moved, p)
        for end in ("lower", "upper"):
            ours = np.broadcast_to(getattr(found, end).value, p.shape)
            if metric == "worst_difference" and end == "lower":
                continue  # the worst prior for the upper end
            for i in np.flatnonzero(~(errors(ours, rows, end) <= 1)):
                wrong.append(f"loss {e}, prior {p[i]!r}: {end} {ours[i]!r}, not {rows[i][end]}")
    assert not wrong, "\n".join(wrong[:20])


def test_the_difference_over_every_prior_is_the_one_at_the_worst_prior():
    """tanh(epsilon / 4), P0 Lemma 3.4."""
    for (e, name), rows in grouped("posterior", ("loss", "metric")).items():
        if name == "worst_difference":
            most = disclosure(PureDP(float(e), neighbors="add-remove")).difference().upper.value
            assert np.all(errors(most, rows, "upper") <= 1)


@pytest.mark.parametrize("name", COLUMNS)
def test_rows_agree(name):
    """The bulk function on (prior, epsilon, delta, failure), epsilon up to 700."""
    rows = read("rows")
    inputs = [column(rows, key) for key in ("prior", "epsilon", "delta", "failure")]
    ours = getattr(row_bounds(*inputs), name)
    wrong = [
        f"{[float(x[i]) for x in inputs]}: {ours[i]!r}, not {rows[i][name]}"
        for i in np.flatnonzero(~(errors(ours, rows, name) <= 1))
    ]
    assert not wrong, f"{len(wrong)} of {len(rows)}\n" + "\n".join(wrong[:20])
