"""Long work: what is being done."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "progress.step": "{stage}: {done} of {total}",
    "progress.stage.adding-up-grids": "adding up grids",
    "progress.stage.answering": "answering",
    "progress.stage.assessing": "assessing",
    "progress.stage.climbing": "bounding repeated releases",
    "progress.stage.drawing-tables": "drawing tables",
    "progress.stage.histories": "histories",
    "progress.stage.items": "items",
    "progress.stage.laying-out-pages": "laying out pages",
    "progress.stage.making-grids": "making grids",
    "progress.stage.definitions": "definitions",
    "progress.stage.reading-promises": "reading promises",
    "progress.stage.refining-grids": "refining grids",
    "progress.stage.rows": "rows",
    "progress.stage.sampling": "sampling",
    "progress.stage.scenarios": "scenarios",
    "progress.stage.starting-Spark": "starting Spark",
}
