"""A report as a value: the numbers of the other rooms, the same bytes every time, three formats."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction

import pytest

from dprisk import Adversary, ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, assess, mechanisms
from dprisk.allocation import allocate, census2020
from dprisk.curves import ladder
from dprisk.documents import Labels, assess_counterfactual, assess_tests, report
from dprisk.documents.document import _cells
from dprisk.documents.reporting import Report
from dprisk.errors import InvalidFile, InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import SubsampledGaussian
from dprisk.releases import Part
from tests.documents.samples import approximate, everything, pure, release

PROMISE = PureDP(1.0, neighbors="add-remove")


def strict(text):
    """JSON without what JSON does not have."""

    def refuse(name):
        raise AssertionError(name)

    return json.loads(text, parse_constant=refuse)


def test_numbers_are_those_of_the_other_rooms():
    made, data = pure(), pure().to_dict()
    who = Adversary(priors=(0.1, 0.5))
    alone = assess(made.release, who, limits={"posterior": 0.8, "difference": 0.1})
    assert data["assessments"][0] == alone.to_dict()
    both = assess_counterfactual(made.release, world="dropped", without=(0.1, 0.5))
    assert data["counterfactual"] == both.to_dict()
    tested = assess_tests(made.release, priors=(0.1, 0.5))
    assert data["attack"] == tested.to_dict()
    climbed = ladder(made.release, range(1, 11), prior=0.5)
    assert data["ladder"] == climbed.to_dict()


def test_limits_decide_whether_it_is_kept():
    assert [limit.kept for limit in pure().assessments[0].limits] == [True, False]
    assert not pure().kept
    assert approximate().kept


def test_both_questions_are_asked_where_both_have_an_answer():
    assert [each.adversary.secret for each in pure().assessments] == ["membership", "attribute"]
    (only,) = approximate().assessments
    assert only.adversary.secret == "attribute"
    ((what, why), *_) = approximate().missing
    assert what == "Whether someone is in the data"
    assert "replace-one" in why.why


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_json_is_strict_and_complete(made):
    assert strict(made().to_json()) == strict(json.dumps(made().to_dict()))
    assert made().to_dict()["schema"] == "dprisk/report/1"


@pytest.mark.parametrize("form", ["html", "markdown", "json"])
def test_the_same_report_has_the_same_bytes(form):
    one, other = (
        report(release(Part(PROMISE)), limits={"posterior": 0.75}).written(form) for _ in range(2)
    )
    assert one == other


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_another_label_changes_the_lines_it_stands_in(form):
    one, other = (
        report(release(Part(PROMISE)), labels=Labels(by=name)).written(form).splitlines()
        for name in ("A. Analyst", "B. Builder")
    )
    assert len(one) == len(other)
    changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    assert 2 <= len(changed) <= 5
    assert all("A. Analyst" in a and "B. Builder" in b for a, b in changed)


def test_there_is_no_date_that_was_not_given():
    assert "Date</dt>\n<dd>____" in pure().to_html()
    dated = report(release(Part(PROMISE)), labels=Labels(date="2026-02-01"))
    assert "<dd>2026-02-01</dd>" in dated.to_html()


@pytest.mark.parametrize(
    ("name", "start"),
    [("r.html", "<!doctype html>"), ("r.HTM", "<!doctype"), ("r.md", "# Town"), ("r.json", "{")],
)
def test_the_ending_names_the_format(name, start, tmp_path):
    pure().save(tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_format_can_be_said(tmp_path):
    pure().save(tmp_path / "report", "json")
    assert strict((tmp_path / "report").read_text(encoding="utf-8"))["kept"] is False


def test_where_it_cannot_be_written(tmp_path):
    with pytest.raises(InvalidInput, match=r"\.html, \.md, \.json or \.pdf"):
        pure().save(tmp_path / "report.txt")
    with pytest.raises(InvalidInput, match="'html'"):
        pure().save(tmp_path / "report.html", "txt")
    with pytest.raises(InvalidFile, match="There is no folder"):
        pure().save(tmp_path / "nowhere" / "report.html")


@pytest.mark.parametrize("promise", [PureDP(math.inf, neighbors="add-remove"), None])
def test_nothing_to_assess_is_said(promise):
    made = report(release(*([] if promise is None else [Part(promise)])), limits={"odds": 2.0})
    titles = [section.title for section in made.sections()]
    assert titles == [
        "Summary",
        "What was released",
        "What the limits do not cover",
        "Assumptions",
        "Reproduce this report",
        "Sign-off",
    ]
    assert not made.kept
    text = made.to_markdown()
    assert "cannot be assessed" in text
    assert "not kept" in text
    assert strict(made.to_json())["assessments"][0]["assessable"] is False


def test_a_promise_that_allows_little_confidence_gets_less():
    made = report(ApproxDP(1.0, 0.1, neighbors="add-remove"))
    assert made.asked.confidence == made.assessments[0].statements[0].confidence == 0.75
    assert "in at least 75 of 100 cases" in made.to_markdown()
    with pytest.raises(OutOfRange, match="confidence"):
        report(ApproxDP(1.0, 0.1, neighbors="add-remove"), Adversary(confidence=0.99))


def test_a_promise_that_is_only_stated_otherwise():
    """Then that statement is what counts, in every section."""
    made = report(release(stated_also=(Part(PROMISE),)))
    assert made.attacked is not None and made.together is not None
    assert "24 in 100" in made.to_markdown()


def test_a_hundred_parts_fit_into_a_sentence_and_a_table():
    small = PureDP(0.01, neighbors="add-remove")
    made = report(release(*(Part(small, label=f"table {n}") for n in range(100))))
    text = made.to_markdown()
    assert "has 100 parts (unit: person" in text
    assert "| table 99 |" in text
    assert "each of the 100 parts (pure DP with ε = 0.01)" in text


def test_releases_are_looked_ahead_to():
    taken = release(Part(PureDP(0.01, neighbors="add-remove")), releases=30)
    made = report(taken, upto=365, labels=Labels(times=30))
    assert made.ladder is not None
    assert made.ladder.releases == (*range(1, 11), 20, 30, 50, 100, 200, 365)
    assert "| 30 |" in made.to_markdown()


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InvalidInput, match="without an allocation"):
        report(PROMISE, concerns=["race"])
    with pytest.raises(InvalidInput, match="a Release, a Guarantee, a Mechanism or a file"):
        report(1.0)
    with pytest.raises(OutOfRange, match="level"):
        report(PROMISE, levels=[2.0])
    with pytest.raises(OutOfRange, match="upto"):
        report(PROMISE, upto=0)
    with pytest.raises(InvalidInput, match="by must be text"):
        Labels(by=None)
    with pytest.raises(Meaningless, match="Membership"):
        report(PureDP(1.0, neighbors="replace-one"), Adversary(secret="membership"))


def test_several_concerns_are_read_one_by_one_and_together():
    """P1, Section 8.2, scenario E: the queries that race or a move of blocks touches, each once."""
    census = census2020()
    touched = [
        query.amount
        for query in census.queries
        if "CENRACE" in query.attributes or query.level in ("block group", "block")
    ]
    named = ["race", "block within tract"]
    made = report(
        ZeroConcentratedDP(2.63, neighbors="replace-one"), allocation=census, concerns=named
    )
    assert [one.exposure.concerns for one in made.concerns] == [
        (),
        ("race",),
        ("block within tract",),
        ("race", "block within tract"),
    ]
    assert made.concerns[-1].exposure.amount == sum(touched)
    assert round(float(sum(touched)), 4) == 1.3787
    assert "| race and block within tract together | 44 | 1.3787 | 52.5 % |" in made.to_markdown()


def test_a_union_that_was_asked_for_is_not_repeated():
    census = census2020()
    made = report(
        ZeroConcentratedDP(2.63, neighbors="replace-one"),
        allocation=census,
        concerns=["race; ethnicity", "ethnicity"],
    )
    assert [one.exposure.concerns for one in made.concerns][1:] == [
        ("race", "ethnicity"),
        ("ethnicity",),
    ]


def test_concerns_are_read_one_by_one():
    found = everything().concerns
    assert [one.exposure.concerns for one in found] == [(), ("race",)]
    text = everything().to_markdown()
    assert "| race | 1 | 0.1 | 66.7 % |" in text
    assert isinstance(everything(), Report)


def test_a_summary_counts_in_hundreds():
    """The sentence, the starting points and the limits of one page have one denominator."""
    who = Adversary(priors=(0.0005, 0.01, 0.1, 0.995))
    made = report(
        PureDP(0.2, neighbors="add-remove"), who, limits={"posterior": 0.998, "difference": 0.1}
    )
    said = made.summary().to_markdown()
    assert set(re.findall(r"\d in (\d+(?:,\d+)*)", said)) == {"100"}
    rows = re.findall(r"^\| (\S+) in 100 \| (\S+) in 100 \| (\S+) in 100 \|$", said, re.MULTILINE)
    assert len(rows) == 4
    for before, least, most in rows:
        odds = Fraction(before) / (100 - Fraction(before))
        low, high = (odds * Fraction(math.exp(s)) for s in (-0.2, 0.2))
        for shown, truth in ((least, low / (1 + low)), (most, high / (1 + high))):
            assert abs(Fraction(shown) - 100 * truth) <= min(100 * truth, 100 - 100 * truth) / 9
        assert Fraction(least) <= 100 * low / (1 + low)
        assert Fraction(most) >= 100 * high / (1 + high) * (1 - Fraction(1, 10**12))
    assert "| posterior | 99.8 in 100 |" in said and "| 10 in 100 |" in said
    assert made.summary().sections[-1].blocks[-1].pairs[0][1].count("_") > 140  # room for reasons


def test_a_training_run_publishes_no_numbers():
    """Its noise is on gradients: no line says how far off a published number is."""
    step = SubsampledGaussian(sigma=1.1, sensitivity=1.0, rate=0.01, neighbors="add-remove")
    titles = [section.title for section in report(Part.of(step, 100)).sections()]
    assert "Accuracy and noise" not in titles
    titles = [section.title for section in report(Part.of(step, 1)).sections()]
    assert "Accuracy and noise" in titles


def test_small_numbers_of_a_column_have_one_notation():
    values = [0.5, 0.012345, 0.00123456, 0.00001234567, 2.5e-9, 0.0, 1.0]
    cells = _cells(values, "at most")
    assert cells == ["0.5", "0.01235", "1.235e-3", "1.235e-5", "2.5e-9", "0", "1"]
    assert _cells(values[:3], "at most") == ["0.5", "0.01235", "0.001235"]


@pytest.mark.parametrize(
    ("made", "amount", "refused"),
    [
        (ZeroConcentratedDP(0.2, neighbors="replace-one"), "0.5", True),
        (ZeroConcentratedDP(0.2, neighbors="replace-one"), "0.2", False),
        (ZeroConcentratedDP(0.5, neighbors="add-remove"), "2.1", True),  # two steps: at most 4 rho
        (ZeroConcentratedDP(0.5, neighbors="add-remove"), "1.9", False),
        (GaussianDP(0.5, neighbors="replace-one"), "0.13", True),  # rho = mu^2 / 2
        (PureDP(1.0, neighbors="replace-one"), "0.6", True),  # rho = epsilon^2 / 2
    ],
)
def test_an_allocation_never_spends_more_than_its_release(made, amount, refused):
    rows = [{"query": "ages", "attributes": "age", "rho": amount}]
    table = allocate(rows, noise="gaussian", moves=2)
    if refused:
        with pytest.raises(InvalidInput, match="which is what A release promises"):
            report(made, allocation=table, upto=1)
    else:
        assert report(made, allocation=table, upto=1).concerns


@pytest.mark.parametrize("noise", ["gaussian", "discrete-gaussian"])
@pytest.mark.parametrize("neighbors", ["replace-one", "add-remove"])
def test_the_noise_of_an_allocation_keeps_a_promise_of_another_definition(noise, neighbors):
    """At a delta of 1e-6, Gaussian noise of mu = sqrt(1.2) has an epsilon of about 5.4."""
    epsilon = 5.4
    rows = [{"query": "ages", "attributes": "age", "rho": "0.6"}]
    table = allocate(rows, noise=noise, moves=2)
    steps = 1 if neighbors == "replace-one" else 2
    for share, refused in ((0.9, True), (1.1, False)):
        made = ApproxDP(share * epsilon / steps, 1e-6, neighbors=neighbors)
        if refused and steps == 1:
            with pytest.raises(InvalidInput, match="what was run gives at least ε = "):
                report(made, allocation=table, upto=1)
        elif not refused:
            assert report(made, allocation=table, upto=1).concerns


def test_an_allocation_that_spends_less_is_said_to():
    table = allocate([{"query": "ages", "attributes": "age", "rho": "0.1"}], moves=2)
    less = "The release promises 0.2, so"
    assert (
        less
        in report(
            ZeroConcentratedDP(0.2, neighbors="replace-one"), allocation=table, upto=1
        ).to_markdown()
    )
    assert (
        less
        not in report(
            ZeroConcentratedDP(0.1, neighbors="replace-one"), allocation=table, upto=1
        ).to_markdown()
    )


@pytest.mark.parametrize(("noise", "width"), [("Geometric", 2.0), ("DiscreteGaussian", 1.0)])
def test_the_noise_on_a_sample_is_the_noise_itself(noise, width):
    """Noise on integers stays so: its error is not that of continuous noise of the same width."""
    plain = getattr(mechanisms, noise)(width, 1, neighbors="add-remove")
    sampled = getattr(mechanisms, f"Subsampled{noise}")(width, 1, 0.5, neighbors="add-remove")
    errors = []
    for each in (plain, sampled):
        text = report(each, priors=[0.5]).to_markdown()
        head = text[text.index("Error in at least 95 of 100") :]
        errors.append(head.splitlines()[2].split("|")[2:4])
    assert errors[0] == errors[1]
