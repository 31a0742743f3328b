"""An audit in one call: what each definition says of a mechanism, and whether claims hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal, final, get_args

import numpy as np

from dprisk._checks import NONNEGATIVE, PROBABILITY, numbers
from dprisk._values import members, result
from dprisk.audit.claims import Claim
from dprisk.audit.definitions import QUANTITY, Definition
from dprisk.audit.exact import ExactAudit
from dprisk.audit.exp_epsilon import MOST_NATS, growth_bracket
from dprisk.audit.findings import FloatFinding, Witness
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.float_audit import Audit, audit
from dprisk.audit.relation import NeighborRelation
from dprisk.audit.verdicts import TOLERANCE, Verdict, check, outwards
from dprisk.errors import InvalidInput
from dprisk.text import fill

Quantity = Literal[
    "largest_loss",
    "total_variation",
    "rho",
    "mu",
    "delta",
    "tail",
    "tail_both",
    "disclosure",
    "bounded",
    "pointwise",
    "epsilon",
]
KINDS: Final[dict[Definition, Any]] = {
    kind: "tail_both" if kind == "pdp-both" else QUANTITY[kind] for kind in get_args(Definition)
}
"""For each definition the quantity of its lines."""
EPSILONS: Final = (0.5, 1.0, 2.0)
DELTAS: Final = (1e-6,)
NEXT: Final = 1e-9  # beyond the lower end of a bracket: the roundings of floating point
MOST_PAIRS: Final = 1_000_000  # ordered: about 600 MB
MOST_TERMS: Final = 200_000_000  # pairs times outputs: about half a minute
MOST_EXACT: Final = 1_000_000


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class AuditRow:
    """One quantity of a mechanism. Made by `examine`.

    Parameters
    ----------
    quantity : str
        "largest_loss" (the smallest epsilon for pure DP), "total_variation", "rho", "mu"; at an
        epsilon "delta", "tail" and "tail_both" (probabilistic DP, one- and two-sided),
        "disclosure", "bounded" (pbdp) and "pointwise"; at a delta "epsilon".
    at : float or None
        The epsilon or delta. [0, inf]
    lower, upper : float
        At least and at most. [0, inf]
    witness : Witness
        The pair of datasets and the set of outputs that show it.
    theorem : str
        Where the definition stands.
    holds_for : str
        Whether it is about the raw output, or about anything computed from it, too.
    rational : Fraction or None
        The number itself, where it was computed exactly.
    """

    quantity: Quantity
    at: float | None
    lower: float
    upper: float
    witness: Witness
    theorem: str
    holds_for: str
    rational: Fraction | None = None

    def to_dict(self) -> dict[str, Any]:
        """The line as plain data.

        Returns
        -------
        dict
            Infinities are None; `rational` is text, such as "1/4".
        """
        found = ("quantity", "at", "lower", "upper", "rational")
        return members(self, *found, "witness", "theorem", "holds_for")


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Examined:
    """A finite mechanism, what it keeps, and what was claimed of it. Made by `examine`.

    Parameters
    ----------
    audit : Audit
        The mechanism and its neighbors, for more questions.
    lines : tuple of AuditRow
        What it keeps.
    verdicts : tuple of Verdict
        One for each claim.
    exact : bool
        Whether rational arithmetic was used where it can be.
    """

    audit: Audit
    lines: tuple[AuditRow, ...]
    verdicts: tuple[Verdict, ...]
    exact: bool

    @property
    def kept(self) -> bool:
        """Whether every claim was shown to hold."""
        return all(verdict.holds for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, the same that ``dprisk audit --json`` prints.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk audit``.
        """
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
        Rational arithmetic, where the answer is rational.
    tolerance : float
        By how much claims are relaxed before floating point judges them. [0, 1e-3]

    Returns
    -------
    Examined
        Lines and verdicts.

    Raises
    ------
    InvalidInput
        If the table, the relation or a claim cannot be used; before anything is computed.
    OutOfRange
        If a number is out of its range.

    Examples
    --------
    >>> from dprisk.audit import examine
    >>> coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> made = examine(coin, claims=["epsilon=log(3)", "epsilon=1, delta=0.05"], exact=True)
    >>> [verdict.decision for verdict in made.verdicts], made.verdicts[1].witness.outputs
    (['holds', 'fails'], ('y1',))
    """
    read = [Claim.of(claim) for claim in claims]
    limits = EPSILONS if epsilon is None and not read else epsilon or ()
    slacks = DELTAS if delta is None and not read else delta or ()
    numbers("epsilon", limits, NONNEGATIVE)
    numbers("delta", slacks, PROBABILITY)
    table = mechanism if isinstance(mechanism, FiniteMechanism) else FiniteMechanism(mechanism)
    if neighbors == "all":
        _check_size(table, table.size * (table.size - 1), exact)
    lab = audit(table, neighbors=neighbors)
    _check_size(table, len(lab.relation), exact)
    lines: list[AuditRow] = []
    if len(limits) or len(slacks) or not read:
        lines = _lines(lab, np.array(limits, dtype=float), np.array(slacks, dtype=float))
        if exact:
            lines = [_exactly(lab.exact, line) for line in lines]
    verdicts = check(lab, read, exact=exact, tolerance=tolerance)
    return Examined(lab, tuple(lines), verdicts, exact)


def _check_size(table: FiniteMechanism, pairs: int, exact: bool) -> None:
    """Refuse what would take hours, or more memory than there is, before it is begun."""
    outputs, fix = len(table.outputs), fill("audit.table.smaller")
    if pairs > MOST_PAIRS:
        got = fill("audit.table.pairs.got", size=f"{table.size:,}", pairs=f"{pairs:,}")
        allowed = fill("audit.table.pairs", most=f"{MOST_PAIRS:,}")
        raise InvalidInput(fill("audit.a-table"), got, allowed, fix)
    most = MOST_EXACT if exact else MOST_TERMS
    if pairs * outputs > most:
        got = fill("audit.table.comparisons.got", pairs=f"{pairs:,}", outputs=f"{outputs:,}")
        key = "audit.table.comparisons.exact" if exact else "audit.table.comparisons"
        raise InvalidInput(fill("audit.a-table"), got, fill(key, most=f"{most:,}"), fix)


def _lines(lab: Audit, limits: Any, slacks: Any) -> list[AuditRow]:
    surveyed = lab.survey(limits)
    lines = _rows("largest_loss", lab.largest_loss())
    lines += _rows("total_variation", lab.total_variation())
    lines += _rows("rho", lab.rho())
    lines += _rows("mu", lab.mu())
    if limits.size:
        columns = (
            _rows(quantity, surveyed.get(kind) or lab.delta(limits, kind=kind), limits)
            for kind, quantity in KINDS.items()
        )
        lines += [line for row in zip(*columns, strict=True) for line in row]
    return lines + (_rows("epsilon", lab.epsilon(slacks), slacks) if slacks.size else [])


def _rows(quantity: Quantity, found: FloatFinding, at: Any = None) -> list[AuditRow]:
    low, high = (np.ravel(end) for end in found.answer.bracket)
    about = str(found.answer.theorem), found.answer.assumptions[0]
    return [
        AuditRow(
            quantity,
            None if at is None else float(at[n]),
            float(low[n]),
            float(high[n]),
            witness,
            *about,
        )
        for n, witness in enumerate(found.worst)
    ]


def _exactly(rational: ExactAudit, line: AuditRow) -> AuditRow:
    """The same line from rational arithmetic, where the quantity is rational."""
    kinds: dict[str, Any] = {quantity: kind for kind, quantity in KINDS.items()}
    if line.quantity == "total_variation":
        low = high = rational.delta(1)
    elif line.quantity in kinds and line.quantity != "pointwise" and (line.at or 0.0) <= MOST_NATS:
        below, above = growth_bracket(Fraction(repr(line.at)))
        low, high = (rational.delta(g, kind=kinds[line.quantity]) for g in (above, below))
    elif line.quantity == "epsilon" and math.isinf(line.upper):
        return _past_what_is_revealed(rational, line)
    else:
        return line
    least, most = outwards(low.value, high.value)
    one = low.value if low.value == high.value and isinstance(low.value, Fraction) else None
    return replace(line, lower=least, upper=most, witness=low.witness, rational=one)


def _past_what_is_revealed(rational: ExactAudit, line: AuditRow) -> AuditRow:
    """At a delta of just what is revealed outright, floating point cannot tell; fractions can."""
    near = line.lower + NEXT * (1.0 + line.lower) if line.lower else 0.0
    if near > MOST_NATS:
        return line
    growth, _ = growth_bracket(Fraction(near))
    enough = rational.delta(growth).value <= Fraction(repr(line.at))
    return replace(line, upper=near) if enough else line
