"""One result, one sentence: what assess, compose, power and counterfactual print."""

from __future__ import annotations

from typing import Final

RESULTS: Final = {
    "assess.silent": "{name} cannot be assessed. {reason}",
    "assess.promise": "{promises}{times} {about}.",
    "assess.promise.composed": "{promises}{times} {about}. Together, {all} satisfy {whole} "
    "({rule}).",
    "assess.promise.point": "{said} This is one point on the privacy profile.",
    "assess.all.parts": "the parts",
    "assess.all.outputs": "the {count} outputs",
    "assess.all.releases": "the {count} releases",
    "assess.promises": "The release promises {parts}",
    "assess.uses": "The release uses {parts}",
    "assess.parts": "The release combines promises and mechanisms: {parts}",
    "assess.times": ", in each of {releases} releases",
    "assess.about": "({unit}; {period}; {relation}; {model})",
    "assess.unit": "unit: {unit}",
    "assess.unit.none": "unit not stated",
    "assess.period": "period: {period}",
    "assess.period.once": "one-off release",
    "assess.period.none": "period not stated",
    "assess.relation": "{neighbors} neighbors",
    "assess.relation.assumed": "{neighbors} neighbors, assumed",
    "assess.model.central": "central model",
    "assess.model.local": "local model",
    "assess.model.shuffle": "shuffle model",
    "assess.model.federated": "federated model",
    "assess.model.varies": "central and local models",
    "assess.model.none": "model not stated",
    "assess.point": "{promise} (one point on the privacy profile)",
    "assess.composed": "Together, {all} satisfy {whole} {rule}.",
    "assess.composed.own": "We added up the privacy losses of {parts} {rule}.",
    "assess.composed.promises": "We added up the worst-case privacy losses of {parts} {rule}.",
    "assess.composed.parts": "the parts: {parts}",
    "assess.composed.uses": "{count} uses of {part}",
    "assess.composed.each": "{count} promises of {part} each",
    "period.once": "once",
    "period.hour": "hour",
    "period.day": "day",
    "period.week": "week",
    "period.month": "month",
    "period.quarter": "quarter",
    "period.year": "year",
    "part.comma": ", ",
    "part.times": ", {count} times",
    "part.times.sampled": ", {count} times, each time with a new sample",
    "part.times.promised": " ({count} times)",
    "part.label": " for {label}",
    "part.known": "{name} ({parts}){label}{times}",
    "part.promised": "{keeps}{times}",
    "part.run": "{run}{label}{times}",
    "part.mechanism": "{mechanism} ({details}){label}{times}",
    "part.mechanism.sampled": "{mechanism} ({details}) on results from a random sample of the "
    "records (rate {rate}){label}{times}",
    "part.keeps": "{part}, satisfying {keeps}",
    "part.keeps.each": "{part}, each time satisfying {keeps}",
    "part.last": "and {part}",
    "part.parameters": "{name} with {parameters}",
    "part.approximate": "δ-approximate {name}",
    "assess.with-data": "A second question is how much {data} adds. Suppose results made without "
    "the record suggest a {before} chance that it has a particular value. Whatever the results "
    "show, and whatever someone believed before, results made with the record can raise that "
    "chance {up}.",
    "assess.with-data.looser": "{said} This limit is looser because including one record can make "
    "the results more likely if the record has this value and, at the same time, less likely if "
    "it does not.",
    "assess.still": "From any prior, the chance does not change, {sure}.",
    "assess.anybody": "From any prior, the chance changes by {points}, {sure}. {starts}",
    "tests.guess": "An adversary who must guess which of two equally likely possibilities is true "
    "can be right in {cases}.",
    "tests.power.membership": "Suppose a test raises a false alarm in {false} when the results "
    "are made without {data}. When the results are made with {data}, the test can raise a true "
    "alarm in {true}.",
    "tests.power.attribute": "Take two possible values of {data}. If a test raises a false alarm "
    "in {false} under the first value, it can raise a true alarm in {true} under the second.",
    "tests.guess.formal": "An adversary who must guess which of two equally likely possibilities "
    "is true can be right with a probability of {cases}.",
    "tests.power.formal": "At level {level}, a test can have a power of {true}.",
    "tests.belief.membership": "If this test raises an alarm, a chance of {prior} that the results "
    "were made with {data} can rise to {alarm}. If the test raises no alarm, a chance of "
    "{opposite} that they were made without {data} can rise to {silence}.",
    "tests.belief.attribute": "If this test raises an alarm, a chance of {prior} that the second "
    "value is true can rise to {alarm}. If the test raises no alarm, a chance of {opposite} that "
    "the first value is true can rise to {silence}.",
    "tests.belief.membership.formal": "After an alarm, a prior of {prior} can rise to a posterior "
    "of {alarm}. Without an alarm, a probability of {opposite} that the results were made without "
    "{data} can rise to {silence}.",
    "tests.belief.attribute.formal": "After an alarm, a prior of {prior} can rise to a posterior "
    "of {alarm}. Without an alarm, a probability of {opposite} that the first value is true can "
    "rise to {silence}.",
    "cases.none": "no case",
    "cases.every": "every case",
    "cases.of": "{count} of {of}",
    "cases.number": "{number} cases",
    "cases.most": "at most {number} cases",
    "cases.bottom": "under {edge} cases",
    "cases.top": "possibly over {edge} cases",
    "compared": "{who}: suppose results made {world} suggest a {before} chance that the record has "
    "{claim}. Results made with the record can bring that chance {after}, {sure}.",
    "compared.vacuous": "{who}: suppose results made {world} suggest a {before} chance that the "
    "record has {claim}. There is almost no limit for this adversary: with the record, the chance "
    "is possibly over {edge}.",
    "compared.exceeding.mostly": "{who}: with probability at most {most}, results made with the "
    "record suggest a chance more than {ratio} times as large as results made {world}.",
    "compared.exceeding.never": "{who}: results made with the record never suggest a chance more "
    "than {ratio} times as large as results made {world}.",
    "compared.exceeding.any": "{who}: no limit is known on how often results made with the record "
    "suggest a chance more than {ratio} times as large as results made {world}.",
    "compared.world.resampled": "with a substitute for the record",
    "compared.world.default-record": "with a fixed substitute for the record",
    "compared.world.dropped": "without the record",
    "compared.who.true-record": "An adversary who knows all other records",
    "compared.who.rest-known": "An adversary who knows all other records, and how likely each "
    "value of the record is",
    "compared.who.arbitrary-prior": "An adversary with a correct model of the population",
    "compared.who.wrong-prior": "An adversary whose beliefs about the data may be wrong",
    "compared.claim.true": "the value it really has",
    "compared.claim.any": "a particular value",
    "compared.number": "to at most {chances}",
    "compared.bottom": "to under {edge}",
    "together.one": "This release satisfies",
    "together.many": "Together, these {uses} parts satisfy",
    "later.one": "whatever is computed from it later",
    "later.many": "whatever is computed from them later",
    "together.promise": "{keeps} (ε, δ)-DP at {at} with {asked} {between}, {later}.",
    "together.none": "No finite ε holds at {at}.",
    "together.unknown": "No finite ε is known to hold at {at}.",
    "together.test": "A test of two neighboring datasets at level {level} has a power of {most}, "
    "{later}.",
    "together.shift": "With probability at least {confidence}, the log-odds move by {most}, "
    "{later}.",
    "together.shift.none": "With probability at least {confidence}, no bound on the "
    "log-odds holds.",
    "between.most": "at most {high}",
    "between.exact": "= {high}",
    "between.rounded": "at most {high}",
    "between": "between {low} and {high}",
    "most": "at most {high}",
    "most.nats": "at most {high} nats",
    "most.known": "{most} (no bound below {low} holds)",
    "width.upper": "upper bound",
    "width.exact": "exact",
    "width.digits": "{digits} digits",
    "width.factor": "within a factor of {factor}",
}
