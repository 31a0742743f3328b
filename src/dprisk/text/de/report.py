"""Reports in German: the summary, and what frames the part for the person whose data it is."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    "report.title.summary": "Zusammenfassung",
    "report.title.person": "Für die Person, um deren Daten es geht",
    "report.person.lead": "In einfachen Worten, so weiterzugeben, wie es hier steht.",
    "report.promised": "Zugesagt sind {number} Zusagen{times_over} {about}; zusammen höchstens "
    "{whole} ({rule}).",
    "report.limits.caption": "Grenzwerte, zur Frage: {question}",
    "report.limits.limited": "Begrenzt ist",
    "report.limits.limit": "Grenzwert",
    "report.limits.most": "Höchstens",
    "report.limits.before": "Bei einer Einschätzung vorher von",
    "report.limits.verdict": "Urteil",
    "report.limits.any": "jeder",
    "report.limits.kept": "eingehalten",
    "report.limits.broken": "nicht eingehalten",
    "report.limits.silent": "keine Zahl zum Prüfen",
    "report.limits.several": "Von den {count} gesetzten Grenzwerten sind {kept} eingehalten.",
    "report.limits.several-one": "Von den {count} gesetzten Grenzwerten ist {kept} eingehalten.",
    "report.limits.one.kept": "Der gesetzte Grenzwert ist eingehalten.",
    "report.limits.one.broken": "Der gesetzte Grenzwert ist nicht eingehalten.",
    "report.limited.posterior": "Einschätzung nach der Veröffentlichung",
    "report.limited.difference": "Änderung der Einschätzung",
    "report.limited.ratio": "Einschätzung nachher geteilt durch die vorher",
    "report.limited.ratio_not": "dasselbe für die Einschätzung, dass es nicht so ist",
    "report.limited.odds": "Faktor auf die Chancen (odds)",
    "report.asked.membership": "Kommt {who} in den Daten vor?",
    "report.asked.attribute": "Was trifft auf {who} zu?",
    "report.little.any": "In dieser Höhe schließt der schlimmste Fall wenig aus. Er ist der über "
    "alle Verfahren, die die Zusage einhalten; was das tatsächlich verwendete verraten kann, kann "
    "viel weniger sein, und die Zusage sagt es nicht. Ist das Verfahren bekannt, gehört es in der "
    "Datei der Veröffentlichung unter mechanisms.",
    "report.little.known": "In dieser Höhe schließt der schlimmste Fall wenig aus.",
    "report.beliefs.belief": "Einschätzung",
    "report.beliefs.caption": "{named} vor und nach der Veröffentlichung ({sure})",
    "report.beliefs.before": "Vorher",
    "report.beliefs.least": "Nachher mindestens",
    "report.beliefs.most": "Nachher höchstens",
    "report.belief.top": "über {chances}",
    "report.belief.bottom": "weniger als {chances}",
    "report.title.signed": "Unterschrift",
    "report.signed.lead": "dprisk berechnet, was sich erfahren lässt. Ob das hinnehmbar ist, "
    "entscheiden Menschen.",
    "report.signed.by": "Erstellt von",
    "report.signed.date": "Datum",
    "report.signed.checked": "Geprüft von",
    "report.signed.decision": "Entscheidung und Gründe",
    "report.figure.before": "vor der Veröffentlichung",
    "report.figure.after": "nach der Veröffentlichung",
    "report.figure.numbers": "Zahlen in der Abbildung",
    "report.page.title": "{name}: Risiko der Offenlegung",
    "report.page.contents": "Inhalt",
    "report.page.skip": "Zum Inhalt springen",
    "report.page.table": "Tabelle: {caption}",
    "report.page.curator": "Veröffentlicht von {curator}",
    "report.page.by": "Bericht erstellt von {by}",
    "report.page.lead": "Was sich aus dieser Veröffentlichung höchstens erfahren lässt, und warum.",
    "report.page.subtitle": "{start} {line}.",
    "report.page.footer": "Erstellt mit dprisk {version}. Die Seite braucht keine Verbindung und "
    "baut keine auf; die Zahlen stehen vollständig noch einmal als JSON in ihrem Quelltext.",
    "report.column.case": "Fall",
    "report.column.at-least": "mindestens",
    "report.column.at-most": "höchstens",
    "report.column.icons-filled": "Kreise gefüllt",
    "report.column.icons-in-all": "Kreise insgesamt",
    "report.column.in-words": "in Worten",
}
