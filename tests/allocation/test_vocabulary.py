"""Chains of levels and of attributes: what moves when something coarser stays."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from dprisk.allocation import allocate, read_allocation
from dprisk.allocation.vocabulary import Vocabulary, chains_of, in_order
from dprisk.errors import InvalidFile, InvalidInput
from tests.cli.running import run, write

CROSSING = (("US", "county", "tract", "block"), ("US", "county", "tract subset", "block"))
AGES = """\
allocation: 1
attributes: [sex, [adult, five years, age], [decade, age]]
table:
  - {query: a, attributes: adult * sex, rho: 1/16}
  - {query: b, attributes: five years, rho: 1/8}
  - {query: c, attributes: age, rho: 1/4}
  - {query: d, attributes: decade * sex, rho: 1/2}
"""


def counties():
    rows = [
        {"query": "q", "level": level, "rho": Fraction(1, 2**n)}
        for n, level in enumerate(("US", "county", "tract", "tract subset", "block"))
    ]
    return allocate(rows, levels=CROSSING, moves=2)


@pytest.mark.parametrize(
    ("concern", "levels"),
    [
        ("block within tract", {"tract subset", "block"}),
        ("block within tract subset", {"tract", "block"}),
        ("tract within county", {"tract", "tract subset", "block"}),
        ("US", {"US", "county", "tract", "tract subset", "block"}),
    ],
)
def test_levels_that_cross_may_both_move(concern, levels):
    assert {query.level for query in counties().exposure(concern).queries} == levels


def test_what_moves_is_what_can_differ_between_two_places():
    """All maps of four blocks into tracts and subsets of tracts, by brute force."""
    moved = set()
    for tract, subset in itertools.product(itertools.product((0, 1), repeat=4), repeat=2):
        for one, other in itertools.permutations(range(4), 2):
            if tract[one] == tract[other]:
                differs = {"tract subset": subset[one] != subset[other], "block": True}
                moved |= {level for level, differing in differs.items() if differing}
    assert moved == {query.level for query in counties().exposure("block within tract").queries}


def test_the_age_within_its_group(tmp_path):
    made = read_allocation(write(tmp_path, "ages.yaml", AGES))
    assert made.attributes == ("sex", "adult", "five years", "decade", "age")
    amounts = {
        text: made.exposure(text).amount
        for text in (
            "age",
            "adult",
            "age within five years",
            "age within adult",
            "age within decade",
        )
    }
    assert amounts == {
        "age": Fraction(15, 16),
        "adult": Fraction(15, 16),
        "age within five years": Fraction(3, 4),
        "age within adult": Fraction(7, 8),
        "age within decade": Fraction(7, 16),
    }


@pytest.mark.parametrize(
    ("concern", "says"),
    [
        ("adult within age", "From the coarsest to the finest, the attributes are adult, five"),
        ("decade within adult", "an attribute within a coarser one"),
        ("sex within adult", "an attribute within a coarser one"),
    ],
)
def test_an_attribute_within_one_that_is_not_coarser(tmp_path, concern, says):
    with pytest.raises(InvalidInput) as error:
        read_allocation(write(tmp_path, "ages.yaml", AGES)).exposure(concern)
    assert says in str(error.value)


def test_chains():
    assert chains_of("levels", ["a", "b"]) == (("a", "b"),)
    assert chains_of("attributes", ["a", ["b", "c"]], False) == (("a",), ("b", "c"))
    assert in_order((("a", "b", "d"), ("a", "c", "d"))) == ("a", "b", "c", "d")
    made = Vocabulary(("x",), ("a", "b", "c", "d"), {}, (("a", "b", "d"), ("a", "c", "d")))
    assert made.coarser("d") == {"a", "b", "c"}
    for wrong in ([["a", "b"], ["b", "a"]], [["a", "A"]], [["a", "a"]], [["a"], ["A"]]):
        with pytest.raises(InvalidInput, match="levels"):
            chains_of("levels", wrong)


@pytest.mark.parametrize("attributes", ["[sex, [adult, [age]]]", "adult", "[{a: b}]"])
def test_attributes_that_are_no_names(tmp_path, attributes):
    text = AGES.replace("[sex, [adult, five years, age], [decade, age]]", attributes)
    with pytest.raises(InvalidFile, match="a list of names"):
        read_allocation(write(tmp_path, "ages.yaml", text))


def test_chains_of_the_command(tmp_path):
    path = write(tmp_path, "t.csv", "query,level,rho\nq,tract,1\nq,subset,2\nq,block,4\n")
    nested = ("--nested", "tract, block; subset, block")
    done = run("allocation", path, *nested, "--concern", "block within tract", "--quiet")
    assert "ρ = 6 of 7" in " ".join(done.out.split())
