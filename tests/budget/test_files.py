"""Profiles as files: read, written, and refused with a place and a remedy."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest
import yaml

from dprisk.budget import (
    AllOf,
    AnyOf,
    CounterfactualLimit,
    DifferenceLimit,
    OddsLimit,
    PosteriorLimit,
    PowerLimit,
    RatioFunction,
    RatioLimit,
    RatioTable,
    ratio_or_posterior,
    read_profile,
    write_profile,
)
from dprisk.budget.files import profile_schema
from dprisk.errors import InvalidFile, InvalidInput

PROFILES = [
    RatioLimit(3.0),
    RatioLimit(np.inf, 0.05, (0.1, 0.5)),
    PosteriorLimit(0.1, (0.0, 0.05)),
    OddsLimit(2.0, value_prior=1.0),
    DifferenceLimit(1e-10),
    PowerLimit(0.2, level=0.05),
    CounterfactualLimit(1.5),
    RatioTable([(0.1, 0.5, 3.0), (0.1, 1.0, np.inf)], "harmonic"),
    ratio_or_posterior(3.0, 0.25, value_prior=1.0),
    AllOf([AnyOf([RatioLimit(3.0), OddsLimit(4.0)]), DifferenceLimit(0.3)]),
]


@pytest.mark.parametrize("suffix", ["yaml", "yml", "json"])
@pytest.mark.parametrize("profile", PROFILES)
def test_there_and_back(profile, suffix, tmp_path):
    path = tmp_path / f"profile.{suffix}"
    write_profile(profile, path, "Town survey")
    assert read_profile(path) == profile
    load = json.loads if suffix == "json" else yaml.safe_load
    jsonschema.validate(load(path.read_text()), profile_schema())


def test_as_typed_by_hand(tmp_path):
    path = tmp_path / "profile.yaml"
    path.write_text(
        "dprisk: 1\nprofile:\n  all_of:\n"
        "    - {posterior: 1e-2, membership_prior: [0, .005]}\n"
        "    - table: [[.1, 1, 3], [.2, 1, inf]]\n"
    )
    assert read_profile(path) == AllOf(
        [PosteriorLimit(0.01, (0.0, 0.005)), RatioTable([(0.1, 1.0, 3.0), (0.2, 1.0, np.inf)])]
    )
    path = tmp_path / "profile.toml"
    path.write_text("dprisk = 1\n[profile]\nratio = 3\nvalue_prior = 1\n")
    assert read_profile(path) == RatioLimit(3.0, value_prior=1.0)


BAD = [
    ("", "empty", None),
    ("- 1\n", "keys and values", None),
    ("a: 1\n---\nb: 2\n", "2 documents", None),
    ("profile: {ratio: 3}\n", "dprisk is missing", "dprisk"),
    ("dprisk: 2\nprofile: {ratio: 3}\n", "reads only 1", "dprisk"),
    ("dprisk: 1\n", "profile is missing", "profile"),
    ("dprisk: 1\nprofile: 3\n", "keys and values", "profile"),
    ("dprisk: 1\nprofile: {}\n", "must have one of ratio", "profile"),
    ("dprisk: 1\nprofile: {ratio: 3, odds: 2}\n", "got ratio and odds", "profile"),
    ("dprisk: 1\nprofile: {ratoi: 3}\n", "no key 'ratoi'", "profile.ratoi"),
    ("dprisk: 1\nprofile: {ratio: three}\n", "must be a number", "profile.ratio"),
    ("dprisk: 1\nprofile: {ratio: nan}\n", "must be a number", "profile.ratio"),
    ("dprisk: 1\nprofile: {ratio: 3, level: .1}\n", "level has no meaning", "profile"),
    ("dprisk: 1\nprofile: {power: .3}\n", "level is missing", "profile"),
    ("dprisk: 1\nprofile: {posterior: 25}\n", "posterior must be", "profile"),
    ("dprisk: 1\nprofile: {ratio: 3, value_prior: [1]}\n", "one prior", "profile.value_prior"),
    ("dprisk: 1\nprofile: {ratio: 3, value_prior: [.5, .1]}\n", "value_prior must", "profile"),
    ("dprisk: 1\nprofile: {table: [[.1, .2]]}\n", "row of the table is too short", None),
    ("dprisk: 1\nprofile: {table: [[.1, .2, 3, 4]]}\n", "row of the table is too long", None),
    ("dprisk: 1\nprofile: {table: [[.1, .2, 3], [.2, .3, 4]]}\n", "a whole grid", "profile"),
    ("dprisk: 1\nprofile: {any_of: []}\n", "at least one profile", "profile"),
    ("dprisk: 1\nprofile: {any_of: 3}\n", "must be a list", "profile.any_of"),
    ("dprisk: 1\nprofile: {any_of: [{ratio: 3}, {}]}\n", "one of ratio", "profile.any_of[1]"),
    ("dprisk: 1\nprofile: {ratio: 3, between: odd}\n", "between must be", "profile.between"),
]


@pytest.mark.parametrize(("text", "problem", "where"), BAD)
def test_bad_files_say_what_is_wrong_where_and_what_to_do(text, problem, where, tmp_path):
    path = tmp_path / "profile.yaml"
    path.write_text(text)
    with pytest.raises(InvalidFile) as caught:
        read_profile(path)
    error = caught.value
    assert problem in error.problem
    assert error.fix
    assert where is None or error.where == where
    assert "\n" not in str(error)


def test_a_function_cannot_be_written(tmp_path):
    with pytest.raises(InvalidInput, match="RatioTable"):
        AllOf([RatioFunction(lambda p, q: 3.0)]).to_tree()
    with pytest.raises(InvalidFile, match="YAML or JSON"):
        write_profile(RatioLimit(3.0), tmp_path / "profile.txt")
    with pytest.raises(InvalidFile, match="There is no folder"):
        write_profile(RatioLimit(3.0), tmp_path / "none" / "profile.json")


def test_the_schema_refuses_what_the_reader_refuses():
    check = jsonschema.Draft202012Validator(profile_schema())
    assert check.is_valid({"dprisk": 1, "profile": {"ratio": 3}})
    assert not check.is_valid({"dprisk": 1, "profile": {"ratio": 3, "odds": 2}})
    assert not check.is_valid({"dprisk": 1, "profile": {"ratoi": 3}})
    json.dumps(profile_schema())
