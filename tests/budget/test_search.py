"""How searches ask: few compositions, good starts, and nothing loaded for a guess."""

import subprocess
import sys
from typing import Any

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP
from dprisk.accountant import PrivacyLoss
from dprisk.budget import InformedLimit, Together, calibrate, largest_budget, most_releases
from dprisk.budget import search as plan
from dprisk.budget.search import mu_squared
from dprisk.composition import compose
from dprisk.mechanisms import Gaussian, Laplace

HERE: dict[str, Any] = {"neighbors": "add-remove"}
LIMIT = InformedLimit("posterior", 0.9999, prior=0.1, confidence=0.99)
LAPLACE = Laplace(2.0, 1.0, **HERE).loss()


@pytest.fixture
def composed(monkeypatch):
    """What was composed, each time that anything was."""
    seen, compose = [], plan.compose

    def counted(parts, counts=None, **given):
        seen.append((tuple(parts), tuple(counts)))
        return compose(parts, counts, **given)

    monkeypatch.setattr(plan, "compose", counted)
    plan._spent_alone.cache_clear()
    return seen


@pytest.mark.parametrize(("definition", "most"), [("gaussian", 8), ("concentrated", 8)])
def test_budgets_beside_what_was_spent_take_few_compositions(composed, definition, most):
    """A dozen and more where the search began far away and went on below the bracket's width."""
    found = largest_budget(LIMIT, definition, releases=Together(spent=((LAPLACE, 3),)))
    assert found.status == "limited"
    assert len(composed) <= most
    assert len(set(composed)) == len(composed)
    assert composed.count(((LAPLACE,), (3,))) == 1


@pytest.fixture
def in_full(monkeypatch):
    """How often anything was measured by the best that is known of several parts."""
    seen, measured = [], InformedLimit.measured

    def counted(limit, guarantee):
        if isinstance(guarantee, PrivacyLoss) and guarantee.coarse is not guarantee:
            seen.append(guarantee)
        return measured(limit, guarantee)

    monkeypatch.setattr(InformedLimit, "measured", counted)
    return seen


SPENT = tuple((PureDP(0.01 + 0.0011 * k, **HERE), 1) for k in range(19))


def test_a_search_begins_on_the_cheap(in_full):
    """In full only where that is needed: near the limit, at both ends of the answer."""
    found = calibrate(LIMIT, "laplace", **HERE, releases=Together(spent=SPENT))
    kept, broken = found.value.value, float(found.value.bracket[0])
    assert 0.0 < 1.0 - broken / kept < 1e-6
    assert 0 < len(in_full) <= 4
    noise = Laplace(broken, 1.0, **HERE).loss()
    whole = compose([*(part for part, _ in SPENT), noise]).guarantee
    assert found.measured.bracket[1] <= LIMIT.limit < LIMIT.measured(whole).bracket[0]


def test_counts_beside_what_was_spent_take_few_compositions(composed):
    """The last that keeps the limit, the first that does not, and two on the way."""
    how = Together(spent=((LAPLACE, 3),))
    found = most_releases(LIMIT, PureDP(0.05, **HERE), releases=how)
    assert found.number > 1000
    assert len(composed) <= 6
    assert len(set(composed)) == len(composed)


@pytest.mark.parametrize(
    ("part", "count", "mu"),
    [
        (GaussianDP(0.3, **HERE), 7, 0.3),
        (Gaussian(2.0, 1.0, **HERE).loss(), 4, 0.5),
        (PureDP(1e-3, **HERE), 5, 1e-3),
        (Laplace(500.0, 1.0, **HERE).loss(), 5, 2e-3),
    ],
)
def test_squares_of_mu_add_up(part, count, mu):
    """Those of normal noise exactly; of small losses, in the limit of many."""
    rel = 1e-9 if "Gaussian" in repr(part) else 2e-3
    assert mu_squared([(part, count)]) == pytest.approx(count * mu * mu, rel=rel)


def test_what_reveals_all_has_no_mu():
    """Where nothing is hidden, the coefficient is 0."""
    assert mu_squared([(ApproxDP(0.0, 1.0, **HERE), 1)]) == float("inf")


def test_a_guess_loads_no_special_functions():
    """Plans for pure DP, and zCDP budgets after zCDP, need none beyond the start."""
    code = (
        "import sys\n"
        "from dprisk import PureDP, ZeroConcentratedDP\n"
        "from dprisk.budget import InformedLimit, Together, largest_budget, most_releases\n"
        "limit = InformedLimit('posterior', 0.99, prior=0.1, confidence=0.99)\n"
        "assert most_releases(limit, PureDP(0.1, neighbors='add-remove')).number > 1\n"
        "spent = ((ZeroConcentratedDP(0.1, neighbors='add-remove'), 1),)\n"
        "found = largest_budget(limit, 'concentrated', releases=Together(spent=spent))\n"
        "assert found.status == 'limited'\n"
        "print('scipy.special' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False", ran.stderr
