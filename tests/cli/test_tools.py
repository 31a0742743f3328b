"""Files of other tools, given to commands."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from dprisk.ledger.charges import describe
from tests.cli.running import run
from tests.releases.tools_samples import put, state, zipped

STATE = state((1.1, 0.01, 100))
ANSWERS = ("--sampling", "poisson", "--neighbors", "add-remove")


@pytest.fixture
def path(tmp_path):
    return str(put(tmp_path, "accountant.pt", zipped(STATE)))


@pytest.mark.parametrize(
    "answers",
    [
        ANSWERS,
        ("sampling=poisson", "neighbors=add-remove"),
        ("sampling=poisson", "--neighbors", "add-remove"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [("assess",), ("compose", "--delta", "1e-5"), ("explain",), ("power",)],
)
def test_commands_take_the_file(command, answers, path):
    done = run(*command, path, *answers, "--quiet")
    assert (done.code, done.err) == (0, "")


def test_the_numbers_are_those_of_the_run(path):
    typed = ("--noise-multiplier", "1.1", "--sample-rate", "0.01", "--steps", "100", *ANSWERS)
    asked = ("compose", "--delta", "1e-5", "--json")
    bracket = [json.loads(run(*asked, *each).out)["answers"] for each in ((path, *ANSWERS), typed)]
    assert bracket[0] == bracket[1]


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ((), "how batches were drawn (sampling)"),
        (("--sampling", "poisson"), "which datasets are neighbors"),
        (("sampling=posson", "neighbors=add-remove"), "Did you mean 'poisson'?"),
        (("sampling=poisson", "sampling=poisson"), "sampling is given 2 times"),
        ((*ANSWERS, "neighbors=add-remove"), "cannot be used together"),
        ((*ANSWERS, "devices=2"), "does not depend on it"),
        (("--epsilon", "1"), "each is a release of its own"),
    ],
)
def test_what_is_wrong_is_named(words, match, path):
    done = run("assess", path, *words)
    assert done.code == 2 and match in " ".join(done.err.split())


def test_answers_belong_beside_files_of_tools_only(tmp_path):
    text = "dprisk: 1\nname: T\nunit: person\nperiod: once\nneighbors: add-remove\n"
    own = put(tmp_path, "own.yaml", text + "model: central\nguarantees: [{epsilon: 1}]\n")
    done = run("assess", str(own), "sampling=poisson")
    assert done.code == 2 and "sampling belongs in the file" in done.err


def test_a_report_shows_the_release_as_it_was_read(path, tmp_path):
    page = tmp_path / "report.md"
    assert run("report", path, *ANSWERS[2:], "sampling=poisson", "-o", str(page)).code == 0
    text = page.read_text("utf-8")
    assert "kind: subsampled-gaussian" in text and "release.yaml" in text


def test_a_ledger_keeps_what_was_read(tmp_path):
    account: Any = SimpleNamespace(unit="client")
    release, kept = describe(str(put(tmp_path, "flower.json", flower())), account)
    assert "subsampled-gaussian" in kept["text"] and kept["file"] == "flower.json"
    assert release.parts[0].count == 30


def flower():
    event = {"noise_multiplier": 1.5, "sample_size": 20, "population_size": 1000}
    return {
        "config": {
            "target_delta": 1e-5,
            "population_size": 1000,
            "neighboring_relation": "add-or-remove-one",
            "sampling_method": "poisson",
        },
        "compositions": [{"event": event, "count": 30}],
    }
