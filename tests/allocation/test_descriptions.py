"""Descriptions: what is wrong in one is named by its key, and what is written reads as the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dprisk.allocation import allocate, census2020, dhc2020, read_allocation, together
from dprisk.allocation.descriptions import description
from dprisk.errors import InvalidFile, InvalidInput, Meaningless
from tests.allocation.tables import DESCRIPTION, single, town
from tests.allocation.test_units import MIXED
from tests.cli.running import write


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ("share: 2/3", "share: 0.6"),
            "'share' does not add up to 1 for people at the level 'region'",
        ),
        (("share: 2/3", "share: 0.6"), "the sum is 0.9333333333, 0.06667 too little."),
        (("share: 2/3", "share: 5/3"), "row 1: share must be a number in [0, 1]"),
        (
            ("level: town, share: 0.5", "level: town, share: 0.6"),
            "for homes: the sum is 1.1, 0.1 too much",
        ),
        (
            ("town: 3/4", "town: 1/4"),
            "The shares of the levels for people do not add up to 1: the sum is 0.5",
        ),
        (("town: 3/4", "twon: 3/4"), "parts.people.levels: The level 'twon' is unknown"),
        (
            ("attributes: income,", "attributes: incom,"),
            "row 2: The attribute 'incom' is unknown. Did",
        ),
        (
            ("part: homes", "part: hoems"),
            "row 4: The part 'hoems' is unknown. Did you mean 'homes'?",
        ),
        (("amount: 0.5", "amount: -1"), "parts.people.amount: It must be a number in [0, 10^6]"),
        (("accounting: zcdp", "acounting: zcdp"), "The key 'acounting' is unknown. Did you mean"),
        (
            ("allocation: 1", "allocation: 2"),
            "The file has format '2'. This version of dprisk reads format 1.",
        ),
        (("allocation: 1", "release: 1"), "starts with the line `allocation: 1`"),
        (("noise:", "neighbors: both\nnoise:"), "neighbors: It must be add-remove or replace-one"),
        (("moves: 2", "moves: 2\namount: 1"), "amount: The file also declares parts"),
        (("{amount: 1/10}", "{amount: 1/10, noise: laplace}"), "parts.homes: The key 'noise' is"),
        (("{name: S,", "{name: S, year: 1,"), "scenarios[0]: The key 'year' is unknown"),
        (('rho: "0.5417"', 'power: {"0.1": "0.5"}'), "scenarios[0].printed: The printed sum is"),
        (("moves: 2", "moves: two"), "moves: It must be a whole number, got 'two'."),
        (
            ("moves: 2", ""),
            "row 1: The table does not say how many cells a changed record affects.",
        ),
        (("levels: [region, town]", "levels: region"), "levels: It must be a list of names."),
        (("table:", "tables:"), "Did you mean 'table'?"),
        (("source: [Town council]", "source: [Town council"), "not valid YAML"),
    ],
)
def test_bad_descriptions(tmp_path, change, says):
    path = write(tmp_path, "survey.yaml", DESCRIPTION.replace(*change))
    with pytest.raises(InvalidFile) as error:
        read_allocation(path)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ("pay: income", "pay: incom"),
            "names['pay'] must be another name for an attribute or a level",
        ),
        (
            ("source:", "printed_if: {part: homes, level: twon, share: 1}\nsource:"),
            "printed_if must be about a part and a level of the table",
        ),
        (("[pay, town", "[pya, town"), "Did you mean 'pay'?"),
        (("discrete-gaussian", "laplace"), "noise under zcdp accounting must be one of"),
        (("discrete-gaussian", "gausian"), "Did you mean 'gaussian'?"),
        (
            ("accounting: zcdp", "accounting: rho"),
            "accounting must be one of 'zcdp', 'pure' or 'gdp'",
        ),
        (("levels: [region, town]", "levels: [town, Town]"), "levels must be different"),
    ],
)
def test_bad_words_in_descriptions(tmp_path, change, says):
    path = write(tmp_path, "survey.yaml", DESCRIPTION.replace(*change))
    with pytest.raises(InvalidInput) as error:
        read_allocation(path)
    assert says in str(error.value)


@pytest.mark.parametrize("make", [census2020, dhc2020])
def test_a_description_reads_as_the_same(tmp_path, make):
    again = read_allocation(write(tmp_path, "again.yaml", description(make())))
    assert again.total == make().total
    assert [replace(q, row="") for q in again.queries] == [
        replace(q, row="") for q in make().queries
    ]
    assert (again.invariants, again.exact) == (make().invariants, make().exact)
    for concern in (*make().attributes, "US", "block within tract subset group", "block"):
        if concern in make().attributes or concern == "US":
            assert again.exposure(concern).amount == make().exposure(concern).amount


KINDS_READ = {
    "rho": town(),
    "rho without noise": town(None),
    "normal": town("gaussian"),
    "epsilon": single("epsilon", "1/3", "2", "0"),
    "laplace": single("epsilon", "1/3", "2", "0", noise="laplace", moves=3),
    "geometric": single("scale", "3.5", "8", noise="geometric"),
    "scale under zcdp": single("scale", "3.5", "8", noise="laplace", accounting="zcdp"),
    "epsilon under zcdp": single("epsilon", "1/3", "2", accounting="zcdp"),
    "mu under zcdp": single("mu", "1/3", "2", accounting="zcdp", noise="gaussian"),
    "mu": single("mu", "1/3", "2", "0"),
    "mu with noise": single("mu", "1/3", "2", "0", noise="gaussian"),
    "sigma": single("sigma", "1.3", "2", noise="gaussian", accounting="gdp"),
    "variance": single("variance", "3", "2", noise="gaussian", accounting="gdp", moves=1),
    "several kinds": allocate(MIXED, name="mixed", moves=2),
    "as one": together(
        single("rho", "1", noise="gaussian", name="survey"),
        single("epsilon", "1", noise="laplace", name="clinic"),
    ),
    "places": allocate(
        [
            {"query": "q", "attributes": "a", "place": place, "rho": rho}
            for place, rho in (("north", "1/10"), ("south", "1/5"))
        ],
        noise="discrete-gaussian",
        moves=2,
    ),
    "add-remove": single("rho", "1/7", noise="gaussian", neighbors="add-remove", moves=2),
    "odd names": allocate(
        [
            {"query": "yes", "attributes": ["a, b", "c * d"], "level": "no", "rho": "1e-3"},
            {"query": "012: #", "attributes": ["null"], "level": "1.5", "rho": "1e2"},
        ],
        levels=["no", "1.5"],
        name="~",
    ),
}


@pytest.mark.parametrize("kind", KINDS_READ)
def test_every_kind_is_written_and_read_again(tmp_path, kind):
    made = KINDS_READ[kind]
    again = read_allocation(write(tmp_path, "again.yaml", description(made)))
    assert [replace(q, row="") for q in again.queries] == [replace(q, row="") for q in made.queries]
    assert (again.accounting, again.noise, again.name) == (made.accounting, made.noise, made.name)
    assert again.vocabulary.levels == made.vocabulary.levels
    assert again.vocabulary.places == made.vocabulary.places
    assert set(again.attributes) == set(made.attributes)
    assert again.total == made.total


@pytest.mark.parametrize("noise", [None, "gaussian"])
@pytest.mark.parametrize("mu", ["1/3", "1e-40", "999", "0.7"])
def test_squares_of_mu_that_have_no_root(tmp_path, noise, mu):
    """With noise by its variance, exactly; otherwise mu is rounded down, by less than 1e-15."""
    made = single("mu", mu, noise=noise)
    made = replace(
        made, queries=tuple(replace(q, amount=q.amount * Fraction(2, 3)) for q in made.queries)
    )
    again = read_allocation(write(tmp_path, "again.yaml", description(made)))
    if noise:
        assert again.total == made.total
    assert made.total * (1 - Fraction(1, 10**15)) < again.total <= made.total
    assert again.accounting == "gdp"


def test_a_file_does_not_declare_levels_for_some_queries_only():
    both = together(town(), single("epsilon", "1", noise="laplace", name="clinic"))
    with pytest.raises(Meaningless, match="for all of its queries, or for none"):
        description(both)
