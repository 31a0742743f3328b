"""Small worlds against Bayes' rule written out dataset by dataset, and Example 7.1 of P1."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from dprisk.errors import InvalidInput, Meaningless
from dprisk.risk import enumerate_world
from tests.oracles import finite

HALF = Fraction(1, 2)


def random_world(seed):
    """People, a correlated prior over their records, a mechanism; all in fractions."""
    rng = random.Random(seed)
    people, outputs = rng.choice((2, 3)), rng.choice((2, 3))
    records = rng.choice(["ab", "abc"])
    datasets = list(itertools.product(records, repeat=people))
    weights = [rng.choice((0, 1, 1, 2, 7, 40)) for _ in datasets]
    weights[0] += 1
    prior = dict(zip(datasets, finite.distribution(weights), strict=True))
    extra = [*datasets, *itertools.product(records, repeat=people - 1)]
    every = [*extra, *((*d[:i], "z", *d[i + 1 :]) for d in datasets for i in range(people))]
    mechanism = {d: finite.random_distribution(rng, outputs, zeros=True) for d in every}
    return prior, mechanism, rng.randrange(people)


def without(dataset, target, record=None):
    """The dataset with another record in the place of the target's, or with none."""
    here = () if record is None else (record,)
    return (*dataset[:target], *here, *dataset[target + 1 :])


def replaced(prior, target, world):
    """From a dataset to the datasets that may stand in for it, and how likely (P1, Section 7.2)."""

    def stand_ins(dataset):
        if world == "dropped":
            return [(Fraction(1), without(dataset, target))]
        if world == "default-record":
            return [(Fraction(1), without(dataset, target, "z"))]
        alike = {
            other: weight
            for other, weight in prior.items()
            if without(other, target) == without(dataset, target)
        }
        return [(weight / sum(alike.values()), other) for other, weight in alike.items()]

    return stand_ins


def posterior(prior, target, record, chance):
    """Of a record, by Bayes' rule over datasets; None where the output is impossible."""
    total = sum(weight * chance(dataset) for dataset, weight in prior.items() if weight)
    mine = sum(w * chance(d) for d, w in prior.items() if w and d[target] == record)
    return mine / total if total else None


@pytest.mark.parametrize("seed", range(16))
def test_posteriors_and_ratios_are_those_of_bayes_rule(seed):
    """Every record, output and world, in exact fractions."""
    prior, mechanism, target = random_world(seed)
    made = enumerate_world(prior, mechanism, target=target)
    for world in ("resampled", "default-record", "dropped"):
        default = "z" if world == "default-record" else None
        stand_ins = replaced(prior, target, world)
        ratio = made.ratio(world, default=default)
        for (i, record), (j, y) in itertools.product(
            enumerate(made.records), enumerate(made.outputs)
        ):
            actual = posterior(prior, target, record, lambda d, y=y: mechanism[d][y])
            other = posterior(
                prior,
                target,
                record,
                lambda d, y=y, stand_ins=stand_ins: sum(
                    w * mechanism[s][y] for w, s in stand_ins(d)
                ),
            )
            assert made.actual()[i, j] == actual
            if other:
                assert ratio[i, j] == actual / other
                assert isinstance(ratio[i, j], Fraction)
            else:
                assert ratio[i, j] == (math.inf if actual else 1)


@pytest.mark.parametrize("seed", range(8))
def test_outputs_are_as_likely_with_the_record_resampled(seed):
    """P1, proof of Theorem 7.4.2: the totals cancel, so beliefs are the same on average."""
    prior, mechanism, target = random_world(seed)
    made = enumerate_world(prior, mechanism, target=target)
    likely = [
        sum(w * mechanism[d][y] for d, w in prior.items()) for y in made.outputs
    ]  # of each output
    for beliefs in (made.actual(), made.counterfactual()):
        averaged = [sum(b * c for b, c in zip(row, likely, strict=True)) for row in beliefs]
        held = [sum(w for d, w in prior.items() if d[target] == record) for record in made.records]
        assert averaged == held


@pytest.mark.parametrize("seed", range(8))
def test_laws_are_those_of_the_sampling_models(seed):
    """Drawn from the true record, from the prior, from a fixed dataset, and on average."""
    prior, mechanism, target = random_world(seed)
    made = enumerate_world(prior, mechanism, target=target)
    ratio, limit = made.ratio(), Fraction(11, 10)
    averaged = Fraction(0)
    for i, record in enumerate(made.records):
        beyond = [y for j, y in enumerate(made.outputs) if ratio[i, j] > limit]
        mine = {d: w for d, w in prior.items() if d[target] == record}
        share = sum(mine.values())
        given = sum(w * mechanism[d][y] for d, w in mine.items() for y in beyond)
        by_prior = sum(w * mechanism[d][y] for d, w in prior.items() for y in beyond)
        assert made.law(record).exceeding(limit) == given / share
        assert made.law(record, drawn="prior").exceeding(limit) == by_prior
        averaged += given
        for truth in [d for d, w in prior.items() if w]:
            law = made.law(record, truth=truth)
            assert law.exceeding(limit) == sum(mechanism[truth][y] for y in beyond)
            assert law.probabilities.sum() == 1
    assert made.law().exceeding(limit) == averaged


def test_whoever_knows_the_rest_has_the_prior_without_the_record():
    """P1, Section 7.4.1, whatever stands in for the record."""
    prior, mechanism, target = random_world(3)
    made = enumerate_world(prior, mechanism, target=target)
    for rest in made.rests:
        known = made.knowing(rest)
        held = known.prior.sum(axis=1)
        assert (known.counterfactual() == held[:, None]).all()
        assert known.rests == (rest,)


def test_floats_follow_the_fractions():
    prior, mechanism, target = random_world(7)
    exact = enumerate_world(prior, mechanism, target=target)
    floats = enumerate_world(
        {d: float(w) for d, w in prior.items()},
        lambda d: [float(p) for p in mechanism[d]],
        target=target,
    )
    assert floats.actual() == pytest.approx(exact.actual().astype(float), rel=1e-14)
    logs = enumerate_world(
        {d: float(w) for d, w in prior.items()},
        lambda d: [math.log(p) if p else -math.inf for p in mechanism[d]],
        target=target,
        given="log-probabilities",
    )
    assert logs.ratio() == pytest.approx(exact.ratio().astype(float), rel=1e-13)
    record = exact.records[0]
    for drawn in ("true-record", "prior"):
        assert logs.law(record, drawn=drawn).probabilities.sum() == pytest.approx(1.0, rel=1e-13)


# --- Example 7.1 ---------------------------------------------------------------------------------

BELIEVED = {(1,) + (0,) * 99: 0.01, (0,) * 100: 0.99}  # only Jessie, or nobody, is Hispanic
TRUTH = (1,) * 100


def test_example_7_1():
    """A wrong prior: the ratio is nearly 100, 1 / (1 + 99 e^(-101.3 + 1/2)) over 0.01."""
    made = enumerate_world(
        BELIEVED,
        lambda data: [-((101.3 - sum(data)) ** 2) / 2],
        outputs=[101.3],
        given="log-densities",
    )
    jessie = made.records.index(1)
    assert made.actual()[jessie, 0] == 1 / (1 + 99 * math.exp(-101.3 + 0.5))
    assert made.counterfactual()[jessie, 0] == pytest.approx(0.01, rel=1e-15)
    assert made.ratio()[jessie, 0] == pytest.approx(100.0, rel=1e-14)
    with pytest.raises(Meaningless, match="how likely"):
        made.law(1)


def test_example_7_1_with_every_output():
    """The ratio is nearly 100 almost always, and the prior calls such outputs impossible."""
    grid = np.arange(-60.0, 200.0)

    def noisy(data):
        logs = -((grid - sum(data)) ** 2) / 2
        return logs - math.log(np.exp(logs).sum())

    made = enumerate_world(BELIEVED, noisy, outputs=grid.tolist(), given="log-probabilities")
    assert made.law(1, truth=TRUTH).exceeding(99.999) == pytest.approx(1.0, abs=1e-12)
    assert made.law(1, drawn="prior").exceeding(99.999) < 1e-12
    rarer = {d: 1e-6 if d[0] else 1 - 1e-6 for d in BELIEVED}
    made = enumerate_world(rarer, noisy, outputs=grid.tolist(), given="log-probabilities")
    assert made.law(1, truth=TRUTH).exceeding(0.999e6) == pytest.approx(1.0, abs=1e-12)


# --- what is refused -----------------------------------------------------------------------------

PRIOR = {("a", "b"): HALF, ("b", "b"): HALF}
LAWS = {("a", "b"): {"x": Fraction(1)}, ("b", "b"): {"x": HALF, "y": HALF}}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"prior": {}}, "a mapping from datasets"),
        ({"prior": {("a", "b"): 0.4, ("b", "b"): 0.4}}, "add up to one"),
        ({"prior": {("a", "b"): Fraction(1, 3), ("b", "b"): HALF}}, "add up to one"),
        ({"prior": {("a", "b"): 1.5, ("b", "b"): -0.5}}, "add up to one"),
        ({"prior": {("a", "b"): math.nan, ("b", "b"): 0.5}}, "add up to one"),
        ({"prior": {("a", "b"): "x", ("b", "b"): 0.5}}, "add up to one"),
        ({"prior": {"ab": HALF, "bb": HALF}}, "tuples of records"),
        ({"prior": {("a", "b"): HALF, ("b",): HALF}}, "all of one length"),
        ({"target": 2}, "a place in the datasets"),
        ({"target": True}, "a place in the datasets"),
        ({"mechanism": 1}, "a function of a dataset"),
        ({"mechanism": {("a", "b"): {"x": 1}}}, "given for every dataset"),
        ({"mechanism": lambda data: [0.5, 0.4]}, "add up to one"),
        ({"mechanism": lambda data: [0.5, 0.5], "outputs": "x"}, "one number for each"),
        ({"outputs": ["x"]}, "listed where one dataset leads to them"),
        ({"given": "odds"}, "one of 'probabilities'"),
        ({"mechanism": lambda data: [math.nan], "given": "log-densities"}, "below infinity"),
    ],
)
def test_bad_input(change, says):
    with pytest.raises(InvalidInput, match=says):
        enumerate_world(**{"prior": PRIOR, "mechanism": LAWS, **change})


def test_questions_without_an_answer():
    made = enumerate_world(PRIOR, LAWS)
    assert repr(made) == "<SmallWorld: 2 records, 1 rests, 2 outputs>"
    with pytest.raises(InvalidInput, match="one of the target's"):
        made.law("c")
    with pytest.raises(InvalidInput, match="the record that the beliefs are about"):
        made.law(drawn="prior")
    with pytest.raises(InvalidInput, match="one of the rests"):
        made.knowing(("a",))
    with pytest.raises(InvalidInput, match="Did you mean 'dropped'"):
        made.ratio("droped")
    strange = enumerate_world(PRIOR, lambda data: LAWS.get(data, {"z": Fraction(1)}))
    with pytest.raises(InvalidInput, match="listed where one dataset"):
        strange.law("a", truth=("c", "c"))
    silent = enumerate_world(
        {("a", "b"): Fraction(1)}, lambda d: [0, 1] if d == ("c", "c") else [1, 0]
    )
    with pytest.raises(Meaningless, match="considers impossible"):
        silent.law("a", truth=("c", "c"))


def test_outputs_that_need_the_record_have_an_infinite_ratio():
    """Without it they never occur: no posterior, and none is made up."""
    made = enumerate_world(PRIOR, lambda data: LAWS.get(data, {"x": Fraction(1)}))
    assert made.ratio("dropped")[1, 1] == math.inf
    with pytest.raises(Meaningless, match="never occur"):
        made.counterfactual("dropped")
    law = made.law("b", replacement="dropped")
    assert (law.exceeding(100), law.largest, law.reaching(math.inf)) == (HALF, math.inf, HALF)
