"""Numbers printed in P0 (Kazan et al.): where, printed, ours as a function, verdict, and why."""

from __future__ import annotations

import math
from typing import Any

from dprisk import ApproxDP, PureDP, disclosure
from dprisk.risk import Disclosure

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
    # where, printed, ours, verdict
    ("Example 1.1, pure, lower", "48%", lambda: PURE.posterior(0.5).lower.value, "matches"),
    ("Example 1.1, pure, upper", "52%", lambda: PURE.posterior(0.5).upper.value, "matches"),
    ("Example 1.1, 99%, lower", "48%", lambda: survey().posterior(0.5).lower.value, "matches"),
    ("Example 1.1, 99%, upper", "52%", lambda: survey().posterior(0.5).upper.value, "matches"),
    ("Example 1.1, factor up", "1.1", lambda: survey().ratio().upper.value, "matches"),
    ("Example 1.1, factor down", "0.90", lambda: survey().ratio().lower.value, "matches"),
    ("Example 1.1, difference", "2%", lambda: survey().difference().upper.value, "matches"),
    (
        "Example 4.3, prior 50%, posterior",
        "86%",
        lambda: company().posterior(0.5).upper.value,
        "matches",
    ),
    (
        "Example 4.3, prior 50%, difference",
        "36%",
        lambda: company().difference(0.5).upper.value,
        "matches",
    ),
    ("Example 4.3, prior 50%, ratio", "1.7", lambda: company().ratio(0.5).upper.value, "matches"),
    (
        "Example 4.3, prior 10%, posterior",
        "40%",
        lambda: company().posterior(0.1).upper.value,
        "matches",
    ),
    (
        "Example 4.3, prior 10%, difference",
        "30%",
        lambda: company().difference(0.1).upper.value,
        "matches",
    ),
    ("Example 4.3, prior 10%, ratio", "4.0", lambda: company().ratio(0.1).upper.value, "matches"),
    (
        "Section 4.4, ratio as the prior goes to 0",
        "6",
        lambda: company().ratio(0.0).upper.value,
        "matches",
    ),
    (
        "Section 4.4, worst prior",
        "0.27",
        lambda: figure().worst_prior("difference").upper.value,
        "matches",
    ),
    (
        "Section 4.4, the other one",
        "0.73",
        lambda: figure().worst_prior("difference").lower.value,
        "matches",
    ),
    ("Section 4.4, largest change", "0.46", lambda: figure().difference().upper.value, "matches"),
    (
        "Section 4.4, Example 4.3, worst prior",
        "29%",
        lambda: company().worst_prior("difference").upper.value,
        "matches",
    ),
    (
        "Section 4.4, Example 4.3, posterior there",
        "71%",
        lambda: there(company())["posterior"],
        "matches",
    ),
    (
        "Section 4.4, Example 4.3, difference there",
        "42%",
        lambda: there(company())["difference"],
        "matches",
    ),
    ("Section 4.4, Example 4.3, ratio there", "2.5", lambda: there(company())["ratio"], "matches"),
    (
        "Example 4.2, epsilon' of a difference of 20%",
        "0.81",
        lambda: 2 * math.log(1.2 / 0.8),
        "matches",
    ),
    (
        "Example 4.2, pure DP and basic composition",
        "0.068",
        lambda: 2 * math.log(1.2 / 0.8) / 12,
        "matches",
    ),
    (
        "Section 4.4, prior at which the ratio nears e^epsilon'",
        "1",
        lambda: company().worst_prior("ratio").upper.value,
        "erratum: 0",
    ),
]
