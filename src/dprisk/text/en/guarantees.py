"""Refusals of guarantees, and who answers what they do not."""

from __future__ import annotations

from typing import Final

BELIEFS: Final = (
    "what someone can believe depends on who asks, and how surely. Write "
    "disclosure(guarantee).{name}(0.1) or assess(guarantee, prior=0.1)."
)

ANSWERS: Final = (
    "A mechanism has no {name}: it has a promise and a privacy loss. Write mechanism.loss().{name}"
    "(...) for what is run, or mechanism.guarantee().{name}(...) for every mechanism that keeps "
    "the promise."
)
ASSESSED: Final = "A mechanism has no {name}. Write assess(mechanism, prior=0.1)."

TEXTS: Final[dict[str, str]] = {
    # what is often asked of a guarantee, and who answers
    "guarantees.elsewhere.assess": "write assess(guarantee).",
    "guarantees.elsewhere.attack": "write guarantee.power(0.05), or attack(guarantee) with attack "
    "from dprisk.risk.",
    "guarantees.elsewhere.compose": "write compose([guarantee], [12]) for twelve releases.",
    "guarantees.elsewhere.convert": 'write convert(guarantee, "approximate", delta=1e-6).',
    "guarantees.elsewhere.counterfactual": "write counterfactual(guarantee, "
    'adversary="rest-known").',
    "guarantees.elsewhere.difference": BELIEFS,
    "guarantees.elsewhere.disclosure": "write disclosure(guarantee).",
    "guarantees.elsewhere.loss": "mechanisms have one, as in Laplace(...).loss(). A promise "
    "bounds the loss: loss_bound(0.01).",
    "guarantees.elsewhere.odds": BELIEFS,
    "guarantees.elsewhere.posterior": BELIEFS,
    "guarantees.elsewhere.ratio": BELIEFS,
    "guarantees.elsewhere.report": "write report(guarantee), with report from dprisk.documents.",
    # and of a mechanism
    "guarantees.of-mechanism.delta": ANSWERS,
    "guarantees.of-mechanism.difference": ASSESSED,
    "guarantees.of-mechanism.epsilon": ANSWERS,
    "guarantees.of-mechanism.level": ANSWERS,
    "guarantees.of-mechanism.loss_bound": ANSWERS,
    "guarantees.of-mechanism.odds": ASSESSED,
    "guarantees.of-mechanism.posterior": ASSESSED,
    "guarantees.of-mechanism.power": ANSWERS,
    "guarantees.of-mechanism.ratio": ASSESSED,
    "guarantees.of-mechanism.tail": ANSWERS,
    # other neighbors
    "guarantees.two-steps.renyi": "Two steps of Rényi DP need the divergence at twice the order, "
    "and every order given is at most 2 (the largest is {largest}). Add a larger order.",
    # parameters
    "guarantees.tradeoff.convex": "convex errors",
    "guarantees.tradeoff.ends": "two lists of the same length with levels from 0 to 1",
    "guarantees.tradeoff.ends.fix": "Add the corners at level 0 and 1, or use FDP.polygon.",
    "guarantees.tradeoff.falling": "non-increasing errors",
    "guarantees.tradeoff.function": "a trade-off function ({what})",
    "guarantees.tradeoff.function.fix": "FDP.hull gives what these points imply by themselves.",
    "guarantees.tradeoff.got": "{error} at level {level}",
    "guarantees.tradeoff.limited": "errors at most 1 - level",
    "guarantees.tradeoff.names": "levels and errors",
    "guarantees.tradeoff.points": "an integer of at least 16",
    "guarantees.tradeoff.shape": "a function that keeps the shape {shape}",
    "guarantees.tradeoff.sizes": "{levels} and {errors} numbers",
    # conversions
    "guarantees.convert.left-out": "left out when converting to {target}",
    "guarantees.convert.none": "dprisk knows no {target} guarantee that follows from a promise of "
    "{guarantee}: no theorem in the table leads there.",
    "guarantees.convert.none.bounded": "A promise of {guarantee} implies no {target} guarantee: "
    "that definition limits losses above a positive epsilon. Ask at a positive epsilon.",
    "guarantees.convert.none.delta": "A promise of {guarantee} implies no {target} guarantee at "
    "delta = {delta}: no finite epsilon holds there for every mechanism that keeps the "
    "promise. Ask for a larger delta.",
    "guarantees.convert.none.pure": "A promise of {guarantee} implies no {target} guarantee: its "
    "mechanisms may have an unbounded privacy loss.",
    "guarantees.convert.none.revealed": "A promise of {guarantee} implies no {target} guarantee: "
    "with probability up to {revealed} an output may be possible under only one of two "
    "neighbors. That is an infinite privacy loss, which {target} DP rules out.",
    "guarantees.convert.once": "given exactly once when converting to {target}",
    "guarantees.convert.once.fix": "Say at which {options} to state the converted guarantee.",
    "guarantees.convert.or": " or ",
    # what conversions are called in listings
    "guarantees.row.concavity-power": "the concavity of power",
    "guarantees.row.markov-inequality": "Markov's inequality",
    "guarantees.row.stated": "as stated",
    "guarantees.row.divergence-two-normals": "the divergence of two normals",
    "guarantees.row.its-own-tail": "its own tail",
}
