"""0: done; 3: a limit is not kept; 2: bad input, which has a file of its own."""

from __future__ import annotations

import math

import pytest

from tests.cli.running import ADD_REMOVE, HEAD, run, survey, write

PURE = ("assess", "--epsilon", "1", *ADD_REMOVE)
# At epsilon 1: posterior at 0.5, and what follows from it.
POSTERIOR = math.e / (1 + math.e)
AT_HALF = {
    "posterior": POSTERIOR,
    "difference": POSTERIOR - 0.5,
    "ratio": 2 * POSTERIOR,
    "ratio_not": 2 * POSTERIOR,
    "odds": math.e,
}


@pytest.mark.parametrize("metric", AT_HALF)
def test_limit_on_each_metric(metric):
    """A limit just above the bound is kept, and one just below it is not."""
    above, below = AT_HALF[metric] + 1e-6, AT_HALF[metric] - 1e-6
    kept = run(*PURE, "--prior", "0.5", "--limit", f"{metric}={above}")
    broken = run(*PURE, "--prior", "0.5", "--limit", f"{metric}={below}")
    assert (kept.code, broken.code) == (0, 3)
    assert ": kept (at most" in kept.out
    assert ": NOT KEPT (at most" in broken.out
    assert kept.err == broken.err == ""


def test_one_limit_of_several():
    """One broken limit is enough, wherever it stands; every verdict is shown."""
    limits = ("--limit", "posterior=0.9", "--limit", "odds=2", "--limit", "ratio=5")
    done = run(*PURE, "--prior", "0.5", *limits)
    assert done.code == 3
    assert done.out.count(": kept (") == 2
    assert "Limit odds <= 2: NOT KEPT (at most 2.72, at every prior)" in done.out


def test_limit_at_the_worst_of_several_priors():
    """All priors have to keep a limit, and the one where it binds is named."""
    limit = ("--limit", "posterior=0.8")
    assert run(*PURE, "--prior", "0.5", *limit).code == 0
    done = run(*PURE, "--prior", "0.5", "--prior", "0.7", "--prior", "0.01", *limit)
    assert done.code == 3
    assert "Limit posterior <= 0.8: NOT KEPT (at most 0.864, at prior 0.7)" in done.out


@pytest.mark.parametrize(
    ("command", "limit", "why"),
    [
        ("assess", "posterior=0.5", "must be above 0.5, the highest prior looked at"),
        ("assess", "difference=0", "must be above 0"),
        ("explain", "posterior=0.4", "must be above 0.9, the highest prior looked at"),
        ("ladder", "posterior=0.5", "must be above 0.5, the highest prior looked at"),
        ("ladder", "difference=0", "must be above 0"),
        ("power", "power=0.1", "must be above 0.1, the highest level looked at"),
        ("power", "advantage=0", "must be above 0"),
    ],
)
def test_a_limit_that_only_silence_keeps_is_refused(command, limit, why):
    """At the priors and levels that are looked at where none is given."""
    done = run(command, *PURE[1:], "--limit", limit)
    assert done.code == 2
    assert f"--limit {limit}: the value {why}" in done.err and not done.out


def test_a_predictive_value_limit_at_its_prior_is_refused():
    done = run("power", *PURE[1:], "--prior", "0.2", "--limit", "predictive_value=0.2")
    assert done.code == 2
    assert "--limit predictive_value=0.2: the value must be above 0.2" in done.err


def test_a_report_refuses_it_before_it_is_written(tmp_path):
    target = tmp_path / "out.html"
    done = run("report", survey(tmp_path), "--limit", "posterior=0.5", "-o", str(target))
    assert done.code == 2 and not target.exists()


def test_limit_is_a_bound_in_both_directions():
    """A belief that can fall by more than the limit does not keep it either."""
    limit = ("--limit", "difference=0.1")  # it rises by 0.06 at most, and falls by 0.13
    done = run(*PURE, "--prior", "0.9", *limit)
    assert done.code == 3
    assert run("assess", "--epsilon", "0.1", *ADD_REMOVE, "--prior", "0.9", *limit).code == 0


@pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]])
def test_exit_code_does_not_depend_on_the_output(extra):
    """Text, JSON and a single sentence end alike."""
    assert run(*PURE, *extra).code == 0
    assert run(*PURE, "--limit", "odds=2", *extra).code == 3


def test_several_files(tmp_path):
    """The worst of them counts; each has its own verdict."""
    mild = survey(tmp_path, "{epsilon: 0.1}", "mild.yaml")
    strong = survey(tmp_path, "{epsilon: 3}", "strong.yaml")
    limit = ("--limit", "posterior=0.8", "--prior", "0.5")
    assert run("assess", mild, mild, *limit).code == 0
    done = run("assess", mild, strong, *limit)
    assert done.code == 3
    assert done.out.count(": kept (") == done.out.count(": NOT KEPT (") == 1
    assert "2 releases: 2 assessed, 0 without an answer." in done.out
    assert [one["kept"] for one in run("assess", mild, strong, *limit, "--json").data] == [
        True,
        False,
    ]


def test_no_number_keeps_no_limit(tmp_path):
    """Without a number nothing shows that a limit is kept; without a limit that is no failure."""
    silent = write(tmp_path, "silent.yaml", "url_slug: a\ndeployment: {basic: {name: A}}\n")
    limit = ("--limit", "posterior=0.8")
    assert run("assess", silent).code == 0
    alone = run("assess", silent, *limit)
    assert alone.code == 3
    assert "NOT KEPT (the release gives no number to check)" in alone.out
    assert run("assess", silent, *limit, "--json").data["limits"][0]["at_most"] is None
    assert run("assess", survey(tmp_path), silent, *limit).code == 3


def test_a_release_that_cannot_answer_does_not_stop_the_rest(tmp_path):
    """Among several files the reason takes the place of the answer; alone it is an error."""
    loose = survey(tmp_path, "{epsilon: 1, delta: 0.6}", "loose.yaml")
    both = run("assess", loose, survey(tmp_path))
    assert both.code == 0
    text = " ".join(both.out.split())
    assert "cannot be assessed. confidence must be below 0.4, " in text
    assert "2 releases: 1 assessed, 1 without an answer." in both.out
    assert run("assess", loose, survey(tmp_path), "--limit", "odds=9").code == 3
    assert run("assess", loose).code == 2


def test_releases_are_composed(tmp_path):
    """Seven days of epsilon 1 are one release of epsilon 7, whether typed in or in a file."""
    week = run(*PURE, "--releases", "7", "--json").data
    assert week["statements"][0]["loss"]["value"] == 7.0
    assert week["releases"] == 7
    twice = survey(tmp_path, head=HEAD + "releases: 2\n")
    assert run("assess", twice, "--releases", "3", "--json").data["releases"] == 6
    assert run(*PURE, "--limit", "odds=3").code == 0
    assert run(*PURE, "--limit", "odds=3", "--releases", "2").code == 3


def test_options_reach_the_adversary():
    """One-sided bounds are tighter than two-sided ones; the secret and the confidence are kept."""
    gaussian = ("assess", "--mu", "1", *ADD_REMOVE, "--json")
    both, one = run(*gaussian).data, run(*gaussian, "--one-sided").data
    assert (both["adversary"]["sides"], one["adversary"]["sides"]) == ("both", "one")
    assert one["statements"][0]["loss"]["value"] < both["statements"][0]["loss"]["value"]
    attribute = run(*gaussian, "--secret", "attribute", "--confidence", "0.9", "--raw-output").data
    assert attribute["adversary"]["secret"] == "attribute"
    assert attribute["adversary"]["post_processing"] is False
    assert attribute["statements"][0]["confidence"] == 0.9
