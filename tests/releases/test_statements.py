"""Statements of TensorFlow Privacy and reports of PipelineDP, as releases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dprisk.errors import InvalidFile, Meaningless
from dprisk.guarantees import ApproxDP
from dprisk.mechanisms import CyclicBatches, Gaussian, Laplace, SubsampledGaussian
from dprisk.releases import read_from
from dprisk.releases.tools import read
from tests.releases.tools_samples import READINGS, TOOLS, put, run, together

ADD: Any = {"neighbors": "add-remove"}


def statement(noise="1.1", micro="without", users="no bound on number of examples per user"):
    return f"""\
DP-SGD performed over 60000 examples with 256 examples per iteration, noise
multiplier {noise} for 15 epochs {micro} microbatching, and {users}.

Example-level DP with add-or-remove-one adjacency at delta = 1e-05 computed with
RDP accounting:
    Epsilon with each example occurring once per epoch:        56.950
    Epsilon assuming Poisson sampling (*):                      9.141
"""


def test_which_line_holds_is_asked_for(tmp_path):
    path = put(tmp_path, "s.txt", statement())
    found = read(path)
    assert [each.name for each in found.missing if each.needed] == ["sampling"]
    assert [(each.epsilon, each.delta) for each in found.said] == [(56.95, 1e-5), (9.141, 1e-5)]
    ((step, count),) = run(read_from(path, sampling="poisson"))
    assert step == SubsampledGaussian(1.1, 1.0, 256 / 60000, **ADD) and count == 3516
    once = run(read_from(path, sampling="shuffled"))
    assert once == [(CyclicBatches(1.1, 1.0, 15, **ADD), 1)]
    assert run(read_from(path, sampling="once-per-epoch")) == once
    with pytest.raises(Meaningless, match="neighbors=add-remove"):
        read(path, sampling="poisson", neighbors="replace-one")


def test_microbatches_halve_the_noise(tmp_path):
    release = read_from(put(tmp_path, "s.txt", statement(micro="with")), sampling="poisson")
    assert run(release)[0][0].sigma == 0.55
    assert any("halves the noise" in note.text for note in release.notes)
    users = put(tmp_path, "u.txt", statement(micro="with", users="at most 3 examples per\nuser"))
    assert any("up to 3" in note.text for note in read_from(users, sampling="poisson").notes)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (statement("0.0"), "noise multiplier must be above 0"),
        (statement().replace("256", "70000"), "larger than the data"),
        (statement() * 2, "There are 2 statements"),
        (statement()[:90], "There are 0 statements"),
        (statement().replace("add-or-remove-one", "zero-out"), "does not know the adjacency"),
    ],
)
def test_bad_statements_are_named(text, match, tmp_path):
    with pytest.raises(InvalidFile, match=match):
        read(put(tmp_path, "s.txt", text), sampling="poisson")


REPORT = """\
DPEngine method: aggregate
Computation graph:
 1. Private Partition selection: using Truncated Geometric
            f"method with (epsilon=0.25, delta=delta=2.5e-07, )
 2. Computed DP count with
     Gaussian mechanism:  parameter=23.5  eps=0.25  delta=2.5e-07  l2_sensitivity=1.5
 3. Computed DP sum with
     Laplace mechanism:  parameter=8.0  eps=0.25  l1_sensitivity=2.0
"""


def test_a_report_is_read_with_its_noise(tmp_path):
    expected = [
        (Gaussian(23.5, 1.5, **ADD), 1),
        (Laplace(8.0, 2.0, **ADD), 1),
        (ApproxDP(0.25, 2.5e-7, **ADD), 1),
    ]
    assert run(read_from(put(tmp_path, "r.txt", REPORT), **ADD)) == expected
    twice = run(read_from(put(tmp_path, "rr.txt", REPORT * 2), **ADD))
    assert [count for _, count in twice] == [2, 2, 2]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (REPORT.split("Computation", maxsplit=1)[0], "no mechanism with its numbers"),
        (REPORT.replace("parameter=8.0", "parameter=None"), "Only 1 mechanisms"),
        (REPORT.replace("l1_", "l2_"), "Laplace noise for an L2"),
        (REPORT.replace("epsilon=0.25", "epsilon=None"), "partition selection cannot be read"),
        (REPORT.replace("parameter=23.5", "parameter=0"), "parameter must be above 0"),
    ],
)
def test_bad_reports_are_named(text, match, tmp_path):
    with pytest.raises(InvalidFile, match=match):
        read(put(tmp_path, "r.txt", text), **ADD)


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("tensorflow-privacy-statement.txt", {"sampling": "poisson"}),
        ("tensorflow-privacy-statement-users.txt", {"sampling": "poisson"}),
        ("pipeline-dp-report.txt", ADD),
    ],
)
def test_files_of_tools_are_inside_their_brackets(name, given):
    known = json.loads(READINGS.read_text("utf-8"))[name]
    release = read_from(TOOLS / "more" / name, **given)
    for delta, (low, high) in known["certified"].items():
        found = together(release).epsilon(float(delta)).value
        assert found >= low and found == pytest.approx(high, abs=1e-9)


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
@pytest.mark.parametrize(
    ("name", "delta", "known"),
    [
        ("tensorflow-privacy-statement.txt", 1e-5, 54.045819),
        ("tensorflow-privacy-statement-users.txt", 1e-6, 21.643759),
    ],
)
def test_the_other_line_of_a_statement(name, delta, known):
    release = read_from(TOOLS / "more" / name, sampling="shuffled")
    assert together(release).epsilon(delta).value == pytest.approx(known, abs=1e-6)
