"""How looking for a budget ends."""

from __future__ import annotations

from typing import Literal

Status = Literal["limited", "no limit", "infeasible"]
"""There is a largest one, or every one keeps the limit, or none does."""
