"""Noise of each query, what is published exactly, and several records that change together."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from mpmath import mp, mpf

from dprisk import GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.allocation import allocate, census2020, findings, read_allocation, together
from dprisk.documents import report
from dprisk.documents.accumulation import concerned
from dprisk.errors import InvalidFile, InvalidInput, Meaningless
from tests.allocation.tables import DESCRIPTION, single
from tests.cli.running import run, write


def discrete(rho, moves):
    """Standard deviation and margin of a discrete normal cell, by adding up its probabilities."""
    with mp.workdps(30):
        square = mpf(moves) / (2 * mpf(rho.numerator) / rho.denominator)
        reach = int(12 * mp.sqrt(square)) + 2
        weights = [mp.exp(-mpf(k * k) / (2 * square)) for k in range(reach)]
        whole = weights[0] + 2 * mp.fsum(weights[1:])
        deviation = mp.sqrt(2 * mp.fsum(k * k * w for k, w in enumerate(weights)) / whole)
        inside, margin = weights[0], 0
        while inside / whole < mpf("0.9"):
            margin += 1
            inside += 2 * weights[margin]
        return float(deviation), margin


@pytest.mark.parametrize("concern", ["race", "block within block group"])
def test_every_query_of_the_census(concern):
    """sigma^2 = 1 / rho for two cells (P1, Section 8.1)."""
    exposure = census2020().exposure(concern)
    listed = exposure.to_dict()["queries"]
    for query, cost, row in zip(exposure.queries, exposure.noise(), listed, strict=True):
        deviation, margin = discrete(query.amount, 2)
        assert cost.standard_deviation == pytest.approx(deviation, rel=1e-9)
        assert cost.off_by == margin
        assert (row["sigma"], row["margin_90"]) == (cost.standard_deviation, cost.off_by)
        assert cost.standard_deviation == pytest.approx(float(query.amount) ** -0.5, rel=1e-2)


def test_other_noise():
    (cost,) = single("epsilon", "1/2", noise="laplace").exposure("a").noise()
    assert cost.standard_deviation == pytest.approx(4 * 2**0.5)
    assert cost.off_by == pytest.approx(4 * math.log(10))
    (cost,) = single("mu", "1/2", noise="gaussian").exposure("a").noise()
    assert cost.standard_deviation == pytest.approx(8**0.5)
    assert cost.off_by == pytest.approx(8**0.5 * 1.6448536269514722)
    assert single("rho", 1).exposure("a").noise() == (None,)
    assert single("rho", 1).exposure("a").to_dict()["queries"][0]["sigma"] is None


def test_margins_in_the_command_and_the_report():
    done = run("allocation", "census2020", "--concern", "race")
    text = " ".join(done.out.split())
    assert "CENRACE 34.9 27.6 38.4 34.6 41.8 66.5" in text
    assert "CENRACE ±57 ±45 ±63 ±57 ±69 ±109" in text
    assert max(map(len, done.out.splitlines())) <= 100
    section = concerned(
        report(
            ZeroConcentratedDP(2.63, neighbors="replace-one"),
            allocation=census2020(),
            concerns=["race"],
        )
    )
    rows = [row for block in section.blocks for row in getattr(block, "rows", ())]
    assert ("CENRACE (persons)", "US", "34.83", "±57") in rows


@pytest.mark.parametrize("records", [1, 2, 5])
def test_a_group_has_the_promise_of_a_group(records):
    """m^2 of rho and of mu^2, m of epsilon."""
    rho = single("rho", "1/10", "1/5", noise="discrete-gaussian").exposure().together(records)
    assert rho.amount == Fraction(3, 10) * records**2
    assert isinstance(rho.promise(), ZeroConcentratedDP)
    assert rho.share == 1
    assert single("epsilon", "1/3").exposure().together(records).promise() == PureDP(
        single("epsilon", str(Fraction(records, 3))).exposure().promise().parameters["epsilon"],
        neighbors="replace-one",
    )
    normal = single("mu", 2, noise="gaussian").exposure().together(records)
    assert normal.exact() == GaussianDP(2.0 * records, neighbors="replace-one")
    made = findings(rho)
    assert made.reading == ("exact" if records == 1 else "promise")
    assert ("two people who trade places" in " ".join(made.assumptions)) == (records > 1)
    if records > 1:
        assert rho.to_dict()["records"] == records
        with pytest.raises(Meaningless, match="several records together"):
            rho.exact()


@pytest.mark.parametrize("records", [0, -1, 1.5, True, 10**7])
def test_numbers_of_records_that_are_refused(records):
    with pytest.raises(InvalidInput, match="records"):
        single("rho", 1).exposure().together(records)


def test_what_is_published_exactly_is_named():
    """State totals answer who moved to another state; race is in none of the totals."""
    made = census2020()
    assert made.exposure("race").answered == ()
    assert "population of each state" in made.exposure("race").says_invariants()
    moved = made.exposure("state within US")
    assert "population of each state" in moved.answered
    assert "may reveal the answer exactly" in moved.says_invariants()
    assert "population of each state" not in made.exposure("county within state").answered
    assert made.exposure("block within tract").answered == (
        "housing units in each block",
        "occupied group quarters in each block, by type",
    )
    assert "answered_exactly" not in made.exposure("race").to_dict()
    both = together(made, read_allocation("dhc2020"))
    assert len(both.exact) == 3
    assert not single("rho", 1).exposure().says_invariants()


def test_totals_never_pass_in_silence():
    quiet = " ".join(run("allocation", "census2020", "--concern", "race", "-q").out.split())
    assert "Published without noise, and not counted here: population of each state" in quiet
    asked = ("allocation", "census2020", "--concern", "race", "--invariant")
    text = " ".join(run(*asked, "2", "-q").out.split())
    assert "If this changes in 2 records" in text
    assert "ρ = 4.04117." in text
    assert "Assumption: the smallest change that keeps what is published" in text
    assert run(*asked, "0").code == 2
    assert run("allocation", "census2020", "--all-scenarios", "--invariant", "2").code == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("invariants: [{name: total, level: twon}]", "The level 'twon' is unknown"),
        ("invariants: [{name: total, attributes: incom}]", "The attribute 'incom' is unknown"),
        ("invariants: [{level: town}]", "An invariant is a name, or has a name"),
        ("invariants: [{name: total, where: town}]", "The key 'where' is unknown"),
    ],
)
def test_invariants_that_do_not_fit(tmp_path, line, says):
    path = write(tmp_path, "survey.yaml", f"{DESCRIPTION}{line}\n")
    with pytest.raises(InvalidFile, match=says):
        read_allocation(path)


def test_an_invariant_without_words_about_it(tmp_path):
    path = write(tmp_path, "survey.yaml", DESCRIPTION + "invariants: [residents of the region]\n")
    made = read_allocation(path)
    assert (made.invariants, made.exact) == (("residents of the region",), ())
    told = allocate([{"query": "q", "rho": 1}])
    assert told.invariants == ()
