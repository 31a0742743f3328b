"""The largest budgets on a page, and the limits that they keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Any, Final

from dprisk.documents.document import Table
from dprisk.guarantees.base import SYMBOLS
from dprisk.serve import drawn
from dprisk.serve.answered import Chart, Shown, computed, once, published
from dprisk.serve.ways import points, share
from dprisk.text import count, fill
from dprisk.text.rounding import at_least, at_most, hundredths, out_of

USUAL_NOISE: Final = {"pure": "geometric", "gaussian": "gaussian"}


def of_budget(now: Mapping[str, str], answers: Mapping[str, Any]) -> Shown:
    """Which budget keeps the limits, and what it costs."""
    sheet = answers["budget"]
    pairs = [(float(share(a)), float(share(b))) for a, b in points(now)]
    chart = None
    if now["metric"] == "posterior":
        chart = _profile(now, pairs, _allowed_loss(sheet))
    details = [
        computed(_formulas(sheet)),
        published("page.assumed", sheet["assumptions"]),
    ]
    left = once(sheet["unprotected"], (one["reason"] for one in sheet["refused"]))
    if left:
        details.insert(0, published("ways.uncovered", left))
    if sheet["on_delta"]:
        details.insert(0, published("ways.on-delta", sheet["on_delta"]))
    tables = [made for made in (_budgets(sheet), _noise(sheet)) if made.rows]
    return Shown(_lead(now, pairs, sheet), chart=chart, tables=tables, details=details)


def _lead(
    now: Mapping[str, str], pairs: Sequence[tuple[float, float]], sheet: Mapping[str, Any]
) -> list[tuple[str, str]]:
    if sheet["status"] == "infeasible" and not any(one["value"] for one in sheet["budgets"]):
        reasons = [(text, "more") for text in sheet["reasons"]]
        return [(fill("ways.budget.none"), "result"), *reasons]
    limited = [one for one in sheet["budgets"] if one["value"]]
    if not limited:
        return [(fill("ways.budget.unlimited"), "result")]
    first, *others = (_allowed(one, "or" if n else "use", sheet) for n, one in enumerate(limited))
    said = [(_asked(now, pairs), "start"), (first, "result"), *((one, "more") for one in others)]
    if sheet["on_delta"] and sheet["people"] is None:
        said.append((fill("ways.budget.on-delta"), "more"))
    cost = _cost(limited[0])
    if cost:
        words = {"off": at_most(cost["off_by"], 4), "sure": hundredths(cost["coverage"])}
        kind = fill(f"ways.noise.{cost['kind']}")
        said.append((fill("ways.budget.noise", kind=kind, **words), "more"))
    return said


def _asked(now: Mapping[str, str], pairs: Sequence[tuple[float, float]]) -> str:
    number = int(now["count"])
    releases = (
        fill("page.say.releases.one")
        if number == 1
        else fill("page.say.releases", count=count(number))
    )
    (prior, limit), metric = pairs[0], now["metric"]
    words = {"releases": releases, "limit": out_of(limit), "count": len(pairs)}
    if metric == "posterior":
        key = "lead" if len(pairs) == 1 else "profile"
        return fill(f"ways.budget.{key}", before=out_of(prior), **words)
    level = out_of(float(share(now["level"])))
    return fill(f"ways.budget.{metric}", level=level, **words)


def _allowed(one: Mapping[str, Any], way: str, sheet: Mapping[str, Any]) -> str:
    """One promise that keeps the limits, in words; a pure one, alone, keeps them in every case."""
    always = one["definition"] == "pure" and sheet["releases"] == 1 and not sheet["spent"]
    words = {
        "name": fill(f"definition.{one['definition']}"),
        "parameter": SYMBOLS[one["parameter"]],
        "value": at_least(one["value"], 4),
        "delta": one["parameters"].get("delta"),
        "sure": None if always else one["limit"].get("confidence"),
    }
    said = [fill(f"ways.budget.{way}", **words)]
    if words["delta"] is not None:
        said.append(fill("ways.budget.delta", delta=at_least(words["delta"], 3)))
    if sheet["releases"] > 1:
        said.append(fill("page.say.each"))
    if words["sure"] is not None:
        said.append(fill("ways.budget.sure", sure=hundredths(words["sure"])))
    return fill("ways.budget.sentence", said="".join(said))


def _allowed_loss(sheet: Mapping[str, Any]) -> float | None:
    """The loss in nats, of all releases together, under the largest pure promise."""
    for one in sheet["budgets"]:
        if one["definition"] == "pure" and one["value"]:
            limit, most = one["limit"], one["measured"]
            return float(most if "profile" in limit else log(_odds(most) / _odds(limit["prior"])))
    return None


def _odds(chance: float) -> float:
    return chance / (1.0 - chance)


def _cost(one: Mapping[str, Any]) -> Any:
    wanted = USUAL_NOISE.get(one["definition"])
    return next((each for each in one["noise"] if each["kind"] == wanted), None)


def _budgets(sheet: Mapping[str, Any]) -> Table:
    rows = []
    for one in sheet["budgets"]:
        if one["value"]:
            said = f"{SYMBOLS[one['parameter']]} = {at_least(one['value'], 6)}"
            delta = one["parameters"].get("delta")
            more = f", δ = {at_least(delta, 3)}" if delta else ""
            rows.append((fill(f"definition.{one['definition']}"), said + more))
    heads = (fill("page.table.promise"), fill("ways.table.parameter"))
    return Table(fill("ways.table.budgets"), heads, tuple(rows))


def _noise(sheet: Mapping[str, Any]) -> Table:
    rows = [
        (
            fill(f"definition.{one['definition']}"),
            fill(f"ways.noise.{cost['kind']}"),
            f"{fill('ways.width.' + cost['parameter'])} {at_most(cost['width'], 4)}",
            at_most(cost["standard_deviation"], 4),
            f"± {at_most(cost['off_by'], 4)}",
        )
        for one in sheet["budgets"]
        if one["value"]
        for cost in one["noise"]
    ]
    heads = (
        fill("page.table.promise"),
        *(fill(f"ways.table.{name}") for name in ("kind", "width", "sd", "off")),
    )
    return Table(fill("ways.table.noise"), heads, tuple(rows))


def _formulas(sheet: Mapping[str, Any]) -> Iterator[str]:
    for one in sheet["budgets"]:
        if one.get("citation"):
            name = fill(f"definition.{one['definition']}")
            yield fill("ways.computed.budget", name=name, citation=one["citation"])


def _profile(
    now: Mapping[str, str], pairs: Sequence[tuple[float, float]], loss: float | None
) -> Chart:
    rows = [n for n in range(1, 6) if n == 1 or (now[f"prior{n}"] and now[f"limit{n}"])]
    said = (
        fill("ways.budget.chart.point", prior=hundredths(p), limit=hundredths(q)) for p, q in pairs
    )
    marks = [(n, *drawn.at(*pair)) for n, pair in zip(rows, pairs, strict=True)]
    return Chart(
        fill("ways.budget.chart.alt", points=" ".join(said)),
        area="" if loss is None else drawn.reach(loss),
        stairs=drawn.stairs(pairs),
        points=marks,
    )
