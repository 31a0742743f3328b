"""Our format: what it takes, what it refuses, and how it says so."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml

from dprisk import read_release
from dprisk.errors import InvalidFile, OutOfRange
from dprisk.guarantees import (
    ApproxDP,
    GaussianDP,
    LaplaceDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.mechanisms.base import kinds
from dprisk.releases.forms import FORMS
from dprisk.releases.model import ReleaseFile, json_schema
from dprisk.releases.notes import Note
from tests.releases.samples import HEAD, SHORTEST

ADD: Any = {"neighbors": "add-remove"}
SCHEMA = jsonschema.Draft202012Validator(json_schema())


@pytest.fixture
def read(tmp_path):
    """Read a release from text."""

    def read_text(text, name="release.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_release(path)

    return read_text


GUARANTEES = [
    ("epsilon: 0.10", PureDP(0.1, **ADD), {"epsilon": "0.10"}),
    ("epsilon: 1, delta: 1e-10", ApproxDP(1, 1e-10, **ADD), {"epsilon": "1", "delta": "1e-10"}),
    ("epsilon: 1, delta: '1e-10'", ApproxDP(1, 1e-10, **ADD), None),
    ("epsilon: 1, delta: 1E-10", ApproxDP(1, 1e-10, **ADD), {"epsilon": "1", "delta": "1E-10"}),
    ("epsilon: +.5", PureDP(0.5, **ADD), {"epsilon": "+.5"}),
    ("epsilon: 0", PureDP(0, **ADD), None),
    ("rho: 0.5", ZeroConcentratedDP(0.5, **ADD), {"rho": "0.5"}),
    ("rho: 1, xi: 2, delta: 1e-9", ZeroConcentratedDP(1, xi=2, delta=1e-9, **ADD), None),
    ("mu: 1.50", GaussianDP(1.5, **ADD), {"mu": "1.50"}),
    ("alpha: 2, gamma: 0.3", RenyiDP(2, 0.3, **ADD), {"alpha": "2", "gamma": "0.3"}),
    (
        "alpha: [2, 4.0], gamma: [0.3, .60]",
        RenyiDP([2, 4], [0.3, 0.6], **ADD),
        {"alpha": "2, 4.0", "gamma": "0.3, .60"},
    ),
    ("definition: laplace, mu: 0.5", LaplaceDP(0.5, **ADD), {"mu": "0.5"}),
    ("definition: probabilistic, epsilon: 1, delta: 0.1", ProbabilisticDP(1, 0.1, **ADD), None),
    (
        "definition: probabilistic, epsilon: 1, delta: 0.1, sides: one",
        ProbabilisticDP(1, 0.1, sides="one", **ADD),
        {"epsilon": "1", "delta": "0.1", "sides": "one"},
    ),
    (
        "definition: bounded, epsilon: 1, delta: 0.1",
        ProbabilisticallyBoundedDP(1, 0.1, **ADD),
        None,
    ),
]


@pytest.mark.parametrize(("entry", "guarantee", "given"), GUARANTEES)
def test_guarantees(entry, guarantee, given, read):
    text = f"{HEAD}guarantees: [{{{entry}, count: 3, label: tables, attributes: [age]}}]\n"
    (part,) = read(text).parts
    assert part.guarantee == guarantee
    assert (part.count, part.label, part.attributes) == (3, "tables", ("age",))
    assert given is None or part.given == given
    SCHEMA.validate(yaml.safe_load(text))


MECHANISMS = [
    ("kind: laplace, scale: 2.0, sensitivity: 1", PureDP(0.5, **ADD)),
    ("kind: geometric, scale: 2.0, sensitivity: 1", PureDP(0.5, **ADD)),
    ("kind: gaussian, sigma: 2.0, sensitivity: 1", GaussianDP(0.5, **ADD)),
    ("kind: discrete-gaussian, sigma: 2, sensitivity: 1", ZeroConcentratedDP(0.125, **ADD)),
    ("kind: randomized-response, epsilon: 1.0", PureDP(1.0, **ADD)),
    ("kind: randomized-response, epsilon: 1.0, categories: 4", PureDP(1.0, **ADD)),
    ("kind: sample-release, sample: 10, population: 1000", ApproxDP(0.0, 0.01, **ADD)),
    (
        "kind: truncated-laplace, scale: 1, sensitivity: 2, bound: 1",
        ApproxDP(0.0, 1.0, **ADD),
    ),
    ("kind: subsampled-gaussian, sigma: 2.0, sensitivity: 1, rate: 1", GaussianDP(0.5, **ADD)),
    ("kind: subsampled-laplace, scale: 2.0, sensitivity: 1, rate: 1", PureDP(0.5, **ADD)),
    (
        "kind: subsampled-gaussian-range, sigma: 2.0, sensitivity: 1, rate: 1, least_rate: 1",
        GaussianDP(0.5, **ADD),
    ),
    ("kind: exponential, epsilon: 0.5", PureDP(0.5, **ADD)),
    (
        "kind: above-threshold, threshold_scale: 2, answer_scale: 4, sensitivity: 1, positives: 2",
        PureDP(1.5, **ADD),
    ),
    ("kind: matrix-gaussian, sigma: 2, sensitivity: 1, strategy: 3", GaussianDP(1.5, **ADD)),
    (
        "kind: gaussian-mixture, sigma: 2, sensitivities: 1, probabilities: 1",
        GaussianDP(0.5, **ADD),
    ),
    ("kind: cyclic-batches, sigma: 2, sensitivity: 1, epochs: 4", GaussianDP(1.0, **ADD)),
    ("kind: staircase, epsilon: 0.5, sensitivity: 2", PureDP(0.5, **ADD)),
    ("kind: tree-aggregation, sigma: 8, sensitivity: 1, leaves: 500", GaussianDP(0.375, **ADD)),
]


CURVES = {
    "fixed-batches",
    "random-allocation",
    "shuffled-response",
    "subsampled-discrete-gaussian",
    "subsampled-geometric",
    "truncated-poisson",
}
"""Kinds whose promise is a curve, or comes from one: their own tests look at it."""


@pytest.mark.parametrize(("entry", "guarantee"), MECHANISMS)
def test_mechanisms(entry, guarantee, read):
    text = f"{HEAD}mechanisms: [{{{entry}, count: 2, label: a}}]\n"
    (part,) = read(text).parts
    assert part.guarantee == guarantee
    assert part.count == 2
    assert part.given == dict(pair.split(": ") for pair in entry.split(", "))
    SCHEMA.validate(yaml.safe_load(text))


@pytest.mark.parametrize(("entry", "guarantee"), MECHANISMS)
def test_what_was_run_is_kept(entry, guarantee, read):
    """Its own loss enters composition; the promise is there to be shown."""
    (part,) = read(f"{HEAD}mechanisms: [{{{entry}}}]\n").parts
    given = dict(pair.split(": ") for pair in entry.split(", "))
    assert type(part.mechanism) is kinds()[given.pop("kind")]
    for name, text in given.items():
        assert getattr(part.mechanism, name) in (float(text), (float(text),))
    assert part.mechanism.neighbors == "add-remove"
    assert part.guarantee == part.mechanism.guarantee()


@pytest.mark.parametrize("kind", ["subsampled-gaussian", "subsampled-laplace"])
def test_neighbors_must_suit_the_mechanism(kind, read):
    size = "sigma" if "gaussian" in kind else "scale"
    head = HEAD.replace("add-remove", "replace-one")
    with pytest.raises(InvalidFile) as caught:
        read(f"{head}mechanisms: [{{kind: {kind}, {size}: 1, sensitivity: 1, rate: 0.1}}]\n")
    assert caught.value.where == "mechanisms[0].neighbors"
    assert "must be 'add-remove', got 'replace-one'" in str(caught.value)
    assert f"{kind} is about other neighbors" in caught.value.fix


def test_every_form_and_kind_is_tried():
    assert {type(guarantee) for _, guarantee, _ in GUARANTEES} == {form.make for form in FORMS}
    tried = {entry.split(",")[0].removeprefix("kind: ") for entry, _ in MECHANISMS}
    assert tried | CURVES == set(kinds())


FULL = """
releases: 12
curator: Town
date: 2025-01-31
region: here
stated_also: [{epsilon: 1, delta: 1e-6}]
invariants: [population]
source: https://example.org
neighbors_stated: false
notes: [{kind: assumed, text: Neighbors are assumed.}]
mechanisms: [{kind: laplace, scale: 1, sensitivity: 1}]
separate_parts: true
"""


def test_every_key(read):
    release = read(SHORTEST + FULL)
    assert release.releases == 12
    assert (release.curator, release.date, release.region) == ("Town", "2025-01-31", "here")
    assert [len(release.parts), len(release.stated_also)] == [2, 1]
    assert release.invariants == ("population",)
    assert release.source == ("https://example.org",)
    assert not release.neighbors_stated
    assert release.notes == (Note("assumed", "Neighbors are assumed."),)


RUN = "mechanisms: [{kind: laplace, scale: 1, sensitivity: 1}]\n"


@pytest.mark.parametrize("more", ["", "separate_parts: false\n"])
def test_one_run_is_never_counted_twice_in_silence(more, read):
    """A promise beside a mechanism may be another part, or the same one: that is asked."""
    with pytest.raises(InvalidFile, match="or one part stated twice") as caught:
        read(f"{HEAD}guarantees: [{{epsilon: 1}}]\n{RUN}{more}")
    assert "`separate_parts: true`" in caught.value.fix
    assert "`stated_also`" in caught.value.fix
    apart = read(f"{HEAD}guarantees: [{{epsilon: 1}}]\n{RUN}separate_parts: true\n")
    assert len(apart.parts) == 2
    again = read(f"{HEAD}{RUN}stated_also: [{{epsilon: 1}}]\n")
    assert (len(again.parts), len(again.stated_also)) == (1, 1)


def test_separate_parts_are_for_two_lists(read):
    with pytest.raises(InvalidFile, match="both guarantees and mechanisms"):
        read(f"{HEAD}{RUN}separate_parts: true\n")


def test_plain_words_stay_words(read):
    release = read(SHORTEST.replace("Town survey", "no").replace("once", "2020"))
    assert (release.name, release.period) == ("no", "2020")


def test_formats_agree(read):
    tree = {
        "dprisk": 1, "name": "Town survey", "unit": "person", "period": "once",
        "neighbors": "add-remove", "model": "central",
    }  # fmt: skip
    as_json = json.dumps(tree)[:-1] + ', "guarantees": [{"epsilon": 0.10, "delta": 1e-10}]}'
    as_toml = "\n".join(f"{key} = {json.dumps(value)}" for key, value in tree.items())
    as_toml += "\n[[guarantees]]\nepsilon = 0.10\ndelta = 1e-10\n"
    as_yaml = f"{HEAD}guarantees: [{{epsilon: 0.10, delta: 1e-10}}]\n"
    found = {read(as_json, "a.json"), read(as_toml, "a.toml"), read(as_yaml, "a.yaml")}
    assert len(found) == 1
    assert found.pop().parts[0].given == {"epsilon": "0.10", "delta": "1e-10"}


BAD = [
    ("guarantees: [{epsilon: 1, rho: 2}]", "guarantees[0]", "epsilon and rho are separate"),
    ("guarantees: [{epsilon: 1, delta: 0, mu: 2}]", "guarantees[0]", "`stated_also`"),
    ("guarantees: [{rho: 1, alpha: 2, gamma: 1}]", "guarantees[0]", "list them apart"),
    ("guarantees: [{epsilon: -1}]", "guarantees[0].epsilon", "must be a number in [0, inf]"),
    ("guarantees: [{epsilon: 1}, {rho: -1}]", "guarantees[1].rho", "must be a number in"),
    ("guarantees: [{epsilon: 1, delta: 1.5}]", "guarantees[0].delta", "[0, 1]"),
    ("guarantees: [{epsilon: true}]", "guarantees[0].epsilon", "must be a number, got 'true'"),
    ("guarantees: [{epsilon: .nan}]", "guarantees[0].epsilon", "must be a number"),
    ("guarantees: [{epsilon: NaN}]", "guarantees[0].epsilon", "must be a number"),
    ("guarantees: [{epsilon: inf}]", "guarantees[0].epsilon", "finite"),
    ("guarantees: [{epsilon: 1e999}]", "guarantees[0].epsilon", "finite"),
    ("guarantees: [{epsilon: '1,5'}]", "guarantees[0].epsilon", "must be a number"),
    ("guarantees: [{epsilon: 1_000}]", "guarantees[0].epsilon", "must be a number"),
    ("guarantees: [{epsilon: ٣}]", "guarantees[0].epsilon", "must be a number"),
    ("guarantees: [{epsilon: [1]}]", "guarantees[0].epsilon", "must be a number"),
    ("guarantees: [{epsilon: 1, delta: 1/n}]", "guarantees[0].delta", "Formulas are not supported"),
    ("guarantees: [{epsilon: 1, delta: 'n^{-1}'}]", "guarantees[0].delta", "'n^{-1}'"),
    ("guarantees: [{epsilon: null}]", "guarantees[0]", "got nothing"),
    ("guarantees: [{delta: 0.1}]", "guarantees[0]", "one of {epsilon}"),
    ("guarantees: [{alpha: 2}]", "guarantees[0]", "{alpha, gamma}"),
    ("guarantees: [{alpha: [2, 3], gamma: [1]}]", "guarantees[0].alpha and gamma", "two lists"),
    ("guarantees: [{alpha: [], gamma: []}]", "guarantees[0].alpha", "must be a number"),
    ("guarantees: [{definition: bounded, epsilon: 1}]", "guarantees[0]", "definition: bounded"),
    ("guarantees: [{definition: bound}]", "guarantees[0].definition", "'bounded'"),
    ("guarantees: [{epsilon: 1, sides: one}]", "guarantees[0]", "one of {epsilon}"),
    ("guarantees: [{epsilon: 1, count: 0}]", "guarantees[0].count", "at least 1"),
    ("guarantees: [{epsilon: 1, count: 5000000000}]", "guarantees[0].count", "at most 10^9"),
    ("guarantees: [{epsilon: 1, count: 1.5}]", "guarantees[0].count", "whole number"),
    ("guarantees: [{epsilon: 1, label: [a]}]", "guarantees[0].label", "must be text"),
    ("guarantees: [{epsilon: 1, attributes: ['']}]", "guarantees[0].attributes[0]", "not be empty"),
    ("guarantees: [{epsilon: 1, attributes: age}]", "guarantees[0].attributes", "must be"),
    ("guarantees: [{epsilom: 1}]", "guarantees[0].epsilom", "Did you mean 'epsilon'?"),
    ("guarantees: [{zzz: 1}]", "guarantees[0].zzz", "Known keys: definition, epsilon"),
    ("guarentees: [{epsilon: 1}]", "guarentees", "Did you mean 'guarantees'?"),
    ("guarantees: []", None, "neither a guarantee nor a mechanism"),
    ("guarantees: {epsilon: 1}", "guarantees", "must be a list"),
    ("guarantees: [1]", "guarantees[0]", "keys and values"),
    ("mechanisms: [{kind: laplce}]", "mechanisms[0]", "Did you mean 'laplace'?"),
    ("mechanisms: [{kind: magic}]", "mechanisms[0]", "one of above-threshold"),
    ("mechanisms: [{scale: 1}]", "mechanisms[0].kind", "kind is missing"),
    ("mechanisms: [{kind: laplace, scale: 1}]", "mechanisms[0]", "sensitivity is missing"),
    ("mechanisms: [{kind: laplace, skale: 1}]", "mechanisms[0]", "Did you mean 'scale'?"),
    ("mechanisms: [{kind: laplace, sigma: 1}]", "mechanisms[0]", "takes scale, sensitivity"),
    (
        "mechanisms: [{kind: laplace, scale: 0, sensitivity: 1}]",
        "mechanisms[0].scale",
        "must be a number in (0, inf)",
    ),
    (
        "mechanisms: [{kind: geometric, scale: 1, sensitivity: 1.5}]",
        "mechanisms[0].sensitivity",
        "use laplace",
    ),
    (
        "mechanisms: [{kind: laplace, scale: 1, sensitivity: 1, count: 0}]",
        "mechanisms[0].count",
        "1",
    ),
    (
        "mechanisms: [{kind: sample-release, sample: 2, population: 1}]",
        "mechanisms[0].sample",
        "part of the population",
    ),
    (
        "mechanisms: [{kind: laplace, scale: x, sensitivity: 1}]",
        "mechanisms[0]",
        "must be a number",
    ),
    ("stated_also: [{rho: -1}]\nguarantees: [{rho: 1}]", "stated_also[0].rho", "[0, 1e+09]"),
    ("notes: [{kind: hint, text: a}]\nguarantees: [{rho: 1}]", "notes[0].kind", "'disputed'"),
    ("notes: [{kind: warning, txt: a}]\nguarantees: [{rho: 1}]", "notes[0].txt", "'text'?"),
    ("invariants: {a: b}\nguarantees: [{rho: 1}]", "invariants", "must be a list"),
    ("releases: many\nguarantees: [{rho: 1}]", "releases", "whole number"),
    ("curator: ''\nguarantees: [{rho: 1}]", "curator", "must not be empty"),
]


@pytest.mark.parametrize(("text", "where", "says"), BAD, ids=[case[0][:60] for case in BAD])
def test_bad_entries(text, where, says, read):
    with pytest.raises(InvalidFile) as caught:
        read(f"{HEAD}{text}\n")
    assert caught.value.where == where
    assert says in str(caught.value)
    assert caught.value.fix


@pytest.mark.parametrize("key", ["name", "unit", "period", "neighbors", "model"])
def test_required_keys(key, read):
    lines = [line for line in SHORTEST.splitlines() if not line.startswith(key)]
    with pytest.raises(InvalidFile, match=f"{key} is missing") as caught:
        read("\n".join(lines))
    assert f"`{key}: " in caught.value.fix
    with pytest.raises(InvalidFile) as caught:
        read("\n".join([*lines, f"{key}:"]))
    assert caught.value.where == key
    assert "got nothing" in str(caught.value)


@pytest.mark.parametrize("version", ["2", "1.0", "one", "true", "", "{}"])
def test_other_versions_are_refused(version, read):
    with pytest.raises(InvalidFile, match="reads only 1"):
        read(SHORTEST.replace("dprisk: 1", f"dprisk: {version}"))


def test_true_is_not_a_number_in_any_format(read):
    for text, name in [
        ('{"dprisk": true, "name": "a"}', "a.json"),
        ("dprisk = true\nname = 'a'", "a.toml"),
    ]:
        with pytest.raises(InvalidFile, match="reads only 1"):
            read(text, name)


def test_model_takes_python_numbers_too():
    tree = yaml.safe_load(HEAD) | {"guarantees": [{"epsilon": 0.1, "delta": 1e-10}]}
    part = ReleaseFile.model_validate(tree).to_release().parts[0]
    assert part.given == {"epsilon": "0.1", "delta": "1e-10"}
    tree["guarantees"] = [{"epsilon": -1}]
    with pytest.raises(OutOfRange, match=r"^guarantees\[0\].epsilon must be"):
        ReleaseFile.model_validate(tree).to_release()


def test_schema_is_a_schema_and_refuses_what_the_reader_refuses():
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert SCHEMA.is_valid(yaml.safe_load(SHORTEST + FULL.replace("2025-01-31", "'2025-01-31'")))
    for text in (
        "guarantees: [{epsilon: 1, rho: 2}]",
        "guarantees: [{epsilom: 1}]",
        "guarantees: [{epsilon: true}]",
        "guarantees: []",
        "mechanisms: [{kind: laplace, scale: 1}]",
        "mechanisms: [{kind: laplace, scale: 1, sensitivity: 1, extra: 2}]",
        "mechanisms: [{kind: magic}]",
        "",
        f"guarantees: [{{epsilon: 1}}]\n{RUN}",
        f"guarantees: [{{epsilon: 1}}]\n{RUN}separate_parts: false",
    ):
        assert not SCHEMA.is_valid(yaml.safe_load(HEAD + text)), text
