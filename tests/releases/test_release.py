"""A release is a frozen value that refuses what makes no sense."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest

import dprisk.releases
from dprisk.accountant import PrivacyLoss
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.guarantees import ApproxDP, ProbabilisticDP, PureDP, RenyiDP
from dprisk.mechanisms import Laplace
from dprisk.mechanisms.pairs import PairOfDistributions
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note

PART = Part(PureDP(0.5, neighbors="add-remove"))
RELEASE = Release(
    name="Visits",
    unit="User-week-level",
    period="week",
    neighbors="add-remove",
    neighbors_stated=True,
    model="central",
    parts=(PART,),
)


def test_defaults():
    assert RELEASE.releases == 1
    assert RELEASE.stated_also == RELEASE.notes == RELEASE.source == RELEASE.invariants == ()
    assert RELEASE.curator is RELEASE.region is RELEASE.date is None
    assert RELEASE.is_assessable
    assert not replace(RELEASE, parts=()).is_assessable
    assert RELEASE.normalized_unit == "user-week"
    assert replace(RELEASE, unit=None).normalized_unit is None


def test_lists_become_tuples():
    notes = [Note("missing", "a")]
    release = replace(RELEASE, parts=[PART], notes=notes)
    notes.append(Note("missing", "b"))
    assert release.parts == (PART,)
    assert len(release.notes) == 1


def test_values_are_frozen_and_can_be_copied():
    for value in (RELEASE, PART, Note("assumed", "x")):
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(FrozenInstanceError):
        RELEASE.name = "other"


@pytest.mark.parametrize(
    ("guarantee", "given"),
    [
        (ApproxDP(1.0, 1e-10, neighbors="add-remove"), {"epsilon": "1.0", "delta": "1e-10"}),
        (RenyiDP([2, 4], [0.1, 0.2], neighbors="add-remove"), None),
        (ProbabilisticDP(1, 0.1, sides="one", neighbors="add-remove"), None),
    ],
)
def test_parameters_are_written_out_where_nobody_wrote_them(guarantee, given):
    expected = (
        given
        or {
            RenyiDP: {"alpha": "2.0, 4.0", "gamma": "0.1, 0.2"},
            ProbabilisticDP: {"epsilon": "1.0", "delta": "0.1", "sides": "one"},
        }[type(guarantee)]
    )
    assert Part(guarantee).given == expected


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"name": "  "}, "name"),
        ({"name": None}, "name"),
        ({"neighbors": "bounded"}, "neighbors"),
        ({"model": "federal"}, "model"),
        ({"releases": 0}, "releases"),
        ({"releases": 1.5}, "releases"),
        ({"releases": True}, "releases"),
        ({"source": "https://example.org"}, "source"),
        ({"neighbors": "replace-one"}, "the neighbors of parts[0]"),
        ({"stated_also": (Part(PureDP(1, neighbors="replace-one")),)}, "the neighbors of stated"),
    ],
)
def test_bad_values_are_refused_by_name(change, name):
    with pytest.raises(InvalidInput) as caught:
        replace(RELEASE, **change)
    assert str(caught.value).startswith(name)


def test_bad_parts_and_notes_are_refused():
    with pytest.raises(OutOfRange, match="count"):
        Part(PART.guarantee, count=0)
    with pytest.raises(InvalidInput, match="guarantee"):
        Part(1.0)
    with pytest.raises(InvalidInput, match="kind must be one of"):
        Note("rumour", "x")
    with pytest.raises(InvalidInput, match="text"):
        Note("warning", "")


def test_a_mechanism_brings_its_own_loss():
    """The promise is for readers; what is composed is what was run."""
    noise = Laplace(2.0, 1.0, neighbors="add-remove")
    part = Part.of(noise, 3, "counts")
    assert part == Part(
        PureDP(0.5, neighbors="add-remove"),
        3,
        "counts",
        {"kind": "laplace", "scale": "2.0", "sensitivity": "1.0"},
        noise,
    )
    assert isinstance(part.for_composition(), PrivacyLoss)
    assert part.for_composition(accuracy=1e-6).accuracy == 1e-6
    assert PART.for_composition() is PART.guarantee


def test_mechanisms_that_no_file_knows_are_parts_too():
    pair = PairOfDistributions([0.5, 0.5], [0.25, 0.75], neighbors="add-remove")
    part = Part.of(pair)
    assert "kind" not in part.given
    assert part.mechanism == pair


def test_mechanisms_that_do_not_fit_are_refused():
    with pytest.raises(InvalidInput, match="mechanism must be a mechanism"):
        Part(PART.guarantee, mechanism="laplace")
    with pytest.raises(InvalidInput, match="mechanism must be a mechanism"):
        Part.of(PART.guarantee)
    with pytest.raises(InvalidInput, match="the neighbors of the mechanism"):
        Part(PART.guarantee, mechanism=Laplace(1.0, 1.0, neighbors="replace-one"))


def test_public_names_resolve_and_no_others():
    for name in dprisk.releases.__all__:
        assert getattr(dprisk.releases, name) is getattr(dprisk.releases, name)
        assert name in dir(dprisk.releases)
    with pytest.raises(AttributeError, match="no attribute 'releese'"):
        dprisk.releases.releese  # noqa: B018


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("import dprisk.releases.release", set()),
        ("from dprisk.releases import Part, Release", set()),
        ("from dprisk.releases import deployments; deployments()", {"yaml"}),
        ("from dprisk.releases.registry import release_from_registry", set()),
        ("from dprisk.releases.model import json_schema", {"pydantic"}),
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(statement, loaded):
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert {"pydantic", "yaml"} & set(run.stdout.split()) == loaded
