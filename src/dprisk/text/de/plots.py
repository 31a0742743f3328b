"""Words on a figure, beside it and in place of it: the icons of a summary."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "plots.held": "Das Rauschen ist zufällig: Das gilt in mindestens {share} von 100 Fällen.",
    "plots.source": "Quelle: {works} · gezeichnet mit dprisk",
    "plots.source.place": "Quelle: {work} ({place}) · gezeichnet mit dprisk",
    "plots.source.none": "Gezeichnet mit dprisk",
    "plots.icons.title": "Von {before} auf {after}",
    "plots.icons.one": "Ein Feld aus {of} Kreisen, von links oben an gefüllt.",
    "plots.icons.several": "{number} Felder nebeneinander aus je {of} Kreisen, von links oben an "
    "gefüllt.",
    "plots.icons.case": "{name}: {words}.",
}
