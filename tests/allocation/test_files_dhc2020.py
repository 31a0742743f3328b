"""The DHC's allocation, beside sums and powers that are made without the package."""

from __future__ import annotations

import csv
from fractions import Fraction
from importlib import resources
from statistics import NormalDist

import pytest

from dprisk.allocation import dhc2020, findings
from tests.house.tree import ROOT

SOURCE = ROOT.parent / "shared" / "data" / "dhc2020.csv"
SHIPPED = resources.files("dprisk.allocation") / "data" / "dhc2020.csv"
NORMAL = NormalDist()
NUMBERS = (  # a concern, its column, its sum, the power at level .1 under normal noise
    ("race", "CENRACE", "4.6053", ".9602"),
    ("age", "AGE", "5.5806", ".9803"),
    ("ethnicity", "HISPANIC", "7.0283", ".9932"),
    ("sex", "SEX", "6.4516", ".9896"),
    ("tenure", "TENURE", "7.7005", ".9959"),
    ("household type", "HHTYPE", "5.957", ".9850"),
    ("relationship", "RELGQ", "3.8681", ".9332"),
)


def rows():
    with SHIPPED.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def normal_power(rho):
    return NORMAL.cdf(NORMAL.inv_cdf(0.1) + float(2 * rho) ** 0.5)


@pytest.mark.parametrize(("concern", "column", "rho", "power"), NUMBERS)
def test_attributes(concern, column, rho, power):
    alone = sum(Fraction(r["rho"]) for r in rows() if column in r["attributes"].split(" * "))
    exposure = dhc2020().exposure(concern)
    assert exposure.amount == alone == Fraction(rho)
    assert round(float(exposure.gaussian().power(0.1).value), 4) == float(power)
    assert round(normal_power(alone), 4) == float(power)
    low, high = findings(exposure, levels=[0.1]).power.bracket
    assert low[0] - 1e-6 < normal_power(alone) < high[0] + 1e-6


def test_places_and_parts():
    inner = [Fraction(r["rho"]) for r in rows() if r["level"] in ("block", "DHC block group")]
    assert dhc2020().exposure("block within tract subset").amount == sum(inner)
    assert sum(inner) == Fraction("0.883")
    sums = {}
    for query in dhc2020().queries:
        sums[query.part] = sums.get(query.part, 0) + query.amount
    assert sums == {"persons": Fraction("4.9622"), "housing units": Fraction("7.7005")}
    assert len(dhc2020().queries) == 160


def test_coarser_forms_move_with_the_finer_ones():
    made = dhc2020()
    assert made.exposure("voting age").queries == made.exposure("age").queries
    assert made.exposure("age within voting age").queries == made.exposure("age").queries


def test_it_is_the_published_one():
    """Row by row; only the names of levels and parts are spelled differently."""
    if not SOURCE.exists():
        pytest.skip("the table beside the repository is missing")
    with SOURCE.open(encoding="utf-8") as file:
        published = [
            (row["query"].partition(": ")[2], row["attributes"], Fraction(row["rho"]))
            for row in csv.DictReader(file)
        ]
    ours = [(row["query"], row["attributes"], Fraction(row["rho"])) for row in rows()]
    assert ours == published
