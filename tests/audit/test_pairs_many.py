"""Tables with many outputs and pairs: floats rule out no pair that may be the worst."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk.audit import FiniteMechanism, NeighborRelation, audit, exact, pairs
from dprisk.audit.brackets import Audit

LIMITS = np.array([0.0, 0.02, 0.3, 1.5, 3.1, 6.0])
KINDS = ("adp", "pdp", "pdp-both", "pbdp", "pointwise", "disclosure")
TABLES = {
    "random": lambda rng: rng.dirichlet(np.full(30, 3.0), 12),
    "rare outputs": lambda rng: rng.dirichlet(np.full(30, 0.05), 12),
    "impossible outputs": lambda rng: rng.dirichlet(np.ones(30), 12) * (rng.random((12, 30)) > 0.2),
    "all alike but for a name": lambda rng: np.eye(12) + 0.1,
    "normal": lambda rng: np.exp(-((np.linspace(-6, 9, 40) - np.arange(9)[:, None] / 3) ** 2) / 2),
    "two kinds": lambda rng: np.where(rng.random((12, 30)) < 0.5, 1.0, 1.3),
}


@pytest.fixture(params=TABLES)
def labs(request, monkeypatch):
    """A table, audited pair by pair, and with pairs ruled out in blocks of a few."""
    table = FiniteMechanism(TABLES[request.param](np.random.default_rng(1)), normalize=True)
    monkeypatch.setattr(pairs, "BLOCK", 400)
    return table, Audit(table, NeighborRelation.all_pairs(table))


def ask(lab):
    """Everything that is decided among some pairs only."""
    for kind in KINDS:
        found = lab.delta(LIMITS, kind=kind)
        yield found.answer.bracket, found.worst
    for found in (lab.epsilon([0.0, 1e-12, 1e-4, 0.03]), lab.epsilon([1e-4, 0.1], kind="pbdp")):
        yield found.answer.bracket, found.worst
    yield lab.largest_loss().answer.bracket, lab.mu().answer.bracket
    yield lab.exact.corners(), lab.exact.moment(3).value


def test_no_worst_pair_is_ruled_out(labs, monkeypatch):
    table, lab = labs
    alone = [str(each) for each in ask(lab)]
    monkeypatch.setattr(pairs, "FEW", 0)
    assert [str(each) for each in ask(Audit(table, lab.relation))] == alone


def test_against_all_pairs(labs, monkeypatch):
    """Each quantity is the largest over all pairs, computed one after the other."""
    monkeypatch.setattr(pairs, "FEW", 0)
    table, lab = labs
    first, second = np.nonzero(~np.eye(table.size, dtype=bool))
    p, q = table.probabilities[first], table.probabilities[second]
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(p > 0, np.log(p / q), -np.inf)
        back = np.where(q > 0, np.log(q / p), -np.inf)
    for n, limit in enumerate(LIMITS):
        growth = math.exp(limit)
        for kind, truth in (
            ("adp", np.maximum(p - growth * q, 0).sum(axis=1).max()),
            ("pdp", (p * (loss > limit)).sum(axis=1).max()),
            ("pdp-both", (p * ((loss > limit) | (back > limit))).sum(axis=1).max()),
        ):
            low, high = (float(end[n]) for end in lab.delta(LIMITS, kind=kind).answer.bracket)
            assert low <= truth + 1e-13 and truth <= high + 1e-13
            assert high - low <= 1e-11


def test_power(labs):
    """The guarantee has the most power of any pair at each level, and no more than mixtures."""
    table, lab = labs
    kept = lab.guarantee(neighbors="replace-one")
    levels = np.array([0.0, 1e-4, 0.01, 0.1, 0.4, 0.8])
    power, level = pairs.sums(*(table.probabilities[each] for each in lab.relation.directed))
    best = np.max([np.interp(levels, x, y) for x, y in zip(level, power, strict=True)], axis=0)
    most = np.asarray(kept.power(levels).value)
    assert np.all(best <= most + 1e-14)
    slopes = np.linspace(0, 9, 40)
    lines = np.asarray(lab.delta(slopes).value)[:, None] + np.exp(slopes)[:, None] * levels
    assert np.all(most <= np.minimum(lines.min(axis=0), 1.0) + 1e-9)


def test_epsilon_inverts_delta(labs):
    """At the epsilon that was found the delta is enough, without tolerance; a little before not."""
    _, lab = labs
    for delta in (0.0, 1e-12, 1e-4, 0.03):
        low, high = lab.epsilon(delta).answer.bracket
        if math.isfinite(high):
            assert lab.delta(high).value <= delta
            assert high - low <= 1e-9
        if 1e-6 < low < math.inf:
            assert lab.delta(low - 1e-7).answer.bracket[0] >= delta


def test_what_floats_lose_is_not_ruled_out(monkeypatch):
    """A probability of 10^-400 is not zero: the loss is large, and finite."""
    monkeypatch.setattr(pairs, "FEW", 0)
    rows = [["1e-400", "1", "0"], ["0.5", "0.5", "0"], ["0.25", "0.75", "0"]]
    lab = audit(FiniteMechanism(rows, normalize=True))
    low, high = lab.largest_loss().answer.bracket
    truth = math.log(0.5) + 400 * math.log(10)
    assert low <= truth * (1 + 1e-14) and truth <= high * (1 + 1e-14) and high - low < 1e-11


def test_a_moment_of_what_floats_lose():
    """10^-1200 / 10^-1800: both probabilities are zero in floats."""
    rows = [["1e-400", "1"], ["1e-900", "1"], ["0.6", "0.4"], ["0.4", "0.6"]]
    lab = audit(FiniteMechanism(rows, normalize=True), neighbors=[("D1", "D2"), ("D3", "D4")])
    assert lab.exact.moment(3).witness.first == "D1"


def test_few_pairs_are_compared_in_whole_numbers(monkeypatch):
    """Bounds in floats leave a handful of a thousand for each question."""
    table = FiniteMechanism(np.random.default_rng(2).dirichlet(np.ones(400), 32))
    seen, pair_of = [], exact.pair_of
    monkeypatch.setattr(exact, "pair_of", lambda *rows: seen.append(rows) or pair_of(*rows))
    lab = audit(table)
    for kind in KINDS:
        lab.delta(0.7, kind=kind)
    assert 0 < len(seen) <= 10 * 2 * len(KINDS)


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
            some = [(i, j) for i in members for j in members if near[i, j]]
            beyond = np.any([np.abs(logs[i] - logs[j]) > limit for i, j in some], axis=0)
            worst = max(worst, table.probabilities[x][beyond].sum())
        assert Audit(table, relation).delta(limit, kind="disclosure").value == pytest.approx(
            worst, rel=1e-12
        )
