"""The largest promise of each release, or the least noise, that keeps a limit for all releases."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, final

from dprisk._checks import FINITE_POSITIVE, PROBABILITY, one_of, scalar, whole
from dprisk._values import members, plain, result
from dprisk.budget.counting import one_release
from dprisk.budget.limits import Limit, failure_of
from dprisk.budget.noise import NOISES, WIDTHS, Noise, NoiseCost, noise_cost, with_width
from dprisk.budget.search import Search, Together, only_bounded
from dprisk.budget.solving import LimitSolution
from dprisk.composition.composing import RULES
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.laplace import LaplaceDP
from dprisk.guarantees.pure import PureDP
from dprisk.mechanisms.base import Mechanism
from dprisk.risk.adversary import DEFAULT_CONFIDENCE
from dprisk.text import english

Definition = Literal["pure", "approximate", "concentrated", "gaussian", "laplace"]
DEFINITIONS: Final[tuple[Definition, ...]] = ("pure", "approximate", "concentrated", "gaussian")
"""Those that are looked for where none is named."""
PROMISES: Final[dict[Definition, Callable[..., Guarantee]]] = {
    "pure": PureDP,
    "approximate": ApproxDP,
    "concentrated": ZeroConcentratedDP,
    "gaussian": GaussianDP,
    "laplace": LaplaceDP,
}
Family = Callable[[float], Guarantee]
ENDS: Final = (1e-300, 9e8)


@final
@result
@dataclass(frozen=True, repr=False)
class Allowed(LimitSolution):
    """The largest promise for each release that keeps a limit. Made by `largest_budget`.

    Parameters
    ----------
    definition : str
        What each release promises.
    parameter : str
        Its parameter that was looked for: epsilon, rho or mu.
    guarantee : Guarantee or None
        The promise of each release at that value.
    """

    definition: str
    parameter: str
    guarantee: Guarantee | None

    @property
    def delta(self) -> float:
        """The delta of each release; 0 where its promise has none."""
        return 0.0 if self.guarantee is None else self.guarantee.parameters.get("delta", 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: `at_most` is the other end of the bracket of the value."""
        inner = {} if self.guarantee is None else self.guarantee.parameters
        return {
            **members(self, "definition", "status", "limit", "parameter"),
            "value": plain(float(self.value)),
            "bound": self.value.bound,
            "at_most": plain(self.value.bracket[1]),
            "parameters": {k: v for k, v in inner.items() if not isinstance(v, float) or v < 1e308},
            **members(self, "together.releases", "together.rule", "together.at_delta"),
            "measured": None if self.measured is None else plain(float(self.measured)),
            "composition": None if self.whole is None else str(self.whole.theorem),
            "lossy": [] if self.whole is None else list(self.whole.lossy),
            **self.cited(),
            "assumptions": list(self.value.assumptions),
        }


@final
@result
@dataclass(frozen=True, repr=False)
class Calibrated(LimitSolution):
    """The least noise that keeps a limit. Made by `calibrate`.

    Parameters
    ----------
    kind : {"geometric", "laplace", "gaussian", "discrete-gaussian"}
        Which noise; the value is its scale or sigma.
    cost : NoiseCost or None
        The mechanism to run, and how far off it makes a published number.
    """

    kind: Noise
    cost: NoiseCost | None

    @property
    def mechanism(self) -> Mechanism:
        """Mechanism to run for each release; refused where there is none."""
        if self.cost is None:
            raise Meaningless(f"There is no mechanism to run: {self.reason}")
        return self.cost.mechanism

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: `width` is the value, `at_least` the other end of its bracket."""
        return {
            **members(self, "kind", "status", "limit"),
            "parameter": WIDTHS[self.kind],
            "width": plain(float(self.value)),
            "bound": self.value.bound,
            "at_least": plain(self.value.bracket[0]),
            **members(self, "together.releases", "cost"),
            "measured": None if self.measured is None else float(self.measured),
            **self.cited(),
            "assumptions": list(self.value.assumptions),
        }


def chosen_delta(confidence: float, releases: int = 1, people: int | None = None) -> float:
    """The delta of each release where none is given: small beside the failure and the people."""
    failure = failure_of(confidence)
    if people is not None:
        failure = min(failure, 1.0 / whole("people", people, 1))
    return failure * 0.01 / whole("releases", releases, 1)


def largest_budget(
    limit: Limit,
    definition: Definition | Family,
    *,
    neighbors: Neighbors = "add-remove",
    delta: float | None = None,
    releases: int | Together = 1,
    people: int | None = None,
) -> Allowed:
    """The largest epsilon, rho or mu of each release that keeps a limit.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep.
    definition : {"pure", "approximate", "concentrated", "gaussian", "laplace"} or callable
        What each release promises; or, for any other promise, a function from a number in
        (0, 10^9) to a guarantee, the weaker the larger the number.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    delta : float, optional
        Of approximate DP, for each release. [0, 1]. Left out, `chosen_delta`.
    releases : int or Together
        How many releases; or that with how they are composed and what was spent before.
        [1, 10^9]
    people : int, optional
        How many people the data are about: a delta that is chosen is far below one over that.
        [1, 10^9]

    Returns
    -------
    Allowed
        The value keeps the limit as computed; the other end of its bracket, mostly 10^-9 above,
        does not.

    Raises
    ------
    InvalidInput
        If a word is unknown, or a delta is needed.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If the limit has no meaning under these neighbors, or only a bounded loss keeps it.

    Notes
    -----
    One search serves every definition: what is limited never falls as the budget grows, so the
    forward answer is followed to where it comes up to the limit. P0, Example 4.2, prints 0.135 for
    what is 0.0678 (Examples of `InformedLimit`): 0.135 belongs to a delta near 0.009.

    References
    ----------
    .. [1] P0, Section 4.3.

    Examples
    --------
    >>> from dprisk.budget import InformedLimit, largest_budget
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> for definition in ("pure", "approximate", "gaussian"):
    ...     found = largest_budget(limit, definition, releases=30)
    ...     print(definition, found.parameter, round(found.value.value, 4))
    pure epsilon 0.1057
    approximate epsilon 0.1047
    gaussian mu 0.1051
    """
    how = Together.as_given(releases)
    one_of("neighbors", neighbors, NEIGHBORS)
    if callable(definition):
        name, parameter, family = definition(1.0).definition, "parameter", definition
    else:
        name = one_of("definition", definition, tuple(PROMISES))
        given = _delta(limit, name, delta, how.releases, people)
        family = partial(_promise, name, given, neighbors)
        parameter = next(iter(family(1.0).parameters))
    example = family(1.0)
    limit = limit.read_with(*how.counted(example))
    search = Search(
        limit, how, example.neighbors, lambda x: how.of(family(x), certain=limit.certain)
    )
    if not callable(definition) and "approximate" not in example.summands:
        only_bounded(limit, example)
    found = search.ended()
    if found is None:
        mu = search.start(pure=example.composes_by == "losses")
        start = mu * mu / 2.0 if example.composes_by == "orders" else mu
        found = search.run(start, ENDS, family)
        if found.whole is None:
            found = found._replace(reason=_why_none(search, family))
    value = search.answer(found, "lower", math.inf if found.status == "no limit" else 0.0)
    one = None if found.whole is None else family(found.kept)
    common = found.status, value, found.reason, limit, found.whole, found.measured, how
    return Allowed(*common, name, parameter, one)


def _promise(
    name: Definition, delta: tuple[float, ...], neighbors: Neighbors, x: float
) -> Guarantee:
    return PROMISES[name](x, *delta, neighbors=neighbors)


def _delta(
    limit: Limit, definition: str, delta: float | None, releases: int, people: int | None
) -> tuple[float, ...]:
    """Delta of a promise of approximate DP, given or chosen; other definitions have none."""
    if definition != "approximate":
        refuse_delta(definition, delta=delta)
        return ()
    if delta is not None:
        return (scalar("delta", delta, PROBABILITY),)
    confidence = limit.confidence
    if confidence is None and limit.takes_confidence:
        confidence = DEFAULT_CONFIDENCE
    if confidence is None:
        fix = "There is no confidence to choose one from: give it, such as 1e-6."
        raise InvalidInput("delta", None, str(PROBABILITY), fix)
    return (chosen_delta(confidence, releases, people),)


def refuse_delta(definition: str, **given: float | None) -> None:
    """Refuse what only a promise that has a delta would use."""
    for key, value in given.items():
        if value is not None:
            allowed = f"left out: no δ is chosen for {definition}"
            fix = (
                "Only approximate DP has a δ for each release: ask for approximate, or leave this "
            )
            raise InvalidInput(key, value, allowed, f"{fix}out.")


def _why_none(search: Search, family: Family) -> str:
    """No budget above 0: because of what was spent, because of the delta, or because of all."""
    limit, how = search.limit, search.how
    nothing = PureDP(0.0, neighbors=search.neighbors)
    if how.spent and not limit.kept_by(how.of(nothing, 0, certain=limit.certain).guarantee):
        return english("budget.spent")
    least = family(ENDS[0])
    given = float(least.delta(math.inf))
    if given > 0.0 and not limit.kept_by(how.of(least).guarantee):
        times = "times" if how.releases > 1 else "once"
        return english(f"budget.delta-breaks.{times}", delta=f"{given:g}", number=how.releases)
    if how.at_delta is not None:
        return english("budget.at-delta-breaks", delta=f"{how.at_delta:g}")
    return english("budget.only-silence")


def by_every_rule(
    limit: Limit,
    definition: Definition,
    *,
    neighbors: Neighbors = "add-remove",
    delta: float | None = None,
    releases: int | Together = 1,
    people: int | None = None,
) -> tuple[Allowed, ...]:
    """The largest budget by every composition rule that the definition has.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep.
    definition : {"pure", "approximate", "concentrated", "gaussian", "laplace"}
        What each release promises.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.
    delta : float, optional
        Of approximate DP, for each release. [0, 1]. Left out, `chosen_delta`.
    releases : int or Together
        How many releases, and so on; its rule is replaced. [1, 10^9]
    people : int, optional
        How many people the data are about: a delta that is chosen is far below one over that.
        [1, 10^9]

    Returns
    -------
    tuple of Allowed
        ``best`` first. Advanced composition is left out where there is no delta to state it at.

    Raises
    ------
    InvalidInput
        As for `largest_budget`.
    OutOfRange
        If a number is outside its range.
    Meaningless
        As for `largest_budget`.

    Examples
    --------
    >>> from dprisk.budget import InformedLimit, Together, by_every_rule
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    >>> for found in by_every_rule(limit, "pure", releases=Together(60, at_delta=1e-6)):
    ...     print(found.together.rule, round(found.value.value, 4))
    best 0.0424
    simple 0.0231
    advanced 0.0325
    optimal 0.0424
    """
    how = Together.as_given(releases)
    found = []
    for rule in RULES:
        if rule == "advanced" and how.at_delta is None and how.slack is None:
            continue
        try:
            found.append(
                largest_budget(
                    limit,
                    definition,
                    neighbors=neighbors,
                    delta=delta,
                    releases=replace(how, rule=rule),
                    people=people,
                )
            )
        except Meaningless:  # the rule has nothing to say about this definition
            if rule == "best":
                raise
    return tuple(found)


def calibrate(
    limit: Limit,
    kind: Noise,
    sensitivity: float = 1.0,
    *,
    neighbors: Neighbors = "add-remove",
    releases: int | Together = 1,
    coverage: float = 0.95,
) -> Calibrated:
    """The least noise with which all releases together keep a limit.

    The privacy loss of the noise itself is composed and read, not a promise about it, and the limit
    is never missed.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep.
    kind : {"geometric", "laplace", "gaussian", "discrete-gaussian"}
        Which noise is added to one number in each release.
    sensitivity : float
        Most by which the number can differ between neighbors; for noise on the integers a whole
        number. (0, 10^9]
    neighbors : {"add-remove", "replace-one"}
        The relation under which that is so.
    releases : int or Together
        How many releases; or that with what was spent before. [1, 10^9]
    coverage : float
        The share of cases for which `NoiseCost.off_by` is told. (0, 1)

    Returns
    -------
    Calibrated
        The scale or sigma, the mechanism, and what it costs.

    Raises
    ------
    InvalidInput
        If `kind` is unknown, or a rule other than ``best`` or a single delta is asked for.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If the limit has no meaning under these neighbors, or only a bounded loss keeps it.

    Notes
    -----
    The search starts where normal noise would come up to the limit, which is mostly so close that
    a few answers are enough. Discrete noise has no proof that more of it always reveals less; what
    is returned keeps the limit itself.

    References
    ----------
    .. [1] B. Kulynych, J. F. Gomez, G. Kaissis, F. P. Calmon, C. Troncoso, Attack-aware noise
       calibration for differential privacy, NeurIPS 2024, for the question.

    Examples
    --------
    >>> from dprisk.budget import AttackLimit, calibrate
    >>> attack = AttackLimit("power", 0.2, level=0.05)
    >>> found = calibrate(attack, "discrete-gaussian", releases=12)
    >>> round(found.value.value, 4), found.cost.off_by
    (4.3129, 8.0)
    """
    one_of("kind", kind, NOISES)
    one_of("neighbors", neighbors, NEIGHBORS)
    how = Together.as_given(releases)
    if how.rule != "best" or how.at_delta is not None:
        allowed = "composed by the best rule, at every delta"
        fix = "Noise is calibrated to its own privacy loss; ask largest_budget about rules."
        raise InvalidInput("releases", how, allowed, fix)
    reach = scalar("sensitivity", sensitivity, FINITE_POSITIVE)

    def one(width: float) -> Guarantee:
        run = with_width(kind, width, sensitivity, neighbors)
        return run.guarantee() if limit.certain else one_release(run)

    example = with_width(kind, reach, sensitivity, neighbors)
    limit = limit.read_with(*how.counted(one_release(example)))
    search = Search(limit, how, neighbors, lambda x: how.of(one(x), certain=limit.certain))
    only_bounded(limit, one(reach), kind)
    found = search.ended()
    if found is None:
        start = reach / search.start(pure=kind in ("geometric", "laplace"))
        found = search.run(start, (reach * 1e-4, reach * 1e18), one, rising=False)
        if found.whole is None:
            why = english(f"budget.noise.{'spent' if how.spent else 'none'}")
            found = found._replace(reason=why)
    width = search.answer(found, "upper", 0.0 if found.status == "no limit" else math.inf)
    cost = None
    if found.whole is not None:
        cost = noise_cost(with_width(kind, found.kept, sensitivity, neighbors), coverage)
    common = found.status, width, found.reason, limit, found.whole, found.measured, how
    return Calibrated(*common, kind, cost)
