"""What is drawn is what the curve says, and every picture has its words, its table and its axes."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import dprisk.curves
from dprisk import (
    ApproxDP,
    GaussianDP,
    PureDP,
    ZeroConcentratedDP,
    counterfactual,
    disclosure,
)
from dprisk.budget import (
    PosteriorLimit,
    PowerLimit,
    RatioLimit,
    budget_curve,
    budget_map,
    noise_for,
)
from dprisk.curves import (
    alt_text,
    beliefs,
    counterfactual_line,
    draw_beliefs,
    draw_budget_map,
    draw_delta_area,
    draw_error,
    draw_ladder,
    draw_lines,
    draw_noise,
    draw_risk_profile,
    guarantee_line,
    ladder,
    noise_curve,
    tables,
    takeaway,
    two_outputs,
)
from dprisk.curves.figure import behind
from dprisk.curves.lines import Line
from dprisk.errors import InvalidInput
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.papers import census_figure, reproduce
from dprisk.risk import attack
from dprisk.theorems import Theorem
from tests.curves.pictures import (
    PICTURES,
    A,
    area,
    climbed,
    clinic,
    drawn,
    learned,
    lines,
    moved,
    noises,
    outputs,
    picture_of,
    seen,
    struck,
    touching,
)

FORBIDDEN = re.compile(
    r"\b(safe|anonymous|no risk|nan|inf)\b|times (more|as) likely", re.IGNORECASE
)


@pytest.fixture(params=PICTURES)
def name(request):
    return request.param


def test_words_and_table_stand_behind(name):
    ax = picture_of(name)
    (table,) = tables(ax)
    assert alt_text(ax).endswith(takeaway(ax))
    assert takeaway(ax).endswith(".")
    assert re.search(r"\d", takeaway(ax))
    assert not FORBIDDEN.search(alt_text(ax))
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.columns)}


def test_axes_are_labelled_but_for_icons(name):
    ax = picture_of(name)
    if ax.axison:
        assert ax.get_xlabel()
        assert ax.get_ylabel()
    else:
        assert seen(ax)


def test_settings_stay_as_they_were_and_axes_given_are_used(name):
    with matplotlib.rc_context({"axes.facecolor": "pink", "lines.linewidth": 7.0}):
        before = dict(matplotlib.rcParams)
        ax = Figure().subplots()
        assert PICTURES[name](ax) is ax
        assert dict(matplotlib.rcParams) == before
    assert alt_text(ax.figure) == alt_text(ax)


def test_everything_is_inside_the_figure(name):
    ax = picture_of(name)
    figure = ax.figure
    box = ax.get_tightbbox()
    assert box.x0 >= 0.0
    assert box.y0 >= 0.0
    assert box.x1 <= figure.bbox.width
    assert box.y1 <= figure.bbox.height


def test_words_touch_no_other_words(name):
    assert touching(picture_of(name)) == []


def test_no_line_runs_through_words(name):
    assert struck(picture_of(name)) == []


def test_words_that_are_struck_or_touch_would_be_found():
    ax = Figure().subplots()
    ax.plot([0.0, 1.0], [0.0, 1.0], label="rising")
    ax.text(0.5, 0.5, "in the middle", ha="center", va="center")
    ax.text(0.52, 0.5, "and beside it", ha="center", va="center")
    assert struck(ax) == [("in the middle", "rising"), ("and beside it", "rising")]
    assert touching(ax) == [("in the middle", "and beside it")]


def test_no_line_hides_another(name):
    lines = [line for line in picture_of(name).lines if np.isfinite(line.get_ydata()).sum() > 2]
    for one, other in combinations(lines, 2):
        ends = [line.get_transform().transform(line.get_xydata()) for line in (one, other)]
        if ends[0].shape == ends[1].shape:
            apart = np.abs(ends[0] - ends[1])
            both = np.isfinite(apart)
            assert not both.any() or np.max(apart[both]) > 0.5  # pixels


def test_lines_that_are_the_same_are_one_line_with_both_names():
    first, second = lines("power")[0], lines("tail")[1]
    twin = Line("its twin", "power", first.x, None, first.upper, "upper", first.theorem)
    ax = draw_lines(first, twin, lines("power")[1])
    (words,) = [text for text in seen(ax) if "the same" in text]
    assert " ".join(words.split()) == "normal / its twin (the same)"
    assert {row[0] for row in tables(ax)[0].rows} == {"normal", "its twin", "approximate"}
    assert "the same" not in " ".join(seen(draw_lines(lines("tail")[0], second)))


def test_the_point_stands_above_with_its_direction_and_below_where_it_is_from(name):
    ax = picture_of(name)
    title, source = (" ".join(text.get_text().split()) for text in ax.figure.texts)
    assert title == behind(ax)[0].title
    assert re.search(r"at (most|least) \S*\d|by more than \d|at least \d", title)
    assert source == " ".join(behind(ax)[0].source.split())
    assert "drawn by dprisk" in source.lower()
    assert not re.search(r"\bP[0-4]\b", source)


def test_a_title_says_with_what_confidence_it_holds():
    sure = disclosure(ApproxDP(1.0, 1e-5, **A), confidence=0.975)
    (source,) = [one.source for one in behind(draw_beliefs(beliefs(sure, name="x")))]
    assert source.startswith("The noise is random: this holds in at least 97.5 of 100 cases.")
    assert "random" not in behind(picture_of("posterior"))[0].source


@pytest.mark.parametrize(("prior", "after"), [(0.1, "24 in 100"), (0.001, "2,800 in 1,000,000")])
def test_a_title_is_about_the_prior_that_was_asked_for(prior, after):
    (one,) = behind(draw_beliefs(moved(), prior=prior))
    assert one.title.endswith(f"to at most {after}")


def test_panels_that_belong_together_share_their_scale():
    (part,) = reproduce(["P3/figure-3"]).parts
    axes = [draw() for draw in part.made.pictures.values()]
    assert len({(ax.get_xlim(), ax.get_ylim()) for ax in axes}) == 1
    tubes = [each for ax in axes for each in ax.collections if each.get_array() is not None]
    assert len({(tube.norm.vmin, tube.norm.vmax) for tube in tubes}) == 1


def test_no_window_is_opened():
    code = (
        "import sys; from dprisk.curves import draw_icons; draw_icons({'x': 0.1}); "
        "print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_import_is_light():
    modules = "dprisk.curves.rungs, dprisk.curves.line_figures, dprisk.cli, dprisk.documents"
    code = f"import sys, {modules}; print('matplotlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("metric", ["posterior", "ratio", "difference"])
def test_beliefs_are_drawn_as_they_are(metric):
    curve = moved()
    ax = draw_beliefs(curve, metric=metric)
    interval = getattr(curve, metric)
    for line, end in zip(ax.lines, (interval.upper, interval.lower), strict=False):
        assert np.asarray(line.get_xdata()).tolist() == curve.priors.tolist()
        assert np.asarray(line.get_ydata()).tolist() == end.value.tolist()
    rows = tables(ax)[0].rows
    assert [row[3] for row in rows] == interval.upper.value.tolist()
    assert [row[2] for row in rows] == interval.lower.value.tolist()


def test_opposite_is_drawn_and_in_the_table():
    curve = moved()
    ax = draw_beliefs(curve, opposite=True, metric="ratio")
    _, y = drawn(ax, "its opposite")
    assert y.tolist() == curve.ratio_not.upper.value.tolist()
    assert {row[0] for row in tables(ax)[0].rows} == {"a release", "a release, opposite"}


def test_the_prior_of_the_title_is_marked():
    curve = moved()
    for ax, at in (
        (draw_beliefs(curve, prior=0.3), (0.3, curve.disclosure.posterior(0.3).upper.value)),
        (
            draw_beliefs(curve, metric="difference"),
            (curve.worst.upper.value, curve.most.upper.value),
        ),
    ):
        (mark,) = marks(ax)
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == at
        assert "at most" in mark.get_label()


def test_ladder_is_drawn_as_it_is():
    made = climbed()
    ax = draw_ladder(made, limit=0.7)
    for rung in made.rungs:
        if rung.name in ("basic", "optimal, best delta"):  # other lines hide them
            continue
        x, y = drawn(ax, rung.name)
        known = np.isin(x, made.releases)
        assert x[known].tolist() == list(made.releases)
        assert y[known].tolist() == rung.values.tolist()
    passed = {line.get_xdata()[0]: line for line in marks(ax)}
    assert set(passed) == {first for first in made.until(0.7).values() if first is not None}
    assert all(line.get_ydata()[0] > 0.7 for line in passed.values())  # on the curve
    assert [row[3] for row in tables(ax)[0].rows[:3]] == made.rungs[0].values.tolist()


@pytest.mark.parametrize(("epsilon", "limit"), [(0.001, None), (0.001, 0.6), (0.05, None)])
def test_a_ladder_fills_its_axes(epsilon, limit):
    made = ladder(PureDP(epsilon, **A), [1, 5, 20], prior=0.01)
    ax = draw_ladder(made, limit=limit)
    low, high = ax.get_ylim()
    tallest = max(float(made.rungs[0].values.max()), limit or 0.0)
    assert low <= 0.01 < tallest <= high
    assert high <= max(1.3 * tallest, 0.03)


def test_rungs_can_be_chosen_by_name_only():
    assert {row[0] for row in tables(draw_ladder(climbed(), rungs=["basic"]))[0].rows} == {"basic"}
    with pytest.raises(InvalidInput, match="rungs must be one of"):
        draw_ladder(climbed(), rungs=["bsic"])
    with pytest.raises(InvalidInput, match="rungs must be some of"):
        draw_ladder(climbed(), rungs=[])


@pytest.mark.parametrize("kind", ["profile", "tail", "loss", "power", "trade-off"])
def test_lines_are_drawn_as_they_are(kind):
    ax = draw_lines(*lines(kind))
    for line in lines(kind):
        x, y = drawn(ax, line.name)
        assert x.tolist() == line.x.tolist()
        assert y.tolist() == line.value.tolist()
        assert line.name in seen(ax)
    direction = "at least" if kind == "trade-off" else "at most"
    assert direction in ax.get_ylabel()
    assert direction in takeaway(ax)


def test_a_few_levels_are_joined_by_steps_on_the_safe_side():
    for kind in ("power", "trade-off"):
        ax = draw_lines(lines(kind)[0])
        line = ax.lines[0]
        assert line.get_drawstyle() == "steps-pre"
        many = guarantee_line(GaussianDP(1.0, **A), kind, name="many")
        line = draw_lines(many).lines[0]
        assert line.get_drawstyle() == "default"  # steps too small to see are not those of a test


def test_power_is_concave_over_the_level_and_above_guessing():
    x, y = drawn(draw_lines(guarantee_line(PureDP(2.0, **A), "power", name="x")), "x")
    slopes = np.diff(y) / np.diff(x)
    assert np.all(np.diff(slopes) <= 1e-6)
    assert np.all(y >= x)


def test_advantage_is_marked():
    curve = attack(PureDP(1.0, **A)).curve()
    (line,) = [line for line in draw_lines(curve).lines if "advantage" in line.get_label()]
    x, y = line.get_data()
    assert y[1] - y[0] == pytest.approx(np.tanh(0.5), abs=1e-12)
    assert x[0] == pytest.approx((1.0 - np.tanh(0.5)) / 2.0, abs=1e-12)


def test_counterfactual_lines_are_drawn_as_they_are():
    ax = draw_lines(*learned())
    for line in learned():
        assert drawn(ax, NAMES[line.name])[1].tolist() == line.upper.tolist()


@pytest.mark.parametrize("last", [0.05, 0.7, 3.0, 14.0, 200.0])
def test_ratios_are_marked_where_they_are_plain_and_few(last):
    census = counterfactual(
        ZeroConcentratedDP(2.63, neighbors="replace-one"), adversary="rest-known"
    )
    made = counterfactual_line(census, [0.0, last])
    ax = draw_lines(Line("x", made.kind, made.x, None, np.array([1.0, 0.5]), "upper", made.theorem))
    marks = {
        float(tick.get_loc()): tick.label1.get_text()
        for tick in ax.xaxis.get_major_ticks()
        if tick.get_loc() <= last
    }
    assert 2 <= len(marks) <= 6
    assert 0.0 in marks
    raised = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    for at, text in marks.items():
        power = text[2:].translate(raised) if text[2:] != text[2:].translate(raised) else None
        ratio = 10.0 ** int(power) if power else float(text.replace(",", ""))
        assert math.exp(at) == pytest.approx(ratio, rel=1e-3)


def test_lines_of_the_census_can_be_drawn():
    found = census_figure(4, points=5)
    ax = draw_lines(*found)
    for line in found[1:]:  # normal noise is hidden by the discrete one
        assert drawn(ax, line.name)[1].tolist() == line.upper.tolist()
    assert any("(the same)" in text for text in seen(ax))


def test_risk_profile_is_drawn_as_it_is():
    curve = clinic()
    ax = draw_risk_profile(curve)
    limited = np.isfinite(curve.epsilons)
    _, y = drawn(ax, "profile")
    assert y[limited].tolist() == curve.ratios[limited].tolist()
    assert np.isnan(y[~limited]).all()
    _, y = drawn(ax, "no limit")
    assert y[~limited].tolist() == curve.ratios[~limited].tolist()
    (mark,) = marks(ax)
    binding = curve.budget.binding
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (binding.membership_prior, binding.ratio)
    pieces = next(each for each in ax.collections if each.get_array() is not None)
    least = np.minimum(curve.epsilons[:-1], curve.epsilons[1:])
    assert np.asarray(pieces.get_array()).tolist() == least[limited[:-1] & limited[1:]].tolist()


def test_budget_map_is_drawn_as_it_is():
    made = area()
    ax = draw_budget_map(made)
    mesh = next(each for each in ax.collections if each.get_array() is not None and each.norm.vmin)
    values = np.ma.asarray(mesh.get_array()).reshape(made.epsilons.T.shape)
    assert (values.mask == ~np.isfinite(made.epsilons.T)).all()
    assert values.compressed().tolist() == made.epsilons.T[~values.mask].tolist()
    (mark,) = marks(ax)
    assert mark.get_xdata()[0] == made.budget.binding.membership_prior
    assert mark.get_ydata()[0] == made.budget.binding.value_prior


@pytest.mark.parametrize("discrete", [False, True])
def test_outputs_are_drawn_as_they_are(discrete):
    made = outputs(discrete)
    ax = draw_delta_area(made)
    for name, values in (("one dataset", made.first), ("its neighbor", made.second)):
        y = drawn(ax, name)[1]
        assert (y[::2] if discrete else y).tolist() == values.tolist()


def test_noise_is_drawn_as_it_is():
    x, y = drawn(draw_noise(noises()), "Laplace")
    assert x.tolist() == noises().noise_sd.tolist()
    assert y.tolist() == noises().posterior.tolist()


NAMES = {
    "true-record": "asks about your true record",
    "rest-known": "knows all other records",
}


def marks(ax):
    """Its dots."""
    return [line for line in ax.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1]


def bands(ax):
    return [each for each in ax.collections if each.get_label() == "_bracket"]


@pytest.mark.parametrize(("width", "number"), [(0.1, 1), (1e-6, 0)])
def test_brackets_are_bands_where_they_can_be_seen(width, number):
    x, upper = np.array([0.0, 1.0]), np.array([0.9, 0.5])
    found = Line("N", "tail", x, upper - width, upper, "upper", Theorem("P0", "x", "y"))
    assert len(bands(draw_lines(found, scale="linear"))) == number


def test_one_wide_point_does_not_widen_what_follows_it():
    x, upper = np.array([0.0, 0.5, 1.0]), np.array([0.9, 0.7, 0.5])
    lower = upper - np.array([0.3, 1e-9, 1e-9])
    found = Line("N", "tail", x, lower, upper, "upper", Theorem("P0", "x", "y"))
    (band,) = bands(draw_lines(found, scale="linear"))
    assert all(np.ptp(path.vertices[:, 0]) == 0.0 for path in band.get_paths())


def test_two_pictures_share_a_figure():
    figure = Figure(figsize=(7.0, 2.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_beliefs(moved(), ax=left)
    draw_beliefs(moved(), ax=right, metric="difference")
    assert len(tables(figure)) == 2
    assert alt_text(figure) == f"{alt_text(left)} {alt_text(right)}"


@pytest.mark.parametrize("draw", [draw_beliefs, draw_lines])
def test_nothing_to_draw_is_refused(draw):
    with pytest.raises(InvalidInput, match="at least one"):
        draw()


def test_noise_at_different_priors_is_refused():
    ran = [Laplace(1.0, 1.0, **A)]
    with pytest.raises(InvalidInput, match="all for the same prior"):
        draw_noise(noise_curve(ran, prior=0.1), noise_curve(ran, prior=0.2))


def test_a_picture_of_something_else_has_no_words():
    with pytest.raises(InvalidInput, match=r"axes that dprisk\.curves drew"):
        alt_text(Figure().subplots())


# --- extreme inputs: drawn without a warning, with words that are true ---------------------------


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 10.0, 800.0])
@pytest.mark.parametrize("metric", ["posterior", "ratio", "difference"])
def test_extreme_epsilons_of_beliefs(metric, epsilon):
    ax = draw_beliefs(beliefs(disclosure(PureDP(epsilon, **A)), name="x"), metric=metric)
    assert ("No chance changes" in takeaway(ax)) is (epsilon == 0.0)
    assert not FORBIDDEN.search(alt_text(ax))
    ax.figure.draw_without_rendering()


def test_beliefs_at_certain_priors_only():
    ax = draw_beliefs(beliefs(disclosure(PureDP(1.0, **A)), [0.0, 1.0], name="x"))
    assert [row[1:] for row in tables(ax)[0].rows] == [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)]


@pytest.mark.parametrize(
    "guarantee",
    [PureDP(0.0, **A), PureDP(10.0, **A), ApproxDP(0.0, 1.0, **A), ApproxDP(1.0, 0.0, **A)],
    ids=repr,
)
@pytest.mark.parametrize("kind", ["profile", "tail", "loss", "power", "trade-off"])
def test_extreme_guarantees(kind, guarantee):
    ax = draw_lines(guarantee_line(guarantee, kind, name="x"))
    assert not FORBIDDEN.search(alt_text(ax))


def test_where_nothing_is_seen_words_say_so():
    assert "zero everywhere" in seen(draw_lines(guarantee_line(PureDP(0.0, **A), "profile")))
    nothing = guarantee_line(ApproxDP(1.0, 1.0, **A), "loss", name="x")
    assert "no bound holds" in seen(draw_lines(nothing))
    assert "not bounded" in takeaway(draw_lines(nothing))


@pytest.mark.parametrize("epsilon", [0.0, 10.0])
def test_extreme_ladders(epsilon):
    ax = draw_ladder(ladder(PureDP(epsilon, **A), [1]), limit=0.8)
    over = "does so at release 1" if epsilon else "No bound exceeds 80 in 100"
    assert over in takeaway(ax)


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        (PosteriorLimit(0.1), "No epsilon keeps the limits"),
        (PowerLimit(0.5, level=0.05), "the same at every prior"),
        (
            RatioLimit(3.0, membership_prior=(0.5, 1.0), value_prior=(0.7, 1.0)),
            "Every epsilon keeps the limits",
        ),
        (RatioLimit(3.0), "value prior towards 0"),
    ],
)
def test_extreme_profiles(profile, words):
    priors = np.linspace(0.1, 1.0, 10)
    assert words in takeaway(draw_budget_map(budget_map(profile, priors, priors)))
    assert words in takeaway(draw_risk_profile(budget_curve(profile, "value_prior", 0.9)))


@pytest.mark.parametrize(("epsilon", "words"), [(0.0, "at most 0.394"), (10.0, "δ is 0")])
def test_extreme_areas(epsilon, words):
    assert words in takeaway(draw_delta_area(two_outputs(Laplace(1.0, 1.0, **A), epsilon)))


def test_curves_of_noise_are_shown_where_all_are_known():
    """Laplace noise of these scales deviates more: no line begins or ends in mid-air."""
    scales = (0.5, 1.0, 2.0, 4.0)
    curves = [
        noise_curve([kind(scale, 1.0, **A) for scale in scales], confidence=0.9)
        for kind in (Gaussian, Laplace)
    ]
    ax = draw_noise(*curves)
    low, high = (curves[1].noise_sd.min(), curves[0].noise_sd.max())
    assert ax.get_xlim() == pytest.approx((low, high))
    assert len(tables(ax)[0].rows) == 2 * len(scales)


def test_the_noise_that_keeps_a_promise_is_in_the_middle_of_its_picture():
    """There the belief is that of the promise; with less noise it is more, with more it is less."""
    costs = noise_for(PureDP(1.0, **A))
    found = tables(draw_error(costs, prior=0.1))[0].rows
    truth = 1.0 / (1.0 + 9.0 * math.exp(-1.0))
    assert len(found) == 25 * len(costs)
    for start in range(0, len(found), 25):
        after = [row[-1] for row in found[start : start + 25]]
        assert after == sorted(after, reverse=True)
        assert truth <= after[12] <= truth * (1.0 + 1e-9)


def test_a_title_of_several_lines_agrees_with_the_table():
    """At the place that it names, each number of the title is one of its own line."""
    census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    lines = [
        counterfactual_line(counterfactual(census, adversary=who), np.linspace(0.0, 14.0, 57))
        for who in ("true-record", "rest-known")
    ]
    ax = draw_lines(*lines)
    found = re.fullmatch(
        r"The ratio exceeds (\S+) with probability at most (\S+) \(knows all other records\) or at "
        r"most (\S+) \(asks about your true record\)",
        behind(ax)[0].title,
    )
    ratio, mild, strong = map(float, found.groups())
    at = int(np.argmax(np.exp(lines[0].x) * (1 - 1e-9) >= ratio / 1.01))
    for value, line in ((strong, lines[0]), (mild, lines[1])):
        assert line.value[at] <= value <= 1.01 * line.value[at]
    same = draw_lines(lines[0], lines[0])
    assert "(" not in behind(same)[0].title


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_noise_at_certain_priors(prior):
    ax = draw_noise(noise_curve([Laplace(1.0, 1.0, **A)], prior=prior))
    assert takeaway(ax) == f"A chance of {100 * prior:g} in 100 stays what it is, whatever the " \
        "noise (Laplace)."  # fmt: skip


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 0.7311, 2.345])
def test_numbers_in_words_are_on_the_safe_side(epsilon):
    curve = moved(epsilon, "x")
    half, most = re.findall(r"(?:at most|more than) (\d+) in 100", takeaway(draw_beliefs(curve)))
    assert int(half) / 100 >= curve.disclosure.posterior(0.5).upper.value
    assert int(most) / 100 >= curve.most.upper.value
    line = guarantee_line(PureDP(epsilon, **A), "power", [0.0512345], name="x")
    power, level = re.findall(r"([\d.]+\d)", takeaway(draw_lines(line)))
    assert float(power) >= line.upper[0]
    assert float(level) <= 0.0512345  # at a lower level there is less power
    (error, level) = re.findall(
        r"([\d.]+\d)",
        takeaway(
            draw_lines(guarantee_line(PureDP(epsilon, **A), "trade-off", [0.0512345], name="x"))
        ),
    )
    assert float(error) <= 1.0 - line.upper[0]
    assert float(level) <= 0.0512345


def test_every_drawing_function_is_in_the_gallery():
    from tests.house.tree import ROOT

    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    functions = [name for name in dprisk.curves.__all__ if name.startswith("draw_")]
    assert [name for name in functions if f"ax = {name}(" not in page] == []


def test_a_belief_of_nearly_one_is_no_limit():
    """Nobody is certain afterwards who was not before; the title says that it says nothing."""
    loose = ladder(PureDP(40.0, neighbors="add-remove"), [1, 2], prior=0.5)
    ax = draw_ladder(loose, rungs=["basic"])
    (found,) = behind(ax)
    assert found.title == "Almost no limit, from release 1 on"
    assert "possibly over 99 in 100" in found.takeaway
    assert "100 in 100" not in found.takeaway
