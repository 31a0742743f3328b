"""``--json`` is the assessment itself: by the schema, strict, and the same every time."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from dprisk import Adversary, assess, read_release
from dprisk.cli.show import as_json
from dprisk.composition.analysis import natural_secret
from dprisk.documents.assessing import json_schema
from dprisk.guarantees.convert import TARGETS
from dprisk.releases import deployments
from dprisk.releases.model import json_schema as release_schema
from tests.cli.running import ADD_REMOVE, HEAD, REGISTRY, Ran, run, survey, write

SCHEMA = Draft202012Validator(json_schema())

KINDS = {
    "pure": "{epsilon: 1}",
    "nothing": "{epsilon: 0}",
    "epsilon 800": "{epsilon: 800}",
    "approximate": "{epsilon: 1, delta: 1e-6}",
    "probabilistic": "{definition: probabilistic, epsilon: 1, delta: 1e-6}",
    "one-sided": "{definition: probabilistic, sides: one, epsilon: 1, delta: 1e-6}",
    "bounded": "{definition: bounded, epsilon: 1, delta: 1e-6}",
    "concentrated": "{rho: 19.776}",
    "mixed concentrated": "{rho: 0.1, xi: 0.01, delta: 1e-9}",
    "gaussian": "{mu: 1}",
    "renyi": "{alpha: 2, gamma: 1}",
    "renyi at several orders": "{alpha: [2, 4, 8], gamma: [0.1, 0.2, 0.4]}",
    "several times": "{epsilon: 0.1, count: 30, label: each day}",
}
TYPED = {
    "pure": ["--epsilon", "800"],
    "approximate": ["--epsilon", "1", "--delta", "1e-6"],
    "probabilistic": ["--epsilon", "1", "--delta", "1e-6", "--definition", "probabilistic"],
    "bounded": ["--epsilon", "1", "--delta", "1e-6", "--definition", "bounded"],
    "concentrated": ["--rho", "19.776"],
    "gaussian": ["--mu", "1"],
    "renyi": ["--alpha", "2", "--gamma", "1"],
}


def valid(done, code=0):
    """The data that a command printed, each assessment checked against the schema."""
    assert isinstance(done, Ran)
    assert (done.code, done.err) == (code, "")
    data = done.data
    for one in data if isinstance(data, list) else [data]:
        SCHEMA.validate(one)
    return data


def test_both_schemas_are_schemas():
    """As printed, and they are the shipped ones."""
    assert run("schema", "assessment").data == json_schema()
    assert run("schema", "release").data == release_schema()
    for schema in (json_schema(), release_schema()):
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_each_kind_of_guarantee_in_a_file(kind, neighbors, tmp_path):
    """Valid, strict, equal to `Assessment.to_dict`, and byte for byte the same again."""
    path = survey(tmp_path, KINDS[kind], head=HEAD.replace("add-remove", neighbors))
    done = run("assess", path, "--json")
    data = valid(done)
    release = read_release(path)
    assert data == assess(release).to_dict()
    assert run("assess", path, "--json").out == done.out
    assert data["assessable"] is True


@pytest.mark.parametrize("kind", TYPED)
def test_each_kind_of_guarantee_typed_in(kind):
    """The definition is the one meant, and the text is kept as typed."""
    data = valid(run("assess", *TYPED[kind], *ADD_REMOVE, "--json"))
    (statement,) = data["statements"]
    assert statement["definition"] == kind
    given = statement["parts"][0]["given"]
    assert list(given.values()) == [text for text in TYPED[kind][1::2] if text != kind]


@pytest.mark.parametrize("kind", TYPED)
def test_every_assessment_has_the_same_keys(kind):
    """Neither the kind of guarantee nor the question adds or drops a key, at any depth."""
    plain = run("assess", "--epsilon", "1", *ADD_REMOVE, "--json").data
    other = run("assess", *TYPED[kind], *ADD_REMOVE, "--json", "--prior", "0").data
    assert list(other) == list(plain)
    ours, theirs = plain["statements"][0], other["statements"][0]
    assert list(theirs) == list(ours)
    for key in ("composition", "loss"):
        assert list(theirs[key]) == list(ours[key])
    for key in ("parts", "findings"):
        assert {tuple(item) for item in theirs[key]} == {tuple(ours[key][0])}


def test_limits_and_several_statements(tmp_path):
    """Limits, a second statement, notes and invariants are in the schema too."""
    text = HEAD + (
        "guarantees: [{rho: 0.5}]\nstated_also: [{epsilon: 5, delta: 1e-9}]\n"
        "invariants: [totals]\nsource: [https://example.org]\nnotes: [{kind: warning, text: Ah.}]\n"
    )
    path = write(tmp_path, "both.yaml", text)
    data = valid(run("assess", path, "--json", "--limit", "odds=2", "--limit", "ratio=99"), 3)
    assert [statement["definition"] for statement in data["statements"]] == [
        "concentrated",
        "approximate",
    ]
    assert [limit["kept"] for limit in data["limits"]] == [False, True]


def test_numbers_beyond_a_float_are_null():
    """At epsilon 800 the odds have no number; beliefs still have one."""
    data = valid(run("assess", "--epsilon", "800", *ADD_REMOVE, "--json", "--prior", "0.5"))
    found = {(item["metric"], item["prior"]): item for item in data["statements"][0]["findings"]}
    assert found["odds", None]["upper"] is None
    assert found["posterior", 0.5]["upper"] <= 1.0


def test_one_object_or_a_list(tmp_path):
    """One release is an object; several are a list, in the order asked for."""
    first, second = survey(tmp_path, name="a.yaml"), survey(tmp_path, name="b.yaml")
    assert isinstance(valid(run("assess", first, "--json")), dict)
    assert len(valid(run("assess", second, first, "--json"))) == 2


def test_text_that_a_terminal_would_obey():
    """JSON prints neither control characters nor halves of letters, and reads back the same."""
    unit = "\x1b[31m \x9b1m \u202e \ud800 é"
    data = run("assess", "--epsilon", "1", *ADD_REMOVE, "--unit", unit, "--json")
    assert data.data["unit"] == unit
    plain = run("assess", "--epsilon", "1", *ADD_REMOVE, "--unit", unit)
    drawn = run("assess", "--epsilon", "1", *ADD_REMOVE, "--unit", unit, terminal=True)
    for done in (data, plain, drawn):
        assert not {"\x9b", "\u202e", "\ud800"} & set(done.out)
        assert "\x1b[31m" not in done.out


def test_no_number_that_json_lacks():
    """Better no output than NaN in it."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"value": float("nan")})


def test_shipped_deployments():
    """All of them, valid, each with an answer or a reason."""
    data = valid(run("deployments", "--json"))
    published = deployments()
    assert len(data) == len(published) == len({one["name"] for one in data})
    for one, release in zip(data, published, strict=True):
        adversary = Adversary(secret=natural_secret(release), priors=(0.5,))
        assert one == assess(release, adversary).to_dict()
        assert bool(one["statements"]) == one["assessable"] != bool(one["reason"])


@pytest.mark.skipif(not REGISTRY.is_dir(), reason="no copy of the deployments registry here")
def test_registry_records_as_they_are():
    """Every record of the registry, unchanged: exit code 0, and an answer or a reason for each."""
    paths = sorted(REGISTRY.glob("*.yaml"))
    data = valid(run("assess", *paths, "--json"))
    assert len(data) == len(paths) == 41
    for one in data:
        assert bool(one["statements"]) == one["assessable"] != bool(one["reason"])
    assert sum(one["assessable"] for one in data) >= 30
    for path, one in zip(paths, data, strict=True):
        release = read_release(path)
        assert one == assess(release).to_dict()
        assert valid(run("assess", path, "--json")) == one


def test_convert_without_a_target_lists_all():
    """The best way to each definition, with what an own request gives; or the reason."""
    given = ("--rho", "0.5", *ADD_REMOVE)
    found = {one["definition"]: one for one in run("convert", *given, "--json").data}
    assert list(found) == list(TARGETS)
    assert [name for name, one in found.items() if "reason" not in one] == [
        "tradeoff",
        "concentrated",
    ]
    at = ("--at-delta", "1e-6", "--at-alpha", "3")
    found = {one["definition"]: one for one in run("convert", *given, *at, "--json").data}
    for name in ("approximate", "probabilistic", "bounded", "renyi"):
        point = at[2:] if name == "renyi" else at[:2]
        assert [found[name]] == run("convert", *given, "--to", name, *point, "--json").data
    assert "implies no pure guarantee" in found["pure"]["reason"]
    text = run("convert", *given)
    assert text.code == 0 and "- renyi: Add --at-alpha, such as --at-alpha 2." in text.out


def test_convert_is_strict_json():
    """Conversions too, and to a curve."""
    for args in (
        ["--rho", "2.63", "--to", "approximate", "--delta", "1e-10", "--all", *ADD_REMOVE],
        ["--epsilon", "1", *ADD_REMOVE, "--to", "tradeoff"],
        ["--epsilon", "1", *ADD_REMOVE, "--to", "renyi", "--at-alpha", "2"],
        ["--epsilon", "800", *ADD_REMOVE, "--to", "gaussian"],
        ["--mu", "1", *ADD_REMOVE, "--to-neighbors", "replace-one"],
    ):
        done = run("convert", *args, "--json")
        assert (done.code, done.err) == (0, "")
        for one in done.data if isinstance(done.data, list) else [done.data]:
            assert {"definition", "parameters", "neighbors"} <= set(one)


def test_convert_keeps_the_delta_of_a_promise():
    """Whether or not an order is asked for."""
    given = ("convert", "--rho", "1", "--delta", "1e-6", *ADD_REMOVE, "--json")
    for more in ((), ("--at-alpha", "2")):
        found = {one["definition"]: one for one in run(*given, *more).data}
        assert found["concentrated"]["parameters"] == {"rho": 1.0, "delta": 1e-6}


def test_convert_reads_sides_where_they_count():
    given = ("convert", "--epsilon", "1", *ADD_REMOVE, "--at-delta", "1e-6", "--json")
    both, one = (run(*given, "--sides", sides).data for sides in ("both", "one"))
    changed = [a["definition"] for a, b in zip(both, one, strict=True) if a != b]
    assert changed == ["probabilistic"]


def test_an_error_names_its_option():
    done = run("budget", "--limit", "odds=3", "--prior", "0.1", *ADD_REMOVE, "--json")
    assert json.loads(done.err)["parameter"] == "--prior"
