"""Thousands of small worlds that keep a promise exactly, and what happens in them.

A world is a joint belief in a record r of the target and the rest k of the data, and the law of the
output for each (r, k). One more record, the last, is what may stand in for the target's. Only
numpy: nothing here comes from the package but the promised power curve. ``python -m
tests.risk.random_worlds`` prints how near the worlds come to the bounds.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    counterfactual,
)
from dprisk.mechanisms import DiscreteGaussian, Laplace

LIMITS = np.concatenate([[1.0, 1.05, 1.1], np.exp(np.linspace(0.2, 6.0, 30)), [1e3, 1e4, 1e6]])
LEVELS = np.unique(
    np.concatenate([[0.0], np.geomspace(1e-9, 0.5, 120), 1 - np.geomspace(1e-9, 0.5, 60), [1.0]])
)
R: Any = {"neighbors": "replace-one"}
PROMISES = {
    "pure": PureDP(1.0, **R),
    "pure, weak": PureDP(4.0, **R),
    "approximate": ApproxDP(0.7, 0.02, **R),
    "curve": ApproxDPCurve([0.2, 1.0, 3.0], [0.2, 0.05, 1e-3], **R),
    "f": FDP([0.0, 0.05, 0.3, 1.0], [0.9, 0.6, 0.2, 0.0], **R),
    "probabilistic": ProbabilisticDP(0.5, 0.05, **R),
    "Gaussian": GaussianDP(1.0, **R),
    "Rényi": RenyiDP(2.0, 0.5, **R),
    "zCDP": ZeroConcentratedDP(0.3, **R),
    "loss of Laplace noise": Laplace(scale=1.0, sensitivity=1.7, **R).loss(),
    "loss of discrete noise": DiscreteGaussian(sigma=1.0, sensitivity=1, **R).loss(),
}


class Worlds(NamedTuple):
    """Beliefs, shape (worlds, records, rests), and laws, (worlds, records + 1, rests, outputs)."""

    prior: np.ndarray
    laws: np.ndarray


def worlds(guarantee, count, seed):
    """Random worlds, each as revealing as the power curve of a guarantee allows."""
    rng = np.random.default_rng(seed)
    records, rests, outputs = rng.integers(2, 4), rng.integers(1, 5), rng.integers(2, 5)
    shape = (count, records + 1, rests, outputs)
    own = _simplex(rng, shape, rng.choice([0.1, 0.3, 1.0], size=count))
    common = _simplex(rng, (count, 1, rests, outputs), rng.choice([0.2, 1.0], size=count))
    prior = _simplex(rng, (count, records * rests), rng.choice([0.1, 0.5, 2.0], size=count))
    prior = prior.reshape(count, records, rests)
    prior[:, 0] *= rng.choice([1e-6, 1e-2, 1.0], size=count)[:, None]  # rare records are worst
    prior /= prior.sum(axis=(1, 2), keepdims=True)
    lower, upper = guarantee.power(LEVELS).bracket
    power = np.asarray(upper if lower is None else lower)  # chords lie below a concave curve
    least, most = np.zeros(count), np.ones(count)
    for _ in range(30):
        middle = np.where(_keep(own, power), 1.0, (least + most) / 2)[:, None, None, None]
        kept = _keep(middle * own + (1 - middle) * common, power)
        middle = middle[:, 0, 0, 0]
        least, most = np.where(kept, middle, least), np.where(kept, most, middle)
    share = least[:, None, None, None]
    return Worlds(prior, share * own + (1 - share) * common)


def _simplex(rng, shape, concentration):
    drawn = rng.gamma(concentration.reshape(-1, *[1] * (len(shape) - 1)), size=shape) + 1e-12
    return drawn / drawn.sum(axis=-1, keepdims=True)


def _keep(laws, power):
    """Whether all tests of all pairs of records stay below the power curve."""
    tests = np.array(list(itertools.product([0.0, 1.0], repeat=laws.shape[-1]))).T
    heads = laws @ tests
    rise = np.interp(heads, LEVELS, power)
    kept = np.ones(len(laws), dtype=bool)
    for r, s in itertools.permutations(range(laws.shape[1]), 2):
        kept &= np.all(heads[:, r] <= rise[:, s], axis=(1, 2))
    return kept


def likelihoods(made, world="resampled"):
    """Of each output given the record: with it, without it; shape (worlds, records, outputs)."""
    prior, laws = made.prior, made.laws[:, :-1]
    given = prior / prior.sum(axis=2, keepdims=True)  # of the rest, given the record
    if world == "resampled":
        record = prior / prior.sum(axis=1, keepdims=True)  # given the rest
        without = np.einsum("nrk,nrkw->nkw", record, laws)
    else:
        without = made.laws[:, -1]
    return np.einsum("nrk,nrkw->nrw", given, laws), np.einsum("nrk,nkw->nrw", given, without)


def ratios(made, world="resampled"):
    """Of posteriors, the totals included; and the likelihoods of the outputs given the record."""
    actual, other = likelihoods(made, world)
    chance = made.prior.sum(axis=2)[:, :, None]
    totals = [(chance * each).sum(axis=1, keepdims=True) for each in (actual, other)]
    return (actual / totals[0]) / (other / totals[1]), actual


def rest_known(made):
    """The same worlds to somebody who knows that the rest is the first one."""
    first = made.prior[:, :, :1]
    return Worlds(first / first.sum(axis=1, keepdims=True), made.laws[:, :, :1])


def exceeding(ratio, chances, sides="one"):
    """Largest probability over the worlds (and records) of a ratio above each limit."""
    found = []
    for limit in LIMITS:
        out = ratio > limit * (1 + 1e-9)
        if sides == "both":
            out |= ratio < (1 - 1e-9) / limit
        found.append((chances * out).sum(axis=-1).max())
    return np.minimum(found, 1.0)


def attained(made, adversary, world="resampled", sides="one"):
    """The largest probability of a ratio above each limit, over these worlds and records."""
    known = made if adversary in ("arbitrary-prior", "wrong-prior") else rest_known(made)
    ratio, actual = ratios(known, world)
    chance = known.prior.sum(axis=2)
    if adversary == "rest-known":
        total = np.einsum("nr,nrw->nw", chance, actual)
        return exceeding(ratio, np.broadcast_to(total[:, None], ratio.shape), sides)
    if adversary == "wrong-prior":
        return exceeding(ratio, np.ones_like(ratio), sides)
    if adversary == "arbitrary-prior" and world != "resampled":
        together = chance[:, :, None] * actual
        return exceeding(ratio.reshape(len(ratio), -1), together.reshape(len(ratio), -1), sides)
    return exceeding(ratio, actual, sides)


def share(bound, most):
    """The largest part of a bound that is reached, where the bound says something."""
    says = (bound > 0.0) & (bound < 0.9)
    return float(np.max(most[says] / bound[says], initial=0.0))


def table(count=100, batches=10):
    """For each promise and adversary: the largest part of the bound that a world reaches."""
    found = {}
    for name, promise in PROMISES.items():
        made = [worlds(promise, count, seed) for seed in range(batches)]
        for adversary in ("true-record", "rest-known", "arbitrary-prior"):
            bound = counterfactual(promise, adversary=adversary).exceeding(LIMITS).value
            most = np.max([attained(each, adversary) for each in made], axis=0)
            found[name, adversary] = share(bound, most)
    return found


if __name__ == "__main__":
    for (promise, adversary), reached in table().items():
        print(f"{promise:25} {adversary:18} {reached:.3f}")
