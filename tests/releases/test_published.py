"""The shipped table agrees with the registry that it was made from, and marks what is doubtful."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import resources

import pytest

from dprisk import read_release
from dprisk.guarantees import ApproxDP, GaussianDP, ZeroConcentratedDP
from dprisk.releases import comparable, deployments
from tests.releases.samples import REGISTRY, kinds, texts

BY_NAME = {release.name: release for release in deployments()}
TABLE = resources.files("dprisk.releases").joinpath("data", "deployments.yaml").read_text("utf-8")
RECORDS = sorted(REGISTRY.glob("*.yaml"))


def named(start):
    """The one deployment whose name begins so."""
    (found,) = [release for name, release in BY_NAME.items() if name.startswith(start)]
    return found


def test_all_that_carry_numbers():
    assert len(deployments()) == len(BY_NAME) == 35
    assert [release.name for release in deployments() if not release.is_assessable] == ["FLEX"]
    assert deployments() is deployments()


@pytest.mark.parametrize("release", deployments(), ids=lambda release: release.name)
def test_every_deployment_is_complete(release):
    assert release.curator
    assert re.fullmatch(r"20\d\d(-\d\d){0,2}", release.date)
    assert all(re.fullmatch(r"https?://\S+", address) for address in release.source)
    assert release.source
    assert "null" not in (release.unit, release.period, release.region)
    assert release.neighbors_stated or {"assumed", "disputed"} & kinds(release)
    assert release.period or "what time" in texts(release, "missing")
    assert release.unit or "whose data" in texts(release, "missing")
    assert (release.model == "local") is ("Local model" in texts(release, "warning"))
    assert all(note.text.endswith(".") and note.text.isprintable() for note in release.notes)


def test_rows_are_in_order():
    keys = [(release.curator, release.name) for release in deployments()]
    curators = list(dict.fromkeys(curator for curator, _ in keys))
    assert curators == sorted(curators, key=str.lower)


@pytest.mark.parametrize(
    ("start", "kind", "says"),
    [
        ("Iconic scenes", "disputed", "Registered as pure DP, but with a δ"),
        ("Lookup Hints", "disputed", "4 for each donation"),
        ("Energy Differential", "disputed", "(6.8, 4.08e-8)"),
        ("FLEX", "unusable", "formula"),
        ("Disclosure Avoidance System for Demographic", "disputed", "12.66, not 15.29"),
        ("COVID-19 Exposure", "disputed", "local ε"),
        ("Vaccine Search", "disputed", "user-day"),
        ("Wikipedia Russian", "disputed", "0.9"),
        ("COVID-19 Search", "disputed", "0.021"),
        ("User-URL", "warning", "states two promises"),
        ("CTDC", "warning", "perpetrators"),
        ("Telemetry", "warning", "not of a year"),
    ],
)
def test_the_doubtful_are_marked(start, kind, says):
    assert says in texts(named(start), kind)


@pytest.mark.parametrize(
    ("calculated", "stated"),
    [
        (4.96 + 7.70, 12.66),
        (15.29 - 12.66, 2.56 + 0.07),
        (2 * (4 + 0.99), 9.98),
        (0.0023 + 0.0047 + 0.014, 0.042 / 2),
        (0.1 + 0.2 + 4.0 + 2 * 1.25, 6.8),
        (ZeroConcentratedDP(0.0728, neighbors="add-remove").epsilon(1e-5).value, 1.607),
        (GaussianDP(0.376, neighbors="add-remove").epsilon(1e-5).value, 1.452),
    ],
)
def test_what_the_remarks_calculate(calculated, stated):
    assert calculated == pytest.approx(stated, abs=6e-4)


def test_separate_guarantees():
    release = named("User-URL")
    assert release.parts[0].guarantee == ZeroConcentratedDP(0.0728, neighbors="add-remove")
    assert release.stated_also[0].guarantee == ApproxDP(1.453, 1e-5, neighbors="add-remove")


def test_source_and_licence_are_named():
    head = TABLE[:600]
    assert "opendp/deployments-registry-data" in head
    assert "July 2026" in head
    assert "MIT" in head


def test_like_stands_with_like():
    groups = comparable(deployments())
    assert sum(len(group.releases) for group in groups) == 35
    assert sorted(map(len, (g.releases for g in groups)), reverse=True) == [
        len(group.releases) for group in groups
    ]
    for group in groups:
        for release in group.releases:
            assert (release.normalized_unit, release.period, release.model) == (
                group.unit, group.period, group.model,
            )  # fmt: skip
        if None in (group.unit, group.period, group.model) or group.model == "varies":
            assert len(group.releases) == 1


def test_unknown_is_like_nothing():
    known = named("Broadband")
    unknown = replace(known, period=None)
    assert [len(group.releases) for group in comparable([known, known])] == [2]
    assert [len(group.releases) for group in comparable([unknown, unknown])] == [1, 1]
    assert comparable([]) == ()


@pytest.mark.skipif(not RECORDS, reason=f"no copy of the registry at {REGISTRY}")
def test_the_table_agrees_with_the_registry():
    registry = {release.name: release for release in map(read_release, RECORDS)}
    with_numbers = {name for name, release in registry.items() if release.parts or name == "FLEX"}
    assert set(BY_NAME) == with_numbers
    for name, ours in BY_NAME.items():
        theirs = registry[name]
        for field in (
            "unit", "period", "model", "region", "curator", "neighbors", "neighbors_stated",
            "parts", "stated_also",
        ):  # fmt: skip
            assert getattr(ours, field) == getattr(theirs, field), (name, field)
        assert theirs.date.startswith(ours.date), name
        assert set(ours.source) <= {a.partition("#")[0] for a in theirs.source} | set(theirs.source)


@pytest.mark.skipif(not RECORDS, reason=f"no copy of the registry at {REGISTRY}")
def test_the_remarks_are_our_own():
    prose = " ".join(path.read_text(encoding="utf-8") for path in RECORDS)
    theirs = " ".join(re.findall(r"\w+", prose.lower()))
    for release in deployments():
        for text in (*(note.text for note in release.notes), *release.invariants):
            words = re.findall(r"\w+", text.lower())
            for start in range(len(words) - 6):
                assert " ".join(words[start : start + 7]) not in theirs, text
