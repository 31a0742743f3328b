"""Tests of an output: level, power, advantage and predictive values (P1, Section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._numeric.logspace import Floats, below_complement, expit
from dprisk._numeric.odds import weighed
from dprisk._numeric.rounding import UNIT, down, up
from dprisk._values import members, plain, result
from dprisk.answer import Answer, Bound
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.risk.adversary import Secret, between_hypotheses, steps
from dprisk.text import english
from dprisk.theorems import ADVANTAGE_IS_DELTA, BAYES_WITH_POWER, FARTHEST_FROM_GUESSING

ATTACK = "dprisk/attack/1"


Bools = npt.NDArray[np.bool_]
Quotient = Callable[[Floats], tuple[Floats, Bools]]
"""Function from power to the chance of the event if the secret is not so, over that if it is;
and to where the two are the same."""

LEVELS: Final = np.concatenate([[0.0], expit(np.linspace(-14.0, 14.0, 57)), [1.0]])
COARSE: Final = 1e-305  # chances below it are known to few digits
DIGITS: Final = 1e-9  # relative error of a chance that is exact
FEW: Final = 40 * UNIT / DIGITS  # chances below it are known to fewer, as a rest of one
ROUNDED: Final = 400 * UNIT  # how far an exact advantage can lie above the truth


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class AttackCurve:
    """An attack as data: what figures, tables and JSON are made from. Made by `Attack.curve`.

    Between two `levels` the `power` at the upper one is a bound; a straight line between two points
    is not. Predictive values are for each prior, at each level.
    """

    neighbors: Neighbors
    secret: Secret
    levels: Floats
    power: Answer
    advantage: Answer
    best_level: Answer
    priors: tuple[float, ...]
    predictive_values: tuple[Answer, ...]
    negative_predictive_values: tuple[Answer, ...]
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data, the same that ``dprisk power --json`` prints."""
        values = zip(
            self.priors, self.predictive_values, self.negative_predictive_values, strict=True
        )
        return {
            "schema": ATTACK,
            **members(self, "neighbors", "secret", "levels", "power", "advantage", "best_level"),
            "predictive_values": [
                {"prior": prior, "positive": plain(positive), "negative": plain(negative)}
                for prior, positive, negative in values
            ],
            "assumptions": list(self.assumptions),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Attack:
    """The best that tests of one secret can do (P1, Section 6). Made by `attack`.

    Every number is the worst case over tests, mechanisms that keep the guarantee, pairs of
    neighbors, and which of the two hypotheses is the secret. A number outside [0, 1] raises
    `OutOfRange`.
    """

    guarantee: Guarantee  #: What holds between the two hypotheses.
    neighbors: Neighbors  #: The relation that the guarantee was given for.
    secret: Secret  #: What the test asks.
    assumptions: tuple[str, ...]  #: What every number made from it takes for granted.

    def power(self, level: npt.ArrayLike) -> Answer:
        """Most power of a test at a level.

        Parameters
        ----------
        level : array_like of float
            Probability of a false alarm. [0, 1]

        Returns
        -------
        Answer
            Probability of a true alarm in [0, 1]; at most.
        """
        return self._stated(self.guarantee.power(level), "upper")

    def level(self, power: npt.ArrayLike) -> Answer:
        """Least level of a test with a power: how many false alarms it cannot avoid.

        Parameters
        ----------
        power : array_like of float
            Probability of a true alarm. [0, 1]

        Returns
        -------
        Answer
            Probability of a false alarm in [0, 1]; at least.
        """
        return self._stated(self.guarantee.level(power), "lower")

    def advantage(self) -> Answer:
        """Most power minus level, over all tests: delta at epsilon 0. [0, 1]

        Whoever finds both hypotheses equally likely and has to name one is right with probability
        (1 + advantage) / 2 at most.
        """
        return self._stated(self.guarantee.advantage(), "upper")

    def best_level(self) -> Answer:
        """Level at which a test reaches the advantage. [0, 1/2]

        For a concave, symmetric power curve, as that of every promise but pbdp, (1 - advantage) /
        2, at least, with room for what rounding took. Otherwise only its bracket is known, from 0
        to 1 - advantage.
        """
        found = self.advantage()
        least, most = found.bracket
        if not self.guarantee.symmetric_tradeoff:
            return Answer(
                0.0,
                "lower",
                ADVANTAGE_IS_DELTA,
                self.assumptions,
                None if least is None else 1 - least,
            )
        if found.bound == "exact":
            least = most * (1.0 - ROUNDED)
        low = down((1.0 - most) / 2.0, most in (0.0, 1.0), 1)
        high = None if least is None else up((1.0 - least) / 2.0, least == 0.0, 1)
        if high is not None and low == high:
            return Answer(float(low), "exact", FARTHEST_FROM_GUESSING, self.assumptions)
        other = None if high is None else float(high)
        return Answer(float(low), "lower", FARTHEST_FROM_GUESSING, self.assumptions, other)

    def predictive_value(self, level: npt.ArrayLike, prior: npt.ArrayLike) -> Answer:
        """Belief in the secret after an alarm of the best test at a level.

        Parameters
        ----------
        level : array_like of float
            Probability of a false alarm; at 0 the limit is returned. [0, 1]
        prior : array_like of float
            Belief in the secret before, broadcast against `level`. [0, 1]

        Returns
        -------
        Answer
            prior power / (prior power + (1 - prior) level) in [0, 1]; at most. Priors 0 and 1 stay.

        Notes
        -----
        Alarms of a test with a lower level are rarer and say more: a predictive value speaks for
        its level and higher ones only.
        """
        x, p = _together(level, prior)
        least, most = self.guarantee.power(x).bracket

        def quotient(power: Floats) -> tuple[Floats, Bools]:
            return x / np.where(power > 0.0, power, 1.0), power == x

        rough = (x > 0.0) & (x < COARSE)
        return self._belief((p, 1.0 - p), x == 0.0, (least, most), quotient, rough.any())

    def negative_predictive_value(self, level: npt.ArrayLike, prior: npt.ArrayLike) -> Answer:
        """Belief that the secret is *not* so after no alarm of the best test at a level.

        Parameters
        ----------
        level : array_like of float
            Probability of a false alarm; at 1 the limit is returned. [0, 1]
        prior : array_like of float
            Belief in the secret before, broadcast against `level`. [0, 1]

        Returns
        -------
        Answer
            (1 - prior)(1 - level) / ((1 - prior)(1 - level) + prior (1 - power)) in [0, 1]; at
            most. It speaks for its level and lower ones only: silence at a higher level says more.
        """
        x, p = _together(level, prior)
        least, most = self.guarantee.power(x).bracket
        silent = 1.0 - x
        missed, rough = self._missed(x, np.asarray(most))

        def quotient(power: Floats) -> tuple[Floats, Bools]:
            chance = missed if power is most else 1.0 - power
            return chance / np.where(silent > 0.0, silent, 1.0), power == x

        return self._belief((1.0 - p, p), x == 1.0, (least, most), quotient, rough.any())

    def curve(
        self, levels: npt.ArrayLike | None = None, priors: Sequence[float] = ()
    ) -> AttackCurve:
        """The attack as data.

        Parameters
        ----------
        levels : array_like of float, optional
            Probabilities of a false alarm, at least one; left out, closer together near 0 and 1.
            [0, 1]
        priors : sequence of float
            Beliefs for which predictive values are wanted. [0, 1]

        Returns
        -------
        AttackCurve
            Power at each level, advantage, predictive values.
        """
        given = LEVELS if levels is None else np.array(numbers("level", levels, PROBABILITY))
        if given.ndim != 1 or given.size == 0:
            raise InvalidInput("levels", levels, "a list of at least one level")
        beliefs = tuple(np.ravel(numbers("prior", priors, PROBABILITY)).tolist())
        given.flags.writeable = False
        return AttackCurve(
            self.neighbors,
            self.secret,
            given,
            self.power(given),
            self.advantage(),
            self.best_level(),
            beliefs,
            tuple(self.predictive_value(given, prior) for prior in beliefs),
            tuple(self.negative_predictive_value(given, prior) for prior in beliefs),
            self.assumptions,
        )

    def _missed(self, level: Floats, power: Floats) -> tuple[Floats, Bools]:
        """1 - power, at least; and where a double has few digits of it left."""
        missed = 1.0 - power
        known = missed >= FEW
        if self.guarantee.symmetric_tradeoff:  # the mirror image knows more digits
            before = below_complement(level)
            after = np.where(1.0 - before > level, np.nextafter(before, 1.0), before)
            low, high = (np.asarray(self.guarantee.level(y).value) for y in (before, after))
            missed = np.maximum(missed, low)
            known |= high - missed <= DIGITS * missed
        none = missed == 0.0
        if none.any():  # a power that is one, or that was rounded to it
            none &= level >= self.guarantee.level(1.0).value
        return missed, (level < 1.0) & ~none & ~(known & (missed >= COARSE))

    def _belief(
        self,
        prior: tuple[Floats, Floats],
        rare: Bools,
        power: tuple[Any, Any],
        quotient: Quotient,
        rough: bool | np.bool_,
    ) -> Answer:
        """Bayes' rule on both ends of the power; where the event is `rare`, on its limit."""
        least, most = power
        low_limit, high_limit = self.guarantee.loss_bound(0.0, sides="one").bracket
        _, high = _after(prior, *quotient(most), rare, high_limit)
        same = least is not None and np.array_equal(least, most) and low_limit == high_limit
        if least is None or same:
            far = rare.any() and -np.log(COARSE) < high_limit < np.inf
            bound: Bound = "exact" if same and not (rough or far) else "upper"
            return self._stated(Answer(high, bound, BAYES_WITH_POWER).shaped(rare.shape), "upper")
        low, _ = _after(prior, *quotient(least), rare, low_limit or 0.0)
        return self._stated(
            Answer(high, "upper", BAYES_WITH_POWER, (), low).shaped(rare.shape), "upper"
        )

    def _stated(self, found: Answer, errs: Bound) -> Answer:
        """An answer with its assumptions; after two steps it is a bound, with no other end."""
        two = self.guarantee.neighbors != self.neighbors
        bound, other = (errs, None) if two else (found.bound, found.other_end)
        return Answer(found.value, bound, found.theorem, self.assumptions, other)


def attack(guarantee: Guarantee, *, secret: Secret | None = None) -> Attack:
    """Bound what tests of the output can do at most to find out a secret about one person.

    Parameters
    ----------
    guarantee : Guarantee
        What the release promises, or its composed privacy loss.
    secret : {"membership", "attribute"}, optional
        Whether the target is in the data, or which value the target has. Left out: membership
        under add-remove neighbors, an attribute under replace-one.

    Returns
    -------
    Attack
        Level, power, advantage, predictive values; upper bounds after two steps, otherwise as
        the guarantee answers.

    Raises
    ------
    InvalidInput
        If `guarantee` is not one, or `secret` not one of the words allowed.
    Meaningless
        For membership under replace-one neighbors.

    Notes
    -----
    The power is the same where the other records are drawn from any distribution, if the
    definition is convex. One point of pbdp is not (P1, Example 5.6): its bounds hold for a known
    rest only, and the assumptions say so.

    References
    ----------
    .. [1] P1, Theorems 6.1 to 6.3 and Section 6.4.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.risk import attack
    >>> found = attack(PureDP(1.0, neighbors="replace-one"))
    >>> round(found.power(0.05).value, 3), round(found.advantage().value, 3)
    (0.136, 0.462)
    """
    if not isinstance(guarantee, Guarantee):
        raise InvalidInput("guarantee", guarantee, "a Guarantee, such as PureDP(...)")
    natural: Secret = "membership" if guarantee.neighbors == "add-remove" else "attribute"
    asked = natural if secret is None else secret
    relevant = between_hypotheses(guarantee, asked)
    lines = [
        english(f"assumptions.tests.{asked}"),
        english("assumptions.neighbors", neighbors=guarantee.neighbors),
        *([english("assumptions.two-steps")] if steps(asked, guarantee) == 2 else []),
        english(f"assumptions.tests.{'any' if relevant.holds_for_any_rest else 'known'}"),
        english("assumptions.any-output"),
    ]
    return Attack(relevant, guarantee.neighbors, asked, tuple(lines))


def _together(level: npt.ArrayLike, prior: npt.ArrayLike) -> tuple[Floats, Floats]:
    x, p = numbers("level", level, PROBABILITY), numbers("prior", prior, PROBABILITY)
    try:
        x, p = np.broadcast_arrays(x, p)
    except ValueError:
        shapes, allowed = (x.shape, p.shape), "arrays that broadcast to one shape"
        raise InvalidInput("level and prior", shapes, allowed) from None
    return x, p


def _after(
    prior: tuple[Floats, Floats], quotient: Floats, even: Bools, rare: Bools, limit: float
) -> tuple[Floats, Floats]:
    """p / (p + (1 - p) quotient), at least and at most; e^-limit for a quotient of 0 / 0."""
    furthest = np.exp(-np.asarray(limit))
    quotient = np.where(even, 1.0, quotient)
    low = np.where(rare, down(furthest, limit == 0.0), down(quotient, even))
    high = np.where(rare, up(furthest, limit == 0.0), up(quotient, even))
    return weighed(*prior, np.minimum(low, 1.0), np.minimum(high, 1.0))
