"""From nothing to the first answer: each measurement is a fresh process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from math import isclose
from pathlib import Path

from bench.timing import Case, Fresh, Goal, Skipped, by_turns, compared

POSTERIOR = """
from dprisk import ApproxDP, disclosure
guarantee = ApproxDP(1, 1e-6, neighbors="add-remove")
print(disclosure(guarantee, confidence=0.99).posterior(0.5).upper.value)
"""
ADVANTAGE = """
from dprisk import ApproxDP
print(ApproxDP(1, 1e-6, neighbors="add-remove").delta(0.0).value)
"""
RISKCAL = """
from riskcal.analysis import get_advantage_from_adp
print(get_advantage_from_adp(1.0, 1e-6))
"""
GAUSSIAN = """
from dprisk import GaussianDP
print(GaussianDP(1.0, neighbors="add-remove").epsilon(1e-6).value)
"""
DP_ACCOUNTING = """
from dp_accounting import get_epsilon_gaussian
print(get_epsilon_gaussian(1.0, 1e-6))
"""
COMPOSED = """
from dprisk.composition import compose
from dprisk.mechanisms import Laplace
loss = Laplace(10.0, 1.0, neighbors="add-remove").loss()
print(compose([loss], [1000]).guarantee.epsilon(1e-10).value)
"""
THEIR_COMPOSED = """
from dp_accounting.pld.privacy_loss_distribution import from_laplace_mechanism
print(from_laplace_mechanism(10.0).self_compose(1000).get_epsilon_for_delta(1e-10))
"""
OPTIONS = "--epsilon 1 --delta 1e-6 --neighbors add-remove --prior 0.5 --confidence 0.99"


def startup(fresh: Fresh, others: str, repetitions: int) -> Iterator[Case | Skipped]:
    """Every comparison of start-up times; `others` is the interpreter with the other libraries."""
    pair = partial(_pair, fresh, repetitions)
    ours = [sys.executable, "-c"]
    yield pair(
        "import", ("import dprisk", "import numpy"),
        [*ours, "import dprisk"], [*ours, "import numpy"], ("at most", 1.3),
    )  # fmt: skip
    yield from _against(fresh, others, pair)
    yield _command(pair)


def _against(fresh: Fresh, others: str, pair: partial[Case]) -> Iterator[Case | Skipped]:
    questions: list[tuple[str, str, str, str, Goal, float | None, bool]] = [
        ("first posterior", POSTERIOR, "riskcal", RISKCAL, "at least", 8.0, False),
        ("first advantage", ADVANTAGE, "riskcal", RISKCAL, "at least", 8.0, True),
        ("first Gaussian epsilon", GAUSSIAN, "dp_accounting", DP_ACCOUNTING, "", None, True),
        (
            "first composed epsilon",
            COMPOSED,
            "dp_accounting",
            THEIR_COMPOSED,
            "at least",
            5.0,
            False,
        ),
    ]
    for name, our_code, library, their_code, goal, bar, alike in questions:
        if not fresh.has(others, library):
            yield Skipped(name, f"{library} not installed: skipped (make bench installs it)")
            continue
        mine, yours = [sys.executable, "-c", our_code], [others, "-c", their_code]
        same = not alike or isclose(
            float(fresh.output(mine)), float(fresh.output(yours)), rel_tol=1e-9
        )
        yield pair(name, ("dprisk", library), mine, yours, (goal, bar), same=same)


def _command(pair: partial[Case]) -> Case | Skipped:
    script = Path(sys.executable).with_name("dprisk")
    if not script.exists():
        return Skipped("dprisk assess", "the command is not installed beside the interpreter")
    bare = [sys.executable, str(Path(__file__).with_name("bare.py"))]
    return pair(
        "dprisk assess", ("dprisk assess", "typer + rich, one row"),
        [str(script), "assess", *OPTIONS.split()], bare, ("at most", 1.5),
    )  # fmt: skip


def _pair(
    fresh: Fresh,
    repetitions: int,
    name: str,
    sides: tuple[str, str],
    ours: list[str],
    theirs: list[str],
    goal: tuple[Goal, float | None],
    *,
    same: bool = True,
) -> Case:
    pairs = by_turns(lambda: fresh.seconds(ours), lambda: fresh.seconds(theirs), repetitions)
    return compared(name, sides, pairs, *goal, same=same)
