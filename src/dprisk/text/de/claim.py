"""How a claim in somebody's own words is read: patterns of what comes before „dass“."""

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
    "claim.with-that": rf"^{WHO} (?:{FIRST}|{LAST}),? dass (?P<what>.+)$",
    "claim.without-that": "(?!)",
    "claim.that": "^dass ",
    "claim.read.membership": "Die Aussage wird so gelesen: Der Datensatz ist in den Daten. Eine "
    "Grenze für das, was er sagt, kann weniger streng sein.",
    "claim.read.membership.plain": "Ihre Aussage wird so gelesen: Ihr Datensatz ist in den Daten. "
    "Eine Grenze für das, was er sagt, kann weniger streng sein.",
    "claim.read.attribute": "Die Aussage wird so gelesen: Der Datensatz hat diesen Wert.",
    "claim.read.attribute.plain": "Ihre Aussage wird so gelesen: Ihr Datensatz hat diesen Wert.",
    "claim.small": "das dass dem den der die ein eine jemand mein meine",
}
