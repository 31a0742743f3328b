"""What a signal becomes."""

from __future__ import annotations


class Interrupted(BaseException):
    """Somebody wants the command to stop."""

    def __init__(self, number: int) -> None:
        self.code = 128 + number  # as shells have it: 130 for Ctrl-C
