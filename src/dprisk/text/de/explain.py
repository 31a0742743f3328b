"""Explanations in German: all that is said to the person whose data it is; how claims are read."""

from __future__ import annotations

from typing import Final

FIRST = (
    r"(?:schließt|folgert|denkt|glaubt|meint|weiß|erfährt|vermutet|errät|ahnt|entdeckt"
    r"|nimmt an|findet heraus|ist sicher|ist sich sicher|geht davon aus|schließt daraus)"
)
LAST = (
    r"(?:kann|könnte|wird|würde|mag) (?:daraus )?(?:schließen|folgern|denken|glauben|meinen|wissen"
    r"|erfahren|vermuten|erraten|ahnen|entdecken|annehmen|herausfinden|davon ausgehen)"
)
WHO = r"(?P<who>(?:(?!\b(?:dass|Sie|ich|wir)\b).){{1,60}}?)"  # doubled: texts are filled

TEXTS: Final[dict[str, str]] = {
    "title.with-without.plain": "Was man über Sie erfahren kann",
    "title.factors.plain": "Zwei Teile dieser Wahrscheinlichkeit",
    "title.any-reader.plain": "Eine Grenze für alle",
    "title.value.plain": "Eine Vermutung über Ihre Daten",
    "title.beliefs.plain": "Andere Ausgangswerte",
    "title.guarantee.plain": "Wie die Grenze wirkt",
    "title.exceptions.plain": "Ausnahmen von der Grenze",
    "title.time.plain": "Weitere Veröffentlichungen",
    "title.limits.plain": "Wer die Grenze gewählt hat",
    "title.worst-case.plain": "Was „höchstens“ bedeutet",
    "title.assumptions.plain": "Annahmen",
    "title.not-covered.plain": "Was die Grenze nicht abdeckt",
    "title.notes": "Anmerkungen zur Quelle",
    "title.experts.plain": "Für Fachleute",
    "title.silent.plain": "Keine Grenze",
    "for.data-subject": "was sich daraus über Sie ablesen lässt",
    "who.person": "eine bestimmte Person",
    "who.unit": "die Einheit „{unit}“",
    "who.one": "eine Einheit „{unit}“",
    "who.every": "je eine Einheit „{unit}“ pro Veröffentlichung",
    "record": "{who}",
    "record.every": "{who}",
    "record.several": "{who}",
    "and": " und ",
    "and.this": " und ",
    "and.one": " und ",
    "or": " oder ",
    "unit.person": "Person",
    "unit.housing-unit": "Wohnung",
    "data.person.plain": "Ihre Daten",
    "data.household.plain": "die Daten Ihres Haushalts",
    "data.establishment.plain": "die Daten Ihres Betriebs",
    "data.housing.plain": "die Daten über Sie und Ihre Wohnung",
    "data.period.plain": "Ihre Daten {span}",
    "data.device-period.plain": "Ihre Daten {span} von einem Gerät",
    "data.account-period.plain": "Ihre Daten {span} von einem Konto",
    "data.unit.plain": "Ihre Daten zu einer Einheit „{unit}“",
    "data.every.plain": "{data} je Veröffentlichung",
    "differs.period.plain": "Der Zeitraum ({time}) kann jedes Mal ein anderer sein.",
    "differs.device-period.plain": "Der Zeitraum ({time}) und das Gerät können jedes Mal andere "
    "sein.",
    "differs.account-period.plain": "Der Zeitraum ({time}) und das Konto können jedes Mal andere "
    "sein.",
    "differs.unit.plain": "Die Einheit „{unit}“ kann jedes Mal eine andere sein.",
    "span.hour": "einer einzigen Stunde",
    "span.day": "eines einzigen Tages",
    "span.week": "einer einzigen Woche",
    "span.month": "eines einzigen Monats",
    "span.year": "eines einzigen Jahres",
    "membership.person.plain": "Sie in den Daten vorkommen",
    "membership.unit.plain": "diese Daten verwendet wurden",
    "membership.person": "{who} in den Daten vorkommt",
    "membership.unit": "{record} in den Daten vorkommt",
    "membership.several": "{record} in den Daten vorkommen",
    "attribute.person.plain": "eine Vermutung über Sie stimmt",
    "attribute.unit.plain": "eine Vermutung zu diesen Daten stimmt",
    "attribute.real.plain": "eine Vermutung zu den echten Daten stimmt",
    "attribute.person": "auf {record} eine bestimmte Angabe zutrifft",
    "attribute.unit": "auf {record} eine bestimmte Angabe zutrifft",
    "attribute.several": "auf {record} bestimmte Angaben zutreffen",
    "both.person.plain": "Sie in den Daten vorkommen und eine Vermutung über Sie stimmt",
    "both.unit.plain": "diese Daten verwendet wurden und eine Vermutung dazu stimmt",
    "both.person": "{who} in den Daten vorkommt und eine bestimmte Angabe zutrifft",
    "both.unit": "{record} in den Daten vorkommt und eine bestimmte Angabe zutrifft",
    "both.several": "{record} in den Daten vorkommen und bestimmte Angaben zutreffen",
    "claimed.both.one": "diese Einheit in den Daten vorkommt und eine bestimmte Angabe zutrifft",
    "claimed.both.several": "diese Einheiten in den Daten vorkommen und bestimmte Angaben "
    "zutreffen",
    "claimed.membership.one": "diese Einheit in den Daten vorkommt",
    "claimed.membership.several": "diese Einheiten in den Daten vorkommen",
    "claimed.attribute.one": "auf diese Einheit eine bestimmte Angabe zutrifft",
    "claimed.attribute.several": "auf diese Einheiten bestimmte Angaben zutreffen",
    "knows.person": "die Daten aller anderen",
    "knows.person.plain": "die Daten aller anderen",
    "knows.except": "alle Daten bis auf {record}",
    "knows.unit.plain": "alle Daten bis auf {data}",
    "knows.unit": "alle übrigen Daten",
    "someone": "jemand",
    "of": "{count} von {of}",
    "chances.number": "{chances}",
    "chances.top": "mehr als {chances}",
    "chances.bottom": "weniger als {chances}",
    "possibly": "womöglich {words}",
    "up.number": "auf höchstens {chances}",
    "up.top": "fast unbegrenzt (womöglich auf mehr als {edge})",
    "up.bottom": "auf weniger als {edge}",
    "least.number": "mindestens {chances}",
    "least.top": "mehr als {edge}",
    "least.bottom": "womöglich weniger als {edge}",
    "most.number": "höchstens {chances}",
    "most.top": "womöglich mehr als {edge}",
    "most.bottom": "weniger als {edge}",
    "ends": "{least} und {most}",
    "open.both": "danach beträgt {least}, {most} oder liegt irgendwo dazwischen",
    "open.most": "danach beträgt {least} und {most}",
    "moved.number": "höchstens {chances}",
    "moved.top": "womöglich mehr als {edge}",
    "moved.bottom": "weniger als {edge}",
    "sure.always": "wie auch immer die Ergebnisse ausfallen",
    "sure.mostly": "in mindestens {confidence} von 100 Fällen",
    "start.always": "Wie auch immer die Ergebnisse ausfallen",
    "start.mostly": "In mindestens {confidence} von 100 Fällen",
    "near.number": "bei etwa {chances}",
    "near.bottom": "unter {chances}",
    "near.top": "über {chances}",
    "after.one": "Nach {releases} Veröffentlichung wie dieser",
    "after": "Nach insgesamt {releases} Veröffentlichungen wie dieser",
    "note.warning": "Warnung: {text}",
    "note.assumed": "Annahme: {text}",
    "note.missing": "Fehlt: {text}",
    "note.disputed": "Umstritten: {text}",
    "note.unusable": "Nicht verwendbar: {text}",
    "definition.pure": "reine DP",
    "definition.approximate": "approximative DP",
    "definition.approximate-curve": "approximative DP (eine Kurve)",
    "definition.probabilistic": "probabilistische DP",
    "definition.bounded": "probabilistisch beschränkte DP",
    "definition.tradeoff": "f-DP",
    "definition.gaussian": "Gauß-DP",
    "definition.laplace": "f-DP nach einer Laplace-Kurve",
    "definition.renyi": "Rényi-DP",
    "definition.concentrated": "zCDP",
    "definition.privacy-loss": "ein bekannter Verlust an Privatheit",
    "mechanism.randomized-response": "zufällig veränderte Antworten (randomized response)",
    "mechanism.geometric": "geometrisches Rauschen",
    "mechanism.truncated-laplace": "Laplace-Rauschen mit einem größten Wert",
    "mechanism.laplace": "Laplace-Rauschen",
    "mechanism.gaussian": "Gauß-Rauschen",
    "mechanism.discrete-gaussian": "diskretes Gauß-Rauschen",
    "mechanism.sample-release": "eine Stichprobe der Datensätze selbst",
    "mechanism.exponential": "der exponentielle Mechanismus",
    "mechanism.exponential.times": "{label}, {uses}-mal",
    "mechanism.above-threshold": "Antworten über einem Schwellenwert (sparse vector)",
    "mechanism.gaussian-mixture": "Gauß-Rauschen, bei einem zufälligen Beitrag eines Datensatzes",
    "mechanism.staircase": "Treppenrauschen (staircase)",
    "mechanism.shuffled-response": "zufällig veränderte Antworten, gemischt",
    "mechanism.matrix-gaussian": "korreliertes Gauß-Rauschen (ein Matrix-Mechanismus)",
    "mechanism.tree-aggregation": "Gauß-Rauschen auf den Summen eines Baums",
    "mechanism.subsampled-gaussian": "Gauß-Rauschen auf Ergebnissen aus einer zufälligen "
    "Stichprobe der Datensätze",
    "mechanism.gaussian-range": "Gauß-Rauschen",
    "mechanism.subsampled-gaussian-range": "Gauß-Rauschen auf Ergebnissen aus einer zufälligen "
    "Stichprobe der Datensätze",
    "mechanism.poisson-subsampled": "ein Verfahren auf einer zufälligen Stichprobe der Datensätze",
    "mechanism.subsampled-geometric": "geometrisches Rauschen auf Zählungen in einer zufälligen "
    "Stichprobe der Datensätze",
    "mechanism.subsampled-discrete-gaussian": "diskretes Gauß-Rauschen auf Zählungen in einer "
    "zufälligen Stichprobe der Datensätze",
    "mechanism.cyclic-batches": "Gauß-Rauschen in Schritten, von denen jeder Datensatz in jedem "
    "Durchgang an einem teilnimmt",
    "mechanism.truncated-poisson": "Gauß-Rauschen auf Summen zufälliger Stichproben, deren "
    "Größe begrenzt ist",
    "mechanism.fixed-batches": "Gauß-Rauschen auf Summen zufällig gezogener Teile fester Größe",
    "mechanism.random-allocation": "Gauß-Rauschen in Schritten, von denen jeder Datensatz an "
    "wenigen zufällig ausgewählten teilnimmt",
    "mechanism.subsampled-laplace": "Laplace-Rauschen auf Ergebnissen aus einer zufälligen "
    "Stichprobe der Datensätze",
    "assess.promise": "{promises}{times} {about}.",
    "assess.promise.composed": "{promises}{times} {about}. Für {all} zusammen gilt {whole} "
    "({rule}).",
    "assess.all.parts": "die Teile",
    "assess.all.outputs": "die {count} Ergebnisse",
    "assess.all.releases": "die {count} Veröffentlichungen",
    "assess.promise.point": "{said} Das ist ein Punkt der Kurve δ(ε).",
    "assess.promises": "Zugesagt ist {parts}",
    "assess.uses": "Verwendet wird {parts}",
    "assess.parts": "Die Veröffentlichung verbindet Zusagen und Verfahren: {parts}",
    "assess.times": ", in jeder von {releases} Veröffentlichungen",
    "assess.about": "({unit}; {period}; {relation}; {model})",
    "assess.unit": "Einheit: {unit}",
    "assess.unit.none": "Einheit nicht angegeben",
    "assess.period": "Zeitraum: {period}",
    "assess.period.once": "einmalig",
    "assess.period.none": "Zeitraum nicht angegeben",
    "assess.relation": "Nachbarschaft: {neighbors}",
    "assess.relation.assumed": "Nachbarschaft angenommen: {neighbors}",
    "assess.model.central": "zentrales Modell",
    "assess.model.local": "lokales Modell",
    "assess.model.shuffle": "Modell mit Mischung (shuffle)",
    "assess.model.federated": "föderiertes Modell",
    "assess.model.varies": "zentrales und lokales Modell",
    "assess.model.none": "Modell nicht angegeben",
    "assess.point": "{promise} (ein Punkt der Kurve δ(ε))",
    "period.once": "einmalig",
    "period.hour": "Stunde",
    "period.day": "Tag",
    "period.week": "Woche",
    "period.month": "Monat",
    "period.quarter": "Quartal",
    "period.year": "Jahr",
    "part.times": ", {count}-mal",
    "part.times.sampled": ", {count}-mal, jedes Mal mit einer neuen Stichprobe",
    "part.times.promised": " ({count}-mal)",
    "part.label": " für „{label}“",
    "part.known": "{name} ({parts}){label}{times}",
    "part.promised": "{keeps}{times}",
    "part.run": "{run}{label}{times}",
    "part.mechanism": "{mechanism} ({details}){label}{times}",
    "part.mechanism.sampled": "{mechanism} ({details}) auf Ergebnissen aus einer zufälligen "
    "Stichprobe der Datensätze (rate {rate}){label}{times}",
    "part.keeps": "{part}, dadurch {keeps}",
    "part.keeps.each": "{part}, dadurch jeweils {keeps}",
    "part.last": "und {part}",
    "part.parameters": "{name} mit {parameters}",
    "part.approximate": "δ-approximative {name}",
    "part.comma": "; ",
    "part.list": "aus {number} Zahlen",
    "part.matrix": "aus {rows} Zeilen",
    "contradicted": "Diese Veröffentlichung kann die Angabe {promise} nicht einhalten: {why} Die "
    "Angabe wird im Folgenden nicht verwendet.",
    "contradicted.epsilon": "Bei δ = {at} ergibt das verwendete Verfahren mindestens ε = "
    "{certified}; angegeben ist {claimed}.",
    "contradicted.epsilon.curve": "Bei δ = {at} ergibt das verwendete Verfahren mindestens ε = "
    "{certified}; die Angabe erlaubt {claimed}.",
    "contradicted.endless": "Bei δ = {at} hält das verwendete Verfahren kein endliches ε ein; "
    "angegeben ist {claimed}.",
    "contradicted.endless.curve": "Bei δ = {at} hält das verwendete Verfahren kein endliches ε "
    "ein; die Angabe erlaubt {claimed}.",
    "contradicted.delta": "Bei ε = {at} ergibt das verwendete Verfahren mindestens δ = "
    "{certified}; angegeben ist {claimed}.",
    "contradicted.divergence": "Bei Ordnung {at} beträgt die Rényi-Divergenz des verwendeten "
    "Verfahrens mindestens {certified}; die Angabe erlaubt {claimed}.",
    "contradicted.rho": "Das verwendete Verfahren ergibt mindestens ρ = {certified}; angegeben ist "
    "{claimed}.",
    "contradicted.tail": "Der Privatsphärenverlust des verwendeten Verfahrens übersteigt ε = {at} "
    "mit einer Wahrscheinlichkeit von mindestens {certified}; angegeben ist {claimed}.",
    "rests.run": "Diese Grenze beruht auf dem verwendeten Verfahren. Nicht verwendet wird {also}; "
    "auch das kann gelten.",
    "rests.parts": "Diese Grenze beruht auf {used}. Nicht verwendet wird {also}; auch das kann "
    "gelten.",
    "rests.statement": "Diese Grenze beruht auf der Angabe {used}. Nicht verwendet wird {also}; "
    "auch das kann gelten.",
    "rests.exact": "Diese Grenze gilt nicht für das, was exakt veröffentlicht wird: {exact}.",
    "rests.computational": "Diese Grenze gilt nur bei begrenzter Rechenleistung, und solange das "
    "Folgende nicht von reinem Zufall zu unterscheiden ist: {assumption}.",
    "contradicted.plain": "Eine veröffentlichte Angabe zu diesen Ergebnissen kann nicht stimmen "
    "(für Fachleute: {promise}). Diese Ergebnisse schützen Sie weniger, als diese Angabe sagt. "
    "Hier beruht nichts auf ihr.",
    "headline.before": "Angenommen, {observer} kennt {known}. Vor der Veröffentlichung schätzt "
    "diese Person die Wahrscheinlichkeit, dass {claim}, auf {before}.",
    "headline.named": "Angenommen, {observer} kann {known} sehen und schätzt vor der "
    "Veröffentlichung: Die Wahrscheinlichkeit, dass {claim}, liegt bei {before}.",
    "headline.after": "{Sure}: Die Wahrscheinlichkeit danach beträgt {ends}.",
    "headline.nearly-all": "Es bleibt fast keine Grenze. Die Wahrscheinlichkeit {open}.",
    "headline.same": "{Sure}: Die Wahrscheinlichkeit bleibt gleich.",
    "headline.after.plain": "Die veröffentlichten Ergebnisse können diese Wahrscheinlichkeit {up} "
    "erhöhen.",
    "headline.same.plain": "Die veröffentlichten Ergebnisse können diese Wahrscheinlichkeit nicht "
    "ändern.",
    "headline.always.plain": "Diese Grenze gilt, wie auch immer die Ergebnisse ausfallen.",
    "headline.mostly.plain": "Das Rauschen ist zufällig: Diese Grenze gilt in mindestens "
    "{confidence} von 100 Fällen.",
    "factors.lead.plain": "Diese Wahrscheinlichkeit hat zwei Teile. Jede Grenze gilt für sich. "
    "Für beides zusammen bleibt es bei der Grenze oben.",
    "factors.inclusion.plain": "Die Ergebnisse können die Wahrscheinlichkeit, dass {claim}, von "
    "{before} {up} erhöhen.",
    "factors.value.plain": "Falls Ihre Daten darin sind: Die Ergebnisse können die "
    "Wahrscheinlichkeit, dass {claim}, von {before} {up} erhöhen.",
    "beliefs.fall.plain": "Ausgehend von {before} kann die Wahrscheinlichkeit auch sinken, bleibt "
    "aber {least}.",
    "beliefs.open.plain": "Auch ausgehend von {starts} gibt es fast keine Grenze.",
    "beliefs.always.plain": "Diese Grenzen gelten, wie auch immer die Ergebnisse ausfallen.",
    "beliefs.mostly.plain": "Das Rauschen ist zufällig: Diese Grenzen gelten in mindestens "
    "{confidence} von 100 Fällen.",
    "beliefs.more.plain": "Ausgehend von {before} bleibt die Wahrscheinlichkeit {ends}.",
    "beliefs.nearly-all.plain": "Ausgehend von {before} bleibt fast keine Grenze. Die "
    "Wahrscheinlichkeit {open}.",
    "beliefs.still.plain": "Ausgehend von {before} ändert sich die Wahrscheinlichkeit nicht.",
    "beliefs.certain": "Ausgehend von {before}, also von Gewissheit, ändert sich nichts.",
    "beliefs.any.plain": "Bei jedem Ausgangswert verschiebt sich die Wahrscheinlichkeit um "
    "{points} nach oben oder unten.",
    "beliefs.any-still.plain": "Bei keinem Ausgangswert ändert sich die Wahrscheinlichkeit.",
    "beliefs.largest.plain": "Die Änderung ist am größten, wenn der Ausgangswert {up} liegt.",
    "beliefs.largest-apart.plain": "Der Anstieg ist am größten, wenn der Ausgangswert {up} liegt; "
    "der Rückgang ist am größten, wenn er {down} liegt.",
    "any-reader.other.plain": "Die Grenze oben gilt, wenn jemand {known} kennt. "
    "Die nächste Grenze gilt für alle, was auch immer sie wissen, und für jede Vermutung über Sie. "
    "Deshalb ist sie weniger streng.",
    "any-reader.before.resampled.plain": "Stellen Sie sich vor, {data} würden durch erfundene "
    "ersetzt, zufällig gezogen nach dem Vorbild anderer. Angenommen, danach liegt die "
    "Wahrscheinlichkeit, dass {claim}, bei {before}.",
    "any-reader.before.dropped.plain": "Stellen Sie sich Ergebnisse vor, in die {data} nicht "
    "eingehen. Angenommen, danach liegt die Wahrscheinlichkeit, dass {claim}, bei {before}.",
    "any-reader.after.plain": "Sind {data} eingegangen, können die Ergebnisse diese "
    "Wahrscheinlichkeit {up} erhöhen.",
    "any-reader.always.plain": "Diese Grenze gilt, wie auch immer die Ergebnisse ausfallen, und "
    "für alle, auch wenn sie sich irren.",
    "value.other.plain": "Die Grenze oben betrifft die Frage, ob Ihre Daten dabei sind. Eine "
    "Vermutung darüber, was Ihre Daten sagen, ist eine andere Frage, und ihre Grenze ist weniger "
    "streng: Verglichen werden Ihre Daten mit anderen an ihrer Stelle. Das sind zwei Schritte: "
    "Ihre Daten herausnehmen und andere einsetzen.",
    "value.before.plain": "Angenommen, jemand kennt {known} und weiß, dass {about}. Diese Person "
    "schätzt die Wahrscheinlichkeit, dass {claim}, auf {before}.",
    "guarantee.noise.plain": "Rauschen (zufällige Änderungen), mit dem solche Zusagen eingehalten "
    "werden, soll begrenzen, was andere über Sie erfahren können, weil {data} verwendet wurden.",
    "guarantee.noise-open.plain": "Absichtlich hinzugefügtes Rauschen (zufällige Änderungen) macht "
    "die Ergebnisse ungenauer. Die Zusage setzt aber fast keine Grenze dafür, was andere über Sie "
    "erfahren können, weil {data} verwendet wurden. Das verwendete Verfahren verrät vielleicht "
    "viel weniger; wie viel weniger, sagt die Zusage nicht.",
    "guarantee.noise-weak.plain": "Absichtlich hinzugefügtes Rauschen (zufällige Änderungen) macht "
    "die Ergebnisse ungenauer. Dieses Rauschen setzt aber fast keine Grenze dafür, was andere über "
    "Sie erfahren können, weil {data} verwendet wurden.",
    "guarantee.central.plain": "Ihre Originaldaten liegen bei der Stelle, die die Ergebnisse "
    "veröffentlicht. Die Grenze betrifft die veröffentlichten Ergebnisse und alles, was später "
    "daraus berechnet wird.",
    "guarantee.local.plain": "Das Rauschen kommt hinzu, bevor jemand Ihre Daten erhebt. Die "
    "Grenze betrifft die erhobenen Daten und alles, was später daraus berechnet wird.",
    "guarantee.shuffle.plain": "Ihre Daten werden mit denen anderer gemischt, bevor jemand sie "
    "auswertet. Die Grenze betrifft das, was nach dem Mischen herauskommt, und alles, was später "
    "daraus berechnet wird.",
    "guarantee.federated.plain": "Ihre Daten bleiben auf Ihrem Gerät, das Aktualisierungen "
    "verschickt. Die Grenze betrifft das, was daraus veröffentlicht wird, und alles, was später "
    "daraus berechnet wird.",
    "guarantee.varies.plain": "Ein Teil des Rauschens kommt hinzu, bevor Ihre Daten erhoben "
    "werden, ein anderer danach. Die Grenze betrifft die veröffentlichten Ergebnisse und alles, "
    "was später daraus berechnet wird.",
    "guarantee.nobody.plain": "Ob das Rauschen vor oder nach der Erhebung Ihrer Daten hinzukommt, "
    "ist nicht bekannt. Die Grenze betrifft die veröffentlichten Ergebnisse und alles, was später "
    "daraus berechnet wird.",
    "guarantee.below.plain": "Die Grenze gilt nur für Folgendes: {data}. Über alle Ihre Daten "
    "zusammen lässt sich mehr erfahren.",
    "guarantee.expert.plain": "{promise}",
    "exceptions.none.plain": "Wenn die Annahmen stimmen, hält jedes mögliche Ergebnis die Grenzen "
    "oben ein, auch ein sehr seltenes.",
    "exceptions.some.plain": "Für jede Grenze hier gilt: In höchstens {failure} von 100 "
    "Fällen können die Ergebnisse mehr verraten. Ein Fall ist ein Durchlauf des Zufallsvorgangs "
    "hinter den Ergebnissen, nicht eine Person.",
    "delta.known.plain": "In manchen dieser Fälle gibt es womöglich gar keine Grenze. Ohne weitere "
    "Veröffentlichungen beträgt die Wahrscheinlichkeit dafür {delta}.",
    "delta.outright.plain": "In manchen dieser Fälle gibt es womöglich gar keine Grenze. Ohne "
    "weitere Veröffentlichungen beträgt die Wahrscheinlichkeit dafür {delta}. Manche Verfahren mit "
    "einer solchen Zusage veröffentlichen gelegentlich die Daten einer Person unverändert. Ob "
    "dieses Verfahren dazugehört, sagt die Zusage nicht.",
    "delta.curve.plain": "In diesen Fällen kann sich die Wahrscheinlichkeit stärker ändern. Große "
    "Änderungen sind seltener als kleine.",
    "time.adds.plain": "Mit jeder neuen Veröffentlichung über Sie lässt sich mehr erfahren.",
    "time.each.plain": "Die folgenden Zahlen zählen je Veröffentlichung {data}. {differs}",
    "time.already.plain": "Schon diese Veröffentlichung setzt fast keine Grenze. Durch weitere "
    "lässt sich allenfalls mehr erfahren.",
    "time.after.plain": "{after} können aus {before} {up} werden.",
    "time.top": "{after} bleibt fast keine Grenze. Ausgehend von {before} beträgt die "
    "Wahrscheinlichkeit {up}.",
    "time.same.plain": "Wie viele solche Ergebnisse auch veröffentlicht werden: Die "
    "Wahrscheinlichkeit bleibt gleich.",
    "time.none.plain": "{after} bleibt keine Grenze.",
    "limits.who.plain": "Wer die Ergebnisse veröffentlicht, wählt diese Grenze. Eine "
    "strengere Grenze braucht mehr Rauschen, und die Ergebnisse werden ungenauer.",
    "worst.most.plain": "„Höchstens“ ist eine Grenze, keine Vorhersage. Die Ergebnisse können auch "
    "weniger verraten.",
    "worst.little.plain": "Diese Grenze schließt wenig aus.",
    "assumed.method.plain": "Wir nehmen an und haben nicht geprüft, dass die Ergebnisse wie "
    "zugesagt erstellt wurden. Auch nehmen wir an, dass das Rauschen und jede andere "
    "Zufallsauswahl geheim bleiben.",
    "assumed.two.plain": "Verglichen wurden zwei Möglichkeiten: In der einen stimmt die "
    "Vermutung, in der anderen nicht.",
    "assumed.neighbors.add-remove.plain": "Was die Zusage vergleicht, ist nicht angegeben. "
    "Angenommen ist der übliche Vergleich: Ergebnisse mit Ihren Daten und Ergebnisse ohne sie.",
    "assumed.neighbors.replace-one.plain": "Was die Zusage vergleicht, ist nicht angegeben. "
    "Angenommen ist der übliche Vergleich: Ergebnisse mit Ihren Daten und Ergebnisse mit anderen "
    "an ihrer Stelle.",
    "assumed.computational.plain": "Die Veröffentlichung beruht auf: {assumption}. Angenommen ist, "
    "dass mit üblicher Rechenleistung niemand die Ausgaben davon von reinem Zufall unterscheiden "
    "kann.",
    "open.people.plain": "Was die Daten über Menschen im Allgemeinen zeigen. Andere können das auf "
    "Sie übertragen, unabhängig davon, ob Ihre Daten verwendet wurden.",
    "open.others.plain": "Was die Daten anderer über Sie sagen, zum Beispiel die Ihrer Familie.",
    "open.exact.plain": "Was ohne Rauschen veröffentlicht wird: {invariants}.",
    "open.exact-none.plain": "Was ohne Rauschen veröffentlicht wird.",
    "open.leaks.plain": "Fehler, Diebstahl und Datenlecks.",
    "open.inside.plain": "Ob {data} überhaupt verwendet wurden.",
    "silent.nothing.plain": "Die Zusage zu diesen Ergebnissen ist so schwach, dass sie keine "
    "Grenze setzt. Nach der Zusage kann jemand daraus alles über Sie erfahren.",
    "silent.number.plain": "Keine Zahl sagt, wie viel sich über Sie erfahren lässt. Die "
    "Begründung, auf Englisch: {reason}",
    "silent.promise.plain": "Für Fachleute: {promise}",
    "claim.with-that": rf"^{WHO} (?:{FIRST}|{LAST}),? dass (?P<what>.+)$",
    "claim.without-that": "(?!)",
    "claim.that": "^dass ",
    "claim.read.membership": "Die Aussage wird so gelesen: Der Datensatz ist in den Daten. Eine "
    "Grenze für das, was er sagt, kann weniger streng sein.",
    "claim.read.membership.plain": "Ihre Aussage wird so gelesen: Ihr Datensatz ist in den Daten. "
    "Eine Grenze für das, was er sagt, kann weniger streng sein.",
    "claim.read.attribute": "Die Aussage wird so gelesen: Der Datensatz hat diesen Wert.",
    "claim.read.attribute.plain": "Ihre Aussage wird so gelesen: Ihr Datensatz hat diesen Wert.",
    "claim.read.both": "Die Aussage wird so gelesen: Der Datensatz ist in den Daten und hat diesen "
    "Wert.",
    "claim.read.both.plain": "Ihre Aussage wird so gelesen: Ihr Datensatz ist in den Daten und hat "
    "diesen Wert.",
    "claim.small": "das dass dem den der die ein eine jemand mein meine",
    "theorems.alone": "eine Veröffentlichung, wie angegeben",
    "theorems.basic": "die ε und die δ addieren sich",
    "theorems.advanced": "Satz über fortgeschrittene Komposition",
    "theorems.optimal": "der ungünstigste Fall beim Zusammensetzen der Zusagen",
    "theorems.rhos": "die ρ addieren sich",
    "theorems.divergences": "Divergenzen gleicher Ordnung addieren sich",
    "theorems.mus": "die Quadrate der μ addieren sich",
    "theorems.losses": "die Verluste addieren sich, auch wenn Verfahren nach Ansehen früherer "
    "Ergebnisse gewählt werden",
}
