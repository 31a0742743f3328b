"""Reports in German: the summary, and what frames the part for the person whose data it is."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "report.title.summary": "Zusammenfassung",
    "report.title.person": "In einfachen Worten",
    "report.person.lead": "Für die Menschen, um deren Daten es geht. Dieser Teil lässt sich so "
    "weitergeben, wie er ist.",
    "report.promised": "Die Veröffentlichung macht {number} Zusagen{times_over} {about}. Zusammen "
    "gilt {whole} ({rule}).",
    "report.limits.caption": "Grenzwerte zur Frage: {question}",
    "report.limits.limited": "Größe",
    "report.limits.limit": "Grenzwert",
    "report.limits.most": "Höchstens",
    "report.limits.before": "Von einer Wahrscheinlichkeit vorher von",
    "report.limits.verdict": "Urteil",
    "report.limits.any": "jeder",
    "report.limits.kept": "eingehalten",
    "report.limits.broken": "nicht eingehalten",
    "report.limits.silent": "keine Zahl zum Prüfen",
    "report.limits.several": "Von Ihren {count} Grenzwerten sind {kept} eingehalten.",
    "report.limits.several-one": "Von Ihren {count} Grenzwerten ist {kept} eingehalten.",
    "report.limits.one.kept": "Ihr Grenzwert ist eingehalten.",
    "report.limits.one.broken": "Ihr Grenzwert ist nicht eingehalten.",
    "report.limited.posterior": "Wahrscheinlichkeit nachher",
    "report.limited.difference": "Änderung der Wahrscheinlichkeit",
    "report.limited.ratio": "Wahrscheinlichkeit nachher geteilt durch vorher",
    "report.limited.ratio_not": "dasselbe für das Gegenteil",
    "report.limited.odds": "Faktor auf die Chancen (odds)",
    "report.asked.membership": "Kommt {who} in den Daten vor?",
    "report.asked.both": "Kommt {who} mit einer bestimmten Angabe in den Daten vor?",
    "report.asked.attribute": "Welche Angabe trifft auf {record} zu?",
    "report.little.any": "Diese Grenze ist so weit, dass sie wenig ausschließt. Sie beschreibt "
    "den schlimmsten Fall über alle Verfahren, die die Zusage einhalten. Das verwendete Verfahren "
    "verrät vielleicht viel weniger; aus der Zusage allein geht das nicht hervor.",
    "report.little.some": "Diese Grenze ist so weit, dass sie wenig ausschließt. Wo das Rauschen "
    "eines Teils nicht genannt ist, beschreibt sie den schlimmsten Fall über alle Verfahren, die "
    "dessen Zusage einhalten. Die verwendeten Verfahren verraten vielleicht viel weniger.",
    "report.little.known": "Diese Grenze ist so weit, dass sie wenig ausschließt.",
    "report.belief.top": "über {chances}",
    "report.belief.bottom": "weniger als {chances}",
    "report.belief.no-most": "fast keine Grenze: womöglich über {chances}",
    "report.belief.no-least": "fast keine Grenze: womöglich unter {chances}",
    "report.title.signed": "Unterschrift",
    "report.signed.lead": "dprisk berechnet Grenzen dafür, was sich erfahren lässt. Ob diese "
    "Grenzen hinnehmbar sind, entscheiden Menschen.",
    "report.signed.by": "Erstellt von",
    "report.signed.date": "Datum",
    "report.signed.checked": "Geprüft von",
    "report.signed.decision": "Entscheidung und Gründe",
    "report.figure.before": "vor der Veröffentlichung",
    "report.figure.after": "nach der Veröffentlichung",
    "report.figure.numbers": "Zahlen in der Abbildung",
    "report.page.title": "{name}: Offenlegungsrisiko",
    "report.page.contents": "Inhalt",
    "report.page.skip": "Zum Inhalt springen",
    "report.page.table": "Tabelle: {caption}",
    "report.page.curator": "Veröffentlicht von {curator}",
    "report.page.by": "Bericht erstellt von {by}",
    "report.page.lead": "Was sich aus dieser Veröffentlichung höchstens erfahren lässt, und warum.",
    "report.page.subtitle": "{start} {line}.",
    "report.page.footer": "Erstellt mit dprisk {version}. Diese Seite funktioniert offline und "
    "sendet nichts. Ihr Quelltext enthält alle Zahlen vollständig als JSON.",
    "report.column.case": "Fall",
    "report.column.at-least": "mindestens",
    "report.column.at-most": "höchstens",
    "report.column.icons-filled": "Kreise gefüllt",
    "report.column.icons-in-all": "Kreise insgesamt",
    "report.column.in-words": "in Worten",
}
