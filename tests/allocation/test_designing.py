"""The largest amounts that keep limits, against the normal formula and by trying more."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

import pytest

from dprisk.allocation import allocate, census2020, design, dhc2020, read_allocation
from dprisk.allocation.designing import ConcernLimit, concern_limit, sums
from dprisk.errors import InvalidInput, Meaningless
from tests.allocation.tables import DESCRIPTION, single, town
from tests.cli.running import run, write

NORMAL = NormalDist()


def largest_rho(level, most):
    """Phi(Phi^-1(level) + sqrt(2 rho)) = most."""
    return (NORMAL.inv_cdf(most) - NORMAL.inv_cdf(level)) ** 2 / 2


@pytest.mark.parametrize(("level", "most"), [(0.05, 0.3), (0.01, 0.2), (0.1, 0.5)])
@pytest.mark.parametrize("noise", ["gaussian", "discrete-gaussian"])
def test_the_scale_of_the_total(noise, level, most):
    """Normal noise by its formula; discrete noise is close, and keeps the limit itself."""
    made = town(noise)
    found = design(made, [f"income: power({level})={most}"])
    truth = largest_rho(level, most) / float(Fraction(13, 100))
    assert float(found.scale) == pytest.approx(truth, rel=2e-3)
    if noise == "gaussian":
        assert truth * (1 - 1e-4) <= float(found.scale) <= truth
    exact = found.allocation.exposure("income")
    assert exact.amount == Fraction(13, 100) * found.scale == found.amounts[0]
    assert float(exact.exact().power(level)) <= most
    more = replace(
        made,
        queries=tuple(
            replace(q, amount=q.amount * found.scale * Fraction(1001, 1000)) for q in made.queries
        ),
    )
    assert float(more.exposure("income").exact().power(level)) > most


def test_one_level_and_one_query():
    """The others keep their amounts: what is left of the limit goes to the part."""
    limit = "race: power(0.05)=0.35"
    whole = largest_rho(0.05, 0.35)
    race = [q for q in census2020().queries if "CENRACE" in q.attributes]
    for kind, name in (("level", "block group"), ("query", "CENRACE")):
        part = sum(
            float(q.amount) for q in race if (q.level if kind == "level" else q.name) == name
        )
        rest = sum(float(q.amount) for q in race) - part
        if rest > whole:
            found = design(census2020(), [limit], **{kind: name})
            assert found.scale is None
            assert found.powers[0] > 0.35
            continue
        found = design(census2020(), [limit], **{kind: name})
        assert found.what == f"{kind} {name}"
        assert float(found.scale) == pytest.approx((whole - rest) / part, rel=1e-3)
        kept = {q.row: q.amount for q in census2020().queries}
        for query in found.allocation.queries:
            its = query.level if kind == "level" else query.name
            assert query.amount == kept[query.row] * (found.scale if its == name else 1)


def test_every_limit_is_kept_and_one_binds():
    limits = [
        f"{concern}: power({level})={most}"
        for concern, most in (("race", 0.3), ("age", 0.4), ("sex", 0.4), ("tenure", 0.5))
        for level in (0.01, 0.05, 0.1)
    ]
    found = design(dhc2020(), limits)
    excess = [power - one.most for power, one in zip(found.powers, found.limits, strict=True)]
    assert max(excess) <= 0.0
    assert max(excess) > -1e-4
    for one, amount in zip(found.limits, found.amounts, strict=True):
        assert amount == dhc2020().exposure(*one.concerns).amount * found.scale


def test_promises_and_epsilons():
    """Without noise, for every mechanism; pure DP bounds the power by e^epsilon times the level."""
    found = design(single("epsilon", "1", "2"), ["a: power(0.05)=0.1"])
    assert float(found.scale) > 0.0
    assert found.powers[0] <= 0.1
    promised = design(town(None), ["income: power(0.05)=0.3"])
    assert promised.scale < design(town(), ["income: power(0.05)=0.3"]).scale
    assert float(promised.allocation.exposure("income").promise().power(0.05)) <= 0.3


def test_places():
    rows = [
        {"query": "q", "attributes": "a", "place": p, "rho": r} for p, r in (("A", 1), ("B", 2))
    ]
    found = design(allocate(rows, noise="gaussian", moves=2), ["a: power(0.05)=0.3"])
    assert float(found.scale) == pytest.approx(largest_rho(0.05, 0.3) / 2, rel=1e-4)


def test_texts_of_limits():
    assert concern_limit("race; block within tract: power(0.05) = 0.3") == ConcernLimit(
        ("race", "block within tract"), 0.05, 0.3
    )
    assert concern_limit("power(0.05)=0.3").concerns == ()
    assert str(concern_limit("race: power(0.050)=0.30")) == "race: power(0.05)=0.3"


@pytest.mark.parametrize(
    ("limits", "more", "says"),
    [
        ([], {}, "at least one limit"),
        ("income: power(0.05)=0.3", {}, "at least one limit"),
        (["income"], {}, "a concern, and the power at a level"),
        (["income: power(x)=0.3"], {}, "made of numbers"),
        (["income: power(0.05)=nan"], {}, "limit"),
        (["income: power(0.3)=0.3"], {}, "a power above the level 0.3"),
        (["income: power(0.05)=1.3"], {}, "number in"),
        (["incme: power(0.05)=0.3"], {}, "Did you mean 'income'"),
        (["income: power(0.05)=0.3"], {"level": "twon"}, "Did you mean 'town'"),
        (["income: power(0.05)=0.3"], {"query": "incom"}, "Did you mean 'income'"),
        (["income: power(0.05)=0.3"], {"query": "income", "level": "town"}, "left out where"),
    ],
)
def test_limits_that_are_refused(limits, more, says):
    with pytest.raises(InvalidInput, match=says.replace("(", r"\(")):
        design(town(), limits, **more)


def test_what_no_limit_is_about():
    with pytest.raises(Meaningless, match="No limit is about"):
        design(town(), ["income: power(0.05)=0.3"], query="residents")


def test_sums_by_hand():
    found = sums(town())
    assert found["by_attribute"] == {"income": 0.13, "sex": 0.1}
    assert found["by_level"] == {"region": 0.05, "town": pytest.approx(0.15)}


def test_the_command(tmp_path):
    path = write(tmp_path, "survey.yaml", DESCRIPTION)
    new = str(tmp_path / "new.yaml")
    asked = ("allocation", path, "--limit", "income: power(0.05)=0.2")
    done = run(*asked, "--write", new)
    assert (done.code, done.err) == (0, "")
    assert "All limits are kept if all amounts are multiplied by at most" in done.out
    assert "Only the named parts of the record may change." in done.out
    data = run(*asked, "--json").data
    assert data["schema"] == "dprisk/design/1"
    assert data["limits"][0]["power"] <= 0.2
    assert data["assumptions"][0].startswith("Only the named parts of the record")
    kept = read_allocation(new)
    assert str(kept.total) == data["total"]
    assert run(*asked, "--write", new).code == 2
    over = run(*asked, "--scale", "query rooms")
    assert "No limit is about a query that is scaled" in over.err
    assert run(*asked, "--scale", "rooms").code == 2
    assert run(*asked, "--write", "new.csv").code == 2
    assert run(*asked, "--concern", "income").code == 2
    assert "needs a --limit" in run("allocation", path, "--scale", "total").err
    tight = ("allocation", "census2020", "--limit", "race: power(0.05)=0.1")
    text = run(*tight, "--scale", "level US", "-q").out
    assert "No scale of the amounts of the level US keeps all limits" in text
