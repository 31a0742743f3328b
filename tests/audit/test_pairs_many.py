"""Tables with many outputs and pairs, in many blocks: nothing is lost on the way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk.audit import ExactAudit, FiniteMechanism, NeighborRelation, audit
from dprisk.audit import pairwise as scanning
from dprisk.audit.float_audit import Audit
from dprisk.progress import progress

LIMITS = np.array([0.0, 0.02, 0.3, 0.8, 1.5, 2.2, 3.1, 6.0])


def normal(size, outputs):
    x, y = np.arange(size)[:, None] / 3.0, np.linspace(-6, 20, outputs)[None, :]
    return np.exp(-((y - x) ** 2) / 2)


TABLES = {
    "random": lambda rng: rng.dirichlet(np.full(150, 3.0), 30),
    "rare outputs": lambda rng: rng.dirichlet(np.full(150, 0.05), 30),
    "impossible outputs": lambda rng: (
        rng.dirichlet(np.ones(150), 30) * (rng.random((30, 150)) > 0.2)
    ),
    "all alike but for a name": lambda rng: np.eye(70) + 0.1,
    "normal": lambda rng: normal(30, 200),
    "two kinds": lambda rng: np.where(rng.random((40, 128)) < 0.5, 1.0, 1.3),
}


@pytest.fixture(params=TABLES)
def table(request, monkeypatch):
    """A table, audited in blocks of a few pairs."""
    monkeypatch.setattr(scanning, "BLOCK", 2000)
    return FiniteMechanism(TABLES[request.param](np.random.default_rng(1)), normalize=True)


def ordered(table):
    """P and Q of all ordered pairs."""
    rows = table.probabilities
    first, second = np.nonzero(~np.eye(len(rows), dtype=bool))
    return rows[first], rows[second]


def test_against_all_pairs(table):
    """Each quantity is the largest over all pairs, computed one after the other."""
    survey = Audit(table, NeighborRelation.all_pairs(table)).survey(LIMITS)
    p, q = ordered(table)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(p > 0, np.log(p / q), -np.inf)
        back = np.where(q > 0, np.log(q / p), -np.inf)
    for n, limit in enumerate(LIMITS):
        delta = np.maximum(p - math.exp(limit) * q, 0).sum(axis=1).max()
        one = (p * (loss > limit)).sum(axis=1).max()
        both = (p * ((loss > limit) | (back > limit))).sum(axis=1).max()
        for found, truth in (
            (survey["adp"], delta),
            (survey["pdp"], one),
            (survey["pdp-both"], both),
        ):
            low, high = (float(end[n]) for end in found.answer.bracket)
            assert low <= truth + 1e-13 and truth <= high + 1e-13
            assert high - low <= 1e-11


def test_merged_tails(table):
    """pbdp: the ray leaves the most powerful pair's curve there."""
    limits = LIMITS[1:6]
    found = Audit(table, NeighborRelation.all_pairs(table)).delta(limits, kind="pbdp")
    p, q = ordered(table)
    order = np.argsort(-(p / (p + q + 1e-300)), axis=1)
    x, y = (np.take_along_axis(each, order, axis=1).cumsum(axis=1) for each in (q, p))
    for n, limit in enumerate(limits):
        best = 0.0
        for level, power in zip(x, y, strict=True):
            ahead = power - math.exp(limit) * level
            inside = np.flatnonzero(ahead > 0)
            if not inside.size:
                continue
            k = inside[-1]
            rest = 0.0
            if k + 1 < len(power):
                rest = (power[k + 1] - power[k]) * ahead[k] / (ahead[k] - ahead[k + 1])
            best = max(best, power[k] + rest)
        assert best == pytest.approx(float(found.value[n]), abs=1e-11)


def test_power(table):
    """The guarantee has the most power of any pair at each level, and no more than mixtures."""
    lab = Audit(table, NeighborRelation.all_pairs(table))
    kept = lab.guarantee(neighbors="replace-one")
    levels = np.array([0.0, 1e-4, 0.01, 0.1, 0.4, 0.8])
    p, q = ordered(table)
    order = np.argsort(-(p / (p + q + 1e-300)), axis=1)
    x, y = (np.take_along_axis(each, order, axis=1).cumsum(axis=1) for each in (q, p))
    best = np.max(
        [np.interp(levels, np.r_[0, a], np.r_[0, b]) for a, b in zip(x, y, strict=True)], axis=0
    )
    most = np.asarray(kept.power(levels).value)
    assert np.all(best <= most + 1e-14)
    slopes = np.linspace(0, 9, 400)
    lines = np.asarray(lab.delta(slopes).value)[:, None] + np.exp(slopes)[:, None] * levels
    dual = np.minimum(lines.min(axis=0), 1.0)
    assert np.all(most <= dual + 1e-9)


def test_epsilon_inverts_delta(table):
    """At the epsilon that was found the delta is enough, without tolerance; a little before not."""
    lab = Audit(table, NeighborRelation.all_pairs(table))
    for delta in (0.0, 1e-12, 1e-4, 0.03):
        low, high = lab.epsilon(delta).answer.bracket
        if math.isfinite(high):
            assert lab.delta(high).value <= delta
            assert high - low <= 1e-9
        if 1e-6 < low < math.inf:
            assert lab.delta(low - 1e-7).answer.bracket[0] >= delta


def test_progress_and_threads():
    """Told block by block, up to the end; the same numbers by one thread."""
    rng = np.random.default_rng(3)
    rows = rng.dirichlet(np.ones(400), 60)
    told = []
    lab = audit(rows)
    with progress(told.append):
        many = lab.survey(LIMITS)
    assert told[0] == ("pairs of datasets", 0, 1770)
    assert told[-1] == ("pairs of datasets", 1770, 1770) and len(told) > 4
    one = pytest.MonkeyPatch()
    with one.context() as patch:
        patch.setattr(scanning, "WORKERS", 1)
        alone = audit(rows).survey(LIMITS)
    for a, b in ((many["pbdp"], alone["pbdp"]), (many["pdp-both"], alone["pdp-both"])):
        assert a.value.tolist() == b.value.tolist()
    assert many["adp"].value == pytest.approx(alone["adp"].value, rel=1e-12)


def test_neighbors_in_a_cube():
    """Disclosure sets of records in a cube, against the definition."""
    rng = np.random.default_rng(4)
    names = [f"{n:04b}" for n in range(16)]
    table = FiniteMechanism(rng.dirichlet(np.full(6, 2.0), 16), datasets=names)
    relation = NeighborRelation.hamming(table)
    logs, near = np.log(table.probabilities), relation.adjacency
    for limit in (0.3, 1.0, 2.0):
        worst = 0.0
        for x in range(16):
            members = [n for n in range(16) if n == x or near[x, n]]
            pairs = [(i, j) for i in members for j in members if near[i, j]]
            beyond = np.any([np.abs(logs[i] - logs[j]) > limit for i, j in pairs], axis=0)
            worst = max(worst, table.probabilities[x][beyond].sum())
        assert Audit(table, relation).delta(limit, kind="disclosure").value == pytest.approx(
            worst, rel=1e-12
        )


def test_fractions_of_fifty_by_fifty():
    """Exact arithmetic on a table of floats agrees with floating point."""
    rng = np.random.default_rng(6)
    lab = audit(rng.dirichlet(np.ones(20), 20))
    exact = ExactAudit(lab.mechanism, lab.relation)
    for growth in (1, 2, 5):
        limit = math.log(growth)
        for ours, theirs in (
            (exact.delta(growth), lab.delta(limit)),
            (exact.delta(growth, kind="pdp"), lab.delta(limit, kind="pdp")),
            (exact.delta(growth, kind="pbdp"), lab.delta(limit, kind="pbdp")),
            (exact.delta(growth, kind="disclosure"), lab.delta(limit, kind="disclosure")),
        ):
            assert float(ours) == pytest.approx(float(theirs), rel=1e-12)
