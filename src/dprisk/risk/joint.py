"""Whether a person is in the data and has a value: one belief, and the two factors it moves by.

The adversary of P3 thinks that the person is in the data with probability p, and if so has the
value with probability q. H is the law of the output if both are true, A if the person is in with
another value, N if not in; N is one step from H and from A, and they are two apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import inf, nextafter
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from dprisk._checks import PROBABILITY, complement, scalar
from dprisk._numeric.odds import STEPS, in_both, odds
from dprisk._numeric.rounding import down, up
from dprisk._values import brief, result
from dprisk.errors import Meaningless, one_of
from dprisk.guarantees.base import SIDES, Guarantee, Sides
from dprisk.risk.adversary import VALUE_PRIOR, joint_belief
from dprisk.risk.posterior import Disclosure, Interval, between, disclosure, how_sure
from dprisk.risk.ratio_tails import Shifts, for_mixtures, shifts_of
from dprisk.text import english
from dprisk.theorems import PROFILE_WITH_CONFIDENCE, TARGET_RATIO, Theorem


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class JointDisclosure:
    """How far a release can move the belief that a person is in the data and has a value.

    Made by `joint_disclosure`. Membership priors p are beliefs that the person is in the data,
    [0, 1]; a number outside raises `OutOfRange`. The prior belief in both is p q.
    """

    #: Two steps with the whole of what one end may fail with: for every pair of priors at once.
    anywhere: Disclosure
    value_prior: float  #: q: belief in the value, if the person is in the data. (0, 1]
    sides: Sides  #: Whether both ends of an interval hold together, or each alone.
    assumptions: tuple[str, ...]  #: What every number made from it takes for granted.
    theorem: Theorem  #: Where the bounds come from.
    #: Probability with which each interval holds; None for certainty. (0, 1)
    confidence: float | None
    guarantee: Guarantee  #: Between neighbors, for mixtures of them.

    def __repr__(self) -> str:
        most = brief(self.anywhere.loss.value, "at most")
        return f"<JointDisclosure: log-odds move by {most}; {self.theorem}>"

    def belief(self, prior: float) -> float:
        """Belief in both before the release, p q as written.

        Parameters
        ----------
        prior : float
            p: belief that the person is in the data. [0, 1]

        Returns
        -------
        float
            In [0, 1].
        """
        return joint_belief(self._checked(prior), self.value_prior)

    def ratio(self, prior: float) -> Interval:
        """Posterior belief in both over p q.

        Parameters
        ----------
        prior : float
            p: belief that the person is in the data. [0, 1]

        Returns
        -------
        Interval
            In [0, inf].
        """
        return self._interval(*self._ratios(self._checked(prior)))

    def posterior(self, prior: float) -> Interval:
        """Posterior belief in both.

        Parameters
        ----------
        prior : float
            p: belief that the person is in the data. [0, 1]

        Returns
        -------
        Interval
            In [0, 1].
        """
        p = self._checked(prior)
        return self._interval(*_posteriors(p, self.value_prior, *self._ratios(p)))

    def ratio_not(self, prior: float) -> Interval:
        """Posterior over prior belief that not both are true.

        Parameters
        ----------
        prior : float
            p: belief that the person is in the data. [0, 1]

        Returns
        -------
        Interval
            In [0, inf]; 1 where both are certain.
        """
        p, found = self._checked(prior), self.posterior(prior)
        if self._is_still(p):
            return self._interval(1.0, 1.0)
        rest = p * (1.0 - self.value_prior) + (1.0 - p)
        low, high = ((1.0 - float(end)) / rest for end in (found.upper, found.lower))
        return self._interval(down(low, False, STEPS), up(high, False, STEPS))

    def difference(self, prior: float) -> Interval:
        """Posterior minus prior belief in both.

        Parameters
        ----------
        prior : float
            p: belief that the person is in the data. [0, 1]

        Returns
        -------
        Interval
            In [-1, 1].
        """
        p = self._checked(prior)
        if self._is_still(p):
            return self._interval(0.0, 0.0)
        found, before = self.posterior(p), Fraction(p) * Fraction(self.value_prior)
        low, high = (float(Fraction(float(end)) - before) for end in (found.lower, found.upper))
        return self._interval(nextafter(low, -inf), nextafter(high, inf))

    def inclusion(self, prior: float) -> Interval:
        """Factor of being in the data: posterior over p, whatever the value.

        Parameters
        ----------
        prior : float
            p: belief that the person is in the data. [0, 1]

        Returns
        -------
        Interval
            At most 1 / (p + (1 - p) e^-t1), with the whole failure for one step; with a confidence
            0 at least, as no lower end holds whichever of the three is true.
        """
        p = self._checked(prior)
        low, high = _of_weights(p, (1.0 - p, 0.0), self._whole, self._falls)
        return self._interval(low if self.confidence is None else 0.0, high)

    def value(self) -> Interval:
        """Factor of the value, if the person is in the data: posterior over q.

        Returns
        -------
        Interval
            Between 1 / (q + (1 - q) e^t2) and 1 / (q + (1 - q) e^-t2), with the whole failure for
            two steps.
        """
        q = self.value_prior
        return self._interval(*_of_weights(q, (0.0, 1.0 - q), self._whole, self._falls))

    @property
    def _failure(self) -> float:
        """The probability with which one end may fail."""
        each = self.anywhere.confidence
        return 0.0 if each is None else float(complement(each))

    @cached_property
    def _whole(self) -> Shifts:
        """The whole failure for either step, each by itself."""
        two = float(self.anywhere.loss.value)
        if self.guarantee.neighbors == "replace-one":
            return Shifts(inf, two)
        kept = shifts_of(self.guarantee, self._failure, "one")
        return Shifts(kept.one, max(kept.one, min(two, kept.two)))

    @property
    def _falls(self) -> Shifts:
        """Downwards: with a confidence, any of the others may be true, even one ruled out."""
        two = self._whole.two
        return self._whole if self.confidence is None else Shifts(two, two)

    def _ratios(self, p: float) -> tuple[float, float]:
        if self.guarantee.neighbors == "replace-one" and p < 1.0:
            raise Meaningless(
                "Replace-one neighbors compare datasets of one size, so this guarantee does not "
                "limit learning who is in the data.",
                "Give the prior 1 (the person is known to be in the data), or a guarantee for "
                "add-remove neighbors.",
            )
        q = self.value_prior
        return _of_weights(p * q, (1.0 - p, p * (1.0 - q)), self._whole, self._falls)

    def _is_still(self, p: float) -> bool:
        """Whether the belief is certain before, or the release says nothing."""
        silent = float(self.anywhere.loss.value) == 0.0
        return silent or p == 0.0 or (p == 1.0 and self.value_prior == 1.0)

    def _checked(self, prior: float) -> float:
        return scalar("prior", prior, PROBABILITY)

    def _interval(self, low: ArrayLike, high: ArrayLike) -> Interval:
        return between(low, high, self.theorem, self.assumptions)


def joint_disclosure(
    guarantee: Guarantee,
    value_prior: float,
    *,
    confidence: float | None = None,
    sides: Sides = "one",
) -> JointDisclosure:
    """How far a release can move the belief that a person is in the data and has a value.

    Parameters
    ----------
    guarantee : Guarantee
        What the release promises; for replace-one neighbors the person is known to be in the data.
    value_prior : float
        q: belief before the release that the value lies in some set, if the person is in. (0, 1]
    confidence : float, optional
        Probability with which each interval holds, over the mechanism's coins and whichever is
        true: in the data with the value, with another one, or not in. (0, 1). Left out: as for
        `disclosure`.
    sides : {"one", "both"}
        Whether each end holds with that confidence alone, or both together, each with half of what
        may fail.

    Returns
    -------
    JointDisclosure
        Posterior, ratio and difference of both at a membership prior, and the factors of inclusion
        and of the value.

    Raises
    ------
    OutOfRange
        If a number is outside its range, or the confidence so high that nothing is bounded there.
    Meaningless
        If the membership prior is below 1 under replace-one neighbors.

    Notes
    -----
    With shifts t1 of one step and t2 of two, each of which fails with m, posterior over prior is at
    most 1 / (p q + p (1 - q) e^-t2 + (1 - p) e^-t1) but with probability m. With certainty, t1 =
    epsilon and t2 = 2 epsilon under pure DP, and the lower end has e^t2 and e^t1; with a confidence
    it has e^t2 for both. It is the product of the two factors (P3, Equation 6), each of which is
    bounded by itself, so that the product of their bounds is larger.

    References
    ----------
    .. [1] P3, Theorem 1 and Equation 6; dprisk, Proposition 16.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.risk import joint_disclosure
    >>> survey = ZeroConcentratedDP(0.05747, neighbors="add-remove")
    >>> moved = joint_disclosure(survey, 1 / 6, confidence=0.99)
    >>> round(moved.ratio(0.05).upper.value, 3)
    3.0
    >>> round(moved.inclusion(0.05).upper.value, 3), round(moved.value().upper.value, 3)
    (2.697, 3.979)
    """
    value_prior = scalar("value_prior", value_prior, VALUE_PRIOR)
    one_of("sides", sides, SIDES)
    mixed = for_mixtures(guarantee)
    disclosed = partial(disclosure, mixed, secret="attribute", sides="one")
    anywhere = disclosed(confidence=confidence)
    sure = anywhere.confidence
    if sure is not None and sides == "both":  # half of what may fail, each
        anywhere = disclosed(confidence=nextafter(1.0 - float(complement(sure)) / 2.0, 1.0))
    mostly = "whichever" if guarantee.neighbors == "add-remove" else "mostly"
    assumptions = (
        english("assumptions.asks.both"),
        english("assumptions.neighbors", neighbors=guarantee.neighbors),
        english("assumptions.independent.target"),
        how_sure(None if sure is None else f"{sure:.12g}", sides, mostly),
        english("assumptions.any-output"),
    )
    pure = sure is None and "pure" in guarantee.additive_parameters
    theorem = TARGET_RATIO if pure else PROFILE_WITH_CONFIDENCE
    loss = replace(anywhere.loss, theorem=theorem, assumptions=assumptions)
    anywhere = Disclosure(loss, sides, assumptions, anywhere.confidence)
    return JointDisclosure(anywhere, value_prior, sides, assumptions, theorem, sure, mixed)


def as_belief(prior: float, ratios: Interval) -> Interval:
    """The posterior belief, from a prior and its ratio to that."""
    low, high = _posteriors(prior, 1.0, float(ratios.lower), float(ratios.upper))
    return between(low, high, ratios.lower.theorem, ratios.lower.assumptions)


def _of_weights(
    here: float, weights: tuple[float, float], rises: Shifts, falls: Shifts
) -> tuple[float, float]:
    """1 over the sum of the belief itself and what is left of the others, at least and at most."""
    low = high = 1.0
    others = [each for each in zip(weights, rises, falls, strict=True) if each[0] > 0.0]
    if any(rise for _, rise, _ in others):
        most = here + sum(weight * float(odds(np.asarray(rise))[0]) for weight, rise, _ in others)
        with np.errstate(divide="ignore", over="ignore"):  # inf is at most
            high = float(up(1.0 / down(most, False, STEPS), False, 2)) if most > 0.0 else inf
    if any(fall for *_, fall in others):
        total = here
        for weight, _, fall in others:
            total += weight * float(odds(np.asarray(fall))[1])
        low = min(float(down(1.0 / float(up(total, False, STEPS)), False, 2)), 1.0)
    return low, high


def _posteriors(p: float, q: float, low: float, high: float) -> tuple[ArrayLike, ArrayLike]:
    """The ratios times p q, which need not be a double."""
    if p == 0.0 or low == high == 1.0:
        return p * q, p * q
    return in_both(*map(np.asarray, (p, q, low, high)))
