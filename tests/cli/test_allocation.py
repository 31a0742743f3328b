"""``dprisk allocation``: one concern, or all scenarios beside what was printed."""

from __future__ import annotations

import pytest
from mpmath import mp, mpf

from dprisk.allocation import census2020, findings, scenarios
from tests.allocation.tables import CSV, DESCRIPTION
from tests.cli.running import run, write

CENSUS = ("allocation", "census2020")
BOTH = ("--concern", "race", "--concern", "block within tract")


def flat(text):
    return " ".join(text.split())


def test_json_is_what_the_library_returns():
    done = run(*CENSUS, *BOTH, "--level", "0.05", "--ratio", "3", "--prior", "0.2", "--json")
    assert (done.code, done.err) == (0, "")
    made = findings(
        census2020().exposure("race", "block within tract"), levels=[0.05], ratios=[3], priors=[0.2]
    )
    assert done.data == made.to_dict()


def test_text_of_a_concern():
    done = run(*CENSUS, *BOTH)
    assert done.code == 0
    text = flat(done.out)
    assert "at most 44 queries can change, with ρ = 1.37869 of 2.63 (52.4%)" in text
    assert "0.05 0.5062546 0.5062547 0.667" in text
    assert "OCCUPANCY 0.0301 0.00846" in text
    assert "population of each state" in text
    assert max(map(len, done.out.splitlines())) <= 100


def test_discrete_noise_is_bounded_by_its_own_test(tmp_path):
    """One count with rho 2: the best test at level 0.1, from the probabilities of the noise."""
    with mp.workdps(30):
        weights = {k: mp.exp(-2 * mpf(k) ** 2) for k in range(-12, 14)}  # 2 sigma^2 = 1 / rho
        whole = mp.fsum(weights.values())
        left, power = mpf("0.1"), mpf(0)
        for k in range(13, -12, -1):  # likelihood ratios rise with the output
            level, gained = weights[k] / whole, weights[k - 1] / whole
            taken = min(left / level, 1)
            left, power = left - taken * level, power + taken * gained
    assert round(float(power), 5) == 0.84367
    path = write(tmp_path, "one.csv", "query,attributes,rho\ncount,a,2\n")
    asked = ("allocation", path, "--concern", "a", "--noise", "discrete-gaussian", "--moves", "1")
    (row,) = run(*asked, "--level", "0.1", "--json").data["tests"]
    assert row["power"]["at_least"] <= float(power) <= row["power"]["at_most"] < 0.843671
    assert "true positive rate of at most 84.4 in 100" in flat(run(*asked, "-q").out)
    assert "0.764" not in run(*asked, "--level", "0.1").out
    assert flat(run(*CENSUS, "--concern", "race", "--quiet").out).startswith(
        "Concern: race. If this changes in one record, at most 30 queries can change, with ρ"
    )
    refused = run(*asked, "--gaussian")
    assert (refused.code, "--gaussian" in refused.err) == (2, True)


def test_all_scenarios():
    """Eight rows beside the prints, and why six differ."""
    done = run(*CENSUS, "--all-scenarios")
    text = flat(done.out)
    assert "C 1.0103 0.952 0.182766 0.17 0.411619 0.40 0.555639 0.54" in text
    assert "A, B: all published numbers of P1, Section 8.2 match." in text
    assert (
        "C, D, E, F, G, H: the published numbers of P1, Section 8.2 that differ are smaller" in text
    )
    assert "every query at the US level is given the share of CENRACE there, 52/4097" in text
    assert max(map(len, done.out.splitlines())) <= 100
    data = run(*CENSUS, "--all-scenarios", "--json").data
    expected = [one.to_dict() for one in scenarios(census2020())]
    assert data["scenarios"] == expected
    quiet = run(*CENSUS, "--all-scenarios", "--quiet").out.splitlines()
    assert quiet[0] == "A: matches"


def test_tables_of_an_agency(tmp_path):
    path = write(tmp_path, "town.csv", CSV)
    options = ("--nested", "region, town", "--concern", "sex")
    promised = flat(run("allocation", path, *options).out)
    assert "at most 1 query can change, with ρ = 0.1 of 0.2 (50%)" in promised
    assert "any mechanism with that ρ" in promised
    assert "discrete" not in promised
    more = ("--moves", "2", "--noise", "discrete-gaussian")
    known = flat(run("allocation", path, *options, *more).out)
    assert "discrete Gaussian noise: at least" in known
    path = write(tmp_path, "survey.yaml", DESCRIPTION)
    assert (
        "S: printed 0.5417, but the table adds up" in run("allocation", path, "--all-scenarios").out
    )


def test_tables_without_levels(tmp_path):
    path = write(tmp_path, "laplace.csv", "query,attributes,epsilon\na,age,0.5\nb,sex,0.25\n")
    done = run("allocation", path, "--concern", "age", "--noise", "laplace", "--moves", "2")
    assert done.code == 0
    assert "ε = 0.5 of 0.75" in done.out
    assert "if it were normal" not in done.out
    path = write(tmp_path, "shares.csv", "query,attributes,share\na,age,1/4\nb,sex,3/4\n")
    shared = ("--accounting", "gdp", "--amount", "2", "--quiet")
    assert "μ² = 1 of 4 (25%)" in run("allocation", path, "--concern", "age", *shared).out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["census2020", "--concern", "rase"], "Did you mean 'race'?"),
        (
            ["census2020", *BOTH, "--all-scenarios"],
            "--concern and --all-scenarios cannot be used together",
        ),
        (
            ["census2020", "--moves", "2"],
            "--moves 2: the value must be left out when a description is given",
        ),
        (["census2020", "--level", "2"], "--level 2: the value must be a number in [0, 1]"),
        (["census2020", "--level", "x"], "--level x: the value must be a number in decimal text"),
        (
            ["census2020", "--confidence", "1"],
            "--confidence 1: the value must be a number in (0, 1)",
        ),
        (["census", "--concern", "race"], "ask for census2020 or dhc2020, which come with dprisk."),
        (["none.csv"], "none.csv: There is no such file"),
        (["none.csv", "--moves", "0"], "--moves 0: the value must be a whole number"),
    ],
)
def test_bad_input(args, says):
    done = run("allocation", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_rows_are_named(tmp_path):
    path = write(tmp_path, "town.csv", CSV.replace("0.03", "-0.03"))
    done = run("allocation", path, "--nested", "region,town")
    assert done.code == 2
    assert "town.csv, line 4: rho must be a number in [0, 1000000], got '-0.03'" in done.err
