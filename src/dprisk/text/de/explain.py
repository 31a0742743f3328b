"""Explanations in German: all that is said to the person whose data it is, and the headline."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TITLES: Final = {
    "title.with-without.plain": "Mit Ihren Daten und ohne",
    "title.any-reader.plain": "Für jede Person und jede Frage",
    "title.beliefs.plain": "Was andere danach vermuten können",
    "title.guarantee": "Was zugesagt ist",
    "title.exceptions.plain": "Gilt die Grenze immer?",
    "title.delta.plain": "Was die Ausnahmen bedeuten können",
    "title.time": "Immer wieder",
    "title.limits.plain": "Wer die Grenze gewählt hat",
    "title.worst-case": "Was „höchstens“ heißt",
    "title.assumptions.plain": "Was dabei vorausgesetzt ist",
    "title.not-covered.plain": "Was die Grenze nicht abdeckt",
    "title.silent": "Keine Zahl, mit der sich arbeiten lässt",
    "for.data-subject": "Für die Person, um deren Daten es geht",
}

PHRASES: Final = {
    "who.person": "die Person",
    "who.unit": "die Einheit „{unit}“",
    "who.every": "die Einheit „{unit}“ jeder Veröffentlichung",
    "or": " oder ",
    "and": " und ",
    "data.person.plain": "Ihre Daten",
    "data.unit.plain": "die Daten einer Einheit „{unit}“",
    "data.every.plain": "die Daten einer Einheit „{unit}“ in jeder Veröffentlichung",
    "membership.person.plain": "Sie in den Daten vorkommen",
    "membership.unit.plain": "eine Ihrer Einheiten „{unit}“ in den Daten vorkommt",
    "membership": "{who} in den Daten vorkommt",
    "attribute.person.plain": "auf Sie eher das eine als das andere zutrifft",
    "attribute.unit.plain": "auf eine Ihrer Einheiten „{unit}“ eher das eine als das andere "
    "zutrifft",
    "attribute": "auf {who} eher das eine als das andere zutrifft",
    "something.person.plain": "etwas Bestimmtes auf Sie zutrifft",
    "something.unit.plain": "etwas Bestimmtes auf eine Ihrer Einheiten „{unit}“ zutrifft",
    "somebody": "eine andere Person",
    "somebody.known": "diese Person",
    "of": "{count} von {of}",
    "chances.number": "{chances}",
    "chances.top": "mehr als {chances}",
    "chances.bottom": "weniger als {chances}",
    "up.number": "auf höchstens {chances}",
    "up.top": "sogar auf über {edge}",
    "up.bottom": "auf weniger als {edge}",
    "down.number": "auf mindestens {chances}",
    "down.top": "auf mehr als {edge}",
    "down.bottom": "auf unter {edge}",
    "with.number": "auf höchstens {chances}",
    "with.top": "sogar auf über {edge}",
    "with.bottom": "auf weniger als {edge}",
    "moved.number": "höchstens {chances}",
    "moved.top": "womöglich mehr als {edge}",
    "moved.bottom": "weniger als {edge}",
    "sure.always": "wie auch immer die Ergebnisse ausfallen",
    "sure.mostly": "mit einer Sicherheit von mindestens {confidence} %",
    "near.number": "nahe {chances}",
    "near.bottom": "unter 1 von 100",
    "near.top": "über 99 von 100",
    "points": "um höchstens {points}",
    "points.top": "sogar um mehr als 99",
    "points.top.plain": "sogar um mehr als 99 von 100",
    "starts": "{up} liegt",
    "starts.apart": "{up} (nach oben) oder {down} (nach unten) liegt",
    "ends.same": "in jedem Fall {end}",
    "ends.anywhere": "auf irgendeinen Wert von unter {bottom} bis über {top}",
    "ends": "{high} und {low}",
    "high.number": "höchstens {chances}",
    "high.top": "sogar auf über {edge}",
    "high.bottom": "auf unter {edge}",
    "low.number": "auf mindestens {chances}",
    "low.top": "auf über {edge}",
    "low.bottom": "sogar auf unter {edge}",
    "at": "auf {end}",
}

NAMES: Final = {
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
    "mechanism.subsampled-gaussian": "Gauß-Rauschen auf einem zufälligen Teil der Datensätze",
    "mechanism.subsampled-laplace": "Laplace-Rauschen auf einem zufälligen Teil der Datensätze",
}

PROMISE: Final = {
    "assess.promise": "Zugesagt ist {promises}{times} {about}.",
    "assess.promise.composed": "Zugesagt ist {promises}{times} {about}; zusammen höchstens "
    "{whole} ({rule}).",
    "assess.times": ", {releases}-mal",
    "assess.about": "({unit}; {period}; {relation}; {model})",
    "assess.unit": "Einheit: {unit}",
    "assess.unit.none": "Einheit nicht angegeben",
    "assess.period": "Zeitraum: {period}",
    "assess.period.none": "Zeitraum nicht angegeben",
    "assess.relation": "Nachbarschaft: {neighbors}",
    "assess.relation.assumed": "Nachbarschaft angenommen: {neighbors}",
    "assess.model.central": "zentrales Modell",
    "assess.model.local": "lokales Modell",
    "assess.model.shuffle": "Modell mit Mischung (shuffle)",
    "assess.model.federated": "föderiertes Modell",
    "assess.model.varies": "wechselndes Modell",
    "assess.model.none": "Modell nicht angegeben",
    "assess.point": "{promise}, ein Punkt einer Kurve",
    "period.once": "einmalig",
    "period.hour": "Stunde",
    "period.day": "Tag",
    "period.week": "Woche",
    "period.month": "Monat",
    "period.quarter": "Quartal",
    "period.year": "Jahr",
    "part.times": "{count} × ",
    "part.label": " für „{label}“",
    "part.known": "{times}{name} ({parts}){label}",
    "part.promised": "{times}{keeps}{label}",
    "part.run": "{times}{run}, dadurch {keeps}{label}",
    "part.mechanism": "{times}{mechanism} ({details}), dadurch {keeps}{label}",
    "part.parameters": "{name} mit {parameters}",
    "part.approximate": "δ-approximative {name}",
    "part.comma": "; ",
}

HEADLINE: Final = {
    "assess.belief": "Wer die Wahrscheinlichkeit dafür, dass {secret}, auf {before} schätzt, kann "
    "sie nach Kenntnis der Ergebnisse {between} schätzen ({sure}).",
}

WITH_WITHOUT: Final = {
    "with.known.plain": "Angenommen, {observer} kennt die Daten aller anderen.",
    "with.before.plain": "Anhand von Ergebnissen {without} würde {observer} die "
    "Wahrscheinlichkeit dafür, dass {claim}, zum Beispiel auf {before} schätzen.",
    "with.after.plain": "Sind {data} in die Ergebnisse eingegangen, kann {observer} die "
    "Wahrscheinlichkeit {after} schätzen.",
    "with.same.plain": "Sind {data} in die Ergebnisse eingegangen, ändert das nichts an der "
    "Schätzung.",
    "with.anybody.plain": "Diese Grenze gilt für jedes Ergebnis und für jede Person, was auch "
    "immer sie sonst weiß oder denkt.",
    "with.always.plain": "Diese Grenze gilt für jedes Ergebnis.",
    "with.mostly.plain": "Das Rauschen ist zufällig: Diese Grenze gilt in mindestens "
    "{confidence} von 100 Fällen. In den übrigen Fällen können die Ergebnisse mehr verraten.",
    "with.replaced.plain": "Wie viele Personen in den Daten vorkommen, ist hier kein Geheimnis. "
    "Deshalb werden {data} zum Vergleich durch erfundene Daten ersetzt.",
    "with.resampled.plain": "Wie viele Personen in den Daten vorkommen, ist hier kein Geheimnis. "
    "Deshalb werden {data} zum Vergleich durch andere ersetzt. Diese werden so ausgelost, wie es "
    "die Daten anderer Personen über Sie nahelegen.",
    "without.dropped.plain": "ohne {data}",
    "without.resampled.plain": "mit den ausgelosten Daten",
    "without.replaced.plain": "mit den erfundenen Daten",
    "any-reader.other.plain": "Die Grenzen oben gelten für eine Person, die die Daten aller "
    "anderen kennt und wissen will, ob {about}. Die folgende Grenze beantwortet eine andere "
    "Frage. Sie gilt für jede Person und für alles, was Ihre Daten aussagen können. Deshalb ist "
    "sie weniger eng.",
}

BELIEFS: Final = {
    "beliefs.first.plain": "Angenommen, {observer} schätzt die Wahrscheinlichkeit dafür, dass "
    "{claim}, auf {before}. Durch die Ergebnisse kann sie {up} steigen oder {down} sinken.",
    "beliefs.more.plain": "Liegt die Wahrscheinlichkeit vorher bei {before}, kann sie {up} "
    "steigen oder {down} sinken.",
    "beliefs.still.plain": "Liegt die Wahrscheinlichkeit vorher bei {before}, ändert sie sich "
    "überhaupt nicht.",
    "beliefs.certain.plain": "Wer schon vorher sicher war, bleibt es: {before}.",
    "beliefs.any.plain": "Von welchem Wert {observer} auch ausgeht: Die Ergebnisse verschieben "
    "die Wahrscheinlichkeit {points}, nach oben oder nach unten. Am weitesten kann sie sich "
    "verschieben, wenn der Ausgangswert {starts}.",
    "beliefs.any-still.plain": "Von welchem Wert {observer} auch ausgeht: Die Ergebnisse "
    "verschieben nichts.",
}

GUARANTEE: Final = {
    "guarantee.noise.plain": "Die Ergebnisse wurden mit Absicht zufällig verändert; man nennt "
    "das Rauschen. Es begrenzt, was andere dadurch über Sie erfahren können, dass {data} "
    "verwendet wurden.",
    "guarantee.central.plain": "Wer Ihre Daten erhebt, sieht sie weiterhin so, wie sie sind. Die "
    "Grenze betrifft das, was veröffentlicht wird.",
    "guarantee.local.plain": "Das Rauschen kommt zu Ihren Daten hinzu, bevor jemand sie erhebt.",
    "guarantee.shuffle.plain": "Ihre Daten werden mit denen anderer gemischt, bevor jemand sie "
    "auswertet. Die Grenze betrifft das, was nach dem Mischen herauskommt.",
    "guarantee.federated.plain": "Ihre Daten bleiben auf Ihrem Gerät, das Aktualisierungen "
    "verschickt. Die Grenze betrifft das, was daraus veröffentlicht wird.",
    "guarantee.varies.plain": "Ein Teil des Rauschens kommt hinzu, bevor die Daten erhoben "
    "werden, ein anderer danach.",
    "guarantee.nobody.plain": "Ob das vor oder nach der Erhebung Ihrer Daten geschieht, ist "
    "nicht angegeben.",
    "guarantee.later.plain": "Die Grenze gilt auch für alles, was später aus den Ergebnissen "
    "berechnet wird.",
    "guarantee.below.plain": "Die Grenze bezieht sich auf eine Einheit „{unit}“. Über mehrere "
    "Ihrer Einheiten zusammen lässt sich mehr erfahren.",
    "guarantee.expert.plain": "Für Fachleute: {promise}",
    "exceptions.none.plain": "Ja. Kein Ergebnis geht über die Grenze hinaus, wie selten es auch "
    "sein mag.",
    "exceptions.some.plain": "Nein. Sie gilt in mindestens {confidence} von 100 Fällen. In den "
    "übrigen Fällen kann ein Ergebnis darüber hinausgehen; ausschließen lässt sich das nicht.",
    "delta.outright.plain": "Mit einer Wahrscheinlichkeit von {delta} besagt die Zusage womöglich "
    "gar nichts. Manche Verfahren, die eine solche Zusage einhalten, veröffentlichen hin und "
    "wieder die Daten einer Person unverändert. Ob dieses Verfahren dazugehört, sagt die Zusage "
    "nicht.",
    "delta.curve.plain": "Ergebnisse, die weit über die Grenze hinausgehen, sind seltener als "
    "solche, die nur wenig darüber hinausgehen.",
}

TIME: Final = {
    "time.adds.plain": "Mit jeder Veröffentlichung solcher Ergebnisse über Sie lässt sich "
    "womöglich mehr über Sie erfahren.",
    "time.start.plain": "Angenommen, vor der ersten Veröffentlichung lag die Wahrscheinlichkeit "
    "bei {before}.",
    "time.after.one.plain": "Nach {releases} Veröffentlichung kann sie {up} gestiegen sein.",
    "time.after.plain": "Nach {releases} Veröffentlichungen kann sie {up} gestiegen sein.",
    "time.same.plain": "Wie oft solche Ergebnisse auch veröffentlicht werden: Sie ändert sich "
    "nicht.",
    "time.none.one.plain": "Nach {releases} Veröffentlichung bleibt keine solche Grenze.",
    "time.none.plain": "Nach {releases} Veröffentlichungen bleibt keine solche Grenze.",
    "time.top.plain": "Dort schließt die Grenze kaum noch etwas aus.",
    "limits.who.plain": "Gewählt hat die Grenze, wer die Ergebnisse erstellt. Eine niedrigere "
    "würde mehr Rauschen verlangen, und die Ergebnisse wären weniger genau.",
}

CAVEATS: Final = {
    "worst.most.plain": "„Höchstens“ ist eine Grenze, keine Vorhersage. Was die Ergebnisse "
    "tatsächlich verraten, kann weniger sein.",
    "worst.little.plain": "In dieser Höhe schließt die Grenze wenig aus.",
    "assumed.method.plain": "Die Ergebnisse wurden so erstellt wie zugesagt, und die zufälligen "
    "Änderungen kennt nur, wer sie erstellt hat.",
    "assumed.known.plain": "Wo nichts anderes steht, gelten die Zahlen für eine Person, die die "
    "Daten aller anderen kennt.",
    "assumed.two.plain": "Die Zahlen vergleichen zwei Möglichkeiten: dass es auf Sie zutrifft, "
    "und eine, in der es nicht zutrifft.",
    "assumed.neighbors.plain": "Was die Zusage vergleicht, gibt die Quelle nicht an; angenommen "
    "ist das Übliche.",
    "open.people.plain": "Was die Ergebnisse über Menschen im Allgemeinen zeigen. Das lässt sich "
    "erfahren, ob nun {data} dabei sind oder nicht, und andere können es auf Sie übertragen.",
    "open.others.plain": "Was die Daten anderer über Sie aussagen, etwa die Ihrer Familie, Ihrer "
    "Nachbarn oder der Menschen, mit denen Sie arbeiten.",
    "open.exact.plain": "Was unverändert veröffentlicht wird: {invariants}.",
    "open.exact-none.plain": "Was unverändert veröffentlicht wird, hier oder von anderen.",
    "open.leaks.plain": "Fehler, Diebstähle und undichte Stellen.",
    "open.inside.plain": "Ob {data} überhaupt verwendet wurden.",
    "silent.nothing.plain": "Die Zusage zu diesen Ergebnissen ist so schwach, dass sie nichts "
    "ausschließt. Soweit es nach ihr geht, kann jemand daraus alles über Sie erfahren.",
    "silent.number.plain": "Es gibt keine Zahl dafür, wie viel sich über Sie erfahren lässt. Die "
    "Begründung, auf Englisch: {reason}",
    "silent.promise.plain": "Für Fachleute: {promise}",
}

TEXTS: Final[dict[str, str]] = {
    **TITLES,
    **PHRASES,
    **NAMES,
    **PROMISE,
    **HEADLINE,
    **WITH_WITHOUT,
    **BELIEFS,
    **GUARANTEE,
    **TIME,
    **CAVEATS,
}
