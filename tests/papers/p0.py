"""Numbers printed in P0 (Kazan et al.): what each is a print of, and ours as a function."""

from __future__ import annotations

import math
from typing import Any

from dprisk import ApproxDP, PureDP, disclosure
from dprisk.risk.posterior import Disclosure

A: Any = "add-remove"


def moved(epsilon: float, delta: float, confidence: float) -> Disclosure:
    return disclosure(ApproxDP(epsilon, delta, neighbors=A), confidence=confidence)


def survey() -> Disclosure:
    """Example 1.1: (0.1, 1e-7) at 99 %."""
    return moved(0.1, 1e-7, 0.99)


def company() -> Disclosure:
    """Example 4.3: (1.8, 1e-5) at 95 %."""
    return moved(1.8, 1e-5, 0.95)


def figure() -> Disclosure:
    """The text of Section 4.4 for Figure 7: (2, 1e-6) at 99 %."""
    return moved(2.0, 1e-6, 0.99)


def there(moved: Disclosure) -> dict[str, float]:
    """Posterior, difference and ratio at the prior where the difference is largest."""
    prior = moved.worst_prior("difference").upper.value
    return {
        name: getattr(moved, name)(prior).upper.value
        for name in ("posterior", "difference", "ratio")
    }


PURE = disclosure(PureDP(0.1, neighbors=A))
NUMBERS = [
    # item, what, ours
    ("Example 1.1", "prior 50%, delta = 0: at least", lambda: PURE.posterior(0.5).lower.value),
    ("Example 1.1", "prior 50%, delta = 0: at most", lambda: PURE.posterior(0.5).upper.value),
    (
        "Example 1.1",
        "prior 50%, delta = 1e-7: at least",
        lambda: survey().posterior(0.5).lower.value,
    ),
    (
        "Example 1.1",
        "prior 50%, delta = 1e-7: at most",
        lambda: survey().posterior(0.5).upper.value,
    ),
    ("Example 1.1", "largest factor upwards", lambda: survey().ratio().upper.value),
    ("Example 1.1", "largest factor downwards", lambda: survey().ratio().lower.value),
    ("Example 1.1", "largest change", lambda: survey().difference().upper.value),
    (
        "Example 1.1",
        "prior 50%, both counts published: at most",
        lambda: disclosure(PureDP(0.1, neighbors=A), secret="attribute").posterior(0.5).upper.value,
    ),
    ("Example 4.3", "prior 50%, posterior", lambda: company().posterior(0.5).upper.value),
    ("Example 4.3", "prior 50%, difference", lambda: company().difference(0.5).upper.value),
    ("Example 4.3", "prior 50%, ratio", lambda: company().ratio(0.5).upper.value),
    ("Example 4.3", "prior 10%, posterior", lambda: company().posterior(0.1).upper.value),
    ("Example 4.3", "prior 10%, difference", lambda: company().difference(0.1).upper.value),
    ("Example 4.3", "prior 10%, ratio", lambda: company().ratio(0.1).upper.value),
    ("Example 4.3", "worst prior", lambda: company().worst_prior("difference").upper.value),
    ("Example 4.3", "worst prior, posterior", lambda: there(company())["posterior"]),
    ("Example 4.3", "worst prior, difference", lambda: there(company())["difference"]),
    ("Example 4.3", "worst prior, ratio", lambda: there(company())["ratio"]),
    ("Section 4.4", "worst prior", lambda: figure().worst_prior("difference").upper.value),
    ("Section 4.4", "the other one", lambda: figure().worst_prior("difference").lower.value),
    ("Section 4.4", "largest change", lambda: figure().difference().upper.value),
    (
        "Figure 6",
        "largest ratio as the prior goes to 0",
        lambda: company().ratio(0.0).upper.value,
    ),
    (
        "Figure 6",
        "prior at which the ratio nears e^epsilon'",
        lambda: company().worst_prior("ratio").upper.value,
    ),
    ("Example 4.2", "epsilon' of the change", lambda: 2 * math.log(1.2 / 0.8)),
    (
        "Example 4.2",
        "epsilon a month, pure DP and basic composition",
        lambda: 2 * math.log(1.2 / 0.8) / 12,
    ),
]
