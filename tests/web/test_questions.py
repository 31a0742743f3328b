"""The server answers what the command line prints, byte for byte, and says what it says."""

from __future__ import annotations

import json

import pytest

from dprisk._values import written
from dprisk.errors import DpriskError
from dprisk.web.guard import problem_of
from dprisk.web.questions import answer, ask
from tests.cli.running import HEAD, run, write

RELEASE = HEAD + "guarantees: [{epsilon: 0.50, delta: 1e-10}]\n"
PROFILE = "dprisk: 1\nname: Counts\nprofile: {ratio: 3}\n"
TYPED = ("--epsilon", "0.50", "--neighbors", "add-remove")
BODY = {"epsilon": "0.50", "neighbors": "add-remove"}
NOISE = {"mechanism": "laplace", "parameters": {"scale": "2", "sensitivity": "1"}}
TOLD = ("--limit", "posterior=0.8", "--neighbors", "add-remove")
ASKED = {
    "a promise": ("assess", TYPED, BODY),
    "everything about a reader": (
        "assess",
        (*TYPED, "--prior", "0.1", "--prior", "0.50", "--secret", "attribute", "--one-sided"),
        {**BODY, "prior": ["0.1", "0.50"], "secret": "attribute", "one_sided": True},
    ),
    "a limit that is not kept": (
        "assess",
        (*TYPED, "--limit", "odds=1.1", "--raw-output"),
        {**BODY, "limit": {"odds": 1.1}, "raw_output": True},
    ),
    "a file": ("assess", ("release.yaml",), {"release": RELEASE}),
    "a file with its name": (
        "assess",
        ("town.toml",),
        {"release": {"file": "town.toml", "text": "dprisk = 1\nname = 'Town'\nunit = 'person'\n"
        "period = 'once'\nneighbors = 'add-remove'\nmodel = 'central'\n"
        "guarantees = [{rho = 0.10}]\n"}},
    ),
    "several releases": ("assess", ("release.yaml",), {"release": f"{RELEASE}---\n{RELEASE}"}),
    "composed": (
        "compose",
        ("release.yaml", "--delta", "1e-6", "--releases", "10"),
        {"release": RELEASE, "delta": ["1e-6"], "releases": 10},
    ),
    "composed from JSON": (
        "compose",
        ("release.json", "--delta", "1e-6"),
        {
            "release": {
                "dprisk": 1, "name": "Town", "unit": "person", "period": "once",
                "neighbors": "add-remove", "model": "central", "guarantees": [{"epsilon": 1}],
            },
            "delta": "1e-6",
        },
    ),
    "a test": ("power", (*TYPED, "--level", "0.05"), {**BODY, "level": 0.05}),
    "a mechanism": (
        "power",
        ("--mechanism", "laplace", "scale=2", "sensitivity=1", "--neighbors", "add-remove"),
        {**NOISE, "neighbors": "add-remove"},
    ),
    "a budget": (
        "budget",
        (*TOLD, "--prior", "0.5", "--mechanism", "laplace"),
        {"limit": ["posterior=0.8"], "neighbors": "add-remove", "prior": 0.5,
         "mechanism": ["laplace"]},
    ),
    "a profile": ("budget", ("profile.yaml",), {"profile": PROFILE}),
    "a budget of which some is spent": (
        "budget",
        (*TOLD, "--prior", "0.5", "--spent", "spent-0.yaml", "--spent", "spent-1.yaml"),
        {"limit": {"posterior": 0.8}, "neighbors": "add-remove", "prior": 0.5,
         "spent": [RELEASE, RELEASE]},
    ),
    "in words": (
        "explain",
        (*TYPED, "--audience", "regulator", "--unit", "<b> \u202e \ud800"),
        {**BODY, "audience": "regulator", "unit": "<b> \u202e \ud800"},
    ),
    "in German": ("explain", (*TYPED, "--language", "de"), {**BODY, "language": "de"}),
    "a document": (
        "report",
        ("release.yaml", "--by", "A. Analyst", "--limit", "posterior=0.9"),
        {"release": RELEASE, "by": "A. Analyst", "limit": {"posterior": 0.9}},
    ),
}  # fmt: skip
REFUSED = {
    "no release": ("assess", (), {}),
    "a number that is none": (
        "assess",
        ("--epsilon", "nan", "--neighbors", "add-remove"),
        {"epsilon": "nan", "neighbors": "add-remove"},
    ),
    "no neighbors": ("assess", ("--epsilon", "1"), {"epsilon": 1}),
    "two subjects": ("power", ("release.yaml", *TYPED), {"release": RELEASE, **BODY}),
    "a file that is not one": ("report", ("release.yaml",), {"release": "Dear Sir or Madam,\n"}),
    "a file with a mistake": (
        "assess",
        ("release.yaml",),
        {"release": HEAD + "guarantees: [{epsilon: -1}]\n"},
    ),
    "no question": ("compose", ("release.yaml",), {"release": RELEASE}),
    "no limit": ("budget", ("--neighbors", "add-remove"), {"neighbors": "add-remove"}),
    "an audience of nobody": ("explain", (*TYPED, "--audience", "x"), {**BODY, "audience": "x"}),
    "a date of never": (
        "report",
        ("release.yaml", "--date", "2020-13-45"),
        {"release": RELEASE, "date": "2020-13-45"},
    ),
    "text that a terminal would obey": (
        "assess",
        ("--epsilon", "\x1b[31m", "--neighbors", "add-remove"),
        {"epsilon": "\x1b[31m", "neighbors": "add-remove"},
    ),
}


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Runs a command in a folder with the files of a body."""
    monkeypatch.chdir(tmp_path)

    def run_beside(question, words, body):
        for name, given in body.items():
            if name == "release" and isinstance(given, dict) and "dprisk" in given:
                write(tmp_path, "release.json", json.dumps(given))
            elif isinstance(given, dict) and "file" in given:
                write(tmp_path, given["file"], given["text"])
            elif name in ("release", "profile"):
                write(tmp_path, f"{name}.yaml", given)
            elif name == "spent":
                for number, text in enumerate(given):
                    write(tmp_path, f"spent-{number}.yaml", text)
        return run(question, *words, "--json")

    return run_beside


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_is_what_the_command_prints(name, printed):
    """By the function, and by the bytes that a worker is given and gives back."""
    question, words, body = ASKED[name]
    done = printed(question, words, body)
    assert done.code in (0, 3), done.err
    assert written(ask(question, body)) == done.out
    media, sent = answer(f"{question}\n{json.dumps(body)}".encode())
    assert (media, sent.decode()) == ("application/json", done.out)


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_what_the_command_says(name, printed):
    """But for the option, which the command quotes as it was typed."""
    question, words, body = REFUSED[name]
    done = printed(question, words, body)
    assert done.code == 2
    with pytest.raises(DpriskError) as refused:
        ask(question, body)
    error, problem = refused.value, problem_of(refused.value)
    assert problem.status == 422
    told = json.loads(done.err)["message"]
    if told != problem.detail:
        said = f"the value must be {error.allowed}. {error.fix}".rstrip()
        assert told.startswith("--")
        assert told.endswith(f": {said}")
        assert error.allowed in problem.detail and error.fix in problem.detail
