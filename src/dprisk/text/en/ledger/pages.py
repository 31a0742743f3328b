"""The pages of a ledger."""

from __future__ import annotations

from typing import Final

PAGES: Final[dict[str, str]] = {
    # pages of the server
    "ledger.page.ledger": "Ledger",
    "ledger.page.account": "A person's largest possible privacy loss so far",
    "ledger.page.empty": "No account is open yet.",
    "ledger.page.limits": "Limits",
    "ledger.page.history": "History, the last charge first",
    "ledger.page.share": "{share}%",
    "ledger.page.what-if": "One more release?",
    "ledger.page.ask": "Would it fit?",
    "ledger.page.charge": "Charge it",
    "ledger.page.fits": "It fits.",
    "ledger.page.breaks": "It does not fit. {why}",
    "ledger.page.promise": "epsilon (with a delta), rho or mu",
    "ledger.page.field.epsilon": "ε",
    "ledger.page.field.delta": "δ",
    "ledger.page.field.rho": "ρ",
    "ledger.page.field.mu": "μ",
    "ledger.page.field.over": "Largest number of releases like this one that contain one person's "
    "data, each for a different day (week, …)",
    "ledger.page.field.group": "Units of the release that belong to one unit of the account, at "
    "most",
    "ledger.page.field.name": "What is released",
    "ledger.page.field.key": "Key",
    "ledger.page.field.by": "By",
}
