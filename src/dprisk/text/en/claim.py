"""How a claim in somebody's own words is read: patterns of what comes before "that"."""

from __future__ import annotations

from typing import Final

VERBS = (
    r"(?:(?:can|could|may|might|will|would) )?"
    r"(?:(?:conclude|think|believe|learn|know|infer|guesse?|decide|suspect|assume|discover)s?"
    r"|concluded|thought|believed|learned|learnt|knew|inferred|guessed|decided|suspected"
    r"|(?:find|work|figure)s? out|is sure|are sure|can tell|could tell|may tell)"
)
WHO = r"(?P<who>(?:(?!\b(?:that|you|i|we)\b).){{1,60}}?)"  # doubled: texts are filled
SUBJECT = r"(?:you|your|he|she|they|it|the|a|an|my|his|her|their|somebody|someone)\b"

TEXTS: Final[dict[str, str]] = {
    "claim.with-that": rf"^{WHO} {VERBS} that (?P<what>.+)$",
    "claim.without-that": rf"^{WHO} {VERBS} (?P<what>{SUBJECT}.+)$",
    "claim.that": "^that ",
    "claim.read.membership": "The claim is read as: the record is in the data. A limit on what the "
    "record says can be looser.",
    "claim.read.membership.plain": "Your claim is read as: your record is in the data. A limit on "
    "what the record says can be looser.",
    "claim.read.attribute": "The claim is read as: the record has this value.",
    "claim.read.attribute.plain": "Your claim is read as: your record has this value.",
    "claim.small": "a an he her his it my our she somebody someone that the their they this you "
    "your",
}
