"""From a release and an adversary to an assessment: what is in it, and what is refused."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from scipy.stats import norm

from dprisk import (
    Adversary,
    ApproxDP,
    DpriskError,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    assess,
    disclosure,
)
from dprisk.documents.assessing import json_schema
from dprisk.errors import InvalidFile, InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import Gaussian, Geometric
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note
from dprisk.risk.adversary import DEFAULT_CONFIDENCE, METRICS

ADDED: Any = {"neighbors": "add-remove"}
PURE = PureDP(1.0, neighbors="add-remove")
PURE_TENTH = PureDP(0.1, neighbors="add-remove")
LOOSE = [
    ApproxDP(1.0, 1e-6, neighbors="add-remove"),
    ProbabilisticDP(1.0, 1e-6, neighbors="add-remove"),
    ProbabilisticallyBoundedDP(1.0, 1e-6, neighbors="add-remove"),
    GaussianDP(1.0, neighbors="add-remove"),
    RenyiDP(2.0, 1.0, neighbors="add-remove"),
    ZeroConcentratedDP(0.5, neighbors="add-remove"),
]
CERTAIN = [
    PURE,
    ApproxDP(1.0, 0.0, neighbors="add-remove"),
    ProbabilisticDP(1.0, 0.0, neighbors="add-remove"),
]


def release(*guarantees, also=(), **changes):
    """A release that keeps some guarantees."""
    described = {
        "name": "Town survey",
        "unit": "person",
        "period": "once",
        "neighbors": guarantees[0].neighbors if guarantees else "add-remove",
        "neighbors_stated": True,
        "model": "central",
        "parts": tuple(map(Part, guarantees)),
        "stated_also": tuple(map(Part, also)),
    }
    return Release(**{**described, **changes})


def test_frozen():
    """Nothing in an assessment can be changed afterwards."""
    result = assess(PURE, limits={"odds": 3.0})
    (statement,) = result.statements
    for thing, name in (
        (result, "statements"),
        (statement, "confidence"),
        (statement.findings[0], "upper"),
        (result.limits[0], "kept"),
        (result.adversary, "priors"),
        (result.release, "name"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, None)


def test_every_metric_at_every_prior_and_over_all():
    """Nothing that can be asked is left out."""
    (statement,) = assess(PURE, Adversary(priors=(0.2, 0.7))).statements
    for prior in (0.2, 0.7):
        for metric in ("posterior", "difference", "ratio", "ratio_not"):
            assert statement.find(metric, prior).prior == prior
    for metric in ("odds", "difference", "ratio", "ratio_not"):
        assert statement.find(metric).worst_priors is not None
    assert {finding.metric for finding in statement.findings} == {*METRICS, "with_data"}


@pytest.mark.parametrize("guarantee", [PURE, *LOOSE], ids=lambda one: one.definition)
def test_numbers_are_those_of_disclosure(guarantee):
    """The assessment does no arithmetic of its own."""
    (statement,) = assess(guarantee, Adversary(priors=(0.3,))).statements
    moved = disclosure(guarantee, confidence=statement.confidence)
    assert float(statement.loss) == float(moved.loss)
    for metric in ("posterior", "difference", "ratio", "ratio_not"):
        found, ends = statement.find(metric, 0.3), getattr(moved, metric)(0.3)
        assert (found.lower, found.upper) == (float(ends.lower), float(ends.upper))
        assert found.lower <= found.upper
    assert statement.find("odds").upper == float(moved.odds().upper)


def test_find_names_what_was_not_assessed():
    """A prior that was not asked for, an unknown metric, the posterior over every prior."""
    (statement,) = assess(PURE).statements
    for metric, prior in (("posterior", 0.3), ("risk", 0.5), ("posterior", None), ("odds", 0.5)):
        with pytest.raises(InvalidInput, match="must be one that was assessed") as caught:
            statement.find(metric, prior)
        assert repr(metric) in str(caught.value)


@pytest.mark.parametrize("guarantee", LOOSE, ids=lambda one: one.definition)
def test_default_confidence_where_one_is_needed(guarantee):
    """A loss that is bounded only up to a probability is read at 0.99."""
    (statement,) = assess(guarantee).statements
    assert statement.confidence == DEFAULT_CONFIDENCE == 0.99
    (asked,) = assess(guarantee, Adversary(confidence=0.9)).statements
    assert asked.confidence == 0.9
    assert float(asked.loss) <= float(statement.loss)


@pytest.mark.parametrize("guarantee", CERTAIN, ids=lambda one: one.definition)
def test_no_confidence_where_none_is_needed(guarantee):
    """A bounded loss is bounded with certainty, unless a confidence is asked for."""
    (statement,) = assess(guarantee).statements
    assert statement.confidence is None
    (asked,) = assess(guarantee, Adversary(confidence=0.9)).statements
    assert asked.confidence == 0.9


def test_confidence_beyond_the_guarantee():
    """A delta of 0.1 leaves less than 0.9: the next is taken, unless one is asked for."""
    loose = ApproxDP(1.0, 0.1, neighbors="add-remove")
    (statement,) = assess(loose).statements
    assert statement.confidence == 0.75
    with pytest.raises(OutOfRange, match=r"below 0\.9, got 0\.99"):
        assess(loose, Adversary(confidence=0.99))


def test_secret_follows_the_neighbors():
    """Membership where it has a meaning, otherwise an attribute."""
    assert assess(PURE).adversary.secret == "membership"
    assert assess(PureDP(1.0, neighbors="replace-one")).adversary.secret == "attribute"
    with pytest.raises(Meaningless, match="Membership has no meaning"):
        assess(PureDP(1.0, neighbors="replace-one"), Adversary(secret="membership"))


def test_attribute_is_two_steps_away():
    """Under add-remove neighbors an attribute is asked about with twice the epsilon."""
    (statement,) = assess(PURE, Adversary(secret="attribute")).statements
    assert float(statement.loss) == 2.0


@pytest.mark.parametrize("times", [1, 3])
def test_releases_multiply(times):
    """The whole is composed as often as it is released, on top of the counts of its parts."""
    parts = (Part(PureDP(0.25, neighbors="add-remove"), count=2), Part(PURE))
    (statement,) = assess(release(parts=parts, releases=times)).statements
    assert statement.composed.guarantee.parameters["epsilon"] >= 1.5 * times
    assert float(statement.loss) == pytest.approx(1.5 * times, rel=1e-12)
    assert statement.composed.theorem.place == "Theorem 2.8(1)"


def test_stated_otherwise_is_a_statement_of_its_own():
    """It is never composed with the rest, and both are there; what counts is first."""
    tight, loose = (ApproxDP(e, 1e-9, neighbors="add-remove") for e in (0.5, 2.0))
    for also, counts in ((loose, PURE), (tight, tight)):
        result = assess(release(PURE, also=[also]))
        first, second = result.statements
        assert first.composed.guarantee == counts
        assert also is tight or float(first.loss) == 1.0
        assert {first.composed.guarantee, second.composed.guarantee} == {PURE, also}
        assert first.label != second.label
        assert result.basis is first
        assert result.to_dict()["rests_on"] == ("parts" if also is loose else "statement")


def test_stated_otherwise_is_composed_with_itself():
    """Three releases are three of either statement."""
    result = assess(release(PURE, also=[GaussianDP(1.0, neighbors="add-remove")], releases=3))
    first, second = result.statements
    assert first.composed.guarantee.parameters == {"epsilon": 3.0}
    assert second.composed.guarantee.parameters["mu"] == pytest.approx(math.sqrt(3.0))


def test_the_best_statement_keeps_a_limit():
    """Both statements are true, so the stronger one decides."""
    strong = PureDP(0.1, neighbors="add-remove")
    limits = {"posterior": 0.6, "odds": 1.2}
    adversary = Adversary(priors=(0.5,))
    assert not assess(release(PURE), adversary, limits=limits).kept
    result = assess(release(PURE, also=[strong]), adversary, limits=limits)
    assert result.kept
    assert result.limits[0].at_most == result.basis.find("posterior", 0.5).upper


def test_parts_are_composed():
    """Two parts are one statement about both."""
    (statement,) = assess(release(PURE, ApproxDP(0.5, 1e-7, neighbors="add-remove"))).statements
    assert statement.composed.guarantee.definition == "privacy-loss"
    assert statement.composed.theorem.place == "Theorem 3.3"
    assert len(statement.parts) == 2


def test_composed_promises_are_bounded_tighter_than_sums():
    """What was reported before, (epsilon, delta) added up, is never smaller."""
    parts = (Part(PureDP(0.1, neighbors="add-remove"), 30), Part(ApproxDP(0.5, 1e-7, **ADDED)))
    sums = ApproxDP(3.5, 1e-7, neighbors="add-remove")
    for confidence in (0.9, 0.99, 0.999):
        found, before = (
            assess(one, Adversary(confidence=confidence)).statements[0]
            for one in (release(parts=parts), sums)
        )
        assert float(found.loss) <= float(before.loss)
        lower, upper = found.loss.bracket
        assert upper - 1e-8 < lower <= upper == float(found.loss)
        data = found.to_dict()["loss"]
        assert (data["lower"], data["upper"]) == (lower, upper)


COUNTS = Geometric(20.0, 2, neighbors="add-remove")
NORMAL = Gaussian(10.0, 1.0, neighbors="add-remove")


def of_noise(*parts):
    """A release of mechanisms."""
    return release(parts=parts)


def test_a_known_mechanism_is_composed_by_its_own_loss():
    """It bounds tighter than the promise, and tighter still for its raw output."""
    sure = {"confidence": 0.95}
    known, promise = of_noise(Part.of(COUNTS, 30)), release(parts=(Part(PURE_TENTH, 30),))
    raw = Adversary(post_processing=False, **sure)
    losses = [
        float(assess(*asked).statements[0].loss)
        for asked in ((promise, Adversary(**sure)), (known, Adversary(**sure)), (known, raw))
    ]
    assert losses[0] > losses[1] > losses[2] > 0.5


def test_raw_output_of_normal_noise_is_that_of_a_normal_loss():
    """|Z| for Z normal with mean m^2 / 2 and deviation m, from scipy (P0 Theorem 3.1)."""
    adversary = Adversary(confidence=0.99, post_processing=False)
    (statement,) = assess(of_noise(Part.of(NORMAL, 25)), adversary).statements
    m = 0.5
    loss = float(statement.loss)
    chance = norm.sf((loss - m * m / 2) / m) + norm.cdf((-loss - m * m / 2) / m)
    assert chance == pytest.approx(0.01, rel=1e-6)
    assert statement.loss.theorem.place == "Theorem 3.1"
    assert "The bounds hold for the raw output only" in statement.loss.assumptions[-1]


def test_normal_noise_is_what_gaussian_dp_promises():
    """Nothing is lost by the promise: its closed form is used, and exact."""
    (statement,) = assess(of_noise(Part.of(NORMAL, 25))).statements
    assert statement.composed.guarantee.mu == pytest.approx(0.5, rel=1e-15)
    assert statement.loss.bound == "exact"


def test_certainty_about_pure_mechanisms_is_the_sum():
    """No confidence asked for: the epsilons add, as for promises."""
    (statement,) = assess(of_noise(Part.of(COUNTS, 30))).statements
    assert statement.composed.guarantee.stated_epsilon == pytest.approx(3.0, rel=1e-15)
    assert statement.confidence is None


def test_one_mechanism_is_not_one_promise():
    """The rule says that its own loss was used, even where nothing was added up."""
    (statement,) = assess(of_noise(Part.of(COUNTS)), Adversary(confidence=0.9)).statements
    assert statement.composed.theorem.place == "Theorem 3.1"
    assert statement.to_dict()["parts"][0]["mechanism"] is True


def test_raw_output_of_composed_promises_is_refused():
    """What only dominates says nothing about it."""
    adversary = Adversary(confidence=0.95, post_processing=False)
    for parts in (
        (Part(PURE_TENTH, 30),),
        (Part.of(COUNTS, 30), Part(ApproxDP(0.5, 1e-7, **ADDED))),
    ):
        with pytest.raises(Meaningless, match="raw output alone"):
            assess(release(parts=parts), adversary)


def test_with_data_stays_where_confidence_is_asked_for():
    """It follows from the promises, which are pure, with certainty."""
    asked = {"priors": (0.1,)}
    sure, certain = (
        assess(of_noise(Part.of(COUNTS, 2)), Adversary(**asked, **more)).statements[0].findings[-1]
        for more in ({"confidence": 0.9}, {})
    )
    assert sure.metric == "with_data"
    assert sure == certain


@pytest.mark.parametrize("guarantee", LOOSE, ids=lambda one: one.definition)
def test_with_data_needs_pure_dp(guarantee):
    """The theorem is about pure DP with add-remove neighbors only."""
    for other in (guarantee, PureDP(1.0, neighbors="replace-one")):
        (statement,) = assess(other).statements
        assert "with_data" not in {finding.metric for finding in statement.findings}


def test_with_data():
    """The value of Wood et al., as corrected: e^(2 epsilon) on the odds."""
    (statement,) = assess(PureDP(0.5, neighbors="add-remove"), Adversary(priors=(0.1,))).statements
    (found,) = [one for one in statement.findings if one.metric == "with_data"]
    assert found.upper == pytest.approx(math.e / (math.e + 9.0))
    assert found.upper_bound == "upper"
    assert found.prior == 0.1


def test_with_data_of_several_releases():
    """It is about the whole, composed."""
    (statement,) = assess(release(PURE, releases=2), Adversary(priors=(0.5,))).statements
    (found,) = [one for one in statement.findings if one.metric == "with_data"]
    assert found.upper == pytest.approx(1.0 / (1.0 + math.exp(-4.0)))


SILENT = {"posterior": 0.5, "odds": 1.0, "ratio": 1.0, "ratio_not": 1.0, "difference": 0.0}
"""At a prior of 0.5, where nothing is released."""


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("below", [0.0, 1e-9, 0.3])
def test_a_limit_that_only_silence_keeps_is_refused(metric, below):
    """Also at the default priors, of which 0.5 is one."""
    limit = SILENT[metric] - below
    for who in (None, Adversary(priors=(0.1, 0.5))):
        with pytest.raises(InvalidInput, match=r"must be (above|a number in \[0, )") as error:
            assess(PURE, who, limits={metric: limit})
        assert error.value.value == limit


@pytest.mark.parametrize(
    ("prior", "metric", "limit"),
    [
        (1.0, "posterior", 1.0),
        (0.0, "posterior", 0.0),
        (1.0, "difference", 0.0),
        (0.0, "difference", 0.0),
        (1.0, "ratio", 1.0),
        (0.0, "ratio_not", 1.0),
    ],
)
def test_a_limit_at_a_prior_that_never_moves_is_kept(prior, metric, limit):
    assert assess(PURE, Adversary(priors=(prior,)), limits={metric: limit}).kept


@pytest.mark.parametrize("metric", METRICS)
def test_a_limit_at_the_bound_is_kept(metric):
    """Exactly the bound is tolerated, the next smaller number is not."""
    adversary = Adversary(priors=(0.5,))
    (limit,) = assess(PURE, adversary, limits={metric: SILENT[metric] + 0.01}).limits
    assert not limit.kept
    assert limit.prior == (None if metric == "odds" else 0.5)
    assert assess(PURE, adversary, limits={metric: limit.at_most}).kept
    below = math.nextafter(limit.at_most, 0.0)
    assert not assess(PURE, adversary, limits={metric: below}).kept


def test_limit_binds_at_the_worst_prior():
    """All priors are held to it; the difference in both directions."""
    adversary = Adversary(priors=(0.1, 0.9, 0.5))
    result = assess(PURE, adversary, limits={"posterior": 0.91, "difference": 0.9})
    posterior, difference = result.limits
    assert (posterior.prior, posterior.kept) == (0.9, False)
    assert difference.prior == 0.5
    one = assess(PURE, Adversary(priors=(0.9,)), limits={"difference": 0.1})
    assert one.limits[0].at_most > 0.13  # the belief can fall by more than it can rise
    assert not one.kept


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"posterio": 0.5}, "Did you mean 'posterior'"),
        ({"with_data": 0.5}, "limit must be one of"),
        ({"posterior": 1.5}, r"\[0, 1\], got 1\.5"),
        ({"difference": -0.5}, r"\[0, 1\], got -0\.5"),
        ({"odds": -1.0}, r"\[0, inf\), got -1"),
        ({"odds": math.inf}, r"\[0, inf\), got inf"),
        ({"ratio": math.nan}, "got nan"),
        ({"ratio": "2"}, "Give a number"),
        ({"ratio": None}, "Give a number"),
    ],
)
def test_limits_are_checked(limits, words):
    """Each wrong limit is refused by name."""
    with pytest.raises(DpriskError, match=words):
        assess(PURE, limits=limits)


def test_without_a_number():
    """A reason takes the place of statements, and no limit counts as kept."""
    notes = (Note("assumed", "Something."), Note("unusable", "No number is given."))
    silent = release(notes=notes)
    result = assess(silent, limits={"posterior": 0.8})
    assert result.statements == ()
    assert result.reason == "No number is given."
    assert not result.kept
    assert math.isinf(result.limits[0].at_most)
    assert assess(silent).kept
    assert assess(release()).reason == "The release states no number that can be assessed."
    assert assess(PURE).reason == ""


def test_what_is_no_release():
    """Anything else is refused by name."""
    for other in (3, None, {"epsilon": 1.0}):
        with pytest.raises(InvalidInput, match="a Release, a Guarantee, a Mechanism or a file"):
            assess(other)
    with pytest.raises(InvalidFile, match="pure: There is no such file"):
        assess("pure")


def test_bare_guarantee_says_that_little_is_known():
    """Unit, period and model are not made up."""
    described = assess(PURE).release
    assert (described.unit, described.period, described.model) == (None, None, None)
    assert described.neighbors == "add-remove"


def test_certain_priors_stay():
    """Whoever was certain before is not moved."""
    (statement,) = assess(PURE, Adversary(priors=(0.0, 1.0))).statements
    for prior in (0.0, 1.0):
        found = statement.find("posterior", prior)
        assert (found.lower, found.upper) == (prior, prior)


def test_schema_is_a_fresh_copy():
    """Changing what was returned changes nothing for the next caller."""
    json_schema()["title"] = "changed"
    assert json_schema()["title"] == "An assessment by dprisk"
