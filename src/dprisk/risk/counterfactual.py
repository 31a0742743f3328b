"""Bounds on the posterior with a person's record, from that without it (P1, Section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import INSIDE, NONNEGATIVE, PROBABILITY, complement, numbers
from dprisk._numeric.logspace import Floats, log
from dprisk._numeric.rounding import down
from dprisk._values import ends, members, plain, result
from dprisk.answer import Answer, settled
from dprisk.errors import InvalidInput, Meaningless, one_of
from dprisk.guarantees.base import SIDES, Guarantee, Sides
from dprisk.risk.adversary import CONFIDENCE_FIX
from dprisk.risk.ratio_tails import (
    Drawn,
    MixedNeighbors,
    RatioBound,
    beyond,
    mixture,
    never_beyond,
    predicted_odds,
    reached,
    rounded_up,
    shifted,
    times,
)
from dprisk.text import english
from dprisk.theorems import (
    AVERAGE_RECORD,
    POSTERIOR_TO_POSTERIOR,
    PREDICTED_RECORD,
    TRUE_RECORD,
    TRUE_RECORD_MIXED,
    TWO_STEPS_IN_BAYES,
    Theorem,
)

Knowledge = Literal["true-record", "rest-known", "arbitrary-prior", "wrong-prior"]
Replacement = Literal["resampled", "default-record", "dropped"]
KNOWLEDGE: Final[tuple[Knowledge, ...]] = get_args(Knowledge)
REPLACEMENTS: Final[tuple[Replacement, ...]] = get_args(Replacement)


READ_BY: Final[dict[Knowledge, tuple[Drawn, Theorem]]] = {
    "true-record": ("true", TRUE_RECORD),
    "rest-known": ("predicted", PREDICTED_RECORD),
    "arbitrary-prior": ("true", TRUE_RECORD_MIXED),
    "wrong-prior": ("certain", POSTERIOR_TO_POSTERIOR),
}
OVER = frozenset(
    english(f"assumptions.over.{who}")
    for who in ("true-record", "rest-known", "arbitrary-prior", "correlated")
)
"""Over what a probability is: for bounds that do not hold with certainty."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Counterfactual:
    """Posterior with a person's record over posterior without it. Made by `counterfactual`.

    See P1, Section 7. A number outside its range or NaN raises `OutOfRange`.
    """

    #: What is promised between the data with the record and the data without it.
    guarantee: Guarantee
    adversary: Knowledge  #: What is assumed about the adversary, and where the output comes from.
    replacement: Replacement  #: What stands in for the record.
    theorem: Theorem  #: Where the bounds come from.
    assumptions: tuple[str, ...]  #: What every number made from it takes for granted.
    mixed: MixedNeighbors  #: What is left of the guarantee when neighbors are mixed.
    #: Whether the output comes from the record that is asked about, is as likely as the adversary
    #: thinks, comes from a true record that is drawn as well, or is any at all.
    drawn: Drawn
    #: Whether `guarantee` is the one that was given, or was brought over in two steps.
    stated: bool

    def exceeding(self, ratio: npt.ArrayLike, *, sides: Sides = "one") -> Answer:
        """How likely the ratio is above a limit.

        Parameters
        ----------
        ratio : array_like of float
            Posterior with the record over posterior without it; the largest possible one, up to
            rounding, counts as equal. [0, inf]
        sides : {"one", "both"}
            Whether only a ratio above the limit counts, or one below 1 / limit as well.

        Returns
        -------
        Answer
            Probability in [0, 1]; never below the truth, and 1 for ratios below 1.
        """
        one_of("sides", sides, SIDES)
        limit = numbers("ratio", ratio, NONNEGATIVE)
        flat = limit.ravel()
        value, other, bound = beyond(self.mixed, self.drawn, np.maximum(log(flat), 0.0), sides)
        value = np.where(flat < 1.0, 1.0, value)
        other = None if other is None else np.where(flat < 1.0, 1.0, other)
        return self._answer(RatioBound(value, other, bound)).shaped(limit.shape)

    def ratio(self, confidence: npt.ArrayLike | None = None, *, sides: Sides = "one") -> Answer:
        """The limit that the ratio keeps with a confidence: the inverse of `exceeding`.

        Parameters
        ----------
        confidence : array_like of float, optional
            Probability with which the ratio is at most the limit. (0, 1). Left out: with certainty.
        sides : {"one", "both"}
            Whether the ratio is also at least 1 / limit, both together with that confidence.

        Returns
        -------
        Answer
            Ratio in [1, inf]; never below the truth, inf where that much is left uncontrolled.
        """
        one_of("sides", sides, SIDES)
        failure = self._failure(confidence)
        value, other, bound = reached(self.mixed, self.drawn, failure.ravel(), sides)
        other = None if other is None else _at_least(np.maximum(other, 0.0))
        found = RatioBound(rounded_up(np.maximum(value, 0.0)), other, bound)
        return self._answer(found).shaped(failure.shape)

    def belief(self, without: npt.ArrayLike, confidence: npt.ArrayLike | None = None) -> Answer:
        """Belief drawn from the release made with the record, from the one drawn without it.

        Parameters
        ----------
        without : array_like of float
            What the adversary would believe had the release been made without the record; broadcast
            against `confidence`. [0, 1]
        confidence : array_like of float, optional
            Probability with which the bound holds. (0, 1). Left out: with certainty.

        Returns
        -------
        Answer
            At most, in [0, 1].
        """
        b = numbers("without", without, PROBABILITY)
        failure = self._failure(confidence)
        b, failure = np.broadcast_arrays(b, failure)
        value = self._belief(b.ravel(), failure.ravel())
        found = settled(np.clip(value, b.ravel(), 1.0), b.shape)
        return Answer(found, "upper", self.theorem, self.assumptions)

    def curve(self, ratios: npt.ArrayLike, *, sides: Sides = "one") -> dict[str, list[Any]]:
        """The bounds at many ratios, as plain data: what a figure is drawn from.

        Parameters
        ----------
        ratios : array_like of float
            Limits of the ratio. [0, inf], shape (n,)
        sides : {"one", "both"}
            As for `exceeding`.

        Returns
        -------
        dict
            Lists `ratio`, `epsilon` (its logarithm), `at_most` and `at_least`; None where unknown.
        """
        limit = np.ravel(numbers("ratio", ratios, NONNEGATIVE))
        found = self.exceeding(limit, sides=sides)
        low, high = _plain_ends(found, limit.size)
        return {
            "ratio": plain(limit),
            "epsilon": plain(log(limit)),
            "at_most": high,
            "at_least": low,
        }

    def to_dict(
        self,
        *,
        ratios: npt.ArrayLike = (),
        confidences: npt.ArrayLike = (),
        without: npt.ArrayLike = (),
    ) -> dict[str, Any]:
        """Plain data: the part about one adversary of what ``dprisk counterfactual --json`` prints.

        Parameters
        ----------
        ratios : array_like of float
            Asks how likely each is exceeded. [0, inf], shape (n,)
        confidences : array_like of float
            Asks for the ratio that is kept with each; left out, with certainty. (0, 1), shape (m,)
        without : array_like of float
            Adds the beliefs that each may become, at every confidence. [0, 1], shape (k,)

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk counterfactual``.
        """
        asked = np.ravel(np.asarray(confidences, dtype=float)).tolist()
        levels: list[float | None] = list(asked)
        if self.drawn == "certain" or (not asked and np.isfinite(self.mixed.most)):
            levels = [None]
        beliefs = np.ravel(np.asarray(without, dtype=float))
        limits = np.ravel(numbers("ratios", ratios, NONNEGATIVE))
        found = self.exceeding(limits)  # all in one go
        rows = zip(plain(limits), *_plain_ends(found, limits.size), strict=True)
        return {
            **members(self, "adversary", world=self.replacement),
            **members(self, "guarantee.neighbors", "guarantee.definition"),
            **members(self, "theorem", "theorem.citation", "theorem.says", "assumptions"),
            "exceeding": [
                {"ratio": limit, **ends((low, high)), "bound": found.bound}
                for limit, low, high in rows
            ],
            "kept": [
                _ends("confidence", c, self.ratio(c))
                | {"beliefs": [_ends("without", b, self.belief(b, c)) for b in beliefs.tolist()]}
                for c in levels
            ],
        }

    def __repr__(self) -> str:
        return f"<Counterfactual of {self.guarantee!r}: {self.adversary}, {self.replacement}>"

    def _failure(self, confidence: npt.ArrayLike | None) -> Floats:
        if confidence is None:
            return np.asarray(0.0)
        return complement(numbers("confidence", confidence, INSIDE, CONFIDENCE_FIX))

    def _belief(self, without: Floats, failure: Floats) -> Floats:
        """The least of what the ratio, the odds and certainty say."""
        loss = np.maximum(reached(self.mixed, self.drawn, failure, "one").value, 0.0)
        most = times(without, rounded_up(loss))
        if self.adversary == "true-record":  # the belief without the record is the prior
            most = np.minimum(most, shifted(without, loss))
        elif self.adversary == "rest-known":
            most = np.minimum(most, shifted(without, predicted_odds(self.mixed, failure, without)))
        largest = self.mixed.most
        if self.adversary in ("true-record", "rest-known") or self.replacement == "resampled":
            return np.minimum(most, never_beyond(without, largest))
        twice = 1.0 if self.drawn == "certain" else 2.0
        return np.minimum(most, shifted(without, np.full_like(loss, twice * largest)))

    def _answer(self, found: RatioBound) -> Answer:
        bound = found.bound if self.stated else "upper"
        other = found.other if self.stated else None
        return Answer(found.value, bound, self.theorem, self.assumptions, other)


def counterfactual(
    guarantee: Guarantee, *, adversary: Knowledge, replacement: Replacement = "resampled"
) -> Counterfactual:
    """How far the posterior with a person's record can be from the posterior without it.

    The same adversary, with the same prior, reads the same output twice: as it comes from the data,
    and as if it came from data in which something else stands in for the person's record. What is
    learned about the person from everybody else's records is in both posteriors, and cancels.

    Parameters
    ----------
    guarantee : Guarantee
        What the release promises.
    adversary : {"true-record", "rest-known", "arbitrary-prior", "wrong-prior"}
        ``true-record``: knows all other records; belief in the record that the person really has
        (P1, "Theorem 3"). ``rest-known``: knows all other records; belief in any one record, the
        output as likely as the adversary thinks (P1, Theorem 7.4.1). ``arbitrary-prior``: is right
        about how the data arise; belief in the true record (P1, Theorem 7.4.2). ``wrong-prior``:
        may be wrong about everything; any record, any output (P1, Theorem 7.3).
    replacement : {"resampled", "default-record", "dropped"}
        The record is drawn from what the other records say about the person; is a fixed one; or is
        left out (options 3, 2 and 1 of P1, Section 7.2).

    Returns
    -------
    Counterfactual
        Ratio to probability, and probability to ratio.

    Raises
    ------
    InvalidInput
        If `adversary` or `replacement` is no word allowed, or `guarantee` no guarantee.
    Meaningless
        For a wrong prior, unless the guarantee bounds the loss with certainty; for a record that is
        dropped, under replace-one neighbors.

    Notes
    -----
    P1 proves Theorem 7.4.2 by Markov's inequality; the bound of its Theorem 3 holds there too, for
    every definition, and is never larger (dprisk Proposition 12). For an arbitrary prior and
    another replacement than ``resampled`` the bound is an average over the true record: at a given
    one there is none (Proposition 13).

    References
    ----------
    .. [1] P1, Section 7.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP, counterfactual
    >>> census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> learned = counterfactual(census, adversary="true-record")
    >>> print(f"{learned.exceeding(1000.0).value:.4f}", learned.theorem)
    0.1728 P1 Section 7.4.1, Theorem 3
    """
    one_of("adversary", adversary, KNOWLEDGE)
    one_of("replacement", replacement, REPLACEMENTS)
    if not isinstance(guarantee, Guarantee):
        raise InvalidInput("guarantee", guarantee, "a Guarantee, such as PureDP(...)")
    if replacement == "dropped" and guarantee.neighbors == "replace-one":
        raise Meaningless(
            "Under replace-one neighbors every dataset has the same number of records, so the "
            "promise says nothing about the data with one record fewer.",
            'Ask about a record that is replaced (replacement="resampled", --world resampled), or '
            "give a guarantee that was proven for add-remove.",
        )
    one_step = replacement == "dropped" and adversary in ("arbitrary-prior", "wrong-prior")
    relevant = guarantee if one_step else guarantee.for_neighbors("replace-one")
    if adversary == "wrong-prior" and not np.isfinite(float(relevant.loss_bound(0.0))):
        raise Meaningless(
            "Here, the privacy loss of rare outputs may be arbitrarily large, and someone with "
            "wrong beliefs may think these outputs likely. Then the belief with the record can "
            "come arbitrarily close to certainty, however small the belief without it (Kifer et "
            "al. 2022, Example 7.1).",
            "Ask about an adversary whose beliefs about the other records are correct "
            '("true-record", "rest-known" or "arbitrary-prior"), or give a guarantee that holds '
            "with certainty, such as pure DP.",
        )
    known = mixture(relevant)
    drawn, theorem = READ_BY[adversary]
    if adversary == "wrong-prior" and replacement != "resampled":
        known, theorem = MixedNeighbors(known.kept, 2.0 * known.most, False), TWO_STEPS_IN_BAYES
    if averaged := replacement != "resampled" and adversary == "arbitrary-prior":
        drawn, theorem = "averaged", AVERAGE_RECORD
    stated, knows = relevant is guarantee, "correlated" if averaged else adversary
    lines = (
        english(f"assumptions.without.{replacement.partition('-')[0]}"),
        english(f"assumptions.knows.{knows}"),
        english(f"assumptions.about.{knows}"),
        *([english(f"assumptions.over.{knows}")] if knows != "wrong-prior" else []),
        english("assumptions.neighbors", neighbors=guarantee.neighbors),
        *([] if stated else [english("assumptions.another-record")]),
        english("assumptions.any-output"),
    )
    return Counterfactual(relevant, adversary, replacement, theorem, lines, known, drawn, stated)


def _at_least(loss: Floats) -> Floats:
    """e^loss rounded down, and 1 at 0."""
    with np.errstate(over="ignore"):
        return np.maximum(down(np.exp(loss)), 1.0)


def _plain_ends(answer: Answer, count: int) -> tuple[list[Any], list[Any]]:
    """Lower and upper ends for each of so many questions; None where no such bound is known."""
    low, high = ([None] * count if end is None else plain(end) for end in answer.bracket)
    return low, high


def _ends(name: str, at: float | None, answer: Answer) -> dict[str, Any]:
    """Record of what was asked, and both ends of the answer."""
    return {name: plain(at), **ends(answer.bracket), "bound": answer.bound}
