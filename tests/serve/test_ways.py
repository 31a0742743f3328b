"""The pages say what the command line says: the same questions, the same JSON, the same words."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path

import pytest

from dprisk._values import plain, written
from dprisk.errors import DpriskError
from dprisk.serve.drawn import at
from dprisk.serve.pages import address, page, shown, static
from dprisk.serve.questions import ask
from dprisk.serve.ways import (
    START,
    WAYS,
    asked,
    command,
    described,
    ending,
    moot,
    python,
    reported,
    share,
    state,
)
from dprisk.text import texts
from tests.cli.running import run

EXAMPLES = Path(__file__).parents[2] / "examples"

ADDRESSES = {
    "a promise": ("promise", {}),
    "a promise with everything": (
        "promise",
        {"kind": "approximate", "epsilon": "0.50", "delta": "1e-10", "prior": "2.5"}
        | {"confidence": "95", "count": "12", "audience": "data-subject", "language": "de"},
    ),
    "a fact": ("promise", {"kind": "concentrated", "rho": "0.1", "neighbors": "replace-one"}),
    "a published release": ("release", {"published": "Lookup Hints", "count": "2"}),
    "a pasted release": (
        "release",
        {"text": "dprisk = 1\nname = 'T'\nunit = 'person'\nperiod = 'once'\nneighbors = "
         "'add-remove'\nmodel = 'central'\nguarantees = [{mu = 0.5}]\n", "confidence": "90"},
    ),
    "one limit": ("budget", {}),
    "a profile": ("budget", {"prior2": "50", "limit2": "60", "sensitivity": "2", "count": "3"}),
    "a change": ("budget", {"metric": "difference", "neighbors": "replace-one"}),
    "a test": ("budget", {"metric": "power", "level": "1"}),
    "two promises": ("compare", {"kind2": "gaussian", "mu2": "0.3"}),
    "three, unlike": (
        "compare", {"kind2": "published", "kind3": "pure", "neighbors3": "replace-one"}
    ),
}  # fmt: skip
of_every_address = pytest.mark.parametrize(("way", "query"), ADDRESSES.values(), ids=ADDRESSES)


def put(question, folder):
    """The files that a command reads."""
    for given in question.body.values():
        if isinstance(given, dict):
            (folder / given["file"]).write_text(given["text"], encoding="utf-8")


@of_every_address
def test_the_command_on_the_page_gives_the_same_json(way, query, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for question in asked(way, state(way, query)).values():
        put(question, tmp_path)
        _, *words = shlex.split(command(question))
        assert run(*words, "--json").out == written(ask(*question))


@of_every_address
def test_the_python_line_gives_the_same_numbers(way, query, tmp_path, monkeypatch):
    if way == "compare":
        pytest.skip("several are compared by their commands")
    monkeypatch.chdir(tmp_path)
    question = next(iter(asked(way, state(way, query)).values()))
    put(question, tmp_path)
    answer = ask(*question)
    *lines, last = python(question, answer).splitlines()
    here: dict[str, object] = {}
    exec("\n".join(lines), here)  # it is our own line
    made = plain(eval(last, here))
    key = "budgets" if way == "budget" else "statements"
    for one in (made, answer):
        for statement in one[key]:
            statement.pop("parts", None)  # a typed promise keeps its text
    assert made[key] == answer[key]


@of_every_address
def test_a_page_is_text_without_script_style_or_address_elsewhere(way, query):
    media, content = shown(json.dumps({"way": way, "query": query}).encode())
    text = content.decode()
    assert media == "text/html"
    assert not re.search(r"<style|<script(?! src=\"/static/)|\sstyle=|\son\w+=", text)
    assert not re.search(r"""(src|action|formaction)=["']?(https?:)?//""", text)
    assert 'id="headline"' in text
    assert 'class="problem"' not in text


@of_every_address
def test_an_upper_bound_on_a_page_reads_at_most(way, query):
    """What the answer says of the start asked about is what the page says, word for word."""
    now = state(way, query)
    answers = {key: ask(*question) for key, question in asked(way, now).items()}
    text = page(way, now, answers).replace("\N{NO-BREAK SPACE}", " ").replace("&#39;", "'")
    for words in (answers[name] for name in answers if name == "explain"):
        for sentence in words["sections"][0]["sentences"]:
            assert sentence["text"] in text
    if way != "budget":
        assert re.search("at most|höchstens|over 99", text)


@pytest.mark.parametrize("way", WAYS)
def test_in_german_nothing_of_the_page_is_left_in_english(way):
    """Names, units, assumptions and sources are as the JSON has them."""
    query = {"language": "de", "audience": "data-subject"}
    _, content = shown(json.dumps({"way": way, "query": query}).encode())
    text = re.sub(r'<div lang="en">.*?</div>', "", content.decode(), flags=re.DOTALL)
    for area in ("page", "ways"):
        english, german = texts("en", area), texts("de", area)
        said = {one for one in english.values() if len(one) > 12 and "{" not in one}
        assert {one for one in said if one in text} <= set(german.values())
    assert '<html lang="de">' in text


def test_german_fills_the_same_gaps():
    english, german = texts("en", "ways"), texts("de", "ways")
    assert german.keys() == english.keys()
    for key, text in german.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(
            re.findall(r"\{\w+\}", english[key])
        ), key


EVIL = "<img src=x onerror=alert(1)>\"'&{{1234*5}}\u202e\x00</textarea></script>"


@pytest.mark.parametrize("way", WAYS)
def test_whatever_an_address_says_is_text(way):
    usual = state(way, {})
    for name in usual:
        now = state(way, {name: EVIL})
        try:
            answers = {key: ask(*question) for key, question in asked(way, now).items()}
            text = page(way, now, answers)
        except DpriskError as error:
            text = page(way, now, problem=str(error))
        assert "<img" not in text, name
        assert "6170" not in text
        assert text.count("</textarea>") <= 1
        assert "\x00" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize(
    ("way", "query", "named"),
    [
        ("promise", {"kind": "published"}, "kind"),
        ("promise", {"prior": "half"}, "--prior"),
        ("release", {"published": "Nothing"}, "published"),
        ("release", {"text": "nonsense"}, "release.yaml"),
        ("budget", {"metric": "ratio", "limit1": "200"}, "metric"),
        ("budget", {"prior1": ""}, "--prior"),
        ("budget", {"prior2": "half", "limit2": "60"}, "profile.yaml"),
        ("compare", {"kind": "", "kind2": ""}, "kind"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(way, query, named):
    with pytest.raises(DpriskError, match=named):
        shown(json.dumps({"way": way, "query": query}).encode())


def test_a_refusal_names_the_field_of_the_form():
    text = page("promise", state("promise", {}), problem="--epsilon must be a number; --seed too.")
    assert (
        "\N{LEFT DOUBLE QUOTATION MARK}ε, privacy loss limit\N{RIGHT DOUBLE QUOTATION MARK} must"
        in text
    )
    assert "--seed too" in text


@pytest.mark.parametrize(
    "query",
    [{}, {"count": "12"}, {"secret": "attribute"}, {"prior2": "50", "limit2": "60", "count": "3"}],
)
def test_the_largest_promise_is_drawn_through_the_point_that_binds(query):
    """Over all releases, and over both steps where a fact takes two."""
    now = state("budget", query)
    answers = {key: ask(*question) for key, question in asked("budget", now).items()}
    (drawn,) = re.findall(r'class="reach" points="(.*?)"', page("budget", now, answers))
    line = [tuple(map(float, pair.split(","))) for pair in drawn.split()]
    x, y = at(0.5, 0.6) if "prior2" in query else at(0.1, 0.2)
    assert min(math.dist((x, y), each) for each in line) < 0.2


@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_of_several_limits_on_a_fact_the_strictest_is_kept(neighbors):
    """A profile would be about who is in the data, and allow a fact twice the loss."""
    points = {"prior1": "50", "limit1": "90", "prior2": "10", "limit2": "20"}
    now = state("budget", {"secret": "attribute", "neighbors": neighbors} | points)
    (question,) = asked("budget", now).values()
    assert "--limit posterior=0.2 --prior 0.1 " in command(question)
    (most, *_) = ask(*question)["budgets"]
    steps = 2 if neighbors == "add-remove" else 1
    assert most["value"] == pytest.approx(math.log(2.25) / steps, rel=1e-6)


@pytest.mark.parametrize("wrong", ["half", "0", "-1", "100", "nan", "inf", "1e-999999999", ""])
def test_a_limit_that_is_none_is_refused_and_not_passed_over(wrong):
    query = {"secret": "attribute", "prior1": wrong, "prior2": "10", "limit2": "20"}
    (question,) = asked("budget", state("budget", query)).values()
    with pytest.raises(DpriskError, match="prior"):
        ask(*question)


def test_what_is_as_at_the_start_is_left_to_the_other_way():
    text = page("promise", state("promise", {"epsilon": "2", "count": "3"}), problem="-")
    assert 'href="/release?count=3"' in text
    assert (
        'href="/compare?count=3&amp;epsilon=2"' in text
        or 'href="/compare?epsilon=2&amp;count=3"' in text
    )


def test_an_address_holds_the_state_and_nothing_else():
    assert state("promise", {"epsilon": " 2 ", "unknown": "1"})["epsilon"] == "2"
    assert "unknown" not in state("promise", {"unknown": "1"})
    assert state("promise", {"neighbors": "replace-one"})["secret"] == "attribute"


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("10", "0.1"),
        ("2.50", "0.025"),
        ("1e-300", "1e-302"),
        ("0", "0"),
        ("half", "half"),
        (f"99.{'9' * 40}", f"0.99{'9' * 40}"),
    ],
)
def test_in_a_hundred_is_exact(text, exact):
    assert share(text) == exact


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("dprisk: 1\nname: x", ".yaml"),
        ("# a\ndprisk = 1", ".toml"),
        ("[release]\nname = 1", ".toml"),
        ('{"dprisk": 1}', ".json"),
        ('[{"dprisk": 1}]', ".json"),
        ("- dprisk: 1", ".yaml"),
        ("name: a = b", ".yaml"),
        ("# of the town.\n# rho = 2.63\ndprisk: 1\n", ".yaml"),
        ("# a\n\n# b = c\n[release] # d\nname = 1", ".toml"),
        ("", ".yaml"),
    ],
)
def test_how_a_text_begins_says_its_format(text, form):
    assert ending(text) == form


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_the_examples_can_be_pasted(path):
    now = state("release", {"text": path.read_text(encoding="utf-8")})
    name, _ = described("release", now)
    assert name == f"release{path.suffix}"
    question = asked("release", now)["assess"]
    assert ask(*question)["statements"]


def test_over_several_releases_a_budget_is_for_each():
    now = state("budget", {"count": "12"})
    answers = {key: ask(*question) for key, question in asked("budget", now).items()}
    assert "0.08566 in each release, in at least 99" in page("budget", now, answers)


def test_style_and_script_fetch_nothing():
    for name in ("serve.css", "serve.js"):
        text = static(name)[1].decode()
        assert not re.search(r"https?://|@import|url\(|\beval\b|innerHTML", text)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"epsilon": "3", "delta": "1e-5"}, "approximate"),
        ({"delta": "1e-5"}, "approximate"),
        ({"rho": "1"}, "concentrated"),
        ({"mu": "1"}, "gaussian"),
        ({"epsilon": "3"}, "pure"),
        ({}, "pure"),
        ({"prior": "20"}, "pure"),
    ],
)
def test_the_kind_of_a_promise_follows_from_its_parameters(given, kind):
    assert state("promise", given)["kind"] == kind
    body = asked("promise", state("promise", given))["assess"].body
    assert {name: body[name] for name in given if name != "prior"}.items() <= given.items()
    for mark in ("", "2", "3"):
        column = {f"{name}{mark}": text for name, text in given.items() if name != "prior"}
        usual = "" if mark == "3" and not column else kind
        assert state("compare", column)[f"kind{mark}"] == usual


def test_a_column_with_a_published_release_is_one():
    assert state("compare", {"published3": "Lookup Hints"})["kind3"] == "published"


@pytest.mark.parametrize(
    ("way", "query", "unused"),
    [
        ("promise", {"rho": "1", "epsilon": "3"}, "rho"),
        ("promise", {"kind": "pure", "epsilon": "3", "delta": "1e-5"}, "delta"),
        ("promise", {"kind": "gaussian", "epsilon": "3"}, "epsilon"),
        ("release", {"text": "dprisk: 1", "published": "Lookup Hints"}, "published"),
        ("budget", {"level": "1"}, "level"),
        ("budget", {"metric": "power", "confidence": "90"}, "confidence"),
        ("budget", {"metric": "difference", "prior1": "20"}, "prior1"),
        ("budget", {"prior2": "20"}, "prior2"),
        ("compare", {"kind2": "published", "epsilon2": "2"}, "epsilon2"),
        ("compare", {"kind3": "", "rho3": "2"}, "rho3"),
        ("compare", {"kind": "published", "neighbors": "replace-one"}, "neighbors"),
    ],
)
def test_a_field_that_changes_nothing_is_known(way, query, unused):
    assert unused in moot(way, state(way, query))
    assert f"{unused}=" not in address(way, state(way, query))


OTHER = {"language": "de", "kind": "gaussian", "kind2": "gaussian", "kind3": "gaussian"} | {
    "metric": "power", "neighbors": "replace-one", "secret": "attribute", "audience": "curator",
    "published": "Lookup Hints", "model": "local",
    "text": "{dprisk: 1, name: T}",
}  # fmt: skip


def outcome(way, now):
    """All that a page is made of."""
    made = [asked(way, now), now["language"]]
    return [*made, reported(way, now)] if way in ("promise", "release") else made


@pytest.mark.parametrize(("way", "name"), [(way, name) for way in WAYS for name in START[way]])
def test_every_part_of_an_address_changes_the_page_or_is_moot(way, name):
    """Beside the start, and beside each address of these tests."""
    other = OTHER.get(name) or OTHER.get(name.rstrip("23")) or "7"
    for query in [{}, *(query for where, query in ADDRESSES.values() if where == way)]:
        before, after = state(way, query), state(way, {**query, name: other})
        if before != after and name not in moot(way, after):
            assert outcome(way, before) != outcome(way, after), query
        if name in moot(way, before):
            assert outcome(way, before) == outcome(way, {**before, name: other}), query
