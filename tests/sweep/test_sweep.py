"""The sweep itself: it catches what is wrong, and its zoo is complete."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import dprisk
from dprisk import composition, guarantees, mechanisms, risk
from dprisk.answer import Answer
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from sweep.asking import QUESTIONS, WORDS
from sweep.running import some
from sweep.tally import Tally, Violation
from sweep.zoo import DRAWN, FAMILIES, OTHERS

SEED = "a"

WRONG = {
    "_power": ("power", lambda found: found * 0.999999),
    "_delta": ("delta", lambda found: found * 0.999999),
    "_level": ("level", lambda found: np.minimum(found * 1.000001, 1.0)),
}


@pytest.mark.parametrize("formula", WRONG)
def test_a_wrong_formula_is_found(monkeypatch, formula):
    """One part in a million on the unsafe side."""
    question, change = WRONG[formula]
    right = getattr(GaussianDP, formula)

    def wrong(self, values):
        found = right(self, values)
        return Answer(change(np.asarray(found.value)), found.bound, found.theorem)

    monkeypatch.setattr(GaussianDP, formula, wrong)
    tally = some("planted", 3, ["GaussianDP"])
    rule = "above the truth" if question == "level" else "below the truth"
    assert ("GaussianDP", question, rule) in tally.found


def test_a_warning_is_found(monkeypatch):
    """And the number that brings it about is named."""
    right = GaussianDP._delta
    monkeypatch.setattr(GaussianDP, "_delta", lambda self, e: right(self, e + 0.0 * np.log(e)))
    tally = some("planted", 3, ["GaussianDP"])
    assert any(rule == "raised RuntimeWarning" for _, _, rule in tally.found)


def test_tallies_add_up():
    """Counts of two processes, and the worst of what they found."""
    one, other = Tally(), Tally()
    key = ("PureDP", "delta", "add-remove")
    for tally, size in ((one, 0.1), (other, 0.5)):
        tally.asked[key] += 2
        tally.add(Violation("below the truth", *key, "code", "got", "truth", size))
    one.merge(other)
    assert one.total == 4
    assert one.counts["PureDP", "delta", "below the truth"] == 2
    assert one.found["PureDP", "delta", "below the truth"][0].size == 0.5


SAID_OF_ITSELF = {
    *("definition", "neighbors", "parameters", "advantage", "composes_by", "dominating"),
    *("bounds_raw_output", "delta_is", "divergences", "holds_for_any_rest", "in_files"),
    *(
        "is_stated",
        "mixing_points",
        "noise_ratios",
        "read_as",
        "additive_parameters",
        "symmetric_tradeoff",
    ),
}
"""What is asked through `attack` and `compose`, or is no number."""


def test_every_method_of_a_guarantee_is_asked():
    """A new one has to be added to the questions."""
    asked = {text.partition("(")[0] for text in QUESTIONS.values()} | {"for_neighbors", "coarse"}
    public = {name for name in vars(Guarantee) if not name.startswith("_")}
    assert public - SAID_OF_ITSELF == asked


# --- the zoo -------------------------------------------------------------------------------------

ASKED_ABOUT = (guarantees, mechanisms, composition, risk, dprisk)
MADE_OF_THESE = {
    # what calls return, and words for what they are given
    *("Answer", "Assessment", "Guarantee", "Mechanism", "Adversary", "DpriskError"),
    *("Attack", "AttackCurve", "Counterfactual", "Disclosure", "ExactPosterior", "Interval"),
    *("Readings", "RowBounds", "RatioLaw", "SmallWorld", "Composed", "Rule", "RULES", "ATTACK"),
    *(
        "PrivacyLoss",
        "KINDS",
        "DEFAULT_CONFIDENCE",
        "Neighbors",
        "Sides",
        "NEIGHBORS",
        "Converted",
        "Conversion",
    ),
    # calls of calls that are asked about; worlds that are brute force themselves; files
    *("assess", "between_hypotheses", "steps", "conversions", "enumerate_world", "spent_at"),
    *("read_release", "Analysis", "basis_of", "contradicted"),
}
TRUTHS_OF_THEIR_OWN = {
    # held against enumeration, quadrature or many digits in the tests of their modules, not here
    *("AboveThreshold", "CyclicBatches", "GaussianMixture", "MatrixGaussian", "PoissonSubsampled"),
    *("SubsampledDiscreteGaussian", "SubsampledGaussianRange", "SubsampledGeometric"),
    *("TreeAggregation", "check", "dp_sgd", "joint_disclosure"),
}
ONE_RELATION = {  # which add-remove or replace-one alone allow
    "replace-one": {"SubsampledGaussian", "SubsampledLaplace", "independent_ratio"}
    | {"independent_posterior", "with_participation", "row_bounds", "confidence_for"}
    | {"RandomAllocation", "TruncatedPoisson"},
    "add-remove": {"counterfactual", "FixedBatches", "ShuffledResponse"},
}


@pytest.fixture(scope="module")
def seen():
    """Words of everything that some draws ask, by relation."""
    found = set()
    for name in DRAWN:
        for number in range(40):
            made = DRAWN[name](Random(f"zoo/{name}/{number}"))
            found |= {(word, made.relation) for word in WORDS.findall(made.code)}
    for name in OTHERS:
        found |= some("zoo", 6, [name]).seen
    return found


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_nothing_public_is_missing_from_the_zoo(seen, relation):
    """Every class and function about promises, mechanisms, composition and risk is asked."""
    public = {name for module in ASKED_ABOUT for name in module.__all__}
    asked = {word for word, of in seen if of == relation}
    assert public - MADE_OF_THESE - TRUTHS_OF_THEIR_OWN - ONE_RELATION[relation] - asked == set()


def test_the_same_seed_asks_the_same():
    """So that what is found can be found again."""
    one, other = (some("again", 1, ["PureDP", "disclosure"]) for _ in range(2))
    assert one.asked == other.asked and one.counts == other.counts


@pytest.mark.parametrize("name", FAMILIES)
def test_the_sweep_finds_nothing(name):
    """A short part of it: a draw of each family, or a few where one asks little."""
    tally = some(SEED, 8 if name in OTHERS else 1, [name])
    assert tally.report() == ""
    assert tally.total > 0
