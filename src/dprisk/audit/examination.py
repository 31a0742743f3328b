"""Verdicts on claims about a mechanism, and an audit in one call: claims, and what every definition
says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final, Literal, final, get_args

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers, scalar
from dprisk._values import members, plain, result
from dprisk.audit.brackets import Audit, audit, logs
from dprisk.audit.claims import CLAIMS, Claim, number_of, rational_of
from dprisk.audit.exact import ExactAudit, deltas
from dprisk.audit.findings import QUANTITY, AuditFinding, Definition, Witness, between, outwards
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import MOST_NATS, Growth, growth_bracket, log_bracket
from dprisk.audit.postprocessing import BLOCKS, MapSearch, breaking_map
from dprisk.audit.relation import SMALLER, NeighborRelation, ordered
from dprisk.errors import InvalidInput, NoConversion, refused
from dprisk.progress import each
from dprisk.theorems import APPROXIMATE_ZCDP, Theorem

Decision = Literal["holds", "fails", "undecided"]
TOLERANCE: Final = 1e-9
PRECISION: Final = (40, 200, 1000)  # digits of e^epsilon, until a claim is decided


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """A claim and its decision: "undecided" where it lies within rounding of the truth. Made by
    `check`.

    The `quantity` that decides was `claimed` to be a number, after the claim was relaxed by
    `within`, and lies between `lower` and `upper`; the `witness` needs most; `needed` is the least
    epsilon that would hold with the same delta, at most.
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
        return math.inf if math.isinf(self.lower) else max(self.lower - self.claimed, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
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
        By how much a claim is relaxed before brackets judge it, for probabilities that were rounded
        when they were written down: epsilon and gamma grow by that much, other numbers by that
        share. Rational arithmetic allows for nothing. [0, 1e-3]

    Returns
    -------
    tuple of Verdict
        One for each claim, in order.

    Raises
    ------
    InvalidInput
        If a claim cannot be read; `OutOfRange` if a number is out of its range.

    Examples
    --------
    >>> from dprisk.audit import audit, check
    >>> coin = audit([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> [verdict.decision for verdict in check(coin, ["epsilon=1.1", "epsilon=1", "tv=0.5"])]
    ['holds', 'fails', 'holds']
    """
    relaxed = scalar(
        "tolerance", tolerance, Domain(0.0, 1e-3, advice="It allows for rounding only.")
    )
    read = [Claim.of(claim) for claim in claims]
    return tuple(
        _exactly(audit, claim)
        if exact and _is_rational(claim)
        else _in_floats(audit, claim, relaxed)
        for claim in read
    )


def _is_rational(claim: Claim) -> bool:
    if claim.kind == "rdp":
        order = rational_of(claim, "alpha")
        exponent = (number_of(claim, "alpha") - 1.0) * number_of(claim, "gamma")
        whole = order is not None and order.denominator == 1 and order <= 1000
        return whole and exponent <= MOST_NATS
    return claim.kind not in ("zcdp", "gdp")


def _decided(
    claim: Claim,
    found: AuditFinding,
    claimed: float,
    ends: tuple[float, float],
    holds: bool,
    fails: bool,
    within: float | None = None,
    needed: float | None = None,
) -> Verdict:
    """A verdict with the numbers as they are, whatever decided it."""
    quantity = QUANTITY.get(claim.kind, "total_variation")
    return Verdict(
        claim,
        "holds" if holds else "fails" if fails else "undecided",
        "tail" if claim.kind == "pdp-both" else quantity,
        claimed,
        *ends,
        found.witness,
        found.answer.theorem,
        exact=within is None,
        within=within or 0.0,
        needed=needed,
    )


def _in_floats(audit: Audit, claim: Claim, within: float) -> Verdict:
    names = CLAIMS.get(claim.kind, ())
    if not names:
        raise NoConversion(f"An audit has no number for {claim.name}. Ask claim.holds(mechanism).")
    if any(number_of(claim, extra) for extra, _ in claim.given if extra not in names):
        return _by_pairs(audit, claim)
    name = names[-1]
    claimed = number_of(claim, name)
    limit = claimed + within if name in ("epsilon", "gamma") else claimed * (1.0 + within)
    epsilon = number_of(claim, "epsilon") if name == "delta" else 0.0
    found = judged = _measured(audit, claim, epsilon)
    ends = found.lower, found.upper
    if name == "delta" and ends[1] > claimed and within:
        judged = _measured(audit, claim, epsilon + within)
        if judged.lower > limit and ends[0] <= claimed:
            found = judged
    holds, fails = ends[1] <= claimed or judged.upper <= limit, judged.lower > limit
    needed = {"pure": lambda: ends[1], "adp": lambda: float(audit.epsilon(claimed))}
    least = needed[claim.kind]() if claim.kind in needed else None
    return _decided(claim, found, claimed, ends, holds, fails, within, least)


def _by_pairs(audit: Audit, claim: Claim) -> Verdict:
    """Approximate zCDP, which no one number decides: how many pairs of neighbors break it."""
    rows, names = audit.mechanism.rows, audit.mechanism.datasets
    breaking = [
        (names[a], names[b])
        for a, b in ordered(audit.mechanism, audit.relation)
        if not claim.keeps(rows[a], rows[b])
    ]
    number = float(len(breaking))
    shows = Witness(*(breaking[0] if breaking else ("", "")))
    theorem = APPROXIMATE_ZCDP
    decision: Decision = "fails" if breaking else "holds"
    numbers = (0.0, number, number)
    return Verdict(
        claim, decision, "breaking_pairs", *numbers, shows, theorem, exact=False, within=0.0
    )


def _measured(audit: Audit, claim: Claim, epsilon: float) -> AuditFinding:
    """Number that a claim is about, as the table of the mechanism has it."""
    ask: dict[str, Callable[[], AuditFinding]] = {
        "pure": audit.largest_loss,
        "zcdp": audit.rho,
        "gdp": audit.mu,
        "tv": audit.total_variation,
        "rdp": lambda: audit.renyi(number_of(claim, "alpha")),
    }
    kind: Any = claim.kind
    return ask[kind]() if kind in ask else audit.delta(epsilon, kind=kind)


def _exactly(audit: Audit, claim: Claim) -> Verdict:
    """Decide a claim with e^epsilon between two rationals, which come ever closer until it is."""
    if claim.kind == "rdp":
        return _moment(audit.exact, claim)
    kind: Any = "adp" if claim.kind in ("pure", "tv") else claim.kind
    growth = claim.growth or Growth(1)
    limit = (rational_of(claim, "tv") if claim.kind == "tv" else claim.delta) or Fraction(0)
    for digits in PRECISION:
        low, high = growth.bracket(digits)
        most, least = deltas(audit.exact, kind, low, high)
        holds, fails = most.value <= limit, least.value > limit
        if holds or fails:
            break
    if claim.kind == "pure":
        loss, claimed = audit.largest_loss(), number_of(claim, "epsilon")
        ends = loss.lower, loss.upper
        return _decided(claim, loss, claimed, ends, holds, fails, needed=ends[1])
    needed = float(audit.epsilon(float(limit))) if claim.kind == "adp" else None
    ends, found = outwards(least.value, most.value), least if fails else most
    return _decided(claim, found, float(limit), ends, holds, fails, needed=needed)


def _moment(exact: ExactAudit, claim: Claim) -> Verdict:
    """The moment of a whole order, against e^((alpha - 1) gamma)."""
    order = int(rational_of(claim, "alpha") or 0)
    found = exact.moment(order)
    moment, gamma = found.value, rational_of(claim, "gamma") or Fraction(0)
    for digits in PRECISION:
        low, high = growth_bracket(gamma * (order - 1), digits)
        holds, fails = moment <= low, moment > high
        if holds or fails:
            break
    ends = (math.inf, math.inf)
    if isinstance(moment, Fraction):  # a quotient: one rounding
        least, most = (end / (order - 1) for end in log_bracket(moment))
        ends = max(math.nextafter(least, -math.inf), 0.0), math.nextafter(most, math.inf)
    return _decided(claim, found, float(gamma), ends, holds, fails)


# --- all of it at once ---------------------------------------------------------------------------

MOST_PAIRS: Final = 1_000_000  # ordered
MOST_TERMS: Final = 200_000_000  # pairs times outputs: nine minutes


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Examined:
    """A finite mechanism with its neighbors (`audit`), what it keeps (`lines`), a verdict for each
    claim, and whether rational arithmetic was used where it can be. `maps` has the post-processing
    that breaks each claim of probabilistic DP, if asked for. Made by `examine`.
    """

    audit: Audit
    lines: tuple[AuditFinding, ...]
    verdicts: tuple[Verdict, ...]
    exact: bool
    maps: tuple[MapSearch, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether every claim was shown to hold."""
        return all(verdict.holds for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, the same that ``dprisk audit --json`` prints."""
        relation, mechanism = self.audit.relation, self.audit.mechanism
        return {
            "schema": "dprisk/audit/1",
            "datasets": mechanism.size,
            "outputs": len(mechanism.outputs),
            "relation": relation.label,
            "pairs": len(relation),
            "symmetric": relation.symmetric,
            **members(self, "exact", findings=self.lines, claims=self.verdicts),
            "kept": self.kept,
            **(members(self, "maps") if self.maps else {}),
        }


def examine(
    mechanism: Any,
    *,
    neighbors: str | NeighborRelation | Iterable[Sequence[str]] = "all",
    claims: Iterable[Claim | str] = (),
    epsilon: Sequence[float] | None = None,
    delta: Sequence[float] | None = None,
    exact: bool = False,
    tolerance: float = TOLERANCE,
    merge: bool = False,
) -> Examined:
    """Audit a finite mechanism: check claims, and tabulate what every definition says.

    Parameters
    ----------
    mechanism : FiniteMechanism, or what makes one
        The table of probabilities.
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are neighbors.
    claims : iterable of Claim or str
        What is claimed, such as "epsilon=1, delta=1e-6".
    epsilon : sequence of float, optional
        Where the table has deltas. Left out: 0.5, 1 and 2, unless there are claims. [0, inf], nats
    delta : sequence of float, optional
        Where it has epsilons. Left out: 1e-6, unless there are claims. [0, 1]
    exact : bool
        The numbers as they are written decide, in rational arithmetic, where the answer is
        rational; otherwise they may be rounded.
    tolerance : float
        By how much claims are relaxed before brackets judge them. [0, 1e-3]
    merge : bool
        Whether to look for the fewest outputs that, merged, break each claim of probabilistic DP
        (`breaking_map`).

    Returns
    -------
    Examined
        Lines and verdicts.

    Raises
    ------
    InvalidInput
        If the table, the relation or a claim cannot be used, or there is no claim that merging
        outputs can break; before anything is computed.

    Examples
    --------
    >>> from dprisk.audit import examine
    >>> coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> made = examine(coin, claims=["epsilon=log(3)", "epsilon=1, delta=0.05"], exact=True)
    >>> [verdict.decision for verdict in made.verdicts], made.verdicts[1].witness.outputs
    (['holds', 'fails'], ('y1',))
    """
    read = [Claim.of(claim) for claim in claims]
    breakable = [claim for claim in read if merge and claim.kind in BLOCKS]
    if merge and not breakable:
        raise refused("audit.merge", "merge", "; ".join(map(str, read)) or None)
    limits = (0.5, 1.0, 2.0) if epsilon is None and not read else epsilon or ()
    slacks = (1e-6,) if delta is None and not read else delta or ()
    numbers("epsilon", limits, NONNEGATIVE)
    numbers("delta", slacks, PROBABILITY)
    table = mechanism if isinstance(mechanism, FiniteMechanism) else FiniteMechanism(mechanism)
    if neighbors == "all":
        _check_size(table, table.size * (table.size - 1))
    lab = audit(table, neighbors=neighbors)
    _check_size(table, len(lab.relation.directed[0]))
    asked = _questions(lab, limits, slacks, exact) if len(limits) or len(slacks) or not read else []
    lines = tuple(ask() for ask in each("definitions", asked))
    verdicts = check(lab, read, exact=exact, tolerance=tolerance)
    maps = (breaking_map(table, claim, neighbors=neighbors) for claim in breakable)
    return Examined(lab, lines, verdicts, exact, tuple(maps))


def _check_size(table: FiniteMechanism, pairs: int) -> None:
    """Refuse what would take hours, or more memory than there is, before it is begun."""
    terms = pairs * len(table.outputs)
    got = f"{table.size:,} datasets with {pairs:,} ordered pairs"
    if pairs > MOST_PAIRS:
        raise InvalidInput("a table", got, f"of at most {MOST_PAIRS:,} pairs of neighbors", SMALLER)
    if terms > MOST_TERMS:
        allowed = f"of at most {MOST_TERMS:,} comparisons (pairs times outputs)"
        got = f"{pairs:,} pairs and {len(table.outputs):,} outputs"
        raise InvalidInput("a table", got, allowed, SMALLER)


def _questions(
    lab: Audit, limits: Sequence[float], slacks: Sequence[float], exact: bool
) -> list[Callable[[], AuditFinding]]:
    """Functions that find each line of an examination."""

    def delta(kind: Definition, limit: float) -> AuditFinding:
        if not exact or limit > MOST_NATS:
            return lab.delta(limit, kind=kind)
        high, low = deltas(lab.exact, kind, *growth_bracket(Fraction(repr(limit))))
        if low.value == high.value:
            return replace(low, at=limit)
        both = outwards(low.value, high.value)
        return between(QUANTITY[kind], limit, kind, *both, low.worst)

    def least(slack: float) -> AuditFinding:
        if not exact:
            return lab.epsilon(slack)
        found = lab.exact.growth(Fraction(repr(slack)))
        return between("epsilon", slack, "adp", *logs(found.value), found.worst)

    def total() -> AuditFinding:
        if not exact:
            return lab.total_variation()
        return replace(lab.exact.delta(1), quantity="total_variation", at=None)

    found: list[Callable[[], AuditFinding]] = [lab.largest_loss, total, lab.rho, lab.mu]
    for limit in limits:
        found += [partial(delta, kind, float(limit)) for kind in get_args(Definition)]
    return found + [partial(least, float(slack)) for slack in slacks]
