"""The budget that a risk profile allows, beside what a release promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.documents.document import (
    Block,
    Figure,
    Items,
    Listing,
    Section,
    Table,
    figure,
    on_grid,
)
from dprisk.documents.results import promise_in_words
from dprisk.documents.saying import heads, say, sure
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.budget.profile import Profile
    from dprisk.documents.reporting import Report


def justified(report: Report) -> Section | None:
    """The budget that a risk profile allows: where it binds, its noise, and what it leaves open."""
    from dprisk.budget.files import profile_in_yaml
    from dprisk.curves import draw_error

    if (made := report.justified) is None:
        return None
    budget, rows, best, asked = made.limit.budget, [], {}, report.asked
    drawn = _profiled(made.limit.profile)
    open_to = {"inf": fill("report.no-limit")}
    cells = tuple(tuple(open_to.get(cell, cell) for cell in row) for row in drawn.numbers.rows)
    numbers = Table(fill("report.profile.priors.caption"), drawn.numbers.columns, cells)
    content = profile_in_yaml(made.limit.profile)
    rule = Listing(fill("report.profile.file"), content, "yaml")
    blocks: list[Block] = [say("report.profile.lead"), rule, drawn, numbers]
    words = {"theorem": budget.epsilon.theorem.named, "reason": budget.reason}
    if budget.status == "limited":
        words["most"] = at_least(float(made.sheet.promises[0].value), 6)
        words["neighbors"] = made.sheet.neighbors
    lines = [fill(f"report.profile.{budget.status.replace(' ', '-')}", **words)]
    if budget.binding is not None:
        ratio = f"{budget.binding.ratio:.6g}"
        lines.append(fill("report.profile.binds", where=str(budget.binding), ratio=ratio))
    if budget.status == "limited":
        verdict = "kept" if made.kept else "broken"
        share = "" if made.used is None else at_most(100.0 * made.used, 3, apart=True)
        key = verdict if share else "silent"
        lines.append(fill(f"report.profile.{key}", sure=sure(asked.confidence), used=share))
    blocks.append(Items(tuple(lines)))
    for found, costs in zip(made.sheet.promises, made.sheet.costs, strict=True):
        for cost in sorted(costs, key=lambda each: float(each.off_by))[:1]:
            best[cost.kind] = cost
            noise = f"{cost.kind}, {cost.parameter} {at_most(cost.width, 4)}"
            error = at_most(cost.standard_deviation, 3), f"± {at_most(cost.off_by, 3)}"
            rows.append((promise_in_words(found), noise, *error))
    if rows:
        columns = heads("report.profile", "promise", "noise", "deviation", "off")
        blocks.append(Table(fill("report.profile.noise.caption"), columns, tuple(rows)))
        shown_error = draw_error(best.values(), prior=asked.middle, confidence=asked.confidence)
        blocks.append(figure("error", shown_error))
    others = tuple(
        (fill(f"report.rule.{rule}"), at_least(epsilon, 4)) for rule, epsilon in made.others.items()
    )
    if others:
        columns = heads("report.profile", "rule", "epsilon")
        blocks.append(Table(fill("report.profile.rules.caption"), columns, others))
    if made.sheet.unprotected:
        blocks += [say("report.profile.open"), Items(made.sheet.unprotected)]
    return Section(fill("report.title.profile"), tuple(blocks))


def _profiled(profile: Profile) -> Figure:
    """A risk profile: a line where one of the priors is known, and otherwise a map."""
    from dprisk.budget import budget_curve, budget_map
    from dprisk.curves import draw_budget_map, draw_risk_profile

    boxes = [clause.box for clause in profile.clauses()]
    for along, known in (
        ("value_prior", {end for box in boxes for end in (box.p0, box.p1)}),
        ("membership_prior", {end for box in boxes for end in (box.q0, box.q1)}),
    ):
        if len(known) == 1:
            drawn = draw_risk_profile(budget_curve(profile, along, known.pop()))  # type: ignore[arg-type]
            return figure("profile", drawn, lambda row: on_grid(row[0], 0.1))
    drawn = draw_budget_map(budget_map(profile))
    return figure("profile", drawn, lambda row: on_grid(row[0], 0.25) and on_grid(row[1], 0.25))
