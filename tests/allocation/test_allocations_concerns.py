"""From words to queries."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from dprisk.allocation import allocate, census2020, findings, read_allocation
from dprisk.errors import InvalidInput
from tests.allocation.tables import DESCRIPTION, NESTED, ROWS, town

CENSUS = census2020()


def moved(*concerns):
    return {(q.name, q.level) for q in CENSUS.exposure(*concerns).queries}


@pytest.mark.parametrize("text", ["race", "CENRACE", "cenrace", " Race "])
def test_names_and_attributes_mean_the_same(text):
    assert moved(text) == moved("CENRACE")


def test_an_attribute_is_touched_by_its_queries_alone():
    assert {name for name, _ in moved("ethnicity")} == {
        q.name for q in CENSUS.queries if "HISPANIC" in q.name
    }
    assert moved("occupancy") == {("OCCUPANCY", level) for level in CENSUS.levels}


def test_a_place_is_touched_by_every_query_below_the_larger_one():
    assert {level for _, level in moved("block within tract")} == {"block group", "block"}
    assert len(moved("block within tract")) == 24
    assert moved("block within tract") == moved("block group within tract")
    assert moved("BLOCK  Within custom block group") == {
        (q.name, q.level) for q in CENSUS.queries if q.level == "block"
    }


def test_a_coarser_form_of_an_attribute_moves_with_it():
    """Household or institution is read off the type of group quarters."""
    assert {"HHGQ", "HHINSTLEVELS"} < {name for name, _ in moved("group quarters")}
    assert moved("HHINSTLEVELS") == moved("HHGQ")


def test_unions_count_nothing_twice():
    whole = CENSUS.exposure("race", "ethnicity", "race", "block within tract")
    keys = [(q.name, q.level) for q in whole.queries]
    assert len(set(keys)) == len(keys)
    assert set(keys) == moved("race") | moved("ethnicity") | moved("block within tract")
    apart = sum(CENSUS.exposure(text).amount for text in ("race", "ethnicity"))
    both = CENSUS.exposure("race", "ethnicity").amount
    assert max(CENSUS.exposure(text).amount for text in ("race", "ethnicity")) < both < apart


def test_no_concern_is_everything_with_noise():
    whole = CENSUS.exposure()
    assert (whole.amount, whole.share, len(whole.queries)) == (Fraction(263, 100), 1, 71)
    assert ("TOTAL", "US") not in {(q.name, q.level) for q in whole.queries}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rase", "Did you mean 'race'?"),
        ("rase", "CENRACE = race"),
        ("rase", "US, state, county, tract, block group, block"),
        ("", "concern must be an attribute"),
        ("block", "Say within what: 'block within block group'."),
        ("tract", "Say within what: 'tract within county'"),
        ("tract within block", "From the outermost in, the levels are US, state"),
        ("tract within tract", "a level within a larger one"),
        ("blok within tract", "Did you mean 'block'?"),
        ("block within nowhere", "The levels are US"),
        ("race within tract", "made of known levels"),
    ],
)
def test_unknown_concerns(text, says):
    with pytest.raises(InvalidInput) as error:
        CENSUS.exposure("race", text)
    assert says in str(error.value)


def test_the_outermost_place_may_be_any(tmp_path):
    """Whoever moves between regions moves at every level; a level inside needs one around it."""
    path = tmp_path / "survey.yaml"
    path.write_text(DESCRIPTION)
    made = read_allocation(path)
    assert made.exposure("Region").queries == tuple(q for q in made.queries if q.level)
    with pytest.raises(InvalidInput) as error:
        made.exposure("town")
    assert "Say within what: 'town within region'." in str(error.value)


def test_a_concern_that_touches_nothing(tmp_path):
    with pytest.raises(InvalidInput) as error:
        town().exposure("sexx")
    assert "Did you mean 'sex'?" in str(error.value)
    path = tmp_path / "survey.yaml"
    path.write_text(DESCRIPTION.replace("rooms]", "rooms, age]"))
    made = read_allocation(path)
    nothing = made.exposure("age")
    assert (nothing.queries, nothing.amount, nothing.share) == ((), 0, 0)
    found = findings(nothing, levels=[0.0, 0.05, 1.0], priors=[0.0, 0.3, 1.0])
    belief = found.disclosure.posterior(found.priors)
    for bounds in (found.power, found.power_promise):
        assert bounds.value.tolist() == [0.0, 0.05, 1.0]
    for bounds in (belief.lower, belief.upper):
        assert bounds.value.tolist() == [0.0, 0.3, 1.0]
    assert made.exposure("income", "age").queries == made.exposure("income").queries


def test_a_concern_about_queries_without_noise():
    """Share 0: it is either not asked, or published exactly."""
    rows = [
        {"query": "sex", "attributes": "sex", "rho": 0},
        {"query": "age", "attributes": "age", "rho": 1},
    ]
    from dprisk.allocation import allocate

    with pytest.raises(InvalidInput) as error:
        allocate(rows).exposure("sex")
    assert "The queries that it touches (sex) have an amount of 0" in str(error.value)


def test_without_levels_only_attributes_are_offered():
    from tests.allocation.tables import single

    with pytest.raises(InvalidInput) as error:
        single("rho", "0.1").exposure("b")
    assert "concern must be an attribute (a), got 'b'." in str(error.value)
    with pytest.raises(InvalidInput) as error:
        single("rho", "0.1").exposure("x within y")
    assert "none in this table" in str(error.value)


AGES = (
    {"query": "five-year ages", "attributes": "AGE5", "rho": "3/10"},
    {"query": "ages", "attributes": "AGE", "rho": "1/10"},
)


@pytest.mark.parametrize("name", ["age", "AGE", " Age", "years"])
def test_a_name_is_all_that_it_stands_for(name):
    """Whatever it is called: a name that is also an attribute's hides nothing."""
    made = allocate(AGES, names={name: ["AGE", "AGE5"]})
    assert made.exposure(name).amount == Fraction(4, 10)
    assert made.exposure(name.casefold()).amount == Fraction(4, 10)


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        ({"age": ["AGE5"]}, "names['age'] must be different .* also the name of 'AGE'"),
        ({"years": ["AGE"], "Years": ["AGE5"]}, "names['Years'] .* also the name of 'years'"),
        ({"two  words": ["AGE"], "Two Words": ["AGE5"]}, "names['Two Words']"),
        ({"years": []}, "names['years'] must be attributes, or one level"),
    ],
)
def test_a_name_for_two_things_is_refused(names, refused):
    with pytest.raises(InvalidInput, match=re.escape(refused).replace(r"\.\*", ".*")):
        allocate(AGES, names=names)


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        ({"place": ["region", "town"]}, "names['place'] must be attributes, or one level"),
        ({"place": ["town", "income"]}, "names['place'] must be attributes, or one level"),
        ({"Town": ["income"]}, "also the name of 'town'"),
        ({"town within region": ["income"]}, "names must be one name, without the word 'within'"),
    ],
)
def test_a_name_for_a_place_is_one_level_and_nothing_else(names, refused):
    with pytest.raises(InvalidInput, match=re.escape(refused)):
        allocate(ROWS, levels=NESTED, moves=2, names=names)


def test_a_level_is_not_called_like_an_attribute():
    """A concern of that name would be about the attribute alone."""
    with pytest.raises(
        InvalidInput, match=r"levels must be different .* also the name of 'income'"
    ):
        allocate([{**row, "level": "Income"} for row in ROWS[:3:2]], levels=["Income"], moves=2)
