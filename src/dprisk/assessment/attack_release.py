"""Everything in one release composed, and what tests of it can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dprisk._checks import PROBABILITY, one_of, scalar
from dprisk._values import members, result
from dprisk.assessment.statements import LimitCheck, parts_data, whole_data
from dprisk.composition.analysis import Analysis
from dprisk.composition.basis import basis_of
from dprisk.errors import Meaningless, refused
from dprisk.guarantees.composed import Composed
from dprisk.releases.release import Release
from dprisk.risk.adversary import ATTACKS, AttackMetric, Secret, must_be_tolerable
from dprisk.risk.tests import AttackCurve
from dprisk.text import fill


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Attacked:
    """A release, composed, and what tests of it can do. Made by `attacked`.

    Parameters
    ----------
    release : Release
        What was composed.
    composed : Composed
        The guarantee of the whole, the rule and what it lost.
    curve : AttackCurve
        Power, advantage and predictive values.
    limits : tuple of LimitCheck
        The limits asked for.
    """

    release: Release
    composed: Composed
    curve: AttackCurve
    limits: tuple[LimitCheck, ...]

    @property
    def kept(self) -> bool:
        """Whether every limit is kept, and no statement is one that the release cannot keep."""
        contradicted = basis_of(self.release).contradicted
        return all(limit.kept for limit in self.limits) and not contradicted

    def to_dict(self) -> dict[str, Any]:
        """The attack as plain data, the same that ``dprisk power --json`` prints.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk power``.
        """
        curve = self.curve.to_dict()
        return {
            "schema": curve.pop("schema"),
            **parts_data(self.release),
            **whole_data(self.composed),
            **curve,
            **members(self, "limits", "kept"),
        }


def attacked(
    release: Release | Analysis,
    *,
    secret: Secret | None = None,
    levels: Sequence[float] = (0.01, 0.05, 0.1),
    priors: Sequence[float] = (),
    limits: Mapping[AttackMetric, float] | None = None,
) -> Attacked:
    """What tests of everything that is released can do, at most.

    Parameters
    ----------
    release : Release or Analysis
        Its parts, each as often as it says, over all releases. What it states otherwise is left
        alone.
    secret : {"membership", "attribute"}, optional
        What the test asks. Left out: membership under add-remove neighbors, otherwise an attribute.
    levels : sequence of float
        Probabilities of a false alarm. [0, 1]
    priors : sequence of float
        Beliefs in the secret before, for predictive values. [0, 1]
    limits : mapping of str to float, optional
        Largest "power" and "predictive_value" (at the levels and priors given) or "advantage"
        tolerated. [0, 1]

    Returns
    -------
    Attacked
        With both ends of every number where they are known.

    Raises
    ------
    InvalidInput
        If the release has no part, or a limit is about something else, or no release would keep it
        that reveals anything.
    OutOfRange
        If a number is outside [0, 1].
    Meaningless
        For membership under replace-one neighbors, or a limit on the predictive value without a
        prior.

    Examples
    --------
    >>> from dprisk.assessment import attacked
    >>> from dprisk.mechanisms import Gaussian
    >>> from dprisk.releases import Part, Release
    >>> noise = Gaussian(sigma=4.0, sensitivity=1.0, neighbors="add-remove")
    >>> release = Release(
    ...     name="Monthly counts",
    ...     unit="person",
    ...     period="month",
    ...     neighbors="add-remove",
    ...     neighbors_stated=True,
    ...     model="central",
    ...     parts=(Part.of(noise, 12),),
    ... )
    >>> found = attacked(release, levels=[0.05], limits={"power": 0.2})
    >>> round(float(found.curve.power.value[0]), 3), found.kept
    (0.218, False)
    """
    analysis = Analysis.of(release)
    if not analysis.parts:
        name = analysis.release.name
        raise refused("errors.release.no-parts", "release", name, name=name)
    tolerated = _tolerated(limits or {}, levels, priors)
    composed = analysis.composed()
    curve = analysis.tested(secret).curve(levels, priors)
    checks = (LimitCheck(name, most, _worst(curve, name)) for name, most in tolerated.items())
    return Attacked(analysis.all_releases, composed, curve, tuple(checks))


def _tolerated(
    limits: Mapping[AttackMetric, float], levels: Sequence[float], priors: Sequence[float]
) -> dict[AttackMetric, float]:
    checked: dict[AttackMetric, float] = {}
    for metric, limit in limits.items():
        name = one_of("limit", metric, ATTACKS)
        checked[name] = scalar(
            fill("errors.limit-on", metric=name.replace("_", " ")), limit, PROBABILITY
        )
    if "predictive_value" in checked and not len(priors):
        raise Meaningless(fill("errors.predictive-value"))
    for name, most in checked.items():
        must_be_tolerable(name, most, priors if name == "predictive_value" else levels)
    return checked


def _worst(curve: AttackCurve, metric: AttackMetric) -> float:
    answers = {
        "power": (curve.power,),
        "advantage": (curve.advantage,),
        "predictive_value": curve.predictive_values,
    }
    return max(float(np.max(np.asarray(answer.value))) for answer in answers[metric])
