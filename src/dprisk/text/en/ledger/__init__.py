"""Words of a ledger: accounts, charges, refusals, where it is kept."""

from __future__ import annotations

from typing import Final

from dprisk.text.en.ledger import accounts, places, standing

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    **places.STORE,
    **accounts.ACCOUNTS,
    **standing.STANDING,
}
