"""``dprisk budget``: from the risk that is tolerated to the largest budget, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk.cli import limits, options, show
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.budget import Allowed, BudgetSheet, Calibrated, NoiseCost, ProfileLimit, Tolerance

OTHERS = ("gaussian", "discrete-gaussian")
USUAL = {"pure": ("geometric", "laplace"), "gaussian": ("gaussian",)}


def budget(
    profile: Annotated[str | None, typer.Argument(help=fill("help.budget.profile"))] = None,
    limit: limits.Limit = None,
    prior: limits.Prior = None,
    level: limits.Level = None,
    confidence: limits.Confidence = None,
    secret: limits.Secret = None,
    one_sided: limits.OneSided = False,
    neighbors: options.Neighbors = None,
    releases: Annotated[str, typer.Option(help=fill("help.budget.releases"))] = "1",
    spent: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.budget.spent")),
    ] = None,
    definition: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.budget.definition")),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option(help=fill("help.budget.delta")),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.budget.rule")),
    ] = None,
    at_delta: limits.AtDelta = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(help=fill("help.budget.mechanism")),
    ] = None,
    sensitivity: Annotated[str, typer.Option(help=fill("help.budget.sensitivity"))] = "1",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """The largest budget that keeps a limit on risk, and what it costs."""
    relation = _relation(neighbors, profile, limit)
    asked = limits.typed_limits(
        limit or [],
        priors=prior or [],
        levels=level or [],
        confidence=confidence,
        secret=secret,
        neighbors=relation,
        one_sided=one_sided,
        at_delta=at_delta,
    )
    if profile is not None:
        asked.insert(0, _profile(profile, confidence, one_sided))
    if not asked:
        fix = "Try: dprisk budget --limit power=0.2 --level 0.05 --neighbors add-remove"
        raise InvalidInput("a limit", None, "a profile or --limit", fix)
    from dprisk.budget import Together, budgets

    how = Together(
        options.whole_number("--releases", releases),
        "best",
        options.optional("--at-delta", at_delta),
        None,
        _spent(spent or []),
    )
    with waiting("Searching"):
        sheet = budgets(
            asked,
            definitions=definition or [],  # type: ignore[arg-type]
            rules=rule or [],  # type: ignore[arg-type]
            noises=mechanism or [],  # type: ignore[arg-type]
            neighbors=relation,
            delta=options.optional("--delta", delta),
            releases=how,
            sensitivity=options.number("--sensitivity", sensitivity),
        )
    _print(sheet, asked, json, quiet)
    if sheet.status == "infeasible":
        raise typer.Exit(3)


def _relation(neighbors: str | None, profile: str | None, limit: Sequence[str] | None) -> Any:
    """A profile is about add-remove neighbors; for limits typed in, the relation has to be said."""
    if neighbors is None and profile is not None and not limit:
        return "add-remove"
    return options.related(neighbors)


def _profile(path: str, confidence: str | None, one_sided: bool) -> ProfileLimit:
    from dprisk.budget import ProfileLimit, read_profile

    sure = options.optional("--confidence", confidence)
    return ProfileLimit(read_profile(path), sure, "one" if one_sided else "both")


def _spent(files: Sequence[str]) -> Any:
    """What has been released before, by the strongest that is known of each part."""
    if not files:
        return ()
    from dprisk.budget import used_by
    from dprisk.releases.files import read_releases

    return [pair for file in files for release in read_releases(file) for pair in used_by(release)]


def _print(sheet: BudgetSheet, asked: Sequence[Tolerance], json: bool, quiet: bool) -> None:
    from dprisk.explain import allowances

    if json:
        show.as_json(sheet.to_dict())
    elif quiet:
        show.lines([*allowances(sheet), *(each.reason for each in sheet.refused)], "")
    else:
        _in_full(sheet, asked)


def _in_full(sheet: BudgetSheet, asked: Sequence[Tolerance]) -> None:
    from dprisk.explain import allowances, limit_in_words

    show.lines([fill("cli.to-be-kept")], "")
    show.lines([f"{limit_in_words(limit, left_out=_is_left_out(limit))}." for limit in asked])
    typer.echo()
    if sheet.promises:
        _promises(sheet)
    if sheet.noise:
        _noise(sheet)
    show.heading(fill("cli.heading.words"))
    show.lines([*allowances(sheet), *(each.reason for each in sheet.refused)])
    lines = _binding(sheet)
    if lines:
        show.heading(fill("cli.heading.binds"))
        show.lines(lines)
    show.heading(fill("cli.heading.how"))
    show.lines(_how(sheet))
    show.heading(fill("cli.heading.unprotected"))
    show.lines(sheet.unprotected or [fill("cli.nothing-left-out")])
    show.heading(fill("cli.heading.assumed"))
    show.lines(sheet.assumptions)


def _promises(sheet: BudgetSheet) -> None:
    many = sheet.together.releases > 1
    heads = [fill("cli.column.each-promises"), fill("cli.column.most")]
    heads += [fill("cli.column.composed-by")] if many else []
    rows = [
        [_name(found), _value(found), *([found.together.rule] if many else [])]
        for found in sheet.promises
    ]
    show.table(
        [*heads, fill("cli.column.binding")], [[*r, _which(f)] for r, f in _zipped(rows, sheet)]
    )
    pairs = zip(sheet.promises, sheet.costs, strict=True)
    drawn = [
        [_name(found), *_cost(cost)]
        for found, costs in pairs
        for cost in costs
        if cost.kind in USUAL.get(found.definition, OTHERS)
    ]
    if drawn:
        show.heading(fill("cli.budget.promise-noise", sensitivity=f"{sheet.sensitivity:g}"))
        show.table([fill("cli.column.promise"), *_columns()], drawn)


def _columns() -> list[str]:
    names = ("noise", "least", "sd", "exact", "within")
    return [fill(f"cli.column.{name}") for name in names]


def _zipped(rows: list[list[str]], sheet: BudgetSheet) -> Any:
    return zip(rows, sheet.promises, strict=True)


def _noise(sheet: BudgetSheet) -> None:
    if sheet.promises:
        show.heading(fill("cli.budget.own-noise", sensitivity=f"{sheet.sensitivity:g}"))
    rows = [
        [found.kind, found.status, "", "", "", ""]
        if found.cost is None
        else [*_cost(found.cost), _which(found)]
        for found in sheet.noise
    ]
    show.table([*_columns(), fill("cli.column.binding")], rows)


def _cost(cost: NoiseCost) -> list[str]:
    from dprisk.explain import at_most

    return [
        cost.kind,
        f"{cost.parameter} {at_most(cost.width, 8)}",
        f"{cost.standard_deviation:.4g}",
        fill("cli.budget.of-hundred", cases=f"{100.0 * cost.exact_probability:.3g}")
        if cost.exact_probability
        else fill("cli.budget.no-case"),
        f"± {at_most(cost.off_by, 4)}",
    ]


def _name(found: Allowed) -> str:
    return fill(f"definition.{found.definition}")


def _value(found: Allowed) -> str:
    from dprisk.explain import at_least

    if found.status != "limited":
        return (
            fill("cli.no-limit")
            if found.status == fill("cli.no-limit")
            else fill("cli.budget.nothing")
        )
    said = f"{found.parameter} {at_least(float(found.value), 8)}"
    given = found.guarantee.parameters.get("delta", 0.0) if found.guarantee else 0.0
    return fill("cli.budget.delta", said=said, given=f"{given:g}") if given else said


def _which(found: Allowed | Calibrated) -> str:
    data = found.limit.to_dict()
    at = [f"{name} {data[name]:g}" for name in ("level", "prior") if data.get(name) is not None]
    if found.limit.takes_confidence:
        sure = found.limit.confidence
        at.append("always" if sure is None else fill("cli.budget.confidence", sure=f"{sure:g}"))
    return ", ".join([data["metric"].replace("_", " "), *at])


def _is_left_out(limit: Tolerance) -> bool:
    return limit.takes_confidence and limit.confidence is None


def _binding(sheet: BudgetSheet) -> list[str]:
    """The priors at which a profile is tightest."""
    lines = []
    for limit in sheet.limits:
        budget = getattr(limit, "budget", None)
        if budget is not None and budget.binding is not None:
            lines.append(
                fill(
                    "cli.budget.tightest",
                    binding=budget.binding,
                    ratio=f"{budget.binding.ratio:.6g}",
                    theorem=budget.epsilon.theorem,
                )
            )
    return lines


def _how(sheet: BudgetSheet) -> list[str]:
    lines = []
    for found in sheet.promises:
        if found.status != "limited" or found.whole is None:
            continue
        said = fill(
            "cli.by", name=_name(found), theorem=found.value.theorem, says=found.value.theorem.says
        )
        if sheet.together.releases > 1 or sheet.together.spent:
            said += fill(
                "cli.budget.composed", theorem=found.whole.theorem, says=found.whole.theorem.says
            )
        lines.append(fill("cli.budget.bracket", said=said, bracket=_bracket(found)))
    for made in sheet.noise:
        if made.status == "limited" and made.whole is not None:
            said = fill(
                "cli.by", name=made.kind, theorem=made.width.theorem, says=made.width.theorem.says
            )
            lines.append(fill("cli.budget.exactly", said=said))
    return lines or [fill("cli.budget.formula")]


def _bracket(found: Allowed) -> str:
    from dprisk.explain import at_most

    _, upper = found.value.bracket
    if upper is None:
        return fill("cli.budget.no-more")
    return fill("cli.budget.beyond", at_most=at_most(float(upper), 12))
