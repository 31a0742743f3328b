"""The least noise that keeps a limit, for the mechanism itself and not for a promise about it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

from dprisk._checks import FINITE_POSITIVE, one_of, scalar
from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.budget.composition_plan import Together, settled
from dprisk.budget.counting import one_release
from dprisk.budget.limits import Limit
from dprisk.budget.noise import NOISES, WIDTHS, Noise, NoiseCost, noise_cost, with_width
from dprisk.budget.search import Search, only_bounded
from dprisk.budget.status import Status
from dprisk.errors import Meaningless, refused
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors
from dprisk.guarantees.composed import Composed
from dprisk.mechanisms.base import Mechanism
from dprisk.text import english, fill

LEAST_NOISE: Final = 1e-4  # of the sensitivity, at least and
MOST_NOISE: Final = 1e18  # at most


@final
@result
@dataclass(frozen=True, repr=False)
class Calibrated:
    """The least noise that keeps a limit. Made by `calibrate`.

    Parameters
    ----------
    limit : Limit
        What all releases together have to keep, with the confidence that counts.
    kind : {"geometric", "laplace", "gaussian", "discrete-gaussian"}
        Which noise.
    status : {"limited", "no limit", "infeasible"}
        ``no limit``: no noise is needed. ``infeasible``: no amount is enough.
    width : Answer
        Its scale or sigma, never below the truth; the limit is kept there as computed, and at the
        other end of the bracket it is not. 0 without a limit, inf where infeasible.
    cost : NoiseCost or None
        The mechanism to run, and how far off it makes a published number.
    whole : Composed or None
        What all releases keep then.
    measured : Answer or None
        What is limited, then.
    together : Together
        How many releases, and what was spent before.
    reason : str
        Why there is no noise; empty otherwise.
    """

    limit: Limit
    kind: Noise
    status: Status
    width: Answer
    cost: NoiseCost | None
    whole: Composed | None
    measured: Answer | None
    together: Together
    reason: str

    @property
    def mechanism(self) -> Mechanism:
        """What to run for each release; refused where there is none."""
        if self.cost is None:
            raise Meaningless(fill("budget.no-mechanism", reason=self.reason))
        return self.cost.mechanism

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            `width` is None where no amount of noise is enough; `cost` holds the noise.
        """
        return {
            **members(self, "kind", "status", "limit"),
            "parameter": WIDTHS[self.kind],
            "width": plain(float(self.width)),
            "bound": self.width.bound,
            "at_least": plain(self.width.bracket[0]),
            **members(self, "together.releases", "cost"),
            "measured": None if self.measured is None else float(self.measured),
            **members(self, "reason", "width.theorem", "width.theorem.citation"),
            "assumptions": list(self.width.assumptions),
        }


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
    >>> round(found.width.value, 4), found.cost.off_by
    (4.3129, 8.0)
    """
    one_of("kind", kind, NOISES)
    one_of("neighbors", neighbors, NEIGHBORS)
    how = settled(releases)
    if how.rule != "best" or how.at_delta is not None:
        raise refused("budget.own-loss", "releases", how)
    reach = scalar("sensitivity", sensitivity, FINITE_POSITIVE)

    def one(width: float) -> Guarantee:
        ran = with_width(kind, width, sensitivity, neighbors)
        return ran.guarantee() if limit.certain else one_release(ran)

    limit = limit.read_with(
        *how.counted(one_release(with_width(kind, reach, sensitivity, neighbors)))
    )
    search = Search(limit, how, neighbors, lambda x: how.of(one(x), certain=limit.certain))
    only_bounded(limit, one(reach), kind)
    found = search.ended()
    if found is None:
        start = reach / search.start(pure=kind in ("geometric", "laplace"))
        found = search.run(start, (reach * LEAST_NOISE, reach * MOST_NOISE), one, rising=False)
        if found.whole is None:
            found = found._replace(
                reason=english(f"budget.noise.{'spent' if how.spent else 'none'}")
            )
    width = search.answer(found, "upper", 0.0 if found.status == "no limit" else math.inf)
    cost = None
    if found.whole is not None:
        cost = noise_cost(with_width(kind, found.kept, sensitivity, neighbors), coverage)
    return Calibrated(
        limit, kind, found.status, width, cost, found.whole, found.measured, how, found.reason
    )
