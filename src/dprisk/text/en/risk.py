"""What risk refuses, and why."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "risk.not-pure": "This theorem is about pure DP with add-remove neighbors, and {guarantee} "
    "does not imply any.",
    "risk.not-pure.fix": "For other guarantees ask for the informed adversary (disclosure).",
}
