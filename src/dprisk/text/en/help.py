"""What the options and arguments of the command line are for."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "help.panel.table": "The table, where it does not say so itself",
    "help.panel.ask": "What is asked (each may be repeated)",
    "help.panel.samples": "From samples (--samples)",
    "help.panel.whom": "For whom, about what",
    "help.panel.group": "What has to be kept",
    "help.panel.guarantee": "The guarantee, typed in",
    "help.panel.printed": "What is printed on it",
    "help.panel.named": "By name",
    "help.allocation.table": "census2020 (shipped), or a file: a table (.csv, .parquet) or its "
    "description (.yaml, .toml, .json).",
    "help.allocation.concern": "What somebody is worried about: an attribute, such as race, or "
    "'block within tract'. Several are a union. Left out: everything.",
    "help.allocation.all-scenarios": "Every scenario that comes with the table, beside what was "
    "printed about it.",
    "help.allocation.exact": "For the noise as it is, in brackets: the default where it is known.",
    "help.allocation.gaussian": "As if the noise were continuous and normal: faster.",
    "help.allocation.level": "The most power of a test at this level (its chance of a false "
    "alarm). By default 0.01, 0.05, 0.1.",
    "help.allocation.ratio": "How likely a posterior is more than so many times the one without "
    "the record. By default 2, 10, 100.",
    "help.allocation.prior": "Belief before the release. By default 0.01, 0.1, 0.5.",
    "help.allocation.confidence": "Probability with which beliefs are bounded. By default "
    "certainty where the loss is bounded, otherwise 0.99.",
    "help.allocation.nested": "Its nested levels, the outermost first, such as county,tract.",
    "help.allocation.moves": "How many cells a changed record moves: 2 for tables of counts, 1 "
    "for a single number.",
    "help.allocation.noise": "discrete-gaussian, gaussian, laplace or geometric.",
    "help.allocation.amount": "What is shared out, if it gives shares.",
    "help.allocation.accounting": "In what shares add up: zcdp, pure or gdp.",
    "help.assess.files": "Descriptions of releases, or records of the public registry.",
    "help.assess.unit": "Privacy unit, for a typed guarantee.",
    "help.assess.secret": "What the adversary asks: membership or attribute. By default what the "
    "neighbors allow.",
    "help.assess.prior": "Belief before the release; may be repeated. By default 0.01, 0.1, 0.5.",
    "help.assess.confidence": "Probability with which the bounds hold; 0.99 where one is needed.",
    "help.assess.one-sided": "Each bound by itself, not both together.",
    "help.assess.raw-output": "Bounds for the raw output only.",
    "help.assess.releases": "Compose so many such releases (days, months, ...).",
    "help.assess.limit": "metric=value with posterior, difference, ratio, ratio_not or odds; may "
    "be repeated. Exit code 3 if one is not kept.",
    "help.audit.file": "A table of output probabilities (.csv or .json), a row for each dataset; "
    "with --samples, outputs of two runs in two columns.",
    "help.audit.claim": "What is claimed, such as 'epsilon=1, delta=1e-6' (with kind=pdp, "
    "pdp-both, disclosure or pbdp if it is not approximate DP), epsilon=1, rho=0.1, mu=1, "
    "'alpha=2, gamma=0.5' or tv=0.1; may be repeated. Exit code 3 if one is not shown to hold.",
    "help.audit.neighbors": "all (pairs), hamming (datasets that differ in one record, read from "
    "their labels), or a CSV file with two labels on each line.",
    "help.audit.epsilon": "Tabulate deltas at this epsilon; may be repeated.",
    "help.audit.delta": "Tabulate epsilon at this delta; may be repeated.",
    "help.audit.exact": "Rational arithmetic, where the answer is rational.",
    "help.audit.normalize": "Divide each row by its sum, whatever that is.",
    "help.audit.tolerance": "By how much claims are relaxed, to allow for rounded probabilities.",
    "help.audit.samples": "The file has outputs, not probabilities: lower bounds with a "
    "confidence.",
    "help.audit.level": "The power of a test with this chance of a false alarm.",
    "help.audit.confidence": "With which all bounds hold together; 0.95 unless given.",
    "help.audit.seed": "Of the split into two halves; 1 unless given.",
    "help.budget.profile": "The file of a risk profile.",
    "help.budget.releases": "So many releases (days, months, ...) share the budget.",
    "help.budget.spent": "The description of what has been released before; may be repeated.",
    "help.budget.definition": "pure, approximate, concentrated or gaussian; may be repeated. By "
    "default all that can keep the limits.",
    "help.budget.delta": "Delta of each release under approximate DP. By default a hundredth of "
    "what the confidence leaves, in equal shares.",
    "help.budget.rule": "best, simple, advanced or optimal composition; may be repeated.",
    "help.budget.mechanism": "geometric, laplace, gaussian or discrete-gaussian: the least such "
    "noise that keeps the limits, by its own privacy loss; may be repeated.",
    "help.budget.sensitivity": "Most by which the number that is released can differ.",
    "help.commands.version": "Print the version.",
    "help.compose.file": "The description of a release.",
    "help.compose.delta": "The least epsilon at this delta.",
    "help.compose.epsilon": "The least delta at this epsilon.",
    "help.compose.power": "The most power of a test at this level (its chance of a false alarm).",
    "help.compose.confidence": "By how much the log-odds move at most, with this probability.",
    "help.compose.releases": "Compose so many such releases (days, months, ...).",
    "help.compose.rule": "best, simple, advanced or optimal. All but best are about promises: of "
    "a mechanism they use only the promise that it keeps.",
    "help.compose.slack": "The delta that advanced composition may add.",
    "help.compose.accuracy": "How wide brackets of epsilon and delta may be, in nats of epsilon: "
    "kept, or refused. Without it they are about 1e-9 wide where that costs little.",
    "help.compose.memory": "Memory that finer grids may take for that: 4e9, 4GB.",
    "help.convert.to": "pure, approximate, probabilistic, bounded, tradeoff, gaussian, renyi or "
    "concentrated; zcdp, gdp and such are understood.",
    "help.convert.at-epsilon": "Land at this epsilon.",
    "help.convert.at-delta": "Land at this delta. For a guarantee without epsilon, --delta does "
    "too.",
    "help.convert.at-alpha": "Land at this Rényi order.",
    "help.convert.sides": "For probabilistic: both or one.",
    "help.convert.to-neighbors": "First go to this relation of neighbors.",
    "help.convert.every": "List the looser ways as well.",
    "help.counterfactual.what": "The description of a release; or, with --mechanism, its "
    "parameters, each as name=value.",
    "help.counterfactual.mechanism": "What is run: a kind, as in a release file.",
    "help.counterfactual.adversary": "true-record, rest-known, arbitrary-prior or wrong-prior. By "
    "default all about whom there is a bound.",
    "help.counterfactual.confidence": "The ratio that is kept with this probability. By default "
    "certainty where the loss is bounded, otherwise 0.99.",
    "help.counterfactual.ratio": "How likely it is that belief with the record is more than so "
    "many times what it is without.",
    "help.counterfactual.without": "Belief drawn from results made without the record. By default "
    "0.1.",
    "help.counterfactual.world": "What stands in for the record: resampled (drawn from what the "
    "others say), default-record or dropped.",
    "help.counterfactual.releases": "Compose so many such releases (days, months, ...).",
    "help.deployments.name": "Part of a name or of a curator: that deployment in full.",
    "help.deployments.prior": "Belief before the release.",
    "help.deployments.confidence": "Probability with which the bounds hold; 0.99 where one is "
    "needed.",
    "help.explain.what": "The description of a release; or, with --mechanism, its parameters, "
    "each as name=value.",
    "help.explain.mechanism": "What is run: a kind, as in a release file.",
    "help.explain.unit": "Privacy unit, for a typed guarantee.",
    "help.explain.audience": "data-subject, curator, regulator or researcher.",
    "help.explain.claim": "What somebody may conclude, in your own words.",
    "help.explain.secret": "As what it is assessed: membership or attribute. By default a claim "
    "is about what a record says; without a claim, it is what the neighbors allow.",
    "help.explain.prior": "Belief before the release; may be repeated. Examples start from the "
    "first.",
    "help.explain.confidence": "Probability with which limits hold; 0.99 where one is needed.",
    "help.explain.releases": "Compose so many such releases (days, months, ...).",
    "help.explain.after": "Look ahead to so many such releases; may be repeated.",
    "help.explain.limit": "metric=value with posterior, difference, ratio, ratio_not or odds: "
    "whether it is kept, and what would keep it. May be repeated. Exit code 3 if one is not kept.",
    "help.explain.language": "en or de; an explanation for another than the data subject is in "
    "English.",
    "help.ladder.what": "The description of a release; or, with --mechanism, its parameters, each "
    "as name=value.",
    "help.ladder.mechanism": "What is run each time: a kind, as in a release file.",
    "help.ladder.releases": "How many releases (days, months, ...).",
    "help.ladder.prior": "Belief before the first release.",
    "help.ladder.confidence": "Probability with which each bound holds. By default certainty "
    "where the loss is bounded, otherwise 0.99.",
    "help.ladder.at-delta": "The delta at which composition theorems are stated. By default 1e-6.",
    "help.ladder.metric": "posterior (at the prior) or difference (over every prior).",
    "help.ladder.limit": "posterior=value or difference=value: after how many releases is it "
    "exceeded?",
    "help.limits.prior": "Belief before; may be repeated. Left out, difference and ratios hold at "
    "every prior.",
    "help.limits.level": "Probability of a false alarm, for power and predictive_value; may be "
    "repeated.",
    "help.limits.confidence": "Probability with which beliefs and profiles are kept. By default "
    "always where the loss is bounded, otherwise 0.99.",
    "help.limits.secret": "What is asked: membership or attribute. By default what the neighbors "
    "allow.",
    "help.limits.onesided": "Beliefs are bounded from above or below, not both.",
    "help.limits.atdelta": "The delta at which all releases together are read as (epsilon, "
    "delta)-DP, and that of a limit on epsilon. Left out, their whole curve is used.",
    "help.options.epsilon": "Privacy loss limit, nats.",
    "help.options.delta": "Additive slack.",
    "help.options.rho": "zCDP slope.",
    "help.options.xi": "zCDP offset.",
    "help.options.mu": "Gaussian DP; with --definition laplace, f-DP by a Laplace curve.",
    "help.options.alpha": "Rényi order.",
    "help.options.gamma": "Rényi divergence.",
    "help.options.definition": "What (epsilon, delta) means, if not approximate DP: probabilistic "
    "or bounded; what mu means, if not Gaussian DP: laplace.",
    "help.options.neighbors": "Which datasets are neighbors: add-remove or replace-one.",
    "help.options.json": "Print JSON instead of text.",
    "help.options.force": "Replace files that are there.",
    "help.options.quiet": "Print as little as possible.",
    "help.plan.what": "The description of what is released each time; or, with --mechanism, its "
    "parameters, each as name=value.",
    "help.plan.mechanism": "What is run each time: a kind, as in a release file.",
    "help.plan.profile": "The file of a risk profile.",
    "help.plan.done": "How many such releases there have been already.",
    "help.plan.spent": "The description of something else released before; may be repeated.",
    "help.power.what": "The description of a release; or, with --mechanism, its parameters, each "
    "as name=value.",
    "help.power.mechanism": "What is run: a kind, as in a release file.",
    "help.power.secret": "What the test asks: membership or attribute. By default what the "
    "neighbors allow.",
    "help.power.level": "Probability of a false alarm; may be repeated. By default 0.01, 0.05, "
    "0.1.",
    "help.power.prior": "Belief before: adds what an alarm makes of it. May be repeated.",
    "help.power.releases": "Compose so many such releases (days, months, ...).",
    "help.power.limit": "metric=value with power, predictive_value (at the levels and priors "
    "asked about) or advantage; may be repeated. Exit code 3 if one is not kept.",
    "help.report.file": "The description of a release.",
    "help.report.output": "Where to write it: a name that ends in .html, .md or .json. Left out, "
    "Markdown is printed.",
    "help.report.form": "html, markdown or json, whatever the name ends in.",
    "help.report.secret": "Against which question the limits are held: membership or attribute. "
    "By default what the neighbors allow.",
    "help.report.confidence": "Probability with which the bounds hold; 0.99 where one is needed.",
    "help.report.one-sided": "Each bound by itself, not both together.",
    "help.report.raw-output": "Beliefs for the raw output only.",
    "help.report.prior": "Belief before the release. By default 0.01, 0.1, 0.5.",
    "help.report.level": "A test's chance of a false alarm. By default 0.01, 0.05, 0.1.",
    "help.report.limit": "metric=value with posterior, difference, ratio, ratio_not or odds. Exit "
    "code 3 if one is not kept.",
    "help.report.releases": "Compose so many such releases (days, months, ...).",
    "help.report.upto": "Look ahead to so many releases. By default 10, or all there are.",
    "help.report.allocation": "How the privacy loss is shared out over queries: census2020, or a "
    "file, as for dprisk allocation.",
    "help.report.concern": "What somebody is worried about, as for dprisk allocation; 'race; "
    "block within tract' is a union. By default every attribute.",
    "help.report.claim": "What somebody may conclude, in your words: 'your manager concludes that "
    "you answered No'.",
    "help.report.by": "Who prepared it.",
    "help.report.language": "en or de: of the summary and of the part for the person whose data "
    "it is. The rest is in English.",
    "help.report.date": "When; left out, there is no date in it, so that two reports can be "
    "compared.",
    "help.reproduce.which": "Papers, such as P0, or items, such as P0/figure-3; all of them if "
    "left out.",
    "help.reproduce.out": "The folder to write to; it is made if need be.",
    "help.reproduce.listed": "Only list the items and how many prints are checked.",
    "help.reproduce.figures": "Draw the figures, beside their numbers.",
    "help.schema.of": "release (a file to read), assessment or composition (what is printed as "
    "JSON).",
    "help.witness.what": "With --name: the numbers it needs, each as name=value.",
    "help.witness.epsilon": "Of the approximate DP that is kept, nats; or log(3).",
    "help.witness.delta": "Of the approximate DP that is kept.",
    "help.witness.not-pdp": "Epsilon and delta of the probabilistic DP that is not kept: 1.1,1e-5.",
    "help.witness.sides": "one (P[Z > epsilon], as in P2 and P4) or both (P[|Z| > epsilon], P0).",
    "help.witness.name": "A construction of the papers.",
    "help.witness.names": "List them.",
    "help.witness.csv": "Print the table only, as dprisk audit reads it.",
    "help.limits.limit": "metric=value; may be repeated. One of {metrics}.",
}
