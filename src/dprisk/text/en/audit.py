"""Audits of finite mechanisms: claims, searches for maps, samples, and what cannot be read."""

from __future__ import annotations

from typing import Final

CLAIMS: Final[dict[str, str]] = {
    "audit.claim.adp": "{numbers}-ADP",
    "audit.claim.pure": "{numbers}-ADP",
    "audit.claim.pdp": "one-sided {numbers}-PDP",
    "audit.claim.pdp-both": "two-sided {numbers}-PDP",
    "audit.claim.pbdp": "{numbers}-pbdp",
    "audit.claim.pointwise": "pointwise {numbers}",
    "audit.claim.zcdp": "{about}({xi}, {rho})-zCDP",
    "audit.claim.about": "{delta}-approximate ",
}

TABLES: Final[dict[str, str]] = {
    "audit.finite.table": "a table of probabilities, a row for each dataset and a column for each "
    "output",
    "audit.finite.total": "probabilities that add up to 1 (within {within})",
    "audit.finite.total.fix": "It is off by {off}. Write more digits, or divide rows by their sums "
    "(normalize).",
}

FILES: Final[dict[str, str]] = {
    "audit.file.cells": "It has {found} cells, and the first line has {width}.",
    "audit.file.cells.fix": "Fill the gap.",
    "audit.file.labels": "Write two labels of datasets, such as a,b.",
    "audit.file.outputs": "Write one output of each run, such as 3.2,2.9.",
}

TEXTS: Final[dict[str, str]] = CLAIMS | TABLES | FILES
