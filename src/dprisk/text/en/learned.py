"""Reports: who can learn what, reader by reader."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "report.risks.lead": "Each number limits the worst case for the named adversary. “At most” and "
    "“at least” mark limits, not estimates: upper limits are rounded up and lower limits down.",
    "report.risks.missing": "{name}. {why}",
    "report.compared.lead": "This table compares what the same adversary believes in two cases: "
    "after seeing results made with {record}, and after seeing results made {world}. What "
    "everyone else's data show is the same in both cases.",
    "report.compared.from": "From {prior}: at most",
    "report.compared.caption": "Highest belief with the record, by belief without it",
    "report.compared.caption.sure": "Highest belief with the record, by belief without it, {sure}",
    "report.compared.reader": "Adversary",
    "report.compared.belief": "Belief in",
    "report.compared.everyone": "These limits hold for every adversary, whatever they know and "
    "even if their beliefs are wrong.",
    "report.compared.ratio": "With ÷ without: at most",
    "report.compared.holds": "Holds",
    "report.exceeding.caption": "Highest probability that the belief with the record exceeds a "
    "multiple of the belief without it",
    "report.exceeding.times": "More than {ratio} times",
    "report.beliefs.caption": "Prior and posterior, {sure}",
    "report.beliefs.before": "Prior",
    "report.beliefs.least": "Posterior: at least",
    "report.beliefs.most": "Posterior: at most",
    "report.beliefs.change": "Change: at most",
    "report.beliefs.ratio": "Ratio: at most",
    "report.beliefs.any": "{Sure}, the posterior is at most {ratio} times the prior, for any "
    "prior.",
    "report.beliefs.together": "Here the upper and the lower limit hold at the same time, {sure}. "
    "In the table of results with and without the record, each limit holds separately, {sure}. So "
    "the ratio there can be slightly lower for an adversary who knows all other records.",
    "report.usual": "The limits above are for the worst case. What usually happens depends on "
    "the noise and on the data. As an example, take the two datasets that are easiest to tell "
    "apart, and someone who sees the whole output and thinks there is a {before} chance that "
    "{claim}. If that is true, the chance afterwards is {true}. If it is false, the chance "
    "afterwards is {false}. For other datasets, the chance can stay closer to {before}.",
    "report.usual.apart": "{half} in at least half of all cases, and {most} in at least 95 of 100 "
    "cases",
    "report.usual.alike": "{most} in at least 95 of 100 cases",
    "report.usual.caption": "Posterior in usual cases for these two datasets, at most",
    "report.usual.number": "{chances}",
    "report.usual.top": "possibly over {chances}",
    "report.usual.bottom": "under {chances}",
    "report.usual.most.number": "at most {chances}",
    "report.usual.most.top": "possibly over {chances}",
    "report.usual.most.bottom": "under {chances}",
    "report.usual.before": "Prior",
    "report.usual.in_half": "If true: half of cases",
    "report.usual.in_most": "If true: 95 of 100",
    "report.usual.out_half": "If false: half of cases",
    "report.usual.out_most": "If false: 95 of 100",
    "report.tested.lead.membership": "This adversary runs a test on the results. The test raises "
    "an alarm when the results favor the possibility that {present}. The level is the false "
    "positive rate; the power is the true positive rate.",
    "report.tested.lead.attribute": "This adversary runs a test on the results, to compare two "
    "values of the record. The test raises an alarm when the results favor the second value. The "
    "level is the false positive rate; the power is the true positive rate.",
    "report.tested.alarm": "After an alarm, from {prior}: at most",
    "report.tested.level": "Level",
    "report.tested.most": "Power: at most",
    "report.tested.caption": "Highest power of any test, and belief after its alarm",
    "report.tested.known": "These limits are for the mechanism that the release describes.",
    "report.tested.any": "These limits hold for any mechanism that keeps the promise. If the "
    "mechanism is known, the limits can be stricter.",
    "report.tested.some": "Where the release names the noise of a part, these limits are for that "
    "noise. For every other part, they hold for any mechanism that keeps its promise.",
    "report.reader.wrong-prior": "an adversary whose beliefs about the data may be wrong",
    "report.reader.arbitrary-prior": "an adversary with a correct model of the population",
    "report.reader.rest-known": "an adversary who knows all other records and how common each "
    "value is",
    "report.reader.true-record": "an adversary who knows all other records",
    "report.about.wrong-prior": "any value of the record",
    "report.about.arbitrary-prior": "the true value of the record",
    "report.about.rest-known": "any value of the record",
    "report.about.true-record": "the true value of the record",
    "report.asks.membership": "An adversary who asks whether {present}",
    "report.asks.attribute": "An adversary who asks what is in {record}",
    "report.asks.both": "An adversary who asks whether {present} and has a value",
    "report.knows.both": "This adversary knows all other records, or only how likely they are. The "
    "question is whether {present} and whether, at the same time, the record has a particular "
    "value.",
    "report.knows.membership": "This adversary knows all other records and all attributes of "
    "{who}, and asks only whether {present}.",
    "report.knows.attribute": "This adversary knows all other records and that {present}, and "
    "asks only which of two values the record has.",
    "report.other.membership": "The summary asks whether the record is in the data. This table "
    "asks what the record contains, and its adversaries may know less.{why}",
    "report.other.two-steps": " For an adversary who knows all other records, the numbers can be "
    "larger because changing a value takes two steps: taking one record out and putting another "
    "in.",
    "report.other.bayes": " For an adversary who may know less, the numbers can be larger because "
    "the record can change both the numerator and the denominator of Bayes' rule.",
    "report.other.attribute": "The summary compares two values of the record, for an adversary "
    "who knows everything else. This table asks a different question: it compares what one "
    "adversary believes with the record and without it. That adversary may know less or have "
    "wrong beliefs, so the numbers can be larger.",
    "report.other.both": "The summary asks whether the record is in the data and has a value. This "
    "table compares what one adversary believes with the record and without it. That adversary may "
    "know less or have wrong beliefs, so the numbers can be larger.",
    "report.factors.which": "Factor",
    "report.factors.before": "Prior",
    "report.factors.most": "Posterior: at most",
    "report.factors.ratio": "Ratio: at most",
    "report.factors.caption": "The two factors whose product is posterior over prior. Each has a "
    "limit of its own, {sure}.",
    "report.also": "The source states the promise in more than one way. If all statements hold, "
    "the strictest counts: the limits here are from {best}. Under {other} alone, a prior of "
    "{prior} can rise {up}, {sure}.",
    "report.second.attribute": "This is a different question from the one in the summary. Its "
    "limits can be looser: under add-remove neighbors, changing a value takes two steps (one "
    "record out, another in).",
    "report.second.membership": "This is a different question from the one in the summary. Its "
    "limits can be stricter: being in the data is one step, and changing a value takes two.",
    "report.world.resampled": "with a substitute record, drawn at random given the other records",
    "report.world.default-record": "with a fixed record in its place",
    "report.world.dropped": "without it",
    "report.belief.number": "{chances}",
    "report.belief.top": "over {chances}",
    "report.belief.bottom": "under {chances}",
    "report.belief.no-most": "almost no limit: possibly over {chances}",
    "report.belief.no-least": "almost no limit: possibly under {chances}",
    "report.fall.number": "to at least {chances}",
    "report.fall.top": "to over {chances}",
    "report.fall.bottom": "to under {chances}",
}
