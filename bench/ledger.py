"""An account with 10^4 mixed releases, 200 different ones: where it stands, and one more."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any, Literal

import numpy as np

from bench.other import Failed, Other
from bench.timing import Figure, Result
from dprisk import ApproxDP, ZeroConcentratedDP
from dprisk.budget import EpsilonLimit
from dprisk.composition import compose
from dprisk.ledger.accounts import Account, AccountRule
from dprisk.ledger.rules import open_account, rule_of
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace, SubsampledGaussian
from dprisk.releases import Part

ADD: Any = {"neighbors": "add-remove"}
LIMIT = EpsilonLimit(3.25, delta=1e-6)
DIFFERENT, EACH = 200, 50
TRAININGS = (1, 2, 4, 33)  # different subsampled Gaussians among the 200
COLD, WARM = 2.0, 0.02  # seconds
MANY = 10.0  # seconds, where most of them are bounded


def ledger(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Fixed in advance with 1, 2, 4 and 33 kinds of DP-SGD steps; a filter; OpenDP's odometer."""
    for trainings in TRAININGS:
        yield from _schedule(mixed(trainings))
    yield from _filter({part: EACH for part in mixed(1) if _has_rho(part)})
    if other.has("opendp"):
        yield from _theirs(other)


def mixed(trainings: int) -> list[Part]:
    """Laplace, Gaussian and discrete Gaussian noise, two kinds of promises, and DP-SGD."""
    random = np.random.default_rng(1)
    made = []
    for i, noise in enumerate(random.uniform(50.0, 400.0, DIFFERENT).round(1).tolist()):
        if i < trainings:
            made.append(Part.of(SubsampledGaussian(round(noise / 50.0, 2), 1.0, 0.005, **ADD)))
            continue
        made.append(
            (
                lambda s: Part.of(Laplace(3.0 * s, 1.0, **ADD)),
                lambda s: Part.of(Gaussian(s, 1.0, **ADD)),
                lambda s: Part.of(DiscreteGaussian(s, 1, **ADD)),
                lambda s: Part(ApproxDP(round(1.0 / s, 6), 1e-10, **ADD)),
                lambda s: Part(ZeroConcentratedDP(round(0.5 / s**2, 9), **ADD)),
            )[i % 5](noise)
        )
    return made


def _has_rho(part: Part) -> bool:
    return not isinstance(part.mechanism, SubsampledGaussian)


def _rule(name: Literal["fixed", "concentrated"], **more: Any) -> AccountRule:
    about: Any = {"population": "all", "unit": "person", "period": "2026", **ADD}
    return rule_of(open_account(Account(name="all", rule=name, limits=(LIMIT,), **about, **more)))


def _schedule(parts: list[Part]) -> Iterator[Result]:
    trainings = sum(not _has_rho(part) for part in parts)
    name = f"ledger, fixed, {trainings} of DP-SGD"
    spent = dict.fromkeys(parts, EACH)
    rule, started = _rule("fixed"), process_time()
    standing = rule.standing(spent, {parts[-1]: 1})
    cold = process_time() - started
    shown = float(standing.readings[0].now or 0.0)
    same, note = True, f"epsilon {shown:.9g}; {standing.left} more"
    if standing.bounded:
        note += f"; {standing.bounded} kinds bounded"
    else:
        whole = compose([_loss(part) for part in parts], [EACH] * DIFFERENT).guarantee
        apart = float(LIMIT.measured(whole)) - shown
        same, note = abs(apart) <= 1e-9, f"{note}; composed from scratch {apart:+.0e}"
    most = MANY if standing.bounded else COLD
    yield Figure(name, "s of the processor, status", cold, "at most", most, same, note)
    first, started = rule.decide(spent, {parts[-1]: 1}), process_time()
    later = [rule.decide({**spent, part: EACH + 1}, {part: 1}) for part in parts[-20:]]
    warm = (process_time() - started) / len(later)
    kept = first.kept and all(each.kept for each in later)
    yield Figure(name, "s, one further decision", warm, "at most", WARM, kept)


def _filter(spent: dict[Part, int]) -> Iterator[Result]:
    rule, name = _rule("concentrated", delta="5e-7"), "ledger, filter for zCDP"
    started = process_time()
    standing = rule.standing(spent)
    yield Figure(name, "s, status", process_time() - started, "at most", COLD)
    part = next(iter(spent))
    started = process_time()
    rule.decide(spent, {part: 1})
    note = f"{float(standing.share or 0):.3g} of the cap is spent"
    yield Figure(
        name, "s, one further decision", process_time() - started, "at most", WARM, True, note
    )


def _theirs(other: Other) -> Iterator[Result]:
    for releases in (500, 2000, 10_000):
        try:
            found = other.ask("opendp_odometer", 0, releases)
        except Failed as error:
            yield Figure("OpenDP's odometer", str(error), float("nan"))
            return
        loss, seconds, one = found.value
        note = f"{releases} releases: rho {loss:.6g}, asked in {one * 1e3:.2g} ms"
        yield Figure("OpenDP's odometer", "s, all releases", seconds, note=note)


def _loss(part: Part) -> Any:
    return part.guarantee if part.mechanism is None else part.mechanism.loss()
