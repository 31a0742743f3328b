"""An adversary who chooses the next release, and how much noise it has, by what came out before.

Mechanisms are lists of the probabilities of each output under two neighbors, in fractions. All
outputs are gone through, so what the whole reveals is exact. Nothing here comes from the package
but the rule that is asked whether the next release may be made.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from dprisk import ApproxDP, PureDP
from dprisk.releases import Part

ADDED = "add-remove"


def log_up(number):
    """A float that is certainly not below the logarithm."""
    return math.nextafter(math.nextafter(math.log(number), math.inf), math.inf)


def response(odds):
    """Randomized response: its promise, and its outputs."""
    truth, other = Fraction(odds) / (odds + 1), Fraction(1) / (odds + 1)
    return Part(PureDP(log_up(odds), neighbors=ADDED)), [(truth, other), (other, truth)]


def leaky(odds, delta):
    """The same, but for a chance that the truth is shown: attains (log odds, delta)-DP."""
    kept = [((1 - delta) * p, (1 - delta) * q) for p, q in response(odds)[1]]
    up = math.nextafter(float(delta), 1.0)
    part = Part(ApproxDP(log_up(odds), up, neighbors=ADDED))
    return part, [*kept, (delta, Fraction(0)), (Fraction(0), delta)]


def transcripts(rule, strategy, seen=(), spent=None):
    """The probabilities of every transcript under both neighbors.

    A strategy says what is to be released next, by the outputs so far; None ends it. What the rule
    refuses is left out, and the strategy is told by an output None.
    """
    spent = Counter() if spent is None else spent
    wanted = strategy(seen)
    if wanted is None:
        return [(Fraction(1), Fraction(1))]
    part, outputs = wanted
    if not rule.decide(spent, {part: 1}).kept:
        return transcripts(rule, strategy, (*seen, None), spent)
    then = spent + Counter({part: 1})
    return [
        (p * later, q * other)
        for i, (p, q) in enumerate(outputs)
        for later, other in transcripts(rule, strategy, (*seen, i), then)
    ]


def revealed(pairs, odds):
    """The least delta at e^epsilon = odds, for both orders of the neighbors."""
    one = sum((max(p - odds * q, Fraction(0)) for p, q in pairs), Fraction(0))
    other = sum((max(q - odds * p, Fraction(0)) for p, q in pairs), Fraction(0))
    return max(one, other)
