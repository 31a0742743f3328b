"""Public names that are imported when they are first used (PEP 562), and modules that moved."""

from __future__ import annotations

import ast
import importlib
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, final

MOVED: Final[dict[str, str]] = {
    "dprisk.analysis": "dprisk.composition.analysis",
    "dprisk.assessment": "dprisk.documents",
    "dprisk.assessment.attack_release": "dprisk.documents.compositions",
    "dprisk.assessment.compare_release": "dprisk.documents.compositions",
    "dprisk.assessment.compose_release": "dprisk.documents.compositions",
    "dprisk.assessment.run": "dprisk.documents.assessing",
    "dprisk.assessment.statements": "dprisk.documents.assessing",
    "dprisk.audit.exp_epsilon": "dprisk.audit.growth",
    "dprisk.audit.float_audit": "dprisk.audit.brackets",
    "dprisk.audit.maps": "dprisk.audit.postprocessing",
    "dprisk.audit.renyi": "dprisk.audit.pairs",
    "dprisk.audit.verdicts": "dprisk.audit.examination",
    "dprisk.basis": "dprisk.composition.basis",
    "dprisk.budget.area": "dprisk.budget.solving",
    "dprisk.budget.calibrating": "dprisk.budget.noise",
    "dprisk.budget.curve": "dprisk.budget.solving",
    "dprisk.budget.planning": "dprisk.budget.counting",
    "dprisk.bulk": "dprisk.tables",
    "dprisk.bulk.engines": "dprisk.tables",
    "dprisk.bulk.engines.arrow": "dprisk.tables",
    "dprisk.bulk.engines.duckdb": "dprisk.tables",
    "dprisk.bulk.engines.pandas": "dprisk.tables",
    "dprisk.bulk.engines.polars": "dprisk.tables",
    "dprisk.bulk.engines.spark": "dprisk.tables",
    "dprisk.bulk.summary": "dprisk.tables.summary",
    "dprisk.composition.composed": "dprisk.guarantees.base",
    "dprisk.curves.noise": "dprisk.curves.mechanisms",
    "dprisk.curves.outputs": "dprisk.curves.mechanisms",
    "dprisk.explain": "dprisk.documents",
    "dprisk.explain.claim": "dprisk.documents.explaining",
    "dprisk.explain.explanation": "dprisk.documents.explaining",
    "dprisk.guarantees.bounded": "dprisk.guarantees.probabilistic",
    "dprisk.guarantees.composed": "dprisk.guarantees.base",
    "dprisk.guarantees.concentrated": "dprisk.guarantees.renyi",
    "dprisk.ledger.checkpoints": "dprisk.ledger.copies.verifying",
    "dprisk.ledger.decisions": "dprisk.ledger.accounts",
    "dprisk.ledger.requests": "dprisk.ledger.charges",
    "dprisk.ledger.status": "dprisk.ledger.state",
    "dprisk.losses.response": "dprisk.losses.normal",
    "dprisk.mechanisms.discrete_gaussian": "dprisk.mechanisms.integers",
    "dprisk.mechanisms.geometric": "dprisk.mechanisms.integers",
    "dprisk.mechanisms.pair_of_densities": "dprisk.mechanisms.pairs",
    "dprisk.mechanisms.pair_of_distributions": "dprisk.mechanisms.pairs",
    "dprisk.mechanisms.subsampled_gaussian": "dprisk.mechanisms.subsampled",
    "dprisk.mechanisms.subsampled_laplace": "dprisk.mechanisms.subsampled",
    "dprisk.mechanisms.truncated_laplace": "dprisk.mechanisms.laplace",
    "dprisk.mechanisms.vector_gaussian": "dprisk.mechanisms.gaussian",
    "dprisk.page": "dprisk.web",
    "dprisk.papers.examples": "dprisk.papers.constructions",
    "dprisk.papers.registry": "dprisk.papers.reproduction",
    "dprisk.papers.responses": "dprisk.papers.on_numbers",
    "dprisk.papers.separations": "dprisk.papers.constructions",
    "dprisk.plots": "dprisk.curves",
    "dprisk.releases.writing": "dprisk.releases.files",
    "dprisk.report": "dprisk.documents",
    "dprisk.report.document": "dprisk.documents.reporting",
    "dprisk.report.of_table": "dprisk.documents.rendering",
    "dprisk.risk.attack_curve": "dprisk.risk.tests",
    "dprisk.risk.converse": "dprisk.risk.closed_forms",
    "dprisk.risk.independent": "dprisk.risk.closed_forms",
    "dprisk.risk.level_power": "dprisk.risk.tests",
    "dprisk.risk.posterior_to_posterior": "dprisk.risk.counterfactual",
    "dprisk.risk.prior_to_posterior": "dprisk.risk.posterior",
    "dprisk.risk.ratio_law": "dprisk.risk.small_world",
    "dprisk.risk.world": "dprisk.risk.small_world",
    "dprisk.serve": "dprisk.web",
    "dprisk.sources": "dprisk.theorems",
}
"""The module that has the names of each old module now, by its old dotted name."""
RENAMED: Final[dict[str, str]] = {
    "attacked": "assess_tests",
    "compared": "assess_counterfactual",
    "explained": "explain",
    "together": "compose_release",
}
"""The new name of each function that is imported from an old place, by its old name."""
FORMER: Final[dict[str, str]] = {
    "dprisk.losses.AtomicLoss": "dprisk.losses.atoms:AtomicLoss",
    "dprisk.losses.Loss": "dprisk.losses.base:Loss",
    "dprisk.losses.LossPair": "dprisk.losses.base:LossPair",
    **{
        f"dprisk.curves.draw_{kind}": "dprisk.curves:draw_lines"
        for kind in ("counterfactual", "loss_bound", "power", "profile", "tail", "trade_off")
    },
    **{
        f"dprisk.curves.draw_{metric}": f"dprisk.curves:draw_beliefs:{metric}"
        for metric in ("posterior", "ratio", "difference")
    },
}
"""What a room's former name is now: a module, a name in it, and a metric if it takes one."""


@final
@dataclass(frozen=True)
class _FormerNames:
    """Finds a module under its old name, and says the new one."""

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, _: ModuleSpec) -> None:
        """The usual kind of module."""

    def exec_module(self, module: ModuleType) -> None:
        new = MOVED[module.__name__]
        warnings.warn(f"{module.__name__} is now {new}.", DeprecationWarning, stacklevel=2)
        home = importlib.import_module(new)

        def load(name: str) -> object:
            return getattr(home, name if hasattr(home, name) else RENAMED.get(name, name))

        vars(module)["__getattr__"] = load


sys.meta_path.insert(0, _FormerNames())


def lazy(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names live elsewhere."""
    where = _listed(file.rpartition(".")[0] + ".pyi")
    names = sorted(where, key=lambda name: (not name.isupper(), name))

    def load(name: str) -> object:
        if name in where:
            return getattr(importlib.import_module(where[name], package), name)
        if not name.startswith("_") and "." not in package and find_spec(f"{package}.{name}"):
            return importlib.import_module(f"{package}.{name}")
        if now := FORMER.get(f"{package}.{name}"):
            home, new, *metric = now.split(":")
            warnings.warn(f"{name} is now {home}.{new}.", DeprecationWarning, stacklevel=2)
            found = getattr(importlib.import_module(home), new)
            return partial(found, metric=metric[0]) if metric else found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load, lambda: sorted(names), names


def named(package: str, where: str) -> Any:
    """Import what an entry ``module:name`` in a package's table of names stands for."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(f"{package}.{module}"), name)


def _listed(stub: str) -> dict[str, str]:
    """Map each name that a stub imports to the module that it comes from."""
    with open(stub, encoding="utf-8") as text:
        lines = ast.parse(text.read()).body
    imports = [line for line in lines if isinstance(line, ast.ImportFrom)]
    return {a.name: "." * line.level + (line.module or "") for line in imports for a in line.names}
