"""Theorems in one line each."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
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
