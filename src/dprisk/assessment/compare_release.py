"""Everything in one release composed, and what it says with a person's record and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from dprisk._checks import one_of
from dprisk._values import result
from dprisk.assessment.statements import parts_data, whole_data
from dprisk.composition.analysis import Analysis
from dprisk.composition.basis import basis_of
from dprisk.errors import Meaningless, Reason, refused
from dprisk.guarantees.composed import Composed
from dprisk.releases.release import Release
from dprisk.risk.counterfactual import KNOWLEDGE, Counterfactual, Knowledge, Replacement

COUNTERFACTUAL = "dprisk/counterfactual/1"


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Compared:
    """A release, composed, with a person's record and without it. Made by `compared`.

    Parameters
    ----------
    release : Release
        What was composed.
    composed : Composed
        The guarantee of the whole, the rule and what it lost.
    world : {"resampled", "default-record", "dropped"}
        What stands in for the record.
    found : tuple of Counterfactual
        One for each adversary about whom there is a bound.
    refused : tuple of (str, Reason)
        The other adversaries, and why there is none.
    ratios : tuple of float
        How likely these are exceeded. [0, inf]
    confidences : tuple of float or None
        Which ratio is kept with these; None: with certainty. (0, 1)
    without : tuple of float
        Beliefs drawn from the release made without the record. [0, 1]
    """

    release: Release
    composed: Composed
    world: Replacement
    found: tuple[Counterfactual, ...]
    refused: tuple[tuple[Knowledge, Reason], ...]
    ratios: tuple[float, ...]
    confidences: tuple[float | None, ...]
    without: tuple[float, ...]

    @property
    def kept(self) -> bool:
        """Whether there is no statement that the release cannot keep."""
        return not basis_of(self.release).contradicted

    def assumed(self, each: Counterfactual) -> tuple[str, ...]:
        """What the bounds asked for take for granted; with certainty, there is no probability.

        Parameters
        ----------
        each : Counterfactual
            One of those found.

        Returns
        -------
        tuple of str
            Its assumptions, without what only a bound with some probability needs.
        """
        from dprisk.risk.counterfactual import OVER

        certain = self.confidences == (None,) and not self.ratios
        return tuple(line for line in each.assumptions if not (certain and line in OVER))

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data, the same that ``dprisk counterfactual --json`` prints.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk counterfactual``.
        """
        sure = [confidence for confidence in self.confidences if confidence is not None]
        return {
            "schema": COUNTERFACTUAL,
            **parts_data(self.release),
            **whole_data(self.composed),
            "world": self.world,
            "adversaries": [
                each.to_dict(ratios=self.ratios, confidences=sure, without=self.without)
                for each in self.found
            ],
            "refused": [{"adversary": name, "reason": str(why)} for name, why in self.refused],
            "kept": self.kept,
        }


def compared(
    release: Release | Analysis,
    *,
    adversaries: Sequence[Knowledge] = (),
    world: Replacement = "resampled",
    ratios: Sequence[float] = (),
    confidences: Sequence[float] = (),
    without: Sequence[float] = (0.1,),
) -> Compared:
    """What everything that is released says about a person, with the record and without it.

    Parameters
    ----------
    release : Release or Analysis
        Its parts, each as often as it says, over all releases. What it states otherwise is left
        alone.
    adversaries : sequence of str
        As for `dprisk.counterfactual`: "true-record", "rest-known", "arbitrary-prior" or
        "wrong-prior". Left out: all of them about whom there is a bound.
    world : {"resampled", "default-record", "dropped"}
        What stands in for the record.
    ratios : sequence of float
        Asks how likely each ratio of posteriors is exceeded. [0, inf]
    confidences : sequence of float
        Asks for the ratio that is kept with each. (0, 1). Left out: certainty where the privacy
        loss is bounded, otherwise 0.99 or what the promise allows (`dprisk.risk.adversary`).
    without : sequence of float
        Beliefs drawn from the release made without the record: what may become of each? [0, 1]

    Returns
    -------
    Compared
        Upper bounds, each with the other end of its bracket where that is known.

    Raises
    ------
    InvalidInput
        If the release has no part, or a word is not one of those allowed.
    OutOfRange
        If a number is outside its range.
    Meaningless
        If there is no bound about an adversary who was asked about, or about none at all.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> from dprisk.assessment import compared
    >>> from dprisk.releases import Part, Release
    >>> release = Release(
    ...     name="Census",
    ...     unit="person",
    ...     period="once",
    ...     neighbors="replace-one",
    ...     neighbors_stated=True,
    ...     model="central",
    ...     parts=(Part(ZeroConcentratedDP(0.1, neighbors="replace-one")),),
    ... )
    >>> made = compared(release, confidences=[0.95])
    >>> for each in made.found:
    ...     print(each.adversary, f"{each.ratio(0.95).value:.2f}")
    true-record 3.29
    rest-known 2.67
    arbitrary-prior 3.29
    >>> [name for name, why in made.refused]
    ['wrong-prior']
    """
    analysis = Analysis.of(release)
    if not analysis.parts:
        name = analysis.release.name
        raise refused("errors.release.no-parts", "release", name, name=name)
    names = [one_of("adversary", each, KNOWLEDGE) for each in adversaries]
    sure: tuple[float | None, ...] = tuple(confidences) or (analysis.surest(),)
    certain = sure == (None,) and not len(ratios)
    composed = analysis.composed(certain=certain)
    found = []
    silent: list[tuple[Knowledge, Reason]] = []
    for name in dict.fromkeys(names) or KNOWLEDGE:
        try:
            found.append(analysis.counterfactual(name, world, certain=certain))
        except Meaningless as error:
            if names:
                raise
            silent.append((name, error.because))
    if not found:
        raise Meaningless(silent[0][1].why, silent[0][1].fix)
    return Compared(
        analysis.all_releases,
        composed,
        world,
        tuple(found),
        tuple(silent),
        tuple(map(float, ratios)),
        sure,
        tuple(map(float, without)),
    )
