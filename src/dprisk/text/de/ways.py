"""Die Seiten des Servers auf Deutsch, neben den Worten der Seite in einer Datei."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "ways.subtitle": "Geben Sie eine Zusage ein und sehen Sie, was sich erfahren lässt. Dieser "
    "Server rechnet alles, und nichts geht anderswohin.",
    "ways.footer": "dprisk {version}.",
    "ways.way.release": "Ich habe eine Veröffentlichung",
    "ways.show": "Antwort zeigen",
    "ways.problem": "Noch keine Antwort",
    "ways.busy": "Die Rechnung läuft noch",
    "ways.far": "Die Rechnung läuft noch: {stage}, {done} von {total}",
    "ways.cancel": "Abbrechen",
    "ways.cancelled": "Abgebrochen. Ändern Sie eine Angabe, um neu zu fragen.",
    "ways.lost": "Der Server antwortet nicht. Läuft dprisk serve noch?",
    "ways.unread": "Diese Seite kann {parts} in der Adresse nicht lesen und zeigt deshalb keine "
    "Antwort. Berichtigen Sie die Adresse, oder fragen Sie mit dem Knopf nach dem, was im Formular "
    "steht.",
    "ways.unread.twice": "Diese Seite kann {parts} nicht lesen, weil es zweimal in der Adresse "
    "steht, und zeigt deshalb keine Antwort. Berichtigen Sie die Adresse, oder fragen Sie mit dem "
    "Knopf nach dem, was im Formular steht.",
    "ways.unread.moot": "Diese Seite verwendet {parts} neben dem Rest der Adresse nicht und zeigt "
    "deshalb keine Antwort. Berichtigen Sie die Adresse, oder fragen Sie mit dem Knopf nach dem, "
    "was im Formular steht.",
    # --- eine Seite anstelle dessen, was abgelehnt wurde
    "ways.refused.401": "Laden Sie die Seite neu, und geben Sie das Token als Passwort ein, mit "
    "beliebigem Namen. Ist das Token verloren, beenden Sie den Server und starten Sie ihn neu.",
    "ways.refused.403": "Geben Sie die Adresse selbst in den Browser ein, oder wählen Sie unten "
    "eine Seite.",
    "ways.refused.404": "Prüfen Sie die Adresse auf Tippfehler, oder wählen Sie unten eine Seite.",
    "ways.refused.405": "Diese Adresse ist für Programme. Wählen Sie unten eine Seite, um selbst "
    "zu fragen.",
    "ways.refused.408": "Prüfen Sie die Verbindung, gehen Sie zurück, und senden Sie noch einmal.",
    "ways.refused.413": "Gehen Sie zurück, und senden Sie eine kürzere Datei, etwa ohne "
    "Anmerkungen.",
    "ways.refused.415": "Diese Adresse ist für Programme. Wählen Sie unten eine Seite, um selbst "
    "zu fragen.",
    "ways.refused.421": "Soll der Server auch unter diesem Namen antworten, starten Sie ihn mit "
    "--name.",
    "ways.refused.503": "Warten Sie ein paar Sekunden, und laden Sie die Seite neu.",
    "ways.refused.other": "Gehen Sie zurück, und ändern Sie Ihre Frage, oder wählen Sie unten eine "
    "Seite.",
    # --- das Formular
    "ways.ask.release": "Die Veröffentlichung",
    "ways.ask.text": "Datei der Veröffentlichung, eingefügt (YAML, TOML oder JSON)",
    "ways.ask.upload": "Oder wählen Sie eine Datei",
    "ways.ask.published": "Oder eine bekannte Veröffentlichung",
    "ways.ask.natural": "Standard für die Nachbarschaft",
    "ways.ask.audience": "Geschrieben für",
    "ways.audience.data-subject": "Die Menschen, um deren Daten es geht",
    "ways.audience.curator": "Wer die Daten veröffentlicht",
    "ways.audience.regulator": "Wer entscheidet",
    "ways.audience.researcher": "Forschende",
    "ways.language.en": "English",
    "ways.language.de": "Deutsch",
    "ways.ask.labels": "Für den Bericht",
    "ways.ask.name": "Name der Veröffentlichung",
    "ways.ask.unit": "Wessen Daten sie schützt",
    "ways.ask.period": "Zeitraum einer Veröffentlichung",
    "ways.ask.model": "Wer das Rauschen hinzufügt",
    "ways.model.central": "Die veröffentlichende Stelle (zentral)",
    "ways.model.local": "Jedes Gerät (lokal)",
    "ways.model.shuffle": "Jedes Gerät, danach gemischt (shuffle)",
    "ways.model.federated": "Föderiert",
    "ways.ask.limits": "Was Sie hinnehmen",
    "ways.ask.metric": "Was Sie begrenzen",
    "ways.metric.posterior": "Die Chance nachher",
    "ways.metric.difference": "Die Änderung jeder Chance",
    "ways.metric.power": "Den richtigen Alarm statistischer Tests",
    "ways.ask.level": "Falscher Alarm des Tests, von 100",
    "ways.ask.limit": "Höchstens, von 100",
    "ways.ask.profile": "Grenzen nach der Chance vorher, von 100",
    "ways.ask.profile.hint": "Eine Zeile begrenzt alle, die bei ihrer Chance oder darunter "
    "anfangen. Zeilen dürfen leer bleiben.",
    "ways.ask.from": "Von",
    "ways.ask.to": "Höchstens",
    "ways.ask.from.row": "Zeile {row}: von, von 100",
    "ways.ask.to.row": "Zeile {row}: höchstens, von 100",
    "ways.ask.people": "Anzahl der Personen in den Daten (optional)",
    "ways.ask.sensitivity": "Größte Änderung einer Anzahl durch einen Eintrag",
    "ways.ask.column.2": "Die zweite",
    "ways.ask.column.3": "Die dritte",
    "ways.ask.column": "Die erste",
    "ways.kind.published": "Eine bekannte Veröffentlichung",
    "ways.kind.none": "Keine",
    "ways.profile.name": "Grenzen nach der Chance vorher",
    # --- die Antwort
    "ways.unknown": "Keine Zusage mit einer Zahl ist bekannt. Also lässt sich nichts berechnen.",
    "ways.statement": "Dieselbe Veröffentlichung, anders angegeben",
    "ways.notes": "Anmerkungen",
    "ways.computed.loss": "Der Privatsphärenverlust beträgt {side} {loss} nats. {citation}",
    "ways.computed.together": "Komposition: {says}.",
    "ways.computed.belief": "Chancen: {citation}",
    "ways.computed.power": "Statistische Tests: {citation}",
    "ways.computed.budget": "{name}: {citation}",
    "ways.words.data-subject": "In Worten für die Menschen, um deren Daten es geht",
    "ways.words.curator": "In Worten für die, die veröffentlichen",
    "ways.words.regulator": "In Worten für die, die entscheiden",
    "ways.words.researcher": "In Worten für Forschende",
    "ways.side-by-side": "Nebeneinander",
    "ways.side.exact": "genau",
    "ways.side.upper": "höchstens",
    "ways.files": "Dokumente",
    "ways.file.report": "Bericht",
    "ways.file.summary": "Zusammenfassung auf einer Seite",
    "ways.file.in": "{name}, {form}",
    "ways.again": "Dasselbe auf der Befehlszeile",
    # --- welches Budget
    "ways.budget.lead": "Damit eine Chance von {before} nicht über {limit} steigt, bei {releases}:",
    "ways.budget.profile": "Damit alle {count} Grenzen gelten, bei {releases}:",
    "ways.budget.difference": "Damit sich keine Chance um mehr als {limit} ändert, bei {releases}:",
    "ways.budget.power": "Damit ein Test bei {level} falschen Alarmen höchstens {limit} richtige "
    "erreicht, bei {releases}:",
    "ways.budget.use": "Verwenden Sie {name} mit {parameter} von höchstens {value}",
    "ways.budget.or": "Oder {name} mit {parameter} von höchstens {value}",
    "ways.budget.delta": " und δ = {delta}",
    "ways.budget.sure": ", in mindestens {sure} von 100 Fällen",
    "ways.budget.sentence": "{said}.",
    "ways.budget.noise": "Eine Anzahl mit passendem Rauschen ({kind}) liegt in mindestens {sure} "
    "von 100 Fällen um höchstens {off} daneben.",
    "ways.budget.none": "Kein Rauschen reicht für diese Grenzen.",
    "ways.budget.unlimited": "Diese Grenzen schließen nichts aus: Jedes Rauschen hält sie ein.",
    "ways.budget.chart": "Was Sie hinnehmen",
    "ways.budget.chart.alt": "Chance nachher über der Chance vorher. Die Treppe zeigt Ihre "
    "Grenzen, die Linie, wie weit das größte ε eine Chance steigen lässt. {points}",
    "ways.budget.chart.point": "Von {prior} von 100 aus höchstens {limit} von 100.",
    "ways.table.budgets": "Größte Budgets",
    "ways.table.noise": "Rauschen, das sie einhält",
    "ways.table.parameter": "Höchstens",
    "ways.table.kind": "Rauschen",
    "ways.table.width": "Mindestens",
    "ways.table.sd": "Standardabweichung",
    "ways.table.off": "95 von 100 innerhalb",
    "ways.noise.geometric": "geometrisch",
    "ways.noise.laplace": "Laplace",
    "ways.noise.gaussian": "Gauß",
    "ways.noise.discrete-gaussian": "Gauß, diskret",
    "ways.width.scale": "Skala",
    "ways.width.sigma": "σ",
    "ways.budget.on-delta": "Ein δ muss weit unter eins durch die Anzahl der Personen liegen: "
    "Bitte diese Anzahl eingeben.",
    "ways.on-delta": "Was δ für alle in den Daten bedeutet",
    "ways.uncovered": "Nicht abgedeckt",
    # --- Vergleich
    "ways.compare.unlike": "Sie unterscheiden sich darin, {what}. Also beantworten sie "
    "verschiedene Fragen. Vergleichen Sie die Zahlen mit Vorsicht.",
    "ways.unlike.unit": "wessen Daten sie schützen",
    "ways.unlike.period": "welchen Zeitraum sie umfassen",
    "ways.unlike.model": "wer das Rauschen hinzufügt",
    "ways.unlike.neighbors": "was als benachbarter Datensatz gilt",
    "ways.compare.from": "Die veröffentlichten Ergebnisse können eine Chance von {before} heben "
    "auf:",
    "ways.compare.each": "{name}: {after}{sure}.",
    "ways.compare.loss": "Privatsphärenverlust, höchstens (nats)",
    "ways.compare.change": "Änderung jeder Chance, höchstens",
    "ways.compare.posterior": "Chance nachher, von {before} aus",
    "ways.compare.power": "Richtiger Alarm bei {level} falschen Alarmen, höchstens",
}
