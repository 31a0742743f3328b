"""P1, Section 8: every number printed there, from its own Tables 3 to 5 in fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dprisk.allocation import census2020
from dprisk.papers import census_table
from tests.papers.p1 import (
    EXAMPLES_8_1,
    SCENARIOS,
    SLIP,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
)
from tests.papers.test_p1 import rounded

LEVELS = tuple(TABLE_4)
RACE, ETHNICITY, AGE = "CENRACE", "HISPANIC", "VOTINGAGE"
TESTED = np.array([0.01, 0.05, 0.10])


def paper(us_share=None):
    """rho of each (part, query, level), straight from the tables."""
    found = {}
    for n, level in enumerate(LEVELS):
        persons, housing = map(Fraction, TABLE_4[level])
        for query, (_, *shares) in TABLE_5.items():
            share = us_share if level == "US" and us_share else Fraction(shares[n])
            found["persons", query, level] = Fraction(TABLE_3["persons"]) * persons * share
        found["housing units", "OCCUPANCY", level] = Fraction(TABLE_3["housing units"]) * housing
    return found


def names(attribute):
    """Whether the name of a query mentions an attribute (HHGQ is none of the three)."""
    return lambda part, query, level: attribute in query.split(" * ")


def below(outer):
    """Whether a query is at a level below that one, whatever it counts."""
    return lambda part, query, level: LEVELS.index(level) > LEVELS.index(outer)


RULES = {
    "A": [below("block group")],
    "B": [below("tract")],
    "C": [names(RACE)],
    "D": [names(ETHNICITY)],
    "E": [names(RACE), below("tract")],
    "F": [names(AGE), below("block group")],
    "G": [names(AGE), names(RACE), below("block group")],
    "H": [names(AGE), names(ETHNICITY), below("block group")],
}


def summed(rules, amounts):
    """Over all queries that some rule names, each once."""
    return sum(rho for key, rho in amounts.items() if any(rule(*key) for rule in rules))


def normal_power(rho):
    """P1, Section 8.3."""
    return ndtr(ndtri(TESTED) + math.sqrt(2 * rho))


def test_shares_add_up_to_one():
    """Every column of Tables 4 and 5, in fractions; the whole is 2.63."""
    for column in range(2):
        assert sum(Fraction(shares[column]) for shares in TABLE_4.values()) == 1
    for column in range(1, 7):
        assert sum(Fraction(shares[column]) for shares in TABLE_5.values()) == 1
    assert sum(paper().values()) == Fraction("2.63")


def test_tables_3_to_5_are_what_is_shipped():
    shipped = {(q.part, q.name, q.level): (q.amount, q.cells) for q in census2020().queries}
    cells = {query: shares[0] for query, shares in TABLE_5.items()} | {"OCCUPANCY": 2}
    assert shipped == {key: (rho, cells[key[1]]) for key, rho in paper().items()}


@pytest.mark.parametrize("key", EXAMPLES_8_1, ids=str)
def test_examples_of_section_8_1(key):
    printed, verdict = EXAMPLES_8_1[key]
    expected = printed if verdict == "matches" else verdict.removeprefix("erratum: ")
    assert rounded(float(paper()[key]), expected) == expected
    assert (expected == printed) == (verdict == "matches")


@pytest.mark.parametrize("name", SCENARIOS)
def test_rho_of_the_scenarios(name):
    """The sums of the tables; six prints come out only with other shares at the US level."""
    printed, _, ours, verdict = SCENARIOS[name]
    rho = summed(RULES[name], paper())
    assert census2020().exposure(*concerns(name)).amount == rho
    assert rounded(float(rho), ours) == ours
    matches = rounded(float(rho), printed) == printed
    assert matches == (verdict == "matches")
    if not matches:
        assert verdict == SLIP
        other = summed(RULES[name], paper(Fraction(52, 4097)))
        assert rounded(float(other), printed) == printed


@pytest.mark.parametrize("name", [name for name, row in SCENARIOS.items() if row[1]])
def test_powers_of_the_scenarios(name):
    """They belong to the rho that is printed, and not to the sum of the tables where it differs."""
    _, printed, _, verdict = SCENARIOS[name]
    sums, other = (summed(RULES[name], paper(us)) for us in (None, Fraction(52, 4097)))
    both = [[rounded(p, ".00") for p in normal_power(float(rho))] for rho in (sums, other)]
    assert both[1] == list(printed)
    assert (both[0] == list(printed)) == (verdict == "matches")


@pytest.mark.parametrize(("number", "printed"), [(2, TABLE_2), (6, TABLE_6)])
def test_tables_of_powers(number, printed):
    """Gaussian noise, the discrete noise (simulated in P1, with the same prints), any mechanism."""
    normal, discrete, anything = census_table(number)
    for n, row in enumerate(printed.values()):
        assert rounded(normal.upper[n], row[0]) == row[0]
        assert rounded(discrete.lower[n], row[0]) == rounded(discrete.upper[n], row[0]) == row[0]
        assert rounded(anything.upper[n], row[-1]) == row[-1]
    assert np.max(discrete.upper - discrete.lower) < 1e-5


def concerns(name):
    (found,) = [one.concerns for one in census2020().scenarios if one.name == name]
    return found
