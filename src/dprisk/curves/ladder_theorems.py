"""Bounds of each theorem on what is released again and again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._checks import Domain, complement, fixed, scalar, whole
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.composition import compose
from dprisk.composition.analysis import Analysis, natural_secret
from dprisk.composition.theorems import summed
from dprisk.curves.ladder_bounds import Concentrated, Promises
from dprisk.curves.rungs import METRICS, Ladder, LossBracket, Metric, Rung, Scope, Shift, read
from dprisk.errors import InvalidInput, OutOfRange, one_of
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.mechanisms.base import Mechanism, in_words
from dprisk.progress import each
from dprisk.releases.release import Release
from dprisk.risk.adversary import DEFAULT_CONFIDENCE, Adversary, steps
from dprisk.theorems import (
    ADVANCED_COMPOSITION,
    APPROXIMATE_TAIL,
    BASIC_COMPOSITION,
    GAUSSIAN_COMPOSITION,
    LEAST_OVER_PROFILE,
    LOSS_COMPOSITION,
    ONE_TAIL_EXTENDED,
    OPTIMAL_COMPOSITION,
    OPTIMAL_ON_LATTICE,
    OWN_LOSS_TAIL,
    RENYI_TO_APPROXIMATE,
    TRADEOFF_TAIL,
    ZCDP_COMPOSITION,
    ZCDP_TO_APPROXIMATE,
    Theorem,
)

DELTA = 1e-6  # at which theorems are stated, unless said otherwise
MOST_NUMBERS = 100_000  # numbers of releases


class _Plan(NamedTuple):
    """A rung before anything is computed."""

    name: str
    refines: tuple[str, ...]
    holds_for: Scope
    theorems: tuple[Theorem, ...]
    shift: Shift
    period: int = 1
    given: bool = True


def ladder(
    subject: Release | Guarantee | Mechanism,
    releases: npt.ArrayLike,
    *,
    prior: float = 0.5,
    confidence: float | None = None,
    delta: float | None = None,
    metric: Metric = "posterior",
) -> Ladder:
    """Bound what can be learned from so many releases, by ever better theorems.

    Parameters
    ----------
    subject : Release, Guarantee or Mechanism
        What is released each time: of a release, the whole file as it is described. Where the
        mechanism is known, the last rungs are about it alone.
    releases : array_like of int
        Numbers of releases. [1, 10^9]
    prior : float
        Belief before the first release. [0, 1]
    confidence : float, optional
        Probability with which each bound holds. (0, 1). Left out, as everywhere
        (`dprisk.risk.adversary`): certainty where the privacy loss of one release is bounded and
        no delta is given, and then no theorem says more than that epsilons add up; otherwise 0.99.
    delta : float, optional
        The delta at which composition theorems about approximate DP are stated, before they are
        stated at the best one. (0, 1 - confidence). Left out, 1e-6, or half of what the confidence
        leaves if that is less.
    metric : {"posterior", "difference"}
        Belief at the prior, or the largest change of belief over every prior.

    Returns
    -------
    Ladder
        Upper bounds, from textbook theorems to the exact composed curve and, where it is known,
        the mechanism itself.

    Raises
    ------
    InvalidInput
        If `subject` or `metric` is something else, or a release has no parts.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If no theorem composes what is promised.

    Notes
    -----
    The adversary knows all but whether the target is in the data (add-remove neighbors) or which
    of two values the target has (replace-one). Every bound but ``raw output`` holds for whatever
    is computed from the releases.

    References
    ----------
    .. [1] P0, Section 4.2.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import ladder
    >>> climbed = ladder(PureDP(0.05, neighbors="add-remove"), [7, 30, 200], confidence=0.95)
    >>> first = climbed.until(0.8)
    >>> first["basic"], first["advanced"], first["optimal"], first["exact curve"]
    (28, 26, 42, 134)
    """
    analysis = Analysis.of(_described(subject))
    secret = natural_secret(analysis.release)
    adversary = Adversary(secret=secret, priors=(prior,), confidence=confidence)
    numbers = _numbers(releases)
    return climb(analysis, numbers, adversary, delta=delta, metric=metric)


def climb(
    analysis: Analysis,
    numbers: tuple[int, ...],
    adversary: Adversary,
    *,
    delta: float | None = None,
    metric: Metric = "posterior",
    brief: bool = False,
) -> Ladder:
    """The ladder against one adversary, from the first of its priors."""
    one_of("metric", metric, METRICS)
    sure = analysis.after(1).confidence(adversary)
    if sure is None and delta is not None:  # (epsilon, delta)-DP says nothing for certain
        sure = DEFAULT_CONFIDENCE
    adversary = replace(adversary, confidence=sure)
    stated = None
    if adversary.confidence is not None:
        failure = float(complement(adversary.confidence))
        allowed = Domain(0.0, failure, low_open=True, high_open=True)
        given = min(DELTA, failure / 2.0) if delta is None else delta
        stated = scalar("delta", given, allowed, "It has to be less than one minus the confidence.")
    plans = list(_plans(analysis, adversary, stated, brief))
    prior, release = adversary.priors[0], analysis.release
    rungs = tuple(_climbed(plan, numbers, metric, prior) for plan in each("climbing", plans))
    sides = release.neighbors
    return Ladder(release.name, numbers, metric, prior, adversary.confidence, stated, sides, rungs)


def _described(subject: Any) -> Release:
    if isinstance(subject, Release):
        if not subject.parts and not subject.stated_also:
            fix = f"{subject.name} gives no number that could be composed."
            raise InvalidInput("subject", subject.name, "a release with at least one part", fix)
        return subject
    if not isinstance(subject, Guarantee | Mechanism):
        raise InvalidInput("subject", subject, "a Guarantee, a Mechanism or a Release")
    return Release.of(subject, name=in_words(subject))


def _numbers(releases: npt.ArrayLike) -> tuple[int, ...]:
    given = np.ravel(np.asarray(releases)).tolist()
    if not 1 <= len(given) <= MOST_NUMBERS:
        raise InvalidInput("releases", len(given), f"a list of 1 to {MOST_NUMBERS} numbers")
    return tuple(whole("releases", number, 1) for number in given)


def _climbed(plan: _Plan, numbers: tuple[int, ...], metric: Metric, prior: float) -> Rung:
    shift = partial(_limited, plan.shift)
    found = [shift(number) for number in each(plan.name, numbers)]
    losses = fixed([upper for _, upper in found])
    known = [lower for lower, _ in found if lower is not None]
    lower = fixed(read(metric, prior, np.array(known))) if len(known) == len(found) else None
    known_of = plan._replace(shift=shift)._asdict()
    return Rung(**known_of, losses=losses, values=fixed(read(metric, prior, losses)), lower=lower)


def _limited(shift: Shift, number: int) -> LossBracket:
    """No limit, where numbers that add up get beyond what can be promised."""
    try:
        return shift(number)
    except OutOfRange as error:
        if error.name not in ("rho", "xi", "mu", "gamma"):
            raise
        return None, math.inf


def _plans(
    analysis: Analysis, adversary: Adversary, delta: float | None, brief: bool
) -> Iterator[_Plan]:
    """The rungs for what is promised, and then for what is known beyond that."""
    release = analysis.basis
    run = any(part.mechanism for part in release.parts)
    kinds = {type(part.guarantee) for part in release.parts}  # a theorem is about one of them
    stated = kinds <= {PureDP, ApproxDP}
    one_step = steps(adversary.compared, release.parts[0].guarantee) == 1
    whole = partial(_moved, analysis, adversary)
    if delta is None and kinds == {PureDP} and one_step:
        yield _promise("basic", (), (BASIC_COMPOSITION,), whole)
        return
    if delta is None or not one_step or not adversary.post_processing:
        yield _last(release, adversary, (), whole)
        return
    failure = float(complement(adversary.confidence or 0.0))
    promised = whole if not run else partial(_promised, analysis, failure)
    if stated:
        yield from _stated(release, delta, failure)
        if not (brief and run):
            yield _promise(
                "exact curve", _below(release), (OPTIMAL_COMPOSITION, LEAST_OVER_PROFILE), promised
            )
    elif kinds <= {ZeroConcentratedDP, GaussianDP}:
        alone = None if run or GaussianDP in kinds else whole
        yield from _concentrated(release, failure, alone)
    elif not run or not (brief or kinds == {PrivacyLoss}):
        yield _promise("promises composed", (), (LOSS_COMPOSITION, LEAST_OVER_PROFILE), promised)
    if run and not kinds <= {GaussianDP}:
        yield from _mechanisms(analysis, adversary, whole, brief)


def _moved(analysis: Analysis, adversary: Adversary, number: int) -> LossBracket:
    """The bound that every document gives: from the best composition that is known."""
    after = analysis.after(number)
    try:
        found = after.moved(adversary).loss
    except OutOfRange:  # nothing is left that holds with this confidence
        return None, math.inf
    lower, upper = found.bracket
    lossy = after.whole(adversary).lossy
    return (None if lower is None or lossy else float(lower)), float(upper)


def _promised(analysis: Analysis, failure: float, number: int) -> LossBracket:
    """The same of promises alone, whatever is run."""
    promises = [part.guarantee for part in analysis.parts]
    done = compose(promises, analysis.after(number).counts)
    lower, upper = done.guarantee.loss_bound(failure).bracket
    return (None if lower is None or done.lossy else float(lower)), float(upper)


def _last(release: Release, adversary: Adversary, refines: tuple[str, ...], shift: Shift) -> _Plan:
    """Everything that is known, as far as the adversary sees."""
    run = any(part.mechanism for part in release.parts)
    if not adversary.post_processing:
        return _Plan(
            "mechanism, raw output",
            refines,
            "raw output",
            (LOSS_COMPOSITION, OWN_LOSS_TAIL),
            shift,
            period=0,
        )
    scope: Scope = "mechanism" if run else "promise"
    name = "mechanism" if run else "promises composed"
    return _Plan(name, refines, scope, (LOSS_COMPOSITION, LEAST_OVER_PROFILE), shift)


def _below(release: Release) -> tuple[str, ...]:
    alike = len({part.guarantee for part in release.parts}) == 1
    return (f"{'optimal' if alike else 'basic'}, best delta", "advanced, best delta")


def _stated(release: Release, delta: float, failure: float) -> Iterator[_Plan]:
    promises = Promises(
        tuple(part.guarantee.parameters["epsilon"] for part in release.parts),
        tuple(part.guarantee.parameters.get("delta", 0.0) for part in release.parts),
        tuple(part.count * release.releases for part in release.parts),
        delta,
        failure,
    )
    yield _promise("basic", (), (BASIC_COMPOSITION, APPROXIMATE_TAIL), promises.basic)
    yield _promise(
        "basic, best delta", ("basic",), (BASIC_COMPOSITION, APPROXIMATE_TAIL), promises.best_basic
    )
    yield _promise("advanced", (), (ADVANCED_COMPOSITION, APPROXIMATE_TAIL), promises.advanced)
    yield _promise(
        "advanced, best delta",
        ("advanced",),
        (ADVANCED_COMPOSITION, APPROXIMATE_TAIL),
        promises.best_advanced,
    )
    if promises.alike:
        first = _promise(
            "optimal", ("basic",), (OPTIMAL_ON_LATTICE, APPROXIMATE_TAIL), promises.optimal
        )
        yield first._replace(period=2)  # the lattices of odd and of even numbers differ
        refined = ("optimal", "basic, best delta")
        best = _promise(
            "optimal, best delta",
            refined,
            (OPTIMAL_ON_LATTICE, APPROXIMATE_TAIL),
            promises.best_optimal,
        )
        yield best._replace(period=2)


def _concentrated(release: Release, failure: float, whole: Shift | None) -> Iterator[_Plan]:
    total = summed(
        [part.guarantee for part in release.parts],
        [part.count * release.releases for part in release.parts],
        "concentrated",
    ).guarantee.parameters
    xi, given = total.get("xi", 0.0), total.get("delta", 0.0)
    z = Concentrated(total["rho"], xi, given, failure, release.neighbors)
    simple, tight, power = "simple conversion", "tight conversion", "zCDP curve"
    if z.plain:
        yield _promise(
            simple, (), (ZCDP_COMPOSITION, ZCDP_TO_APPROXIMATE, APPROXIMATE_TAIL), z.simple
        )
    yield _promise(
        tight,
        (simple,) if z.plain else (),
        (ZCDP_COMPOSITION, RENYI_TO_APPROXIMATE, APPROXIMATE_TAIL),
        z.tight,
    )
    yield _promise(power, (tight,), (ZCDP_COMPOSITION, ONE_TAIL_EXTENDED), whole or z.power)
    run = any(part.mechanism for part in release.parts)
    gaussian = all(isinstance(part.guarantee, GaussianDP) for part in release.parts)
    if z.plain and (gaussian or not run):  # otherwise the mechanism is known, and another
        scope: Scope = "promise" if gaussian and not run else "mechanism"
        above = "Gaussian noise" if scope == "mechanism" else "Gaussian DP curve"
        given = all(part.mechanism for part in release.parts)
        theorems = (GAUSSIAN_COMPOSITION, TRADEOFF_TAIL)
        yield _Plan(above, (power,), scope, theorems, z.normal, given=given or gaussian)
        raw, theorems = "Gaussian noise, raw output", (GAUSSIAN_COMPOSITION, OWN_LOSS_TAIL)
        yield _Plan(raw, (above,), "raw output", theorems, z.raw_normal, given=given)


def _mechanisms(
    analysis: Analysis, adversary: Adversary, shift: Shift, brief: bool
) -> Iterator[_Plan]:
    release = analysis.basis
    above = "zCDP curve" if isinstance(release.parts[0].guarantee, ZeroConcentratedDP) else ""
    kinds = {type(part.guarantee) for part in release.parts}
    above = "exact curve" if kinds <= {PureDP, ApproxDP} else above or "promises composed"
    refines = () if brief or kinds == {PrivacyLoss} else (above,)
    yield _last(release, adversary, refines, shift)
    exact = all(part.mechanism and part.mechanism.losses().exact for part in release.parts)
    if exact and not brief:
        raw = replace(adversary, post_processing=False)
        # what is left of more releases is no raw output of fewer: the bound may fall
        yield _last(release, raw, ("mechanism",), partial(_moved, analysis, raw))


def _promise(
    name: str, refines: tuple[str, ...], theorems: tuple[Theorem, ...], shift: Shift
) -> _Plan:
    return _Plan(name, refines, "promise", theorems, shift)
