"""Measurements of OpenDP: what `dp.serialize` writes, and the objects themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple

from dprisk._numeric.exact import rounded_up
from dprisk.guarantees import ApproxDPCurve, Guarantee, PureDP, ZeroConcentratedDP
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.tools.asked import Lacking, ToolAccount
from dprisk.releases.tools.budgets import counted, promise
from dprisk.releases.tools.found import NOTHING, Found, as_number, shown

TOOL: Final = "OpenDP"
FUNCTION: Final = "__function__"
GIVEN: Final = "__kwargs__"
DEEPEST_CHAIN: Final = 150
FINEST: Final = -1074
CONTINUOUS: Final = -200
"""Grids this fine are as if there were none, beside one rounding of the sensitivity."""
MOST_STEPS_OF_GRID: Final = 10_000
METRICS: Final = {
    "symmetric_distance": "add-remove",
    "insert_delete_distance": "add-remove",
    "change_one_distance": "replace-one",
    "hamming_distance": "replace-one",
    "discrete_distance": "replace-one",
}
ROW_BY_ROW: Final = (
    *("make_cast", "make_clamp", "make_create", "make_drop", "make_find", "make_identity"),
    *("make_impute", "make_index", "make_is_", "make_select", "make_split"),
    *("make_count_distinct", "make_row_by_row"),
)
"""Transformations that change at most one record or one count for each record."""


class Noised(NamedTuple):
    """A measurement that adds noise, or a promise: how it becomes a part."""

    make: Callable[[Mapping[str, Any], float], Mechanism | Guarantee]
    stability: float | None
    """How far one record moves its input; None where that is not known."""


def recognizes(found: Found) -> bool:
    """Whether it is a serialized function of OpenDP, or a measurement."""
    if FUNCTION in found.tree and GIVEN in found.tree:
        return True
    owner = type(found.what).__module__.partition(".")[0]
    return owner == "opendp" and callable(getattr(found.what, "map", None))


def read(found: Found) -> ToolAccount:
    """Read a measurement."""
    if not found.tree:
        return _from_object(found)
    tree = found.tree
    noised = list(_noised(tree, found, None, 0))
    if not noised:
        problem = "This holds no measurement: nothing in it adds noise."
        raise found.wrong(problem, "Serialize the measurement, not a domain or a transformation.")
    metric = _metric(tree, found, 0)
    says: dict[str, Any] = {}
    if metric in METRICS:
        says["neighbors"] = METRICS[metric]
    elif all(_name(each) in RESPONSES for each in _functions(tree, 0)):
        says["neighbors"] = "replace-one"
    notes, budget = [], _first(tree, BUDGETS, 0)
    if budget is not None:
        says["contributions"] = found.count(_kwargs(budget).get("d_in"), "d_in")
        text = "d_mids are what each query may spend; which queries were asked is not in the file."
        notes.append(Note("warning", text))
    fixed = _first(tree, ("make_fix_delta",), 0)
    if fixed is not None:
        says["delta"] = found.number(_kwargs(fixed).get("delta"), "delta", most=1.0)
    asks = any(each.stability is None for each in noised)
    shared = ("contributions",) if metric in METRICS and budget is None else ()
    version = tree.get("__version__")
    return ToolAccount(
        tool=TOOL,
        make=partial(_parts, noised),
        says=says,
        needs=("neighbors", *(("sensitivity",) if asks else ())),
        lacks=("tuning", "delta", *shared),
        notes=tuple(notes),
        version=str(version)[:40] if version else None,
    )


def _parts(noised: list[Noised], known: Mapping[str, Any]) -> tuple[Part, ...]:
    made = []
    for each in noised:
        if each.stability is None and "sensitivity" not in known:
            raise Lacking("sensitivity")
        moved = known["sensitivity"] if each.stability is None else each.stability
        made.append((each.make(known, moved * known.get("contributions", 1)), 1))
    return counted(made)


# --- the tree -------------------------------------------------------------------------------------


def _name(tree: Any) -> str:
    return str(tree.get(FUNCTION, "")) if isinstance(tree, Mapping) else ""


def _kwargs(tree: Any) -> Mapping[str, Any]:
    inside = tree.get(GIVEN) if isinstance(tree, Mapping) else None
    return inside if isinstance(inside, Mapping) else NOTHING


def _children(tree: Any) -> Iterator[Any]:
    for value in _kwargs(tree).values():
        yield from value if isinstance(value, list) else [value]


def _functions(tree: Any, depth: int) -> Iterator[Any]:
    """The measurements in a tree: what is composed, chained or converted, and not their domains."""
    if depth > DEEPEST_CHAIN:
        return
    name = _name(tree)
    inner = COMBINED.get(name)
    if inner is None:
        if name.startswith("make_"):
            yield tree
        return
    for key in inner:
        value = _kwargs(tree).get(key)
        for each in value if isinstance(value, list) else [value]:
            yield from _functions(each, depth + 1)


def _first(tree: Any, names: tuple[str, ...], depth: int) -> Any:
    if _name(tree) in names:
        return tree
    if depth > DEEPEST_CHAIN:
        return None
    inside = (_first(each, names, depth + 1) for each in _children(tree))
    return next((each for each in inside if each is not None), None)


def _metric(tree: Any, found: Found, depth: int) -> str:
    """The metric of the first input of a chain; empty where it is not said."""
    if depth > DEEPEST_CHAIN:
        raise found.wrong("The measurement is nested too deep.", "Check that it is the right file.")
    kwargs = _kwargs(tree)
    for key in ("transformation0", "measurement0", "measurement", "measurements", "input_metric"):
        value = kwargs.get(key)
        value = value[0] if isinstance(value, list) and value else value
        if value is None:
            continue
        name = _name(value)
        if key == "input_metric" and not name.startswith("transformation"):
            return name
        if key != "input_metric":
            return _metric(value, found, depth + 1)
    chained = kwargs.get("measurement1")
    return "" if chained is None else _metric(chained, found, depth + 1)


def _noised(
    tree: Any, found: Found, before: float | None, depth: int, chained: bool = False
) -> Iterator[Noised]:
    """The measurements in a tree, each with how far a record moves what it is given."""
    name, kwargs = _name(tree), _kwargs(tree)
    if depth > DEEPEST_CHAIN:
        raise found.wrong("The measurement is nested too deep.", "Check that it is the right file.")
    if name == "make_chain_mt":
        stable = _stability(kwargs.get("transformation0"), depth + 1)
        if chained:
            stable = None if stable is None or before is None else stable * before
        yield from _noised(kwargs.get("measurement1"), found, stable, depth + 1, True)
        return
    if name in COMBINED:
        for key in COMBINED[name]:
            value = kwargs.get(key)
            for each in value if isinstance(value, list) else [value]:
                yield from _noised(each, found, before, depth + 1, chained)
        return
    make = MADE.get(name)
    if make is None:
        problem = f"dprisk has no mechanism for {shown(name)} of OpenDP."
        if not name:
            problem = f"A measurement of OpenDP is expected; {shown(tree)} is there."
        fix = "Give the measurement itself in Python: dprisk then asks for its map."
        raise found.wrong(problem, fix)
    for each in make(kwargs, found):
        yield each if each.stability is not None else Noised(each.make, before)


def _stability(tree: Any, depth: int) -> float | None:
    """How far one record moves the output of a transformation; None where that is not known."""
    name, kwargs = _name(tree), _kwargs(tree)
    if depth > DEEPEST_CHAIN:
        return None
    if name == "make_chain_tt":
        first = _stability(kwargs.get("transformation0"), depth + 1)
        then = _stability(kwargs.get("transformation1"), depth + 1)
        return None if first is None or then is None else first * then
    return 1.0 if name == "make_count" or name.startswith(ROW_BY_ROW) else None


def _atom(tree: Any, depth: int = 0) -> str:
    """The type of the numbers of a domain, such as i32; empty where it is not said."""
    name, kwargs = _name(tree), _kwargs(tree)
    if depth > DEEPEST_CHAIN:
        return ""
    for key in ("TO", "TOA", "T", "TA"):
        if isinstance(kwargs.get(key), str):
            return str(kwargs[key])
    inner = {
        "vector_domain": "atom_domain",
        "option_domain": "element_domain",
        "transformation_output_domain": "this",
        "make_chain_tt": "transformation1",
    }.get(name, "input_domain")
    return _atom(kwargs[inner], depth + 1) if inner in kwargs else ""


# --- what each measurement is ---------------------------------------------------------------------

COMBINED: Final[Mapping[str, tuple[str, ...]]] = {
    "make_chain_mt": ("measurement1",),
    "make_chain_pm": ("measurement0",),
    "make_composition": ("measurements",),
    "make_basic_composition": ("measurements",),
    "make_fix_delta": ("measurement",),
    "make_zCDP_to_approxDP": ("measurement",),
    "make_pureDP_to_zCDP": ("measurement",),
    "make_pureDP_to_fixed_approxDP": ("measurement",),
    "make_approximate": ("measurement",),
}
BUDGETS: Final = (
    "make_adaptive_composition",
    "make_sequential_composition",
    "make_fully_adaptive_composition",
)
RESPONSES: Final = ("make_randomized_response", "make_randomized_response_bool")


def _grid(kwargs: Mapping[str, Any], found: Found) -> tuple[bool, int | None]:
    """Whether the noise is made of whole numbers, and the exponent of a coarser or finer grid."""
    kind = _atom(kwargs.get("input_domain"))
    is_whole = kind[:1] in ("i", "u") if kind else False
    k = kwargs.get("k")
    if k is None:
        return is_whole, None
    number = as_number(k)
    if number is None or number != int(number) or not FINEST <= number <= 1023:
        problem = f"k must be a whole number from {FINEST} to 1023; {shown(k)} is there."
        raise found.wrong(problem, "Serialize the measurement again.", "k")
    return is_whole, int(number)


def _noise(
    normal: bool, whole: bool | None, kwargs: Mapping[str, Any], found: Found
) -> Iterator[Noised]:
    """Laplace or Gaussian noise: of whole numbers, on a grid, or as if there were none."""
    fix = "Without noise there is no guarantee."
    scale = found.number(kwargs.get("scale"), "scale", fix=fix)
    of_whole, k = _grid(kwargs, found)
    of_whole = of_whole if whole is None else whole
    domain = kwargs.get("input_domain")
    is_vector = _name(domain) == "vector_domain" and normal
    known = bool(_atom(domain)) or whole is not None

    def make(said: Mapping[str, Any], moved: float) -> Mechanism | Guarantee:
        grid, reach = _steps(found, domain, of_whole, k, moved)
        neighbors = said["neighbors"]
        steps = reach / grid
        is_on_grid = steps.denominator == 1 and steps <= MOST_STEPS_OF_GRID
        if is_on_grid and known and not is_vector:
            size = Fraction(scale) / grid
            if size == Fraction(float(size)):
                if normal:
                    return DiscreteGaussian(float(size), int(steps), neighbors=neighbors)
                return Geometric(float(size), int(steps), neighbors=neighbors)
        if known and not of_whole and (k is None or k <= CONTINUOUS):
            far = math.nextafter(rounded_up(reach), math.inf)
            if normal:
                return Gaussian(scale, far, neighbors=neighbors)
            return Laplace(scale, far, neighbors=neighbors)
        ratio = reach / Fraction(scale)
        if normal:
            return ZeroConcentratedDP(rounded_up(ratio * ratio / 2), neighbors=neighbors)
        return PureDP(rounded_up(ratio), neighbors=neighbors)

    yield Noised(make, None)


def _steps(
    found: Found, domain: Any, of_whole: bool, k: int | None, moved: float
) -> tuple[Fraction, Fraction]:
    """The grid, and how far its points move: rounding to a grid may move an input by one more."""
    exponent = (0 if of_whole else FINEST) if k is None else k
    grid = Fraction(2) ** exponent
    if of_whole and exponent <= 0:
        return Fraction(1), Fraction(math.ceil(moved))
    size = 1
    if _name(domain) == "vector_domain" and exponent > CONTINUOUS:
        size = found.count(_kwargs(domain).get("size"), "the size of the vector")
    steps = math.ceil(Fraction(moved) / grid) if exponent > CONTINUOUS else Fraction(moved) / grid
    return grid, (steps + size) * grid


def _geometric(kwargs: Mapping[str, Any], found: Found) -> Iterator[Noised]:
    if kwargs.get("bounds") is not None:
        problem = "Geometric noise that is cut at bounds is not known to dprisk."
        raise found.wrong(problem, "Describe it by its ε in a release file.")
    return _noise(False, True, kwargs, found)


def _response(kwargs: Mapping[str, Any], found: Found) -> Iterator[Noised]:
    """The true answer with a probability, and otherwise another."""
    listed = kwargs.get("categories")
    k = len(listed) if isinstance(listed, list) else 2
    p = found.number(kwargs.get("prob"), "prob", most=1.0)
    if k < 2 or not 1.0 / k <= p < 1.0:
        problem = f"prob must be at least 1/{k} and below 1; {p:g} is there."
        raise found.wrong(problem, "With 1, the true answer comes out: nothing is promised.")
    ratio = Fraction(p) * (k - 1) / (1 - Fraction(p))
    epsilon = math.log(rounded_up(ratio)) * (1.0 + 4e-16)  # one rounding of a logarithm

    def make(said: Mapping[str, Any], moved: float) -> Mechanism:
        return RandomizedResponse(epsilon, categories=k, neighbors=said["neighbors"])

    yield Noised(make, 1.0)


def _budget(kwargs: Mapping[str, Any], found: Found) -> Iterator[Noised]:
    """The limits of the queries of a composition, for all records of a person at once."""
    mids = kwargs.get("d_mids")
    measure = kwargs.get("output_measure")
    if not isinstance(mids, list) or not mids:
        problem = "The composition has no d_mids: nothing says what its queries may spend."
        raise found.wrong(problem, "Serialize a composition with a fixed number of queries.")
    for index, spent in enumerate(mids):
        yield Noised(partial(_promised, found, measure, spent, f"d_mids[{index}]"), 1.0)


def _promised(
    found: Found, measure: Any, spent: Any, where: str, said: Mapping[str, Any], moved: float
) -> Guarantee:
    name, neighbors = _name(measure), said["neighbors"]
    if isinstance(spent, list) and len(spent) == 2:
        first, delta = (found.number(each, where, least=-0.0) for each in spent)
    else:
        first, delta = found.number(spent, where), 0.0
    if "zero_concentrated" in name and delta == 0.0:
        return ZeroConcentratedDP(first, neighbors=neighbors)
    if name in ("max_divergence", "fixed_smoothed_max_divergence", "approximate"):
        inner = _name(_kwargs(measure).get("measure")) if name == "approximate" else ""
        if "zero_concentrated" in inner:
            return ZeroConcentratedDP(first, delta=delta, neighbors=neighbors)
        return promise(first, delta, neighbors)
    problem = f"dprisk does not know the measure {shown(name)}."
    raise found.wrong(problem, "Use pure, approximate or zero-concentrated DP.", "output_measure")


MADE: Final[Mapping[str, Callable[[Mapping[str, Any], Found], Iterator[Noised]]]] = {
    "make_laplace": partial(_noise, False, None),
    "make_base_laplace": partial(_noise, False, None),
    "make_base_discrete_laplace": partial(_noise, False, True),
    "make_geometric": _geometric,
    "make_base_geometric": _geometric,
    "make_gaussian": partial(_noise, True, None),
    "make_base_gaussian": partial(_noise, True, None),
    "make_base_discrete_gaussian": partial(_noise, True, True),
    **dict.fromkeys(RESPONSES, _response),
    **dict.fromkeys(BUDGETS, _budget),
}


# --- objects --------------------------------------------------------------------------------------


def _from_object(found: Found) -> ToolAccount:
    """A measurement, by what its own map says for the distance that is asked for."""
    what = found.what
    metric = str(getattr(what, "input_metric", "")).lower().replace("_", "")
    named = [each for each in METRICS if each.replace("_", "") in metric]
    says = {"neighbors": METRICS[named[0]]} if named else {}
    asked = "contributions" if says else "sensitivity"

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        d_in = known.get("contributions", known.get("sensitivity", 1))
        d_in = float(d_in) if "(f" in metric else int(d_in) if d_in == int(d_in) else d_in
        try:
            loss = what.map(d_in)
        except Exception as error:
            problem = f"The map of this measurement fails at {d_in}: {str(error)[:200]}"
            raise found.wrong(problem, "Ask it for another distance.") from None
        return (Part(_mapped(found, loss, str(what.output_measure), known)),)

    return ToolAccount(
        tool=TOOL,
        make=make,
        says=says,
        needs=("neighbors", asked),
        lacks=("delta", "tuning"),
    )


def _mapped(found: Found, loss: Any, measure: str, known: Mapping[str, Any]) -> Guarantee:
    neighbors, name = known["neighbors"], measure.lower().replace("_", "")
    if callable(getattr(loss, "epsilon", None)):  # a privacy profile
        deltas = [10.0**-i for i in range(1, 16)]
        epsilons = [float(loss.epsilon(delta)) for delta in deltas]
        return ApproxDPCurve(epsilons, deltas, neighbors=neighbors)
    pair = loss if isinstance(loss, tuple) else (loss, 0.0)
    first, delta = (as_number(each) for each in pair)
    if first is None or delta is None or math.isinf(first):
        problem = f"The map of this measurement promises nothing: {shown(first)}."
        raise found.wrong(problem, "Give a measurement with noise.")
    if "zeroconcentrated" in name:
        return ZeroConcentratedDP(first, delta=delta, neighbors=neighbors)
    if "divergence" not in name or "renyi" in name:
        raise found.wrong(f"dprisk does not know the measure {measure[:60]}.", "Convert it first.")
    return promise(first, delta, neighbors)
