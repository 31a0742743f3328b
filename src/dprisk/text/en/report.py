"""Reports: headings, captions, columns and the sentences between them."""

from __future__ import annotations

from typing import Final

TITLES: Final = {
    "report.title.summary": "Summary",
    "report.title.release": "What was released",
    "report.title.missing": "Where the promise sets no limit",
    "report.title.learned": "Who can learn what",
    "report.title.promise": "What the promise means",
    "report.title.person": "In plain words",
    "report.title.compared": "Results with and without the record",
    "report.title.profile": "Risk profile and budget",
    "report.profile.lead": "A risk profile says how far a belief may rise, from every prior. The "
    "belief is that the person is in the data and has a particular value. The largest budget that "
    "keeps the profile follows from it.",
    "report.profile.file": "The profile, as a file",
    "report.profile.limited": "Pure DP with ε = {most} or less ({neighbors} neighbors) keeps the "
    "profile at every prior ({theorem}).",
    "report.profile.priors.caption": "Largest ratio of posterior to prior, and largest ε of pure "
    "DP (add-remove neighbors), at each prior",
    "report.column.membership-prior": "Membership prior",
    "report.column.value-prior": "Value prior",
    "report.column.ratio-at-most": "Ratio: at most",
    "report.column.largest-epsilon": "Largest ε",
    "report.profile.no-limit": "The profile limits nothing. {reason}",
    "report.profile.infeasible": "No release keeps the profile. {reason}",
    "report.profile.binds": "The profile is strictest at {where}: there, posterior over prior may "
    "be at most {ratio}.",
    "report.profile.kept": "This release alone keeps the profile, {sure}. It uses at most {used} % "
    "of the ε that the profile allows.",
    "report.profile.broken": "This release may break the profile. It uses up to {used} % of the ε "
    "that the profile allows.",
    "report.profile.silent": "No release that reveals anything keeps the profile.",
    "report.profile.noise.caption": "Largest promise that keeps the profile, for a single "
    "release, and noise for one count that keeps the promise (sensitivity 1)",
    "report.profile.promise": "Promise",
    "report.profile.noise": "Noise",
    "report.profile.deviation": "Standard deviation",
    "report.profile.off": "95 of 100 within",
    "report.profile.rules.caption": "What other rules would give, at the priors where the profile "
    "is strictest. Each answers a different question.",
    "report.profile.rule": "Rule",
    "report.profile.epsilon": "ε",
    "report.profile.open": "The profile does not cover:",
    "report.rule.half": "half the logarithm of the ratio: keeps the ratio at every prior",
    "report.rule.left_out": "limits what can be learned about which person was left out (Lee and "
    "Clifton 2011)",
    "report.rule.with_data": "compares results with and without the data (Wood et al. 2018)",
    "report.title.usual": "What usually happens",
    "report.title.tested": "An adversary who runs a statistical test",
    "report.title.together": "All parts together",
    "report.title.going-on": "If releases continue",
    "report.title.adding": "Repeated releases",
    "report.title.concerns": "Single concerns",
    "report.title.assumed": "Assumptions",
    "report.title.uncovered": "What the limits do not cover",
    "report.title.reasons": "How the numbers were computed",
    "report.title.again": "Reproduce this report",
    "report.title.signed": "Sign-off",
    "report.title.costs": "Accuracy and noise",
}

TEXTS: Final[dict[str, str]] = {
    **TITLES,
    "report.share.top": "possibly over 0.9999",
    "report.share.bottom": "under 1e-12",
    "report.promised": "The release has {number} parts{times_over} {about}. Together, they "
    "satisfy {whole} ({rule}).",
    "report.part": "part {number}",
    "report.part.only": "the release",
    "report.limits.caption": "Limits for the question: {question}",
    "report.limits.limited": "Quantity",
    "report.limits.limit": "Limit",
    "report.limits.most": "At most",
    "report.limits.before": "From a prior of",
    "report.limits.verdict": "Verdict",
    "report.limits.any": "any",
    "report.limits.kept": "kept",
    "report.limits.broken": "not kept",
    "report.limits.silent": "no number to check",
    "report.limits.several": "{kept} of your {count} limits are kept.",
    "report.limits.several-one": "{kept} of your {count} limits is kept.",
    "report.limits.one.kept": "Your limit is kept.",
    "report.limits.one.broken": "Your limit is not kept.",
    "report.release.name": "Name",
    "report.release.curator": "Released by",
    "report.release.date": "First published",
    "report.release.region": "Region",
    "report.release.unit": "Privacy unit",
    "report.release.not-stated": "not stated",
    "report.release.period": "Period",
    "report.release.once": "one-off (published once)",
    "report.release.neighbors": "Neighbors",
    "report.release.model": "Who adds the noise",
    "report.release.times": "Number of releases",
    "report.release.invariants": "Published without noise, and so not covered by any promise:",
    "report.release.notes": "Notes on the source:",
    "report.release.sources": "Sources:",
    "report.release.assumed": "; assumed, because the source does not say",
    "report.release.parts": "Promise, as given",
    "report.release.parts.source": "Promise, as the source states it",
    "report.release.also": "Second promise (an alternative, not an addition)",
    "report.release.false": "Statement that the release cannot keep",
    "report.release.run": "Mechanism, as given",
    "report.release.run.source": "Mechanism, as the source states it",
    "report.release.mixed": "Promises and mechanisms, as given",
    "report.release.mixed.source": "Promises and mechanisms, as the source states them",
    "report.release.part": "Part",
    "report.release.promise": "Promise",
    "report.release.mechanism": "Mechanism",
    "report.release.either": "Promise or mechanism",
    "report.release.count": "Times per release",
    "report.part.attribute": "The value of a record",
    "report.part.compared": "With the record and without it",
    "report.part.membership": "Whether someone is in the data",
    "report.part.tests": "Statistical tests",
    "report.statement.composed": "all parts, composed",
    "report.statement.stated": "the same release, stated differently",
    "report.missing.membership": "Under replace-one neighbors, the two datasets always have the "
    "same number of records, so the exact number may be published. Someone who knows all other "
    "records can then tell whether there is one more.",
    "report.person.lead": "This part is for the people the data are about. You can give it to "
    "them unchanged.",
    "report.no-limit": "no limit",
    "report.together.one": "The promise as (ε, δ)-DP",
    "report.together.caption": "All parts as (ε, δ)-DP, for the results and anything computed from "
    "them",
    "report.together.caption.one": "The promise as (ε, δ)-DP, for the results and anything "
    "computed from them",
    "report.together.also": "This table uses {used} only. It does not use the source's other "
    "statement, {promise}.",
    "report.together.also.stricter": "This table uses {used} only. At δ = {deltas}, the source's "
    "other statement, {promise}, is stricter.",
    "report.together.delta": "At δ",
    "report.together.epsilon": "ε: at most",
    "report.adding.lead": "Each new release about the same people adds to what an adversary can "
    "learn. A later release may depend on the results of earlier ones. We assume that the noise "
    "of each release is independent.",
    "report.adding.lossy": "Lossy: {text}.",
    "report.ladder.releases": "Releases",
    "report.ladder.belief": "Posterior: at most",
    "report.ladder.by": "Bound",
    "report.bound.basic": "basic composition",
    "report.bound.basic-best-delta": "basic composition, best δ",
    "report.bound.advanced": "advanced composition",
    "report.bound.advanced-best-delta": "advanced composition, best δ",
    "report.bound.optimal": "optimal composition",
    "report.bound.optimal-best-delta": "optimal composition, best δ",
    "report.bound.exact-curve": "optimal composition, whole curve",
    "report.bound.simple-conversion": "zCDP, standard conversion",
    "report.bound.tight-conversion": "zCDP, by Canonne et al. 2020",
    "report.bound.zcdp-curve": "zCDP, from the power curve",
    "report.bound.gaussian-dp-curve": "Gaussian DP, whole curve",
    "report.bound.gaussian-noise": "Gaussian noise",
    "report.bound.gaussian-noise-raw-output": "Gaussian noise, raw output",
    "report.bound.promises-composed": "all promises, whole curve",
    "report.bound.mechanism": "the release's own privacy loss",
    "report.bound.mechanism-raw-output": "the release's own privacy loss, raw output",
    "report.ladder.lead": "Question: {question} The adversary knows all other records, and starts "
    "from a prior of {prior}. Each limit holds {sure}. {one_release}",
    "report.ladder.both": "A table of later releases follows one privacy loss. This question has "
    "two: one for being in the data, and one for the value. The explanations in this report say "
    "what several releases reveal about both. For a table, make a report with one of the two "
    "questions, membership or attribute.",
    "report.ladder.caption": "Posterior after a number of releases, from a prior of {prior}",
    "report.ladder.one-part": "Here one release means the results{every}.",
    "report.ladder.all-parts": "Here one release means the {uses} parts together{every}.",
    "report.ladder.all-outputs": "Here one release means the {uses} outputs together{every}.",
    "report.ladder.period": " for one period ({period})",
    "report.ladder.none": "The limit of {limit} on the posterior, from a prior of {prior}, may be "
    "broken by a single release.",
    "report.ladder.all": "The limit of {limit} on the posterior, from a prior of {prior}, is kept "
    "for up to {last} releases, {sure}.",
    "report.ladder.until": "The limit of {limit} on the posterior, from a prior of {prior}, is "
    "kept for up to {last} releases, {sure}. With {first} or more, it may be broken.",
    "report.concern.power": "Power at level {level}",
    "report.concern.belief": "Posterior, from {prior}",
    "report.concern.lead": "These limits are for the queries of {name}, and for an adversary who "
    "knows all other records, and everything in this record except what the concern names.",
    "report.concern.less": "The queries in this table spend {unit} = {spent}. The release promises "
    "{most}, so {name} leaves out a part of it, or spends less than it may.",
    "report.concern.shares": "How much of {unit} = {total} is about each concern",
    "report.concern.concern": "Concern",
    "report.concern.queries": "Queries",
    "report.concern.share": "Share",
    "report.concern.learned": "What can be learned about each concern, at most",
    "report.concern.together": "{names} together",
    "report.concern.everything": "everything",
    "report.concern.exact": "These limits are for the noise that the table names ({noise}). They "
    "can be stricter than limits for every mechanism that keeps the promise.",
    "report.concern.noise": "Noise of each query",
    "report.concern.query": "Query",
    "report.concern.where": "Level or place",
    "report.concern.deviation": "Standard deviation",
    "report.concern.margin": "90 % margin",
    "report.concern.worst": "where only an ε is known, the worst that keeps it",
    "report.concern.promise": "These limits hold for any mechanism that keeps the promise.",
    "report.concern.moves": "{name}: from {prior}, the chance can rise {up} or fall {down}, "
    "{sure}.",
    "report.assumed.reader": "{reader}: {line}",
    "report.assumed.by": "{title}, by {promise}",
    "report.assumed.kept": "We assume that the promise was kept. dprisk has checked neither the "
    "code nor the data.",
    "report.reasons.caption": "Theorem behind each number",
    "report.reasons.theorem": "Theorem",
    "report.reasons.says": "Statement",
    "report.reasons.numbers": "Numbers",
    "report.reasons.known": "Kind of bound",
    "report.reasons.kind": "{kind} ({question})",
    "report.reasons.works": "Sources:",
    "report.used.promise": "the combined promise",
    "report.used.shift": "change of the log-odds",
    "report.used.shift.other": "change of the log-odds, by a statement of the promise that limits "
    "it less",
    "report.used.compared": "with and without the record: {reader}",
    "report.used.power": "power of tests",
    "report.used.guess": "how often a guess is right",
    "report.used.together": "all parts as (ε, δ)-DP",
    "report.used.ladder": "repeated releases: {name}",
    "report.used.profile": "largest ε of the risk profile",
    "report.used.tests": "tests of a concern",
    "report.used.beliefs": "beliefs about a concern",
    "report.again.none": "This release cannot be written as a file: it was made in Python, or "
    "typed in without all that a file states, such as its period.",
    "report.again.command-line": "On the command line, with dprisk {version}:",
    "report.again.command": "Command",
    "report.again.or-python": "Or in Python:",
    "report.again.python": "Python",
    "report.again.release": "The release, as it was read:",
    "report.again.file": "Release file",
    "report.signed.by": "Prepared by",
    "report.signed.date": "Date",
    "report.signed.checked": "Checked by",
    "report.signed.decision": "Decision and reasons",
    "report.signed.lead": "dprisk computes limits on what can be learned. People decide whether "
    "these limits are acceptable.",
    "report.costs.deviation": "Noise: standard deviation",
    "report.costs.known": "Noise in each published number",
    "report.costs.known.local": "Noise in each reported value",
    "report.costs.lead": "With more noise, the results reveal less and are less accurate. Errors "
    "are in the units of the published numbers.",
    "report.costs.lead.local": "With more noise, the results reveal less and are less accurate. "
    "In the local model, each record gets its own noise. The errors here are for one reported "
    "value of one record, in its units. A total over many records has a larger error, which grows "
    "with the number of records.",
    "report.costs.lead.shuffle": "With more noise, the results reveal less and are less accurate.",
    "report.costs.shuffle": "In the shuffle model, each record gets its own noise before the "
    "records are mixed. The promises are about what comes out of the mixing. They do not say how "
    "much noise each record gets, so dprisk computes no errors for them.",
    "report.costs.no-noise": "no noisy number is published",
    "report.costs.unknown": "not known",
    "report.costs.unknown.why": "“Not known” means that dprisk does not compute this number for "
    "this mechanism.",
    "report.costs.sampled": "For results from a random sample of the records, the table is about "
    "the noise alone. The error that comes from sampling is not included.",
    "report.costs.continuous": "0 (before rounding)",
    "report.costs.each": "each of the {number} parts ({promise})",
    "report.costs.silent": "Neither the release file nor the promise says which noise was added.",
    "report.costs.some": " The first {number} kinds of promise are shown.",
    "report.costs.noise": "Noise",
    "report.costs.sd": "Standard deviation",
    "report.costs.example": "Examples of the noise",
    "report.costs.off": "Error in at least 95 of 100 cases: at most",
    "report.costs.exact": "Probability that the published number is exact: at most",
    "report.costs.exact.local": "Probability that the reported value is exact: at most",
    "report.costs.lead-example": "The release file does not say which noise was added. As an "
    "example, take {example} between neighboring datasets. "
    "{table}{some}",
    "report.costs.lead-example.one": "The release file does not say which noise was added to the "
    "part below. As an example, take {example} between neighboring "
    "datasets. {table}{some}",
    "report.costs.lead-example.some": "The release file does not say which noise was added to "
    "these parts. As an example, take {example} between neighboring "
    "datasets. {table}{some}",
    "report.costs.lead-example.named": "The table of queries says which noise was added: {noise}. "
    "How much a query got follows from its share. As an example of what the whole promise takes, "
    "take {example} between neighboring datasets. {table}{some}",
    "report.costs.named": "The table of queries says which noise was added: {noise}. How much a "
    "query got follows from its share.",
    "report.costs.take": "a single count that differs by at most 1",
    "report.costs.take.local": "one reported value that differs by at most 1",
    "report.costs.least": "The table shows the least noise of each kind that keeps the promise.",
    "report.costs.enough": "The table shows noise of each kind that is proven to keep the promise. "
    "For {kinds} noise, less may be enough.",
    "report.figure.before": "before the release",
    "report.figure.after": "after the release",
    "report.figure.change": "How far a chance can rise or fall, by the chance before the release.",
    "report.figure.power": "The largest true positive rate of any test, by its false positive "
    "rate.",
    "report.figure.releases": "The largest chance after a number of releases.",
    "report.figure.ratios": "The same probabilities for every multiple.",
    "report.figure.this": "this release",
    "report.figure.together": "all parts together",
    "report.figure.numbers": "Numbers in the figure",
    "report.page.title": "{name}: disclosure risk",
    "report.page.contents": "Contents",
    "report.page.skip": "Skip to the content",
    "report.page.table": "Table: {caption}",
    "report.column.case": "case",
    "report.column.at-least": "at least",
    "report.column.at-most": "at most",
    "report.column.icons-filled": "icons filled",
    "report.column.icons-in-all": "icons in all",
    "report.column.in-words": "in words",
    "report.page.curator": "Released by {curator}",
    "report.page.by": "report prepared by {by}",
    "report.page.lead": "What can be learned from this release, at most, and why.",
    "report.page.subtitle": "{start} {line}.",
    "report.page.footer": "Made by dprisk {version}. This page works offline and sends nothing. "
    "Its source contains all the numbers in full precision, as JSON.",
    "report.knows-several.both": "This adversary knows all other records, or only how likely they "
    "are. The question is whether {present} and whether, at the same time, these records have "
    "particular values.",
    "report.knows-several.attribute": "This adversary knows all other records and that {present}, "
    "and asks only which of two values these records have.",
    "report.knows-several.membership": "This adversary knows all other records and all attributes "
    "of {who}, and asks only whether {present}.",
    "report.factor.inclusion": "being in the data",
    "report.factor.value": "the value, if in the data",
    "report.world-several.resampled": "with substitutes for them, drawn at random given the other "
    "records",
    "report.world-several.default-record": "with fixed records in their place",
    "report.world-several.dropped": "without them",
    "report.direction.exact": "exact worst case",
    "report.direction.upper": "upper bound",
    "report.direction.lower": "lower bound",
    "report.question.membership": "being in the data",
    "report.question.both": "being in the data with a value",
    "report.question.attribute": "value of the record",
    "report.number.posterior": "posterior",
    "report.number.odds": "factor on the odds",
    "report.number.ratio": "ratio of posterior to prior",
    "report.number.ratio_not": "ratio of posterior to prior for the opposite",
    "report.number.difference": "change from prior to posterior",
    "report.number.inclusion": "posterior of being in the data",
    "report.number.value": "posterior of the value, if in the data",
    "report.number.with_data": "belief with the record and without it",
    "report.noise.geometric": "geometric",
    "report.noise.laplace": "Laplace",
    "report.noise.gaussian": "Gaussian",
    "report.noise.discrete-gaussian": "discrete Gaussian",
    "report.line.wrong-prior": "any adversary",
    "report.line.arbitrary-prior": "correct model of the population",
    "report.line.rest-known": "knows the rest, any value",
    "report.line.true-record": "knows the rest, true value",
    "report.limited.posterior": "posterior",
    "report.limited.difference": "change from prior to posterior",
    "report.limited.ratio": "ratio of posterior to prior",
    "report.limited.ratio_not": "ratio of posterior to prior for the opposite",
    "report.limited.odds": "factor on the odds",
    "report.little.any": "The limits above are so loose that they rule out little. They are the "
    "worst case over all mechanisms that keep the promise. The mechanism that was used may reveal "
    "much less; the promise alone does not say how much.",
    "report.little.some": "The limits above are so loose that they rule out little. Where the "
    "release does not name the noise of a part, they are the worst case over all mechanisms that "
    "keep its promise. The mechanisms that were used may reveal much less.",
    "report.little.known": "The limits above are so loose that they rule out little.",
    "report.neighbors.add-remove": "add-remove (with and without one record)",
    "report.neighbors.replace-one": "replace-one (same size, one record differs)",
    "report.neighbors-several.add-remove": "add-remove (with and without the records of {one})",
    "report.neighbors-several.replace-one": "replace-one (same size, the records of {one} differ)",
    "report.model.central": "the curator, after collecting the data (central model)",
    "report.model.local": "each person, before data are collected (local model)",
    "report.model.shuffle": "each person, before data are mixed with other people's (shuffle "
    "model)",
    "report.model.federated": "during federated learning: on each device, or where updates are "
    "combined",
    "report.model.varies": "partly the curator, partly each person",
    "report.model.none": "not stated",
    "report.asked.membership": "is {who} in the data?",
    "report.asked.membership.every": "does each release use one {unit} of this person's data?",
    "report.asked.both": "is {who} in the data, and with a particular value?",
    "report.asked.both.every": "does each release use one {unit} of this person's data, and do "
    "these have a particular value?",
    "report.asked.attribute": "what is in {record}?",
    "report.asked.attribute.every": "what do this person's data say, if each release uses one "
    "{unit} of them?",
    "report.nothing": "No limit follows from the promise: every conclusion stays possible.",
}
