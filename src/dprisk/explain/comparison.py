"""With a record and without it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsFloat

from dprisk.explain.contradictions import framed
from dprisk.explain.rounding import at_most, chance, cut_off, hundredths, out_of, scale
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment.compare_release import Compared
    from dprisk.risk.counterfactual import Counterfactual, Replacement


ANY = frozenset({"rest-known", "wrong-prior"})  # about any record, true or not


def comparisons(made: Compared) -> tuple[str, ...]:
    """A sentence for every adversary, belief and confidence, true by itself."""
    lines = (
        _sentence(made.world, each, belief, confidence)
        for each in made.found
        for confidence in sure(each, made.confidences)
        for belief in made.without
    )
    return framed(made.release, lines)


def exceedings(made: Compared) -> tuple[str, ...]:
    """For every adversary and ratio, how often the ratio can be larger, in a sentence."""
    world = fill(f"compared.world.{made.world}")
    return tuple(
        _exceeding(fill(f"compared.who.{each.adversary}"), world, ratio, each.exceeding(ratio))
        for each in made.found
        for ratio in made.ratios
    )


def _exceeding(who: str, world: str, ratio: float, most: SupportsFloat) -> str:
    found = float(most)
    key = "never" if found == 0.0 else "any" if found == 1.0 else "mostly"
    said = {"who": who, "world": world, "ratio": f"{ratio:g}", "most": at_most(found)}
    return fill(f"compared.exceeding.{key}", **said)


def sure(each: Counterfactual, confidences: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """The confidences to ask about: certainty alone where a bound is certain."""
    return (None,) if each.adversary == "wrong-prior" else confidences


def _sentence(
    world: Replacement, each: Counterfactual, belief: float, confidence: float | None
) -> str:
    most = float(each.belief(belief, confidence))
    of = scale(belief, most)
    words = {
        "who": fill(f"compared.who.{each.adversary}"),
        "world": fill(f"compared.world.{world}"),
        "claim": fill(f"compared.claim.{'any' if each.adversary in ANY else 'true'}"),
        "before": out_of(belief, of),
    }
    found = cut_off("top", of) if most == 1.0 > belief else chance(most, upper=True, of=of)
    if found.kind == "top":  # a confidence belongs to a bound, and here is none
        return fill("compared.vacuous", edge=found.shown, **words)
    held = fill("sure.always")
    if confidence is not None:
        held = fill("sure.mostly", confidence=hundredths(confidence))
    after = fill(f"compared.{found.kind}", chances=found.shown, edge=found.shown)
    return fill("compared", after=after, sure=held, **words)
