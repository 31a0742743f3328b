"""What a change of one attribute can move, over all charges of an account."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

import pytest

from dprisk import PureDP
from dprisk.allocation import census2020
from dprisk.budget import EpsilonLimit
from dprisk.errors import InvalidInput, Meaningless
from dprisk.ledger import Account, Ledger
from dprisk.ledger.concerns import concerned
from dprisk.ledger.words import concerns_in_words
from dprisk.releases import Part, Release
from tests.cli.running import run

NAMES = ("race", "age", "tenure")
PLACES: dict[str, str] = {"neighbors": "replace-one"}


def account(neighbors="replace-one"):
    limits = (EpsilonLimit(8.0, delta=0.0),)
    return Account("town", "all", "person", neighbors, "2026", "pure", limits)


@pytest.fixture
def begin(tmp_path):
    """A new ledger with one account."""

    def made(**more):
        book = Ledger.create(str(tmp_path / "a.ledger"), origin="Office", by="ann")
        book.account(account(**more), by="ann")
        return book

    return made


def release(*parts):
    return Release("Tables", "person", "once", "replace-one", True, "central", parts)


def part(eighths, attributes, count=1):
    return Part(PureDP(eighths / 8, **PLACES), count, attributes=attributes)


def drawn(chance):
    """Parts with amounts, counts and attributes, of which some are not said."""
    some = []
    for _ in range(chance.randint(1, 4)):
        named = tuple(name for name in NAMES if chance.random() < 0.4)
        said = None if chance.random() < 0.2 else named
        some.append((chance.randint(1, 3), said, chance.randint(1, 2)))
    return some


@pytest.mark.parametrize("seed", range(12))
def test_parts_add_up_as_fractions_do(begin, seed):
    """Against sums of fractions: what is voided or refused does not count, unstated parts do."""
    chance = random.Random(seed)
    kept = []
    with begin() as book:
        every = [(1, (name,), 1) for name in NAMES]
        book.charge(release(*(part(*each) for each in every)), "town", by="ann")
        kept.append(every)
        for number in range(6):
            some = drawn(chance)
            asked = release(*(part(*each) for each in some))
            if sum(n * c for charge in (*kept, some) for n, _, c in charge) > 64:
                continue
            book.reserve(asked, "town", by="ann", key=f"k{number}")
            if chance.random() < 0.3:
                book.void(f"k{number}", by="ann", reason="cancelled", not_run=True)
            else:
                kept.append(some)
        found = concerned(book, "town", NAMES)
    for each in found:
        counted = [
            [n * c for n, said, c in charge if said is None or set(said) & set(each.concerns)]
            for charge in kept
        ]
        (amount,) = each.amounts
        assert amount.spent == Fraction(sum(map(sum, counted)), 8)
        assert each.share == amount.spent / amount.most
        assert each.touching == sum(bool(some) for some in counted)
        whole = [all(said is None for _, said, _ in charge) for charge in kept]
        assert each.unstated == sum(whole)
        (reading,) = each.readings
        assert float(reading.now) >= float(amount.spent) * (1 - 1e-12)
    assert [each.concerns for each in found] == [*((name,) for name in NAMES), NAMES]


def test_an_attribute_that_nothing_names_is_refused(begin):
    """Else a slip of the pen would look as if nothing had been spent."""
    with begin() as book:
        book.charge(release(part(1, None)), "town", by="ann")
        with pytest.raises(Meaningless, match="No charge of this account says"):
            concerned(book, "town", ("race",))
        book.charge(release(part(1, ("Race",)), part(1, ())), "town", by="ann")
        (found,) = concerned(book, "town", ("race",))
        assert found.amounts[0].spent == Fraction(2, 8)
        with pytest.raises(InvalidInput, match="Did you mean 'Race'"):
            concerned(book, "town", ("rice",))


@pytest.mark.parametrize("said", [("age",), (), None])
def test_a_statement_about_the_whole_counts_for_all_parts(begin, said):
    """It is stronger and counts, for what it names and for what the parts depend on."""
    whole = replace(release(part(8, ("race",)), part(8, ("age",))), stated_also=(part(4, said),))
    with begin() as book:
        book.charge(whole, "town", by="ann")
        book.charge(release(part(1, ("tenure",))), "town", by="ann")
        spent = [each.amounts[0].spent for each in concerned(book, "town", NAMES)]
    other = 5 if said is None else 1
    assert spent == [Fraction(each, 8) for each in (4, 4, other, 5)]


def test_what_is_published_without_noise_is_named(begin):
    """Of the releases that count, each once: no limit covers it."""
    with begin() as book:
        for key, names in (("a", ("Total", "Units")), ("b", ("Total",)), ("c", ("Rooms",))):
            more = replace(release(part(1, ("race",))), invariants=names)
            book.reserve(more, "town", by="ann", key=key)
        book.void("c", by="ann", reason="cancelled", not_run=True)
        found = concerned(book, "town", ("race",))
        said = list(concerns_in_words(replace(book.status("town"), concerns=found)))
        book.void("a", by="ann", reason="cancelled", not_run=True)
        book.void("b", by="ann", reason="cancelled", not_run=True)
        book.charge(release(part(1, ("race",))), "town", by="ann")
        (none,) = concerned(book, "town", ("race",))
    assert found[0].invariants == ("Total", "Units")
    assert "Published without noise, outside all of these limits: Total; Units." in said
    assert none.invariants == ()


def test_one_name_in_several_spellings(begin):
    """Composed or not, wide or not, with spaces: a name that looks the same is the same."""
    names = ("Ethnicit\u00e9", " ethnicite\u0301 ", "ETHNICIT\u00c9", "\uff45thnicit\u00e9")
    with begin() as book:
        for name in names:
            book.charge(release(part(1, (name,))), "town", by="ann")
        for name in names:
            (found,) = concerned(book, "town", (name,))
            assert found.amounts[0].spent == Fraction(4, 8)


def test_a_whole_record_has_no_single_attribute(begin):
    with begin(neighbors="add-remove") as book, pytest.raises(Meaningless, match="add-remove"):
        concerned(book, "town", ("race",))


def test_an_allocation_is_charged_query_by_query(tmp_path):
    """Its amount for race is that of the table, and the power that of the noise."""
    place = str(tmp_path / "a.ledger")
    about = ["--population", "all", "--period", "2020", "--neighbors", "replace-one"]
    limit = ["--limit", "power=0.999", "--level", "0.1"]
    for asked in (
        ["init", place, "--origin", "Office"],
        ["account", place, "people", *about, *limit],
        ["charge", place, "--allocation", "census2020", "--account", "people"],
    ):
        done = run("ledger", *asked)
        assert done.code == 0, done.err
    done = run("ledger", "status", place, "people", "--concern", "race", "--json")
    (race,) = json.loads(done.out)["concerns"]
    amount = census2020().exposure("race").amount
    assert 0 <= Fraction(race["amounts"][0]["spent"]) - amount <= 1e-12 * amount
    normal = NormalDist().cdf(NormalDist().inv_cdf(0.1) + math.sqrt(2.0 * float(amount)))
    assert race["readings"][0]["now"] == pytest.approx(normal, abs=1e-3)
    assert race["invariants"] == list(census2020().invariants)
    shown = run("ledger", "status", place, "people", "--concern", "race", "--concern", "Race")
    assert "Single concerns" in shown.out and "race or" not in shown.out.casefold()
    refused = run("ledger", "charge", place, "--allocation", "census2020", "--rho", "1")
    assert refused.code == 2
    assert "--rho beside --allocation" in refused.err
