"""Known answers: dprisk gives them, and the three judges catch every digit on the unsafe side."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

import dprisk
from dprisk.composition import compose
from dprisk.mechanisms import RandomizedResponse
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
    *("subsampled-laplace", "capped-batches", "chosen-later"),
}
"""Where a truth is 0 or below the smallest double, and an answer is a little more; two are
brackets, up to 5e-5 wide; of what is chosen later, a filter tells what its whole cap allows."""


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
        "adaptivity",
        "order of questions",
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


def paths(step):
    """Epsilons along every sequence of answers."""
    if step is None:
        return [[]]
    return [[step["epsilon"], *rest] for each in step["then"] for rest in paths(each)]


def fixed(path):
    """Randomized responses, as if they had been chosen in advance."""
    losses = [RandomizedResponse(float(epsilon), neighbors="add-remove").loss() for epsilon in path]
    return compose(losses).guarantee


def test_what_happened_composed_as_if_it_had_been_fixed_is_caught(known):
    """The largest answer of any path; each choice that depends on an answer goes beyond it."""
    some = [each for each in known if "adaptive" in each["release"]]
    made = {json.dumps(each["release"]): each["release"]["adaptive"] for each in some}
    made = {text: [fixed(path) for path in paths(first)] for text, first in made.items()}
    naive = {}
    for each in some:
        said = [dprisk_answers.answer(g, each["ask"]) for g in made[json.dumps(each["release"])]]
        naive[each["id"]] = max(said, key=float)
    verdicts = judge.judge(naive, some)
    caught = {each["id"] for each in some if verdicts[each["id"]].word == "unsafe"}
    assert len(made) == 7 and len(caught) > 25
    assert verdicts["chosen-later-0095"].apart > 0.25


@pytest.mark.parametrize("name", JUDGES)
def test_an_answer_that_changes_when_asked_again_is_caught(name, known, answers, tmp_path):
    """A little more than before, which is not unsafe; no answer at all is another one, too."""
    again = [each["id"] for each in known if each.get("after")]
    more = judge.Decimal(answers[again[3]]) * judge.Decimal("1.000000001")
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({**answers, again[3]: str(more), again[9]: None}), encoding="utf-8")
    said = run(name, path)
    wrong = {line.split(":")[0] for line in said.stdout.splitlines() if line.endswith(": differs")}
    asked = {each["id"]: (str(each["release"]), each["ask"]) for each in known}
    both = [asked[again[place]] for place in (3, 9)]
    assert said.returncode == 1 and wrong == {one for one, what in asked.items() if what in both}


ON_THE_PAGE = """
const engine = require(process.argv[1]);
const said = (one, asked) => {
  const at = (name) => Number(asked[name]);
  if (asked.what === "delta") return one.delta(at("epsilon"));
  if (asked.what === "epsilon") return one.epsilon(at("delta"));
  if (asked.what === "power") return one.power(at("level"));
  return engine.beliefs(one.loss(at("failure")), at("prior"))[asked.what][1];
};
const answered = ([kind, parameters, count, asked]) => {
  const one = engine.guarantee(kind, parameters).repeated(count);
  return String(asked.map((each) => said(one, each)).pop()).replace("Infinity", "inf");
};
const wanted = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(wanted.map(answered)));
"""
CAPS = {"pure": "epsilon", "approximate": "epsilon", "concentrated": "rho", "gaussian": "mu"}


def on_the_page(release):
    """Kind, parameters and count of what the page knows; None of what it does not know."""
    if "filter" in release:
        told = {**release["filter"]}
        kind, cap = told.pop("rule"), float(told.pop("cap"))
        cap = math.sqrt(cap) if kind == "gaussian" else cap
        return kind, {CAPS[kind]: cap, **{name: float(text) for name, text in told.items()}}, 1
    (first, *more) = release.get("mechanisms") or release.get("guarantees") or [{}]
    if first.get("kind") == "gaussian" and not more:
        return (
            "gaussian",
            {"mu": float(first["sensitivity"]) / float(first["sigma"])},
            first["count"],
        )
    kind = {("epsilon", "delta"): "approximate", ("rho",): "concentrated"}.get(tuple(first))
    return kind and (kind, {name: float(text) for name, text in first.items()}, release["releases"])


def test_the_page_gives_those_that_it_knows(known):
    node, script = JUDGES["javascript"][0], Path(dprisk.__file__).parent / "web/script/engine.js"
    if not node:
        pytest.skip("no node on this machine")
    some = {
        each["id"]: [*made, [*each.get("after", ()), each["ask"]]]
        for each in known
        if each["ask"]["what"] not in ("level", "tail", "loss")
        and (made := on_the_page(each["release"]))
    }
    command = [node, "-e", ON_THE_PAGE, str(script)]
    done = subprocess.run(
        command, input=json.dumps([*some.values()]), capture_output=True, text=True, check=True
    )
    said = {
        name: dprisk_answers.exact(float(text))
        for name, text in zip(some, json.loads(done.stdout), strict=True)
    }
    verdicts = judge.judge(said, known)
    words = Counter(verdicts[name].word for name in some)
    assert {*words} <= {"agrees", "looser"} and words["agrees"] > 700


def test_judges_are_short():
    for command in JUDGES.values():
        assert len(Path(command[1]).read_text(encoding="utf-8").splitlines()) <= 150


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
            done = run(name, path)
            assert done.returncode == 1
            found = {line.split(":")[0] for line in done.stdout.splitlines() if ": unsafe" in line}
            assert found == {*chosen}, name


def test_a_level_hurts_above(known):
    for each in known:
        if each["unsafe"] == "above" and float(each["truth"][1]) > 0:
            high = judge.Decimal(each["truth"][1])
            assert judge.judged(high, high, "above", high * 2).word == "unsafe"
            assert judge.judged(high, high, "above", high / 2).word == "looser"


def run(name, *paths):
    """One judge, as a process; skips where it cannot run."""
    command = JUDGES[name]
    if not command[0] or not runs(name):
        pytest.skip(f"no {name} on this machine")
    return subprocess.run([*command, *map(str, paths)], capture_output=True, text=True, check=False)


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
        (lambda text: text.replace('"ask"', '"before": [], "ask"', 1), "before is unknown"),
        (lambda text: text.replace('"vectors"', '"after": [], "vectors"', 1), "after is unknown"),
        (lambda text: text.replace('"truth": ["', '"truth": ["x', 1), "decimal"),
        (lambda text: text.replace('"unsafe": "below"', '"unsafe": "beside"', 1), "below or above"),
    ],
)
def test_a_file_that_is_none_is_refused(name, change, word, tmp_path):
    path, answered = tmp_path / "laplace.json", tmp_path / "answers.json"
    path.write_text(change(FILES[-3].read_text(encoding="utf-8")), encoding="utf-8")
    answered.write_text("{}", encoding="utf-8")
    done = run(name, answered, path)
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
