"""Known answers: dprisk gives them, and the three judges catch every digit on the unsafe side."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from vectors import dprisk_answers, judge
from vectors.judge import read, vectors

FOLDER = Path(judge.__file__).parent
FILES = sorted((FOLDER / "known").glob("*.json"))
JUDGES = {
    "python": [sys.executable, str(FOLDER / "judge.py")],
    "javascript": [shutil.which("node") or "", str(FOLDER / "judge.js")],
    "r": [shutil.which("Rscript") or "", str(FOLDER / "judge.R")],
}
LEAST = 2000
LOOSER = {
    *("geometric", "randomized-response", "gaussian"),
    *("subsampled-laplace", "capped-batches"),
}
"""Where a truth is 0 or below the smallest double, and an answer is a little more; the last two are
brackets, up to 5e-5 wide."""


@pytest.fixture(scope="module")
def known():
    return [each for path in FILES for each in vectors(path)]


@pytest.fixture(scope="module")
def answers(known):
    return dprisk_answers.answers(known)


def test_there_are_enough_of_every_kind(known):
    assert len(known) >= LEAST
    assert len({each["id"] for each in known}) == len(known)
    flags = {flag for each in known for flag in each["flags"]}
    assert {
        "small delta",
        "asymmetric pair",
        "prior 0 and 1",
        "underflow",
        "doubled neighbors",
        "the sum's own delta",
        "lattice off the grid",
        "order of parts",
        "capped batches",
        "RDP's order floor",
    } <= flags


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_follow_the_schema(path):
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), schema)


def test_inputs_are_what_a_double_holds(known):
    for each in known:
        for name, text in each["ask"].items():
            if name not in ("what", "sides"):
                assert judge.Decimal(text) == judge.Decimal(float(text))


def test_dprisk_gives_them(known, answers):
    verdicts = judge.judge(answers, known)
    words = {name: verdict.word for name, verdict in verdicts.items()}
    assert "unsafe" not in words.values() and "cannot say" not in words.values()
    looser = {name.rpartition("-")[0] for name, word in words.items() if word == "looser"}
    assert looser <= LOOSER


def moved(text, rng):
    """A number one digit of which is smaller, or larger: an unsafe one, and which digit."""
    places = [i for i, digit in enumerate(text.partition("e")[0]) if digit in "123456789"]
    place = rng.choice(places)
    return text[:place] + str(int(text[place]) - 1) + text[place + 1 :]


def test_every_moved_digit_is_caught(known, tmp_path):
    """500 truths, a digit of each moved to the unsafe side; every judge finds exactly these."""
    rng = random.Random("moved digits")
    some = [
        e for e in known if e["unsafe"] == "below" and float(e["truth"][0]) not in (0, float("inf"))
    ]
    chosen = {each["id"]: moved(each["truth"][0], rng) for each in rng.sample(some, 500)}
    verdicts = judge.judge(chosen, known)
    assert {name for name, verdict in verdicts.items() if verdict.word == "unsafe"} == {*chosen}
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(chosen), encoding="utf-8")
    for name, command in JUDGES.items():
        if command[0] and runs(name):
            done = subprocess.run(
                [*command, str(path)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 1
            found = {line.split(":")[0] for line in done.stdout.splitlines() if ": unsafe" in line}
            assert found == {*chosen}, name


def test_a_level_hurts_above(known):
    for each in known:
        if each["unsafe"] == "above" and float(each["truth"][1]) > 0:
            high = judge.Decimal(each["truth"][1])
            assert judge.judged(high, high, "above", high * 2).word == "unsafe"
            assert judge.judged(high, high, "above", high / 2).word == "looser"


def runs(name):
    """R needs a package."""
    if name != "r":
        return True
    asked = [JUDGES["r"][0], "-e", "library(jsonlite)"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda text: text[: len(text) // 2], "read to its end"),
        (lambda text: text.replace('"vectors": 1', '"vectors": 2'), "version 1"),
        (lambda text: text.replace('"flags"', '"flag"', 1), "flag"),
        (lambda text: text.replace('"truth": ["', '"truth": ["x', 1), "decimal"),
        (lambda text: text.replace('"unsafe": "below"', '"unsafe": "beside"', 1), "below or above"),
    ],
)
def test_a_file_that_is_none_is_refused(name, change, word, tmp_path):
    command = JUDGES[name]
    if not command[0] or not runs(name):
        pytest.skip(f"no {name} on this machine")
    path, answered = tmp_path / "laplace.json", tmp_path / "answers.json"
    path.write_text(change(FILES[-3].read_text(encoding="utf-8")), encoding="utf-8")
    answered.write_text("{}", encoding="utf-8")
    done = subprocess.run(
        [*command, str(answered), str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and word in done.stderr and "agrees" not in done.stdout


def test_answers_of_no_vector_and_numbers_that_are_no_text(known, tmp_path):
    for answers, word in (
        ({"gaussian-9999": "1"}, "no vector"),
        ({"gaussian-0001": 1.0}, "as text"),
    ):
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(answers), encoding="utf-8")
        with pytest.raises(judge.Unreadable, match=word):
            judge.judge(read(path), known)
