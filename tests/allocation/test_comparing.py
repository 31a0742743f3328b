"""Two candidates side by side, against sums by hand and the findings of each by itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dprisk.allocation import allocate, candidates, census2020, design, dhc2020, findings
from dprisk.errors import InvalidInput
from tests.allocation.tables import CSV, single, town
from tests.cli.running import run, write


def halved():
    """Half of the amount of one query, another left out, a third with noise that is not known."""
    made = town()
    queries = [q for q in made.queries if q.name != "sex"]
    queries[2] = replace(queries[2], amount=queries[2].amount / 2)
    queries[0] = replace(queries[0], noise=None)
    return replace(made, queries=tuple(queries), name="halved")


def test_queries_that_differ():
    made = candidates(town(), halved())
    pairs = {(pair.either.name, pair.either.level): pair for pair in made.queries}
    assert set(pairs) == {("residents", "region"), ("income", "region"), ("sex", "town")}
    first, second = pairs["income", "region"].queries
    assert (first.amount, second.amount) == (Fraction(3, 100), Fraction(3, 200))
    one, two = (noise.standard_deviation for noise in pairs["income", "region"].noise)
    assert one == pytest.approx((2 / (2 * 0.03)) ** 0.5, rel=1e-6)
    assert two == pytest.approx((2 / (2 * 0.015)) ** 0.5, rel=1e-6)
    assert pairs["residents", "region"].noise[1] is None
    assert pairs["sex", "town"].queries[1] is None
    assert pairs["sex", "town"].noise == (None, None)
    assert candidates(town(), town(name="other")).queries == ()


@pytest.mark.parametrize("concern", ["race", "voting age", "occupancy"])
def test_each_power_is_that_of_the_allocation_alone(concern):
    made = candidates(census2020(), dhc2020(), concerns=[concern], levels=[0.01, 0.1])
    for one, power, each in zip(
        made.allocations, made.concerns[0].powers, made.concerns[0].exposures, strict=True
    ):
        alone = findings(one.exposure(concern), levels=[0.01, 0.1])
        assert each.amount == alone.exposure.amount
        assert power == pytest.approx(alone.power.value.tolist(), abs=1e-6)
    assert len(made.queries) == 232


def test_everything_and_every_attribute_of_both():
    other = allocate(
        [{"query": "q", "attributes": "INCOME * rent", "epsilon": 1}],
        name="other",
        noise="laplace",
        moves=2,
    )
    made = candidates(town(), other, levels=[0.05])
    assert [pair.concerns for pair in made.concerns] == [(), ("income",), ("sex",), ("rent",)]
    assert [[one is None for one in pair.exposures] for pair in made.concerns] == [
        [False, False],
        [False, False],
        [False, True],
        [True, False],
    ]
    assert made.concerns[2].powers[1] is None
    assert len(made.queries) == 6
    assert made.to_dict()["concerns"][3]["amounts"] == [None, "1"]


def test_amounts_of_two_kinds_are_not_confused():
    """The same numbers as rho and as the square of mu: each has its own power."""
    rho, mu = single("rho", "1/4", noise="gaussian"), single("mu", "1/2", noise="gaussian")
    made = candidates(rho, mu, levels=[0.05])
    one, two = (power[0] for power in made.concerns[0].powers)
    assert one == pytest.approx(float(findings(rho.exposure()).power.value[1]), abs=1e-9)
    assert two == pytest.approx(float(findings(mu.exposure()).power.value[1]), abs=1e-9)
    assert one > two
    assert len(made.queries) == 1


def test_what_is_refused():
    with pytest.raises(InvalidInput, match="concern"):
        candidates(town(), single("rho", 1), concerns=["income"])
    with pytest.raises(InvalidInput, match="a list"):
        candidates(town(), town(), concerns="income")
    with pytest.raises(InvalidInput, match="level"):
        candidates(town(), town(), levels=[1.5])


def test_the_command(tmp_path):
    """A table, and the design that is made of it: options about tables are for the table alone."""
    path, new = write(tmp_path, "a.csv", CSV), str(tmp_path / "new.yaml")
    options = ("--nested", "region,town", "--noise", "discrete-gaussian", "--moves", "2")
    limit = ("--limit", "income: power(0.05)=0.1")
    assert run("allocation", path, *options, *limit, "--write", new).code == 0
    done = run("allocation", path, *options, "--against", new)
    assert (done.code, done.err) == (0, "")
    assert "4 queries differ" in done.out
    assert "Power of a test, at most" in done.out
    data = run("allocation", new, *options, "--against", path, "--json").data
    assert data["schema"] == "dprisk/candidates/1"
    scale = design(town(), ["income: power(0.05)=0.1"]).scale
    assert data["concerns"][1]["amounts"] == [str(Fraction(13, 100) * scale), "13/100"]
    assert data["concerns"][1]["powers"][0][1] <= 0.1
    brief = run("allocation", new, "--against", new, "-q").out
    assert "No query differs." in brief
    for more in (limit, ("--all-scenarios",)):
        refused = run("allocation", new, "--against", new, *more)
        assert refused.code == 2
        assert f"{more[0]} and --against cannot be used together" in refused.err
    for more in (("--ratio", "2"), ("--exact",), ("--write", "x.yaml"), ("--scale", "total")):
        refused = run("allocation", new, "--against", new, *more)
        assert refused.code == 2
        assert f"{more[0]} changes nothing with --against" in refused.err
    assert run("allocation", new, "--against", str(tmp_path / "none.yaml")).code == 2
    assert run("allocation", new, "--against", new, *options).code == 2
    nothing = run("allocation", "census2020", "--against", new, "-q").out
    assert "No query is in both: they match by part, level, place and name." in " ".join(
        nothing.split()
    )


def test_queries_are_the_same_however_they_are_spelled():
    """Part, level, place and name, in upper or lower case."""
    other = town()
    queries = (replace(q, name=q.name.upper(), level=q.level.title()) for q in other.queries)
    assert candidates(town(), replace(other, queries=tuple(queries))).queries == ()


def test_words_of_a_scale_that_were_not_quoted():
    asked = ("allocation", "census2020", "--limit", "race: power(0.05)=0.3", "--scale")
    done = run(*asked, "level", "state")
    assert (done.code, done.out) == (2, "")
    assert "Write both words in quotes, such as --scale 'level NAME'." in done.err
    assert "such as --scale 'level state'." in run(*asked, "state").err
