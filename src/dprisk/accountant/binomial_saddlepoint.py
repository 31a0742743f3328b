"""Where to begin to look for a value of the profile of repeated randomized response."""

from __future__ import annotations

import math

TURN = 2.0 * math.pi


def start(k: int, epsilon0: float, goal: float) -> int:
    """Roughly the m at which log delta comes to the goal: a saddle-point approximation."""
    spread = k * epsilon0**2 / math.cosh(min(epsilon0 / 2.0, 300.0)) ** 2
    u = math.log((math.sqrt(max(-2.0 * goal, 0.0)) + 0.1) / math.sqrt(spread + 1e-200))
    right = math.log1p(math.exp(-epsilon0))
    for _ in range(40):
        s, odds, wrong, poles = _tilted(epsilon0, u)
        apart, variance = 2.0 * s * epsilon0, wrong * (1.0 - wrong)
        inner = k * apart**2 * variance
        second = inner + 1.0 + poles**2
        third = -apart * (1.0 - 2.0 * wrong) * inner - 2.0 - 2.0 * poles**3
        fourth = apart**2 * (1.0 - 6.0 * variance) * inner + 6.0 + 6.0 * poles**4
        correction = max(fourth / (8.0 * second**2) - 5.0 * third**2 / (24.0 * second**3), -0.5)
        value = k * (math.log1p(odds) - right + apart * wrong) + 1.0 + poles - u
        value += math.log(poles * (1.0 + correction) / math.sqrt(TURN * second))
        longest = 2.0 if inner > 1.0 else 100.0  # beyond the last bend it is a line
        u += min(max((value - goal) / (second - 0.9), -2.0), longest)
        u = min(max(u, -300.0), 300.0)
        if (value - goal) ** 2 < 1e-3 * second:  # about what Newton's next value is off
            break
    s, _, wrong, poles = _tilted(epsilon0, u)
    return math.floor(min(k * wrong + (1.0 + poles) / (2.0 * s * epsilon0 + 1e-300), k))


def _tilted(epsilon0: float, u: float) -> tuple[float, float, float, float]:
    """s = e^u; odds and probability of a wrong answer under the tilt; s / (s + 1)."""
    s = math.exp(u)
    odds = math.exp(-min(epsilon0 * (1.0 + 2.0 * s), 700.0))
    return s, odds, odds / (1.0 + odds), s / (s + 1.0)


def onward(at: int, goal: float, near: float, end: float, low: int, high: int) -> int:
    """Where the tangent of log delta comes to the goal; halfway if there is none."""
    rate = end - near
    if not 0.0 < rate < math.inf:
        return (low + high) // 2
    jump = (goal - near) / rate
    return at + math.floor(min(max(jump, low - at), high - at))
