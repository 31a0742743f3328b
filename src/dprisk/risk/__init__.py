"""What an adversary learns from a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.risk.adversary import Adversary, between_hypotheses, steps
    from dprisk.risk.attack_curve import ATTACK, AttackCurve
    from dprisk.risk.certainty import DEFAULT_CONFIDENCE, confidence_for
    from dprisk.risk.converse import implied_by_difference, implied_by_posterior, implied_by_ratio
    from dprisk.risk.exact import ExactPosterior, Readings, exact_posterior
    from dprisk.risk.independent import (
        independent_posterior,
        independent_ratio,
        with_participation,
    )
    from dprisk.risk.level_power import Attack, attack
    from dprisk.risk.posterior_to_posterior import Counterfactual, counterfactual
    from dprisk.risk.prior_to_posterior import Disclosure, Interval, disclosure
    from dprisk.risk.ratio_law import RatioLaw
    from dprisk.risk.rows import RowBounds, row_bounds
    from dprisk.risk.world import SmallWorld, enumerate_world

_WHERE = {
    "ATTACK": "dprisk.risk.attack_curve",
    "Adversary": "dprisk.risk.adversary",
    "Attack": "dprisk.risk.level_power",
    "AttackCurve": "dprisk.risk.attack_curve",
    "DEFAULT_CONFIDENCE": "dprisk.risk.certainty",
    "Counterfactual": "dprisk.risk.posterior_to_posterior",
    "Disclosure": "dprisk.risk.prior_to_posterior",
    "ExactPosterior": "dprisk.risk.exact",
    "Interval": "dprisk.risk.prior_to_posterior",
    "RatioLaw": "dprisk.risk.ratio_law",
    "Readings": "dprisk.risk.exact",
    "RowBounds": "dprisk.risk.rows",
    "SmallWorld": "dprisk.risk.world",
    "attack": "dprisk.risk.level_power",
    "confidence_for": "dprisk.risk.certainty",
    "between_hypotheses": "dprisk.risk.adversary",
    "counterfactual": "dprisk.risk.posterior_to_posterior",
    "disclosure": "dprisk.risk.prior_to_posterior",
    "enumerate_world": "dprisk.risk.world",
    "exact_posterior": "dprisk.risk.exact",
    "implied_by_difference": "dprisk.risk.converse",
    "implied_by_posterior": "dprisk.risk.converse",
    "implied_by_ratio": "dprisk.risk.converse",
    "independent_posterior": "dprisk.risk.independent",
    "independent_ratio": "dprisk.risk.independent",
    "row_bounds": "dprisk.risk.rows",
    "steps": "dprisk.risk.adversary",
    "with_participation": "dprisk.risk.independent",
}

__all__ = [
    "ATTACK",
    "DEFAULT_CONFIDENCE",
    "Adversary",
    "Attack",
    "AttackCurve",
    "Counterfactual",
    "Disclosure",
    "ExactPosterior",
    "Interval",
    "RatioLaw",
    "Readings",
    "RowBounds",
    "SmallWorld",
    "attack",
    "between_hypotheses",
    "confidence_for",
    "counterfactual",
    "disclosure",
    "enumerate_world",
    "exact_posterior",
    "implied_by_difference",
    "implied_by_posterior",
    "implied_by_ratio",
    "independent_posterior",
    "independent_ratio",
    "row_bounds",
    "steps",
    "with_participation",
]

__getattr__, __dir__ = lazy(__name__, _WHERE)
