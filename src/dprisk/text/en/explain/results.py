"""One result, one sentence: what assess, compose, power and counterfactual print."""

from __future__ import annotations

from typing import Final

__all__ = ["RESULTS"]

RESULTS: Final = {
    "assess.silent": "{name} cannot be assessed. {reason}",
    "assess.promise": "The release promises {promises}{times} {about}.",
    "assess.promise.composed": "The release promises {promises}{times} {about}: together at "
    "most {whole} ({rule}).",
    "assess.times": ", {releases} times over",
    "assess.about": "({unit}, {period}, {relation}, {model})",
    "assess.unit": "unit: {unit}",
    "assess.unit.none": "unit not stated",
    "assess.period": "period: {period}",
    "assess.period.none": "period not stated",
    "assess.relation": "{neighbors} neighbors",
    "assess.relation.assumed": "{neighbors} neighbors assumed",
    "assess.model": "{model} model",
    "assess.model.none": "model not stated",
    "assess.point": "{promise}, a point on one curve",
    "assess.composed": "Composed to {guarantee} {rule}.",
    "assess.composed.own": "The privacy losses of what was run were added up: {parts} {rule}.",
    "assess.composed.promises": "The privacy losses of the worst that can keep the promises "
    "were added up: {parts} {rule}.",
    "part.times": "{count} × ",
    "part.label": " for {label}",
    "part.known": "{times}{name} ({parts}){label}",
    "part.promised": "{times}{keeps}{label}",
    "part.run": "{times}{run}, which keeps {keeps}{label}",
    "part.mechanism": "{times}{mechanism} ({details}), which keeps {keeps}{label}",
    "part.parameters": "{name} with {parameters}",
    "part.approximate": "δ-approximate {name}",
    "assess.belief": "Somebody who puts the chances that {secret} at {before} may put them, "
    "having seen the results, {between} ({sure}).",
    "assess.with_data": "Where results made without the data of {who} would lead somebody to "
    "put the chances of something about {who} at {before}, results made with them lead to "
    "{high} (whatever they turn out to be, if {who} is independent of all others).",
    "assess.still": "Whatever somebody thought before, the results do not move the belief "
    "({sure}).",
    "assess.anybody": "Whatever somebody thought before, the results can move the belief up or "
    "down by {points} percentage points; most for somebody who {starts} ({sure}).",
    "points": "at most {points}",
    "points.top": "even more than 99",
    "points.top.plain": "even more than 99 in 100",
    "starts": "starts {up}",
    "starts.apart": "starts {up} (up) or {down} (down)",
    "ends.same": "{end} in any case",
    "ends.anywhere": "anywhere from below {bottom} to above {top}",
    "ends": "{high} and {low}",
    "high.number": "{chances} at most",
    "high.top": "even above {edge}",
    "high.bottom": "below {edge}",
    "low.number": "at {chances} at least",
    "low.top": "above {edge}",
    "low.bottom": "even below {edge}",
    "at": "at {end}",
    "tests.guess": "Somebody who has to say which of the two is so, when both are equally "
    "likely, is right in {cases}.",
    "tests.power": "A test that raises a false alarm in {false} {without} raises a true one in "
    "{true} {within}.",
    "tests.belief": "At that level, an alarm moves a belief of {prior} in what it signals to "
    "{alarm}; no alarm moves the {opposite} for the opposite to {silence}.",
    "cases.membership.without": "in which {who} is not in the data",
    "cases.membership.within": "in which {who} is",
    "cases.attribute.without": "in which the record of {who} says one thing",
    "cases.attribute.within": "in which it says another",
    "cases.none": "no case",
    "cases.every": "every case",
    "cases.every.possibly": "possibly every case",
    "cases.of": "{count} of {of}",
    "cases.number": "{number} cases",
    "cases.most": "at most {number} cases",
    "cases.bottom": "fewer than {edge} cases",
    "cases.top": "possibly more than {edge} cases",
    "moved.number": "at most {chances}",
    "moved.top": "possibly more than {edge}",
    "moved.bottom": "fewer than {edge}",
    "compared": "{who}: if results made without your record put the chances of {claim} at "
    "{before}, the same results made with it put them {after} ({sure}).",
    "compared.who.true-record": "For somebody who knows every other record",
    "compared.who.rest-known": "For somebody who knows every other record, and how likely yours "
    "is to say what",
    "compared.who.arbitrary-prior": "For somebody who is right about how records come about",
    "compared.who.wrong-prior": "For anybody, however wrong about the data",
    "compared.claim.true": "what it really says",
    "compared.claim.any": "one thing that it may say",
    "compared.certain": "anywhere up to certainty",
    "compared.top": "anywhere up to above {edge}",
    "compared.number": "at {chances} at most",
    "compared.bottom": "at fewer than {edge}",
    "together.one": "This release keeps",
    "together.many": "Together these {uses} releases keep",
    "later.one": "whatever is computed from it later",
    "later.many": "whatever is computed from them later",
    "together.promise": "{keeps} (ε, δ)-DP at {at} with {asked} {between}, {later}.",
    "together.none": "No finite ε is kept at {at}.",
    "together.unknown": "As far as is known, no finite ε is kept at {at}.",
    "together.test": "A test that tells two neighbors apart with a false alarm at a level of "
    "{level} has a power of {most}, {later}.",
    "together.shift": "With a confidence of at least {confidence}, the log-odds move by {most}, "
    "{later}.",
    "together.shift.none": "With a confidence of at least {confidence}, no bound on the "
    "log-odds holds.",
    "between.most": "of at most {high}",
    "between.exact": "= {high}",
    "between": "between {low} and {high}",
    "most": "at most {high}",
    "most.nats": "at most {high} nats",
    "most.known": "{most} (no bound below {low} holds)",
    "width.upper": "upper bound",
    "width.exact": "exact",
    "width.digits": "{digits} digits",
    "width.factor": "within a factor of {factor}",
}
