"""Was der Server auf Deutsch neben den Antworten sagt: warum eine Seite abgelehnt wurde."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "serve.problem.busy": "Zu viele Fragen auf einmal",
    "serve.problem.http": "Das bietet dieser Server nicht an",
    "serve.problem.host": "Nicht der Name dieses Servers",
    "serve.problem.origin": "Eine Anfrage von einer anderen Seite",
    "serve.problem.token": "Kein Token, oder ein falsches",
    "serve.problem.large": "Zu groß",
    "serve.problem.slow": "Zu langsam",
    "serve.problem.limit": "Die Antwort dauerte zu lange",
    "serve.problem.unexpected": "Unerwarteter Fehler",
}
