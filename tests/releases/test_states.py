"""States of accountants for DP-SGD, as releases."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from dprisk import assess
from dprisk.errors import InvalidFile, InvalidInput, Meaningless
from dprisk.mechanisms import (
    FixedBatches,
    Gaussian,
    SubsampledGaussian,
    SubsampledGaussianRange,
    TruncatedPoisson,
)
from dprisk.releases import read_from
from dprisk.releases.tools import read
from tests.releases.tools_samples import READINGS, TOOLS, put, run, state, together, zipped

GIVEN = {"sampling": "poisson", "neighbors": "add-remove"}


def step(sigma, rate):
    return SubsampledGaussian(sigma, 1.0, rate, neighbors="add-remove")


# --- Opacus ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["rdp", "prv", "gdp", "ctd"])
@pytest.mark.parametrize("form", ["pt", "json", "state", "checkpoint", "object"])
def test_a_history_in_every_form(mechanism, form, tmp_path):
    kept = state((1.1, 0.01, 100), (0.9, 0.01, 7), (1.1, 0.01, 3), mechanism=mechanism)
    what = {
        "pt": lambda: put(tmp_path, "a.pt", zipped(kept)),
        "json": lambda: put(tmp_path, "a.json", kept),
        "state": lambda: kept,
        "checkpoint": lambda: {"epoch": 2, "privacy_accountant_state_dict": kept, "model": {}},
        "object": lambda: SimpleNamespace(history=kept["history"]),
    }[form]()
    found = read(what, **GIVEN)
    assert run(found.release) == [(step(1.1, 0.01), 103), (step(0.9, 0.01), 7)]
    assert [each.name for each in found.missing] == ["delta", "examples", "clipping_norm", "tuning"]
    if form != "object":
        assert found.tool == ("riskcal" if mechanism == "ctd" else "Opacus")
        warned = any("central limit" in note.text for note in found.release.notes)
        assert warned == (mechanism == "gdp")


def test_what_is_missing_is_asked_for_by_name(tmp_path):
    path = put(tmp_path, "a.pt", zipped(state((1.1, 0.01, 100))))
    found = read(path)
    assert found.release is None
    assert [each.name for each in found.missing if each.needed] == ["sampling", "neighbors"]
    with pytest.raises(Meaningless, match=r"sampling=poisson.*neighbors=add-remove"):
        found.described()
    with pytest.raises(Meaningless, match="how batches were drawn"):
        assess(state((1.1, 0.01, 100)))
    known = read_from(path, **GIVEN)
    assert assess(known).release == known
    with pytest.raises(InvalidInput, match="poisson"):
        read(path, sampling="posson", neighbors="add-remove")
    with pytest.raises(InvalidInput, match="a whole number"):
        read(path, **GIVEN, examples=60000.5)


def test_without_sampling_both_relations_and_readings():
    kept = state((2.0, 0.01, 10), (2.0, 0.02, 5))
    known = {"sampling": "full-batch", "neighbors": "add-remove"}
    assert run(read_from(kept, **known)) == [(Gaussian(2.0, 1.0, neighbors="add-remove"), 15)]
    known["neighbors"] = "replace-one"
    assert [m.name for m in read(kept, **known).missing if m.needed] == ["noise_relative_to"]
    for reading, distance in (("clipping-norm", 2.0), ("distance", 1.0)):
        (part,) = run(read_from(kept, **known, noise_relative_to=reading))
        assert part == (Gaussian(2.0, distance, neighbors="replace-one"), 15)


def test_rates_an_ulp_apart_are_one_bracket():
    rate = 0.010000000000000002
    release = read_from(state((1.0, 0.01, 300), (1.0, rate, 700)), **GIVEN)
    assert run(release) == [
        (SubsampledGaussianRange(1.0, 1.0, rate, 0.01, neighbors="add-remove"), 1000)
    ]
    found = together(release).epsilon(1e-5)
    least, most = (
        together(read_from(state((1.0, each, 1000)), **GIVEN)).epsilon(1e-5)
        for each in (0.01, rate)
    )
    assert found.other_end <= least.other_end and found.value >= most.value
    assert found.value - found.other_end < 1e-9
    assert any("read as one" in note.text for note in release.notes)


def test_fifty_near_rates_are_read_as_one():
    many = state(*((1.0, 0.01 + 1e-9 * i, 100) for i in range(50)))
    release = read_from(many, **GIVEN)
    assert len(run(release)) == 1
    found = together(release).epsilon(1e-5)
    apart = together(read_from(state((1.0, 0.01 + 1e-9 * 49, 5000)), **GIVEN)).epsilon(1e-5)
    assert found.other_end <= apart.other_end and found.value >= apart.value
    assert found.value - found.other_end < 1e-4


def test_rates_that_are_not_near_stay_apart():
    release = read_from(state((1.0, 0.01, 3), (1.0, 0.0101, 4)), **GIVEN)
    assert run(release) == [(step(1.0, 0.01), 3), (step(1.0, 0.0101), 4)]


@pytest.mark.parametrize(
    ("history", "match"),
    [
        ([], "no step was counted"),
        ("abc", "must be a list"),
        ([(1.1, 0.01)], r"history\[0\] must hold"),
        ([(1.1, 0.01, 1), (0.0, 0.01, 1)], r"history\[1\], noise multiplier must be above 0"),
        ([(-1.0, 0.01, 1)], "noise multiplier must be above 0"),
        ([(1.1, 0.0, 1)], "sample rate must be above 0 and at most 1; 0 is there"),
        ([(1.1, 1.5, 1)], "sample rate must be above 0 and at most 1; 1.5 is there"),
        ([(1.1, 0.01, 0)], "steps must be from 1"),
        ([(1.1, 0.01, 2.5)], "steps must be a whole number"),
        ([(1.1, 0.01, float("inf"))], "steps must be a whole number"),
        ([("x", 0.01, 1)], "noise multiplier must be a number; 'x' is there"),
        ([(float("nan"), 0.01, 1)], "must be a number"),
        ([(10**400, 0.01, 1)], "must be a number"),
        ([([1], 0.01, 1)], "something of class list"),
        ([({}, 0.01, 1)], "something of class dict"),
    ],
)
def test_bad_histories_are_named(history, match):
    with pytest.raises(InvalidFile, match=match) as caught:
        read({"history": history, "mechanism": "rdp"}, **GIVEN)
    assert caught.value.fix


def test_a_file_without_a_history(tmp_path):
    path = put(tmp_path, "weights.pt", zipped({"layer.weight": [1.0, 2.0], "epoch": 3}))
    with pytest.raises(InvalidFile, match="No tool that dprisk knows"):
        read(path)
    with pytest.raises(InvalidInput, match="a tool that dprisk reads"):
        read(object())


# --- Flower ---------------------------------------------------------------------------------------


def flower(sampling="poisson", relation="add-or-remove-one", sample=20, **config):
    event = {"noise_multiplier": 1.5, "sample_size": sample, "population_size": 1000}
    said = {
        "target_delta": 1e-5,
        "population_size": 1000,
        "neighboring_relation": relation,
        "sampling_method": sampling,
        "max_epsilon": None,
    }
    return {
        "schema_version": 1,
        "backend": "rdp",
        "config": {**said, **config},
        "compositions": [{"event": event, "count": 30}],
    }


def test_a_state_of_flower_says_it_all():
    found = read(flower(max_epsilon=8.0))
    assert run(found.release) == [(step(1.5, 0.02), 30)]
    assert found.known["delta"] == 1e-5 and found.release.unit == "client"
    assert [(said.epsilon, said.reached) for said in found.said] == [(8.0, "limit")]


def test_the_sample_of_no_amplification_is_no_rate():
    found = read(flower("no-amplification"))
    assert run(found.release) == [(Gaussian(1.5, 1.0, neighbors="add-remove"), 30)]


def test_what_contradicts_the_state_is_refused():
    with pytest.raises(Meaningless, match=r"neighbors=add-remove.*neighbors=replace-one"):
        read(flower(), neighbors="replace-one")


@pytest.mark.parametrize(
    ("made", "match"),
    [
        (flower("stratified"), "sampling_method must be one of Flower's words"),
        (flower(relation="zero-out"), "neighboring_relation must be"),
        (flower(sample=2000), "larger than the population"),
        (flower(sample=0), "sample size must be from 1"),
        (flower(population_size=999), "population is 1000 in compositions"),
        ({**flower(), "compositions": []}, "no round was counted"),
        ({**flower(), "compositions": [3]}, "must hold an event"),
        (flower(target_delta=2), "target_delta must be above 0 and at most 1"),
    ],
)
def test_bad_states_of_flower_are_named(made, match):
    with pytest.raises(InvalidFile, match=match):
        read(made)


# --- JAX Privacy ----------------------------------------------------------------------------------

JAX = {
    "noise_multipliers": 1.0,
    "num_samples": 60000,
    "delta": 1e-5,
    "batch_size": 600,
    "batch_sizes": 600,
    "sampling_method": "POISSON",
    "truncated_batch_size": None,
    "num_updates": 1000,
}


def test_parameters_of_jax():
    assert run(read_from(JAX)) == [(step(1.0, 0.01), 1000)]
    without = {key: value for key, value in JAX.items() if key != "num_updates"}
    assert [m.name for m in read(without).missing if m.needed] == ["steps"]
    assert run(read_from(without, steps=7)) == [(step(1.0, 0.01), 7)]


def test_schedules_are_followed_step_by_step():
    made = {**JAX, "batch_sizes": [600, 300, 600], "noise_multipliers": [1.0, 1.0, 2.0]}
    made["num_updates"] = 3
    expected = {(step(1.0, 0.01), 1), (step(1.0, 0.005), 1), (step(2.0, 0.01), 1)}
    assert set(run(read_from(made))) == expected
    with pytest.raises(InvalidFile, match="3 values for 4 updates"):
        read({**made, "num_updates": 4})


def test_the_cap_of_a_batch_is_not_dropped():
    capped = {**JAX, "truncated_batch_size": 700}
    assert run(read_from(capped)) == [
        (TruncatedPoisson(1.0, 1.0, 0.01, 700, 60000, neighbors="add-remove"), 1000)
    ]
    with pytest.raises(Meaningless, match="cut at 700"):
        read({**capped, "sampling_method": "FIXED_BATCH_SIZE"})


def test_batches_of_one_size_are_no_poisson_sample():
    known = {"sampling": "without-replacement", "neighbors": "replace-one"}
    kept = state((1.5, 256 / 60000, 10))
    assert [m.name for m in read(kept, **known).missing if m.needed] == ["noise_relative_to"]
    for word, moved in (("clipping-norm", 2.0), ("distance", 1.0)):
        release = read_from(kept, **known, noise_relative_to=word, examples=60000)
        step = FixedBatches(1.5, moved, 256, 60000, neighbors="replace-one")
        assert run(release) == [(step, 10)]
    asked = read(kept, **known, noise_relative_to="distance")
    assert [m.name for m in asked.missing if m.needed] == ["examples"]
    fixed = run(read_from({**JAX, "sampling_method": "FIXED_BATCH_SIZE"}))
    assert fixed == [(FixedBatches(1.0, 2.0, 600, 60000, neighbors="replace-one"), 1000)]
    sampled = flower("without-replacement", "replace-one")
    found = read_from(sampled, noise_relative_to="distance")
    assert run(found) == [(FixedBatches(1.5, 1.0, 20, 1000, neighbors="replace-one"), 30)]


def a_prv(kind, **fields):
    """An object with the class name, module and attributes of prv_accountant 0.2.0."""
    made = type(kind, (SimpleNamespace,), {"__module__": "prv_accountant.privacy_random_variables"})
    return made(**fields)


SAMPLED = a_prv("PoissonSubsampledGaussianMechanism", p=0.01, sigma=1.1)


@pytest.mark.parametrize(
    "what", [SAMPLED, a_prv("PRVAccountant", prvs=[SAMPLED], max_self_compositions=[9000])]
)
def test_random_variables_of_prv_accountant(what):
    """The most that it may compose is no number of steps."""
    (part,) = read_from(what, steps=5000, neighbors="add-remove").parts
    assert part.mechanism == SubsampledGaussian(1.1, 1.0, 0.01, neighbors="add-remove")
    assert part.count == 5000
    with pytest.raises(Meaningless, match="steps"):
        read_from(what, neighbors="add-remove")


def test_whole_batches_of_prv_accountant():
    (part,) = read_from(a_prv("GaussianMechanism", mu=0.5), steps=3, neighbors="add-remove").parts
    assert part.mechanism == Gaussian(2.0, 1.0, neighbors="add-remove")


@pytest.mark.parametrize(
    ("what", "match"),
    [
        (a_prv("LaplaceMechanism", mu=0.7), "LaplaceMechanism"),
        (a_prv("PRVAccountant", prvs=[SAMPLED, SAMPLED]), "2 mechanisms"),
    ],
)
def test_what_prv_accountant_leaves_open(what, match):
    with pytest.raises(InvalidFile, match=match):
        read_from(what, steps=1, neighbors="add-remove")


def test_keras_cuts_its_batches_into_pieces():
    made = {
        "epsilon": 3.0,
        "delta": 1e-5,
        "batch_size": 50,
        "gradient_accumulation_steps": 4,
        "train_steps": 1000,
        "train_size": 20000,
        "noise_multiplier": 0.8,
        "poisson_sampling_in_fit": False,
    }
    found = read(made, **GIVEN)
    assert run(found.release) == [(step(0.8, 0.01), 1000)]
    assert [(said.epsilon, said.reached) for said in found.said] == [(3.0, "target")]
    assert any("poisson_sampling_in_fit" in note.text for note in found.release.notes)
    with pytest.raises(InvalidFile, match="no noise multiplier yet"):
        read({**made, "noise_multiplier": None}, **GIVEN)


# --- files of the tools themselves ----------------------------------------------------------------

OF_STATES = [
    *("opacus-rdp.pt", "opacus-prv.pt", "opacus-prv.json", "opacus-gdp.pt"),
    *("opacus-checkpoint.pt", "riskcal-ctd.json", "flower-poisson.json"),
    *("flower-no-amplification.json", "jax-privacy-poisson.json", "jax-privacy-keras.json"),
]


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
@pytest.mark.parametrize("name", OF_STATES)
def test_files_of_tools_are_inside_their_brackets(name):
    known = json.loads(READINGS.read_text("utf-8"))[name]
    path = TOOLS / "more" / name
    needed = {m.name for m in read(path).missing if m.needed}
    release = read_from(path, **{key: GIVEN[key] for key in needed})
    for delta, (low, high) in known["certified"].items():
        found = together(release).epsilon(float(delta))
        assert found.value >= low and found.value == pytest.approx(high, abs=1e-9)


def test_every_scheme_asks_for_what_it_needs():
    kept, known = (
        state((1.5, 0.01, 10)),
        {"sampling": "truncated-poisson", "neighbors": "add-remove"},
    )
    for name in ("batch_cap", "examples"):
        assert [m.name for m in read(kept, **known).missing if m.needed] == [name]
        known[name] = 1000 if name == "examples" else 15
    assert run(read_from(kept, **known)) == [
        (TruncatedPoisson(1.5, 1.0, 0.01, 15, 1000, neighbors="add-remove"), 10)
    ]


def test_capped_batches_are_not_warned_of_as_poisson():
    notes = [note.text for note in read_from({**JAX, "truncated_batch_size": 700}).notes]
    assert any(text.startswith("A batch that is cut reveals more") for text in notes)
    assert not any(text.startswith("The numbers hold for Poisson sampling only") for text in notes)


def test_what_a_file_says_is_not_told_to_be_given():
    told = "it was given beside the file"
    notes = [n.text for n in read_from(JAX, neighbors="add-remove").notes]
    assert not any(told in text for text in notes)
    assert any(
        f"{told}: delta=" in n.text for n in read_from({**JAX, "delta": None}, delta=1e-6).notes
    )
