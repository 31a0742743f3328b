"""From the risk that is tolerated to the largest budget, and what it costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.options import FILE, NUMBER, WORD, Text, Texts, argument, option

if TYPE_CHECKING:
    from dprisk.budget.limits import Limit
    from dprisk.budget.sheet import BudgetSheet
    from dprisk.releases.release import Release


class BudgetOptions(NamedTuple):
    """``budget``: the largest budget that keeps the limits."""

    profile: Annotated[Text, argument("help.budget.profile", FILE)] = None
    limits: options.LimitOptions = options.LimitOptions()
    neighbors: options.Neighbors = None
    releases: Annotated[str, option("help.budget.releases", NUMBER)] = "1"
    spent: options.Spent = None
    definition: Annotated[Texts, option("help.budget.definition", WORD)] = None
    delta: Annotated[Text, option("help.budget.delta", NUMBER)] = None
    rule: Annotated[Texts, option("help.budget.rule", WORD)] = None
    mechanism: Annotated[Texts, option("help.budget.mechanism", WORD)] = None
    people: Annotated[Text, option("help.budget.people", NUMBER)] = None
    sensitivity: Annotated[str, option("help.budget.sensitivity", NUMBER)] = "1"

    def answer(self) -> BudgetSheet:
        """The sheet with every budget that was asked for."""
        from dprisk.budget import Together, budgets
        from dprisk.budget.counting import used_by
        from dprisk.composition.basis import contradicted

        relation, asked = self._relation(), self.tolerances()
        before = self._spent()
        together = Together(
            reading.whole_number("--releases", self.releases),
            "best",
            self.limits.delta,
            None,
            [pair for release in before for pair in used_by(release)],
        )
        sheet = budgets(
            asked,
            definitions=self.definition or [],  # type: ignore[arg-type]
            rules=self.rule or [],  # type: ignore[arg-type]
            noises=self.mechanism or [],  # type: ignore[arg-type]
            neighbors=relation,
            delta=reading.optional("--delta", self.delta),
            releases=together,
            sensitivity=reading.number("--sensitivity", self.sensitivity),
            people=None if self.people is None else reading.whole_number("--people", self.people),
        )
        return replace(sheet, contradicted=contradicted(*before))

    def tolerances(self) -> list[Limit]:
        """The limits to be kept, of which there is at least one."""
        return self.limits.some("budget", self.profile, self._relation())

    def _relation(self) -> Any:
        of_profile = self.neighbors is None and self.profile is not None and not self.limits.limit
        return "add-remove" if of_profile else reading.related(self.neighbors)

    def _spent(self) -> list[Release]:
        """What has been released before."""
        from dprisk.releases.files import read_releases

        return [release for file in self.spent or () for release in read_releases(file)]
