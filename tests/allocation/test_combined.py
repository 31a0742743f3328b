"""Several allocations as one, beside sums that are made by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import pytest

from dprisk.allocation import allocate, census2020, dhc2020, findings, together
from dprisk.errors import InvalidInput
from tests.allocation.tables import single, town
from tests.cli.running import run

BOTH = together(census2020(), dhc2020())


@pytest.mark.parametrize(
    "concern", ["race", "ethnicity", "voting age", "group quarters", "occupancy", "sex", "age"]
)
def test_sums_are_those_of_each(concern):
    """Every query that has the attribute, or a coarser or finer form of it."""
    alike = {
        "race": {"CENRACE"},
        "ethnicity": {"HISPANIC"},
        "voting age": {"VOTINGAGE", "AGE"},
        "age": {"VOTINGAGE", "AGE"},
        "group quarters": {"HHGQ", "RELGQ"},
        "occupancy": {"OCCUPANCY", "TENURE"},
        "sex": {"SEX"},
    }[concern]
    queries = (*census2020().queries, *dhc2020().queries)
    alone = sum(q.amount for q in queries if alike & set(q.attributes))
    assert BOTH.exposure(concern).amount == alone


def test_race_in_the_census_as_a_whole():
    exposure = BOTH.exposure("race")
    assert round(float(exposure.amount), 4) == 5.6156
    normal = NormalDist()
    power = normal.cdf(normal.inv_cdf(0.1) + float(2 * exposure.amount) ** 0.5)
    assert round(power, 3) == 0.981
    low, high = findings(exposure, levels=[0.1]).power.bracket
    assert low[0] - 1e-6 < power < high[0] + 1e-6
    assert BOTH.total == Fraction("2.63") + Fraction("12.6627")
    assert len(BOTH.queries) == 232
    assert BOTH.noise == "discrete-gaussian"
    assert len(BOTH.invariants) == 3


def test_places_of_one_allocation_may_move_within_those_of_another():
    """Tracts and subsets of tracts cross; block groups are not known to be the same."""
    moved = {query.level for query in BOTH.exposure("block within tract").queries}
    assert moved == set(BOTH.levels) - {"US", "state", "county", "tract"}
    moved = {query.level for query in BOTH.exposure("block within tract subset").queries}
    assert moved == {"tract", "block group", "DHC block group", "block"}


def test_the_command():
    done = run("allocation", "census2020", "dhc2020", "--concern", "race")
    text = " ".join(done.out.split())
    assert "at most 86 queries can change, with ρ = 5.6156 of 15.2927" in text
    assert "detailed (persons)" in text and "detailed (housing units)" in text
    data = run("allocation", "census2020", "dhc2020", "--concern", "race", "--json").data
    assert data["amount_exact"] == str(BOTH.exposure("race").amount)


def test_noise_that_differs_is_kept_with_each_query():
    other = allocate(
        [{"query": "rooms", "attributes": "rooms", "rho": 1}],
        name="homes",
        noise="gaussian",
        moves=2,
    )
    made = together(town(), other)
    assert made.noise is None
    assert findings(made.exposure("rooms")).reading == "exact"
    assert made.exposure("rooms").exact().parameters["mu"] >= 2**0.5
    unknown = together(town(None), other)
    assert findings(unknown.exposure("rooms")).reading == "exact"
    assert findings(unknown.exposure("rooms", "income")).reading == "promise"
    assert together(other) is other


def test_queries_of_one_name_are_told_apart():
    made = together(town(name="north"), town(name="south"))
    keys = {(query.part, query.level, query.name) for query in made.queries}
    assert len(keys) == len(made.queries) == 10
    assert made.total == Fraction(2, 5)


def test_accounting_that_differs_adds_up_as_rho():
    """By hand: mu^2 / 2, rho, and epsilon tanh(epsilon / 2) for each cell with noise."""
    clinic = single("epsilon", "1", "1/2", "0", noise="laplace", name="clinic")
    promised = single("epsilon", "1/3", name="promised")
    model = single("mu", "1/5", name="model")
    made = together(clinic, town(), promised, model)
    assert made.accounting == "zcdp"
    assert [str(query.epsilon) for query in made.queries if query.epsilon] == ["1", "1/2", "1/3"]
    found = float(made.exposure("a").amount)
    halves = 2 * (0.5 * math.tanh(0.25) + 0.25 * math.tanh(0.125))
    truth = halves + math.tanh(1 / 6) / 3 + 0.02
    assert truth <= found <= truth * (1 + 1e-14)
    assert made.exposure("income").amount == Fraction(13, 100)
    alike = together(clinic, promised)
    assert (alike.accounting, alike.total) == ("pure", Fraction(11, 6))


def test_rows_of_several_kinds_are_read_alike():
    """Two allocations as one, and one table with the rows of both."""
    rows = [
        {"query": "a", "attributes": "x", "scale": "8", "noise": "laplace"},
        {"query": "b", "attributes": "x", "sigma": "5", "noise": "gaussian"},
    ]
    apart = together(*(allocate([row], name=row["query"], moves=2) for row in rows))
    whole = allocate(rows, name="whole", moves=2)
    alike = ("amount", "epsilon", "noise", "moves")
    for one, other in zip(apart.queries, whole.queries, strict=True):
        assert [getattr(one, x) for x in alike] == [getattr(other, x) for x in alike]
    both = [findings(made.exposure("x"), levels=[0.05]) for made in (apart, whole)]
    assert both[0].reading == both[1].reading == "exact"
    assert float(both[0].power.value[0]) == float(both[1].power.value[0])


def table(**more):
    return allocate([{"query": "q", "attributes": "pay", "rho": 1}], **{"name": "one"} | more)


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ([], "allocations must be at least one allocation"),
        ([table(), table()], "different from each other"),
        (
            [
                table(names={"money": "pay"}),
                allocate([{"query": "r", "attributes": "rent", "rho": 1}], names={"Money": "rent"}),
            ],
            "names must be a name for pay in every allocation, got 'Money'",
        ),
        (
            [table(), allocate([{"query": "r", "attributes": "Pay", "rho": 1}])],
            "names must be spelled as in another allocation (pay), got 'Pay'",
        ),
        (
            [table(), allocate([{"query": "r", "level": "pay", "rho": 1}], levels=["pay"])],
            "levels must be different",
        ),
    ],
)
def test_what_cannot_be_read_as_one(others, says):
    with pytest.raises(InvalidInput) as error:
        together(*others)
    assert says in str(error.value)
