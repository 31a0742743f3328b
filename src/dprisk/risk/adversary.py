"""Who wants to know what, with which confidence, and which guarantee stands in between."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import INSIDE, PROBABILITY, Domain, assign, complement, numbers, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import times_exp
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees.approximate import ApproxDPCurve
from dprisk.guarantees.base import SIDES, Guarantee, Sides

Secret = Literal["membership", "attribute"]
SECRETS: Final[tuple[Secret, ...]] = get_args(Secret)
AnySecret = Literal["membership", "attribute", "both"]
ANY_SECRETS: Final[tuple[AnySecret, ...]] = get_args(AnySecret)
Metric = Literal["posterior", "odds", "ratio", "ratio_not", "difference"]
METRICS: Final[tuple[Metric, ...]] = get_args(Metric)
AttackMetric = Literal["power", "advantage", "predictive_value"]
ATTACKS: Final[tuple[AttackMetric, ...]] = get_args(AttackMetric)

DEFAULT_CONFIDENCE: Final = 0.99
"""The confidence where one is needed and none was given."""
LOWER_CONFIDENCES: Final = (0.95, 0.9, 0.75, 0.5)
"""Confidences for promises that control too little for the default."""
VALUE_PRIOR: Final = Domain(
    0.0, 1.0, low_open=True, advice="A belief of 0 never moves; write 1 in 100 as 0.01."
)
CONFIDENCE_FIX: Final = (
    "Confidence is the probability that the bounds hold, such as 0.99; leave it out for a "
    "guarantee that bounds the privacy loss with certainty."
)


@final
@dataclass(frozen=True, kw_only=True)
class Adversary:
    """An informed adversary: knows all other records, and has a prior belief about one secret.

    Parameters
    ----------
    secret : {"membership", "attribute", "both"}
        Whether the target is in the data (the target's attributes are known), which value the
        target has (that the target is in the data is known), or both at once: that the target is in
        the data and has a value (P3).
    priors : tuple of float
        Beliefs in the secret before the release, each assessed on its own; of both, beliefs that
        the target is in the data. [0, 1]
    confidence : float, optional
        Probability with which bounds have to hold, over the mechanism's coins. (0, 1). Left out,
        they hold with certainty, which only a bounded privacy loss allows.
    sides : {"both", "one"}
        Whether the upper and the lower end hold together with that confidence (P0), or each alone;
        of both, always each alone, as in the budget of a risk profile.
    post_processing : bool
        Whether the adversary may see anything computed from the output (the default), or the
        bounds are about the raw output only.
    value_prior : float, optional
        Of both: belief in the value before the release, if the target is in the data. (0, 1]

    Raises
    ------
    OutOfRange
        If a prior is outside [0, 1] or the confidence outside (0, 1).
    InvalidInput
        If `secret` or `sides` is not one of the words allowed, or a value prior is missing where
        both are asked about.
    Meaningless
        If a value prior is given where one thing is asked about, or raw output where both are.

    Examples
    --------
    >>> from dprisk import Adversary
    >>> Adversary(priors=(0.5,), confidence=0.99).secret
    'membership'
    """

    secret: AnySecret = "membership"
    priors: tuple[float, ...] = (0.01, 0.1, 0.5)
    confidence: float | None = None
    sides: Sides = "both"
    post_processing: bool = True
    value_prior: float | None = None

    def __post_init__(self) -> None:
        one_of("secret", self.secret, ANY_SECRETS)
        one_of("sides", self.sides, SIDES)
        priors = np.atleast_1d(numbers("prior", self.priors, PROBABILITY))
        if priors.ndim != 1 or priors.size == 0:
            raise InvalidInput("priors", self.priors, "a list of at least one belief")
        assign(self, priors=tuple(priors.tolist()))
        if self.confidence is not None:
            scalar("confidence", self.confidence, INSIDE, CONFIDENCE_FIX)
        self._settle_value()

    @property
    def beliefs(self) -> tuple[float, ...]:
        """Beliefs in the secret before the release; of both, the products of the priors. [0, 1]."""
        if self.value_prior is None:
            return self.priors
        return tuple(joint_belief(prior, self.value_prior) for prior in self.priors)

    @property
    def middle(self) -> float:
        """The belief that every document opens with. [0, 1]."""
        return self.beliefs[len(self.beliefs) // 2]

    @property
    def compared(self) -> Secret:
        """The question whose hypotheses are as far apart: of both, that of a value."""
        return "attribute" if self.secret == "both" else self.secret

    def others(self) -> list[Adversary]:
        """The same adversary with each other question about one thing, and the prior of that."""
        value = self.priors if self.value_prior is None else (self.value_prior,)
        priors: dict[Secret, tuple[float, ...]] = {"membership": self.priors, "attribute": value}
        return [
            replace(self, secret=word, value_prior=None, priors=asked)
            for word, asked in priors.items()
            if word != self.secret
        ]

    def _settle_value(self) -> None:
        if self.secret != "both":
            if self.value_prior is not None:
                raise Meaningless(
                    f"A value prior of {self.value_prior} changes nothing where the question is "
                    f"{self.secret} alone.",
                    'Leave it out, or ask about both (secret="both", --secret both).',
                )
            return
        if self.value_prior is None:
            fix = "Give the belief in the value if the person is in the data, such as 0.1."
            raise InvalidInput("value_prior", None, str(VALUE_PRIOR), fix)
        if not self.post_processing:
            raise Meaningless(
                "The belief that a person is in the data and has a value is bounded for everything "
                "that can be computed from the output, which covers the raw output.",
                "Leave out --raw-output (in Python: post_processing=False).",
            )
        assign(self, value_prior=scalar("value_prior", self.value_prior, VALUE_PRIOR), sides="one")


def joint_belief(prior: float, value_prior: float) -> float:
    """The product of two beliefs as they are written: of 0.05 and 0.1 it is 0.005."""
    return float(Decimal(repr(prior)) * Decimal(repr(value_prior)))


def steps(secret: Secret, guarantee: Guarantee) -> int:
    """How many steps of the relation of neighbors lie between the adversary's two hypotheses."""
    if one_of("secret", secret, SECRETS) == "attribute":
        return 1 if guarantee.neighbors == "replace-one" else 2
    if guarantee.neighbors == "replace-one":
        raise Meaningless(
            "Membership has no meaning under replace-one neighbors: every dataset has the same "
            "number of records, so this guarantee does not compare data with someone's record and "
            "data without it.",
            'Ask about an attribute (secret="attribute", --secret attribute), or give a guarantee '
            "that was proven for add-remove neighbors.",
        )
    return 1


def between_hypotheses(
    guarantee: Guarantee, secret: Secret, failure: npt.ArrayLike = (), sides: Sides = "both"
) -> Guarantee:
    """The guarantee that holds between the adversary's two hypotheses."""
    if steps(secret, guarantee) == 1:
        return guarantee
    if guarantee.is_stated or np.size(failure) != 1:
        return guarantee.for_neighbors("replace-one")
    return group_of_two(guarantee, float(np.ravel(failure)[0]), sides)


def confidence_for(*guarantees: Guarantee, asked: float | None = None) -> float | None:
    """The confidence with which guarantees are read together.

    Parameters
    ----------
    *guarantees : Guarantee
        Those that are read; all of several have to hold.
    asked : float, optional
        What the reader asked for, which is what counts then. (0, 1)

    Returns
    -------
    float or None
        None (certainty) if every privacy loss is bounded; otherwise 0.99 or, where so much is left
        uncontrolled that nothing holds with it, the next of 0.95, 0.9, 0.75 and 0.5. (0, 1)

    Examples
    --------
    >>> from dprisk import ApproxDP, PureDP
    >>> from dprisk.risk import confidence_for
    >>> confidence_for(PureDP(1.0, neighbors="add-remove")) is None
    True
    >>> confidence_for(ApproxDP(1.0, 0.02, neighbors="add-remove"))
    0.95
    """
    if asked is not None:
        return float(scalar("confidence", asked, INSIDE, CONFIDENCE_FIX))
    unbounded = [each for each in guarantees if math.isinf(float(each.loss_bound(0.0)))]
    if not unbounded:
        return None
    uncontrolled = math.fsum(float(each.delta(math.inf)) for each in unbounded)
    confidences = (DEFAULT_CONFIDENCE, *LOWER_CONFIDENCES)
    fits = (each for each in confidences if uncontrolled < float(complement(each)))
    return next(fits, DEFAULT_CONFIDENCE)


# --- limits that only a release that reveals nothing can keep ------------------------------------

GIVEN_AT: Final = {"posterior": "prior", "predictive_value": "prior", "power": "level"}
UNCHANGED: Final = {
    "difference": 0.0,
    "advantage": 0.0,
    "odds": 1.0,
    "ratio": 1.0,
    "ratio_not": 1.0,
}
IMMOVABLE_PRIORS: Final = {"ratio": (1.0,), "ratio_not": (0.0,), "odds": (), "advantage": ()}
"""Priors that no release moves; for the other metrics 0 and 1."""


def must_be_tolerable(metric: Metric | AttackMetric, limit: float, at: Iterable[float]) -> None:
    """Refuse a limit at or below what a release that reveals nothing reaches."""
    asked = [each for each in at if 0.0 <= each <= 1.0]  # others are refused for themselves
    name = f"limit on the {metric.replace('_', ' ')}"
    if (of := GIVEN_AT.get(metric)) is not None:
        least = max(asked, default=0.0)
        if least == 1.0 and limit < 1.0:
            fix = f"Raise the limit, or leave out the {of} of 1."
            raise InvalidInput(name, limit, f"1, as a {of} of 1 stays 1", fix)
        if limit < least or (limit == least and 0.0 < least < 1.0):
            raise InvalidInput(
                name,
                limit,
                f"above {least:.12g}, the highest {of} looked at",
                f"Even a release that reveals nothing reaches that {of}. Raise the limit, or give "
                f"a lower {of}.",
            )
        return
    least, immovable = UNCHANGED[metric], IMMOVABLE_PRIORS.get(metric, (0.0, 1.0))
    if limit < least or (limit == least and not (asked and {*asked} <= {*immovable})):
        raise InvalidInput(
            name,
            limit,
            f"above {least:.12g}",
            f"Only a release that reveals nothing stays at {least:.12g}. Raise the limit.",
        )


# --- two steps of a numeric guarantee ------------------------------------------------------------

FIRST_POINTS = np.geomspace(0.25, 2.83, 8)  # relative to the loss of one step
PAST_THE_LAST = 4.0  # times as far, where the last line is met
ROUNDS, MORE_POINTS = 6, 10
ENOUGH = 1e-4  # of the loss: by how much the last round of points lowered it, at most


def group_of_two(guarantee: Guarantee, failure: float, sides: Sides = "both") -> Guarantee:
    """Two steps of add-remove, from points of the profile that decide the loss at one failure."""
    shift = float(guarantee.loss_bound(failure, sides=sides))
    if not 0.0 < shift < np.inf:
        return guarantee.for_neighbors("replace-one")
    ends = [0.0, float(guarantee.loss_bound(0.0)), np.inf]
    epsilon = np.unique(np.concatenate([ends, shift * FIRST_POINTS]))
    rough = guarantee.coarse  # its brackets are narrower than what points leave between them
    delta = np.asarray(rough.delta(epsilon).value)
    twice, loss = _twice(epsilon, delta), np.inf
    for _ in range(ROUNDS):
        before, loss = loss, float(twice.loss_bound(failure, sides=sides))
        if loss > before * (1.0 - ENOUGH):
            break
        level = failure / (np.exp(min(loss, 700.0)) + (sides == "both"))
        more = _points_near_tangents(epsilon, delta, level)
        epsilon = np.append(epsilon, more)
        delta = np.append(delta, rough.delta(more).value)
        twice = _twice(epsilon, delta)
    return twice


def _twice(epsilon: Floats, delta: Floats) -> Guarantee:
    return ApproxDPCurve(epsilon, delta, neighbors="add-remove").for_neighbors("replace-one")


def _points_near_tangents(epsilon: Floats, delta: Floats, start: float) -> Floats:
    """More points about the lines that are met on the way over both steps."""
    curve = ApproxDPCurve(epsilon, delta, neighbors="add-remove")
    middle = float(curve.power(start))
    order = np.argsort(epsilon)[:-1]  # all but infinity
    t, height, last = epsilon[order], delta[order], len(order) - 1
    found = []
    for level in (start, middle, 1.0 - float(curve.power(middle))):
        at = int(np.argmin(height + times_exp(np.full_like(t, level), t)))
        end = t[at + 1] if at < last else PAST_THE_LAST * t[at]
        found.append(np.linspace(t[max(at - 1, 0)], end, MORE_POINTS + 2)[1:])
    return np.setdiff1d(np.concatenate(found), epsilon)


def tolerated(
    limits: Mapping[AttackMetric, float], levels: Sequence[float], priors: Sequence[float]
) -> dict[AttackMetric, float]:
    """Limits of tests that can be asked for."""
    checked: dict[AttackMetric, float] = {}
    for metric, limit in limits.items():
        name = one_of("limit", metric, ATTACKS)
        checked[name] = scalar(f"limit on the {name.replace('_', ' ')}", limit, PROBABILITY)
    if "predictive_value" in checked and not len(priors):
        raise Meaningless(
            "A predictive value needs a belief to start from: say at which prior (--prior 0.1)."
        )
    for name, most in checked.items():
        must_be_tolerable(name, most, priors if name == "predictive_value" else levels)
    return checked
