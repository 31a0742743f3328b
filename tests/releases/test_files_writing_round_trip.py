"""What is written reads back the same, with every digit as it was given."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dprisk import read_release
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.guarantees import (
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.mechanisms.sample_release import SampleRelease
from dprisk.mechanisms.subsampled import SubsampledGaussian
from dprisk.releases import Part, Release, deployments, write_release
from dprisk.releases.model import json_schema
from dprisk.releases.notes import Note
from tests.releases.samples import HEAD

ADD: Any = {"neighbors": "add-remove"}
PARTS = (
    Part(PureDP(0.1, **ADD), given={"epsilon": "0.10"}),
    Part(ApproxDP(1.0, 1e-10, **ADD), 3, "tables", {"epsilon": "+1.", "delta": "1E-10"}),
    Part(ZeroConcentratedDP(0.5, xi=1.0, delta=1e-9, **ADD)),
    Part(GaussianDP(1.0, **ADD)),
    Part(RenyiDP([2.0, 4.0], [0.1, 0.2], **ADD)),
    Part(RenyiDP(2.0, 0.1, **ADD)),
    Part(ProbabilisticDP(1.0, 0.1, sides="one", **ADD)),
    Part(ProbabilisticallyBoundedDP(1.0, 0.1, **ADD)),
    Part(
        PureDP(0.5, **ADD),
        given={"kind": "laplace", "scale": "2.0", "sensitivity": "1"},
        mechanism=Laplace(2.0, 1.0, **ADD),
    ),
    Part.of(SubsampledGaussian(2.0, 1.0, 0.01, **ADD), 7, "steps"),
    Part.of(SampleRelease(10, 1000, **ADD)),
)
FULL = Release(
    name="Visits: a “quoted” name # not a comment",
    unit="User-week-level",
    period="week",
    neighbors="add-remove",
    neighbors_stated=False,
    model="local",
    parts=PARTS,
    stated_also=(Part(GaussianDP(0.25, **ADD)),),
    releases=52,
    curator="no",
    region="2020",
    date="2025-01-31",
    invariants=("population: all", "- dashes"),
    source=("https://example.org/a?b=c#d",),
    notes=(Note("disputed", "It says 1,\nor 2."), Note("assumed", "null")),
)


@pytest.mark.parametrize("ending", [".yaml", ".yml", ".json"])
def test_round_trip(ending, tmp_path):
    path = tmp_path / f"release{ending}"
    write_release(FULL, path)
    again = read_release(path)
    assert again == FULL
    assert [part.given for part in again.parts] == [part.given for part in FULL.parts]


def test_numbers_are_written_as_numbers_digit_by_digit(tmp_path):
    write_release(FULL, tmp_path / "a.yaml")
    text = (tmp_path / "a.yaml").read_text(encoding="utf-8")
    assert "epsilon: 0.10\n" in text
    assert "delta: 1E-10\n" in text
    write_release(FULL, tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert '"epsilon": 0.10' in text
    assert '"epsilon": "+1."' in text  # not a number in JSON
    jsonschema.validate(json.loads(text), json_schema())


def test_shipped_deployments_round_trip_where_a_file_can_hold_them(tmp_path):
    path = tmp_path / "release.yaml"
    written = 0
    for release in deployments():
        if release.parts and release.unit and release.period:
            write_release(release, path, force=True)
            assert read_release(path) == release
            written += 1
    assert written > 25


def test_text_from_toml_survives(tmp_path):
    (tmp_path / "a.toml").write_text(
        HEAD.replace(": ", " = '").replace("\n", "'\n").replace("'1'", "1")
        + "[[guarantees]]\nrho = 0.250\n"
    )
    release = read_release(tmp_path / "a.toml")
    write_release(release, tmp_path / "a.json")
    assert read_release(tmp_path / "a.json").parts[0].given == {"rho": "0.250"}


@pytest.mark.parametrize(
    ("change", "name"),
    [({"unit": None}, "unit"), ({"period": None}, "period"), ({"model": None}, "model"),
     ({"parts": ()}, "parts"),
     ({"parts": (Part(ApproxDPCurve([1, 2], [0.1, 0.01], **ADD)),)}, "guarantee")],
)  # fmt: skip
def test_what_a_file_cannot_hold_is_refused(change, name, tmp_path):
    path = tmp_path / "a.yaml"
    with pytest.raises(InvalidInput, match=f"^{name} must be"):
        write_release(replace(FULL, **change), path)
    assert not path.exists()


def test_places_that_cannot_be_written(tmp_path):
    for path in (tmp_path / "a.toml", tmp_path / "a", tmp_path / "absent" / "a.yaml"):
        with pytest.raises(InvalidFile) as caught:
            write_release(FULL, path)
        assert caught.value.fix


NUMBERS = st.decimals(0, 1000, allow_nan=False, allow_infinity=False).map(str)
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(
    epsilons=st.lists(NUMBERS, min_size=1, max_size=4),
    name=WORDS.map(str.strip).filter(bool),
    releases=st.integers(1, 10**9),
    ending=st.sampled_from([".yaml", ".json"]),
)
def test_any_release_round_trips(epsilons, name, releases, ending, tmp_path_factory):
    parts = tuple(Part(PureDP(float(e), **ADD), given={"epsilon": e}) for e in epsilons)
    release = replace(FULL, name=name, parts=parts, releases=releases)
    path = tmp_path_factory.mktemp("round") / f"release{ending}"
    write_release(release, path)
    assert read_release(path) == release


@pytest.mark.parametrize(
    "part",
    [
        Part(GaussianDP(1.0, **ADD), mechanism=Gaussian(1.0, 1.0, **ADD)),
        Part(PureDP(0.5, **ADD), given={"kind": "laplace", "scale": "2.0", "sensitivity": "1"}),
    ],
    ids=["without its parameters", "without the mechanism"],
)
def test_half_a_mechanism_cannot_be_written(part, tmp_path):
    """It would not be read back as the same."""
    with pytest.raises(InvalidInput, match="mechanism must be one of"):
        write_release(replace(FULL, parts=(part,)), tmp_path / "release.yaml")
