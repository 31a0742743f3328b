"""What privacy losses add up to: every question about a sum, answered in a certified bracket.

`composed` picks the way that suits the losses, a `Profile` holds both directions of a pair, and
`PrivacyLoss` asks the questions: nothing here is part of the public interface.
"""

from __future__ import annotations

__all__: list[str] = []
