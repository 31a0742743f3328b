"""Limits that only a release that reveals nothing can keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dprisk.errors import refused
from dprisk.risk.attack_curve import AttackMetric
from dprisk.risk.prior_to_posterior import Metric
from dprisk.text import fill

AT: Final = {"posterior": "prior", "predictive_value": "prior", "power": "level"}
STILL: Final = {"difference": 0.0, "advantage": 0.0, "odds": 1.0, "ratio": 1.0, "ratio_not": 1.0}
UNMOVED: Final = {"ratio": (1.0,), "ratio_not": (0.0,), "odds": (), "advantage": ()}
"""Priors from which nothing moves; elsewhere 0 and 1."""


def must_be_tolerable(metric: Metric | AttackMetric, limit: float, at: Iterable[float]) -> None:
    """Refuse a limit at or below what a release that reveals nothing reaches."""
    asked = [each for each in at if 0.0 <= each <= 1.0]  # others are refused for themselves
    name = fill("errors.limit-on", metric=metric.replace("_", " "))
    if (of := AT.get(metric)) is not None:
        least = max(asked, default=0.0)
        if least == 1.0 and limit < 1.0:
            raise refused("risk.tolerable.certain", name, limit, of=of)
        if limit < least or (limit == least and 0.0 < least < 1.0):
            what = fill(f"risk.tolerable.{of}", least=f"{least:.12g}")
            raise refused("risk.tolerable.at", name, limit, what=what, of=of)
        return
    least, unmoved = STILL[metric], UNMOVED.get(metric, (0.0, 1.0))
    if limit < least or (limit == least and not (asked and {*asked} <= {*unmoved})):
        raise refused("risk.tolerable", name, limit, least=f"{least:.12g}")
