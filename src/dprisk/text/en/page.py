"""The page: what stands on it, and the sentences that its script fills with numbers."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

WAYS: Final = {
    "title": "What does this ε mean for a person?",
    "subtitle": "Enter a privacy promise and see what someone could learn. Everything is computed "
    "in this file, and nothing leaves it.",
    "ways": "Ways in",
    "way.promise": "I have an ε",
    "way.release": "Published releases",
    "way.budget": "Which ε may I use?",
    "way.compare": "Compare two promises",
    "noscript": "This page computes with JavaScript, which is switched off here. The table of "
    "published releases below needs none. On the command line, dprisk assess gives the same "
    "numbers.",
    "footer": "dprisk {version}. Checksum of the script: {checksum}.",
}

ASKED: Final = {
    "ask.promise": "The promise",
    "ask.kind": "Definition",
    "kind.pure": "ε (pure differential privacy)",
    "kind.approximate": "ε and δ (approximate differential privacy)",
    "kind.concentrated": "ρ (zero-concentrated, zCDP)",
    "kind.gaussian": "μ (Gaussian differential privacy)",
    "ask.epsilon": "ε, privacy loss limit",
    "ask.delta": "δ, additive slack",
    "ask.rho": "ρ",
    "ask.mu": "μ",
    "ask.neighbors": "Neighboring datasets",
    "neighbors.add-remove": "One record added or removed",
    "neighbors.replace-one": "One record replaced",
    "ask.secret": "What someone wants to learn",
    "secret.membership": "Whether a person is in the data",
    "secret.attribute": "A fact about a person in the data",
    "ask.count": "Releases like this one",
    "ask.reader": "The reader",
    "ask.prior": "Chance they start from, in 100",
    "ask.confidence": "How surely the limit holds, in 100 cases",
    "ask.other": "The other promise",
    "ask.limit": "Highest chance you tolerate, in 100",
    "ask.published": "Published release",
    "slider": "{name}, slider",
}

SAID: Final = {
    "what.membership": "this person is in the data",
    "what.attribute": "a fact about this person is true",
    "say.suppose": "Suppose someone who knows everyone else's data thinks there is a {before} "
    "chance that {what}.",
    "say.most": "The published results can raise that chance to {after}.",
    "say.almost": "This promise sets almost no limit: the published results can raise that chance "
    "to {after}.",
    "say.always": "This limit holds for every result.",
    "say.mostly": "The noise is random: this limit holds in at least {sure} of 100 cases.",
    "say.none": "At this confidence the promise sets no limit. δ may be used up in one case in "
    "{cases}, so choose a confidence below {most} in 100.",
    "say.impossible": "Under add-remove neighbors, learning a fact takes two steps: this limit is "
    "looser than the one for being in the data.",
    "say.meaningless": "When one record is replaced, the number of people is public. So the "
    "question is about a fact, not about being in the data.",
    "say.of": "{count} in {of}",
    "say.at-most": "at most {number}",
    "say.at-least": "at least {number}",
    "say.over": "over {number}",
    "say.under": "under {number}",
    "say.unstated": "not stated",
    "say.published": "{name}, {curator}: {promise}. Unit: {unit}.",
    "say.budget": "To keep a start of {before} from rising above {limit}, over {releases}:",
    "say.releases.one": "one release",
    "say.releases": "{count} releases",
    "say.budget.pure": "Use an ε of at most {value}.",
    "say.budget.concentrated": "Or a ρ of at most {value}, in at least {sure} of 100 cases.",
    "say.budget.gaussian": "Or a μ of at most {value}, in at least {sure} of 100 cases.",
    "say.budget.none": "Choose a tolerated chance above the one the reader starts from.",
    "say.noise": "A count with Laplace noise at this ε is within {off} of the truth in at least 95 "
    "of 100 cases.",
    "say.compare": "From a start of {before}: {first} under the first promise, {second} under the "
    "second.",
    "say.compare.unlike": "The two promises differ in what counts as neighboring datasets, so they "
    "protect different changes. Read the numbers side by side with care.",
}

SHOWN: Final = {
    "result": "Result",
    "picture": "Before and after",
    "before": "Before: {chance}",
    "after": "After: {chance}",
    "band": "Every starting point",
    "band.alt": "Chance after the release against the chance before. The shaded area is where the "
    "chance can end up. From {before}, it ends between {low} and {high}.",
    "band.x": "chance before",
    "band.y": "chance after",
    "band.handle": "Starting chance, on the picture",
    "table.beliefs": "Starting points",
    "table.before": "Before",
    "table.least": "After: at least",
    "table.most": "After: at most",
    "table.change": "Change: at most",
    "table.after": "Chance after",
    "table.any": "every start",
    "table.tests": "Statistical tests",
    "table.level": "False positive rate",
    "table.power": "True positive rate: at most",
    "table.repeated": "Repeated releases",
    "table.count": "Releases",
    "table.promise": "Promise",
    "table.release": "Release",
    "table.by": "By",
    "table.unit": "Protected unit",
    "table.from": "From {before}",
    "table.first": "First promise",
    "table.second": "Second promise",
    "table.question": "Question",
    "question.posterior": "Chance after, at most",
    "question.power": "True positive rate at 5 in 100 false positives, at most",
    "question.epsilon": "ε at δ = 1e-6, at most",
    "computed": "How the numbers were computed",
    "computed.loss": "The privacy loss is at most {loss} nats, so the odds can change by a factor "
    "of at most {factor}. Beliefs follow by Bayes' rule (Kazan et al. 2024).",
    "computed.pure": "For ε alone this limit is exact.",
    "computed.approximate": "The limit is exact: a mechanism with three outputs reaches it.",
    "computed.concentrated": "The limit is read off the power of the best test that ρ allows.",
    "computed.gaussian": "The limit is exact for two normal distributions.",
    "computed.epsilon": "The same promise gives ε = {epsilon} at δ = 1e-6.",
    "computed.repeated": "Repeated releases add up: ε and δ by basic composition, ρ exactly, μ as "
    "the root of the sum of squares. For ε and δ, dprisk compose finds tighter limits.",
    "computed.rounding": "Every number is rounded to the safe side.",
    "assumed": "Assumptions",
    "assumed.knows": "The reader knows everyone else's data.",
    "assumed.neighbors": "Neighboring datasets: {neighbors}.",
    "assumed.processed": "The limit also holds for anything computed from the results.",
    "assumed.worst": "It covers every mechanism that keeps the promise. Some keep much more.",
    "again": "The same on the command line",
    "again.python": "The same in Python",
}

TEXTS: Final[dict[str, str]] = {
    f"page.{key}": text for part in (WAYS, ASKED, SAID, SHOWN) for key, text in part.items()
}
