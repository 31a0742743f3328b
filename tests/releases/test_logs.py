"""Training logs and model cards, as releases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dprisk.errors import InvalidFile, InvalidInput, Meaningless
from dprisk.mechanisms import SubsampledGaussian
from dprisk.releases import read_from
from dprisk.releases.tools import read
from tests.releases.tools_samples import READINGS, TOOLS, put, run, together

ADD: Any = {"neighbors": "add-remove"}
GIVEN = {**ADD, "sampling": "poisson"}
LOG = "epoch,step,noise_multiplier,sample_rate,epsilon\n1,100,1.1,0.01,0.5\n2,250,0.9,0.01,0.9\n"
CARD = {
    "target_epsilon": 8.0,
    "target_delta": 1e-5,
    "noise_multiplier": 0.8,
    "per_device_train_batch_size": 16,
    "gradient_accumulation_steps": 8,
    "num_train_epochs": 3,
    "train_dataset_size": 25000,
}


def step(sigma, rate):
    return SubsampledGaussian(sigma, 1.0, rate, **ADD)


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "inside", "object"])
def test_a_log_in_every_form(form, tmp_path):
    names, *lines = [line.split(",") for line in LOG.split()]
    rows = [dict(zip(names, map(float, line), strict=True)) for line in lines]
    what = {
        "csv": lambda: put(tmp_path, "log.csv", LOG),
        "json": lambda: put(tmp_path, "log.json", rows),
        "jsonl": lambda: put(tmp_path, "log.jsonl", "\n".join(map(json.dumps, rows))),
        "inside": lambda: put(tmp_path, "log.json", {"log_history": rows}),
        "object": lambda: rows,
    }[form]()
    found = read(what, **GIVEN)
    assert run(found.release) == [(step(1.1, 0.01), 100), (step(0.9, 0.01), 150)]
    assert [(each.epsilon, each.delta) for each in found.said] == [(0.9, None)]
    assert [each.name for each in found.missing] == ["tuning", "delta"]


def test_a_log_of_epochs_asks_for_the_sizes(tmp_path):
    path = put(tmp_path, "log.csv", "epoch,noise_multiplier\n1,1.1\n2,1.1\n")
    needed = [each.name for each in read(path).missing if each.needed]
    assert needed == ["sampling", "neighbors", "batch_size", "examples"]
    release = read_from(path, **GIVEN, batch_size=128, examples=25000)
    assert run(release) == [(step(1.1, 0.00512), 2 * 196)]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("step,noise_multiplier,sample_rate\n100,1.1,0.01\n50,1.1,0.01\n", "must grow"),
        ("step,noise_multiplier,sample_rate\n100,1.1,0.01\n100,1.1,0.01\n", "must grow"),
        ("step,noise_multiplier,sample_rate\n100,0,0.01\n", "noise multiplier must be above 0"),
        ("step,noise_multiplier,sample_rate\n100,1.1,1.01\n", "at most 1"),
        ("step,noise_multiplier,sample_rate\nx,1.1,0.01\n", "whole number"),
        ("step,noise_multiplier,sample_rate\n0,1.1,0.01\n", "no step"),
        ("step,noise_multiplier,sample_rate\n5,,0.01\n6,1.0,0.01\n", "up to row 1"),
        ("step,step,noise_multiplier\n5,5,1\n", "Two columns"),
    ],
)
def test_bad_logs_are_named(text, match, tmp_path):
    with pytest.raises(InvalidFile, match=match):
        read(put(tmp_path, "log.csv", text), **GIVEN)


@pytest.mark.parametrize("form", ["yaml", "json", "md", "nested"])
def test_a_card_in_every_form(form, tmp_path):
    lines = "".join(f"  {key}: {value}\n" for key, value in CARD.items())
    front = f"---\nlicense: x\nprivacy:\n{lines}---\n# Model\n"
    what = {
        "yaml": lambda: put(tmp_path, "card.yaml", f"dp:\n{lines}"),
        "json": lambda: put(tmp_path, "card.json", CARD),
        "md": lambda: put(tmp_path, "card.md", front),
        "nested": lambda: {"a": {"b": CARD}},
    }[form]()
    found = read(what)
    needed = [each.name for each in found.missing if each.needed]
    assert needed == ["sampling", "neighbors", "devices"]
    assert [(each.epsilon, each.reached) for each in found.said] == [(8.0, "target")]
    assert run(read_from(what, **GIVEN, devices=1)) == [(step(0.8, 0.00512), 3 * 196)]
    assert run(read_from(what, **GIVEN, devices=2)) == [(step(0.8, 0.01024), 3 * 98)]


def test_a_card_with_a_promise_only_is_a_claim():
    card = {"epsilon": 8, "delta": "1/25000", "noise_multiplier": None, "dataset_size": "25k"}
    found = read(card)
    assert found.release is None and [each.epsilon for each in found.said] == [8.0]
    assert found.known["examples"] == 25000 and found.known["delta"] == 4e-5
    assert "noise_multiplier" in [each.name for each in found.missing if each.needed]
    with pytest.raises(Meaningless, match=r"noise_multiplier=1\.1"):
        found.described()


def test_what_is_given_completes_a_card():
    card = {"noise_multiplier": 1.1, "sample_rate": 0.01}
    assert run(read_from(card, **GIVEN, steps=7)) == [(step(1.1, 0.01), 7)]
    assert run(read_from(card, **GIVEN, epochs=2)) == [(step(1.1, 0.01), 200)]
    with pytest.raises(InvalidInput, match="a whole number"):
        read(card, **GIVEN, steps=7.5)
    with pytest.raises(Meaningless, match=r"noise_multiplier=1\.1"):
        read(card, **GIVEN, noise_multiplier=2.0)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"noise_multiplier": 0}, "noise_multiplier must be above 0"),
        ({"train_dataset_size": "many"}, "examples must be a whole number"),
        ({"train_dataset_size": 100}, "larger than the data"),
        ({"sample_rate": 0.5}, "sizes make 0.00512"),
        ({"batch_size": 64}, "by the devices"),
        ({"target_delta": 3}, "delta must be above 0 and at most 1"),
    ],
)
def test_bad_cards_are_named(change, match):
    with pytest.raises(InvalidFile, match=match):
        read({**CARD, **change}, **GIVEN, devices=1)


def test_our_own_files_and_others_are_no_cards(tmp_path):
    for tree in ({"a": 1}, {"epsilon": 1}, {"dprisk": 1, "epsilon": 1, "delta": 0}):
        with pytest.raises(InvalidFile, match="No tool that dprisk knows"):
            read(put(tmp_path, "x.json", tree))
    with pytest.raises(InvalidFile, match="No tool that dprisk knows"):
        read(put(tmp_path, "x.md", "# Title\n\nText.\n"))


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
def test_the_card_among_the_files():
    known = json.loads(READINGS.read_text("utf-8"))["model-card.md"]["certified"]["4e-5"]
    release = read_from(TOOLS / "more" / "model-card.md", **GIVEN, devices=1)
    assert known[0] <= together(release).epsilon(4e-5).value <= known[1] + 1e-9
    log = read_from(TOOLS / "training-log.csv", **GIVEN)
    assert together(log).epsilon(1e-5).value == pytest.approx(1.51537, abs=1e-5)
