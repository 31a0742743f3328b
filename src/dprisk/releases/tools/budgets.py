"""Budgets that tools keep: diffprivlib, Tumult Analytics, SmartNoise SQL, PipelineDP, tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from dprisk._numeric.rounding import sum_up
from dprisk.guarantees import ApproxDP, Guarantee, PureDP, ZeroConcentratedDP
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.tools.asked import Said, ToolAccount
from dprisk.releases.tools.found import NOTHING, Found, as_number, shown

NUMBER: Final = r"[-+0-9.eE/]+|inf"
BUDGET: Final = re.compile(r"(Pure|Approx|RhoZC)DPBudget\(([^()]*)\)")
SPENT: Final = re.compile(r"BudgetAccountant\(([^\[\]]*?),?\s*spent_budget=\[(.*?)\]\)", re.DOTALL)
PAIR: Final = re.compile(rf"\(\s*({NUMBER})\s*,\s*({NUMBER})\s*\)")
NAMED: Final = re.compile(rf"_?(\w+?)=({NUMBER}|None)(?=[,)\s]|$)")
TOTAL: Final = re.compile(rf"\(epsilon=({NUMBER}), delta=({NUMBER})\)")
KIND: Final = re.compile(r"MechanismType\.(\w+)")
LEFT: Final = ("remaining", "left", "available")
ONLY: Final = frozenset(
    {"epsilon", "delta", "query", "name", "label", "date", "time", "mechanism", "function", "rho"}
)
LONGEST_BUDGET: Final = 5_000_000
Spends = Sequence[tuple[float, float]]


def recognizes(found: Found) -> bool:
    """Whether it is a budget, or a list of what was spent."""
    return _reader(found) is not None


def read(found: Found) -> ToolAccount:
    """Read what was spent."""
    reader = _reader(found)
    if reader is None:
        raise found.wrong("No budget is in it.", "Save what was spent.")
    made: ToolAccount = reader(found)
    return made


def _reader(found: Found) -> Any:
    """The reader for what is there, or None."""
    if found.text:
        short = len(found.text) < LONGEST_BUDGET
        return next((read for sign, read in _of_text() if sign.search(found.text) and short), None)
    what, rows = found.what, found.what if isinstance(found.what, list) else []
    if rows and all(isinstance(row, Mapping) for row in rows):
        return _rows_reader(rows)
    plain = isinstance(what, Mapping | list | tuple | str)
    kinds = (
        ("spent_budget" in found.tree, _diffprivlib),
        ("steps" in found.tree and ("tol" in found.tree or "spent" in found.tree), _smartnoise),
        ((bool(rows) and all(map(_is_budget, rows))) or _is_budget(what), _tumult),
        ((bool(rows) and all(map(_is_spec, rows))) or _is_spec(what), _specs),
        (not plain and isinstance(_held(what, "spent_budget"), list | tuple), _diffprivlib),
        (not plain and hasattr(what, "odometer"), _smartnoise),
        (not plain and hasattr(what, "privacy") and hasattr(what, "spent"), _smartnoise),
        (not plain and hasattr(what, "_mechanisms"), _specs),
    )
    return next((reader for holds, reader in kinds if holds), None)


def _of_text() -> tuple[tuple[re.Pattern[str], Any], ...]:
    return (
        (re.compile(r"BudgetAccountant\("), _diffprivlib_text),
        (re.compile(r"MechanismSpec\("), _specs_text),
        (BUDGET, _tumult_text),
    )


# --- what was spent, as parts ---------------------------------------------------------------------


def promise(epsilon: float, delta: float, neighbors: Any) -> Guarantee:
    """Approximate DP, or pure DP where there is no delta."""
    if delta:
        return ApproxDP(epsilon, delta, neighbors=neighbors)
    return PureDP(epsilon, neighbors=neighbors)


def _spends(found: Found, pairs: Any, where: str) -> Spends:
    """Pairs of ε and δ of a file, checked."""
    made = []
    if not isinstance(pairs, Sequence) or isinstance(pairs, str):
        problem = f"{where} must be a list of ε and δ; {shown(pairs)} is there."
        raise found.wrong(problem, "Save it again.", where)
    for index, pair in enumerate(pairs):
        place = f"{where}[{index}]"
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            problem = f"{place} must hold an ε and a δ; {shown(pair)} is there."
            raise found.wrong(problem, "Save it again.", place)
        made.append(_spend(found, pair[0], pair[1], place))
    if not made:
        problem = "Nothing was spent: the list is empty."
        raise found.wrong(problem, "Save it after something was released.", where)
    return made


def _spend(found: Found, epsilon: Any, delta: Any, place: str) -> tuple[float, float]:
    least, slack = as_number(epsilon), as_number(0.0 if delta in (None, "") else delta)
    if least is None or slack is None or math.isinf(least) or not least >= 0.0 <= slack < 1.0:
        problem = f"{place} must be an ε of 0 or more and a δ in [0, 1)."
        got = f"{shown(epsilon)} and {shown(delta)} are there."
        raise found.wrong(f"{problem[:-1]}; {got}", "An infinite ε promises nothing.", place)
    return least, slack


def _promised(spends: Spends, known: Mapping[str, Any]) -> tuple[Part, ...]:
    """One part for each pair, as often as it was spent."""
    some = [spent for spent in spends if spent != (0.0, 0.0)] or [(0.0, 0.0)]
    return counted((promise(*spent, known["neighbors"]), 1) for spent in some)


def _account(
    tool: str, spends: Spends, said: tuple[Said, ...] = (), notes: tuple[Note, ...] = ()
) -> ToolAccount:
    return ToolAccount(
        tool=tool,
        make=partial(_promised, spends),
        says=NOTHING,
        needs=("neighbors",),
        lacks=("tuning",),
        said=said,
        notes=notes,
    )


# --- diffprivlib ----------------------------------------------------------------------------------

DIFFERS: Final = (
    "Functions of diffprivlib differ in their neighbors: a histogram adds or removes a record, a "
    "mean replaces one. Count all of them under replace-one, and each histogram with twice its ε."
)


def _limits(epsilon: Any, delta: Any) -> tuple[Said, ...]:
    limit = as_number(epsilon)
    if limit is None or math.isinf(limit) or limit == 0.0:
        return ()
    return (Said(limit, as_number(delta), "limit", "BudgetAccountant(epsilon=...)"),)


def _diffprivlib(found: Found) -> ToolAccount:
    held = partial(_held, found.what)
    spends = _spends(found, held("spent_budget"), "spent_budget")
    total = held("total")
    said = _limits(held("epsilon"), held("delta"))
    if isinstance(total, Sequence) and not isinstance(total, str) and len(total) == 2:
        said = (Said(*_spend(found, total[0], total[1], "total")), *said)
    return _account("diffprivlib", spends, said, (Note("warning", DIFFERS),))


def _diffprivlib_text(found: Found) -> ToolAccount:
    matched = SPENT.search(found.text)
    listed = matched[2] if matched else found.text
    if "..." in listed or "…" in listed:
        problem = "The repr of this accountant was cut: it shows the first few of what was spent."
        raise found.wrong(problem, "Save accountant.spent_budget instead, as JSON or CSV.")
    if matched is None:
        problem = "This is not the repr of one BudgetAccountant with its spent_budget."
        raise found.wrong(problem, "Save accountant.spent_budget instead, as JSON or CSV.")
    rest = PAIR.sub("", listed).replace(",", "").strip()
    if rest:
        problem = f"spent_budget holds something else than pairs: {rest[:40]!r}."
        raise found.wrong(problem, "Save accountant.spent_budget instead, as JSON or CSV.")
    spends = _spends(found, [(each[1], each[2]) for each in PAIR.finditer(listed)], "spent_budget")
    given = dict(NAMED.findall(matched[1]))
    said = _limits(given.get("epsilon"), given.get("delta"))
    if total := TOTAL.search(found.text[matched.end() :]):
        said = (Said(*_spend(found, total[1], total[2], "total")), *said)
    return _account("diffprivlib", spends, said, (Note("warning", DIFFERS),))


# --- tables of what was spent ---------------------------------------------------------------------


def _rows_reader(rows: list[Any]) -> Any:
    names = {str(name).strip().lower() for name in rows[0]}
    if any(BUDGET.search(str(cell)) for cell in rows[0].values()):
        return _tumult_rows
    return _spent_rows if "epsilon" in names and names <= ONLY else None


def _spent_rows(found: Found) -> ToolAccount:
    rows = [{str(key).strip().lower(): row[key] for key in row} for row in found.what]
    pairs = [(row.get("epsilon"), row.get("delta")) for row in rows]
    text = "Each line was read as spent by itself, not as a running total."
    return _account(
        "A table of budgets", _spends(found, pairs, "line"), (), (Note("assumed", text),)
    )


# --- Tumult Analytics -----------------------------------------------------------------------------


def _is_budget(what: Any) -> bool:
    return bool(re.fullmatch(r"(Pure|Approx|RhoZC)DPBudget", type(what).__name__))


def _budgets(found: Found, made: Sequence[tuple[str, Mapping[str, Any]]]) -> ToolAccount:
    """Budgets by their kind and their numbers."""
    if not made:
        raise found.wrong("Nothing was spent.", "Save the budget of each query.")
    checked: list[tuple[str, float, float]] = []
    for index, (kind, values) in enumerate(made):
        place = f"budget {index + 1}"
        if kind == "RhoZC":
            checked.append((kind, found.number(values.get("rho"), f"{place}, rho"), 0.0))
        else:
            slack = values.get("delta") if kind == "Approx" else 0.0
            checked.append((kind, *_spend(found, values.get("epsilon"), slack, place)))

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        neighbors = known["neighbors"]
        return counted(
            (ZeroConcentratedDP(first, neighbors=neighbors), 1)
            if kind == "RhoZC"
            else (promise(first, slack, neighbors), 1)
            for kind, first, slack in checked
        )

    return ToolAccount(
        tool="Tumult Analytics",
        make=make,
        says=NOTHING,
        needs=("neighbors",),
        lacks=("delta", "tuning"),
    )


def _written(text: str) -> list[tuple[str, Mapping[str, Any]]]:
    return [(m[1], dict(NAMED.findall(m[2]))) for m in BUDGET.finditer(text)]


def _tumult_text(found: Found) -> ToolAccount:
    return _budgets(found, _written(found.text))


def _tumult_rows(found: Found) -> ToolAccount:
    """The column of what each query spent; what is left is not spent."""
    names = [str(name) for name in found.what[0]]
    holds = [name for name in names if BUDGET.search(str(found.what[0][name]))]
    spent = [name for name in holds if not any(word in name.lower() for word in LEFT)]
    if len(spent) != 1:
        problem = "The table must have one column with the budget that each query spent."
        raise found.wrong(problem, f"Columns with budgets: {', '.join(holds)[:200]}.", "line 1")
    made = []
    for index, row in enumerate(found.what):
        each = _written(str(row[spent[0]]))
        if not each:
            problem = f"There is no budget in column {spent[0]!r}."
            raise found.wrong(problem, "Correct it.", f"row {index + 1}")
        made.append(each[0])
    return _budgets(found, made)


def _tumult(found: Found) -> ToolAccount:
    listed = found.what if isinstance(found.what, list) else [found.what]
    made = []
    for each in listed:
        kind = type(each).__name__.removesuffix("DPBudget")
        names = ("rho",) if kind == "RhoZC" else ("epsilon", "delta")
        values = {name: getattr(each, f"_{name}", getattr(each, name, None)) for name in names}
        plain = {name: getattr(value, "expr", value) for name, value in values.items()}
        made.append((kind, {name: str(value) for name, value in plain.items()}))
    return _budgets(found, made)


# --- SmartNoise SQL -------------------------------------------------------------------------------


def _smartnoise(found: Found) -> ToolAccount:
    """An odometer: the steps that it charged, of which a query may take several."""
    what: Any = getattr(found.what, "odometer", found.what)
    held = partial(_held, what)
    steps = held("steps")
    if steps is None and held("k") is not None:  # the same each time
        privacy = what.privacy
        steps = [(privacy.epsilon, privacy.delta)] * found.count(held("k"), "k")
    said: tuple[Said, ...] = ()
    spent = held("spent")
    if isinstance(spent, Sequence) and not isinstance(spent, str) and len(spent) == 2:
        said = (Said(*_spend(found, spent[0], spent[1], "spent"), about="odometer"),)
    text = (
        "A query of SmartNoise takes several steps: a count by itself takes two, because the "
        "people in each group are counted as well."
    )
    return _account(
        "SmartNoise SQL", _spends(found, steps, "steps"), said, (Note("warning", text),)
    )


def _held(what: Any, name: str) -> Any:
    return what.get(name) if isinstance(what, Mapping) else getattr(what, name, None)


# --- PipelineDP -----------------------------------------------------------------------------------


def _is_spec(what: Any) -> bool:
    return type(what).__name__ in ("MechanismSpec", "MechanismSpecInternal")


def _specs_text(found: Found) -> ToolAccount:
    text = re.sub(r"<MechanismType\.(\w+)[^<>]*>", r"MechanismType.\1", found.text)
    starts = [each.start() for each in re.finditer(r"MechanismSpec\(", text)]
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    made = []
    for index, piece in enumerate(pieces):
        kind = KIND.search(piece)
        values = dict(NAMED.findall(piece))
        if kind is None or "count" not in values:
            problem = f"Mechanism {index + 1} cannot be read: it was cut."
            raise found.wrong(problem, "Print each MechanismSpec whole.")
        made.append((kind[1], values))
    return _from_specs(found, made)


def _specs(found: Found) -> ToolAccount:
    what = found.what
    listed = what if isinstance(what, list) else getattr(what, "_mechanisms", [what])
    made = []
    for each in listed:
        spec = getattr(each, "mechanism_spec", each)
        names = ("noise_standard_deviation", "eps", "delta", "count", "thresholding_delta")
        values = {name: getattr(spec, f"_{name}", None) for name in names}
        kind = getattr(spec, "mechanism_type", "")
        made.append((str(getattr(kind, "name", kind)), values))
    return _from_specs(found, made)


def _from_specs(found: Found, specs: Sequence[tuple[str, Mapping[str, Any]]]) -> ToolAccount:
    if not specs:
        raise found.wrong("No mechanism was asked for.", "Save the budget after the pipeline.")
    checked = [_spec(found, kind, values, i + 1) for i, (kind, values) in enumerate(specs)]

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        return counted(
            (made(*numbers, known["neighbors"]), count) for made, numbers, count in checked
        )

    return ToolAccount(
        tool="PipelineDP",
        make=make,
        says=NOTHING,
        needs=("neighbors",),
        lacks=("examples", "tuning"),
    )


def _spec(found: Found, kind: str, values: Mapping[str, Any], number: int) -> Any:
    """The maker of the noise or the promise, its numbers, and how often."""
    place = f"mechanism {number}"
    count = values.get("count", 1)
    times = found.count(1 if count in (None, "None") else count, f"{place}, count")
    epsilon, noise = as_number(values.get("eps")), as_number(values.get("noise_standard_deviation"))
    own = as_number(values.get("delta")) or 0.0
    slack = sum_up(own, as_number(values.get("thresholding_delta")) or 0.0)
    if epsilon is not None:
        return promise, _spend(found, epsilon, slack, place), times
    if noise is None or kind not in ("GAUSSIAN", "LAPLACE"):
        problem = f"{place} has neither an ε nor noise yet."
        raise found.wrong(problem, "Save it after compute_budgets().", place)
    return _added, (kind, found.number(noise, f"{place}, noise")), times


def _added(kind: str, deviation: float, neighbors: Any) -> Mechanism:
    """Noise for a sensitivity of 1."""
    if kind == "GAUSSIAN":
        return Gaussian(deviation, 1.0, neighbors=neighbors)
    return Laplace(deviation / math.sqrt(2.0) * (1.0 - 1e-15), 1.0, neighbors=neighbors)


def counted(made: Iterable[tuple[Mechanism | Guarantee, int]]) -> tuple[Part, ...]:
    """Mechanisms and promises with how often each is used, as parts: equal ones together."""
    counts: dict[Mechanism | Guarantee, int] = {}
    for each, count in made:
        counts[each] = counts.get(each, 0) + count
    return tuple(
        Part.of(each, count) if isinstance(each, Mechanism) else Part(each, count)
        for each, count in counts.items()
    )
