"""The 2020 Census as a whole, from the shipped tables alone: exact fractions, no code of dprisk."""

from __future__ import annotations

import csv
from fractions import Fraction
from importlib import resources
from statistics import NormalDist

import pytest
import yaml

from dprisk.allocation import allocate, census2020, dhc2020, findings, together

NORMAL = NormalDist()
DATA = resources.files("dprisk.allocation") / "data"


def table(name):
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def redistricting():
    """Attributes, level and rho: a share of the share of the level of the amount of the part."""
    with (DATA / "census2020.yaml").open(encoding="utf-8") as file:
        parts = yaml.safe_load(file)["parts"]
    for row in table("census2020.csv"):
        part = parts[row["part"]]
        level = Fraction(str(part["levels"][row["level"]]))
        rho = Fraction(str(part["amount"])) * level * Fraction(row["share"])
        yield set(row["attributes"].split(" * ")), row["level"], rho


def dhc():
    for row in table("dhc2020.csv"):
        yield set(row["attributes"].split(" * ")), row["level"], Fraction(row["rho"])


def total(rows, *attributes, levels=()):
    found = Fraction(0)
    for its, level, rho in rows:
        if level in levels or its & set(attributes):
            found += rho
    return found


def power(rho):
    """Of normal noise at level 0.1."""
    return NORMAL.cdf(NORMAL.inv_cdf(0.1) + float(2 * rho) ** 0.5)


NUMBERS = [  # a concern, its columns in both, rho in the DHC, rho in both, the power in both
    ("race", ("CENRACE",), "4.6053", "5.6156", ".981"),
    ("ethnicity", ("HISPANIC",), "7.0283", "8.0305", ".997"),
    ("age", ("AGE", "VOTINGAGE"), "5.5806", "6.1825", ".987"),
    ("sex", ("SEX",), "6.4516", "6.4516", ".990"),
    ("relationship", ("RELGQ", "HHGQ"), "3.8681", "4.4243", ".955"),
    ("tenure", ("TENURE", "OCCUPANCY"), "7.7005", "7.7705", ".996"),
    ("household type", ("HHTYPE",), "5.957", "5.957", ".985"),
]


@pytest.mark.parametrize(("concern", "columns", "alone", "both", "at"), NUMBERS)
def test_attributes(concern, columns, alone, both, at):
    one, other = total(dhc(), *columns), total(redistricting(), *columns)
    assert one == Fraction(alone)
    assert f"{float(one + other):.4f}" == f"{float(both):.4f}"
    assert f"{power(one + other):.3f}" == f"{float(at):.3f}"
    assert dhc2020().exposure(concern).amount == one
    exposure = together(census2020(), dhc2020()).exposure(concern)
    assert exposure.amount == one + other
    low, high = findings(exposure, levels=[0.1]).power.bracket
    assert low[0] - 1e-6 < power(one + other) < high[0] + 1e-6


INNER = ("block group", "block")
PLACES = [  # the levels that can change in the redistricting data, and in the DHC
    (
        "block within tract",
        INNER,
        ("prim", "tract subset group", "tract subset", "DHC block group", "block"),
        "8.0691",
    ),
    ("block within tract subset", ("tract", *INNER), ("DHC block group", "block"), "2.2629"),
    (
        "county within state",
        ("county", "tract", *INNER),
        ("county", "prim", "tract subset group", "tract subset", "DHC block group", "block"),
        "10.7495",
    ),
]


@pytest.mark.parametrize(("concern", "first", "second", "rho"), PLACES)
def test_places(concern, first, second, rho):
    """A level that the other release does not know may change with any place."""
    truth = total(redistricting(), levels=first) + total(dhc(), levels=second)
    assert f"{float(truth):.4f}" == rho
    assert together(census2020(), dhc2020()).exposure(concern).amount == truth


def test_a_block_within_its_tract_subset():
    truth = total(dhc(), levels=("DHC block group", "block"))
    assert truth == Fraction("0.883") == dhc2020().exposure("block within tract subset").amount


def test_race_below_county():
    """15 queries, and as many at larger places that are disregarded."""
    below = [
        rho
        for its, level, rho in redistricting()
        if "CENRACE" in its and level in ("tract", *INNER)
    ]
    exposure = census2020().exposure("race below county")
    assert (len(below), f"{float(sum(below)):.4f}") == (15, "0.8201")
    assert exposure.amount == sum(below)
    assert len(exposure.queries) == len(exposure.disregarded) == 15


def test_sixteen_regions_with_a_tenth_each():
    """A person is in one of them, or moves from one to another: 1/10, or 2/10, and not 16/10."""
    rows = [{"query": "q", "attributes": "a", "place": f"{n}", "rho": "1/10"} for n in range(16)]
    made = allocate(rows, noise="discrete-gaussian", moves=2)
    assert made.exposure("a").amount == Fraction(1, 10)
    assert made.exposure("place").amount == Fraction(2, 10)
