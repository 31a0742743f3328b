"""Records of the public registry become releases: nothing is guessed, everything odd is said."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dprisk import read_release
from dprisk.errors import InvalidFile
from dprisk.guarantees import (
    ApproxDP,
    GaussianDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.releases import Release
from dprisk.releases.registry import release_from_registry
from tests.releases.samples import DATA, REGISTRY, kinds, texts

ADD: Any = {"neighbors": "add-remove"}
SAMPLES = sorted(DATA.glob("*.yaml"))
RECORDS = sorted(REGISTRY.glob("*.yaml"))
needs_registry = pytest.mark.skipif(not RECORDS, reason=f"no copy of the registry at {REGISTRY}")


def sample(name):
    return read_release(DATA / f"{name}.yaml")


def record(**sections):
    """A record with a name and the sections given."""
    return {"url_slug": "slug", "deployment": {"basic": {"name": "Name"}, **sections}}


def imported(parameters=None, variant=None, **loss):
    """A record of the central model, imported."""
    return release_from_registry(
        record(
            dp_variant={"variant_name": variant},
            privacy_loss={"privacy_unit": "User-level", "privacy_parameters": parameters, **loss},
            deployment_model={"model_name": "Central", "release_type": "One release"},
        )
    )


# --- samples -------------------------------------------------------------------------------------


def test_clean():
    release = sample("clean")
    assert release.name == "Bus rides"
    assert release.curator == "Town transport, Town council"
    assert (release.region, release.date) == ("A town", "2025-03-04")
    assert (release.unit, release.normalized_unit) == ("User-day-level", "user-day")
    assert (release.period, release.model) == ("day", "central")
    assert (release.neighbors, release.neighbors_stated) == ("add-remove", True)
    assert release.parts[0].guarantee == PureDP(0.5, **ADD)
    assert release.parts[0].given == {"epsilon": "0.50"}
    assert release.releases == 1
    assert release.invariants == ("which lines there are", "the number of buses")
    assert release.source == (
        "https://example.org/rides_(2025)",
        "https://example.org/code?a=1&b=2",
    )
    assert kinds(release) == {"warning"}
    assert "a person may contribute several" in texts(release, "warning")
    assert "compose k releases" in texts(release, "warning")


def test_mislabelled():
    release = sample("mislabelled")
    assert release.name == "Wild name epsilon red"
    assert release.curator == "A firm"
    assert (release.region, release.date) == (None, "2024-01-01")
    assert release.parts[0].guarantee == ApproxDP(1, 1e-10, neighbors="replace-one")
    assert release.parts[0].given == {"epsilon": "1", "delta": "1e-10"}
    assert (release.neighbors, release.neighbors_stated) == ("replace-one", False)
    assert "labeled pure DP" in texts(release, "warning")
    assert "'tau'" in texts(release, "warning")
    assert "Local model" in texts(release, "warning")
    assert "replace-one is assumed" in texts(release, "assumed")
    assert release.period is None
    assert "what time the numbers cover" in texts(release, "missing")


def test_symbolic_delta_is_kept_and_never_evaluated():
    release = sample("symbolic_delta")
    assert release.parts == release.stated_also == ()
    assert not release.is_assessable
    assert "'1/(10 n)'" in texts(release, "unusable")
    assert "cannot be assessed" in texts(release, "unusable")
    assert (release.neighbors, release.neighbors_stated) == ("replace-one", True)


def test_separate_guarantees_are_never_composed():
    release = sample("separate")
    assert [part.guarantee for part in release.parts] == [ZeroConcentratedDP(0.1, **ADD)]
    assert [part.guarantee for part in release.stated_also] == [ApproxDP(2.5, 1e-6, **ADD)]
    assert "rho = 0.10 is assessed" in texts(release, "warning")
    assert (release.neighbors, release.neighbors_stated) == ("add-remove", True)
    assert (release.unit, release.normalized_unit) == ("Individual-level", "person")


def test_nothing():
    release = sample("nothing")
    assert not release.is_assessable
    assert (release.model, release.period) == (None, None)
    assert "no privacy parameters" in texts(release, "unusable")
    assert "names what is published" in texts(release, "missing")
    assert "who adds the noise" in texts(release, "missing")


def test_no_sections():
    release = sample("no_sections")
    assert release.name == "only-a-slug"
    assert (release.unit, release.model) == (None, "shuffle")
    assert "whose data is protected" in texts(release, "missing")
    assert "Shuffle model: the numbers are about what leaves the shuffler" in texts(
        release, "warning"
    )


def test_split():
    release = sample("split")
    assert release.normalized_unit == "person + household"
    assert (release.neighbors, release.neighbors_stated) == ("replace-one", True)
    assert "Several units (person, household)" in texts(release, "warning")
    assert "also says 1.5, 0.5, which does not add up" in texts(release, "disputed")
    assert release.period == "month"
    assert "labeled as one release, but also as repeated" in texts(release, "disputed")


def test_doubted():
    release = sample("doubted")
    assert (release.neighbors, release.neighbors_stated) == ("add-remove", False)
    assert "contradicts itself" in texts(release, "disputed")
    assert "reports doubts" in texts(release, "disputed")
    assert "a part of 5.5, which is larger than the whole" in texts(release, "disputed")


def test_old_keys():
    release = sample("old_keys")
    assert (release.name, release.curator, release.date) == ("Old keys", "An office", "2020-09")
    assert release.source == ("https://example.org/old",)
    assert release.parts[0].guarantee == ApproxDP(1.5, 1e-7, **ADD)
    assert (release.neighbors_stated, release.model) == (True, "central")
    assert (release.unit, release.period) == ("user-week", "week")


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["Pure DP", "Custom", None, ""])
def test_epsilon_alone_is_pure_where_nothing_says_otherwise(variant):
    release = imported({"epsilon": 1.0}, variant)
    assert release.parts[0].guarantee == PureDP(1.0, **ADD)
    assert ("read as pure DP" in texts(release, "assumed")) is (variant != "Pure DP")


@pytest.mark.parametrize("variant", ["Approximate DP", "Zero-concentrated DP", "Rényi DP"])
def test_epsilon_alone_is_nothing_where_another_parameter_belongs_to_it(variant):
    release = imported({"epsilon": 1.0}, variant)
    assert release.parts == ()
    assert "gives only an epsilon" in texts(release, "unusable")


@pytest.mark.parametrize(
    ("parameters", "variant", "part", "also"),
    [
        ({"rho": 0.5}, "Zero-concentrated DP", ZeroConcentratedDP(0.5, **ADD), []),
        ({"rho": 0.5}, "Pure DP", ZeroConcentratedDP(0.5, **ADD), []),
        ({"mu": "0.5"}, None, GaussianDP(0.5, **ADD), []),
        ({"alpha": 2, "gamma": 0.1}, "Renyi DP", RenyiDP(2, 0.1, **ADD), []),
        ({"epsilon": 1, "delta": 0.1, "rho": None}, None, ApproxDP(1, 0.1, **ADD), []),
        (
            {"epsilon": 1, "delta": 0.1, "rho": 0.5},
            "Approximate DP",
            ApproxDP(1, 0.1, **ADD),
            [ZeroConcentratedDP(0.5, **ADD)],
        ),
        (
            {"epsilon": 1, "delta": "1/n", "rho": 0.5},
            "Approximate DP",
            ZeroConcentratedDP(0.5, **ADD),
            [],
        ),
        ({"epsilon": 1, "rho": 0.5}, "Zero-concentrated DP", ZeroConcentratedDP(0.5, **ADD), []),
        ({"Epsilon": "2.1E-1"}, "Pure DP", PureDP(0.21, **ADD), []),
    ],
)
def test_the_numbers_are_believed(parameters, variant, part, also):
    release = imported(parameters, variant)
    assert [each.guarantee for each in release.parts] == [part]
    assert [each.guarantee for each in release.stated_also] == also


@pytest.mark.parametrize(
    "parameters",
    [
        None, {}, [], "epsilon 1", {"epsilon": None}, {"delta": 0.1}, {"alpha": 2},
        {"epsilon": "one"}, {"epsilon": True}, {"epsilon": float("nan")}, {"epsilon": float("inf")},
        {"epsilon": -1}, {"epsilon": 1, "delta": 2}, {"epsilon": [1, 2]}, {"epsilon": "1e999"},
        {"epsilon": 1, "delta": "10^-6"}, {"epsilon": 1, "delta": ""}, {"sigma": 1},
    ],
)  # fmt: skip
def test_without_a_usable_number_there_is_no_part(parameters):
    release = imported(parameters, "Pure DP")
    assert release.parts == release.stated_also == ()
    assert "assessed" in texts(release, "unusable")


# --- sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("details", "neighbors", "stated"),
    [
        ("by the addition or removal of a user", "add-remove", True),
        ("adding or removing one user", "add-remove", True),
        ("the addition/removal of a customer", "add-remove", True),
        ("if we add or remove all examples", "add-remove", True),
        ("the addition or deletion of a user", "add-remove", True),
        ("Adding/Removing", "add-remove", True),
        ("the symmetric distance is one", "add-remove", True),
        ("unbounded differential privacy", "add-remove", True),
        ("Unbounded (add/remove-one-record)", "add-remove", True),
        ("bounded differential privacy", "replace-one", True),
        ("“bounded neighbors” are used", "replace-one", True),
        ("the change-one distance", "replace-one", True),
        ("by replacing a record", "replace-one", True),
        ("by changing (but not adding or removing) one tuple", "replace-one", True),
        ("adding or removing, never replacing, a user", "add-remove", True),
        ("adding or removing or replacing a user", "add-remove", False),
        ("a bounded number of page views", "add-remove", False),
        ("contributions are bounded", "add-remove", False),
        ("differ by the data of one user", "add-remove", False),
        ("differ by one customer's data", "add-remove", False),
        ("we remove outliers and add noise", "add-remove", False),
        ("", "add-remove", False),
    ],
)
def test_neighbors_in_prose(details, neighbors, stated):
    release = imported({"epsilon": 1}, "Pure DP", privacy_unit_details=details)
    assert (release.neighbors, release.neighbors_stated) == (neighbors, stated)
    assert release.parts[0].guarantee.neighbors == neighbors
    assert (bool({"assumed", "disputed"} & kinds(release))) is not stated


def test_local_noise_is_about_replacing():
    sections = {
        "dp_variant": {"variant_name": "Pure DP"},
        "privacy_loss": {
            "privacy_parameters": {"epsilon": 4},
            "privacy_unit_details": "The symmetric distance is one.",
        },
        "deployment_model": {"model_name": "Local", "release_type": "Many releases"},
    }
    release = release_from_registry(record(**sections))
    assert (release.neighbors, release.neighbors_stated) == ("replace-one", False)
    assert "local noise hides which of several values" in texts(release, "disputed")


@pytest.mark.parametrize(
    ("unit", "kind", "details", "period"),
    [
        ("User-day-level", "One release", "", "day"),
        ("User-quarter-day-level", "Many releases", "6 hours", "6 hours"),
        ("User-level", "One release", "Static", "once"),
        ("User-level", "One release", "Daily", "day"),
        (
            "User-level",
            "Many releases",
            "The budget resets on a monthly basis, each month.",
            "month",
        ),
        ("User-level", "Many releases", "Every 12 hours.", "12 hours"),
        ("User-level", "Many releases", "daily or weekly", None),
        ("User-level", "Many releases", "at most once every 24 hours", None),
        ("User-level", "Many releases", "", None),
        ("User-level", "", "Varies", None),
    ],
)
def test_period(unit, kind, details, period):
    model = {"model_name": "Central", "release_type": kind, "release_type_details": details}
    loss = {"privacy_unit": unit, "privacy_parameters": {"epsilon": 1}}
    release = release_from_registry(record(privacy_loss=loss, deployment_model=model))
    assert release.period == period
    assert release.releases == 1  # a number per day is not multiplied by days
    assert release.parts[0].guarantee == PureDP(1, **ADD)
    assert period == "once" or ("total" in texts(release, "warning") + texts(release, "missing"))


@pytest.mark.parametrize(
    ("details", "disputed"),
    [
        ("Tables get $\\epsilon = 1.5$ and maps get \\\\(\\epsilon\\\\) = 0.5.", False),
        ("A total differential privacy epsilon value of 2.0.", False),
        ("epsilon = 0.9 and epsilon = 0.1; a factor 2 is applied.", False),
        ("At epsilon_0 = 8 for each report.", False),
        ("Tables get epsilon = 1.5 and maps get epsilon = 0.2.", True),
        ("An epsilon of 4 for each donation.", True),
        ("It is unclear whether the result applies.", True),
        ("", False),
    ],
)
def test_disputes(details, disputed):
    release = imported({"epsilon": 2.0}, "Pure DP", privacy_parameters_details=details)
    assert bool(texts(release, "disputed")) is disputed


# --- shape ---------------------------------------------------------------------------------------


def test_values_of_other_readers_are_taken():
    release = release_from_registry(
        {
            "url_slug": "x",
            "deployment": {
                "basic": {
                    "name": 2020,
                    "data_curators": [{"data_curator_name": "One", "type": "firm"}, "Two"],
                    "publication_date": date(2024, 1, 2),
                },
                "administrative": {"sources": ["https://a.org", {"url": "https://b.org"}]},
                "privacy_loss": {"privacy_parameters": {"epsilon": 0.1}, "privacy_unit": None},
            },
        }
    )
    assert (release.name, release.curator, release.date) == ("2020", "One, Two", "2024-01-02")
    assert release.source == ("https://a.org", "https://b.org")
    assert release.parts[0].given == {"epsilon": "0.1"}


@pytest.mark.parametrize("deployment", [None, 3, "text", [], ["a"]])
def test_a_record_without_a_deployment_is_refused(deployment):
    with pytest.raises(InvalidFile, match="deployment"):
        release_from_registry({"url_slug": "x", "deployment": deployment})


def test_a_record_without_a_name_is_refused():
    with pytest.raises(InvalidFile, match="url_slug"):
        release_from_registry({"deployment": {"basic": {"name": "<b></b>"}}})


KEYS = st.sampled_from(
    ["basic", "name", "privacy_loss", "privacy_parameters", "epsilon", "delta", "rho", "dp_variant",
     "variant_name", "privacy_unit", "deployment_model", "model_name", "release_type", "sources"]
)  # fmt: skip
LEAVES = st.one_of(
    st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=12),
    st.sampled_from(["Local", "Central", "Pure DP", "1e-9", "User-day-level", "Many releases"]),
)  # fmt: skip
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(deployment=st.dictionaries(KEYS, TREES, max_size=6))
def test_no_record_ends_in_a_traceback(deployment):
    release = release_from_registry({"url_slug": "slug", "deployment": deployment})
    assert isinstance(release, Release)
    assert release.parts or "unusable" in kinds(release)


# --- the registry itself, where a copy of it is at hand ------------------------------------------


@needs_registry
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_record_can_be_read(path):
    release = read_release(path)
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    parameters = loaded["deployment"].get("privacy_loss", {}).get("privacy_parameters") or {}
    numbers = {name: value for name, value in parameters.items() if isinstance(value, float)}
    assert release.name
    assert release.source
    assert all(release.notes) and all(note.text.isprintable() for note in release.notes)
    stated = {
        name: float(text)
        for part in (*release.parts, *release.stated_also)
        for name, text in part.given.items()
    }
    if release.is_assessable:
        assert stated == pytest.approx(numbers)
    else:
        assert "unusable" in kinds(release)
    again = release_from_registry(loaded)
    assert [part.guarantee for part in again.parts] == [part.guarantee for part in release.parts]


@needs_registry
def test_the_registry_as_a_whole():
    releases = {path.stem: read_release(path) for path in RECORDS}
    assert len(releases) == 41
    assert sum(release.is_assessable for release in releases.values()) == 34
    assert {name for name, release in releases.items() if release.model == "varies"} == {
        "covid19_notifications"
    }
    stated = {name for name, release in releases.items() if release.neighbors_stated}
    assert {name for name in stated if releases[name].neighbors == "replace-one"} == {
        "census_demographic_and_housing",
        "census_detailed_demographic_and_housing_a",
        "census_detailed_demographic_and_housing_b",
        "census_redistricting_data",
        "uber",
    }
    assert {name for name in stated if releases[name].neighbors == "add-remove"} == {
        "broadband_coverage",
        "covid19_search_trends_symptoms",
        "google_mobility",
        "recurve_energy_dp",
        "sas_data_maker_vulnerable_persons",
        "spanish_language_next_word",
        "wikimedia_current_usage_data",
    }
    numbers = {
        name for name, release in releases.items() if "which" in texts(release, "disputed")
        and ("add up" in texts(release, "disputed") or "larger" in texts(release, "disputed"))
    }  # fmt: skip
    assert numbers == {
        "census_demographic_and_housing",
        "lookup_hints",
        "recurve_energy_dp",
        "wikimedia_russian_editor_activity_statistics_2023",
    }
    assert releases["user_url_privacy"].stated_also
    assert "labeled pure DP" in texts(
        releases["apple_iconic_scenes_photo_selections_2023"], "warning"
    )
