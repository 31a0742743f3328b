"""Units of amounts: against exact fractions, and Rényi divergences made outside the package."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.special import ndtr, ndtri

from dprisk.allocation import allocate, findings, read_allocation
from dprisk.allocation.units import cost, for_replacing, implied, rho_of_epsilon
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.mechanisms import Laplace
from tests.cli.running import run, write


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_what_a_width_costs(moves):
    """By hand: a cell costs 1 / (2 sigma^2) of rho, 1 / sigma^2 of mu^2, 1 / b of epsilon."""
    assert cost("sigma", Fraction("4.5"), moves) == Fraction(moves) / (2 * Fraction(81, 4))
    assert cost("variance", Fraction(10), moves) == Fraction(moves, 20)
    assert cost("sigma", Fraction(3), moves, squares=True) == Fraction(moves, 9)
    assert cost("scale", Fraction(5, 2), moves) == Fraction(2 * moves, 5)
    assert cost("mu", Fraction(3), moves) == 9
    assert cost("rho", Fraction(3), moves) == cost("epsilon", Fraction(3), moves) == 3


@pytest.mark.parametrize("epsilon", ["1e-100", "1e-9", "0.01", "0.5", "1", "3", "20", "1000000"])
def test_rho_of_an_epsilon(epsilon):
    """Divergences of randomized response, which dominates: none is above, and one comes close."""
    found = rho_of_epsilon(Fraction(epsilon))
    with mp.workdps(400):
        e = mpf(epsilon)
        truth = e * mp.tanh(e / 2)
        rho = mpf(found.numerator) / found.denominator
        assert truth <= rho <= truth * (1 + mpf("1e-13"))
        assert rho <= e * e / 2 * (1 + mpf("1e-300"))
        for alpha in map(mpf, ["1.000000001", "1.5", "2", "7", "1000"]):
            s = (2 * alpha - 1) * e / 2
            # log(cosh(s) / cosh(e / 2)), without overflow
            top = s - e / 2 + mp.log1p(mp.exp(-2 * s)) - mp.log1p(mp.exp(-e))
            assert top / (alpha - 1) <= rho * alpha


def test_what_follows_under_another_accounting():
    assert implied("gdp", Fraction(4), "zcdp") == 2
    assert implied("zcdp", Fraction(4), "pure") is None
    assert implied("pure", Fraction(4), "gdp") is None
    assert implied("zcdp", Fraction(4), "zcdp") == 4
    half = rho_of_epsilon(Fraction(1, 2))
    assert implied("pure", Fraction(1), "zcdp", 2) == 2 * half < rho_of_epsilon(Fraction(1))


@pytest.mark.parametrize(("moves", "added"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_amounts_for_adding_or_removing(moves, added):
    """The noise with which adding a record costs an amount, and what replacing one costs then."""
    rho = Fraction(1, 7)
    variance = added / (2 * rho)
    assert for_replacing(rho, moves) == Fraction(moves) / (2 * variance)
    given = allocate(
        [{"query": "q", "attributes": "a", "rho": rho, "moves": moves}],
        noise="gaussian",
        neighbors="add-remove",
    )
    assert given.total == Fraction(moves) / (2 * variance)
    assert given.given_for == "add-remove"
    assert any("adding or removing" in text for text in findings(given.exposure("a")).assumptions)


MIXED = (
    {"query": "count", "attributes": "a", "sigma": "10", "noise": "discrete-gaussian"},
    {"query": "income", "attributes": "a", "variance": "50", "noise": "gaussian"},
    {"query": "visits", "attributes": "a", "scale": "8", "noise": "laplace"},
    {"query": "sizes", "attributes": "b", "epsilon": "1/2", "noise": "geometric"},
    {"query": "rest", "attributes": "c", "epsilon": "1/3"},
    {"query": "score", "attributes": "d", "mu": "1/5"},
    {"query": "other", "attributes": "e", "rho": "1/9"},
)


def test_several_kinds_in_one_table():
    made = allocate(MIXED, name="mixed", moves=2)
    assert (made.accounting, made.noise) == ("zcdp", None)
    amounts = {query.name: query.amount for query in made.queries}
    eighth, quarter = (rho_of_epsilon(Fraction(1, n)) for n in (8, 4))
    assert amounts == {
        "count": Fraction(1, 100),
        "income": Fraction(1, 50),
        "visits": 2 * eighth,
        "sizes": 2 * quarter,
        "rest": rho_of_epsilon(Fraction(1, 3)),
        "score": Fraction(1, 50),
        "other": Fraction(1, 9),
    }
    assert made.exposure("a").amount == Fraction(3, 100) + 2 * eighth
    assert findings(made.exposure("a")).reading == "exact"
    assert findings(made.exposure("a")).power_gaussian is None
    assert findings(made.exposure("e")).reading == "promise"
    assert findings(made.exposure("c")).reading == "exact"
    data = made.exposure("b").to_dict()
    assert data["queries"][0]["epsilon"] == "1/2"


def test_noise_by_its_width_is_that_noise():
    """Normal noise of sigma 3 on two cells, and Laplace noise of scale 4: their own power."""
    levels = np.array([0.01, 0.05, 0.3])
    made = allocate([{"query": "q", "attributes": "a", "sigma": 3}], noise="gaussian", moves=2)
    truth = ndtr(ndtri(levels) + 2**0.5 / 3)
    assert np.asarray(made.exposure("a").exact().power(levels)) == pytest.approx(truth, rel=1e-12)
    squares = allocate(
        [{"query": "q", "attributes": "a", "sigma": 3}], noise="gaussian", moves=2, accounting="gdp"
    )
    assert (squares.accounting, squares.total) == ("gdp", Fraction(2, 9))
    made = allocate([{"query": "q", "attributes": "a", "scale": 4}], noise="laplace", moves=1)
    assert (made.accounting, made.total) == ("pure", Fraction(1, 4))
    truth = Laplace(4.0, 1.0, neighbors="replace-one").loss().power(levels)
    assert np.asarray(made.exposure("a").exact().power(levels)) == pytest.approx(
        np.asarray(truth), abs=1e-9
    )


def test_the_exact_reading_keeps_below_the_promise():
    made = allocate(MIXED[:4], name="mixed", moves=2)
    whole = made.exposure()
    low, high = whole.exact().power([0.01, 0.1, 0.5]).bracket
    assert np.all(low <= high)
    assert np.all(high <= np.asarray(whole.promise().power([0.01, 0.1, 0.5])) + 1e-9)


@pytest.mark.parametrize(
    ("rows", "options", "says"),
    [
        ([{"sigma": 3}], {"moves": 2}, "row 1: The row gives sigma, and the noise is not named"),
        ([{"sigma": 3, "noise": "laplace"}], {"moves": 2}, "row 1: The noise 'laplace' does not"),
        ([{"scale": 3, "noise": "laplas"}], {"moves": 2}, "row 1: The noise 'laplas' is unknown"),
        ([{"scale": 0, "noise": "laplace"}], {"moves": 2}, "row 1: scale must be above 0"),
        ([{"scale": 3, "noise": "laplace"}], {}, "row 1: The table does not say how many cells"),
        ([{"rho": 1}, {"rho": 1, "mu": 1}], {}, "row 2: The row gives rho and mu"),
        ([{"rho": 1}, {"mu": ""}], {}, "row 2: The row gives none of rho, mu"),
        ([{"rho": 1}], {"neighbors": "add-remove"}, "row 1: The amount is for adding or removing"),
        ([{"rho": 1, "share": 1}], {"amount": 1}, "The table has the columns share and rho"),
        ([{"sigma": "1e-60"}], {"moves": 2, "noise": "gaussian"}, "row 1: The noise means rho ="),
        ([{"rho": 1}, {"mu": 1}], {"accounting": "gdp"}, "row 1: The table gives rho, but the"),
    ],
)
def test_rows_that_do_not_fit(rows, options, says):
    table = [{"query": f"q{n}", "attributes": "a", **row} for n, row in enumerate(rows)]
    with pytest.raises(InvalidFile, match=says):
        allocate(table, **options)


def test_neighbors_are_a_word_that_is_known(tmp_path):
    with pytest.raises(InvalidInput, match="neighbors"):
        allocate([{"query": "q", "rho": 1}], neighbors="both")
    text = "allocation: 1\nneighbors: add-remove\nnoise: laplace\nmoves: 2\n"
    text += "table: [{query: q, attributes: a, epsilon: 1/2}]\n"
    assert read_allocation(write(tmp_path, "a.yaml", text)).total == 1


def test_the_command(tmp_path):
    text = "query,attributes,sigma,scale,noise\na,x,10,,discrete-gaussian\nb,x,,8,laplace\n"
    path = write(tmp_path, "mixed.csv", text)
    done = run("allocation", path, "--concern", "x", "--moves", "2")
    assert (done.code, done.err) == (0, "")
    assert "named noise: at least" in done.out
    assert "with ρ = 0.0256" in done.out
    path = write(tmp_path, "ar.csv", "query,attributes,epsilon\na,x,1\n")
    asked = ("allocation", path, "--concern", "x", "--moves", "2", "--neighbors", "add-remove")
    assert "ε = 2 of 2" in run(*asked, "--noise", "laplace").out
    assert "Name the noise" in run(*asked).err
