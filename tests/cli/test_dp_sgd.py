"""DP-SGD typed in the words of its log: on every command that takes a promise."""

from __future__ import annotations

import pytest

from dprisk.web import ask
from tests.cli.running import ADD_REMOVE, HEAD, run, survey

SIZES = ("--noise-multiplier", "1.1", "--sample-rate", "0.01", "--steps", "5000")
TYPED = (*SIZES, "--sampling", "poisson", *ADD_REMOVE)
NOISE = ("--mechanism", "subsampled-gaussian", "sigma=1.1", "sensitivity=1", "rate=0.01",
         "count=5000", *ADD_REMOVE)  # fmt: skip
COMMANDS = {
    "assess": (), "explain": (), "power": (), "counterfactual": (),
    "compose": ("--delta", "1e-5"), "ladder": (), "report": (),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_the_same_of_the_mechanism(command):
    more = (*COMMANDS[command], "--json")
    typed, known = (run(command, *each, *more).data for each in (TYPED, NOISE))
    assert numbers(typed) == numbers(known)


BUDGET = ("--mechanism", "dp-sgd", *SIZES[2:], "--sampling", "poisson", *ADD_REMOVE)
WARNED = {
    "compose": (*TYPED, "--delta", "1e-5"),
    "power": TYPED,
    "counterfactual": TYPED,
    "check": (*TYPED, "--states", "epsilon=4,delta=1e-5"),
    "budget": (*BUDGET, "--limit", "epsilon=3", "--at-delta", "1e-5"),
}


@pytest.mark.parametrize("command", WARNED)
def test_warnings_are_in_the_json(command):
    """The same as in sentences: noise in float32, and batches that were no Poisson samples."""
    notes = run(command, *WARNED[command], "--json").data["notes"]
    texts = " ".join(each["text"] for each in notes if each["kind"] == "warning")
    assert "float32" in texts and "Poisson" in texts
    assert all(set(each) == {"kind", "text"} for each in notes)
    assert notes == [dict(pair) for pair in dict.fromkeys(tuple(each.items()) for each in notes)]


SAID = ("--states", "epsilon=9,delta=1e-6")


def test_what_a_file_says_of_its_source_is_in_the_json(tmp_path):
    """The model, and a δ at which other accountants were wrong."""
    file = tmp_path / "release.yaml"
    keys = "noise_multiplier: 1.1, sample_rate: 0.01, steps: 9, sampling: poisson"
    stated = "stated_also: [{epsilon: 3, delta: 1e-12}]"
    head = HEAD.replace("central", "federated")
    file.write_text(f"{head}mechanisms: [{{{keys}}}]\n{stated}\n")
    wanted = run("assess", file, "--json").data["notes"]
    assert any("several were seen below" in each["text"] for each in wanted)
    for command, more in (("compose", ("--delta", "1e-6")), ("power", ()), ("check", SAID)):
        assert run(command, file, *more, "--json").data["notes"] == wanted


def numbers(data):
    """The numbers of an answer; names and notes aside."""
    if isinstance(data, dict):
        left_out = ("release", "notes", "subject", "sections")
        return {key: numbers(value) for key, value in data.items() if key not in left_out}
    if isinstance(data, list):
        return [numbers(each) for each in data]
    return data if isinstance(data, int | float) else None


def test_the_api_has_the_same_keys():
    body = {"noise_multiplier": 1.1, "sample_rate": "256/60000", "epochs": 3}
    body |= {"sampling": "poisson", "neighbors": "add-remove", "prior": 0.5}
    made = ask("assess", body)
    typed = run("assess", "--noise-multiplier", "1.1", "--sample-rate", "256/60000", "--epochs",
                "3", "--sampling", "poisson", *ADD_REMOVE, "--prior", "0.5", "--json")  # fmt: skip
    assert made == typed.data
    assert "float32" in str(made)


def test_the_kind_may_be_said(tmp_path):
    said = run("assess", "--mechanism", "dp-sgd", *TYPED, "--json")
    assert said.out == run("assess", *TYPED, "--json").out
    assert run("assess", "--mechanism", "dp-sgd", *ADD_REMOVE).code == 2
    file = tmp_path / "run.yaml"
    keys = "noise_multiplier: 1.1, sample_rate: 0.01, steps: 5000, sampling: poisson"
    file.write_text(f"{HEAD}mechanisms: [{{{keys}}}]\n")
    read = run("assess", file, "--json").data["statements"][0]["findings"]
    assert read == said.data["statements"][0]["findings"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (SIZES, ("--neighbors",)),
        ((*SIZES, *ADD_REMOVE), ("--sampling", "poisson", "full-batch")),
        ((*TYPED, "--epochs", "3"), ("--steps", "--epochs", "300 steps")),
        ((*TYPED, "--batch-size", "3", "--examples", "400"),
         ("--sample-rate", "--batch-size", "--examples")),
        ((*TYPED, "--epsilon", "1"), ("--epsilon", "DP-SGD")),
        ((*TYPED, "--mechanism", "laplace"), ("--mechanism", "DP-SGD")),
        (("scale=1", *TYPED), ("scale=1",)),
        ((*SIZES, "--sampling", "shuffled-somehow", *ADD_REMOVE), ("--sampling", "poisson")),
        ((*SIZES, "--sampling", "poisson", "--neighbors", "replace-one",
          "--noise-relative-to", "distance"), ("--neighbors", "add-remove")),
        ((*SIZES[:-2], "--sampling", "poisson", *ADD_REMOVE), ("--steps", "epochs")),
        ((*SIZES[:-1], "0", "--sampling", "poisson", *ADD_REMOVE), ("--steps 0",)),
    ],
)  # fmt: skip
def test_what_is_missing_or_contradicts_is_named(more, words):
    done = run("assess", *more)
    assert (done.code, done.out) == (2, "")
    assert all(word in done.err for word in words), done.err


def test_beside_a_file_it_is_refused(tmp_path):
    done = run("assess", survey(tmp_path), "--steps", "3")
    assert done.code == 2 and "--steps" in done.err


FOR_A_TARGET = ("budget", "--mechanism", "dp-sgd", "--sampling", "poisson", *ADD_REMOVE)
TARGET = ("--limit", "epsilon=1", "--at-delta", "1e-5")


def test_noise_for_a_target():
    done = run(*FOR_A_TARGET, "--sample-rate", "0.01", "--steps", "5000", *TARGET)
    assert done.code == 0
    assert "noise multiplier  at least 2.7525079  2.7525055" in done.out
    asked = ("--sample-rate", "0.01", "--steps", "5000", *TARGET, "--json")
    (found,) = run(*FOR_A_TARGET, *asked).data["trainings"]
    assert found["unknown"] == "noise_multiplier" and found["breaks_at"] < found["value"]
    body = {"mechanism": ["dp-sgd"], "sampling": "poisson", "sample_rate": 0.01, "steps": 5000}
    body |= {"limit": {"epsilon": 1}, "at_delta": 1e-5, "neighbors": "add-remove"}
    assert ask("budget", body)["trainings"] == [found]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--noise-multiplier", "1.1", "--sample-rate", "0.01"), "at most 421 steps"),
        (("--noise-multiplier", "1.1", "--examples", "60000", "--steps", "2000"),
         "batch size of at most 297 keeps the limits; 298 would break them"),
        (("--sample-rate", "0.01", "--epochs", "50"), "Over 5,000 steps"),
    ],
)  # fmt: skip
def test_what_is_left_out_is_solved_for(words, said):
    done = run(*FOR_A_TARGET, *words, *TARGET, "--quiet")
    assert done.code == 0 and said in " ".join(done.out.split())


def test_the_limit_that_binds_counts():
    words = ("--noise-multiplier", "1.1", "--examples", "60000", "--steps", "2000")
    both = ("--limit", "bayes_risk=0.4", "--limit", "power=0.1", "--level", "0.05")
    assert "423" in run(*FOR_A_TARGET, *words, *both, "--quiet").out
    assert "607" in run(*FOR_A_TARGET, *words, *both[:2], "--quiet").out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((*FOR_A_TARGET, "--sample-rate", "0.01", *TARGET), ("--steps", "solved for")),
        ((*FOR_A_TARGET, "--noise-multiplier", "1", "--sample-rate", "0.01", "--steps", "9",
          *TARGET), ("--noise-multiplier", "left out")),
        (("budget", *ADD_REMOVE, "--steps", "9", *TARGET), ("--steps", "--mechanism dp-sgd")),
        (("budget", *ADD_REMOVE, "--mechanism", "subsampled-gaussian", *TARGET),
         ("--sample-rate",)),
        (("budget", *ADD_REMOVE, "--mechanism", "laplace", "--sample-rate", "0.1", *TARGET),
         ("--sample-rate", "laplace")),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_named(args, words):
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    assert all(word in done.err for word in words), done.err


def test_noise_on_samples_is_calibrated():
    asked = ("--mechanism", "subsampled-laplace", "--sample-rate", "1/50", "--releases", "100")
    done = run("budget", *ADD_REMOVE, *asked, "--limit", "bayes_risk=0.4", "--json")
    (found,) = done.data["mechanisms"]
    assert found["kind"] == "subsampled-laplace" and found["width"] == pytest.approx(0.402992)


@pytest.mark.parametrize("command", ["assess", "compose", "power"])
def test_warnings_stand_beside_the_answer(command):
    said = " ".join(run(command, *TYPED, *COMMANDS[command]).out.split())
    assert "Poisson sampling only" in said and "float32" in said


def test_warnings_stand_beside_noise_for_a_target():
    asked = ("--noise-multiplier", "1.1", "--sample-rate", "0.01", *TARGET)
    assert "float32" in run(*FOR_A_TARGET, *asked).out


def test_a_small_delta_beside_a_training_is_warned_of(tmp_path):
    file = tmp_path / "run.yaml"
    keys = "noise_multiplier: 1.1, sample_rate: 0.01, steps: 100, sampling: poisson"
    for delta, warned in (("1e-12", True), ("1e-6", False)):
        also = f"stated_also: [{{epsilon: 9, delta: {delta}}}]\n"
        file.write_text(f"{HEAD}mechanisms: [{{{keys}}}]\n{also}")
        done = " ".join(run("assess", file).out.split())
        assert ("computed by a numerical accountant" in done) == warned
