"""Events of dp_accounting in every form, as releases."""

from __future__ import annotations

import json
import math
from collections import namedtuple
from dataclasses import make_dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from dprisk import compose
from dprisk.errors import InvalidFile, Meaningless
from dprisk.guarantees import ZeroConcentratedDP
from dprisk.mechanisms import (
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
    SubsampledGaussian,
    SubsampledLaplace,
)
from dprisk.releases import read_from
from dprisk.releases.tools import read
from tests.releases.tools_samples import READINGS, TOOLS, put, run, together

ADD: Any = {"neighbors": "add-remove"}
HOLDS = {
    "GaussianDpEvent": ("noise_multiplier",),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SelfComposedDpEvent": ("event", "count"),
    "ComposedDpEvent": ("events",),
}


def event(name, **holds):
    return {"class_name": name, "module_name": "dp_accounting.dp_event", **holds}


def gaussian(sigma):
    return event("GaussianDpEvent", noise_multiplier=sigma)


def sampled(rate, inner):
    return event("PoissonSampledDpEvent", sampling_probability=rate, event=inner)


def times(count, inner):
    return event("SelfComposedDpEvent", event=inner, count=count)


def composed(*events):
    return event("ComposedDpEvent", events=list(events))


MIXED = composed(times(3, sampled(0.01, gaussian(1.1))), gaussian(4.0), event("NoOpDpEvent"))
EXPECTED = [
    (SubsampledGaussian(1.1, 1.0, 0.01, **ADD), 3),
    (Gaussian(4.0, 1.0, **ADD), 1),
]


def as_object(tree, form):
    """An event as an object of a class of its own, or as a named tuple."""
    if isinstance(tree, list):
        return [as_object(each, form) for each in tree]
    if not isinstance(tree, dict):
        return tree
    holds = {key: as_object(value, form) for key, value in tree.items()}
    if form == "tuple":
        return namedtuple("Event", holds)(**holds)
    holds.pop("module_name")
    name = holds.pop("class_name")
    return make_dataclass(name, list(holds), frozen=True)(**holds)


def as_repr(tree):
    if isinstance(tree, list):
        return f"[{', '.join(map(as_repr, tree))}]"
    if not isinstance(tree, dict):
        return repr(tree)
    inside = ", ".join(
        f"{key}={as_repr(value)}" for key, value in tree.items() if "_name" not in key
    )
    return f"{tree['class_name']}({inside})"


@pytest.mark.parametrize("form", ["json", "repr", "named", "tree", "object", "tuple", "accountant"])
def test_an_event_in_every_form(form, tmp_path):
    what = {
        "json": lambda: put(tmp_path, "event.json", MIXED),
        "repr": lambda: put(tmp_path, "event.txt", as_repr(MIXED) + "\n"),
        "named": lambda: put(tmp_path, "event.txt", "event = dp_accounting." + as_repr(MIXED)),
        "tree": lambda: MIXED,
        "object": lambda: as_object(MIXED, "object"),
        "tuple": lambda: as_object(MIXED, "tuple"),
        "accountant": lambda: accountant("ADD_OR_REMOVE_ONE"),
    }[form]()
    found = read(what, **({} if form == "accountant" else ADD))
    assert run(found.release) == EXPECTED
    assert found.tool == "dp_accounting" and "delta" in [each.name for each in found.missing]


def accountant(relation):
    made = SimpleNamespace(
        _neighboring_relation=SimpleNamespace(name=relation), ledger=as_object(MIXED, "object")
    )
    kind = type("PLDAccountant", (SimpleNamespace,), {"__module__": "dp_accounting.pld"})
    return kind(**vars(made))


def test_neighbors_are_asked_for_and_those_of_an_accountant_kept():
    assert [each.name for each in read(MIXED).missing if each.needed] == ["neighbors"]
    with pytest.raises(Meaningless, match=r"add-remove.*replace-one"):
        read(accountant("ADD_OR_REMOVE_ONE"), neighbors="replace-one")
    with pytest.raises(InvalidFile, match="REPLACE_SPECIAL"):
        read(accountant("REPLACE_SPECIAL"))


def test_under_replace_one_the_reading_of_the_noise_is_asked_for():
    known = {"neighbors": "replace-one"}
    asked = [each.name for each in read(gaussian(2.0), **known).missing if each.needed]
    assert asked == ["noise_relative_to"]
    for word, moved in (("clipping-norm", 2.0), ("distance", 1.0)):
        release = read_from(gaussian(2.0), **known, noise_relative_to=word)
        assert run(release) == [(Gaussian(2.0, moved, **known), 1)]


SINGLE = [
    (event("LaplaceDpEvent", noise_multiplier=3.0), Laplace(3.0, 1.0, **ADD)),
    (event("ZCDpEvent", rho=0.1, xi=0.0), ZeroConcentratedDP(0.1, **ADD)),
    (
        sampled(0.1, event("LaplaceDpEvent", noise_multiplier=3.0)),
        SubsampledLaplace(3.0, 1.0, 0.1, **ADD),
    ),
    (
        event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=2),
        Geometric(math.nextafter(2.0, 0.0), 2, **ADD),
    ),
    (
        event("SingleEpochTreeAggregationDpEvent", noise_multiplier=8.0, step_counts=500),
        Gaussian(8.0, 3.0, **ADD),
    ),
    (
        event("SingleEpochTreeAggregationDpEvent", noise_multiplier=8.0, step_counts=[1, 8, 3]),
        Gaussian(8.0, 2.0, **ADD),
    ),
    (
        event(
            "MixtureOfGaussiansDpEvent",
            standard_deviation=2.0,
            sensitivities=[0.0, 1.0],
            sampling_probs=[0.75, 0.25],
        ),
        SubsampledGaussian(2.0, 1.0, 0.25, **ADD),
    ),
]


@pytest.mark.parametrize(("made", "expected"), SINGLE, ids=lambda each: str(each)[:40])
def test_single_events(made, expected):
    assert run(read_from(times(7, made), **ADD)) == [(expected, 7)]


def test_a_leaf_of_a_tree_is_in_so_many_sums():
    """Nodes of a binary tree that is filled from the left, counted one by one."""
    for steps in (*range(1, 40), 500, 512):
        most = 0
        for leaf in range(steps):
            size, held = 1, 0
            while size <= steps:
                held += (leaf // size + 1) * size <= steps
                size *= 2
            most = max(most, held)
        made = event("SingleEpochTreeAggregationDpEvent", noise_multiplier=1.0, step_counts=steps)
        ((mechanism, _),) = run(read_from(made, **ADD))
        assert mechanism.sensitivity**2 >= most
        assert mechanism.sensitivity == pytest.approx(math.sqrt(most), rel=1e-15)


def test_randomized_response():
    made = event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2)
    ((mechanism, _),) = run(read_from(made, neighbors="replace-one"))
    assert isinstance(mechanism, RandomizedResponse) and mechanism.categories == 2
    assert 0.0 <= mechanism.epsilon - math.log(3.0) < 1e-14
    with pytest.raises(Meaningless, match="replace-one"):
        read(made, **ADD)


def test_several_gaussians_of_one_sample_are_one():
    made = sampled(0.1, composed(times(3, gaussian(2.0)), gaussian(4.0)))
    ((mechanism, _),) = run(read_from(made, **ADD))
    exact = 1.0 / math.sqrt(3 / 4 + 1 / 16)
    assert mechanism.sigma <= exact and mechanism.sigma == pytest.approx(exact, rel=1e-14)


def test_caps_and_samples_without_replacement_are_never_poisson():
    capped = event(
        "TruncatedSubsampledGaussianDpEvent",
        dataset_size=2000,
        sampling_probability=0.02,
        truncated_batch_size=70,
        noise_multiplier=1.0,
    )
    without = event(
        "SampledWithoutReplacementDpEvent",
        source_dataset_size=2000,
        sample_size=40,
        event=gaussian(1.0),
    )
    poisson = compose([SubsampledGaussian(1.0, 1.0, 0.02, **ADD)], [100]).guarantee.epsilon(1e-5)
    for made in (capped, without):
        known = ADD if made is capped else {"noise_relative_to": "clipping-norm"}
        try:
            release = read_from(times(100, made), **known)
        except Meaningless as error:
            assert "no mechanism" in str(error)
        else:
            assert together(release).epsilon(1e-5).value > poisson.value


@pytest.mark.parametrize(
    ("made", "match"),
    [
        (sampled(1.5, gaussian(1.0)), "sampling probability must be above 0 and at most 1"),
        (sampled(0.0, gaussian(1.0)), "sampling probability must be above 0"),
        (gaussian(0.0), "noise multiplier must be above 0"),
        (gaussian("x"), "must be a number"),
        (times(0, gaussian(1.0)), "count must be from 1"),
        (times(2.5, gaussian(1.0)), "whole number"),
        (composed(), "nothing that was released"),
        (event("ComposedDpEvent", events=3), "must hold a list"),
        (event("NonPrivateDpEvent"), "nothing is promised"),
        (event("RepeatAndSelectDpEvent", mean=2), "no mechanism for it"),
        (event("PoissonSampledDpEvent", sampling_probability=0.1), "An event of dp_accounting"),
        (sampled(0.1, sampled(0.1, gaussian(1.0))), "sample"),
        (times(10**9, times(10**9, gaussian(1.0))), "at most|to 10"),
    ],
)
def test_bad_events_are_named(made, match):
    with pytest.raises(InvalidFile, match=match):
        read(made, **ADD)


@pytest.mark.parametrize(
    "text",
    [
        "SelfComposedDpEvent(event=GaussianDpEvent(noise_multiplier=1.1), count=",
        "GaussianDpEvent(noise_multiplier=1.1) GaussianDpEvent(noise_multiplier=1.1)",
        "GaussianDpEvent(noise_multiplier=abs(-1))",
        "GaussianDpEvent(1.1)",
        "ComposedDpEvent(events=[GaussianDpEvent(noise_multiplier=1.1), ...])",
        "ComposedDpEvent(events=" + "[" * 5000 + "]" * 5000 + ")",
        "GaussianDpEvent(noise_multiplier=__import__('math').pi)",
    ],
)
def test_text_that_is_no_event_is_refused_and_never_run(text, tmp_path):
    with pytest.raises(InvalidFile) as caught:
        read(put(tmp_path, "event.txt", text), **ADD)
    assert caught.value.fix


def test_a_distribution_of_losses_is_its_profile():
    known = Gaussian(2.0, 1.0, **ADD).loss()
    profile = lambda epsilon: float(known.delta(epsilon).value)  # noqa: E731
    kind = type("PrivacyLossDistribution", (SimpleNamespace,), {})
    release = read_from(kind(get_delta_for_epsilon=profile), **ADD)
    for epsilon in (0.05, 0.5, 1.0):
        found = together(release).delta(epsilon).value
        assert found == pytest.approx(known.delta(epsilon).value, rel=0.02)
        assert found >= known.delta(epsilon).value * (1 - 1e-9)
    nothing = kind(get_delta_for_epsilon=lambda _: 1.0)
    with pytest.raises(InvalidFile, match="promises nothing"):
        read(nothing, **ADD)


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
@pytest.mark.parametrize(
    "name",
    [
        *("dp-accounting-dpsgd.json", "dp-accounting-dpsgd.txt", "dp-accounting-ledger.json"),
        *("dp-accounting-tree.txt", "dp-accounting-zcdp.txt"),
    ],
)
def test_files_of_dp_accounting_are_inside_their_brackets(name):
    known = json.loads(READINGS.read_text("utf-8"))[name]
    release = read_from(TOOLS / "more" / name, **ADD)
    for delta, (low, high) in known["certified"].items():
        found = together(release).epsilon(float(delta))
        assert found.value >= (low or 0.0) and found.value == pytest.approx(high, abs=1e-9)
