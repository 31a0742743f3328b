"""What an adversary knows about everybody else, and what stands in for a person's record."""

from __future__ import annotations

from typing import Final, Literal, get_args

from dprisk.guarantees.base import Neighbors
from dprisk.text import english

Knowledge = Literal["true-record", "rest-known", "arbitrary-prior", "wrong-prior"]
Replacement = Literal["resampled", "default-record", "dropped"]
KNOWLEDGE: Final[tuple[Knowledge, ...]] = get_args(Knowledge)
REPLACEMENTS: Final[tuple[Replacement, ...]] = get_args(Replacement)


def assumed(
    adversary: Knowledge, world: Replacement, neighbors: Neighbors, two_steps: bool
) -> tuple[str, ...]:
    """What a bound on the ratio of posteriors takes for granted, in sentences."""
    averaged = adversary == "arbitrary-prior" and world != "resampled"
    return (
        WORLDS[world],
        *(ON_AVERAGE if averaged else KNOWS[adversary]),
        english("assumptions.neighbors", neighbors=neighbors),
        *((TWO_STEPS,) if two_steps else ()),
        ALWAYS,
    )


WORLDS: dict[Replacement, str] = {
    "resampled": english("assumptions.without.resampled"),
    "default-record": english("assumptions.without.default"),
    "dropped": english("assumptions.without.dropped"),
}
KNOWS: dict[Knowledge, tuple[str, ...]] = {
    "true-record": (
        english("assumptions.knows.true-record"),
        english("assumptions.about.true-record"),
        english("assumptions.over.true-record"),
    ),
    "rest-known": (
        english("assumptions.knows.rest-known"),
        english("assumptions.about.rest-known"),
        english("assumptions.over.rest-known"),
    ),
    "arbitrary-prior": (
        english("assumptions.knows.arbitrary-prior"),
        english("assumptions.about.arbitrary-prior"),
        english("assumptions.over.arbitrary-prior"),
    ),
    "wrong-prior": (
        english("assumptions.knows.wrong-prior"),
        english("assumptions.about.wrong-prior"),
    ),
}
ON_AVERAGE = (
    english("assumptions.knows.correlated"),
    english("assumptions.about.correlated"),
    english("assumptions.over.correlated"),
)
OVER = frozenset(
    english(f"assumptions.over.{who}")
    for who in ("true-record", "rest-known", "arbitrary-prior", "correlated")
)
"""Over what a probability is: for bounds that do not hold with certainty."""
TWO_STEPS = english("assumptions.another-record")
ALWAYS = english("assumptions.any-output")
NOT_DROPPED = (
    english("risk.dropped"),
    english("risk.dropped.fix"),
)
NOT_CERTAIN = (
    english("risk.wrong-prior"),
    english("risk.wrong-prior.fix"),
)
