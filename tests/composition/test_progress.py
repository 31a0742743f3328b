"""Long work says how far it is: to whoever asked, in that thread, and to nobody else."""

from __future__ import annotations

import ast
from threading import Thread
from typing import Any

import pytest

from dprisk import PureDP, ZeroConcentratedDP
from dprisk.composition import compose
from dprisk.mechanisms import DiscreteGaussian, SubsampledLaplace
from dprisk.progress import Step, progress, report
from dprisk.text import has, language
from tests.house.tree import parsed

A: Any = {"neighbors": "add-remove"}


def told(work):
    """What is reported while a function runs."""
    steps: list[Step] = []
    with progress(steps.append):
        work()
    return steps


def test_promises_are_read_one_by_one():
    parts = [PureDP(0.1, **A), PureDP(0.2, **A), ZeroConcentratedDP(0.1, **A)]
    steps = [step for step in told(lambda: compose(parts, rule="best")) if step.total == 3]
    assert [step.done for step in steps if step.stage == "reading promises"][:3] == [1, 2, 3]


def test_finer_grids_are_reported():
    """Each grid that is made anew, and each block of nodes."""
    steps = told(
        lambda: compose(
            [SubsampledLaplace(2.0, 1.0, 0.1, **A).loss()], [10], accuracy=1e-6
        ).guarantee.epsilon(1e-3)
    )
    assert Step("refining grids", 1, 1) in steps
    parts = [DiscreteGaussian(1.0, 1, **A).loss(), DiscreteGaussian(2.25, 1, **A).loss()]
    steps = told(lambda: compose(parts, [300] * 2, accuracy=1e-6).guarantee.epsilon(1e-3))
    blocks = [step for step in steps if step.stage == "sampling"]
    assert blocks
    assert all(1 <= step.done <= step.total for step in blocks)


def test_an_answer_is_the_same_when_told():
    def asked():
        part = SubsampledLaplace(2.0, 1.0, 0.1, **A).loss()
        return compose([part], [10], accuracy=1e-6).guarantee.epsilon(1e-3).bracket

    alone, found = asked(), []
    steps = told(lambda: found.append(asked()))
    assert steps and found == [alone]


def test_only_this_thread_is_told():
    """And only inside the block."""

    def elsewhere():
        report("elsewhere", 1, 1)

    def work():
        thread = Thread(target=elsewhere)
        thread.start()
        thread.join()
        report("here", 1, 2)

    assert told(work) == [Step("here", 1, 2)]
    assert told(lambda: None) == []
    report("nobody", 1, 1)


def test_the_innermost_is_told():
    outer: list[Step] = []
    with progress(outer.append):
        assert told(lambda: report("inner", 1, 1)) == [Step("inner", 1, 1)]
        report("outer", 1, 1)
    assert outer == [Step("outer", 1, 1)]


def test_an_error_of_the_listener_ends_the_work():
    """So it can be stopped; afterwards nobody listens any more."""

    def stop(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), progress(stop):
        report("long", 1, 9)
    report("long", 2, 9)


def test_a_step_in_words():
    assert str(Step("sampling", 3, 8)) == "sampling: 3 of 8"


def stages():
    """Those that the code names where it tells how far it is."""
    for tree in parsed().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("report", "each"):
                name = node.args[0] if node.args else None
                if isinstance(name, ast.Constant):
                    yield name.value


def test_every_stage_has_words():
    named = set(stages())
    assert {"refining grids", "sampling"} < named
    assert [name for name in named if not has(f"progress.stage.{name.replace(' ', '-')}")] == []
    with language("de"):
        assert str(Step("refining grids", 1, 2)) == "Gitter werden verfeinert: 1 von 2"
    assert str(Step("anything else", 1, 2)) == "anything else: 1 of 2"
