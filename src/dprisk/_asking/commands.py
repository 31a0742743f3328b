"""Each command in a sentence, with a call that works."""

from __future__ import annotations

from typing import Final

EVERYTHING: Final = (
    "Show what differential privacy means for a person: what an adversary can "
    "learn, at most, by which theorem and under which assumptions. Exit codes: 0 done, 1 output "
    "failed, 2 bad input, 3 the answer is no (for example, a limit is not kept), 130 interrupted."
)
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "allocation": (
        "Show what a privacy loss divided among queries means for one concern, such as an "
        "attribute.",
        "dprisk allocation census2020 --concern race",
    ),
    "assess": (
        "Show what an adversary can learn, at most, from a release or a promise.",
        "dprisk assess --epsilon 1 --delta 1e-6 --neighbors add-remove --prior 0.5",
    ),
    "audit": (
        "Check claims about a small mechanism against its table of output probabilities.",
        "dprisk audit examples/mechanisms/answers.csv --claim 'epsilon=log(3)' --exact",
    ),
    "budget": (
        "Find the largest budget that keeps your limits, and the noise it takes.",
        "dprisk budget examples/profiles/clinic.yaml --confidence 0.99 --releases 12 --delta 1e-8",
    ),
    "compose": (
        "Add up the parts of a release: ε, δ and power, each in a certified bracket.",
        "dprisk compose examples/broadband.yaml --delta 1e-6 --epsilon 0.1 --releases 12",
    ),
    "convert": (
        "Convert a promise to another definition of privacy, by proven theorems only.",
        "dprisk convert --rho 2.63 --neighbors replace-one --to approximate --delta 1e-10",
    ),
    "counterfactual": (
        "Compare what is learned with a person's record and without it.",
        "dprisk counterfactual examples/census.yaml --adversary true-record --confidence 0.95",
    ),
    "deployments": (
        "List published deployments by unit, period and model, with their risk.",
        "dprisk deployments broadband",
    ),
    "explain": (
        "Explain a release to a data subject, curator, regulator or researcher.",
        'dprisk explain examples/broadband.yaml --audience data-subject --claim "someone concludes'
        ' that you use the service" --prior 0.1',
    ),
    "ladder": (
        "Show how risk grows with the number of releases, theorem by theorem.",
        "dprisk ladder --rho 0.01 --neighbors add-remove --releases 365 --confidence 0.99 --limit "
        "posterior=0.99",
    ),
    "ledger": (
        "Record what was released, add it up, and show how much of the budget is left.",
        "dprisk ledger status office.ledger residents-2026",
    ),
    "ledger.init": (
        "Start a ledger.",
        "dprisk ledger init office.ledger --origin Office",
    ),
    "ledger.account": (
        "Open an account for a population, with limits on the risk.",
        "dprisk ledger account office.ledger residents-2026 --population residents --period 2026 "
        "--rule concentrated --limit posterior=0.5 --prior 0.1",
    ),
    "ledger.accounts": (
        "List the accounts, and how much of each budget is spent.",
        "dprisk ledger accounts office.ledger",
    ),
    "ledger.reserve": (
        "Reserve a release before it is published: it counts as spent.",
        "dprisk ledger reserve office.ledger examples/broadband.yaml --account residents-2026 "
        "--key 2026-w01",
    ),
    "ledger.charge": (
        "Charge a release that is published now.",
        "dprisk ledger charge office.ledger --epsilon 0.1 --neighbors add-remove --account "
        "residents-2026",
    ),
    "ledger.release": (
        "Record that a reserved release was published.",
        "dprisk ledger release office.ledger 2026-w01",
    ),
    "ledger.void": (
        "Record that a reserved release was not run and nobody saw a result.",
        "dprisk ledger void office.ledger 2026-w01 --not-run --reason cancelled",
    ),
    "ledger.status": (
        "Show a person's largest possible privacy loss so far, and how much of the budget is left.",
        "dprisk ledger status office.ledger residents-2026",
    ),
    "ledger.history": (
        "List the charges of an account.",
        "dprisk ledger history office.ledger residents-2026",
    ),
    "ledger.plan": (
        "Show which of several future releases would fit. Nothing is written.",
        "dprisk ledger plan office.ledger january.yaml february.yaml --account residents-2026",
    ),
    "ledger.verify": (
        "Check the whole ledger, and list what is wrong.",
        "dprisk ledger verify office.ledger --checkpoint friday.note",
    ),
    "ledger.checkpoint": (
        "Record the current state of the ledger, to be kept elsewhere.",
        "dprisk ledger checkpoint office.ledger -o friday.note",
    ),
    "ledger.export": (
        "Write the whole ledger into a folder of plain files.",
        "dprisk ledger export office.ledger -o office-export",
    ),
    "ledger.import": (
        "Rebuild a ledger from an exported folder.",
        "dprisk ledger import office-export rebuilt.ledger",
    ),
    "page": (
        "Write an interactive page: one HTML file that works without a network.",
        "dprisk page -o dprisk.html",
    ),
    "plan": (
        "Count how many more releases keep your limits.",
        "dprisk plan --epsilon 0.05 --neighbors add-remove --limit posterior=0.8 --prior 0.5 "
        "--confidence 0.95",
    ),
    "power": (
        "Show how well any test of the output can do: true positive rate at a false positive rate.",
        "dprisk power --rho 2.63 --neighbors replace-one --level 0.05 --prior 0.1",
    ),
    "report": (
        "Write one document about a release: risk, reasons, assumptions, sign-off.",
        "dprisk report examples/broadband.yaml -o report.html --limit posterior=0.6",
    ),
    "reproduce": (
        "Recompute the numbers and figures of the papers, and show them beside the published ones."
        " Exit code 3 if a verdict is not the expected one.",
        "dprisk reproduce P3 -o out",
    ),
    "schema": (
        "Print the JSON schema of a release file, or of JSON output.",
        "dprisk schema release",
    ),
    "serve": (
        "Open dprisk in the browser, and answer the same questions from programs. Nothing is sent "
        "to any other service.",
        "dprisk serve --port 8000",
    ),
    "table": (
        "Add risk figures to every row of a table of any size, and write a folder of Parquet "
        "files, or one file.",
        "dprisk table people.parquet -o risk.parquet --column epsilon=eps --prior 0.1 --neighbors "
        "add-remove --output-column posterior --limit posterior=0.5",
    ),
    "witness": (
        "Construct a mechanism that satisfies one definition and violates another. Exit code 3 if "
        "there is none.",
        "dprisk witness --epsilon 1 --delta 1e-6 --not-pdp 1.1,1e-5",
    ),
}
"""The commands by name; those of the ledger are ``ledger.NAME``."""
