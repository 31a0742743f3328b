"""Whether claims about a mechanism hold, and if not, which datasets and outputs break them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, final

from dprisk._checks import Domain, scalar
from dprisk._values import result
from dprisk.audit.claims import CLAIMS, Claim
from dprisk.audit.exact import ExactAudit
from dprisk.audit.exp_epsilon import growth_bracket
from dprisk.audit.float_audit import Audit
from dprisk.audit.values import ExactFinding, Finding, Witness
from dprisk.sources import Theorem

__all__ = ["TOLERANCE", "Decision", "Verdict", "check"]

Decision = Literal["holds", "fails", "undecided"]

TOLERANCE: Final = 1e-9
PRECISION: Final = (40, 200, 1000)  # digits of e^epsilon, until a claim is decided


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """Whether a claim holds. Made by `check`.

    Parameters
    ----------
    claim : Claim
        What was claimed.
    decision : {"holds", "fails", "undecided"}
        Undecided where the claim lies within rounding of the truth.
    quantity : str
        What decides it, such as "delta": of the mechanism, beside what was claimed.
    claimed : float
        The number that was claimed for it. [0, inf]
    lower, upper : float
        What it is, at least and at most. [0, inf]
    witness : Witness
        The pair of datasets and the set of outputs that need most.
    theorem : Theorem
        Where the definition stands.
    exact : bool
        Whether it was decided in rational arithmetic.
    within : float
        By how much the claim was relaxed before it was judged. [0, 1]
    needed : float or None
        With the same delta, the least epsilon that would hold, at most. [0, inf]
    """

    claim: Claim
    decision: Decision
    quantity: str
    claimed: float
    lower: float
    upper: float
    witness: Witness
    theorem: Theorem
    exact: bool
    within: float
    needed: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it was shown to hold."""
        return self.decision == "holds"

    @property
    def excess(self) -> float:
        """By how much the mechanism exceeds the claim, at least; 0 where it does not."""
        if math.isinf(self.lower):
            return math.inf
        return max(self.lower - self.claimed, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data.

        Returns
        -------
        dict
            Infinities are None.
        """
        return {
            "claim": str(self.claim),
            "kind": self.claim.kind,
            "decision": self.decision,
            "quantity": self.quantity,
            "claimed": _finite(self.claimed),
            "lower": _finite(self.lower),
            "upper": _finite(self.upper),
            "excess": _finite(self.excess),
            "needed_epsilon": None if self.needed is None else _finite(self.needed),
            "witness": self.witness.to_dict(),
            "theorem": str(self.theorem),
            "exact": self.exact,
            "within": self.within,
        }


def check(
    audit: Audit,
    claims: Iterable[Claim | str],
    *,
    exact: bool = False,
    tolerance: float = TOLERANCE,
) -> tuple[Verdict, ...]:
    """Check claims about a finite mechanism.

    Parameters
    ----------
    audit : Audit
        Of the mechanism.
    claims : iterable of Claim or str
        What is claimed of it.
    exact : bool
        Decide in rational arithmetic, where the question is rational: all but zCDP, GDP, and Rényi
        DP at other than whole orders.
    tolerance : float
        By how much a claim is relaxed before floating point judges it: epsilon and alpha's gamma
        grow by that much, other numbers by that share. It allows for probabilities that were
        rounded when they were written down; rational arithmetic allows for nothing. [0, 1e-3]

    Returns
    -------
    tuple of Verdict
        One for each claim, in order.

    Raises
    ------
    InvalidInput
        If a claim cannot be read.
    OutOfRange
        If a number is out of its range.

    Examples
    --------
    >>> from dprisk.audit import audit, check
    >>> coin = audit([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> [verdict.decision for verdict in check(coin, ["epsilon=1.1", "epsilon=1", "tv=0.5"])]
    ['holds', 'fails', 'holds']
    """
    relaxed = scalar("tolerance", tolerance, Domain(0.0, 1e-3, advice="It is for rounding."))
    read = [claim if isinstance(claim, Claim) else Claim.of(claim) for claim in claims]
    rational = ExactAudit(audit.mechanism, audit.relation) if exact and read else None
    found = []
    for claim in read:
        if rational is not None and _is_rational(claim):
            found.append(_exactly(audit, rational, claim))
        else:
            found.append(_in_floats(audit, claim, relaxed))
    return tuple(found)


def _is_rational(claim: Claim) -> bool:
    if claim.kind == "rdp":
        order = claim.rational("alpha")
        exponent = (claim.number("alpha") - 1.0) * claim.number("gamma")
        return order is not None and order.denominator == 1 and order <= 1000 and exponent <= 700
    return claim.kind not in ("zcdp", "gdp")


# --- in floating point ---------------------------------------------------------------------------


def _in_floats(audit: Audit, claim: Claim, within: float) -> Verdict:
    if CLAIMS[claim.kind] == ("epsilon", "delta"):
        return _two_numbers(audit, claim, within)
    name = CLAIMS[claim.kind][-1]
    claimed = claim.number(name)
    measures: Mapping[str, Callable[[], Finding]] = {
        "pure": audit.largest_loss,
        "zcdp": audit.rho,
        "gdp": audit.mu,
        "tv": audit.total_variation,
        "rdp": lambda: audit.renyi(claim.number("alpha")),
    }
    found = measures[claim.kind]()
    low, high = (float(end) for end in found.answer.bracket)
    limit = claimed + within if name in ("epsilon", "gamma") else claimed * (1.0 + within)
    needed = high if claim.kind == "pure" else None
    return _verdict(claim, found, (claimed, limit), (low, high), (low, high), within, needed)


def _two_numbers(audit: Audit, claim: Claim, within: float) -> Verdict:
    epsilon, delta = claim.number("epsilon"), claim.number("delta")
    measures: Mapping[str, Callable[[float], Finding]] = {
        "adp": audit.delta,
        "pdp": audit.tail,
        "pdp-both": lambda limit: audit.tail(limit, sides="both"),
        "disclosure": audit.disclosure,
        "pbdp": audit.bounded,
    }
    measure = measures[claim.kind]
    found = measure(epsilon)
    low, high = (float(end) for end in found.answer.bracket)
    judged = (low, high)
    if high > delta and within:
        later = measure(epsilon + within)
        judged = tuple(float(end) for end in later.answer.bracket)  # type: ignore[assignment]
        if judged[0] > delta * (1.0 + within):
            found = later if low <= delta else found
    needed = None
    if claim.kind == "adp":
        needed = float(audit.epsilon(delta).value)
    limit = delta * (1.0 + within)
    return _verdict(claim, found, (delta, limit), (low, high), judged, within, needed)


def _verdict(
    claim: Claim,
    found: Finding,
    claimed: tuple[float, float],
    ends: tuple[float, float],
    judged: tuple[float, float],
    within: float,
    needed: float | None,
) -> Verdict:
    """Judge the bracket by the relaxed claim, and show the numbers as they are."""
    decision: Decision = "undecided"
    if ends[1] <= claimed[0] or judged[1] <= claimed[1]:
        decision = "holds"
    elif judged[0] > claimed[1]:
        decision = "fails"
    return Verdict(
        claim,
        decision,
        found.quantity if claim.kind != "tv" else "total_variation",
        claimed[0],
        *ends,
        found.witness,
        found.answer.theorem,
        False,
        within,
        needed,
    )


# --- in rational arithmetic ----------------------------------------------------------------------


def _exactly(audit: Audit, rational: ExactAudit, claim: Claim) -> Verdict:
    if claim.kind == "tv":
        found = rational.total_variation()
        return _exact_verdict(claim, "total_variation", claim.rational("tv"), found, found)
    if claim.kind == "rdp":
        return _moment(rational, claim)
    delta = claim.rational("delta") if claim.kind != "pure" else Fraction(0)
    measures: Mapping[str, Callable[[Fraction], ExactFinding]] = {
        "pure": rational.delta,
        "adp": rational.delta,
        "pdp": rational.tail,
        "pdp-both": lambda growth: rational.tail(growth, sides="both"),
        "disclosure": rational.disclosure,
        "pbdp": rational.bounded,
    }
    measure = measures[claim.kind]
    for digits in PRECISION:
        low, high = _growths(claim, digits)
        first = measure(low)
        last = first if low == high else measure(high)
        if delta is None or first.value <= delta or last.value > delta:
            break
    if claim.kind == "pure":
        return _pure(audit, rational, claim, last.value > 0, first.value <= 0)
    needed = float(audit.epsilon(float(delta or 0)).value) if claim.kind == "adp" else None
    return _exact_verdict(claim, first.quantity, delta, last, first, needed)


def _pure(audit: Audit, rational: ExactAudit, claim: Claim, fails: bool, holds: bool) -> Verdict:
    """Shown by the largest loss; decided by whether any delta is left."""
    ratio = rational.largest_ratio()
    low, high = (float(end) for end in audit.largest_loss().answer.bracket)
    return Verdict(
        claim,
        "fails" if fails else "holds" if holds else "undecided",
        "largest_loss",
        claim.number("epsilon"),
        low,
        high,
        ratio.witness,
        ratio.theorem,
        True,
        0.0,
        high,
    )


def _growths(claim: Claim, digits: int) -> tuple[Fraction, Fraction]:
    growth = claim.growth
    return (growth, growth) if growth else growth_bracket(claim.rational("epsilon"), digits)


def _moment(rational: ExactAudit, claim: Claim) -> Verdict:
    """The moment of a whole order, against e^((alpha - 1) gamma)."""
    order = int(claim.rational("alpha") or 0)
    found = rational.moment(order)
    gamma = claim.rational("gamma") or Fraction(0)
    decision: Decision = "undecided"
    for digits in PRECISION:
        low, high = growth_bracket(gamma * (order - 1), digits)
        if found.value <= low or found.value > high:
            decision = "holds" if found.value <= low else "fails"
            break
    moment = found.value
    value = math.inf
    if isinstance(moment, Fraction):
        value = (math.log(moment.numerator) - math.log(moment.denominator)) / (order - 1)
    slack = 1e-12 * (1.0 + value) if math.isfinite(value) else 0.0
    ends = max(value - slack, 0.0), value + slack
    return Verdict(
        claim, decision, "renyi", float(gamma), *ends, found.witness, found.theorem, True, 0.0
    )


def _exact_verdict(
    claim: Claim,
    quantity: str,
    claimed: Fraction | None,
    low: ExactFinding,
    high: ExactFinding,
    needed: float | None = None,
) -> Verdict:
    limit = claimed or Fraction(0)
    decision: Decision = "undecided"
    if high.value <= limit:
        decision = "holds"
    elif low.value > limit:
        decision = "fails"
    ends = _down(low.value), _up(high.value)
    return Verdict(
        claim,
        decision,
        quantity,
        float(limit),
        *ends,
        low.witness if decision == "fails" else high.witness,
        high.theorem,
        True,
        0.0,
        needed,
    )


def _down(value: Fraction | float) -> float:
    near = float(value)
    return math.nextafter(near, 0.0) if near > value else near


def _up(value: Fraction | float) -> float:
    near = float(value)
    return math.nextafter(near, math.inf) if near < value else near


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
