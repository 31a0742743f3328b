"""Long work, in German: what is being done."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
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
