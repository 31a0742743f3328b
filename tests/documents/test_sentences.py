"""What a report says: never less than the numbers, never what must not be said."""

from __future__ import annotations

import math
import re

import pytest

from dprisk import PureDP
from dprisk.documents import report, saying
from dprisk.documents.document import Facts, Figure, Items, Links, Listing, Sentence, Table
from dprisk.mechanisms import Laplace, SubsampledLaplace, TruncatedLaplace
from dprisk.releases import Part
from tests.documents.samples import approximate, everything, pure, release

FORBIDDEN = re.compile(
    r"\b(?:safe|safely|secure\w*|anonym\w*|no risk|risk[- ]free|harmless|negligible"
    r"|times (?:more|less|as) likely|None|nan|inf)\b"
)


def inside(sections):
    """Every section, and those in it."""
    for section in sections:
        yield section
        yield from inside(section.inside)


def said(report):
    """Every text of a report but for what was handed in to be printed as it is."""
    for section in inside(report.sections()):
        yield section.title
        for block in section.blocks:
            if isinstance(block, Sentence):
                yield block.text
            elif isinstance(block, Items):
                yield from block.items
            elif isinstance(block, Links):
                yield from (block.lead, *(text for text, _ in block.places))
            elif isinstance(block, Facts):
                yield from (name for name, _ in block.pairs)
            elif isinstance(block, Table):
                yield from (block.caption, *block.columns, *(c for row in block.rows for c in row))
            elif isinstance(block, Figure):
                yield from (block.caption, block.alt, *block.numbers.columns)
            else:
                assert isinstance(block, Listing)


def table(report, caption):
    """The first table whose caption starts so."""
    for section in inside(report.sections()):
        for block in section.blocks:
            if isinstance(block, Table) and block.caption.startswith(caption):
                return block
    raise AssertionError(caption)


def moved(prior, shift):
    """A belief whose odds are multiplied by e^shift, from first principles."""
    odds = prior / (1 - prior) * math.exp(shift)
    return odds / (1 + odds)


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_no_wrong_word(made):
    found = [line for line in said(made()) if FORBIDDEN.search(line)]
    assert found == []


def test_the_summary_is_one_question():
    """A sentence, a picture with the same number, and the promise."""
    headline, picture, promise, *_ = pure().sections()[0].blocks
    most, least = math.ceil(100 * moved(0.5, 1.0)), math.floor(100 * moved(0.5, -1.0))
    assert headline.text == (
        "Suppose someone knows all the data except one person's. Before seeing the results, they "
        "think there is a 50 in 100 chance that this person is in the data. Whatever the results "
        f"show, the chance afterwards is at least {least} in 100 and at most {most} in 100."
    )
    assert picture.caption == (
        f"Before the release: 50 in 100. After the release: at most {most} in 100."
    )
    assert promise.text == (
        "The release promises pure DP with ε = 1 (unit: person; one-off release; add-remove "
        "neighbors; central model)."
    ).replace("ε = 1 ", "ε = 1.0 ")


def test_beliefs_are_rounded_to_the_side_on_which_they_stay_true():
    rows = table(pure(), "Prior and posterior").rows
    for row, prior in zip(rows, (0.1, 0.5), strict=True):
        low, high = moved(prior, -1.0), moved(prior, 1.0)
        assert row[0] == f"{100 * prior:.0f} in 100"
        assert row[1] == f"{math.floor(100 * low)} in 100"
        assert row[2] == f"{math.ceil(100 * high)} in 100"
        assert row[3] == f"{math.ceil(100 * max(high - prior, prior - low))} in 100"
        assert 0.0 <= float(row[4]) - high / prior < 0.01
    sentences = " ".join(said(pure()))
    assert f"the chance changes by at most {math.ceil(100 * math.tanh(0.25))} in 100" in sentences
    assert "the posterior is at most 2.72 times the prior, for any prior." in sentences


def test_limits_are_said_to_be_kept_or_not():
    limits = table(pure(), "Limits")
    assert [row[0] for row in limits.rows] == ["posterior", "change from prior to posterior"]
    assert [row[-1] for row in limits.rows] == ["kept", "not kept"]
    assert "1 of your 2 limits is kept." in list(said(pure()))


@pytest.mark.parametrize(
    ("value", "prior", "upper", "lower"),
    [
        (0.0, 0.5, "under 1 in 100", "almost no limit: possibly under 1 in 100"),
        (0.0, 0.0, "0 in 100", "0 in 100"),
        (1.0, 1.0, "100 in 100", "100 in 100"),
        (1.0, 0.5, "almost no limit: possibly over 99 in 100", "100 in 100"),
        (0.995, 0.5, "almost no limit: possibly over 99 in 100", "over 99 in 100"),
        (0.232, 0.1, "24 in 100", "23 in 100"),
        (1e-300, 0.1, "under 1 in 100", "almost no limit: possibly under 1 in 100"),
    ],
)
def test_chances_near_the_ends(value, prior, upper, lower):
    """Only who was certain before is so afterwards, and zero is not reached."""
    expected = (upper, lower)
    if (value, prior) == (0.0, 0.5):
        assert saying.least(value, prior) == lower
        return
    assert (saying.most(value, prior), saying.least(value, prior)) == expected


def test_every_number_has_its_theorem_and_its_work():
    rows = table(pure(), "Theorem behind each number").rows
    works = next(
        dict(block.pairs)
        for section in inside(pure().sections())
        if section.title == "How the numbers were computed"
        for block in section.blocks
        if isinstance(block, Facts)
    )
    cited = {row[0] for row in rows}
    for each in pure().assessments[0].statements[0].findings:
        is_shown = each.metric != "with_data"
        assert (each.theorem.named in cited) is is_shown
        assert (each.theorem.named.partition(",")[0] in works) is is_shown
    membership, value = "(being in the data)", "(value of the record)"
    assert {row[-1] for row in rows} == {
        "exact worst case",
        "upper bound",
        f"exact worst case {membership}; upper bound {value}",
    }


def test_every_assumption_is_printed():
    lines = " ".join(said(everything()))
    for one in everything().assessments:
        for statement in one.statements:
            assert all(line in lines for line in statement.loss.assumptions)
    for each in everything().compared.found:
        assert all(line in lines for line in each.assumptions)
    assert all(line in lines for line in everything().attacked.curve.assumptions)


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_no_figure_without_words_and_numbers(made):
    figures = [
        block
        for section in inside(made().sections())
        for block in section.blocks
        if isinstance(block, Figure)
    ]
    assert len(figures) >= 4
    for figure in figures:
        assert figure.caption.endswith(".")
        assert figure.alt
        assert figure.numbers.rows
    assert len({figure.name for figure in figures}) == len(figures)


def test_readers_with_the_same_limits_share_a_row():
    """Pure DP limits any reader as it limits all others; other promises do not."""
    (row,) = table(pure(), "Highest belief").rows
    assert row[0] == "an adversary whose beliefs about the data may be wrong"
    assert 0.0 <= float(row[-1]) - math.exp(2.0) < 0.01  # two steps of epsilon 1
    assert len(table(approximate(), "Highest belief").rows) == 3


def costs(parts, **changes):
    """What a report says about accuracy and noise."""
    made = report(release(*parts, **changes))
    saying = made.to_markdown().partition("## Accuracy and noise")[2]
    return saying.partition("\n## ")[0]


def test_noise_of_each_record_is_not_that_of_a_count():
    """In the local model, a total over many records has a larger error."""
    promise = (Part(PureDP(2.0, neighbors="replace-one")),)
    central = costs(parts=promise, neighbors="replace-one")
    local = costs(parts=promise, neighbors="replace-one", model="local")
    assert "take a single count that differs by at most 1" in central
    assert "count" not in local.replace("accurate", "")
    assert "take one reported value that differs by at most 1" in local
    assert "A total over many records has a larger error" in local


def test_shuffled_records_have_noise_of_their_own():
    """No example of noise that is added once to a count."""
    promise = (Part(PureDP(1.0, neighbors="replace-one")),)
    shuffled = costs(parts=promise, neighbors="replace-one", model="shuffle")
    assert "each record gets its own noise before the records are mixed" in shuffled
    assert "count" not in shuffled and "|" not in shuffled


def test_replace_one_does_not_hide_who_is_in_the_data():
    """The summary says it as the explanation does."""
    inside = "Whether someone's record is in the data."
    assert inside in approximate().summary().to_markdown()
    assert inside not in pure().summary().to_markdown()


def test_one_noise_has_one_deviation():
    """The least noise for a promise and the same noise by name; a sample does not change it."""
    noise = Laplace(10.0, 1.0, neighbors="add-remove")
    least = costs(parts=(Part(PureDP(0.1, neighbors="add-remove")),))
    assert "| Laplace | 14.15 | 29.96 |" in least
    assert "| 14.15 | 29.96 |" in costs(parts=(Part.of(noise),))
    sampled = SubsampledLaplace(10.0, 1.0, 0.1, neighbors="add-remove")
    of_sample = costs(parts=(Part.of(sampled),))
    assert "| 14.15 | 29.96 |" in of_sample
    assert "The error that comes from sampling is not included." in of_sample


def test_what_is_not_known_is_explained():
    other = TruncatedLaplace(2.0, 1.0, 40.0, neighbors="add-remove")
    said_of_it = costs(parts=(Part.of(other),))
    assert "| not known |" in said_of_it
    assert "“Not known” means that dprisk does not compute" in said_of_it


@pytest.mark.parametrize("made", [pure, approximate, everything])
def test_only_bounds_in_the_table_are_cited(made):
    """What is named beside the numbers of more releases stands in their table."""
    shown = {row[-1] for row in table(made(), "Posterior after").rows}
    rows = table(made(), "Theorem behind each number").rows
    named = {each for row in rows for each in row[2].split("; ") if "repeated releases" in each}
    assert named == {f"repeated releases: {each}" for each in shown}


def test_with_certainty_there_is_no_probability():
    """Under pure DP every bound holds for every output."""
    parts = (Part(PureDP(2.0, neighbors="replace-one")),)
    certain = report(release(*parts, neighbors="replace-one")).to_markdown()
    assert "The probability is over" not in certain
    assert "The probability is over" in approximate().to_markdown()


def test_thousands_stand_apart():
    part = Part(PureDP(10.0, neighbors="replace-one"))
    saying = report(release(part, neighbors="replace-one")).to_markdown()
    assert "| 22,100 |" in saying  # e^10
    assert "by a factor of at most 22,100." in saying
    assert "22100" not in saying


def test_releases_of_a_day_are_not_about_one_day():
    """A day of a device is in one release only, so that the question is about one in each."""
    noise = PureDP(0.1, neighbors="add-remove")
    made = report(release(Part(noise), unit="device-day", period="day"), upto=3)
    assert (
        "Question: does each release use one device-day of this person's data?"
        in made.to_markdown()
    )
    assert "Here one release means the results for one period (day)." in made.to_markdown()
