"""Verdicts on claims: whether each holds, and which datasets and outputs break it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, final

from dprisk._checks import Domain, scalar
from dprisk._values import members, plain, result
from dprisk.audit.claim_forms import CLAIMS
from dprisk.audit.claims import Claim
from dprisk.audit.definitions import QUANTITY
from dprisk.audit.exact import ExactAudit
from dprisk.audit.exp_epsilon import MOST_NATS, Growth, growth_bracket
from dprisk.audit.findings import ExactFinding, FloatFinding, Witness
from dprisk.audit.float_audit import Audit
from dprisk.audit.relation import ordered
from dprisk.errors import NoConversion
from dprisk.sources import Theorem
from dprisk.text import english, fill

Decision = Literal["holds", "fails", "undecided"]

TOLERANCE: Final = 1e-9
APPROXIMATE_ZCDP: Final = Theorem("P4", "Definition 6", english("theorems.p4-definition-6"))
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
        found = ("claimed", "lower", "upper", "excess")
        return {
            **members(self, "claim", "claim.kind", "decision", "quantity", *found),
            "needed_epsilon": plain(self.needed),
            **members(self, "witness", "theorem", "exact", "within"),
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
    relaxed = scalar("tolerance", tolerance, Domain(0.0, 1e-3, advice=fill("audit.tolerance")))
    read = [Claim.of(claim) for claim in claims]
    return tuple(
        _exactly(audit, claim)
        if exact and _is_rational(claim)
        else _in_floats(audit, claim, relaxed)
        for claim in read
    )


def _is_rational(claim: Claim) -> bool:
    if claim.kind == "rdp":
        order = claim.rational("alpha")
        exponent = (claim.number("alpha") - 1.0) * claim.number("gamma")
        return (
            order is not None and order.denominator == 1 and order <= 1000 and exponent <= MOST_NATS
        )
    return claim.kind not in ("zcdp", "gdp", "pointwise")


def _decided(
    claim: Claim,
    found: FloatFinding | ExactFinding,
    claimed: float,
    ends: tuple[float, float],
    *,
    holds: bool,
    fails: bool,
    within: float = 0.0,
    needed: float | None = None,
) -> Verdict:
    """A verdict with the numbers as they are, whatever decided it."""
    exact = isinstance(found, ExactFinding)
    return Verdict(
        claim,
        "holds" if holds else "fails" if fails else "undecided",
        QUANTITY.get(claim.kind, "total_variation"),
        claimed,
        *ends,
        found.witness,
        found.theorem if isinstance(found, ExactFinding) else found.answer.theorem,
        exact,
        within,
        needed,
    )


# --- in floating point ---------------------------------------------------------------------------


def _in_floats(audit: Audit, claim: Claim, within: float) -> Verdict:
    names = CLAIMS.get(claim.kind, ())
    if not names:
        raise NoConversion(fill("audit.claim.predicate", claim=claim.name))
    if any(claim.number(extra) for extra, _ in claim.given if extra not in names):
        return _by_pairs(audit, claim)
    name = names[-1]
    claimed, epsilon = claim.number(name), 0.0
    relative = name not in ("epsilon", "gamma")
    limit = claimed * (1.0 + within) if relative else claimed + within
    if name == "delta":
        epsilon = claim.number("epsilon")
    found = _measured(audit, claim, epsilon)
    ends = judged = _ends(found)
    if name == "delta" and ends[1] > claimed and within:
        later = _measured(audit, claim, epsilon + within)
        judged = _ends(later)
        if judged[0] > limit and ends[0] <= claimed:
            found = later
    holds = ends[1] <= claimed or judged[1] <= limit
    needed = {"pure": lambda: ends[1], "adp": lambda: float(audit.epsilon(claimed).value)}
    return _decided(
        claim,
        found,
        claimed,
        ends,
        holds=holds,
        fails=judged[0] > limit,
        within=within,
        needed=needed[claim.kind]() if claim.kind in needed else None,
    )


def _by_pairs(audit: Audit, claim: Claim) -> Verdict:
    """Approximate zCDP, which no one number decides: how many pairs of neighbors break it."""
    rows, names = audit.mechanism.rows, audit.mechanism.datasets
    breaking = [
        (names[a], names[b])
        for a, b in ordered(audit.mechanism, audit.relation)
        if not claim.keeps(rows[a], rows[b])
    ]
    number = float(len(breaking))
    return Verdict(
        claim,
        "fails" if breaking else "holds",
        "breaking_pairs",
        0.0,
        number,
        number,
        Witness(*(breaking[0] if breaking else ("", ""))),
        APPROXIMATE_ZCDP,
        exact=False,
        within=0.0,
    )


def _measured(audit: Audit, claim: Claim, epsilon: float) -> FloatFinding:
    """What a claim is about, as the table of the mechanism has it."""
    match claim.kind:
        case "pure":
            return audit.largest_loss()
        case "zcdp":
            return audit.rho()
        case "gdp":
            return audit.mu()
        case "tv":
            return audit.total_variation()
        case "rdp":
            return audit.renyi(claim.number("alpha"))
    kind: Any = claim.kind
    return audit.delta(epsilon, kind=kind)


def _ends(found: FloatFinding) -> tuple[float, float]:
    low, high = found.answer.bracket
    return float(low), float(high)


# --- in rational arithmetic ----------------------------------------------------------------------


def _exactly(audit: Audit, claim: Claim) -> Verdict:
    """With e^epsilon between two rationals, ever closer until the claim is decided."""
    if claim.kind == "rdp":
        return _moment(audit.exact, claim)
    kind: Any = "adp" if claim.kind in ("pure", "tv") else claim.kind
    growth = claim.growth or Growth(1)
    limit = (claim.rational("tv") if claim.kind == "tv" else claim.delta) or Fraction(0)
    for digits in PRECISION:
        low, high = growth.bracket(digits)
        most = audit.exact.delta(low, kind=kind)
        least = most if low == high else audit.exact.delta(high, kind=kind)
        holds, fails = most.value <= limit, least.value > limit
        if holds or fails:
            break
    if claim.kind == "pure":
        ends = _ends(audit.largest_loss())
        claimed, found = claim.number("epsilon"), audit.exact.largest_ratio()
        return _decided(claim, found, claimed, ends, holds=holds, fails=fails, needed=ends[1])
    needed = float(audit.epsilon(float(limit)).value) if claim.kind == "adp" else None
    ends = outwards(least.value, most.value)
    found = least if fails else most
    return _decided(claim, found, float(limit), ends, holds=holds, fails=fails, needed=needed)


def _moment(exact: ExactAudit, claim: Claim) -> Verdict:
    """The moment of a whole order, against e^((alpha - 1) gamma)."""
    order = int(claim.rational("alpha") or 0)
    found = exact.moment(order)
    moment, gamma = found.value, claim.rational("gamma") or Fraction(0)
    for digits in PRECISION:
        low, high = growth_bracket(gamma * (order - 1), digits)
        holds, fails = moment <= low, moment > high
        if holds or fails:
            break
    value = math.inf
    if isinstance(moment, Fraction):
        value = (math.log(moment.numerator) - math.log(moment.denominator)) / (order - 1)
    slack = 1e-12 * (1.0 + value) if math.isfinite(value) else 0.0
    ends = max(value - slack, 0.0), value + slack
    return _decided(claim, found, float(gamma), ends, holds=holds, fails=fails)


def outwards(low: Fraction | float, high: Fraction | float) -> tuple[float, float]:
    """Two ends as floats, rounded away from each other."""
    least, most = float(low), float(high)
    return (
        math.nextafter(least, 0.0) if least > low else least,
        math.nextafter(most, math.inf) if most < high else most,
    )
