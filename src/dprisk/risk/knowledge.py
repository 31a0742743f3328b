"""What an adversary knows about everybody else, and what stands in for a person's record."""

from __future__ import annotations

from typing import Literal

from dprisk.guarantees.base import Neighbors

__all__ = [
    "KNOWLEDGE",
    "NOT_CERTAIN",
    "NOT_DROPPED",
    "REPLACEMENTS",
    "Knowledge",
    "Replacement",
    "assumed",
]

Knowledge = Literal["true-record", "rest-known", "arbitrary-prior", "wrong-prior"]
Replacement = Literal["resampled", "default-record", "dropped"]
KNOWLEDGE: tuple[Knowledge, ...] = ("true-record", "rest-known", "arbitrary-prior", "wrong-prior")
REPLACEMENTS: tuple[Replacement, ...] = ("resampled", "default-record", "dropped")


def assumed(
    adversary: Knowledge, world: Replacement, neighbors: Neighbors, two_steps: bool
) -> tuple[str, ...]:
    """What a bound on the ratio of posteriors takes for granted, in sentences."""
    averaged = adversary == "arbitrary-prior" and world != "resampled"
    return (
        WORLDS[world],
        *(ON_AVERAGE if averaged else KNOWS[adversary]),
        f"Neighbors: {neighbors}.",
        *((TWO_STEPS,) if two_steps else ()),
        ALWAYS,
    )


WORLDS: dict[Replacement, str] = {
    "resampled": (
        "Without the record: in its place stands one that is drawn from what the other records say "
        "about the person."
    ),
    "default-record": (
        "Without the record: in its place stands a fixed one, which does not depend on the person."
    ),
    "dropped": "Without the record: the release is made from the other records alone.",
}
KNOWS: dict[Knowledge, tuple[str, ...]] = {
    "true-record": (
        "The adversary knows every other record, and is right about them; what it believes about "
        "the person may be right or wrong.",
        "About the belief in the record that the person really has. The probability is over the "
        "mechanism's random choices, whichever record that is.",
    ),
    "rest-known": (
        "The adversary knows every other record, and is right about them and about how likely each "
        "record of the person is.",
        "About the belief in any one record, true or not. The probability is over the record, "
        "drawn as the adversary believes, and over the mechanism's random choices.",
    ),
    "arbitrary-prior": (
        "The adversary may know anything about the other records, which may be correlated with the "
        "person's; what it believes about them, given the true record, is right.",
        "About the belief in the record that the person really has. The probability is over the "
        "other records and the mechanism's random choices, whichever record that is.",
    ),
    "wrong-prior": (
        "The adversary may believe anything, rightly or wrongly.",
        "About the belief in any record, for every output.",
    ),
}
ON_AVERAGE = (
    "The adversary may know anything about the records, which may be correlated; what it believes "
    "about them is right.",
    "About the belief in the record that the person really has. The probability is over all "
    "records, the person's included, and over the mechanism's random choices.",
)
TWO_STEPS = (
    "Another record is two steps away under add-remove neighbors (one record out, one in), so the "
    "guarantee for two steps is used."
)
ALWAYS = "Holds for the output and for anything computed from it."
NOT_DROPPED = (
    "Under replace-one neighbors every dataset has the same number of records, so the promise says "
    "nothing about the data with one record less.",
    "Ask about a record that is replaced "
    '(world="resampled" or "default-record"), or give a guarantee that was proven for add-remove.',
)
NOT_CERTAIN = (
    "This guarantee bounds the privacy loss only up to a probability, and whoever is wrong about "
    "the data may see as likely what hardly ever happens: the ratio can come as near as you like "
    "to one over the belief without the record (P1, Example 7.1).",
    "Ask about an adversary who is "
    'right ("true-record", "rest-known" or "arbitrary-prior"), or give a guarantee that holds with '
    "certainty, such as pure DP.",
)
