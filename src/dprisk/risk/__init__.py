"""What an adversary learns from a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

if TYPE_CHECKING:
    from dprisk.risk.adversary import Adversary, between_hypotheses, steps
    from dprisk.risk.converse import implied_by_difference, implied_by_posterior, implied_by_ratio
    from dprisk.risk.exact import ExactPosterior, Readings, exact_posterior
    from dprisk.risk.independent import (
        independent_posterior,
        independent_ratio,
        with_participation,
    )
    from dprisk.risk.prior_to_posterior import Disclosure, Interval, disclosure
    from dprisk.risk.rows import RowBounds, row_bounds

_WHERE = {
    "Adversary": "dprisk.risk.adversary",
    "Disclosure": "dprisk.risk.prior_to_posterior",
    "ExactPosterior": "dprisk.risk.exact",
    "Interval": "dprisk.risk.prior_to_posterior",
    "Readings": "dprisk.risk.exact",
    "RowBounds": "dprisk.risk.rows",
    "between_hypotheses": "dprisk.risk.adversary",
    "disclosure": "dprisk.risk.prior_to_posterior",
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
    "Adversary",
    "Disclosure",
    "ExactPosterior",
    "Interval",
    "Readings",
    "RowBounds",
    "between_hypotheses",
    "disclosure",
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
