"""An audit in sentences: claims, what breaks them, and what samples show."""

from __future__ import annotations

from dprisk.audit import BlackBox, Examined, Line, SampledFinding, Verdict, Witness
from dprisk.explain.rounding import at_least, at_most

__all__ = ["asked", "lines_in_words", "sample_in_words", "verdict_in_words", "witness_in_words"]

QUANTITIES = {
    "largest_loss": "the smallest epsilon",
    "total_variation": "the total variation distance",
    "rho": "the smallest rho (zCDP)",
    "mu": "the smallest mu (Gaussian DP)",
    "renyi": "the Rényi divergence",
    "delta": "delta",
    "tail": "the chance of a larger loss, one way",
    "tail_both": "the chance of a larger loss, either way",
    "disclosure": "the chance of a disclosure set",
    "bounded": "the chance of a larger loss after post-processing",
    "pointwise": "single outputs only (no definition of privacy)",
    "epsilon": "epsilon",
}
DECISIONS = {"holds": "holds", "fails": "FAILS", "undecided": "UNDECIDED"}
FEW = 8  # outputs that are written out


def asked(line: Line) -> str:
    """What a line of the table is about.

    Parameters
    ----------
    line : Line
        Of an examined mechanism.

    Returns
    -------
    str
        A few words.
    """
    words = QUANTITIES[line.quantity]
    if line.at is None:
        return words
    return f"{words} at {'delta' if line.quantity == 'epsilon' else 'epsilon'} {line.at:g}"


def verdict_in_words(verdict: Verdict) -> str:
    """A claim, whether it holds, and what shows it.

    Parameters
    ----------
    verdict : Verdict
        Of `check`.

    Returns
    -------
    str
        Two to four sentences.
    """
    quantity = _start(QUANTITIES[_quantity(verdict)])
    most, least = at_most(verdict.upper, 6), at_least(verdict.lower, 6)
    claimed = f"{verdict.claimed:.6g}"
    head = f"{verdict.claim}: {DECISIONS[verdict.decision]}."
    if verdict.decision == "fails":
        more = f"{at_least(verdict.excess, 3)} more than the {claimed} claimed"
        found = (
            f"at least {least}, {more}" if least != "inf" else f"infinite; {claimed} was claimed"
        )
        needed = ""
        if verdict.needed is not None and verdict.claim.kind == "adp":
            needed = f" With this delta, an epsilon of {at_most(verdict.needed, 6)} would hold."
        return f"{head} {quantity} is {found}. {witness_in_words(verdict.witness)}{needed}"
    if verdict.decision == "undecided":
        way = " Rational arithmetic (exact) decides." if _decidable(verdict) else ""
        close = f"is between {least} and {most}, and {claimed} was claimed: too close to tell"
        return f"{head} {quantity} {close} from rounding.{way}"
    if verdict.lower > verdict.claimed:
        over = f"by no more than the tolerance of {verdict.within:g}"
        return f"{head} {quantity} exceeds the {claimed} claimed {over}."
    if float(most) > verdict.claimed:
        return f"{head} {quantity} is the {claimed} claimed, as far as six digits show."
    return f"{head} {quantity} is at most {most}; {claimed} was claimed."


def witness_in_words(witness: Witness) -> str:
    """Two datasets and a set of outputs, and how likely it is on either.

    Parameters
    ----------
    witness : Witness
        Of an audit.

    Returns
    -------
    str
        One sentence.
    """
    names = _listed(witness.outputs)
    if witness.share is not None:
        toss = f"{witness.share[0]} with probability {float(witness.share[1]):.4g}"
        names = f"{names} (and {toss})" if names else toss
    if witness.order is not None:
        order = "infinity" if witness.order == float("inf") else f"{witness.order:.6g}"
        return f"Between {witness.first} and {witness.second}, at order {order}."
    if not names:
        return "No output, for any pair."
    one, other = (float(p) for p in (witness.probability_first, witness.probability_second))
    if not witness.second:
        return (
            f"On dataset {witness.first} the output is in {{{names}}} with probability {one:.6g}."
        )
    return (
        f"The output is in {{{names}}} with probability {one:.6g} on dataset {witness.first} and "
        f"{other:.6g} on dataset {witness.second}."
    )


def lines_in_words(made: Examined) -> list[str]:
    """What was audited, and how.

    Parameters
    ----------
    made : Examined
        Of `examine`.

    Returns
    -------
    list of str
        A few sentences.
    """
    relation, table = made.audit.relation, made.audit.mechanism
    ways = "in both directions" if relation.symmetric else "in one direction each"
    pairs = "1 pair" if len(relation) == 1 else f"{len(relation)} pairs"
    how = "Rational arithmetic where the answer is rational" if made.exact else "Floating point"
    return [
        f"{table.size} datasets, {len(table.outputs)} outputs.",
        f"Neighbors: {relation.label} ({pairs}, {ways}).",
        f"{how}; each number is the worst over all of them, with what rounding leaves open.",
    ]


def sample_in_words(found: SampledFinding, made: BlackBox) -> str:
    """A lower bound from samples, never as a proof.

    Parameters
    ----------
    found : SampledFinding
        One of the findings.
    made : BlackBox
        All of them.

    Returns
    -------
    str
        Two sentences.
    """
    low = at_least(float(found.answer), 4)
    what = {
        "delta": f"at delta {found.at:g}, epsilon is at least {low}",
        "epsilon": f"at epsilon {found.at:g}, delta is at least {low}",
        "level": f"at level {found.at:g}, a test has power at least {low}",
    }[found.asked]
    other = made.names[1 - made.names.index(found.likelier)]
    return (
        f"With confidence {made.confidence:g}, {what}. Shown by outputs {found.rule}: "
        f"{found.hits[0]} of {found.held_out[0]} held-out outputs of {found.likelier}, "
        f"{found.hits[1]} of {found.held_out[1]} of {other}."
    )


def _quantity(verdict: Verdict) -> str:
    return "tail_both" if verdict.claim.kind == "pdp-both" else verdict.quantity


def _decidable(verdict: Verdict) -> bool:
    return not verdict.exact and verdict.claim.kind not in ("zcdp", "gdp")


def _start(words: str) -> str:
    return words[0].upper() + words[1:] if words != "delta" else words


def _listed(outputs: tuple[str, ...]) -> str:
    if len(outputs) <= FEW:
        return ", ".join(outputs)
    return ", ".join(outputs[:FEW]) + f", ... ({len(outputs)} in all)"
