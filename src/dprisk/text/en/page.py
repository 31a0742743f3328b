"""The page: what stands on it, and the sentences that its script fills with numbers."""

from __future__ import annotations

from typing import Final

WAYS: Final = {
    "title": "What does this ε mean for a person?",
    "subtitle": "Enter a privacy promise and see what someone could learn. Everything is computed "
    "in this file, and nothing leaves it.",
    "ways": "Ways in",
    "way.promise": "I have an ε",
    "way.release": "Published releases",
    "way.budget": "Which ε may I use?",
    "way.compare": "Compare",
    "noscript": "This page computes with JavaScript, which is switched off here. The table of "
    "published releases below works without it. On the command line, dprisk assess gives the same "
    "numbers.",
    "footer": "dprisk {version}. Checksum of the script: {checksum}.",
    "skip": "Skip to the content",
    "language": "Language",
    "language.en": "English",
    "language.de": "Deutsch",
    "quoted": "“{what}”",
}

ASKED: Final = {
    "ask.promise": "The promise",
    "ask.kind": "Kind of differential privacy",
    "kind.pure": "ε (pure)",
    "kind.approximate": "ε and δ (approximate)",
    "kind.concentrated": "ρ (zero-concentrated, zCDP)",
    "kind.gaussian": "μ (Gaussian)",
    "ask.epsilon": "ε, privacy loss limit",
    "ask.delta": "δ",
    "ask.rho": "ρ",
    "ask.mu": "μ",
    "ask.neighbors": "Neighboring datasets",
    "neighbors.add-remove": "One record added or removed",
    "neighbors.replace-one": "One record replaced",
    "ask.neighbors.help": "The promise hides whether one record is there, or only what it says. "
    "The documentation of the release says which.",
    "ask.release": "The release",
    "ask.unit": "One record is",
    "unit.person": "A person",
    "unit.household": "A household",
    "unit.user-day": "A person's data from one day",
    "unit.event": "One event, such as a visit",
    "ask.secret": "What someone wants to learn",
    "secret.membership": "Whether the record is in the data",
    "secret.attribute": "A fact about the record",
    "ask.secret.help": "For both at once, with a chance of each, run dprisk assess or dprisk "
    "report with --secret both.",
    "ask.more": "More options",
    "ask.count": "Releases like this one",
    "ask.reader": "Starting point and confidence",
    "ask.prior": "Chance they start from, in 100",
    "ask.confidence": "In how many of 100 cases the limit must hold",
    "ask.other": "The other promise",
    "ask.points": "Tolerated risk",
    "ask.points.help": "For each chance before the release, enter the highest chance after it "
    "that you tolerate. You can also draw the points in the picture.",
    "ask.rule": "What you tolerate",
    "rule.points": "For each chance before, a highest chance after",
    "rule.profile": "A highest chance or a ratio, whichever is more",
    "ask.profile.help": "Someone asks whether a person is in the data and has a particular value. "
    "Their chance may rise to the highest chance, or to the ratio times the chance before "
    "(Kazan and Reiter 2024).",
    "ask.cap": "Highest chance after, in 100",
    "ask.ratio": "Ratio: times the chance before",
    "ask.covered": "Starting chances",
    "covered.every": "Any",
    "covered.membership": "One for being in the data, any for the value",
    "covered.value": "Any for being in the data, one for the value",
    "covered.both": "One for being in the data, one for the value",
    "ask.included": "Chance of being in the data, in 100",
    "ask.valued": "Chance of the value, if in the data, in 100",
    "ask.start": "Before, in 100",
    "ask.limit": "After: at most, in 100",
    "ask.point.start": "Point {number}: chance before, in 100",
    "ask.point.limit": "Point {number}: highest chance after, in 100",
    "ask.point.remove": "Remove point {number}",
    "ask.point.add": "Add a point",
    "ask.published": "Published release",
    "published.deployments": "Deployments",
    "published.census": "2020 Census, redistricting data",
    "ask.range": "Enter a number from {low} to {high}.",
    "slider": "{name}, slider",
}

SAID: Final = {
    "what.guess": "a guess about this person's {fact} is right",
    "fact.block-within-block-group": "block within the block group",
    "fact.block-within-tract": "block within the tract",
    "fact.race": "race",
    "fact.ethnicity": "ethnicity",
    "fact.voting-age": "voting age",
    "fact.group-quarters": "kind of group quarters",
    "fact.everything": "whole record",
    "say.promised.one": "The promise: {promise} for {unit}, {changed}.",
    "say.promised": "The promise: {promise} for {unit}, {changed}, in each of {count} releases.",
    "say.together": "Together: {promise}.",
    "one.person": "one person",
    "one.household": "one household",
    "one.user-day": "one day of a person's data",
    "one.event": "one event",
    "changed.add-remove": "added or removed",
    "changed.replace-one": "replaced",
    "say.part": "This limit is for one record. Someone can learn more about several records of the "
    "same person together.",
    "say.mostly": "The noise is random: this limit holds in at least {sure} of 100 cases.",
    "say.none": "At this confidence, the promise sets no limit. The exceptions that δ allows may "
    "occur in one case in {cases}, so choose a confidence below {most} in 100.",
    "say.impossible": "Under add-remove neighbors, learning a fact takes two steps, so this limit "
    "is looser than the one for being in the data.",
    "say.replaced": "When one record is replaced, the number of people is public. So you can "
    "ask about a fact, but not about being in the data.",
    "say.of": "{count} in {of}",
    "say.unstated": "not stated",
    "say.certified": "{name}, {curator}: {promise}. Protected unit: {unit}. Period: {period}. "
    "Model: {model}.",
    "say.census": "This is for the noise that was added, and for this fact alone: ρ = {amount} of "
    "{total}. Everything else about the person is assumed to be known.",
    "say.budget": "To keep a chance of {before} from rising above {limit}, over {releases}:",
    "say.budget.several": "This is the strictest of your {count} points.",
    "say.releases.one": "one release",
    "say.releases": "{count} releases",
    "say.each": " in each release",
    "say.budget.pure": "Use an ε of at most {value}{each}.",
    "say.budget.concentrated": "Or a ρ of at most {value}{each}, in at least {sure} of 100 cases.",
    "say.budget.gaussian": "Or a μ of at most {value}{each}, in at least {sure} of 100 cases.",
    "say.budget.none": "Choose a highest chance that is above the chance before, and below 100.",
    "say.profile": "Someone asks whether a person is in the data and has a particular value. You "
    "tolerate a chance of {cap}, or {ratio} times the chance before if that is more. To keep this "
    "limit over {releases}, {where}:",
    "profile.every": "whatever chance someone starts from",
    "profile.membership": "if someone starts from {included} for being in the data",
    "profile.value": "if someone starts from {valued} for the value",
    "profile.both": "if someone starts from {included} for being in the data and from {valued} for "
    "the value",
    "profile.inside.every": "if someone knows that the person is in the data",
    "profile.inside.value": "if someone knows that the person is in the data, and starts from "
    "{valued} for the value",
    "say.profile.free": "Any ε keeps this limit, because the limit allows certainty.",
    "say.profile.zero": "Only ε = 0 keeps this limit. The results then say nothing about a person.",
    "say.profile.binds": "The limit is strictest near a chance of {included} of being in the data, "
    "and a chance of {valued} of the value.",
    "say.profile.binds.inside": "The limit is strictest near a chance of {valued} of the value.",
    "say.profile.others": "For ρ and μ, save the profile below as a file. Then run dprisk budget "
    "with this file and a confidence.",
    "say.noise": "What it costs: with {noise}, a count is off by at most {off} in at least "
    "95 of 100 cases.",
    "noise.laplace": "Laplace noise",
    "noise.geometric": "geometric noise",
    "noise.gaussian": "Gaussian noise",
    "say.compare": "A chance of {before} can rise to {first} under {one}, and to {second} under "
    "{two}.",
    "say.compare.unlike": "The two promises differ in what counts as neighboring datasets, so they "
    "protect different changes. Read the numbers side by side with care.",
}

SHOWN: Final = {
    "result": "Result",
    "unread": "This page cannot read {parts} in the address, so it shows no answer.",
    "unread.moot": "This page does not use {parts} with the rest of the address, so it shows no "
    "answer.",
    "unread.form": "Show the answer for what the form says",
    "picture": "Before and after",
    "before": "Before: {chance}",
    "after": "After: {chance}",
    "band": "Every starting point",
    "band.points": "Your points",
    "band.alt": "Chance after the release against the chance before. The shaded area is where the "
    "chance can end up. From {before}, the limits are {low} and {high}.",
    "band.x": "chance before",
    "band.y": "chance after",
    "band.handle": "Starting chance, on the picture",
    "risen": "Chances before and after",
    "risen.alt": "Chance after against chance before, that someone is in the data and has the "
    "value. Blue: how far the chance can rise at this ε. Orange: the highest chance you tolerate.",
    "curve": "Statistical tests, every level",
    "curve.x": "false positives",
    "curve.y": "true positives, at most",
    "curve.guessing": "guessing",
    "curve.advantage": "advantage over guessing:",
    "axis": "{name}, in 100",
    "curve.alt": "True positive rate against false positive rate. At 5 in 100 false positives, "
    "{power} true positives.",
    "table.beliefs": "Starting points",
    "table.before": "Before",
    "table.least": "After: at least",
    "table.most": "After: at most",
    "table.change": "Change: at most",
    "table.after": "Chance after",
    "table.any": "every start",
    "table.worst": "{change} (from {prior})",
    "table.tests": "Statistical tests",
    "table.level": "False positive rate",
    "table.power": "True positive rate: at most",
    "table.holds": "Holds",
    "table.holds.always": "whatever the results show",
    "table.holds.mostly": "in at least {cases} of 100 cases",
    "table.repeated": "Repeated releases",
    "table.count": "Releases",
    "table.noise": "Accuracy of a count",
    "table.kind": "Noise",
    "table.width": "Scale or σ",
    "table.off": "95 in 100 are off by at most",
    "table.census": "2020 Census, fact by fact",
    "table.fact": "Fact about a person",
    "table.promise": "Promise",
    "table.own": "Your promise",
    "table.release": "Release",
    "table.by": "By",
    "table.about": "What is protected, for how long, by whose noise",
    "table.compared": "Compare rows only where unit, period and model are the same: elsewhere the "
    "numbers mean something else. Each limit is for one period. Later periods add to it.",
    "table.marked": "~ The source does not state the neighbors, so they were assumed. ! The "
    "numbers are disputed or mislabeled; dprisk deployments NAME says why.",
    "table.from": "From {before}",
    "table.compare": "Numbers side by side",
    "table.first": "First promise",
    "table.second": "Second promise",
    "table.question": "Question",
    "question.posterior": "Chance after, at most",
    "question.power": "True positive rate at 5 in 100 false positives, at most",
    "question.epsilon": "ε at δ = 1e-6, at most",
    "computed": "How the numbers were computed",
    "computed.loss": "The privacy loss is at most {loss} nats, so the odds can change by a factor "
    "of at most {factor}. Beliefs follow by Bayes' rule (Kazan et al. 2025).",
    "computed.pure": "For ε alone this limit is exact.",
    "computed.approximate": "The limit is exact: a mechanism with three outputs reaches it.",
    "computed.concentrated": "The limit follows from the power of the best test that ρ allows.",
    "computed.gaussian": "The limit is exact for two normal distributions.",
    "computed.epsilon": "The same promise gives ε = {epsilon} at δ = 1e-6.",
    "computed.repeated": "Repeated releases add up: ε and δ by optimal composition (Kairouz et "
    "al. 2015), ρ as a sum, and μ as the root of the sum of squares.",
    "computed.certain": "Here the values of ε are added up, so the limit holds for every result. "
    "If a confidence below 100 in 100 is enough, dprisk compose finds tighter limits.",
    "computed.profile": "The largest ε has a closed form at the priors where the profile is "
    "strictest (Kazan and Reiter 2024, Theorems 2, 5 and 6). The limit holds for every result.",
    "computed.noise": "The noise is the least that keeps the promise, if one record changes the "
    "count by at most 1.",
    "computed.published": "dprisk computed this curve when the page was made. Every number is a "
    "certified upper bound.",
    "computed.rounding": "Every number is rounded so that the limit stays true.",
    "assumed": "Assumptions",
    "assumed.knows": "The limits are for someone who knows all the other data.",
    "assumed.independent": "To the reader, the record of this person is independent of the other "
    "records.",
    "assumed.mechanism": "The reader knows how the noise is drawn.",
    "assumed.neighbors": "Neighboring datasets: {neighbors}.",
    "assumed.processed": "The limits also hold for anything computed from the results.",
    "assumed.worst": "The limits cover every mechanism that keeps the promise. Some mechanisms "
    "reveal much less.",
    "again": "The same on the command line",
    "again.file": "The risk profile, as a file (profile.yaml)",
    "again.python": "The same in Python",
}

PANEL: Final = {
    "subtitle.served": "Enter a privacy promise and see what someone could learn. This page and "
    "its server compute everything, and nothing leaves them.",
    "way.ask": "A file, a mechanism, a document",
    "way.ledger": "Ledger",
    "panel": "Ask the server",
    "panel.about": "Give what the command line takes: a release file, a mechanism or a promise. "
    "Part several values by commas. The server answers with certified bounds, and sends nothing "
    "elsewhere.",
    "panel.question": "Question",
    "panel.upload": "Choose a file",
    "panel.show": "Show the answer",
    "panel.busy": "Still computing",
    "panel.far": "Still computing: {stage}, {done} of {total}",
    "panel.cancel": "Cancel",
    "panel.cancelled": "Cancelled.",
    "panel.lost": "The server does not answer. Is dprisk serve still running?",
}

TEXTS: Final[dict[str, str]] = {
    f"page.{key}": text for part in (WAYS, ASKED, SAID, SHOWN, PANEL) for key, text in part.items()
}
