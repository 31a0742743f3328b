"""What stands on a figure, beside it and in place of it."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "plots.icons.one": "An array of {of} circles, filled from the top left.",
    "plots.icons.several": "{number} arrays side by side, of {of} circles each, filled from the "
    "top left.",
    "plots.icons.case": "{name}: {words}.",
    "plots.icons.most": "at most {chances}",
    "plots.icons.least": "at least {chances}",
    "plots.icons.more": "more than {chances}",
    "plots.icons.fewer": "fewer than {chances}",
    "plots.icons.possibly": "possibly {words}",
}
