"""What a page shows errs to the safe side: tables, icons and drawings against the JSON."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from itertools import pairwise
from math import hypot

import pytest

from dprisk.releases import deployments
from dprisk.serve import drawn
from dprisk.serve.answered import best, find, of_release
from dprisk.serve.budgeted import of_budget
from dprisk.serve.compared import of_comparison
from dprisk.serve.pages import AUDIENCES, shown
from dprisk.serve.questions import ask
from dprisk.serve.ways import asked, points, reported, share, state
from tests.serve.test_ways import ADDRESSES

READ = {name: one for name, one in ADDRESSES.items() if one[0] in ("promise", "release")}
ALLOWED = {name: one for name, one in ADDRESSES.items() if one[0] == "budget"}
FORGIVEN = Decimal("1e-12")  # what is shorter by less is the same number


def answered(way, query):
    now = state(way, query)
    return now, {key: ask(*question) for key, question in asked(way, now).items()}


@pytest.mark.parametrize(("way", "query"), READ.values(), ids=READ)
def test_tables_are_rounded_outwards(way, query):
    now, answers = answered(way, query)
    found = of_release(now, answers)
    (beliefs,), tests, repeated = found.tables, found.tests.table, found.repeated
    statement = best(answers["assess"])
    for before, least, most, change in beliefs.rows[:-1]:
        after = find(statement, "posterior", float(before))
        moved = find(statement, "difference", float(before))
        assert Decimal(least) <= Decimal(after["lower"]) * (1 + FORGIVEN)
        assert Decimal(most) >= Decimal(after["upper"]) * (1 - FORGIVEN)
        assert Decimal(change) >= Decimal(max(moved["upper"], -moved["lower"])) * (1 - FORGIVEN)
    for (level, most), power in zip(tests.rows, answers["power"]["power"]["upper"], strict=True):
        assert 0.01 <= float(level) <= 0.5
        assert Decimal(most) >= Decimal(power) * (1 - FORGIVEN)
    assert repeated.rows
    counts = [int(number.replace(",", "")) for number, *_ in repeated.rows]
    assert counts == sorted(counts)
    for (_, text, holds), times in zip(repeated.rows, counts, strict=True):
        body = {**asked(way, now)["assess"].body, "releases": str(times)}
        if cases := re.search(r"at least (\S+) of 100 cases", holds):
            body["confidence"] = str(float(cases[1]) / 100)
        else:
            assert holds == "whatever the results show"
        again = find(best(ask("assess", body)), "posterior", float(share(now["prior"])))
        assert _share(text) >= Decimal(again["upper"]) * (1 - FORGIVEN)


def _share(text):
    """At most so many in so many, as a share; beyond the last count it is certainty."""
    number, whole = re.findall(r"[\d,]+", text)
    found = Decimal(number.replace(",", "")) / Decimal(whole.replace(",", ""))
    return Decimal(1) if text.startswith("possibly over") else found


@pytest.mark.parametrize(("way", "query"), READ.values(), ids=READ)
def test_the_handle_is_where_the_answer_is(way, query):
    now, answers = answered(way, query)
    chart, icons = of_release(now, answers).chart, of_release(now, answers).icons
    prior = float(share(now["prior"]))
    after = find(best(answers["assess"]), "posterior", prior)
    assert (chart.band.x, chart.band.high) == drawn.at(prior, after["upper"])
    assert chart.band.low == drawn.at(prior, after["lower"])[1]
    filled, whole = icons[1].filled.count("M"), 100 if icons[1].width == 100 else 1000
    assert filled >= whole * after["upper"] * (1 - 1e-12)


@pytest.mark.parametrize(("way", "query"), READ.values(), ids=READ)
def test_the_curve_is_drawn_where_the_power_is(way, query):
    """Lines between points cut off less than the curve is wide."""
    now, answers = answered(way, query)
    tests = of_release(now, answers).tests
    corners = [[float(end) for end in pair.split(",")] for pair in tests.lines.line.split(" ")]
    across, up = zip(*corners, strict=True)
    assert list(across) == sorted(across)
    assert list(up) == sorted(up, reverse=True)
    levels = [n / 50 for n in range(51)]
    question = asked(way, now)["power"]
    powers = ask("power", {**question.body, "level": [f"{each}" for each in levels[:50]]})
    for level, power in zip(levels, powers["power"]["upper"], strict=False):
        x, y = drawn.at(level, power)
        assert distance(x, y, corners) < 2.0


def distance(x, y, corners):
    """From a point to the nearest of the lines between corners."""
    return min(
        abs(complex(x - a, y - b) - max(0.0, min(1.0, share)) * complex(c - a, d - b))
        for (a, b), (c, d) in pairwise(corners)
        for share in [((x - a) * (c - a) + (y - b) * (d - b)) / (hypot(c - a, d - b) ** 2 or 1.0)]
    )


@pytest.mark.parametrize(("way", "query"), READ.values(), ids=READ)
def test_a_brief_page_says_the_same_on_top(way, query):
    for audience in AUDIENCES:
        given = {"way": way, "query": {**query, "audience": audience}}
        whole, brief = (
            shown(json.dumps({**given, "brief": brief}).encode())[1].decode()
            for brief in (False, True)
        )
        assert without_rest(brief) == without_rest(whole)


def without_rest(text):
    return re.sub(r"<(div|details) id=\"\w+\" data-rest>.*?</\1>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(("way", "query"), ALLOWED.values(), ids=ALLOWED)
def test_budgets_are_rounded_down(way, query):
    now, answers = answered(way, query)
    table = of_budget(now, answers).tables[0]
    found = [one for one in answers["budget"]["budgets"] if one["value"]]
    assert len(table.rows) == len(found) > 0
    for (_, said), one in zip(table.rows, found, strict=True):
        value = Decimal(re.search(r"= ([\d.e-]+)", said)[1])
        assert value <= Decimal(one["value"]) * (1 + FORGIVEN)
        assert value > Decimal(one["value"]) * Decimal("0.99999")


@pytest.mark.parametrize(("way", "query"), ALLOWED.values(), ids=ALLOWED)
def test_noise_spreads_no_less_than_it_says_it_must(way, query):
    now, answers = answered(way, query)
    table = of_budget(now, answers).tables[1]
    sigmas = [row for row in table.rows if row[1] == "Gaussian"]
    assert sigmas
    for row in sigmas:
        assert Decimal(row[3]) == Decimal(row[2].rpartition(" ")[2])


@pytest.mark.parametrize(
    ("share_of", "filled", "parts"),
    [(0.0, 0, 0), (0.001, 0, 1), (0.1, 10, 0), (0.231, 24, 0), (0.9999, 99, 1), (1.0, 99, 1)],
)
def test_icons_are_none_or_all_only_where_that_is_exact(share_of, filled, parts):
    made = drawn.icons(share_of, 100, "words")
    size = f"a{drawn.RADIUS},{drawn.RADIUS}"
    assert made.filled.count("M") == filled + parts
    assert made.filled.count(f"{size} 0 1,0") == 2 * filled
    assert made.filled.count(f"{size} 0 0,0") == made.filled.count("z") == parts  # a half
    assert made.empty.count("M") == 100 - filled
    assert drawn.icons(1.0, 100, "a prior", bounds=False).empty == ""


def test_a_profile_is_drawn_as_stairs_that_hold_up_to_each_point():
    assert drawn.stairs([(0.5, 0.6), (0.1, 0.2)]) == drawn.line(
        [(0.0, 0.2), (0.0, 0.2), (0.1, 0.2), (0.1, 0.6), (0.5, 0.6)]
    )
    assert drawn.stairs([(0.1, 0.7), (0.5, 0.6)]).count("164.0") == 0  # nowhere above 0.6
    assert points(state("budget", {"prior3": "50", "limit3": ""})) == [("10", "20")]


def test_a_band_reaches_its_corners_even_where_nothing_is_limited():
    for least, most in ((1.0, 1.0), (0.5, 2.0), (0.0, float("inf")), (1e-300, 1e300)):
        area = drawn.band(least, most, 0.5, (0.1, 0.9)).area.split(" ")
        assert drawn.line([(0.0, 0.0)]) in area
        assert drawn.line([(1.0, 1.0)]) in area
        assert not any("nan" in corner for corner in area)


def test_a_comparison_says_how_surely_each_limit_holds():
    now, answers = answered("compare", {"kind2": "gaussian"})
    pure, gaussian = (text for text, look in of_comparison(now, answers).headline[1:3])
    assert "cases" not in pure
    assert gaussian.endswith(", in at least 99 of 100 cases.")


@pytest.mark.parametrize("people", ["", "50000"])
def test_a_budget_with_a_delta_asks_for_the_people(people):
    query = {"confidence": "99"} | ({"people": people} if people else {})
    now, answers = answered("budget", query)
    said = [text for text, _ in of_budget(now, answers).headline]
    asked = "A δ has to be far below one over the number of people: enter that number."
    assert (asked in said) == (not people)


def test_what_is_published_exactly_stands_under_the_headline():
    (broadband,) = (each.name for each in deployments() if "Broadband" in each.name)
    now, answers = answered("release", {"published": broadband})
    exact = answers["assess"]["invariants"]
    said = [text for text, _ in of_release(now, answers).headline]
    assert exact and any(text.startswith("This limit does not cover what") for text in said)


@pytest.mark.parametrize("prior", ["1", "10", "50", "7", "33.3"])
def test_a_page_its_json_and_its_report_open_with_the_same_chance(prior):
    now, answers = answered("promise", {"epsilon": "1", "prior": prior})
    asked_about = float(share(prior))
    priors = answers["assess"]["adversary"]["priors"]
    assert priors[len(priors) // 2] == asked_about
    body = reported("promise", now)
    assert float(body["prior"][len(body["prior"]) // 2]) == asked_about
