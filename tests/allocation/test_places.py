"""Amounts that differ by place, against sums and outcomes that are made by hand."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from dprisk.allocation import allocate, findings, read_allocation, together
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, Meaningless
from dprisk.guarantees import PureDP
from tests.allocation.test_exposure import best_power
from tests.cli.running import run, write

COLUMNS = ("query", "attributes", "level", "place", "rho")
LEVELS = ["country", "region", "town"]


def regions(number=16, rho="1/10", **more):
    """A query in each region, with an amount of its own."""
    rows = [
        {"query": "income", "attributes": "income", "place": f"region {n}", "rho": rho}
        for n in range(1, number + 1)
    ]
    return allocate(rows, **{"name": "regions", "noise": "discrete-gaussian", "moves": 2} | more)


def test_sixteen_regions_with_a_tenth_each():
    """One record is in one of them: 1/10, not 8/5; whoever moves is in two."""
    made = regions()
    whole = made.exposure("income")
    assert (whole.amount, whole.places) == (Fraction(1, 10), ("region 1",))
    assert "region 1 and 15 other places" in whole.says_places()
    for concerns in ((), ("place",), ("income", "place")):
        moved = made.exposure(*concerns)
        assert (moved.amount, moved.places) == (Fraction(1, 5), ("region 1", "region 2"))
        assert "move between two places" in moved.says_places()
    assert made.total == Fraction(1, 5)
    assert made.staying.amount == Fraction(1, 10)
    alone = allocate(
        [{"query": "income", "attributes": "income", "rho": "1/10"}],
        noise="discrete-gaussian",
        moves=2,
    )
    found, truth = (findings(one.exposure("income")) for one in (made, alone))
    assert found.power.bracket[1].tolist() == truth.power.bracket[1].tolist()
    assert any("largest over all places" in text for text in found.assumptions)


def random_table(draw):
    places = ["A", "B", "C", "D"][: draw.randint(1, 4)]
    rows = []
    for n in range(draw.randint(1, 12)):
        place = draw.choice([*places, ""])
        level = draw.choice(["region", "town"]) if place else draw.choice(LEVELS)
        attributes = draw.choice(["", "income", "sex", "income * sex"])
        rho = Fraction(draw.randint(1, 40), draw.randint(1, 40))
        values = (f"q{n}", attributes, level, place, rho)
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


@pytest.mark.parametrize("seed", range(60))
def test_amounts_by_trying_every_place(seed):
    """All pairs of places, as a record before and after: the worst is the answer."""
    rows = random_table(random.Random(seed))
    made = allocate(rows, levels=LEVELS, places="region")
    places = {row["place"] for row in rows} - {""} or {""}
    words = {word for row in rows for word in row["attributes"].split(" * ") if word}
    concerns = [[word] for word in sorted(words)] + [
        [],
        ["town within region"],
        ["region within country"],
        ["town within country", *sorted(words)],
    ]
    for asked in concerns:
        moved = not asked or any("within country" in one for one in asked)
        levels = set(LEVELS) if not asked else set()
        levels |= {"region", "town"} if moved else set()
        levels |= {"town"} if "town within region" in asked else set()
        sums = []
        for before, after in itertools.product(places, places):
            if before != after and not moved:
                continue
            sums.append(
                sum(
                    row["rho"]
                    for row in rows
                    if row["place"] in {"", before, after}
                    and (row["level"] in levels or set(row["attributes"].split(" * ")) & set(asked))
                )
            )
        assert made.exposure(*asked).amount == max(sums), asked


def coins(*epsilons):
    """Randomized response with each epsilon, all outcomes of all of them."""
    p = q = np.ones(1)
    for e in epsilons:
        truth = np.array([math.exp(e), 1.0]) / (1.0 + math.exp(e))
        p, q = np.outer(p, truth).ravel(), np.outer(q, truth[::-1]).ravel()
    return p, q


def test_the_worst_place_differs_by_level():
    """Two halves of epsilon beside one of 0.9: neither is the worse at every level."""
    rows = [
        {"query": "a", "attributes": "x", "place": "A", "epsilon": "1/2"},
        {"query": "b", "attributes": "x", "place": "A", "epsilon": "1/2"},
        {"query": "a", "attributes": "x", "place": "B", "epsilon": "9/10"},
    ]
    whole = allocate(rows).exposure("x")
    assert (whole.amount, whole.places) == (1, ("A",))
    assert whole.promise() == PureDP(1.0, neighbors="replace-one")
    levels = np.linspace(0.0, 1.0, 41)
    first, second = (best_power(*coins(*e), levels) for e in ((0.5, 0.5), (0.9,)))
    assert np.any(first > second + 1e-3) and np.any(second > first + 1e-3)
    exact = whole.exact()
    low, high = exact.power(levels).bracket
    assert np.all(low <= np.maximum(first, second) + 1e-12)
    assert np.all(high >= np.maximum(first, second) - 1e-12)
    assert np.all(high - low < 1e-6)
    epsilon = np.linspace(0.0, 1.2, 25)
    delta = [
        np.maximum(p[:, None] - np.exp(epsilon) * q[:, None], 0.0).sum(axis=0)
        for p, q in (coins(0.5, 0.5), coins(0.9))
    ]
    found = np.asarray(exact.delta(epsilon))
    assert found == pytest.approx(np.maximum(*delta), abs=1e-9)
    beyond = [sum(p[np.log(p / q) > 0.95]) for p, q in (coins(0.5, 0.5), coins(0.9))]
    assert 0.0 < max(beyond) <= float(exact.tail(0.95, sides="one")) < 1.0
    assert float(exact.tail(1.0, sides="one")) == 0.0
    back = np.asarray(exact.level(exact.power(levels).value))
    assert np.all(back <= levels + 1e-9)
    assert float(exact.loss_bound(0.0)) == pytest.approx(1.0)
    assert exact.for_neighbors("replace-one") is exact
    made = findings(whole)
    assert made.power.bracket[1].shape == (3,)
    assert float(made.disclosure.posterior(0.5).upper) == pytest.approx(1 / (1 + math.exp(-1)))


def test_a_place_that_another_outdoes_is_not_composed():
    rows = [
        {"query": name, "attributes": "x", "place": place, "rho": rho}
        for place, amounts in {"A": ["1/5", "1/7"], "B": ["1/5"], "C": []}.items()
        for name, rho in zip("ab", amounts, strict=False)
    ]
    whole = allocate(rows, noise="discrete-gaussian", moves=2).exposure("x")
    both = allocate(rows[:2], noise="discrete-gaussian", moves=2).exposure("x")
    assert whole.exact() == both.exact()


def test_too_many_places_leave_the_promise():
    rows = [
        {"query": "a", "attributes": "x", "place": f"P{n}", "rho": Fraction(1, n)}
        for n in range(1, 400)
    ]
    whole = allocate(rows, noise="discrete-gaussian", moves=2).exposure("x")
    assert (whole.amount, whole.places, whole.is_composable) == (1, ("P1",), False)
    assert findings(whole).reading == "promise"
    with pytest.raises(Meaningless, match="Places differ in their noise"):
        whole.exact()
    assert allocate(rows, noise="gaussian", moves=2).exposure("x").exact().parameters["mu"] > 1.41
    moved = allocate(rows[:3], noise="discrete-gaussian", moves=2).exposure()
    assert (moved.amount, moved.is_composable) == (Fraction(3, 2), False)


CSV = """\
query,attributes,level,place,rho
residents,,country,,1/50
income,income,region,North,1/10
income,income,region,South,1/5
income,income,town,North,1/10
"""


def test_the_command(tmp_path):
    path = write(tmp_path, "regions.csv", CSV)
    asked = ("allocation", path, "--nested", "country,region,town", "--places", "region")
    text = " ".join(run(*asked, "--concern", "income").out.split())
    assert "at most 2 queries can change, with ρ = 0.2 of 0.42 (47.6%)" in text
    assert "the largest over all places: the one for North and one other place." in text
    text = " ".join(run(*asked, "--concern", "region within country").out.split())
    assert "with ρ = 0.4 of 0.42" in text and "the largest sum, North and South." in text
    assert "income in South 0.2" in text
    data = run(*asked, "--concern", "income", "--json").data
    assert (data["places"], data["queries"][0]["place"]) == (["North"], "North")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("region,South", "region,north", "line 4: The place 'north' is spelled 'North' in line 3."),
        ("country,,", "country,North,", "line 2: The place 'North' is at the level 'region'"),
        ("income,income,region,South", "income,income,region,", "line 3: The query 'income' is"),
        ("town,North", "region,North", "line 5: The query 'income' at region is also in line 3"),
    ],
)
def test_places_that_do_not_fit(tmp_path, old, new, says):
    path = write(tmp_path, "regions.csv", CSV.replace(old, new))
    with pytest.raises(InvalidFile, match=says):
        read_allocation(path, levels=LEVELS, places="region")


def test_levels_of_places(tmp_path):
    path = write(tmp_path, "regions.csv", CSV)
    with pytest.raises(InvalidFile, match="their level is not declared"):
        read_allocation(path, levels=LEVELS)
    with pytest.raises(InvalidFile, match="The level 'Region' is unknown"):
        read_allocation(path, levels=LEVELS, places="Region")
    one = write(tmp_path, "one.csv", CSV.replace("country,,", "region,,").replace("town", "region"))
    with pytest.raises(InvalidFile, match="also in line 3"):
        read_allocation(one, levels=["region"])


def test_shares_by_place(tmp_path):
    """In each place, the queries of one part share one whole."""
    text = """\
allocation: 1
levels: [region]
parts: {people: {amount: 1/2}}
table:
  - {part: people, query: total, level: region, share: 1/4}
  - {part: people, query: a, attributes: x, level: region, place: N, share: 3/4}
  - {part: people, query: a, attributes: x, level: region, place: S, share: 1/2}
  - {part: people, query: b, attributes: x, level: region, place: S, share: 1/4}
"""
    made = read_allocation(write(tmp_path, "shares.yaml", text))
    assert made.exposure("x").amount == Fraction(3, 8)
    assert made.staying.amount == Fraction(1, 2)
    bad = write(tmp_path, "bad.yaml", text.replace("place: S, share: 1/4", "place: S, share: 1/5"))
    with pytest.raises(InvalidFile, match="does not add up to 1 for people in S:"):
        read_allocation(bad)
    wrong = write(
        tmp_path, "wrong.yaml", text.replace("levels: [region]", "levels: [region]\nplaces: [a]")
    )
    with pytest.raises(InvalidFile, match="It must be one name"):
        read_allocation(wrong)


def test_several_allocations_have_the_same_places():
    first, second = regions(2), regions(2, "1/5", name="second")
    assert together(first, second).exposure("income").amount == Fraction(3, 10)
    for other in (regions(3, name="third"),):
        with pytest.raises(InvalidInput, match="those of regions, by the same names"):
            together(first, other)
    plain = allocate([{"query": "a", "attributes": "income", "rho": 1}], noise=None, name="plain")
    assert together(plain, first).exposure("income").amount == Fraction(11, 10)


def test_a_concern_about_no_place_that_is_touched():
    made = regions(3)
    with pytest.raises(DpriskError, match="incme"):
        made.exposure("incme")
