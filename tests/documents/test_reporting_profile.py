"""A report with a risk profile: the document that justifies a budget."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dprisk import GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.budget import (
    PosteriorLimit,
    ProfileLimit,
    RatioLimit,
    justify,
    largest_budget,
    ratio_or_posterior,
    solve,
)
from dprisk.documents import Labels, report
from dprisk.errors import Meaningless

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}
SURVEY = ratio_or_posterior(3.0, 0.025, membership_prior=0.05)
INSIDE = ratio_or_posterior(3.0, 0.25, membership_prior=1.0)


def of(made: Any) -> str:
    """The section on the profile, in Markdown."""
    text: str = made.to_markdown()
    return text.split("## Risk profile and budget", 1)[1].split("\n## ", 1)[0]


def test_a_report_that_justifies_epsilon():
    made = report(PureDP(1.0, **A), labels=Labels(by="A", file="x.yaml", profile="p.yaml"))
    full = made.with_profile(SURVEY)
    said = of(full)
    assert made.justified is None
    assert full.kept
    assert f"ε = {float(solve(SURVEY).epsilon):.5f}"[:9] in said
    assert "membership prior 0.05 and value prior 0.166667" in said
    assert "keeps the profile, whatever the results show" in said
    assert "| 0.5 | 3 |" in said
    assert ", scale 0.9" in said
    assert "Lee and Clifton 2011" in said
    assert "ISC 2011" in full.to_markdown()
    assert "Nothing is limited at any membership prior but 0.05." in said
    html = full.to_html()
    assert "Line of the limit on posterior over prior" in html
    assert "nothing learned: 10 in 100" in html
    assert "--profile p.yaml" in full.to_markdown()
    assert "read_profile('p.yaml')" in full.to_markdown()
    data = json.loads(full.to_json())["profile"]
    assert data["kept"] is True
    assert data["sheet"]["budgets"][0]["definition"] == "pure"
    assert "profile" not in made.to_dict()


def test_largest_epsilons_are_rounded_down_beside_the_rule_itself():
    """At p = .1 and .3: log of 27/7 = 1.34992671698 and of 21 = 3.04452243772."""
    clinic = ratio_or_posterior(3.0, 0.25, value_prior=1.0)
    said = of(report(PureDP(0.5, **A)).with_profile(clinic))
    assert "| 0.1 | 3 | 1.349 |" in said
    assert "| 0.3 | 3 | 3.044 |" in said
    assert "  any_of:\n  - posterior: 0.25\n" in said


def test_a_release_at_the_budget_keeps_it_and_slightly_more_does_not():
    rho = float(largest_budget(ProfileLimit(SURVEY, 0.99), "concentrated").value)
    for more, kept in ((1.0, True), (1.00001, False)):
        found = justify(SURVEY, ZeroConcentratedDP(rho * more, **A), 0.99)
        assert found.kept is kept
        assert found.used == pytest.approx(1.0, rel=1e-4)
        assert report(ZeroConcentratedDP(rho * more, **A)).with_profile(SURVEY).kept is kept
    assert "may break the profile" in of(report(PureDP(4.0, **A)).with_profile(SURVEY))


def test_replaced_records_at_the_membership_prior_1():
    """P3, Corollary 2: epsilon is twice that of add-remove."""
    made = report(PureDP(1.0, **R)).with_profile(INSIDE)
    most = 2.0 * float(solve(INSIDE).epsilon)
    assert f"ε = {most:.5f}"[:9] in of(made)
    assert "replace-one neighbors" in of(made)
    assert made.kept
    with pytest.raises(Meaningless, match="membership prior 1"):
        report(PureDP(1.0, **R)).with_profile(SURVEY)


def test_other_rules_at_the_priors_that_bind():
    found = justify(INSIDE, GaussianDP(0.1, **A), 0.99).others
    assert found["half"] == pytest.approx(0.5 * 1.0986122886681098)
    assert found["left_out"] == pytest.approx(1.2992829841302609)  # log of 3 (11/12) / (3/4)
    assert found["with_data"] == pytest.approx(found["left_out"] / 2.0)


def test_profiles_that_limit_nothing_or_too_much():
    nothing = RatioLimit(3.0, membership_prior=(0.5, 1.0), value_prior=(0.7, 1.0))
    open_to = report(PureDP(1.0, **A)).with_profile(nothing)
    assert open_to.kept
    assert "limits nothing" in of(open_to)
    never = report(PureDP(1.0, **A)).with_profile(PosteriorLimit(0.1))
    assert not never.kept
    assert "No release keeps the profile" in of(never)
