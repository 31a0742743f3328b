"""A guarantee that rests on a cipher or generator, against exact pairs of coins."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, inf, log

import pytest

from dprisk import ApproxDP, PureDP, assess
from dprisk.budget import plan
from dprisk.budget.limits import EpsilonLimit
from dprisk.composition.certificates import certificate
from dprisk.documents import compose_release, explain, report
from dprisk.documents.assessing import json_schema
from dprisk.documents.compositions import composition_schema
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, OutOfRange
from dprisk.ledger import Account, Ledger
from dprisk.releases import Computational, Part, Release, read_releases, write_release

AES = "noise from an AES-CTR generator"
HEAD = """dprisk: 1
name: Visits
unit: person
period: once
neighbors: add-remove
model: central
guarantees: [{epsilon: 1}]
"""
GRID = [Fraction(n, 40) for n in range(41)]


def released(advantage=2.0**-100, promise=None, releases=1):
    promise = promise or PureDP(1.0, neighbors="add-remove")
    return Release(
        name="Visits",
        unit="person",
        period="once",
        neighbors="add-remove",
        neighbors_stated=True,
        model="central",
        parts=(Part(promise),),
        releases=releases,
        computational=Computational(advantage, AES),
    )


def worst(factor, delta, advantage):
    """Largest P(S) - factor Q(S) of real coins near ideal coins that keep the promise, exactly."""
    found = Fraction(0)
    for q in GRID:
        for p in GRID:
            pairs = ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
            if all(x <= factor * y + delta for x, y in pairs):
                real = min(p + advantage, Fraction(1)), max(q - advantage, Fraction(0))
                found = max(found, real[0] - factor * real[1])
    return found


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(2), Fraction(3)])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 20)])
@pytest.mark.parametrize("advantage", [Fraction(0), Fraction(1, 100), Fraction(1, 40)])
def test_added_to_delta_is_what_some_coins_reach(factor, delta, advantage):
    found = Computational(float(advantage), AES).delta(log(factor))
    reached = worst(factor, delta, advantage) - delta
    assert reached == (1 + factor) * advantage  # not just one advantage
    assert reached <= Fraction(found) <= reached * (1 + Fraction(1, 10**12)) + Fraction(1, 10**300)


@pytest.mark.parametrize("releases", [1, 3, 10**9])
@pytest.mark.parametrize("advantage", [0.0, 1e-300, 2.0**-100, 0.1, 1.0])
def test_total_is_the_sum_of_all_releases_rounded_up(advantage, releases):
    exact = min(Fraction(1), releases * Fraction(advantage))
    found = Fraction(Computational(advantage, AES).total(releases))
    assert exact <= found <= exact * (1 + Fraction(1, 10**13)) + Fraction(1, 10**320)


@pytest.mark.parametrize(
    ("advantage", "epsilon", "added"), [(0.0, inf, 0.0), (1e-30, inf, 1.0), (1.0, 0.0, 1.0)]
)
def test_ends(advantage, epsilon, added):
    assert Computational(advantage, AES).delta(epsilon) == added


@pytest.mark.parametrize("text", ["2**-100", "2^-100", "7.888609052210118e-31"])
def test_file_gives_it_and_keeps_it(text, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(f"{HEAD}computational: {{advantage: {text}, assumption: '{AES}'}}\n")
    (found,) = read_releases(path)
    assert found.computational == Computational(2.0**-100, AES)
    for ending in ("json", "yaml"):
        write_release(found, tmp_path / f"b.{ending}")
        assert list(read_releases(tmp_path / f"b.{ending}")) == [found]


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ("{advantage: 2, assumption: a}", "computational.advantage"),
        ("{advantage: 2**-1000, assumption: a}", "computational.advantage"),
        ("{advantage: often, assumption: a}", "computational.advantage"),
        ("{advantage: 0.1}", "computational.assumption"),
        ("{advantage: 0.1, assumption: ' '}", "computational.assumption"),
        ("{advantages: 0.1, assumption: a}", "computational.advantages"),
        ("0.1", "computational"),
    ],
)
def test_bad_files(given, where, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(f"{HEAD}computational: {given}\n")
    with pytest.raises(InvalidFile) as caught:
        read_releases(path)
    assert caught.value.where == where
    assert caught.value.fix


def test_bad_values():
    with pytest.raises(OutOfRange, match=r"computational\.advantage"):
        Computational(1.5, AES)
    with pytest.raises(InvalidInput, match=r"computational\.assumption"):
        Computational(0.5, "")
    with pytest.raises(InvalidInput, match="Computational"):
        Release("a", None, None, "add-remove", True, None, (), computational=0.1)


def test_composition_adds_it_to_each_answer_about_delta():
    release = released(1e-9, ApproxDP(1.0, 1e-6, neighbors="add-remove"), releases=12)
    made = compose_release(release, delta=[1e-3], epsilon=[2.0], level=[0.1], confidence=[0.9])
    ideal = compose_release(
        released(0.0, ApproxDP(1.0, 1e-6, neighbors="add-remove"), releases=12), delta=[1e-3]
    )
    assert made.readings[0] == ideal.readings[0]
    added = [made.added(each) for each in made.readings]
    assert added[0] == pytest.approx(12e-9 * (1 + exp(made.readings[0].upper)))
    assert added[1] == pytest.approx(12e-9 * (1 + exp(2.0)))
    assert added[2:] == [None, None]
    data = made.to_dict()
    assert [each.get("delta_added") for each in data["answers"]] == added
    validate(data, composition_schema())


def validate(data, schema):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(json.dumps(data)), schema)


def test_documents_say_for_whom_the_numbers_hold():
    release = released(releases=3)
    made = assess(release)
    validate(made.to_dict(), json_schema())
    assert made.to_dict()["computational"]["total"] == pytest.approx(3 * 2.0**-100)
    assert AES in made.to_dict()["headline"]
    for audience in ("data-subject", "curator", "researcher"):
        told = explain(release, audience=audience)
        said = " ".join(str(each) for part in told.sections for each in part.sentences)
        assert AES in said
        assert "There are no exceptions" not in said
    text = report(release).to_markdown()
    assert "2^-100 in one release, or 2.37e-30 in 3" in text


def test_sums_that_cannot_hold_the_assumption_refuse_it(tmp_path):
    release, limit = released(), EpsilonLimit(3.0, delta=0.0)
    with pytest.raises(DpriskError, match="computational assumption"):
        certificate(release)
    with pytest.raises(DpriskError, match="computational assumption"):
        plan([limit], release)
    with Ledger.create(tmp_path / "a.ledger", origin="town.example", by="test") as book:
        account = Account("town", "all", "person", "add-remove", "2026", "pure", limit)
        book.account(account, by="test")
        with pytest.raises(DpriskError, match="computational assumption"):
            book.charge(release, "town", by="test")
        assert not book.history()
