"""An audit in sentences: claims, what breaks them, and what samples show."""

from __future__ import annotations

import math

from dprisk.audit.examination import AuditRow, Examined
from dprisk.audit.findings import Witness
from dprisk.audit.samples import BlackBox, SampledFinding
from dprisk.audit.verdicts import Verdict
from dprisk.explain.rounding import at_least, at_most, rounded
from dprisk.text import fill

MOST_OUTPUTS = 8  # outputs that are written out


def asked(line: AuditRow) -> str:
    """What a line of the table is about."""
    words = fill(f"quantity.{line.quantity}")
    if line.at is None:
        return words
    given = "delta" if line.quantity == "epsilon" else "epsilon"
    return fill(f"quantity.at-{given}", quantity=words, at=f"{line.at:g}")


def verdict_in_words(verdict: Verdict) -> str:
    """A claim, whether it holds, and what shows it."""
    said = [fill(f"verdict.{verdict.decision}", claim=verdict.claim), _found(verdict)]
    if verdict.quantity == "breaking_pairs":
        return " ".join(said)
    if verdict.decision == "fails":
        said.append(witness_in_words(verdict.witness))
        if verdict.needed is not None and verdict.claim.kind == "adp":
            delta = f"{verdict.claimed:.6g}"
            key = "found.needed" if math.isfinite(verdict.needed) else "found.needed.none"
            said.append(fill(key, delta=delta, needed=at_most(verdict.needed, 6)))
    elif verdict.decision == "undecided" and _decidable(verdict):
        said.append(fill("found.decidable"))
    return " ".join(said)


def witness_in_words(witness: Witness) -> str:
    """Two datasets and a set of outputs, and how likely it is on either."""
    names = _listed(witness.outputs)
    if witness.share is not None:
        coin = fill("witness.coin", output=witness.share[0], share=f"{float(witness.share[1]):.4g}")
        names = fill("witness.and-coin", outputs=names, coin=coin) if names else coin
    if witness.order is not None:
        endless = witness.order == float("inf")
        order = fill("witness.infinity") if endless else f"{witness.order:.6g}"
        return fill("witness.order", first=witness.first, second=witness.second, order=order)
    if not names:
        return fill("witness.none")
    one, other = (
        f"{float(p):.6g}" for p in (witness.probability_first, witness.probability_second)
    )
    if not witness.second:
        return fill("witness.alone", first=witness.first, outputs=names, one=one)
    return fill(
        "witness",
        outputs=names,
        one=one,
        first=witness.first,
        other=other,
        second=witness.second,
    )


def lines_in_words(made: Examined) -> list[str]:
    """What was audited, and how."""
    relation, table = made.audit.relation, made.audit.mechanism
    number = len(relation)
    pairs = fill("audited.pairs.one" if number == 1 else "audited.pairs", number=number)
    ways = fill(f"audited.ways.{'both' if relation.symmetric else 'one'}")
    how = fill(f"audited.how.{'exact' if made.exact else 'floating'}")
    return [
        fill("audited.size", datasets=table.size, outputs=len(table.outputs)),
        fill("audited.neighbors", relation=relation.label, pairs=pairs, ways=ways),
        fill("audited.how", how=how),
    ]


def sample_in_words(found: SampledFinding, made: BlackBox) -> str:
    """A lower bound from samples, never as a proof."""
    least = at_least(float(found.answer), 4)
    return fill(
        "sample",
        confidence=f"{made.confidence:g}",
        what=fill(f"sample.{found.asked}", at=f"{found.at:g}", least=least),
        rule=found.rule,
        hits=found.hits[0],
        held_out=found.held_out[0],
        likelier=found.likelier,
        other_hits=found.hits[1],
        other_held_out=found.held_out[1],
        other=made.names[1 - made.names.index(found.likelier)],
    )


def _found(verdict: Verdict) -> str:
    """The number that decides a claim, beside what was claimed."""
    if verdict.quantity == "breaking_pairs":
        first, second = verdict.witness.first, verdict.witness.second
        key = f"found.pairs{'' if verdict.upper else '.0'}"
        return fill(key, most=f"{verdict.upper:.0f}", first=first, second=second)
    most, least = at_most(verdict.upper, 6), at_least(verdict.lower, 6)
    return fill(
        f"found.{_how(verdict)}",
        quantity=_start(fill(f"quantity.{_quantity(verdict)}")),
        least=least,
        most=most,
        claimed=f"{verdict.claimed:.6g}",
        excess=at_least(verdict.excess, 3),
        within=f"{verdict.within:g}",
    )


def _how(verdict: Verdict) -> str:
    """How the number lies to what was claimed, as far as six digits show."""
    if verdict.decision == "fails":
        return "infinite" if math.isinf(verdict.lower) else "more"
    if verdict.decision == "undecided":
        return "close"
    if verdict.lower > verdict.claimed:
        return "within"
    above = float(rounded(verdict.upper, 6, upper=True)) > verdict.claimed
    return "same" if above else "most"


def _quantity(verdict: Verdict) -> str:
    return "tail_both" if verdict.claim.kind == "pdp-both" else verdict.quantity


def _decidable(verdict: Verdict) -> bool:
    return not verdict.exact and verdict.claim.kind not in ("zcdp", "gdp")


def _start(words: str) -> str:
    return words[0].upper() + words[1:] if words != "delta" else words


def _listed(outputs: tuple[str, ...]) -> str:
    if len(outputs) <= MOST_OUTPUTS:
        return ", ".join(outputs)
    return fill("witness.more", outputs=", ".join(outputs[:MOST_OUTPUTS]), number=len(outputs))
