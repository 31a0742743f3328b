"""DP-SGD in the words of its logs: one run, however it is written, and what is refused."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest

from dprisk import DpriskError, assess, dp_sgd, read_release
from dprisk.composition import compose
from dprisk.errors import Contradictory, InvalidInput, OutOfRange
from dprisk.mechanisms import (
    CyclicBatches,
    FixedBatches,
    Gaussian,
    RandomAllocation,
    SubsampledGaussian,
    TruncatedPoisson,
)
from dprisk.releases import write_release
from dprisk.releases.schemes import SCHEMES
from dprisk.releases.training import KEYS, by_keys, describes

HEAD = "dprisk: 1\nname: Run\nunit: person\nperiod: once\nneighbors: {}\nmodel: central\n"
POISSON = {"sampling": "poisson", "neighbors": "add-remove"}
RUN = {"sample_rate": 0.01, "steps": 5000}


def file(folder, entry, neighbors="add-remove", key="mechanisms", name="run.yaml"):
    path = folder / name
    path.write_text(f"{HEAD.format(neighbors)}{key}:\n  - {entry}\n", encoding="utf-8")
    return path


def epsilon(release, delta=1e-5):
    (part,) = release.parts
    made = compose([part.for_composition()], [part.count * release.releases])
    return made.guarantee.epsilon(delta)


def test_the_run_of_the_issue_is_the_mechanism_and_its_epsilon_is_known():
    """dp_accounting's PLD says 3.5272 for it."""
    (part,) = dp_sgd(1.1, **POISSON, **RUN).parts
    assert part.mechanism == SubsampledGaussian(1.1, 1.0, 0.01, neighbors="add-remove")
    assert part.count == 5000
    assert epsilon(dp_sgd(1.1, **POISSON, **RUN)).value == pytest.approx(3.527227809, abs=1e-8)


WAYS = [
    {"sample_rate": "256/60000", "steps": 3516},
    {"batch_size": 256, "examples": 60000, "steps": 3516},
    {"batch_size": 256, "examples": 60000, "epochs": 15},
    {"batch_size": "256", "examples": "60000", "epochs": "15.0"},
    {"batch_size": 256, "examples": 60000, "epochs": 15, "steps": 3516},
    {"batch_size": 256, "examples": 60000, "sample_rate": "256/60000", "steps": 3516},
    {"batch_size": 256, "examples": 60000, "sample_rate": 0.0042666, "steps": 3516},
]


@pytest.mark.parametrize("way", WAYS)
def test_one_run_in_other_words_is_the_same(way):
    (part,) = dp_sgd(1.1, **POISSON, **way).parts
    assert (part.mechanism.sigma, part.mechanism.sensitivity) == (1.1, 1.0)
    exact = Fraction(256, 60000)
    assert 0 <= Fraction(part.mechanism.rate) - exact <= exact / 2**52
    assert part.count == 3516  # 3515.625, and a part of a step is a whole one


@pytest.mark.parametrize(
    "key", [key for key in KEYS if key.endswith("rate") or key.startswith("sampling_")]
)
def test_other_names_in_a_file_are_read(key, tmp_path):
    rate = "0.01" if "method" not in key and "scheme" not in key else "poisson"
    rest = "sampling: poisson" if rate == "0.01" else "sample_rate: 0.01"
    entry = f"{{noise_multiplier: 1.1, {key}: {rate}, {rest}, iterations: 5000}}"
    (part,) = read_release(file(tmp_path, entry)).parts
    assert part.mechanism == SubsampledGaussian(1.1, 1.0, 0.01, neighbors="add-remove")


@pytest.mark.parametrize("kind", ["", "kind: dp-sgd, "])
@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_what_is_written_is_read_again(kind, ending, tmp_path):
    entry = (
        f"{{{kind}noise_multiplier: 1.10, sample_rate: 256/60000, epochs: 2, sampling: poisson}}"
    )
    release = read_release(file(tmp_path, entry))
    (part,) = release.parts
    assert part.given["sigma"] == "1.10" and part.count == 469
    path = tmp_path / f"again.{ending}"
    write_release(release, path)
    assert read_release(path) == release
    assert "subsampled-gaussian" in path.read_text()
    if ending == "json":
        (written,) = json.loads(path.read_text())["mechanisms"]
        assert written["count"] == 469


def test_a_training_several_times(tmp_path):
    entry = "{noise_multiplier: 1, sample_rate: 0.1, steps: 7, sampling: poisson, count: 3}"
    (part,) = read_release(file(tmp_path, entry)).parts
    assert part.count == 21


def test_two_readings_of_the_noise_differ_by_the_sensitivity():
    run = {"sampling": "full-batch", "neighbors": "replace-one", "steps": 10}
    norm = dp_sgd(4.0, **run, noise_relative_to="clipping-norm").parts[0].mechanism
    distance = dp_sgd(4.0, **run, noise_relative_to="distance").parts[0].mechanism
    assert norm == Gaussian(4.0, 2.0, neighbors="replace-one")
    assert distance == Gaussian(4.0, 1.0, neighbors="replace-one")
    with pytest.raises(InvalidInput, match="noise_relative_to must be clipping-norm or distance"):
        dp_sgd(4.0, **run)


@pytest.mark.parametrize("word", ["clipping-norm", "distance", None])
def test_under_add_remove_both_readings_are_one(word):
    made = dp_sgd(1.1, **POISSON, **RUN, noise_relative_to=word)
    assert made == dp_sgd(1.1, **POISSON, **RUN)


@pytest.mark.parametrize("word", [None, "", "fixed", "Poissson", 1, "uniform"])
def test_the_sampling_is_asked_for_and_each_word_explained(word):
    with pytest.raises(InvalidInput) as caught:
        dp_sgd(1.1, neighbors="add-remove", sampling=word, **RUN)
    assert caught.value.name == "sampling"
    assert all(f"{scheme}: " in str(caught.value) for scheme in SCHEMES)


CONTRADICTIONS = {
    "sample_rate and batch_size / examples": {
        "sample_rate": 0.01, "batch_size": 256, "examples": 60000, "steps": 10,
    },
    "steps and epochs": {"sample_rate": 0.01, "steps": 1000, "epochs": 15},
    "batch_size and examples": {"batch_size": 300, "examples": 200, "steps": 10},
}  # fmt: skip


@pytest.mark.parametrize("names", CONTRADICTIONS)
def test_numbers_that_contradict_each_other_are_named(names, tmp_path):
    given = CONTRADICTIONS[names]
    with pytest.raises(Contradictory, match=f"{names} must be in agreement"):
        dp_sgd(1.1, **POISSON, **given)
    keys = ", ".join(f"{key}: {value}" for key, value in given.items())
    path = file(tmp_path, f"{{noise_multiplier: 1.1, sampling: poisson, {keys}}}")
    with pytest.raises(DpriskError, match=r"mechanisms\[0\]") as caught:
        read_release(path)
    assert all(word in str(caught.value) for word in names.split(" and "))


def test_a_full_batch_is_no_sample():
    run = {"sampling": "full-batch", "neighbors": "add-remove", "steps": 3}
    assert dp_sgd(1.0, **run, sample_rate=1.0) == dp_sgd(1.0, **run)
    with pytest.raises(Contradictory, match="sampling and sample_rate"):
        dp_sgd(1.0, **run, sample_rate=0.5)


@pytest.mark.parametrize("epochs", [1, 2, 15])
def test_an_epoch_may_leave_out_or_fill_up_its_last_batch(epochs):
    low, high = epochs * (1000 // 300), epochs * -(-1000 // 300)
    for steps in (low, high):
        given = {"batch_size": 300, "examples": 1000, "epochs": epochs, "steps": steps}
        assert dp_sgd(1.0, **POISSON, **given).parts[0].count == steps


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"noise_multiplier": 0}, "noise_multiplier"),
        ({"noise_multiplier": float("nan")}, "noise_multiplier"),
        ({"noise_multiplier": "1,1"}, "noise_multiplier"),
        ({"sample_rate": 0}, "sample_rate"),
        ({"sample_rate": 1.1}, "sample_rate"),
        ({"sample_rate": "3/0"}, "sample_rate"),
        ({"sample_rate": "0/3"}, "sample_rate"),
        ({"sample_rate": "5/3"}, "sample_rate"),
        ({"steps": 0}, "steps"),
        ({"steps": 1.5}, "steps"),
        ({"steps": 10**10}, "steps"),
        ({"steps": None}, "steps"),
        ({"steps": None, "epochs": -1}, "epochs"),
        ({"steps": None, "epochs": 1e300}, "epochs"),
        ({"sample_rate": None}, "sample_rate"),
        ({"sample_rate": None, "batch_size": 10}, "sample_rate"),
        ({"sample_rate": None, "batch_size": True, "examples": 3}, "batch_size"),
        ({"noise_relative_to": "sum"}, "noise_relative_to"),
        ({"neighbors": "replace-one", "noise_relative_to": "distance"}, "neighbors"),
        ({"neighbors": None}, "neighbors"),
    ],
)
def test_bad_numbers_are_refused_by_name(given, name):
    with pytest.raises((InvalidInput, OutOfRange)) as caught:
        dp_sgd(**{"noise_multiplier": 1.1, **POISSON, **RUN, **given})
    assert name in caught.value.name


REFUSED = {
    "{noise_multiplier: 1.1, sample_rate: 0.1, sampling_rate: 0.1, steps: 1, sampling: poisson}":
        "mean the same",
    "{kind: dp-sgd, noise_multiplier: 1.1, sample_rate: 0.1, steps: 1}": "poisson: each record",
    "{kind: dp-sgd}": "sampling",
    "{noise_multiplier: 1.1, sample_rate: 0.1, step: 1, sampling: poisson}": "'steps'",
    "{noise_multiplier: [1], sample_rate: 0.1, steps: 1, sampling: poisson}": "noise_multiplier",
    "{noise_multiplier: 1.1, sample_rate: {a: 1}, steps: 1, sampling: poisson}": "sample_rate",
}  # fmt: skip


@pytest.mark.parametrize("entry", REFUSED)
def test_a_file_that_is_wrong_is_refused_with_what_to_do(entry, tmp_path):
    with pytest.raises(DpriskError, match=REFUSED[entry]):
        read_release(file(tmp_path, entry))


def test_a_training_is_no_promise(tmp_path):
    entry = "{noise_multiplier: 1.1, sample_rate: 0.1, steps: 1}"
    with pytest.raises(DpriskError, match="List this entry under `mechanisms`"):
        read_release(file(tmp_path, entry, key="guarantees"))


def test_other_entries_are_no_training():
    assert describes({"epsilon": 1}) == []
    assert describes({"steps": 1}) == []
    assert describes({"kind": "laplace", "scale": 1, "sample_rate": 1}) == []
    assert describes({"kind": "dp-sgd"}) == []
    assert describes({"sampling": "poisson"}) == ["sampling"]


@pytest.mark.parametrize("missing", list(itertools.chain(["noise_multiplier"], RUN)))
def test_what_is_missing_can_be_asked(missing):
    given = {"noise_multiplier": "1.1", "sampling": "poisson", "sample_rate": "0.1", "steps": "5"}
    training = by_keys({k: v for k, v in given.items() if k != missing}, "add-remove")
    assert training.missing == (missing,)
    with pytest.raises(InvalidInput, match=missing):
        training.part()


SIZES = {"batch_size": 600, "examples": 60_000, "steps": 1000}
A = {"neighbors": "add-remove"}
R = {"neighbors": "replace-one"}


def test_each_word_is_its_mechanism():
    """What dp_accounting says of caps is in the tests of the mechanism."""
    (part,) = dp_sgd(1.0, sampling="truncated-poisson", batch_cap=700, **SIZES, **A).parts
    assert part.mechanism == TruncatedPoisson(1.0, 1.0, 0.01, 700, 60_000, **A)
    assert part.count == 1000
    run = {**SIZES, "sampling": "without-replacement"}
    for word, reach in (("clipping-norm", 2.0), ("distance", 1.0)):
        for relation in (A, R):
            (part,) = dp_sgd(1.0, **run, **relation, noise_relative_to=word).parts
            assert part.mechanism == FixedBatches(1.0, reach, 600, 60_000, **relation)
            assert part.count == 1000
    (part,) = dp_sgd(1.0, sampling="allocation", **SIZES, **A).parts
    assert part.mechanism == RandomAllocation(1.0, 1.0, 100, **A) and part.count == 10
    (part,) = dp_sgd(1.0, sampling="shuffled", **SIZES, **A).parts
    assert part.mechanism == CyclicBatches(1.0, 1.0, 10, **A) and part.count == 1


@pytest.mark.parametrize("sampling", ["allocation", "shuffled"])
def test_a_pass_in_part_is_a_whole_one(sampling):
    """In passes of 33 steps: batches of 3 of 100 records."""
    sizes = {"batch_size": 3, "examples": 100}
    for given, passes in (({"steps": 99}, 3), ({"steps": 100}, 4), ({"epochs": 2.5}, 3)):
        (part,) = dp_sgd(1.0, sampling=sampling, **sizes, **given, **A).parts
        steps = getattr(part.mechanism, "steps", 33)
        assert steps == 33 and getattr(part.mechanism, "epochs", part.count) == passes


def test_without_replacement_both_readings_are_asked_for():
    for relation in (A, R):
        with pytest.raises(InvalidInput, match="noise_relative_to"):
            dp_sgd(1.0, sampling="without-replacement", **SIZES, **relation)


@pytest.mark.parametrize(
    ("sampling", "given", "name"),
    [
        ("truncated-poisson", {}, "batch_cap"),
        ("truncated-poisson", {"examples": None, "sample_rate": 0.1, "batch_cap": 3}, "examples"),
        ("without-replacement", {"batch_size": None, "sample_rate": 0.1}, "sample_rate"),
        ("poisson", {"batch_cap": 700}, "sampling and batch_cap"),
    ],
)
def test_what_a_scheme_needs_is_asked_for(sampling, given, name):
    relative = {"noise_relative_to": "distance"}
    with pytest.raises(InvalidInput) as caught:
        dp_sgd(1.0, sampling=sampling, **{**SIZES, **given}, **A, **relative)
    assert caught.value.name == name


def test_every_function_takes_it_and_its_notes_travel():
    release = dp_sgd(1.1, **POISSON, **RUN)
    made = assess(release, prior=0.5)
    assert made.release.notes == release.notes and len(release.notes) == 2
    assert "float32" in str(release.notes[1])
