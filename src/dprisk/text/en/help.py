"""What each command does, and what its options and arguments are."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "help.dprisk": "Show what differential privacy means for a person: what an adversary can "
    "learn, at most, by which theorem and under which assumptions. Exit codes: 0 done, 1 output "
    "failed, 2 bad input, 3 the answer is no (for example, a limit is not kept), 130 interrupted.",
    "help.example": "Example: {example}",
    # --- options of several commands
    "help.option.version": "Print the version.",
    "help.option.json": "Print JSON.",
    "help.option.quiet": "Print the answer only.",
    "help.option.force": "Replace files that exist.",
    "help.option.file": "A release file (.yaml, .toml or .json).",
    "help.option.what": "A release file; with --mechanism, the parameters of the mechanism, such "
    "as scale=1 sensitivity=1, and how often it is run, such as count=12.",
    "help.option.epsilon": "The ε of the promise, such as 1.",
    "help.option.delta": "The δ of the promise, such as 1e-6.",
    "help.option.rho": "The ρ of zero-concentrated DP, such as 0.1.",
    "help.option.xi": "The ξ of zero-concentrated DP, such as 0.01.",
    "help.option.mu": "The μ of Gaussian DP, such as 1.",
    "help.option.alpha": "The order of Rényi DP, such as 2. Needs --gamma.",
    "help.option.gamma": "The Rényi divergence at that order, such as 0.5.",
    "help.option.definition": "What ε and δ mean, if not approximate DP: probabilistic, or bounded "
    "(probabilistically bounded DP). What μ means, if not Gaussian DP: laplace.",
    "help.option.neighbors": "Which datasets the promise compares: add-remove or replace-one.",
    "help.option.mechanism": "Kind of mechanism, as in a release file: laplace, gaussian, "
    "geometric, ...",
    "help.option.unit": "Whose data the promise protects, such as person. Only for a promise "
    "given as options.",
    "help.option.secret": "What the adversary asks: membership or attribute. Default: "
    "membership for add-remove, attribute for replace-one.",
    "help.option.prior": "Belief before the release, between 0 and 1. Repeatable. Default: 0.01, "
    "0.1, 0.5.",
    "help.option.confidence": "How often the bounds must hold, over the mechanism's randomness, "
    "such as 0.95. Default: always if the privacy loss is bounded, otherwise 0.99.",
    "help.option.one-sided": "Let each bound hold on its own instead of both together.",
    "help.option.raw-output": "Bound what the raw output shows, without post-processing.",
    "help.option.level": "False positive rate of a test, between 0 and 1. Repeatable. Default: "
    "0.01, 0.05, 0.1.",
    "help.option.limit": "Largest value allowed, such as posterior=0.8. Metrics: posterior, "
    "difference, ratio, ratio_not, odds. Repeatable. Exit code 3 if a limit is not kept.",
    "help.option.releases": "Number of releases like this one (days, months, ...), such as 12.",
    "help.option.spent": "Release file of something that was published earlier. Repeatable.",
    "help.option.concern": "What the person worries about: an attribute, such as race, or 'block "
    "within tract'. Repeatable: all of them together. Default: everything.",
    "help.report.concern": "What the person worries about: an attribute, such as race, or 'block "
    "within tract'. Repeatable: each by itself, and all of them together. Needs --allocation. "
    "Default: every attribute.",
    "help.option.claim": "What someone may conclude, in your words, such as 'your manager "
    "concludes that you answered No'.",
    "help.option.language": "Language of the text for the data subject, and of a summary: "
    "{languages}.",
    # --- limits that are searched for
    "help.limits.limit": "Largest value to allow, such as posterior=0.8. Repeatable. Metrics: "
    "{metrics}.",
    "help.limits.prior": "Belief before the release, between 0 and 1. Repeatable. Required for "
    "posterior and predictive_value. Default for difference, ratio and ratio_not: every prior.",
    "help.limits.level": "False positive rate for power and predictive_value, such as 0.05. "
    "Repeatable.",
    "help.limits.one-sided": "Let each bound hold on its own instead of both together.",
    "help.limits.at-delta": "The δ at which all releases together are converted to (ε, δ)-DP, such "
    "as 1e-6. A limit on epsilon needs it. Default: use the whole privacy profile.",
    # --- commands
    "help.allocation": "Show what a privacy loss divided among queries means for one concern, such "
    "as an attribute.",
    "help.allocation.example": "dprisk allocation census2020 --concern race",
    "help.allocation.table": "census2020 (shipped), a table of queries (.csv, .parquet) or a file "
    "that describes one (.yaml, .toml, .json).",
    "help.allocation.all-scenarios": "Show every scenario that comes with the table, beside the "
    "published numbers.",
    "help.allocation.exact": "Give a certified bracket for each answer, computed for the noise "
    "that was used. Default where the noise is known.",
    "help.allocation.ratio": "Find how likely, at most, the posterior is to exceed this many "
    "times the posterior without the record. Repeatable. Default: 2, 10, 100.",
    "help.allocation.nested": "Nested levels of the table, outermost first, such as county,tract.",
    "help.allocation.moves": "Number of cells that one changed record affects: 2 for tables of "
    "counts, 1 for a single number.",
    "help.allocation.noise": "Noise of the table: discrete-gaussian, gaussian, laplace or "
    "geometric.",
    "help.allocation.amount": "Total to be divided, if the table gives shares, such as 2.63.",
    "help.allocation.accounting": "How amounts add up: zcdp, pure or gdp.",
    "help.assess": "Show what an adversary can learn, at most, from a release or a promise.",
    "help.assess.example": "dprisk assess --epsilon 1 --delta 1e-6 --neighbors add-remove --prior "
    "0.5",
    "help.assess.files": "Release files, or records from the OpenDP registry of deployments; with "
    "--mechanism, the parameters of the mechanism, such as scale=1 sensitivity=1 count=12.",
    "help.audit": "Check claims about a small mechanism against its table of output probabilities.",
    "help.audit.example": "dprisk audit examples/mechanisms/answers.csv --claim 'epsilon=log(3)' "
    "--exact",
    "help.audit.file": "Table of output probabilities (.csv, .json), one row for each dataset. "
    "With --samples: outputs of two runs in two columns.",
    "help.audit.claim": "Claim to check, such as 'epsilon=1, delta=1e-6' (approximate DP; add "
    "kind=pdp, pdp-both, disclosure or pbdp for another), rho=0.1, mu=1, 'alpha=2, gamma=0.5' or "
    "tv=0.1. Repeatable. Exit code 3 if a claim is not shown to hold.",
    "help.audit.neighbors": "Which rows are neighbors: all, hamming (labels that differ in one "
    "place) or a CSV file with two labels on each line.",
    "help.audit.epsilon": "Find δ at this ε, such as 1. Repeatable.",
    "help.audit.delta": "Find ε at this δ, such as 1e-6. Repeatable.",
    "help.audit.exact": "Compute in rational arithmetic where the answer is rational.",
    "help.audit.normalize": "Divide each row by its sum.",
    "help.audit.tolerance": "How far a claim may be missed, to allow for rounded probabilities.",
    "help.audit.samples": "Read outputs instead of probabilities, and show lower bounds.",
    "help.audit.level": "With --samples: find the power at this false positive rate, such as 0.05. "
    "Repeatable.",
    "help.audit.confidence": "With --samples: joint confidence of all bounds, such as 0.99. "
    "Default: 0.95.",
    "help.audit.seed": "With --samples: seed of the random split. Default: 1.",
    "help.budget": "Find the largest budget that keeps your limits, and the noise it takes.",
    "help.budget.example": "dprisk budget examples/profiles/clinic.yaml --confidence 0.99 "
    "--releases 12 --delta 1e-8",
    "help.budget.profile": "A risk profile (.yaml, .toml or .json).",
    "help.budget.releases": "Number of releases that share the budget (days, months, ...), such as "
    "12.",
    "help.budget.definition": "Promise to find: pure, approximate, concentrated, gaussian or "
    "laplace. Repeatable. Default: all of the first four that can keep the limits.",
    "help.budget.delta": "The δ of each release under approximate DP, such as 1e-8. Default: (1 − "
    "confidence) / 100, divided equally among the releases.",
    "help.budget.rule": "Composition rule: best, simple, advanced or optimal. Repeatable.",
    "help.budget.mechanism": "Noise to calibrate by its own privacy loss: geometric, laplace, "
    "gaussian or discrete-gaussian. Repeatable.",
    "help.budget.people": "Number of people the data are about, such as 50000. δ is chosen far "
    "below one over this number, and δ × people is printed.",
    "help.budget.sensitivity": "Largest change that one record can make to the released number, "
    "such as 1.",
    "help.compose": "Add up the parts of a release: ε, δ and power, each in a certified bracket.",
    "help.compose.example": "dprisk compose examples/broadband.yaml --delta 1e-6 --epsilon 0.1 "
    "--releases 12",
    "help.compose.delta": "Find the least ε at this δ, such as 1e-6. Repeatable.",
    "help.compose.epsilon": "Find the least δ at this ε, such as 1. Repeatable.",
    "help.compose.power": "Find the greatest power that a test can have at this false positive "
    "rate, such as 0.05. Repeatable.",
    "help.compose.confidence": "Find a bound on the shift of the log-odds that holds at least this "
    "often, such as 0.99. Repeatable.",
    "help.compose.rule": "Composition rule: best, simple, advanced or optimal. All but best use "
    "promises only.",
    "help.compose.slack": "The δ that advanced composition may add, such as 1e-7.",
    "help.compose.accuracy": "Widest bracket accepted for ε and δ, in nats of ε, such as 1e-6; "
    "the command fails if it cannot be reached. Default: about 1e-9 where that costs little.",
    "help.compose.memory": "Memory that --accuracy may take, such as 4GB.",
    "help.convert": "Convert a promise to another definition of privacy, by proven theorems only.",
    "help.convert.example": "dprisk convert --rho 2.63 --neighbors replace-one --to approximate "
    "--delta 1e-10",
    "help.convert.to": "Definition to convert to: pure, approximate, probabilistic, bounded "
    "(probabilistically bounded DP), tradeoff, gaussian, renyi or concentrated. Left out: all of "
    "them.",
    "help.convert.at-epsilon": "The ε of the result, such as 1.",
    "help.convert.at-delta": "The δ of the result, such as 1e-6. If the promise has no ε, --delta "
    "means the same as --at-delta.",
    "help.convert.at-alpha": "The Rényi order of the result, such as 2.",
    "help.convert.sides": "Sides of probabilistic DP: both or one.",
    "help.convert.to-neighbors": "Neighbors of the result: add-remove or replace-one.",
    "help.convert.every": "Also list the looser conversions.",
    "help.counterfactual": "Compare what is learned with a person's record and without it.",
    "help.counterfactual.example": "dprisk counterfactual examples/census.yaml --adversary "
    "true-record --confidence 0.95",
    "help.counterfactual.adversary": "What is assumed about the adversary: true-record, "
    "rest-known, arbitrary-prior or wrong-prior. Repeatable. Default: all that have a bound.",
    "help.counterfactual.confidence": "Find a bound on the ratio that holds at least this often, "
    "such as 0.95. Repeatable. Default: always if the privacy loss is bounded, otherwise 0.99.",
    "help.counterfactual.ratio": "Find how likely, at most, the belief with the record is to "
    "exceed this many times the belief without it, such as 2. Repeatable.",
    "help.counterfactual.without": "Belief from results made without the record, between 0 and 1. "
    "Repeatable. Default: 0.1.",
    "help.counterfactual.world": "What replaces the record: resampled (drawn at random, given the "
    "other records), default-record or dropped.",
    "help.deployments": "List published deployments by unit, period and model, with their risk.",
    "help.deployments.example": "dprisk deployments broadband",
    "help.deployments.name": "Part of the name of a deployment or curator, to show it in full.",
    "help.deployments.prior": "Belief before the release, between 0 and 1.",
    "help.explain": "Explain a release to a data subject, curator, regulator or researcher.",
    "help.explain.example": "dprisk explain examples/broadband.yaml --audience data-subject "
    '--claim "someone concludes that you use the service" --prior 0.1',
    "help.explain.audience": "Who the explanation is for: data-subject, curator, regulator or "
    "researcher.",
    "help.explain.secret": "What the adversary asks: membership or attribute. Default: attribute "
    "with --claim, otherwise membership for add-remove and attribute for replace-one.",
    "help.explain.after": "Look ahead to this number of releases, such as 12. Repeatable.",
    "help.ladder": "Show how risk grows with the number of releases, theorem by theorem.",
    "help.ladder.example": "dprisk ladder --rho 0.01 --neighbors add-remove --releases 365 "
    "--confidence 0.99 --limit posterior=0.99",
    "help.ladder.releases": "Number of releases (days, months, ...), such as 365.",
    "help.ladder.prior": "Belief before the first release, between 0 and 1.",
    "help.ladder.at-delta": "The δ at which composition theorems are stated. Default: 1e-6.",
    "help.ladder.metric": "What is bounded: posterior (at the prior) or difference (over every "
    "prior).",
    "help.ladder.limit": "Find the first release after which the bound exceeds a limit, such as "
    "posterior=0.9 or difference=0.5.",
    "help.ledger": "Record what was released, add it up, and show how much of the budget is left.",
    "help.ledger.example": "dprisk ledger status office.ledger residents-2026",
    "help.ledger.place": "The ledger: a file, or the URL of a PostgreSQL database.",
    "help.ledger.name": "The account.",
    "help.ledger.some-name": "The account to list. Default: all accounts.",
    "help.ledger.key": "The key of the charge.",
    "help.ledger.new-key": "A key of your own. If you use the same key twice, the release is "
    "charged once. Default: a new key.",
    "help.ledger.title": "What is released, if you type numbers instead of a file.",
    "help.ledger.by": "Name of the person who makes this entry. Default: the user who is logged "
    "in.",
    "help.ledger.note": "File to write, such as friday.note.",
    "help.ledger.out": "Folder to write, such as office-export.",
    "help.ledger.charged": "The account to charge. Repeatable: the release is charged to all of "
    "them or to none.",
    "help.ledger.over": "To go from user-day to user: the largest number of releases like this one "
    "that contain one person's data, each for a different day (week, ...).",
    "help.ledger.group": "How many units of the release belong to one unit of the account, at "
    "most, such as 3.",
    "help.ledger.source": "The tool or the person that reports the release.",
    "help.ledger.init": "Start a ledger.",
    "help.ledger.init.example": "dprisk ledger init office.ledger --origin Office",
    "help.ledger.origin": "Name of the ledger's owner. Every checkpoint contains this name.",
    "help.ledger.account": "Open an account for a population, with limits on the risk.",
    "help.ledger.account.example": "dprisk ledger account office.ledger residents-2026 "
    "--population residents --period 2026 --rule concentrated --limit posterior=0.5 --prior 0.1",
    "help.ledger.accounts": "List the accounts, and how much of each budget is spent.",
    "help.ledger.accounts.example": "dprisk ledger accounts office.ledger",
    "help.ledger.population": "Whose data the account is about.",
    "help.ledger.period": "The period of the account. A new period is a new account.",
    "help.ledger.unit": "The privacy unit, such as person, household or user-day.",
    "help.ledger.rule": "How releases add up. concentrated: the values of ρ (zCDP) add up, even if "
    "a release depends on earlier results. pure: the values of ε add up, with certainty. "
    "approximate: pairs of ε and δ add up. gaussian: the squares of μ add up. renyi: Rényi "
    "divergences add up, also for subsampled noise. fixed: tighter, but valid only if all releases "
    "were fixed before the first result was seen.",
    "help.ledger.delta": "For approximate and concentrated: the largest sum of the deltas.",
    "help.ledger.order": "For renyi: an order at which divergences add up. Repeatable.",
    "help.ledger.shape": "For renyi: a release file whose divergences give the budget its shape.",
    "help.ledger.within": "The account that this account is a part of.",
    "help.ledger.share": "The share of the --within account's budget that may be spent here, such "
    "as 1/4.",
    "help.ledger.reserve": "Reserve a release before it is published: it counts as spent.",
    "help.ledger.reserve.example": "dprisk ledger reserve office.ledger examples/broadband.yaml "
    "--account residents-2026 --key 2026-w01",
    "help.ledger.charge": "Charge a release that is published now.",
    "help.ledger.charge.example": "dprisk ledger charge office.ledger --epsilon 0.1 --neighbors "
    "add-remove --account residents-2026",
    "help.ledger.release": "Record that a reserved release was published.",
    "help.ledger.release.example": "dprisk ledger release office.ledger 2026-w01",
    "help.ledger.void": "Record that a reserved release was not run and nobody saw a result.",
    "help.ledger.void.example": "dprisk ledger void office.ledger 2026-w01 --not-run "
    "--reason cancelled",
    "help.ledger.not-run": "State that the release was not run: nobody saw a result, and nobody "
    "will. Required. A result that someone saw stays spent.",
    "help.ledger.reason": "The reason.",
    "help.ledger.status": "Show a person's largest possible privacy loss so far, and how much of "
    "the budget is left.",
    "help.ledger.status.example": "dprisk ledger status office.ledger residents-2026",
    "help.ledger.figure": "Draw the status as a figure in this file (.svg, .png or .pdf).",
    "help.ledger.history": "List the charges of an account.",
    "help.ledger.history.example": "dprisk ledger history office.ledger residents-2026",
    "help.ledger.plan": "Show which of several future releases would fit. Nothing is written.",
    "help.ledger.plan.example": "dprisk ledger plan office.ledger january.yaml february.yaml "
    "--account residents-2026",
    "help.ledger.files": "Release files, in the order of release.",
    "help.ledger.verify": "Check the whole ledger, and list what is wrong.",
    "help.ledger.verify.example": "dprisk ledger verify office.ledger --checkpoint friday.note",
    "help.ledger.against": "A checkpoint that you kept elsewhere.",
    "help.ledger.public-key": "The public key of the signer.",
    "help.ledger.private-key": "The private key (ed25519) to sign with.",
    "help.ledger.replay": "Check every decision again, in the order of the history.",
    "help.ledger.checkpoint": "Record the current state of the ledger, to be kept elsewhere.",
    "help.ledger.checkpoint.example": "dprisk ledger checkpoint office.ledger -o friday.note",
    "help.ledger.export": "Write the whole ledger into a folder of plain files.",
    "help.ledger.export.example": "dprisk ledger export office.ledger -o office-export",
    "help.ledger.import": "Rebuild a ledger from an exported folder.",
    "help.ledger.import.example": "dprisk ledger import office-export rebuilt.ledger",
    "help.ledger.folder": "The folder that export wrote.",
    "help.page": "Write an interactive page: one HTML file that works without a network.",
    "help.page.example": "dprisk page -o dprisk.html",
    "help.page.output": "File to write, such as dprisk.html.",
    "help.plan": "Count how many more releases keep your limits.",
    "help.plan.example": "dprisk plan --epsilon 0.05 --neighbors add-remove --limit posterior=0.8 "
    "--prior 0.5 --confidence 0.95",
    "help.plan.profile": "A risk profile (.yaml, .toml or .json).",
    "help.plan.rule": "How releases add up, as for an account of a ledger: concentrated, pure, "
    "approximate, gaussian or renyi, even if a release depends on earlier results; or fixed, if "
    "all releases were fixed before the first result was seen.",
    "help.plan.done": "Number of releases like this one made so far, such as 3; 0 if left out.",
    "help.power": "Show how well any test of the output can do: true positive rate at a false "
    "positive rate.",
    "help.power.example": "dprisk power --rho 2.63 --neighbors replace-one --level 0.05 --prior "
    "0.1",
    "help.power.prior": "Belief before the test, between 0 and 1: adds the belief after an alarm. "
    "Repeatable.",
    "help.power.limit": "Largest value allowed, such as power=0.2. Metrics: power, advantage, "
    "predictive_value. Repeatable. Exit code 3 if a limit is not kept.",
    "help.report": "Write one document about a release: risk, reasons, assumptions, sign-off.",
    "help.report.example": "dprisk report examples/broadband.yaml -o report.html --limit "
    "posterior=0.6",
    "help.report.output": "File to write (.html, .pdf, .md or .json). Default: print Markdown.",
    "help.report.format": "Format, whatever the file is called: html, pdf, markdown or json.",
    "help.report.summary": "Write one page for those who decide, instead of the whole report.",
    "help.report.upto": "Look ahead to this number of releases. Default: 10, or --releases if "
    "that is more.",
    "help.report.allocation": "How the privacy loss is divided among queries: census2020, or a "
    "file as for dprisk allocation.",
    "help.report.by": "Who prepared the report.",
    "help.report.date": "Date of the report, such as 2026-01-31. Default: none, so that reports "
    "can be compared.",
    "help.reproduce": "Recompute the numbers and figures of the papers, and show them beside the "
    "published ones. Exit code 3 if a verdict is not the expected one.",
    "help.reproduce.example": "dprisk reproduce P3 -o out",
    "help.reproduce.which": "Papers, such as P0 (Kazan et al. 2025), or items, such as "
    "P0/figure-3. Default: all.",
    "help.reproduce.out": "Folder to write to, created if it does not exist.",
    "help.reproduce.list": "List the items and how many numbers are checked.",
    "help.reproduce.figures": "Draw the figures as well.",
    "help.schema": "Print the JSON schema of a release file, or of JSON output.",
    "help.schema.example": "dprisk schema release",
    "help.schema.of": "release (a file to read), assessment, composition or ledger (JSON output).",
    "help.serve": "Open dprisk in the browser, and answer the same questions from programs. "
    "Nothing is sent to any other service.",
    "help.serve.example": "dprisk serve --port 8000",
    "help.serve.port": "The port to listen on, such as 8000; 0 takes a free one.",
    "help.serve.host": "The address to listen on, such as 127.0.0.1. Any address that other "
    "machines can reach needs a token, which is printed once; the connection is not encrypted.",
    "help.serve.name": "Another name of this server, such as risk.example.org.",
    "help.serve.workers": "How many processes answer, at least 3; each takes about 150 MB.",
    "help.serve.seconds": "Seconds after which a question is stopped, such as 60.",
    "help.serve.memory": "Memory that each process may use, such as 4GiB.",
    "help.serve.no-browser": "Do not open a browser.",
    "help.serve.ledger": "Also show this ledger, at /ledger: its accounts, their status and their "
    "history.",
    "help.serve.write": "Allow charges at /ledger. Every request then needs the token that is "
    "printed.",
    "help.serve.log": "Log each request with its address, and errors.",
    "help.table": "Add risk figures to every row of a table of any size, and write a folder of "
    "Parquet files, or one file.",
    "help.table.example": "dprisk table people.parquet -o risk.parquet --column epsilon=eps "
    "--prior 0.1 --neighbors add-remove --output-column posterior --limit posterior=0.5",
    "help.table.sources": "Parquet or CSV files with the same columns, patterns such as "
    "'year=*/*.parquet', or folders.",
    "help.table.output": "The folder to write. A run that was stopped continues where it left off. "
    "Or one file, in a run that starts at the beginning each time: a name that ends in .parquet "
    "or .csv. Both are written completely or not at all. With Spark: always a folder.",
    "help.table.column": "The column that has an input, such as prior=my_prior. Repeatable. Inputs"
    ": definition, neighbors, epsilon, delta, rho, mu, alpha, gamma, prior, confidence, failure, "
    "level, at_delta.",
    "help.table.output-column": "What to add: posterior, posterior_at_least, odds, ratio, "
    "ratio_at_least, difference, worst_prior, power, advantage or epsilon. Repeatable.",
    "help.table.definition": "What the numbers of a row mean: pure, approximate, concentrated, "
    "gaussian or renyi. Default: the definition that has these parameters.",
    "help.table.prior": "Belief before the release, between 0 and 1.",
    "help.table.level": "False positive rate of a test, between 0 and 1.",
    "help.table.at-delta": "The δ at which ε is asked for, such as 1e-6.",
    "help.table.limit": "Largest value allowed in a row, such as posterior=0.5. Repeatable. Exit "
    "code 3 if a row is above it, has no bound or cannot be read.",
    "help.table.engine": "What reads the files: duckdb, polars, arrow or spark. Default: arrow for "
    "Parquet files, and duckdb for others. Spark uses the master in its own settings, or else "
    "this machine.",
    "help.table.memory": "Memory that DuckDB may use before it spills to disk, such as 500MB. "
    "Default: 1GB. With Spark: memory of its driver and of each executor. Default: Spark's own.",
    "help.table.person": "The column that says whose data a row is about. The rows of each person "
    "are added up, and the result has one row for each person.",
    "help.table.page": "HTML page to write, with a chart of how many rows are at each level of "
    "risk.",
    "help.table.strict": "Stop at rows that cannot be read, and list the first ten.",
    "help.witness": "Construct a mechanism that satisfies one definition and violates another. "
    "Exit code 3 if there is none.",
    "help.witness.example": "dprisk witness --epsilon 1 --delta 1e-6 --not-pdp 1.1,1e-5",
    "help.witness.what": "With --name: the numbers of the construction, such as delta=0.1.",
    "help.witness.epsilon": "The ε of the approximate DP to satisfy, such as 1 or log(3).",
    "help.witness.delta": "The δ of the approximate DP to satisfy, such as 1e-6.",
    "help.witness.not-pdp": "The ε and δ of the probabilistic DP to violate, such as 1.1,1e-5.",
    "help.witness.sides": "Sides of probabilistic DP: one (P[Z > ε]) or both (P[|Z| > ε]).",
    "help.witness.name": "A construction from the papers; --list shows all of them.",
    "help.witness.list": "List the constructions.",
    "help.witness.csv": "Print the table only, as dprisk audit reads it.",
}
