"""Die Seite auf Deutsch."""

from __future__ import annotations

from typing import Final

WAYS: Final = {
    "title": "Was heißt dieses ε für einen Menschen?",
    "subtitle": "Geben Sie eine Zusage ein und sehen Sie, was sich erfahren lässt. Alles wird in "
    "dieser Datei berechnet, und nichts verlässt sie.",
    "ways": "Einstiege",
    "way.promise": "Ich habe ein ε",
    "way.release": "Veröffentlichungen",
    "way.budget": "Welches ε darf es sein?",
    "way.compare": "Vergleichen",
    "noscript": "Diese Seite rechnet mit JavaScript, das hier ausgeschaltet ist. Die Tabelle der "
    "Veröffentlichungen unten lässt sich trotzdem lesen. Auf der Befehlszeile gibt dprisk assess "
    "dieselben Zahlen.",
    "footer": "dprisk {version}. Prüfsumme des Skripts: {checksum}.",
    "skip": "Zum Inhalt springen",
    "language": "Sprache",
    "language.en": "English",
    "language.de": "Deutsch",
    "quoted": "„{what}“",
}

ASKED: Final = {
    "ask.promise": "Die Zusage",
    "ask.kind": "Art der Differential Privacy",
    "kind.pure": "ε (rein)",
    "kind.approximate": "ε und δ (approximativ)",
    "kind.concentrated": "ρ (konzentriert, zCDP)",
    "kind.gaussian": "μ (Gaußsch)",
    "ask.epsilon": "ε, Grenze des Privatsphärenverlusts",
    "ask.rho": "ρ",
    "ask.mu": "μ",
    "ask.delta": "δ, zusätzlicher Spielraum",
    "ask.neighbors": "Benachbarte Datensätze",
    "neighbors.add-remove": "Ein Eintrag mehr oder weniger",
    "neighbors.replace-one": "Ein Eintrag ersetzt",
    "ask.neighbors.help": "Die Zusage verbirgt, ob ein Eintrag da ist, oder nur, was er sagt. "
    "Was gilt, steht in der Dokumentation der Veröffentlichung.",
    "ask.release": "Die Veröffentlichung",
    "ask.unit": "Ein Eintrag ist",
    "unit.person": "Eine Person",
    "unit.household": "Ein Haushalt",
    "unit.user-day": "Ein Tag der Daten einer Person",
    "unit.event": "Ein Ereignis, etwa ein Besuch",
    "ask.secret": "Was jemand erfahren möchte",
    "secret.membership": "Ob der Eintrag in den Daten ist",
    "secret.attribute": "Eine Angabe über den Eintrag",
    "ask.secret.help": "Für beides zugleich, mit einer Chance für jedes, gibt es dprisk assess und "
    "dprisk report mit --secret both.",
    "ask.more": "Weitere Angaben",
    "ask.count": "Veröffentlichungen dieser Art",
    "ask.reader": "Ausgangspunkt und Konfidenz",
    "ask.prior": "Chance vorher, von 100",
    "ask.confidence": "Wie sicher die Grenze gilt, in 100 Fällen",
    "ask.other": "Die andere Zusage",
    "ask.points": "Hinnehmbares Risiko",
    "ask.points.help": "Zu einer Chance vorher die höchste Chance nachher, die Sie hinnehmen. Sie "
    "können die Punkte auch im Bild zeichnen.",
    "ask.rule": "Was Sie hinnehmen",
    "rule.points": "Zu jeder Chance vorher eine höchste Chance nachher",
    "rule.profile": "Eine höchste Chance oder ein Vielfaches, je nachdem, was mehr ist",
    "ask.profile.help": "Jemand fragt, ob eine Person in den Daten ist und eine Angabe zu ihr "
    "stimmt. Die Chance darf auf die höchste Chance steigen, oder auf das Vielfache der Chance "
    "vorher (Kazan und Reiter 2024).",
    "ask.cap": "Höchste Chance nachher, von 100",
    "ask.ratio": "Vielfaches der Chance vorher",
    "ask.covered": "Chancen vorher",
    "covered.every": "Beliebige",
    "covered.membership": "Eine für das Vorkommen, jede für die Angabe",
    "covered.value": "Jede für das Vorkommen, eine für die Angabe",
    "covered.both": "Eine für das Vorkommen, eine für die Angabe",
    "ask.included": "Chance, dass jemand in den Daten ist, von 100",
    "ask.valued": "Chance der Angabe, falls in den Daten, von 100",
    "ask.start": "Vorher, von 100",
    "ask.limit": "Nachher höchstens, von 100",
    "ask.point.start": "Punkt {number}: Chance vorher, von 100",
    "ask.point.limit": "Punkt {number}: höchste Chance nachher, von 100",
    "ask.point.remove": "Punkt {number} entfernen",
    "ask.point.add": "Punkt hinzufügen",
    "ask.published": "Veröffentlichung",
    "published.deployments": "Aus der Praxis",
    "published.census": "US-Zensus 2020, Daten für Wahlkreise",
    "ask.range": "Geben Sie eine Zahl von {low} bis {high} ein.",
    "slider": "{name}, Schieberegler",
}

SAID: Final = {
    "what.guess": "eine Vermutung über diese Angabe zu einer Person stimmt: {fact}",
    "fact.block-within-block-group": "Block innerhalb der Blockgruppe",
    "fact.block-within-tract": "Block innerhalb des Zensusbezirks",
    "fact.race": "Abstammung (race)",
    "fact.ethnicity": "hispanische Herkunft",
    "fact.voting-age": "Wahlalter",
    "fact.group-quarters": "Art der Gemeinschaftsunterkunft",
    "fact.everything": "der ganze Eintrag",
    "say.promised.one": "Die Zusage: {promise} für {unit} ({changed}).",
    "say.promised": "Die Zusage: {promise} für {unit} ({changed}), in jeder von {count} "
    "Veröffentlichungen.",
    "say.together": "Zusammen: {promise}.",
    "one.person": "eine Person",
    "one.household": "einen Haushalt",
    "one.user-day": "einen Tag der Daten einer Person",
    "one.event": "ein Ereignis",
    "changed.add-remove": "hinzugefügt oder entfernt",
    "changed.replace-one": "ersetzt",
    "say.part": "Diese Grenze gilt für einen Eintrag. Über mehrere Einträge derselben Person lässt "
    "sich zusammen mehr erfahren.",
    "say.mostly": "Das Rauschen ist zufällig: Diese Grenze gilt in mindestens {sure} von 100 "
    "Fällen.",
    "say.none": "Mit dieser Sicherheit setzt die Zusage keine Grenze. In einem von {cases} Fällen "
    "kann δ aufgebraucht sein. Wählen Sie eine Sicherheit unter {most} von 100.",
    "say.impossible": "Wenn ein Eintrag dazukommt oder wegfällt, braucht eine Angabe zwei "
    "Schritte. Darum ist diese Grenze weiter als die für das Vorkommen in den Daten.",
    "say.replaced": "Wird ein Eintrag ersetzt, ist die Zahl der Personen öffentlich. Die Frage "
    "gilt dann einer Angabe und nicht dem Vorkommen in den Daten.",
    "say.of": "{count} von {of}",
    "say.unstated": "nicht angegeben",
    "say.certified": "{name}, {curator}: {promise}. Geschützte Einheit: {unit}. Zeitraum: "
    "{period}. Modell: {model}.",
    "say.census": "Das wirklich verwendete Rauschen, für diese Angabe allein: ρ = {amount} von "
    "{total}. Alles andere über die Person gilt als bekannt.",
    "say.budget": "Damit eine Chance von {before} nicht über {limit} steigt, bei {releases}:",
    "say.budget.several": "Das ist der strengste Ihrer {count} Punkte.",
    "say.releases.one": "einer Veröffentlichung",
    "say.releases": "{count} Veröffentlichungen",
    "say.each": " je Veröffentlichung",
    "say.budget.pure": "Verwenden Sie ein ε von höchstens {value}{each}.",
    "say.budget.concentrated": "Oder ein ρ von höchstens {value}{each}, in mindestens {sure} von "
    "100 Fällen.",
    "say.budget.gaussian": "Oder ein μ von höchstens {value}{each}, in mindestens {sure} von 100 "
    "Fällen.",
    "say.budget.none": "Wählen Sie eine höchste Chance über der Chance vorher und unter 100.",
    "say.profile": "Jemand fragt, ob eine Person in den Daten ist und eine Angabe zu ihr stimmt. "
    "Sie nehmen eine Chance von {cap} hin, oder das {ratio}-Fache der Chance vorher, wenn das mehr "
    "ist. Damit diese Grenze bei {releases} gilt, {where}:",
    "profile.every": "von welcher Chance aus auch immer",
    "profile.membership": "von {included} für das Vorkommen in den Daten aus",
    "profile.value": "von {valued} für die Angabe aus",
    "profile.both": "von {included} für das Vorkommen und {valued} für die Angabe aus",
    "profile.inside.every": "wenn bekannt ist, dass die Person in den Daten ist",
    "profile.inside.value": "wenn bekannt ist, dass die Person in den Daten ist, von {valued} für "
    "die Angabe aus",
    "say.profile.free": "Jedes ε hält diese Grenze ein, denn sie lässt Gewissheit zu.",
    "say.profile.zero": "Nur ε = 0 hält diese Grenze ein. Dann zeigen die Ergebnisse nichts über "
    "eine Person.",
    "say.profile.binds": "Am strengsten ist die Grenze bei einer Chance von etwa {included} für "
    "das Vorkommen in den Daten und etwa {valued} für die Angabe.",
    "say.profile.binds.inside": "Am strengsten ist die Grenze bei einer Chance von etwa {valued} "
    "für die Angabe.",
    "say.profile.others": "Für ρ und μ speichern Sie das Profil unten als Datei. Rufen Sie damit "
    "dprisk budget auf, mit einer Konfidenz.",
    "say.noise": "Der Preis ({noise}): Eine Anzahl liegt in 95 von 100 Fällen um höchstens {off} "
    "daneben.",
    "noise.laplace": "Laplace-Rauschen",
    "noise.geometric": "geometrisches Rauschen",
    "noise.gaussian": "Gauß-Rauschen",
    "say.compare": "Von {before} aus kann jemand {first} erreichen unter {one}, und {second} unter "
    "{two}.",
    "say.compare.unlike": "Die Zusagen verstehen unter benachbarten Datensätzen Verschiedenes. Sie "
    "schützen also vor verschiedenen Änderungen. Vergleichen Sie die Zahlen mit Vorsicht.",
}

SHOWN: Final = {
    "result": "Ergebnis",
    "unread": "Diese Seite kann {parts} in der Adresse nicht lesen und zeigt keine Antwort.",
    "unread.moot": "Diese Seite verwendet {parts} neben dem Rest der Adresse nicht und zeigt keine "
    "Antwort.",
    "unread.form": "Die Antwort auf das zeigen, was im Formular steht",
    "picture": "Vorher und nachher",
    "before": "Vorher: {chance}",
    "after": "Nachher: {chance}",
    "band": "Von jeder Chance aus",
    "band.points": "Ihre Punkte",
    "band.alt": "Chance nachher über der Chance vorher. Die Fläche zeigt, wo die Chance enden "
    "kann. Von {before} aus sind die Grenzen {low} und {high}.",
    "band.x": "Chance vorher",
    "band.y": "Chance nachher",
    "band.handle": "Chance vorher, im Bild",
    "risen": "Chancen vorher und nachher",
    "risen.alt": "Chance nachher über der Chance vorher, dass jemand in den Daten ist und die "
    "Angabe stimmt. Blau: wie weit die Chance bei diesem ε steigen kann. Orange: die höchste "
    "Chance, die Sie hinnehmen.",
    "curve": "Statistische Tests, jedes Niveau",
    "curve.x": "falscher Alarm",
    "curve.y": "richtiger Alarm, höchstens",
    "curve.guessing": "Raten",
    "curve.advantage": "Vorsprung vor dem Raten:",
    "axis": "{name}, von 100",
    "curve.alt": "Richtiger Alarm über falschem Alarm. Bei 5 von 100 falschen Alarmen {power} "
    "richtige.",
    "table.beliefs": "Verschiedene Chancen vorher",
    "table.before": "Vorher",
    "table.least": "Nachher: mindestens",
    "table.most": "Nachher: höchstens",
    "table.change": "Änderung: höchstens",
    "table.after": "Chance nachher",
    "table.any": "jede",
    "table.worst": "{change} (von {prior} aus)",
    "table.tests": "Statistische Tests",
    "table.level": "Falscher Alarm",
    "table.power": "Richtiger Alarm: höchstens",
    "table.holds": "Gilt",
    "table.holds.always": "was auch immer die Ergebnisse zeigen",
    "table.holds.mostly": "in mindestens {cases} von 100 Fällen",
    "table.repeated": "Wiederholte Veröffentlichungen",
    "table.count": "Veröffentlichungen",
    "table.noise": "Genauigkeit einer Anzahl",
    "table.kind": "Rauschen",
    "table.width": "Skala oder σ",
    "table.off": "95 von 100 liegen daneben um höchstens",
    "table.census": "US-Zensus 2020, Angabe für Angabe",
    "table.fact": "Angabe zu einer Person",
    "table.promise": "Zusage",
    "table.own": "Ihre Zusage",
    "table.release": "Veröffentlichung",
    "table.by": "Von",
    "table.about": "Was geschützt ist, für welche Zeit, durch wessen Rauschen",
    "table.compared": "Vergleichen Sie nur Zeilen mit gleicher Einheit, gleichem Zeitraum und "
    "gleichem Modell: sonst bedeuten die Zahlen etwas anderes. Jede Grenze gilt für einen "
    "Zeitraum. Spätere Zeiträume kommen hinzu.",
    "table.marked": "~ Die Quelle nennt die Nachbarschaft nicht, deshalb wurde sie angenommen. "
    "! Die Zahlen sind umstritten oder falsch bezeichnet; warum, sagt dprisk deployments NAME.",
    "table.from": "Von {before} aus",
    "table.compare": "Die Zahlen nebeneinander",
    "table.first": "Erste Zusage",
    "table.second": "Zweite Zusage",
    "table.question": "Frage",
    "question.posterior": "Chance nachher, höchstens",
    "question.power": "Richtiger Alarm bei 5 von 100 falschen Alarmen, höchstens",
    "question.epsilon": "ε bei δ = 1e-6, höchstens",
    "computed": "So sind die Zahlen berechnet",
    "computed.loss": "Der Privatsphärenverlust beträgt höchstens {loss} nats. Die Chancen (odds) "
    "ändern sich höchstens um den Faktor {factor}. Der Rest folgt nach Bayes (Kazan et al. 2024).",
    "computed.pure": "Für ε allein ist diese Grenze exakt.",
    "computed.approximate": "Die Grenze ist exakt: Ein Verfahren mit drei Ausgaben erreicht sie.",
    "computed.concentrated": "Die Grenze folgt aus dem besten Test, den ρ zulässt.",
    "computed.gaussian": "Für zwei Normalverteilungen ist die Grenze exakt.",
    "computed.epsilon": "Dieselbe Zusage ergibt ε = {epsilon} bei δ = 1e-6.",
    "computed.repeated": "Wiederholte Veröffentlichungen addieren sich. ε und δ: nach der "
    "optimalen Komposition (Kairouz et al. 2015). ρ: als Summe. μ: als Wurzel aus der "
    "Summe der Quadrate.",
    "computed.certain": "ε allein ist hier einfach addiert. Das gilt für jedes Ergebnis. Mit einer "
    "Sicherheit unter 100 findet dprisk compose engere Grenzen.",
    "computed.profile": "Für das größte ε gibt es eine Formel, dort wo das Profil am strengsten "
    "ist (Kazan und Reiter 2024, Theoreme 2, 5 und 6). Die Grenze gilt für jedes Ergebnis.",
    "computed.noise": "Das Rauschen ist das kleinste, das die Zusage hält, wenn ein Eintrag die "
    "Anzahl um höchstens 1 ändert.",
    "computed.published": "dprisk hat diese Kurve berechnet, als die Seite entstand. Jede Zahl ist "
    "eine geprüfte obere Grenze.",
    "computed.rounding": "Jede Zahl ist zur vorsichtigen Seite gerundet.",
    "assumed": "Annahmen",
    "assumed.knows": "Wer die Ergebnisse liest, kennt alle übrigen Daten.",
    "assumed.independent": "Wer die Ergebnisse liest, hält den Eintrag der Person für unabhängig "
    "von den übrigen.",
    "assumed.mechanism": "Wer die Ergebnisse liest, weiß, wie das Rauschen gezogen wird.",
    "assumed.neighbors": "Benachbarte Datensätze: {neighbors}.",
    "assumed.processed": "Die Grenze gilt auch für alles, was aus den Ergebnissen berechnet wird.",
    "assumed.worst": "Sie gilt für jedes Verfahren, das die Zusage hält. Manche verraten viel "
    "weniger.",
    "again": "Dasselbe auf der Befehlszeile",
    "again.file": "Das Risikoprofil als Datei (profile.yaml)",
    "again.python": "Dasselbe in Python",
}

PANEL: Final = {
    "subtitle.served": "Geben Sie eine Zusage ein und sehen Sie, was sich erfahren lässt. Diese "
    "Seite und ihr Server rechnen alles, und nichts verlässt sie.",
    "way.ask": "Datei, Mechanismus, Dokument",
    "way.ledger": "Kassenbuch",
    "panel": "Den Server fragen",
    "panel.about": "Geben Sie an, was die Befehlszeile nimmt: eine Datei, einen Mechanismus oder "
    "eine Zusage. Trennen Sie mehrere Werte durch Kommas. Der Server antwortet mit bewiesenen "
    "Schranken und schickt nichts anderswohin.",
    "panel.question": "Frage",
    "panel.upload": "Datei wählen",
    "panel.show": "Antwort zeigen",
    "panel.busy": "Die Rechnung läuft noch",
    "panel.far": "Die Rechnung läuft noch: {stage}, {done} von {total}",
    "panel.cancel": "Abbrechen",
    "panel.cancelled": "Abgebrochen.",
    "panel.lost": "Der Server antwortet nicht. Läuft dprisk serve noch?",
}

TEXTS: Final[dict[str, str]] = {
    f"page.{key}": text for part in (WAYS, ASKED, SAID, SHOWN, PANEL) for key, text in part.items()
}
