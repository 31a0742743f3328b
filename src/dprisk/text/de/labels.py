"""Labels of summaries and of progress, in German."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "summary.page.title": "{name}: Risiko der Offenlegung auf einer Seite",
    "summary.page.theorems": "Berechnet nach {theorems}.",
    "summary.page.made": "Erstellt mit dprisk {version}.",
    "summary.page.whole": "Jede Zahl mit Satz und Annahmen steht im ganzen Bericht: dprisk report "
    "{file}.",
    "summary.why": "Grundlage:",
    "summary.why.assumed": "Annahmen",
    "summary.title.release": "Was veröffentlicht wurde",
    "summary.title.result": "Was sich erfahren lässt",
    "summary.title.limits": "Ihre Grenzwerte",
    "summary.title.assumed": "Annahmen",
    "summary.title.uncovered": "Nicht abgedeckt",
    "summary.release": "Veröffentlicht",
    "summary.promise": "Zusage",
    "summary.run": "Verfahren",
    "summary.parts": "Zusagen und Verfahren",
    "summary.also": "Zweite Zusage (eine andere Angabe, nicht zusätzlich)",
    "summary.false": "Angabe, die nicht stimmen kann",
    "summary.exact": "Ohne Rauschen",
    "summary.notes": "Hinweise zur Quelle",
    "summary.more": "und {count} weitere",
    "summary.promise.one": "{whole} {about}",
    "summary.promise.parts": "{whole}, für die {number} Teile zusammen {about}",
    "summary.promise.outputs": "{whole}, für die {number} Ergebnisse zusammen {about}",
    "summary.promise.together": "{parts}{times_over}. Zusammen: {whole} {about}",
    "summary.promise.point": "{parts}{times_over}. Zusammen: {whole}, ein Punkt der Kurve δ(ε) "
    "{about}",
    "summary.promise.none": "keine Grenze folgt daraus {about}",
    "summary.starts.caption": "Nach Ausgangswert, {sure}",
    "summary.starts.before": "Vorher",
    "summary.starts.least": "Nachher mindestens",
    "summary.starts.most": "Nachher höchstens",
    "summary.no-limit": "Es wurde kein Grenzwert angegeben, an dem diese Veröffentlichung zu "
    "prüfen wäre.",
    "summary.going-on.all": "Von {prior} aus wäre der Grenzwert {limit} auch nach {last} solchen "
    "Veröffentlichungen noch eingehalten.",
    "summary.going-on.until": "Von {prior} aus ist der Grenzwert {limit} für bis zu {last} solche "
    "Veröffentlichungen zusammen eingehalten; für mehr ist das nicht bekannt.",
    "summary.going-on.one": "Von {prior} aus ist der Grenzwert {limit} für diese Veröffentlichung "
    "eingehalten; nach einer weiteren ist das nicht bekannt.",
    "summary.going-on.none": "Von {prior} aus ist nicht bekannt, dass auch nur eine einzige "
    "Veröffentlichung den Grenzwert {limit} einhält.",
    "summary.assumed.made": "Das Rauschen wurde wie zugesagt hinzugefügt und geheim gehalten. "
    "dprisk hat weder Programm noch Daten geprüft.",
    "summary.assumed.knows.membership": "Die Grenzen gelten für jemanden, der alle übrigen "
    "Datensätze kennt.",
    "summary.assumed.knows.both": "Die Grenzen gelten für jemanden, der richtig einschätzt, wie "
    "wahrscheinlich die übrigen Datensätze sind.",
    "summary.assumed.knows-several.both": "Die Grenzen gelten für jemanden, der richtig "
    "einschätzt, wie wahrscheinlich die übrigen Datensätze sind.",
    "summary.assumed.knows.attribute": "Die Grenzen gelten für jemanden, der alle übrigen "
    "Datensätze kennt und weiß, dass dieser Datensatz in den Daten ist.",
    "summary.assumed.knows-several.attribute": "Die Grenzen gelten für jemanden, der alle übrigen "
    "Datensätze kennt und weiß, dass die Datensätze von Folgendem in den Daten sind: {record}.",
    "summary.assumed.neighbors.add-remove": "Die Quelle sagt nicht, welche Datenbestände die "
    "Zusage vergleicht. Angenommen wurde: mit einem Datensatz und ohne ihn.",
    "summary.assumed.neighbors.replace-one": "Die Quelle sagt nicht, welche Datenbestände die "
    "Zusage vergleicht. Angenommen wurde: mit einem geänderten Datensatz.",
    "summary.assumed.neighbors-several.add-remove": "Die Quelle sagt nicht, welche Datenbestände "
    "die Zusage vergleicht. Angenommen wurde: mit den Datensätzen von Folgendem und ohne sie: "
    "{one}.",
    "summary.assumed.neighbors-several.replace-one": "Die Quelle sagt nicht, welche Datenbestände "
    "die Zusage vergleicht. Angenommen wurde: mit geänderten Datensätzen von Folgendem: {one}.",
    "summary.assumed.own-noise": "Das Rauschen jedes Ergebnisses ist unabhängig.",
    "summary.uncovered.people": "Was die Daten über Menschen im Allgemeinen zeigen. Das lässt sich "
    "auf jeden anwenden, ob er dabei war oder nicht.",
    "summary.uncovered.others": "Was die Daten anderer oder andere Quellen über jemanden sagen.",
    "summary.uncovered.later": "Spätere Veröffentlichungen über dieselben Personen, durch die sich "
    "mehr erfahren lässt.",
    "summary.uncovered.exact": "Was ohne Rauschen veröffentlicht wurde.",
    "summary.uncovered.inside": "Ob der Datensatz von jemandem in den Daten ist. Eine Zusage unter "
    "replace-one verbirgt das nicht.",
    "summary.uncovered.leaks": "Fehler, Diebstahl und undichte Stellen.",
    "progress.step": "{stage}: {done} von {total}",
    "progress.stage.adding-up-grids": "Gitter werden addiert",
    "progress.stage.answering": "Fragen werden beantwortet",
    "progress.stage.assessing": "Risiken werden bestimmt",
    "progress.stage.climbing": "wiederholte Veröffentlichungen werden begrenzt",
    "progress.stage.drawing-tables": "Tabellen werden gezogen",
    "progress.stage.histories": "Verläufe",
    "progress.stage.items": "Einträge",
    "progress.stage.making-grids": "Gitter werden erstellt",
    "progress.stage.definitions": "Definitionen",
    "progress.stage.reading-promises": "Zusagen werden gelesen",
    "progress.stage.refining-grids": "Gitter werden verfeinert",
    "progress.stage.rows": "Zeilen",
    "progress.stage.sampling": "Funktionswerte werden berechnet",
    "progress.stage.scenarios": "Szenarien",
    "progress.stage.starting-Spark": "Spark wird gestartet",
}
