"""Was der Server auf Deutsch neben den Antworten sagt: warum eine Seite abgelehnt wurde."""

from __future__ import annotations

from typing import Final

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
    "serve.problem.invalid-file": "Eine Datei, die sich nicht lesen lässt",
    "serve.problem.invalid-input": "Ein Wert, der sich nicht verwenden lässt",
    "serve.problem.json": "Nicht das erwartete JSON",
    "serve.problem.media": "Kein JSON",
    "serve.problem.ledger-damaged": "Beschädigtes Kassenbuch",
    "serve.problem.ledger-unavailable": "Kassenbuch nicht verfügbar",
    "serve.problem.limit-refused": "Eine Buchung, die ein Limit nicht zulässt",
    "serve.problem.meaningless": "Eine Frage ohne Antwort",
    "serve.problem.memory": "Zu wenig Speicher",
    "serve.problem.no-conversion": "Kein Satz für diese Umrechnung",
    "serve.problem.not-converged": "Eine Suche, die nicht zum Ende kam",
    "serve.problem.dprisk-error": "Eine abgelehnte Frage",
    "serve.problem.not-written": "Eine Datei, die nicht geschrieben wurde",
    "serve.problem.wrong-name": "Ein Name, den es nicht gibt",
    "serve.problem.not-installed": "Etwas ist nicht installiert",
    "serve.problem.out-of-range": "Eine Zahl außerhalb ihres Bereichs",
    "serve.problem.too-wide": "Eine Klammer, die weiter ist als verlangt",
    "serve.problem.wrong-call": "Eine unklare Frage",
    # --- was nicht stimmt
    "serve.busy": "Andere Fragen werden gerade beantwortet. Versuchen Sie es in ein paar Sekunden "
    "noch einmal.",
    "serve.limit": "Die Antwort dauerte länger als {seconds} Sekunden, und mehr Zeit lässt der "
    "Server nicht. Fragen Sie nach weniger Veröffentlichungen oder einem einfacheren Verfahren, "
    "oder verwenden Sie die Befehlszeile, die kein Limit hat.",
    "serve.unexpected": "Im Server ist etwas schiefgegangen. Starten Sie ihn mit --log, um zu "
    "sehen, was.",
    "serve.http.404": "Diese Seite gibt es nicht.",
    "serve.http.405": "Diese Adresse nimmt keine Anfragen mit {method} an.",
    "serve.host": "Unter dem Namen in der Anfrage antwortet dieser Server nicht. Verwenden Sie die "
    "Adresse, die er beim Start ausgegeben hat.",
    "serve.origin": "Die Anfrage kommt von einer anderen Seite. Öffnen Sie die Seiten dieses "
    "Servers selbst.",
    "serve.token": "Geben Sie das Token, das der Server beim Start ausgegeben hat, als Passwort "
    "ein.",
    "serve.large": "Die Anfrage ist größer als {most} MB.",
    "serve.slow": "Die Anfrage kam nicht innerhalb von {seconds} Sekunden an.",
    "serve.media": "Senden Sie die Frage als application/json.",
    "serve.api.title": "dprisk für Programme",
    "serve.refused.401": "Laden Sie die Seite neu, und geben Sie das Token als Passwort ein, mit "
    "beliebigem Namen. Ist das Token verloren, beenden Sie den Server und starten Sie ihn neu.",
    "serve.refused.403": "Geben Sie die Adresse selbst in den Browser ein, oder öffnen Sie die "
    "Seite unten.",
    "serve.refused.404": "Prüfen Sie die Adresse auf Tippfehler, oder öffnen Sie die Seite unten.",
    "serve.refused.405": "Diese Adresse ist für Programme. Öffnen Sie die Seite unten, um selbst "
    "zu fragen.",
    "serve.refused.408": "Prüfen Sie die Verbindung, gehen Sie zurück, und senden Sie noch einmal.",
    "serve.refused.413": "Gehen Sie zurück, und senden Sie eine kürzere Datei, etwa ohne "
    "Anmerkungen.",
    "serve.refused.415": "Diese Adresse ist für Programme. Öffnen Sie die Seite unten, um selbst "
    "zu fragen.",
    "serve.refused.421": "Soll der Server auch unter diesem Namen antworten, starten Sie ihn mit "
    "--name.",
    "serve.refused.503": "Warten Sie ein paar Sekunden, und laden Sie die Seite neu.",
    "serve.refused.other": "Gehen Sie zurück, und ändern Sie Ihre Frage, oder öffnen Sie die "
    "Seite unten.",
    "serve.language.en": "English",
    "serve.language.de": "Deutsch",
}
